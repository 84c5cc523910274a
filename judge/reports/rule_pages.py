"""Pages of the manual about the rules: a profile, a rule by its number, the values of an option."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from judge.commands import AsWritten, Language
from judge.games.settings import read_settings
from judge.games.terms import Settings
from judge.reports.columns import hanging, laid_out, table
from judge.reports.rulebook import SET_APART, Rule, Rulebook, differing, option_names, rulebook
from judge.rules.options import PROFILES, Options
from judge.settings import names_of

_NUMBER = re.compile(r"r[ -]?([a-z]+)[ -]?(\d+)", re.IGNORECASE)


def rule_topic(plain: str) -> Rule | None:
    """Return the rule that a topic in lower case names, as `r-move-2`; None if there is no such rule."""
    number = _NUMBER.fullmatch(plain)
    rules = rulebook(Language.ENGLISH).rules
    return rules.get(f"R-{number[1].upper()}-{number[2]}") if number else None


def rule_page(rule: Rule, language: Language, words: Mapping[str, Any], columns: int) -> str:
    """Return the page on a rule, with the values of its option."""
    book = rulebook(language)
    own = book.rules[rule.number]
    parts = [words["rule_page"].format(number=own.number, title=own.title), laid_out(own.text, columns)]
    if own.option:
        parts.append("\n".join(table(list(values_of(own.option, language, words).items()), columns)))
        parts.append(laid_out(words["of_the_rule"].format(option=_called(own.option)), columns))
    return "\n\n".join(part for part in parts if part)


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
        profiles = [name for name, rules in PROFILES.items() if str(getattr(rules, option)) == value]
        is_told = option not in SET_APART and len(profiles) not in (0, len(PROFILES))
        form = words["profiles_of"] if is_told else "{meaning}"
        told[value] = form.format(meaning=meaning, profiles=", ".join(profiles))
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
