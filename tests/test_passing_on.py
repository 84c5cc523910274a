"""What pictures cost that are drawn anew: no mail may cost more than half a second."""

from __future__ import annotations

import time
from dataclasses import dataclass
from io import BytesIO

import pytest
from PIL import Image

from judge.mail.letters import Attachment
from judge.mail.passing_on import WhyNot, passed_on


def photograph(width: int, height: int) -> Image.Image:
    """Many colours, and no sharp edges."""
    bands = [Image.effect_noise((width // 8, height // 8), 90) for _ in "RGB"]
    return Image.merge("RGB", bands).resize((width, height))


@dataclass(frozen=True)
class Row:
    """The same picture several times."""

    number: int
    size: tuple[int, int]
    kind: str
    arrive: int
    mode: str = "RGB"
    quality: int = 75
    is_progressive: bool = False
    scans: int = 0
    """How often its last scan is repeated."""


ROWS = {
    "a photograph": Row(1, (4000, 3000), "JPEG", 1),
    "four photographs": Row(4, (4000, 3000), "JPEG", 4, quality=20),
    "four smaller ones": Row(4, (2000, 1500), "JPEG", 4),
    "one in scans": Row(1, (4000, 3000), "JPEG", 1, is_progressive=True),
    "four in scans": Row(4, (4000, 3000), "JPEG", 1, is_progressive=True),
    "one in fifteen scans": Row(1, (4000, 3000), "JPEG", 1, quality=25, is_progressive=True, scans=5),
    "one in many scans": Row(1, (4000, 3000), "JPEG", 0, quality=25, is_progressive=True, scans=6),
    "one for print": Row(1, (4000, 3000), "JPEG", 1, "CMYK", quality=50),
    "two of a screen": Row(2, (1170, 2532), "PNG", 2, "RGBA"),
    "one as a PNG": Row(1, (2900, 2150), "PNG", 1),
    "one with glass": Row(1, (2900, 2150), "PNG", 1, "RGBA"),
    "four of WebP": Row(4, (1440, 1080), "WEBP", 4),
    "one too large": Row(1, (9000, 6000), "JPEG", 0, quality=25),
    "a PNG too large": Row(1, (3200, 2300), "PNG", 0),
}


@pytest.mark.parametrize("name", ROWS)
def test_pictures_are_cheap_enough(name: str) -> None:
    row = ROWS[name]
    content, wishes = BytesIO(), {"progressive": True} if row.is_progressive else {}
    image = photograph(*row.size).convert(row.mode)
    if row.kind == "PNG":
        image = image.point(lambda value: value & 0xE0)  # otherwise it has more bytes than a mail
    if row.mode == "RGBA":
        image.putalpha(128)
    image.save(content, row.kind, quality=row.quality, compress_level=6, **wishes)
    whole = content.getvalue()
    assert len(whole) * row.arrive < 5_000_000  # more are not kept
    if row.scans:
        start = whole.rindex(b"\xff\xda")
        whole = whole[:start] + whole[start:-2] * row.scans + whole[start:]
    pictures = [Attachment(f"{number}", "image/x", whole) for number in range(row.number)]
    times = []
    for _ in range(3):
        before = time.process_time()
        found = passed_on(pictures)
        times.append(time.process_time() - before)
        assert sum(not isinstance(one.picture, WhyNot) for one in found) == row.arrive
    assert min(times) < 0.45  # of several times the least is what it needs
