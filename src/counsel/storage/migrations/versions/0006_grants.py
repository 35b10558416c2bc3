"""What a token may do in one study. Tokens, which had a table without a version, get one too."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    if not sa.inspect(op.get_bind()).has_table("counsel_tokens"):
        op.create_table(
            "counsel_tokens",
            sa.Column("id", sa.Text(), nullable=False),
            sa.Column("name", sa.Text(), nullable=False),
            sa.Column("role", sa.Text(), nullable=False),
            sa.Column("hash", sa.Text(), nullable=False),
            sa.Column("created", sa.DateTime(timezone=True), nullable=False),
            sa.Column("expires", sa.DateTime(timezone=True)),
            sa.Column("revoked", sa.DateTime(timezone=True)),
            sa.PrimaryKeyConstraint("id", name="pk_counsel_tokens"),
        )
    op.create_table(
        "counsel_grants",
        sa.Column("token_id", sa.Text(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("token_id", "study_id", name="pk_counsel_grants"),
        sa.ForeignKeyConstraint(
            ["token_id"],
            ["counsel_tokens.id"],
            name="fk_counsel_grants_token_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["study_id"], ["studies.id"], name="fk_counsel_grants_study_id", ondelete="CASCADE"
        ),
    )
