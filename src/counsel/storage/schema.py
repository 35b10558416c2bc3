"""The tables. A fact is one row of `facts`, which has the order, and one row of its kind's table.

The database itself refuses invalid facts: two at one place, two answers to one key, two proposals
of one round, a decision on a missing proposal.

A change here needs a migration (migrations/versions) and a new `VERSION`; a test compares the two.
"""

import json
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

VERSION = "0014"
VERSION_TABLE = "counsel_schema"

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Json(sa.types.TypeDecorator[Any]):
    """JSON as text, exactly as Python writes it: floats and the order of keys are preserved."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


class Moment(sa.types.TypeDecorator[datetime]):
    """A time with its zone; SQLite, which knows no zones, gets UTC."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _study(**options: Any) -> sa.Column[int]:
    """The study that a row belongs to and is deleted with."""
    return sa.Column(
        "study_id", sa.ForeignKey("studies.id", ondelete="CASCADE"), primary_key=True, **options
    )


def _fact_table(name: str, *columns: sa.schema.SchemaItem) -> sa.Table:
    """The table of one kind of fact; its rows extend those of `facts`."""
    return sa.Table(
        name,
        metadata,
        sa.Column("study_id", sa.Integer, primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        *columns,
        sa.ForeignKeyConstraint(
            ["study_id", "place"], ["facts.study_id", "facts.place"], ondelete="CASCADE"
        ),
    )


def _names(column: str) -> sa.ForeignKeyConstraint:
    """A column that names another fact of the same study, as "p3" does."""
    return sa.ForeignKeyConstraint(
        ["study_id", column], ["facts.study_id", "facts.id"], ondelete="CASCADE"
    )


studies = sa.Table(
    "studies",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("objective", sa.Text, nullable=False),
    sa.Column("direction", sa.Text, nullable=False),
    sa.Column("space", Json, nullable=False),
    sa.Column("policy_name", sa.Text, nullable=False),
    sa.Column("policy", Json, nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("created", Moment, nullable=False),
    sa.Column("tradeoff", sa.Text),  # null: by weights
    sa.Column("team", sa.Text),  # null if nothing decides between a person and the machine
    sa.Column("team_version", sa.Integer),  # null: the first
    sa.Column("seal", sa.Text),  # a hash of all this; null if created before links existed
    sqlite_autoincrement=True,  # the number of a deleted study is never reused
)
# The idempotency keys that studies were created under.
creations = sa.Table(
    "creations",
    metadata,
    sa.Column("request", sa.Text, primary_key=True),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("study_id", sa.ForeignKey("studies.id", ondelete="CASCADE"), nullable=False),
)
constraints = sa.Table(
    "constraints",
    metadata,
    _study(),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("at_least", sa.Double),
    sa.Column("at_most", sa.Double),
    # NULL in the last three: a number that costs 1.
    sa.Column("answer", sa.Text),
    sa.Column("levels", sa.Integer),
    sa.Column("cost", sa.Double),
)
# Several objectives; a study with one has it in its own row.
objectives = sa.Table(
    "objectives",
    metadata,
    _study(),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("direction", sa.Text, nullable=False),
    sa.Column("weight", sa.Double, nullable=False),
    sa.Column("at_least", sa.Double),
    sa.Column("at_most", sa.Double),
)
# Who may enter, and what a token may do in one study; elsewhere it has the token's own role.
tokens = sa.Table(
    "counsel_tokens",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    sa.Column("created", Moment, nullable=False),
    sa.Column("expires", Moment),
    sa.Column("revoked", Moment),
)
grants = sa.Table(
    "counsel_grants",
    metadata,
    sa.Column("token_id", sa.ForeignKey("counsel_tokens.id", ondelete="CASCADE"), primary_key=True),
    _study(),
    sa.Column("role", sa.Text, nullable=False),
)
people = sa.Table(
    "people",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("since", Moment, nullable=False),
)
facts = sa.Table(
    "facts",
    metadata,
    _study(),
    sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("id", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("actor", sa.ForeignKey("people.name")),  # null if the policy proposed it
    sa.Column("time", Moment, nullable=False),
    sa.Column("request", sa.Text, nullable=False),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("link", sa.Text),  # facts/chain.py; null if written before links existed
    sa.UniqueConstraint("study_id", "id"),
    sa.UniqueConstraint("study_id", "request"),
)
proposals = _fact_table(
    "proposals",
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("point", Json, nullable=False),
    sa.Column("context", Json, nullable=False),
    sa.Column("asks", Json, nullable=False),
    sa.Column("mean", sa.Double),
    sa.Column("sd", sa.Double),
    sa.Column("limit_of_mean", sa.Double),
    sa.Column("terms", Json, nullable=False),
    sa.Column("policy", sa.Text, nullable=False),
    sa.Column("theta", Json, nullable=False),
    sa.Column("seen", sa.Integer, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("chances", Json, nullable=False, server_default="{}"),
    sa.UniqueConstraint("study_id", "round"),
)
decisions = _fact_table(
    "decisions",
    sa.Column("proposal", sa.Text, nullable=False),
    sa.Column("decision", sa.Text, nullable=False),
    sa.Column("point", Json),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("radius", sa.Double),
    _names("proposal"),
)
failures = _fact_table(
    "failures",
    sa.Column("proposal", sa.Text),
    sa.Column("point", Json, nullable=False),
    sa.Column("context", Json, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    _names("proposal"),
)
amendments = _fact_table(
    "amendments",
    sa.Column("space", Json, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)
observations = _fact_table(
    "observations",
    sa.Column("proposal", sa.Text),
    sa.Column("point", Json, nullable=False),
    sa.Column("context", Json, nullable=False),
    sa.Column("label", sa.Text),
    _names("proposal"),
)
comparisons = _fact_table(
    "comparisons",
    sa.Column("winner", Json, nullable=False),
    sa.Column("loser", Json, nullable=False),
    sa.Column("tie", sa.Boolean, nullable=False),
    sa.Column("context", Json, nullable=False),
    sa.Column("winner_proposal", sa.Text),
    sa.Column("loser_proposal", sa.Text),
    _names("winner_proposal"),
    _names("loser_proposal"),
)
claims = _fact_table(
    "claims",
    sa.Column("better", Json, nullable=False),
    sa.Column("worse", Json, nullable=False),
    sa.Column("context", Json, nullable=False),
    sa.Column("better_proposal", sa.Text),
    sa.Column("worse_proposal", sa.Text),
    _names("better_proposal"),
    _names("worse_proposal"),
)
comments = _fact_table(
    "comments",
    sa.Column("fact", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    _names("fact"),
)
archivals = _fact_table(
    "archivals",
    sa.Column("archived", sa.Boolean, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)
revisions = _fact_table(
    "revisions",
    sa.Column("observation", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    _names("observation"),
)
withdrawals = _fact_table(
    "withdrawals",
    sa.Column("fact", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    _names("fact"),
)
# What was measured, one row per outcome, of an observation or of its revision.
outcomes = _fact_table(
    "outcomes",
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("value", sa.Double, nullable=False),
    sa.Column("sem", sa.Double),  # its standard error, where one was reported
)
# The only rows that change: who holds which proposal, and until when.
leases = sa.Table(
    "leases",
    metadata,
    sa.Column("study_id", sa.Integer, primary_key=True),
    sa.Column("proposal", sa.Text, primary_key=True),
    sa.Column("actor", sa.ForeignKey("people.name"), nullable=False),
    sa.Column("until", Moment, nullable=False),
    _names("proposal"),
)


def _explanation_table(name: str, *columns: sa.schema.SchemaItem) -> sa.Table:
    """A part of an explanation, deleted with it."""
    return sa.Table(
        name,
        metadata,
        sa.Column("study_id", sa.Integer, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("term", sa.Text, primary_key=True),
        *columns,
        sa.ForeignKeyConstraint(
            ["study_id", "number"],
            ["explanations.study_id", "explanations.number"],
            ondelete="CASCADE",
        ),
    )


# What people were shown. These are not facts: beliefs do not depend on them.
explanations = sa.Table(
    "explanations",
    metadata,
    _study(),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("proposal", sa.Text),
    sa.Column("actor", sa.ForeignKey("people.name"), nullable=False),
    sa.Column("time", Moment, nullable=False),
    sa.Column("point", Json, nullable=False),
    sa.Column("context", Json, nullable=False),
    sa.Column("background", sa.Text, nullable=False),
    sa.Column("evaluations", sa.BigInteger, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("instead_of", Json),
    sa.Column("gaps", sa.Boolean, nullable=False, server_default=sa.false()),
    _names("proposal"),
)
explanation_terms = _explanation_table(
    "explanation_terms",
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("method", sa.Text, nullable=False),
    sa.Column("base", sa.Double, nullable=False),
    sa.Column("total", sa.Double, nullable=False),
    sa.Column("log_weight", sa.Double, nullable=False, server_default="0"),
    sa.Column("interactions", Json),
)
explanation_parts = _explanation_table(
    "explanation_parts",
    sa.Column("parameter", sa.Text, primary_key=True),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("value", sa.Double, nullable=False),
    sa.Column("error", sa.Double, nullable=False),
)


# Indexed, because deleting a fact searches for rows that reference it.
for _table, _column in (
    (decisions, "proposal"),
    (failures, "proposal"),
    (observations, "proposal"),
    (comparisons, "winner_proposal"),
    (comparisons, "loser_proposal"),
    (claims, "better_proposal"),
    (claims, "worse_proposal"),
    (comments, "fact"),
    (revisions, "observation"),
    (withdrawals, "fact"),
    (explanations, "proposal"),
):
    sa.Index(None, _table.c.study_id, _table.c[_column])
