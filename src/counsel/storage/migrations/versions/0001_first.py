"""The first schema: studies, people, facts and leases."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_people")),
    )
    op.create_table(
        "studies",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("objective", sa.Text(), nullable=False),
        sa.Column("direction", sa.Text(), nullable=False),
        sa.Column("space", sa.Text(), nullable=False),
        sa.Column("policy_name", sa.Text(), nullable=False),
        sa.Column("policy", sa.Text(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_studies")),
        sa.UniqueConstraint("name", name=op.f("uq_studies_name")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "constraints",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at_least", sa.Double(), nullable=True),
        sa.Column("at_most", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["study_id"], ["studies.id"], name=op.f("fk_constraints_study_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("study_id", "position", name=op.f("pk_constraints")),
    )
    op.create_table(
        "facts",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=True),
        sa.Column("time", sa.DateTime(timezone=True), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["actor"], ["people.name"], name=op.f("fk_facts_actor")),
        sa.ForeignKeyConstraint(
            ["study_id"], ["studies.id"], name=op.f("fk_facts_study_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("study_id", "place", name=op.f("pk_facts")),
        sa.UniqueConstraint("study_id", "id", name=op.f("uq_facts_study_id_id")),
        sa.UniqueConstraint("study_id", "request", name=op.f("uq_facts_study_id_request")),
    )
    op.create_table(
        "comparisons",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("winner", sa.Text(), nullable=False),
        sa.Column("loser", sa.Text(), nullable=False),
        sa.Column("tie", sa.Boolean(), nullable=False),
        sa.Column("context", sa.Text(), nullable=False),
        sa.Column("winner_proposal", sa.Text(), nullable=True),
        sa.Column("loser_proposal", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["study_id", "loser_proposal"],
            ["facts.study_id", "facts.id"],
            name=op.f("fk_comparisons_study_id_loser_proposal"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["study_id", "place"],
            ["facts.study_id", "facts.place"],
            name=op.f("fk_comparisons_study_id_place"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["study_id", "winner_proposal"],
            ["facts.study_id", "facts.id"],
            name=op.f("fk_comparisons_study_id_winner_proposal"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("study_id", "place", name=op.f("pk_comparisons")),
    )
    op.create_table(
        "decisions",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("proposal", sa.Text(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("point", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id", "place"],
            ["facts.study_id", "facts.place"],
            name=op.f("fk_decisions_study_id_place"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["study_id", "proposal"],
            ["facts.study_id", "facts.id"],
            name=op.f("fk_decisions_study_id_proposal"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("study_id", "place", name=op.f("pk_decisions")),
    )
    op.create_table(
        "leases",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("proposal", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["actor"], ["people.name"], name=op.f("fk_leases_actor")),
        sa.ForeignKeyConstraint(
            ["study_id", "proposal"],
            ["facts.study_id", "facts.id"],
            name=op.f("fk_leases_study_id_proposal"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("study_id", "proposal", name=op.f("pk_leases")),
    )
    op.create_table(
        "observations",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("proposal", sa.Text(), nullable=True),
        sa.Column("point", sa.Text(), nullable=False),
        sa.Column("context", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id", "place"],
            ["facts.study_id", "facts.place"],
            name=op.f("fk_observations_study_id_place"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["study_id", "proposal"],
            ["facts.study_id", "facts.id"],
            name=op.f("fk_observations_study_id_proposal"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("study_id", "place", name=op.f("pk_observations")),
    )
    op.create_table(
        "outcomes",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id", "place"],
            ["facts.study_id", "facts.place"],
            name=op.f("fk_outcomes_study_id_place"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("study_id", "place", "name", name=op.f("pk_outcomes")),
    )
    op.create_table(
        "proposals",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("point", sa.Text(), nullable=False),
        sa.Column("context", sa.Text(), nullable=False),
        sa.Column("asks", sa.Text(), nullable=False),
        sa.Column("mean", sa.Double(), nullable=True),
        sa.Column("sd", sa.Double(), nullable=True),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("policy", sa.Text(), nullable=False),
        sa.Column("theta", sa.Text(), nullable=False),
        sa.Column("seen", sa.Integer(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id", "place"],
            ["facts.study_id", "facts.place"],
            name=op.f("fk_proposals_study_id_place"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("study_id", "place", name=op.f("pk_proposals")),
        sa.UniqueConstraint("study_id", "round", name=op.f("uq_proposals_study_id_round")),
    )
    op.create_table(
        "revisions",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("observation", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id", "observation"],
            ["facts.study_id", "facts.id"],
            name=op.f("fk_revisions_study_id_observation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["study_id", "place"],
            ["facts.study_id", "facts.place"],
            name=op.f("fk_revisions_study_id_place"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("study_id", "place", name=op.f("pk_revisions")),
    )
    op.create_table(
        "withdrawals",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("fact", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id", "fact"],
            ["facts.study_id", "facts.id"],
            name=op.f("fk_withdrawals_study_id_fact"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["study_id", "place"],
            ["facts.study_id", "facts.place"],
            name=op.f("fk_withdrawals_study_id_place"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("study_id", "place", name=op.f("pk_withdrawals")),
    )
