"""What people expect of two points, and the rule that decides between them and the machine."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "claims",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("better", sa.Text(), nullable=False),
        sa.Column("worse", sa.Text(), nullable=False),
        sa.Column("context", sa.Text(), nullable=False),
        sa.Column("better_proposal", sa.Text()),
        sa.Column("worse_proposal", sa.Text()),
        sa.ForeignKeyConstraint(
            ["study_id", "place"],
            ["facts.study_id", "facts.place"],
            name="fk_claims_study_id_place",
            ondelete="CASCADE",
        ),
        *(
            sa.ForeignKeyConstraint(
                ["study_id", column],
                ["facts.study_id", "facts.id"],
                name=f"fk_claims_study_id_{column}",
                ondelete="CASCADE",
            )
            for column in ("better_proposal", "worse_proposal")
        ),
        sa.PrimaryKeyConstraint("study_id", "place", name="pk_claims"),
    )
    for column in ("better_proposal", "worse_proposal"):
        op.create_index(f"ix_claims_study_id_{column}", "claims", ["study_id", column])
    op.add_column("studies", sa.Column("team", sa.Text()))
