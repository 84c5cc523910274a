"""Turn rendered reports into letters with addresses, threads and Message-IDs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import product
from typing import TypeAlias

from judge.commands import Broadcast, Mailing, Press
from judge.commands.question import publication
from judge.games.events import GameEnded, GameStarted, PhaseClosed
from judge.games.game import Game, GameState, Seat
from judge.games.person import Person, PersonId
from judge.games.press import correspondents
from judge.games.sight import powers_of, report_seen_by
from judge.mail.letters import Attachment, LetterKind, Outgoing, Picture, RawMail
from judge.mail.proof import (
    CONFIRM,
    bounced_letter,
    new_message_id,
    offer_address,
    power_address,
    reply_address,
    same_token,
    token_for,
)
from judge.mail.signing import Keyring
from judge.mailbox import name_before
from judge.reports.buttons import link_to
from judge.reports.phases import phase_reports
from judge.reports.readers import Reader, Rendered, Role
from judge.reports.sections import NO_RETROSPECT, Addresses, PowerAddress, Retrospect
from judge.reports.turning import turning_points
from judge.rules.position import Phase, PhaseKind, Power
from judge.service.post.addresses import address_book
from judge.service.post.calendars import deadline_files
from judge.service.post.facts import facts_of
from judge.service.post.past import centers_by_year, shared_diaries, turns_of
from judge.service.post.pictures import (
    PictureSource,
    front_of,
    illustrations,
    of_end,
    of_last_phase,
    of_open_phase,
    viewed,
)
from judge.storage import LetterTags, Work

_Reported: TypeAlias = GameStarted | PhaseClosed | GameEnded


@dataclass(frozen=True, slots=True)
class LetterWriter:
    """Writes letters; holds the judge's address, its secret and its keys."""

    address: str
    secret: bytes
    keyring: Keyring
    old_secret: bytes | None = None
    """Tokens made with the previous secret are still accepted."""
    draws: bool = True
    """Whether reports contain pictures."""
    site: str = ""
    """The address of the archive of finished games; "" for none."""

    @property
    def secrets(self) -> tuple[bytes, ...]:
        """All accepted secrets, the newest first."""
        return (self.secret,) if self.old_secret is None else (self.secret, self.old_secret)

    def letter_that_came_back(self, raw: RawMail) -> int | None:
        """Return the letter of ours that a mail is a bounce of.

        It is known by its secret envelope sender. None for other mail.
        """
        return next(filter(None, (bounced_letter(raw, self.address, key) for key in self.secrets)), None)

    def reply_token(self, game: Game, person: PersonId) -> str:
        """Return a person's reply token in a game.

        It expires when the seat changes hands, and by NEW SECRET.
        """
        return self._reply_tokens(game, person)[0]

    def is_reply_token(self, token: str, game: Game, person: PersonId) -> bool:
        """Whether a token is a person's reply token in a game."""
        return any(same_token(token, known) for known in self._reply_tokens(game, person))

    def _reply_tokens(self, game: Game, person: PersonId) -> tuple[str, ...]:
        serials = _serials(game, person)
        return tuple(token_for(secret, "reply", game.name, person, serials) for secret in self.secrets)

    def address_to(self, game: Game, person: PersonId, seat: Seat, whom: Power | None) -> str:
        """Return a person's address for press from a seat to a power, or to all.

        It expires when the person no longer plays the seat, and by NEW SECRET.
        """
        return power_address(self.address, game.name, whom or "all", self._tokens_to(game, person, seat, whom)[0])

    def addresses_of(self, game: Game, person: PersonId) -> Addresses | None:
        """Return the private addresses of a player; None if there are none."""
        whom, seats = correspondents(game, person), game.seats_of(person)
        found = [(one, self.address_to(game, person, seats[0], one)) for one in whom]
        rows = tuple(PowerAddress(power, address, link_to(address)) for power, address in found)
        return Addresses(game.name, tuple(seat.power for seat in seats), rows) if rows else None

    def press_meant(self, token: str, game: Game, person: PersonId) -> Press | Broadcast | None:
        """Return the press that the token of a private address stands for.

        Return None if the token is not one of that person's.
        """
        for whom, seat in product((None, *game.map.powers), game.seats_of(person)):
            if any(same_token(token, known) for known in self._tokens_to(game, person, seat, whom)):
                return Broadcast() if whom is None else Press((whom,))
        return None

    def _tokens_to(self, game: Game, person: PersonId, seat: Seat, whom: Power | None) -> tuple[str, ...]:
        parts = ("to", game.name, person, _serial(game, person, seat), whom or "")
        return tuple(token_for(secret, *parts) for secret in self.secrets)

    def taps_of(self, game: Game, person: PersonId) -> str:
        """Return the address in the mailto links of a player's letter.

        It is valid for the open phase.
        """
        token = self._tap_tokens(game, person, game.position.phase)[0]
        return reply_address(self.address, game.name, token)

    def is_tap_token(self, token: str, game: Game, person: PersonId, phase: Phase) -> bool:
        """Whether a token comes from the links a person was sent for a phase."""
        return any(same_token(token, known) for known in self._tap_tokens(game, person, phase))

    def _tap_tokens(self, game: Game, person: PersonId, phase: Phase) -> tuple[str, ...]:
        """Return the tokens of a phase, newest first.

        In the open phase, links from before a rollback are invalid.
        """
        parts = ("tap", game.name, person, _serials(game, person), phase)
        oldest = game.rollbacks if phase == game.position.phase else 0
        times = range(game.rollbacks, oldest - 1, -1)
        return tuple(token_for(secret, *parts, *([n] if n else [])) for n, secret in product(times, self.secrets))

    def write(
        self,
        kind: LetterKind,
        person_address: str,
        rendered: Rendered,
        tags: LetterTags,
        now: datetime,
        game: Game | None = None,
    ) -> Outgoing:
        """Write a letter to a registered address.

        The same `tags.key` gives the same Message-ID.
        """
        reply_to = None
        if game is not None and tags.person is not None:
            reply_to = reply_address(self.address, game.name, self.reply_token(game, tags.person))
        host = self.address.rsplit("@", 1)[1]
        message_id = new_message_id(self.secret, self.address, tags.key)
        if reply_to is None and name_before(person_address):  # a reply must tell who of the mailbox it is from
            reply_to = offer_address(self.address, CONFIRM, message_id)
        return Outgoing(
            kind=kind,
            recipient=person_address,
            message_id=message_id,
            date=now,
            sender=self.address,
            sender_name=rendered.sender,
            reply_to=reply_to,
            subject=rendered.subject,
            text=rendered.text,
            html=rendered.html,
            pictures=tuple(Picture(one.cid, one.source, one.filename) for one in rendered.illustrations),
            list_id=f"{game.name}.{host}" if game is not None else None,
        )


def _serials(game: Game, person: PersonId) -> str:
    """Return the state of a person's seats, on which their secret addresses depend."""
    return ",".join(_serial(game, person, seat) for seat in game.seats_of(person))


def _serial(game: Game, person: PersonId, seat: Seat) -> str:
    """Return the state of a seat; for a sitter, with the beginning of the sitting.

    The addresses of a sitter end with the sitting, and a later sitting has others.
    """
    sat = [one.since for one in game.sittings if one.sitter == person and one.player == seat.holder]
    changes = (seat.renewed, *(sat if seat.holder != person else ()))
    return ":".join([f"{seat.power}:{seat.serial}", *(one.isoformat() for one in changes if one is not None)])


def with_links(writer: LetterWriter, game: Game, reader: Reader) -> Reader:
    """Return the reader with the address for the mailto links in their letters."""
    return replace(reader, buttons_to=writer.taps_of(game, reader.person.id)) if reader.powers else reader


def with_addresses(writer: LetterWriter, game: Game, reader: Reader) -> Reader:
    """Return the reader with their private addresses.

    If each seat has its own letter, only the letter of the first seat has them.
    """
    seats = game.seats_of(reader.person.id)
    is_first = bool(seats) and reader.powers[:1] == (seats[0].power,)
    return replace(reader, addresses=writer.addresses_of(game, reader.person.id) if is_first else None)


def readers_of(work: Work, game: Game) -> tuple[Reader, ...]:
    """Return everyone who gets the reports of a game, each once.

    They are players, applicants, masters and observers.
    """
    people = work.people.many(game.members)

    def reader(id_: PersonId) -> Reader:
        powers = tuple(seat.power for seat in game.seats_of(id_))
        role = Role.MASTER if id_ in game.masters else Role.PLAYER if powers else Role.OBSERVER
        return Reader(people[id_], role, powers)

    return tuple(map(reader, game.members))


def queue_reports(
    work: Work, writer: LetterWriter, event: GameStarted | PhaseClosed | GameEnded, now: datetime
) -> None:
    """Queue the report of an event for everyone in the game."""
    game = event.game
    readers = tuple(with_links(writer, game, one) for reader in readers_of(work, game) for one in _seats(game, reader))
    if isinstance(event, GameStarted):
        readers = tuple(with_addresses(writer, game, reader) for reader in readers)
    people = {reader.person.id: reader.person for reader in readers}
    told = [one for seen, some in _by_sight(event, readers) for one in _told(work, writer, seen, some, people, now)]
    # A phase may be closed again after a rollback, and a game may start anew: the version tells these apart.
    is_start = isinstance(event, GameStarted)  # before it there was no fog
    what = f"{type(event).__name__} {game.version if is_start else cause_in(game, now)}"
    openings = dict(work.outbox.opening_reports(game.name))
    letters = []
    for reader, report, facts in told:
        person = reader.person
        tags = LetterTags(
            f"report {game.name} {what} {person.id}{_which(game, reader)}",
            person=person.id,
            game=game.name,
            phase=str(game.position.phase) if game.is_running else None,
            power=reader.powers[0] if len(reader.powers) == 1 else None,
            asks=(publication(),) if game.publish_at and game.may_withhold(person.id) else (),
        )
        letter = writer.write(LetterKind.REPORT, person.address, report, tags, now, game)
        opening = openings.get(person.id)
        letter = replace(below(letter, (opening,) if opening else ()), attachments=facts)
        openings.setdefault(person.id, letter.message_id)
        letters.append((with_way_out(letter, reader), tags))
        if person.preferences.mailing is Mailing.REPORTS:
            work.outbox.release(now, person.id, game.name)
    work.outbox.release(now, game=game.name, kind=LetterKind.REPLY)  # receipts on orders leave before the results
    work.outbox.queue_all(letters, now)
    note_zone_hints(work, [one.person.id for one, report, _ in told if report.hints_zone])


def cause_in(game: Game, now: datetime) -> str:
    """Return what tells letters of one kind about a game apart.

    It is the game's version. In fog the version would reveal who changed the game. There, the phase, the number of
    rollbacks and the time are used instead.
    """
    return f"{game.position.phase} {game.rollbacks} {now.isoformat()}" if game.is_foggy else str(game.version)


def _by_sight(event: _Reported, readers: Sequence[Reader]) -> Sequence[tuple[_Reported, Sequence[Reader]]]:
    """Return the event as it is seen, with the readers who see that.

    Without fog all readers see the same. In fog each player sees something else.
    """
    game = event.game
    if not game.is_foggy:
        return ((event, readers),)
    groups: dict[tuple[Power, ...], list[Reader]] = {}
    for reader in readers:
        groups.setdefault(powers_of(game, reader.person.id), []).append(reader)
    return [(report_seen_by(event, some[0].person.id), some) for some in groups.values()]


def _told(
    work: Work,
    writer: LetterWriter,
    event: _Reported,
    readers: Sequence[Reader],
    people: Mapping[PersonId, Person],
    now: datetime,
) -> Iterator[tuple[Reader, Rendered, tuple[Attachment, ...]]]:
    """Yield each reader with their report and files; `event` is what they all see."""
    game = event.game
    retrospect = _retrospect(work, writer, game, people) if game.state is GameState.FINISHED else NO_RETROSPECT
    pictures = viewed(work, _pictures(work, event)) if writer.draws else ()
    here = [reader.person for reader in readers]
    alike = {(person.language, person.maps): person for person in here}
    made = {wish: illustrations(pictures, person) for wish, person in alike.items()}
    shown = {}
    has_fronts = not isinstance(event, PhaseClosed) or PhaseKind.MOVEMENT in (
        event.phase.kind,
        game.position.phase.kind,
    )
    for person in here:
        common = made[person.language, person.maps]
        held = [power for reader in readers if reader.person.id == person.id for power in reader.powers if has_fronts]
        shown[person.id] = (*common[:1], *front_of(pictures, held, person), *common[1:])
    reports = phase_reports(event, readers, people, now, retrospect, shown)
    facts = facts_of(work, event)
    calendars = deadline_files(game, writer.address, here, now)
    for reader, report in zip(readers, reports, strict=True):
        person = reader.person
        calendar = calendars.get(person.language, ()) if person.calendar else ()
        books = (address_book(reader.addresses, game, person.language),) if reader.addresses is not None else ()
        yield reader, report, (*(facts if person.preferences.facts else ()), *calendar, *books)


def _retrospect(work: Work, writer: LetterWriter, game: Game, people: Mapping[PersonId, Person]) -> Retrospect:
    """Return what the last report tells of the whole game."""
    years = centers_by_year(work, game)
    return Retrospect(
        years,
        shared_diaries(work, game, people),
        turning_points(game.map, turns_of(work, game)),
        writer.site if years and game.settings.listed else "",
    )


def note_zone_hints(work: Work, told: Collection[PersonId]) -> None:
    """Count the letters that told people how to choose a time zone."""
    for person in work.people.many(told).values() if told else ():
        counted = replace(person.preferences, zone_hints=person.preferences.zone_hints + 1)
        work.people.save(replace(person, preferences=counted))


def _seats(game: Game, reader: Reader) -> Sequence[Reader]:
    """Return the reader; one for each of their seats if seats have their own reports."""
    if not game.settings.seat_reports or len(reader.powers) < 2:
        return (reader,)
    return [replace(reader, powers=(power,)) for power in reader.powers]


def _which(game: Game, reader: Reader) -> str:
    """Return a suffix that keeps the keys of one person's seats apart."""
    return f" {reader.powers[0]}" if game.settings.seat_reports and reader.powers else ""


def _pictures(work: Work, event: _Reported) -> tuple[PictureSource, ...]:
    """Return the pictures in the reports of an event; the orders come first."""
    if event.game.state is GameState.FINISHED:
        return of_end(work, event.game)
    return of_last_phase(work, event.game) if isinstance(event, PhaseClosed) else (of_open_phase(event.game),)


def about_a_report(work: Work, letter: Outgoing, game: Game, person: PersonId, phase: Phase | None = None) -> Outgoing:
    """Thread a notice below the report on a phase; by default the open phase."""
    return below(letter, work.outbox.report_ids(game.name, person, str(phase or game.position.phase)))


def below(letter: Outgoing, chain: tuple[str, ...]) -> Outgoing:
    """Thread the letter below the last mail of a chain (RFC 5322 3.6.4)."""
    return replace(letter, in_reply_to=chain[-1], references=chain) if chain else letter


def with_way_out(letter: Outgoing, reader: Reader) -> Outgoing:
    """Let an observer leave the game with one click in their mail program (RFC 2369)."""
    if reader.role is not Role.OBSERVER or reader.powers or letter.reply_to is None:
        return letter
    return replace(letter, unsubscribe=f"mailto:{letter.reply_to}?subject=RESIGN&body=RESIGN")
