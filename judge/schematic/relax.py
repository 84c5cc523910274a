"""Places of the nodes of a mesh.

The first layout has no overlaps; then cells become round and large enough. Only operations that give the same result
on every machine are used: no linear algebra library, no vectorized sums.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from judge.schematic.mesh import Floats, Mesh, Numbers, flipped

_ROUNDS = 60
"""How often the springs of the first layout are adjusted."""
_EXACT = 1e-9
_TENSION, _PRESSURE, _SMOOTHING, _SPREAD = 0.7, 0.5, 0.5, 0.2
_THIN, _THICKEN, _FARTHEST = 0.25, 0.3, 3.0
"""Triangles below the first share of their owner's mean are made thicker.

_THICKEN says how fast, and _FARTHEST how far a node may move in a step.
"""
_FLIP_EVERY, _FLIP_PASSES = 15, 4
_HALVINGS, _SHRINK = 12, 0.3
"""A triangle may not shrink below the second number, as a share, in a step.

Moves are halved up to the first number of times. After that, nodes are kept in place.
"""
_SLIVER = 0.03
"""Triangles below this share of the mean triangle may not shrink further."""


def areas(triangles: Numbers, at: Floats) -> Floats:
    """Return the signed areas of the triangles."""
    a, b, c = (at[triangles[:, n]] for n in range(3))
    return ((b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])) / 2


def upright(mesh: Mesh, at: Floats) -> None:
    """Turn all triangles over if the frame is mirrored."""
    if math.fsum(areas(mesh.triangles, at)) < 0:
        mesh.triangles = mesh.triangles[:, [0, 2, 1]]


def _added(where: Numbers, what: Floats, count: int) -> Floats:
    """Add up the rows of `what`, one after the other."""
    return np.stack([np.bincount(where, what[:, axis], count) for axis in (0, 1)], axis=1)


def _product(one: Floats, other: Floats) -> float:
    return math.fsum((one * other).ravel().tolist())


def first_layout(mesh: Mesh, rim: Floats, targets: Floats) -> Floats:
    """Return a layout without overlaps: each node is the weighted mean of its neighbors.

    This is the method of Tutte and Floater. The weights are adjusted until the triangles of each owner have about the
    areas they should have.
    """
    fixed = len(rim)
    at = np.concatenate([rim, np.zeros((mesh.count - fixed, 2)) + rim.mean(axis=0)])
    each = targets[mesh.owners] / np.bincount(mesh.owners)[mesh.owners]
    sides = mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    springs = np.ones(len(mesh.triangles))
    best = (0.0, at)
    for _ in range(_ROUNDS):
        at = _settled(sides, np.repeat(springs, 3), at, fixed)
        upright(mesh, at)
        found = np.maximum(areas(mesh.triangles, at), 0)
        share = np.bincount(mesh.owners, found, len(targets)) / targets
        best = max(best, (float(share.min()), at), key=lambda one: one[0])
        single = np.sqrt(np.sqrt(found / each))
        springs = springs * np.clip(single * np.sqrt(share)[mesh.owners], 0.4, 2.5)
        springs = np.maximum(springs / math.fsum(springs.tolist()) * len(springs), 1e-6)
    return np.round(best[1], 6)


def _settled(sides: Numbers, springs: Floats, at: Floats, fixed: int) -> Floats:
    """Return where the springs come to rest.

    The method is conjugate gradients, preconditioned by the diagonal.
    """
    one, other = sides.T
    weight = springs[:, None]
    whole = np.bincount(one, springs, len(at)) + np.bincount(other, springs, len(at))

    def pull(x: Floats) -> Floats:
        forces = weight * (x[other] - x[one])
        total = _added(one, forces, len(at)) - _added(other, forces, len(at))
        total[:fixed] = 0
        return total

    rest = pull(at)
    scaled = rest / whole[:, None]
    direction = scaled
    power = start = _product(rest, scaled)
    for _ in range(4 * len(at)):
        if power <= _EXACT * _EXACT * start or power == 0:
            break
        moved = -pull(direction)
        step = power / _product(direction, moved)
        at = at + step * direction
        rest = rest - step * moved
        scaled = rest / whole[:, None]
        power, before = _product(rest, scaled), power
        direction = scaled + power / before * direction
    return at


@dataclass(slots=True)
class Bubbles:
    """Cells that behave like soap bubbles.

    Their borders shorten, and a pressure keeps the area of each.
    """

    mesh: Mesh
    at: Floats
    targets: Floats
    size: tuple[float, float]
    shortest: float
    """Borders shorter than this grow."""
    _border: Numbers = field(init=False)
    """Segments of borders and of the frame, with two nodes each.

    The first owner lies on the left.
    """
    _left: Numbers = field(init=False)
    _right: Numbers = field(init=False)
    """The owner on the right; the frame counts as one after the last owner."""
    _sides: Numbers = field(init=False)
    _held: tuple[Numbers, Numbers] = field(init=False)
    _lines: Sequence[list[int]] = field(init=False)
    """Borders as lists of nodes, from end to end."""

    def __post_init__(self) -> None:
        """Find the borders, and the nodes held by the frame."""
        owners: dict[tuple[int, int], int] = {}
        for triangle, owner in zip(self.mesh.triangles.tolist(), self.mesh.owners.tolist(), strict=True):
            for n in range(3):
                owners[triangle[n], triangle[(n + 1) % 3]] = owner
        outside = len(self.mesh.names)
        found = sorted(
            (one, other, owner, owners.get((other, one), outside))
            for (one, other), owner in owners.items()
            if owner < owners.get((other, one), outside)
        )
        table = np.array(found)
        self._border, self._left, self._right = table[:, :2], table[:, 2], table[:, 3]
        width, height = self.size
        self._held = tuple(
            np.flatnonzero((self.at[:, axis] <= 0) | (self.at[:, axis] >= most))
            for axis, most in enumerate((width, height))
        )  # type: ignore[assignment]
        self._lines = lines(found, outside)

    def blown(self, steps: int) -> Floats:
        """Run that many steps and return the places of the nodes."""
        on_border = np.zeros(self.mesh.count, dtype=np.bool_)
        on_border[self._border.ravel()] = True
        for step in range(steps):
            if step % _FLIP_EVERY == 0:
                self._remesh()
            moves = np.where(on_border[:, None], self._border_moves(), _SMOOTHING * self._to_the_mean(self._sides))
            moves += self._thickened()
            self._move(moves)
        return np.round(self.at, 6)

    def _remesh(self) -> None:
        for _ in range(_FLIP_PASSES):
            if not flipped(self.mesh, self.at):
                break
        self._sides = np.unique(np.sort(self.mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)

    def _to_the_mean(self, sides: Numbers) -> Floats:
        one, other = sides.T
        count = self.mesh.count
        total = _added(one, self.at[other], count) + _added(other, self.at[one], count)
        number = np.bincount(one, minlength=count) + np.bincount(other, minlength=count)
        return np.where(number[:, None] > 0, total / np.maximum(number, 1)[:, None] - self.at, 0)

    def _border_moves(self) -> Floats:
        one, other = self._border.T
        along = self.at[other] - self.at[one]
        normals = np.stack([along[:, 1], -along[:, 0]], axis=1)  # away from the left owner
        count = self.mesh.count
        lengths = np.sqrt((along * along).sum(axis=1))
        owned = len(self.mesh.names)
        around = np.bincount(self._left, lengths, owned + 1) + np.bincount(self._right, lengths, owned + 1)
        size = np.bincount(self.mesh.owners, areas(self.mesh.triangles, self.at), owned)
        lacking = np.append(np.clip((self.targets - size) / around[:owned], -9, 9), 0)
        push = (lacking[self._left] - lacking[self._right])[:, None] * normals / np.maximum(lengths, 1e-9)[:, None]
        number = np.maximum(np.bincount(one, minlength=count) + np.bincount(other, minlength=count), 1)[:, None]
        moves = _PRESSURE * (_added(one, push, count) + _added(other, push, count)) / number
        moves += _TENSION * self._shortened(along, lengths)
        self._spread_short_ones(moves)
        return moves  # type: ignore[no-any-return]

    def _shortened(self, along: Floats, lengths: Floats) -> Floats:
        """Pull the ends of each piece of border together.

        Pieces longer than the mean are pulled no harder than the mean.
        """
        inner = self._right < len(self.mesh.names)
        usual = math.fsum(lengths[inner].tolist()) / max(1, int(inner.sum()))
        pull = along[inner] * np.minimum(1, usual / np.maximum(lengths[inner], 1e-9))[:, None]
        one, other = self._border[inner].T
        total = _added(one, pull, self.mesh.count) - _added(other, pull, self.mesh.count)
        number = np.bincount(one, minlength=self.mesh.count) + np.bincount(other, minlength=self.mesh.count)
        return total / np.maximum(number, 1)[:, None]  # type: ignore[no-any-return]

    def _thickened(self) -> Floats:
        """Push the corners of thin triangles away from the opposite sides."""
        triangles = self.mesh.triangles
        size = areas(triangles, self.at)
        count = np.bincount(self.mesh.owners)
        wished = (_THIN * np.bincount(self.mesh.owners, size) / count)[self.mesh.owners]
        thin = size < wished
        moves = np.zeros_like(self.at)
        for n in range(3):
            corner, one, other = (triangles[thin, (n + k) % 3] for k in range(3))
            base = self.at[other] - self.at[one]
            square = np.maximum((base * base).sum(axis=1), 1e-9)
            push = _THICKEN * ((wished - size)[thin] / square)[:, None] * np.stack([-base[:, 1], base[:, 0]], axis=1)
            moves += _added(corner, push, self.mesh.count)
        return np.clip(moves, -_FARTHEST, _FARTHEST)

    def _spread_short_ones(self, moves: Floats) -> None:
        """Push the ends of short borders apart."""
        at = self.at.tolist()
        for line in self._lines:
            (x0, y0), (x1, y1) = at[line[0]], at[line[-1]]
            apart = math.dist((x0, y0), (x1, y1))
            if 0 < apart < self.shortest:
                push = min(_FARTHEST, _SPREAD * (self.shortest - apart)) / apart
                moves[line[0]] -= (push * (x1 - x0), push * (y1 - y0))
                moves[line[-1]] += (push * (x1 - x0), push * (y1 - y0))

    def _move(self, moves: Floats) -> None:
        """Move the nodes, except where a triangle would turn over or become a sliver."""
        for axis, held in enumerate(self._held):
            moves[held, axis] = 0
        triangles = self.mesh.triangles
        before = areas(triangles, self.at)
        least = _SLIVER * self.size[0] * self.size[1] / len(triangles)
        for attempt in itertools.count():
            moved = self.at + moves
            now = areas(triangles, moved)
            bad = (now <= np.maximum(least, before * _SHRINK)) & (now < before)
            if not bad.any():
                break
            moves[np.unique(triangles[bad])] *= 0.5 if attempt < _HALVINGS else 0.0
        self.at = moved


def lines(segments: Sequence[tuple[int, int, int, int]], outside: int) -> list[list[int]]:
    """Return every border between two cells as its nodes, from end to end.

    A border in two places gives two lines.
    """
    ways: dict[tuple[int, int], dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for one, other, left, right in segments:
        if right != outside:
            ways[left, right][one].append(other)
            ways[left, right][other].append(one)
    found = []
    for steps in ways.values():
        ends = sorted(node for node, nexts in steps.items() if len(nexts) == 1)
        seen: set[int] = set()
        for end in ends:
            if end not in seen:
                line = [end]
                while nexts := [node for node in steps[line[-1]] if node not in line[-2:]]:
                    line.append(nexts[0])
                seen.update(line)
                found.append(line)
    return found
