"""The mailbox of a person whose address has their name before it

Revision: 0025, after 0024
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None
kind = "expand"


def upgrade() -> None:
    op.add_column("person", sa.Column("mailbox", sa.String(320), nullable=True))
    op.create_index("ix_person_mailbox", "person", ["mailbox"])


def downgrade() -> None:
    op.drop_index("ix_person_mailbox", "person")
    op.drop_column("person", "mailbox")
