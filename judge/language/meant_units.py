"""Which of the sender's units a rejected line may be about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.commands import Give
from judge.language.context import Context, own_units
from judge.language.faults import OF_ORDERS, FaultKind
from judge.language.line import read_line
from judge.language.lines import ReadLine
from judge.language.words import normal_form
from judge.rules.orders import Waive
from judge.rules.position import Location, PhaseKind, Province


def with_places(line: ReadLine, context: Context) -> ReadLine:
    """Return the line with the locations of units that it may be about.

    These are the first place with a unit of the sender that it names, else the likeliest ones.
    A line that begins with an unknown place is not about places that it names later.
    """
    if not any(fault.kind in OF_ORDERS for fault in line.faults):
        return line
    own = _own_places(context)
    unknown = [fault for fault in line.faults if fault.kind is FaultKind.UNKNOWN_PLACE]
    begin = min((fault.start for fault in unknown), default=len(line.text))
    named = [place for start, place in _named(line, context) if place in own and start < begin]
    if named:
        return replace(line, places=(named[0],))
    likely = [place for fault in (unknown or line.faults)[:1] for place in fault.candidates if place in own]
    return replace(line, places=tuple(Province(Location(place)) for place in dict.fromkeys(likely)))


def lines_set_aside(written: Sequence[str], context: Context) -> tuple[ReadLine, ...]:
    """Return lines taken for a quotation, with the units they may be about."""
    plain = replace(context, hears_sentences=False)
    read_lines = (read_line(number, text, plain) for number, text in enumerate(written, start=1) if text.strip())
    return tuple(_with_places_of_orders(line, context) for line in read_lines)


def _with_places_of_orders(line: ReadLine, context: Context) -> ReadLine:
    orders = [request.order for request in line.requests if isinstance(request, Give)]
    places = tuple(order.unit.province for order in orders if not isinstance(order, Waive))
    return replace(line, places=places) if places else with_places(line, context)


def _own_places(context: Context) -> frozenset[str]:
    """Return the provinces where the sender has units or could build one."""
    units = [*own_units(context)]
    units += [unit for unit, loss in context.board.dislodged.items() if loss.power in context.powers]
    places = {str(unit.province) for unit in units}
    if context.board.phase.kind is PhaseKind.ADJUSTMENT:
        places |= {str(place) for power in context.powers for place in context.map.build_centers[power]}
    return frozenset(places)


def _named(line: ReadLine, context: Context) -> list[tuple[int, Province]]:
    """Return the provinces that a line names, in order, with their positions.

    Positions are those of names in the line as written.
    """
    form = normal_form(line.text)
    return [
        (form.origin[word.start], place)
        for word in context.lexicon.words(form.text)
        if word.kind == "PLACE"
        for place in context.lexicon.names.places.get(word.text, ())
    ]
