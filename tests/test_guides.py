"""Pages for reading from start to end: their examples work.

The documents are made of them. `python -m tests.test_guides` writes docs/player.md, docs/master.md and their Japanese
sisters anew.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import groupby, takewhile
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest

from judge.commands import AsWritten, Give, HelpTopic, Language
from judge.games.settings import read_settings
from judge.games.terms import Settings
from judge.language import Context, read
from judge.reports.columns import joined
from judge.reports.layout import BlockKind
from judge.reports.manual import help_blocks, help_page, load_manual
from judge.reports.wording import wording_in
from judge.resources import shipped
from judge.rules import adjudicate, load_map
from judge.rules.options import PROFILES
from judge.rules.orders import Order
from judge.rules.position import Position, Power
from judge.settings import setting_named
from tests.office import World, text
from tests.times import as_read

DOCS = Path(__file__).parent.parent / "docs"
ENGLISH = Language.ENGLISH
YES = {"en": "YES", "ja": "はい", "de": "JA"}
TAKEN = {"en": "{} orders taken.", "ja": "命令を{}件受け付けました", "de": "{} Befehle notiert."}
MAP = load_map()
BOARD = Context(MAP, MAP.start(), MAP.powers)
GUIDES = ("player", "master")


def blocks(topic: HelpTopic, language: Language) -> Iterator[list[str]]:
    """Yield each group of adjacent indented rows of a page."""
    lines = load_manual().topics[topic][language.value].split("\n")
    for is_row, rows in groupby(lines, key=lambda line: line.startswith(" ")):
        if is_row:
            yield [row.strip() for row in rows]


def mails(topic: HelpTopic, language: Language) -> list[list[str]]:
    """Return the blocks that are mails, as a player sends them."""
    return [rows for rows in blocks(topic, language) if not any("  " in row or row[0] in "✓✗" for row in rows)]


# Their examples work


@pytest.mark.parametrize("language", Language)
def test_the_tutorial_is_a_walk_that_works(language: Language) -> None:
    world = World()
    first, *turns = mails(HelpTopic.TUTORIAL, language)
    assert len(turns) == 3
    world.mail("new", first[0])
    (asked,) = world.box.take("new")
    world.mail("new", YES[language], to=str(asked["Reply-To"]))
    (board,) = [letter for letter in world.box.take("new") if "+sandbox" in str(letter["Reply-To"])][:1]
    told = []
    for turn in turns:
        world.mail("new", "\n".join(turn), to=str(board["Reply-To"]), answers=board)
        receipt, board = sorted(world.box.take("new"), key=lambda letter: letter["Auto-Submitted"] != "auto-replied")
        assert " ".join(text(receipt).split()).startswith(TAKEN[language].format(len(turn)))
        told.append("".join(text(board).split()))
    shown = [rows for rows in blocks(HelpTopic.TUTORIAL, language) if rows[0][0] in "✓✗"]
    assert [len(rows) for rows in shown] == [2, 2]
    for rows, report in zip(shown, told, strict=False):
        assert all("".join(row.split()) in report for row in rows)
    opened = ["".join(wording_in(language).phase(phase).split()) for phase in ("W1901A", "S1902M")]
    assert all(phase.partition(",")[0] in letter for phase, letter in zip(opened, told[1:], strict=True))


def test_the_positions_of_the_page_come_out_as_it_says() -> None:
    positions = {language: list(_positions(language)) for language in Language}
    assert [sorted(map(len, positions[language])) for language in Language] == [[2, 3, 4]] * len(Language)
    for rows in (rows for found in positions.values() for rows in found):
        start = MAP.start()
        board = Position(start.phase, {order.unit: power for order, power, _ in rows}, start.centers)
        orders = {power: [order for order, other, _ in rows if other == power] for _, power, _ in rows}
        verdicts = {verdict.order: verdict.succeeded for verdict in adjudicate(MAP, board, orders).verdicts}
        assert {order: verdicts[order] for order, _, _ in rows} == {order: good for order, _, good in rows}


def _positions(language: Language) -> Iterator[list[tuple[Any, Power, bool]]]:
    names = {wording_in(language).power(power): power for power in MAP.powers}
    for rows in blocks(HelpTopic.PLAY, language):
        if any(mark in row for row in rows for mark in "✓✗"):
            found = [re.fullmatch(r"(.+?)  ([✓✗]) (.+?): .+", row) for row in rows]
            yield [(_order(one[1]), names[one[3]], one[2] == "✓") for one in found if one]


def _order(line: str) -> Order:
    (one,) = read(line, BOARD)[0].requests
    assert isinstance(one, Give)
    return one.order


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("topic", [HelpTopic.FIRST_GAME, HelpTopic.FAQ])
def test_lines_to_be_mailed_are_read_without_a_fault(topic: HelpTopic, language: Language) -> None:
    found = mails(topic, language)
    assert found
    for rows in found:
        lines = read("\n".join(rows), BOARD)
        assert [fault for line in lines for fault in line.faults] == []
        assert all(line.requests for line in lines if line.text not in _settings(rows)), rows


def _settings(rows: list[str]) -> set[str]:
    """Return the settings below a first row."""
    return set(rows[1:]) if setting_named(rows[-1].partition(":")[0].lower()) else set()


@pytest.mark.parametrize("language", Language)
def test_house_rules_are_settings(language: Language) -> None:
    rows = [row.partition("  ")[0] for block in blocks(HelpTopic.HOUSE_RULES, language) for row in block]
    assert len(rows) > 20
    for row in rows:
        name, _, value = row.partition(": ")
        setting = setting_named(name.lower())
        assert setting is not None, row
        settings = read_settings(as_read({setting: value}))
        assert isinstance(settings, Settings), row
    profiles = [row.partition(": ")[2] for row in rows[-len(PROFILES) :]]
    assert sorted(profiles) == sorted(PROFILES)
    assert isinstance(read_settings({"rules": AsWritten(profiles[0])}), Settings)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("topic", HelpTopic)
def test_a_page_says_in_html_what_it_says_as_text(topic: HelpTopic, language: Language) -> None:
    """The HTML is folded by the reader's device, which knows its width."""
    found = help_blocks(topic.value, language)
    said = [part for one in found for parts in (one.lines, *one.rows) for part in parts]
    assert "".join("".join(said).split()) == "".join(help_page(topic.value, language).split())
    assert not any(len(one.lines) > 1 for one in found if one.kind is BlockKind.PARAGRAPH)


@pytest.mark.parametrize("language", Language)
def test_what_settings_mean_is_told_in_sentences_and_tables(language: Language) -> None:
    """Indented lines are only for text to be written in a mail."""
    kinds = {block.kind for block in help_blocks(HelpTopic.SETTINGS.value, language)}
    assert kinds == {BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.TABLE}


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("topic", HelpTopic)
def test_pages_name_topics_that_there_are(topic: HelpTopic, language: Language) -> None:
    page = load_manual().topics[topic][language.value]
    asked = re.findall(r"^    HELP (.+?)  |^    ヘルプ (.+?)  ", page, flags=re.MULTILINE)
    for words in asked:
        assert load_manual().words[language]["unknown"][:5] not in help_page("".join(words), language), words


# The documents


def document(name: str, language: Language) -> str:
    return "\n".join(_document(name, language)) + "\n"


def _document(name: str, language: Language) -> Iterator[str]:
    data = tomllib.loads((shipped("templates") / "guides.toml").read_text("utf-8"))
    guide, words = data["guides"][name], data["words"][language.value]
    told = guide[language.value]
    others = [
        f"[{wording_in(one).speech.message('site-language')}]({_file(name, one).name})"
        for one in Language
        if one is not language
    ]
    yield from (f"# {told['title']}", "", f"{told['text']} {' '.join(others)}")
    yield from ("", f"<!-- {words['made']} -->")
    for topic in map(HelpTopic, guide["topics"]):
        page = load_manual().topics[topic]
        names = {ENGLISH: [topic.value], **page["names"]}
        ask = load_manual().words[language]["ask"].format(topic=names[language][0])
        yield from ("", f"## {page['title'][language.value]} (`{ask}`)", *_markdown(page[language.value]))
    if "profiles" in told:
        yield from ("", f"## {told['profiles']}")
        for profile in PROFILES:
            yield from ("", f"### `{profile}`", *_profile(help_page(profile, language)))
    yield from ("", *told["more"].strip().split("\n"))


def _markdown(page: str) -> Iterator[str]:
    for is_row, lines in groupby(page.strip("\n").split("\n"), key=lambda line: line.startswith(" ")):
        rows = [line.strip() for line in lines]
        if is_row and any("  " in row for row in rows):
            yield ""
            yield from (f"* `{left}` – {right}" for left, _, right in (row.partition("  ") for row in rows))
        elif is_row:
            yield from ("", "```text", *rows, "```")
        else:
            for is_blank, paragraph in groupby(rows, key=lambda line: not line):
                if not is_blank:
                    yield from ("", *wrap(joined(paragraph), 118, break_long_words=False))


def _profile(page: str) -> Iterator[str]:
    """Yield the lines of a page on a profile, without its usual part."""
    parts = page.split("\n\n")
    lists = [number for number, part in enumerate(parts) if part.startswith("  *")]
    for part in parts[: lists[0] + 1] if len(lists) > 1 else parts[: lists[0] - 1]:
        lines = part.split("\n")
        if part.startswith("  *"):
            yield ""
            items = re.split(r"^  \* ", part, flags=re.MULTILINE)[1:]
            yield from (f"* {joined(item.splitlines())}" for item in items)
        else:
            yield from ("", joined(takewhile(bool, lines)))


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("name", GUIDES)
def test_the_documents_are_what_help_says(name: str, language: Language) -> None:
    assert _file(name, language).read_text("utf-8") == document(name, language), "python -m tests.test_guides"


def _file(name: str, language: Language) -> Path:
    return DOCS / (f"{name}.md" if language is ENGLISH else f"{name}.{language}.md")


if __name__ == "__main__":
    for one in GUIDES:
        for tongue in Language:
            _file(one, tongue).write_text(document(one, tongue), "utf-8")
