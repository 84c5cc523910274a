"""Names that were made of the local part of an address are taken back, unless their owner chose them with SET NAME

Revision: 0016, after 0015
"""

import email
import re
import zlib
from email.policy import default
from importlib.resources import files

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_PACKED = b"\0z1"
_CHOOSES = r"(?:set\s+(?:my\s+)?name|(?:my\s+)?name\b|call\s+me|名前)"
_PERSON = sa.table("person", sa.column("id", sa.Integer), sa.column("address", sa.String), sa.column("name", sa.String))
_INBOX = sa.table("inbox", sa.column("person", sa.Integer), sa.column("content", sa.LargeBinary))


def upgrade() -> None:
    database = op.get_bind()
    for id_, address, name in database.execute(sa.select(_PERSON)).all():
        is_of_the_address = bool(name) and name == address.partition("@")[0][:40]
        if is_of_the_address and not _was_chosen(database, id_, name):
            database.execute(_PERSON.update().where(_PERSON.c.id == id_).values(name=""))


def downgrade() -> None:
    """Nothing: an empty name is shown as "" by the versions before."""


def _was_chosen(database: sa.Connection, person: int, name: str) -> bool:
    """Whether a mail of this person that is still stored sets the name."""
    sets_it = re.compile(rf"^[\s>|]*{_CHOOSES}[\s:は「\"]*{re.escape(name)}\b", re.IGNORECASE | re.MULTILINE)
    stored = database.execute(sa.select(_INBOX.c.content).where(_INBOX.c.person == person)).scalars()
    return any(sets_it.search(_text(_unpacked(content))) for content in stored)


def _text(content: bytes) -> str:
    """What a mail says; "" if it cannot be read."""
    try:
        body = email.message_from_bytes(content, policy=default).get_body(("plain", "html"))
        return re.sub(r"<[^>]*>", "\n", str(body.get_content())) if body is not None else ""
    except Exception:  # noqa: BLE001 - mails are what strangers send: one that cannot be read sets no name here
        return ""


def _unpacked(stored: bytes) -> bytes:
    """A mail as it came; it is packed with what most mails have in common at hand."""
    if not stored.startswith(_PACKED):
        return stored
    phrases = (files("judge.storage") / "phrases-1.txt").read_bytes()
    return zlib.decompressobj(-15, phrases[-(2**15) :]).decompress(stored[len(_PACKED) :])
