"""What to do if an order for a later phase cannot be done, in order of preference

Revision: 0024, after 0023
"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None
kind = "expand"


def upgrade() -> None:
    op.add_column("filed_order", sa.Column("otherwise", sa.Text, nullable=True))


def downgrade() -> None:
    op.drop_column("filed_order", "otherwise")
