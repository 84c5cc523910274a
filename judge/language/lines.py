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
    """A line of a mail and what was read in it; small talk has neither requests nor faults."""

    number: int
    text: str
    requests: tuple[Command, ...] = ()
    faults: tuple[Fault, ...] = ()
    is_guess: bool = False
    """It was only guessed from the words of the line."""
    is_heeded: bool = False
    """The line changes how orders in other lines are read, and this was applied."""
    instead: tuple[ReadLine, ...] = ()
    """For a letter that may be partly for the judge: the lines of that part."""
    places: tuple[Province, ...] = ()
    """For a line with a fault: where the sender's units are that it may be about, only the likeliest."""
    holds_rest: bool = False
    """All units hold that the mail does not order otherwise."""
    is_unread: bool = False
    """The budget of the mail was used up: neither this line nor any below it was read."""


@dataclass(frozen=True)
class Piece:
    """A line or part of a line to be read, with what is known about the mail."""

    number: int
    line: Line
    context: Context

    @cached_property
    def lexicon(self) -> Lexicon:
        """The words of the board that is played on."""
        return self.context.lexicon

    @cached_property
    def words(self) -> list[Word]:
        """The words, without those that mean nothing."""
        return self.lexicon.words(self.line.text)

    @property
    def extent(self) -> tuple[int, int]:
        """Where the written line begins and ends, without blanks."""
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
