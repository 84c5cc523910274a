"""A scene as a bitmap, drawn by Skia.

Layers that are the same in every phase are cached.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from types import ModuleType
from typing import Any

from PIL import Image

from judge.commands import Language
from judge.errors import InstallationError
from judge.reports.palette import colors
from judge.reports.pictures.compose import Look, borders, ground, labels
from judge.reports.pictures.drawing import Drawing, drawing_of
from judge.reports.pictures.font import font_file
from judge.reports.pictures.labels import Labels
from judge.reports.pictures.scene import Item, Path, Scene, Shape, Words
from judge.reports.pictures.svg import DESCENT, HALO
from judge.reports.pictures.window import Window
from judge.reports.wording import wording_in


@cache
def skia() -> ModuleType:
    """Return the Skia module.

    Raises InstallationError if a system library that it needs is missing.
    """
    try:
        import skia as library  # noqa: PLC0415 - a judge without it works, and sends no pictures
    except ImportError as error:
        raise InstallationError(
            f"pictures need the system's libEGL and libGL (libegl1, libgl1 in Debian): {error}"
        ) from error
    return library  # type: ignore[no-any-return]


@cache
def has_skia() -> bool:
    """Whether Skia can be used here."""
    try:
        skia()
    except InstallationError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Kept:
    """The layers of a board that are the same in every phase."""

    ground: Any
    lines: Any
    labels: Any
    written: tuple[Item, ...]
    """The labels of the layer; a picture with these very labels uses it."""


KEPT_LAYERS = 6
"""The most boards × looks whose layers are cached.

Each takes some 9 MB at the default width, four times as much in the large format.
"""


@lru_cache(maxsize=KEPT_LAYERS)
def _kept(board: str, look: Look) -> _Kept:
    drawing = drawing_of(board)
    assert drawing is not None, f"{board} has no drawing"
    wording = wording_in(look.language, board)
    written = labels(drawing, wording, look.labels)
    return _Kept(
        _layer(ground(drawing), drawing, look),
        _layer(borders(drawing), drawing, look),
        _layer(written, drawing, look),
        written,
    )


def painted(scene: Scene, board: str, look: Look, window: Window | None = None) -> Image.Image:
    """Return the picture in full color: the whole, or what is seen in a window."""
    # Codes are the same in every language.
    kept = _kept(board, look if look.labels is Labels.NAMES else replace(look, language=Language.ENGLISH))
    surface, scale = _surface(scene, look)
    if window is not None:
        surface = skia().Surface.MakeRaster(_info(*window.size))
        surface.getCanvas().translate(-window.left, -window.top)
    canvas = surface.getCanvas()
    brush = _Brush(canvas, colors(board, look.theme))
    copied = skia().Paint(BlendMode=skia().BlendMode.kSrc)
    for layer, paint, items in ((kept.ground, copied, scene.tints), (kept.lines, None, scene.marks)):
        canvas.drawImage(layer, 0, 0, skia().SamplingOptions(), paint)
        canvas.save()
        canvas.scale(scale, scale)
        brush.draw(items)
        canvas.restore()
    is_usual = scene.labels is kept.written
    if is_usual:
        canvas.drawImage(kept.labels, 0, 0)
    canvas.scale(scale, scale)
    if not is_usual:
        brush.draw(scene.labels)
    canvas.translate(0, scene.size[1])
    brush.draw(scene.strip)
    return _image(surface)


def _layer(items: Iterable[Item], drawing: Drawing, look: Look) -> Any:  # noqa: ANN401 - the library has no types
    scale = look.width / drawing.size[0]
    surface = skia().Surface.MakeRaster(_info(look.width, math.ceil(drawing.size[1] * scale)))
    surface.getCanvas().scale(scale, scale)
    _Brush(surface.getCanvas(), colors(drawing.board, look.theme)).draw(items)
    return surface.makeImageSnapshot()


def _info(width: int, height: int) -> Any:  # noqa: ANN401
    return skia().ImageInfo.Make(width, height, skia().kBGRA_8888_ColorType, skia().kPremul_AlphaType)


def _surface(scene: Scene, look: Look) -> tuple[Any, float]:
    """Return a surface for a picture, and its scale."""
    scale = look.width / scene.size[0]
    return skia().Surface.MakeRaster(_info(look.width, round(scene.height * scale))), scale


def _image(surface: Any) -> Image.Image:  # noqa: ANN401
    pixels = skia().Pixmap()
    surface.peekPixels(pixels)
    return Image.frombytes("RGB", (surface.width(), surface.height()), pixels, "raw", "BGRX")


def painted_plain(scene: Scene, board: str, look: Look) -> Image.Image:
    """Return a picture without a board beneath it, drawn without cached layers."""
    surface, scale = _surface(scene, look)
    canvas = surface.getCanvas()
    canvas.scale(scale, scale)
    brush = _Brush(canvas, colors(board, look.theme))
    for items in (scene.ground, scene.tints, scene.lines, scene.marks, scene.labels):
        brush.draw(items)
    canvas.translate(0, scene.size[1])
    brush.draw(scene.strip)
    return _image(surface)


class _Brush:
    """Draws the items of a scene on a canvas."""

    def __init__(self, canvas: Any, palette: Mapping[str, str]) -> None:  # noqa: ANN401
        self.canvas = canvas
        self.palette = palette

    def draw(self, items: Iterable[Item]) -> None:
        """Draw the items in order, each above the ones before."""
        for item in items:
            if isinstance(item, Shape):
                self._shape(item)
            elif isinstance(item, Words):
                self._words(item)
            else:
                self.draw(item.items)

    def _shape(self, shape: Shape) -> None:
        path = _path(shape.path)
        if shape.fill:
            self.canvas.drawPath(path, _ink(self.palette[shape.fill]))
        if shape.stroke:
            pen = _pen(self.palette[shape.stroke], shape.width, shape.dash, butt=shape.butt)
            self.canvas.drawPath(path, pen)

    def _words(self, words: Words) -> None:
        font = _font(words.size)
        x, y = words.at
        left = -_measured(words.text, words.size) / 2 if words.centered else 0.0
        self.canvas.save()
        self.canvas.translate(x, y)
        self.canvas.rotate(words.angle)
        if words.halo:
            around = _pen(self.palette[words.halo], words.size * HALO, (), butt=False)
            self.canvas.drawString(words.text, left, words.size * DESCENT, font, around)
        self.canvas.drawString(words.text, left, words.size * DESCENT, font, _ink(self.palette[words.fill]))
        self.canvas.restore()


_KEPT = 1024
"""The most values of each kind of Skia's that are cached.

Units and centers stand in few places and need few pens.
"""


@lru_cache(_KEPT)
def _path(path: Path) -> Any:  # noqa: ANN401
    builder = skia().PathBuilder()
    draw = {"M": builder.moveTo, "L": builder.lineTo, "Q": builder.quadTo, "C": builder.cubicTo, "Z": builder.close}
    for letter, numbers in path:
        draw[letter](*numbers)
    return builder.detach()


@lru_cache(_KEPT)
def _ink(color: str) -> Any:  # noqa: ANN401
    return skia().Paint(AntiAlias=True, Color=0xFF000000 | int(color[1:], 16))


@lru_cache(_KEPT)
def _pen(color: str, width: float, dash: tuple[float, ...], *, butt: bool) -> Any:  # noqa: ANN401
    pen = skia().Paint(_ink(color))
    pen.setStyle(skia().Paint.kStroke_Style)
    pen.setStrokeWidth(width)
    pen.setStrokeJoin(skia().Paint.kRound_Join)
    pen.setStrokeCap(skia().Paint.kButt_Cap if butt else skia().Paint.kRound_Cap)
    if dash:
        pen.setPathEffect(skia().DashPathEffect.Make(list(dash), 0))
    return pen


@lru_cache(_KEPT)
def _font(size: float) -> Any:  # noqa: ANN401
    font = skia().Font(_typeface(), size)
    font.setSubpixel(True)
    font.setHinting(skia().FontHinting.kNone)
    return font


@lru_cache(_KEPT)
def _measured(text: str, size: float) -> float:
    return float(_font(size).measureText(text))


@cache
def _typeface() -> Any:  # noqa: ANN401
    """Return the shipped font, from a font manager without other fonts."""
    data = skia().Data.MakeWithCopy(font_file().read_bytes())
    face = skia().FontMgr.New_Custom_Empty().makeFromData(data)
    if face is None:
        raise InstallationError(f"the font {font_file()} cannot be read")
    return face
