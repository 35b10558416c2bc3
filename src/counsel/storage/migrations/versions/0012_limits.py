"""Beliefs on the scale of gaps to the best have a limit, and explanations say so.

Explanations keep how parameters act together.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("proposals", sa.Column("limit_of_mean", sa.Double()))
    gaps: sa.Column[bool] = sa.Column(
        "gaps", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("explanations", gaps)
    op.add_column("explanation_terms", sa.Column("interactions", sa.Text()))
