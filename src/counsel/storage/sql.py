"""Studies in a database: SQLite for one machine, PostgreSQL for many.

One writer of a study at a time: SQLite locks the file (BEGIN IMMEDIATE), PostgreSQL the study's
row. Facts are read in one snapshot. docs/storage.md has the reasons.
"""

import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.dialects import postgresql, sqlite

from counsel.errors import StorageError
from counsel.explain.attribution import Shown
from counsel.facts.chain import NOTHING, Seen, follow, link, vanished
from counsel.facts.problem import Objective, Problem
from counsel.facts.records import Fact, Lease, Proposal
from counsel.facts.summaries import Setup, Summary
from counsel.space import space_from_dict
from counsel.storage import engine as opening
from counsel.storage import rows, schema
from counsel.storage.contract import Answer, News, Request, Writer
from counsel.storage.database import PATIENCE, Database
from counsel.storage.explanations import insert_shown, select_shown
from counsel.storage.group_commit import GroupCommit
from counsel.storage.memory import deleted, missing, repeated, taken
from counsel.storage.sealing import COLUMNS, constraint_from, row_of, seals

__all__ = ["SqlStorage", "delete_study"]

T = TypeVar("T")
_PIECE = 500  # facts that one statement deletes
_ROWS = 1000  # facts that one statement writes
# Built once: building takes longer than running them.
_SELECT_ANSWER = sa.select(schema.facts.c.place, schema.facts.c.digest).where(
    schema.facts.c.study_id == sa.bindparam("study"),
    schema.facts.c.request == sa.bindparam("key"),
)
_SELECT_LEASE = sa.select(
    schema.leases.c.proposal, schema.leases.c.actor, schema.leases.c.until
).where(
    schema.leases.c.study_id == sa.bindparam("study"),
    schema.leases.c.proposal == sa.bindparam("proposal"),
)


class SqlStorage:
    """A database at `url`, created if it does not exist (`create=False` refuses instead).

    Lock and connection errors are retried for up to `patience` seconds.
    """

    def __init__(self, url: str, *, create: bool = True, patience: float = PATIENCE) -> None:
        address = opening.parse(url)
        self.url = url
        self.where = where = opening.shown(address)
        file = opening.file_of(address)
        if not create and file is not None and not Path(file).exists():
            raise StorageError(_absent(Path(file), where))
        self._database = Database(address, lambda engine: opening.prepare(engine, where), patience)
        self._met: frozenset[str] = frozenset()  # people already recorded
        self._group_commit = GroupCommit(self._database.writing)

    @property
    def database(self) -> Database:
        return self._database

    # ---- studies -------------------------------------------------------------------------------

    def create(
        self, setup: Setup, facts: Sequence[Fact] = (), request: Request | None = None
    ) -> int:
        problem = setup.problem
        row = {
            "name": setup.name,
            "objective": problem.objective.name,
            "direction": problem.objective.direction,
            "space": problem.space.to_dict(),
            "policy_name": setup.policy_name,
            "policy": setup.policy,
            "seed": setup.seed,
            "created": setup.created,
            "tradeoff": None if problem.tradeoff == "weights" else problem.tradeoff,
            "team": setup.team,
            "team_version": None if setup.team_version == 1 else setup.team_version,
        }
        wanted = [
            {
                "position": i,
                "name": each.name,
                "direction": each.direction,
                "weight": float(each.weight),
                "at_least": each.at_least,
                "at_most": each.at_most,
            }
            for i, each in enumerate(problem.objectives)
        ]
        stored = [row_of(constraint) for constraint in problem.constraints]
        bounds = [
            {"position": i, **dict(zip(COLUMNS, each, strict=True))}
            for i, each in enumerate(stored)
        ]
        row["seal"], _ = seals(row, stored, [tuple(each.values())[1:] for each in wanted])

        def attempt() -> int:
            with self._database.writing() as connection:
                # The name first: whoever has taken it under this key has used the key by then.
                query = sa.select(schema.studies.c.id).where(schema.studies.c.name == setup.name)
                there = connection.execute(query).first()
                if request is not None:
                    found = connection.execute(_creation(request.key)).first()
                    if found is not None:
                        return repeated(found.id, found.digest, found.name, request)
                if there is not None:
                    raise taken(setup.name)
                made = connection.execute(sa.insert(schema.studies), row)
                assert made.inserted_primary_key is not None
                number = int(made.inserted_primary_key[0])
                if request is not None:
                    creation = {"request": request.key, "digest": request.digest}
                    connection.execute(
                        sa.insert(schema.creations), {**creation, "study_id": number}
                    )
                if bounds:
                    values = [{"study_id": number, **bound} for bound in bounds]
                    connection.execute(sa.insert(schema.constraints), values)
                if wanted:
                    values = [{"study_id": number, **each} for each in wanted]
                    connection.execute(sa.insert(schema.objectives), values)
                requests = [Request(uuid.uuid4().hex, "") for _ in facts]
                writer = _SqlWriter(connection, number, seen=NOTHING)
                for place, (fact, asked) in enumerate(zip(facts, requests, strict=True), 1):
                    writer.append(fact, place, asked)
                writer.flush()
                return number

        def work() -> int:
            try:
                return attempt()
            except exc.IntegrityError:  # created by somebody else a moment ago
                return attempt()

        return self._patiently(work)

    def find(self, name: str) -> tuple[int, Setup]:
        def work() -> tuple[int, Setup]:
            with self._database.reading() as connection:
                query = sa.select(schema.studies).where(schema.studies.c.name == name)
                with _readable(name):
                    row = connection.execute(query).mappings().first()
                if row is None:
                    names = sa.select(schema.studies.c.name).order_by(schema.studies.c.id)
                    raise missing(name, list(connection.execute(names).scalars()))
                table = schema.constraints.c
                bounds = connection.execute(
                    sa.select(*(table[name] for name in COLUMNS))
                    .where(table.study_id == row["id"])
                    .order_by(table.position)
                ).all()
                wanted = connection.execute(
                    sa.select(*list(schema.objectives.c)[2:])
                    .where(schema.objectives.c.study_id == row["id"])
                    .order_by(schema.objectives.c.position)
                ).all()
                with _readable(name):
                    problem = Problem(
                        space_from_dict(row["space"]),
                        Objective(row["objective"], row["direction"]),
                        tuple(constraint_from(*bound) for bound in bounds),
                        tuple(Objective(*each) for each in wanted),
                        row["tradeoff"] or "weights",
                    )
            setup = Setup(
                name,
                problem,
                row["policy_name"],
                row["policy"],
                row["seed"],
                row["created"],
                row["team"],
                row["team_version"] or 1,
            )
            if row["seal"] not in (None, *seals(dict(row), bounds, wanted)):
                raise StorageError(
                    f"Study {name!r} differs from what was created: the storage is damaged or was "
                    "edited by hand. Restore it from a backup."
                )
            return row["id"], setup

        return self._patiently(work)

    def summaries(self) -> list[Summary]:
        studies, facts = schema.studies.c, schema.facts.c
        counted = sa.select(sa.func.count()).where(facts.study_id == studies.id).scalar_subquery()
        marks = schema.archivals.c
        last = sa.select(marks.archived).where(marks.study_id == studies.id)
        last = last.order_by(marks.place.desc()).limit(1)
        query = sa.select(
            studies.name,
            studies.objective,
            studies.policy_name,
            counted,
            studies.created,
            sa.func.coalesce(last.scalar_subquery(), sa.false()),
        ).order_by(studies.id)

        def work() -> list[Summary]:
            with self._database.reading() as connection:
                return [Summary(*row[:-1], bool(row[-1])) for row in connection.execute(query)]

        return self._patiently(work)

    def delete(self, name: str) -> None:
        number, _ = self.find(name)

        def work() -> None:
            with self._database.writing() as connection:
                delete_study(connection, number)

        self._patiently(work)

    # ---- facts ---------------------------------------------------------------------------------

    def read(self, study: int, after: int) -> list[Fact]:
        def work() -> list[Fact]:
            with self._database.reading() as connection:
                return _facts(connection, study, after)

        return self._patiently(work)

    def first(self, study: int, count: int) -> list[Fact]:
        """The first `count` facts, each compared with its link."""

        def work() -> list[Fact]:
            with self._database.reading() as connection:
                found = rows.select_after(connection, study, 0, count)
                if found is None:
                    raise deleted()
                follow(NOTHING, found.facts, found.links)
                return found.facts

        return self._patiently(work)

    def check_file(self) -> None:
        """Have SQLite check its whole file; StorageError if it is damaged."""

        def work() -> None:
            if not self._database.sqlite:
                return
            with self._database.reading() as connection:
                said = connection.exec_driver_sql("PRAGMA integrity_check(3)").scalars().all()
            if said != ["ok"]:
                raise StorageError(
                    f"The database {self.where} is damaged: {'; '.join(map(str, said))}. Restore "
                    "it from a backup."
                )

        self._patiently(work)

    def write(self, study: int, work: Callable[[Writer], T], since: float | None = None) -> T:
        def judged(connection: sa.Connection) -> tuple[T, frozenset[str]]:
            if connection.dialect.name == "postgresql":
                query = sa.select(schema.studies.c.id).where(schema.studies.c.id == study)
                connection.execute(query.with_for_update(key_share=True))
            writer = _SqlWriter(connection, study, self._met)
            done = work(writer)
            writer.flush()
            return done, writer.met

        def once() -> T:
            if self._database.sqlite:
                done, met = self._group_commit.write(study, judged)
            else:
                with self._database.writing() as connection:
                    done, met = judged(connection)
            self._met |= met  # only once it is committed
            return done

        return self._patiently(once, since)

    def news(
        self, study: int, seen: Seen, key: str | None = None, since: float | None = None
    ) -> News:
        def work() -> News:
            with self._database.reading() as connection:
                found = _news(connection, study, seen)
                if key is None:
                    return found
                return found._replace(answer=_answer(connection, study, key))

        return self._patiently(work, since)

    def leases(self, study: int) -> list[Lease]:
        return self._leases(study, lapsed=False)

    def lapsed(self, study: int) -> list[Lease]:
        return self._leases(study, lapsed=True)

    def _leases(self, study: int, *, lapsed: bool) -> list[Lease]:
        table = schema.leases.c
        query = sa.select(table.proposal, table.actor, table.until).where(table.study_id == study)

        def work() -> list[Lease]:
            with self._database.reading() as connection:
                rows = connection.execute(query).all()
                now = _now(connection) if rows else None
                return [Lease(*row) for row in rows if (row.until <= now) is lapsed]

        return self._patiently(work)

    def shown(self, study: int) -> list[Shown]:
        def work() -> list[Shown]:
            with self._database.reading() as connection:
                return select_shown(connection, study)

        return self._patiently(work)

    def close(self) -> None:
        self._database.close()

    # ---- inside --------------------------------------------------------------------------------

    def _patiently(self, work: Callable[[], T], since: float | None = None) -> T:
        if self._database.forked():
            self._group_commit = GroupCommit(self._database.writing)
        return self._database.patiently(work, since)


def delete_study(connection: sa.Connection, study: int) -> None:
    """Every row of a study. The leaves first: cascading would search them fact by fact."""
    for table in reversed(schema.metadata.sorted_tables):
        if "study_id" in table.c:
            _delete_rows(connection, table, study)
    connection.execute(sa.delete(schema.studies).where(schema.studies.c.id == study))


def _delete_rows(connection: sa.Connection, table: sa.Table, study: int) -> None:
    """In pieces: a statement on all rows of a large study could take longer than one may."""
    mine = table.c.study_id == study
    if "place" in table.c:
        last = connection.execute(sa.select(sa.func.max(table.c.place)).where(mine)).scalar() or 0
        for first in range(0, last, _PIECE):
            part = table.c.place.between(first + 1, first + _PIECE)
            connection.execute(sa.delete(table).where(mine & part))
    connection.execute(sa.delete(table).where(mine))


@contextmanager
def _readable(study: str) -> Iterator[None]:
    """Turns errors from a malformed row into a message."""
    try:
        yield
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise StorageError(
            f"Study {study!r} cannot be read ({error!r}): the storage is damaged or was edited "
            "by hand. Restore it from a backup."
        ) from error


def _creation(key: str) -> sa.Select[tuple[int, str, str]]:
    """The number, digest and name of the study that a key created."""
    creations, studies = schema.creations, schema.studies
    return (
        sa.select(studies.c.id, creations.c.digest, studies.c.name)
        .join_from(creations, studies)
        .where(creations.c.request == key)
    )


class _SqlWriter:
    def __init__(
        self,
        connection: sa.Connection,
        study: int,
        met: frozenset[str] = frozenset(),
        seen: Seen | None = None,
    ) -> None:
        self._connection = connection
        self._study = study
        self.met = met
        self._seen = seen  # the last fact, as far as it has been looked up
        self._waiting: list[rows.Entry] = []

    def news(self, seen: Seen) -> News:
        self.flush()
        found = _news(self._connection, self._study, seen)
        self._seen = found.seen
        return found

    def read(self, after: int) -> list[Fact]:
        self.flush()
        return _facts(self._connection, self._study, after)

    def answer(self, key: str) -> Answer | None:
        self.flush()
        return _answer(self._connection, self._study, key)

    def append(self, fact: Fact, place: int, request: Request) -> Seen:
        """Its rows are written by `flush`, together with those of other facts."""
        seen = self.news(NOTHING).seen if self._seen is None else self._seen
        actor = None if isinstance(fact, Proposal) else fact.actor
        if actor is not None:
            self._meet(actor, fact.time)
        self._seen = Seen(place, link(seen.link, fact))
        self._waiting.append(rows.Entry(place, fact, actor, request, self._seen.link))
        return self._seen

    def flush(self) -> None:
        """Write what was appended. In pieces, because a statement may take only so long."""
        waiting, self._waiting = self._waiting, []
        for first in range(0, len(waiting), _ROWS):
            rows.insert(self._connection, self._study, waiting[first : first + _ROWS])

    def lease(self, proposal: str) -> Lease | None:
        wanted = {"study": self._study, "proposal": proposal}
        row = self._connection.execute(_SELECT_LEASE, wanted).first()
        if row is None or row.until <= _now(self._connection):
            return None
        return Lease(*row)

    def hold(self, proposal: str, actor: str, seconds: float) -> Lease:
        self.flush()
        now = _now(self._connection)
        lease = Lease(proposal, actor, now + timedelta(seconds=seconds))
        self._meet(actor, now)
        self.release(proposal)
        row = {
            "study_id": self._study,
            "proposal": proposal,
            "actor": actor,
            "until": lease.until,
        }
        self._connection.execute(sa.insert(schema.leases), row)
        return lease

    def release(self, proposal: str) -> None:
        table = schema.leases.c
        wanted = (table.study_id == self._study) & (table.proposal == proposal)
        self._connection.execute(sa.delete(schema.leases).where(wanted))

    def show(self, shown: Shown) -> None:
        self.flush()
        self._meet(shown.actor, shown.time)
        insert_shown(self._connection, self._study, shown)

    def _meet(self, actor: str, time: datetime) -> None:
        """Record a person, unless that is done."""
        if actor in self.met:
            return
        self.met |= {actor}
        dialect = postgresql if self._connection.dialect.name == "postgresql" else sqlite
        statement = dialect.insert(schema.people).on_conflict_do_nothing()
        self._connection.execute(statement, {"name": actor, "since": time})


def _answer(connection: sa.Connection, study: int, key: str) -> Answer | None:
    row = connection.execute(_SELECT_ANSWER, {"study": study, "key": key}).first()
    return None if row is None else Answer(*row)


def _facts(connection: sa.Connection, study: int, after: int) -> list[Fact]:
    found = rows.select_after(connection, study, after)
    if found is None:
        raise deleted()
    return found.facts


def _news(connection: sa.Connection, study: int, seen: Seen) -> News:
    found = rows.select_after(connection, study, seen.place)
    if found is None:
        raise deleted()
    if seen.place and not (found.there and found.link in (None, seen.link)):
        query = sa.select(sa.func.count()).where(schema.facts.c.study_id == study)
        raise vanished(seen, connection.execute(query).scalar_one())
    return News(found.facts, follow(seen, found.facts, found.links))


def _absent(file: Path, where: str) -> str:
    folder = file.absolute().parent
    if not folder.is_dir():
        return f"There is no database {where}: no {folder}. Check it, or make the folder."
    return (
        f"There is no database {where}. Create a study in it first: `counsel new`, or create_study."
    )


def _now(connection: sa.Connection) -> datetime:
    """One clock for all: the server's, or for a file that of its machine."""
    if connection.dialect.name == "postgresql":
        moment = connection.execute(sa.select(sa.func.clock_timestamp())).scalar_one()
        return moment.astimezone(UTC)
    return datetime.now(UTC)
