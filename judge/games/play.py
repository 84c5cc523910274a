"""Playing: orders, readiness, and what is lacking while a phase is open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.commands import Absence, Clear, Decline, Give, OrderFor, Process, SetReady, Undo, Wait
from judge.games.events import (
    AbsenceSet,
    Cleared,
    Closing,
    Done,
    Filed,
    Happened,
    Lacking,
    ReadySet,
    RefusalReason,
    Undone,
)
from judge.games.game import FiledOrder, Game, PersonId, Planned, Replaced, Seat
from judge.games.handled import Handled, refused
from judge.games.moments import MomentFault, read_period
from judge.games.schedule import after_absences, heeding_readiness, may_close_when_ready, moved
from judge.rules.notation import write_order
from judge.rules.options import DeclineOwnership
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
from judge.rules.position import Location, Phase, PhaseKind, Power, Province, Season, Unit

_AFTER_THE_LAST = timedelta(hours=1)
_YEARS_AHEAD = 2
"""Orders for later phases than that are slips of the pen."""


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
    ordering: OrderFor | None = None
    """The master's ORDER FOR that the line stands below."""
    set_aside: bool = False
    """Lines of the mail that may be orders were taken for a quotation."""
    zone: str = "UTC"
    """In which the sender writes times."""

    def is_too_fresh(self, opened_at: datetime) -> bool:
        """Whether the mail may well have been written before the phase opened."""
        return self.received_at < opened_at + self.fresh


def play(
    game: Game, person: PersonId, command: Give | Clear | Undo | SetReady | Wait | Decline, context: MailContext
) -> Handled:
    """Do what a player asks while a phase is open."""
    closed = _why_closed(game, context, command)
    if closed is not None:
        return closed
    match command:
        case Give(order, misnamed, guessed):
            given = _give(game, person, order, context)
            if isinstance(given.answer, Filed):
                answer = replace(given.answer, misnamed=misnamed, guessed=guessed)
                given = replace(given, game=_ready_once_complete(given.game, context), answer=answer)
            return given
        case Clear(unit):
            later = context.meant_phase is not None and context.meant_phase != game.position.phase
            return (_clear_plans if later else _clear)(game, person, unit, context)
        case Undo():
            return _undo(game, person)
        case SetReady(ready):
            return _set_ready(game, person, context, ready=ready)
        case Wait():
            return _wait(game, person, command)
        case Decline():
            return _decline(game, person, command, context)


def _why_closed(game: Game, context: MailContext, command: object) -> Handled | None:
    phase = game.position.phase
    meant = context.meant_phase
    if isinstance(command, Give | Clear) and meant is not None and _is_coming(meant, phase):
        return None
    if meant is None and game.opened_at is not None and context.is_too_fresh(game.opened_at):
        return refused(game, RefusalReason.WHICH_PHASE, str(phase))
    if meant is not None and meant != phase:
        return refused(game, RefusalReason.WRONG_PHASE, str(meant), str(phase))
    if game.due is not None and context.received_at > game.due:
        return refused(game, RefusalReason.CLOSING, str(phase))
    if game.in_grace and isinstance(command, Clear | Undo):
        return refused(game, RefusalReason.FIXED_IN_GRACE, str(phase))
    return None


def _is_coming(meant: Phase, open_: Phase) -> bool:
    return meant.order_key > open_.order_key and meant.year <= open_.year + _YEARS_AHEAD


# Orders


def _give(game: Game, person: PersonId, order: Order, context: MailContext) -> Handled:
    seats = _seats(game, person, context)
    if isinstance(seats, Handled):
        return seats
    phase = game.position.phase
    later = _planned_for(order, phase, context.meant_phase)
    if later is not None:
        return _plan(game, seats, order, later, context)
    if not _belongs_to(phase.kind, order):
        return refused(game, RefusalReason.WRONG_KIND_OF_ORDER, str(phase))
    seat = _seat_for(game, seats, order, context)
    if isinstance(seat, Handled):
        return seat
    if game.in_grace and seat.power not in {lack.power for lack in lacking(game)}:
        return refused(game, RefusalReason.FIXED_IN_GRACE, str(phase))
    if phase.kind is PhaseKind.ADJUSTMENT and seat.power not in game.deciding:
        return refused(game, RefusalReason.NOTHING_TO_DECIDE, str(phase))
    meant = _led(game, seat).referee.meaning(seat.power, order)
    warning = meant if isinstance(meant, Illegal) else None
    if warning is not None and warning.reason is IllegalReason.WRONG_KIND and warning.other is not None:
        # Nothing was said to the unit that stands there: what is on file for it stands.
        return refused(game, RefusalReason.WRONG_KIND, warning.other.province, str(warning.other))
    newer = next((f for f in seat.orders if f.mail > context.mail and subject_of(f.order) == subject_of(order)), None)
    if newer is not None:  # a mail that was held for confirmation is worked after later ones
        return refused(game, RefusalReason.SUPERSEDED, subject_of(order) or "", write_order(newer.order))
    order = order if isinstance(meant, Illegal) else meant
    if phase.kind is PhaseKind.ADJUSTMENT:
        kept = _kept_adjustments(game, seat, order, context.mail)
        warning = warning or _one_too_many(game, seat.power, kept, order)
    else:
        kept = tuple(filed for filed in seat.orders if subject_of(filed.order) != subject_of(order))
    replaced = tuple(filed.order for filed in seat.orders if filed not in kept and filed.order != order)
    seat = _refiled(seat, (*kept, FiledOrder(order, context.line, context.mail)), context.mail)
    returns = seat.in_disorder and context.ordering is None
    game = game.with_seat(replace(seat, in_disorder=seat.in_disorder and not returns))
    retreats = _retreats_of(game, order) if warning is not None else ()
    answer = Filed(seat.power, order, replaced, warning, retreats, returns=returns)
    return Handled(_no_longer_awaited(game, context.received_at), answer)


def _led(game: Game, seat: Seat) -> Game:
    """The game as it is once the player of that seat has written."""
    return game.with_seat(replace(seat, in_disorder=False)) if seat.in_disorder else game


def _seats(game: Game, person: PersonId, context: MailContext) -> tuple[Seat, ...] | Handled:
    """The seats the sender may give orders for."""
    if context.ordering is not None:
        return (game.seat(context.ordering.power),)
    seats = game.seats_of(person)
    if context.power is not None and context.power not in {seat.power for seat in seats}:
        return refused(game, RefusalReason.NOT_YOUR_POWER, context.power)
    return seats


def _refiled(seat: Seat, orders: tuple[FiledOrder, ...], mail: int) -> Seat:
    """The seat with other orders on file; what the mail takes away is kept for UNDO, what mails before took is not."""
    gone = tuple(Replaced(filed, mail) for filed in seat.orders if filed not in orders and filed.mail != mail)
    earlier = tuple(one for one in seat.replaced if one.by == mail)
    return replace(seat, orders=orders, replaced=(*earlier, *gone), changed_by=mail)


def _undo(game: Game, person: PersonId) -> Handled:
    """The orders as they were before the last mail that changed them."""
    seats = game.seats_of(person)
    last = max((seat.changed_by for seat in seats), default=0)
    if not last:
        return refused(game, RefusalReason.NOTHING_TO_UNDO)
    gone: list[Order] = []
    back: list[Order] = []
    for seat in seats:
        if seat.changed_by != last:
            continue
        taken = [one for one in seat.replaced if one.by == last]
        restored = tuple(one.filed for one in taken if one.phase is None)
        plans = tuple(Planned(one.phase, one.filed) for one in taken if one.phase is not None)
        gone += [filed.order for filed in seat.orders if filed.mail == last]
        gone += [plan.filed.order for plan in seat.planned if plan.filed.mail == last]
        back += [one.filed.order for one in taken]
        kept = tuple(filed for filed in seat.orders if filed.mail != last)
        planned = tuple(plan for plan in seat.planned if plan.filed.mail != last)
        orders, planned = (*kept, *restored), (*planned, *plans)
        game = game.with_seat(replace(seat, orders=orders, planned=planned, replaced=(), changed_by=0))
    return Handled(game, Undone(tuple(gone), tuple(back)))


# Orders for later


def _planned_for(order: Order, open_: Phase, meant: Phase | None) -> Phase | None:
    """The later phase an order is for; None if it is for the open one.

    Beside moves a retreat or a build is for the retreats or the winter that follow them.
    """
    if meant is not None and meant != open_:
        return meant
    if open_.kind is PhaseKind.MOVEMENT and isinstance(order, Retreat | Disband):
        return replace(open_, kind=PhaseKind.RETREAT)
    if open_.kind is not PhaseKind.ADJUSTMENT and isinstance(order, Build | Waive):
        return Phase(Season.WINTER, open_.year, PhaseKind.ADJUSTMENT)
    return None


def _plan(game: Game, seats: Iterable[Seat], order: Order, phase: Phase, context: MailContext) -> Handled:
    if not _belongs_to(phase.kind, order):
        return refused(game, RefusalReason.WRONG_KIND_OF_ORDER, str(phase))
    seat = _seat_to_plan_for(game, tuple(seats), order, context)
    same = [plan for plan in seat.planned if plan.phase == phase and subject_of(plan.filed.order) == subject_of(order)]
    waives = isinstance(order, Waive)
    kept = tuple(plan for plan in seat.planned if plan not in same or waives)
    plan = Planned(phase, FiledOrder(order, context.line, context.mail))
    game = game.with_seat(_replanned(seat, (*kept, plan), context.mail))
    replaced = () if waives else tuple(one.filed.order for one in same if one.filed.order != order)
    return Handled(game, Filed(seat.power, order, replaced, phase=phase))


def _replanned(seat: Seat, planned: tuple[Planned, ...], mail: int) -> Seat:
    """The seat with other plans; see `_refiled`."""
    gone = [plan for plan in seat.planned if plan not in planned and plan.filed.mail != mail]
    earlier = tuple(one for one in seat.replaced if one.by == mail)
    replaced = (*earlier, *(Replaced(plan.filed, mail, plan.phase) for plan in gone))
    return replace(seat, planned=planned, replaced=replaced, changed_by=mail)


def _clear_plans(game: Game, person: PersonId, unit: Unit | None, context: MailContext) -> Handled:
    """Take back what is planned for a later phase."""
    before, seats = game, _seats(game, person, context)
    if isinstance(seats, Handled):
        return seats
    cleared: list[Order] = []
    for seat in seats:
        mine = [plan for plan in seat.planned if plan.phase == context.meant_phase]
        gone = [plan for plan in mine if unit is None or subject_of(plan.filed.order) == unit.province]
        cleared += [plan.filed.order for plan in gone]
        if gone:
            left = tuple(plan for plan in seat.planned if plan not in gone)
            game = game.with_seat(_replanned(seat, left, context.mail))
    if not cleared:
        return refused(before, RefusalReason.NOTHING_TO_CLEAR, str(unit) if unit else "")
    return Handled(game, Cleared(tuple(cleared)))


def _seat_to_plan_for(game: Game, seats: tuple[Seat, ...], order: Order, context: MailContext) -> Seat:
    """Whose unit it will be: its present owner's, else the power's named in a heading, else the first."""
    place = subject_of(order)
    owners = {power for unit, power in game.position.units.items() if unit.province == place}
    homes = {power for power, land in game.map.home_centers.items() if place in land}
    fitting = [seat for seat in seats if seat.power in (homes if isinstance(order, Build) else owners)]
    named = [seat for seat in seats if seat.power == context.power]
    return (named or fitting or list(seats))[0]


def with_plans(game: Game) -> Game:
    """The phase that has just opened, with the orders that were written for it before."""
    phase = game.position.phase
    for seat in game.seats:
        due = [plan.filed for plan in seat.planned if plan.phase == phase and _can_be_meant(game, seat, plan.filed)]
        left = tuple(plan for plan in seat.planned if plan.phase.order_key > phase.order_key)
        if due or left != seat.planned:
            game = game.with_seat(replace(seat, orders=tuple(due), planned=left))
    return game


def _can_be_meant(game: Game, seat: Seat, filed: FiledOrder) -> bool:
    """Whether the unit that an order was written for is there."""
    place = subject_of(filed.order)
    match game.position.phase.kind:
        case PhaseKind.MOVEMENT:
            return any(unit.province == place for unit in game.position.units_of(seat.power))
        case PhaseKind.RETREAT:
            dislodged = game.position.dislodged.items()
            return any(unit.province == place and loss.power == seat.power for unit, loss in dislodged)
        case PhaseKind.ADJUSTMENT:
            meant = game.referee.meaning(seat.power, filed.order)
            return not isinstance(meant, Illegal) and seat.power in game.deciding


def _one_too_many(game: Game, power: Power, kept: Iterable[FiledOrder], order: Order) -> Illegal | None:
    """A legal build or removal behind so many others that nothing is left for it."""
    decision = game.decisions.get(power)
    legal = sum(not isinstance(game.referee.meaning(power, filed.order), Illegal) for filed in kept)
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


def _seat_for(game: Game, seats: tuple[Seat, ...], order: Order, context: MailContext) -> Seat | Handled:
    """The one of the seats that an order is for, or why it is for none."""
    place = subject_of(order)
    if place is None or isinstance(order, Build):
        homes = game.map.home_centers
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
        decision = game.decisions.get(seat.power)
        room = decision.count if decision else 0
        waives = [filed for filed in same_mail if isinstance(filed.order, Waive)]
        return tuple(f for f in same_mail if f not in waives or len(waives) < room)
    return tuple(filed for filed in same_mail if subject_of(filed.order) != subject_of(order))


def _clear(game: Game, person: PersonId, unit: Unit | None, context: MailContext) -> Handled:
    cleared: list[Order] = []
    before, seats = game, _seats(game, person, context)
    if isinstance(seats, Handled):
        return seats
    for seat in seats:
        if context.power not in (None, seat.power):
            continue
        gone = [f for f in seat.orders if unit is None or subject_of(f.order) == unit.province]
        cleared += [filed.order for filed in gone]
        left = tuple(filed for filed in seat.orders if filed not in gone)
        if gone:
            game = game.with_seat(_refiled(seat, left, context.mail))
    if not cleared:
        return refused(before, RefusalReason.NOTHING_TO_CLEAR, str(unit) if unit else "")
    return Handled(game, Cleared(tuple(cleared)))


# Readiness, absence, declined centers


def _set_ready(game: Game, person: PersonId, context: MailContext, *, ready: bool) -> Handled:
    mine = game.seats_of(person)
    asked = game.deciding
    if ready and not any(seat.power in asked for seat in mine):
        return refused(game, RefusalReason.NOTHING_TO_DECIDE, str(game.position.phase))
    missing = tuple(lack for lack in lacking(game) if lack.power in {seat.power for seat in mine})
    incomplete = {lack.power for lack in missing}
    for seat in mine:
        if not ready:
            changed = replace(seat, ready=False, ready_by=0)
        elif _may_be_ready(game, seat, context, is_complete=seat.power not in incomplete):
            changed = replace(seat, ready=True, ready_by=0, waits=False)
        else:
            changed = replace(seat, ready_by=seat.ready_by or context.mail, waits=False)
        game = game.with_seat(changed)
    waiting = [seat.power for seat in game.seats if seat.power in asked and not seat.ready and seat.holder != person]
    game = heeding_readiness(_no_longer_awaited(game, context.received_at), context.received_at)
    answer = ReadySet(
        ready,
        len(waiting),
        missing,
        context.set_aside,
        counts=all(game.seat(seat.power).ready for seat in mine if seat.power in asked),
        closes_early=may_close_when_ready(game.settings, game.position.phase.kind),
        has_deadline=game.deadline is not None,
        closes_at=game.closing_since,
    )
    return Handled(game, answer)


def _may_be_ready(game: Game, seat: Seat, context: MailContext, *, is_complete: bool) -> bool:
    """Whether READY counts at once: nothing is missing and nothing of the mail was set aside, or it is said again."""
    if seat.ready or game.settings.ready_incomplete:
        return True
    said_before = seat.ready_by not in (0, context.mail)
    return not context.set_aside and (is_complete or said_before)


def _ready_once_complete(game: Game, context: MailContext) -> Game:
    """A READY that came too early counts as soon as nothing is missing."""
    if context.set_aside or not any(seat.ready_by for seat in game.seats):
        return game
    incomplete = {lack.power for lack in lacking(game)}
    for seat in game.seats:
        if seat.ready_by and seat.power not in incomplete:
            game = game.with_seat(replace(seat, ready=True, ready_by=0))
    return game


def _wait(game: Game, person: PersonId, command: Wait) -> Handled:
    if not may_close_when_ready(game.settings, game.position.phase.kind):
        kind = "deadline" if game.deadline is not None else ""
        return refused(game, RefusalReason.NEVER_CLOSES_EARLY, str(game.position.phase), kind)
    for seat in game.seats_of(person):
        game = game.with_seat(replace(seat, waits=True, ready=False, ready_by=0))
    return Handled(game, Done(command, game.deadline))


def _decline(game: Game, person: PersonId, command: Decline, context: MailContext) -> Handled:
    if game.settings.rules.decline_ownership is not DeclineOwnership.YES:
        return refused(game, RefusalReason.NO_DECLINING)
    wrong = next((place for place in command.provinces if place not in game.map.supply_centers), None)
    if wrong is not None:
        return refused(game, RefusalReason.NO_CENTER, wrong)
    seats = _seats(game, person, context)
    if isinstance(seats, Handled):
        return seats
    for seat in seats:
        game = game.with_seat(replace(seat, declined=command.provinces))
    return Handled(game, Done(command))


def set_absence(game: Game, person: PersonId, command: Absence, context: MailContext) -> Handled:
    """While somebody is away no phase closes that waits for him, but the master may close it."""
    start = end = None
    if command.period:
        period = read_period(command.period, context.received_at, context.zone)
        if isinstance(period, MomentFault):
            return refused(game, RefusalReason.BAD_MOMENT, command.period, period)
        start, end = period
    mine = game.seats_of(person)
    for seat in mine:
        game = game.with_seat(replace(seat, absent_from=start, absent_to=end))
    deadline = game.deadline
    is_asked = any(seat.power in game.deciding for seat in mine)
    if not (is_asked and start and end and deadline is not None and start <= deadline < end):
        return Handled(game, AbsenceSet(start, end, None, context.zone))
    game = moved(game, after_absences(game, deadline), context.received_at)
    told = Happened(game, command, context.received_at, mine[0].power)
    return Handled(game, AbsenceSet(start, end, game.deadline, context.zone), (told,))


def process(game: Game, command: Process, now: datetime) -> Handled:
    """The master closes the open phase; it has to be named."""
    phase = command.phase
    if phase != game.position.phase:
        over = phase.order_key < game.position.phase.order_key
        reason = RefusalReason.ALREADY_CLOSED if over else RefusalReason.NOT_OPEN_YET
        return refused(game, reason, str(phase), str(game.position.phase))
    if game.due is not None and game.due <= now:  # it is closing already
        return Handled(game, Closing(phase))
    game = replace(game, closing_since=now, processed=command.reason)
    return Handled(game, Closing(phase), (Happened(game, command, now),))


def lacking(game: Game) -> tuple[Lacking, ...]:
    """What is not on file yet, power by power; powers that lack nothing are left out."""
    if not game.is_running:
        return ()
    position = game.position
    result = []
    for power in game.deciding:
        orders = [filed.order for filed in game.seat(power).orders]
        ordered = {subject_of(order) for order in orders}
        match position.phase.kind:
            case PhaseKind.MOVEMENT:
                units: Iterable[Unit] = position.units_of(power)
            case PhaseKind.RETREAT:
                units = sorted((u for u, loss in position.dislodged.items() if loss.power == power), key=str)
            case PhaseKind.ADJUSTMENT:
                decision = game.decisions[power]
                missing = decision.count - len(orders) if decision.count > 0 else decision.count + len(orders)
                if missing * decision.count > 0:
                    result.append(Lacking(power, position.units_of(power) if missing < 0 else (), missing))
                continue
        unordered = tuple(unit for unit in units if unit.province not in ordered)
        if unordered:
            result.append(Lacking(power, unordered))
    return tuple(result)


def silent(game: Game) -> tuple[Power, ...]:
    """The powers that have something to order and somebody to do it, and sent nothing, not even READY."""
    seats = [game.seat(lack.power) for lack in lacking(game)]
    return tuple(seat.power for seat in seats if not (seat.orders or seat.ready or seat.ready_by))


def _no_longer_awaited(game: Game, now: datetime) -> Game:
    """A phase that stayed open for somebody closes soon after his first mail, which may not be his last."""
    if not game.awaits or silent(game):
        return game
    return replace(game, awaits=False, deadline=now + _AFTER_THE_LAST)
