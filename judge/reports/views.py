"""Views of a game: values that hold only what the reader may know.

Templates get nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.games.choices import ScoreSystem
from judge.games.contradictions import Contradiction
from judge.games.draws import silently_agreeing
from judge.games.events import GameEnded, GameStarted, PhaseClosed
from judge.games.filed import OpenQuestion, RefusedLine
from judge.games.findings import Impossible, Lacking
from judge.games.game import Ended, Game, GameState, Invitation, Seat
from judge.games.insight import may_be_told
from judge.games.lots import Told, commitment_to_coin, commitment_to_lot, lots_told
from judge.games.person import Person, PersonId
from judge.games.readiness import is_offered, kept_idle
from judge.games.schedule import awaited, may_close_when_ready
from judge.games.scores import Score, leaders, robots_in_the_tie, scores
from judge.games.seats import vacancies
from judge.games.sight import must_be_a_view
from judge.games.terms import HouseRules, MissingOrders, Readiness, Settings
from judge.games.unsettled import blocking_among, lacking, unsettled, without_an_answer
from judge.games.votes import as_told, living
from judge.reports.ballots import VotesView, votes_seen_by, votes_under_way
from judge.reports.readers import Reader, Role
from judge.reports.story import Sentence, story_of
from judge.rules.options import TurnWord
from judge.rules.orders import Build, Order
from judge.rules.outcomes import Adjustment, Verdict
from judge.rules.position import Dislodgement, Phase, PhaseKind, Power, Province, Season, Unit

_MOST_ZONE_HINTS = 2
"""The most letters to a person that tell how to choose a time zone."""


@dataclass(frozen=True, slots=True)
class PowerRow:
    """A power on the board."""

    power: Power
    player: str
    units: tuple[Unit, ...]
    centers: tuple[Province, ...]
    change: int
    """The change in its number of centers in the phase reported."""
    verdicts: tuple[Verdict, ...]
    won: tuple[Province, ...] = ()
    """Centers it has gained in that phase."""
    lost: tuple[tuple[Province, Power | None], ...] = ()
    """Centers it has lost in that phase, with their present owners."""


@dataclass(frozen=True, slots=True)
class PublicView:
    """What everyone may know after a phase."""

    game: str
    ended: Phase | None
    """None at the start of the game."""
    next: Phase | None
    """None at the end of the game."""
    turn: int | None
    """The number of the open turn; the game counts either half years or years."""
    rows: tuple[PowerRow, ...]
    dislodged: tuple[tuple[Unit, Dislodgement], ...]
    adjusting: tuple[tuple[Power, Adjustment], ...]
    missing: tuple[Power, ...]
    eliminated: tuple[Power, ...]
    disorder: tuple[Power, ...]
    kept_idle: tuple[Power, ...]
    """Powers in civil disorder that can neither build nor remove in the open phase."""
    vacant: tuple[Power, ...]
    """Powers that new players may take over."""
    robots: tuple[Power, ...]
    """Powers played by robots."""
    tied: tuple[Power, ...]
    """Robots that have as many units as the winners who share a short game."""
    nobodys: tuple[PowerRow, ...]
    """Powers without a player that the winners of a short game do not outnumber.

    They have at least as many units as the winners.
    """
    silent: tuple[Power, ...]
    """Powers whose silence counted as agreement to the draw that ended the game.

    They are in civil disorder.
    """
    winner: Power | None
    closed: tuple[Province, ...]
    """Provinces that no unit may enter."""
    replaces: datetime | None
    """When the withdrawn report of the same phase was told."""
    objections: tuple[ObjectionView, ...]
    """Those that no master has decided."""
    previews: tuple[datetime, ...]
    """When masters previewed the orders since the report before."""
    processed: str | None
    """The reason why the master closed the phase, which may be "".

    It is None if the master did not close the phase.
    """
    how: Ended | None
    """How the game ended."""
    reason: str
    """The reason given by the person who ended it without a result."""
    sharers: tuple[Power, ...]
    carried: timedelta
    """Time left over from other phases, added to the open one."""
    objection_until: datetime | None
    succeeded: int
    """How many orders given succeeded."""
    failed: int
    votes: VotesView | None = None
    """None if no player wants the game to end."""
    seers: tuple[Power, ...] | None = None
    """In fog: the powers that see what stands here; None shows all."""
    score_system: ScoreSystem = ScoreSystem.NONE
    scores: tuple[Score, ...] = ()
    """At the end of the game, highest first."""
    story: tuple[Sentence, ...] = ()
    """What happened in the phase reported."""
    lots: tuple[Told, ...] = ()
    """Lots whose seeds and words this report tells."""
    publish_at: datetime | None = None
    """At the end of the game: when its press is published."""
    coin: str = ""
    """The commitment to a coin that is still to be tossed."""

    def shows_way_out(self, loss: Dislodgement) -> bool:
        """Whether the reader may know where a dislodged unit can go."""
        return self.seers is None or loss.power in self.seers

    @property
    def shows_board(self) -> bool:
        """Whether the reader may see any unit or center."""
        return any(row.units or row.centers for row in self.rows)

    @property
    def moved(self) -> bool:
        """Whether any center changed hands."""
        return any(row.won or row.lost for row in self.rows)

    @property
    def winners_centers(self) -> int:
        """Return how many centers the winner owns."""
        return next((len(row.centers) for row in self.rows if row.power == self.winner), 0)

    @property
    def winners(self) -> tuple[PowerRow, ...]:
        """Return the powers of the winning player."""
        return tuple(row for row in self.rows if self.winner is not None and row.power in self.sharers)

    @property
    def winners_units(self) -> int:
        """Return how many units the winner has, over all their powers."""
        return sum(len(row.units) for row in self.winners)


@dataclass(frozen=True, slots=True)
class GameView:
    """What a person who hears of a game may know of it."""

    name: str
    state: GameState
    phase: Phase
    """The open phase; the last one if the game is over."""
    settings: Settings
    missing_to_come: MissingOrders | None
    """What the setting `missing` is from the next phase on; None if nothing changes."""
    seats: int
    """How many people can play."""
    seats_free: int
    """How many seats are free; meaningful while the game is forming."""
    commitment: str
    """The commitment to the draw of powers; "" if none is to come."""
    in_grace: bool
    awaits: bool
    """The deadline has passed, and the phase waits for missing orders."""
    winner: Power | None
    won_by_robot: bool
    sharers: tuple[Power, ...]
    how: Ended | None
    """How the game ended."""
    closes_at_once: bool
    """A board for one person: a phase closes with the first mail that holds orders."""
    adopted: Phase | None
    """The phase in which it came from another judge."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """What a reader has to decide for one of their powers in the open phase."""

    power: Power
    phase: Phase
    units: tuple[Unit, ...]
    """The units to order: all units, the dislodged ones, or those that may be removed."""
    retreats: tuple[tuple[Unit, Dislodgement], ...]
    adjustment: Adjustment | None


@dataclass(frozen=True, slots=True)
class TimeView:
    """How long the open phase lasts."""

    deadline: datetime | None
    """None once the phase is being closed."""
    left: timedelta | None
    zone: str
    is_chosen: bool
    """Whether the reader chose the zone, or was told often enough how to."""
    is_closing: bool = False

    @property
    def hints_zone(self) -> bool:
        """Whether a letter that tells the deadline also tells how to choose a zone."""
        return self.deadline is not None and not self.is_chosen


@dataclass(frozen=True, slots=True)
class QuestionView:
    """An open question about orders of the reader."""

    number: int
    orders: tuple[str, ...]
    because: str
    instead: tuple[Order, ...]
    """The orders played if the player does not answer.

    It is empty if the order is for no unit on the board.
    """


@dataclass(frozen=True, slots=True)
class PlanView:
    """An order for a later phase, with the preferences behind it."""

    phase: Phase
    preferences: tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class OwnOrders:
    """A reader's own orders on file."""

    power: Power
    orders: tuple[Order, ...]
    unordered: tuple[Unit, ...]
    """In an adjustment phase: the units that may be removed."""
    to_decide: int
    """Adjustment phase: builds (positive) or removals (negative) not ordered yet."""
    choices: tuple[Order, ...] = ()
    """Adjustment phase: the builds that are still open."""
    questions: tuple[QuestionView, ...] = ()
    """Questions about orders that may not be meant."""
    refused: tuple[RefusedLine, ...] = ()
    """Lines that were refused and not replaced since."""
    impossible: tuple[Impossible, ...] = ()
    """Orders on file that are void whatever others order."""
    doubtful: tuple[Contradiction, ...] = ()
    """Orders on file that contradict each other."""
    by_rule: tuple[Unit, ...] = ()
    """Adjustment phase: the units removed by rule if nothing else is ordered."""
    is_blocked: bool = False
    """Something in these orders keeps READY from counting."""
    planned: tuple[PlanView, ...] = ()

    @property
    def lacking(self) -> int:
        """Return how many orders are missing."""
        return abs(self.to_decide) or len(self.unordered)


@dataclass(frozen=True, slots=True)
class OfferView:
    """A seat or office on offer."""

    power: Power | None
    """The power of the seat; None for the office of a master."""
    to: str
    """The address, or the name of the stand-in; "" if any player may take it."""
    since: datetime | None
    until: datetime | None = None
    """Until when the stand-in may accept."""
    is_first: bool = False
    """The office of the first master."""


@dataclass(frozen=True, slots=True)
class ObjectionView:
    """An objection that no master has decided."""

    number: int
    phase: Phase
    power: Power | None
    """None where players are anonymous."""
    reason: str


@dataclass(frozen=True, slots=True)
class HearingView:
    """What press does not reach a reader."""

    is_shut: bool
    """The master has closed press."""
    muted: tuple[Power, ...]
    """The powers whose press the reader has muted."""
    mutes_nameless: bool
    blocked: tuple[Power, ...] = ()
    """The powers of players whom the reader has blocked in all games."""


@dataclass(frozen=True, slots=True)
class StatusView:
    """The state of a game for one reader."""

    game: GameView
    own: tuple[OwnOrders, ...]
    """The orders of the reader's powers that have something to decide."""
    is_awaited: bool
    """Whether READY of the reader counts in this phase."""
    is_ready: bool
    ready_waits: bool
    """The reader said READY, but it does not count yet."""
    is_closing: bool
    missing: int
    """How many other powers lack orders; 0 where the game does not tell it."""
    missing_powers: tuple[Power, ...]
    """The powers that lack orders.

    They are named only to a master who asked for the orders or STATUS in this phase.
    """
    unready: int
    """How many powers that the phase waits for have not said READY."""
    awaited: int
    """How many players the phase waits for, if it closes when all are ready.

    They may include the reader. It is 0 where the game does not tell it.
    """
    unready_powers: tuple[Power, ...]
    """Those powers, if the game shows them."""
    time: TimeView
    lacks: tuple[Lacking, ...] = ()
    """What the reader has not ordered yet."""
    was_ready: bool | None = None
    """Whether READY counted before the mail, for a receipt.

    It is None if the reader had not said READY.
    """
    votes: VotesView | None = None
    """None if no vote is under way."""
    ready_powers: tuple[Power, ...] = ()
    """Set if the phase closes when everyone is ready; only for the master."""
    waiting_powers: tuple[Power, ...] = ()
    """The powers that asked to wait; only for the master."""
    objections: tuple[ObjectionView, ...] = ()
    """Only for masters."""
    offers: tuple[OfferView, ...] = ()
    """Only for masters."""
    on_offer: tuple[Power, ...] = ()
    """Powers of the reader that others may take until the reader sends an order."""
    hearing: HearingView | None = None
    """None if all press reaches the reader."""
    out: tuple[Power, ...] = ()
    """The reader's powers, if none of them has anything left on the board."""
    kept_idle: tuple[Power, ...] = ()
    """The reader's powers in civil disorder that cannot build or remove in this phase."""
    idle: tuple[Power, ...] = ()
    """On a board for one person: the powers without orders, if there are several."""


@dataclass(frozen=True, slots=True)
class SettingsView:
    """The answer to RULES or CHECK SETTINGS: the meaning of a game's settings."""

    game: GameView
    profile: str
    """The meaning of the rules' profile, in a sentence."""
    rules: tuple[str, ...]
    """The meaning of its options for a player, a sentence each."""
    upcoming: tuple[datetime, ...]
    zone: str
    asked: tuple[tuple[Power, int], ...]
    """The powers that have a decision in the open phase, and for how many units."""
    house_rules: HouseRules
    tells_house_rules: bool
    """Whether the letter shows the house rules; otherwise it only says that there are some."""


def game_view(game: Game) -> GameView:
    """Return a game as anyone may see it: no seats, orders, votes or people."""
    is_forming = game.state is GameState.FORMING
    seats = game.seats_of_people + game.robot_players if is_forming else len(game.set_up.assignments)
    return GameView(
        name=game.name,
        state=game.state,
        phase=game.position.phase,
        settings=game.settings,
        missing_to_come=game.missing_to_come,
        seats=seats,
        seats_free=max(0, game.seats_left),
        commitment=commitment_to_lot(game) if game.state is GameState.FORMING else "",
        in_grace=game.clock.in_grace,
        awaits=game.clock.awaits,
        winner=game.winner,
        won_by_robot=game.winner is not None and game.seat(game.winner).is_robot,
        sharers=game.sharers,
        how=game.ended,
        closes_at_once=game.is_sandbox,
        adopted=game.adopted,
    )


def public_view(event: GameStarted | PhaseClosed | GameEnded, people: Mapping[PersonId, Person]) -> PublicView:
    """Return what happened, and the position now."""
    game = event.game
    must_be_a_view(game)
    after = game.position
    closed = event if isinstance(event, PhaseClosed) else None
    secret = game.hides_names or game.is_sandbox  # everything on such a board belongs to one person, who knows it
    verdicts: dict[Power, list[Verdict]] = {}
    if closed is not None:
        for verdict in closed.resolution.verdicts:
            verdicts.setdefault(verdict.power, []).append(verdict)
    rows = tuple(
        PowerRow(
            power=seat.power,
            player="" if secret else _name(people, seat.holder),
            units=after.units_of(seat.power),
            centers=after.centers_of(seat.power),
            change=len(after.centers_of(seat.power)) - len(closed.before.centers_of(seat.power)) if closed else 0,
            verdicts=tuple(sorted(verdicts.get(seat.power, ()), key=_verdict_order)),
            won=_won(closed, seat.power) if closed else (),
            lost=_lost(closed, seat.power) if closed else (),
        )
        for seat in game.seats
    )
    over = game.state is GameState.FINISHED
    all_verdicts = closed.resolution.verdicts if closed else ()
    return PublicView(
        game=game.name,
        ended=closed.phase if closed else None,
        next=None if over else after.phase,
        turn=None if over else _turn(game),
        rows=rows,
        dislodged=() if over else tuple(sorted(after.dislodged.items(), key=lambda item: item[0].location)),
        adjusting=() if over else tuple(_adjusting(game).items()),
        missing=closed.missing if closed else (),
        eliminated=closed.resolution.eliminated if closed else (),
        disorder=tuple(seat.power for seat in game.seats if seat.in_disorder) if not over else (),
        kept_idle=kept_idle(game, game.map.powers, game.position.phase) if not over else (),
        vacant=vacancies(game) if game.is_running else (),
        robots=tuple(seat.power for seat in game.seats if seat.is_robot and seat.power in living(game)),
        tied=robots_in_the_tie(game),
        nobodys=_nobodys(game, rows),
        silent=silently_agreeing(game) if game.ended is Ended.DRAW else (),
        winner=game.winner,
        closed=tuple(sorted(game.set_up.closed)) if not over else (),
        replaces=closed.replaces if closed else None,
        objections=_objections(game),
        previews=closed.previews if closed else game.previews if over else (),
        processed=closed.processed if closed else None,
        how=game.ended,
        reason=event.reason if isinstance(event, GameEnded) else "",
        sharers=game.sharers,
        carried=game.clock.added,
        objection_until=_objection_until(event),
        succeeded=sum(verdict.given and verdict.succeeded for verdict in all_verdicts),
        failed=sum(verdict.given and not verdict.succeeded for verdict in all_verdicts),
        votes=None if over else votes_under_way(as_told(game), shows_whose=game.settings.open_votes),
        seers=game.sight.powers if game.sight is not None else None,
        score_system=game.settings.scores,
        scores=scores(game),
        story=story_of(closed) if closed else (),
        lots=lots_told(game, closed.phase if closed else after.phase if over else None),
        publish_at=game.publish_at,
        coin=commitment_to_coin(game),
    )


def _nobodys(game: Game, rows: Sequence[PowerRow]) -> tuple[PowerRow, ...]:
    """Return the powers without a player that the leading players do not outnumber.

    They have at least as many units as those players. It is empty unless a short game has ended.
    """
    most = max((sum(len(game.position.units_of(power)) for power in powers) for powers in leaders(game)), default=0)
    nobodys = {seat.power for seat in game.seats if seat.holder is None and not seat.is_robot} | game.set_up.unplayed
    is_short = game.ended is Ended.SHORT
    return tuple(row for row in rows if is_short and row.power in nobodys and len(row.units) >= most)


def _won(closed: PhaseClosed, power: Power) -> tuple[Province, ...]:
    before = closed.before.centers_of(power)
    return tuple(center for center in closed.game.position.centers_of(power) if center not in before)


def _lost(closed: PhaseClosed, power: Power) -> tuple[tuple[Province, Power | None], ...]:
    owners = closed.game.position.centers or {}
    before = closed.before.centers_of(power)
    return tuple((center, owners.get(center)) for center in before if owners.get(center) != power)


def _turn(game: Game) -> int | None:
    """Return the number of the open turn (R-FLOW-1); None before the first turn.

    Spring 1901 is turn 1. Fall is turn 2, or 1 if turns are years.
    """
    phase, first = game.position.phase, game.map.first_phase(game.set_up)
    if first.kind is PhaseKind.ADJUSTMENT:
        first = game.map.turn_after(first)
    if phase.order_key < first.order_key:
        return None  # a sandbox may begin in any year; and builds in the first winter come before all turns
    years = (phase.year - first.year) // game.map.years_per_turn
    if game.settings.rules.turn_word is TurnWord.YEAR:
        return years + 1
    return 2 * years + (phase.season is not Season.SPRING) - (first.season is not Season.SPRING) + 1


def _objection_until(event: GameStarted | PhaseClosed | GameEnded) -> datetime | None:
    wait = event.game.settings.objection
    return event.at + wait if wait and isinstance(event, PhaseClosed) else None


def _verdict_order(verdict: Verdict) -> tuple[bool, str]:
    unit = getattr(verdict.order, "unit", None)
    return (unit is None, unit.location if unit else "")


def _name(people: Mapping[PersonId, Person], holder: PersonId | None) -> str:
    person = people.get(holder) if holder is not None else None
    return person.name if person else ""


def _adjusting(game: Game) -> Mapping[Power, Adjustment]:
    return game.decisions


def seat_views(game: Game, reader: Reader) -> tuple[SeatView, ...]:
    """Return what the reader has to decide; empty if only others have to."""
    must_be_a_view(game)
    if not game.is_running:
        return ()
    return tuple(view for power in reader.powers if (view := _seat_view(game, power)) is not None)


def _seat_view(game: Game, power: Power) -> SeatView | None:
    position = game.position
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            units = position.units_of(power)
            return SeatView(power, position.phase, units, (), None) if units else None
        case PhaseKind.RETREAT:
            lost = tuple((unit, loss) for unit, loss in position.dislodged.items() if loss.power == power)
            units = tuple(unit for unit, _ in lost)
            return SeatView(power, position.phase, units, lost, None) if lost else None
        case PhaseKind.ADJUSTMENT:
            decision = _adjusting(game).get(power)
            if decision is None:
                return None
            units = position.units_of(power) if decision.count < 0 else ()
            return SeatView(power, position.phase, units, (), decision)


def time_view(game: Game, reader: Reader, now: datetime) -> TimeView:
    """Return how much time is left, in the reader's zone."""
    closing = game.due is not None and now >= game.due
    deadline = None if closing else game.clock.deadline
    left = deadline - now if deadline is not None else None
    zone, hints = reader.person.zone, reader.person.preferences.zone_hints
    return TimeView(deadline, left, zone or game.settings.zone, bool(zone) or hints >= _MOST_ZONE_HINTS, closing)


def status_view(game: Game, reader: Reader, now: datetime) -> StatusView:
    """Return what a reader may know of a game between reports.

    It holds the reader's own orders and, if the game tells it, how many other powers lack some.
    """
    must_be_a_view(game)
    lacks = {lack.power: lack for lack in lacking(game)}
    asked = game.deciding if game.is_running else ()
    own = tuple(_own_orders(game, reader, power) for power in reader.powers if power in asked)
    others = tuple(power for power in lacks if power not in reader.powers)
    early = may_close_when_ready(game.settings, game.position.phase.kind)
    waits_for = awaited(game) if game.is_running else ()
    mine = [game.seat(power).filed for power in reader.powers if power in waits_for]
    unready = tuple(power for power in waits_for if early and not game.seat(power).filed.ready)
    asked_to_vote = game.has_votes or bool(game.proposals)
    # In fog, readiness would tell who has something to decide and whose orders are impossible.
    is_referee = reader.role is Role.MASTER and not reader.powers and game.sight is None
    looked = is_referee and may_be_told(game, reader.person.id)
    tells = is_referee or game.settings.readiness is not Readiness.NONE
    return StatusView(
        game=game_view(game),
        own=own,
        kept_idle=kept_idle(game, reader.powers, game.position.phase),
        idle=_idle(own) if game.is_sandbox and game.position.phase.kind is PhaseKind.MOVEMENT else (),
        is_awaited=bool(mine),
        is_ready=bool(mine) and all(filed.ready for filed in mine),
        ready_waits=any(filed.ready_by for filed in mine),
        is_closing=game.due is not None and now >= game.due,
        missing=len(others) if tells else 0,
        missing_powers=others if looked else (),
        unready=len(unready),
        awaited=len({game.seat(power).holder for power in unready} - {None}) if tells else 0,
        unready_powers=unready if game.settings.readiness is Readiness.NAMES else (),
        time=time_view(game, reader, now),
        lacks=tuple(lacks[power] for power in reader.powers if power in lacks),
        votes=votes_seen_by(game, reader.person.id) if asked_to_vote else None,
        ready_powers=tuple(power for power in waits_for if game.seat(power).filed.ready) if looked and early else (),
        waiting_powers=tuple(power for power in waits_for if game.seat(power).filed.waits) if looked and early else (),
        objections=_objections(game) if reader.role is Role.MASTER else (),
        offers=_offers(game, names=not game.hides_names_from(reader.person.id)) if reader.role is Role.MASTER else (),
        on_offer=_on_offer(game, reader),
        hearing=hearing_view(game, reader),
        out=reader.powers if game.is_running and not set(reader.powers) & set(living(game)) else (),
    )


def _objections(game: Game) -> tuple[ObjectionView, ...]:
    """Return the objections that no master has decided."""
    hides = game.hides_names
    return tuple(
        ObjectionView(one.number, one.phase, None if hides else one.power, one.reason) for one in game.open_objections
    )


def hearing_view(game: Game, reader: Reader) -> HearingView | None:
    """Return what press does not reach a reader; None if all of it does."""
    mine = [game.seat(power) for power in reader.powers]
    muted = tuple(dict.fromkeys(power for seat in mine for power in seat.mutes.powers))
    nameless = any(seat.mutes.nameless for seat in mine)
    view = HearingView(game.press_shut and game.is_running, muted, nameless, blocked_powers(game, reader))
    return view if view.is_shut or view.muted or view.mutes_nameless or view.blocked else None


def blocked_powers(game: Game, reader: Reader) -> tuple[Power, ...]:
    """Return the powers of players whom the reader has blocked.

    There are none while the game hides who plays which power.
    """
    blocked = reader.person.preferences.blocked
    if not blocked or not reader.powers or game.hides_names:
        return ()
    return tuple(seat.power for seat in game.seats if seat.holder in blocked)


def _on_offer(game: Game, reader: Reader) -> tuple[Power, ...]:
    return tuple(power for power in reader.powers if game.is_running and is_offered(game, game.seat(power)))


def _offers(game: Game, *, names: bool) -> tuple[OfferView, ...]:
    """Return the offers that are still open; before the start, seats are kept, not offered.

    Stand-ins are named only to readers who may know the players.
    """
    asked = [one for one in game.invitations if one.since is not None]
    seats = [OfferView(one.power, _called(one, names=names), one.since, one.until) for one in asked]
    masters = [OfferView(None, one.address, one.since, is_first=one.is_first) for one in game.master_offers]
    kept = {one.power for one in asked}
    free = [game.seat(power) for power in vacancies(game)] if game.is_running else []
    to_all = [OfferView(seat.power, "", seat.offered_at) for seat in free if seat.power not in kept]
    return (*seats, *masters, *to_all)


def _idle(own: Iterable[OwnOrders]) -> tuple[Power, ...]:
    """Return the powers without orders, if several, for a board of one person.

    They are named in one line.
    """
    found = tuple(one.power for one in own if not one.orders and not one.questions and not one.to_decide)
    return found if len(found) > 1 else ()


def _called(offer: Invitation, *, names: bool) -> str:
    """Return the address that a master wrote, or the name of a stand-in."""
    if offer.until is None:
        return offer.address
    return (offer.name or offer.address) if names else ""


def _own_orders(game: Game, reader: Reader, power: Power) -> OwnOrders:
    seat, found = game.seat(power), unsettled(game, power)
    orders = tuple(filed.order for filed in seat.filed.orders)
    doubtful = [one for one in found if isinstance(one, Contradiction) and reader.person.preferences.warnings]
    lack = next((one for one in found if isinstance(one, Lacking)), None)
    own = OwnOrders(
        power,
        orders,
        lack.units if lack is not None else (),
        lack.count if lack is not None else 0,
        questions=tuple(_question(game, seat, question) for question in seat.filed.questions),
        refused=seat.filed.refused,
        impossible=tuple(one for one in found if isinstance(one, Impossible)),
        doubtful=tuple(doubtful) if seat.filed.ready or seat.filed.ready_by else (),
        by_rule=lack.by_rule if lack is not None else (),
        is_blocked=bool(blocking_among(found, game, power)),
        planned=tuple(PlanView(plan.phase, plan.filed.preferences) for plan in seat.filed.in_order_of_play),
    )
    if lack is None:
        return own
    decision = _adjusting(game).get(power)
    taken = {order.unit.province for order in orders if isinstance(order, Build)}
    builds = decision.options if decision is not None and decision.count > 0 else ()
    open_ = tuple(order for order in builds if isinstance(order, Build) and order.unit.province not in taken)
    return replace(own, choices=open_)


def _question(game: Game, seat: Seat, question: OpenQuestion) -> QuestionView:
    """Return a question, with the orders played if the player does not answer."""
    found = (without_an_answer(game, seat, code) for code in question.orders)
    instead = tuple(dict.fromkeys(order for order in found if order is not None))
    return QuestionView(question.number, question.orders, question.because, instead)
