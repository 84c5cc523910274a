"""Pages of the manual about the rules: profiles, rules by number, values of options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from judge.commands import AsWritten, Language
from judge.games.settings import read_settings
from judge.games.terms import Settings
from judge.reports.columns import hanging, laid_out, table
from judge.reports.rulebook import SET_APART, Rule, Rulebook, differing, option_names, rulebook, value_as_written
from judge.rules.options import PROFILES, Options
from judge.settings import names_of

_DASH = "[^a-z0-9]"
"""A pattern for a dash: any character but a Latin letter or digit.

Keyboards have many dashes; a Japanese keyboard has the long vowel mark in its place.
"""
_NUMBER = re.compile(rf"(?P<r>r{_DASH})?(?P<family>[a-z]+)(?:{_DASH}?(?P<number>\d+))?")


@dataclass(frozen=True, slots=True)
class RuleTopic:
    """A topic of HELP about the rules, as `R-ADJ-10` or `R-ADJ`."""

    family: str
    number: str = ""

    def __str__(self) -> str:
        return f"R-{self.family}-{self.number}" if self.number else f"R-{self.family}"


def rule_topic(topic: str) -> RuleTopic | None:
    """Return the rule or group of rules that a topic names, or None.

    >>> [str(rule_topic(topic)) for topic in ("r-move-2", "ADJ 10", "radj", "ret-1", "adj", "press")]
    ['R-MOVE-2', 'R-ADJ-10', 'R-ADJ', 'R-RET-1', 'None', 'None']
    """
    read = _NUMBER.fullmatch(normalize("NFKC", topic).lower().strip())
    if read is None:
        return None
    family, number, is_marked = read["family"].upper(), read["number"] or "", read["r"] is not None
    if family not in _families() and family[:1] == "R" and family[1:] in _families():
        family, is_marked = family[1:], True  # written in one word, as radj10
    if family not in _families():
        return RuleTopic(family, number) if is_marked and number else None
    return RuleTopic(family, number) if is_marked or len(number) in (1, 2) else None  # not MAP 1901


def _families() -> tuple[str, ...]:
    rules = rulebook(Language.ENGLISH).rules
    return tuple(dict.fromkeys(number.split("-")[1] for number in rules))


def rule_answer(
    topic: RuleTopic, language: Language, words: Mapping[str, Any], columns: int, rules: Options | None
) -> str:
    """Return the page on a rule, or a list of the nearest rules.

    `rules` are those of the game that the sender asks in.
    """
    book = rulebook(language)
    if str(topic) in book.rules:
        return _rule_page(book.rules[str(topic)], language, words, columns, rules)
    family = book.family(topic.family)
    listed = [(rule.number, rule.title) for rule in family] or [(f"R-{name}", "") for name in _families()]
    heads = [words["no_rule"].format(number=topic)] if topic.number or not family else []
    heads.append(words["family"].format(family=topic.family) if family else words["families"])
    return "\n\n".join([*(laid_out(head, columns) for head in heads), "\n".join(table(listed, columns))])


def _rule_page(rule: Rule, language: Language, words: Mapping[str, Any], columns: int, rules: Options | None) -> str:
    book = rulebook(language)
    parts = [words["rule_page"].format(number=rule.number, title=rule.title), laid_out(rule.text, columns)]
    parts.append("\n".join([words["sources"], "", *table(_sources(rule, book), columns)]))
    option = book.option_behind(rule)
    if not option:
        return "\n\n".join([*parts, laid_out(words["one_reading"], columns)])
    heading = words["readings_apart" if option in SET_APART else "readings"].format(option=_called(option))
    parts += [laid_out(heading, columns), "\n".join(table(list(values_of(option, language, words).items()), columns))]
    if rules is not None:
        parts.append(laid_out(words["in_this_game"].format(value=value_as_written(option, rules)), columns))
    return "\n\n".join(part for part in parts if part)


def _sources(rule: Rule, book: Rulebook) -> list[tuple[str, str]]:
    """Return the paragraphs that a rule stands in, with the name of each document."""
    cited: dict[str, list[str]] = {}
    for source in rule.sources:
        document = next(name for name in book.documents if source.startswith(name))
        cited.setdefault(document, []).append(source)
    return [("; ".join(paragraphs), book.documents[document]) for document, paragraphs in cited.items()]


def _called(option: str) -> str:
    return next(iter(names_of(option, "en")))


def rule_of_option(option: str, language: Language, words: Mapping[str, Any]) -> str:
    """Return a sentence or two on the rule that an option belongs to."""
    rule = rulebook(language).rule_with(option)
    return str(words["rule"].format(number=rule.number, title=rule.title, text=rule.text.replace("\n\n", " ")))


def values_of(option: str, language: Language, words: Mapping[str, Any]) -> dict[str, str]:
    """Return value of an option → what it means, and which profiles have it."""
    told = {}
    for value, meaning in rulebook(language).meanings[option].items():
        profiles = [name for name, rules in PROFILES.items() if value_as_written(option, rules) == value]
        of_all = {0: words["no_profile"], len(PROFILES): words["every_profile"]}
        form = words["profiles_of"] if option not in SET_APART else "{meaning}"
        told[value] = form.format(meaning=meaning, profiles=of_all.get(len(profiles), ", ".join(profiles)))
    return told


def profile_page(name: str, language: Language, words: Mapping[str, Any], columns: int) -> str:
    """Return the page on a profile of the rules: what it means for a player."""
    book, rules = rulebook(language), PROFILES[name]
    settings = read_settings({"rules": AsWritten(name)})
    assert isinstance(settings, Settings)
    brings = words["brings"].format(press=settings.press, missing=settings.missing)
    about = f"{name}: {book.profiles[name]}"
    parts = [*(laid_out(line, columns) for line in (about, words["profile"].format(name=name), brings))]
    apart = differing(rules)
    if apart:
        parts.append(_lines(words["profile_differs"], apart, book, rules, columns))
    rest = tuple(one for one in option_names() if one not in (*apart, *SET_APART))
    heading = words["profile_same" if apart else "profile_all"]
    return "\n\n".join([*parts, _lines(heading, rest, book, rules, columns)])


def _lines(heading: str, options: tuple[str, ...], book: Rulebook, rules: Options, columns: int) -> str:
    rows = [laid_out(heading, columns), ""]
    for option in options:
        rows += hanging(f"{_called(option)}: {book.meaning(option, rules)}", columns, "  * ", "    ")
    return "\n".join(rows)
