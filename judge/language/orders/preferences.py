"""Read orders in order of preference.

Examples: `IF A PAR IS DISLODGED: R GAS ELSE D`, `BUILD F BRE ELSE A PAR`. Every word of such a line must be understood;
otherwise nothing of it is filed. The words are in `grammar/ahead.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise

from judge.commands import Give
from judge.language.context import Context, own_units
from judge.language.faults import FaultKind
from judge.language.lines import Piece, ReadLine
from judge.language.orders.meaning import SeveralReadings, Slip, meaning
from judge.language.orders.sentences import Heading, said
from judge.language.words import VERBS, Terminal, Word
from judge.language.words.shipped import apart_and_run_on
from judge.language.words.tongue import LATIN_LETTERS
from judge.resources import shipped_data
from judge.rules.notation import write_order
from judge.rules.orders import Build, Disband, Hold, Order, Retreat, Waive
from judge.rules.position import Unit

_MOST = 6
"""Preferences in a line."""
_LONGEST = 200
_SIGNS: frozenset[Terminal] = frozenset(("COMMA", "COLON", "SEP"))
_GOAL: frozenset[Terminal] = frozenset(("PLACE", "COAST"))
_RETREATS: frozenset[Terminal] = frozenset(("RETREAT", "BACK", "ARROW"))
_OF_A_RETREAT: frozenset[Terminal] = _RETREATS | _GOAL | {"DISBAND", "TO", "HE", "DE", "GA", "WO", "IT"}


def preferences(piece: Piece) -> ReadLine | None:
    """Read a list of preferences, or a retreat with its condition.

    The line is a fault if a part of it is not understood.
    """
    text = piece.line.text.rstrip(" .!。")
    if len(text) > _LONGEST or "?" in text:
        return None
    condition, between = _words(tuple(tongue.code for tongue in piece.context.tongues))
    begins = condition.match(text)
    spans = list(_spans(text, begins.end() if begins else 0, between))
    is_list = begins is not None or len(spans) > 1
    if not is_list or len(spans) > _MOST or any(word.kind == "NOT" for word in piece.words):
        return None
    parts = [piece.part(*span) for span in spans]
    unit: Unit | None = None
    named = next((name for name, words in begins.groupdict().items() if words), None) if begins else None
    if begins is not None and named is not None:
        unit = _unit(piece.part(*begins.span(named)))
        if unit is None:
            return None
    found = _orders(parts, unit)
    wrong = next((part for part, order in zip(parts, found, strict=True) if order is None), None)
    orders = [order for order in found if order is not None]
    if not any(isinstance(order, Retreat | Disband | Build) for order in orders):
        return None
    if wrong is None and not _make_a_list(orders, is_conditional=begins is not None):
        wrong = parts[-1]
    if wrong is not None:
        span = wrong.line.span(0, len(wrong.line.text)) if wrong.line.text.strip() else piece.extent
        example = _example(orders, piece.context)
        return piece.read_as(faults=(piece.fault(FaultKind.PREFERENCES, span, example),))
    first, *others = orders
    return piece.read_as(Give(first, otherwise=tuple(others)))


@cache
def _words(tongues: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns for the condition of a retreat and for what stands between preferences."""
    data = shipped_data("grammar/ahead.toml")
    rows = [row for tongue in tongues for row in data["dislodged"].get(tongue, ())]
    named = [row.replace("(?P<unit>", f"(?P<unit{number}>") for number, row in enumerate(rows)]
    apart, run_on = apart_and_run_on({tongue: data["else"].get(tongue, ()) for tongue in tongues})
    between = [rf"(?<![{LATIN_LETTERS}])(?:{'|'.join(apart)})(?![{LATIN_LETTERS}])"] if apart else []
    words = "|".join([*between, *run_on])
    return re.compile(rf"\s*(?:{'|'.join(named)})"), re.compile(rf"[\s,;.、。(-]*(?:{words})[\s,:;、-]*")


def _spans(text: str, start: int, between: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    signs = [match.span() for match in between.finditer(text, start)]
    for (_, begin), (end, _) in pairwise([(start, start), *signs, (len(text), len(text))]):
        yield begin, end


def _unit(piece: Piece) -> Unit | None:
    """Return the unit that words name: the sender's that stands there, else as they say."""
    order = _order([*piece.words, Word("HOLD", 0, 0, "h")], piece)
    return order.unit if isinstance(order, Hold) else None


def _orders(parts: Sequence[Piece], unit: Unit | None) -> list[Order | None]:
    """Return what each part orders; None for a part that is not understood.

    Retreats are all for one unit: the one of the condition, else of the first part.
    """
    said_of = [[word for word in part.words if word.kind not in _SIGNS] for part in parts]
    if unit is None:
        first = _order(said_of[0], parts[0])
        others = [word.kind for words in said_of[1:] for word in words]
        retreats = isinstance(first, Retreat) or (isinstance(first, Disband) and bool(_RETREATS & {*others}))
        if not retreats or not isinstance(first, Retreat | Disband):
            return list(_with_shared_verb(parts, said_of))
        unit = first.unit
    return [_retreat(unit, words, part) for part, words in zip(parts, said_of, strict=True)]


def _retreat(unit: Unit, words: Sequence[Word], piece: Piece) -> Order | None:
    """Return the retreat that words give a unit: `R Gas`, `Gas`, `D`."""
    whole = _order(words, piece)
    if isinstance(whole, Retreat | Disband):
        return whole if whole.unit == unit else None
    kinds = {word.kind for word in words}
    goal = [word for word in words if word.kind in _GOAL]
    if not kinds <= _OF_A_RETREAT or [word.kind for word in goal].count("PLACE") != ("DISBAND" not in kinds):
        return None
    verb = Word("RETREAT", 0, 0, "r") if goal else Word("DISBAND", 0, 0, "d")
    named = [Word("LETTER", 0, 0, unit.kind.lower()), Word("PLACE", 0, 0, unit.province.lower())]
    order = _order([*named, verb, *goal], piece)
    return order if isinstance(order, Retreat | Disband) and order.unit == unit else None


def _with_shared_verb(parts: Sequence[Piece], said_of: Iterable[Sequence[Word]]) -> Iterator[Order | None]:
    """Yield builds or removals; a part without a verb has that of the others."""
    said_of = list(said_of)
    verb = next((word for words in said_of for word in words if word.kind in ("BUILD", "DISBAND")), None)
    for piece, words in zip(parts, said_of, strict=True):
        if verb is None or any(word.kind in VERBS for word in words):
            yield _order(words, piece)
            continue
        tried = (_order(sentence, piece) for sentence in ([verb, *words], [*words, verb]))
        names_kind = any(word.kind in ("LETTER", "KIND") for word in words)
        yield next((order for order in tried if _is_whole(order, piece, names_kind=names_kind)), None)


def _is_whole(order: Order | None, piece: Piece, *, names_kind: bool) -> bool:
    """Whether an order without a verb of its own is clear.

    A build is; a removal is if its unit is there or named in full.
    """
    is_known = names_kind or (isinstance(order, Disband) and order.unit in own_units(piece.context))
    return isinstance(order, Build) or (isinstance(order, Disband) and is_known)


def _order(words: Sequence[Word], piece: Piece) -> Order | None:
    """Return the order that words give, if they give exactly one."""
    spoken = [one for one in said(words, piece.lexicon, piece.context.budget) or () if not isinstance(one, Heading)]
    order = meaning(spoken[0], piece.context, piece.lexicon.names) if len(spoken) == 1 else None
    return None if isinstance(order, SeveralReadings | Slip) else order


def _make_a_list(orders: Sequence[Order], *, is_conditional: bool) -> bool:
    """Whether orders make a list of preferences.

    They are retreats of one unit, builds, or removals. Disbanding that unit, or waiving the build, is the last of them.
    """
    if len(set(orders)) < len(orders):
        return False
    if all(isinstance(order, Retreat | Disband) for order in orders):
        units = {order.unit for order in orders if isinstance(order, Retreat | Disband)}
        is_last = not any(isinstance(order, Disband) for order in orders[:-1])
        return is_last if len(units) == 1 else all(isinstance(order, Disband) for order in orders)
    *builds, last = orders
    return not is_conditional and all(isinstance(order, Build) for order in builds) and isinstance(last, Build | Waive)


def _example(orders: Sequence[Order], context: Context) -> tuple[str, ...]:
    """Return a list of preferences that begins with one of the orders."""
    first = next((order for order in orders if isinstance(order, Retreat | Build | Disband)), None)
    match first:
        case Retreat():
            return (f"{write_order(first)} ELSE D",)
        case Build():
            return (f"{write_order(first)} ELSE WAIVE",)
        case Disband(unit):
            others = [other for other in own_units(context) if other != unit]
            return tuple(f"{write_order(first)} ELSE {write_order(Disband(other))}" for other in others[:1])
        case None:
            return ()
