"""Commands as they are written, in English: for the log, and to say which line counted."""

from __future__ import annotations

import re

from judge import commands as c
from judge.language.asking.phrases import Entry, load_phrases
from judge.rules.notation import write_order

_PART = re.compile(r"\[([^\]]*)\]")
_FIELD = re.compile(r"<(\w+)>")


def word_of(command: c.Command) -> str:
    """The words a command is written with, without what it is about.

    >>> word_of(c.EndGame("ardennes"))
    'END'
    """
    words = command_line(command).split()
    known = load_phrases().beginnings
    beginnings = [" ".join(words[:end]) for end in range(len(words), 0, -1)]
    return next((beginning for beginning in beginnings if beginning.lower() in known), words[0])


def command_line(command: c.Command) -> str:
    """The line that asks for a command, without its reason and the lines below it.

    >>> command_line(c.SetReady(ready=False))
    'NOT READY'
    """
    match command:
        case c.ForPower(power):
            return f"{power}:"
        case c.Give(order) | c.Doubted(order):
            return write_order(order)
        case c.AnswerQuestion(yes, numbers):
            return " ".join(["YES" if yes else "NO", *map(str, numbers)])
    for entry in load_phrases().entries:
        if entry.makes is type(command) and _says(entry, command):
            return _written(entry, command)
    raise LookupError(f"{type(command).__name__} has no phrase in grammar/words/commands/")


def _says(entry: Entry, command: c.Command) -> bool:
    """Whether a way to ask is the one for what a command holds."""
    gives = all(getattr(command, name) == value for name, value in entry.gives.items())
    return gives and all(getattr(command, name) for name in entry.needed)


def _written(entry: Entry, command: c.Command) -> str:
    if not entry.written:
        return " ".join(
            [entry.words[0].upper(), *(written for name in entry.fields if (written := _value(command, name)))]
        )
    line = _PART.sub(lambda part: part[1] if _value(command, _FIELD.findall(part[1])[0]) else "", entry.written)
    return " ".join(_FIELD.sub(lambda field: _value(command, field[1]), line).split())


def _value(command: c.Command, name: str) -> str:
    """A field as it is written; "" if it is empty."""
    value = getattr(command, name)
    if isinstance(value, tuple):
        return (" " if name == "wishes" else ", ").join(map(str, value))
    return str(value or "")
