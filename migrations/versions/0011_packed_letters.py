"""Letters and records packed into one column, and what letters share; those that are there already stay as they are

Revision: 0011, after 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("history", sa.Column("packed", sa.LargeBinary(), nullable=True))
    op.add_column("outbox", sa.Column("packed", sa.LargeBinary(), nullable=True))
    op.add_column("outbox", sa.Column("shared", sa.Integer(), nullable=True))
    op.create_index("ix_outbox_shared", "outbox", ["shared"])
    op.create_table(
        "shared",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
    )


def downgrade() -> None:
    with op.batch_alter_table("history") as history:
        history.drop_column("packed")
    op.drop_table("shared")
    op.drop_index("ix_outbox_shared", "outbox")
    with op.batch_alter_table("outbox") as outbox:
        outbox.drop_column("shared")
        outbox.drop_column("packed")
