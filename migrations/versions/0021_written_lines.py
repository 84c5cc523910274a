"""A closed phase keeps the lines that players wrote, where they are not just a spelling of the order

Revision: 0021, after 0020
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None
kind = "expand"


def upgrade() -> None:
    op.add_column("history", sa.Column("written", sa.Text))


def downgrade() -> None:
    op.drop_column("history", "written")
