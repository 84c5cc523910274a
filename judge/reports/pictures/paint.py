"""A scene as a bitmap, drawn by Skia; layers that are the same in every phase are cached."""

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
from judge.reports.pictures.compose import Labels, Look, borders, ground, labels
from judge.reports.pictures.drawing import Drawing, drawing_of
from judge.reports.pictures.font import font_file
from judge.reports.pictures.scene import Item, Path, Scene, Shape, Words
from judge.reports.pictures.svg import DESCENT, HALO
from judge.reports.wording import wording_in


@cache
def skia() -> ModuleType:
    """Return the Skia module; raises InstallationError if a system library that it needs is missing."""
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


KEPT_LAYERS = 6
"""Boards × looks: some 9 MB each at the default width, four times as much in the large format."""


@lru_cache(maxsize=KEPT_LAYERS)
def _kept(board: str, look: Look) -> _Kept:
    drawing = drawing_of(board)
    assert drawing is not None, f"{board} has no drawing"
    wording = wording_in(look.language, board)
    return _Kept(
        _layer(ground(drawing), drawing, look),
        _layer(borders(drawing), drawing, look),
        _layer(labels(drawing, wording, look.labels), drawing, look),
    )


def painted(scene: Scene, board: str, look: Look) -> Image.Image:
    """Return the whole picture in full color."""
    # Codes are the same in every language.
    kept = _kept(board, look if look.labels is Labels.NAMES else replace(look, language=Language.ENGLISH))
    width, height = look.width, round(scene.size[1] * look.width / scene.size[0])
    surface = skia().Surface.MakeRaster(_info(width, height))
    canvas = surface.getCanvas()
    brush = _Brush(canvas, colors(board, look.theme))
    scale = look.width / scene.size[0]
    copied = skia().Paint(BlendMode=skia().BlendMode.kSrc)
    layers = ((kept.ground, copied, scene.tints), (kept.lines, None, scene.marks), (kept.labels, None, scene.strip))
    for layer, paint, items in layers:
        canvas.drawImage(layer, 0, 0, skia().SamplingOptions(), paint)
        canvas.save()
        canvas.scale(scale, scale)
        brush.draw(items)
        canvas.restore()
    return _image(surface, width, height)


def _layer(items: Iterable[Item], drawing: Drawing, look: Look) -> Any:  # noqa: ANN401 - the library has no types
    scale = look.width / drawing.size[0]
    surface = skia().Surface.MakeRaster(_info(look.width, math.ceil(drawing.size[1] * scale)))
    surface.getCanvas().scale(scale, scale)
    _Brush(surface.getCanvas(), colors(drawing.board, look.theme)).draw(items)
    return surface.makeImageSnapshot()


def _info(width: int, height: int) -> Any:  # noqa: ANN401
    return skia().ImageInfo.Make(width, height, skia().kBGRA_8888_ColorType, skia().kPremul_AlphaType)


def _image(surface: Any, width: int, height: int) -> Image.Image:  # noqa: ANN401
    pixels = skia().Pixmap()
    surface.peekPixels(pixels)
    return Image.frombytes("RGB", (width, height), pixels, "raw", "BGRX")


def painted_plain(scene: Scene, board: str, look: Look) -> Image.Image:
    """Return a picture without a board beneath it, drawn without cached layers."""
    width, height = look.width, round(scene.size[1] * look.width / scene.size[0])
    surface = skia().Surface.MakeRaster(_info(width, height))
    scale = look.width / scene.size[0]
    surface.getCanvas().scale(scale, scale)
    brush = _Brush(surface.getCanvas(), colors(board, look.theme))
    for items in (scene.ground, scene.tints, scene.lines, scene.marks, scene.labels, scene.strip):
        brush.draw(items)
    return _image(surface, width, height)


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
            self.canvas.drawPath(path, self._paint(shape.fill))
        if shape.stroke:
            self.canvas.drawPath(path, self._pen(shape))

    def _paint(self, part: str) -> Any:  # noqa: ANN401
        return skia().Paint(AntiAlias=True, Color=0xFF000000 | int(self.palette[part][1:], 16))

    def _pen(self, shape: Shape) -> Any:  # noqa: ANN401
        pen = self._paint(shape.stroke)
        pen.setStyle(skia().Paint.kStroke_Style)
        pen.setStrokeWidth(shape.width)
        pen.setStrokeJoin(skia().Paint.kRound_Join)
        pen.setStrokeCap(skia().Paint.kButt_Cap if shape.butt else skia().Paint.kRound_Cap)
        if shape.dash:
            pen.setPathEffect(skia().DashPathEffect.Make(list(shape.dash), 0))
        return pen

    def _words(self, words: Words) -> None:
        font = skia().Font(_typeface(), words.size)
        font.setSubpixel(True)
        font.setHinting(skia().FontHinting.kNone)
        x, y = words.at
        left = -font.measureText(words.text) / 2 if words.centered else 0.0
        self.canvas.save()
        self.canvas.translate(x, y)
        self.canvas.rotate(words.angle)
        if words.halo:
            self.canvas.drawString(words.text, left, words.size * DESCENT, font, self._around(words))
        self.canvas.drawString(words.text, left, words.size * DESCENT, font, self._paint(words.fill))
        self.canvas.restore()

    def _around(self, words: Words) -> Any:  # noqa: ANN401
        pen = self._paint(words.halo)
        pen.setStyle(skia().Paint.kStroke_Style)
        pen.setStrokeWidth(words.size * HALO)
        pen.setStrokeJoin(skia().Paint.kRound_Join)
        return pen


def _path(path: Path) -> Any:  # noqa: ANN401
    builder = skia().PathBuilder()
    draw = {"M": builder.moveTo, "L": builder.lineTo, "Q": builder.quadTo, "C": builder.cubicTo, "Z": builder.close}
    for letter, numbers in path:
        draw[letter](*numbers)
    return builder.detach()


@cache
def _typeface() -> Any:  # noqa: ANN401
    """Return the shipped font, from a font manager that knows no other."""
    data = skia().Data.MakeWithCopy(font_file().read_bytes())
    face = skia().FontMgr.New_Custom_Empty().makeFromData(data)
    if face is None:
        raise InstallationError(f"the font {font_file()} cannot be read")
    return face
