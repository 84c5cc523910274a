"""Turn a view into a scene: what each layer contains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from judge.commands import Language
from judge.reports.palette import Theme
from judge.reports.pictures import signs
from judge.reports.pictures.arrows import Arrows
from judge.reports.pictures.drawing import Drawing, Mark, Point
from judge.reports.pictures.labels import Label, Labels, labels_of, written
from judge.reports.pictures.scene import Group, Item, Path, Scene, Shape, circle, line_path, ring_path
from judge.reports.pictures.strip import strip, strip_height
from judge.reports.pictures.views import Fates, PictureKind, PictureView, influence
from judge.reports.pictures.wording import described
from judge.reports.wording import Wording, wording_in
from judge.rules.map import load_map
from judge.rules.position import PhaseKind, Power, Province, Unit


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture is drawn; one view can be drawn with different looks."""

    language: Language = Language.ENGLISH
    theme: Theme = Theme.LIGHT
    labels: Labels = Labels.CODES
    width: int = 560
    """The width of the bitmap, in pixels."""


LARGE = 1800
"""The width of the large format."""


def scene_of(view: PictureView, drawing: Drawing, look: Look) -> Scene:
    """Return the whole picture."""
    below = strip_scene(view, drawing, look)
    return replace(board_scene(view, drawing, look), strip=below.strip, strip_height=below.strip_height)


def strip_scene(view: PictureView, drawing: Drawing, look: Look) -> Scene:
    """Return the strip of words alone."""
    words = strip(view, drawing.size[0], wording_in(look.language, view.board))
    return Scene((drawing.size[0], 0), strip=words, strip_height=strip_height(view))


def board_scene(view: PictureView, drawing: Drawing, look: Look) -> Scene:
    """Return the board without the strip: with codes, it is the same in all languages."""
    wording, marks = wording_in(look.language, view.board), _marks(view, drawing)
    return Scene(
        drawing.size,
        ground=ground(drawing),
        tints=tuple(_tints(view, drawing)),
        lines=borders(drawing),
        marks=marks,
        labels=_labels(view, drawing, look, marks),
        description=described(view, wording),
    )


KEPT_SCENES = 8


@lru_cache(maxsize=KEPT_SCENES)
def ground(drawing: Drawing) -> tuple[Item, ...]:
    """Return the sea, unowned land, and impassable land."""
    width, height = drawing.size
    frame = ring_path((((0, 0), (width, 0), (width, height), (0, height)),))
    outlines = _outlines(drawing)
    return (
        Shape(frame, fill="sea"),
        *(Shape(path, fill="sea" if drawing.provinces[code].is_sea else "land") for code, path in outlines.items()),
        Shape(ring_path(drawing.impassable), fill="impassable"),
    )


@lru_cache(maxsize=KEPT_SCENES)
def borders(drawing: Drawing) -> tuple[Item, ...]:
    """Return thin borders between provinces, thicker ones where land meets sea, and then the centers."""
    unit = drawing.size[0] / 1800
    outlines = _outlines(drawing)
    seas = [path for code, path in outlines.items() if drawing.provinces[code].is_sea]
    lands = [path for code, path in outlines.items() if not drawing.provinces[code].is_sea]
    marks = [
        Group(signs.center(province.center, drawing.signs.center), kinds=("center",))
        for province in drawing.provinces.values()
        if province.center is not None
    ]
    return (
        *(Shape(path, stroke="sea-line", width=1.3 * unit) for path in seas),
        *(Shape(path, stroke="line", width=1.5 * unit) for path in lands),
        Shape(ring_path(drawing.impassable), stroke="line", width=1.5 * unit),
        Shape(_coast(drawing), stroke="coast", width=2.2 * unit),
        *(shape for bar in drawing.bars for shape in _bar(bar, unit)),
        *(shape for link in drawing.links for shape in _link(link, unit)),
        *marks,
    )


def _bar(bar: Mark, unit: float) -> tuple[Item, ...]:
    """Return a channel that no army crosses, or a dam that no fleet passes."""
    path = line_path(bar.line)
    dam = Shape(path, stroke="coast", width=11 * unit)
    return (dam, Shape(path, stroke="sea", width=7 * unit)) if bar.kind == "army" else (dam,)


def _link(link: Mark, unit: float) -> tuple[Item, ...]:
    """Return a road between two provinces that do not touch.

    It is dashed for armies, dotted for fleets and solid for both.
    """
    path = line_path(link.line)
    dash = {"army": (13 * unit, 9 * unit), "fleet": (0.1, 9 * unit)}.get(link.kind, ())
    ends = (circle(link.line[0], 7 * unit), circle(link.line[-1], 7 * unit))
    return (
        Shape(path, stroke="halo", width=9 * unit),
        Shape(path, stroke="coast", width=4.5 * unit, dash=dash),
        *(Shape(end, fill="coast", stroke="halo", width=2 * unit) for end in ends),
    )


def _coast(drawing: Drawing) -> Path:
    """Return the coastline: the border segments that a sea shares with a land."""
    wet = {
        frozenset(piece) for ring in _rings(drawing, sea=True) for piece in zip(ring, ring[1:] + ring[:1], strict=True)
    }
    steps: list[tuple[str, tuple[float, ...]]] = []
    for ring in _rings(drawing, sea=False):
        last: Point | None = None
        for start, goal in zip(ring, ring[1:] + ring[:1], strict=True):
            if frozenset((start, goal)) in wet:
                steps += [("L", goal)] if last == start else [("M", start), ("L", goal)]
                last = goal
    return tuple(steps)


def _rings(drawing: Drawing, *, sea: bool) -> Iterable[tuple[Point, ...]]:
    return (ring for province in drawing.provinces.values() if province.is_sea is sea for ring in province.rings)


@lru_cache(maxsize=KEPT_SCENES)
def labels(drawing: Drawing, wording: Wording, kind: Labels) -> tuple[Item, ...]:
    """Return the labels of a board without anything on it.

    They are codes, or names in the language of the wording.
    """
    return _lines(labels_of(drawing, wording, kind))


def _lines(shown: Iterable[Label]) -> tuple[Item, ...]:
    return tuple(line for label in shown for line in label.lines)


def _labels(view: PictureView, drawing: Drawing, look: Look, marks: Iterable[Item]) -> tuple[Item, ...]:
    """Return the labels of a picture.

    If no order is in their way, it is the usual value, which all pictures share.
    """
    language = look.language if look.labels is Labels.NAMES else Language.ENGLISH  # codes are the same in all
    wording = wording_in(language, view.board)
    orders = [item for item in marks if isinstance(item, Group) and item.id.startswith("order-")]
    standing = [drawing.at(unit.location).unit for unit in (*view.units, *view.fates.built)]
    standing += [drawing.at(unit.location).dislodged for unit in view.dislodged]
    standing += [drawing.at(province).unit for province in view.standoffs]
    shown = written(drawing, wording, look.labels, orders, standing)
    usual = labels_of(drawing, wording, look.labels)
    return labels(drawing, wording, look.labels) if shown is usual else _lines(shown)


def _tints(view: PictureView, drawing: Drawing) -> Iterable[Item]:
    for province, power in influence(view).items():
        yield _tint(drawing, province, f"{power}-paler", power)
    for province, power in sorted(view.owners.items()):
        yield _tint(drawing, province, f"{power}-tint", power)


@lru_cache(maxsize=KEPT_SCENES)
def _outlines(drawing: Drawing) -> Mapping[Province, Path]:
    """Return each province's outline as one value, which an SVG writes only once."""
    return {code: ring_path(province.rings) for code, province in drawing.provinces.items()}


def _tint(drawing: Drawing, province: Province, color: str, power: Power) -> Item:
    shape = Shape(_outlines(drawing)[province], fill=color)
    return Group((shape,), id=f"land-{province}", kinds=("land", f"of-{power}"))


def _marks(view: PictureView, drawing: Drawing) -> tuple[Item, ...]:
    """Return everything on top of the board in this phase: moves beneath units."""
    items: list[Item] = [
        signs.marked("standoff", province, (signs.standoff(drawing.at(province).unit, drawing.signs.unit[1] * 0.5),))
        for province in view.standoffs
    ]
    items += _owners(view, drawing)
    items += _ways_out(view, drawing)
    items += Arrows(view, drawing).drawn()
    items += [_flag(view, drawing, taken.center, taken.winner) for taken in view.taken]
    fates = view.fates
    standing = {**view.units, **fates.built}
    items += [
        _unit(fates.of_standing, drawing, unit, power)
        for unit, power in sorted(standing.items(), key=lambda one: one[0].location)
    ]
    for unit, loss in sorted(view.dislodged.items(), key=lambda one: one[0].location):
        items.append(_dislodged(fates, drawing, unit, loss.power))
    return tuple(items)


def _owners(view: PictureView, drawing: Drawing) -> Iterable[Item]:
    """Yield a mark for each colored land without a unit.

    It names the power of that color, and stands where a dislodged unit would.
    """
    occupied = {unit.province for unit in (*view.units, *view.fates.built, *view.dislodged)}
    for land, power in sorted((influence(view) | dict(view.owners)).items()):
        if land not in occupied:
            mark = signs.owner(drawing.at(land).dislodged, _letters(drawing, power), drawing.signs.dislodged)
            yield Group((mark,), id=f"owner-{land}", kinds=("owner", f"of-{power}"))


def _flag(view: PictureView, drawing: Drawing, center: Province, winner: Power | None) -> Item:
    place = drawing.provinces[center].center
    assert place is not None, f"{view.board}: {center} is a center and has no place for one"
    return signs.marked("taken", center, signs.flag(place, drawing.signs.center, winner, _letters(drawing, winner)))


def _letters(drawing: Drawing, power: Power | None) -> str:
    return load_map(drawing.board).letters[power] if power else ""


def _unit(fates: Fates, drawing: Drawing, unit: Unit, power: Power) -> Item:
    at, size = drawing.at(unit.location).unit, drawing.signs.unit
    kinds = ["unit", "army" if unit.kind.value == "A" else "fleet", f"of-{power}"]
    is_gone = unit.province in fates.gone
    items: tuple[Item, ...] = signs.unit_sign(unit, power, _letters(drawing, power), at, size, is_gone=is_gone)
    if unit.province in fates.lost:
        kinds.append("lost")
        items = (signs.dislodged_ring(at, size), *items)
    if unit in fates.built:
        kinds.append("built")
        items = (*signs.new_ring(at, size), *items)
    if is_gone:
        kinds.append("removed" if fates.phase is PhaseKind.ADJUSTMENT else "destroyed")
    return Group(items, id=f"unit-{unit.province}", kinds=tuple(kinds), title=str(unit))


def _dislodged(fates: Fates, drawing: Drawing, unit: Unit, power: Power) -> Item:
    at, size = drawing.at(unit.location).dislodged, drawing.signs.dislodged
    is_gone = unit.province in fates.gone
    sign = signs.unit_sign(unit, power, _letters(drawing, power), at, size, is_gone=is_gone)
    items = sign if is_gone else (signs.dislodged_ring(at, size), *sign)
    kinds = ["unit", "dislodged", f"of-{power}", *(("destroyed",) if is_gone else ())]
    return Group(items, id=f"dislodged-{unit.province}", kinds=tuple(kinds), title=str(unit))


def _ways_out(view: PictureView, drawing: Drawing) -> list[Item]:
    """Return lines to where dislodged units may retreat.

    There are none in a picture of orders.
    """
    if view.kind is not PictureKind.POSITION:
        return []
    width = drawing.signs.unit[1] * 0.15
    ways: list[Item] = []
    for unit, loss in sorted(view.dislodged.items(), key=lambda one: one[0].location):
        for to in loss.retreats:
            line = line_path((drawing.at(unit.location).dislodged, drawing.at(to).unit))
            ways.append(
                Group(
                    (
                        Shape(line, stroke="halo", width=width * 2),
                        Shape(line, stroke="edge", width=width * 1.3, dash=(0.1, width * 2.2)),
                        Shape(line, stroke=loss.power, width=width * 0.8, dash=(0.1, width * 2.2)),
                    ),
                    id=f"way-{unit.province}-{to.replace('/', '-')}",
                    kinds=("way-out",),
                )
            )
    return ways
