"""Orders for the open phase: giving, clearing, undoing them; declining centers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from judge.commands import Decline, Undo
from judge.games import refusals
from judge.games.answers import Cleared, Done, Filed, Undone
from judge.games.context import MailContext
from judge.games.filed import FiledOrder, OpenQuestion, Planned
from judge.games.filing import (
    belong_to,
    not_asked_about,
    planned_for,
    seats_meant,
    settled_by,
    subject_of,
)
from judge.games.game import Game, Seat
from judge.games.handled import Handled, refused
from judge.games.person import PersonId
from judge.games.plans import plan
from judge.games.readiness import is_offered, kept_idle, no_longer_awaited, not_offered
from judge.games.request import Request
from judge.games.unsettled import lacking
from judge.rules.notation import read_order
from judge.rules.options import DeclineOwnership
from judge.rules.orders import Build, Disband, Order, Retreat, Waive
from judge.rules.outcomes import Illegal, IllegalReason
from judge.rules.position import Location, PhaseKind, Power, Province, Unit


def give(
    game: Game, person: PersonId, order: Order, context: MailContext, otherwise: tuple[Order, ...] = ()
) -> Handled:
    """Put an order on file, for the open phase or a later one.

    `otherwise` holds the orders to use if it is not possible, in order of preference.
    """
    seats = seats_meant(game, person, context)
    if isinstance(seats, Handled):
        return seats
    phase = game.position.phase
    preferences = (order, *otherwise)
    if context.meant_phase not in (None, phase) or not belong_to(phase.kind, preferences):
        later = planned_for(preferences, phase, context.meant_phase)
        wrong = refusals.WrongKindOfOrder(phase)
        return plan(game, seats, preferences, later, context) if later is not None else refused(game, wrong)
    if otherwise:
        taken = _taken_by(game, seats, context.mail) if phase.kind is PhaseKind.ADJUSTMENT else set()
        left = [one for one in preferences if subject_of(one) not in taken]
        return _first_possible([give(game, person, one, context) for one in left], preferences, game)
    seat = _seat_for(game, seats, order, context)
    if isinstance(seat, Handled):
        return seat
    if is_fixed(game, seat, order, context.mail):
        return refused(game, refusals.FixedInGrace(phase))
    as_led = led(game, seat)
    if phase.kind is PhaseKind.ADJUSTMENT:
        deciding = as_led.decisions if context.ordering is not None else game.deciding
        if seat.power not in deciding:
            idle = kept_idle(game, (seat.power,), phase) if context.ordering is None else ()
            return refused(game, refusals.NothingToDecide(phase, idle=idle))
    meant = as_led.referee.meaning(seat.power, order)
    warning = meant if isinstance(meant, Illegal) else None
    if warning is not None and warning.reason is IllegalReason.WRONG_KIND and warning.other is not None:
        # The order names the wrong kind of unit, so the order on file for the unit there is kept.
        return refused(game, refusals.WrongKind(warning.other))
    newer = next(
        (f for f in seat.filed.orders if f.mail > context.mail and subject_of(f.order) == subject_of(order)), None
    )
    if newer is not None:  # a mail that waited for confirmation may be handled after later ones
        return refused(game, refusals.Superseded(subject_of(order) or "", newer.order))
    order = order if isinstance(meant, Illegal) else meant
    if phase.kind is PhaseKind.ADJUSTMENT:
        kept = (_beside if context.adds or game.clock.in_grace else _kept_adjustments)(game, seat, order, context.mail)
        warning = warning or _one_too_many(game, seat.power, kept, order)
    else:
        kept = tuple(filed for filed in seat.filed.orders if subject_of(filed.order) != subject_of(order))
    before = Counter(f.order for f in seat.filed.orders if f.order != order or f.mail == context.mail)
    gone = before - Counter(f.order for f in kept)
    filed_now = seat.filed.with_orders((*kept, FiledOrder(order, context.line, context.mail)), context.mail)
    seat = replace(seat, filed=settled_by(filed_now, order, context.mail))
    returns = seat.in_disorder and context.ordering is None
    keeps = is_offered(game, seat) and context.ordering is None
    seat = not_offered(seat) if keeps else seat
    game = game.with_seat(replace(seat, in_disorder=False) if returns else seat)
    retreats = _retreats_of(game, order) if warning is not None else ()
    replaced = tuple((one,) for one in gone.elements())
    answer = Filed(seat.power, order, replaced, warning, retreats, returns=returns, keeps=keeps)
    return Handled(no_longer_awaited(game, context.received_at), answer)


def _taken_by(game: Game, seats: Iterable[Seat], mail: int) -> set[Province]:
    """Return the provinces in which earlier lines of a mail build or remove."""
    filed = (one for seat in seats for one in game.seat(seat.power).filed.orders if one.mail == mail)
    return {place for one in filed if (place := subject_of(one.order)) is not None}


def _first_possible(tried: Sequence[Handled], preferences: tuple[Order, ...], game: Game) -> Handled:
    """Return the first attempt that filed a legal order; a refusal if there is none."""
    for handled in tried:
        if isinstance(handled.answer, Filed) and handled.answer.warning is None:
            left = tuple(order for order in preferences if order != handled.answer.order)
            return replace(handled, answer=replace(handled.answer, otherwise=left))
    if tried and not isinstance(tried[0].answer, Filed):
        return tried[0]
    return refused(game, refusals.NonePossible(preferences))


def is_fixed(game: Game, seat: Seat, order: Order, mail: int = 0) -> bool:
    """Whether a grace period, which is for orders missing when it began, forbids this change.

    What an earlier line of the same mail put on file may be changed.
    """
    if not game.clock.in_grace:
        return False
    place = subject_of(order)
    there = [filed for filed in seat.filed.orders if place is not None and subject_of(filed.order) == place]
    if any(filed.mail == mail for filed in there):
        return False
    may_change = game.settings.grace_changes
    has_lacked = may_change and any(
        filed.mail == mail for filed in seat.filed.orders
    )  # before an earlier line of this mail
    is_complete = not has_lacked and seat.power not in {lack.power for lack in lacking(game)}
    return is_complete or (bool(there) and not may_change)


def led(game: Game, seat: Seat) -> Game:
    """Return the game as if the seat had an active player.

    Either its player has just written, or a master orders for it.
    """
    is_dummy = seat.is_out
    if (seat.in_disorder, seat.is_dummy) == (False, is_dummy):
        return game
    return game.with_seat(replace(seat, in_disorder=False, is_dummy=is_dummy))


def _seat_for(game: Game, seats: tuple[Seat, ...], order: Order, context: MailContext) -> Seat | Handled:
    """Return the seat among these that an order is for, or a refusal."""
    place = subject_of(order)
    if place is None or isinstance(order, Build):
        homes = game.map.build_centers
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
        return refused(game, refusals.NotDislodged(place))
    ordered_for = context.ordering.power if context.ordering is not None else None
    return refused(game, refusals.ForeignUnit(place, ordered_for) if owners else refusals.NoSuchUnit(place))


def _kept_adjustments(game: Game, seat: Seat, order: Order, mail: int) -> tuple[FiledOrder, ...]:
    """Return the adjustment orders to keep beside a new one.

    These are the orders of the same mail, the latest per province, and no more WAIVE than builds are due.
    """
    same_mail = [filed for filed in seat.filed.orders if filed.mail == mail]
    if isinstance(order, Waive):
        decision = game.decisions.get(seat.power)
        room = decision.count if decision else 0
        waives = [filed for filed in same_mail if isinstance(filed.order, Waive)]
        if len(waives) < room:
            return tuple(same_mail)
        builds = (filed for filed in same_mail if not isinstance(filed.order, Waive))
        return (*builds, *waives[: max(room, 1) - 1])
    return tuple(filed for filed in same_mail if subject_of(filed.order) != subject_of(order))


def _beside(game: Game, seat: Seat, order: Order, _: int) -> tuple[FiledOrder, ...]:
    """Return the adjustment orders of all mails that still fit beside a new one.

    The newest are kept.
    """
    others = [
        filed for filed in seat.filed.orders if isinstance(order, Waive) or subject_of(filed.order) != subject_of(order)
    ]
    decision = game.decisions.get(seat.power)
    room = abs(decision.count) - 1 if decision else 0
    return tuple(others[-room:]) if room else ()


def _one_too_many(game: Game, power: Power, kept: Iterable[FiledOrder], order: Order) -> Illegal | None:
    """Return a reason if a legal build or removal exceeds the number that is due."""
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


def clear(game: Game, person: PersonId, unit: Unit | None, context: MailContext) -> Handled:
    """Remove orders from the file, for one unit or for all."""
    cleared: list[Order] = []
    lines: list[str] = []
    before, seats = game, seats_meant(game, person, context)
    if isinstance(seats, Handled):
        return seats
    for seat in seats:
        if context.power not in (None, seat.power):
            continue
        gone = [f for f in seat.filed.orders if unit is None or subject_of(f.order) == unit.province]
        cleared += [filed.order for filed in gone]
        lines += [line.text for line in seat.filed.refused if unit is None or unit.province in line.places]
        if unit is None:
            left = replace(seat.filed, questions=(), refused=())
        else:
            lines += _asked_about(seat.filed.questions, unit)
            left = not_asked_about(seat.filed, unit.province)
            left = left.without_lines(lambda line: unit.province in line.places)
        if gone:
            left = left.with_orders(tuple(filed for filed in left.orders if filed not in gone), context.mail)
        game = game.with_seat(replace(seat, filed=left))
    if not cleared and not lines:
        return refused(before, refusals.NothingToClear(unit))
    return Handled(game, Cleared(tuple(cleared), tuple(lines)))


def _asked_about(questions: Iterable[OpenQuestion], unit: Unit) -> list[str]:
    """Return the orders for a unit that are part of open questions, in notation."""
    codes = [code for question in questions for code in question.orders]
    return [code for code in codes if subject_of(read_order(code)) == unit.province]


def undo(request: Request[Undo]) -> Handled:
    """Restore the orders from before the last mail that changed them or left something unsettled."""
    game = request.game
    seats = game.seats_of(request.person)
    unread = [line.mail for seat in seats for line in seat.filed.refused]
    asked = [question.mail for seat in seats for question in seat.filed.questions]
    last = max((*unread, *asked, *(seat.filed.changed_by for seat in seats)), default=0)
    if not last:
        return refused(game, refusals.NothingToUndo())
    gone: list[tuple[Order, ...]] = []
    back: list[tuple[Order, ...]] = []
    lines: list[str] = []
    for seat in seats:
        on_file = seat.filed
        lines += [line.text for line in on_file.refused if line.mail == last]
        lines += [code for question in on_file.questions if question.mail == last for code in question.orders]
        left = tuple(question for question in on_file.questions if question.mail != last)
        on_file = replace(on_file, questions=left).without_lines(lambda line: line.mail == last)
        game = game.with_seat(replace(seat, filed=on_file))
        if on_file.changed_by != last:
            continue
        taken = [one for one in on_file.replaced if one.by == last]
        restored = tuple(one.filed for one in taken if one.phase is None)
        plans = tuple(Planned(one.phase, one.filed) for one in taken if one.phase is not None)
        gone += [(filed.order,) for filed in on_file.orders if filed.mail == last]
        gone += [plan.filed.preferences for plan in on_file.planned if plan.filed.mail == last]
        back += [one.filed.preferences for one in taken]
        kept = tuple(filed for filed in on_file.orders if filed.mail != last)
        planned = tuple(plan for plan in on_file.planned if plan.filed.mail != last)
        orders, planned = (*kept, *restored), (*planned, *plans)
        on_file = replace(on_file, orders=orders, planned=planned, replaced=(), changed_by=0)
        game = game.with_seat(replace(seat, filed=on_file))
    return Handled(game, Undone(tuple(gone), tuple(back), tuple(lines)))


def decline(request: Request[Decline]) -> Handled:
    """Note which centers a power leaves to their owners."""
    game, command = request.game, request.command
    if game.settings.rules.decline_ownership is not DeclineOwnership.YES:
        return refused(game, refusals.NoDeclining())
    wrong = next((place for place in command.provinces if place not in game.map.supply_centers), None)
    if wrong is not None:
        return refused(game, refusals.NoCenter(wrong))
    seats = seats_meant(game, request.person, request.mail)
    if isinstance(seats, Handled):
        return seats
    for seat in seats:
        game = game.with_seat(replace(seat, filed=replace(seat.filed, declined=command.provinces)))
    return Handled(game, Done(command))
