"""Workers tell which revision they read

Revision: 0019, after 0018
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None
kind = "expand"


def upgrade() -> None:
    op.add_column("worker", sa.Column("reads", sa.String(40), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("worker", "reads")
