"""A line of a mail, while it is read and when that is done."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from judge.commands import Command
from judge.language.context import Context
from judge.language.faults import Fault, FaultKind
from judge.language.words import Lexicon, Line, Word
from judge.rules.position import Province

LONGEST_LINE = 2000
"""Characters: no line of orders has more."""


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line of a mail and what was made of it; small talk has neither requests nor faults."""

    number: int
    text: str
    requests: tuple[Command, ...] = ()
    faults: tuple[Fault, ...] = ()
    is_guess: bool = False
    """Made of what its words speak of, no more."""
    is_heeded: bool = False
    """It says what becomes of orders in other lines, and those were read so."""
    instead: tuple[ReadLine, ...] = ()
    """Of a letter that may be for the judge in part: what that part says to it."""
    places: tuple[Province, ...] = ()
    """Of a line with a fault: where units of the sender stand that it may be meant for, the likeliest alone."""
    is_unread: bool = False
    """The budget of the mail was spent before it: neither it nor any line below it was read."""


@dataclass(frozen=True)
class Piece:
    """A line to be read, or a part of one, with what is known about the mail."""

    number: int
    line: Line
    context: Context

    @cached_property
    def lexicon(self) -> Lexicon:
        """The words of the board that is played on."""
        return self.context.lexicon

    @cached_property
    def words(self) -> list[Word]:
        """The words that say something."""
        return self.lexicon.words(self.line.text)

    @property
    def extent(self) -> tuple[int, int]:
        """Where the written line begins and ends, without blanks."""
        written = self.line.written
        return len(written) - len(written.lstrip()), len(written.rstrip())

    def part(self, start: int, end: int | None) -> Piece:
        """A part of it."""
        line = self.line
        return replace(self, line=replace(line, text=line.text[start:end], origin=line.origin[start:end]))

    def read_as(self, *requests: Command, faults: tuple[Fault, ...] = ()) -> ReadLine:
        """What was made of it."""
        return ReadLine(self.number, self.line.written, requests, faults)

    def fault(self, kind: FaultKind, span: tuple[int, int], candidates: tuple[str, ...] = ()) -> Fault:
        """A fault about a span of what was written."""
        return Fault(kind, self.number, *span, self.line.written[slice(*span)], candidates)
