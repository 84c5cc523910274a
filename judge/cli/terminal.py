"""Output to a terminal: tables that fit it, and progress lines.

Pipes and programs get neither.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from shutil import get_terminal_size
from typing import Annotated, Literal, TypeVar

import typer

_Item = TypeVar("_Item")
_NOTHING_CUT = 10_000
"""Columns of a line written to a pipe."""
_BETWEEN = 2

AsJson = Annotated[bool, typer.Option("--json", help="For programs: JSON, with all there is.")]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    key: str
    title: str
    is_number: bool = False
    gives_way: bool = False
    """Whether it is shortened if the terminal is too narrow."""


def show_rows(columns: Sequence[Column], rows: Sequence[Mapping[str, object]], *, as_json: bool) -> None:
    """Print a table of those columns, or JSON: objects with all their keys."""
    if as_json:
        show_json(rows)
        return
    from rich.console import Console  # noqa: PLC0415 - only tables need it
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    cells = [[_cell(row[column.key]) for column in columns] for row in rows]
    available = get_terminal_size().columns if sys.stdout.isatty() else _NOTHING_CUT
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column, width in zip(columns, _widths(columns, cells, available), strict=True):
        justify: Literal["left", "right"] = "right" if column.is_number else "left"
        table.add_column(column.title, justify=justify, no_wrap=True, overflow="ellipsis", width=width)
    for row_of_cells in cells:
        table.add_row(*map(Text, row_of_cells))
    console = Console(width=available, highlight=False)
    with console.capture() as captured:
        console.print(table)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def _widths(columns: Sequence[Column], cells: Sequence[Sequence[str]], available: int) -> list[int]:
    """Return column widths that fit all cells.

    If the terminal is narrower, the widest columns that give way are shortened.
    """
    from rich.cells import cell_len  # noqa: PLC0415 - only tables need it

    turned = list(zip(*cells, strict=True)) or [()] * len(columns)
    widths = [max(map(cell_len, [column.title, *its])) for column, its in zip(columns, turned, strict=True)]
    missing = sum(widths) + _BETWEEN * (len(columns) - 1) - available
    yielding = [place for place, column in enumerate(columns) if column.gives_way]
    while missing > 0 and yielding:
        widest = max(yielding, key=widths.__getitem__)
        if widths[widest] <= len(columns[widest].title):
            break
        widths[widest] -= 1
        missing -= 1
    return widths


def show_json(value: object) -> None:
    """Print a value as JSON; times as ISO 8601."""
    print(json.dumps(value, ensure_ascii=False, default=_plain))


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _cell(value: object) -> str:
    match value:
        case None | "":
            return "-"
        case datetime():
            return f"{value:%Y-%m-%d %H:%M}"
        case bool():
            return "yes" if value else "no"
        case _:
            return visible(" ".join(str(value).split()))


def visible(text: str) -> str:
    """Replace control characters in foreign text: a terminal would obey them."""
    return "".join(c if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs") else "�" for c in text)


def with_progress(items: Iterable[_Item], doing: str, total: int | None = None) -> Iterator[_Item]:
    """Yield the items; on a terminal, show a progress line that disappears at the end."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import track  # noqa: PLC0415

    yield from track(items, doing, total=total, console=Console(stderr=True), transient=True)


def waiting(doing: str) -> AbstractContextManager[object]:
    """Show a spinner during a step whose duration is not known."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it

    return Console(stderr=True).status(doing)
