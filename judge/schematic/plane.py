"""The border graph in the plane: the borders that can be drawn, and the faces.

A face is an area between provinces.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import combinations
from typing import TypeAlias

import networkx as nx

from judge.rules.map import Map
from judge.rules.position import Province

Pair: TypeAlias = tuple[Province, Province]
"""Two neighbors, sorted."""

_ORDERS = 12
"""How many random orders of borders are tried if not all borders fit."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a border, seen from the face on its left.

    It leads from a province to the next one around the face.
    """

    here: Province
    there: Province
    border: int
    """The two sides of a piece of border have the same number."""


Face: TypeAlias = tuple[Side, ...]


@dataclass(slots=True)
class Plane:
    """Provinces and faces of a planar drawing."""

    faces: list[Face]
    outer: Face
    """The face around everything."""
    alone: Sequence[Province]
    """All provinces, if there is only one and therefore no border; else empty."""
    islands: Mapping[Province, Province]
    """Province with a single neighbor → that neighbor; outer ones first.

    These provinces are not in the faces.
    """
    links: Sequence[Pair]
    """Neighbors whose border does not fit into the plane."""


def neighbors(board: Map) -> list[Pair]:
    """Return all pairs of provinces that touch, by land or sea."""
    return sorted({tuple(sorted((here, there))) for here, others in board.borders.items() for there in others})  # type: ignore[misc]


def laid_out(board: Map) -> Plane:
    """Return the faces of a planar drawing with as many of the borders as possible."""
    pairs = neighbors(board)
    kept = _planar(pairs)
    graph = _connected(kept)
    islands = _strip_islands(graph)
    links = [pair for pair in pairs if pair not in set(kept)]
    if graph.number_of_edges() == 0:
        return Plane([], (), sorted(graph), islands, links)
    faces = _faces(graph)
    outer = max(faces, key=lambda face: (len(face), [(side.here, side.there) for side in face]))
    faces.remove(outer)
    cut = _Cutter(board, max(side.border for face in [*faces, outer] for side in face) + 1)
    return Plane([piece for face in faces for piece in cut.pieces(face)], outer, (), islands, links)


def _graph(pairs: Iterable[Pair]) -> nx.Graph:
    graph = nx.Graph()
    graph.add_edges_from(pairs)
    return graph


def _planar(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the borders that can be drawn together: all of them, or a large subset.

    If not all fit, several orders are tried, and the one that keeps most borders counts.
    """
    if nx.check_planarity(_graph(pairs))[0]:
        return list(pairs)
    best: list[Pair] = []
    for seed in range(_ORDERS):
        order = list(pairs)
        random.Random(seed).shuffle(order)  # noqa: S311 - the same on every machine
        graph = nx.Graph()
        for pair in order:
            graph.add_edge(*pair)
            if not nx.check_planarity(graph)[0]:
                graph.remove_edge(*pair)
        if graph.number_of_edges() > len(best):
            best = [pair for pair in pairs if graph.has_edge(*pair)]
    return best


def _connected(pairs: Sequence[Pair]) -> nx.Graph:
    """Return the graph of these borders; raises ValueError if it is not connected."""
    graph = _graph(pairs)
    parts = sorted(map(sorted, nx.connected_components(graph)))
    if len(parts) != 1:
        apart = "; ".join(" ".join(part) for part in parts)
        raise ValueError(f"no border joins these parts of the board: {apart or 'it has no borders'}")
    return graph


def _strip_islands(graph: nx.Graph) -> dict[Province, Province]:
    """Take provinces with a single neighbor out of the graph and return them.

    An island within an island comes last.
    """
    found: list[tuple[Province, Province]] = []
    while graph.number_of_nodes() > 2:
        single = sorted(here for here, degree in graph.degree if degree == 1)
        if not single:
            break
        found.append((single[0], next(iter(graph[single[0]]))))
        graph.remove_node(single[0])
    return dict(reversed(found))


def _faces(graph: nx.Graph) -> list[Face]:
    embedding = nx.check_planarity(graph)[1]
    numbers = {frozenset(pair): number for number, pair in enumerate(sorted(map(tuple, map(sorted, graph.edges))))}
    seen: set[tuple[Province, Province]] = set()
    faces: list[Face] = []
    for here, there in sorted(embedding.edges):
        if (here, there) not in seen:
            around = embedding.traverse_face(here, there, seen)
            faces.append(
                tuple(
                    Side(one, other, numbers[frozenset((one, other))])
                    for one, other in zip(around, [*around[1:], around[0]], strict=True)
                )
            )
    return faces


@dataclass(slots=True)
class _Cutter:
    """Cuts faces with further pieces of border, to leave fewer gaps.

    A piece is added only between provinces that touch anyway.
    """

    board: Map
    number: int
    """The number of the next piece of border."""
    split: AbstractSet[Province] = field(init=False)

    def __post_init__(self) -> None:
        self.split = {code for code, info in self.board.provinces.items() if info.coasts}

    def pieces(self, face: Face) -> list[Face]:
        """Return the face, cut wherever that is possible."""
        if len(face) <= 3:
            return [face]
        corners = [side.here for side in face]
        chords = [
            (i, j)
            for i, j in combinations(range(len(face)), 2)
            if 2 <= j - i <= len(face) - 2 and self._may_touch_again(corners[i], corners[j], corners)
        ]
        if not chords:
            return [face]
        i, j = max(chords, key=lambda chord: self._liking(corners[chord[0]], corners[chord[1]]))
        one, other, number = corners[i], corners[j], self.number
        self.number += 1
        return [
            *self.pieces((*face[i:j], Side(other, one, number))),
            *self.pieces((*face[j:], *face[:i], Side(one, other, number))),
        ]

    def _may_touch_again(self, one: Province, other: Province, corners: Sequence[Province]) -> bool:
        """Whether another piece of border between two provinces would be true to the board.

        It never is at a split coast.
        """
        if one == other or other not in self.board.borders[one] or {one, other} & self.split:
            return False
        seas = self.board.seas
        ashore = one not in seas and other not in seas
        return not ashore or other in self.board.fleet_reach.get(one, ()) or not seas & set(corners)

    def _liking(self, one: Province, other: Province) -> int:
        return len({one, other} & self.board.seas)
