"""A mesh of triangles, each owned by one province; cells cannot overlap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from judge.rules.position import Province
from judge.schematic.plane import Plane, Side

Numbers: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

GAP = "gap "
"""The prefix of owners that are gaps and not provinces."""


@dataclass(slots=True)
class Mesh:
    """Triangles with their owners; the nodes of the frame come first.

    The frame is the edge of the picture.
    """

    triangles: Numbers
    """Three nodes each, all in the same orientation."""
    owners: Numbers
    names: Sequence[str]
    """Number of an owner → a province or a gap."""
    frame: Sequence[float]
    """The places of the frame's nodes around the picture, in quarters: 0 to 4.

    Whole numbers are corners.
    """
    count: int

    def refined(self, at: Floats) -> tuple[Mesh, Floats]:
        """Return the mesh with each triangle cut into four, and the places of its nodes."""
        sides = np.sort(self.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        unique, back = np.unique(sides, axis=0, return_inverse=True)
        middles = self.count + back.reshape(-1, 3)
        a, b, c = self.triangles.T
        ab, bc, ca = middles.T
        cut = np.stack([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca], axis=1).reshape(-1, 3)
        points = np.concatenate([at, (at[unique[:, 0]] + at[unique[:, 1]]) / 2])
        return Mesh(cut, np.repeat(self.owners, 4), self.names, self.frame, self.count + len(unique)), points


def flipped(mesh: Mesh, at: Floats) -> bool:
    """Flip diagonals within cells to make triangles less thin; return whether any were flipped."""
    first: dict[tuple[int, int], int] = {}
    pairs: list[tuple[int, int, int, int]] = []
    triangles, owners = mesh.triangles.tolist(), mesh.owners.tolist()
    for number, triangle in enumerate(triangles):
        for n in range(3):
            one, other = triangle[n], triangle[n - 2]
            before = first.pop((other, one), None)
            if before is None:
                first[one, other] = number
            elif owners[before] == owners[number]:
                pairs.append((one, other, number, before))
    found = np.array(pairs)
    a, b = found[:, 0], found[:, 1]
    c, d = (mesh.triangles[found[:, n]].sum(axis=1) - a - b for n in (2, 3))
    wished = np.flatnonzero(_round(at, a, b, c, d))
    done: set[int] = set()
    for n in wished.tolist():
        number, before = pairs[n][2:]
        if not done & {number, before}:
            done |= {number, before}
            mesh.triangles[number] = (c[n], a[n], d[n])
            mesh.triangles[before] = (d[n], b[n], c[n])
    return bool(done)


def _round(at: Floats, a: Numbers, b: Numbers, c: Numbers, d: Numbers) -> NDArray[np.bool_]:
    """Whether d lies in the circle around a, b, c, in a convex quadrilateral."""
    (ax, ay), (bx, by), (cx, cy) = ((at[node] - at[d]).T for node in (a, b, c))
    a2, b2, c2 = ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy
    inside = ax * (by * c2 - cy * b2) - ay * (bx * c2 - cx * b2) + a2 * (bx * cy - by * cx)
    convex = (cx * ay - cy * ax > 1e-3) & (bx * cy - by * cx > 1e-3)
    return (inside > 1e-3) & convex  # type: ignore[no-any-return]


class _Builder:
    def __init__(self) -> None:
        self.count = 0
        self.triangles: list[tuple[int, int, int]] = []
        self.owners: list[int] = []
        self.names: dict[str, int] = {}
        self.nodes: dict[Province | int, int] = {}
        """Province or piece of border → its node."""

    def node(self) -> int:
        self.count += 1
        return self.count - 1

    def of(self, what: Province | int) -> int:
        if what not in self.nodes:
            self.nodes[what] = self.node()
        return self.nodes[what]

    def add(self, owner: str, *nodes: int) -> None:
        self.triangles.append((nodes[0], nodes[1], nodes[2]))
        self.owners.append(self.names.setdefault(owner, len(self.names)))

    def along(self, side: Side, apex: int) -> None:
        """Add the triangles on both halves of a side, with that apex."""
        middle = self.of(side.border)
        self.add(side.here, self.of(side.here), middle, apex)
        self.add(side.there, middle, self.of(side.there), apex)

    def fan(self, owner: Province, ring: Sequence[int]) -> None:
        for one, other in pairwise(ring):
            self.add(owner, self.of(owner), other, one)

    def gap(self, face: Sequence[Side]) -> None:
        """Leave a gap in the middle of the face.

        Each corner of the face gets a part of the rim.
        """
        ends = [self.node() for _ in face]
        corners = [self.node() for _ in face]
        middle = self.node()
        name = f"{GAP}{len(self.names)}"
        for n, side in enumerate(face):
            self.along(side, ends[n])
            before, corner, after = ends[n - 1], corners[n], ends[n]
            self.fan(side.here, (before, corner, after))
            self.add(name, before, corner, middle)
            self.add(name, corner, after, middle)


def frame(plane: Plane, weights: dict[Province, float], turned: float) -> list[tuple[Province, list[float]]]:
    """Return each outer province with its places on the frame, in quarters.

    Quarters are counted around the picture. The first and last place of a province are at the borders to the
    provinces before and after it.
    """
    if not plane.outer:
        return [(plane.alone[0], [0.0, 1.0, 2.0, 3.0, 4.0])]
    shares = [weights[side.here] for side in plane.outer]
    whole = sum(shares)
    reached, places = 0.0, []
    for side, share in zip(plane.outer, shares, strict=True):
        first, last = turned + 4 * reached / whole, turned + 4 * (reached + share) / whole
        corners = [float(n) for n in range(math.ceil(first + 1e-9), math.ceil(last - 1e-9))]
        between = corners or [(first + last) / 2]
        places.append((side.here, [first, *between, last]))
        reached += share
    return places


def built(plane: Plane, around: Sequence[tuple[Province, list[float]]]) -> Mesh:
    """Return the mesh of a plane whose outer provinces reach the frame."""
    builder = _Builder()
    rings: list[list[int]] = []
    quarters: list[float] = []
    for _, places in around:
        rings.append([builder.node() for _ in places[:-1]])
        quarters += [place % 4 for place in places[:-1]]
    closed = [[*ring, following[0]] for ring, following in zip(rings, [*rings[1:], rings[0]], strict=True)]
    for (owner, _), ring in zip(around, closed, strict=True):
        builder.fan(owner, ring)
    for side, ring in zip(plane.outer, closed, strict=False):
        builder.along(side, ring[-1])
    for face in plane.faces:
        if len(face) == 3:
            apex = builder.node()
            for side in face:
                builder.along(side, apex)
        else:
            builder.gap(face)
    return Mesh(np.array(builder.triangles), np.array(builder.owners), list(builder.names), quarters, builder.count)
