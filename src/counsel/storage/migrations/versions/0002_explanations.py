"""Explanations that people were shown."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "explanations",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("proposal", sa.Text(), nullable=True),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("time", sa.DateTime(timezone=True), nullable=False),
        sa.Column("point", sa.Text(), nullable=False),
        sa.Column("context", sa.Text(), nullable=False),
        sa.Column("background", sa.Text(), nullable=False),
        sa.Column("evaluations", sa.BigInteger(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["actor"], ["people.name"], name=op.f("fk_explanations_actor")),
        sa.ForeignKeyConstraint(
            ["study_id", "proposal"],
            ["facts.study_id", "facts.id"],
            name=op.f("fk_explanations_study_id_proposal"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["study_id"], ["studies.id"], name=op.f("fk_explanations_study_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("study_id", "number", name=op.f("pk_explanations")),
    )
    op.create_table(
        "explanation_parts",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("term", sa.Text(), nullable=False),
        sa.Column("parameter", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.Column("error", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id", "number"],
            ["explanations.study_id", "explanations.number"],
            name=op.f("fk_explanation_parts_study_id_number"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "study_id", "number", "term", "parameter", name=op.f("pk_explanation_parts")
        ),
    )
    op.create_table(
        "explanation_terms",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("term", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("base", sa.Double(), nullable=False),
        sa.Column("total", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id", "number"],
            ["explanations.study_id", "explanations.number"],
            name=op.f("fk_explanation_terms_study_id_number"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("study_id", "number", "term", name=op.f("pk_explanation_terms")),
    )
