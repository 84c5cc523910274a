"""What a mail that waits for its sender's word would do, in our words

Revision: 0017, after 0016
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("confirmation", sa.Column("summary", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("confirmation", "summary")
