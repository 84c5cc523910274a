"""Apply lines that withdraw something in the lines above them.

An order is withheld and asked about, or is replaced by the one given instead. Lines below are never changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from judge.commands import Clear, Command, Doubt, Doubted, EraseMe, Give, Perhaps, Steering, Wait
from judge.language.asking.consent import answer_of
from judge.language.asking.sentences import is_harmless
from judge.language.context import Context, own_units
from judge.language.corrections import corrects
from judge.language.denials import Denial, clauses_of, denial_in, denies_units, may_deny, said_of_it, says_nothing
from judge.language.faults import Fault, FaultKind
from judge.language.line import read_line
from judge.language.lines import ReadLine
from judge.language.words import Word, normal_form
from judge.rules.orders import Waive
from judge.rules.position import Province

_OF_ORDERS = (
    FaultKind.NOT_UNDERSTOOD,
    FaultKind.INCOMPLETE_ORDER,
    FaultKind.UNKNOWN_PLACE,
    FaultKind.AMBIGUOUS_ORDER,
    FaultKind.PREFERENCES,
    FaultKind.EVERY_UNIT,
    FaultKind.TAKEN_BACK,
)
"""The faults of lines that may be orders."""
_MOST_CLAUSES, _LONGEST_WITH_CLAUSES = 6, 160
"""The most clauses, and characters, of a line read clause by clause.

Denials are short.
"""
_NAMES = ("PLACE", "KIND", "LETTER")
"""The terminals that name a unit."""
_MAY_NAME = frozenset((*_NAMES, "COAST", "IN", "OTHERS"))
"""Those, and terminals that may become one of them.

Examples: `F Edi - North`, `Armies:`.
"""


def with_withdrawals(lines: Sequence[ReadLine], saying_no: Collection[int], context: Context) -> list[ReadLine]:
    """Return the lines with each order as later lines leave it.

    `saying_no`: the numbers of lines that deny an order.
    """
    result: list[ReadLine] = []
    for line in lines:
        says_no = line.number in saying_no
        denial = _denial_in(line, context)
        named = _named_units(line, context, says_no=says_no) if denial is None else None
        if named is not None and any(named.units.intersection(_units(one)) for one in result):
            result[:] = [_withheld(one, line) if named.units.intersection(_units(one)) else one for one in result]
            result.append(named.rest)
        elif named is not None and named.faults:
            result.append(_asked_about(named))
        elif denial is not None or (says_no and named is None):
            _deny(result, line, denial or Denial(is_plain=True), context)
        else:
            result.append(line)
    return _without_what_was_replaced(result)


@dataclass(frozen=True, slots=True)
class _NamedUnits:
    """The units that a line denies by name: `Forget Munich, A Ber - Pru`."""

    units: frozenset[str]
    rest: ReadLine
    """The line without the denial; what is left is read, or keeps its fault."""
    faults: tuple[Fault, ...] = ()
    """Questions to ask if the mail has no orders for these units."""


def _named_units(line: ReadLine, context: Context, *, says_no: bool) -> _NamedUnits | None:
    """Return the units whose orders a line denies by name; None if it denies none."""
    if line.requests or line.is_unread or context.budget.is_spent:
        return None
    form = normal_form(line.text)
    if len(form.text) > _LONGEST_WITH_CLAUSES:
        units = _cleared(line.faults)
        return _NamedUnits(units, line) if units else None
    told = {word.kind for word in context.lexicon.every_word(form.text)}
    is_no = "NOT" in told
    if not (says_no or is_no) and told.isdisjoint(_MAY_NAME) and not may_deny(" ".join(form.text.split())):
        return None
    words = context.lexicon.words(form.text)
    if says_no and (units := _own_units_at(words, context)) and not _goes(words):
        return _NamedUnits(units, _heeded(line))
    if fault := _denied_by_name(line, (0, len(form.text)), words, context):
        return _NamedUnits(_cleared([fault]), _heeded(line), () if line.faults else (fault,))
    if not is_no and not may_deny(_without_names(form.text, words)):
        return None
    denied, others, is_by_name = _parted(line, context)
    units = _cleared(denied or line.faults)
    if not units:
        return None
    if any(one.requests or one.faults for one in others):
        return _NamedUnits(units, _in_one(line, others), tuple(denied) if is_by_name else ())
    is_all = len({word.text for word in words if word.kind == "PLACE"}) <= 1
    return _NamedUnits(units, _heeded(line) if is_all else line)


def _asked_about(named: _NamedUnits) -> ReadLine:
    """Turn the orders of a line that denies other units into questions.

    The mail has no orders for the units that are denied.
    """
    because = named.faults[0].word

    def asked(request: Command) -> Command:
        if not isinstance(request, Give):
            return request
        return Doubted(request.order, Doubt.WORDS, because, named.rest.number)

    requests = tuple(map(asked, named.rest.requests))
    return replace(named.rest, requests=requests, faults=(*named.faults, *named.rest.faults), is_heeded=False)


def _goes(words: Iterable[Word]) -> bool:
    """Whether the words name a move: `Forget A Mun - Ber` is about one unit."""
    return any(word.kind in ("ARROW", "TO", "HE") for word in words)


def _denied_by_name(line: ReadLine, span: tuple[int, int], words: Sequence[Word], context: Context) -> Fault | None:
    """Return a fault if a part of a line only denies units of the sender.

    Example: `Kiel, scrap that`. `span`: of the part, in the normal form. `words`: of the part.
    """
    units = _own_units_at(words, context)
    if not units or _goes(words):
        return None
    form = normal_form(line.text)
    if not denies_units(_without_names(form.text[slice(*span)], words)):
        return None
    first, last = form.span(*span)
    candidates = tuple(f"CLEAR {unit}" for unit in sorted(units))
    return Fault(FaultKind.NEGATED, line.number, first, last, line.text[first:last].strip(), candidates)


def _denial_in(line: ReadLine, context: Context) -> Denial | None:
    """Return what a line denies.

    None if it is a command, answers our question, or corrects a place.
    """
    denial = denial_in(line.text)
    if denial is None or (context.has_questions and answer_of(line.text) is not None):
        return None
    if denial.rest is not None:
        return None if corrects(replace(line, text=line.text[denial.rest :])) else denial
    if line.requests and not denial.of_its_line and _is_a_command(line, context):
        return None
    return denial


def _is_a_command(line: ReadLine, context: Context) -> bool:
    """Whether a line is written as a command, such as UNDO.

    `Wait, no` is not. 取り消し and 消去 may refer to the line above and do not count.
    """
    plain = read_line(line.number, line.text, replace(context, hears_sentences=False))
    return any(request not in (Wait(), Perhaps(Wait()), Clear(), EraseMe()) for request in plain.requests)


def _deny(above: list[ReadLine], line: ReadLine, denial: Denial, context: Context) -> None:
    """Withhold what a line denies in `above`, then append the line to it.

    Of a line with other text, only the rest is appended.
    """
    if denial.of_its_line and _orders(line):
        above.append(_withheld(line, line))
        return
    rest = _rest(line, denial, context)
    meant = rest is not None and bool(rest.requests or rest.faults)
    places = _denied(above, denial, _provinces(rest.requests if rest is not None else ()))
    if not places or (not denial.is_plain and denial.rest is not None and not meant):
        above.append(line)
        return
    for place in places:
        above[place] = _withheld(above[place], line)
    above.append(rest if rest is not None and meant else _heeded(line))


def _rest(line: ReadLine, denial: Denial, context: Context) -> ReadLine | None:
    """Return the part of a line behind the words that deny, as read."""
    if denial.rest is None:
        return None
    return _read_from(line, denial.rest, len(line.text), context)


def _read_from(line: ReadLine, start: int, end: int, context: Context) -> ReadLine:
    """Read a part of a line by itself.

    Positions in its faults refer to the whole line.
    """
    read = read_line(line.number, line.text[start:end], context)
    faults = tuple(replace(fault, start=fault.start + start, end=fault.end + start) for fault in read.faults)
    return replace(read, text=line.text, faults=faults)


def _denied(above: Sequence[ReadLine], denial: Denial, instead: frozenset[Province]) -> list[int]:
    """Return the indexes of the lines that are denied.

    They are those of the units ordered in `instead`, else the nearest.
    """
    if instead and denial.number == 1:
        same = [place for place, line in enumerate(above) if instead & _provinces(line.requests)]
        if same:
            return same[-1:]
    commands: list[int] = []
    for place in range(len(above) - 1, -1, -1):
        line = above[place]
        if _of_orders(line):
            orders = [one for one in range(place + 1) if _of_orders(above[one])]
            return [*_counted(orders, denial), *commands]
        if any(map(_acts, line.requests)):
            commands.append(place)
        is_near = not denial.is_plain and not line.is_heeded and not says_nothing(line.text)
        if is_near or any(map(is_harmless, line.requests)):  # `When is the deadline? Never mind, found it.`
            break
    return commands


def _counted(orders: Sequence[int], denial: Denial) -> Sequence[int]:
    """Return as many of the orders above as the denial counts."""
    if denial.number is None:
        return orders
    return orders[: denial.number] if denial.from_top else orders[-denial.number :]


def _without_names(text: str, words: Iterable[Word]) -> str:
    """Return a text in normal form with each unit or place replaced by `that`."""
    for word in reversed([word for word in words if word.kind in _NAMES]):
        that = f" {said_of_it(word.text)} "
        text = text[: word.start] + that + text[word.end :]
    return " ".join(text.split())


def _own_units_at(words: Iterable[Word], context: Context) -> frozenset[str]:
    named = {place for word in words for place in context.lexicon.names.places.get(word.text, ())}
    return frozenset(str(unit) for unit in own_units(context) if unit.province in named)


def _cleared(faults: Iterable[Fault]) -> frozenset[str]:
    """Return the units that the NEGATED faults name."""
    of_units = [one for fault in faults if fault.kind is FaultKind.NEGATED for one in fault.candidates]
    return frozenset(one.removeprefix("CLEAR ") for one in of_units)


def _parted(line: ReadLine, context: Context) -> tuple[list[Fault], list[ReadLine], bool]:
    """Return the faults of denied units, the other parts, and whether only names are denied.

    Other parts are the clauses before and behind.
    """
    form = normal_form(line.text)
    denied: list[Fault] = []
    others: list[list[tuple[int, int]]] = [[]]
    is_by_name = True
    clauses = clauses_of(form.text)
    for start, end in clauses if len(clauses) <= _MOST_CLAUSES else ():
        first, last = form.span(start, end)
        fault = _denied_by_name(line, (start, end), context.lexicon.words(form.text[start:end]), context)
        read = _read_from(line, first, last, context) if fault is None else None
        if fault is not None:
            denied.append(fault)
            others.append([])
        elif read is not None and _cleared(read.faults) and not read.requests:
            denied += read.faults
            is_by_name = False
            others.append([])
        elif not says_nothing(line.text[first:last]) or _names_a_place(form.text[start:end], context):  # `F Kie - Den`
            others[-1].append((first, last))
    stretches = [(run[0][0], run[-1][1]) for run in others if run]
    parts = [_read_from(line, start, end, context) for start, end in stretches] if denied else []
    return denied, parts, is_by_name


def _names_a_place(text: str, context: Context) -> bool:
    return any(word.kind == "PLACE" for word in context.lexicon.words(text))


def _in_one(line: ReadLine, parts: Sequence[ReadLine]) -> ReadLine:
    """Return a line with the readings of its parts."""
    requests = tuple(request for part in parts for request in part.requests)
    return replace(line, requests=requests, faults=tuple(fault for part in parts for fault in part.faults))


def _withheld(denied: ReadLine, by: ReadLine) -> ReadLine:
    """Return a line with its orders withheld until the sender says yes.

    If it has no orders, its commands are withheld.
    """
    because = by.text.strip()
    if not denied.requests and denied.faults:
        return _taken_back(denied, because)

    def doubted(request: Command) -> Command:
        if isinstance(request, Give | Doubted):
            return Doubted(request.order, Doubt.CORRECTION, because, by.number)
        return Perhaps(request) if not _of_orders(denied) and _acts(request) else request

    return replace(denied, requests=tuple(map(doubted, denied.requests)))


def _without_what_was_replaced(lines: Sequence[ReadLine]) -> list[ReadLine]:
    """Return the lines without withheld orders for units that a later line orders again."""
    result: list[ReadLine] = []
    ordered: set[Province] = set()
    for line in reversed(lines):
        gone = [one for one in line.requests if _is_withheld(one) and _provinces([one]) & ordered]
        ordered |= _provinces(one for one in line.requests if isinstance(one, Give))
        result.append(_given_up(line, gone) if gone else line)
    return result[::-1]


def _is_withheld(request: Command) -> bool:
    return isinstance(request, Doubted) and request.doubt is Doubt.CORRECTION


def _given_up(line: ReadLine, gone: Sequence[Command]) -> ReadLine:
    because = next(one.because for one in gone if isinstance(one, Doubted))
    left = tuple(one for one in line.requests if one not in gone)
    return replace(_taken_back(line, because), requests=left)


def _taken_back(line: ReadLine, because: str) -> ReadLine:
    """Return a line that was withdrawn; its own faults no longer matter."""
    return replace(
        line, faults=(Fault(FaultKind.TAKEN_BACK, line.number, 0, len(line.text), line.text.strip(), (because,)),)
    )


def _heeded(line: ReadLine) -> ReadLine:
    return replace(line, requests=(), faults=(), is_heeded=True)


def _acts(request: Command) -> bool:
    return not isinstance(request, Steering | Give | Doubted | Perhaps) and not is_harmless(request)


def _of_orders(line: ReadLine) -> bool:
    """Whether a line is an order, or was refused as one."""
    is_refused = not line.requests and any(fault.kind in _OF_ORDERS for fault in line.faults)
    return is_refused or any(isinstance(request, Give | Doubted) for request in line.requests)


def _orders(line: ReadLine) -> list[Give]:
    return [request for request in line.requests if isinstance(request, Give)]


def _units(line: ReadLine) -> list[str]:
    return [
        str(request.order.unit)
        for request in line.requests
        if isinstance(request, Give | Doubted) and not isinstance(request.order, Waive)
    ]


def _provinces(requests: Iterable[Command]) -> frozenset[Province]:
    return frozenset(
        request.order.unit.province
        for request in requests
        if isinstance(request, Give | Doubted) and not isinstance(request.order, Waive)
    )
