"""One mail's requests, handled in their order, and the receipt for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from judge.commands import (
    Command,
    Create,
    ForPhase,
    ForPower,
    Help,
    Join,
    ListGames,
    Observe,
    Process,
    SetLanguage,
    SetName,
    SetReady,
    SetZone,
    Status,
    UseGame,
)
from judge.config import Config
from judge.games import (
    Game,
    GameState,
    Handled,
    MailContext,
    Person,
    change,
    create,
    handle,
    join,
    observe,
)
from judge.games.events import (
    Answer,
    Event,
    GamesListed,
    HelpShown,
    Noted,
    RefusalReason,
    Refused,
    StatusShown,
)
from judge.language import ReadLine
from judge.mail.letters import Letter, LetterKind
from judge.reports import AnsweredLine, Reader, Receipt, Remark, Role, reply
from judge.rules.position import Phase, Power
from judge.service.letters import Desk
from judge.storage import About, Waiting, Work


def needs_proof(command: Command) -> bool:
    """Whether a command acts for its sender, or shows what only he may see."""
    return not isinstance(command, Help | ListGames | UseGame | ForPhase | ForPower)


def _comes_last(command: Command) -> bool:
    """What may close the phase waits until everything else in the mail is done."""
    return isinstance(command, SetReady | Process)


@dataclass
class Session:
    """The requests of one mail, answered one by one in a unit of work."""

    work: Work
    desk: Desk
    config: Config
    person: Person
    is_registered: bool
    game: Game | None
    """The game the mail is about, changing as requests are handled."""
    phase: Phase | None
    """The phase the mail is meant for, if that is known."""
    mail: Waiting
    letter: Letter
    now: datetime
    events: list[Event] = field(default_factory=list)
    lines: list[AnsweredLine] = field(default_factory=list)
    power: Power | None = None
    changed: set[str] = field(default_factory=set)
    fresh: dict[str, timedelta] = field(default_factory=dict)
    """Game → how long after its opening a phase must be named; looked up once."""

    def answer(self, lines: Sequence[ReadLine]) -> None:
        """Handle all requests, and save what changed."""
        answers: dict[tuple[int, int], Answer] = {}
        for last in (False, True):
            for place, line in enumerate(lines):
                for index, request in enumerate(line.requests):
                    if _comes_last(request) is last:
                        answers[place, index] = self._answer_one(request, line.text)
        for place, line in enumerate(lines):
            given = tuple(answers[place, index] for index in range(len(line.requests)))
            self.lines.append(AnsweredLine(line.text, line.requests, given, line.faults))
        for name in sorted(self.changed):
            game = self.games[name]
            self.games[name] = self.work.games.save(game)

    def __post_init__(self) -> None:
        """Start with the one game the mail is about."""
        self.games: dict[str, Game] = {self.game.name: self.game} if self.game else {}
        self.shown = self.game
        """The game whose state the receipt shows, also if a line names one that does not exist."""

    def _answer_one(self, request: Command, line: str) -> Answer:
        match request:
            case Help(topic):
                return HelpShown(topic)
            case ListGames():
                return GamesListed(self.work.games.listing((GameState.FORMING, GameState.ACTIVE)))
            case SetLanguage() | SetZone() | SetName():
                self.person, answer = change(self.person, request)
                if self.is_registered:
                    self.work.people.save(self.person)
                return answer
            case Create():
                return self._create(request)
            case Join(game=name) | Observe(game=name):
                return self._enter(request, name)
            case Status(game=name) if name is not None:
                return self._status(name)
            case _:
                return self._play(request, line)

    def _create(self, request: Create) -> Answer:
        creators = self.config.games.creators
        if "*" not in creators and self.person.address not in creators:
            return Refused(RefusalReason.MAY_NOT_CREATE)
        taken = self.work.games.get(request.game.lower()) is not None
        settings = {"zone": self.config.judge.zone} | dict(request.settings)
        made = create(replace(request, settings=settings), self.person.id, taken=taken)
        if isinstance(made, Refused):
            return made
        self.work.games.add(made.game)
        self.games[made.game.name] = made.game
        self.game = made.game
        return made.answer

    def _enter(self, request: Join | Observe, name: str) -> Answer:
        game = self._named(name)
        if game is None:
            return Refused(RefusalReason.NO_SUCH_GAME, name)
        if isinstance(request, Join):
            handled = join(game, self.person.id, request, self.now, seed=self.mail.id)
        else:
            handled = observe(game, self.person.id, request)
        self.game = handled.game
        return self._take(handled)

    def _status(self, name: str) -> Answer:
        game = self._named(name)
        if game is None:
            return Refused(RefusalReason.NO_SUCH_GAME, name)
        self.game = self.game or game
        return StatusShown(game)

    def _play(self, request: Command, line: str) -> Answer:
        if isinstance(request, UseGame):
            before, self.game = self.game, self._named(request.game)
            if self.game is None:
                return Refused(RefusalReason.NO_SUCH_GAME, request.game)
            if before is not None and before.name != self.game.name:
                # The phase is that of the report replied to, or was named for the other game.
                self.phase, self.power = None, None
            self.shown = self.game
        if isinstance(request, ForPhase):
            self.phase = request.phase
        if isinstance(request, ForPower):
            self.power = request.power
        if self.game is None:
            return Noted(request) if isinstance(request, ForPhase | ForPower) else Refused(RefusalReason.WHICH_GAME)
        if isinstance(request, UseGame | ForPhase | ForPower):
            return Noted(request)
        context = MailContext(
            mail=self.mail.id,
            line=line,
            received_at=self.mail.raw.received_at,
            meant_phase=self.phase,
            fresh=self._fresh(self.game),
            power=self.power,
        )
        return self._take(handle(self.game, self.person.id, request, context, self.now))

    def _fresh(self, game: Game) -> timedelta:
        """No phase came before the first, so nothing can have been meant for it."""
        if game.name not in self.fresh:
            minutes = self.config.games.fresh_phase_minutes if self.work.has_history(game.name) else 0
            self.fresh[game.name] = timedelta(minutes=minutes)
        return self.fresh[game.name]

    def _named(self, name: str) -> Game | None:
        name = name.lower()
        if name not in self.games:
            game = self.work.games.get(name)
            if game is None:
                return None
            self.games[name] = game
        return self.games[name]

    def _take(self, handled: Handled) -> Answer:
        name = handled.game.name
        if handled.game != self.games.get(name):
            self.games[name] = handled.game
            self.changed.add(name)
        if self.game is not None and self.game.name == name:
            self.game = handled.game
        self.events += handled.events
        return handled.answer

    # The receipt

    def queue_reply(self) -> None:
        """Answer the mail, line by line."""
        game = self.games.get(self.game.name if self.game else self.shown.name if self.shown else "")
        game = game if game is not None and self._has_part_in(game) else None
        reader = self._reader(game)
        touched = [self.games[name] for name in sorted(self.changed) if game is None or name != game.name]
        receipt = Receipt(
            reader=reader,
            lines=tuple(self.lines),
            game=game,
            others=tuple((other, self._reader(other)) for other in [*touched, *self._asked(game)]),
            remarks=self._remarks(),
            unread_parts=self.letter.unread_parts,
            subject=self.letter.subject,
        )
        about = About(
            self._key(),
            person=self.person.id if self.is_registered else None,
            game=game.name if game else None,
            phase=str(game.position.phase) if game and game.state is GameState.ACTIVE else None,
            inbox=self.mail.id,
        )
        written = self.desk.write(LetterKind.REPLY, self.letter.sender, reply(receipt, self.now), about, self.now, game)
        references = (self.letter.message_id,) if self.letter.message_id else ()
        written = replace(written, in_reply_to=self.letter.message_id, references=references)
        self.work.outbox.queue(written, about, self.now)

    def _key(self) -> str:
        """Every mail has its answer; but small talk may be a robot that answers all of ours: once a day."""
        if self._is_small_talk():
            return f"nothing asked by {self.letter.sender} on {self.now.date()}"
        return f"reply to mail {self.mail.id}"

    def _is_small_talk(self) -> bool:
        return not any(line.requests or line.faults for line in self.lines)

    def _has_part_in(self, game: Game) -> bool:
        here = self.person.id
        applicants = [applicant.person for applicant in game.applicants]
        return self.is_registered and (
            here == game.master or here in game.observers or here in applicants or bool(game.seats_of(here))
        )

    def _asked(self, game: Game | None) -> list[Game]:
        """The other games whose state he asked for, and has a part in."""
        told = [answer for line in self.lines for answer in line.answers]
        shown = [self.games[a.game.name] for a in told if isinstance(a, StatusShown) and a.game.name in self.games]
        return [one for one in shown if one is not game and self._has_part_in(one)]

    def _reader(self, game: Game | None) -> Reader:
        return Reader(self.person, self._role(game), self._powers(game))

    def _role(self, game: Game | None) -> Role:
        if game is not None and self.person.id == game.master:
            return Role.MASTER
        return Role.PLAYER if game is not None and game.seats_of(self.person.id) else Role.OBSERVER

    def _powers(self, game: Game | None) -> tuple[Power, ...]:
        return tuple(seat.power for seat in game.seats_of(self.person.id)) if game else ()

    def _remarks(self) -> tuple[Remark, ...]:
        remarks = [Remark.CONFIRMED] if self.mail.confirmed else []
        if not self.letter.own_text.strip():
            remarks.append(Remark.EMPTY)
        elif self._is_small_talk():
            remarks.append(Remark.NOTHING_UNDERSTOOD)
        if self.letter.unread_parts:
            remarks.append(Remark.UNREAD_PARTS)
        return tuple(remarks)
