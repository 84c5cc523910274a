"""The drawing of the standard board agrees with the rules."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations, pairwise
from typing import Any, TypeAlias

import pytest

from judge.resources import shipped
from judge.rules.map import Map, ProvinceKind, load_map
from judge.rules.position import Location
from tests import drawing_room

drawing_room.need()

import shapely  # noqa: E402
from shapely import Polygon, affinity, box  # noqa: E402

from cartography import standard  # noqa: E402

Vertex: TypeAlias = tuple[int, int]
Edge: TypeAlias = frozenset[Vertex]
Borders: TypeAlias = set[frozenset[str]]

VISIBLE = 12
"""Drawing units: a shorter border could not be seen in a mail."""
ARROW = 24
"""Drawing units: the shortest arrow that shows its direction."""
NOBODY = "nobody"
AFLOAT = {
    ("BUL", "EC"): "BLA",
    ("BUL", "SC"): "AEG",
    ("SPA", "NC"): "MAO",
    ("SPA", "SC"): "WES",
    ("STP", "NC"): "BAR",
    ("STP", "SC"): "BOT",
}
"""The seas on which the fleets of split coasts are drawn."""


class Shown:
    """Borders as a reader sees them who has only the picture."""

    def __init__(self, drawing: dict[str, Any]) -> None:
        self.provinces: dict[str, Any] = drawing["provinces"]
        self.seas = {code for code, province in self.provinces.items() if province["kind"] == "sea"}
        self.land = set(self.provinces) - self.seas
        self.edges: dict[Edge, set[str]] = defaultdict(set)
        for name, ring in self._rings(drawing["impassable"]):
            for edge in edges(ring):
                self.edges[edge].add(name)
        self.owners: dict[Vertex, set[str]] = defaultdict(set)
        for edge, names in self.edges.items():
            for vertex in edge:
                self.owners[vertex] |= names

    def _rings(self, impassable: list[Any]) -> Iterator[tuple[str, list[Vertex]]]:
        for code, province in self.provinces.items():
            yield from ((code, [(x, y) for x, y in ring]) for ring in province["rings"])
        yield from ((NOBODY, [(x, y) for x, y in ring]) for ring in impassable)

    def lengths(self) -> dict[frozenset[str], float]:
        """Return the length of each border between two provinces."""
        lengths: dict[frozenset[str], float] = defaultdict(float)
        for edge, names in self.edges.items():
            for pair in combinations(sorted(names - {NOBODY}), 2):
                lengths[frozenset(pair)] += math.dist(*edge)
        return lengths

    def land_borders(self) -> Borders:
        """Return the pairs of provinces between which an army can walk."""
        return {pair for pair in self.lengths() if pair <= self.land}

    def coasts(self) -> list[tuple[str, set[Vertex], set[str]]]:
        """Return each stretch of coast: its location, its points, the seas along it."""
        found = []
        for code in sorted(self.land):
            wet = {edge: names & self.seas for edge, names in self.edges.items() if code in names and names & self.seas}
            for stretch in connected(wet):
                spots = {vertex for edge in stretch for vertex in edge}
                found.append((self._location(code, spots), spots, {sea for edge in stretch for sea in wet[edge]}))
        return found + list(self._islands())

    def _islands(self) -> Iterator[tuple[str, set[Vertex], set[str]]]:
        """Yield islands in the middle of one sea, which has no hole for them.

        The sea is drawn beneath them.
        """
        seas = {sea: Polygon(self.provinces[sea]["rings"][0]) for sea in self.seas}
        for code in sorted(self.land):
            for ring in self.provinces[code]["rings"]:
                spots = {(x, y) for x, y in ring}
                if all(self.owners[spot] == {code} for spot in spots):
                    around = {sea for sea, shape in seas.items() if shape.contains(Polygon(ring))}
                    yield self._location(code, spots), spots, around

    def _location(self, code: str, spots: set[Vertex]) -> str:
        coasts = self.provinces[code]["coasts"]
        if not coasts:
            return code
        return f"{code}/{min(coasts, key=lambda coast: min(math.dist(coasts[coast]['unit'], spot) for spot in spots))}"

    def water_borders(self) -> Borders:
        """Return the pairs of locations between which a fleet can sail.

        They are two seas, a sea and a coast, or neighbors along the shore.
        """
        coasts = self.coasts()
        borders = {pair for pair in self.lengths() if pair <= self.seas}
        borders |= {frozenset((location, sea)) for location, _, seas in coasts for sea in seas}
        for (location, spots, _), (other, others, _) in combinations(coasts, 2):
            if spots & others and location.partition("/")[0] != other.partition("/")[0]:
                borders.add(frozenset((location, other)))
        return borders


def edges(ring: list[Vertex]) -> list[Edge]:
    """Return the sides of a closed ring."""
    return [frozenset(side) for side in pairwise([*ring, ring[0]])]


def connected(links: Iterable[Edge]) -> list[list[Edge]]:
    """Group the sides into connected parts."""
    groups: list[tuple[set[Vertex], list[Edge]]] = []
    for link in links:
        touched = [group for group in groups if group[0] & link]
        groups = [group for group in groups if not group[0] & link]
        spots = set(link).union(*(spots for spots, _ in touched))
        groups.append((spots, [link, *(edge for _, members in touched for edge in members)]))
    return [members for _, members in groups]


def legal(borders: Mapping[Location, tuple[Location, ...]]) -> Borders:
    """Return the borders of the board, each once."""
    return {frozenset((place, other)) for place, others in borders.items() for other in others}


def named(borders: Borders) -> list[str]:
    """Return borders in a form to be read in a failure."""
    return sorted("-".join(sorted(pair)) for pair in borders)


@pytest.fixture(scope="module")
def drawing() -> dict[str, Any]:
    """Return the drawing as it is shipped."""
    drawing: dict[str, Any] = json.loads((shipped("maps") / "standard" / "drawing.json").read_text("utf-8"))
    return drawing


@pytest.fixture(scope="module")
def shown(drawing: dict[str, Any]) -> Shown:
    """Return what can be read off the picture."""
    return Shown(drawing)


@pytest.fixture(scope="module")
def board() -> Map:
    """Return the board of the rules."""
    return load_map("standard")


def test_all_places_of_the_board_are_drawn_and_no_other(drawing: dict[str, Any], board: Map) -> None:
    kinds = {ProvinceKind.SEA: "sea", ProvinceKind.INLAND: "land", ProvinceKind.COASTAL: "coast"}
    assert {code: (drawn["kind"], drawn["center"] is not None) for code, drawn in drawing["provinces"].items()} == {
        code: (kinds[info.kind], info.is_center) for code, info in board.provinces.items()
    }
    drawn = {f"{code}/{coast}" for code, province in drawing["provinces"].items() for coast in province["coasts"]}
    assert drawn == {location for info in board.provinces.values() for location in info.coasts}


def test_armies_walk_where_land_meets_land(shown: Shown, board: Map) -> None:
    drawn, ruled = shown.land_borders(), legal(board.army_borders)
    assert (named(drawn - ruled), named(ruled - drawn)) == ([], [])


def test_fleets_sail_where_water_meets_water_or_coast(shown: Shown, board: Map) -> None:
    drawn, ruled = shown.water_borders(), legal(board.fleet_borders)
    assert (named(drawn - ruled), named(ruled - drawn)) == ([], [])


def test_each_border_is_long_enough_to_be_seen(shown: Shown) -> None:
    lengths = shown.lengths()
    assert len(lengths) > 150
    assert {"-".join(sorted(pair)): length for pair, length in lengths.items() if length < VISIBLE} == {}


def test_at_most_three_meet_in_a_point_and_each_two_of_them_have_a_border(shown: Shown) -> None:
    bordering = set(shown.lengths())
    assert {spot: names for spot, names in shown.owners.items() if len(names) > 3} == {}
    touching = {frozenset(pair) for names in shown.owners.values() for pair in combinations(names - {NOBODY}, 2)}
    assert named(touching - bordering) == []


def test_provinces_lie_beside_each_other_and_not_on_each_other(drawing: dict[str, Any]) -> None:
    land = [
        Polygon(ring)
        for province in drawing["provinces"].values()
        for ring in province["rings"]
        if province["kind"] != "sea"
    ] + [Polygon(ring) for ring in drawing["impassable"]]
    assert all(shape.is_valid for shape in land)
    assert shapely.union_all(land).area == pytest.approx(sum(shape.area for shape in land))


def signs(drawing: dict[str, Any]) -> Iterator[tuple[str, str, str, Polygon]]:
    """Yield province, coast or "", sign, and the area it covers."""
    sizes = {**drawing["signs"], "center": [2 * drawing["signs"]["center"]] * 2}
    for code, province in drawing["provinces"].items():
        for coast, places in [("", province), *province["coasts"].items()]:
            for sign, (width, height) in sizes.items():
                if places.get(sign):
                    x, y = places[sign]
                    yield code, coast, sign, box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def test_no_sign_covers_another(drawing: dict[str, Any]) -> None:
    rooms = list(signs(drawing))
    assert len(rooms) > 75 * 3
    covered = [(one[:3], other[:3]) for one, other in combinations(rooms, 2) if one[3].intersection(other[3]).area > 0]
    assert covered == []


def test_signs_stand_in_their_own_province(drawing: dict[str, Any]) -> None:
    provinces = drawing["provinces"]

    def own_room(code: str, coast: str) -> Any:
        codes = {code, AFLOAT.get((code, coast), code)}
        rings = [Polygon(ring) for own in codes for ring in provinces[own]["rings"]]
        dry = [ring for other in provinces.values() if other["kind"] != "sea" for ring in other["rings"]]
        foreign = [Polygon(ring) for ring in [*dry, *drawing["impassable"]]]
        own = shapely.union_all(rings)
        own_land = [Polygon(ring) for ring in provinces[code]["rings"]]
        return own.difference(shapely.union_all(foreign).difference(shapely.union_all(own_land)))

    rooms = cache(own_room)
    outside = [found[:3] for found in signs(drawing) if not rooms(*found[:2]).contains(found[3])]
    assert outside == []


@pytest.mark.parametrize(("code", "coast"), AFLOAT)
def test_a_fleet_on_a_split_coast_touches_its_sea(drawing: dict[str, Any], code: str, coast: str) -> None:
    (room,) = (found[3] for found in signs(drawing) if found[:3] == (code, coast, "unit"))
    sea = drawing["provinces"][AFLOAT[code, coast]]
    assert drawing["provinces"][code]["coasts"].keys() == {one for province, one in AFLOAT if province == code}
    assert shapely.union_all([Polygon(ring) for ring in sea["rings"]]).intersection(room).area > 20


def test_an_arrow_can_be_seen_between_the_units_of_neighbors(drawing: dict[str, Any], board: Map) -> None:
    units = {f"{code}/{coast}".rstrip("/"): room for code, coast, sign, room in signs(drawing) if sign == "unit"}
    neighbors = [sorted(pair) for pair in legal(board.army_borders) | legal(board.fleet_borders)]
    assert [pair for pair in neighbors if units[pair[0]].distance(units[pair[1]]) < ARROW] == []


def test_names_lie_in_their_own_province_clear_of_units_and_centers(drawing: dict[str, Any]) -> None:
    standing: dict[str, list[Polygon]] = {code: [] for code in drawing["provinces"]}
    for code, _, sign, room in signs(drawing):
        if sign != "label":
            standing[code].append(room)
    for code, province in drawing["provinces"].items():
        (x, y), angle, width = (province["name"][part] for part in ("at", "angle", "width"))
        strip = affinity.rotate(box(x - width / 2, y - 9, x + width / 2, y + 9), angle, origin=(x, y))
        assert Polygon(province["rings"][0]).contains(strip), code
        assert not any(strip.intersects(room) for room in standing[code]), code


@pytest.mark.long
def test_the_drawing_is_what_the_script_makes_of_its_sources() -> None:
    assert (shipped("maps") / "standard" / "drawing.json").read_text("utf-8") == standard.drawing()
