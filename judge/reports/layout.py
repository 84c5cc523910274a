r"""The blocks of a letter: written once, laid out as text and as HTML.

A template writes plain lines:

* A single line is a paragraph, however long.
* Indented lines are a list of lines of a mail, such as orders. If they begin with a mark (`•`, `✓`, `1.`), they are a
  list of sentences. `STRUCK` strikes a line through.
* A line with tabs is the row of a table.
* `heading(...)` makes a heading.
* `SAID` stands for a person's own words, which keep the layout they were written with.
* `quoted(...)` are words of a person within a longer text. Each line stands behind a bar, so that a reply to the letter
  does not repeat them as the words of its own writer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from markupsafe import Markup, escape

from judge.reports.columns import WIDTH, hanging, padded, width
from judge.rules.position import COAST, CODE

_HEADING = "\x1e"
SAID = "\x1d"
STRUCK = "\x1f"
_QUOTED = "\x0e"
_BAR = "| "
_STRUCK_IN_TEXT = "× "
_FIGURE = re.compile(r"[-+−]?\d*|[-+−]?\d+ ?\(?[-+−]?\d*\)?")
_ITEM = re.compile(r" +(?:[•✓✗]|\d+\.) ")
_INDENT = "  "
_MOST_COLUMNS, _LONGEST_NAME = 3, 20
"""The most columns of a table with usual margins; the longest unbroken first cell."""
_UNIT = re.compile(rf"\b([AF]) (?={CODE}(?:/{COAST})?\b)")
_ONE_PIECE = re.compile(r"\[?\bR-[A-Z]+-\d+\]?|\d+[^\W\d_]\d+")
"""Text to keep in one piece: the rule in a reason, the strengths.

Mail programs would break it at its hyphens or between its characters.
"""


class BlockKind(StrEnum):
    """How a block is laid out."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LINES = "lines"
    ITEMS = "items"
    """Sentences, each behind a mark."""
    STRUCK = "struck"
    """Lines that no longer count."""
    TABLE = "table"
    SAID = "said"
    """A person's own words."""
    QUOTED = "quoted"
    """A person's own words within a longer text."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a letter."""

    kind: BlockKind
    lines: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    """The cells of a table."""
    figures: tuple[bool, ...] = ()
    """For a table: which columns are numbers."""

    @property
    def is_tight(self) -> bool:
        """Whether the cells of a table stand closer: it has numbers or many columns."""
        return any(self.figures) or len(self.figures) > _MOST_COLUMNS

    @property
    def keeps_names(self) -> bool:
        """Whether the first cell of each row fits in a phone's line beside the next."""
        return all(width(row[0]) <= _LONGEST_NAME for row in self.rows)


def unbroken(text: str) -> Markup:
    r"""Return a sentence as HTML whose units, rules and strengths are not broken.

    >>> unbroken("bounced: 1 against 1 (A RUH) [R-MOVE-2]")
    Markup('bounced: 1 against 1 (A\xa0RUH) <span style="white-space:nowrap">[R-MOVE-2]</span>')
    """
    together = _UNIT.sub("\\1\N{NO-BREAK SPACE}", str(escape(text)))
    return Markup(_ONE_PIECE.sub(r'<span style="white-space:nowrap">\g<0></span>', together))  # noqa: S704 - escaped


def heading(text: str) -> str:
    """Mark a line as a heading."""
    return f"{_HEADING}{text}"


def quoted(text: str) -> str:
    """Mark the lines of a person's words."""
    return "\n".join(f"{_QUOTED}{line}" for line in text.splitlines())


def blocks(written: str, said: str = "") -> tuple[Block, ...]:
    r"""Split what a template wrote into blocks; `said` replaces its SAID.

    >>> [str(block.kind) for block in blocks("  A PAR H\n\n  • Missing orders: units hold.")]
    ['lines', 'items']
    """
    return tuple(block for kind, lines in _kinds(written) for block in _blocks(kind, lines, said))


def _kinds(written: str) -> Iterator[tuple[BlockKind | None, list[str]]]:
    for kind, lines in groupby(written.strip("\n").split("\n"), key=_kind):
        yield kind, list(lines)


def _kind(line: str) -> BlockKind | None:
    if not line.strip(" "):
        return None
    if line == SAID:
        return BlockKind.SAID
    if line.startswith(_HEADING):
        return BlockKind.HEADING
    if line.startswith(_QUOTED):
        return BlockKind.QUOTED
    if "\t" in line:
        return BlockKind.TABLE
    if line.startswith(" "):
        return BlockKind.STRUCK if STRUCK in line else BlockKind.ITEMS if _ITEM.match(line) else BlockKind.LINES
    return BlockKind.PARAGRAPH


def _blocks(kind: BlockKind | None, lines: list[str], said: str) -> Iterator[Block]:
    match kind:
        case None:
            return
        case BlockKind.SAID:
            yield Block(kind, tuple(said.strip("\n").split("\n")))
        case BlockKind.QUOTED:
            yield Block(BlockKind.SAID, tuple(line.removeprefix(_QUOTED) for line in lines))
        case BlockKind.HEADING:
            yield from (Block(kind, (line.removeprefix(_HEADING),)) for line in lines)
        case BlockKind.PARAGRAPH:
            yield from (Block(kind, (line,)) for line in lines)
        case BlockKind.LINES | BlockKind.ITEMS | BlockKind.STRUCK:
            yield Block(kind, tuple(line.replace(STRUCK, "").strip(" ") for line in lines))
        case BlockKind.TABLE:
            rows = tuple(tuple(cell.strip(" ") for cell in line.split("\t")) for line in lines)
            yield Block(kind, rows=rows, figures=_figures(rows))


def _figures(rows: Sequence[Sequence[str]]) -> tuple[bool, ...]:
    """Tell for each column whether it holds only numbers."""
    return tuple(
        all(_FIGURE.fullmatch(row[number]) for row in rows if number < len(row))
        for number in range(max(map(len, rows)))
    )


def as_text(written: str, said: str = "") -> str:
    """Return the letter as text; long lines are not folded yet."""
    lines: list[str] = []
    for kind, found in _kinds(written):
        match kind:
            case BlockKind.SAID:
                lines += said.strip("\n").split("\n")
            case BlockKind.QUOTED:
                rows = (row for line in found for row in hanging(line.removeprefix(_QUOTED), WIDTH, _BAR, _BAR))
                lines += map(str.rstrip, rows)
            case BlockKind.HEADING:
                lines += [line.removeprefix(_HEADING) for line in found]
            case BlockKind.TABLE:
                lines += aligned([[cell.strip(" ") for cell in line.split("\t")] for line in found])
            case BlockKind.STRUCK:
                lines += [line.replace(STRUCK, _STRUCK_IN_TEXT) for line in found]
            case None:
                lines.append("")
            case _:
                lines += found
    return "\n".join(lines)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Align the columns of rows; a full-width character is two wide.

    >>> aligned([["", "1901", "1902"], ["フランス", "3", "10"], ["Italy", "3", "4"]])
    ['            1901  1902', '  フランス     3    10', '  Italy        3     4']
    """
    figures = _figures(rows)
    columns = [max(width(row[number]) for row in rows if number < len(row)) for number in range(len(figures))]

    def cell(number: int, text: str) -> str:
        room = columns[number]
        return " " * (room - width(text)) + text if figures[number] else padded(text, room)

    return [(_INDENT + _INDENT.join(cell(number, text) for number, text in enumerate(row))).rstrip() for row in rows]
