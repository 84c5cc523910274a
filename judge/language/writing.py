"""Commands as they are written, in English: for the log, and to say which line counted."""

from __future__ import annotations

from functools import partial

from judge import commands as c
from judge.language.asking.phrases import Entry, load_phrases, written_line
from judge.language.words import is_japanese
from judge.rules.notation import write_order


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
        case c.Perhaps(meant):
            return command_line(meant)
    for entry in load_phrases().entries:
        if entry.makes is type(command) and _says(entry, command):
            return written_line(entry, partial(_value, command))
    raise LookupError(f"{type(command).__name__} has no phrase in grammar/words/commands/")


def line_in_japanese(command: c.Command) -> str:
    """The line that asks for a command with the word for it in Japanese, where it needs no other words.

    >>> line_in_japanese(c.VoteDraw(agrees=True))
    '引き分け'
    """
    for entry in load_phrases().entries:
        words = [word for word in entry.words if is_japanese(word)]
        if words and entry.makes is type(command) and _says(entry, command) and (entry.fields or not entry.written):
            return " ".join([words[0], *filter(None, (_value(command, name) for name in entry.fields))])
    return command_line(command)


def _says(entry: Entry, command: c.Command) -> bool:
    """Whether a way to ask is the one for what a command holds."""
    gives = all(getattr(command, name) == value for name, value in entry.gives.items())
    return gives and all(getattr(command, name) for name in entry.needed)


def _value(command: c.Command, name: str) -> str:
    """A field as it is written; "" if it is empty."""
    value = getattr(command, name)
    if isinstance(value, tuple):
        return (" " if name == "wishes" else ", ").join(map(str, value))
    return str(value or "")
