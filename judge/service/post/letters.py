"""From what reports say to letters with addresses, threads and Message-IDs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from judge.games.events import GameEnded, GameStarted, PhaseClosed
from judge.games.game import Game, GameState, Person, PersonId
from judge.mail.bounces import bounced_letter
from judge.mail.letters import Attachment, LetterKind, Outgoing, RawMail
from judge.mail.proof import new_message_id, reply_address, same_token, token_for
from judge.reports import Reader, Rendered, Role, phase_reports
from judge.service.post.calendars import deadline_files
from judge.service.post.facts import facts_of
from judge.service.post.past import centers_by_year, shared_diaries
from judge.storage import LetterTags, Work


@dataclass(frozen=True, slots=True)
class LetterWriter:
    """What is needed to write letters: the judge's address and its secret."""

    address: str
    secret: bytes
    old_secret: bytes | None = None
    """What was made with it still counts."""

    @property
    def secrets(self) -> tuple[bytes, ...]:
        """All that count, the newest first."""
        return (self.secret,) if self.old_secret is None else (self.secret, self.old_secret)

    def letter_that_came_back(self, raw: RawMail) -> int | None:
        """The letter of ours to whose secret envelope sender a mail was sent; None for all other mail."""
        return next(filter(None, (bounced_letter(raw, self.address, key) for key in self.secrets)), None)

    def reply_token(self, game: Game, person: PersonId) -> str:
        """The capability of a person in a game; dies with the seat's serial."""
        return self._reply_tokens(game, person)[0]

    def is_reply_token(self, token: str, game: Game, person: PersonId) -> bool:
        """Whether a token is the capability of a person in a game."""
        return any(same_token(token, known) for known in self._reply_tokens(game, person))

    def _reply_tokens(self, game: Game, person: PersonId) -> tuple[str, ...]:
        serials = ",".join(f"{seat.power}:{seat.serial}" for seat in game.seats_of(person))
        return tuple(token_for(secret, "reply", game.name, person, serials) for secret in self.secrets)

    def write(
        self,
        kind: LetterKind,
        person_address: str,
        rendered: Rendered,
        tags: LetterTags,
        now: datetime,
        game: Game | None = None,
    ) -> Outgoing:
        """A letter to a registered address; its Message-ID is the same for the same `tags.key`."""
        reply_to = None
        if game is not None and tags.person is not None:
            reply_to = reply_address(self.address, game.name, self.reply_token(game, tags.person))
        host = self.address.rsplit("@", 1)[1]
        return Outgoing(
            kind=kind,
            recipient=person_address,
            message_id=new_message_id(self.secret, self.address, tags.key),
            date=now,
            sender=self.address,
            reply_to=reply_to,
            subject=rendered.subject,
            text=rendered.text,
            html=rendered.html,
            list_id=f"{game.name}.{host}" if game is not None else None,
        )


def readers_of(work: Work, game: Game) -> tuple[Reader, ...]:
    """Everybody who gets the reports of a game, each once: players or who wants to be one, masters, observers."""
    people = work.people.many(game.members)

    def reader(id_: PersonId) -> Reader:
        powers = tuple(seat.power for seat in game.seats_of(id_))
        role = Role.MASTER if id_ in game.masters else Role.PLAYER if powers else Role.OBSERVER
        return Reader(people[id_], role, powers)

    return tuple(map(reader, game.members))


def queue_reports(
    work: Work, writer: LetterWriter, event: GameStarted | PhaseClosed | GameEnded, now: datetime
) -> None:
    """The report of an event, for everybody in the game."""
    game = event.game
    readers = readers_of(work, game)
    people = {reader.person.id: reader.person for reader in readers}
    years = centers_by_year(work, game) if game.state is GameState.FINISHED else ()
    diaries = shared_diaries(work, game, people) if game.state is GameState.FINISHED else ()
    reports = phase_reports(event, readers, people, now, years, diaries)
    facts = facts_of(work, event)
    calendars = deadline_files(game, writer.address, people.values(), now)
    # A phase may be closed again after a rollback, a game may start anew: the version tells them apart.
    what = f"{type(event).__name__} {event.game.version}"
    for reader in readers:
        person = reader.person
        tags = LetterTags(
            f"report {game.name} {what} {person.id}",
            person=person.id,
            game=game.name,
            phase=str(game.position.phase) if game.is_running else None,
            power=reader.powers[0] if len(reader.powers) == 1 else None,
        )
        letter = writer.write(LetterKind.REPORT, person.address, reports[person.id], tags, now, game)
        files = (facts, *(calendars.get(person.language, ()) if person.calendar else ()))
        work.outbox.queue(with_thread(work, letter, game, person, files), tags, now)


def with_thread(
    work: Work, letter: Outgoing, game: Game, person: Person, attachments: tuple[Attachment, ...] = ()
) -> Outgoing:
    """The letter in the thread of the game's reports to a person."""
    return replace(letter, references=work.outbox.report_ids(game.name, person.id), attachments=attachments)
