"""The limit of a prediction whose gap to it is log-normal."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("proposals", sa.Column("limit_of_mean", sa.Double()))
