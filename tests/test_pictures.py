"""Pictures: their content, their stability, and their safety."""

from __future__ import annotations

import collections
import dataclasses
import io
import itertools
import math
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from judge.commands import Language
from judge.errors import InstallationError
from judge.names import names_on
from judge.reports.palette import INKS, colors
from judge.reports.pictures import (
    CentersChart,
    Labels,
    Look,
    PictureKind,
    PictureView,
    Theme,
    alt,
    board_of,
    drawn,
    filed_view,
    has_drawing,
    paint,
    played_view,
    png,
    position_view,
    replay,
    svg,
)
from judge.reports.pictures import drawing as drawings
from judge.reports.pictures.compose import borders, ground, labels
from judge.reports.pictures.font import font_file
from judge.reports.pictures.views import front, influence
from judge.reports.pictures.wording import Key, key_word
from judge.reports.sections import YearOfCenters
from judge.reports.wording import wording_in
from judge.resources import shipped_boards
from judge.rules import adjudicate, load_map, read_order
from judge.rules.exchange import read_task
from judge.rules.position import Phase, Power
from tests import drawing_room
from tests.drawings import CENTERS, CLASH, DESTROYED, MOVEMENT, RETREAT, SIEGE, WINTER, played, squares
from tests.phases import nasty
from tests.sight import SIGHTS, cam02, linear, seen

_SVG = "{http://www.w3.org/2000/svg}"


def _forget_boards() -> None:
    """Clear the caches of boards between pictures."""
    for kept in (paint._kept, ground, borders, labels):
        kept.cache_clear()


@pytest.fixture(autouse=True)
def _board_of_squares(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Draw a board of squares in all tests here: positions of provinces do not matter."""
    made = drawings.read_drawing("standard", squares())
    for module in ("drawn", "paint"):
        monkeypatch.setattr(
            f"judge.reports.pictures.{module}.drawing_of", lambda board: made if board == "standard" else None
        )
    _forget_boards()
    yield
    _forget_boards()


def _kinds(text: str | None) -> dict[str, set[str]]:
    """Map each id in a picture to its classes."""
    assert text is not None
    groups = ET.fromstring(text).iter(f"{_SVG}g")
    return {group.get("id", ""): set(group.get("class", "").split()) for group in groups if group.get("id")}


DRAWN: Sequence[tuple[dict[str, Any], str, set[str]]] = (
    (MOVEMENT, "order-SEV", {"move"}),
    (MOVEMENT, "order-BUD", {"move", "failed", "bounce"}),
    (MOVEMENT, "order-SER", {"support-move", "failed", "cut"}),
    (MOVEMENT, "order-RUH", {"support-hold"}),
    (MOVEMENT, "order-CON", {"support-hold", "failed", "void"}),
    (MOVEMENT, "order-YOR", {"move"}),
    (MOVEMENT, "order-NTH", {"convoy"}),
    (MOVEMENT, "order-BLA", {"convoy", "failed", "void"}),
    (MOVEMENT, "order-NWG", {"hold"}),
    (MOVEMENT, "standoff-GAL", {"standoff"}),
    (MOVEMENT, "taken-BEL", {"taken"}),
    (MOVEMENT, "taken-RUM", {"taken"}),
    (MOVEMENT, "unit-SPA", {"unit", "fleet", "of-FRANCE"}),
    (MOVEMENT, "unit-YOR", {"unit", "army", "of-ENGLAND"}),
    (MOVEMENT, "land-PAR", {"land", "of-FRANCE"}),
    (MOVEMENT, "land-GAS", {"land", "of-FRANCE"}),
    (SIEGE, "order-MUN", {"move", "failed", "bounce", "dislodged"}),
    (SIEGE, "unit-MUN", {"unit", "army", "of-GERMANY", "lost"}),
    (RETREAT, "order-MUN", {"retreat"}),
    (RETREAT, "dislodged-TRI", {"unit", "dislodged", "of-AUSTRIA", "destroyed"}),
    (RETREAT, "dislodged-MUN", {"unit", "dislodged", "of-GERMANY"}),
    (DESTROYED, "unit-MUN", {"unit", "army", "of-GERMANY", "lost", "destroyed"}),
    (CLASH, "order-MUN", {"retreat", "failed", "disband"}),
    (CLASH, "dislodged-MUN", {"unit", "dislodged", "of-GERMANY", "destroyed"}),
    (CLASH, "standoff-TYR", {"standoff"}),
    (WINTER, "unit-BRE", {"unit", "fleet", "of-FRANCE", "built"}),
    (WINTER, "unit-PAR", {"unit", "army", "of-FRANCE", "built"}),
    (WINTER, "unit-SIL", {"unit", "army", "of-GERMANY", "removed"}),
)


@pytest.mark.parametrize(("line", "id_", "kinds"), DRAWN, ids=[f"{line['phase']}-{id_}" for line, id_, _ in DRAWN])
def test_every_order_and_what_became_of_it_is_found_in_the_picture(
    line: dict[str, Any], id_: str, kinds: set[str]
) -> None:
    assert _kinds(svg(played(line), Look()))[id_] == kinds


def test_who_dislodged_a_unit_stays_when_that_is_destroyed() -> None:
    """Both units are called A MUN."""
    found = _kinds(svg(played(CLASH), Look()))
    assert found["unit-MUN"] == {"unit", "army", "of-FRANCE"}


def test_whom_a_stronger_attack_met_head_on_left_no_standoff_behind() -> None:
    assert not [name for name in _kinds(svg(played(SIEGE), Look())) if name.startswith("standoff")]


def test_what_was_not_taken_or_played_is_not_in_the_picture() -> None:
    found = _kinds(svg(played(MOVEMENT), Look()))
    assert not {name for name in found if name.startswith("taken")} - {"taken-BEL", "taken-RUM", "taken-TUN"}
    assert not {name for name in found if name.startswith("dislodged-")}


def test_the_position_of_a_retreat_shows_who_was_dislodged_and_the_ways_out() -> None:
    task = read_task(RETREAT)
    found = _kinds(svg(position_view("standard", task.position), Look()))
    assert found["dislodged-MUN"] == {"unit", "dislodged", "of-GERMANY"}
    assert {"way-MUN-BOH", "way-MUN-SIL", "way-TRI-VIE", "way-TRI-BUD"} <= found.keys()


@pytest.mark.parametrize("seed", range(60))
def test_whatever_people_order_can_be_drawn(seed: int) -> None:
    position, orders, options, circumstances = nasty(seed)
    resolution = adjudicate(load_map("standard"), position, orders, options, circumstances)
    for view in (played_view("standard", resolution), position_view("standard", resolution.position)):
        text = svg(view, Look())
        assert text is not None
        ids = [element.get("id") for element in ET.fromstring(text).iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        standing = {f"unit-{unit.province}" for unit in view.units}
        assert standing <= set(ids)
        assert {f"dislodged-{unit.province}" for unit in view.dislodged} <= set(ids)
        for language in Language:
            assert alt(view, language)


def test_orders_on_file_are_arrows_of_which_none_failed() -> None:
    task = read_task(MOVEMENT)
    orders = {Power("FRANCE"): (read_order("A BUR - MUN"), read_order("A MAR S A BUR - MUN"))}
    found = _kinds(svg(filed_view("standard", task.position, orders), Look()))
    assert found["order-BUR"] == {"move"}
    assert found["order-MAR"] == {"support-move"}
    assert not any("failed" in kinds for kinds in found.values())


def test_a_convoyed_army_goes_through_its_fleets() -> None:
    text = svg(played(MOVEMENT), Look())
    assert text is not None
    group = next(g for g in ET.fromstring(text).iter(f"{_SVG}g") if g.get("id") == "order-YOR")
    points = [
        tuple(map(float, pair.split()))
        for path in group.iter(f"{_SVG}path")
        for pair in re.split("[MLQCZ]", path.get("d", ""))
        if len(pair.split()) == 2
    ]
    x, y = squares()["provinces"]["NTH"]["unit"]
    assert min(math.dist((x, y), point) for point in points) < 10


def _reach(text: str | None, id_: str, code: str) -> float:
    """Return how far from its unit an order is drawn."""
    assert text is not None
    (group,) = (group for group in ET.fromstring(text).iter(f"{_SVG}g") if group.get("id") == id_)
    steps = (pair.split() for path in group.iter(f"{_SVG}path") for pair in re.split("[MLQCZ]", path.get("d", "")))
    numbers = [list(map(float, step)) for step in steps if step]
    unit = squares()["provinces"][code]["unit"]
    return max(math.dist(unit, step[at : at + 2]) for step in numbers for at in range(0, len(step), 2))


@pytest.mark.parametrize("order", ["A BUR - MOS", "A BUR S A UKR", "A BUR S F SEV - RUM"])
def test_an_order_for_a_place_out_of_reach_is_not_drawn_across_the_board(order: str) -> None:
    line = MOVEMENT | {"orders": MOVEMENT["orders"] | {"FRANCE": [order]}}
    text = svg(played(line), Look())
    assert {"failed", "void"} <= _kinds(text)["order-BUR"]
    assert _reach(text, "order-BUR", "BUR") < 60


def test_a_support_for_a_convoy_that_is_not_tried_ends_at_its_route() -> None:
    """The army stays, but the dots still lead to the line through the fleet.

    They are drawn as if the army moved.
    """
    orders = MOVEMENT["orders"] | {"ENGLAND": ["A YOR H", "F NTH C A YOR - BEL", "F ENG S A YOR - BEL"]}
    moved, stayed = (
        drawn_orders["order-ENG"]
        for drawn_orders in map(_drawn_orders, (played(MOVEMENT), played(MOVEMENT | {"orders": orders})))
    )
    assert moved == stayed


def _drawn_orders(view: PictureView) -> dict[str, str | None]:
    """Map the id of each order to the path of its last line."""
    text = svg(view, Look())
    assert text is not None
    groups = [one for one in ET.fromstring(text).iter(f"{_SVG}g") if (one.get("id") or "").startswith("order-")]
    return {str(group.get("id")): group.findall(f"{_SVG}path")[0].get("d") for group in groups}


LOOKS = [Look(language, theme, labels) for language in Language for theme in Theme for labels in Labels]


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_the_same_view_is_drawn_to_the_same_bytes(look: Look) -> None:
    view = played(MOVEMENT)
    first = (svg(view, look), png(view, look))
    _forget_boards()
    assert (svg(view, look), png(view, look)) == first
    assert None not in first


def test_a_bitmap_is_as_wide_as_asked_and_has_a_palette() -> None:
    data = png(played(MOVEMENT), Look(width=720))
    assert data is not None
    image = Image.open(io.BytesIO(data))
    assert (image.width, image.mode) == (720, "P")


@pytest.mark.skipif(not paint.has_skia(), reason="Skia needs the system's libEGL and libGL")
def test_the_board_is_painted_once_however_many_phases_are_drawn_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[object] = []
    layer = paint._layer

    def counted(*what: Any) -> Any:
        painted.append(what)
        return layer(*what)

    monkeypatch.setattr(paint, "_layer", counted)
    for line in (MOVEMENT, SIEGE, RETREAT, WINTER):
        for language in Language:
            png(played(line), Look(language))
    assert len(painted) == 3
    for language in Language:
        png(played(MOVEMENT), Look(language, labels=Labels.NAMES))
    assert len(painted) == 3 + 3 * len(Language)
    for width in range(300, 300 + 2 * paint.KEPT_LAYERS):
        png(played(MOVEMENT), Look(width=width))
    assert paint._kept.cache_info().currsize == paint.KEPT_LAYERS


def test_a_board_without_a_drawing_gets_no_picture() -> None:
    view = played(MOVEMENT)
    nowhere = type(view)(view.kind, "nowhere", view.phase, view.owners, view.units)
    assert not has_drawing("nowhere")
    assert (svg(nowhere, Look()), png(nowhere, Look()), replay([nowhere], Look())) == (None, None, None)
    assert replay([], Look()) is None


def test_a_drawing_that_cannot_be_read_is_a_broken_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "drawing.json").write_text('{"size": [1, 2]}', "utf-8")
    monkeypatch.setattr("judge.resources.shipped", lambda _: tmp_path)
    with pytest.raises(InstallationError, match="torn"):
        drawings.drawing_of("torn")


HOSTILE = (
    "<script>alert(1)</script>",
    '"/><image href="http://example.org/x.png"/>',
    "&lt;&#0;&amp;",
    "\u202eevil\u202d",
    "🦆" * 40,
    "x" * 200,
    "]]><svg>",
    "\x00\x1b\ufffe\ud800",
)


@pytest.mark.parametrize("title", HOSTILE)
def test_a_hostile_name_is_text_and_nothing_else(title: str) -> None:
    plain, hostile = svg(played(MOVEMENT), Look()), svg(played(MOVEMENT, title), Look())
    assert plain is not None
    assert hostile is not None
    hostile.encode("utf-8")
    assert [e.tag for e in ET.fromstring(hostile).iter()] == [e.tag for e in ET.fromstring(plain).iter()]
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", hostile)
    assert png(played(MOVEMENT, title), Look()) is not None


# Colors


@pytest.mark.parametrize("sight", SIGHTS)
def test_the_color_blind_tell_the_powers_apart(sight: str) -> None:
    assert _nearest([(ink,) for ink in INKS], sight) >= 10


def _nearest(groups: Sequence[tuple[str, ...]], sight: str) -> float:
    """Return the least difference between colors of two groups, in CAM02-UCS."""
    places = [[cam02(seen(color, sight)) for color in group] for group in groups]
    pairs = itertools.combinations(places, 2)
    return min(math.dist(a, b) for one, other in pairs for a in one for b in other)


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize(("board", "least"), [("standard", 8), ("modern", 4.4)])
def test_tints_differ_from_each_other_and_from_land_and_sea(board: str, least: float, sight: str, theme: Theme) -> None:
    """With more than seven powers colors are closer: letters tell the rest apart."""
    parts = colors(board, theme)
    tints = [(parts[f"{power}-tint"], parts[f"{power}-paler"]) for power in load_map(board).powers]
    assert _nearest([*tints, (parts["land"],), (parts["sea"],)], sight) >= least
    assert min(_nearest([tint, (parts["impassable"],)], sight) for tint in tints) >= least


@pytest.mark.parametrize("theme", Theme)
def test_letters_stand_out_from_what_they_are_written_on(theme: Theme) -> None:
    parts = colors("standard", theme)
    pairs = [(parts[f"{power}-letter"], parts[power]) for power in load_map("standard").powers]
    pairs += [(parts["text"], parts[f"{power}-tint"]) for power in load_map("standard").powers]
    pairs += [(parts["text"], parts["halo"]), (parts["text"], parts["paper"]), (parts["sea-text"], parts["halo"])]
    assert min(_contrast(*pair) for pair in pairs) >= 3  # WCAG 2.2, 1.4.3: large letters


def _contrast(one: str, other: str) -> float:
    """Return the ratio of relative luminances, lighter to darker (WCAG 2.2)."""

    def luminance(color: str) -> float:
        return sum(map(math.prod, zip((0.2126, 0.7152, 0.0722), linear(color), strict=True)))

    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_units_of_two_powers_differ_without_color() -> None:
    text = svg(position_view("standard", load_map("standard").start()), Look())
    assert text is not None
    letters: dict[str, set[str]] = {}
    for group in ET.fromstring(text).iter(f"{_SVG}g"):
        kinds = group.get("class", "").split()
        if "unit" in kinds:
            (letter,) = (words.text or "" for words in group.iter(f"{_SVG}text"))
            letters.setdefault(kinds[-1], set()).add(letter)
    assert letters["of-AUSTRIA"] == {"Au"}
    assert len(letters) == 7
    assert len(set.union(*letters.values())) == 7


@pytest.mark.parametrize("board", shipped_boards())
def test_no_power_has_the_letter_of_an_army_or_a_fleet(board: str) -> None:
    marks = load_map(board).letters.values()
    assert len(set(marks)) == len(marks)
    assert not {"A", "F"} & set(marks)


def test_the_owner_of_a_land_stands_on_it_where_no_unit_tells() -> None:
    view = played(MOVEMENT)
    text = svg(view, Look())
    assert text is not None
    found = _kinds(text)
    assert found["owner-PAR"] == {"owner", "of-FRANCE"}
    marked = {name.removeprefix("owner-") for name in found if name.startswith("owner-")}
    standing = {name.removeprefix("unit-") for name in found if name.startswith("unit-")}
    owned = {center for owned in CENTERS.values() for center in owned}
    assert marked == (owned | influence(view).keys()) - standing
    assert "PIC" in marked


@pytest.mark.parametrize(("line", "id_"), [(WINTER, "unit-SIL"), (DESTROYED, "unit-MUN"), (CLASH, "dislodged-MUN")])
def test_a_unit_that_is_gone_keeps_its_letters_above_the_cross(line: dict[str, Any], id_: str) -> None:
    text = svg(played(line), Look())
    assert text is not None
    (group,) = (group for group in ET.fromstring(text).iter(f"{_SVG}g") if group.get("id") == id_)
    *below, letters = group
    assert letters.text == "Ge"
    assert any("s-alarm" in (shape.get("class") or "") for shape in below)


@pytest.mark.parametrize("language", Language)
def test_every_picture_says_what_an_army_and_a_fleet_look_like(language: Language) -> None:
    wording = wording_in(language)
    for view in (played(MOVEMENT), position_view("standard", load_map("standard").start())):
        text = svg(view, Look(language))
        assert text is not None
        assert all(f">{key_word(key, wording)}</text>" in text for key in (Key.ARMY, Key.FLEET))


def test_units_carry_the_letters_of_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    board = load_map("standard")
    lettered = dataclasses.replace(board, letters={**board.letters, Power("FRANCE"): "Q"})
    monkeypatch.setattr("judge.reports.pictures.compose.load_map", lambda _: lettered)
    text = svg(position_view("standard", board.start()), Look())
    assert text is not None
    assert len(re.findall(r'letter s-FRANCE"[^>]*>Q</text>', text)) == 3


def test_labels_lie_above_all_arrows_and_units() -> None:
    text = svg(played(MOVEMENT), Look())
    assert text is not None
    layers = [group.get("id") for group in ET.fromstring(text).findall(f"{_SVG}g")]
    assert layers == ["ground", "owners", "borders", "orders", "labels", "strip"]
    label = re.search(r"<text[^>]*>BUR</text>", text)
    assert label is not None
    assert 'paint-order="stroke"' in label[0]


def _label(text: str | None, code: str) -> tuple[float, float]:
    """Return where a code is written."""
    assert text is not None
    (label,) = (one for one in ET.fromstring(text).iter(f"{_SVG}text") if one.text == code)
    return float(label.get("x", "")), float(label.get("y", ""))


@pytest.mark.parametrize(("order", "asides"), [("A BUD - GAL", {"BUD"}), ("A BUD - MOS", set()), ("A BUD H", set())])
def test_a_code_stands_beside_an_arrow_that_would_cross_it(order: str, asides: set[str]) -> None:
    line = MOVEMENT | {"orders": {"AUSTRIA": [order]}}
    usual = svg(position_view("standard", read_task(line).position), Look())
    moved = {code for code in squares()["provinces"] if _label(svg(played(line), Look()), code) != _label(usual, code)}
    assert moved == asides
    for code in moved:
        x, y = _label(svg(played(line), Look()), code)
        left, top = squares()["provinces"][code]["rings"][0][0]
        assert left < x < left + 200
        assert top < y < top + 200


@pytest.mark.parametrize("language", Language)
def test_names_have_one_size_and_coasts_are_named_in_the_language_of_the_reader(language: Language) -> None:
    text = svg(position_view("standard", load_map("standard").start()), Look(language, labels=Labels.NAMES))
    assert text is not None
    (layer,) = (group for group in ET.fromstring(text).findall(f"{_SVG}g") if group.get("id") == "labels")
    sizes = collections.Counter(float(words.get("font-size", "")) for words in layer)
    assert list(sizes) == [18]
    coast = {"en": "south coast", "de": "Südküste", "ja": "南岸"}[language.value]
    assert [words.text for words in layer].count(coast) == 3


# Fonts


def test_the_font_has_every_letter_that_pictures_write() -> None:
    drawing_room.need()
    from fontTools.ttLib import TTFont

    for language in Language:
        has = set(TTFont(font_file(latin_only=language is Language.ENGLISH)).getBestCmap())
        texts = [chr(code) for code in range(0x20, 0x7F)]
        wording = wording_in(language)
        for board in shipped_boards():
            names = names_on(board)
            texts += [named[language.value][0] for kind in ("powers", "provinces") for named in names[kind].values()]
        texts += [key_word(key, wording) for key in Key]
        texts += [wording.phase(Phase.parse(phase)) for phase in ("S1901M", "F1234R", "W5678A", "S1990A")]
        for kind in PictureKind:
            view = dataclasses.replace(played(MOVEMENT), kind=kind)
            texts.append(wording.say_from("pictures", "title", view))
        texts.append(wording.say_from("pictures", "chart_title", CentersChart("standard", ())))
        assert {letter for text in texts for letter in text if ord(letter) not in has} == set()
        assert set(map(ord, "".join(texts))) <= set(TTFont(font_file()).getBestCmap())


def test_the_license_of_the_font_lies_beside_it() -> None:
    assert "SIL OPEN FONT LICENSE" in (font_file().parent / "OFL.txt").read_text("utf-8").upper()


def test_a_picture_is_drawn_where_the_system_has_no_font(tmp_path: Path) -> None:
    """It runs in a process of its own, as libraries look for fonts only once."""
    (tmp_path / "fonts.conf").write_text("<?xml version='1.0'?><fontconfig></fontconfig>", "utf-8")
    code = (
        "import hashlib\n"
        "from judge.reports.pictures import Look, CentersChart, png\n"
        "from judge.reports.sections import YearOfCenters\n"
        "chart = CentersChart('standard', (YearOfCenters(1900, {'FRANCE': 3}), YearOfCenters(1901, {'FRANCE': 5})))\n"
        "print(hashlib.sha256(png(chart, Look())).hexdigest())\n"
    )
    fontless = {"FONTCONFIG_FILE": str(tmp_path / "fonts.conf"), "HOME": str(tmp_path), "PYTHONPATH": str(Path.cwd())}
    with_fonts, without = (
        subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
        for env in ({"PYTHONPATH": str(Path.cwd())}, fontless)
    )
    assert with_fonts == without != ""


def test_where_the_system_lacks_what_skia_stands_on_the_same_picture_is_painted_by_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual = opened(png(played(MOVEMENT), Look()))
    monkeypatch.setattr(drawn, "has_skia", lambda: False)
    other = opened(png(played(MOVEMENT), Look()))
    assert usual.size == other.size
    difference = ImageStat.Stat(ImageChops.difference(usual, other)).mean
    assert max(difference) < 6  # of 255: edges and letters are smoothed in another way
    monkeypatch.undo()
    paint.skia.cache_clear()
    paint.has_skia.cache_clear()
    monkeypatch.setitem(sys.modules, "skia", None)
    assert not paint.has_skia()
    paint.skia.cache_clear()
    paint.has_skia.cache_clear()


def opened(content: bytes | None) -> Image.Image:
    assert content is not None
    return Image.open(io.BytesIO(content)).convert("RGB")


# Words


@pytest.mark.parametrize("language", Language)
def test_in_place_of_a_picture_stands_its_title(language: Language) -> None:
    position = position_view("standard", read_task(MOVEMENT).position)
    told = [alt(view, language) for view in (played(MOVEMENT), position)]
    assert len(set(told)) == 2
    assert all(1 < len(one) <= 150 and "\n" not in one for one in told)


# Fronts


def powers(*names: str) -> tuple[Power, ...]:
    return tuple(map(Power, names))


def test_a_front_is_where_units_of_two_powers_stand_beside_each_other() -> None:
    view = played(MOVEMENT)
    assert front(view, powers("GERMANY")) == {"HOL", "RUH", "MUN", "BUR", "NTH"}
    assert front(view, powers("GERMANY", "FRANCE", "ENGLAND")) == set()
    assert front(view, powers("ITALY")) == set()


@pytest.mark.parametrize("theme", Theme)
def test_a_front_is_shown_at_double_size_and_within_bounds(theme: Theme) -> None:
    sizes = {}
    for power in CENTERS:
        board = board_of(played(MOVEMENT), Look(theme=theme))
        assert board is not None
        data = board.front_png([Power(power)])
        assert (data is not None) is board.has_front([Power(power)])
        if data is not None:
            sizes[power] = opened(data).size
            assert len(data) < 30_000
    assert sizes.keys() == CENTERS.keys() - {"ITALY"}
    assert set(sizes.values()) == {(352, 264)}


# Replay and chart


def test_a_replay_has_a_frame_for_each_phase() -> None:
    views = [played(line) for line in (MOVEMENT, SIEGE, RETREAT, WINTER)]
    data = replay(views, Look(width=360))
    assert data is not None
    image = Image.open(io.BytesIO(data))
    assert (image.format, getattr(image, "n_frames", 0)) == ("GIF", 4)
    assert replay(views, Look(width=360)) == data


def test_a_chart_has_a_line_for_each_power() -> None:
    years = tuple(
        YearOfCenters(1900 + n, {Power("FRANCE"): 3 + n, Power("ITALY"): max(0, 3 - n), Power("TURKEY"): 3})
        for n in range(6)
    )
    chart = CentersChart("standard", years, "ardennes")
    found = _kinds(svg(chart, Look()))
    assert {f"centers-{power}" for power in load_map("standard").powers} <= found.keys()
    assert png(chart, Look(theme=Theme.DARK)) is not None
    assert "ardennes" in alt(chart, Language.ENGLISH)
