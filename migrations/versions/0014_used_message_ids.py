"""The Message-IDs of proved mails, by hash: a second mail under one of them does nothing

Revision: 0014, after 0013
"""

import hashlib

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_BATCH = 500


def upgrade() -> None:
    used = op.create_table(
        "used_message_id",
        sa.Column("hash", sa.LargeBinary(16), primary_key=True),
        sa.Column("content", sa.LargeBinary(16), nullable=False),
        sa.Column("day", sa.Date, nullable=False),
        sqlite_with_rowid=False,
    )
    inbox = sa.table(
        "inbox",
        *map(sa.column, ("id", "identity", "message_id", "sender", "state", "person")),
        sa.column("received_at", sa.DateTime),
    )
    # Older ones are forgotten with the next mails that are emptied.
    known = sa.select(inbox).where(inbox.c.state == "done", inbox.c.person.is_not(None))
    known = known.where(inbox.c.message_id.is_not(None), inbox.c.sender.is_not(None)).order_by(inbox.c.id)
    seen: set[bytes] = set()
    rows = op.get_bind().execute(known).mappings().all()
    for start in range(0, len(rows), _BATCH):
        values = []
        for row in rows[start : start + _BATCH]:
            hash_ = _fingerprint(row["sender"], row["message_id"])
            if hash_ not in seen:
                seen.add(hash_)
                content = _fingerprint(row["identity"])
                values.append({"hash": hash_, "content": content, "day": row["received_at"].date()})
        if values:
            op.get_bind().execute(used.insert(), values)


def downgrade() -> None:
    op.drop_table("used_message_id")


def _fingerprint(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()[:16]
