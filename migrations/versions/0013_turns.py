"""The game in whose turn a mail is worked, and when mailboxes were read, which had stood outside

Revision: 0013, after 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_TO_BE_WORKED = sa.text("state IN ('waiting', 'suspect')")


def upgrade() -> None:
    op.add_column("inbox", sa.Column("turn", sa.String(40), nullable=True))
    if op.get_bind().dialect.name == "postgresql":
        for column in ("turn", "sender"):
            op.create_index(f"ix_inbox_{column}", "inbox", [column, "id"], postgresql_where=_TO_BE_WORKED)
    op.create_table(
        "judge_reading",
        sa.Column("mailbox", sa.String(400), primary_key=True),
        sa.Column("read_at", sa.DateTime, nullable=False),
        if_not_exists=True,
    )


def downgrade() -> None:
    op.drop_table("judge_reading")
    if op.get_bind().dialect.name == "postgresql":
        for column in ("sender", "turn"):
            op.drop_index(f"ix_inbox_{column}", "inbox")
    op.drop_column("inbox", "turn")
