"""The front door: which names there are, and how little it takes to open it."""

import subprocess
import sys

import pytest

import counsel as cs

# Adding a name here is a decision about what users may rely on.
PUBLIC = [
    "Advice",
    "Amendment",
    "Archival",
    "Arms",
    "Attribution",
    "Best",
    "Categorical",
    "Claim",
    "Client",
    "Comment",
    "Comparison",
    "Conflict",
    "Constraint",
    "CounselError",
    "Decision",
    "Failure",
    "Float",
    "HistoryChanged",
    "Int",
    "InvalidInput",
    "Lease",
    "NotFound",
    "NothingToExplain",
    "NothingToPropose",
    "Objective",
    "Observation",
    "Prediction",
    "Problem",
    "Proposal",
    "Replay",
    "Require",
    "Revision",
    "SafeSet",
    "Space",
    "StorageError",
    "Study",
    "WhatIf",
    "Withdrawal",
    "acquisition",
    "create_study",
    "delete_study",
    "explain",
    "list_studies",
    "load_study",
    "policies",
    "storage",
]
# Importing any of these takes longer than `counsel --help` may.
HEAVY = [
    "alembic",
    "equinox",
    "fastapi",
    "httpx",
    "jax",
    "jaxlib",
    "nicegui",
    "numpy",
    "pandas",
    "plotly",
    "pydantic",
    "rich",
    "scipy",
    "sqlalchemy",
    "typer",
]


def loaded_after(code: str) -> set[str]:
    """Which heavy packages a fresh process has imported after running the code."""
    script = f"import sys\n{code}\nprint(*(name for name in {HEAVY} if name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120
    )
    return set(done.stdout.split())


def test_the_public_names_are_these() -> None:
    assert cs.__all__ == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_resolves(name: str) -> None:
    found = getattr(cs, name)
    assert found.__name__.removeprefix("counsel.") == name
    assert getattr(cs, name) is found


def test_dir_lists_the_public_names() -> None:
    assert dir(cs) == sorted([*PUBLIC, "__version__"])


def test_star_import_gives_the_public_names() -> None:
    names: dict[str, object] = {}
    exec("from counsel import *", names)
    assert sorted(names.keys() - {"__builtins__"}) == PUBLIC


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Sapce'"):
        cs.Sapce  # type: ignore[attr-defined]


def test_import_is_light() -> None:
    assert loaded_after("import counsel; counsel.__version__; dir(counsel)") == set()


def test_a_study_without_beliefs_needs_no_jax() -> None:
    code = """
import counsel as cs
box = cs.Space(x=cs.Float(0, 1), k=cs.Int(1, 9), c=cs.Categorical(["u", "v"]))
for space in (box, cs.Arms([[0.0, 1.0], [1.0, 0.0]])):
    study = cs.create_study(space, policy="random")
    for proposal in study.ask(2):
        study.tell(proposal, 1.0)
    assert study.best is not None and study.replay().identical
"""
    assert loaded_after(code) == {"numpy"}


def test_creating_a_study_with_beliefs_works_in_a_fresh_process() -> None:
    code = """
import counsel as cs
study = cs.create_study(cs.Space(x=cs.Float(0, 1)))
assert study.ask().values.keys() == {"x"}
"""
    assert "jax" in loaded_after(code)
