"""The meaning of a sentence on the board (R-ORD-6 to 9).

It is the one legal reading, if there is exactly one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product

from judge.commands import Guessed, Misnamed
from judge.language.context import Context, own_units
from judge.language.orders.sentences import PlaceWords, Sentence, UnitWords
from judge.language.orders.structures import Verb
from judge.language.words import Names
from judge.rules.adjustments import adjustment_due, possible_builds
from judge.rules.map import Map, load_map
from judge.rules.notation import write_order
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from judge.rules.outcomes import Illegal, IllegalReason
from judge.rules.position import Location, PhaseKind, Position, Power, Province, Unit, UnitKind, province_of


@dataclass(frozen=True, slots=True)
class Slip:
    """A misspelled name whose correction gives no legal order either."""

    place: PlaceWords


@dataclass(frozen=True, slots=True)
class SeveralReadings:
    """Several legal readings, none of which is followed (R-ORD-8)."""

    orders: tuple[Order, ...]


def meaning(readings: Sequence[Sentence], context: Context, names: Names) -> Order | SeveralReadings | Slip | None:
    """Return the order that a sentence means, from all its readings.

    Several legal orders give SeveralReadings. If no reading is legal, return the likeliest order.
    Without any order, return a Slip if a name may be misspelled.
    Otherwise return None: the words make no order at all, such as a convoy overland.
    """
    found = _legal(readings, context, names)
    if found is not None:
        return found
    slips = [place for sentence in readings for place in sentence.slips]
    if slips:
        found = _legal(readings, context, names, slips=True)
        if found is not None:
            return found
    likeliest = next((order for sentence in readings for order in _readings(sentence, context, names)), None)
    return Slip(slips[0]) if likeliest is None and slips else likeliest


def _legal(
    readings: Sequence[Sentence], context: Context, names: Names, *, slips: bool = False
) -> Order | SeveralReadings | None:
    """Return what the legal readings mean; None if none is legal."""
    orders = dict.fromkeys(order for words in readings for order in _readings(words, context, names, slips=slips))
    legal: dict[Order, None] = {}
    whole: dict[Order, None] = {}
    for order in orders:
        for power in _speakers(order, context):
            meant = context.referee.meaning(power, order)
            if not isinstance(meant, Illegal):
                legal[meant] = None
            elif meant.reason in (IllegalReason.COAST_NEEDED, IllegalReason.VIA_NEEDED):
                whole |= dict.fromkeys(_made_whole(order, context, power))
    if context.unseen:
        legal = _whatever_kind(legal)
    if len(legal) == 1 and not whole:
        return next(iter(legal))
    return SeveralReadings((*legal, *whole)) if legal or whole else None


def _whatever_kind(legal: Iterable[Order]) -> dict[Order, None]:
    """Return the orders, one of those that differ only in the supported unit's kind.

    In fog the kind of a unit that is not seen does not matter.
    """
    found: dict[object, Order] = {}
    for order in legal:
        match order:
            case Support(unit, helped, to):
                found.setdefault((unit, helped.province, to and province_of(to)), order)
            case _:
                found[order] = order
    return dict.fromkeys(found.values())


def _speakers(order: Order, context: Context) -> Sequence[Power]:
    """Return the powers that may give the order: the sender's, else its unit's owners."""
    if context.powers:
        return context.powers
    if isinstance(order, Waive):
        return context.map.powers
    place = order.unit.province
    board = context.board
    owners = [power for unit, power in board.units.items() if unit.province == place]
    owners += [loss.power for unit, loss in board.dislodged.items() if unit.province == place]
    owners += [power for power, homes in context.map.build_centers.items() if place in homes]
    return tuple(dict.fromkeys(owners))


def _made_whole(order: Order, context: Context, power: Power) -> Iterator[Order]:
    """Yield the legal orders that add a missing coast or VIA to `order`."""
    referee = context.referee
    match order:
        case Build(unit):
            variants: list[Order] = [
                Build(Unit(unit.kind, coast)) for coast in context.map.provinces[unit.province].coasts
            ]
        case Move(unit, to, _):
            coasts = context.map.provinces[province_of(to)].coasts
            variants = [*(Move(unit, coast) for coast in coasts), Move(unit, to, by_convoy=True)]
        case Retreat(unit, to):
            variants = [Retreat(unit, coast) for coast in context.map.provinces[province_of(to)].coasts]
        case _:
            variants = []
    for variant in variants:
        meant = referee.meaning(power, variant)
        if not isinstance(meant, Illegal):
            yield meant


def _readings(sentence: Sentence, context: Context, names: Names, *, slips: bool = False) -> Iterator[Order]:
    """Yield every order that the words can mean, the likeliest first."""
    if sentence.verb is Verb.WAIVE or sentence.unit is None:
        yield Waive()
        return
    if not all(context.map.carriers & set(place.candidates) for place in sentence.through):
        return
    phase = context.board.phase.kind if context.position is not None else None
    units = _units(sentence.unit, context, names, new=sentence.verb is Verb.BUILD, slips=slips)
    others = _units(sentence.other, context, names, slips=slips) if sentence.other else [None]
    goals = list(sentence.goal.locations(names, slips=slips)) if sentence.goal else [None]
    if sentence.verb is Verb.HOLD and sentence.goal:  # `F Nwy holds Norway` repeats the place
        units = [unit for unit in units if any(province_of(goal) == unit.province for goal in goals if goal)]
        goals = [None]
    for unit, other, goal in product(units, others, goals):
        yield _order(sentence, phase, unit, other, goal)


def _order(sentence: Sentence, phase: PhaseKind | None, unit: Unit, other: Unit | None, goal: Location | None) -> Order:
    match sentence.verb:
        case Verb.MOVE | Verb.RETREAT if goal is not None:
            # For a dislodged unit, a move is a retreat.
            retreats = phase is PhaseKind.RETREAT or sentence.verb is Verb.RETREAT
            return Retreat(unit, goal) if retreats else Move(unit, goal, sentence.by_convoy)
        case Verb.SUPPORT if other is not None:
            return Support(unit, other, None if goal in (other.province, other.location) else goal)  # `Y - Y` holds
        case Verb.CONVOY if other is not None and goal is not None:
            return Convoy(unit, other, goal)
        case Verb.DISBAND:
            return Disband(unit)
        case Verb.BUILD:
            return Build(unit)
        case _:
            return Hold(unit)


def _units(words: UnitWords, context: Context, names: Names, *, new: bool = False, slips: bool = False) -> list[Unit]:
    """Return the units that the words can mean, the likeliest first.

    The sender's units there come first, then other units there. Where no such unit stands, the unit as written follows.
    """
    found: list[Unit] = []
    imagined: list[Unit] = []
    for location in words.place.locations(names, slips=slips):
        place = province_of(location)
        standing = [] if new else _units_at(place, context)
        if not standing:
            kinds = [words.kind] if words.kind else _kinds_for(location, context.map)
            imagined += [Unit(kind, place if kind is UnitKind.ARMY else location) for kind in kinds]
        for unit in standing:
            if words.kind in (None, unit.kind):
                found.append(unit)
            else:
                imagined.append(Unit(words.kind or unit.kind, location))
    own = [unit for unit in found if _is_own(unit, context)]
    return own + [unit for unit in found if unit not in own] + imagined


def _units_at(place: Location, context: Context) -> list[Unit]:
    board = context.board
    dislodged = [unit for unit in board.dislodged if unit.province == place]
    standing = [unit for unit in board.units if unit.province == place]
    return dislodged + standing if board.phase.kind is PhaseKind.RETREAT else standing


def _kinds_for(location: Location, map_: Map) -> list[UnitKind]:
    # A fleet counts even without its coast: `StP B` may be an army or one of two fleets.
    places = (location, *map_.provinces[province_of(location)].coasts)
    possible = [kind for kind in UnitKind if any(map_.can_stand(Unit(kind, place)) for place in places)]
    return possible or [UnitKind.ARMY]


def _is_own(unit: Unit, context: Context) -> bool:
    owner = context.board.units.get(unit)
    loss = context.board.dislodged.get(unit)
    return owner in context.powers or (loss is not None and loss.power in context.powers)


def misnamed(order: Order, readings: Sequence[Sentence], context: Context) -> tuple[Misnamed, ...]:
    """Return the units of an order whose owner is another power than the line says."""
    if context.position is None or isinstance(order, Waive | Build):
        return ()
    units = [order.unit, *((order.supported,) if isinstance(order, Support) else ())]
    units += [order.army] if isinstance(order, Convoy) else []
    found = []
    for unit, words in zip(units, (readings[0].unit, readings[0].other), strict=False):
        named = words.power if words else None
        owner = _owner(unit, context.board)
        if named is not None and owner is not None and named != owner:
            found.append(Misnamed(unit, named, owner))
    return tuple(found)


def guessed(order: Order, readings: Sequence[Sentence]) -> tuple[Guessed, ...]:
    """Return the words that the order reads as misspellings."""
    words = dict.fromkeys(place for sentence in readings for place in sentence.slips)
    if not words:
        return ()
    named = {province_of(Location(code)) for code in write_order(order).replace("-", " ").split()}
    return tuple(
        Guessed(place.word, slip)
        for place in words
        for slip in place.slips
        if slip in named and not named & set(place.candidates)
    )


_MOST_EXAMPLES = 3


def _owner(unit: Unit, board: Position) -> Power | None:
    loss = board.dislodged.get(unit)
    return loss.power if loss is not None else board.units.get(unit)


@cache
def _usual_examples(map_name: str) -> tuple[str, ...]:
    """Return moves of some starting units of any power; none on an empty board."""
    map_ = load_map(map_name)
    moves = (Move(unit, to) for unit in map_.start_units for to in map_.neighbors(unit)[:1])
    return tuple(move.text for move in islice(moves, _MOST_EXAMPLES))


def examples(context: Context, place: Province | None = None) -> tuple[str, ...]:
    """Return a few orders that the sender could give now, in strict notation.

    `place`: only orders for the sender's unit there.
    """
    if context.position is None:
        return _usual_examples(context.map.name)
    match context.board.phase.kind:
        case PhaseKind.MOVEMENT:
            orders = _movement_examples(context, place)
        case PhaseKind.RETREAT:
            lost = [unit for unit, loss in context.board.dislodged.items() if loss.power in context.powers]
            orders = [order for unit in _in(place, lost)[:1] for order in _retreat_examples(context.board, unit)]
        case PhaseKind.ADJUSTMENT:
            orders = [order for power in context.powers for order in _adjustment_examples(context, power, place)][:2]
    return tuple(map(write_order, orders)) or (() if place else _usual_examples(context.map.name))


def _in(place: Province | None, units: Sequence[Unit]) -> list[Unit]:
    return [unit for unit in units if place in (None, unit.province)]


def _movement_examples(context: Context, place: Province | None) -> list[Order]:
    own = own_units(context)
    units = _in(place, own)[:1]
    taken = {unit.province for unit in context.board.units}
    moves = [Move(unit, to) for unit in units for to in context.map.neighbors(unit) if province_of(to) not in taken][:1]
    supports = [Support(other, move.unit, province_of(move.to)) for move in moves for other in own]
    legal = [support for support in supports if _is_legal(support, context)]
    return [*moves, *(legal[:1] if place is None else ()), *map(Hold, units)]


def _retreat_examples(board: Position, unit: Unit) -> list[Order]:
    return [*(Retreat(unit, to) for to in board.dislodged[unit].retreats[:1]), Disband(unit)]


def _adjustment_examples(context: Context, power: Power, place: Province | None) -> list[Order]:
    due = adjustment_due(context.board, power)
    if due < 0:
        return [Disband(unit) for unit in _in(place, context.board.units_of(power))]
    builds = possible_builds(context.map, context.board, power) if due else ()
    return [build for build in builds if place in (None, build.unit.province)]


def _is_legal(order: Order, context: Context) -> bool:
    return any(not isinstance(context.referee.meaning(power, order), Illegal) for power in context.powers)


def in_strict_notation(readings: SeveralReadings) -> tuple[str, ...]:
    """Return the readings in strict notation."""
    return tuple(write_order(order) for order in readings.orders)
