"""Views of events: one for each class, with what the reader may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias

from judge import commands as c
from judge.games import events as e
from judge.games.draws import sharing
from judge.games.game import Game, GameState, Invitation
from judge.games.hours import DeadlineOffer
from judge.games.person import Person, PersonId
from judge.games.terms import PressSender
from judge.reports.ballots import ProposalView, VotesView, proposal_view, votes_view
from judge.reports.readers import Reader, Role
from judge.reports.terms import TermsView, open_phase, terms_view
from judge.reports.views import GameView, OwnOrders, TimeView, game_view, status_view, time_view
from judge.rules.orders import Order
from judge.rules.position import Phase, Power

_OF_DEADLINES = {"deadline", "retreats", "adjustments", "zone"}
"""Settings whose change leaves the deadline of the open phase as it is."""


@dataclass(frozen=True, slots=True)
class EventView:
    """The fields that the messages of every event may name.

    The view of an event adds its own fields.
    """

    game: GameView
    time: TimeView
    yours: tuple[Power, ...]
    """The powers of the reader."""

    @property
    def kind(self) -> str:
        """Return the class of the event, as used in the ids of its messages."""
        return type(self).__name__.removesuffix("View")


@dataclass(frozen=True, slots=True)
class OrdersView(EventView):
    """An event whose letter shows the reader's own orders on file."""

    own: tuple[OwnOrders, ...]

    @property
    def is_missing(self) -> bool:
        """Whether the reader has not ordered everything they can."""
        return any(own.unordered or own.to_decide for own in self.own)

    @property
    def is_unsettled(self) -> bool:
        """Whether something keeps READY of the reader from counting."""
        return any(own.is_blocked for own in self.own)

    @property
    def questions(self) -> int:
        """Count the open questions about the reader's orders."""
        return sum(len(own.questions) for own in self.own)


@dataclass(frozen=True, slots=True)
class Telling:
    """The reader of a letter, and the game and people it is about.

    Its methods return only what the reader may know.
    """

    game: Game
    reader: Reader
    people: Mapping[PersonId, Person]
    now: datetime

    @property
    def around(self) -> tuple[GameView, TimeView, tuple[Power, ...]]:
        """Return the fields of `EventView`."""
        return game_view(self.game), time_view(self.game, self.reader, self.now), self.reader.powers

    @property
    def with_orders(self) -> tuple[GameView, TimeView, tuple[Power, ...], tuple[OwnOrders, ...]]:
        """Return the fields of `OrdersView`."""
        own = status_view(self.game, self.reader, self.now).own if self.game.is_running else ()
        return (*self.around, own)

    @property
    def is_referee(self) -> bool:
        """Whether the reader is a master who does not play.

        Such a master may know who plays which power.
        """
        return self.reader.role is Role.MASTER and not self.reader.powers

    @property
    def stands_by(self) -> bool:
        """Whether a stand-in has been asked to take a seat."""
        return any(one.until is not None for one in self.game.invitations)

    def name(self, id_: PersonId | None) -> str:
        """Return the name of a person; "" where the reader may not know it."""
        is_hidden = self.game.settings.anonymous and self.game.state is not GameState.FINISHED and not self.is_referee
        person = self.people.get(id_) if id_ is not None and not is_hidden else None
        return person.name if person else ""

    def terms(self, power: Power | None, *, tells_house_rules: bool) -> TermsView:
        """Return the terms of the game for a person invited to take a seat."""
        person = self.reader.person
        now = open_phase(self.game, power, self.now, person.zone, shows_board=True)
        terms = terms_view(self.game, person.language, tells_house_rules=tells_house_rules)
        return replace(terms, open=now)


def event_view(event: e.LetterEvent, reader: Reader, people: Mapping[PersonId, Person], now: datetime) -> EventView:
    """Return an event as one reader may see it; `people` are those it speaks of."""
    return VIEWS[type(event)](event, Telling(event.game, reader, people, now))


# The clock


@dataclass(frozen=True, slots=True)
class HeldUpView(EventView):
    """The phase cannot be closed."""

    is_of_mail: bool
    """Whether a mail that cannot be processed holds the phase up, not a mailbox."""


def _held_up(event: e.HeldUp, to: Telling) -> HeldUpView:
    return HeldUpView(*to.around, event.by_mail)


@dataclass(frozen=True, slots=True)
class ExtendedView(EventView):
    """The phase stays open beyond its deadline."""

    powers: tuple[Power, ...]
    """Those that the phase waits for."""
    was: datetime | None
    """The deadline before the event."""
    is_back: bool
    """The phase has its earlier deadline again, because the judge's clock was wrong."""


def _extended(event: e.Extended, to: Telling) -> ExtendedView:
    return ExtendedView(*to.around, event.missing, event.was, event.is_back)


@dataclass(frozen=True, slots=True)
class ExtensionUsedView(OrdersView):
    """The game waits, and players have used an extension each."""

    used: tuple[tuple[Power, int], ...]
    """Power → how many extensions it has used so far."""


def _extension_used(event: e.ExtensionUsed, to: Telling) -> ExtensionUsedView:
    return ExtensionUsedView(*to.with_orders, event.used)


@dataclass(frozen=True, slots=True)
class GraceBeganView(OrdersView):
    """The deadline is over, and a grace has begun for what the reader lacks."""


def _grace_began(_: e.GraceBegan, to: Telling) -> GraceBeganView:
    return GraceBeganView(*to.with_orders)


@dataclass(frozen=True, slots=True)
class RemindedView(OrdersView):
    """The deadline is near, and something of the reader is missing."""


def _reminded(_: e.Reminded, to: Telling) -> RemindedView:
    return RemindedView(*to.with_orders)


@dataclass(frozen=True, slots=True)
class WaitEndedView(EventView):
    """The reader's WAIT has run out."""


def _wait_ended(_: e.WaitEnded, to: Telling) -> WaitEndedView:
    return WaitEndedView(*to.around)


@dataclass(frozen=True, slots=True)
class DeadlinesOfferedView(EventView):
    """Deadlines that would suit the players better."""

    offers: tuple[DeadlineOffer, ...]


def _deadlines_offered(event: e.DeadlinesOffered, to: Telling) -> DeadlinesOfferedView:
    return DeadlinesOfferedView(*to.around, event.offers)


@dataclass(frozen=True, slots=True)
class MusterOfferedView(EventView):
    """The setting `muster` is offered."""


def _muster_offered(_: e.MusterOffered, to: Telling) -> MusterOfferedView:
    return MusterOfferedView(*to.around)


@dataclass(frozen=True, slots=True)
class MusterAskedView(EventView):
    """The reader is asked whether they are still there."""

    until: datetime


def _muster_asked(event: e.MusterAsked, to: Telling) -> MusterAskedView:
    return MusterAskedView(*to.around, event.until)


@dataclass(frozen=True, slots=True)
class PublicationAskedView(EventView):
    """The press of a finished game, with the reader's, may be published."""

    until: datetime


def _publication_asked(event: e.PublicationAsked, to: Telling) -> PublicationAskedView:
    return PublicationAskedView(*to.around, event.until)


@dataclass(frozen=True, slots=True)
class SeatGivenUpView(EventView):
    """A seat is free because its player stayed silent."""

    is_reader: bool
    """Whether it was the reader's."""
    is_master: bool
    person: str
    """The player's name; "" where the reader may not know it."""


def _seat_given_up(event: e.SeatGivenUp, to: Telling) -> SeatGivenUpView:
    reader, is_master = to.reader.person.id, to.reader.role is Role.MASTER
    applies = any(one.person == reader for one in event.game.applicants)  # they may not know who else does
    name = to.name(event.person) if is_master and not (event.game.hides_names and applies) else ""
    return SeatGivenUpView(*to.around, event.person == reader, is_master, name)


@dataclass(frozen=True, slots=True)
class FoundTooLateView(EventView):
    """A mail that came in time was read after the phase had closed."""

    phase: Phase
    """The closed phase that the mail was meant for."""
    person: str
    """The sender's name; "" where the reader may not know it."""
    lines: tuple[str, ...]
    """The lines of the mail.

    There are none for a master who plays, who must not read the orders of others.
    """
    arrived_at: datetime


def _found_too_late(event: e.FoundTooLate, to: Telling) -> FoundTooLateView:
    lines = () if to.reader.powers else event.lines
    return FoundTooLateView(*to.around, event.phase, to.name(event.person), lines, event.arrived_at)


# Seats


@dataclass(frozen=True, slots=True)
class CoinTossedView(EventView):
    """The coin gave a neutral power to a player."""

    power: Power
    powers: tuple[Power, ...]
    """Those of the player who won the toss."""


def _coin_tossed(event: e.CoinTossed, to: Telling) -> CoinTossedView:
    return CoinTossedView(*to.around, event.power, event.winners)


@dataclass(frozen=True, slots=True)
class PlayerOutView(EventView):
    """The reader has nothing left on the board, or has something again."""

    is_back: bool


def _player_out(event: e.PlayerOut, to: Telling) -> PlayerOutView:
    return PlayerOutView(*to.around, event.is_back)


@dataclass(frozen=True, slots=True)
class SeatOfferedView(OrdersView):
    """The reader's seat is on offer."""

    powers: tuple[Power, ...]
    by_vote: bool
    reason: str
    stands_by: bool
    """A stand-in has been asked to take a seat."""


def _seat_offered(event: e.SeatOffered, to: Telling) -> SeatOfferedView:
    return SeatOfferedView(*to.with_orders, event.missing, event.by_vote, event.reason, to.stands_by)


@dataclass(frozen=True, slots=True)
class MailboxSharedView(EventView):
    """People in the game share a mailbox."""

    names: tuple[str, ...]
    """Their names; none where the reader may not know them."""


def _mailbox_shared(event: e.MailboxShared, to: Telling) -> MailboxSharedView:
    names = tuple(map(to.name, event.people))
    return MailboxSharedView(*to.around, names if all(names) else ())


@dataclass(frozen=True, slots=True)
class VacancyOpenedView(EventView):
    """Any player may take a seat."""

    power: Power

    @property
    def is_yours(self) -> bool:
        """Whether the reader still plays the power."""
        return self.power in self.yours


def _vacancy_opened(event: e.VacancyOpened, to: Telling) -> VacancyOpenedView:
    return VacancyOpenedView(*to.around, event.power)


@dataclass(frozen=True, slots=True)
class StartResetView(EventView):
    """The game is forming again; players who sent nothing were removed."""

    powers: tuple[Power, ...]
    """Those that sent nothing."""


def _start_reset(event: e.StartReset, to: Telling) -> StartResetView:
    return StartResetView(*to.around, event.missing)


@dataclass(frozen=True, slots=True)
class OrderedForView(EventView):
    """The master put orders on file for a power."""

    power: Power
    orders: tuple[tuple[Order, ...], ...]
    """Each with what to do instead, in order of preference."""
    reason: str


def _ordered_for(event: e.OrderedFor, to: Telling) -> OrderedForView:
    orders = event.orders if event.power in to.reader.powers else ()
    return OrderedForView(*to.around, event.power, orders, event.reason)


# People who join, or ask to


@dataclass(frozen=True, slots=True)
class PlayerLeftView(EventView):
    """A player left a forming game."""

    person: str

    @property
    def seats_left(self) -> int | None:
        """How many seats are free while the game is forming."""
        return self.game.seats_free if self.game.state is GameState.FORMING else None


def _player_left(event: e.PlayerLeft, to: Telling) -> PlayerLeftView:
    return PlayerLeftView(*to.around, to.name(event.person))


@dataclass(frozen=True, slots=True)
class PetitionedView(EventView):
    """A person would like to play, and the masters decide."""

    person: str
    power: Power | None
    address: str
    """The address of the person, for the master who decides."""


def _petitioned(event: e.Petitioned, to: Telling) -> PetitionedView:
    return PetitionedView(*to.around, to.name(event.person), event.power, to.people[event.person].mailboxes[0])


@dataclass(frozen=True, slots=True)
class PetitionDecidedView(OrdersView):
    """The master accepted or refused the reader."""

    is_allowed: bool
    shows_board: bool
    """The letter shows the board and what the reader has to order."""


def _petition_decided(event: e.PetitionDecided, to: Telling) -> PetitionDecidedView:
    return PetitionDecidedView(*to.with_orders, event.is_allowed, event.is_allowed and event.game.is_running)


@dataclass(frozen=True, slots=True)
class InvitedView(EventView):
    """The reader is asked to play, or to be a master."""

    person: str
    """The master who asks."""
    power: Power | None
    office: str
    """The office offered: "master", "second" for a second one, "" for a player."""
    terms: TermsView | None
    """What the game is like, if the seat is in one that runs."""


def _invited(event: e.Invited, to: Telling) -> InvitedView:
    name, offer = to.name(event.by), event.invitation
    if isinstance(offer, Invitation):
        terms = to.terms(offer.power, tells_house_rules=False)
        return InvitedView(*to.around, name, offer.power, "", terms)
    return InvitedView(*to.around, name, None, "master" if offer.is_first else "second", None)


@dataclass(frozen=True, slots=True)
class CoachAskedView(EventView):
    """The reader is asked to be a player's coach."""

    person: str
    """The name of the player.

    It is "" where the reader may not know it, and for an address that has not written here.
    """
    powers: tuple[Power, ...]
    reads_press: bool


def _coach_asked(event: e.CoachAsked, to: Telling) -> CoachAskedView:
    name = to.name(event.by) if to.reader.person.id else ""
    return CoachAskedView(*to.around, name, event.invitation.powers, event.invitation.reads_press)


@dataclass(frozen=True, slots=True)
class CoachDeclinedView(EventView):
    """The person whom the reader asked does not want to be their coach."""


def _coach_declined(_: e.CoachDeclined, to: Telling) -> CoachDeclinedView:
    return CoachDeclinedView(*to.around)


@dataclass(frozen=True, slots=True)
class SeatShownView(EventView):
    """What is on file for the power that the reader coaches."""

    power: Power
    orders: tuple[tuple[Order, ...], ...]
    """Those of the open phase: each with what to do instead."""
    planned: tuple[tuple[Phase, tuple[Order, ...]], ...]
    """Those of later phases."""


def _seat_shown(event: e.SeatShown, to: Telling) -> SeatShownView:
    coach, filed = event.game.coach_of(event.game.seat(event.power)), event.game.seat(event.power).filed
    is_shown = coach is not None and coach.person == to.reader.person.id
    orders = tuple(one.preferences for one in filed.orders) if is_shown else ()
    plans = ((plan.phase, plan.filed.preferences) for plan in filed.in_order_of_play) if is_shown else ()
    return SeatShownView(*to.around, event.power, orders, tuple(plans))


@dataclass(frozen=True, slots=True)
class StandInAskedView(EventView):
    """The reader stands by, and is asked to take a vacant seat."""

    power: Power
    answer_by: datetime
    terms: TermsView | None


def _stand_in_asked(event: e.StandInAsked, to: Telling) -> StandInAskedView:
    terms = to.terms(event.power, tells_house_rules=True)
    return StandInAskedView(*to.around, event.power, event.until, terms)


@dataclass(frozen=True, slots=True)
class SitterAskedView(EventView):
    """The reader is asked to play for an absent player."""

    person: str
    """The player who asks; "" where that is secret."""
    powers: tuple[Power, ...]
    start: datetime
    end: datetime
    terms: TermsView

    @property
    def zone(self) -> str:
        """The zone in which the reader reads times."""
        return self.time.zone


def _sitter_asked(event: e.SitterAsked, to: Telling) -> SitterAskedView:
    sitting = event.sitting
    terms = terms_view(event.game, to.reader.person.language, tells_house_rules=False)
    return SitterAskedView(*to.around, to.name(event.by), sitting.powers, sitting.start, sitting.end, terms)


@dataclass(frozen=True, slots=True)
class SitterNewsView(OrdersView):
    """A sitter agreed, declined, began or ended."""

    step: e.SitterStep
    powers: tuple[Power, ...]
    person: str
    """The name of the sitter; "" where the reader may not know it."""
    address: str
    """The address that was asked, for the player who named it."""
    start: datetime
    end: datetime
    was: datetime | None
    is_sitter: bool
    """The reader is the sitter."""
    is_player: bool
    """The reader is the player of the seat."""
    has_press: bool
    """A file with the older press of the seat comes with the letter."""
    rests: tuple[Power, ...]
    """The powers that the reader coaches, except while they sit."""

    @property
    def zone(self) -> str:
        """The zone in which the reader reads times."""
        return self.time.zone

    @property
    def shows_board(self) -> bool:
        """The letter shows the board and what the reader has to order."""
        return self.is_sitter and self.step is e.SitterStep.BEGAN


def _sitter_news(event: e.SitterNews, to: Telling) -> SitterNewsView:
    sitting, reader = event.sitting, to.reader.person.id
    is_player = reader == sitting.player
    begins = reader == sitting.sitter and event.step is e.SitterStep.BEGAN
    coached = (seat.power for seat in event.game.seats if seat.coach is not None and seat.coach.person == reader)
    return SitterNewsView(
        *to.with_orders,
        event.step,
        event.powers,
        to.name(sitting.sitter),
        sitting.address if is_player else "",
        sitting.start,
        sitting.end,
        event.was,
        reader == sitting.sitter,
        is_player,
        has_press=sitting.shows_press and begins,
        rests=tuple(coached) if begins else (),
    )


@dataclass(frozen=True, slots=True)
class OfferRefusedView(EventView):
    """A person does not want the seat or the office they were offered."""

    person: str
    """The name; for a person who is not registered, the address."""
    power: Power | None
    is_office: bool


def _offer_refused(event: e.OfferRefused, to: Telling) -> OfferRefusedView:
    is_known = event.person in to.people
    person = to.name(event.person) if is_known or event.is_office else event.address
    return OfferRefusedView(*to.around, person, event.power, event.is_office)


# What players and masters did


@dataclass(frozen=True, slots=True)
class GameNewsView(OrdersView):
    """A command that concerns everyone in the game."""

    command: c.Command
    """Without addresses."""
    power: Power | None
    """The power of the player who did it, if the others may know."""
    person: str
    """The name of the person concerned; "" where the reader may not know it."""
    was: datetime | None
    """The deadline before it, if the command moved the deadline."""
    by_vote: bool
    """It was decided by a vote of the players."""
    proposal: ProposalView | None
    """What was proposed, unless the vote ended at once."""
    powers: tuple[Power, ...]
    """The powers that the reader lost by it."""
    shows_board: bool
    """The board changed: the letter shows it, and the orders the reader has to give."""
    stands_by: bool
    """A stand-in has been asked to take a seat."""
    is_master: bool
    """The reader is a master."""
    master: str
    """The name of the master who took a seat, which everyone may know.

    It is "" if another person took it.
    """
    player: str
    """The name of the person who took a seat.

    It is "" where the reader may not know it.
    """

    @property
    def is_yours(self) -> bool:
        """Whether the reader plays the power that the command names."""
        return getattr(self.command, "power", None) in self.yours

    @property
    def is_from_the_next_phase_on(self) -> bool:
        """Whether a setting was changed that the open phase keeps."""
        is_of_missing = isinstance(self.command, c.ChangeSetting) and self.command.setting == "missing"
        return is_of_missing and self.game.state is not GameState.FORMING

    @property
    def keeps_deadline(self) -> bool:
        """Whether a setting was changed that takes effect from the next phase on."""
        is_later = isinstance(self.command, c.ChangeSetting) and self.command.setting in _OF_DEADLINES
        return is_later and self.game.state is GameState.ACTIVE


def _game_news(event: e.GameNews, to: Telling) -> GameNewsView:
    game, command = event.game, event.command
    changes_board = isinstance(command, c.Rollback | c.Redo | c.Put | c.Take | c.Own)
    return GameNewsView(
        *to.with_orders,
        command=_without_address(command),
        power=event.power,
        person=to.name(event.person),
        was=event.was,
        by_vote=event.by_vote,
        proposal=_proposed(game) if isinstance(command, c.Propose) else None,
        powers=_lost(game, command, event.power) if event.person == to.reader.person.id else (),
        shows_board=changes_board and game.is_running,
        stands_by=to.stands_by,
        is_master=to.reader.role is Role.MASTER,
        master=_master_seated(event, to),
        player=to.name(_seated(event)),
    )


def _seated(event: e.GameNews) -> PersonId | None:
    """Return the person who took a seat."""
    is_seated = isinstance(event.command, c.TakeOver) and event.power is not None
    return event.game.seat(event.power).holder if is_seated and event.power is not None else None


def _master_seated(event: e.GameNews, to: Telling) -> str:
    """Return the name of a master who took a seat, or "".

    It is told even where players are anonymous, because a master already knew who plays what.
    """
    holder = _seated(event)
    return to.people[holder].name if holder is not None and holder in event.game.masters else ""


def _without_address(command: c.Command) -> c.Command:
    """Return a command without the address in it, which is for its sender alone."""
    changed: Any = command
    return replace(changed, address="") if hasattr(command, "address") else command


def _proposed(game: Game) -> ProposalView | None:
    """Return the latest proposal; None if it came to an end at once."""
    latest = next((one for one in game.proposals if one.number == game.proposed), None)
    return proposal_view(game, latest, shows_whose=game.settings.open_votes) if latest is not None else None


def _lost(game: Game, command: c.Command, power: Power | None) -> tuple[Power, ...]:
    """Return the powers that the person concerned has lost."""
    match command:
        case c.TakeOver():
            return _taken_with(game, power)
        case c.Eject(power=power) | c.MakeDummy(power=power):
            return _taken_with(game, power)
        case _:
            return ()


def _taken_with(game: Game, power: Power | None) -> tuple[Power, ...]:
    """Return the powers that change hands with a seat: a player may have several (R-MULTI)."""
    group = next((powers for powers in game.set_up.assignments if power in powers), ())
    return tuple(one for one in group if power and game.seat(one).holder == game.seat(power).holder)


_Words: TypeAlias = c.OfPress


@dataclass(frozen=True, slots=True)
class RelayedView(EventView):
    """Press."""

    command: _Words
    """Without the name it was signed with."""
    power: Power | None
    """The power whose name it is signed with."""
    powers: tuple[Power, ...]
    """The powers it is addressed to."""
    person: str
    """The name of the player of `power`, or of a sender without a power.

    It is "" where the reader may not know it.
    """
    room: tuple[Power, ...]
    """The powers in the conversation, as far as all may know.

    It is empty if this is no conversation between powers.
    """
    is_anonymous: bool
    """The sender must not be revealed."""
    really: Power | None
    """The power that wrote it anonymously or under another power's name.

    It is set only for masters who do not play.
    """
    coached: tuple[Power, ...]
    """The powers that the reader coaches: the press is from or to one of them."""

    @property
    def about(self) -> str:
        """The subject that press was given."""
        return self.command.about if isinstance(self.command, c.Talk) else ""

    @property
    def during(self) -> Phase | None:
        """Return the open phase, for the subject of press that was given none.

        It is None for a conversation, which keeps one subject.
        """
        has_own = self.about or isinstance(self.command, c.Press)
        return self.game.phase if self.game.state is GameState.ACTIVE and not has_own else None

    @property
    def others(self) -> tuple[Power, ...]:
        """Return the powers in the conversation, without the reader's."""
        return tuple(power for power in self.room if power not in self.yours)

    @property
    def reply(self) -> str:
        """Return where a reply goes, as a part of the messages' ids.

        It is "" if the messages say nothing about it.
        """
        is_public = isinstance(self.command, c.Broadcast)
        if isinstance(self.command, c.PressToCoach):
            return "player" if self.power else "coach"
        if self.coached and isinstance(self.command, c.Press):
            return "copy"
        if self.really:
            return "disguised"
        if self.is_anonymous and (is_public or self.room == self.yours):
            return "nobody"
        if self.room and self.yours and isinstance(self.command, c.Press):
            return "room"
        if self.power and (self.yours or isinstance(self.command, c.PressToMaster)):
            return "alone" if is_public else "sender"
        return "master" if self.yours and not isinstance(self.command, c.PressToMaster) and not self.power else ""

    @property
    def may_be_false(self) -> bool:
        """Whether another player may have written it under this name."""
        is_free = isinstance(self.command, c.Signed) and self.game.settings.press_sender is PressSender.ANY
        return is_free and bool(self.yours and self.power)


def _relayed(event: e.Relayed, to: Telling) -> RelayedView:
    command, shown = event.command, event.shown
    is_true = shown == event.power and not event.is_anonymous
    signed = event.sender if is_true else event.game.seat(shown).holder if shown is not None else None
    if isinstance(command, c.Signed):  # only the masters learn that it is signed with another's name
        command = replace(command, as_power=None, is_anonymous=False)
    return RelayedView(
        *to.around,
        command=command,
        power=shown,
        powers=event.to,
        person=to.name(signed),
        room=event.room.powers if event.room is not None else (),
        is_anonymous=event.is_anonymous,
        really=event.power if to.is_referee and not is_true else None,
        coached=to.game.coached_by(to.reader.person.id),
    )


# Votes


@dataclass(frozen=True, slots=True)
class DrawAskedView(EventView):
    """Others want a draw, and the reader is asked to vote."""

    powers: tuple[Power, ...]
    """The reader's powers that are in civil disorder."""
    sharers: tuple[Power, ...]
    """Those that would share the draw."""
    is_counted: bool
    """From now on silence counts as agreement."""


def _draw_asked(event: e.DrawAsked, to: Telling) -> DrawAskedView:
    return DrawAskedView(*to.around, event.powers, sharing(event.game), event.is_counted)


@dataclass(frozen=True, slots=True)
class VoteDroppedView(EventView):
    """A vote of the reader no longer counts."""

    powers: tuple[Power, ...]
    command: c.VoteDraw | c.Concede | c.Elect
    why: e.Dropped


def _vote_dropped(event: e.VoteDropped, to: Telling) -> VoteDroppedView:
    return VoteDroppedView(*to.around, event.powers, event.command, event.why)


@dataclass(frozen=True, slots=True)
class ProposalFailedView(EventView):
    """A proposal failed."""

    proposal: ProposalView
    why: str
    """The "phase" it ended with; "" if it was voted down."""


def _proposal_failed(event: e.ProposalFailed, to: Telling) -> ProposalFailedView:
    shown = proposal_view(event.game, event.proposal, shows_whose=event.game.settings.open_votes)
    return ProposalFailedView(*to.around, shown, "phase" if event.with_its_phase else "")


@dataclass(frozen=True, slots=True)
class VoteToldView(EventView):
    """A vote for a draw was cast or withdrawn."""

    command: c.VoteDraw
    power: Power | None
    """Whose vote it is; None where that is secret."""
    votes: VotesView
    """How the votes stand, as far as everyone may know."""


def _vote_told(event: e.VoteTold, to: Telling) -> VoteToldView:
    votes = votes_view(event.game, shows_whose=event.game.settings.open_votes)
    return VoteToldView(*to.around, event.command, event.power, votes)


VIEWS: Mapping[type[e.LetterEvent], Callable[[Any, Telling], EventView]] = {
    e.HeldUp: _held_up,
    e.Extended: _extended,
    e.ExtensionUsed: _extension_used,
    e.GraceBegan: _grace_began,
    e.Reminded: _reminded,
    e.WaitEnded: _wait_ended,
    e.DeadlinesOffered: _deadlines_offered,
    e.MusterOffered: _muster_offered,
    e.MusterAsked: _muster_asked,
    e.PublicationAsked: _publication_asked,
    e.SeatGivenUp: _seat_given_up,
    e.FoundTooLate: _found_too_late,
    e.CoinTossed: _coin_tossed,
    e.PlayerOut: _player_out,
    e.SeatOffered: _seat_offered,
    e.VacancyOpened: _vacancy_opened,
    e.MailboxShared: _mailbox_shared,
    e.StartReset: _start_reset,
    e.OrderedFor: _ordered_for,
    e.PlayerLeft: _player_left,
    e.Petitioned: _petitioned,
    e.PetitionDecided: _petition_decided,
    e.Invited: _invited,
    e.CoachAsked: _coach_asked,
    e.CoachDeclined: _coach_declined,
    e.SeatShown: _seat_shown,
    e.StandInAsked: _stand_in_asked,
    e.SitterAsked: _sitter_asked,
    e.SitterNews: _sitter_news,
    e.OfferRefused: _offer_refused,
    e.GameNews: _game_news,
    e.Relayed: _relayed,
    e.DrawAsked: _draw_asked,
    e.VoteDropped: _vote_dropped,
    e.ProposalFailed: _proposal_failed,
    e.VoteTold: _vote_told,
}
"""Event class → the function that makes its view."""
