"""Bitmaps for mail: few colors, small files, the same bytes every time."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

from PIL import Image

from judge.reports.palette import Theme, channels, colors, mixed

_LEVEL = 7
"""The level of compression.

Level 8 takes three times as long and saves three bytes in a hundred.
"""


@dataclass(frozen=True, slots=True)
class Rows:
    """The upper rows of a PNG of at most 256 colors.

    They are compressed once for all pictures that begin with them.
    """

    size: tuple[int, int]
    board: str
    theme: Theme
    content: bytes
    packer: Any
    """The compressor after these rows; copies of it compress the rows below."""


def upper_rows(image: Image.Image, board: str, theme: Theme) -> Rows:
    """Return an image as the upper rows of a PNG, or as all of them."""
    packer = zlib.compressobj(_LEVEL)
    return Rows(image.size, board, theme, packer.compress(_rows(image, board, theme)), packer)


def png_bytes(upper: Rows, lower: Image.Image | None = None) -> bytes:
    """Return a PNG (RFC 2083) of these rows, and of an image below them."""
    packer, (width, height) = upper.packer.copy(), upper.size
    rest = b"" if lower is None else packer.compress(_rows(lower, upper.board, upper.theme))
    height += 0 if lower is None else lower.height
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)  # one byte a pixel, from a palette
    chunks = (
        _chunk(b"IHDR", header),
        _chunk(b"PLTE", _colors(upper.board, upper.theme)),
        _chunk(b"IDAT", upper.content + rest + packer.flush()),
        _chunk(b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _rows(image: Image.Image, board: str, theme: Theme) -> bytes:
    """Return the rows, each behind the number of its filter.

    It is 0, because no filter is best with a palette.
    """
    rows = Image.new("P", (image.width + 1, image.height))
    rows.paste(_reduced(image, board, theme), (1, 0))
    return rows.tobytes()


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(content, zlib.crc32(kind)))


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
    palette = Image.new("P", (1, 1))
    palette.putpalette(_colors(board, theme))
    return palette


@cache
def _colors(board: str, theme: Theme) -> bytes:
    """Return the colors of all pictures of a board.

    They are the colors of its parts, and mixtures of some that touch. Each further color makes the files larger. With
    these, edges are still smooth.
    """
    parts = colors(board, theme)
    powers = [part.removesuffix("-tint") for part in parts if part.endswith("-tint")]
    touching = [("edge", "halo"), ("text", "halo"), ("sea-text", "halo"), ("alarm", "halo"), ("coast", "sea")]
    touching += [("edge", power) for power in powers] + [(f"{power}-letter", power) for power in powers]
    touching += [("line", f"{power}-{tint}") for power in powers for tint in ("tint", "paler")] + [("line", "land")]
    between = (mixed(parts[one], parts[other], 0.5) for one, other in touching)
    chosen = list(dict.fromkeys((*parts.values(), *between)))[:256]
    return bytes(chain.from_iterable(map(channels, chosen)))
