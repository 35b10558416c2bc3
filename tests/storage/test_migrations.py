"""Old databases open in a new version: one is kept here for each schema there ever was."""

import shutil
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import counsel as cs
from counsel.explain.attribution import Attribution, Shown
from counsel.storage import schema
from counsel.storage.sql import SqlStorage

WHY = Attribution(
    terms=("exploitation",),
    parameters=("lifting", "mode"),
    values=np.array([[0.25, -0.5]]),
    base=np.array([1.0]),
    total=np.array([0.75]),
    error=np.zeros((1, 2)),
    methods=("exact",),
    background="the whole space",
    evaluations=4,
    point={"lifting": 20.0, "mode": "soft"},
    context={},
    objective="comfort",
)
OLD = Path(__file__).parent / "old"


def versions() -> list[str]:
    folder = resources.files("counsel.storage.migrations")
    config = Config()
    config.set_main_option("script_location", str(folder))
    return [r.revision for r in ScriptDirectory.from_config(config).walk_revisions()][::-1]


def test_the_newest_version_is_the_one_that_the_code_is_for() -> None:
    assert versions()[-1] == schema.VERSION


def test_migrations_lead_to_the_tables_in_the_code(url: str) -> None:
    storage = SqlStorage(url)
    with storage._database.engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "version_table": schema.VERSION_TABLE}
        )
        assert compare_metadata(context, schema.metadata) == []


def test_a_database_of_every_version_is_kept() -> None:
    assert sorted(path.stem for path in OLD.glob("*.sql")) == versions()


@pytest.mark.parametrize("version", sorted(path.stem for path in OLD.glob("*.sql")))
def test_an_old_database_opens_with_all_its_facts(version: str, tmp_path: Path) -> None:
    import sqlite3

    file = tmp_path / "old.db"
    with sqlite3.connect(file) as raw:
        raw.executescript((OLD / f"{version}.sql").read_text())
    raw.close()
    study = cs.load_study("kept", f"sqlite:///{file}")
    kinds = [type(fact).__name__ for fact in study.facts]
    assert kinds == [
        "Proposal",
        "Decision",
        "Observation",
        "Proposal",
        "Decision",
        "Observation",
        "Proposal",
        "Decision",
        "Proposal",
        "Observation",
        "Comparison",
        "Revision",
        "Withdrawal",
    ]
    assert study.observations[0].outcomes == {"comfort": 1.5}
    assert dict(study.facts[4].values) == {"lifting": 20.0, "mode": "soft"}  # type: ignore[union-attr, arg-type]
    assert [c.winner_proposal for c in study.comparisons] == ["p1"]
    assert [repr(s.attribution) for s in study.shown] == [repr(WHY)] * (version > "0001")
    assert study.replay().identical
    assert study.ask().round == 5
    with SqlStorage(f"sqlite:///{file}")._database.engine.connect() as connection:
        query = sa.text(f"SELECT version_num FROM {schema.VERSION_TABLE}")
        assert connection.execute(query).scalar_one() == schema.VERSION


def make_old_database(file: Path) -> None:
    """How the kept databases were made; run by hand when a version is new, then dumped as SQL:
    sqlite3 file .dump > tests/storage/old/VERSION.sql"""
    space = cs.Space(lifting=cs.Float(0, 50), mode=cs.Categorical(["soft", "stiff"]))
    study = cs.create_study(
        space,
        name="kept",
        objective="comfort",
        policy="random",
        seed=7,
        storage=f"sqlite:///{file}",
    )
    study.accept(study.ask(), actor="ann", reason="fine")
    study.tell("p1", 1.0, actor="ann")
    study.override(study.ask(), {"lifting": 20, "mode": "soft"}, actor="bob", reason="too stiff")
    study.tell("p2", 2.0, actor="bob")
    study.reject(study.ask(), actor="ann", reason="unsafe")
    study.ask()
    study.tell({"lifting": 3, "mode": "stiff"}, 0.5, actor="bob")
    study.compare(winner="p1", loser="p2", actor="ann")
    study.revise("o1", 1.5, actor="ann", reason="read the wrong line")
    study.withdraw("o3", actor="bob")
    study.hold("p4", actor="ann", seconds=60)
    seen = Shown("ann", study.facts[-1].time, WHY)
    study._ledger.change(lambda writer: writer.show(seen))


def test_the_database_of_the_present_version_is_made_as_said(tmp_path: Path) -> None:
    made = tmp_path / "made.db"
    make_old_database(made)
    study: Any = cs.load_study("kept", f"sqlite:///{made}")
    assert [type(f).__name__[0] for f in study.facts] == list("PDOPDOPDPOCRW")
    shutil.rmtree(tmp_path, ignore_errors=True)
