"""Several objectives, and how they are traded off."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "objectives",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("direction", sa.Text(), nullable=False),
        sa.Column("weight", sa.Double(), nullable=False),
        sa.Column("at_least", sa.Double()),
        sa.Column("at_most", sa.Double()),
        sa.ForeignKeyConstraint(
            ["study_id"], ["studies.id"], name="fk_objectives_study_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("study_id", "position", name="pk_objectives"),
    )
    op.add_column("studies", sa.Column("tradeoff", sa.Text()))
