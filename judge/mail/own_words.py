"""The sender's own words: no quotation, no signature, nothing that we wrote ourselves."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from judge.mail.patterns import pattern

_QUOTED = re.compile(r"^\s*(?:(?:[>＞|｜]|:(?=\s))\s?)+")
_SIGNATURE = re.compile(r"^--\s?$")
_RULE = re.compile(r"^(?:__+|[-=*＊━─＝~～]{5,}.*)$")
"""Begins a signature, unless an order follows it."""
_TITLE = re.compile(r"^[-_=]{2,40}[^-_=].{0,80}[-_=]{2,40}$")
_FIELD = re.compile(r"^\W*\w+\s*[:：].*@")
_PGP = re.compile(r"^-----BEGIN PGP SIGNED MESSAGE-----$|^Hash: [\w, -]+$")
_LEAST_OF_OURS = 2
_LONGEST_HEAD = 9
_BEGINNING = 6
_FIELD_OF_OURS = re.compile(
    r"\s*(?P<told>(?:[^()]+(?:\([^()]*\) )?\()?(?P<unit>[AF] [A-Z]{3}(?:/[NSE]C)?)\)?)(?: (?P<sign>[-R]))?\s*"
)
"""A line of our report that is to be completed: what unit, by its name too where the reader likes names, and the sign
it ends with."""
_LONGEST_ATTRIBUTION = 3
"""Lines into which a mail program may break one."""
_LONGEST_SAYING = 12
_MOST_ASKED = 300
"""Different lines of one mail that the language room is asked about."""
_SAYINGS = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "『": "』"}
"""What begins somebody's words → what ends them."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What may be an order is for the language to say: a mail is taken apart without a grammar of its own."""

    gives_order: Callable[[str], bool]
    """Whether a line gives an order, or says what players say beside orders, in words that are clear."""
    may_ask: Callable[[str], bool]
    """Whether a line may be an order or a command, read or misread."""


@dataclass(frozen=True, slots=True)
class OwnWords:
    """What the sender wrote himself."""

    text: str
    set_aside: tuple[str, ...] = ()
    """Lines that may be orders, without a mark in or below a quotation of our mail, which did not hold them."""


def own_words(text: str, vocabulary: Vocabulary, sent: Sequence[str] = ()) -> OwnWords:
    """What the sender wrote himself; `sent` are the lines of our mail that this is a reply to.

    Taken out: quoted lines, attributions, signatures, all from a stop word or an old mail on, and stretches of
    our mail that stand there with our headings around them. An order by itself is never ours, whatever else
    holds the same words. Where our mail is quoted, a line of ours with more behind it was filled in, and counts.
    A signature ends where a quotation begins: an answer may stand beneath.
    """
    return _Dissection(text.splitlines(), vocabulary, sent).own_words()


class _Dissection:
    """The lines of one mail, and what of our mail they repeat."""

    def __init__(self, lines: Sequence[str], vocabulary: Vocabulary, sent: Sequence[str]) -> None:
        self.lines = lines
        self.vocabulary = vocabulary
        self.sent = [essence for essence in map(_essence, sent) if essence]
        self.ours = set(self.sent)
        self.fields = [field for field in map(_FIELD_OF_OURS.fullmatch, sent) if field]
        self.unseen = Counter(map(_letters, self.sent))
        self.from_our_mail = _quoted_from(self.ours, lines)
        self.kept: list[str] = []
        self.asked: dict[str, bool] = {}

    def own_words(self) -> OwnWords:
        end = self._keep()
        kept = _without_runs(self.kept, self.sent, self.vocabulary)
        return OwnWords("\n".join(kept).strip("\n"), tuple(self._set_aside(self.lines[end:])))

    def _keep(self) -> int:
        """Keep the lines that are the sender's; where an old mail without marks begins, or the end."""
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
                self.kept.append(f"{_QUOTED.sub('', self.lines[place - 1]).rstrip()} {bare}")
            elif _is_stop_word(bare) and any(line.strip() for line in self.kept):  # else it is what is asked: END
                return len(self.lines)
            elif _begins_an_old_mail(bare, self.lines[place + 1 : place + 6]):
                quotation = _head_of_quotation(self.lines, place, self.from_our_mail)
                if not quotation:
                    return place + 1
                in_signature = False
            elif taken := self._attribution(place):
                quotation = place + taken
                below = self.lines[quotation:]
                said = _saying(below)
                if not said and any(map(self._may_ask, self.kept)) and _is_without_marks(below, self.ours):
                    return quotation
                quotation += said
                in_signature = False
            elif self._begins_signature(place, bare):
                in_signature = True
            elif not in_signature and not pattern("phone", behind="$").match(bare) and not _PGP.match(bare):
                self.kept.append(line)
        return len(self.lines)

    def _set_aside(self, quotation: Sequence[str]) -> Iterator[str]:
        """The orders in a quotation without marks of our mail that it did not hold, and those below its end."""
        lines = [line.strip() for line in quotation if _letters(_essence(line)) and not _QUOTED.match(line)]
        orders = {place for place, line in enumerate(lines) if self.vocabulary.gives_order(line)}
        whole = _letters("".join(self.sent))  # mail programs break lines elsewhere, and lose signs
        ours = [_letters(_essence(line)) in whole for line in lines]
        end = max((place for place, is_ours in enumerate(ours) if is_ours and place not in orders), default=len(lines))
        yield from (lines[place] for place in sorted(orders) if place > end or (not ours[place] and self.sent))

    def _keep_if_filled_in(self, place: int) -> None:
        """Keep a quoted line of ours that was completed: it stands there once more than we wrote it."""
        if place not in self.from_our_mail:
            return
        filled = _essence(self.lines[place])
        letters = _letters(filled)  # old charsets lose a ✓ on the way
        if self.unseen[letters]:
            self.unseen[letters] -= 1
        elif any(_fills(field, filled) for field in self.fields):
            self.kept.append(_QUOTED.sub("", self.lines[place]))

    def _ends_field(self, line: str, following: str) -> bool:
        """Whether a quoted line of ours that is to be completed goes on without a mark in the next."""
        field = _FIELD_OF_OURS.fullmatch(_QUOTED.sub("", line)) if _QUOTED.match(line) else None
        if field is None or field["sign"] is None or self.vocabulary.gives_order(following):
            return False
        return pattern("end_of_order").fullmatch(following) is not None

    def _begins_signature(self, place: int, bare: str) -> bool:
        if _SIGNATURE.match(bare):
            return True
        return _RULE.match(bare) is not None and any(self.kept) and not self._asks_below[place]

    @cached_property
    def _asks_below(self) -> list[bool]:
        """For each line whether one beneath it, before any quotation, may be an order."""
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
        """Whether a line may be an order; of a mail with more lines than we take each may be."""
        if line not in self.asked:
            self.asked[line] = len(self.asked) >= _MOST_ASKED or self.vocabulary.may_ask(line)
        return self.asked[line]

    def _attribution(self, place: int) -> int:
        """How many lines an attribution takes that begins here; 0 if none does. Long ones are broken up."""
        whole = _bare(self.lines[place])
        if _attribution().match(whole):
            return 1
        if not pattern("attribution_start").match(whole):
            return 0
        for size in range(2, _LONGEST_ATTRIBUTION + 1):
            following = _bare(self.lines[place + size - 1]) if place + size <= len(self.lines) else ""
            if not following or self.vocabulary.gives_order(following):
                return 0
            if _attribution().match(f"{whole} {following}") or _attribution().match(whole + following):
                return size
            whole = f"{whole} {following}"
        return 0


def _fills(field: re.Match[str], filled: str) -> bool:
    """Whether a line is that of ours with an order behind it, in place of the sign or after it."""
    told = next((told for told in map(_essence, field.group("told", "unit")) if filled.startswith(told)), None)
    rest = filled.removeprefix(told) if told is not None else ""
    if not rest:
        return False
    if field["sign"] == "-":
        return (len(rest) > 1 and rest[0] in "-→") or rest[0] in "hsc"
    retreats = field["sign"] == "R" and len(rest) > 1 and rest[0] in "r-→"
    return retreats or pattern("disbands").fullmatch(rest) is not None


def _quoted_from(ours: set[str], lines: Sequence[str]) -> set[int]:
    """The places of quoted lines among which lines of ours stand: somebody else's words may be quoted, too."""
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
    """Where the marked quotation of our mail begins, if the head of an old mail only leads to it; else 0.

    Then it is no more than an attribution: the answer may stand beneath.
    """
    for place in range(begin + 1, min(len(lines), begin + _LONGEST_HEAD)):
        bare = _bare(lines[place])
        if _QUOTED.match(lines[place]):
            return place if place in from_our_mail else 0
        if bare and not _begins_header(bare) and not _goes_on_with_header(bare):
            return 0
    return 0


def _is_ours_without_marks(ours: set[str], lines: Sequence[str]) -> bool:
    """Whether our mail, in whatever layout, begins here: who answered above it has answered."""
    begin = [line for line in lines[:12] if line.strip()][:_BEGINNING]
    return sum(_essence(line) in ours for line in begin) >= _LEAST_OF_OURS and not any(map(_QUOTED.match, begin))


def _essence(line: str) -> str:
    return "".join(unicodedata.normalize("NFKC", _QUOTED.sub("", line)).casefold().split())


def _letters(essence: str) -> str:
    return "".join(filter(str.isalnum, essence))


def _attribution() -> re.Pattern[str]:
    return pattern("attribution", before="^", behind="$")


def _begins_header(bare: str) -> bool:
    return pattern("first_header", behind=r"\s*\*?\s*[:：]").match(bare) is not None


def _goes_on_with_header(bare: str) -> bool:
    return pattern("next_header", behind=r"\s*\*?\s*[:：]").match(bare) is not None


def _begins_an_old_mail(bare: str, following: Sequence[str]) -> bool:
    """The head of an old mail that is quoted without marks."""
    if pattern("old_mail", before=r"^[-_=\s]*", behind=r"[-_=\s]*$").match(bare):
        return True
    next_lines = [_bare(line) for line in following]
    if _TITLE.match(bare):
        return any(_FIELD.match(line) for line in next_lines)
    return _begins_header(bare) and any(map(_goes_on_with_header, next_lines))


def _is_stop_word(bare: str) -> bool:
    return pattern("stop", behind=r"[.。]*$").match(unicodedata.normalize("NFKC", bare).casefold()) is not None


def _bare(line: str) -> str:
    """What there is to look at in a line: marks of mail programs are short, hostile lines are long."""
    return line.strip()[:300]


def _saying(lines: Sequence[str]) -> int:
    """How many lines somebody's words in quotation marks take; 0 if the first does not begin with such a mark."""
    begin = next((place for place, line in enumerate(lines[:3]) if line.strip()), None)
    closing = None if begin is None else _SAYINGS.get(_bare(lines[begin])[0])
    if begin is None or closing is None:
        return 0
    for place in range(begin, min(len(lines), begin + _LONGEST_SAYING)):
        bare = _bare(lines[place])[place == begin :]
        if closing in bare:
            return place + 1 if not bare.rpartition(closing)[2].strip(" .,。、") else 0
    return 0


def _is_without_marks(lines: Sequence[str], ours: set[str]) -> bool:
    """Whether a quotation without marks begins here: who answered above it has answered."""
    if _is_ours_without_marks(ours, lines):
        return True
    first = next((line for line in lines if line.strip()), "")
    return bool(first) and not _QUOTED.match(first)


def _without_runs(lines: list[str], sent: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """Drop what was quoted without marks: stretches of our mail between two lines of it that are no orders.

    An order at the edge of such a stretch, or by itself, is the sender's, whatever stood in our mail.
    """
    written = [place for place, line in enumerate(lines) if line.strip()]
    essences = [_essence(lines[place]) for place in written]
    dropped: set[int] = set()
    for begin, _, size in SequenceMatcher(None, essences, sent, autojunk=False).get_matching_blocks():
        run = written[begin : begin + size]
        while run and vocabulary.gives_order(lines[run[0]]):
            run = run[1:]
        while run and vocabulary.gives_order(lines[run[-1]]):
            run = run[:-1]
        if len(run) >= _LEAST_OF_OURS:
            dropped.update(run)
    return [line for place, line in enumerate(lines) if place not in dropped]
