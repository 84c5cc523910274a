"""Outgoing mail as rows, and the days on which addresses bounced."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    bindparam,
    case,
    delete,
    func,
    or_,
    select,
    true,
    update,
)

from judge.commands.question import Question
from judge.games.person import PersonId
from judge.mail.letters import LetterKind, Outgoing
from judge.rules.position import Power
from judge.storage import tables as t
from judge.storage.asking import read_questions, write_questions
from judge.storage.leases import if_new, is_of_the_dead
from judge.storage.people import person_of
from judge.storage.prepared import Prepared, PreparedAmong, Row
from judge.storage.queued import LetterTags, Queued, SentLetter, Written
from judge.storage.sharing import SHARED, Sharing, forget_unused
from judge.storage.spending import UNPROVED
from judge.storage.states import OutboxState, among
from judge.storage.waking import DELIVER, Wake
from judge.storage.written import NOTHING, contents, has_text, read_letter, write_letter

_COUNTED = (
    select(func.count())
    .select_from(t.outbox)
    .where(t.outbox.c.recipient == bindparam("recipient"), t.outbox.c.queued_at >= bindparam("since"))
)
_RECEIPTS = Prepared(_COUNTED.where(t.outbox.c.kind == LetterKind.REPLY.value))
_RECEIPT = (
    select(*(t.outbox.c[name] for name in ("game", "state", "due", "queued_at")))
    .where(
        t.outbox.c.recipient == bindparam("recipient"),
        t.outbox.c.queued_at >= bindparam("since"),
        t.outbox.c.kind == LetterKind.REPLY.value,
    )
    .order_by(t.outbox.c.queued_at.desc(), t.outbox.c.id.desc())
    .limit(1)
)
_LAST_ABOUT_A_GAME = Prepared(_RECEIPT.where(t.outbox.c.game == bindparam("game_")))
_LAST_RECEIPT = _RECEIPT.add_columns(func.count().over().label("receipts")).subquery("last")
_BOUNCED_ON = (
    select(func.count().label("bounce_days"))
    .where(t.bounce_day.c.address == bindparam("recipient"))
    .subquery("bounced")
)
_ABOUT = Prepared(select(_BOUNCED_ON, _LAST_RECEIPT).select_from(_BOUNCED_ON.outerjoin(_LAST_RECEIPT, true())))
"""One row; all of its receipt is None if there was none."""
_UNPROVED = Prepared(_COUNTED.where(t.outbox.c.person.is_(None) | t.outbox.c.key.startswith(UNPROVED)))
_IN_LETTER = "in letter "
"""Prefix of the reason of a gathered mail; the id of its letter follows."""
_OF_A_PICTURE = 60_000
"""Bytes counted for a map, which is drawn only when its letter leaves."""
_SUSPENDING_DAYS = 3
"""An address is suspended after bounces on that many days."""
_SUSPENDED = (
    select(t.bounce_day.c.address)
    .where(t.bounce_day.c.address.in_(bindparam("addresses", expanding=True)))
    .group_by(t.bounce_day.c.address)
    .having(func.count() >= _SUSPENDING_DAYS)
)
_REPORTS = (
    select(t.outbox.c.message_id)
    .where(
        t.outbox.c.game == bindparam("game_"),
        t.outbox.c.person == bindparam("person_"),
        t.outbox.c.kind == LetterKind.REPORT.value,
    )
    .limit(1)
)
_OPENING_REPORT = Prepared(_REPORTS.order_by(t.outbox.c.id))
_FIRST_REPORTS = (
    select(func.min(t.outbox.c.id))
    .where(t.outbox.c.game == bindparam("game_"), t.outbox.c.kind == LetterKind.REPORT.value)
    .group_by(t.outbox.c.person)
)
_OPENING_REPORTS = Prepared(
    select(t.outbox.c.person, t.outbox.c.message_id).where(
        t.outbox.c.id.in_(_FIRST_REPORTS), t.outbox.c.person.is_not(None)
    )
)
_LAST_REPORT = Prepared(
    _REPORTS.order_by(case((t.outbox.c.phase == bindparam("phase_"), 1), else_=0).desc(), t.outbox.c.id.desc())
)
_KNOWN = Prepared(select(t.outbox.c.id).where(t.outbox.c.key == bindparam("key_")))
_THESE_KNOWN = PreparedAmong(select(t.outbox.c.key), t.outbox.c.key)
_NEW = (
    "key",
    "message_id",
    "state",
    "due",
    "reason",
    "attempts",
    "person",
    "game",
    "phase",
    "power",
    "inbox",
    "kind",
    "recipient",
    "queued_at",
    "work",
    "cause",
    "asks",
    "size",
    *NOTHING,
)
_QUEUE = Prepared(if_new(t.outbox).values({name: bindparam(name) for name in _NEW}))
_LETTERS = select(t.outbox, SHARED)
_GATHERING = Prepared(
    _LETTERS.where(t.outbox.c.state == OutboxState.GATHERING.value, t.outbox.c.due <= bindparam("now"))
    .order_by(t.outbox.c.id)
    .with_for_update(skip_locked=True)
)
_GATHERS = t.outbox.alias("gathering")
_DUE_TO_GATHER = (
    select(_GATHERS.c.id)
    .where(_GATHERS.c.state == OutboxState.GATHERING.value, _GATHERS.c.due <= bindparam("now"))
    .limit(1)
)
_IS_GATHERING = Prepared(_DUE_TO_GATHER)
_BOUNCE_DAYS = (
    select(func.count()).where(t.bounce_day.c.address == t.outbox.c.recipient).scalar_subquery().label("bounce_days")
)
_ALL_DUE = (
    select(t.outbox, SHARED, _BOUNCE_DAYS, _DUE_TO_GATHER.scalar_subquery().label("gathers"))
    .where(t.outbox.c.state == OutboxState.QUEUED.value, t.outbox.c.due <= bindparam("now"))
    .order_by(t.outbox.c.due, t.outbox.c.attempts, t.outbox.c.id)
    .limit(bindparam("limit"))
    .with_for_update(skip_locked=True)
)
"""Due letters with the bounce days of their recipients.

`gathers` is the id of a gathering letter that is due, if there is one. On PostgreSQL, rows locked by another worker
are skipped; ours stay locked until the unit of work ends.
"""
_DUE = Prepared(_ALL_DUE)
_THIS = t.outbox.c.id == bindparam("id_")
_LEASED = Prepared(update(t.outbox).where(_THIS).values(due=bindparam("until"), owner=bindparam("worker")))
_SENT = Prepared(
    update(t.outbox)
    # A bounce can arrive before this: the letter then has another state, or more attempts.
    .where(_THIS, t.outbox.c.state == OutboxState.QUEUED.value, t.outbox.c.attempts == bindparam("before"))
    .values(state=OutboxState.SENT.value, owner=None, reason=None)
)
_FORGET_BOUNCES = Prepared(delete(t.bounce_day).where(t.bounce_day.c.address == bindparam("address_")))
_ASKING = Prepared(
    select(t.outbox.c.message_id)
    .where(
        t.outbox.c.person == bindparam("person_"),
        t.outbox.c.asks.is_not(None),
        ~t.outbox.c.answered,
        t.outbox.c.queued_at >= bindparam("since"),
    )
    .limit(2)
)
_ANSWERED = Prepared(
    update(t.outbox)
    .where(t.outbox.c.message_id == bindparam("message_id_"))
    .values(answered=True, asks=bindparam("asks_"))
)
_BY_MESSAGE_ID = Prepared(_LETTERS.where(t.outbox.c.message_id == bindparam("message_id")))


class Outbox:
    """Mail to send: committed with the change it reports, delivered afterwards."""

    def __init__(self, connection: Connection, wake: Wake, worker: str) -> None:
        self.connection = connection
        self.wake = wake
        self.worker = worker
        self.sharing = Sharing(connection)
        self.receipts: dict[tuple[str, datetime], int] = {}
        """(address, since when) → number of receipts, prefetched by `expect`."""
        self.last_receipts: dict[str, Row] = {}
        """Address → game, state and times of its last receipt, None for one long ago.

        Only addresses given to `expect` are in it.
        """
        self.answered: dict[str, SentLetter] = {}
        """Message-ID → letter; a cache."""
        self.bounce_days: dict[str, int] = {}
        """Address → number of days on which its mail bounced, for addresses given to `expect`."""

    def queue(self, letter: Outgoing, tags: LetterTags, now: datetime, until: datetime | None = None) -> None:
        """Queue a mail unless its key exists; with `until`, let it gather until then."""
        _QUEUE.change_each(self.connection, self._rows([(letter, tags)], now, until))
        if until is None:
            self.wake(DELIVER)

    def is_queued(self, key: str) -> bool:
        """Whether a mail with that key is or was queued."""
        return _KNOWN.value(self.connection, {"key_": key}) is not None

    def _stored(self, *letters: Outgoing) -> Sequence[dict[str, Any]]:
        """Return the columns of letters; rows from before packing use `letter` and `body`."""
        written = [(letter, write_letter(letter)) for letter in letters]
        sizes = [len(content) + _OF_A_PICTURE * len(letter.pictures) for letter, content in written]
        packed = self.sharing.packed(written)
        return [{**NOTHING, **columns, "size": size} for columns, size in zip(packed, sizes, strict=True)]

    def _rows(
        self, letters: Sequence[tuple[Outgoing, LetterTags]], now: datetime, until: datetime | None = None
    ) -> Sequence[dict[str, Any]]:
        stored = self._stored(*(letter for letter, _ in letters))
        return [_row(*one, now, until) | columns for one, columns in zip(letters, stored, strict=True)]

    def queue_all(self, letters: Sequence[tuple[Outgoing, LetterTags]], now: datetime) -> None:
        """Queue mails that leave together, skipping those whose keys exist."""
        known = {row["key"] for row in _THESE_KNOWN.rows(self.connection, [tags.key for _, tags in letters])}
        new = [one for one in letters if one[1].key not in known]
        if new:
            _QUEUE.change_each(self.connection, self._rows(new, now))
            self.wake(DELIVER)

    def waiting(self, now: datetime) -> tuple[Written, ...]:
        """Return gathering letters that are due, in the order in which they were written."""
        return tuple(map(_read_written, _GATHERING.rows(self.connection, {"now": now})))

    def release(
        self, now: datetime, person: PersonId | None = None, game: str | None = None, kind: LetterKind | None = None
    ) -> None:
        """Make gathering letters due now, all or those to a person, game or kind."""
        which = update(t.outbox).where(t.outbox.c.state == OutboxState.GATHERING.value)
        if person is not None:
            which = which.where(t.outbox.c.person == person)
        if game is not None:
            which = which.where(t.outbox.c.game == game)
        if kind is not None:
            which = which.where(t.outbox.c.kind == kind.value)
        self.connection.execute(which.values(due=now))
        self.wake(DELIVER)

    def gathering_until(self, recipient: str, game: str, now: datetime, pause: timedelta) -> datetime | None:
        """Return when receipts to an address about a game may leave; None: at once.

        That is when those that gather are due, or a `pause` after the last one.
        """
        last = self.last_receipts.get(recipient)
        if last is not None and (last["queued_at"] is None or last["queued_at"] + pause <= now):
            return None
        if last is None or last["game"] != game:
            values = {"recipient": recipient, "game_": game, "since": now - pause}
            last = _LAST_ABOUT_A_GAME.row(self.connection, values)
        if last is None:
            return None
        is_waiting = last["state"] == OutboxState.GATHERING.value
        due: datetime = last["due"] if is_waiting else last["queued_at"] + pause
        return due if is_waiting or due > now else None

    def waiting_receipts(self, recipient: str, game: str | None) -> tuple[Written, ...]:
        """Return the gathering receipts to an address about a game, in the order of writing."""
        found = _LETTERS.where(*_waiting_receipts(recipient, game)).order_by(t.outbox.c.id)
        rows = self.connection.execute(found.with_for_update(skip_locked=True)).mappings()
        return tuple(map(_read_written, rows))

    def left_with(self, ids: Sequence[int], key: str) -> None:
        """Note that gathered letters leave as parts of the one with that key."""
        if ids:
            into = _KNOWN.value(self.connection, {"key_": key})
            self._set(ids, state=OutboxState.GATHERED.value, reason=f"{_IN_LETTER}{into}")

    def withdraw_receipts(self, recipient: str, game: str) -> None:
        """Never send the receipts to an address about a game that still gather."""
        values = {"state": OutboxState.DROPPED.value, "reason": "a later mail has settled it"}
        self.connection.execute(update(t.outbox).where(*_waiting_receipts(recipient, game)).values(values))

    def gather(self, ids: Sequence[int], letter: Outgoing, now: datetime) -> None:
        """Send gathered letters as one, in the row of the first.

        If they are several, the letter asks nothing.
        """
        asks = {} if len(ids) == 1 else {"asks": None}
        self._leave(ids[0], ids[1:], letter, now, **asks)

    def gather_receipts(self, ids: Sequence[int], letter: Outgoing, now: datetime) -> None:
        """Send gathered receipts as one, in the row and with the questions of the last."""
        self._leave(ids[-1], ids[:-1], letter, now)

    def _leave(self, id_: int, others: Sequence[int], letter: Outgoing, now: datetime, **values: object) -> None:
        values |= self._stored(letter)[0]
        self._set([id_], state=OutboxState.QUEUED.value, queued_at=now, reason=None, **values)
        self._set(others, state=OutboxState.GATHERED.value, reason=f"{_IN_LETTER}{id_}")

    def lease(
        self, now: datetime, limit: int, lease_time: timedelta, without: Collection[str] = ()
    ) -> tuple[Queued, ...]:
        """Lease due letters, skipping the domains in `without`.

        After a crash they are due again when the lease ends. Letters to suspended addresses are held instead.
        """
        rows = self._due(now, limit, without)
        while held := [row["id"] for row in rows if _is_suspended(row)]:
            self._set(held, state=OutboxState.HELD.value, reason="the address is suspended")
            rows = self._due(now, limit, without)
        until = {"until": now + lease_time, "worker": self.worker}
        _LEASED.change_each(self.connection, [{"id_": row["id"], **until} for row in rows])
        return tuple(map(_read_queued, rows))

    def ready(self, now: datetime, limit: int, without: Collection[str] = ()) -> tuple[Queued, ...] | None:
        """Return due letters without leasing them, for a single deliverer.

        The result is None if rows have to be changed first: gathering letters are due, or an address is suspended.
        """
        rows = self._due(now, limit, without)
        gathers = rows[0]["gathers"] if rows else _IS_GATHERING.value(self.connection, {"now": now})
        return None if gathers is not None or any(map(_is_suspended, rows)) else tuple(map(_read_queued, rows))

    def _due(self, now: datetime, limit: int, without: Collection[str]) -> Sequence[Row]:
        values = {"now": now, "limit": limit}
        if not without:
            return _DUE.rows(self.connection, values)
        some = _ALL_DUE.where(*(~_goes_to(domain) for domain in without))
        return self.connection.execute(some, values).mappings().all()

    def _set(self, ids: Sequence[int], **values: object) -> None:
        self.connection.execute(update(t.outbox).where(t.outbox.c.id.in_(ids)).values(**values))

    def end_leases(self, now: datetime) -> None:
        """Make letters leased by dead workers due now."""
        owner = t.outbox.c.owner
        leased = (
            t.outbox.c.state == OutboxState.QUEUED.value,
            t.outbox.c.due > now,
            owner.is_not(None),
            is_of_the_dead(owner),
        )
        self.connection.execute(update(t.outbox).where(*leased).values(due=now, owner=None))

    def is_to_be_marked(self, queued: Queued) -> bool:
        """Whether no other worker has tried the letter since it was leased.

        Otherwise an attempt would count twice.
        """
        mine = (
            t.outbox.c.id == queued.id,
            t.outbox.c.attempts == queued.attempts,
            t.outbox.c.state == OutboxState.QUEUED.value,
        )
        found = select(t.outbox.c.id).where(*mine).with_for_update()
        return self.connection.execute(found).first() is not None

    def sent(self, ids: Collection[int], attempts: int = 0) -> None:
        """Mark letters as sent; `attempts` is how often they were tried before."""
        _SENT.change_each(self.connection, [{"id_": id_, "before": attempts} for id_ in ids])

    def deferred(self, id_: int, until: datetime, reason: str) -> None:
        """Count an attempt and try again later, although the letter may have left."""
        values = {"state": OutboxState.QUEUED.value, "due": until, "owner": None, "reason": reason[:500]}
        self._set([id_], attempts=t.outbox.c.attempts + 1, **values)

    def postponed(self, id_: int, until: datetime, reason: str) -> None:
        """Try later without counting an attempt: the letter was not tried."""
        self._set([id_], due=until, owner=None, reason=reason[:500])

    def failed(self, id_: int, reason: str) -> None:
        """Give up on a letter."""
        self._set([id_], state=OutboxState.FAILED.value, owner=None, reason=reason[:500])

    def redact(self, person: PersonId, address: str) -> None:
        """Erase the contents and the address of a person's letters."""
        self.answered.clear()
        waiting = update(t.outbox).where(t.outbox.c.person == person, t.outbox.c.state == OutboxState.GATHERING.value)
        self.connection.execute(waiting.values(state=OutboxState.DROPPED.value))
        mine = update(t.outbox).where(t.outbox.c.person == person, t.outbox.c.state != OutboxState.QUEUED.value)
        leaned_on = select(t.outbox.c.shared).where(t.outbox.c.person == person).distinct()
        bases = self.connection.execute(leaned_on).scalars().all()
        self.connection.execute(mine.values(recipient=f"erased-{person}@invalid", **NOTHING, asks=None, reason=None))
        forget_unused(self.connection, bases)
        self.connection.execute(delete(t.bounce_day).where(t.bounce_day.c.address == address))

    # Bounces

    def bounced(self, id_: int, reason: str) -> Written | None:
        """Mark a sent mail as bounced for good and return it.

        The result is None if that is known already, or the mail never left.
        """
        could = among(t.outbox.c.state, (one for one in OutboxState if one.can_bounce))
        mine = update(t.outbox).where(t.outbox.c.id == id_, could)
        changed = self.connection.execute(mine.values(state=OutboxState.BOUNCED.value, reason=reason[:500]))
        return self.get(id_) if changed.rowcount == 1 else None

    def count_bounce(self, address: str, day: date) -> bool:
        """Note that an address bounced on a day; True if that suspends it."""
        was_suspended = self.is_suspended(address)
        known = (t.bounce_day.c.address == address, t.bounce_day.c.day == day)
        if self.connection.execute(select(t.bounce_day.c.day).where(*known)).first() is None:
            self.connection.execute(if_new(t.bounce_day).values(address=address, day=day))
        return not was_suspended and self.is_suspended(address)

    def is_suspended(self, address: str) -> bool:
        """Whether an address gets no mail because it bounced on too many days."""
        return bool(self._suspended({address}))

    def _suspended(self, addresses: set[str]) -> set[str]:
        return set(self.connection.execute(_SUSPENDED, {"addresses": sorted(addresses)}).scalars())

    def forget_bounces(self, address: str, now: datetime) -> bool:
        """Forget an address's bounces and queue its held mail; True if it was suspended."""
        if self.bounce_days.get(address) == 0:
            return False
        was_suspended = _FORGET_BOUNCES.change(self.connection, {"address_": address}) >= _SUSPENDING_DAYS
        if was_suspended:
            held = (t.outbox.c.recipient == address, t.outbox.c.state == OutboxState.HELD.value)
            values = {"state": OutboxState.QUEUED.value, "due": now, "queued_at": now, "reason": None}
            self.connection.execute(update(t.outbox).where(*held).values(values))
            self.wake(DELIVER)
        return was_suspended

    # For the operator

    def get(self, id_: int) -> Written | None:
        """Return everything about a mail, or None."""
        row = self.connection.execute(_LETTERS.where(t.outbox.c.id == id_)).mappings().first()
        return _read_written(row) if row is not None else None

    def with_writers(self, message_id: str) -> tuple[Written, frozenset[PersonId]] | None:
        """Return a letter and the people whose words it carries, those gathered into it too."""
        row = _BY_MESSAGE_ID.row(self.connection, {"message_id": message_id})
        if row is None:
            return None
        mine = (t.outbox.c.game == row["game"], t.outbox.c.person == row["person"])
        parts = or_(t.outbox.c.id == row["id"], t.outbox.c.reason == f"{_IN_LETTER}{row['id']}")
        found = self.connection.execute(select(t.outbox.c.cause).where(*mine, parts)).scalars()
        return _read_written(row), frozenset(PersonId(one) for one in found if one is not None)

    def press_of(
        self, game: str, person: PersonId, limit: int, readers: Collection[PersonId], but: Collection[PersonId]
    ) -> tuple[Outgoing, ...]:
        """Return the press to a person in a game, the latest first.

        What they wrote to `readers` is included, one copy of each letter. What came from `but` is left out.
        """
        box = t.outbox.c
        there = (box.game == game, box.kind == LetterKind.PRESS.value)
        to_them = (box.person == person) & (box.cause.is_(None) | box.cause.not_in(list(but)))
        by_them = (box.cause == person) & box.person.in_(list(readers))
        found = self.connection.execute(select(box.id, box.key).where(*there, to_them | by_them).order_by(box.id))
        ids: dict[str, int] = {}
        for row in found:  # the keys of the copies of a letter differ in their readers only
            ids.setdefault(row.key.rpartition(" to ")[0], row.id)
        which = _LETTERS.where(box.id.in_([*ids.values()][-limit:])).order_by(box.id.desc())
        letters = [read_letter(row) for row in self.connection.execute(which).mappings()]
        return tuple(letter for letter in letters if letter.text.strip())

    def whole(self, id_: int) -> int:
        """Return the letter that a mail was gathered into, or the mail itself."""
        mine = select(t.outbox.c.reason).where(t.outbox.c.id == id_, t.outbox.c.state == OutboxState.GATHERED.value)
        reason: str | None = self.connection.execute(mine).scalar()
        return int(reason.removeprefix(_IN_LETTER)) if reason else id_

    def retry(self, id_: int, now: datetime) -> bool:
        """Try a mail again at once as if new; False if it was sent."""
        mine = update(t.outbox).where(t.outbox.c.id == id_, t.outbox.c.state != OutboxState.SENT.value)
        values = {"state": OutboxState.QUEUED.value, "due": now, "queued_at": now, "attempts": 0, "reason": None}
        self.wake(DELIVER)
        return self.connection.execute(mine.values(values)).rowcount == 1

    def retry_all(self, now: datetime, state: OutboxState, domain: str | None) -> int:
        """Try all mails in a state again as if new; return how many.

        With a domain, only mails to its addresses.
        """
        which = [t.outbox.c.state == state.value, has_text()]
        which += [_goes_to(domain)] if domain is not None else []
        found = self.connection.execute(select(t.outbox.c.id, t.outbox.c.recipient).where(*which)).all()
        for address in {row.recipient for row in found}:
            self.forget_bounces(address, now)
        return sum(self.retry(id_, now) for id_ in {self.whole(row.id) for row in found})

    def drop(self, id_: int) -> bool:
        """Never send a mail; False if it was sent or dropped already."""
        there = among(t.outbox.c.state, (one for one in OutboxState if one.can_be_dropped))
        mine = update(t.outbox).where(t.outbox.c.id == id_, there)
        return self.connection.execute(mine.values(state=OutboxState.DROPPED.value)).rowcount == 1

    def mails_answered(self, mails: Collection[int]) -> frozenset[int]:
        """Return those of these incoming mails whose answer was sent."""
        answers = (t.outbox.c.inbox.in_(mails), t.outbox.c.kind == LetterKind.REPLY.value)
        found = select(t.outbox.c.inbox).where(*answers, t.outbox.c.state == OutboxState.SENT.value)
        return frozenset(self.connection.execute(found).scalars()) if mails else frozenset()

    def by_message_id(self, message_id: str) -> SentLetter | None:
        """Return the letter with that Message-ID; cached, because one mail needs it more than once."""
        if message_id not in self.answered:
            found = self._by_message_id(message_id)
            if found is None:
                return None
            self.answered[message_id] = found
        return self.answered[message_id]

    def _by_message_id(self, message_id: str) -> SentLetter | None:
        row = _BY_MESSAGE_ID.row(self.connection, {"message_id": message_id})
        if row is None:
            return None
        written = contents(row)
        return SentLetter(
            person_of(row),
            row["game"],
            row["phase"],
            Power(row["power"]) if row["power"] else None,
            LetterKind(row["kind"]),
            row["recipient"],
            written["text"],
            written.get("html") or "",
            row["inbox"],
            written.get("room", "") if row["kind"] == LetterKind.PRESS.value else "",
            datetime.fromisoformat(written["date"]) if "date" in written else None,
            read_questions(row["asks"]) if row["asks"] else (),
            message_id,
        )

    def open_questions(self, person: PersonId, since: datetime) -> tuple[str, ...]:
        """Return the Message-IDs of at most two unanswered letters that ask a person something."""
        return tuple(
            str(row["message_id"]) for row in _ASKING.rows(self.connection, {"person_": person, "since": since})
        )

    def question_answered(self, message_id: str, asks: tuple[Question, ...]) -> None:
        """Note that a letter's question was answered; a later reply may still change the answer."""
        _ANSWERED.change(self.connection, {"message_id_": message_id, "asks_": write_questions(asks)})

    def report_ids(self, game: str, person: PersonId, phase: str | None = None) -> tuple[str, ...]:
        """Return the Message-IDs of a person's opening report and last report of a game.

        The last one is that on `phase` if there is one.
        """
        opening = _OPENING_REPORT.value(self.connection, {"game_": game, "person_": person})
        if opening is None:
            return ()
        values = {"game_": game, "person_": person, "phase_": phase}
        last = _LAST_REPORT.value(self.connection, values)
        return tuple(dict.fromkeys((str(opening), str(last))))

    def opening_reports(self, game: str) -> Mapping[PersonId, str]:
        """Return person → Message-ID of their first report of a game."""
        rows = _OPENING_REPORTS.rows(self.connection, {"game_": game})
        return {PersonId(row["person"]): row["message_id"] for row in rows}

    def expect(self, address: str, since: datetime) -> None:
        """Prefetch the facts needed about a sender's address, in one pipelined statement."""
        values = {"recipient": address, "since": since}
        _ABOUT.ask_soon(self.connection, values, partial(self._expect, address, since))

    def _expect(self, address: str, since: datetime, rows: Sequence[Row]) -> None:
        (row,) = rows
        self.receipts[address, since] = row["receipts"] or 0
        self.last_receipts[address] = row
        self.bounce_days[address] = row["bounce_days"]

    def count_to(self, recipient: str, since: datetime, *, proved: bool) -> int:
        """Return how many answers went to an address since then.

        They are the receipts for proved mails, or all letters that unproved mails caused.
        """
        known = self.receipts.pop((recipient, since), None) if proved else None
        if known is not None:
            return known
        counted = _RECEIPTS if proved else _UNPROVED
        return int(counted.value(self.connection, {"recipient": recipient, "since": since}))

    def count_keyed(self, prefix: str, since: datetime, recipient: str | None = None) -> int:
        """Return how many mails with that key prefix were queued, to all or one address."""
        which = [t.outbox.c.key.startswith(prefix, autoescape=True), t.outbox.c.queued_at >= since]
        which += [t.outbox.c.recipient == recipient] if recipient is not None else []
        counted = select(func.count()).select_from(t.outbox).where(*which)
        return int(self.connection.execute(counted).scalar_one())

    def times_keyed(self, prefix: str, since: datetime, recipients: Collection[str]) -> tuple[datetime, ...]:
        """Return when mails with that prefix were queued to these addresses, oldest first."""
        which = (t.outbox.c.key.startswith(prefix, autoescape=True), t.outbox.c.queued_at >= since)
        found = select(t.outbox.c.queued_at).where(*which, t.outbox.c.recipient.in_(recipients))
        return tuple(self.connection.execute(found.order_by(t.outbox.c.queued_at)).scalars())

    def counts(self) -> Mapping[str, int]:
        """Return state → number of mails."""
        rows = self.connection.execute(select(t.outbox.c.state, func.count()).group_by(t.outbox.c.state))
        return {row[0]: row[1] for row in rows}

    def latest(self, limit: int, state: OutboxState | None = None) -> tuple[RowMapping, ...]:
        """Return the newest mails first, without their contents, for the operator."""
        columns = (
            t.outbox.c.id,
            t.outbox.c.state,
            t.outbox.c.kind,
            t.outbox.c.recipient,
            t.outbox.c.queued_at,
            t.outbox.c.attempts,
            t.outbox.c.reason,
            t.outbox.c.message_id,
        )
        found = select(*columns).order_by(t.outbox.c.id.desc()).limit(limit)
        found = found.where(t.outbox.c.state == state.value) if state else found
        return tuple(self.connection.execute(found).mappings())


def _row(letter: Outgoing, tags: LetterTags, now: datetime, until: datetime | None) -> dict[str, Any]:
    return {
        "key": tags.key,
        "message_id": letter.message_id,
        "state": (OutboxState.GATHERING if until else OutboxState.QUEUED).value,
        "due": until or now,
        "reason": _why_it_waits(letter.kind) if until else None,
        "attempts": 0,
        "person": tags.person,
        "game": tags.game,
        "phase": tags.phase,
        "power": tags.power,
        "inbox": tags.inbox,
        "kind": letter.kind.value,
        "recipient": letter.recipient,
        "queued_at": now,
        "work": tags.work,
        "cause": tags.cause,
        "asks": write_questions(tags.asks) if tags.asks else None,
    }


def _waiting_receipts(recipient: str, game: str | None) -> tuple[ColumnElement[bool], ...]:
    return (
        t.outbox.c.state == OutboxState.GATHERING.value,
        t.outbox.c.kind == LetterKind.REPLY.value,
        t.outbox.c.recipient == recipient,
        t.outbox.c.game == game,
    )


def _why_it_waits(kind: LetterKind) -> str:
    return "for other answers of two minutes" if kind is LetterKind.REPLY else "for other letters to its reader"


def _goes_to(domain: str) -> ColumnElement[bool]:
    return func.lower(t.outbox.c.recipient).endswith(f"@{domain.lower()}", autoescape=True)


def _is_suspended(row: Row) -> bool:
    """Whether a letter that is due goes to a suspended address."""
    # A request to confirm answers a mail that has just come from there; without it, no address could recover.
    return int(row["bounce_days"]) >= _SUSPENDING_DAYS and row["kind"] != LetterKind.CONFIRM.value


def _read_queued(row: Row) -> Queued:
    return Queued(row["id"], read_letter(row), row["attempts"], row["queued_at"])


def _read_written(row: Row) -> Written:
    return Written(
        id=row["id"],
        state=OutboxState(row["state"]),
        attempts=row["attempts"],
        due=row["due"],
        queued_at=row["queued_at"],
        reason=row["reason"],
        person=person_of(row),
        game=row["game"],
        letter=read_letter(row),
    )
