"""Converts facts to rows and back, with one pair of functions per kind."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from counsel.errors import StorageError
from counsel.facts.records import (
    Amendment,
    Archival,
    Claim,
    Comment,
    Comparison,
    Decision,
    Fact,
    Failure,
    Observation,
    Prediction,
    Proposal,
    Revision,
    Withdrawal,
)
from counsel.space import space_from_dict
from counsel.storage import schema
from counsel.storage.contract import Request

Row = Any  # a row as SQLAlchemy gives it: by column name
Outcomes = dict[str, tuple[float, float | None]]  # values and standard errors


class Kind(NamedTuple):
    """How one kind of fact is stored: its table, and how rows are written and read.

    `read` takes the row of `facts`, the row of the table, and the outcomes, if any.
    """

    fact: type
    table: sa.Table
    write: Callable[[Any], dict[str, Any]]
    read: Callable[[Row, Row, Outcomes], Fact]


def _proposal_row(fact: Proposal) -> dict[str, Any]:
    return {
        "round": fact.round,
        "point": fact.values,
        "context": fact.context,
        "asks": fact.asks,
        "mean": fact.prediction.mean if fact.prediction else None,
        "sd": fact.prediction.sd if fact.prediction else None,
        "limit_of_mean": fact.prediction.limit if fact.prediction else None,
        "terms": fact.terms,
        "policy": fact.policy,
        "theta": fact.theta,
        "seen": fact.seen,
        "note": fact.note,
        "chances": fact.chances,
    }


def _proposal(base: Row, row: Row, outcomes: Outcomes) -> Proposal:
    return Proposal(
        id=base["id"],
        round=row["round"],
        values=row["point"],
        context=row["context"],
        asks=tuple(row["asks"]),
        prediction=(
            None
            if row["mean"] is None
            else Prediction(row["mean"], row["sd"], row["limit_of_mean"])
        ),
        terms=row["terms"],
        policy=row["policy"],
        theta=tuple(row["theta"]),
        seen=row["seen"],
        note=row["note"],
        time=base["time"],
        chances=row["chances"],
    )


def _decision(base: Row, row: Row, outcomes: Outcomes) -> Decision:
    return Decision(
        id=base["id"],
        proposal=row["proposal"],
        kind=row["decision"],
        values=row["point"],
        actor=base["actor"],
        reason=row["reason"],
        time=base["time"],
        radius=row["radius"],
    )


def _failure(base: Row, row: Row, outcomes: Outcomes) -> Failure:
    return Failure(
        id=base["id"],
        proposal=row["proposal"],
        values=row["point"],
        context=row["context"],
        actor=base["actor"],
        reason=row["reason"],
        time=base["time"],
    )


def _amendment(base: Row, row: Row, outcomes: Outcomes) -> Amendment:
    return Amendment(
        id=base["id"],
        space=space_from_dict(row["space"]),
        actor=base["actor"],
        reason=row["reason"],
        time=base["time"],
    )


def _observation(base: Row, row: Row, outcomes: Outcomes) -> Observation:
    return Observation(
        id=base["id"],
        proposal=row["proposal"],
        values=row["point"],
        context=row["context"],
        outcomes={name: value for name, (value, _) in outcomes.items()},
        actor=base["actor"],
        time=base["time"],
        sem={name: sem for name, (_, sem) in outcomes.items() if sem is not None},
        label=row["label"] or "",
    )


def _comparison(base: Row, row: Row, outcomes: Outcomes) -> Comparison:
    return Comparison(
        id=base["id"],
        winner=row["winner"],
        loser=row["loser"],
        tie=row["tie"],
        context=row["context"],
        winner_proposal=row["winner_proposal"],
        loser_proposal=row["loser_proposal"],
        actor=base["actor"],
        time=base["time"],
    )


def _claim(base: Row, row: Row, outcomes: Outcomes) -> Claim:
    return Claim(
        id=base["id"],
        better=row["better"],
        worse=row["worse"],
        context=row["context"],
        better_proposal=row["better_proposal"],
        worse_proposal=row["worse_proposal"],
        actor=base["actor"],
        time=base["time"],
    )


def _comment(base: Row, row: Row, outcomes: Outcomes) -> Comment:
    return Comment(
        id=base["id"],
        fact=row["fact"],
        text=row["text"],
        actor=base["actor"],
        time=base["time"],
    )


def _archival(base: Row, row: Row, outcomes: Outcomes) -> Archival:
    return Archival(
        id=base["id"],
        archived=row["archived"],
        actor=base["actor"],
        reason=row["reason"],
        time=base["time"],
    )


def _revision(base: Row, row: Row, outcomes: Outcomes) -> Revision:
    return Revision(
        id=base["id"],
        fact=row["observation"],
        outcomes={name: value for name, (value, _) in outcomes.items()},
        actor=base["actor"],
        reason=row["reason"],
        time=base["time"],
    )


def _withdrawal(base: Row, row: Row, outcomes: Outcomes) -> Withdrawal:
    return Withdrawal(
        id=base["id"],
        fact=row["fact"],
        actor=base["actor"],
        reason=row["reason"],
        time=base["time"],
    )


KINDS: dict[str, Kind] = {
    "proposal": Kind(Proposal, schema.proposals, _proposal_row, _proposal),
    "decision": Kind(
        Decision,
        schema.decisions,
        lambda f: {
            "proposal": f.proposal,
            "decision": f.kind,
            "point": f.values,
            "reason": f.reason,
            "radius": f.radius,
        },
        _decision,
    ),
    "failure": Kind(
        Failure,
        schema.failures,
        lambda f: {
            "proposal": f.proposal,
            "point": f.values,
            "context": f.context,
            "reason": f.reason,
        },
        _failure,
    ),
    "amendment": Kind(
        Amendment,
        schema.amendments,
        lambda f: {"space": f.space.to_dict(), "reason": f.reason},
        _amendment,
    ),
    "observation": Kind(
        Observation,
        schema.observations,
        lambda f: {
            "proposal": f.proposal,
            "point": f.values,
            "context": f.context,
            "label": f.label or None,
        },
        _observation,
    ),
    "comparison": Kind(
        Comparison,
        schema.comparisons,
        lambda f: {
            "winner": f.winner,
            "loser": f.loser,
            "tie": f.tie,
            "context": f.context,
            "winner_proposal": f.winner_proposal,
            "loser_proposal": f.loser_proposal,
        },
        _comparison,
    ),
    "claim": Kind(
        Claim,
        schema.claims,
        lambda f: {
            "better": f.better,
            "worse": f.worse,
            "context": f.context,
            "better_proposal": f.better_proposal,
            "worse_proposal": f.worse_proposal,
        },
        _claim,
    ),
    "comment": Kind(
        Comment,
        schema.comments,
        lambda f: {"fact": f.fact, "text": f.text},
        _comment,
    ),
    "archival": Kind(
        Archival,
        schema.archivals,
        lambda f: {"archived": f.archived, "reason": f.reason},
        _archival,
    ),
    "revision": Kind(
        Revision,
        schema.revisions,
        lambda f: {"observation": f.fact, "reason": f.reason},
        _revision,
    ),
    "withdrawal": Kind(
        Withdrawal,
        schema.withdrawals,
        lambda f: {"fact": f.fact, "reason": f.reason},
        _withdrawal,
    ),
}
_NAMES = {kind.fact: name for name, kind in KINDS.items()}


def kind_of(fact: Fact) -> str:
    return _NAMES[type(fact)]


def measured(fact: Fact) -> Mapping[str, float]:
    return fact.outcomes if isinstance(fact, Observation | Revision) else {}


# Built once: a statement is recognised by its structure, which takes longer than running it.
_STUDY: sa.BindParameter[int] = sa.bindparam("study")
_AFTER: sa.BindParameter[int] = sa.bindparam("after")
_FROM: sa.BindParameter[int] = sa.bindparam("from")
_UNTIL: sa.BindParameter[int] = sa.bindparam("until")
_LAST = 2**31 - 1  # the largest possible place


def _behind(table: sa.Table) -> sa.Select[Any]:
    behind = (table.c.place > _AFTER) & (table.c.place <= _UNTIL)
    return sa.select(table).where((table.c.study_id == _STUDY) & behind)


_INSERT_FACT = sa.insert(schema.facts)
_INSERT_OUTCOMES = sa.insert(schema.outcomes)
_INSERT_KIND = {name: sa.insert(kind.table) for name, kind in KINDS.items()}
_SELECT_KIND = {name: _behind(kind.table) for name, kind in KINDS.items()}
_SELECT_OUTCOMES = _behind(schema.outcomes).order_by(schema.outcomes.c.position)
_SELECT_FACTS = (
    sa.select(schema.facts)
    .select_from(
        schema.studies.outerjoin(
            schema.facts,
            (schema.facts.c.study_id == schema.studies.c.id)
            & (schema.facts.c.place >= _FROM)
            & (schema.facts.c.place <= _UNTIL),
        )
    )
    .where(schema.studies.c.id == _STUDY)
    .order_by(schema.facts.c.place)
)


class Entry(NamedTuple):
    """A fact on its way into the database."""

    place: int
    fact: Fact
    actor: str | None
    request: Request
    link: str


def insert(connection: sa.Connection, study: int, entries: Sequence[Entry]) -> None:
    """Write facts: their rows of `facts` first, then those of their kinds, then the outcomes."""
    bases, outcomes = [], []
    kinds: dict[str, list[dict[str, Any]]] = {}
    for place, fact, actor, request, link in entries:
        kind = kind_of(fact)
        key = {"study_id": study, "place": place}
        about = {"id": fact.id, "kind": kind, "actor": actor, "time": fact.time}
        asked = {"request": request.key, "digest": request.digest}
        bases.append({**key, **about, **asked, "link": link})
        kinds.setdefault(kind, []).append({**key, **KINDS[kind].write(fact)})
        errors = fact.sem if isinstance(fact, Observation) else {}
        outcomes += [
            {**key, "name": name, "position": i, "value": value, "sem": errors.get(name)}
            for i, (name, value) in enumerate(measured(fact).items())
        ]
    connection.execute(_INSERT_FACT, bases)
    for name, found in kinds.items():
        connection.execute(_INSERT_KIND[name], found)
    if outcomes:
        connection.execute(_INSERT_OUTCOMES, outcomes)


class Behind(NamedTuple):
    """The facts after a place with their stored links, and the link at that place, if any."""

    facts: list[Fact]
    links: list[str | None]
    there: bool
    link: str | None


def select_after(
    connection: sa.Connection, study: int, after: int, until: int = _LAST
) -> Behind | None:
    """The facts after offset `after`, in order; None if there is no such study.

    They come from one snapshot: the caller holds a transaction. Usually there is nothing new, which
    takes one query. StorageError if a row does not describe a fact.
    """
    try:
        return _select_after(connection, study, after, until)
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise StorageError(
            f"A fact after offset {after} cannot be read ({error!r}): the storage is damaged or "
            "was edited by hand. Run `counsel verify` to see where, and restore the study from a "
            "backup."
        ) from error


def _select_after(connection: sa.Connection, study: int, after: int, until: int) -> Behind | None:
    wanted = {"study": study, "after": after, "until": until}
    first = {"study": study, "from": after, "until": until}
    bases = connection.execute(_SELECT_FACTS, first).mappings().all()
    if not bases:
        return None
    there = bases[0]["place"] == after
    link = bases[0]["link"] if there else None
    bases = bases[1:] if there else bases
    if not bases or bases[0]["place"] is None:
        return Behind([], [], there, link)
    kinds = {base["kind"] for base in bases}
    details: dict[int, Row] = {}
    for name in kinds:
        rows = connection.execute(_SELECT_KIND[name], wanted).mappings()
        details |= {row["place"]: row for row in rows}
    outcomes: dict[int, Outcomes] = {}
    if kinds & {"observation", "revision"}:
        for row in connection.execute(_SELECT_OUTCOMES, wanted).mappings():
            outcomes.setdefault(row["place"], {})[row["name"]] = row["value"], row["sem"]
    facts = [
        KINDS[base["kind"]].read(base, details[base["place"]], outcomes.get(base["place"], {}))
        for base in bases
    ]
    _refuse_gaps(after, bases)
    return Behind(facts, [base["link"] for base in bases], there, link)


def _refuse_gaps(after: int, bases: Sequence[Row]) -> None:
    for place, base in enumerate(bases, after + 1):
        if base["place"] != place:
            raise StorageError(
                f"Fact {place} is missing from the storage, although {base['id']!r} follows it. "
                "Run `counsel verify` to see what is damaged, and restore the study from a backup."
            )
