"""Every command and every setting has its page: HELP by mail, and docs/commands.md.

`python -m tests.test_commands` writes the document anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_args

import pytest

from judge import commands as c
from judge.commands import (
    Command,
    Help,
    HelpTopic,
    Language,
    Permitted,
    Reason,
    coming,
    masters,
    oneself,
    players,
    questions,
    talk,
    votes,
)
from judge.games.settings import read_settings
from judge.games.terms import Settings
from judge.language import Context, read
from judge.language.asking.phrases import load_phrases
from judge.language.writing import command_line, line_in
from judge.languages import said_in
from judge.reports.columns import joined, width
from judge.reports.manual import COLUMNS, CommandEntry, conditions, help_page, load_manual, overview, setting_rows
from judge.reports.wording import wording_in
from judge.rules import load_map
from judge.rules.position import Power
from judge.service.talk.handlers import HANDLERS
from judge.settings import all_settings
from tests.catalogs import messages_of
from tests.times import as_read

DOCUMENT = Path(__file__).parent.parent / "docs" / "commands.md"
MAP = load_map()
BOARD = Context(MAP, MAP.start(), (Power("FRANCE"),))
MANUAL = load_manual()
ENGLISH, JAPANESE = Language.ENGLISH, Language("ja")
FORMS = [(entry, form) for entry in MANUAL.commands for page in entry.pages.values() for form in page.forms]
ROOMS = (coming, masters, oneself, players, questions, talk, votes)
KINDS = [
    kind
    for room in ROOMS
    for name, kind in vars(room).items()
    if is_dataclass(kind) and kind.__module__ == room.__name__
    if isinstance(kind, type) and kind not in (c.Guessed, c.Misnamed, c.Signed, c.Talk, c.Override, c.Correction)
]
"""All classes of commands, including those not used anywhere yet."""
NAMES = [name for entry in MANUAL.commands for name in dict.fromkeys(entry.names)]
BELOW: dict[str, Any] = {"settings": {}, "text": "", "about": "", "ran_on": False, "orders": ()}
"""Fields of what stands below a command; they are not part of its line."""


def is_japanese(text: str) -> bool:
    return any("\u3040" <= character <= "\u9fff" for character in text)


# The data


WITHOUT_PHRASES = (c.Give, c.Doubted, c.AnswerQuestion, c.ForPower, c.Perhaps, c.PressOrOrders)
"""Orders, headings and answers, which are read by the grammar of orders."""
ANSWERED_OTHERWISE = frozenset(
    (
        *(c.Create, c.Join, c.Observe, c.TakeOver, c.UseGame, c.ForPhase, c.ForPower, c.OrderFor),
        *(
            c.Give,
            c.Clear,
            c.Undo,
            c.SetReady,
            c.Absence,
            c.Sitter,
            c.VoteDraw,
            c.Concede,
            c.Elect,
            c.Propose,
            c.CastVote,
            c.Process,
        ),
        *(c.Press, c.Broadcast, c.PressToMaster, c.PressToCoach, c.Announce, c.Object),
        *(
            c.Status,
            c.ShowRules,
            c.ShowOrders,
            c.History,
            c.Summary,
            c.ShowMap,
            c.Who,
            c.ShowSeason,
            c.ShowLog,
            c.ShowVotes,
        ),
        *(c.Replay, c.WhatIf, c.Preview, c.ListGames, c.ListBoards, c.MyGames, c.Help, c.CheckSettings, c.MyData),
        c.InAllGames,
        *(c.Register, c.SetLanguage, c.SetZone, c.SetName),
    )
)
"""Commands that have their own answer in judge/games/events.py.

The others are done, and the answer says so.
"""


def what_is_missing(kind: type) -> Iterator[str]:
    """Yield the files to complete for an unfinished command."""
    room = f"{kind.__module__.replace('.', '/')}.py"
    if not isinstance(getattr(kind, "card", None), c.Card):
        yield f"{room}: no card"
    if kind not in get_args(Command):
        yield f"{room}: in no union of what can be asked"
    if kind not in HANDLERS:
        yield "judge/games or judge/service/talk: no handler"
    if kind not in WITHOUT_PHRASES:
        yield from _what_words_are_missing(kind)


def _what_words_are_missing(kind: type) -> Iterator[str]:
    entries = [entry for entry in load_phrases().entries if entry.makes is kind]
    if not any(phrase for entry in entries for phrase in entry.phrases):
        yield "grammar/words/commands/phrases.toml: no phrase"
    beginnings = [one for entry in entries for one in (*entry.words, *entry.phrases) if not one.startswith(("~", "("))]
    for language in Language:
        if not any(is_japanese(words) is not language.is_latin for words in beginnings):
            yield f"grammar/words/commands/phrases.toml: no word in {language}"
    names = {one.name for one in fields(kind)}
    for entry in entries:
        if unknown := {*entry.fields, *entry.gives} - names - {"setting"}:
            yield f"grammar/words/commands/phrases.toml: {entry.key} fills {unknown}, which are no fields"
    pages = [entry for entry in MANUAL.commands if entry.kind is kind]
    if not pages:
        yield "templates/commands.toml: no explanation"
    for language in Language:
        if pages and kind not in ANSWERED_OTHERWISE and not _is_told(pages[0], language):
            yield f"templates/commands.toml: nothing to answer in {language} (`done`)"


def _is_told(entry: CommandEntry, language: Language) -> bool:
    return bool(entry.pages[language].done) or f"done-{entry.kind.__name__}" in messages_of(language)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_command_is_whole(kind: type) -> None:
    assert list(what_is_missing(kind)) == []


def test_every_command_has_its_pages() -> None:
    described = [entry.kind for entry in MANUAL.commands]
    assert set(described) == set(get_args(Command)) - set(WITHOUT_PHRASES)
    assert len(described) == len(set(described))
    assert {entry.group for entry in MANUAL.commands} == set(MANUAL.groups)
    assert {group["part"] for group in MANUAL.groups.values()} == set(MANUAL.parts)
    assert len(NAMES) == len(set(NAMES))


@pytest.mark.parametrize(
    ("topic", "language", "title"),
    [
        ("press", Language("de"), "NACHRICHT"),
        ("press", JAPANESE, "密書 PRESS"),
        ("broadcast", Language("de"), "RUNDBRIEF"),
        ("broadcast", JAPANESE, "公式発言 BROADCAST"),
    ],
)
def test_a_page_is_called_after_the_plain_command(topic: str, language: Language, title: str) -> None:
    (entry,) = (one for one in MANUAL.commands if one.topic == topic)
    assert entry.title(language) == title


@pytest.mark.parametrize("entry", MANUAL.commands, ids=lambda entry: entry.topic)
def test_a_page_is_in_both_languages(entry: CommandEntry) -> None:
    english, japanese = entry.pages[ENGLISH], entry.pages[JAPANESE]
    assert english.forms
    assert not is_japanese("".join((*english.forms, english.short, english.text, *entry.also)))
    assert all(map(is_japanese, (*japanese.forms, japanese.short, japanese.text, *entry.own[JAPANESE])))
    assert english.text.endswith(".")
    assert japanese.text.endswith(("ます。", "ません。", "です。", "ください。"))


@pytest.mark.parametrize(("entry", "form"), FORMS, ids=[form.splitlines()[0] for _, form in FORMS])
def test_a_form_is_read_as_its_command(entry: CommandEntry, form: str) -> None:
    line, *below = read(form, BOARD)
    assert not line.faults
    (command,) = line.requests
    assert type(command) is entry.kind
    assert all(isinstance(request, c.Give) for other in below for request in other.requests)
    assert bool(below) == (entry.kind is c.OrderFor)
    if entry.kind.card.reason is Reason.NEEDED:
        assert getattr(command, "reason", "")
    if isinstance(command, c.Talk) and entry.kind is not c.Note:
        assert command.text
        assert not command.ran_on
    (again,) = read(command_line(command), BOARD)[0].requests
    assert again == without_what_stands_below(command)
    for language in Language:
        written = line_in(language, command, wording_in(language).power)
        assert is_japanese(written.split()[0]) is not language.is_latin
        assert read(written, BOARD)[0].requests == (again,)


def without_what_stands_below(command: Command) -> Command:
    names = {one.name for one in fields(command)}
    below: dict[str, Any] = {name: nothing for name, nothing in BELOW.items() if name in names}
    if isinstance(command, c.Override):
        below["reason"] = ""
    return replace(command, **below)


def test_every_setting_has_its_pages() -> None:
    assert sorted(entry.name for entry in MANUAL.settings) == sorted(all_settings())
    assert {entry.section for entry in MANUAL.settings} == set(MANUAL.sections)


NO_DEFAULT_TO_WRITE = ("extensions", "zone", "first movement", "short_game", "rules")


@pytest.mark.parametrize("entry", MANUAL.settings, ids=lambda entry: entry.name)
def test_a_setting_can_be_what_its_page_says(entry: Any) -> None:
    usual = read_settings({})
    assert isinstance(usual, Settings)
    for language, page in entry.pages.items():
        for value in page.values.split(" | "):
            assert isinstance(read_settings(as_read({entry.title(ENGLISH): value})), Settings), value
        if entry.name not in NO_DEFAULT_TO_WRITE:
            assert read_settings(as_read({entry.name: page.default})) == usual
        assert set(page.meanings) in (set(), set(page.values.split(" | ")))
        assert is_japanese(page.text) is not language.is_latin


def test_all_who_may_use_a_command_have_words() -> None:
    for language in Language:
        assert set(MANUAL.words[language]["who"]) == {who.value for who in Permitted}
        for entry in MANUAL.commands:
            told = conditions(entry, language)
            assert len(told) == 1 + entry.kind.card.is_final + entry.kind.card.is_final_at_first + issubclass(
                entry.kind, c.Override
            )


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("Make France a dummy because she left", c.MakeDummy(Power("FRANCE"), reason="she left")),
        ("make the FRANCE a dummy", c.MakeDummy(Power("FRANCE"))),
        ("Play again", c.Rematch()),
        ("ardennes の再戦をお願いします", c.Rematch("ardennes")),
    ],
)
def test_a_phrase_is_one_line_of_data(line: str, command: Command) -> None:
    assert read(line, BOARD)[0].requests == (command,)


@pytest.mark.parametrize(
    "line", ["Make my day", "make peace with France", "Rematch anyone?", "Let us play again one day"]
)
def test_small_talk_that_begins_like_a_phrase(line: str) -> None:
    (one,) = read(line, BOARD)
    assert (one.requests, one.faults) == ((), ())


# HELP


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("topic", [*HelpTopic, *NAMES, *all_settings(), "no such thing", "absense", "x" * 300])
def test_a_page_fits_a_phone(topic: str, language: Language) -> None:
    page = help_page(topic, language)
    assert page.strip()
    assert max(map(width, page.splitlines())) <= COLUMNS
    assert not any(line.endswith(" ") for line in page.splitlines())
    assert "\n\n\n\n" not in page


@pytest.mark.parametrize("language", Language)
def test_a_command_is_one_line_of_the_overview(language: Language) -> None:
    for group in MANUAL.groups:
        lines = overview(group, language).splitlines()
        assert len(lines) == len(MANUAL.commands_of(group)) + 2
        assert max(map(width, lines)) <= COLUMNS


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("HELP", "You play by mail"),
        ("HELP!", "You play by mail"),
        ("Help me, please", "You play by mail"),
        ("help with orders", "Orders, one a line"),
        ("HELP ORDERS", "Orders, one a line"),
        ("ヘルプ 命令", "Orders, one a line"),
        ("HELP COMMANDS", "Coming and going"),
        ("HELP MASTER", "CREATE opens a game"),
        ("HELP SETTINGS", "update: scheduled-or-on-completion"),
        ("ヘルプ 設定", "update: scheduled-or-on-completion"),
        ("HELP absence", "ABSENCE – "),
        ("HELP NO ABSENCE", "ABSENCE – "),
        ("ヘルプ 不在", "ABSENCE – "),
        ("HELP take over", "TAKE OVER – "),
        ("HELP JOIN ardennes", "JOIN – "),
        ("参加のヘルプ", "JOIN – "),
        ("HELP grace", "grace: "),
        ("ヘルプ 猶予", "grace: "),
        ("HELP draw rule", "draw rule: "),
        ("HELP press", "PRESS – "),
        ("HELP press", "press: "),
        ("HELP absense", "Do you mean one of these?\n\n  HELP absence"),
        ("HELP my address", "SET ADDRESS – "),
        ("HELP YES", "files what question 2 is about"),
        ("HELP NO", "drops it"),
        ("ヘルプ はい", "files what question 2 is about"),
        ("HELP questions", "Another order for the unit settles the question"),
        ("HELP xyzzy", "There is no page on “xyzzy”."),
    ],
)
def test_help_is_given(asked: str, told: str) -> None:
    (line,) = read(asked, BOARD)
    (request,) = line.requests
    assert isinstance(request, Help)
    assert told in help_page(request.topic, ENGLISH)


@pytest.mark.parametrize(
    "written", ["Help me take Munich and I will leave you alone", "Any help would be welcome", "助けてください"]
)
def test_a_cry_for_help_is_small_talk(written: str) -> None:
    (line,) = read(written, BOARD)
    assert (line.requests, line.faults) == ((), ())


def test_rows_of_a_table_go_on_indented() -> None:
    for language in Language:
        for topic in HelpTopic:
            page = help_page(topic, language)
            at_the_left = [line for line in page.splitlines() if line and not line.startswith(" ")]
            for line in at_the_left:
                (one,) = read(line, BOARD)
                assert not any(isinstance(request, c.Give) for request in one.requests), line


# The document


def document() -> str:
    return "\n".join(_document()) + "\n"


def _document() -> Iterator[str]:
    yield "# Commands"
    yield ""
    yield "Every command and every setting, in English and in Japanese. This page is made from"
    yield "`templates/commands.toml`, as the answers to HELP are. How orders are written: [language.md](language.md)."
    for part, title in MANUAL.parts.items():
        groups = [group for group, told in MANUAL.groups.items() if told["part"] == part]
        yield from ("", f"## {_in_all(title)}")
        for group in groups:
            if len(groups) > 1:
                yield from ("", f"### {_in_all(MANUAL.groups[group])}")
            for entry in MANUAL.commands_of(group):
                yield from _command(entry, "####" if len(groups) > 1 else "###")
    yield from ("", "## Settings / 設定")
    for language in Language:
        yield from ("", joined(MANUAL.topics[HelpTopic.SETTINGS][language.value].splitlines()))
    for section, title in MANUAL.sections.items():
        yield from ("", f"### {_in_all(title)}")
        for setting in MANUAL.settings_of(section):
            for language in Language:
                yield from ("", "```text", *setting_rows(setting, language, marked=True), "```")


def _in_all(table: Mapping[str, str]) -> str:
    """Return the words of a table in each language."""
    return " / ".join(dict.fromkeys(said_in(table, language) for language in Language))


def _unlike(words: Sequence[str]) -> Iterable[str]:
    """Return the first of the words that share a beginning.

    引き分け is the one of 引き分け, 引き分けを提案, 引分け.
    """
    first = {word[0]: word for word in reversed(words)}
    return [word for word in words if first[word[0]] == word]


def _own_titles(entry: CommandEntry) -> Iterator[str]:
    for language, words in entry.own.items():
        yield words[0].upper() if language.is_latin else "・".join(_unlike(words))


def _command(entry: CommandEntry, level: str) -> Iterator[str]:
    yield from ("", f"{level} {' / '.join([entry.title(ENGLISH), *_own_titles(entry)])}")
    for language in Language:
        page = entry.pages[language]
        yield from (
            "",
            "```text",
            "\n\n".join(page.forms) if any("\n" in f for f in page.forms) else "\n".join(page.forms),
        )
        yield from ("```", "", page.text)
        yield from (
            "",
            (" " if language.is_latin else "").join(conditions(entry, language)),
        )


def test_the_document_is_made_from_the_manual() -> None:
    assert DOCUMENT.read_text("utf-8") == document(), "python -m tests.test_commands writes it anew"


if __name__ == "__main__":
    DOCUMENT.write_text(document(), "utf-8")


@pytest.mark.parametrize(
    ("topic", "on", "language", "told"),
    [
        ("eject", ("hundred",), "en", ""),
        ("concede", ("hundred",), "en", "The powers of Hundred: Burgundy, England, France."),
        ("eject", ("ancient-mediterranean",), "en", "The powers of Ancient Mediterranean: "),
        ("draw", ("isthmus", "standard"), "ja", "標準の盤"),
        ("draw", ("isthmus",), "de", "Standardbrett"),
        ("eject", ("fleet-rome", "standard"), "en", ""),
        ("eject", (), "en", ""),
        ("pause", ("isthmus",), "en", ""),
    ],
)
def test_a_page_names_the_powers_of_a_board_that_lacks_those_of_its_examples(
    topic: str, on: tuple[str, ...], language: str, told: str
) -> None:
    plain, page = (" ".join(help_page(topic, Language(language), on=boards).split()) for boards in ((), on))
    assert page.startswith(plain)
    assert told in page[len(plain) :] if told else page == plain
