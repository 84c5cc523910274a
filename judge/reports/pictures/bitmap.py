"""Bitmaps for mail: few colors, small files, the same bytes every time."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from itertools import chain

from PIL import Image

from judge.reports.pictures.palette import Theme, channels, colors, mixed


def png_bytes(image: Image.Image, board: str, theme: Theme) -> bytes:
    """A PNG of at most 256 colors."""
    target = io.BytesIO()
    _reduced(image, board, theme).save(target, "PNG", compress_level=7)
    return target.getvalue()


def gif_bytes(images: Sequence[Image.Image], board: str, theme: Theme, milliseconds: int) -> bytes:
    """Frame after frame, for ever; the last one stays longer."""
    tallest = max(image.height for image in images)
    frames = [_reduced(_grown(image, tallest, theme, board), board, theme) for image in images]
    times = [milliseconds] * (len(frames) - 1) + [3 * milliseconds]
    target = io.BytesIO()
    frames[0].save(
        target, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=False, disposal=1
    )
    return target.getvalue()


def _grown(image: Image.Image, height: int, theme: Theme, board: str) -> Image.Image:
    """With paper beneath it: all frames are of one size."""
    if image.height == height:
        return image
    grown = Image.new("RGB", (image.width, height), colors(board, theme)["paper"])
    grown.paste(image)
    return grown


def _reduced(image: Image.Image, board: str, theme: Theme) -> Image.Image:
    return image.quantize(palette=_palette(board, theme), dither=Image.Dither.NONE)


@cache
def _palette(board: str, theme: Theme) -> Image.Image:
    """The colors of all pictures of a board: those of its parts, and what lies between two that touch."""
    parts = colors(board, theme)
    flat = list(dict.fromkeys(parts.values()))
    powers = [part.removesuffix("-tint") for part in parts if part.endswith("-tint")]
    grounds = ["sea", "land", *(f"{power}-tint" for power in powers), *(f"{power}-paler" for power in powers)]
    touching = [("edge", "halo", 3), ("text", "halo", 3), ("sea-text", "halo", 2), ("alarm", "halo", 2)]
    touching += [(power, "edge", 2) for power in powers] + [(power, "halo", 1) for power in powers]
    touching += [(f"{power}-letter", power, 2) for power in powers]
    touching += [(line, area, 2) for area in grounds for line in ("line", "coast")]
    touching += [("halo", area, 1) for area in grounds] + [("text", area, 1) for area in grounds]
    touching += [("sea-line", "sea", 1), ("coast", "sea", 2), ("line", "center", 2)]
    between = [mixed(parts[a], parts[b], n / (steps + 1)) for a, b, steps in touching for n in range(1, steps + 1)]
    chosen = list(dict.fromkeys((*flat, *between)))[:256]
    palette = Image.new("P", (1, 1))
    palette.putpalette(list(chain.from_iterable(channels(color) for color in chosen)))
    return palette
