"""A second address of a person

Revision: 0012, after 0011
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("person", sa.Column("second", sa.String(320), nullable=True))
    op.create_index("ix_person_second", "person", ["second"], unique=True)


def downgrade() -> None:
    op.drop_index("ix_person_second", "person")
    op.drop_column("person", "second")
