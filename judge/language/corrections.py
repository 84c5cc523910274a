"""Lines below an order that correct it, or take it back: `Sorry, I meant Burgundy`, `forget that`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from judge.commands import Clear, Doubt, Doubted, Give
from judge.errors import JudgeError
from judge.language.context import Context, own_units
from judge.language.faults import Fault, FaultKind
from judge.language.lines import ReadLine
from judge.language.words import normal_form
from judge.resources import shipped
from judge.rules.notation import read_order, write_order
from judge.rules.orders import Order, Waive
from judge.rules.outcomes import Illegal
from judge.rules.position import Location, Province, province_of

_LONGEST = 120
"""Characters: a longer line is prose."""
_CODE = re.compile(r"\b[A-Z]{3}(?:/[NSEW]C)?\b")
_LEAST = 2
_POINTS_UP = ("↑", "^")
"""`↑ cancel` speaks of the line above alone."""


@dataclass(frozen=True, slots=True)
class _Words:
    """The patterns of `around.toml`."""

    corrects: re.Pattern[str]
    takes_back: re.Pattern[str]
    several: re.Pattern[str]
    """Says that more than one order is meant."""


@cache
def _words() -> _Words:
    data = tomllib.loads((shipped("grammar") / "around.toml").read_text("utf-8"))["below"]
    corrects, takes_back, several = (
        re.compile("|".join(f"(?:{row})" for rows in data[table].values() for row in rows))
        for table in ("corrects", "takes_back", "several")
    )
    return _Words(corrects, takes_back, several)


def with_corrections(lines: Sequence[ReadLine], context: Context) -> list[ReadLine]:
    """The lines, each order as the line directly below it says."""
    result: list[ReadLine] = []
    for line in lines:
        above = result[-1] if result and result[-1].number == line.number - 1 else None
        asks = line.requests and not (line.requests == (Clear(),) and line.text.strip().startswith(_POINTS_UP))
        if above is None or asks or len(line.text) > _LONGEST or not _orders(above):
            result.append(line)
            continue
        text = normal_form(f" {line.text}").text.strip()
        if _words().takes_back.search(text):
            result[-1:] = _taken_back(result, line)
        elif _words().corrects.search(text):
            result[-1:] = _corrected(above, line, text, context)
        else:
            result.append(line)
    return result


def corrects(line: ReadLine) -> bool:
    """Whether a line is one that corrects an order above it, or takes it back."""
    text = normal_form(f" {line.text}").text.strip()
    return any(words.search(text) is not None for words in (_words().takes_back, _words().corrects))


def _orders(line: ReadLine) -> list[Give]:
    return [request for request in line.requests if isinstance(request, Give)]


def _taken_back(lines: Sequence[ReadLine], line: ReadLine) -> list[ReadLine]:
    """The last line without its order; where it stands below others, which of them is meant has to be asked."""
    above = lines[-1]
    if len(_orders(above)) > 1 or (len(lines) >= _LEAST and _orders(lines[-2]) and _speaks_of_several(line)):
        return [_doubted(above, line), replace(line, requests=(), faults=())]
    written = above.text
    fault = Fault(FaultKind.TAKEN_BACK, above.number, 0, len(written), written.strip(), (line.text.strip(),))
    others = tuple(request for request in above.requests if not isinstance(request, Give))
    return [replace(above, requests=others, faults=(*above.faults, fault)), replace(line, requests=(), faults=())]


def _speaks_of_several(line: ReadLine) -> bool:
    return _words().several.search(line.text.lower()) is not None


def _doubted(above: ReadLine, line: ReadLine) -> ReadLine:
    def doubted(give: Give) -> Doubted:
        return Doubted(give.order, Doubt.CORRECTION, line.text.strip(), line.number)

    return replace(above, requests=tuple(doubted(one) if isinstance(one, Give) else one for one in above.requests))


def _corrected(above: ReadLine, line: ReadLine, text: str, context: Context) -> list[ReadLine]:
    """The order with the place that was meant, if it fits in only one way; else a question."""
    lexicon = context.lexicon
    words = [word for word in lexicon.every_word(text) if word.kind == "PLACE"]
    places = [place for word in words for place in lexicon.names.places.get(word.text, ())]
    last = _orders(above)[-1]
    if not places and not words and not _names_something(line):
        return [above, line]
    found = dict.fromkeys(_with_place(last.order, places, context)) if len(words) == 1 else {}
    if len(found) != 1:
        return [_doubted(above, line), replace(line, requests=(), faults=())]
    (order,) = found
    kept = tuple(request for request in above.requests if request is not last)
    same_unit = not isinstance(order, Waive) and not isinstance(last.order, Waive) and order.unit == last.order.unit
    first = above if same_unit else replace(above, requests=kept)
    return [first, replace(line, requests=(Give(order),), faults=())]


def _names_something(line: ReadLine) -> bool:
    """Whether something in the line is like an order at all: `Sorry for the delay` is not."""
    return bool(line.faults)


def _with_place(order: Order, places: Sequence[Province], context: Context) -> Iterator[Order]:
    """The legal orders that differ from one by one place, which is one of these."""
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
