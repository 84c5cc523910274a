"""What a letter asks, beside it

Revision: 0023, after 0022
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None
kind = "expand"


def upgrade() -> None:
    op.add_column("outbox", sa.Column("asks", sa.Text, nullable=True))
    op.add_column("outbox", sa.Column("answered", sa.Boolean, nullable=False, server_default=sa.false()))
    asks = sa.text("asks IS NOT NULL")
    columns = ["person", "queued_at"]
    op.create_index("ix_outbox_person_queued_at", "outbox", columns, sqlite_where=asks, postgresql_where=asks)


def downgrade() -> None:
    op.drop_index("ix_outbox_person_queued_at", "outbox")
    op.drop_column("outbox", "answered")
    op.drop_column("outbox", "asks")
