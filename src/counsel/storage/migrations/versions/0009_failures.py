"""Failed trials, amended spaces, standard errors, and how far a rejection reaches."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def _facts(name: str, *columns: sa.schema.SchemaItem) -> None:
    op.create_table(
        name,
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        *columns,
        sa.ForeignKeyConstraint(
            ["study_id", "place"],
            ["facts.study_id", "facts.place"],
            name=f"fk_{name}_study_id_place",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("study_id", "place", name=f"pk_{name}"),
    )


def upgrade() -> None:
    _facts(
        "failures",
        sa.Column("proposal", sa.Text()),
        sa.Column("point", sa.Text(), nullable=False),
        sa.Column("context", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id", "proposal"],
            ["facts.study_id", "facts.id"],
            name="fk_failures_study_id_proposal",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_failures_study_id_proposal", "failures", ["study_id", "proposal"])
    _facts(
        "amendments",
        sa.Column("space", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
    )
    # What was decided and measured before had none of these.
    op.add_column("decisions", sa.Column("radius", sa.Double()))
    op.add_column("outcomes", sa.Column("sem", sa.Double()))
    op.add_column("observations", sa.Column("label", sa.Text()))
