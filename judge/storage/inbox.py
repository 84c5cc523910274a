"""Mail that came in, as rows, and what waits for its sender's confirmation."""

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
from judge.mail.letters import LetterKind, RawMail
from judge.storage import tables as t
from judge.storage.leases import is_free, kept_if_new
from judge.storage.packing import pack, unpack
from judge.storage.people import person_of
from judge.storage.prepared import Prepared, Row
from judge.storage.states import InboxState, OutboxState, among
from judge.storage.turns import give_turn, next_of, waits
from judge.storage.waking import DELIVER, Wake, WorkMail, turn_of


@dataclass(frozen=True, slots=True)
class Claim:
    """A mail in the name of an address, whose word it waits for."""

    id: int
    received_at: datetime
    summary: str
    """What it would do, in our words; "" if it was held before summaries were kept."""
    is_asked: bool
    """Whether a letter has asked about it."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """A mail that is to be stored, with what tells it from every other."""

    raw: RawMail
    identity: str
    message_id: str | None
    sender: str | None = None
    """The address its head names, lower case; it proves nothing."""
    game: str | None = None
    """The game it was addressed to, if to one; that proves nothing, either."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A mail that is stored and not done yet."""

    id: int
    raw: RawMail
    attempts: int
    begun: bool
    """An attempt was begun and has not ended."""
    failures: int
    """Attempts that failed by the mail itself."""
    losses: int
    """Attempts whose end nobody saw: whoever worked it died, or could not go on."""
    is_suspect: bool
    confirmed: bool
    """Its sender has confirmed it by a reply from the same address."""
    is_worked: bool = False
    """It is done but for what had to be confirmed."""
    identity: str = ""
    """The same for the same mail, whatever servers added on the way."""
    has_filed: bool = False
    """Its orders are on file; the rest waited until its sender confirmed it."""


@dataclass(frozen=True, slots=True)
class Received:
    """All about a mail that came in, for the operator."""

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
    """What is known of a mail that is still to be worked, without reading it."""

    sender: str | None
    recipients: tuple[str, ...]
    received_at: datetime
    losses: int
    """Attempts whose end nobody saw; only a suspect has any."""


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
"""The mail of one sender is worked in the order it came: the last word counts."""
_FREE = (
    select(_FIRST.c.id)
    .where(not_(_BEHIND_ANOTHER), is_free(_FIRST.c.owner, bindparam("worker", type_=String)))
    .order_by(_FIRST.c.id)
    .limit(1)
    .with_for_update(of=_FIRST, skip_locked=True)
)
_NEXT, _NEXT_SUSPECT = (
    Prepared(
        update(t.inbox)
        .where(t.inbox.c.id == found.scalar_subquery())
        .values(owner=bindparam("worker"))
        .returning(t.inbox)
    )
    for found in (
        _FREE.where(_FIRST.c.state == InboxState.WAITING.value),
        _FREE.where(_FIRST.c.state == InboxState.SUSPECT.value, _FIRST.c.retry_at <= bindparam("now")),
    )
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
"""How the reason begins of a mail that was set aside because a board could not be read."""
_FILED = "its orders are on file"
"""Why a mail is held whose other requests wait for proof."""
_YES, _CHOSEN = "yes ", "meant as "
_DUE = "waits "
"""How the token begins of a mail that no letter asks about yet; the time follows when one may."""
_MINUTE = timedelta(minutes=1)
"""A token that waits names the minute from which a letter may ask."""
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
    """Stored mail, worked through in the order it came."""

    def __init__(self, connection: Connection, wake: Wake, worker: str) -> None:
        self.connection = connection
        self.wake = wake
        self.worker = worker
        self.uses: dict[bytes, bytes | None] = {}
        """Message-IDs that were asked about, by hash, with the content of the mails that had them."""

    def keep(self, mail: Arrived) -> int | None:
        """Store a mail; None if the same mail is here already."""
        raw = mail.raw
        known = _KNOWN.row(self.connection, {"identity": mail.identity})
        kept = self._store(mail) if known is None else None
        if kept is None:
            known = known or _KNOWN.row(self.connection, {"identity": mail.identity})
            assert known is not None
            # In a mailbox it may be the very copy, which could not be put away.
            is_the_very_copy = raw.envelope_from is None and known["received_at"] == raw.received_at
            if not is_the_very_copy and not _is_for_another(known["envelope_to"], raw.envelope_to):
                self._answer_again(known["id"], raw.received_at)
        return kept

    def _store(self, mail: Arrived) -> int | None:
        """None if another process has just stored the same mail."""
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
        """The same mail again gets its earlier reply again: the very same message, the last if there are several."""
        mine = (t.outbox.c.inbox == known, t.outbox.c.kind == LetterKind.REPLY.value)
        last = select(func.max(t.outbox.c.id)).where(*mine).scalar_subquery()
        self.connection.execute(
            update(t.outbox)
            .where(t.outbox.c.id == last, t.outbox.c.state == OutboxState.SENT.value)
            .values(state=OutboxState.QUEUED.value, attempts=0, due=now)
        )
        self.wake(DELIVER)

    def next(self, now: datetime) -> Waiting | None:
        """Take up the mail that has waited longest; if there is none, the suspect whose pause is over."""
        values = {"worker": self.worker, "now": now}
        found = _NEXT.row(self.connection, values) or _NEXT_SUSPECT.row(self.connection, values)
        return _waiting(found) if found is not None else None

    def to_be_worked(self, id_: int) -> Waiting | None:
        """Take up a mail, if it is still to be worked and no other worker has it."""
        row = _UNWORKED.row(self.connection, {"id_": id_, "worker": self.worker})
        return _waiting(row) if row is not None else None

    def take(self, turn: str, now: datetime, heed: Callable[[Waiting], object]) -> None:
        """Claim the next mail of a turn, if there is one, and call `heed` with it.

        It is begun, unless it is a suspect or somebody lost it.
        """

        def read(rows: Sequence[Row]) -> None:
            for row in rows:
                heed(replace(_waiting(row), begun=row["was_begun"]))

        next_of(self.connection, turn, self.worker, now, read)

    def let_go(self) -> int:
        """Free the mails that this worker claimed and did not finish; return their number."""
        mine = update(t.inbox).where(waits(t.inbox), t.inbox.c.owner == self.worker)
        return self.connection.execute(mine.values(owner=None)).rowcount

    def wait_for_game(self, sender: str, game: str) -> None:
        """Have the mail of a sender wait for its turn in a game."""
        if give_turn(self.connection, sender, game):
            self.wake(WorkMail(game))

    def unworked(self, until: datetime) -> tuple[Unworked, ...]:
        """Return the mail that arrived by then and is not worked yet, claimed or not, oldest first."""
        mail = t.inbox.c
        found = select(mail.sender, mail.envelope_to, mail.received_at, mail.losses)
        found = found.where(waits(t.inbox), mail.received_at <= until).order_by(mail.id)
        return tuple(
            Unworked(row.sender, tuple(json.loads(row.envelope_to)), row.received_at, row.losses)
            for row in self.connection.execute(found)
        )

    def get(self, id_: int) -> Received | None:
        """All about a mail."""
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
        """An attempt begins; to be committed before the work, so that it is seen if it does not come to an end."""
        _BEGIN.change_soon(self.connection, {"id_": id_})

    def forget(self, id_: int) -> None:
        """Do not count the attempt: another worker was quicker, and the mail is not to blame."""
        self._set(id_, begun=False, owner=None, attempts=t.inbox.c.attempts - 1)
        self._wake_for(id_)

    def failed(self, id_: int) -> None:
        """The attempt ended, and failed by the mail itself."""
        self._set(id_, begun=False, owner=None, failures=t.inbox.c.failures + 1)
        self._wake_for(id_)

    def suspect(self, id_: int, retry_at: datetime) -> None:
        """The attempt was lost, and the mail may be why: the others first, then it alone."""
        values = {"state": InboxState.SUSPECT.value, "begun": False, "owner": None, "retry_at": retry_at}
        mine = update(t.inbox).where(t.inbox.c.id == id_, waits(t.inbox))
        self.connection.execute(mine.values(losses=t.inbox.c.losses + 1, **values))

    def done(self, id_: int, *, kind: str, person: PersonId | None = None, game: str | None = None) -> None:
        """Mark the mail as done; raises ConflictError, now or at the commit, if another worker did it meanwhile."""
        values = {"id_": id_, "its_kind": kind, "its_person": person, "its_game": game}
        _DONE.change_one(self.connection, values, _TAKEN.format(id_))

    def set_aside(self, id_: int, reason: str, holds_up: str | None = None) -> None:
        """Set the mail aside: it cannot be worked, and a game may wait until the operator has looked at it."""
        self._leave(id_, state=InboxState.SET_ASIDE.value, reason=reason[:2000], game=holds_up)

    def wait_for_board(self, id_: int, board: str, reason: str, holds_up: str | None) -> None:
        """Set the mail aside until a board can be read; its game waits with it."""
        self.set_aside(id_, f"{_FOR_BOARD}{board}; {reason}", holds_up)

    def waiting_for_boards(self) -> Mapping[int, str]:
        """Return mail → the board that it was set aside for."""
        aside = (t.inbox.c.state == InboxState.SET_ASIDE.value, t.inbox.c.reason.startswith(_FOR_BOARD))
        found = self.connection.execute(select(t.inbox.c.id, t.inbox.c.reason).where(*aside).order_by(t.inbox.c.id))
        return {row.id: row.reason.removeprefix(_FOR_BOARD).partition(";")[0] for row in found}

    def is_held_up(self, game: str, since: datetime, until: datetime) -> bool:
        """Whether a mail that arrived in that time was set aside and is what a game waits for."""
        mine = (t.inbox.c.state == InboxState.SET_ASIDE.value, t.inbox.c.game == game)
        found = select(t.inbox.c.id).where(*mine, t.inbox.c.received_at.between(since, until)).limit(1)
        return self.connection.execute(found).first() is not None

    def hold(
        self, id_: int, *, kind: str | None = None, person: PersonId | None = None, has_filed: bool = False
    ) -> None:
        """The mail waits for a confirmation; with a kind all of it is done but what has to be confirmed."""
        reason = _FILED if has_filed else None
        self._leave(id_, state=InboxState.UNCONFIRMED.value, kind=kind, person=person, reason=reason)

    def newest(self, most: int) -> tuple[RawMail, ...]:
        """The mails that were stored last."""
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
        """Set a mail aside that waits, for its turn or for its sender's answer; False if it does not."""
        mine = (t.inbox.c.id == id_, among(t.inbox.c.state, (one for one in InboxState if one.can_be_set_aside)))
        values = {"state": InboxState.SET_ASIDE.value, "reason": reason}
        return self.connection.execute(update(t.inbox).where(*mine).values(values)).rowcount == 1

    def drop(self, id_: int) -> bool:
        """Never work a mail; False if it was worked or dropped already."""
        undone = among(t.inbox.c.state, (one for one in InboxState if not one.is_done))
        mine = update(t.inbox).where(t.inbox.c.id == id_, undone)
        return self.connection.execute(mine.values(state=InboxState.DROPPED.value)).rowcount == 1

    def _leave(self, id_: int, **values: object) -> None:
        """The mail is no longer to be worked."""
        mine = update(t.inbox).where(t.inbox.c.id == id_, waits(t.inbox))
        if self.connection.execute(mine.values(begun=False, owner=None, **values)).rowcount != 1:
            raise ConflictError(_TAKEN.format(id_))

    def _wake_for(self, id_: int) -> None:
        """A mail is to be worked once more."""
        row = self.connection.execute(select(t.inbox.c.turn, t.inbox.c.sender).where(t.inbox.c.id == id_)).first()
        if row is not None:
            self.wake(WorkMail(turn_of(row.turn, row.sender)))

    def _set(self, id_: int, **values: object) -> None:
        self.connection.execute(update(t.inbox).where(t.inbox.c.id == id_).values(**values))

    def redact(self, person: PersonId) -> None:
        """Forget what a person's mails said, and where they came from."""
        gone = {"content": b"", "sender": None, "envelope_from": None, "envelope_to": "[]", "reason": None}
        self.connection.execute(update(t.inbox).where(t.inbox.c.person == person).values(**gone))

    def counts(self) -> Mapping[str, int]:
        """State → number of mails."""
        rows = self.connection.execute(select(t.inbox.c.state, func.count()).group_by(t.inbox.c.state))
        return {row[0]: row[1] for row in rows}

    def latest(self, limit: int, state: InboxState | None = None) -> tuple[RowMapping, ...]:
        """The newest mails first, for the operator; contents left out."""
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
        """Whether a Message-ID was used is asked soon, together with something else."""
        _USED.ask_soon(self.connection, {"hash_": hash_}, partial(self._expect_use, hash_))

    def _expect_use(self, hash_: bytes, rows: Sequence[Row]) -> None:
        self.uses[hash_] = bytes(rows[0]["content"]) if rows else None

    def used_for(self, hash_: bytes) -> bytes | None:
        """The content of the proved mail that had a Message-ID; None if none had it."""
        if hash_ not in self.uses:
            self._expect_use(hash_, _USED.rows(self.connection, {"hash_": hash_}))
        return self.uses[hash_]

    def use(self, hash_: bytes, content: bytes, day: date) -> None:
        """Remember the Message-ID of a proved mail, which none had before."""
        self.uses[hash_] = content
        _USE.change_soon(self.connection, {"hash": hash_, "content": content, "day": day})

    def forget_uses(self, before: date) -> None:
        """Forget the Message-IDs of mails that are older."""
        self.connection.execute(delete(t.used_message_id).where(t.used_message_id.c.day < before))

    # Confirmations

    def ask(self, token: str, id_: int, address: str, expires: datetime, summary: str = "") -> None:
        """Remember that a mail is done as soon as `address` answers with the token."""
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
        """Its sender said yes: the mail is worked; that they did can be remembered for a time."""
        self._forget_question(id_)
        if until is not None:
            self.ask(f"{_YES}{id_}", id_, address, until)
        self._set(id_, state=InboxState.WAITING.value, confirmed=True, losses=0, failures=0)
        self._wake_for(id_)

    def choose(self, id_: int, reading: Reading, address: str, until: datetime) -> None:
        """Its sender said what a letter in the mail is meant as: the mail is worked as that."""
        self.confirm(id_)
        self.ask(f"{_CHOSEN}{reading.value} {id_}", id_, address, until)

    def chosen(self, id_: int) -> Reading | None:
        """What a letter in the mail is meant as, if its sender was asked and said so."""
        mine = (t.confirmation.c.inbox == id_, t.confirmation.c.token.startswith(_CHOSEN))
        token = self.connection.execute(select(t.confirmation.c.token).where(*mine)).scalar()
        return None if token is None else Reading(str(token).removeprefix(_CHOSEN).partition(" ")[0])

    def disown(self, id_: int) -> None:
        """Its sender said no: the mail is never worked."""
        self._forget_question(id_)
        self._set(id_, state=InboxState.DONE.value, reason="disowned")

    def count_yes(self, address: str, now: datetime, within: timedelta) -> int:
        """Return how many confirmations of an address are on file that expire within that time."""
        asked = t.confirmation.c
        mine = (asked.address == address, asked.expires > now, asked.expires <= now + within)
        found = select(func.count()).where(*mine, t.confirmation.c.token.startswith(_YES))
        return int(self.connection.execute(found).scalar_one())

    def forget_questions(self, now: datetime) -> None:
        """Forget what can no longer be answered."""
        self.connection.execute(delete(t.confirmation).where(t.confirmation.c.expires <= now))

    # Mails in the name of an address, of which nothing is known to be its own

    def claim(self, id_: int, address: str, summary: str, due: datetime, expires: datetime) -> None:
        """A mail that was held waits until `address` can be asked about it; `summary` says what it would do."""
        self.ask(_due_token(due, id_), id_, address, expires, summary)

    def claims(self, address: str, now: datetime) -> tuple[Claim, ...]:
        """The mails in the name of an address that wait for its word, in the order they came."""
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
        """The addresses that it is time to ask about mails in their names."""
        asked = t.confirmation.c
        due = (asked.token >= _DUE, asked.token < _due_token(now + _MINUTE), asked.expires > now)
        found = select(asked.address).distinct().join(t.inbox, t.inbox.c.id == asked.inbox)
        held = t.inbox.c.state == InboxState.UNCONFIRMED.value
        return tuple(self.connection.execute(found.where(*due, held).order_by(asked.address)).scalars())

    def put_off(self, address: str, due: datetime) -> None:
        """Ask about the mails that wait to be asked about at another time."""
        asked = t.confirmation.c
        waiting = select(asked.token, asked.inbox).where(asked.address == address, asked.token.startswith(_DUE))
        for token, id_ in self.connection.execute(waiting).all():
            later = update(t.confirmation).where(asked.token == token).values(token=_due_token(due, id_))
            self.connection.execute(later)

    def asked_about(self, tokens: Mapping[str, Claim], address: str, within: timedelta) -> None:
        """A letter asks about mails, each by a token that serves for a time from their arrival.

        What an earlier letter asked can still be answered.
        """
        asked, ids = t.confirmation.c, [claim.id for claim in tokens.values()]
        is_of_this_letter = asked.token.in_(tokens.keys())
        waited = and_(asked.inbox.in_(ids), asked.token.startswith(_DUE))
        self.connection.execute(delete(t.confirmation).where(or_(is_of_this_letter, waited)))
        for token, claim in tokens.items():
            self.ask(token, claim.id, address, claim.received_at + within, claim.summary)

    def questions(self, address: str, now: datetime, prefix: str) -> Mapping[str, int]:
        """Token that begins so → the mail that waits for an answer of that address, in the order they came."""
        mine = t.confirmation.c.address == address
        found = _open_questions(now, prefix).where(mine).order_by(t.inbox.c.id)
        return {row.token: row.inbox for row in self.connection.execute(found)}

    def _forget_question(self, id_: int) -> None:
        self.connection.execute(delete(t.confirmation).where(t.confirmation.c.inbox == id_))


def _is_for_another(known: str, recipients: Sequence[str]) -> bool:
    """Whether a copy of a mail was delivered for other recipients than the known one: neither is a second sending."""
    before = {recipient.lower() for recipient in json.loads(known)}
    return bool(before and recipients) and before.isdisjoint(map(str.lower, recipients))


def _due_token(due: datetime, id_: int | None = None) -> str:
    """Sorted by time; without a mail it comes before all of that minute."""
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
