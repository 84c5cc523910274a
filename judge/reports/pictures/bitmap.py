"""Bitmaps for mail: few colors, small files, the same bytes every time."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from itertools import chain

from PIL import Image

from judge.reports.palette import Theme, channels, colors, mixed


def png_bytes(image: Image.Image, board: str, theme: Theme) -> bytes:
    """Return a PNG of at most 256 colors."""
    target = io.BytesIO()
    _reduced(image, board, theme).save(target, "PNG", compress_level=7)
    return target.getvalue()


def gif_bytes(images: Sequence[Image.Image], board: str, theme: Theme, milliseconds: int) -> bytes:
    """Return an animation of the images that repeats forever; the last image is shown longer.

    Each frame holds only what changes, which takes a quarter of the bytes.
    """
    tallest = max(image.height for image in images)
    frames = [_reduced(_grown(image, tallest, theme, board), board, theme) for image in images]
    times = [milliseconds] * (len(frames) - 1) + [3 * milliseconds]
    target = io.BytesIO()
    frames[0].save(
        target, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=True, disposal=1
    )
    return target.getvalue()


def _grown(image: Image.Image, height: int, theme: Theme, board: str) -> Image.Image:
    """Extend an image at the bottom with the background color: all frames need one size."""
    if image.height == height:
        return image
    grown = Image.new("RGB", (image.width, height), colors(board, theme)["paper"])
    grown.paste(image)
    return grown


def _reduced(image: Image.Image, board: str, theme: Theme) -> Image.Image:
    return image.quantize(palette=_palette(board, theme), dither=Image.Dither.NONE)


@cache
def _palette(board: str, theme: Theme) -> Image.Image:
    """Return the colors of all pictures of a board: those of its parts, and mixtures of some that touch.

    Each further color makes the files larger; with these, edges are still smooth.
    """
    parts = colors(board, theme)
    powers = [part.removesuffix("-tint") for part in parts if part.endswith("-tint")]
    touching = [("edge", "halo"), ("text", "halo"), ("sea-text", "halo"), ("alarm", "halo"), ("coast", "sea")]
    touching += [("edge", power) for power in powers] + [(f"{power}-letter", power) for power in powers]
    touching += [("line", f"{power}-{tint}") for power in powers for tint in ("tint", "paler")] + [("line", "land")]
    between = (mixed(parts[one], parts[other], 0.5) for one, other in touching)
    chosen = list(dict.fromkeys((*parts.values(), *between)))[:256]
    palette = Image.new("P", (1, 1))
    palette.putpalette(list(chain.from_iterable(channels(color) for color in chosen)))
    return palette
