"""Write commands as text: for the log, in receipts, and in hints."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import get_args, get_type_hints

from judge import commands as c
from judge.language.asking.data import example_of, hint_of
from judge.language.asking.phrases import Entry, load_phrases, word_in, written_line
from judge.languages import Language
from judge.rules.map import USUAL_BOARD
from judge.rules.notation import write_order
from judge.rules.position import Power

_PHASE = re.compile(r"[SFW]\d{4}[MRA]")
_OF_ONESELF = ("SET LANGUAGE", "SET ZONE", "SET NAME", "SET ADDRESS")


def word_of(command: c.Command) -> str:
    """Return the words of a command, without its arguments.

    >>> word_of(c.EndGame("ardennes"))
    'END'
    """
    if isinstance(command, c.SetAddress | c.SetSecondAddress):  # the second word alone may be the field
        return command_line(command).rpartition(" ")[0]
    words = command_line(command).split()
    known = load_phrases().beginnings
    beginnings = [" ".join(words[:end]) for end in range(len(words), 0, -1)]
    return next((beginning for beginning in beginnings if beginning.lower() in known), words[0])


def command_line(command: c.Command) -> str:
    """Return the line that asks for a command.

    Its reason and the lines below it are left out.

    >>> command_line(c.SetReady(ready=False))
    'NOT READY'
    """
    match command:
        case c.ForPower(power):
            return f"{power}:"
        case c.Give(order):
            return " ELSE ".join(map(write_order, (order, *command.otherwise)))
        case c.Doubted(order):
            return write_order(order)
        case c.AnswerQuestion(yes, numbers):
            return " ".join(["YES" if yes else "NO", *map(str, numbers)])
        case c.Perhaps(meant):
            return command_line(meant)
        case c.PressOrOrders(letter):
            return command_line(letter)
    entry = _entry_for(command, Language.ENGLISH)
    if entry is None:
        raise LookupError(f"{type(command).__name__} has no phrase in grammar/words/commands/")
    return written_line(entry, partial(_value, command))


def line_in(language: Language, command: c.Command, name: Callable[[Power], str] = str) -> str:
    """Return the line that asks for a command in a language.

    `name` returns the name of a power.

    >>> line_in(Language("ja"), c.VoteDraw(agrees=True))
    '引き分け'
    """
    match command:
        case c.ForPower(power) if language is not Language.ENGLISH:
            return f"{name(power)}:"
        case c.Perhaps(meant):
            return line_in(language, meant, name)
        case c.PressOrOrders(letter):
            return line_in(language, letter, name)
    entry = None if language is Language.ENGLISH else _entry_for(command, language)
    return (
        command_line(command) if entry is None else written_line(entry, partial(_value, command, name=name), language)
    )


def line_told(language: Language, command: c.Command, value: Callable[[str], str]) -> str:
    """Return the line for a command, as shown to readers of a language.

    `value` formats a field.
    """
    for known in (language, Language.ENGLISH):
        entry = _entry_for(command, known)
        if entry is not None:
            return written_line(entry, value, known)
    return command_line(command)


def _entry_for(command: c.Command, language: Language) -> Entry | None:
    """Return the phrasebook entry of a command in a language."""
    for entry in load_phrases().entries:
        if entry.makes is type(command) and _says(entry, command) and word_in(entry, language):
            return entry
    return None


def line_meant(language: Language, line: str, command: c.Command, name: Callable[[Power], str], board: str) -> str:
    """Return a line as a reader of another language writes it.

    If the line has words of the sender's own, return an example.
    """
    if not getattr(command, "reason", "") and not getattr(command, "text", ""):
        return line_in(language, command, name)
    entry = _entry_for(command, language)
    return (entry is not None and hint_of(entry.key, language, board)) or translated(language, line, board)


def word_in_language(language: Language, command: c.Command) -> str:
    """Return the words of a command in a language, without its arguments.

    >>> word_in_language(Language("ja"), c.EndGame("ardennes"))
    '終了'
    """
    entry = None if language is Language.ENGLISH else _entry_for(command, language)
    return word_of(command) if entry is None else word_in(entry, language)


def translated(language: Language, line: str, board: str = USUAL_BOARD) -> str:
    """Translate a command in a hint, whole or only its first words.

    >>> translated(Language("ja"), "CLEAR A MUN"), translated(Language("ja"), "CONCEDE TO Austria")
    ('取消 A MUN', '降伏 オーストリア')
    >>> translated(Language("en"), "延長 1日")
    'EXTEND 1 day BECAUSE Alice is away'
    """
    plain = _without_set(line)
    entry = entry_of(plain)
    if entry is None:
        return line
    said = next(word for word in entry.words if _begins(plain, word))
    known = (entry, *(one for one in load_phrases().entries if one.makes is entry.makes))
    entry = next((one for one in known if word_in(one, language)), None)
    if entry is None:
        return line
    if said in entry.own_words.get(language, ()):
        return line
    rest = plain[len(said) :]
    phase = _PHASE.search(rest)
    examples = (example_of(word, board, phase[0] if phase else "") for word in entry.own_words.get(language, ()))
    example = next(filter(None, examples), "")
    if not rest.strip() or not example or entry.makes is c.Clear:
        return word_in(entry, language) + rest
    return example


def entry_of(line: str) -> Entry | None:
    """Return the phrasebook's entry for a line's first command, or None."""
    entries = [entry for entry in load_phrases().entries if entry.own_words]
    found = [(word, entry) for entry in entries for word in entry.words if _begins(line, word)]
    return max(found, key=lambda pair: len(pair[0]))[1] if found else None


def slot_of(line: str) -> str:
    """Return the first slot that a command needs, such as `power`, or ""."""
    entry = entry_of(_without_set(line))
    return entry.needed[0] if entry is not None and entry.needed else ""


def command_in(line: str) -> str:
    """Return the words of the command that a line asks for.

    >>> command_in("TAKE OVER ardennes")
    'TAKE OVER'
    """
    line = _without_set(line)
    entry = entry_of(line)
    return next(word.upper() for word in entry.words if _begins(line, word)) if entry else line.split()[0]


def _without_set(line: str) -> str:
    """Drop SET if a command of its own sets the same.

    `SET ZONE Asia/Tokyo` becomes `ZONE Asia/Tokyo`.
    """
    return line.removeprefix("SET ") if line.startswith(_OF_ONESELF) else line


def _begins(line: str, word: str) -> bool:
    return f"{line.lower()} ".startswith((f"{word} ", f"{word}:"))


def _says(entry: Entry, command: c.Command) -> bool:
    """Whether an entry gives the values that a command holds."""
    gives = all(getattr(command, name) == value for name, value in entry.gives.items())
    return gives and all(getattr(command, name) for name in entry.needed)


def _value(command: c.Command, field: str, name: Callable[[Power], str] = str) -> str:
    """Return a field as written; "" if it is empty.

    `name` returns the name of a power. Powers are a subtype of str.
    """
    value = getattr(command, field)
    types = get_type_hints(type(command))
    say = name if Power in (types[field], *get_args(types[field])) else str
    if isinstance(value, tuple):
        return (" " if field == "wishes" else ", ").join(map(say, value))
    return say(value) if value else ""
