"""Mails whose work did not come to an end: set apart from those that fail, and worked alone

Revision: 0004, after 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("inbox") as inbox:
        inbox.add_column(sa.Column("sender", sa.String(length=320), nullable=True))
        inbox.add_column(sa.Column("begun", sa.Boolean(), nullable=False, server_default=sa.false()))
        inbox.add_column(sa.Column("failures", sa.Integer(), nullable=False, server_default="0"))
        inbox.add_column(sa.Column("losses", sa.Integer(), nullable=False, server_default="0"))
        inbox.add_column(sa.Column("retry_at", sa.DateTime(), nullable=True))


def downgrade() -> None:
    op.execute("UPDATE inbox SET state = 'waiting' WHERE state = 'suspect'")
    with op.batch_alter_table("inbox") as inbox:
        for column in ("retry_at", "losses", "failures", "begun", "sender"):
            inbox.drop_column(column)
