"""Pictures that go from one person to others: drawn anew, so that nothing but what they show goes along."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO
from typing import TYPE_CHECKING

from judge.mail.letters import Attachment

if TYPE_CHECKING:
    from PIL import Image

MOST_PICTURES = 4
"""In one letter."""
_MOST_BYTES = 800_000
"""Of all together, before they are written in base64: with the words they stay far below 2 MB."""
_MOST_PIXELS = 13_000_000
"""Of all together, as they came: a photograph of a phone has 12 million; more costs more time than a mail may."""
_PIXELS_OF_A_JPEG, _PIXELS_OF_OTHERS = 2, 3
"""What a pixel of each costs, in halves."""
_MOST_SCANS = 40
"""Of a JPEG: a progressive one has about ten, one made to keep us busy has thousands."""
_SIZES = ((1600, 85), (1280, 75), (960, 70), (640, 60), (480, 50))
"""The longest side, and the quality of a JPEG; the first that is small enough is taken."""
_MOST_COLORS = 200
"""Of a drawing, which a PNG keeps sharp; what has more is a photograph, even a grey one."""
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
    left = _MOST_PIXELS * _PIXELS_OF_A_JPEG
    share = _MOST_BYTES // max(1, min(len(pictures), MOST_PICTURES))
    for place, one in enumerate(pictures):
        if place >= MOST_PICTURES:
            found.append(PassedOn(one, WhyNot.TOO_MANY))
            continue
        drawn, cost = _drawn_anew(one.content, left, share)
        left -= cost
        found.append(PassedOn(one, drawn))
    return tuple(found)


def _drawn_anew(content: bytes, left: int, share: int) -> tuple[Attachment | WhyNot, int]:
    """A picture in at most so many bytes, and what it cost."""
    from PIL import Image  # noqa: PLC0415 - most mails bring no picture

    cost = 0
    try:
        with Image.open(BytesIO(content), formats=_FORMATS) as image:  # reads the head alone
            is_jpeg = image.format in ("JPEG", "MPO")
            cost = image.width * image.height * (_PIXELS_OF_A_JPEG if is_jpeg else _PIXELS_OF_OTHERS)
            if cost > left:
                return WhyNot.TOO_LARGE, 0
            if is_jpeg and content.count(b"\xff\xda") > _MOST_SCANS:
                return WhyNot.UNREADABLE, 0
            return _written(_upright(image), share), cost
    except Image.DecompressionBombError:
        return WhyNot.TOO_LARGE, 0
    except Exception:  # noqa: BLE001 - a hostile picture makes the library raise anything
        return WhyNot.UNREADABLE, cost


def _upright(image: Image.Image) -> Image.Image:
    """What a picture shows, as it is to be looked at, and nothing else of it."""
    from PIL import Image, ImageOps  # noqa: PLC0415 - as above

    longest = _SIZES[0][0]
    image.thumbnail((longest, longest))
    with suppress(Exception):  # what it says of itself may be broken, and it be whole
        image = ImageOps.exif_transpose(image)
    if image.mode not in ("RGB", "L"):
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, "white")
        white.alpha_composite(image)
        image = white.convert("RGB")
    image.info = {}  # a comment, a profile and the like would be written again
    return image


def _written(image: Image.Image, share: int) -> Attachment | WhyNot:
    if image.getcolors(_MOST_COLORS) is not None:
        content = _bytes_of(image, "PNG", compress_level=1)
        if len(content) <= share:
            return _named(content, "png", "image/png")
    for longest, quality in _SIZES:
        image.thumbnail((longest, longest))
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
