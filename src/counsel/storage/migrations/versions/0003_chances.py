"""How likely each constraint holds where a proposal is."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    # Proposals that were made before had no beliefs about constraints.
    chances = sa.Column("chances", sa.Text(), nullable=False, server_default="{}")
    op.add_column("proposals", chances)
