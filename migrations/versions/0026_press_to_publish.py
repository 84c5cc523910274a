"""Press that is published with its game, and closing statements

Revision: 0026, after 0025
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None
kind = "expand"


def upgrade() -> None:
    op.create_table(
        "press",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=6), nullable=False),
        sa.Column("power", sa.String(length=20), nullable=True),
        sa.Column("recipients", sa.Text(), nullable=True),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("is_statement", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.name"], name=op.f("fk_press_game")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_press_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_press")),
    )
    op.create_index(op.f("ix_press_game"), "press", ["game", "id"])
    op.create_index(op.f("ix_press_person"), "press", ["person"])


def downgrade() -> None:
    op.drop_table("press")
