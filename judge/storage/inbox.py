"""Incoming mail as rows, and the mail that waits for its sender's confirmation."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial

from sqlalchemy import (
    Connection,
    RowMapping,
    Select,
    String,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)

from judge.commands import Reading
from judge.errors import ConflictError
from judge.games.person import PersonId
from judge.mail.letters import LetterKind, MailKind, RawMail
from judge.storage import tables as t
from judge.storage.leases import is_free, kept_if_new
from judge.storage.packing import pack, unpack
from judge.storage.people import person_of
from judge.storage.prepared import Prepared, Row
from judge.storage.states import InboxState, OutboxState, among
from judge.storage.turns import give_turn, next_of, waits
from judge.storage.waking import DELIVER, Wake, WorkMail, turn_of
from judge.storage.written import has_text


@dataclass(frozen=True, slots=True)
class Claim:
    """A held mail in the name of an address that must confirm or disown it."""

    id: int
    received_at: datetime
    summary: str
    """What the mail would do; "" if it was held before summaries were stored."""
    is_asked: bool
    """Whether a letter has asked about it."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """A mail to store, with what identifies it."""

    raw: RawMail
    identity: str
    message_id: str | None
    sender: str | None = None
    """The address in its From header, lower case; it proves nothing."""
    game: str | None = None
    """The game it was addressed to, if any; it proves nothing."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A stored mail that is not done yet."""

    id: int
    raw: RawMail
    attempts: int
    begun: bool
    """Whether an attempt was begun and has not ended."""
    failures: int
    """Attempts that failed because of the mail itself."""
    losses: int
    """Attempts that never ended: the worker died or could not go on."""
    is_suspect: bool
    confirmed: bool
    """Whether its sender has confirmed it by a reply from the same address."""
    is_worked: bool = False
    """Whether it is done except for what had to be confirmed."""
    identity: str = ""
    """The same for every copy of a mail, whatever headers servers added on the way."""
    has_filed: bool = False
    """Whether its orders are on file while the rest waited for its sender's confirmation."""


@dataclass(frozen=True, slots=True)
class Received:
    """Everything about an incoming mail, for the operator."""

    id: int
    state: InboxState
    kind: str | None
    attempts: int
    failures: int
    losses: int
    retry_at: datetime | None
    reason: str | None
    person: PersonId | None
    game: str | None
    raw: RawMail


@dataclass(frozen=True, slots=True)
class Unworked:
    """Known facts about a mail that waits for work, without parsing it."""

    sender: str | None
    recipients: tuple[str, ...]
    received_at: datetime
    losses: int
    """Attempts that never ended; only a suspect has any."""


_EARLIER = t.inbox.alias("earlier")
_KNOWN = Prepared(
    select(t.inbox.c.id, t.inbox.c.received_at, t.inbox.c.envelope_to).where(
        t.inbox.c.identity == bindparam("identity")
    )
)
_NEW = (
    "identity",
    "message_id",
    "state",
    "source",
    "received_at",
    "envelope_from",
    "envelope_to",
    "content",
    "attempts",
    "sender",
    "confirmed",
    "turn",
)
_KEEP = kept_if_new(t.inbox, _NEW)
_TAKEN = "mail {} was worked by somebody else"
_FIRST = t.inbox.alias("first")
_BEHIND_ANOTHER = exists().where(waits(_EARLIER), _EARLIER.c.sender == _FIRST.c.sender, _EARLIER.c.id < _FIRST.c.id)
"""Whether an earlier mail of the same sender waits.

One sender's mails are worked in order of arrival, because the last word counts.
"""
_FREE = (
    select(_FIRST.c.id)
    .where(not_(_BEHIND_ANOTHER), is_free(_FIRST.c.owner, bindparam("worker", type_=String)))
    .order_by(_FIRST.c.id)
    .limit(1)
    .with_for_update(of=_FIRST, skip_locked=True)
)
_FREE_SUSPECT = _FREE.where(_FIRST.c.state == InboxState.SUSPECT.value, _FIRST.c.retry_at <= bindparam("now"))
_NEXT = Prepared(
    update(t.inbox)
    .where(
        t.inbox.c.id
        == func.coalesce(
            _FREE.where(_FIRST.c.state == InboxState.WAITING.value).scalar_subquery(), _FREE_SUSPECT.scalar_subquery()
        )
    )
    .values(owner=bindparam("worker"))
    .returning(t.inbox)
)
_UNWORKED = Prepared(
    update(t.inbox)
    .where(
        t.inbox.c.id == bindparam("id_"), waits(t.inbox), is_free(t.inbox.c.owner, bindparam("worker", type_=String))
    )
    .values(owner=bindparam("worker"))
    .returning(t.inbox)
)
_FOR_BOARD = "waits for the board "
"""Prefix of the reason of a mail set aside because of an unreadable board."""
_FILED = "its orders are on file"
"""Reason of a held mail whose orders are on file while other requests wait."""
_YES, _CHOSEN = "yes ", "meant as "
_DUE = "waits "
"""Prefix of the token of a mail that no letter asks about yet.

The time from which a letter may ask follows.
"""
_MINUTE = timedelta(minutes=1)
"""Resolution of the time in such a token."""
_BEGIN = Prepared(
    update(t.inbox).where(t.inbox.c.id == bindparam("id_")).values(begun=True, attempts=t.inbox.c.attempts + 1)
)
_USED = Prepared(select(t.used_message_id.c.content).where(t.used_message_id.c.hash == bindparam("hash_")))
_USE = Prepared(insert(t.used_message_id).values({name: bindparam(name) for name in ("hash", "content", "day")}))
_DONE = Prepared(
    update(t.inbox)
    .where(t.inbox.c.id == bindparam("id_"), waits(t.inbox))
    .values(
        begun=False,
        state=InboxState.DONE.value,
        kind=bindparam("its_kind"),
        person=bindparam("its_person"),
        game=bindparam("its_game"),
    )
)


class Inbox:
    """Stored mail, worked in order of arrival."""

    def __init__(self, connection: Connection, wake: Wake, worker: str) -> None:
        self.connection = connection
        self.wake = wake
        self.worker = worker
        self.uses: dict[bytes, bytes | None] = {}
        """Hash of a Message-ID → content of the proved mail that used it; a cache."""

    def keep(self, mail: Arrived) -> int | None:
        """Store a mail and return its id; None if the same mail is stored already."""
        raw = mail.raw
        known = _KNOWN.row(self.connection, {"identity": mail.identity})
        kept = self._store(mail) if known is None else None
        if kept is None:
            known = known or _KNOWN.row(self.connection, {"identity": mail.identity})
            assert known is not None
            # From a mailbox it may be the very same copy, which could not be moved away when it was read.
            is_the_very_copy = raw.envelope_from is None and known["received_at"] == raw.received_at
            if not is_the_very_copy and not _is_for_another(known["envelope_to"], raw.envelope_to):
                self._answer_again(known["id"], raw.received_at)
        return kept

    def _store(self, mail: Arrived) -> int | None:
        """Insert a mail and return its id; None if another process has just stored it."""
        raw = mail.raw
        sender, game = mail.sender[:320] if mail.sender else None, mail.game[:40] if mail.game else None
        values = {
            "identity": mail.identity,
            "message_id": (mail.message_id or "")[:255] or None,
            "state": InboxState.WAITING.value,
            "source": raw.source[:40],
            "received_at": raw.received_at,
            "envelope_from": raw.envelope_from,
            "envelope_to": json.dumps(raw.envelope_to),
            "content": pack(raw.content),
            "attempts": 0,
            "sender": sender,
            "confirmed": False,
            "turn": game,
        }
        id_: int | None = _KEEP.value(self.connection, values)
        if id_ is not None:
            self.wake(WorkMail(turn_of(game, sender)))
        return id_

    def _answer_again(self, known: int, now: datetime) -> None:
        """Send the last reply to a mail again, unchanged, because the mail arrived again.

        A reply whose contents were erased is not sent.
        """
        mine = (t.outbox.c.inbox == known, t.outbox.c.kind == LetterKind.REPLY.value)
        last = select(func.max(t.outbox.c.id)).where(*mine).scalar_subquery()
        self.connection.execute(
            update(t.outbox)
            .where(t.outbox.c.id == last, t.outbox.c.state == OutboxState.SENT.value, has_text())
            .values(state=OutboxState.QUEUED.value, attempts=0, due=now)
        )
        self.wake(DELIVER)

    def next(self, now: datetime) -> Waiting | None:
        """Claim the mail that has waited longest, else a suspect whose pause is over."""
        found = _NEXT.row(self.connection, {"worker": self.worker, "now": now})
        return _waiting(found) if found is not None else None

    def to_be_worked(self, id_: int) -> Waiting | None:
        """Claim a mail, if it still waits and no other worker has it."""
        row = _UNWORKED.row(self.connection, {"id_": id_, "worker": self.worker})
        return _waiting(row) if row is not None else None

    def take(self, turn: str, now: datetime, heed: Callable[[Waiting], object]) -> None:
        """Claim the next mail of a turn, if any, and call `heed` with it.

        The attempt is marked as begun, unless the mail is a suspect or an earlier attempt was lost.
        """

        def read(rows: Sequence[Row]) -> None:
            for row in rows:
                heed(replace(_waiting(row), begun=row["was_begun"]))

        next_of(self.connection, turn, self.worker, now, read)

    def let_go(self) -> None:
        """Free the mails that this worker claimed and did not finish."""
        mine = update(t.inbox).where(waits(t.inbox), t.inbox.c.owner == self.worker)
        self.connection.execute(mine.values(owner=None))

    def wait_for_game(self, sender: str, game: str) -> None:
        """Assign the waiting mail of a sender to the turn of a game."""
        if give_turn(self.connection, sender, game):
            self.wake(WorkMail(game))

    def unworked(self, until: datetime) -> tuple[Unworked, ...]:
        """Return the unworked mail that arrived by then, claimed or not, oldest first."""
        mail = t.inbox.c
        found = select(mail.sender, mail.envelope_to, mail.received_at, mail.losses)
        found = found.where(waits(t.inbox), mail.received_at <= until).order_by(mail.id)
        return tuple(
            Unworked(row.sender, tuple(json.loads(row.envelope_to)), row.received_at, row.losses)
            for row in self.connection.execute(found)
        )

    def get(self, id_: int) -> Received | None:
        """Return everything about a mail, or None."""
        row = self.connection.execute(select(t.inbox).where(t.inbox.c.id == id_)).mappings().first()
        if row is None:
            return None
        return Received(
            id=row["id"],
            state=InboxState(row["state"]),
            kind=row["kind"],
            attempts=row["attempts"],
            failures=row["failures"],
            losses=row["losses"],
            retry_at=row["retry_at"],
            reason=row["reason"],
            person=person_of(row),
            game=row["game"],
            raw=_raw(row),
        )

    def begin(self, id_: int) -> None:
        """Note that an attempt begins; commit before the work, so that a crash is noticed."""
        _BEGIN.change_soon(self.connection, {"id_": id_})

    def forget(self, id_: int) -> None:
        """Do not count the attempt: another worker was quicker; the mail is not to blame."""
        self._set(id_, begun=False, owner=None, attempts=t.inbox.c.attempts - 1)
        self._wake_for(id_)

    def failed(self, id_: int) -> None:
        """Note that the attempt failed because of the mail itself."""
        self._set(id_, begun=False, owner=None, failures=t.inbox.c.failures + 1)
        self._wake_for(id_)

    def suspect(self, id_: int, retry_at: datetime) -> None:
        """Make the mail a suspect: an attempt was lost, perhaps because of it.

        It is worked alone, after the others, from `retry_at` on.
        """
        values = {"state": InboxState.SUSPECT.value, "begun": False, "owner": None, "retry_at": retry_at}
        mine = update(t.inbox).where(t.inbox.c.id == id_, waits(t.inbox))
        self.connection.execute(mine.values(losses=t.inbox.c.losses + 1, **values))

    def done(self, id_: int, *, kind: str, person: PersonId | None = None, game: str | None = None) -> None:
        """Mark the mail as done.

        Raises ConflictError, now or at the commit, if another worker did it meanwhile.
        """
        values = {"id_": id_, "its_kind": kind, "its_person": person, "its_game": game}
        _DONE.change_one(self.connection, values, _TAKEN.format(id_))

    def set_aside(self, id_: int, reason: str, holds_up: str | None = None) -> None:
        """Set the mail aside: it cannot be worked.

        The game `holds_up`, if any, waits until the operator has looked at it.
        """
        self._leave(id_, state=InboxState.SET_ASIDE.value, reason=reason[:2000], game=holds_up)

    def wait_for_board(self, id_: int, board: str, reason: str, holds_up: str | None) -> None:
        """Set the mail aside until a board can be read; its game waits with it."""
        self.set_aside(id_, f"{_FOR_BOARD}{board}; {reason}", holds_up)

    def waiting_for_boards(self) -> Mapping[int, str]:
        """Return mail → the board that it waits for."""
        aside = (t.inbox.c.state == InboxState.SET_ASIDE.value, t.inbox.c.reason.startswith(_FOR_BOARD))
        found = self.connection.execute(select(t.inbox.c.id, t.inbox.c.reason).where(*aside).order_by(t.inbox.c.id))
        return {row.id: row.reason.removeprefix(_FOR_BOARD).partition(";")[0] for row in found}

    def is_held_up(self, game: str, since: datetime, until: datetime) -> bool:
        """Whether a game waits for a set-aside mail that arrived in that time."""
        mine = (t.inbox.c.state == InboxState.SET_ASIDE.value, t.inbox.c.game == game)
        found = select(t.inbox.c.id).where(*mine, t.inbox.c.received_at.between(since, until)).limit(1)
        return self.connection.execute(found).first() is not None

    def hold(
        self, id_: int, *, kind: str | None = None, person: PersonId | None = None, has_filed: bool = False
    ) -> None:
        """Hold the mail until it is confirmed.

        With a kind, everything in it is done except what has to be confirmed.
        """
        reason = _FILED if has_filed else None
        self._leave(id_, state=InboxState.UNCONFIRMED.value, kind=kind, person=person, reason=reason)

    def newest(self, most: int) -> tuple[RawMail, ...]:
        """Return the mails that were stored last, newest first."""
        found = self.connection.execute(select(t.inbox).order_by(t.inbox.c.id.desc()).limit(most)).mappings()
        return tuple(map(_raw, found))

    def replay(self, id_: int) -> bool:
        """Work a mail that was set aside or dropped; False if it was neither."""
        aside = (t.inbox.c.id == id_, among(t.inbox.c.state, (one for one in InboxState if one.can_be_replayed)))
        anew = {"attempts": 0, "begun": False, "failures": 0, "losses": 0, "retry_at": None}
        values = {"state": InboxState.WAITING.value, "reason": None, **anew}
        self._wake_for(id_)
        return self.connection.execute(update(t.inbox).where(*aside).values(values)).rowcount == 1

    def quarantine(self, id_: int, reason: str) -> bool:
        """Set aside a mail that waits for work or confirmation; False if it does not."""
        mine = (t.inbox.c.id == id_, among(t.inbox.c.state, (one for one in InboxState if one.can_be_set_aside)))
        values = {"state": InboxState.SET_ASIDE.value, "reason": reason}
        return self.connection.execute(update(t.inbox).where(*mine).values(values)).rowcount == 1

    def drop(self, id_: int) -> bool:
        """Never work a mail; False if it was worked or dropped already."""
        undone = among(t.inbox.c.state, (one for one in InboxState if not one.is_done))
        mine = update(t.inbox).where(t.inbox.c.id == id_, undone)
        return self.connection.execute(mine.values(state=InboxState.DROPPED.value)).rowcount == 1

    def _leave(self, id_: int, **values: object) -> None:
        """Move a waiting mail to another state; raises ConflictError if it does not wait."""
        mine = update(t.inbox).where(t.inbox.c.id == id_, waits(t.inbox))
        if self.connection.execute(mine.values(begun=False, owner=None, **values)).rowcount != 1:
            raise ConflictError(_TAKEN.format(id_))

    def _wake_for(self, id_: int) -> None:
        """Queue a job for a mail that has to be worked again."""
        row = self.connection.execute(select(t.inbox.c.turn, t.inbox.c.sender).where(t.inbox.c.id == id_)).first()
        if row is not None:
            self.wake(WorkMail(turn_of(row.turn, row.sender)))

    def _set(self, id_: int, **values: object) -> None:
        self.connection.execute(update(t.inbox).where(t.inbox.c.id == id_).values(**values))

    def redact(self, person: PersonId) -> None:
        """Erase the contents and addresses of a person's mails."""
        gone = {"content": b"", "sender": None, "envelope_from": None, "envelope_to": "[]", "reason": None}
        self.connection.execute(update(t.inbox).where(t.inbox.c.person == person).values(**gone))

    def counts(self) -> Mapping[str, int]:
        """Return state → number of mails."""
        rows = self.connection.execute(select(t.inbox.c.state, func.count()).group_by(t.inbox.c.state))
        return {row[0]: row[1] for row in rows}

    def latest(self, limit: int, state: InboxState | None = None) -> tuple[RowMapping, ...]:
        """Return the newest mails first, without their contents, for the operator."""
        columns = (
            t.inbox.c.id,
            t.inbox.c.state,
            t.inbox.c.kind,
            t.inbox.c.source,
            t.inbox.c.received_at,
            t.inbox.c.envelope_from,
            t.inbox.c.reason,
        )
        found = select(*columns).order_by(t.inbox.c.id.desc()).limit(limit)
        found = found.where(t.inbox.c.state == state.value) if state else found
        return tuple(self.connection.execute(found).mappings())

    # Message-IDs of proved mails

    def expect_use(self, hash_: bytes) -> None:
        """Prefetch whether a Message-ID was used, pipelined with other statements."""
        _USED.ask_soon(self.connection, {"hash_": hash_}, partial(self._expect_use, hash_))

    def _expect_use(self, hash_: bytes, rows: Sequence[Row]) -> None:
        self.uses[hash_] = bytes(rows[0]["content"]) if rows else None

    def used_for(self, hash_: bytes) -> bytes | None:
        """Return the content of the proved mail that used a Message-ID, or None."""
        if hash_ not in self.uses:
            self._expect_use(hash_, _USED.rows(self.connection, {"hash_": hash_}))
        return self.uses[hash_]

    def use(self, hash_: bytes, content: bytes, day: date) -> None:
        """Remember the Message-ID of a proved mail; it must be new."""
        self.uses[hash_] = content
        _USE.change_soon(self.connection, {"hash": hash_, "content": content, "day": day})

    def forget_uses(self, before: date) -> None:
        """Forget the Message-IDs of mails from before that day."""
        self.connection.execute(delete(t.used_message_id).where(t.used_message_id.c.day < before))

    # Confirmations

    def ask(self, token: str, id_: int, address: str, expires: datetime, summary: str = "") -> None:
        """Remember that a mail may be acted on once `address` answers with the token."""
        values = {"token": token, "inbox": id_, "address": address, "expires": expires, "summary": summary}
        self.connection.execute(insert(t.confirmation).values(**values))

    def held_for(self, token: str, address: str, now: datetime) -> int | None:
        """Return the mail that waits for this token from this address, or None."""
        found = self.connection.execute(
            select(t.confirmation.c.inbox)
            .join(t.inbox, t.inbox.c.id == t.confirmation.c.inbox)
            .where(
                t.confirmation.c.token == token,
                t.confirmation.c.address == address,
                t.confirmation.c.expires > now,
                t.inbox.c.state == InboxState.UNCONFIRMED.value,
            )
        ).scalar()
        return None if found is None else int(found)

    def confirm(self, id_: int, address: str = "", until: datetime | None = None) -> None:
        """Work the mail: its sender said yes. With `until`, remember the yes until then."""
        self._forget_question(id_)
        if until is not None:
            self.ask(f"{_YES}{id_}", id_, address, until)
        self._set(id_, state=InboxState.WAITING.value, confirmed=True, losses=0, failures=0)
        self._wake_for(id_)

    def choose(self, id_: int, reading: Reading, address: str, until: datetime) -> None:
        """Work the mail with the reading that its sender chose for a letter in it."""
        self.confirm(id_)
        self.ask(f"{_CHOSEN}{reading.value} {id_}", id_, address, until)

    def chosen(self, id_: int) -> Reading | None:
        """Return the reading that the sender chose for a letter in the mail, or None."""
        mine = (t.confirmation.c.inbox == id_, t.confirmation.c.token.startswith(_CHOSEN))
        token = self.connection.execute(select(t.confirmation.c.token).where(*mine)).scalar()
        return None if token is None else Reading(str(token).removeprefix(_CHOSEN).partition(" ")[0])

    def confirmed_by(self, id_: int) -> str | None:
        """Return the address that confirmed a mail.

        It may have chosen a reading for a letter in the mail.
        """
        said = (t.confirmation.c.token.startswith(_YES), t.confirmation.c.token.startswith(_CHOSEN))
        found = select(t.confirmation.c.address).where(t.confirmation.c.inbox == id_, or_(*said))
        address: str | None = self.connection.execute(found).scalar()
        return address

    def disown(self, id_: int) -> None:
        """Never work the mail: its sender said no."""
        self._forget_question(id_)
        self._set(id_, state=InboxState.DONE.value, reason="disowned")

    def count_yes(self, address: str, now: datetime, within: timedelta) -> int:
        """Return how many confirmations of an address are on file that expire within that time."""
        asked = t.confirmation.c
        mine = (asked.address == address, asked.expires > now, asked.expires <= now + within)
        found = select(func.count()).where(*mine, t.confirmation.c.token.startswith(_YES))
        return int(self.connection.execute(found).scalar_one())

    def last_heard(self, person: PersonId, addresses: Sequence[str]) -> datetime | None:
        """Return when the last mail of a person arrived, worked or not.

        Mail that programs write does not count. Mail of no known person counts for all who write from its address.
        """
        box = t.inbox.c
        is_anybodys_there = and_(box.person.is_(None), box.sender.in_(addresses))
        is_theirs = or_(box.person == person, is_anybodys_there)
        is_written = or_(box.kind.is_(None), box.kind.not_in((MailKind.AUTOMATIC.value, MailKind.BOUNCE.value)))
        found: datetime | None = self.connection.execute(
            select(func.max(box.received_at)).where(is_theirs, is_written)
        ).scalar_one()
        return found

    def forget_questions(self, now: datetime) -> None:
        """Forget the questions that can no longer be answered."""
        self.connection.execute(delete(t.confirmation).where(t.confirmation.c.expires <= now))

    # Unproved mails in the name of an address

    def claim(self, id_: int, address: str, summary: str, due: datetime, expires: datetime) -> None:
        """Note that `address` may be asked about a held mail from `due` on.

        `summary` says what the mail would do.
        """
        self.ask(_due_token(due, id_), id_, address, expires, summary)

    def is_asked(self, token: str, address: str) -> bool:
        """Whether an address was asked with this token, about one mail or about several."""
        asked = t.confirmation.c
        tokens = or_(asked.token == token, asked.token.startswith(f"{token}.", autoescape=True))
        found = select(asked.inbox).where(asked.address == address, tokens).limit(1)
        return self.connection.execute(found).first() is not None

    def claims(self, address: str, now: datetime) -> tuple[Claim, ...]:
        """Return the held mails in the name of an address, in order of arrival."""
        asked = t.confirmation.c
        open_ = (asked.address == address, asked.expires > now, t.inbox.c.state == InboxState.UNCONFIRMED.value)
        found = (
            select(t.inbox.c.id, t.inbox.c.received_at, asked.token, asked.summary)
            .join(t.inbox, t.inbox.c.id == asked.inbox)
            .where(*open_, t.inbox.c.kind.is_(None))
            .order_by(t.inbox.c.id)
        )
        claims: dict[int, Claim] = {}
        for id_, received_at, token, summary in self.connection.execute(found):
            known = claims.get(id_)
            is_asked = not token.startswith(_DUE) or (known is not None and known.is_asked)
            claims[id_] = Claim(id_, received_at, summary, is_asked)
        return tuple(claims.values())

    def due_claims(self, now: datetime) -> tuple[str, ...]:
        """Return the addresses that may now be asked about mails in their names."""
        asked = t.confirmation.c
        due = (asked.token >= _DUE, asked.token < _due_token(now + _MINUTE), asked.expires > now)
        found = select(asked.address).distinct().join(t.inbox, t.inbox.c.id == asked.inbox)
        held = t.inbox.c.state == InboxState.UNCONFIRMED.value
        return tuple(self.connection.execute(found.where(*due, held).order_by(asked.address)).scalars())

    def put_off(self, address: str, due: datetime) -> None:
        """Postpone asking an address about its unasked mails until `due`."""
        asked = t.confirmation.c
        waiting = select(asked.token, asked.inbox).where(asked.address == address, asked.token.startswith(_DUE))
        for token, id_ in self.connection.execute(waiting).all():
            later = update(t.confirmation).where(asked.token == token).values(token=_due_token(due, id_))
            self.connection.execute(later)

    def asked_about(self, tokens: Mapping[str, Claim], address: str, within: timedelta) -> None:
        """Note that a letter asks about mails, each by a token.

        A token is valid until `within` after the mail's arrival. Questions of earlier letters can still be answered.
        """
        asked, ids = t.confirmation.c, [claim.id for claim in tokens.values()]
        is_of_this_letter = asked.token.in_(tokens.keys())
        waited = and_(asked.inbox.in_(ids), asked.token.startswith(_DUE))
        self.connection.execute(delete(t.confirmation).where(or_(is_of_this_letter, waited)))
        for token, claim in tokens.items():
            self.ask(token, claim.id, address, claim.received_at + within, claim.summary)

    def questions(self, address: str, now: datetime, prefix: str) -> Mapping[str, int]:
        """Return token → the mail held for that address, in order of arrival.

        Only tokens that begin with the prefix are returned.
        """
        mine = t.confirmation.c.address == address
        found = _open_questions(now, prefix).where(mine).order_by(t.inbox.c.id)
        return {row.token: row.inbox for row in self.connection.execute(found)}

    def _forget_question(self, id_: int) -> None:
        self.connection.execute(delete(t.confirmation).where(t.confirmation.c.inbox == id_))


def _is_for_another(known: str, recipients: Sequence[str]) -> bool:
    """Whether a copy was delivered to other recipients than the known one.

    If it was, the mail was not sent a second time.
    """
    before = {recipient.lower() for recipient in json.loads(known)}
    return bool(before and recipients) and before.isdisjoint(map(str.lower, recipients))


def _due_token(due: datetime, id_: int | None = None) -> str:
    """Return a token that sorts by time; without a mail, before all of that minute."""
    return f"{_DUE}{due:%Y%m%d%H%M}" + (f" {id_}" if id_ is not None else "")


def _open_questions(now: datetime, prefix: str) -> Select[tuple[str, int, str]]:
    asked = t.confirmation.c
    found = select(asked.token, asked.inbox, asked.address).join(t.inbox, t.inbox.c.id == asked.inbox)
    is_open = (asked.expires > now, t.inbox.c.state == InboxState.UNCONFIRMED.value)
    return found.where(asked.token.startswith(prefix, autoescape=True), *is_open)


def _waiting(row: Row) -> Waiting:
    return Waiting(
        id=row["id"],
        raw=_raw(row),
        attempts=row["attempts"],
        begun=row["begun"],
        failures=row["failures"],
        losses=row["losses"],
        is_suspect=row["state"] == InboxState.SUSPECT.value,
        confirmed=row["confirmed"],
        is_worked=row["kind"] is not None,
        identity=row["identity"],
        has_filed=row["reason"] == _FILED,
    )


def _raw(row: Row) -> RawMail:
    content, recipients = unpack(row["content"]), tuple(json.loads(row["envelope_to"]))
    return RawMail(content, row["source"], row["received_at"], row["envelope_from"], recipients)
