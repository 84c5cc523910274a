"""Extract the sender's own words: no quotations, no signature, nothing of our own mails."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from judge.budget import Budget, unbounded
from judge.mail.patterns import pattern
from judge.mail.stretches import common_stretches
from judge.rules.position import COAST, CODE

_QUOTED = re.compile(r"^(?!\s*[|｜]\s*[^\s>＞|｜][^|｜]*[|｜])\s*(?:(?:[>＞|｜]|»(?![^«]*«)|:(?=\s))\s?)+")
"""A line quoted by a mail program.

A row of a table, with a bar after each cell, does not count, nor does »this«.
"""
_BAR = re.compile(r"^\s*[|｜](?!\s*[>＞|｜])")
"""A line after a single bar: a quotation or a row of a table."""
_SIGNATURE = re.compile(r"^--\s?$")
_RULE = re.compile(r"^(?:__+|[-=*＊━─＝~～]{5,}.*)$")
"""Begins a signature, unless an order follows."""
_TITLE = re.compile(r"^[-_=]{2,40}[^-_=].{0,80}[-_=]{2,40}$")
_FIELD = re.compile(r"^\W*\w+\s*[:：].*@")
_PGP = re.compile(r"^-----BEGIN PGP SIGNED MESSAGE-----$|^Hash: [\w, -]+$")
_CODE_BESIDE = re.compile(rf" ?\({CODE}\)")
"""The code beside the name of a place.

The text and the HTML of a report may have it at different mentions.
"""
_LEAST_OF_OURS = 2
_LONGEST_HEAD = 9
_BEGINNING = 6
_FIELD_OF_OURS = re.compile(
    rf"\s*(?P<told>(?:[^()]+(?:\([^()]*\) )?\()?(?P<unit>[AF] {CODE}(?:/{COAST})?)\)?)(?: (?P<sign>[-R]))?\s*"
)
"""A line of our report that the player completes: the unit and a sign.

The unit has its name too for readers who prefer names. The sign is at the end.
"""
_LONGEST_ATTRIBUTION = 3
"""Lines that an attribution may be broken into."""
_LONGEST_SAYING = 12
_NEAR = 12
"""Lines below its head within which a quotation of our mail is recognized."""
_MOST_ASKED = 300
"""Different lines of one mail that `Vocabulary` is asked about."""
_UNITS_OF_A_LINE, _LETTERS_A_UNIT = 6, 8
"""Cost of a line: a base in units, and a unit per so many characters."""
_LINES_OF_OURS_A_UNIT = 2
_OF_A_QUOTATION = 2
"""Divisor: searching a quotation leaves one half of the budget for the sender's words."""
_SEARCHED_A_UNIT = 2000
"""Characters of our mail that are searched per unit."""
_SAYINGS = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "『": "』"}
"""Opening quotation mark → closing one."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Questions about orders that `judge.language` answers: this package has no grammar."""

    gives_order: Callable[[str, Budget], bool]
    """Whether a line clearly gives an order, or states something players write beside orders."""
    may_ask: Callable[[str, Budget], bool]
    """Whether a line may be an order or a command, even a misspelled one."""


@dataclass(frozen=True, slots=True)
class OwnWords:
    """The sender's own words."""

    text: str
    set_aside: tuple[str, ...] = ()
    """Lines that may be orders, unmarked in or below a quotation of our mail.

    Our mail did not contain them.
    """
    unread: str = ""
    """The sender's first line that was unread as the budget ran out, or ""."""


def own_words(text: str, vocabulary: Vocabulary, sent: Sequence[str] = (), budget: Budget | None = None) -> OwnWords:
    """Extract the sender's own words; `sent` is our mail that this one answers, by lines.

    Removed: quoted lines, attributions, signatures, everything from a stop word or an old mail on, and stretches of our
    mail that appear together with its headings. An order by itself is never taken for ours, even if our mail contains
    the same words. In a quotation of our mail, a line of ours with more text after it was completed by the sender, and
    counts. A signature ends where a quotation begins, because an answer may follow below. When the budget runs out, the
    rest is not read.
    """
    return _Dissection(text.splitlines(), vocabulary, sent, budget or unbounded()).own_words()


class _Dissection:
    """The lines of one mail, and which of them repeat our mail."""

    def __init__(self, lines: Sequence[str], vocabulary: Vocabulary, sent: Sequence[str], budget: Budget) -> None:
        self.vocabulary = vocabulary
        self.budget = budget
        self.lines, self.unread = _within(lines, budget)
        self.as_sent = sent
        self.sent = [essence for essence in map(_essence, sent) if essence]
        budget.charge(len(sent) // _LINES_OF_OURS_A_UNIT)
        self.ours = set(self.sent)
        self.fields = [_Field.of(field) for field in map(_FIELD_OF_OURS.fullmatch, sent) if field]
        self.unseen = Counter(map(_letters, self.sent))
        self.from_our_mail = _quoted_from(self.ours, self.lines)
        self.kept: list[str] = []
        self.rules: set[int] = set()
        """The positions in `kept` of house rules, with their heading and end."""
        self.has_said = False
        """Whether a line that was kept contains any text."""
        self.unheard = 0
        """How many of the kept lines were checked for orders."""
        self.is_heard = False
        """Whether one of those may be an order."""
        self.asked: dict[str, bool] = {}
        self.ordering: dict[str, bool] = {}
        """Line → whether it gives an order; a mail may repeat one line many times."""
        self.rows: set[int] = set()
        """The positions of lines after a bar that are the sender's."""
        self.doubtful: dict[int, str] = {}
        """Lines that may be the sender's, or repeat our mail, by position."""
        self._find_rows()

    def own_words(self) -> OwnWords:
        end = self._keep()
        kept = self._without_runs()
        doubtful = (row for place, row in self.doubtful.items() if place < end)
        set_aside = (*doubtful, *self._set_aside(self.lines[end:]))
        is_whole = end < len(self.lines)  # what is below the end is not the sender's
        return OwnWords("\n".join(kept).strip("\n"), set_aside, "" if is_whole else self.unread)

    def _keep(self) -> int:
        """Keep the sender's lines; return where an unmarked old mail begins, or the end."""
        in_signature = False
        quotation = 0
        for place, line in enumerate(self.lines):
            bare = _bare(line)
            if _QUOTED.match(line):
                in_signature = False
                self._keep_if_filled_in(place)
            elif place < quotation:
                continue
            elif place - 1 in self.from_our_mail and self._ends_field(self.lines[place - 1], bare):
                self._keep_line(f"{_QUOTED.sub('', self.lines[place - 1]).rstrip()} {bare}")
            elif _is_stop_word(bare) and self.has_said:  # as the first word it is a command: END
                return self._end_of_all()
            elif _begins_an_old_mail(bare, self.lines[place + 1 : place + 6]):
                quotation = _head_of_quotation(self.lines, place, self.from_our_mail)
                if not quotation:
                    return place + 1
                in_signature = False
            elif taken := self._attribution(place):
                quotation = place + taken
                said = _saying(self.lines[quotation : quotation + _LONGEST_SAYING + _LONGEST_ATTRIBUTION])
                if not said and _is_without_marks(self.lines, quotation, self.ours) and self._has_asked():
                    return quotation
                quotation += said
                in_signature = False
            elif self._begins_signature(place, bare):
                in_signature = True
            elif not in_signature and not pattern("phone", behind="$").match(bare) and not _PGP.match(bare):
                quotation = self._keep_with_rules(place)
        return len(self.lines)

    def _keep_with_rules(self, place: int) -> int:
        """Keep a line, with the house rules that it begins.

        Return the position of the line below them.
        """
        end = self._end_of_rules(place)
        if end > place:
            block = range(place, end + 1)
            self.rules.update(range(len(self.kept), len(self.kept) + len(block)))
            self.rows.difference_update(block)
            self.from_our_mail.difference_update(block)
            self.doubtful = {at: row for at, row in self.doubtful.items() if at not in block}
        for at in range(place, end + 1):
            self._keep_line(self.lines[at])
        return end + 1

    def _end_of_rules(self, place: int) -> int:
        """Return where house rules end that begin here, or the same place.

        They may hold quoted lines, but neither a quotation of our mail nor the head of an old mail. Our mail shows
        house rules behind bars: such lines do not make a quotation.
        """
        if not _house_rules().match(self.lines[place]):
            return place
        for at in range(place + 1, len(self.lines)):
            bare = _bare(self.lines[at])
            self.budget.charge(_UNITS_OF_A_LINE)
            if _end_of_house_rules().match(bare):
                return at
            if self.budget.is_spent or (bare and at in self._from_our_plain_lines):
                break
            if self._attribution(at) or _begins_an_old_mail(bare, self.lines[at + 1 : at + 6]):
                break
        return place

    @cached_property
    def _from_our_plain_lines(self) -> set[int]:
        return _quoted_from({_essence(line) for line in self.as_sent if not _QUOTED.match(line)}, self.lines)

    def _find_rows(self) -> None:
        """Tell rows of a table from a quotation.

        All rows may be orders. A quotation follows an attribution.
        """
        for block in _blocks_behind_bars(self.lines):
            rows = {place: _QUOTED.sub("", self.lines[place]) for place in block}
            written = {place: row for place, row in rows.items() if _letters(_essence(row))}
            if self._leads_to_quotation(block[0]) or not all(map(self._may_ask, written.values())):
                continue
            orders = {
                place: row.strip() for place, row in written.items() if self.budget.is_spent or self._gives_order(row)
            }
            if any(_essence(row) in self.ours for row in orders.values()):
                self.doubtful |= orders
            elif orders:
                self.rows.update(block)

    def _leads_to_quotation(self, place: int) -> bool:
        """Whether the text above a line introduces a quotation, or is quoted itself."""
        above = next((one for one in range(place - 1, -1, -1) if self.lines[one].strip()), -1)
        if above < 0 or above in self.rows:
            return False
        bare = _bare(self.lines[above])
        if _QUOTED.match(bare) or _begins_header(bare) or _goes_on_with_header(bare):
            return True
        sizes = range(1, min(_LONGEST_ATTRIBUTION, above + 1) + 1)
        return any(self._attribution(above - size + 1) == size for size in sizes)

    def _end_of_all(self) -> int:
        """Return the end of the mail, at a stop word: nothing below it counts."""
        self.unread = ""
        return len(self.lines)

    def _keep_line(self, line: str) -> None:
        self.kept.append(line)
        self.has_said = self.has_said or bool(line.strip())

    def _has_asked(self) -> bool:
        """Whether a kept line may be an order; each line is checked once."""
        while self.unheard < len(self.kept) and not self.is_heard:
            self.is_heard = self._may_ask(self.kept[self.unheard])
            self.unheard += 1
        return self.is_heard

    def _set_aside(self, quotation: Sequence[str]) -> Iterator[str]:
        """Yield orders below an unmarked quotation, and those in it that ours lacked."""
        lines = [line.strip() for line in quotation if _letters(_essence(line)) and not _QUOTED.match(line)]
        whole = _letters("".join(self.sent))  # mail programs rewrap lines and lose signs
        ours = [self._stands_in(line, whole) for line in lines]
        own = self.budget.left // _OF_A_QUOTATION  # keep this much for the sender's own words
        # Most lines are ours, and finding a line in our mail costs far less than reading it.
        is_order = cache(lambda line: self.budget.left > own and self._gives_order(line))
        places = reversed(range(len(lines)))
        end = next((place for place in places if ours[place] and not is_order(lines[place])), len(lines))
        for place, line in enumerate(lines):
            if (place > end or (not ours[place] and self.sent)) and is_order(line):
                yield line

    def _stands_in(self, line: str, whole: str) -> bool:
        self.budget.charge(1 + len(whole) // _SEARCHED_A_UNIT)
        return _letters(_essence(line)) in whole

    def _keep_if_filled_in(self, place: int) -> None:
        """Keep a quoted row of a table, or a quoted line the sender completed."""
        if place in self.rows:
            self._keep_line(self.lines[place])
        if place not in self.from_our_mail:
            return
        filled = _essence(self.lines[place])
        letters = _letters(filled)  # old charsets lose characters such as ✓
        if self.unseen[letters]:
            self.unseen[letters] -= 1
        elif any(field.is_filled_by(filled) for field in self.fields):
            self._keep_line(_QUOTED.sub("", self.lines[place]))

    def _ends_field(self, line: str, following: str) -> bool:
        """Whether a quoted line to complete continues, unmarked, in the next line."""
        field = _FIELD_OF_OURS.fullmatch(_QUOTED.sub("", line)) if _QUOTED.match(line) else None
        if field is None or field["sign"] is None or self._gives_order(following):
            return False
        return pattern("end_of_order").fullmatch(following) is not None

    def _begins_signature(self, place: int, bare: str) -> bool:
        if _SIGNATURE.match(bare):
            return True
        return _RULE.match(bare) is not None and self.has_said and not self._asks_below[place]

    @cached_property
    def _asks_below(self) -> list[bool]:
        """For each line, whether a line below it, before any quotation, may be an order."""
        answers: list[bool] = []
        below = False
        for place in range(len(self.lines) - 1, -1, -1):
            answers.append(below)
            bare = _bare(self.lines[place])
            ends = _QUOTED.match(bare) or _SIGNATURE.match(bare) or _is_stop_word(bare)
            ends = ends or _begins_an_old_mail(bare, self.lines[place + 1 : place + 6])
            below = not ends and (below or self._may_ask(bare))
        return answers[::-1]

    def _may_ask(self, line: str) -> bool:
        """Whether a line may be an order; always yes once the limits are reached."""
        if line not in self.asked:
            is_too_much = self.budget.is_spent or len(self.asked) >= _MOST_ASKED
            self.asked[line] = is_too_much or self.vocabulary.may_ask(line, self.budget)
        return self.asked[line]

    def _gives_order(self, line: str) -> bool:
        """Whether a line gives an order; always no once the budget is spent."""
        if line not in self.ordering:
            self.ordering[line] = not self.budget.is_spent and self.vocabulary.gives_order(line, self.budget)
        return self.ordering[line]

    def _without_runs(self) -> list[str]:
        """Drop stretches of our mail that were quoted without marks.

        They begin and end with a line that is not an order. An order at the edge of such a stretch, or by itself, is
        the sender's, even if our mail contained it. So are house rules that repeat some of our mail.
        """
        written = [place for place, line in enumerate(self.kept) if line.strip()]
        essences = [_essence(self.kept[place]) for place in written]
        dropped: set[int] = set()
        for stretch in common_stretches(essences, self.sent, _LEAST_OF_OURS):
            run = [written[place] for place in stretch]
            if self.rules.issuperset(run):
                continue
            begin, end = 0, len(run)
            while begin < end and self._gives_order(self.kept[run[begin]]):
                begin += 1
            while begin < end and self._gives_order(self.kept[run[end - 1]]):
                end -= 1
            if end - begin >= _LEAST_OF_OURS:
                dropped.update(run[begin:end])
        return [line for place, line in enumerate(self.kept) if place not in dropped]

    def _attribution(self, place: int) -> int:
        """Return how many lines the attribution takes that begins here; 0 for none.

        Long ones are broken up.
        """
        whole = _bare(self.lines[place])
        if _attribution().match(whole):
            return 1
        if not pattern("attribution_start").match(whole):
            return 0
        for size in range(2, _LONGEST_ATTRIBUTION + 1):
            following = _bare(self.lines[place + size - 1]) if place + size <= len(self.lines) else ""
            if not following or self._gives_order(following):
                return 0
            if _attribution().match(f"{whole} {following}") or _attribution().match(whole + following):
                return size
            whole = f"{whole} {following}"
        return 0


@dataclass(frozen=True, slots=True)
class _Field:
    """A line of our report that the player completes, normalized for comparison."""

    begins: tuple[str, ...]
    sign: str | None

    @classmethod
    def of(cls, match: re.Match[str]) -> _Field:
        """Return the field for a matching line of ours."""
        return cls(tuple(map(_essence, match.group("told", "unit"))), match["sign"])

    def is_filled_by(self, filled: str) -> bool:
        """Whether a line is this one with an order after or instead of the sign."""
        told = next((told for told in self.begins if filled.startswith(told)), None)
        rest = filled.removeprefix(told) if told is not None else ""
        if not rest:
            return False
        if self.sign == "-":
            return (len(rest) > 1 and rest[0] in "-→") or rest[0] in "hsc"
        retreats = self.sign == "R" and len(rest) > 1 and rest[0] in "r-→"
        return retreats or pattern("disbands").fullmatch(rest) is not None


def _within(lines: Sequence[str], budget: Budget) -> tuple[Sequence[str], str]:
    """Charge each line; return the lines within the budget, and the first unread one.

    The latter is the first unquoted line beyond the budget, "" if there is none.
    """
    for place, line in enumerate(lines):
        if budget.is_spent:
            return lines[:place], next(
                (one.strip() for one in lines[place:] if one.strip() and not _QUOTED.match(one)), ""
            )
        budget.charge(_UNITS_OF_A_LINE + len(line) // _LETTERS_A_UNIT)
    return lines, ""


def _blocks_behind_bars(lines: Sequence[str]) -> Iterator[range]:
    """Yield the stretches of lines after a single bar that are not complete rows."""
    begin: int | None = None
    for place in range(len(lines) + 1):
        is_one = place < len(lines) and _BAR.match(lines[place]) and _QUOTED.match(lines[place])
        if is_one and begin is None:
            begin = place
        elif not is_one and begin is not None:
            yield range(begin, place)
            begin = None


def _quoted_from(ours: set[str], lines: Sequence[str]) -> set[int]:
    """Return the positions of quotations that contain lines of ours.

    Other people's words may be quoted too.
    """
    found: set[int] = set()
    block: list[int] = []
    for place in [*range(len(lines)), -1]:
        if place >= 0 and (_QUOTED.match(lines[place]) or not lines[place].strip()):
            block.append(place)
            continue
        if sum(_essence(lines[one]) in ours for one in block) >= _LEAST_OF_OURS:
            found.update(block)
        block = []
    return found


def _head_of_quotation(lines: Sequence[str], begin: int, from_our_mail: set[int]) -> int:
    """Return where a marked quotation of our mail begins below a head, or 0.

    Such a head of an old mail is only an attribution, and the answer may follow below the quotation.
    """
    for place in range(begin + 1, min(len(lines), begin + _LONGEST_HEAD)):
        bare = _bare(lines[place])
        if _QUOTED.match(lines[place]):
            return place if place in from_our_mail else 0
        if bare and not _begins_header(bare) and not _goes_on_with_header(bare):
            return 0
    return 0


def _is_ours_without_marks(ours: set[str], lines: Sequence[str]) -> bool:
    """Whether an unmarked copy of our mail begins here; then the answer stands above it."""
    begin = [line for line in lines[:_NEAR] if line.strip()][:_BEGINNING]
    return sum(_essence(line) in ours for line in begin) >= _LEAST_OF_OURS and not any(map(_QUOTED.match, begin))


def _essence(line: str) -> str:
    plain = _CODE_BESIDE.sub("", unicodedata.normalize("NFKC", _QUOTED.sub("", line)))
    return "".join(plain.casefold().split())


def _letters(essence: str) -> str:
    return "".join(filter(str.isalnum, essence))


def _attribution() -> re.Pattern[str]:
    return pattern("attribution", before="^", behind="$")


def _house_rules() -> re.Pattern[str]:
    return pattern("house_rules", before=r"\s*(?:[-*・]\s*)?", behind=r"(?!\w)")


def _end_of_house_rules() -> re.Pattern[str]:
    return pattern("house_rules_end", behind=r"\W*$")


def _begins_header(bare: str) -> bool:
    return pattern("first_header", behind=r"\s*\*?\s*[:：]").match(bare) is not None


def _goes_on_with_header(bare: str) -> bool:
    return pattern("next_header", behind=r"\s*\*?\s*[:：]").match(bare) is not None


def _begins_an_old_mail(bare: str, following: Sequence[str]) -> bool:
    """Whether the head of an old mail begins here, quoted without marks."""
    if pattern("old_mail", before=r"^[-_=\s]*", behind=r"[-_=\s]*$").match(bare):
        return True
    if _TITLE.match(bare):
        return any(_FIELD.match(_bare(line)) for line in following)
    return _begins_header(bare) and any(_goes_on_with_header(_bare(line)) for line in following)


def _is_stop_word(bare: str) -> bool:
    return pattern("stop", behind=r"[.。]*$").match(unicodedata.normalize("NFKC", bare).casefold()) is not None


def _bare(line: str) -> str:
    """Return the part of a line worth examining.

    Marks of mail programs are short, hostile lines may be long.
    """
    return line.strip()[:300]


def _saying(lines: Sequence[str]) -> int:
    """Return how many lines a text in quotation marks takes.

    The result is 0 if the first line does not begin with such a mark.
    """
    begin = next((place for place, line in enumerate(lines[:3]) if line.strip()), None)
    closing = None if begin is None else _SAYINGS.get(_bare(lines[begin])[0])
    if begin is None or closing is None:
        return 0
    for place in range(begin, min(len(lines), begin + _LONGEST_SAYING)):
        bare = _bare(lines[place])[place == begin :]
        if closing in bare:
            return place + 1 if not bare.rpartition(closing)[2].strip(" .,。、") else 0
    return 0


def _is_without_marks(lines: Sequence[str], begin: int, ours: set[str]) -> bool:
    """Whether an unmarked quotation begins here; then the answer stands above it."""
    if _is_ours_without_marks(ours, lines[begin : begin + _NEAR]):
        return True
    first = next((lines[place] for place in range(begin, len(lines)) if lines[place].strip()), "")
    return bool(first) and not _QUOTED.match(first)
