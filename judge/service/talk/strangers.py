"""What may be told to a stranger: only our own words.

Any sender may have written in the stranger's name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any, get_args, get_origin, get_type_hints

from judge import commands as c
from judge.calendar import Timetable
from judge.commands import AsWritten, Command, HelpTopic, Language
from judge.games import Game
from judge.games.access import is_unknown_to
from judge.games.person import PersonId
from judge.games.settings import read_settings
from judge.games.terms import Settings
from judge.language import ReadLine
from judge.language.times import read_setting
from judge.language.writing import command_line, word_in_language, word_of
from judge.mailbox import mailbox_of
from judge.reports.manual import page_named
from judge.reports.wording import line_for, wording_in
from judge.service.talk.senders import Author
from judge.settings import board_named, setting_like, setting_named
from judge.storage import Work

_OF_TWO_WORDS = (c.SetName, c.SetZone)


def game_known_to(work: Work, sender: Author, name: str) -> Game | None:
    """Return the game of that name, if the sender may know that it exists."""
    game = work.games.get(name.lower())
    who = sender.person.id if sender.person else PersonId(0)
    invited_at = (sender.address, mailbox_of(sender.address))
    return None if game is None or all(is_unknown_to(game, who, one) for one in invited_at) else game


def shown_to_a_stranger(work: Work, sender: Author, request: Command, language: Language) -> str:
    """Return a request as a line in our words, else only its command word.

    The line is returned if the sender freely chose nothing in it.
    """
    said = _ours(work, sender, request, language)
    is_new_game = isinstance(said.command if isinstance(said, c.Perhaps) else said, c.Create)
    if said is not None and not is_new_game:
        game = getattr(said, "game", None)
        known = game_known_to(work, sender, game) if game else None
        return line_for(said, language, known.settings.map) if known is not None else line_for(said, language)
    if language is not Language.ENGLISH:
        return word_in_language(language, request)
    return " ".join(command_line(request).split()[:2]) if isinstance(request, _OF_TWO_WORDS) else word_of(request)


def is_ours(work: Work, sender: Author, request: Command) -> bool:
    """Whether nothing in a request was freely chosen by its sender."""
    return _ours(work, sender, request, Language.ENGLISH) is not None


def in_our_words(work: Work, sender: Author, lines: Sequence[ReadLine], language: Language) -> tuple[ReadLine, ...]:
    """Return the lines in our words.

    Lines that need the sender's own words are left out.
    """
    return tuple(_in_our_words(work, sender, lines, language))


def _in_our_words(work: Work, sender: Author, lines: Sequence[ReadLine], language: Language) -> Iterator[ReadLine]:
    for line in lines:
        found = [_ours(work, sender, one, language) for one in line.requests]
        said = tuple(one for one in found if one is not None)
        if said:
            text = "; ".join(shown_to_a_stranger(work, sender, one, language) for one in said)
            yield replace(line, text=text, requests=said, faults=())


def _ours(work: Work, sender: Author, request: Command, language: Language) -> Command | None:
    """Return the request without any of the sender's own words; None if impossible."""
    match request:
        case c.Help(topic):
            return c.Help(page_named(topic, language) or HelpTopic.START.value)
        case c.CheckSettings(settings) | c.Create(settings=settings, like=""):
            return request if all(_is_nearly_right(name, value.text) for name, value in settings.items()) else None
        case c.PressOrOrders():
            return None
        case c.Perhaps(meant):
            said = _ours(work, sender, meant, language)
            return None if said is None else c.Perhaps(said)
    game = getattr(request, "game", None)
    is_board = isinstance(request, c.Sandbox) and game is not None and board_named(game) == game
    if game and not is_board and game_known_to(work, sender, game) is None:
        return None
    free, times = _fields_of(type(request))
    if any(getattr(request, name) for name in free):
        return None
    changes: dict[str, Any] = {
        name: _told(getattr(request, name), language) for name in times if getattr(request, name) is not None
    }
    return None if None in changes.values() else replace(request, **changes)


def _is_nearly_right(written: str, value: str) -> bool:
    """Whether a setting may be repeated.

    It exists, perhaps misspelled, and can have that value.
    """
    name = setting_named(written) or setting_like(written)
    return name is not None and isinstance(read_settings({name: read_setting(name, value)}), Settings)


def _fields_of(kind: type[Any]) -> tuple[list[str], list[str]]:
    """Return the names of a command's free-text fields, and of its `AsWritten` fields.

    The game's name is not among the first. A field of both kinds is only among the first.
    """
    hints = get_type_hints(kind)
    kinds = {one.name: (hints[one.name], *get_args(hints[one.name])) for one in fields(kind) if one.name != "game"}
    free = [name for name, all_ in kinds.items() if str in all_ or get_origin(all_[0]) is Mapping]
    read = [name for name, all_ in kinds.items() if any(get_origin(one) is AsWritten for one in all_)]
    return free, [name for name in read if name not in free]


def _told(written: AsWritten[Any], language: Language) -> AsWritten[Any] | None:
    """Return a time, boards or languages in our words; None if there are none."""
    wording = wording_in(language)
    match written.meant:
        case timedelta() as length:
            said = wording.span(length)
        case Timetable() as table:
            said = wording.say("table", table)
        case str() as zone:
            said = zone
        case tuple() as several if several:
            said = ", ".join(one if isinstance(one, str) else wording.span(one) for one in several)
        case _:
            return None
    return replace(written, text=said)
