"""Schematic drawings agree with the rules, on every board that has one."""

from __future__ import annotations

import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from statistics import mean
from typing import Any, TypeAlias

import pytest

from judge.cli import main
from judge.commands import Language
from judge.reports.pictures import Look, position_view, svg
from judge.reports.pictures.drawing import drawing_of
from judge.reports.pictures.font import font_file
from judge.resources import board_data, shipped, shipped_boards
from judge.rules.map import Map, ProvinceKind, load_map, read_map
from judge.rules.position import province_of
from tests import drawing_room
from tests.soak import long_but

drawing_room.need()

import shapely  # noqa: E402
from fontTools.ttLib import TTFont  # noqa: E402
from shapely import LineString, Polygon, box  # noqa: E402

from judge.schematic.schematic import drawing, written  # noqa: E402

Borders: TypeAlias = set[frozenset[str]]

VISIBLE = 12
"""Drawing units: a shorter border could not be seen in a mail."""
BOARDS = sorted(path.parent.name for path in shipped("maps").glob("*/drawing.json") if path.parent.name != "standard")
HERE = Path(__file__).parent


@cache
def drawn(board: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((shipped("maps") / board / "drawing.json").read_text("utf-8"))
    return found


class Shown:
    """Borders as a reader sees them who has only the picture."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self.facts, self.provinces = facts, facts["provinces"]
        self.seas = {code for code, province in self.provinces.items() if province["kind"] == "sea"}
        self.shapes = {code: Polygon(province["rings"][0]) for code, province in self.provinces.items()}
        self.touching = {
            frozenset(pair): line
            for pair in combinations(self.provinces, 2)
            if (line := self._border(*pair)) is not None
        }

    def _border(self, one: str, other: str) -> Any:
        inner = self.shapes[other]
        if self.shapes[one].contains(inner):
            between = (shape for code, shape in self.shapes.items() if code not in (one, other))
            nested = any(self.shapes[one].contains(shape) and shape.contains(inner) for shape in between)
            return None if nested else inner.exterior
        shared = set(map(frozenset, _sides(self.provinces[one]))) & set(map(frozenset, _sides(self.provinces[other])))
        lines = [LineString(sorted(side)) for side in sorted(map(sorted, shared))]
        return shapely.line_merge(shapely.union_all(lines)) if lines else None

    def marked(self, kind: str, *kinds: str) -> Borders:
        """Return the pairs of provinces with links or bars of these kinds."""
        key = "by" if kind == "links" else "against"
        return {frozenset(mark["between"]) for mark in self.facts.get(kind, ()) if mark[key] in kinds}

    def armies(self) -> Borders:
        """Return the pairs of provinces between which an army can walk."""
        ashore = {pair for pair in self.touching if not pair & self.seas}
        return (ashore - self.marked("bars", "army")) | self.marked("links", "any", "army")

    def fleets(self) -> Borders:
        """Return the pairs of provinces between which a fleet can sail."""
        afloat = {pair for pair in self.touching if pair & self.seas or self._meets_a_sea(self.touching[pair])}
        return (afloat - self.marked("bars", "fleet")) | self.marked("links", "any", "fleet")

    def _meets_a_sea(self, border: Any) -> bool:
        lines = getattr(border, "geoms", [border])
        ends = {spot for line in lines for spot in (line.coords[0], line.coords[-1])}
        return any(ends & {(x, y) for x, y in self.provinces[sea]["rings"][0]} for sea in self.seas)


def _sides(province: Mapping[str, Any]) -> Iterator[tuple[tuple[float, float], ...]]:
    ring = [(x, y) for x, y in province["rings"][0]]
    yield from zip(ring, [*ring[1:], ring[0]], strict=True)


@cache
def shown(board: str) -> Shown:
    return Shown(drawn(board))


def named(borders: Borders) -> list[str]:
    return sorted("-".join(sorted(pair)) for pair in borders)


def ruled(board: Map) -> tuple[Borders, Borders]:
    """Return the pairs for armies and for fleets by the rules."""
    return tuple(  # type: ignore[return-value]
        {frozenset((province_of(here), province_of(to))) for here, there in table.items() for to in there}
        for table in (board.army_borders, board.fleet_borders)
    )


def test_boards_have_schematic_drawings() -> None:
    assert BOARDS


@pytest.mark.parametrize("board", BOARDS)
def test_all_places_of_the_board_are_drawn_and_no_other(board: str) -> None:
    kinds = {ProvinceKind.SEA: "sea", ProvinceKind.INLAND: "land", ProvinceKind.COASTAL: "coast"}
    assert {
        code: (its["kind"], its["center"] is not None, {f"{code}/{coast}" for coast in its["coasts"]})
        for code, its in drawn(board)["provinces"].items()
    } == {
        code: (kinds[info.kind], info.is_center, set(info.coasts))
        for code, info in load_map(board).provinces.items()
        if info.kind in kinds
    }


@pytest.mark.parametrize("board", BOARDS)
def test_armies_walk_and_fleets_sail_where_the_picture_says(board: str) -> None:
    armies, fleets = ruled(load_map(board))
    found = shown(board)
    assert [named(found.armies() - armies), named(armies - found.armies())] == [[], []]
    assert [named(found.fleets() - fleets), named(fleets - found.fleets())] == [[], []]


@pytest.mark.parametrize("board", BOARDS)
def test_each_border_is_long_enough_to_be_seen(board: str) -> None:
    lengths = {"-".join(sorted(pair)): line.length for pair, line in shown(board).touching.items()}
    assert {pair: length for pair, length in lengths.items() if length < VISIBLE} == {}


@pytest.mark.parametrize("board", BOARDS)
def test_provinces_lie_beside_each_other_and_not_on_each_other(board: str) -> None:
    shapes = shown(board).shapes
    assert all(shape.is_valid for shape in shapes.values())
    over = [
        pair
        for pair in combinations(shapes, 2)
        if not shapes[pair[0]].contains(shapes[pair[1]]) and shapes[pair[0]].intersection(shapes[pair[1]]).area > 0.01
    ]
    assert over == []


def signs(facts: Mapping[str, Any]) -> Iterator[tuple[str, str, str, Polygon]]:
    """Yield province, coast or "", sign, and the area it covers."""
    sizes = {**facts["signs"], "center": [2 * facts["signs"]["center"]] * 2}
    for code, province in facts["provinces"].items():
        for coast, places in [("", province), *province["coasts"].items()]:
            for sign, (width, height) in sizes.items():
                if places.get(sign):
                    x, y = places[sign]
                    yield code, coast, sign, box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


@pytest.mark.parametrize("board", BOARDS)
def test_signs_stand_in_their_own_province_and_do_not_cover_each_other(board: str) -> None:
    rooms, shapes = list(signs(drawn(board))), shown(board).shapes
    covered = [(one[:3], other[:3]) for one, other in combinations(rooms, 2) if one[3].intersection(other[3]).area > 0]
    inner: dict[str, list[Polygon]] = defaultdict(list)
    for one, other in combinations(shapes, 2):
        if shapes[one].contains(shapes[other]):
            inner[one].append(shapes[other])
    outside = [
        found[:3]
        for found in rooms
        if not shapes[found[0]].difference(shapely.union_all(inner[found[0]])).contains(found[3])
    ]
    assert (covered, outside) == ([], [])


@pytest.mark.parametrize("board", [name for name in BOARDS if "compass" in board_data(name, "board.toml")])
def test_the_map_lies_as_its_compass_says(board: str) -> None:
    compass, drawing = board_data(board, "board.toml")["compass"], drawing_of(board)
    assert drawing is not None

    def middle(side: str, axis: int) -> float:
        return mean(drawing.places[code].label[axis] for code in compass[side])

    width, height = drawing.size
    assert middle("east", 0) - middle("west", 0) > width / 2
    assert middle("south", 1) - middle("north", 1) > height / 2


@pytest.mark.parametrize("board", long_but({"delta"}, ["delta", "lagoon"]))
def test_a_board_is_drawn_the_same_again_and_shows_its_borders(
    board: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = HERE / "boards" / board
    monkeypatch.setattr("sys.argv", ["judge", "board", "draw", str(folder), "-o", str(tmp_path / "drawing.json")])
    main()
    text = (tmp_path / "drawing.json").read_text("utf-8")
    board_ = read_map(tomllib.loads((folder / "board.toml").read_text("utf-8")))
    assert written(drawing(board_)) == text
    found = Shown(json.loads(text))
    assert tuple(map(named, (found.armies(), found.fleets()))) == tuple(map(named, ruled(board_)))


@pytest.mark.long
def test_the_shipped_drawing_is_what_the_command_makes() -> None:
    assert written(drawing(load_map("isthmus"))) == (shipped("maps") / "isthmus" / "drawing.json").read_text("utf-8")


@pytest.mark.parametrize("board", shipped_boards())
@pytest.mark.parametrize("language", Language)
def test_the_powers_below_the_board_stand_beside_each_other(board: str, language: Language) -> None:
    font = TTFont(font_file())
    widths, letters = font["hmtx"].metrics, font.getBestCmap()
    drawn_ = svg(position_view(board, load_map(board).start()), Look(language))
    assert drawn_ is not None
    shown = re.findall(r'x="([\d.]+)" y="([\d.]+)" font-size="29" fill="[^"]+">([^<]+)</text></g>', drawn_)
    assert len(shown) == len(load_map(board).powers)
    rows: dict[str, list[tuple[float, float]]] = {}
    for x, y, words in shown:
        wide = sum(widths[letters[ord(letter)]][0] for letter in words) * 29 / font["head"].unitsPerEm
        rows.setdefault(y, []).append((float(x), float(x) + wide))
    for row in rows.values():
        assert [end for (_, end), (start, _) in pairwise(row) if end > start - 46] == []
        assert row[-1][1] < 1800
