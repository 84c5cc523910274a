"""Adjudicate lines in several processes; results keep the order of the lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from typing import TypeAlias

from judge.reports import reasons_on
from judge.rules.exchange import adjudicate_line

Numbered: TypeAlias = tuple[int, bytes]
Result: TypeAlias = tuple[str, bool]
_AT_ONCE = 64
"""Lines handed to a process at once: handing over one line takes as long as adjudicating it."""
_AHEAD = 3
"""Batches read ahead per process, and no more: the file may be larger than memory."""


def adjudicated(lines: Iterable[Numbered], jobs: int) -> Iterator[Result]:
    """Yield the result of each line, and whether it could be read; with one job, each line as it comes."""
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
