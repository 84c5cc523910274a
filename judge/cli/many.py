"""`judge adjudicate`: lines in, lines out in the same order, in several processes if wanted."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from typer import Exit

from judge.cli.terminal import with_progress
from judge.errors import ConfigError
from judge.reports.clauses import reasons_on
from judge.rules.exchange import adjudicate_line

Numbered: TypeAlias = tuple[int, bytes]
Result: TypeAlias = tuple[str, bool]
_AT_ONCE = 64
"""Lines handed over at once; handing over one costs as much as adjudicating it."""
_AHEAD = 3
"""Batches read ahead per process, and no more: the file may be larger than memory."""


def adjudicate(
    file: Annotated[Path | None, typer.Argument(help="JSON Lines; standard input if not given.")] = None,
    jobs: Annotated[int, typer.Option(help="Processes that share the lines; results stay in order.", min=1)] = 1,
) -> None:
    """Adjudicate phases: JSON Lines in, JSON Lines out, one phase a line."""
    good = True
    try:
        lines = file.open("rb") if file else sys.stdin.buffer
    except OSError as error:
        raise ConfigError((f"{file} cannot be read: {error.strerror}",)) from error
    with lines:
        for result, done in adjudicated(_numbered(with_progress(lines, "adjudicating")), jobs):
            print(result, flush=True)
            good = good and done
    if not good:
        raise Exit(1)


def _numbered(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the non-empty lines with their numbers.

    They are bytes, because only a line feed may end a line.
    """
    for number, raw in enumerate(lines, start=1):
        line = raw.removeprefix(BOM_UTF8) if number == 1 else raw
        if line.strip():
            yield number, line


def adjudicated(lines: Iterable[Numbered], jobs: int) -> Iterator[Result]:
    """Yield the result of each line, and whether it could be read.

    With one job, each result follows its line at once.
    """
    if jobs == 1:
        yield from map(_one, lines)
        return
    with ProcessPoolExecutor(jobs) as pool:
        waiting: deque[Future[Sequence[Result]]] = deque()
        rest = iter(lines)
        while some := list(islice(rest, _AT_ONCE)):
            waiting.append(pool.submit(_several, some))
            if len(waiting) == jobs * _AHEAD:
                yield from waiting.popleft().result()
        for done in waiting:
            yield from done.result()


def _one(line: Numbered) -> Result:
    number, content = line
    return adjudicate_line(content, reasons_on, number)


def _several(lines: Sequence[Numbered]) -> Sequence[Result]:
    return [_one(line) for line in lines]
