"""Pictures such as people attach, as large as they may be."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO

from PIL import Image

from judge.mail.letters import Attachment


def photograph(width: int, height: int) -> Image.Image:
    """Return a picture of many colors without sharp edges."""
    bands = [Image.effect_noise((width // 8, height // 8), 90) for _ in "RGB"]
    return Image.merge("RGB", bands).resize((width, height))


@dataclass(frozen=True)
class Row:
    """A row of a table: the same picture attached several times."""

    number: int
    size: tuple[int, int]
    kind: str
    arrive: int
    mode: str = "RGB"
    quality: int = 75
    is_progressive: bool = False
    scans: int = 0
    """How often the last scan is repeated."""

    def attached(self) -> list[Attachment]:
        """Return the attached files."""
        content, options = BytesIO(), {"progressive": True} if self.is_progressive else {}
        image = photograph(*self.size).convert(self.mode)
        if self.kind == "PNG":
            image = image.point(lambda value: value & 0xE0)  # otherwise it would be larger than a mail may be
        if self.mode == "RGBA":
            image.putalpha(128)
        image.save(content, self.kind, quality=self.quality, compress_level=6, **options)
        whole = content.getvalue()
        assert len(whole) * self.arrive < 5_000_000  # more are not kept
        if self.scans:
            start = whole.rindex(b"\xff\xda")
            whole = whole[:start] + whole[start:-2] * self.scans + whole[start:]
        return [Attachment(f"{number}", "image/x", whole) for number in range(self.number)]


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
