"""Playing: orders, readiness, and what the master may do while a phase is open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.commands import (
    Clear,
    Command,
    ForPhase,
    ForPower,
    Give,
    Process,
    SetReady,
    Status,
    UseGame,
)
from judge.games.events import (
    Cleared,
    Closing,
    Filed,
    Lacking,
    Noted,
    ReadySet,
    RefusalReason,
    StatusShown,
)
from judge.games.game import FiledOrder, Game, GameState, PersonId, Seat
from judge.games.handled import Handled, refused
from judge.games.schedule import may_close_when_ready
from judge.rules.adjustments import adjustments
from judge.rules.legality import Referee
from judge.rules.map import load_map
from judge.rules.notation import write_order
from judge.rules.orders import (
    AdjustmentOrder,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Retreat,
    RetreatOrder,
    Support,
    Waive,
)
from judge.rules.outcomes import Illegal, IllegalReason
from judge.rules.position import Location, Phase, PhaseKind, Power, Province, Unit


@dataclass(frozen=True, slots=True)
class MailContext:
    """What the mail around a request says about it."""

    mail: int
    """The mail's number; a later mail has a greater one."""
    line: str
    received_at: datetime
    meant_phase: Phase | None = None
    """From a PHASE line, or from the report that the mail replies to."""
    fresh: timedelta = timedelta()
    """How long after its opening a phase is not taken to be meant unless the mail says so."""
    power: Power | None = None
    """From a heading or from the secret address, where the sender holds several."""

    def is_too_fresh(self, opened_at: datetime) -> bool:
        """Whether the mail may well have been written before the phase opened."""
        return self.received_at < opened_at + self.fresh


def handle(game: Game, person: PersonId, command: Command, context: MailContext, now: datetime) -> Handled:
    """Do what one line of a mail asks of a game."""
    match command:
        case Status():
            return Handled(game, StatusShown(game))
        case UseGame() | ForPhase() | ForPower():
            return Handled(game, Noted(command))
        case Process(phase):
            return _process(game, person, phase, now)
        case Give() | Clear() | SetReady():
            closed = _why_closed(game, context)
            if closed is not None:
                return closed
            if not game.seats_of(person):
                return refused(game, RefusalReason.NOT_A_PLAYER, game.name)
            match command:
                case Give(order, misnamed, guessed):
                    given = _give(game, person, order, context)
                    if isinstance(given.answer, Filed):
                        given = replace(given, answer=replace(given.answer, misnamed=misnamed, guessed=guessed))
                    return given
                case Clear(unit):
                    return _clear(game, person, unit, context)
                case SetReady(ready):
                    return _set_ready(game, person, ready=ready, now=context.received_at)
        case _:
            raise TypeError(f"{command!r} is not asked of a game that is played")


def _why_closed(game: Game, context: MailContext) -> Handled | None:
    match game.state:
        case GameState.FORMING:
            return refused(game, RefusalReason.GAME_NOT_STARTED, game.name)
        case GameState.FINISHED:
            return refused(game, RefusalReason.GAME_FINISHED, game.name)
        case GameState.ACTIVE:
            pass
    phase = game.position.phase
    if context.meant_phase is None and game.opened_at is not None and context.is_too_fresh(game.opened_at):
        return refused(game, RefusalReason.WHICH_PHASE, str(phase))
    if context.meant_phase is not None and context.meant_phase != phase:
        return refused(game, RefusalReason.WRONG_PHASE, str(context.meant_phase), str(phase))
    if game.due is not None and context.received_at > game.due:
        return refused(game, RefusalReason.CLOSING, str(phase))
    return None


# Orders


def _give(game: Game, person: PersonId, order: Order, context: MailContext) -> Handled:
    if not _belongs_to(game.position.phase.kind, order):
        return refused(game, RefusalReason.WRONG_KIND_OF_ORDER, str(game.position.phase))
    if context.power is not None and context.power not in {seat.power for seat in game.seats_of(person)}:
        return refused(game, RefusalReason.NOT_YOUR_POWER, context.power)
    seat = _seat_for(game, person, order, context)
    if isinstance(seat, Handled):
        return seat
    if game.position.phase.kind is PhaseKind.ADJUSTMENT and seat.power not in deciding(game):
        return refused(game, RefusalReason.NOTHING_TO_DECIDE, str(game.position.phase))
    meant = Referee(load_map(game.settings.map), game.position, game.settings.rules).meaning(seat.power, order)
    warning = meant if isinstance(meant, Illegal) else None
    if warning is not None and warning.reason is IllegalReason.WRONG_KIND and warning.other is not None:
        # Nothing was said to the unit that stands there: what is on file for it stands.
        return refused(game, RefusalReason.WRONG_KIND, warning.other.province, str(warning.other))
    newer = next((f for f in seat.orders if f.mail > context.mail and subject_of(f.order) == subject_of(order)), None)
    if newer is not None:  # a mail that was held for confirmation is worked after later ones
        return refused(game, RefusalReason.SUPERSEDED, subject_of(order) or "", write_order(newer.order))
    order = order if isinstance(meant, Illegal) else meant
    if game.position.phase.kind is PhaseKind.ADJUSTMENT:
        kept = _kept_adjustments(game, seat, order, context.mail)
        warning = warning or _one_too_many(game, seat.power, kept, order)
    else:
        kept = tuple(filed for filed in seat.orders if subject_of(filed.order) != subject_of(order))
    replaced = tuple(filed.order for filed in seat.orders if filed not in kept and filed.order != order)
    filed = (*kept, FiledOrder(order, context.line, context.mail))
    game = with_seat(game, replace(seat, orders=filed))
    retreats = _retreats_of(game, order) if warning is not None else ()
    return Handled(game, Filed(seat.power, order, replaced, warning, retreats))


def _one_too_many(game: Game, power: Power, kept: Iterable[FiledOrder], order: Order) -> Illegal | None:
    """A legal build or removal behind so many others that nothing is left for it."""
    map_ = load_map(game.settings.map)
    decision = adjustments(map_, game.position, game.settings.rules).get(power)
    referee = Referee(map_, game.position, game.settings.rules)
    legal = sum(not isinstance(referee.meaning(power, filed.order), Illegal) for filed in kept)
    if decision is None or legal < abs(decision.count):
        return None
    removes = isinstance(order, Disband)
    return Illegal(IllegalReason.NO_REMOVAL_DUE if removes else IllegalReason.NO_BUILD_LEFT)


def _retreats_of(game: Game, order: Order) -> tuple[Location, ...]:
    if not isinstance(order, Retreat):
        return ()
    losses = game.position.dislodged.items()
    return next((loss.retreats for unit, loss in losses if unit.province == order.unit.province), ())


def _belongs_to(kind: PhaseKind, order: Order) -> bool:
    match kind:
        case PhaseKind.MOVEMENT:
            return isinstance(order, MovementOrder)
        case PhaseKind.RETREAT:
            return isinstance(order, RetreatOrder)
        case PhaseKind.ADJUSTMENT:
            return isinstance(order, AdjustmentOrder)


def subject_of(order: Order) -> Province | None:
    """The province of the unit an order is for; None for a waived build."""
    match order:
        case Waive():
            return None
        case Hold(unit) | Move(unit) | Support(unit) | Convoy(unit) | Retreat(unit) | Disband(unit) | Build(unit):
            return unit.province


def _seat_for(game: Game, person: PersonId, order: Order, context: MailContext) -> Seat | Handled:
    """The sender's seat that an order is for, or why it is for none."""
    seats = game.seats_of(person)
    place = subject_of(order)
    if place is None or isinstance(order, Build):
        homes = load_map(game.settings.map).home_centers
        fitting = [seat for seat in seats if place in homes[seat.power]] or [
            seat for seat in seats if context.power in (None, seat.power)
        ]
        return fitting[0]
    units = {**game.position.units, **{u: loss.power for u, loss in game.position.dislodged.items()}}
    if game.position.phase.kind is PhaseKind.RETREAT:
        units = {u: loss.power for u, loss in game.position.dislodged.items()} or units
    owners = {power for unit, power in units.items() if unit.province == place}
    for seat in seats:
        if seat.power in owners:
            return seat
    if game.position.phase.kind is PhaseKind.RETREAT and any(unit.province == place for unit in game.position.units):
        return refused(game, RefusalReason.NOT_DISLODGED, place)
    reason = RefusalReason.FOREIGN_UNIT if owners else RefusalReason.NO_SUCH_UNIT
    return refused(game, reason, place)


def _kept_adjustments(game: Game, seat: Seat, order: Order, mail: int) -> tuple[FiledOrder, ...]:
    """The adjustment orders that stay beside a new one: those of the same mail, the last word per province."""
    same_mail = [filed for filed in seat.orders if filed.mail == mail]
    if isinstance(order, Waive):
        decision = adjustments(load_map(game.settings.map), game.position, game.settings.rules).get(seat.power)
        room = decision.count if decision else 0
        waives = [filed for filed in same_mail if isinstance(filed.order, Waive)]
        return tuple(f for f in same_mail if f not in waives or len(waives) < room)
    return tuple(filed for filed in same_mail if subject_of(filed.order) != subject_of(order))


def _clear(game: Game, person: PersonId, unit: Unit | None, context: MailContext) -> Handled:
    cleared: list[Order] = []
    for seat in game.seats_of(person):
        if context.power not in (None, seat.power):
            continue
        gone = [f for f in seat.orders if unit is None or subject_of(f.order) == unit.province]
        cleared += [filed.order for filed in gone]
        game = with_seat(game, replace(seat, orders=tuple(f for f in seat.orders if f not in gone)))
    if not cleared:
        return refused(game, RefusalReason.NOTHING_TO_CLEAR, str(unit) if unit else "")
    return Handled(game, Cleared(tuple(cleared)))


def with_seat(game: Game, changed: Seat) -> Game:
    """The game with one seat changed."""
    return replace(game, seats=tuple(changed if seat.power == changed.power else seat for seat in game.seats))


# Readiness and closing


def _set_ready(game: Game, person: PersonId, *, ready: bool, now: datetime) -> Handled:
    for seat in game.seats_of(person):
        game = with_seat(game, replace(seat, ready=ready))
    if ready and not any(seat.power in deciding(game) for seat in game.seats_of(person)):
        return refused(game, RefusalReason.NOTHING_TO_DECIDE, str(game.position.phase))
    waiting = [seat.power for seat in game.seats if seat.power in deciding(game) and not seat.ready]
    mine = {seat.power for seat in game.seats_of(person)}
    unordered = sum(abs(lack.count) or len(lack.units) for lack in lacking(game) if lack.power in mine)
    if ready and not waiting and may_close_when_ready(game.settings, game.position.phase.kind):
        game = replace(game, closing_since=now)
    return Handled(game, ReadySet(ready, len(waiting), unordered))


def _process(game: Game, person: PersonId, phase: Phase, now: datetime) -> Handled:
    if person != game.master:
        return refused(game, RefusalReason.NOT_THE_MASTER, "PROCESS")
    if game.state is GameState.FORMING:
        return refused(game, RefusalReason.GAME_NOT_STARTED, game.name)
    if game.state is GameState.FINISHED:
        return refused(game, RefusalReason.GAME_FINISHED, game.name)
    if phase != game.position.phase:
        over = phase.order_key < game.position.phase.order_key
        reason = RefusalReason.ALREADY_CLOSED if over else RefusalReason.WRONG_PHASE
        return refused(game, reason, str(phase), str(game.position.phase))
    if game.closing_since is None:
        game = replace(game, closing_since=now)
    return Handled(game, Closing(phase))


def deciding(game: Game) -> tuple[Power, ...]:
    """The powers that have something to decide in the open phase."""
    position = game.position
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            having = set(position.units.values())
        case PhaseKind.RETREAT:
            having = {loss.power for loss in position.dislodged.values()}
        case PhaseKind.ADJUSTMENT:
            having = set(adjustments(load_map(game.settings.map), position, game.settings.rules))
    return tuple(seat.power for seat in game.seats if seat.power in having)


def lacking(game: Game) -> tuple[Lacking, ...]:
    """What is not on file yet, power by power; powers that lack nothing are left out."""
    if game.state is not GameState.ACTIVE:
        return ()
    position = game.position
    result = []
    for power in deciding(game):
        orders = [filed.order for filed in game.seat(power).orders]
        ordered = {subject_of(order) for order in orders}
        match position.phase.kind:
            case PhaseKind.MOVEMENT:
                units: Iterable[Unit] = position.units_of(power)
            case PhaseKind.RETREAT:
                units = sorted((u for u, loss in position.dislodged.items() if loss.power == power), key=str)
            case PhaseKind.ADJUSTMENT:
                decision = adjustments(load_map(game.settings.map), position, game.settings.rules)[power]
                missing = decision.count - len(orders) if decision.count > 0 else decision.count + len(orders)
                if missing * decision.count > 0:
                    result.append(Lacking(power, position.units_of(power) if missing < 0 else (), missing))
                continue
        unordered = tuple(unit for unit in units if unit.province not in ordered)
        if unordered:
            result.append(Lacking(power, unordered))
    return tuple(result)
