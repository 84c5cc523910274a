"""Find common stretches of two texts in linear time (suffix automaton of lines)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise


@dataclass(slots=True)
class _State:
    """All stretches of our text that end at the same positions."""

    longest: int
    """Lines of the longest of them."""
    shorter: int = -1
    """The state of the longest suffix that also ends elsewhere."""
    following: dict[str, int] = field(default_factory=dict)
    """The next line → the state after it."""


def common_stretches(lines: Sequence[str], ours: Sequence[str], least: int) -> Iterator[range]:
    """Yield every maximal range of at least `least` `lines` that also occurs in `ours`.

    >>> list(common_stretches(["x", "a", "b", "c", "x"], ["a", "b", "c", "d", "x"], least=2))
    [range(1, 4)]
    """
    pairs = set(pairwise(ours))
    if pairs.isdisjoint(pairwise(lines)):  # the usual case: no automaton is needed
        return
    states = _automaton(ours)
    state, size = 0, 0
    for place, line in enumerate(lines):
        if line not in states[state].following and size >= least:
            yield range(place - size, place)
        while state and line not in states[state].following:
            state = states[state].shorter
            size = states[state].longest
        if line in states[state].following:
            state, size = states[state].following[line], size + 1
    if size >= least:
        yield range(len(lines) - size, len(lines))


def _automaton(ours: Sequence[str]) -> list[_State]:
    states = [_State(0)]
    last = 0
    for line in ours:
        new = len(states)
        states.append(_State(states[last].longest + 1))
        one = last
        while one >= 0 and line not in states[one].following:
            states[one].following[line] = new
            one = states[one].shorter
        states[new].shorter = 0 if one < 0 else _split(states, one, line)
        last = new
    return states


def _split(states: list[_State], before: int, line: str) -> int:
    """Return the state for the stretches of `before` with `line` added.

    Longer stretches are split off.
    """
    behind = states[before].following[line]
    if states[behind].longest == states[before].longest + 1:
        return behind
    states.append(_State(states[before].longest + 1, states[behind].shorter, dict(states[behind].following)))
    alone = len(states) - 1
    states[behind].shorter = alone
    while before >= 0 and states[before].following.get(line) == behind:
        states[before].following[line] = alone
        before = states[before].shorter
    return alone
