"""Bytes to text: the label is a hint."""

from __future__ import annotations

_ALIASES = {
    "shift_jis": ("cp932",),
    "shift-jis": ("cp932",),
    "sjis": ("cp932",),
    "x-sjis": ("cp932",),
    "windows-31j": ("cp932",),
    "iso-2022-jp": ("iso2022_jp", "iso2022_jp_ext", "iso2022_jp_3", "cp50220"),
    "euc-jp": ("euc_jp", "eucjis2004"),
    "gb2312": ("gb18030",),
}
_GUESSES = ("utf-8", "cp932", "cp1252")
_HALF_WIDTH_KANA = b"\x1b(I"


def to_text(content: bytes, label: str | None) -> str:
    """Decode with the labelled charset or, where it does not fit, with the likeliest one; never raises."""
    label = (label or "us-ascii").lower()
    if b"\x1b$" in content or _HALF_WIDTH_KANA in content:
        label = "iso-2022-jp"
    if label in ("us-ascii", "ascii", "iso-8859-1", "latin-1", "unknown-8bit", "x-unknown"):
        attempts: tuple[str, ...] = ()
    else:
        attempts = _ALIASES.get(label, (label,))
    for charset in (*attempts, *_GUESSES):
        try:
            text = content.decode(charset)
        except (LookupError, UnicodeDecodeError):
            continue
        if charset != "cp932" or charset in attempts or _looks_japanese(text):
            return text
    return content.decode("latin-1")


def _looks_japanese(text: str) -> bool:
    foreign = [character for character in text if not character.isascii()]
    kana = sum("\u3040" <= character <= "\u30ff" or "\u4e00" <= character <= "\u9fff" for character in foreign)
    return bool(foreign) and kana * 2 > len(foreign)
