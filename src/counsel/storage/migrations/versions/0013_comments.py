"""What people say about facts, and studies that are put away."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "comments",
        *_fact("comments"),
        sa.Column("fact", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id", "fact"],
            ["facts.study_id", "facts.id"],
            name="fk_comments_study_id_fact",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_comments_study_id_fact", "comments", ["study_id", "fact"])
    op.create_table(
        "archivals",
        *_fact("archivals"),
        sa.Column("archived", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
    )


def _fact(table: str) -> list[sa.schema.SchemaItem]:
    """The columns that the table of every kind of fact has."""
    return [
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id", "place"],
            ["facts.study_id", "facts.place"],
            name=f"fk_{table}_study_id_place",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("study_id", "place", name=f"pk_{table}"),
    ]
