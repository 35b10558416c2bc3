"""The version of a team's rule: a study's rule stays as it was when the study began."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("studies", sa.Column("team_version", sa.Integer()))
