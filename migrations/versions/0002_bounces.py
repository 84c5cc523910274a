"""Bounces, by address and day

Revision: 0002, after 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "bounce_day",
        sa.Column("address", sa.String(length=320), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.PrimaryKeyConstraint("address", "day", name=op.f("pk_bounce_day")),
    )


def downgrade() -> None:

    op.drop_table("bounce_day")
