"""What a reader is told of an event, as a value: only what he may know of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias, assert_never

from judge.commands import (
    Broadcast,
    ChangeSetting,
    Command,
    Eject,
    MakeDummy,
    Own,
    Press,
    PressToMaster,
    Propose,
    Put,
    Redo,
    Rollback,
    Signed,
    Take,
    TakeOver,
    Talk,
)
from judge.games.draws import sharing
from judge.games.events import (
    CoinTossed,
    DrawAsked,
    Event,
    Extended,
    ExtensionUsed,
    FoundTooLate,
    GameNews,
    GraceBegan,
    HeldUp,
    Invited,
    OfferRefused,
    OrderedFor,
    PetitionDecided,
    Petitioned,
    PlayerJoined,
    PlayerOut,
    ProposalFailed,
    Relayed,
    Reminded,
    SeatOffered,
    StandInAsked,
    StartReset,
    VacancyOpened,
    VoteDropped,
    VoteTold,
    WaitEnded,
)
from judge.games.game import Game, GameState, Invitation, MasterOffer
from judge.games.person import Person, PersonId, Record
from judge.games.terms import PressSender
from judge.reports.ballots import ProposalView, VotesView, proposal_view, votes_view
from judge.reports.readers import Reader, Role
from judge.reports.terms import TermsView, terms_view
from judge.reports.views import GameView, OwnOrders, TimeView, game_view, status_view, time_view
from judge.rules.orders import Order
from judge.rules.position import Phase, Power

LetterEvent: TypeAlias = (
    CoinTossed
    | Extended
    | ExtensionUsed
    | FoundTooLate
    | GraceBegan
    | GameNews
    | HeldUp
    | Invited
    | OfferRefused
    | OrderedFor
    | PetitionDecided
    | Petitioned
    | PlayerJoined
    | PlayerOut
    | Relayed
    | Reminded
    | SeatOffered
    | VacancyOpened
    | WaitEnded
    | StandInAsked
    | StartReset
    | DrawAsked
    | VoteDropped
    | ProposalFailed
    | VoteTold
)
"""Events that are told in a letter of their own, not in a report."""

_OF_DEADLINES = {"deadline", "retreats", "adjustments", "zone"}
"""Settings that leave the deadline of the open phase as it is."""


@dataclass(frozen=True, slots=True)
class News:
    """An event as one reader is told of it; what it is not about stays empty."""

    kind: str
    """The event's name."""
    game: GameView
    time: TimeView
    yours: tuple[Power, ...]
    """The powers of the reader."""
    own: tuple[OwnOrders, ...]
    """The reader's own orders on file."""

    command: Command | None = None
    """What somebody did, or wrote; without addresses."""
    power: Power | None = None
    """Who did it, or whom it concerns."""
    powers: tuple[Power, ...] = ()
    """Who is missing, who is written to, who won the toss."""
    person: str = ""
    """The name of whoever did it or is concerned; "" where the reader may not know."""
    used: tuple[tuple[Power, int], ...] = ()
    """Who used an extension of his, and how many by now."""
    record: Record | None = None
    """How reliable the person is who is concerned; only where his name may be known."""
    office: str = ""
    """What somebody is asked to be: the "master", or a "second" one."""
    address: str = ""
    """Of whoever a master has to decide about."""
    left: bool = False
    is_allowed: bool = False
    is_of_mail: bool = False
    """A mail that cannot be worked holds the phase up."""
    is_back: bool = False
    """The deadline is the one it was."""
    orders: tuple[Order, ...] = ()
    """Put on file by the master for the reader."""
    reason: str = ""
    phase: Phase | None = None
    """The closed one that a mail was meant for."""
    lines: tuple[str, ...] = ()
    """Of a mail that was read too late."""
    arrived_at: datetime | None = None
    was: datetime | None = None
    """The deadline before the event, if that moved it."""
    room: tuple[Power, ...] = ()
    """Who talks, as far as all may know; nobody where that is no conversation of powers."""
    is_anonymous: bool = False
    """Its sender is not to be known."""
    really: Power | None = None
    """Who wrote it under another's name, or under none; for masters who do not play."""
    proposal: ProposalView | None = None
    """What was proposed, or comes to nothing."""
    by_vote: bool = False
    """The players decided it."""
    why: str = ""
    """Why a vote does not stand any more; a proposal that ended with its "phase" was not voted down."""
    sharers: tuple[Power, ...] = ()
    """Who would share a draw."""
    is_counted: bool = False
    """Silence counts as agreement from now on."""
    votes: VotesView | None = None
    """How the votes stand, as far as everybody may know."""
    terms: TermsView | None = None
    """What the game is like in which the reader is asked to take a seat."""
    stands_by: bool = False
    """Somebody who stands by has been asked to take a seat."""
    answer_by: datetime | None = None
    """When the offer lapses."""
    shows_board: bool = False
    """The board is another, or another's: it stands below, and what the reader has to order."""

    @property
    def is_missing(self) -> bool:
        """Whether the reader has not ordered all he can."""
        return any(own.unordered or own.to_decide for own in self.own)

    @property
    def is_unsettled(self) -> bool:
        """Whether something keeps READY of the reader from counting."""
        return any(own.is_blocked for own in self.own)

    @property
    def questions(self) -> int:
        """How many questions about his orders are open."""
        return sum(len(own.questions) for own in self.own)

    @property
    def seats_left(self) -> int | None:
        """How many seats are free while the game is forming."""
        return self.game.seats_free if self.game.state is GameState.FORMING else None

    @property
    def is_yours(self) -> bool:
        """Whether the reader plays the power that it is about."""
        return (getattr(self.command, "power", None) or self.power) in self.yours

    @property
    def keeps_deadline(self) -> bool:
        """Whether a setting was changed that counts from the next phase on."""
        is_later = isinstance(self.command, ChangeSetting) and self.command.setting in _OF_DEADLINES
        return is_later and self.game.state is GameState.ACTIVE

    @property
    def about(self) -> str:
        """The subject that press was given."""
        return self.command.about if isinstance(self.command, Talk) else ""

    @property
    def during(self) -> Phase | None:
        """The open phase, in place of a subject; a conversation has one subject, whenever somebody writes in it."""
        has_own = self.about or isinstance(self.command, Press)
        return self.game.phase if self.game.state is GameState.ACTIVE and not has_own else None

    @property
    def others(self) -> tuple[Power, ...]:
        """The powers that talk, without those of the reader."""
        return tuple(power for power in self.room if power not in self.yours)

    @property
    def reply(self) -> str:
        """Where a reply to press goes, as the messages name it; "" where they say nothing about it."""
        is_public = isinstance(self.command, Broadcast)
        if self.really:
            return "disguised"
        if self.is_anonymous and (is_public or self.room == self.yours):
            return "nobody"
        if self.room and self.yours and isinstance(self.command, Press):
            return "room"
        if self.power and (self.yours or isinstance(self.command, PressToMaster)):
            return "alone" if is_public else "sender"
        return "master" if self.yours and not isinstance(self.command, PressToMaster) and not self.power else ""

    @property
    def may_be_false(self) -> bool:
        """Whether another player may have written press under this name."""
        is_free = isinstance(self.command, Signed) and self.game.settings.press_sender is PressSender.ANY
        return is_free and bool(self.yours and self.power)


def news(event: LetterEvent, reader: Reader, people: Mapping[PersonId, Person], now: datetime) -> News:
    """An event for one reader; `people` are those it speaks of."""
    game = event.game
    hides_names = game.settings.anonymous and game.state is not GameState.FINISHED and not _is_referee(reader)

    def name(id_: PersonId | None) -> str:
        person = people.get(id_) if id_ is not None and not hides_names else None
        return person.name if person else ""

    plain = News(
        kind=type(event).__name__,
        game=game_view(game),
        time=time_view(game, reader, now),
        yours=reader.powers,
        own=status_view(game, reader, now).own if game.is_running else (),
        stands_by=any(one.until is not None for one in game.invitations),
    )
    match event:
        case HeldUp(by_mail=by_mail):
            return replace(plain, is_of_mail=by_mail)
        case GraceBegan() | Reminded() | ExtensionUsed() | WaitEnded():
            shown = getattr(event, "powers", ()) if _is_referee(reader) else ()
            return replace(plain, powers=shown, used=getattr(event, "used", ()))
        case Extended() | PlayerOut():
            missing, was = getattr(event, "missing", ()), getattr(event, "was", None)
            return replace(plain, powers=missing, was=was, is_back=event.is_back)
        case StartReset() | SeatOffered() | VacancyOpened():
            return _of_seats(event, plain)
        case CoinTossed(power=power, winners=winners):
            return replace(plain, power=power, powers=winners)
        case PlayerJoined() | OfferRefused() | Petitioned() | PetitionDecided() | Invited() | StandInAsked():
            return _of_coming(event, replace(plain, terms=_terms(event, reader)), name, people)
        case OrderedFor(power=power, orders=orders, reason=reason):
            return replace(plain, power=power, orders=orders if power in reader.powers else (), reason=reason)
        case FoundTooLate(phase=phase, person=person, lines=lines, arrived_at=arrived_at):
            shown = () if reader.powers else lines  # a master who plays does not read what others ordered
            return replace(plain, phase=phase, person=name(person), lines=shown, arrived_at=arrived_at)
        case GameNews(command=command, power=power, person=person, was=was):
            told = replace(plain, command=_without_address(command), power=power, person=name(person), was=was)
            told = replace(
                told, by_vote=event.by_vote, proposal=_proposed(game) if isinstance(command, Propose) else None
            )
            gone = _lost(game, command, power) if person == reader.person.id else ()
            return replace(told, powers=gone, shows_board=_changes_the_board(command) and game.is_running)
        case VoteTold() | ProposalFailed() | Relayed() | DrawAsked() | VoteDropped():
            return _of_talk(plain, event, name, referee=_is_referee(reader))
        case _:
            assert_never(event)


def _of_seats(event: StartReset | SeatOffered | VacancyOpened, plain: News) -> News:
    """Of seats that others may take, or have lost their players."""
    match event:
        case StartReset(missing=missing):
            return replace(plain, powers=missing)
        case SeatOffered(missing=missing, by_vote=by_vote, reason=reason):
            return replace(plain, powers=missing, by_vote=by_vote, reason=reason)
        case VacancyOpened(power=power):
            return replace(plain, power=power)


def _lost(game: Game, command: Command, power: Power | None) -> tuple[Power, ...]:
    """What somebody plays no more by it."""
    match command:
        case TakeOver():
            return _taken_with(game, power)
        case Eject(power=power) | MakeDummy(power=power):
            return _taken_with(game, power)
        case _:
            return ()


def _taken_with(game: Game, power: Power | None) -> tuple[Power, ...]:
    """What changed hands with a seat: where few play, a player has several (R-MULTI)."""
    group = next((powers for powers in game.set_up.assignments if power in powers), ())
    return tuple(one for one in group if power and game.seat(one).holder == game.seat(power).holder)


def _proposed(game: Game) -> ProposalView | None:
    """The latest proposal; None if it came to an end at once."""
    latest = next((one for one in game.proposals if one.number == game.proposed), None)
    return proposal_view(game, latest, shows_whose=game.settings.open_votes) if latest is not None else None


_OfTalk = VoteTold | ProposalFailed | Relayed | DrawAsked | VoteDropped


def _of_talk(plain: News, event: _OfTalk, name: Callable[[PersonId | None], str], *, referee: bool) -> News:
    """What players want all to hear, or some, and what becomes of their votes."""
    if isinstance(event, DrawAsked):
        return replace(plain, powers=event.powers, sharers=sharing(event.game), is_counted=event.is_counted)
    if isinstance(event, VoteDropped):
        return replace(plain, powers=event.powers, command=event.command, why=event.why.value)
    if isinstance(event, ProposalFailed):
        is_open = event.game.settings.open_votes
        why = "phase" if event.with_its_phase else ""
        return replace(plain, proposal=proposal_view(event.game, event.proposal, shows_whose=is_open), why=why)
    told = replace(plain, command=event.command, power=event.power)
    match event:
        case VoteTold(game=game):
            return replace(told, votes=votes_view(game, shows_whose=game.settings.open_votes))
        case Relayed(game=game, to=to):
            is_true = event.shown == event.power and not event.is_anonymous
            signed = event.sender if is_true else game.seat(event.shown).holder if event.shown is not None else None
            room = event.room.powers if event.room is not None else ()
            told = replace(told, powers=to, room=room, is_anonymous=event.is_anonymous, command=_without_sender(event))
            really = event.power if referee and not is_true else None
            return replace(told, power=event.shown, person=name(signed), really=really)


def _without_sender(event: Relayed) -> Command:
    """The words, without whom they were said to be from: that he did not write them is for the masters."""
    command: Any = event.command
    if isinstance(command, Signed):
        command = replace(command, as_power=None, is_anonymous=False)
    without: Command = command
    return without


def _of_coming(
    event: PlayerJoined | OfferRefused | Petitioned | PetitionDecided | Invited | StandInAsked,
    plain: News,
    name: Callable[[PersonId], str],
    people: Mapping[PersonId, Person],
) -> News:
    """Of people who come into a game, or would like to."""
    match event:
        case PlayerJoined(person=person, power=power) | OfferRefused(person=person, power=power):
            shown_record = people[person].record if name(person) and isinstance(event, PlayerJoined) else None
            left = getattr(event, "left", False)
            return replace(plain, person=name(person), power=power, left=left, record=shown_record)
        case Petitioned(person=person, power=power):
            return replace(plain, person=name(person), power=power, address=people[person].address)
        case PetitionDecided(game=game, is_allowed=is_allowed):
            return replace(plain, is_allowed=is_allowed, shows_board=is_allowed and game.is_running)
        case StandInAsked(power=power, until=until):
            return replace(plain, power=power, answer_by=until)
        case Invited(by=by, invitation=offer):
            office = ("master" if offer.is_first else "second") if isinstance(offer, MasterOffer) else ""
            return replace(plain, person=name(by), power=getattr(offer, "power", None), office=office)


def _terms(event: Event, reader: Reader) -> TermsView | None:
    """What a game is like, for who is asked to take a seat of one that runs."""
    is_asked = isinstance(event, StandInAsked) or (
        isinstance(event, Invited) and isinstance(event.invitation, Invitation)
    )
    if not is_asked or not event.game.is_running:
        return None
    return terms_view(event.game, reader.person.language)


def _changes_the_board(command: Command) -> bool:
    """Whether the board is not the one people know: phases were taken back, or it was corrected."""
    return isinstance(command, Rollback | Redo | Put | Take | Own)


def _is_referee(reader: Reader) -> bool:
    """A master who does not play may know who plays what."""
    return reader.role is Role.MASTER and not reader.powers


def _without_address(command: Command) -> Command:
    """What was done, without the address it was done with: that is for the one who wrote it."""
    changed: Any = command
    return replace(changed, address="") if hasattr(command, "address") else command
