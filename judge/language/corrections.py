"""Lines below an order that correct or limit it.

Examples: `Sorry, I meant Burgundy`, `Only if Italy leaves!`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from judge.commands import Doubt, Doubted, Give
from judge.errors import JudgeError
from judge.language.context import Context, own_units
from judge.language.faults import FaultKind
from judge.language.lines import ReadLine
from judge.language.words import SHIPPED, load_lexicon, normal_form
from judge.language.words.names import pattern
from judge.resources import shipped_data
from judge.rules.notation import read_order, write_order
from judge.rules.orders import Order, Waive
from judge.rules.outcomes import Illegal
from judge.rules.position import COAST, CODE, Location, Province, province_of

_LONGEST = 120
"""In characters: a longer line is prose, not a correction."""
_CODE = re.compile(rf"\b{CODE}(?:/{COAST})?\b")


@cache
def _corrects() -> re.Pattern[str]:
    data = shipped_data("grammar/around.toml")["below"]
    return re.compile("|".join(f"(?:{row})" for rows in data["corrects"].values() for row in rows))


@cache
def _limits(map_name: str) -> re.Pattern[str]:
    data = shipped_data("grammar/around.toml")["below"]
    powers = pattern(load_lexicon(map_name, SHIPPED).names.powers)
    return re.compile("|".join(row.replace("<power>", powers) for rows in data["limits"].values() for row in rows))


def with_corrections(lines: Sequence[ReadLine], context: Context) -> list[ReadLine]:
    """Return the lines, with each order changed as the line directly below it says."""
    result: list[ReadLine] = []
    for line in lines:
        above = result[-1] if result and result[-1].number == line.number - 1 else None
        is_open = not (line.requests or line.is_heeded or _denies_a_unit(line))
        is_meant = above is not None and is_open and len(line.text) <= _LONGEST and bool(_orders(above))
        text = normal_form(f" {line.text}").text.strip()
        if above is not None and is_meant and _limits(context.map.name).search(text):
            result[-1:] = [_doubted(above, line), replace(line, faults=(), is_heeded=True)]
        elif above is not None and is_meant and _corrects().search(text):
            is_asked = text.endswith("?") and _names_a_place(text, context)  # `Wait, what about Kiel?`
            corrected = [_doubted(above, line), line] if is_asked else _corrected(above, line, text, context)
            result[-1:] = corrected
        else:
            result.append(line)
    return result


def corrects(line: ReadLine) -> bool:
    """Whether a line corrects an order above it."""
    return _corrects().search(normal_form(f" {line.text}").text.strip()) is not None


def _orders(line: ReadLine) -> list[Give]:
    return [request for request in line.requests if isinstance(request, Give)]


def _doubted(above: ReadLine, line: ReadLine) -> ReadLine:
    def doubted(give: Give) -> Doubted:
        return Doubted(give.order, Doubt.CORRECTION, line.text.strip(), line.number)

    return replace(above, requests=tuple(doubted(one) if isinstance(one, Give) else one for one in above.requests))


def _corrected(above: ReadLine, line: ReadLine, text: str, context: Context) -> list[ReadLine]:
    """Return an order and its correction as lines.

    The correction becomes the new order if its place fits in only one way. Otherwise the order becomes a question.
    """
    lexicon = context.lexicon
    words = [word for word in lexicon.every_word(text) if word.kind == "PLACE"]
    places = [place for word in words for place in lexicon.names.places.get(word.text, ())]
    last = _orders(above)[-1]
    if not places and not words and not _names_something(line):
        return [above, line]
    is_clear = len(words) == 1 and not last.otherwise
    found = dict.fromkeys(_with_place(last.order, places, context)) if is_clear else {}
    if len(found) != 1:
        return [_doubted(above, line), replace(line, requests=(), faults=(), is_heeded=True)]
    (order,) = found
    kept = tuple(request for request in above.requests if request is not last)
    same_unit = not isinstance(order, Waive) and not isinstance(last.order, Waive) and order.unit == last.order.unit
    first = above if same_unit else replace(above, requests=kept)
    return [first, replace(line, requests=(Give(order),), faults=())]


def _denies_a_unit(line: ReadLine) -> bool:
    """Whether a line withdraws the order of a named unit.

    Example: `Wait, please don't file the Kiel line`.
    """
    return any(fault.kind is FaultKind.NEGATED and fault.candidates for fault in line.faults)


def _names_a_place(text: str, context: Context) -> bool:
    return any(word.kind == "PLACE" for word in context.lexicon.words(text))


def _names_something(line: ReadLine) -> bool:
    """Whether a line contains anything like an order; `Sorry for the delay` does not."""
    return bool(line.faults)


def _with_place(order: Order, places: Sequence[Province], context: Context) -> Iterator[Order]:
    """Yield the legal orders that replace one place of an order by one of `places`."""
    code = write_order(order)
    mine = {unit.province for unit in own_units(context)}
    for found in _CODE.finditer(code):
        for place in places:
            try:
                changed = read_order(f"{code[: found.start()]}{place}{code[found.end() :]}")
            except JudgeError:
                continue
            if (
                changed == order
                or isinstance(changed, Waive)
                or changed.unit.province not in (mine or {changed.unit.province})
            ):
                continue
            for power in context.powers or context.map.powers:
                meant = context.referee.meaning(power, changed)
                if not isinstance(meant, Illegal) and province_of(Location(found[0])) != place:
                    yield meant
