"""RULES and HELP agree with docs/rules.md and docs/rules.ja.md on the rules."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import StrEnum
from typing import Any, get_type_hints

import pytest

from judge.commands import Language
from judge.games.terms import Settings
from judge.reports.columns import width
from judge.reports.manual import COLUMNS, help_page, load_manual
from judge.reports.rulebook import (
    SET_APART,
    differing,
    document_in,
    option_names,
    rule_behind,
    rulebook,
    value_as_written,
)
from judge.reports.wording import wording_in
from judge.rules import Options
from judge.rules.notation import read_order, read_unit
from judge.rules.options import PROFILES, STANDARD
from judge.rules.outcomes import (
    Bounced,
    Cut,
    Destroyed,
    DestroyedReason,
    Dislodged,
    Disrupted,
    Illegal,
    IllegalReason,
    NoConvoy,
    NotCarried,
    Outcome,
    Unmatched,
    Verdict,
)
from judge.rules.position import Power

TURKEY = Power("TURKEY")
ENDS = {"en": (".", "(3a).", "(3b)."), "de": (".", "(3a).", "(3b)."), "ja": ("。",)}
HINTS: dict[str, Any] = get_type_hints(Options)


def in_one_line(text: str) -> str:
    """Return text without blanks and the marks of the document."""
    return re.sub(r"\s+", "", text.replace("`", "").replace("*", ""))


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("option", option_names())
def test_help_says_of_an_option_what_the_document_says(option: str, language: Language) -> None:
    document = in_one_line(document_in(language, "rules").read_text("utf-8"))
    book = rulebook(language)
    kind = HINTS[option]
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        assert list(book.meanings[option]) == [value.value for value in kind] or set(book.meanings[option]) == set(kind)
    page = in_one_line(help_page(option.replace("_", " "), language))
    for value, meaning in book.meanings[option].items():
        assert meaning.endswith(ENDS[language])
        assert in_one_line(meaning) in document
        assert in_one_line(f"{value} {meaning}") in page
    rule = book.rule_with(option)
    assert rule.number in page
    assert in_one_line(rule.text) in page


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_has_its_page(profile: str, language: Language) -> None:
    page, book = help_page(profile, language), rulebook(language)
    assert page.startswith(f"{profile}: ")
    assert max(map(width, page.splitlines())) <= COLUMNS
    assert in_one_line(book.profiles[profile]) in in_one_line(page)
    before, _, after = page.partition(wording_of("profile_same", language))
    for option in differing(PROFILES[profile]):
        assert in_one_line(book.meaning(option, PROFILES[profile])) in in_one_line(before)
        assert in_one_line(book.meaning(option, PROFILES[profile])) not in in_one_line(after)


def wording_of(word: str, language: Language) -> str:
    return str(load_manual().words[language][word])


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("number", rulebook(Language.ENGLISH).rules)
def test_a_rule_has_its_page(number: str, language: Language) -> None:
    page, rule = help_page(number.lower(), language), rulebook(language).rules[number]
    assert page.startswith(f"{number} {rule.title}")
    assert in_one_line(rule.text) in in_one_line(page)
    assert max(map(width, page.splitlines())) <= COLUMNS


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("number", rulebook(Language.ENGLISH).rules)
def test_the_page_of_a_rule_names_its_sources_and_readings(number: str, language: Language) -> None:
    book = rulebook(language)
    rule = book.rules[number]
    page = in_one_line(help_page(number, language))
    assert rule.sources
    for source in rule.sources:
        (document,) = (name for name in book.documents if source.startswith(name))
        assert in_one_line(source) in page
        assert in_one_line(book.documents[document]) in page
    option = book.option_behind(rule)
    assert (in_one_line(wording_of("one_reading", language)) in page) == (not option)
    for value, meaning in book.meanings.get(option, {}).items():
        profiles = [name for name, rules in PROFILES.items() if value_as_written(option, rules) == value]
        of_all = {0: wording_of("no_profile", language), len(PROFILES): wording_of("every_profile", language)}
        told = "" if option in SET_APART else f"({of_all.get(len(profiles), ', '.join(profiles))})"
        assert in_one_line(f"{value} {meaning}{told}") in page


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("option", option_names())
def test_the_page_of_a_rule_names_the_reading_of_the_game(option: str, language: Language) -> None:
    number = rulebook(language).rule_with(option).number
    for rules in PROFILES.values():
        told = wording_of("in_this_game", language).format(value=value_as_written(option, rules))
        assert in_one_line(told) in in_one_line(help_page(number, language, rules))
        assert in_one_line(told) not in in_one_line(help_page(number, language))


@pytest.mark.parametrize(
    "written", ["R-ADJ-10", "r-adj-10", "adj-10", "ADJ 10", "radj10", "ＡＤＪ１０", "Ｒ−ＡＤＪ−１０", "rーadjー10"]
)
def test_a_rule_is_found_however_its_number_is_written(written: str) -> None:
    assert help_page(written, Language("ja")).startswith("R-ADJ-10 ")


@pytest.mark.parametrize("language", Language)
def test_an_unknown_number_is_answered_with_the_rules_of_its_group(language: Language) -> None:
    adjustments = rulebook(language).family("ADJ")
    assert len(adjustments) > 5
    for topic in ("R-ADJ", "R-ADJ-99"):
        page = help_page(topic, language)
        assert all(in_one_line(f"{rule.number} {rule.title}") in in_one_line(page) for rule in adjustments)
        assert ("R-ADJ-99" in page) == (topic == "R-ADJ-99")
    assert {f"R-{name}" for name in ("GAME", "ADJ", "GM")} <= set(help_page("R-XY-3", language).split())


@pytest.mark.parametrize("topic", ["game", "press", "map", "map 1901", "adj", "rules"])
def test_other_topics_are_not_taken_for_rules(topic: str) -> None:
    assert not help_page(topic, Language.ENGLISH).startswith(("R-", "There is no rule", "The rules R-"))


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("profile", PROFILES)
def test_a_game_is_told_in_ten_lines_or_what_it_has_of_its_own(profile: str, language: Language) -> None:
    rules, book = PROFILES[profile], rulebook(language)
    told = book.told(rules)
    assert len(told) == len(set(told)) == 10
    apart = [book.meaning(option, rules) for option in differing(rules)]
    elsewhere = [book.meaning(option, rules) for option in ("country_assignment", "turn_word")]
    assert {meaning for meaning in apart if meaning not in elsewhere} <= set(told)


def test_a_year_stands_in_its_sentence() -> None:
    rules = replace(STANDARD, short_game=1907)
    assert any("1907" in line for line in rulebook(Language("ja")).told(rules))
    assert Settings().rules == STANDARD


SUPPORT = Verdict(TURKEY, read_order("A BUL S A CON - GRE"))
ARMENIA, BLACK_SEA = read_unit("A ARM"), read_unit("F BLA")
RUMANIA = read_unit("A RUM").province
RULES: list[tuple[Outcome, Verdict, str]] = [
    (Bounced(RUMANIA, (read_unit("A RUM"),), 1, 1), SUPPORT, "R-MOVE-3"),
    (Bounced(RUMANIA, (read_unit("A SER"),), 1, 1), SUPPORT, "R-MOVE-2"),
    (Bounced(RUMANIA, (read_unit("A RUM"),), 0, 1, own_unit=True), SUPPORT, "R-SELF-1"),
    (Bounced(RUMANIA, (read_unit("A RUM"),), 1, 1, own_unit=True), SUPPORT, "R-SELF-2"),
    (Cut(ARMENIA), SUPPORT, "R-CUT-1"),
    (
        Cut(ARMENIA),
        Verdict(TURKEY, SUPPORT.order, (Cut(ARMENIA), Dislodged(ARMENIA, ARMENIA.province, 2, 1))),
        "R-CUT-3",
    ),
    (Dislodged(ARMENIA, ARMENIA.province, 2, 1), SUPPORT, "R-SUP-10"),
    (Unmatched(ARMENIA, None), SUPPORT, "R-SUP-7"),
    (Unmatched(ARMENIA, None), Verdict(TURKEY, read_order("F BLA C A ARM - BUL")), "R-CON-1"),
    (NotCarried(), SUPPORT, "R-CON-1"),
    (NoConvoy((BLACK_SEA,)), SUPPORT, "R-CON-3"),
    (Disrupted((BLACK_SEA,)), SUPPORT, "R-CON-5"),
    (Disrupted(()), SUPPORT, "R-CON-8"),
]


@pytest.mark.parametrize(("outcome", "verdict", "number"), RULES, ids=lambda one: str(one)[:40])
def test_a_failed_order_names_its_rule(outcome: Outcome, verdict: Verdict, number: str) -> None:
    assert rule_behind(outcome, verdict) == number
    for language in Language:
        assert number in rulebook(language).rules
        told = wording_in(language).say("outcome", Verdict(verdict.power, verdict.order, (outcome,)))
        assert re.search(r"\[R-[A-Z]+-\d+\]$", told)


@pytest.mark.parametrize("reason", [*IllegalReason, *DestroyedReason])
def test_every_reason_has_a_rule(reason: IllegalReason | DestroyedReason) -> None:
    outcome = Illegal(reason) if isinstance(reason, IllegalReason) else Destroyed(reason)
    for language in Language:
        assert rule_behind(outcome, SUPPORT) in rulebook(language).rules
