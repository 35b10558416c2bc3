"""The exception tree: what each carries, and that it survives the way back from a worker."""

import pickle
import re
import tomllib
from pathlib import Path

import pytest

from counsel import errors
from counsel.errors import Conflict, CounselError, InvalidInput, NotFound, NothingToPropose

ROOT = Path(__file__).resolve().parent.parent


def test_invalid_input_names_field_value_and_remedy() -> None:
    error = InvalidInput("dose", -3, "Give a number between 0 and 50.")
    assert str(error) == "dose: got -3. Give a number between 0 and 50."
    assert (error.field, error.value, error.remedy) == (
        "dose",
        -3,
        "Give a number between 0 and 50.",
    )


def test_a_large_value_is_shortened_in_the_message_and_kept_whole() -> None:
    value = list(range(100_000))
    error = InvalidInput("data", value, "Give fewer.")
    assert len(str(error)) < 100
    assert error.value is value
    assert len(str(InvalidInput("note", "x" * 10_000, "Give less."))) < 200


@pytest.mark.parametrize(
    ("error", "parents"),
    [
        (InvalidInput("a", 1, "b"), (CounselError, ValueError)),
        (Conflict("late"), (CounselError,)),
        (NotFound("no such study"), (CounselError, LookupError)),
        (NothingToPropose("all arms are rejected"), (CounselError,)),
    ],
)
def test_tree(error: Exception, parents: tuple[type, ...]) -> None:
    assert all(isinstance(error, parent) for parent in parents)


def test_conflict_carries_the_fact_that_won() -> None:
    assert Conflict("Ann decided first.", fact={"actor": "ann"}).fact == {"actor": "ann"}
    assert Conflict("Ann decided first.").fact is None


@pytest.mark.parametrize(
    "error",
    [
        InvalidInput("dose", [1, 2], "Give one number."),
        Conflict("Ann decided first.", {"actor": "ann"}),
        NotFound("No study named 'a'."),
        NothingToPropose("Every arm is rejected."),
        CounselError("Something."),
    ],
)
def test_pickle(error: CounselError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


def test_every_extra_that_a_message_names_is_one_of_the_package() -> None:
    """The package index has another project named counsel: nobody is told to install that."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == errors.DISTRIBUTION
    extras = set(project["optional-dependencies"])
    named: set[str] = set()
    for file in (ROOT / "src").rglob("*.py"):
        source = file.read_text(encoding="utf-8")
        for call in re.findall(r"\binstall\(([^)]*)\)", source):
            named |= set(re.findall(r"""['"]([a-z]+)['"]""", call))
        if file.name != "errors.py":
            assert "pip install" not in source, file
    assert named
    assert named <= extras
