"""Lines adjudicated by several processes, results in the order of the lines."""

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
"""Lines that a process gets at once: to hand over one takes as long as to adjudicate one."""
_AHEAD = 3
"""So many times that for each process are read ahead, and no more: the file may be longer than memory."""


def adjudicated(lines: Iterable[Numbered], jobs: int) -> Iterator[Result]:
    """The result of each line, and whether it could be read; one by one as they come if there is one job."""
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
