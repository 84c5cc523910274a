"""How much a person wants to be answered: in full, in short, or with a map; and maps light, dark or none

Revision: 0005, after 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("person") as person:
        person.add_column(sa.Column("receipts", sa.String(length=8), nullable=False, server_default="full"))
        person.add_column(sa.Column("maps", sa.String(length=8), nullable=False, server_default="light"))
    op.execute("UPDATE person SET receipts = 'short' WHERE short_receipts")
    with op.batch_alter_table("person") as person:
        person.drop_column("short_receipts")


def downgrade() -> None:
    with op.batch_alter_table("person") as person:
        person.add_column(sa.Column("short_receipts", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute("UPDATE person SET short_receipts = true WHERE receipts = 'short'")
    with op.batch_alter_table("person") as person:
        person.drop_column("receipts")
        person.drop_column("maps")
