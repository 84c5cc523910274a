"""The code blocks of a document, as they stand there."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

ROOT = Path(__file__).parent.parent
_BLOCK = re.compile(r"^ *```\w*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def blocks(document: str, part: str = "") -> list[str]:
    """Return the code blocks of a document below `docs`.

    With `part`, only those of the section whose heading begins so.
    """
    text = (ROOT / "docs" / document).read_text("utf-8")
    if part:
        text = next(one for one in re.split(r"^## ", text, flags=re.MULTILINE) if one.startswith(part))
    return [textwrap.dedent(code) for code in _BLOCK.findall(text)]


def block(document: str, part: str, having: str) -> str:
    """Return the only block of a section that contains the text `having`."""
    (found,) = [one for one in blocks(document, part) if having in one]
    return found
