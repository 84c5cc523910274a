"""Redraw pictures for other people, so that only the visible image is sent."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO
from typing import TYPE_CHECKING, TypeAlias

from judge.mail.letters import Attachment

if TYPE_CHECKING:
    from PIL import Image

MOST_PICTURES = 4
"""Pictures in one letter."""
_MOST_BYTES = 800_000
"""Bytes of all pictures together, before base64: mails stay far below 2 MB."""
_MOST_WORK = 100_000_000
"""Cost limit of all pictures together, by original pixels.

It allows four photographs or two screenshots from a phone.
"""
_OF_A_PIXEL = {"photograph": 2, "in scans": 8, "other": 16}
"""Cost per pixel.

Photographs are decoded at half size or less; JPEGs in scans are decoded whole in between.
"""
_MOST_SCANS = 15
"""The most scans in a JPEG.

A progressive one has about ten and those of a preview; thousands are an attack.
"""
_SCANS_OF_A_PREVIEW = 4
"""A photograph holds up to three smaller copies of itself."""
_SIZES = ((1600, 85), (1280, 75), (960, 70), (640, 60), (480, 50))
"""Longest side in pixels and JPEG quality; the first that fits is used."""
_FIRST_SIZES = (0, 1, 2, 2)
"""Index in `_SIZES` to start at, by the number of pictures.

Several together never fit at full size.
"""
_MOST_COLORS = 200
"""The most colors of a drawing, which PNG keeps sharp.

A picture with more is a photograph, even a grey one.
"""
_Sizes: TypeAlias = Sequence[tuple[int, int]]
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP")


class WhyNot(StrEnum):
    """Why a picture is not passed on."""

    UNREADABLE = "unreadable"
    """It cannot be decoded: broken, or of an unsupported format."""
    TOO_LARGE = "too-large"
    """It has too many pixels, or all pictures together have."""
    TOO_MANY = "too-many"


@dataclass(frozen=True, slots=True)
class PassedOn:
    """One picture, or why it is not passed on."""

    came_as: Attachment
    picture: Attachment | WhyNot


def passed_on(pictures: Sequence[Attachment]) -> tuple[PassedOn, ...]:
    """Redraw pictures without metadata, upright and small enough; of an animation, the first frame."""
    found: list[PassedOn] = []
    left = _MOST_WORK
    together = max(1, min(len(pictures), MOST_PICTURES))
    share, sizes = _MOST_BYTES // together, _SIZES[_FIRST_SIZES[together - 1] :]
    for place, one in enumerate(pictures):
        if place >= MOST_PICTURES:
            found.append(PassedOn(one, WhyNot.TOO_MANY))
            continue
        drawn, cost = _drawn_anew(one.content, left, share, sizes)
        left -= cost
        found.append(PassedOn(one, drawn))
    return tuple(found)


def _drawn_anew(content: bytes, left: int, share: int, sizes: _Sizes) -> tuple[Attachment | WhyNot, int]:
    """Redraw a picture in at most `share` bytes; return it with its cost."""
    from PIL import Image  # noqa: PLC0415 - most mails bring no picture

    cost = 0
    try:
        with Image.open(BytesIO(content), formats=_FORMATS) as image:  # reads only the header
            is_jpeg = image.format in ("JPEG", "MPO")
            scans = content.count(b"\xff\xda") if is_jpeg else 0
            is_in_scans = "progressive" in image.info or scans > _SCANS_OF_A_PREVIEW
            kind = "other" if not is_jpeg else "in scans" if is_in_scans else "photograph"
            cost = image.width * image.height * _OF_A_PIXEL[kind]
            if cost > left:
                return WhyNot.TOO_LARGE, 0
            if scans > _MOST_SCANS:
                return WhyNot.UNREADABLE, 0
            return _written(_upright(image, sizes[0][0]), share, sizes), cost
    except Image.DecompressionBombError:
        return WhyNot.TOO_LARGE, 0
    except Exception:  # noqa: BLE001 - a hostile picture makes the library raise anything
        return WhyNot.UNREADABLE, cost


def _upright(image: Image.Image, longest: int) -> Image.Image:
    """Return only the visible image, rotated upright and shrunk."""
    from PIL import ImageOps  # noqa: PLC0415 - as above

    part = longest / max(*image.size, longest)
    image.draft(None, (math.ceil(image.width * part), math.ceil(image.height * part)))  # of a JPEG, while it is decoded
    image = _opaque(image)
    _shrink(image, longest)
    with suppress(Exception):  # the metadata may be broken though the image is fine
        image = ImageOps.exif_transpose(image)
    image.info = {}  # otherwise comments, profiles and the like would be written again
    return image


def _opaque(image: Image.Image) -> Image.Image:
    """Convert to RGB or grey; transparent areas become white."""
    from PIL import Image  # noqa: PLC0415 - as above

    if image.mode in ("RGB", "L"):
        return image
    if not image.has_transparency_data:
        return image.convert("RGB")
    glass = image.convert("RGBA")
    opaque = Image.new("RGB", image.size, "white")
    opaque.paste(glass, mask=glass.getchannel("A"))
    opaque.info = image.info
    return opaque


def _shrink(image: Image.Image, longest: int) -> None:
    """Shrink so that no side is longer; mostly by integer factors, which is fast."""
    from PIL import Image  # noqa: PLC0415 - as above

    image.thumbnail((longest, longest), Image.Resampling.HAMMING, reducing_gap=1.0)


def _written(image: Image.Image, share: int, sizes: _Sizes) -> Attachment | WhyNot:
    if image.getcolors(_MOST_COLORS) is not None:
        content = _bytes_of(image, "PNG", compress_level=1)
        if len(content) <= share:
            return _named(content, "png", "image/png")
    for longest, quality in sizes:
        _shrink(image, longest)
        content = _bytes_of(image, "JPEG", quality=quality)
        if len(content) <= share:
            return _named(content, "jpg", "image/jpeg")
    return WhyNot.TOO_LARGE


def _bytes_of(image: Image.Image, kind: str, **wishes: int) -> bytes:
    written = BytesIO()
    image.save(written, kind, **wishes)
    return written.getvalue()


def _named(content: bytes, ending: str, kind: str) -> Attachment:
    """Name the file by its content: the original name might reveal the sender."""
    return Attachment(f"picture-{hashlib.sha256(content).hexdigest()[:8]}.{ending}", kind, content)
