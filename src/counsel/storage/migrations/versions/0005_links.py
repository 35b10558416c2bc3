"""Facts are a chain, each with a link to those before it; what names a fact is found by it."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_NAMES = (
    ("decisions", "proposal"),
    ("observations", "proposal"),
    ("comparisons", "winner_proposal"),
    ("comparisons", "loser_proposal"),
    ("revisions", "observation"),
    ("withdrawals", "fact"),
    ("explanations", "proposal"),
)


def upgrade() -> None:
    # Facts that are there stay as they are: the link of the next one covers them.
    op.add_column("facts", sa.Column("link", sa.Text()))
    op.add_column("studies", sa.Column("seal", sa.Text()))
    for table, column in _NAMES:
        op.create_index(f"ix_{table}_study_id_{column}", table, ["study_id", column])
