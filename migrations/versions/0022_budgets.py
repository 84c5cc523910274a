"""What letters cost, and who caused them, for the budgets of a day

Revision: 0022, after 0021
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None
kind = "expand"


def upgrade() -> None:
    op.add_column("outbox", sa.Column("size", sa.Integer, nullable=False, server_default="0"))
    op.add_column("outbox", sa.Column("work", sa.Integer, nullable=False, server_default="0"))
    op.add_column("outbox", sa.Column("cause", sa.Integer, nullable=True))
    caused = sa.text("cause IS NOT NULL")
    columns = ["cause", "queued_at"]
    op.create_index("ix_outbox_cause_queued_at", "outbox", columns, sqlite_where=caused, postgresql_where=caused)


def downgrade() -> None:
    op.drop_index("ix_outbox_cause_queued_at", "outbox")
    op.drop_column("outbox", "cause")
    op.drop_column("outbox", "work")
    op.drop_column("outbox", "size")
