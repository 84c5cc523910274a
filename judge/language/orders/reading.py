"""Readings of a line as orders, one for each way of writing.

Each returns None if it does not fit; then the next reading is tried.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from judge.commands import Clear, Command, Doubt, Doubted, ForPower, Give
from judge.language.context import Context, open_builds, own_units
from judge.language.faults import Fault, FaultKind
from judge.language.lines import Piece, ReadLine
from judge.language.orders.diagnosis import diagnosis, left_open, may_be_order
from judge.language.orders.meaning import (
    SeveralReadings,
    Slip,
    examples,
    guessed,
    in_strict_notation,
    meaning,
    misnamed,
)
from judge.language.orders.sentences import Heading, ParsedOrder, Sentence, is_unfilled, said
from judge.language.orders.traces import is_place
from judge.language.words import LONGEST_LINE, UNKNOWN, VERBS, Lexicon, Terminal, Word
from judge.rules.notation import write_order
from judge.rules.options import Misspelling
from judge.rules.orders import Build, Order, Support, Waive
from judge.rules.outcomes import Illegal
from judge.rules.position import PhaseKind, Unit

_BESIDE_THE_REST: frozenset[Terminal] = frozenset(("COMMA", "COLON", "SEP", "GA", "WO", "TO", "DE", "NO"))
_RETREATS: frozenset[Terminal] = frozenset(("RETREAT", "BACK", "DISBAND", "ARROW"))
_OF_A_RETREAT: frozenset[Terminal] = _RETREATS | {"PLACE", "COAST", "TO", "HE", "DE", "GA", "WO", "IT", "COMMA", "SEP"}
_BETWEEN_CLAUSES = re.compile(r"[;.,、。]+\s*(?=\S)|\s+-+\s+(?=[a-z]+ )")
_MOST_CLAUSES = 8
"""How many clauses behind a withdrawn order are searched for orders."""
_MOST_WITH_A_SLIP = 14
"""In words: longer lines are not searched for a misspelled verb."""
_MOST_WITH_MISSPELLED_PLACES = 24
"""In words: longer lines are not searched for orders with misspelled places."""
_SHOWN = 20
"""In characters: how much of an overlong line the fault quotes."""


def nothing_but_noise(piece: Piece) -> ReadLine | None:
    """Read a line of only signs and words without meaning."""
    return None if piece.words else piece.read_as()


def more_than_an_order(piece: Piece) -> ReadLine | None:
    """Read a line too long to parse; a fault if it may be an order."""
    if len(piece.line.written) <= LONGEST_LINE and len(piece.line.text) < LONGEST_LINE:
        return None
    fault = piece.fault(FaultKind.NOT_UNDERSTOOD, piece.extent)
    fault = replace(fault, word=fault.word[:_SHOWN])
    may_be = may_be_order(piece.words, piece.lexicon, piece.line, piece.context.budget)
    return piece.read_as(faults=(fault,) if may_be else ())


def one_power(piece: Piece) -> ReadLine | None:
    """Read the name of a power alone.

    It is a heading if the sender plays several powers, else perhaps a signature.
    """
    if [word.kind for word in piece.words] != ["POWER"]:
        return None
    power = piece.lexicon.names.powers[piece.words[0].text]
    several = len(piece.context.powers) > 1 and power in piece.context.powers
    return piece.read_as(ForPower(power)) if several else piece.read_as()


def order_taken_back(piece: Piece) -> ReadLine | None:
    """Read `Cancel the order for A Bur`, alone or followed by orders for other units."""
    if not _may_take_back(piece):
        return None
    for sign in islice(_BETWEEN_CLAUSES.finditer(piece.line.text), _MOST_CLAUSES):
        behind = piece.part(sign.end(), None)
        if any(word.kind in VERBS or word.kind == "ARROW" for word in behind.words):
            first, read = _clear(piece.part(0, sign.start())), orders(behind)
            return None if first is None or read is None else replace(read, requests=(first, *read.requests))
    cleared = _clear(piece)
    return None if cleared is None else piece.read_as(cleared)


def _may_take_back(piece: Piece) -> bool:
    """Whether a statement has a word for orders and a word that withdraws them."""
    lexicon, text = piece.lexicon, piece.line.text
    return lexicon.ordered.search(text) is not None and lexicon.takes_back.search(text) is not None and "?" not in text


def _clear(piece: Piece) -> Clear | None:
    """Return the command that withdraws the order of one unit.

    The line needs a unit of the sender, a word for orders and a word that withdraws.
    """
    lexicon, text = piece.lexicon, piece.line.text
    if not _may_take_back(piece):
        return None
    rest = lexicon.ordered.sub(_blank, lexicon.takes_back.sub(_blank, text))
    words = [word for word in lexicon.every_word(rest) if word.kind not in ("COMMA", "COLON", "SEP")]
    if any(word.kind in ("ALL", "OTHERS", UNKNOWN) and not lexicon.makes_nothing_doubtful(word.text) for word in words):
        return None
    if any(word.text in lexicon.doubt for word in words):
        return None
    first = next((word for word in words if is_place(word, words, lexicon, piece.line)), None)
    places = lexicon.names.places.get(first.text, ()) if first else ()
    board = piece.context.board
    mine = [unit for unit in (*board.dislodged, *own_units(piece.context)) if unit.province in places]
    return Clear(mine[0]) if len(set(mine)) == 1 else None


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def builds_by_mere_units(piece: Piece) -> ReadLine | None:
    """Read `A Mun, F Kie` or `ミュンヘンに陸軍` if builds are the only possible meaning."""
    if not _is_adjustment(piece) or _takes_back(piece) or VERBS & {word.kind for word in piece.words}:
        return None
    build = Word("BUILD", 0, 0, "build")
    units = [word for word in piece.words if word.kind not in ("COLON", "ARROW", "NO", "SEP")]
    for sentence in ([build, *units], [*units, build]):
        spoken = said(sentence, piece.lexicon, piece.context.budget) or []
        parts = [part for part in spoken if not isinstance(part, Heading)]
        if parts and all(_can_be_built(part, piece) for part in parts):
            return _understood(spoken, piece.words, piece.lexicon, piece)
    return None


def retreat_of_the_only_unit(piece: Piece) -> ReadLine | None:
    """Read a retreat or disband if only one of the sender's units is dislodged.

    Examples: `Retreat to Bohemia`, シレジアに退却, `Disband it`.
    """
    if not piece.context.board.dislodged:
        return None
    lost = [unit for unit, loss in piece.context.board.dislodged.items() if loss.power in piece.context.powers]
    kinds = {word.kind for word in piece.words}
    if len(lost) != 1 or not kinds <= _OF_A_RETREAT or not kinds & _RETREATS or _places(piece.words) > 1:
        return None
    code = lost[0].province.lower()
    goal = [word for word in piece.words if word.kind in ("PLACE", "COAST")]
    if bool(goal) is ("DISBAND" in kinds) or any(word.text == code for word in goal):
        return None
    verb = Word("RETREAT", 0, 0, "r") if goal else Word("DISBAND", 0, 0, "d")
    found = _legal_orders([Word("PLACE", 0, 0, code), verb, *goal], piece.lexicon, piece.context)
    return piece.read_as(*map(Give, found)) if len(found) == 1 else None


def _places(words: Sequence[Word]) -> int:
    return sum(word.kind == "PLACE" for word in words)


def orders(piece: Piece) -> ReadLine | None:
    """Read orders in which all words are known."""
    if _takes_back(piece) or is_unfilled(piece.words):
        return None
    spoken = said(piece.words, piece.lexicon, piece.context.budget)
    return None if spoken is None else _understood(spoken, piece.words, piece.lexicon, piece)


def orders_with_slips(piece: Piece) -> ReadLine | None:
    """Read orders with a misspelled name, if the game's options accept unique corrections."""
    follows = piece.context.options.misspelling is Misspelling.FOLLOW_IF_UNIQUE
    if not follows or _takes_back(piece) or is_unfilled(piece.words):
        return None
    if all(word.kind != UNKNOWN for word in piece.words):
        return None
    guess = piece.lexicon.guessing(piece.words, piece.context.budget, piece.lexicon.names.one_slip_away)
    spoken = said(*guess, piece.context.budget) if guess else None
    return None if guess is None or spoken is None else _understood(spoken, *guess, piece)


def nothing_is_built(piece: Piece) -> ReadLine | None:
    """Read `none` as waiving all open builds."""
    builds = open_builds(piece.context)
    return piece.read_as(*(Give(Waive()),) * builds) if builds and _is_idle(piece) else None


def the_rest_holds(piece: Piece) -> ReadLine | None:
    """Read `everything else holds`, about the units without an order in the mail."""
    kinds = [word.kind for word in piece.words if word.kind not in _BESIDE_THE_REST]
    if sorted(set(kinds)) not in (["HOLD", "OTHERS"], ["ALL", "HOLD", "OTHERS"]) or kinds.count("HOLD") > 1:
        return None
    if all(word.text not in piece.lexicon.rest for word in piece.words):
        return None
    return replace(something_amiss(piece), holds_rest=True)


def unit_left_open(piece: Piece) -> ReadLine | None:
    """Read a unit or a place alone.

    The line is incomplete, or comes from a report and was left unchanged.
    """
    faults = left_open(piece.number, piece.line, piece.words, piece.lexicon, piece.context)
    return None if faults is None else piece.read_as(faults=faults)


def something_amiss(piece: Piece) -> ReadLine:
    """Read a line that cannot be read as an order: a fault, or small talk.

    A doubtful order is offered if only one legal order can be meant.
    """
    verb, meant = _with_a_verb_meant(piece)
    if meant is not None:
        span = piece.line.span(verb.start, verb.end)
        fault = piece.fault(FaultKind.NOT_UNDERSTOOD, span, (write_order(meant),))
        return piece.read_as(Doubted(meant, Doubt.WORDS, fault.word, piece.number), faults=(fault,))
    faults = diagnosis(piece.number, piece.line, piece.words, piece.lexicon, piece.context)
    asked: tuple[Order, ...] = ()
    doubt = Doubt.WORDS
    if [fault.kind for fault in faults] == [FaultKind.NOT_UNDERSTOOD]:
        asked = _order_within(piece)
    elif [fault.kind for fault in faults] == [FaultKind.UNKNOWN_PLACE]:
        asked, doubt = _with_places_meant(piece), Doubt.PLACE
    return piece.read_as(*(Doubted(order, doubt, faults[0].word, piece.number) for order in asked), faults=faults)


def _with_a_verb_meant(piece: Piece) -> tuple[Word, Order | None]:
    """Return a line's misspelled verb and the legal order that correcting it gives.

    Example: `A Mun suports A Ber`. The order is None if there is not exactly one.
    """
    unknown = [word for word in piece.words if word.kind == UNKNOWN]
    is_long = len(piece.words) > _MOST_WITH_A_SLIP
    if len(unknown) != 1 or is_long or not _places(piece.words) or not piece.context.powers:
        return piece.words[0], None
    (slip,) = unknown
    found: dict[Order, None] = {}
    for kind in piece.lexicon.verbs_like(slip.text):
        verb = slip._replace(kind=kind)
        found |= dict.fromkeys(_one_order([verb if word is slip else word for word in piece.words], piece))
    return slip, next(iter(found)) if len(found) == 1 else None


def _with_places_meant(piece: Piece) -> tuple[Order, ...]:
    """Return the legal orders of a line with misspelled places.

    Empty if there is more than one reading. Example: `Minich to Burgundy`.
    """
    lexicon = piece.lexicon
    unknown = [word for word in piece.words if word.kind == UNKNOWN]
    is_long = len(piece.words) > _MOST_WITH_MISSPELLED_PLACES
    if is_long or _takes_back(piece) or not piece.context.powers or any(word.text in lexicon.doubt for word in unknown):
        return ()
    guess = lexicon.guessing(piece.words, piece.context.budget, lexicon.names.near)
    if guess is None:
        return ()
    words, guessing = guess
    found = _legal_orders(words, guessing, piece.context)
    return found if len({order.unit for order in found if not isinstance(order, Waive)}) == len(found) else ()


def _order_within(piece: Piece) -> tuple[Order, ...]:
    """Return the only legal order of a line, ignoring its unknown words."""
    known = [word for word in piece.words if word.kind != UNKNOWN]
    is_all_known = len(known) == len(piece.words)
    return () if _takes_back(piece) or is_all_known or not piece.context.powers else _one_order(known, piece)


def _one_order(words: Sequence[Word], piece: Piece) -> tuple[Order, ...]:
    found = _legal_orders(words, piece.lexicon, piece.context)
    return found if len(found) == 1 else ()


def _legal_orders(words: Sequence[Word], lexicon: Lexicon, context: Context) -> tuple[Order, ...]:
    """Return the orders that words give.

    Empty if one of them is ambiguous, or not legal for any power of the sender.
    """
    spoken = [part for part in said(words, lexicon, context.budget) or () if not isinstance(part, Heading)]
    found: list[Order] = []
    for part in spoken:
        order = meaning(part, context, lexicon.names)
        if order is None or isinstance(order, SeveralReadings | Slip | Waive):
            return ()
        if all(isinstance(context.referee.meaning(power, order), Illegal) for power in context.powers):
            return ()
        found.append(order)
    return tuple(found)


def _is_adjustment(piece: Piece) -> bool:
    return piece.context.position is not None and piece.context.position.phase.kind is PhaseKind.ADJUSTMENT


def _takes_back(piece: Piece) -> bool:
    return any(word.kind == "NOT" for word in piece.words)


def _is_idle(piece: Piece) -> bool:
    return [word.kind for word in piece.words] == ["IDLE"]


def _can_be_built(part: ParsedOrder, piece: Piece) -> bool:
    assert not isinstance(part, Heading)
    context = piece.context
    order = meaning(part, context, piece.lexicon.names)
    if isinstance(order, SeveralReadings):
        return all(isinstance(reading, Build) for reading in order.orders)
    return isinstance(order, Build) and any(
        not isinstance(context.referee.meaning(power, order), Illegal) for power in context.powers
    )


def _understood(spoken: Sequence[ParsedOrder], words: Sequence[Word], lexicon: Lexicon, piece: Piece) -> ReadLine:
    """Return what the sentences mean; `lexicon` includes the corrections of misspelled words."""
    context = piece.context
    requests: list[Command] = []
    faults: list[Fault] = []
    for part in spoken:
        if isinstance(part, Heading):
            requests.append(ForPower(part.power))
            continue
        match meaning(part, context, lexicon.names):
            case SeveralReadings() as readings:
                faults.append(piece.fault(FaultKind.AMBIGUOUS_ORDER, piece.extent, in_strict_notation(readings)))
            case Slip(place):
                faults.append(piece.fault(FaultKind.UNKNOWN_PLACE, _span_of(place.word, words, piece), place.slips))
            case None:
                faults.append(piece.fault(FaultKind.NOT_UNDERSTOOD, piece.extent, examples(context)))
            case Waive() as order:
                requests += [Give(order)] * _waived(words, lexicon, piece)
            case Support(_, supported) as order if _is_nobody(supported, part, context):
                because = part[0].other.place.word if part[0].other else ""
                requests.append(Doubted(order, Doubt.WORDS, because, piece.number))
            case order:
                slips = [
                    replace(slip, word=piece.line.written[slice(*_span_of(slip.word, words, piece))])
                    for slip in guessed(order, part)
                ]
                requests.append(Give(order, misnamed(order, part, context), tuple(slips)))
    return piece.read_as(*requests, faults=tuple(faults))


def _is_nobody(unit: Unit, part: Sequence[Sentence], context: Context) -> bool:
    """Whether a support names an empty place without a unit: `F Nth S Bel`."""
    told = any(sentence.other is not None and sentence.other.kind is not None for sentence in part)
    standing = context.unseen.union(one.province for one in context.board.units)
    return context.position is not None and not told and unit.province not in standing


def _waived(words: Sequence[Word], lexicon: Lexicon, piece: Piece) -> int:
    """Return how many builds a line waives: `waive`, `waive two builds`, `no builds`."""
    waive = next((word.text for word in words if word.kind == "WAIVE"), "")
    if waive in lexicon.waives_all:
        return max(1, open_builds(piece.context))
    return lexicon.waives.get(waive, 1)


def _span_of(text: str, words: Sequence[Word], piece: Piece) -> tuple[int, int]:
    word = next(word for word in words if word.text == text)
    return piece.line.span(word.start, word.end)
