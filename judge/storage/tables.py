"""The tables of the database.

Times are UTC. A position is one line of strict notation, orders on file are rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    column,
    false,
    true,
)

from judge.storage.states import WAITING_MAIL, among


class Moment(TypeDecorator[datetime]):
    """An aware time, stored without zone as UTC."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert a time for the database."""
        del dialect
        return value.astimezone(UTC).replace(tzinfo=None) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert a time from the database."""
        del dialect
        return value.replace(tzinfo=UTC) if value else None


def _plain(length: int) -> String:
    """Text compared byte by byte; PostgreSQL would sort it by a language's rules."""
    return String(length).with_variant(String(length, collation="C"), "postgresql")


_IS_CAUSED = column("cause").is_not(None)
_ASKS = column("asks").is_not(None)
_TO_BE_WORKED = among(column("state"), WAITING_MAIL)


def _shared_only(indexes: Iterable[Index]) -> Iterator[Index]:
    """Make indexes on PostgreSQL only; with one process they cost more than they save."""
    return (index.ddl_if(dialect="postgresql") for index in indexes)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

person = Table(
    "person",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("address", _plain(320), nullable=False, unique=True),
    Column("name", String(80), nullable=False),
    Column("language", String(2), nullable=False),
    Column("zone", String(64), nullable=False),
    Column("receipts", String(8), nullable=False, server_default="full"),
    Column("maps", String(8), nullable=False, server_default="light"),
    Column("in_words", Boolean, nullable=True),
    Column("calendar", Boolean, nullable=False, server_default=true()),
    Column("wishes", Text, nullable=False, server_default="{}"),
    Column("second", String(320), nullable=True),
    Column("mailbox", String(320), nullable=True),
    Index("ix_person_second", "second", unique=True),
    Index("ix_person_mailbox", "mailbox"),
)

game = Table(
    "game",
    metadata,
    Column("name", _plain(40), primary_key=True),
    Column("state", String(10), nullable=False),
    Column("master", ForeignKey("person.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("settings", Text, nullable=False),
    Column("phase", String(6), nullable=False),
    Column("position", Text, nullable=False),
    Column("opened_at", Moment),
    Column("deadline", Moment),
    Column("closing_since", Moment),
    Column("due", Moment),
    Column("winner", String(20)),
    Column("course", Text, nullable=False, server_default="{}"),
    Column("shelf", Integer, nullable=False, server_default="0"),
    Index("ix_game_due", "due"),
    Index("ix_game_shelf_name", "shelf", "name"),
    Index("ix_game_state", "state"),
)

seat = Table(
    "seat",
    metadata,
    Column("game", ForeignKey("game.name"), primary_key=True),
    Column("power", String(20), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("holder", ForeignKey("person.id")),
    Column("serial", Integer, nullable=False),
    Column("ready", Boolean, nullable=False),
    Column("conduct", Text, nullable=False, server_default="{}"),
)

filed_order = Table(
    "filed_order",
    metadata,
    Column("game", ForeignKey("game.name"), primary_key=True),
    Column("phase", String(6), primary_key=True),
    Column("power", String(20), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("standing", String(10), nullable=False, server_default="open"),
    Column("kind", String(10), nullable=False),
    Column("unit", String(8)),
    Column("other", String(8)),
    Column("target", String(6)),
    Column("by_convoy", Boolean, nullable=False),
    Column("line", Text, nullable=False),
    Column("mail", Integer, nullable=False),
    Column("replaced_by", Integer),
    Column("otherwise", Text),
)

member = Table(
    "member",
    metadata,
    Column("game", ForeignKey("game.name"), primary_key=True),
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("role", String(10), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("wish", String(160)),
    Index("ix_member_person", "person"),
)

inbox = Table(
    "inbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("identity", String(64), nullable=False, unique=True),
    Column("message_id", String(255)),
    Column("state", String(12), nullable=False),
    Column("source", String(40), nullable=False),
    Column("received_at", Moment, nullable=False),
    Column("envelope_from", Text),
    Column("envelope_to", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("sender", String(320)),
    Column("attempts", Integer, nullable=False),
    Column("begun", Boolean, nullable=False, server_default=false()),
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("losses", Integer, nullable=False, server_default="0"),
    Column("retry_at", Moment),
    Column("confirmed", Boolean, nullable=False),
    Column("kind", String(12)),
    Column("reason", Text),
    Column("person", Integer),
    Column("game", String(40)),
    Column("owner", String(80)),
    Column("turn", String(40)),
    Index("ix_inbox_state_id", "state", "id"),
    *_shared_only(Index(f"ix_inbox_{name}", name, "id", postgresql_where=_TO_BE_WORKED) for name in ("turn", "sender")),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", _plain(255), nullable=False, unique=True),
    Column("message_id", String(255), nullable=False, unique=True),
    Column("state", String(10), nullable=False),
    Column("due", Moment, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("reason", Text),
    Column("person", Integer),
    Column("game", String(40)),
    Column("phase", String(6)),
    Column("power", String(20)),
    Column("inbox", Integer),
    Column("kind", String(10), nullable=False),
    Column("recipient", String(320), nullable=False),
    Column("queued_at", Moment, nullable=False),
    Column("letter", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("owner", String(80)),
    Column("packed", LargeBinary),
    Column("shared", Integer),
    Column("size", Integer, nullable=False, server_default="0"),
    Column("work", Integer, nullable=False, server_default="0"),
    Column("cause", Integer),
    Column("asks", Text),
    Column("answered", Boolean, nullable=False, server_default=false()),
    Index("ix_outbox_state_due", "state", "due"),
    Index("ix_outbox_inbox", "inbox"),
    Index("ix_outbox_shared", "shared"),
    Index("ix_outbox_recipient_queued_at", "recipient", "queued_at"),
    Index("ix_outbox_game_person_kind", "game", "person", "kind"),
    Index("ix_outbox_cause_queued_at", "cause", "queued_at", sqlite_where=_IS_CAUSED, postgresql_where=_IS_CAUSED),
    Index("ix_outbox_person_queued_at", "person", "queued_at", sqlite_where=_ASKS, postgresql_where=_ASKS),
)

shared = Table(
    "shared",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

bounce_day = Table(
    "bounce_day",
    metadata,
    Column("address", String(320), primary_key=True),
    Column("day", Date, primary_key=True),
)

used_message_id = Table(
    "used_message_id",
    metadata,
    Column("hash", LargeBinary(16), primary_key=True),
    Column("content", LargeBinary(16), nullable=False),
    Column("day", Date, nullable=False),
    sqlite_with_rowid=False,
)

confirmation = Table(
    "confirmation",
    metadata,
    Column("token", _plain(40), primary_key=True),
    Column("inbox", ForeignKey("inbox.id"), nullable=False),
    Column("address", String(320), nullable=False),
    Column("expires", Moment, nullable=False),
    Column("summary", Text, nullable=False, server_default=""),
    Index("ix_confirmation_address", "address"),
)

history = Table(
    "history",
    metadata,
    Column("game", ForeignKey("game.name"), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("phase", String(6), nullable=False),
    Column("closed_at", Moment, nullable=False),
    Column("record", Text, nullable=False),
    Column("packed", LargeBinary),
    Column("undone", Integer, nullable=False, server_default="0"),
    Column("written", Text),
)

log = Table(
    "log",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.name"), nullable=False),
    Column("at", Moment, nullable=False),
    Column("phase", String(6), nullable=False),
    Column("power", String(20)),
    Column("entry", Text, nullable=False),
    Index("ix_log_game", "game", "id"),
)

note = Table(
    "note",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.name"), nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("at", Moment, nullable=False),
    Column("phase", String(6), nullable=False),
    Column("text", Text, nullable=False),
    Index("ix_note_game_person", "game", "person"),
)

press = Table(
    "press",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", ForeignKey("game.name"), nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("phase", String(6), nullable=False),
    Column("power", String(20)),
    Column("recipients", Text),
    Column("about", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("is_statement", Boolean, nullable=False),
    Index("ix_press_game", "game", "id"),
    Index("ix_press_person", "person"),
)

source_mark = Table(
    "source_mark",
    metadata,
    Column("source", String(200), primary_key=True),
    Column("validity", BigInteger, nullable=False),
    Column("next", BigInteger, nullable=False),
    Column("at", Moment, nullable=False),
)

judge_reading = Table(
    "judge_reading",
    metadata,
    Column("mailbox", String(400), primary_key=True),
    Column("read_at", Moment, nullable=False),
)

worker = Table(
    "worker",
    metadata,
    Column("name", String(80), primary_key=True),
    Column("seen", Moment, nullable=False),
    Column("version", String(40), nullable=False, server_default=""),
    Column("reads", String(40), nullable=False, server_default=""),
)

library = Table(
    "library",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("version", String(120), nullable=False),
)

retired_key = Table(
    "retired_key",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("public", LargeBinary, nullable=False),
    Column("signed", LargeBinary, nullable=False),
)

secret = Table(
    "secret",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
