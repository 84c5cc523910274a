"""Find lines for the judge in letters to other players.

A letter as a whole is press. It is doubtful only if a line at its beginning or end is a complete order for a unit of
the sender, or a command as HELP writes it. Greetings, thanks and signatures do not count as the beginning or end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeGuard

from judge.commands import (
    Command,
    Doubt,
    Doubted,
    ForPhase,
    ForPower,
    Give,
    Note,
    OfPress,
    Press,
    PressOrOrders,
    Report,
)
from judge.language.asking.below import begins_talk, end_of_talk
from judge.language.asking.consent import is_courtesy
from judge.language.asking.data import pattern_of
from judge.language.context import Context, own_units
from judge.language.faults import FaultKind
from judge.language.line import read_line, read_within
from judge.language.lines import ReadLine
from judge.language.words import is_japanese, normal_form
from judge.language.writing import line_in
from judge.languages import Language
from judge.rules.orders import Build, Order, Waive

_NOTATION = re.compile(r"\s*[AFaf]\s+([A-Za-z0-9]+)\b.{0,60}")
_MISSPELLED = (FaultKind.UNKNOWN_PLACE, FaultKind.INCOMPLETE_ORDER, FaultKind.NOT_UNDERSTOOD)
_LONGEST_SIGNATURE = 40
_LEAST_OF_A_COMMAND = 4
"""In letters: a shorter word in capitals, such as `OK`, is talk."""
_LINES_OF_A_SIGNATURE = 3
"""The most lines of a signature, below the farewell."""
_NAME = re.compile(r"[^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*){0,2}[.,]?|[^\w]+")
_SEVERAL = re.compile(r"\S\s+\S")
_COLON = re.compile(r"[:：]\s*$")


def lines_for_the_judge(written: Sequence[str], context: Context, *, answers_press: bool = False) -> tuple[int, ...]:
    """Return the indexes of a letter's lines that may be for the judge.

    Empty if the letter is all press. In a reply to press, headings of other press count anywhere, with the text below
    them: that text is for other readers.
    """
    plain = replace(context, hears_sentences=False)
    read = [read_within(one, plain) for one in written]
    aside = [_stands_aside(place, written, read, context) for place in range(len(written))]
    is_all = all(aside[place] or _is_for_the_judge(one, context, is_all=True) for place, one in enumerate(read))
    meant = [not aside[place] and _is_for_the_judge(one, context, is_all=is_all) for place, one in enumerate(read)]
    found = {*_run(range(len(written)), aside, meant), *_run(range(len(written) - 1, -1, -1), aside, meant)}
    for place in range(len(written) - 2, -1, -1):  # include a line that only says what the orders below it are for
        if aside[place] and read[place].requests and place + 1 in found:
            found.add(place)
    if answers_press:
        found.update(_other_press(written, read))
    return tuple(sorted(found))


def asked_which(
    line: ReadLine,
    letter: OfPress,
    written: Sequence[str],
    doubtful: Sequence[int],
    read: Callable[[str], Sequence[ReadLine]],
    *,
    keeps_words: bool,
) -> ReadLine:
    """Return the first line of a letter as the question which lines are press.

    `doubtful`: the indexes of lines that may be for the judge. `keeps_words`: the other lines are still sent.
    `read` reads lines as those of a mail to the judge.
    """
    kept = [one for place, one in enumerate(written) if place not in doubtful]
    words = replace(letter, text="\n".join(kept).strip("\n")) if keeps_words and any(map(str.strip, kept)) else None
    meant = read("\n".join(one if place in doubtful else "" for place, one in enumerate(written)))
    commands = tuple(request for one in meant for request in one.requests)
    lines = tuple(written[place].strip() for place in doubtful)
    *others, _ = line.requests or (letter,)
    return replace(line, requests=(*others, PressOrOrders(letter, words, commands, lines)), instead=tuple(meant))


def report_in(text: str, context: Context) -> Report | None:
    """Return the report that a reply to press is; None if it is none.

    Its first line is the word alone, and the lines below it say why. A colon behind the word makes it a heading of
    press, and an order or a command below it makes the whole letter doubtful.
    """
    first, _, below = text.strip().partition("\n")
    plain = replace(context, hears_sentences=False)
    if _SEVERAL.search(first.strip()) or _COLON.search(first) or read_line(0, first, plain).requests != (Report(),):
        return None
    return None if lines_for_the_judge(below.splitlines(), context) else Report(below.strip())


def without_own_heading(text: str, context: Context) -> tuple[str, bool]:
    """Return a reply to press without its heading PRESS, and whether END PRESS ends it.

    A reply that END PRESS ends is certainly press.
    """
    lines = text.strip().splitlines()
    first = read_line(0, lines[0], replace(context, hears_sentences=False)) if lines else None
    match first.requests if first is not None else ():
        case (Press() as press,) if press == Press(text=press.text):
            below = lines[1:]
            end = end_of_talk(below)
            is_closed = end is not None and not any(map(str.strip, below[end + 1 :]))
            words = [press.text, *(below[:end] if is_closed else below)]
            return "\n".join(words).strip(), is_closed
    return text.strip(), False


def _run(places: Sequence[int], aside: Sequence[bool], meant: Sequence[bool]) -> list[int]:
    """Return the indexes of lines for the judge, up to another reader's line."""
    found = []
    for place in places:
        if meant[place]:
            found.append(place)
        elif not aside[place]:
            break
    return found


def _other_press(written: Sequence[str], read: Sequence[ReadLine]) -> list[int]:
    """Return the indexes of headings of other press and of the text below them.

    Misread headings count too. The text goes up to END, or to the end of the letter.
    """
    found: list[int] = []
    is_open = False
    for place, one in enumerate(read):
        is_open = is_open or begins_talk(one)
        if is_open:
            found.append(place)
        is_open = is_open and end_of_talk(written[place : place + 1]) is None
    return found


def _stands_aside(place: int, written: Sequence[str], read: Sequence[ReadLine], context: Context) -> bool:
    """Whether a line does not count as the beginning or end of a letter.

    It is blank, a courtesy, a part of a signature, or only says what the orders below it are for.
    """
    line = written[place].strip()
    if not line:
        return True
    requests = read[place].requests
    if requests:
        is_heading = all(isinstance(one, ForPower | ForPhase) for one in requests)
        return is_heading and (isinstance(requests[0], ForPower) or not _is_written_out(line, requests))
    text = normal_form(line).text.strip()
    if is_courtesy(line, context.names) or pattern_of("%s", "greeting").fullmatch(text):
        return True
    if len(line) > _LONGEST_SIGNATURE:
        return False
    above = [one.strip() for one in written[:place] if one.strip()]
    below = [one for one in written[place + 1 :] if one.strip()]
    if len(below) < _LINES_OF_A_SIGNATURE and any(map(_is_farewell, above[-_LINES_OF_A_SIGNATURE:])):
        return True
    if read[place].faults:
        return False
    if _is_farewell(line) and len(below) <= _LINES_OF_A_SIGNATURE:
        return True
    return _NAME.fullmatch(line) is not None and (
        (not above and line.endswith(",")) or (bool(above) and len(below) <= 1 and _is_signed(above[-1], context))
    )


def _is_farewell(line: str) -> bool:
    return pattern_of("%s", "farewell").match(normal_form(line).text.strip()) is not None


def _is_signed(above: str, context: Context) -> bool:
    """Whether a name below this line is a signature.

    It is one if this line is an order or a command.
    """
    return _is_for_the_judge(read_line(0, above, replace(context, hears_sentences=False)), context, is_all=True)


def _is_for_the_judge(line: ReadLine, context: Context, *, is_all: bool) -> bool:
    """Whether a whole line is the sender's order, or a command as HELP writes it.

    The order must be complete, and for a unit of the sender.
    `is_all`: the letter contains nothing else. Otherwise `Wait!` is addressed to the reader of the letter.
    """
    written = line.text.strip()
    if any(isinstance(request, Report) for request in line.requests):  # no complaint goes to whom it is about
        return True
    if written.endswith(("?", "？")) or pattern_of("%s", "said_to_others").search(normal_form(written).text):
        return False
    orders = [request.order for request in line.requests if isinstance(request, Give) or _is_misspelled(request)]
    if orders:
        is_whole = not line.faults or any(map(_is_misspelled, line.requests))
        return is_whole and any(_is_own(order, context) for order in orders)
    if not line.requests:
        return _is_own_order_misspelled(line, context)
    if line.faults or all(isinstance(one, ForPower) for one in line.requests):
        return False
    if written.endswith(("!", "！")) and not is_all and not written.isupper():
        return False
    return _is_written_out(written, line.requests)


def _is_misspelled(request: Command) -> TypeGuard[Doubted]:
    """Whether a request is an order with a misspelled place, which is a question."""
    return isinstance(request, Doubted) and request.doubt is Doubt.PLACE


def _is_written_out(written: str, requests: Sequence[Command]) -> bool:
    """Whether a line is a command as HELP writes it.

    The command's own word comes first, or the line has no other word.
    """
    if isinstance(requests[0], Note):
        return True
    if is_japanese(written):
        return pattern_of("%s", "ends_a_sentence").search(normal_form(written).text) is None
    if not _SEVERAL.search(written) or written.isupper():
        return True
    first = written.split(maxsplit=1)[0].strip(":,.")
    if first.isupper() and len(first) >= _LEAST_OF_A_COMMAND:
        return True
    return any(first.casefold() == _first_word(line_in(language, one)) for one in requests for language in Language)


def _first_word(line: str) -> str:
    return line.split(maxsplit=1)[0].casefold()


def _is_own(order: Order, context: Context) -> bool:
    if isinstance(order, Waive):
        return bool(context.powers)
    mine = {unit.province for unit in own_units(context)}
    mine |= {unit.province for unit, power in context.board.dislodged_powers().items() if power in context.powers}
    if isinstance(order, Build):
        mine |= {build.unit.province for power in context.powers for build in context.map.possible_builds[power]}
    return order.unit.province in mine


def _is_own_order_misspelled(line: ReadLine, context: Context) -> bool:
    """Whether a line is notation for the sender's unit, or for an unknown one.

    The order itself is misspelled.
    """
    if not line.faults or not all(fault.kind in _MISSPELLED for fault in line.faults):
        return False
    written = _NOTATION.fullmatch(line.text)
    if written is None or len(written[1]) not in set(map(len, context.map.provinces)):
        return False
    named = context.lexicon.names.places.get(line.text.split()[1].casefold(), ())
    mine = {unit.province for unit in own_units(context)}
    return not named or any(place in mine for place in named)
