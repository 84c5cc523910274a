"""Pictures that go from one person to others: drawn anew, so that nothing but what they show goes along."""

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
"""In one letter."""
_MOST_BYTES = 800_000
"""Of all together, before they are written in base64: with the words they stay far below 2 MB."""
_MOST_WORK = 100_000_000
"""On the pixels of all together, as they came: four photographs of a phone, or two pictures of its screen."""
_OF_A_PIXEL = {"photograph": 2, "in scans": 8, "other": 16}
"""What one costs; a photograph is decoded at half its size or less, one in scans is kept whole in between."""
_MOST_SCANS = 15
"""Of a JPEG: a progressive one has about ten and those of a preview, one made to keep us busy has thousands."""
_SCANS_OF_A_PREVIEW = 4
"""A photograph holds up to three smaller ones of itself."""
_SIZES = ((1600, 85), (1280, 75), (960, 70), (640, 60), (480, 50))
"""The longest side, and the quality of a JPEG; the first that is small enough is taken."""
_FIRST_SIZES = (0, 1, 2, 2)
"""Where to begin among these, by the number of pictures: of several, none will be small enough at full size."""
_MOST_COLORS = 200
"""Of a drawing, which a PNG keeps sharp; what has more is a photograph, even a grey one."""
_Sizes: TypeAlias = Sequence[tuple[int, int]]
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP")


class WhyNot(StrEnum):
    """Why a picture is not passed on."""

    UNREADABLE = "unreadable"
    """It is none that can be drawn: broken, or of another kind."""
    TOO_LARGE = "too-large"
    """It has too many pixels, or all together have."""
    TOO_MANY = "too-many"


@dataclass(frozen=True, slots=True)
class PassedOn:
    """One picture, or why it is not passed on."""

    came_as: Attachment
    picture: Attachment | WhyNot


def passed_on(pictures: Sequence[Attachment]) -> tuple[PassedOn, ...]:
    """The pictures without metadata, upright and small enough; of a moving one its first frame."""
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
    """A picture in at most so many bytes, and what it cost."""
    from PIL import Image  # noqa: PLC0415 - most mails bring no picture

    cost = 0
    try:
        with Image.open(BytesIO(content), formats=_FORMATS) as image:  # reads the head alone
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
    """What a picture shows, as it is to be looked at, and nothing else of it."""
    from PIL import ImageOps  # noqa: PLC0415 - as above

    part = longest / max(*image.size, longest)
    image.draft(None, (math.ceil(image.width * part), math.ceil(image.height * part)))  # of a JPEG, while it is decoded
    image = _opaque(image)
    _shrink(image, longest)
    with suppress(Exception):  # what it says of itself may be broken, and it be whole
        image = ImageOps.exif_transpose(image)
    image.info = {}  # a comment, a profile and the like would be written again
    return image


def _opaque(image: Image.Image) -> Image.Image:
    """The same in colours or in grey; what shows through it is white."""
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
    """Make no side longer; most of it by whole numbers, which is cheap."""
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
    """Under a name of ours, which is the same for the same picture only: that of a file may tell who made it."""
    return Attachment(f"picture-{hashlib.sha256(content).hexdigest()[:8]}.{ending}", kind, content)
