"""Studies written before policies had tags: they open, replay and go on, from wherever they lie.

`kept` holds the same sixteen studies, one for each policy and kind of study, as SQLite and
PostgreSQL had them, and some of them as exported files.
"""

import json
import math
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import astuple, is_dataclass
from pathlib import Path
from typing import Any

import pytest

import counsel as cs
import postgres
from counsel.exchange import export_study, import_study
from counsel.facts import codec
from counsel.facts.summaries import Difference
from counsel.policies.description import describe, make
from doors import without_times

# One process: what is compiled for one backend serves the others.
KEPT = Path(__file__).parent / "kept"
FILES = sorted(path.name for path in KEPT.iterdir() if path.suffix != ".sql")
NAMES = (
    *("random", "v-ucb", "gp-ucb", "ei", "ts", "lw-ucb", "risk-averse", "uncertainty-aware"),
    *(f"constrained {policy}" for policy in ("dmcl", "mcl", "acl", "acol", "v-ucb")),
    *("preference", "context", "settings"),
)
# The classes of these names mean something else today; their studies keep what they began with.
TODAY = {"ei": "augmented-ei", "lw-ucb": "pruned-ucb", "context": "pruned-ucb"}

# The studies that go on in PostgreSQL as well: each kind of fact once.
ON_A_SERVER = ("random", "constrained dmcl", "preference", "context")


def sqlite(folder: Path) -> str:
    with sqlite3.connect(folder / "kept.db") as raw:
        raw.executescript((KEPT / "sqlite.sql").read_text())
    raw.close()
    return f"sqlite:///{folder / 'kept.db'}"


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a database as it was then, of each kind in turn."""
    if request.param == "sqlite":
        return sqlite(tmp_path_factory.mktemp("kept"))
    import psycopg

    server: postgres.Server = request.getfixturevalue("server")
    address = server.database("kept")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute((KEPT / "postgres.sql").read_bytes())
    return address


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a database in which nothing goes on."""
    return sqlite(tmp_path_factory.mktemp("untouched"))


def close(then: Any, now: Any) -> bool:
    """Equal, but for the last digits of numbers: another machine may round otherwise."""
    if isinstance(then, float) and isinstance(now, float):
        return math.isclose(then, now, rel_tol=1e-6, abs_tol=1e-6)
    if is_dataclass(then) and type(then) is type(now):
        return close(astuple(then), astuple(now))  # type: ignore[arg-type]
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        return then.keys() == now.keys() and all(close(then[key], now[key]) for key in then)
    if isinstance(then, Sequence) and not isinstance(then, str):
        return len(then) == len(now) and all(map(close, then, now))
    return bool(then == now)


def assert_derived_again(study: cs.Study) -> None:
    """Every proposal comes out as recorded, or as another that is worth as much.

    On a processor that rounds otherwise, a tie between two arms can fall the other way, and a
    search can stop a step sooner. What was maximised must then agree nevertheless, to what a fit
    leaves open: it stops once a step promises less than 1e-6 of its value.
    """
    found: dict[str, dict[str, Difference]] = {}
    for each in study.replay().differences:
        found.setdefault(each.proposal, {})[each.field] = each
    for proposal, fields in found.items():
        off = {name for name, each in fields.items() if not close(each.recorded, each.replayed)}
        if not off:
            continue
        assert not off & {"policy", "note"}
        recorded = study.proposal(proposal).terms
        replayed = fields["terms"].replayed if "terms" in fields else recorded
        assert recorded.keys() == replayed.keys()
        assert sum(replayed.values()) == pytest.approx(sum(recorded.values()), rel=1e-5)


def goes_on(study: cs.Study) -> None:
    """Under tags alone, with the same proposals, and another one."""
    assert "counsel." not in json.dumps(study.setup.policy)
    assert describe(make(study.setup.policy)) == study.setup.policy
    assert study.policy.name == TODAY.get(study.name, study.setup.policy_name)
    assert_derived_again(study)
    made, context = len(study.facts), dict.fromkeys(study.problem.space.context, 3)
    study.ask(2, context=context or None)
    assert len(study.facts) == made + 2


def test_what_is_kept(kept: str) -> None:
    assert tuple(summary.name for summary in cs.list_studies(kept)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_study_in_a_database_goes_on(name: str, kept: str, untouched: str) -> None:
    study = cs.load_study(name, kept)
    if kept.startswith("sqlite") or name in ON_A_SERVER:
        goes_on(study)
        return
    # What is proposed follows from these two: this study goes on as SQLite's does.
    there = cs.load_study(name, untouched)
    here, same = ([each.setup, each.facts] for each in (study, there))
    assert without_times(codec.write(here)) == without_times(codec.write(same))


@pytest.mark.parametrize("file", FILES)
def test_a_study_in_a_file_goes_on(file: str, tmp_path: Path) -> None:
    study = import_study(KEPT / file, f"sqlite:///{tmp_path / 'study.db'}")
    goes_on(study)
    again = import_study(export_study(study, tmp_path / f"again{Path(file).suffix}"))
    assert (again.setup, again.facts) == (study.setup, study.facts)


def test_the_same_policy_is_recognised(tmp_path: Path) -> None:
    url = sqlite(tmp_path)
    policies = {
        "v-ucb": cs.policies.by_name("v-ucb"),
        "constrained mcl": cs.policies.MCL(certificate="union"),
        "constrained acl": cs.policies.ACL(certificate="union"),
        "settings": cs.policies.Bandit(cs.acquisition.LWUCB(kappa=3.0, density="search")),
    }
    for name, policy in policies.items():
        found = cs.load_study(name, url)
        assert cs.load_study(name, url, policy=policy).policy == found.policy
        again = cs.create_study(
            found.problem.space,
            name=name,
            objective=found.problem.objective.name,
            constraints=found.problem.constraints,
            policy=policy,
            seed=found.seed,
            storage=url,
            load_if_exists=True,
        )
        assert (again.facts, again.policy) == (found.facts, found.policy)
    with pytest.raises(cs.Conflict, match="another policy"):
        cs.load_study("constrained acl", url, policy=cs.policies.MCL())


@pytest.mark.parametrize("name", ["ei", "lw-ucb", "gp-ucb", "v-ucb"])
@pytest.mark.parametrize("named", [True, False])
def test_a_script_that_names_the_policy_still_opens_its_study(
    name: str, named: bool, tmp_path: Path
) -> None:
    url = sqlite(tmp_path)
    found = cs.load_study(name, url)
    again = cs.create_study(
        found.problem.space,
        name=name,
        objective=found.problem.objective.name,
        direction=found.problem.objective.direction,
        policy=name if named else None,
        seed=found.seed,
        storage=url,
        load_if_exists=True,
    )
    assert again.policy == found.policy
    assert again.setup == found.setup


MOVES = {  # modules that old studies name, or are made of
    "acquisition/upper_confidence": "acquisition/bounds_with_another_name",
    "models/kernels": "models/covariances",
    "policies/bandit": "policies/on_a_gaussian_process",
}
OPENS = """
import sys, counsel as cs
assert "elsewhere" in cs.__file__
study = cs.load_study("v-ucb", sys.argv[1])
assert study.ask().policy == "v-ucb"
assert type(study.policy.acquisition).__module__.endswith("bounds_with_another_name")
"""


def test_files_may_move(tmp_path: Path) -> None:
    package = Path(cs.__file__).parent
    copy = tmp_path / "elsewhere" / "counsel"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for before, after in MOVES.items():
        (copy / f"{before}.py").rename(copy / f"{after}.py")
    dotted = {f"counsel.{a}".replace("/", "."): f"counsel.{b}" for a, b in MOVES.items()}
    pattern = re.compile(rf"({'|'.join(map(re.escape, dotted))})\b")
    for path in copy.rglob("*.py"):
        if path.name != "aliases.py":
            moved = pattern.sub(lambda m: dotted[m[1]].replace("/", "."), path.read_text())
            path.write_text(moved)
    subprocess.run(
        [sys.executable, "-c", OPENS, sqlite(tmp_path)],
        check=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": str(copy.parent)},
    )
