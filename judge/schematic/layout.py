"""Cells of a board: its orientation and the size of each cell."""

from __future__ import annotations

import cmath
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judge.rules.map import Map
from judge.rules.position import Location, Province, province_of
from judge.schematic.mesh import GAP, Floats, Mesh, built, frame
from judge.schematic.plane import Plane
from judge.schematic.relax import Bubbles, first_layout, upright

_DIRECTIONS = {"north": -1j, "south": 1j, "east": 1, "west": -1, "upper": -0.5j, "lower": 0.5j}
_DIRECTION = re.compile("|".join(_DIRECTIONS), re.IGNORECASE)
_COASTS = {"N": -1j, "S": 1j, "E": 1, "W": -1}
_COAST_SHARE, _SPLIT_SHARE, _ISLAND_SHARE, _GAP_SHARE = 1.0, 1.9, 0.9, 0.035
NO_COMPASS: Mapping[str, Sequence[str]] = {}
_STEPS = (1500, 300)
"""Steps of the bubbles, on a coarse and on a fine mesh."""


@dataclass(frozen=True, slots=True)
class Cells:
    """A finished mesh, and the places of its nodes."""

    mesh: Mesh
    at: Floats


def cells(
    board: Map, plane: Plane, size: tuple[int, int], shortest: float, compass: Mapping[str, Sequence[str]] = NO_COMPASS
) -> Cells:
    """Return the cells of a board in a picture of that size."""
    weights = _weights(board, plane)
    mesh = built(plane, frame(plane, weights, 0))
    on_a_disc = first_layout(mesh, _rim(mesh, None), _targets(mesh, weights, math.pi))
    turned, mirrored = _way_up(board, mesh, on_a_disc, compass)
    mesh = built(plane, frame(plane, weights, turned))
    rim = _rim(mesh, size)
    if mirrored:
        rim[:, 0] = size[0] - rim[:, 0]
    targets = _targets(mesh, weights, size[0] * size[1])
    at = first_layout(mesh, rim, targets)
    for steps in _STEPS:
        mesh, at = mesh.refined(at)
        upright(mesh, at)
        at = Bubbles(mesh, at, targets, size, shortest).blown(steps)
    return Cells(mesh, at)


def _weights(board: Map, plane: Plane) -> dict[Province, float]:
    """Return how much room each cell needs.

    Cells with split coasts, with islands or with many neighbors need more.
    """
    weights = {
        code: (_SPLIT_SHARE if info.coasts else _COAST_SHARE) * (0.7 + 0.05 * len(board.borders[code]))
        for code, info in board.provinces.items()
        if board.borders[code]
    }
    for island, host in reversed([*plane.islands.items()]):
        weights[host] += _ISLAND_SHARE * weights.pop(island)
    return weights


def _targets(mesh: Mesh, weights: Mapping[Province, float], area: float) -> Floats:
    """Return the target areas of the owners of triangles.

    The target area of a gap grows with its corners.
    """
    corners = np.bincount(mesh.owners).tolist()
    shares = [
        _GAP_SHARE * (corners[n] / 2 - 3) if name.startswith(GAP) else weights[Province(name)]  # type: ignore[arg-type]
        for n, name in enumerate(mesh.names)
    ]
    return np.array(shares) * (area / sum(shares))


def _rim(mesh: Mesh, size: tuple[int, int] | None) -> Floats:
    """Return the places of the frame's nodes, on a rectangle or disc.

    If `size` is None, they are on a disc.
    """
    if size is None:
        turns = [cmath.exp(1j * math.pi / 2 * (quarter - 1.5)) for quarter in mesh.frame]
        return np.round(np.array([(turn.real, turn.imag) for turn in turns]), 9)
    return np.round(np.array([_on_rectangle(quarter, *size) for quarter in mesh.frame]), 3)


def _on_rectangle(quarter: float, width: int, height: int) -> tuple[float, float]:
    side, part = divmod(quarter, 1)
    return ((width * part, 0.0), (width, height * part), (width * (1 - part), height), (0.0, height * (1 - part)))[
        int(side) % 4
    ]


def _way_up(board: Map, mesh: Mesh, at: Floats, compass: Mapping[str, Sequence[str]]) -> tuple[float, bool]:
    """Return by how many quarters the board is turned, and whether it is mirrored.

    Its compass decides, or else the directions in the names of provinces and coasts.
    """
    middles = _middles(mesh, at)
    if compass:
        pairs = [(_DIRECTIONS[side], code) for side, codes in compass.items() for code in codes]
        return _turned((wish, middles[Province(Location(code))]) for wish, code in pairs if code in middles)
    return _turned(_told(board, middles))


def _told(board: Map, middles: Mapping[Province, complex]) -> list[tuple[complex, complex]]:
    """Return directions in names and coasts, each with the place that should lie there."""
    wishes = [
        (_DIRECTIONS[word.lower()], middle)
        for code, middle in middles.items()
        for word in _DIRECTION.findall(board.provinces[code].name)
    ]
    for code in sorted(middles):
        for coast in board.provinces[code].coasts:
            seas = [
                middles[province_of(to)]
                for to in board.fleet_borders[coast]
                if province_of(to) in board.seas & middles.keys()
            ]
            if seas:
                there = sum(seas) / len(seas) - middles[code]
                wishes += [(_COASTS[letter], 2 * there) for letter in coast.partition("/")[2] if letter in _COASTS]
    return wishes


def _turned(told: Iterable[tuple[complex, complex]]) -> tuple[float, bool]:
    """Return the turn in quarters, and whether to mirror, that fit the directions best."""
    wishes = list(told)
    straight = sum(wish.conjugate() * place for wish, place in wishes)
    mirrored = -sum(wish.conjugate() * place.conjugate() for wish, place in wishes)
    if abs(mirrored) > abs(straight) + 1e-6:
        return _sixteenths(cmath.phase(mirrored)), True
    return _sixteenths(-cmath.phase(straight)), False


def _sixteenths(angle: float) -> float:
    """Return an angle in quarters of a turn, rounded to sixteenths."""
    return round(angle / math.pi * 8) / 4 % 4


def _middles(mesh: Mesh, at: Floats) -> dict[Province, complex]:
    """Return the mean of the corners of each province's triangles."""
    corners = at[mesh.triangles].sum(axis=1) / 3
    count = np.bincount(mesh.owners)
    x, y = (np.bincount(mesh.owners, corners[:, axis]) / count for axis in (0, 1))
    return {
        Province(name): complex(x[n], y[n])  # type: ignore[arg-type]
        for n, name in enumerate(mesh.names)
        if not name.startswith(GAP)
    }
