"""Explanations are in the objective's direction, and say how terms entered what was maximised."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

# Terms that were stored as they were maximised: of a cost, with the opposite sign.
_TURNED = "('exploitation', 'approximation', 'model', 'aleatoric', 'draw')"
_MINIMISED = "(SELECT id FROM studies WHERE direction = 'minimize')"


def upgrade() -> None:
    weight: sa.Column[float] = sa.Column(
        "log_weight", sa.Double(), nullable=False, server_default="0"
    )
    op.add_column("explanation_terms", weight)
    # Explanations of before compared with the whole space.
    op.add_column("explanations", sa.Column("instead_of", sa.Text()))
    which = f"WHERE term IN {_TURNED} AND study_id IN {_MINIMISED}"
    op.execute(f"UPDATE explanation_terms SET base = -base, total = -total {which}")
    op.execute(f"UPDATE explanation_parts SET value = -value {which}")
