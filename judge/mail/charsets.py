"""Decode bytes to text; the charset label is only a hint."""

from __future__ import annotations

import re

_ALIASES = {
    "shift_jis": ("cp932",),
    "shift-jis": ("cp932",),
    "sjis": ("cp932",),
    "x-sjis": ("cp932",),
    "windows-31j": ("cp932",),
    "cp932": ("cp932",),
    "iso-2022-jp": ("iso2022_jp", "iso2022_jp_ext", "iso2022_jp_3"),
    "euc-jp": ("euc_jp", "eucjis2004"),
    "x-euc-jp": ("euc_jp", "eucjis2004"),
    "x-euc": ("euc_jp", "eucjis2004"),
    "gb2312": ("gb18030",),
}
_SAYS_NOTHING = frozenset(
    ("us-ascii", "ascii", "iso-8859-1", "latin-1", "latin1", "windows-1252", "cp1252", "unknown-8bit", "x-unknown")
)
"""Default labels that say nothing about the real charset."""
_HALF_WIDTH_KANA = b"\x1b(I"
_KANA = re.compile("[\u3041-\u30f6]")
_JAPANESE_RUN = re.compile("[\u3040-\u30ff\u4e00-\u9fff]{2}|[\uff66-\uff9f]{3}")
"""A single kanji may be an accented letter and its neighbor, misread."""


def to_text(content: bytes, label: str | None) -> str:
    """Decode with the labelled charset, else with the most likely one; never raises.

    >>> to_text("パリ".encode("cp932"), "us-ascii"), to_text("détail".encode("latin-1"), "iso-8859-1")
    ('パリ', 'détail')
    """
    label = (label or "us-ascii").strip().lower()
    if b"\x1b$" in content or _HALF_WIDTH_KANA in content:
        label = "iso-2022-jp"
    named = () if label in _SAYS_NOTHING else _ALIASES.get(label, (label,))
    if named == ("cp932",) and looks_japanese(_decoded(content, "utf-8") or ""):
        return content.decode("utf-8")  # UTF-8 often passes for Shift_JIS, never the other way round
    for charset in named:
        text = _from_jis(content) if charset == "iso2022_jp_3" else _decoded(content, charset)
        if text is not None:
            return text
    return _guessed(content)


def _guessed(content: bytes) -> str:
    text = _decoded(content, "utf-8")
    if text is not None:
        return text
    text = content.decode("utf-8", "replace")  # a few broken characters do not make it another charset
    if looks_japanese(text) and text.count("\ufffd") <= max(1, len(text) // 10):
        return text
    text = _decoded(content, "euc_jp")  # kana in Shift_JIS are never kana in EUC
    if text is not None and _KANA.search(text) and looks_japanese(text):
        return text
    text = _decoded(content, "cp932")
    if text is not None and looks_japanese(text):
        return text
    return _decoded(content, "cp1252") or content.decode("latin-1")


def looks_japanese(text: str) -> bool:
    """Whether the text is almost certainly Japanese."""
    foreign = [character for character in text if not character.isascii()]
    japanese = sum("\u3040" <= c <= "\u30ff" or "\u4e00" <= c <= "\u9fff" or "\uff01" <= c <= "\uff9f" for c in foreign)
    return japanese * 2 > len(foreign) and _JAPANESE_RUN.search(text) is not None


def _decoded(content: bytes, charset: str) -> str | None:
    try:
        return content.decode(charset)
    except (LookupError, ValueError):  # a label can hold anything: "undefined", a NUL
        return None


_JIS_RUN = re.compile(rb"\x1b(\$[@B]|\$\([A-Z]|\([A-Z])([^\x1b]*)")


def _from_jis(content: bytes) -> str | None:
    """Decode ISO-2022-JP with characters of NEC and Microsoft (①, ㈱).

    No Python codec reads these.
    """
    try:
        start = content.decode("ascii") if b"\x1b" not in content else content[: content.index(b"\x1b")].decode("ascii")
        return start + "".join(_jis_run(match[1], match[2]) for match in _JIS_RUN.finditer(content))
    except ValueError:
        return None


def _jis_run(escape: bytes, run: bytes) -> str:
    if escape == b"(I":
        return bytes(byte | 0x80 if byte > 0x20 else byte for byte in run).decode("cp932")
    if not escape.startswith(b"$"):
        return run.decode("ascii")
    return bytes(byte | 0x80 if byte > 0x20 else byte for byte in run).decode("eucjis2004", "replace")
