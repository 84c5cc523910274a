"""The rules in words, read from `docs/rules.md` and `docs/rules.ja.md`.

RULES and HELP take their sentences about the rules from here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import assert_never

from judge.commands import Language
from judge.reports.columns import joined
from judge.resources import shipped
from judge.rules import outcomes as out
from judge.rules.options import PROFILES, STANDARD, Options
from judge.rules.orders import Convoy
from judge.rules.outcomes import DestroyedReason, IllegalReason, Reason, Verdict
from judge.settings import players_as_written

_SECTION = re.compile(r"^### (R-[A-Z]+-\d+) (.+)$", re.MULTILINE)
_OPTION = re.compile(r"^\w+ `(\w+)`:$", re.MULTILINE)
_VALUE = re.compile(r"^\* `([^`]+)`[^:]*:((?:.*\n(?:  .*\n)*))", re.MULTILINE)
_END = re.compile(r"^\w+: (?=00\d|DATC|R-)|^<a |^## ", re.MULTILINE)
_SOURCES = re.compile(r"^\w+: ((?:00\d|DATC).*)$", re.MULTILINE)
_CHOICE = re.compile(r"^\w+: (R-[A-Z]+-\d+)$", re.MULTILINE)
_DOCUMENT = re.compile(r"^\* \*\*(\w+)\*\* ((?:.*\n(?:  .*\n)*))", re.MULTILINE)
_LEAST = 10
"""The least number of options that RULES explains.

If a game differs from `standard` in fewer, RULES adds others from `FIRST_OF_ALL`.
"""
FIRST_OF_ALL = (
    *("victory_measure", "draw_rule", "convoy_intent", "convoy_multi_route", "convoy_paradox"),
    *("hold_support_of_failed_move", "coast_required", "default_removal", "civil_disorder", "builds_waivable"),
)
"""The options that players ask about first."""
SET_APART = ("players", "update_type")
"""Options that no profile sets."""
_TOLD_ELSEWHERE = ("country_assignment", "turn_word")
"""Options that RULES tells in lines of its own."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A section of the document of the rules."""

    number: str
    title: str
    text: str
    option: str = ""
    """The option described below the rule; "" if there is none."""
    sources: tuple[str, ...] = ()
    """Where it stands: document and paragraph, one string for each."""
    choice: str = ""
    """The number of the rule whose option also decides this one; "" if none."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The document of the rules in one language."""

    rules: Mapping[str, Rule]
    """By number."""
    meanings: Mapping[str, Mapping[str, str]]
    """Option → value → its meaning in a sentence."""
    profiles: Mapping[str, str]
    """Profile → its description in a sentence."""
    documents: Mapping[str, str]
    """Document, as sources cite it → its name in words."""

    def rule_with(self, option: str) -> Rule:
        """Return the rule that an option belongs to."""
        return next(rule for rule in self.rules.values() if rule.option == option)

    def meaning(self, option: str, rules: Options) -> str:
        """Return what the value of an option in these rules means for a player."""
        value = value_as_written(option, rules)
        known = self.meanings[option]
        if option == "short_game" and value not in known:
            return next(known[year].replace(year, value) for year in known if year.isdigit())
        return known[value]

    def option_behind(self, rule: Rule) -> str:
        """Return the option that decides a rule; "" if there is none.

        It is the rule's own option or that of another rule.
        """
        return self.rules[rule.choice].option if rule.choice else rule.option

    def family(self, name: str) -> tuple[Rule, ...]:
        """Return the rules of a family, as ADJ, in their order."""
        return tuple(rule for number, rule in self.rules.items() if number.split("-")[1] == name)

    def told(self, rules: Options) -> tuple[str, ...]:
        """Return the rules of a game in a few sentences.

        There is one for each option that differs from `standard`. If these are few, `FIRST_OF_ALL` supplies others.
        """
        apart = tuple(name for name in differing(rules) if name not in _TOLD_ELSEWHERE)
        shown = {*apart, *FIRST_OF_ALL[: max(0, _LEAST - len(apart))]}
        rest = (name for name in FIRST_OF_ALL if name not in shown)
        while len(shown) < _LEAST:
            shown.add(next(rest))
        return tuple(self.meaning(name, rules) for name in option_names() if name in shown)


def option_names() -> tuple[str, ...]:
    """Return the options in their order, from movement to the course of the game."""
    return tuple(option.name for option in fields(Options))


def value_as_written(option: str, rules: Options) -> str:
    """Return the value of an option as it is written in mails.

    >>> value_as_written("short_game", STANDARD), value_as_written("elimination", STANDARD)
    ('none', 'none-stated')
    """
    value = str(getattr(rules, option) or "none")
    return players_as_written(value)


def differing(rules: Options) -> tuple[str, ...]:
    """Return the options that differ from the profile `standard`, without those that no profile sets."""
    names = (name for name in option_names() if name not in SET_APART)
    return tuple(name for name in names if getattr(rules, name) != getattr(STANDARD, name))


def document_in(language: Language, name: str) -> Path:
    """Return the file of a document in a language, or in English if not translated."""
    own = shipped("docs") / f"{name}.{language}.md"
    return own if own.is_file() else shipped("docs") / f"{name}.md"


@cache
def rulebook(language: Language) -> Rulebook:
    """Return the document of the rules in a language, read once."""
    text = document_in(language, "rules").read_text("utf-8")
    heads = list(_SECTION.finditer(text))
    rules, meanings = {}, {}
    for head, end in zip(heads, [*(following.start() for following in heads[1:]), len(text)], strict=True):
        section = text[head.end() : end]
        option = _OPTION.search(section)
        prose = section[: option.start() if option else None]
        ending = _END.search(prose)
        plain = _plain(prose[: ending.start() if ending else None])
        choice = _CHOICE.search(section)
        sources = tuple(one for line in _SOURCES.findall(section) for one in line.split("; "))
        rules[head[1]] = Rule(
            head[1], head[2], plain, option[1] if option else "", sources, choice[1] if choice else ""
        )
        if option:
            meanings[option[1]] = dict(_values(section[option.end() :]))
    profiles = {name: meaning for name, meaning in _values(text[: heads[0].start()]) if name in PROFILES}
    documents = {one[1]: _plain(one[2]).rpartition(": ")[0] for one in _DOCUMENT.finditer(text)}
    return Rulebook(rules, meanings, profiles, documents)


def _values(section: str) -> Iterator[tuple[str, str]]:
    for value in _VALUE.finditer(section):
        yield value[1], _plain(value[2])


def _plain(text: str) -> str:
    """Strip the markup of the document from paragraphs."""
    paragraphs = re.split(r"\n\s*\n", text.strip())
    return "\n\n".join(joined(paragraph.splitlines()) for paragraph in paragraphs).replace("`", "").replace("*", "")


# Which rule an outcome follows from


_ILLEGAL: Mapping[IllegalReason, str] = {
    IllegalReason.NO_SUCH_UNIT: "R-ORD-6",
    IllegalReason.FOREIGN_UNIT: "R-ORD-6",
    IllegalReason.NO_BORDER: "R-UNIT-3",
    IllegalReason.COAST_NEEDED: "R-MAP-10",
    IllegalReason.NO_SUCH_COAST: "R-MAP-10",
    IllegalReason.VIA_NEEDED: "R-CON-10",
    IllegalReason.SAME_PROVINCE: "R-UNIT-3",
    IllegalReason.WRONG_KIND: "R-ORD-6",
    IllegalReason.NOT_AT_SEA: "R-CON-2",
    IllegalReason.NO_CONVOY_ROUTE: "R-CON-3",
    IllegalReason.OFF_ROUTE: "R-CON-3",
    IllegalReason.CANNOT_SUPPORT_THERE: "R-SUP-1",
    IllegalReason.SUPPORTED_CANNOT_GO: "R-SUP-7",
    IllegalReason.NEEDED_AS_CARRIER: "R-SUP-7",
    IllegalReason.SUPPORTS_ITSELF: "R-SUP-4",
    IllegalReason.ORDERED_TWICE: "R-ORD-1",
    IllegalReason.NOT_DISLODGED: "R-RET-1",
    IllegalReason.RETREAT_CLOSED: "R-RET-1",
    IllegalReason.NOT_HOME_CENTER: "R-ADJ-3",
    IllegalReason.NOT_BUILD_CENTER: "R-ADJ-3",
    IllegalReason.CENTER_NOT_OWNED: "R-ADJ-3",
    IllegalReason.CENTER_OCCUPIED: "R-ADJ-3",
    IllegalReason.CANNOT_STAND: "R-ADJ-4",
    IllegalReason.NO_BUILD_LEFT: "R-ADJ-1",
    IllegalReason.NO_REMOVAL_DUE: "R-ADJ-7",
    IllegalReason.REMOVAL_DUE: "R-ADJ-2",
    IllegalReason.WRONG_PHASE: "R-ORD-2",
    IllegalReason.CLOSED_PROVINCE: "R-MULTI-6",
    IllegalReason.UNPLAYED_POWER: "R-MULTI-1",
    IllegalReason.CIVIL_DISORDER: "R-NMR-1",
    IllegalReason.WAIVING_FORBIDDEN: "R-ADJ-6",
}
_DESTROYED: Mapping[DestroyedReason, str] = {
    DestroyedReason.NOWHERE: "R-RET-1",
    DestroyedReason.NO_ORDER: "R-RET-4",
    DestroyedReason.VOID_ORDER: "R-RET-4",
    DestroyedReason.CLASH: "R-RET-3",
    DestroyedReason.SINGLE_SPACE: "R-RET-5",
    DestroyedReason.LEADERLESS: "R-NMR-1",
}
_ALWAYS: Mapping[type[Reason], str] = {
    out.NotCarried: "R-CON-1",
    out.NoConvoy: "R-CON-3",
    out.Dislodged: "R-SUP-10",
    out.ByRule: "R-ADJ-10",
    out.Unexplained: "R-FOG-3",
}


def rule_behind(outcome: Reason, verdict: Verdict) -> str:
    """Return the number of the rule behind a failed order or a removal.

    >>> from judge.rules.notation import read_order
    >>> rule_behind(out.NotCarried(), Verdict("TURKEY", read_order("A SMY - GRE VIA")))
    'R-CON-1'
    """
    match outcome:
        case out.Illegal(reason):
            return _ILLEGAL[reason]
        case out.Destroyed(reason):
            return _DESTROYED[reason]
        case out.Unmatched():
            return "R-CON-1" if isinstance(verdict.order, Convoy) else "R-SUP-7"
        case out.Bounced():
            return _bounced(outcome)
        case out.Cut(by):
            lost = any(isinstance(other, out.Dislodged) and other.by == by for other in verdict.outcomes)
            return "R-CUT-3" if lost else "R-CUT-1"
        case out.Disrupted(fleets):
            return "R-CON-5" if fleets else "R-CON-8"
        case out.NotCarried() | out.NoConvoy() | out.Dislodged() | out.ByRule() | out.Unexplained():
            return _ALWAYS[type(outcome)]
        case _:
            assert_never(outcome)


def _bounced(outcome: out.Bounced) -> str:
    if outcome.own_unit:
        return "R-SELF-2" if outcome.strength else "R-SELF-1"
    return "R-MOVE-3" if any(unit.province == outcome.at for unit in outcome.by) else "R-MOVE-2"
