"""Facts are a chain: each has a link to those before it."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    # Facts that are there stay as they are: the link of the next one covers them.
    op.add_column("facts", sa.Column("link", sa.Text()))
