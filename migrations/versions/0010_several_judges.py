"""Who has taken up a mail, and who lives; names and keys are compared as they are written, in whatever language

Revision: 0010, after 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_PLAIN = (("game", "name", 40), ("person", "address", 320), ("outbox", "key", 255), ("confirmation", "token", 40))


def upgrade() -> None:
    op.create_table(
        "worker",
        sa.Column("name", sa.String(80), primary_key=True),
        sa.Column("seen", sa.DateTime(), nullable=False),
    )
    for table in ("inbox", "outbox"):
        with op.batch_alter_table(table) as box:
            box.add_column(sa.Column("owner", sa.String(80), nullable=True))
    if op.get_bind().dialect.name == "postgresql":
        for table, column, length in _PLAIN:
            op.alter_column(table, column, type_=sa.String(length, collation="C"))


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for table, column, length in _PLAIN:
            op.alter_column(table, column, type_=sa.String(length))
    for table in ("outbox", "inbox"):
        with op.batch_alter_table(table) as box:
            box.drop_column("owner")
    op.drop_table("worker")
