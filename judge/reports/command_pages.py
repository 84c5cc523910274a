"""The manual as documents of the site: a page of contents and one per group.

Each call makes the pages of one language.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.commands import HelpTopic, Language
from judge.languages import said_in
from judge.reports.columns import joined
from judge.reports.manual import CommandEntry, SettingEntry, about_setting, conditions, load_manual
from judge.reports.wording import wording_in

CONTENTS = "commands"


def command_pages(language: Language) -> Iterator[tuple[str, str]]:
    """Yield the name and the Markdown of each page; the contents first."""
    manual = load_manual()
    pages = [(f"{CONTENTS}-{group}", *_group(group, language)) for group in manual.groups]
    pages += [(f"{CONTENTS}-set-{section}", *_section(section, language)) for section in manual.sections]
    yield CONTENTS, "\n\n".join(_contents(language, pages))
    for name, title, parts in pages:
        lead = [joined(said_in(manual.topics[HelpTopic.SETTINGS], language).splitlines())] if "-set-" in name else []
        yield name, "\n\n".join((f"# {title}", *lead, *(f"## {head}\n\n{text}" for head, _, text in parts)))


_Part = tuple[str, str, str]
"""The heading of a command or setting, its short description, and the rest."""


def _contents(language: Language, pages: Sequence[tuple[str, str, Sequence[_Part]]]) -> Iterator[str]:
    say = wording_in(language).speech.message
    yield f"# {say('site-commands')}"
    yield say("site-commands-lead")
    for name, title, parts in pages:
        yield f"## [{title}]({name}.md)"
        yield "\n".join(f"* [{head}]({name}.md#{anchor(head)}){short}" for head, short, _ in parts)


def anchor(heading: str) -> str:
    """Return the anchor of a heading, as on the forge."""
    return "".join(one for one in heading.lower() if one.isalnum() or one in "_- ").replace(" ", "-")


def _group(group: str, language: Language) -> tuple[str, list[_Part]]:
    manual = load_manual()
    parts = [_command(entry, language) for entry in manual.commands_of(group)]
    return said_in(manual.groups[group], language), parts


def _command(entry: CommandEntry, language: Language) -> _Part:
    page = entry.pages[language]
    between = "\n\n" if any("\n" in form for form in page.forms) else "\n"
    when = (" " if language.is_latin else "").join(conditions(entry, language))
    text = f"```text\n{between.join(page.forms)}\n```\n\n{page.text}\n\n{when}"
    return entry.title(language), f" – {page.short}", text


def _section(section: str, language: Language) -> tuple[str, list[_Part]]:
    manual = load_manual()
    title = wording_in(language).speech.message("site-settings", section=said_in(manual.sections[section], language))
    return title, [_setting(entry, language) for entry in manual.settings_of(section)]


def _setting(entry: SettingEntry, language: Language) -> _Part:
    sentences, meanings = about_setting(entry, language)
    values = "\n".join(f"* `{value}` – {meaning}" for value, meaning in meanings.items())
    title = f"{entry.title(language)}{'*' if entry.is_fixed else ''}"
    return title, "", f"`{entry.pages[language].values}`\n\n{joined(sentences)}\n\n{values}"
