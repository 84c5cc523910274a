"""Read the lines of a mail as blocks.

A heading can make the orders below it doubtful, and later lines can correct them.
Each line holds orders, a command, a heading or talk. See `heard`. The words are in `grammar/around.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

from judge.commands import Clear, Command, Doubt, Doubted, ForPhase, ForPower, Give
from judge.language.context import Context
from judge.language.corrections import with_corrections
from judge.language.denials import denial_in, expresses_doubt, points_above, points_below
from judge.language.lines import ReadLine
from judge.language.withdrawals import with_withdrawals
from judge.language.words import SHIPPED, UNKNOWN, is_japanese, load_lexicon, normal_form
from judge.language.words.names import pattern
from judge.language.words.shipped import apart_and_run_on
from judge.resources import shipped_data
from judge.rules.orders import Disband, Waive
from judge.rules.position import PhaseKind, Power

_LONGEST_HEADING = 160
"""In characters: a longer line is prose, not a heading."""
_NOTHING = "1"
_CLAUSE = re.compile(r"[,.!;]\s+(?=\w)")
_COLON = re.compile(r":[\s*_)\]-]*$")

Meaning: TypeAlias = "Doubt | _Neutral | _Cancels"
"""What a heading means for the orders below it."""


@dataclass(frozen=True, slots=True)
class _Neutral:
    """The heading makes no order doubtful."""


@dataclass(frozen=True, slots=True)
class _Cancels:
    """The heading withdraws the orders below it."""


@dataclass(frozen=True, slots=True)
class _Words:
    """The patterns of `around.toml`."""

    opens: re.Pattern[str]
    """The end of a line that introduces lines behind a blank line."""
    order: re.Pattern[str]
    """A word for orders."""
    own: Sequence[str]
    """Patterns that say whose orders they are."""
    apology: re.Pattern[str]
    next_phase: re.Pattern[str]
    """Words for the phase that a report has just opened."""
    attribution: re.Pattern[str]
    """The line that a mail program writes above a quoted mail."""
    above: Mapping[Doubt, Sequence[re.Pattern[str]]]
    cancels: Sequence[re.Pattern[str]]
    neutral: frozenset[str]
    """Words of languages that separate words by blanks."""
    neutral_run_on: re.Pattern[str]
    """Words of the other languages, in which a whole line may consist of them."""


@cache
def _words(map_name: str) -> _Words:
    data = shipped_data("grammar/around.toml")
    powers = pattern(load_lexicon(map_name, SHIPPED).names.powers)

    def patterns(table: Mapping[str, Sequence[str]]) -> tuple[re.Pattern[str], ...]:
        return tuple(
            re.compile(
                row.replace("<power>", f"(?:{powers})")
                .replace("<order>", f"(?:{'|'.join(data['order'][tongue])})")
                .replace("<remark>", "|".join(data["remark"].get(tongue, ())))
            )
            for tongue, rows in table.items()
            for row in rows
        )

    neutral, run_on = apart_and_run_on(data["neutral"])
    return _Words(
        opens=_any_of(data["opens"]),
        order=_any_of(data["order"]),
        own=[row for rows in data["own"].values() for row in rows],
        apology=_any_of(data["apology"]),
        next_phase=_any_of(data["next_phase"]),
        attribution=_any_of(data["attribution"]),
        above={_DOUBTS[kind]: patterns(table) for kind, table in data["above"].items()},
        cancels=patterns(data["cancels"]),
        neutral=frozenset(neutral),
        neutral_run_on=re.compile("|".join(map(re.escape, sorted(run_on, key=len, reverse=True)))),
    )


def _any_of(tongues: Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{row})" for rows in tongues.values() for row in rows))


_DOUBTS = {doubt.value: doubt for doubt in Doubt} | {"later": Doubt.HEADING}


def heard(lines: Sequence[ReadLine], context: Context) -> tuple[ReadLine, ...]:
    """Return the lines of a mail with headings and corrections applied.

    Orders in doubtful blocks become questions.
    """
    if not any(line.requests or line.faults for line in lines):
        return tuple(lines)
    saying_no = [line.number for place, line in enumerate(lines) if _says_no(place, lines, context)]
    left = with_withdrawals(lines, saying_no, context)
    if not any(_orders(line) for line in left):
        return tuple(left)
    return tuple(_in_blocks(with_corrections(left, context), context))


def _says_no(place: int, lines: Sequence[ReadLine], context: Context) -> bool:
    """Whether a line denies the order above it, or expresses doubt about it.

    A line that just says no must stand directly between two orders.
    """
    if not place:
        return False
    above, line = lines[place - 1], lines[place]
    adjoins = above.number == line.number - 1 and bool(_orders(above))
    if _doubts_what_is_above(line, context, adjoins=adjoins):
        return True
    if place == len(lines) - 1 or not adjoins or line.requests or line.faults:
        return False
    return not points_below(_folded(line.text)) and _heading(place, lines, context) is Doubt.NEGATION


def _doubts_what_is_above(line: ReadLine, context: Context, *, adjoins: bool) -> bool:
    """Whether a line doubts the order above: `I wonder about that one`, その命令はまだ迷っています.

    `adjoins`: the line is directly below that order.
    """
    text = _folded(line.text)
    if line.requests or line.faults or len(text) > _LONGEST_HEADING or not points_above(text, adjoins=adjoins):
        return False
    return expresses_doubt(text) or isinstance(_kind_of(text, context), Doubt)


def _in_blocks(lines: Sequence[ReadLine], context: Context) -> Iterator[ReadLine]:
    heading: ReadLine | None = None
    meaning: Meaning = _Neutral()
    phase_is_named = not _is_movement(context)
    for place, line in enumerate(lines):
        phase_is_named = phase_is_named or any(isinstance(request, ForPhase) for request in line.requests)
        found = None if line.requests else _heading(place, lines, context)
        behind_blank = place > 0 and line.number > lines[place - 1].number + 1
        if found is not None:
            heading, meaning = line, found
            leads = bool(_COLON.search(line.text))
            yield replace(line, is_heeded=not leads) if isinstance(found, _Neutral) else replace(line, faults=())
            continue
        if (behind_blank and not line.requests) or _steers(line):
            heading = None
        plain = line if phase_is_named else _without_removal(line, context)
        yield _below(plain, heading, meaning) if heading is not None else plain


def is_heading(place: int, lines: Sequence[ReadLine], context: Context) -> bool:
    """Whether a line is a heading for the orders below it, not talk."""
    found = _heading(place, lines, context)
    return found is not None and (not isinstance(found, _Neutral) or _COLON.search(lines[place].text) is not None)


def is_leading(line: ReadLine) -> bool:
    """Whether a line ends with a colon, introducing the next lines."""
    return _COLON.search(_folded(line.text)) is not None


def _is_movement(context: Context) -> bool:
    return context.position is not None and context.position.phase.kind is PhaseKind.MOVEMENT


def _without_removal(line: ReadLine, context: Context) -> ReadLine:
    """Turn `Remove A Bur` into a question in a movement phase.

    No unit is removed then: it may mean to remove the order.
    """
    if not any(isinstance(one.order, Disband) for one in _orders(line)):
        return line
    found = context.lexicon.takes_back.search(_folded(line.text))
    if found is None:
        return line

    def asked(request: Command) -> Command:
        if not isinstance(request, Give) or not isinstance(request.order, Disband) or request.otherwise:
            return request
        return Doubted(request.order, Doubt.WORDS, found[0], line.number)

    return replace(line, requests=tuple(map(asked, line.requests)))


def _steers(line: ReadLine) -> bool:
    """Whether a line only says what the lines below it are about."""
    return any(isinstance(request, ForPhase | ForPower) for request in line.requests) and not _orders(line)


def _orders(line: ReadLine) -> list[Give]:
    return [request for request in line.requests if isinstance(request, Give)]


def _below(line: ReadLine, heading: ReadLine, meaning: Meaning) -> ReadLine:
    """Return a line of the block below a heading, as the heading's meaning changes it."""
    if isinstance(meaning, _Neutral) or not _orders(line):
        return line

    def meant(request: Command) -> Iterable[Command]:
        if not isinstance(request, Give):
            return [request]
        if isinstance(meaning, _Cancels):
            return [] if isinstance(request.order, Waive) else [Clear(request.order.unit)]
        assert isinstance(meaning, Doubt)
        return [Doubted(request.order, meaning, heading.text.strip(), heading.number)]

    return replace(line, requests=tuple(one for request in line.requests for one in meant(request)))


def _heading(place: int, lines: Sequence[ReadLine], context: Context) -> Meaning | None:
    """Return what a line means as a heading for the orders below, or None."""
    line = lines[place]
    below = lines[place + 1] if place + 1 < len(lines) else None
    written = line.text.strip()
    if below is None or line.is_heeded or len(written) > _LONGEST_HEADING:
        return None
    if denial_in(written) is not None:  # it is about the lines above, not those below
        return None
    text = _folded(written)
    words = _words(context.map.name)
    leads = bool(_COLON.search(text))
    adjoins = below.number == line.number + 1
    if not leads and points_above(text):
        return None
    if not (adjoins or leads or words.opens.search(text)) or words.attribution.search(text):
        return None
    if not (_orders(below) or _is_another_heading(below)):
        return None
    if not any(map(_orders, lines[:place])):
        text = _of_the_open_phase(text, context)
    meaning = _kind_of(text, context)
    if meaning is not None:
        return meaning
    if not leads:  # `Germany's orders`
        is_heading = adjoins and words.order.search(text) is not None and _says_nothing_else(text, context)
        return _Neutral() if is_heading and not line.faults else None
    if line.faults or words.apology.search(text):
        return _Neutral()
    *_, clause = _CLAUSE.split(text)  # `Changed my mind, final orders:`
    return _Neutral() if _says_nothing_else(clause, context) else Doubt.HEADING


def _is_another_heading(line: ReadLine) -> bool:
    """Whether a line is a heading of another kind: `Germany:`.

    Such a line may stand between a heading and the orders.
    """
    return bool(line.requests) and all(isinstance(request, ForPower) for request in line.requests)


def _of_the_open_phase(text: str, context: Context) -> str:
    """Return a heading without words for the open phase.

    After a report the open phase is called the next one.
    """
    words = _words(context.map.name)
    names_it = words.next_phase.search(text) is not None
    return (
        words.next_phase.sub(" ", text) if names_it and (context.answers_report or words.order.search(text)) else text
    )


@cache
def _own_orders(map_name: str, powers: tuple[Power, ...]) -> re.Pattern[str]:
    """Return a pattern for words that name the sender's own orders.

    Examples: `Germany's orders`, ドイツの命令.
    """
    words = _words(map_name)
    named = load_lexicon(map_name, SHIPPED).names.powers
    own = pattern(word for word, power in named.items() if power in powers)
    rows = (row.replace("<own>", own).replace("<order>", f"(?:{words.order.pattern})") for row in words.own)
    return re.compile("|".join(rows))


def _kind_of(text: str, context: Context) -> Meaning | None:
    words = _words(context.map.name)
    if context.powers:
        text = _own_orders(context.map.name, context.powers).sub(" ", text)
    if any(pattern.search(text) for pattern in words.cancels):
        return _Cancels()
    plain = re.sub(r"[\s*_]+", " ", text).strip()
    for doubt, patterns in words.above.items():
        if any(pattern.search(plain) for pattern in patterns):
            return doubt
    return None


def _says_nothing_else(text: str, context: Context) -> bool:
    """Whether the words of a heading raise no doubt.

    Such words are those for orders, units, places, powers and greetings.
    """
    words = _words(context.map.name)
    lexicon = context.lexicon
    begins_politely = text.split(",", maxsplit=1)[0].split(" ", maxsplit=1)[0] in lexicon.greetings
    for word in lexicon.every_word(text):
        doubtful = word.text in lexicon.doubt or word.kind == "NOT"
        if word.text in words.neutral or word.text.endswith("'s") or (word.kind != UNKNOWN and not doubtful):
            continue
        if is_japanese(word.text):
            if not lexicon.makes_nothing_doubtful(words.neutral_run_on.sub("", word.text) or _NOTHING):
                return False
        elif lexicon.makes_nothing_doubtful(word.text):
            continue
        elif doubtful or (not begins_politely and word.text.isalnum()):
            return False
    return True


def _folded(written: str) -> str:
    return normal_form(f" {written}").text.strip()
