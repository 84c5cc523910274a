"""A store in memory that keeps every promise of the real one: the service is tested on it in milliseconds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, timedelta
from secrets import token_bytes
from typing import Any

from judge.commands import Language, Reading
from judge.errors import ConflictError
from judge.games import Game, GameState, Person, PersonId
from judge.games.events import GameNews, Logged, PhaseClosed
from judge.games.listing import Shelf, shelf_of
from judge.games.person import NO_WISHES
from judge.games.reopening import Past
from judge.mail.letters import LetterKind, Outgoing
from judge.mail.marks import Mark
from judge.rules.position import Phase, Power
from judge.storage import (
    UNPROVED,
    Arrived,
    Census,
    Claim,
    Errand,
    InboxState,
    LetterTags,
    Looked,
    OutboxState,
    Queued,
    Received,
    SentLetter,
    Unworked,
    Waiting,
    Work,
    Written,
)
from judge.storage.records import (
    ClosedPhase,
    DiaryEntry,
    LogEntry,
    Undone,
    entry_of,
    following,
    is_by_vote,
    past_of,
    read_command,
    without_address,
)
from judge.storage.waking import turn_of
from tests.memory_tables import BATCH, LEFT, SUSPENDING_DAYS, TO_BE_WORKED, WORKED, Came, Closed, State, Went, emptied


class MemoryGames:
    def __init__(self, state: State) -> None:
        self.state = state

    def get(self, name: str) -> Game | None:
        return self.state.games.get(name)

    def expect(self, names: Collection[str]) -> None:
        """All are at hand."""

    def current(self, known: Game) -> Game | None:
        now = self.get(known.name)
        return known if now is not None and now.version == known.version else now

    def add(self, game: Game) -> None:
        if game.name in self.state.games:
            raise ConflictError(game.name)
        self.state.games[game.name] = game

    def save(self, game: Game) -> Game:
        before = self.get(game.name)
        if before is None or before.version != game.version:
            raise ConflictError(game.name)
        self.state.games[game.name] = replace(game, version=game.version + 1)
        return self.state.games[game.name]

    def due(self, now: datetime) -> tuple[str, ...]:
        found = [(game.wakes, game.name) for game in self.state.games.values() if game.wakes and game.wakes <= now]
        return tuple(name for _, name in sorted(found))

    def many(self, names: Sequence[str]) -> tuple[Game, ...]:
        return tuple(self.state.games[name] for name in names if name in self.state.games)

    def _sorted(self) -> list[Game]:
        return [game for _, game in sorted(self.state.games.items())]

    def names(self, states: Iterable[GameState], after: str = "", limit: int = 100) -> tuple[str, ...]:
        wanted = tuple(states)
        return tuple(game.name for game in self._sorted() if game.state in wanted and game.name > after)[:limit]

    def on_shelves(
        self, shelves: Collection[Shelf], person: PersonId | None, start: int, limit: int
    ) -> tuple[tuple[str, ...], int]:
        open_ = [game for game in self._sorted() if game.state is not GameState.FINISHED]
        own = [game for game in open_ if shelf_of(game) is Shelf.HIDDEN and person in game.members]
        found = own + [game for game in sorted(open_, key=shelf_of) if shelf_of(game) in shelves]
        return tuple(game.name for game in found)[start : start + limit], len(found)

    def inviting(self, address: str) -> tuple[str, ...]:
        open_ = [game for game in self._sorted() if game.state is not GameState.FINISHED]
        return tuple(game.name for game in open_ if address in {one.address for one in game.invitations})

    def with_outage(self) -> tuple[str, ...]:
        active = [game for game in self._sorted() if game.state is GameState.ACTIVE]
        return tuple(game.name for game in active if game.before_outage is not None)

    def finished_of(self, master: PersonId, limit: int) -> tuple[str, ...]:
        over = [one for one in self._sorted() if one.master == master and one.state is GameState.FINISHED]
        begun = [one for one in over if one.opened_at is not None]
        begun.sort(key=lambda one: one.opened_at.timestamp() if one.opened_at else 0.0, reverse=True)
        return tuple(one.name for one in (*begun, *(one for one in over if one not in begun)))[:limit]

    def of_person(self, person: PersonId) -> tuple[str, ...]:
        games = (game for game in self.state.games.values() if game.state is not GameState.FINISHED)
        return tuple(sorted(game.name for game in games if person in game.members))


class MemoryPeople:
    def __init__(self, state: State) -> None:
        self.state = state

    def by_address(self, address: str) -> Person | None:
        return next((one for one in self.state.people.values() if address.lower() in one.addresses), None)

    def many(self, ids: Iterable[PersonId]) -> Mapping[PersonId, Person]:
        return {id_: self.state.people[id_] for id_ in sorted(set(ids)) if id_ in self.state.people}

    def standing_by(self) -> tuple[Person, ...]:
        return tuple(one for one in self.state.people.values() if one.wishes.standby)

    def add(self, address: str, name: str, language: Language, zone: str) -> Person:
        id_ = PersonId(len(self.state.people) + 1)
        self.state.people[id_] = Person(id_, address.lower(), name, language, zone)
        return self.state.people[id_]

    def save(self, *people: Person) -> None:
        self.state.people |= {person.id: person for person in people}

    def erase(self, person: Person) -> Person:
        self.save(
            replace(person, address=f"erased-{person.id}@invalid", name="…", zone="", wishes=NO_WISHES, second="")
        )
        return self.state.people[person.id]


class MemoryInbox:
    def __init__(self, state: State) -> None:
        self.state = state

    def keep(self, mail: Arrived) -> int | None:
        known = next((one for one in self.state.inbox.values() if one.identity == mail.identity), None)
        if known is not None:
            if mail.raw.envelope_from is not None or known.raw.received_at != mail.raw.received_at:
                self._answer_again(known.id, mail.raw.received_at)
            return None
        id_ = len(self.state.inbox) + 1
        self.state.inbox[id_] = Came(id_, mail.raw, mail.identity, mail.sender, mail.game)
        return id_

    def _answer_again(self, known: int, now: datetime) -> None:
        replies = [
            sent
            for sent in self.state.outbox.values()
            if sent.tags.inbox == known and sent.letter.kind is LetterKind.REPLY
        ]
        if replies and replies[-1].state is OutboxState.SENT:
            again = replace(replies[-1], state=OutboxState.QUEUED, attempts=0, due=now)
            self.state.outbox[again.id] = again

    def _set(self, id_: int, **values: object) -> None:
        self.state.inbox[id_] = replace(self.state.inbox[id_], **values)  # type: ignore[arg-type]

    def next(self, now: datetime) -> Waiting | None:
        undone = [mail for mail in self.state.inbox.values() if mail.state in TO_BE_WORKED]
        ready = [mail for mail in undone if not self._is_behind_a_suspect(mail, undone)]
        waiting = [mail for mail in ready if mail.state is InboxState.WAITING]
        suspects = [m for m in ready if m.state is InboxState.SUSPECT and m.retry_at is not None and m.retry_at <= now]
        return next((mail.waiting for mail in (*waiting, *suspects)), None)

    def _is_behind_a_suspect(self, mail: Came, undone: Sequence[Came]) -> bool:
        suspects = [one for one in undone if one.state is InboxState.SUSPECT]
        return any(one.sender is not None and one.sender == mail.sender and one.id < mail.id for one in suspects)

    def to_be_worked(self, id_: int) -> Waiting | None:
        mail = self.state.inbox.get(id_)
        return mail.waiting if mail is not None and mail.state in TO_BE_WORKED else None

    def take(self, turn: str, now: datetime, heed: Callable[[Waiting], object]) -> None:
        undone = [one for one in self.state.inbox.values() if one.state in TO_BE_WORKED]
        ahead = {one.sender: one for one in reversed(undone) if one.sender is not None}
        heads = sorted({ahead.get(one.sender or "", one).id for one in undone if turn_of(one.turn, one.sender) == turn})
        for mail in map(self.state.inbox.__getitem__, heads):
            if mail.retry_at is None or mail.retry_at <= now:
                if mail.state is InboxState.WAITING and not mail.begun:
                    self.begin(mail.id)
                heed(replace(self.state.inbox[mail.id].waiting, begun=mail.begun))
                return

    def let_go(self) -> int:
        return 0

    def wait_for_game(self, sender: str, game: str) -> None:
        for mail in tuple(self.state.inbox.values()):
            if mail.sender == sender and mail.turn is None and mail.state in TO_BE_WORKED:
                self._set(mail.id, turn=game)

    def unworked(self, since: datetime, until: datetime) -> tuple[Unworked, ...]:
        return tuple(
            Unworked(mail.sender, mail.raw.envelope_to)
            for mail in self.state.inbox.values()
            if mail.state in TO_BE_WORKED and since <= mail.raw.received_at <= until
        )

    def get(self, id_: int) -> Received | None:
        mail = self.state.inbox.get(id_)
        if mail is None:
            return None
        counts = (mail.attempts, mail.failures, mail.losses)
        return Received(
            id_, mail.state, mail.kind, *counts, mail.retry_at, mail.reason, mail.person, mail.game, mail.raw
        )

    def begin(self, id_: int) -> None:
        self._set(id_, begun=True, attempts=self.state.inbox[id_].attempts + 1)

    def forget(self, id_: int) -> None:
        self._set(id_, begun=False, attempts=self.state.inbox[id_].attempts - 1)

    def failed(self, id_: int) -> None:
        self._set(id_, begun=False, failures=self.state.inbox[id_].failures + 1)

    def suspect(self, id_: int, retry_at: datetime) -> None:
        mail = self.state.inbox[id_]
        if mail.state in TO_BE_WORKED:
            self._set(id_, state=InboxState.SUSPECT, begun=False, retry_at=retry_at, losses=mail.losses + 1)

    def done(self, id_: int, *, kind: str, person: PersonId | None = None, game: str | None = None) -> None:
        self._leave(id_, state=InboxState.DONE, kind=kind, person=person, game=game)

    def set_aside(self, id_: int, reason: str, holds_up: str | None = None) -> None:
        self._leave(id_, state=InboxState.SET_ASIDE, reason=reason[:2000], game=holds_up)

    def is_held_up(self, game: str, since: datetime, until: datetime) -> bool:
        aside = [mail for mail in self.state.inbox.values() if mail.state is InboxState.SET_ASIDE and mail.game == game]
        return any(since <= mail.raw.received_at <= until for mail in aside)

    def hold(self, id_: int, *, kind: str | None = None, person: PersonId | None = None) -> None:
        self._leave(id_, state=InboxState.UNCONFIRMED, kind=kind, person=person)

    def _leave(self, id_: int, **values: object) -> None:
        if self.state.inbox[id_].state not in TO_BE_WORKED:
            raise ConflictError(f"mail {id_} was worked by somebody else")
        self._set(id_, begun=False, **values)

    def ask(self, token: str, id_: int, address: str, expires: datetime, summary: str = "") -> None:
        assert token not in self.state.questions
        self.state.questions[token] = (id_, address, expires, summary)

    def held_for(self, token: str, address: str, now: datetime) -> int | None:
        id_, asked, expires, _ = self.state.questions.get(token, (0, "", now, ""))
        held = self.state.inbox.get(id_)
        is_open = held is not None and held.state is InboxState.UNCONFIRMED and expires > now
        return id_ if is_open and asked == address else None

    def confirm(self, id_: int, address: str = "", until: datetime | None = None) -> None:
        self._forget_question(id_)
        if until is not None:
            self.ask(f"yes {id_}", id_, address, until)
        self._set(id_, state=InboxState.WAITING, confirmed=True, losses=0, failures=0)

    def choose(self, id_: int, reading: Reading, address: str, until: datetime) -> None:
        self.confirm(id_)
        self.ask(f"meant as {reading.value} {id_}", id_, address, until)

    def chosen(self, id_: int) -> Reading | None:
        tokens = [one for one, (held, *_) in self.state.questions.items() if held == id_ and one.startswith("meant")]
        return Reading(tokens[0].split()[2]) if tokens else None

    def disown(self, id_: int) -> None:
        self._forget_question(id_)
        self._set(id_, state=InboxState.DONE, reason="disowned")

    def count_yes(self, address: str, now: datetime, within: timedelta) -> int:
        rows = [row for token, row in self.state.questions.items() if token.startswith("yes ")]
        return sum(asked == address and now < expires <= now + within for _, asked, expires, _ in rows)

    def claim(self, id_: int, address: str, summary: str, due: datetime, expires: datetime) -> None:
        self.ask(f"waits {due:%Y%m%d%H%M} {id_}", id_, address, expires, summary)

    def claims(self, address: str, now: datetime) -> tuple[Claim, ...]:
        asked: dict[int, tuple[str, bool]] = {}
        for token, (id_, to, expires, summary) in self.state.questions.items():
            held = self.state.inbox[id_]
            if to == address and expires > now and held.state is InboxState.UNCONFIRMED and held.kind is None:
                asked[id_] = summary, not token.startswith("waits ") or (id_ in asked and asked[id_][1])
        return tuple(Claim(id_, self.state.inbox[id_].raw.received_at, *asked[id_]) for id_ in sorted(asked))

    def due_claims(self, now: datetime) -> tuple[str, ...]:
        due = f"waits {now + timedelta(minutes=1):%Y%m%d%H%M}"
        return tuple(sorted({to for token, _, to in self._open(now, "waits ") if token < due}))

    def put_off(self, address: str, due: datetime) -> None:
        for token, row in list(self.state.questions.items()):
            if token.startswith("waits ") and row[1] == address:
                del self.state.questions[token]
                self.state.questions[f"waits {due:%Y%m%d%H%M} {row[0]}"] = row

    def asked_about(self, tokens: Mapping[str, Claim], address: str, within: timedelta) -> None:
        ids = {claim.id for claim in tokens.values()}
        for token, (id_, *_) in list(self.state.questions.items()):
            if token in tokens or (id_ in ids and token.startswith("waits ")):
                del self.state.questions[token]
        for token, claim in tokens.items():
            self.ask(token, claim.id, address, claim.received_at + within, claim.summary)

    def questions(self, address: str, now: datetime, prefix: str) -> Mapping[str, int]:
        found = {token: id_ for token, id_, asked in self._open(now, prefix) if asked == address}
        return dict(sorted(found.items(), key=lambda item: item[1]))

    def _open(self, now: datetime, prefix: str) -> Iterator[tuple[str, int, str]]:
        for token, (id_, asked, expires, _) in self.state.questions.items():
            is_open = expires > now and self.state.inbox[id_].state is InboxState.UNCONFIRMED
            if is_open and token.startswith(prefix):
                yield token, id_, asked

    def _forget_question(self, id_: int) -> None:
        for token in [token for token, (held, *_) in self.state.questions.items() if held == id_]:
            del self.state.questions[token]

    def expect_use(self, hash_: bytes) -> None:
        """All is at hand."""

    def used_for(self, hash_: bytes) -> bytes | None:
        content, _ = self.state.uses.get(hash_, (None, None))
        return content

    def use(self, hash_: bytes, content: bytes, day: date) -> None:
        self.state.uses[hash_] = (content, day)

    def forget_uses(self, before: date) -> None:
        for hash_ in [hash_ for hash_, (_, day) in self.state.uses.items() if day < before]:
            del self.state.uses[hash_]

    def forget_questions(self, now: datetime) -> None:
        self.state.questions = {token: one for token, one in self.state.questions.items() if one[2] > now}

    def redact(self, person: PersonId) -> None:
        for mail in [mail for mail in self.state.inbox.values() if mail.person == person]:
            self._set(mail.id, raw=emptied(mail.raw), sender=None, reason=None)

    def counts(self) -> Mapping[str, int]:
        return Counter(mail.state.value for mail in self.state.inbox.values())


class MemoryOutbox:
    def __init__(self, state: State) -> None:
        self.state = state

    def _set(self, ids: Iterable[int], **values: object) -> None:
        for id_ in list(ids):
            self.state.outbox[id_] = replace(self.state.outbox[id_], **values)  # type: ignore[arg-type]

    def _in(self, *states: OutboxState) -> list[Went]:
        return [mail for mail in self.state.outbox.values() if mail.state in states]

    def queue(self, letter: Outgoing, tags: LetterTags, now: datetime, until: datetime | None = None) -> None:
        if self.is_queued(tags.key):
            return
        self.state.keys.add(tags.key)
        id_ = len(self.state.outbox) + 1
        state = OutboxState.GATHERING if until else OutboxState.QUEUED
        self.state.outbox[id_] = Went(id_, letter, tags, until or now, now, state)

    def is_queued(self, key: str) -> bool:
        return key in self.state.keys

    def queue_all(self, letters: Sequence[tuple[Outgoing, LetterTags]], now: datetime) -> None:
        for letter, tags in letters:
            self.queue(letter, tags, now)

    def waiting(self, now: datetime) -> tuple[Written, ...]:
        return tuple(mail.written for mail in self._in(OutboxState.GATHERING) if mail.due <= now)

    def release(self, person: PersonId, now: datetime, game: str | None = None) -> None:
        mine = [mail for mail in self._in(OutboxState.GATHERING) if mail.tags.person == person]
        self._set((mail.id for mail in mine if game in (None, mail.tags.game)), due=now)

    def gather(self, ids: Sequence[int], letter: Outgoing, now: datetime) -> None:
        self._set(ids[:1], state=OutboxState.QUEUED, due=now, queued_at=now, letter=letter)
        self._set(ids[1:], state=OutboxState.GATHERED, reason=f"in letter {ids[0]}")

    def lease(
        self, now: datetime, limit: int, lease_time: timedelta, without: Collection[str] = ()
    ) -> tuple[Queued, ...]:
        due = [m for m in self._in(OutboxState.QUEUED) if m.due <= now and m.letter.domain not in without]
        due.sort(key=lambda mail: (mail.due, mail.attempts, mail.id))
        held = list(filter(self._is_held, due))
        self._set((mail.id for mail in held), state=OutboxState.HELD, reason="the address is suspended")
        batch = [mail for mail in due if mail not in held][:limit]
        self._set((mail.id for mail in batch), due=now + lease_time)
        return tuple(Queued(mail.id, mail.letter, mail.attempts, mail.queued_at) for mail in batch)

    def ready(self, now: datetime, limit: int, without: Collection[str] = ()) -> tuple[Queued, ...] | None:
        due = [m for m in self._in(OutboxState.QUEUED) if m.due <= now and m.letter.domain not in without]
        due.sort(key=lambda mail: (mail.due, mail.attempts, mail.id))
        if self.waiting(now) or any(map(self._is_held, due[:limit])):
            return None
        return tuple(Queued(mail.id, mail.letter, mail.attempts, mail.queued_at) for mail in due[:limit])

    def end_leases(self, now: datetime) -> None:
        first = [mail.id for mail in self._in(OutboxState.QUEUED) if mail.attempts == 0 and mail.due > now]
        self._set(first, due=now)

    def is_to_be_marked(self, queued: Queued) -> bool:
        mail = self.state.outbox[queued.id]
        return mail.state is OutboxState.QUEUED and mail.attempts == queued.attempts

    def sent(self, ids: Collection[int], attempts: int = 0) -> None:
        queued = [mail.id for mail in self._in(OutboxState.QUEUED) if mail.id in ids and mail.attempts == attempts]
        self._set(queued, state=OutboxState.SENT, reason=None)

    def deferred(self, id_: int, until: datetime, reason: str) -> None:
        self._set(
            [id_],
            state=OutboxState.QUEUED,
            due=until,
            attempts=self.state.outbox[id_].attempts + 1,
            reason=reason[:500],
        )

    def postponed(self, id_: int, until: datetime, reason: str) -> None:
        self._set([id_], due=until, reason=reason[:500])

    def failed(self, id_: int, reason: str) -> None:
        self._set([id_], state=OutboxState.FAILED, reason=reason[:500])

    def redact(self, person: PersonId, address: str) -> None:
        self._set(
            [mail.id for mail in self._in(OutboxState.GATHERING) if mail.tags.person == person],
            state=OutboxState.DROPPED,
        )
        for mail in list(self.state.outbox.values()):
            if mail.tags.person == person and mail.state is not OutboxState.QUEUED:
                nobody, letter = f"erased-{person}@invalid", mail.letter
                gone = Outgoing(letter.kind, nobody, letter.message_id, mail.queued_at, "", None, "", "")
                self._set([mail.id], letter=gone, reason=None)
        self.state.bounces -= {one for one in self.state.bounces if one[0] == address}

    def bounced(self, id_: int, reason: str) -> Written | None:
        mail = self.state.outbox.get(id_)
        if mail is None or mail.state not in (OutboxState.SENT, OutboxState.QUEUED):
            return None
        self._set([id_], state=OutboxState.BOUNCED, reason=reason[:500])
        return self.get(id_)

    def count_bounce(self, address: str, day: date) -> bool:
        was_suspended = self._is_suspended(address)
        self.state.bounces.add((address, day))
        return not was_suspended and self._is_suspended(address)

    def _is_held(self, mail: Went) -> bool:
        return mail.letter.kind is not LetterKind.CONFIRM and self._is_suspended(mail.letter.recipient)

    def _is_suspended(self, address: str) -> bool:
        return sum(one == address for one, _ in self.state.bounces) >= SUSPENDING_DAYS

    def expect(self, address: str, since: datetime) -> None:
        """All is at hand."""

    def forget_bounces(self, address: str, now: datetime) -> bool:
        was_suspended = self._is_suspended(address)
        self.state.bounces -= {one for one in self.state.bounces if one[0] == address}
        if was_suspended:
            held = [mail.id for mail in self._in(OutboxState.HELD) if mail.letter.recipient == address]
            self._set(held, state=OutboxState.QUEUED, due=now, queued_at=now, reason=None)
        return was_suspended

    def get(self, id_: int) -> Written | None:
        mail = self.state.outbox.get(id_)
        return mail.written if mail is not None else None

    def mails_answered(self, mails: Collection[int]) -> frozenset[int]:
        sent = [mail for mail in self.state.outbox.values() if mail.state is OutboxState.SENT]
        answers = [mail.tags.inbox for mail in sent if mail.letter.kind is LetterKind.REPLY]
        return frozenset(inbox for inbox in answers if inbox is not None and inbox in mails)

    def by_message_id(self, message_id: str) -> SentLetter | None:
        for mail in self.state.outbox.values():
            if mail.letter.message_id == message_id:
                tags, letter = mail.tags, mail.letter
                what = (tags.person, tags.game, tags.phase, tags.power, letter.kind)
                return SentLetter(*what, letter.recipient, letter.text, tags.inbox, letter.room)
        return None

    def opening_reports(self, game: str) -> dict[PersonId, str]:
        reports = [mail for mail in self.state.outbox.values() if mail.letter.kind is LetterKind.REPORT]
        mine = [mail for mail in reports if mail.tags.game == game and mail.tags.person is not None]
        return {mail.tags.person: mail.letter.message_id for mail in reversed(mine) if mail.tags.person is not None}

    def report_ids(self, game: str, person: PersonId, phase: str | None = None) -> tuple[str, ...]:
        reports = [
            (mail.tags.phase == phase, mail.letter.message_id)
            for mail in self.state.outbox.values()
            if (mail.tags.game, mail.tags.person, mail.letter.kind) == (game, person, LetterKind.REPORT)
        ]
        on_phase = [id_ for is_on_it, id_ in reports if is_on_it] or [id_ for _, id_ in reports]
        return tuple(dict.fromkeys([*(id_ for _, id_ in reports[:1]), *on_phase[-1:]]))

    def count_keyed(self, prefix: str, since: datetime, recipient: str | None = None) -> int:
        return sum(
            mail.tags.key.startswith(prefix) and mail.queued_at >= since and recipient in (None, mail.letter.recipient)
            for mail in self.state.outbox.values()
        )

    def times_keyed(self, prefix: str, since: datetime, recipients: Collection[str]) -> tuple[datetime, ...]:
        mails = [mail for mail in self.state.outbox.values() if mail.letter.recipient in recipients]
        return tuple(sorted(m.queued_at for m in mails if m.tags.key.startswith(prefix) and m.queued_at >= since))

    def count_to(self, recipient: str, since: datetime, *, proved: bool) -> int:
        mine = [m for m in self.state.outbox.values() if m.letter.recipient == recipient and m.queued_at >= since]
        if proved:
            return sum(mail.letter.kind is LetterKind.REPLY for mail in mine)
        return sum(mail.tags.person is None or mail.tags.key.startswith(UNPROVED) for mail in mine)


class MemoryRecords:
    def __init__(self, state: State) -> None:
        self.state = state

    def close(self, event: PhaseClosed, record: str) -> None:
        self._mark(event.game.name, Undone.CAN_BE_REDONE, Undone.FOR_EVER)
        self.put(event.game.name, str(event.phase), event.at, record)

    def put(self, game: str, phase: str, closed_at: datetime, record: str) -> None:
        self.state.history.append(Closed(game, phase, closed_at, record))

    def _mark(self, game: str, before: Undone, after: Undone) -> None:
        self.state.history[:] = [
            replace(one, undone=after) if (one.game, one.undone) == (game, before) else one
            for one in self.state.history
        ]

    def phases(self, game: str) -> tuple[ClosedPhase, ...]:
        return tuple(
            ClosedPhase(Phase.parse(one.phase), one.closed_at, json.loads(one.record), place)
            for place, one in self._of(game)
            if one.undone is Undone.NO
        )

    def at(self, game: str, place: int) -> ClosedPhase:
        one = dict(self._of(game))[place]
        return ClosedPhase(Phase.parse(one.phase), one.closed_at, json.loads(one.record), place)

    def _of(self, game: str) -> Iterator[tuple[int, Closed]]:
        return enumerate(one for one in self.state.history if one.game == game)

    def latest(self, game: str) -> ClosedPhase | None:
        return next(reversed(self.phases(game)), None)

    def closed_at(self, game: str, phase: Phase) -> datetime | None:
        return next((one.closed_at for one in self.phases(game) if one.phase == phase), None)

    def past(self, game: str, phase: Phase) -> Past | None:
        return next((past_of(one.record) for one in self.phases(game) if one.phase == phase), None)

    def before_rollback(self, game: str) -> Past | None:
        gone = [one for one in self.state.history if (one.game, one.undone) == (game, Undone.CAN_BE_REDONE)]
        return following(json.loads(gone[-1].record)) if gone else None

    def roll_back(self, game: str, phase: Phase) -> None:
        self._mark(game, Undone.CAN_BE_REDONE, Undone.FOR_EVER)
        counting = [
            place for place, one in enumerate(self.state.history) if (one.game, one.undone) == (game, Undone.NO)
        ]
        first = max(place for place in counting if self.state.history[place].phase == str(phase))
        for place in counting:
            if place >= first:
                self.state.history[place] = replace(self.state.history[place], undone=Undone.CAN_BE_REDONE)

    def redo(self, game: str) -> None:
        self._mark(game, Undone.CAN_BE_REDONE, Undone.NO)

    def forget_rollback(self, game: str) -> None:
        self._mark(game, Undone.CAN_BE_REDONE, Undone.FOR_EVER)

    def log(self, event: GameNews | Logged) -> None:
        self.put_log(event.game.name, event.at, str(event.game.position.phase), event.power, entry_of(event))

    def put_log(self, game: str, at: datetime, phase: str, power: str | None, entry: str) -> None:
        self.state.log.append((game, at, phase, power, entry))

    def entries(self, game: Game) -> tuple[LogEntry, ...]:
        return tuple(
            LogEntry(
                at,
                Phase.parse(phase),
                Power(power) if power else None,
                without_address(read_command(entry)),
                is_by_vote(entry),
            )
            for name, at, phase, power, entry in self.state.log
            if name == game.name
        )

    def note(self, game: Game, person: PersonId, text: str, now: datetime) -> None:
        self.state.notes.append((game.name, DiaryEntry(person, now, game.position.phase, text)))

    def diary(self, game: str, person: PersonId) -> tuple[DiaryEntry, ...]:
        return tuple(entry for name, entry in self.state.notes if name == game and entry.person == person)


class MemoryWork:
    """A unit of work on a copy of the state, which `commit` puts in the state's place."""

    def __init__(self, store: MemoryStore) -> None:
        self.store = store
        self.state = store.state.copied()
        self.games = MemoryGames(self.state)
        self.people = MemoryPeople(self.state)
        self.inbox = MemoryInbox(self.state)
        self.outbox = MemoryOutbox(self.state)
        self.records = MemoryRecords(self.state)
        self.errands: list[Errand] = []

    def wake(self, errand: Errand) -> None:
        self.errands.append(errand)

    def commit(self) -> None:
        self.store.state = self.state.copied()

    def secret(self, name: str) -> bytes:
        return self.state.secrets.setdefault(name, token_bytes(32))

    def mark(self, source: str) -> Mark | None:
        return self.state.marks.get(source)

    def set_mark(self, source: str, mark: Mark) -> None:
        self.state.marks[source] = mark

    def has_read(self, source: str) -> bool:
        return any(came.raw.source == source for came in self.state.inbox.values())

    def old_secret(self, _name: str) -> bytes | None:
        return None

    def data_of(self, person: Person) -> Mapping[str, Any]:
        mails = [{"id": mail.id} for mail in self.state.inbox.values() if mail.person == person.id]
        letters = [{"id": mail.id} for mail in self.state.outbox.values() if mail.tags.person == person.id]
        games = [{"game": game.name} for game in self.state.games.values() if person.id in game.members]
        return {"games": games, "diary": [], "mails from you": mails, "mails to you": letters}

    def census(self) -> Census:
        came = [mail for mail in self.state.inbox.values() if mail.state in TO_BE_WORKED]
        going = [mail.queued_at for mail in self.state.outbox.values() if mail.state is OutboxState.QUEUED]
        wakes = [game.wakes for game in self.state.games.values() if game.wakes is not None]
        return Census(
            inbox=self.inbox.counts(),
            outbox=Counter(mail.state.value for mail in self.state.outbox.values()),
            games=Counter(game.state.value for game in self.state.games.values()),
            waiting_since=came[0].raw.received_at if came else None,
            queued_since=min(going, default=None),
            due_since=min(wakes, default=None),
        )

    def shrink(self) -> bool:
        return False

    def redact(self, before: datetime, looked: Looked) -> Looked:
        came = [mail for mail in self.state.inbox.values() if mail.id > looked.inbox][:BATCH]
        came = came if any(mail.raw.received_at < before for mail in came) else []
        for mail in came:
            if mail.raw.received_at < before and mail.state in WORKED and mail.raw.content:
                self.state.inbox[mail.id] = replace(mail, raw=emptied(mail.raw), sender=None)
        went = [mail for mail in self.state.outbox.values() if mail.id > looked.outbox][:BATCH]
        went = went if any(mail.queued_at < before for mail in went) else []
        for sent in went:
            if sent.queued_at < before and sent.state in LEFT:
                gone = replace(sent.letter, subject="", text="", html=None, attachments=(), pictures=())
                self.state.outbox[sent.id] = replace(sent, letter=gone)
        return Looked(came[-1].id if came else looked.inbox, went[-1].id if went else looked.outbox)


class MemoryStore:
    """All is forgotten with it; a state may be put in, and taken out again."""

    is_in_memory = True
    is_shared = False
    worker = "double"
    shown_url = "memory"

    def __init__(self, state: State | None = None) -> None:
        self.state = state or State()

    @contextmanager
    def work(self, *, may_be_lost: bool = False) -> Iterator[Work]:
        del may_be_lost  # so is all of it
        yield MemoryWork(self)

    look = work

    def keep_all(self, mails: Sequence[Arrived]) -> list[int | None]:
        work = MemoryWork(self)
        kept = [work.inbox.keep(mail) for mail in mails]
        work.commit()
        return kept

    def close(self) -> None:
        pass
