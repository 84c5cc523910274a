"""Findings about a power in the open phase, from its player's view.

READY counts once no finding blocks it. Orders of other players are never considered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from judge.games.contradictions import Contradiction, contradictions
from judge.games.filed import OpenQuestion
from judge.games.filing import planned_for, subject_of
from judge.games.findings import Finding, Impossible, Lacking, NotTaken, Unanswered, blocks, marks
from judge.games.game import Game, Seat
from judge.games.sight import seen_as, seen_by
from judge.rules.adjudication import adjudicate
from judge.rules.legality import Referee
from judge.rules.notation import read_order
from judge.rules.orders import Disband, Hold, Order
from judge.rules.outcomes import Illegal, Verdict
from judge.rules.position import Phase, PhaseKind, Power, Unit


def unsettled(game: Game, power: Power) -> tuple[Finding, ...]:
    """Return all findings for a power: those that block READY, then the others."""
    game = _as_seen(game, power)
    if power not in game.deciding or not game.is_running:
        return ()
    seat = game.seat(power)
    questions = [Unanswered(question) for question in seat.filed.questions if is_of_the_open_phase(game, question)]
    lines = [NotTaken(line) for line in seat.filed.refused]
    winter, referee = _winter(game, seat), game.referee
    lack = _missing(game, seat, winter)
    impossible, doubtful = _impossible(game, seat, winter, referee), _doubtful(game, seat, referee)
    return (*questions, *lines, *impossible, *([lack] if lack else ()), *doubtful)


def blocking(game: Game, power: Power) -> tuple[Finding, ...]:
    """Return the findings that keep READY of a power from counting."""
    return blocking_among(unsettled(game, power), game, power)


def blocking_among(found: Iterable[Finding], game: Game, power: Power) -> tuple[Finding, ...]:
    """Return those of a power's findings that keep its READY from counting.

    Findings that a later READY accepted are left out.
    """
    accepted = frozenset(game.seat(power).filed.accepted)
    return tuple(one for one in found if blocks(one, game.settings) and not accepted.issuperset(marks(one)))


def lacking(game: Game) -> tuple[Lacking, ...]:
    """Return the missing orders by power; powers that lack nothing are left out."""
    if not game.is_running:
        return ()
    found = (_missing_of(game, power) for power in game.deciding)
    return tuple(lack for lack in found if lack is not None)


def _missing_of(game: Game, power: Power) -> Lacking | None:
    seen = _as_seen(game, power)
    if seen is not game and power not in seen.deciding:
        return None
    seat = seen.seat(power)
    return _missing(seen, seat, _winter(seen, seat))


def _as_seen(game: Game, power: Power) -> Game:
    """Return the game as the player of a power sees it.

    Findings must tell the player nothing else.
    """
    holder = game.seat(power).holder
    return seen_by(game, holder) if holder is not None else seen_as(game, (power,))


def is_of_the_open_phase(game: Game, question: OpenQuestion) -> bool:
    """Whether a question is about the open phase, not a later one."""
    meant = Phase.parse(question.phase) if question.phase else None
    phase = game.position.phase
    return any(planned_for((read_order(code),), phase, meant) is None for code in question.orders)


def without_an_answer(game: Game, seat: Seat, code: str) -> Order | None:
    """Return the order played for a unit if its question stays unanswered.

    None means that the unit gets no order.
    """
    game = _as_seen(game, seat.power)
    place = subject_of(read_order(code))
    filed = next((one.order for one in seat.filed.orders if place is not None and subject_of(one.order) == place), None)
    meant = game.referee.meaning(seat.power, filed) if filed is not None else None
    if meant is not None and not isinstance(meant, Illegal):
        return meant
    unit = next((unit for unit in _units_to_order(game, seat.power) if unit.province == place), None)
    if unit is None:
        return None
    match game.position.phase.kind:
        case PhaseKind.MOVEMENT:
            return Hold(unit)
        case PhaseKind.RETREAT:
            return Disband(unit)
        case PhaseKind.ADJUSTMENT:
            return None


def _units_to_order(game: Game, power: Power) -> Sequence[Unit]:
    """Return the units that need an order in a movement or retreat phase."""
    position = game.position
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return position.units_of(power)
        case PhaseKind.RETREAT:
            return sorted((u for u, loss in position.dislodged.items() if loss.power == power), key=str)
        case PhaseKind.ADJUSTMENT:
            return ()


def _missing(game: Game, seat: Seat, winter: Sequence[Verdict]) -> Lacking | None:
    """Return the orders a seat lacks.

    An impossible order counts for its unit, but not as a build or removal.
    """
    kind = game.position.phase.kind
    if kind is PhaseKind.ADJUSTMENT:
        return _missing_adjustments(game, seat, winter)
    ordered = {subject_of(filed.order) for filed in seat.filed.orders}
    units = tuple(unit for unit in _units_to_order(game, seat.power) if unit.province not in ordered)
    return Lacking(seat.power, units, kind=kind) if units else None


def _missing_adjustments(game: Game, seat: Seat, winter: Sequence[Verdict]) -> Lacking | None:
    decision = game.decisions[seat.power]
    if not decision.count:
        return None
    done = [verdict.order for verdict in winter if verdict.given and verdict.succeeded]
    if decision.count > 0:
        # A voluntary removal makes room for one more build, which need not be used.
        left = decision.count - sum(not isinstance(order, Disband) for order in done)
        return Lacking(seat.power, (), left, PhaseKind.ADJUSTMENT) if left > 0 else None
    by_rule = tuple(
        verdict.order.unit for verdict in winter if not verdict.given and isinstance(verdict.order, Disband)
    )
    if not by_rule:
        return None
    gone = {subject_of(order) for order in done if isinstance(order, Disband)}
    units = tuple(unit for unit in game.position.units_of(seat.power) if unit.province not in gone)
    return Lacking(seat.power, units, -len(by_rule), PhaseKind.ADJUSTMENT, by_rule)


def _winter(game: Game, seat: Seat) -> Sequence[Verdict]:
    """Adjudicate the builds and removals of a seat, if any are due.

    In an adjustment phase powers do not affect each other.
    """
    ordered = seat.filed.orders
    if game.position.phase.kind is not PhaseKind.ADJUSTMENT or not (ordered or game.decisions[seat.power].count):
        return ()
    orders = {seat.power: tuple(filed.order for filed in ordered)}
    resolution = adjudicate(game.map, game.position, orders, game.settings.rules, game.circumstances)
    return [verdict for verdict in resolution.verdicts if verdict.power == seat.power]


def _impossible(game: Game, seat: Seat, winter: Sequence[Verdict], referee: Referee) -> Iterator[Impossible]:
    if game.position.phase.kind is PhaseKind.ADJUSTMENT:
        for verdict in winter if seat.filed.orders else ():
            if verdict.given and verdict.outcomes and isinstance(verdict.outcomes[0], Illegal):
                yield Impossible(verdict.order, verdict.outcomes[0])
        return
    for filed in seat.filed.orders:
        meant = referee.meaning(seat.power, filed.order)
        if isinstance(meant, Illegal):
            yield Impossible(filed.order, meant)


def _doubtful(game: Game, seat: Seat, referee: Referee) -> Iterable[Contradiction]:
    """Return contradictory orders; the powers of one player are checked together."""
    mine = game.seats_of(seat.holder) if seat.holder is not None else (seat,)
    units = {subject_of(filed.order) for filed in seat.filed.orders}
    return (one for one in contradictions(game, mine, referee) if subject_of(one.order) in units)
