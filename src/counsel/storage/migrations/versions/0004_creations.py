"""The idempotency keys that studies were created under."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "creations",
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("request", name="pk_creations"),
        sa.ForeignKeyConstraint(
            ["study_id"], ["studies.id"], name="fk_creations_study_id", ondelete="CASCADE"
        ),
    )
