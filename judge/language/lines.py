"""A line of a mail, while it is read and after."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from judge.commands import Command
from judge.language.context import Context
from judge.language.faults import Fault, FaultKind
from judge.language.words import Lexicon, Line, Word
from judge.rules.position import Province


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line of a mail and what was read in it.

    Small talk has neither requests nor faults.
    """

    number: int
    text: str
    requests: tuple[Command, ...] = ()
    faults: tuple[Fault, ...] = ()
    is_guess: bool = False
    """Whether it was only guessed from the words of the line."""
    is_heeded: bool = False
    """Whether the line changed how orders in other lines are read."""
    instead: tuple[ReadLine, ...] = ()
    """For a letter that may be partly for the judge: the lines of that part."""
    places: tuple[Province, ...] = ()
    """For a line with a fault: locations of the sender's units it may mean.

    Only the likeliest are included.
    """
    holds_rest: bool = False
    """Whether all units without an order in the mail hold."""
    is_unread: bool = False
    """Whether reading stopped here because the budget was used up.

    Neither this line nor any below it was read.
    """


@dataclass(frozen=True)
class Piece:
    """A line to read, or a part of one, with its context."""

    number: int
    line: Line
    context: Context

    @cached_property
    def lexicon(self) -> Lexicon:
        """The words of the board that is played on."""
        return self.context.lexicon

    @cached_property
    def words(self) -> list[Word]:
        """The words, without meaningless ones."""
        return self.lexicon.words(self.line.text)

    @property
    def extent(self) -> tuple[int, int]:
        """The begin and end of the written line, without blanks."""
        written = self.line.written
        return len(written) - len(written.lstrip()), len(written.rstrip())

    def part(self, start: int, end: int | None) -> Piece:
        """Return a part of the piece."""
        line = self.line
        return replace(self, line=replace(line, text=line.text[start:end], origin=line.origin[start:end]))

    def read_as(self, *requests: Command, faults: tuple[Fault, ...] = ()) -> ReadLine:
        """Return the line as read."""
        return ReadLine(self.number, self.line.written, requests, faults)

    def fault(self, kind: FaultKind, span: tuple[int, int], candidates: tuple[str, ...] = ()) -> Fault:
        """Return a fault about a span of the written line."""
        return Fault(kind, self.number, *span, self.line.written[slice(*span)], candidates)
