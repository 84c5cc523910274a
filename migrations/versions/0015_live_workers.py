"""Workers tell their version

Revision: 0015, after 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("worker", sa.Column("version", sa.String(40), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("worker", "version")
