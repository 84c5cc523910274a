"""The manual: a page on every command and every setting, from `templates/commands.toml` and `guides.toml`."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from judge import commands as c
from judge.commands import GameState, HelpTopic, Language, Reason
from judge.games.answers import Done
from judge.games.settings import is_fixed, usual_settings
from judge.games.terms import Settings
from judge.language.asking import words_asking_for
from judge.language.words.tongue import is_japanese
from judge.languages import said_in
from judge.reports.columns import hanging, joined, laid_out, table, written
from judge.reports.layout import Block, blocks, heading
from judge.reports.moves import is_about_a_move
from judge.reports.place_pages import places_page
from judge.reports.places import board_title, powers_on
from judge.reports.rule_pages import profile_page, rule_answer, rule_of_option, rule_topic, values_of
from judge.resources import shipped
from judge.rules.map import USUAL_BOARD
from judge.rules.options import PROFILES, Options
from judge.settings import OPTIONS, board_named, names_of, setting_named

_FILES = ("commands.toml", "guides.toml")
COLUMNS = 60
"""The width of a page.

It fits a phone, and a mail program does not fold it again.
"""
_NEAREST = 5
_SHOWN = 40
"""The most characters of an unknown topic that the answer repeats."""
_UNFOLDED = 1_000_000
"""The width of a page that the reader's mail program folds."""


@dataclass(frozen=True, slots=True)
class CommandPage:
    """The page on a command in one language."""

    forms: tuple[str, ...]
    """The ways to write the command; some take several lines."""
    short: str
    text: str
    done: str = ""
    """The answer when the command is done; "" where `done.po` has it."""


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """A command with its pages."""

    topic: str
    """What HELP calls it."""
    kind: type[c.Command]
    group: str
    own: Mapping[Language, tuple[str, ...]]
    """Language other than English → its words for the command; the first is the title."""
    also: tuple[str, ...]
    """Other English words that HELP finds the command by."""
    pages: Mapping[Language, CommandPage]

    @property
    def names(self) -> tuple[str, ...]:
        """Every word that HELP finds the command by."""
        return (self.topic, *(word for words in self.own.values() for word in words), *self.also)

    def title(self, language: Language) -> str:
        """Return the title of the command's page.

        It is the language's own word, or the English one if it has none. A language not in Latin letters puts the
        English word after its own.
        """
        own = self.own.get(language, ())[:1]
        return " ".join(word.upper() for word in (own if own and language.is_latin else (*own, self.topic)))


@dataclass(frozen=True, slots=True)
class SettingPage:
    """The page on a setting in one language."""

    values: str
    default: str
    text: str
    meanings: Mapping[str, str] = field(default_factory=dict)
    """Value → what it means, where that is not obvious."""


@dataclass(frozen=True, slots=True)
class SettingEntry:
    """A setting with its pages."""

    name: str
    """Its name in `judge.settings`."""
    section: str
    is_fixed: bool
    """It cannot be changed once the game has started."""
    pages: Mapping[Language, SettingPage]

    def title(self, language: Language) -> str:
        """Return the setting's name; languages other than English put theirs before it."""
        own = next(iter(names_of(self.name, language)), "") if language is not Language.ENGLISH else ""
        name = self.name.replace("_", " ").removesuffix(" type")
        return f"{own} ({name})" if own else name


@dataclass(frozen=True, slots=True)
class Manual:
    """All pages of the manual."""

    commands: tuple[CommandEntry, ...]
    settings: tuple[SettingEntry, ...]
    words: Mapping[Language, Mapping[str, Any]]
    topics: Mapping[HelpTopic, Mapping[str, Any]]
    groups: Mapping[str, Mapping[str, str]]
    sections: Mapping[str, Mapping[str, str]]
    parts: Mapping[str, Mapping[str, str]]
    """Part → language → its heading; a part holds several groups."""

    def commands_of(self, group: str) -> list[CommandEntry]:
        """Return the commands of a group, in the order of the manual."""
        return [entry for entry in self.commands if entry.group == group]

    def settings_of(self, section: str) -> list[SettingEntry]:
        """Return the settings of a section, in the order of the manual."""
        return [entry for entry in self.settings if entry.section == section]


@cache
def load_manual() -> Manual:
    """Return the manual, read once."""
    data, guides = (tomllib.loads((shipped("templates") / name).read_text("utf-8")) for name in _FILES)
    return Manual(
        commands=tuple(_command(topic, entry) for topic, entry in data["commands"].items()),
        settings=tuple(_setting(name, entry) for name, entry in data["settings"].items()),
        words={language: said_in(data["words"], language) for language in Language},
        topics={HelpTopic(topic): entry for topic, entry in (data["topics"] | guides["topics"]).items()},
        groups=data["groups"],
        sections=data["sections"],
        parts=data["parts"],
    )


def _command(topic: str, entry: Mapping[str, Any]) -> CommandEntry:
    pages = {
        language: CommandPage(tuple(page["forms"]), page["short"], _paragraphs(page["text"]), page.get("done", ""))
        for language in Language
        for page in [said_in(entry, language)]
    }
    kind = getattr(c, entry["class"])
    words = {language: words_asking_for(kind, language) for language in Language}
    english = words.pop(Language.ENGLISH)
    also = tuple(dict.fromkeys((*entry.get("also", ()), *(word for word in english if word != topic))))
    return CommandEntry(topic, kind, entry["group"], words, also, pages)


def _paragraphs(text: str) -> str:
    return "\n\n".join(joined(one.splitlines()) for one in text.strip("\n").split("\n\n"))


def _setting(name: str, entry: Mapping[str, Any]) -> SettingEntry:
    values = _values(name)
    pages = {}
    for language in Language:
        page = said_in(entry, language)
        default = page.get("default") or (USUAL_BOARD if name == "board" else str(getattr(_DEFAULTS.rules, name)))
        meanings = {value: said_in(words, language) for value, words in entry.get("values", {}).items()}
        pages[language] = SettingPage(page.get("values") or " | ".join(values), default, page["text"], meanings)
    return SettingEntry(name, entry["section"], is_fixed(name), pages)


_DEFAULTS = usual_settings()
"""The settings of a game created without any."""


def _values(name: str) -> tuple[str, ...]:
    """Return the values of a setting, if they are a closed set."""
    if name == "rules":
        return tuple(PROFILES)
    if name == "board":
        return (USUAL_BOARD,)  # BOARDS lists the others
    hints = get_type_hints(Options if name in {option.name for option in fields(Options)} else Settings)
    kind = hints.get(name.replace(" ", "_"))
    if kind is None or get_origin(kind) is UnionType or get_args(kind) or not issubclass(kind, StrEnum):
        return ()
    return tuple(value.value for value in kind)


def when_done(done: Done, language: Language) -> str:
    """Return the answer to a command that is explained with it in the manual."""
    pages = [entry.pages[language] for entry in load_manual().commands if isinstance(done.command, entry.kind)]
    return joined(pages[0].done.format(about=done.about).splitlines()) if pages else ""


# Finding a page


def help_page(
    topic: str, language: Language, rules: Options | None = None, on: Sequence[str] = (), *, columns: int = COLUMNS
) -> str:
    """Return the answer to HELP with a topic; for an unknown topic, the nearest pages.

    `rules` are those of the game that the sender asks in. `on` are the boards of the sender's games, for the names of
    places.
    """
    plain = " ".join(topic.lower().split())
    manual = load_manual()
    for special, entry in manual.topics.items():
        if plain in _names_of_topic(special, entry):
            return _topic_page(special, language, columns, on)
    board = _board_of_places(plain)
    if board:
        return _topic_page(HelpTopic.PLACES, language, columns, (board,))
    words, about_rules = manual.words[language], rule_topic(plain)
    if plain in PROFILES:
        return profile_page(plain, language, words, columns)
    if about_rules is not None:
        return rule_answer(about_rules, language, words, columns, rules)
    found = _pages_on(plain, language, columns) or _pages_on(_beginning(plain), language, columns)
    if not found:
        return _unknown(plain, language, columns)
    page = "\n\n\n".join(found)
    return "\n\n".join([page, *_powers_elsewhere(page, on, language, columns)])


def page_named(topic: str, language: Language) -> str:
    """Return the name of a page that a topic names or begins with, or ""."""
    if is_about_a_move(topic):
        return topic
    plain = " ".join(topic.lower().split())
    is_known = (
        plain in PROFILES
        or bool(_board_of_places(plain))
        or rule_topic(plain) is not None
        or bool(_pages_on(plain, language, COLUMNS))
    )
    return plain if is_known or plain in _names() else _beginning(plain)


def _board_of_places(plain: str) -> str | None:
    """Return the board that a topic such as `places hundred` names."""
    head = _beginning(plain)
    is_about_places = head in _names_of_topic(HelpTopic.PLACES, load_manual().topics[HelpTopic.PLACES])
    words = plain.removeprefix(head).split() if is_about_places else []
    named = (board_named(" ".join(words[start:])) for start in range(len(words)))
    return next(filter(None, named), None)


def help_blocks(
    topic: str, language: Language, rules: Options | None = None, on: Sequence[str] = ()
) -> tuple[Block, ...]:
    """Return the answer of `help_page` as blocks for HTML.

    They are not folded: a phone would fold folded lines a second time.
    """
    return blocks(written(help_page(topic, language, rules, on, columns=_UNFOLDED)))


def _pages_on(plain: str, language: Language, columns: int) -> list[str]:
    """Return the pages on the command and on the setting of that name."""
    manual = load_manual()
    found = [_command_page(e, language, columns) for e in manual.commands if plain in e.names]
    setting = setting_named(plain)
    found += ["\n".join(setting_rows(e, language, columns)) for e in manual.settings if e.name == setting]
    return found


def _names() -> dict[str, CommandEntry | SettingEntry | HelpTopic]:
    """Return every name that a page can be asked for by."""
    manual = load_manual()
    names: dict[str, CommandEntry | SettingEntry | HelpTopic] = {}
    for setting in manual.settings:
        for name in names_of(setting.name):
            names[name] = setting
    names |= {name: entry for entry in manual.commands for name in entry.names}
    names |= {
        name: topic for topic, topic_words in manual.topics.items() for name in _names_of_topic(topic, topic_words)
    }
    return names


def _names_of_topic(topic: HelpTopic, words: Mapping[str, Any]) -> tuple[str, ...]:
    """Return all names of a page that is not about a command."""
    return (topic.value, *(name for names in words["names"].values() for name in names), *words.get("also", ()))


def _beginning(plain: str) -> str:
    """Return the known name that a topic such as `join ardennes` begins with, or ""."""
    known = [name for name in _names() if plain.startswith(f"{name} " if not is_japanese(name) else name)]
    return max(known, key=len, default="")


def _powers_elsewhere(page: str, on: Sequence[str], language: Language, columns: int) -> Iterator[str]:
    """Yield the powers of each board that lacks a power of a page's examples.

    The boards are those of the sender's games.
    """
    examples = {power for power in powers_on(USUAL_BOARD, language) if power in page}
    for board in on:
        powers = powers_on(board, language)
        if not examples <= {*powers}:
            title, words = board_title(board, language), load_manual().words[language]
            yield laid_out(words["elsewhere"].format(title=title, powers=", ".join(powers)), columns)


def _unknown(plain: str, language: Language, columns: int) -> str:
    """Return a list of pages with similar names; without any, the first page of HELP."""
    names, words = _names(), load_manual().words[language]
    shown = plain if len(plain) <= _SHOWN else f"{plain[:_SHOWN]}…"
    first = words["unknown"].format(topic=shown)
    within = [name for name in names if len(plain) > 1 and (plain in name or name in plain.split())]
    near = within + difflib.get_close_matches(plain, names, n=_NEAREST, cutoff=0.6)
    lines = list(dict.fromkeys(_asking_for(names[name], language) for name in near))[:_NEAREST]
    if not lines:
        return f"{laid_out(first, columns)}\n\n{_topic_page(HelpTopic.START, language, columns)}"
    parts = [laid_out(f"{first}\n{words['near']}", columns), *table([(line, "") for line in lines], columns)]
    return "\n\n".join([parts[0], "\n".join(parts[1:]), laid_out(words["more"], columns)])


def _asking_for(page: CommandEntry | SettingEntry | HelpTopic, language: Language) -> str:
    """Return the line that asks for a page."""
    manual = load_manual()
    match page:
        case HelpTopic():
            topic = next(iter(manual.topics[page]["names"].get(language, ())), page.value)
        case CommandEntry():
            topic = next(iter(page.own.get(language, ())), page.topic)
        case SettingEntry():
            topic = next(iter(names_of(page.name, language)), names_of(page.name)[0])
    return str(manual.words[language]["ask"].format(topic=topic))


# Setting a page out


def _topic_page(topic: HelpTopic, language: Language, columns: int, on: Sequence[str] = ()) -> str:
    manual = load_manual()
    if topic is HelpTopic.PLACES:
        return places_page(manual.topics[topic], language, columns, on)
    text = laid_out(said_in(manual.topics[topic], language), columns)
    match topic:
        case HelpTopic.COMMANDS:
            more = [overview(group, language, columns) for group in manual.groups]
            return "\n\n".join([text, *more, laid_out(manual.words[language]["more"], columns)])
        case HelpTopic.MASTER:
            return f"{text}\n\n{overview('masters', language, columns)}"
        case HelpTopic.HOUSE_RULES:
            return "\n\n\n".join([text, *_pages_on(topic.value, language, columns)])
        case HelpTopic.SETTINGS:
            return "\n\n".join([text, *(_section(section, language, columns) for section in manual.sections)])
        case _:
            return text


def overview(group: str, language: Language, columns: int = COLUMNS) -> str:
    """Return the commands of a group, one a line."""
    manual = load_manual()
    rows = [(entry.title(language), entry.pages[language].short) for entry in manual.commands_of(group)]
    return "\n".join([said_in(manual.groups[group], language), "", *table(rows, columns)])


def _section(section: str, language: Language, columns: int) -> str:
    manual = load_manual()
    rows = [said_in(manual.sections[section], language)]
    for entry in manual.settings_of(section):
        rows += ["", *setting_rows(entry, language, columns, marked=True)]
    return "\n".join(rows)


def setting_rows(entry: SettingEntry, language: Language, columns: int = COLUMNS, *, marked: bool = False) -> list[str]:
    """Return the rows on a setting: its values, meaning and default.

    If `marked`, a fixed setting gets an asterisk. Otherwise the rule of an option follows its rows.
    """
    page, words = entry.pages[language], load_manual().words[language]
    sentences, meanings = about_setting(entry, language, marked=marked)
    head = f"{entry.title(language)}{'*' if entry.is_fixed and marked else ''}: {page.values}"
    is_apart = not marked or columns == _UNFOLDED
    indent = "" if is_apart else "  "
    rows = [heading(head)] if columns == _UNFOLDED else hanging(head, columns, later="    ")
    rows += [""] if is_apart else []
    rows += hanging(joined(sentences), columns, indent, indent)
    rows += [f"{indent}{line}" for line in table(list(meanings.items()), columns - 2)]
    if entry.name in OPTIONS and not marked:
        rows += hanging(rule_of_option(entry.name, language, words), columns)
    return rows


def about_setting(
    entry: SettingEntry, language: Language, *, marked: bool = False
) -> tuple[list[str], Mapping[str, str]]:
    """Return sentences about a setting, and its values with their meanings; `marked` as in `setting_rows`."""
    page, words = entry.pages[language], load_manual().words[language]
    sentences = [page.text, words["default"].format(value=page.default)]
    if entry.is_fixed and not marked:
        sentences.append(words["before"])
    if entry.name in OPTIONS and (not marked or entry.section != "rules"):
        return sentences, values_of(entry.name, language, words)
    return sentences, page.meanings


def _command_page(entry: CommandEntry, language: Language, columns: int) -> str:
    page, words = entry.pages[language], load_manual().words[language]
    lines = [*hanging(f"{entry.title(language)} – {page.short}", columns, later="  "), "", *_forms(page, columns)]
    if language is not Language.ENGLISH:
        lines += ["", words["aliases"], "", *_forms(entry.pages[Language.ENGLISH], columns)]
    lines += ["", laid_out(page.text, columns), ""]
    lines += [laid_out(line, columns) for line in conditions(entry, language)]
    return "\n".join(lines)


def _forms(page: CommandPage, columns: int) -> list[str]:
    """Return the forms, with those of several lines set apart."""
    rows: list[str] = []
    for form in page.forms:
        if rows and ("\n" in form or rows[-1] == ""):
            rows.append("")
        rows += table([(line, "") for line in form.splitlines()], columns)
        rows += [""] if "\n" in form else []
    return "\n".join(rows).replace("\n\n\n", "\n\n").strip("\n").split("\n")


def conditions(entry: CommandEntry, language: Language) -> list[str]:
    """Return who may use a command, when, and whether it needs confirmation or a reason."""
    words = load_manual().words[language]
    card = entry.kind.card
    when = words["when"][_when(card.states)]
    sentences = [words["access"].format(who=words["who"][card.who.value], when=when)]
    if card.is_final:
        sentences.append(words["final"])
    if card.is_final_at_first:
        sentences.append(words["final_at_first"])
    if card.reason is not Reason.NONE:
        sentences.append(words["reasons"][card.reason.value])
    return [joined(line.splitlines()) for line in sentences]


def _when(states: Sequence[GameState]) -> str:
    """Return the manual's name for a set of game states."""
    return (
        "always" if set(states) == set(GameState) else "-".join(state.value for state in GameState if state in states)
    )
