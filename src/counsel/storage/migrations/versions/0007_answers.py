"""How a constraint is answered, on how many levels, and what an answer costs."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    # NULL is what every constraint was before: a number that costs 1.
    op.add_column("constraints", sa.Column("answer", sa.Text()))
    op.add_column("constraints", sa.Column("levels", sa.Integer()))
    op.add_column("constraints", sa.Column("cost", sa.Double()))
