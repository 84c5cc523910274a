"""The letters of the tongues: which are Latin, which are kana or kanji. Nowhere else is a class of them written."""

from __future__ import annotations

import re

KANA = "ぁ-ゖァ-ヺー"
KANJI = "々〆一-鿿"
"""As classes of characters."""
_KANA_OR_KANJI = re.compile(f"[{KANA}{KANJI}]")
_OF_A_JAPANESE_KEYBOARD = re.compile("[、-ヿ一-鿿！-｠]")
LATIN = "a-z0-9ß-öø-ɏ"
"""The letters of a Latin word in normal form, as a class of characters, with its numbers."""
LONG_VOWEL = "ー"
HIRAGANA = "ぁ-ん"
HONORIFICS = ("お", "ご")
"""One of them may begin a word that goes on with kanji."""
KATAKANA = "ァ-ヺー"
"""As a class of characters."""
LARGE_KANA = str.maketrans("ァィゥェォッャュョヮ", "アイウエオツヤユヨワ")
KANJI_NUMBERS = "一二三四五六七八九十"
KANJI_DIGITS = "〇一二三四五六七八九"
LIKE_A_DASH = "ー一"
"""Alone between blanks they were typed for a dash."""
_HIRAGANA = {ord("ァ") + number: ord("ぁ") + number for number in range(ord("ヶ") - ord("ァ") + 1)}
_KATAKANA = {hiragana: katakana for katakana, hiragana in _HIRAGANA.items()}
SMALL_KANA = "".join(letter + letter.translate(_HIRAGANA) for letter in map(chr, LARGE_KANA))
SEA = "海"
"""Ends the names of waters, which are written in katakana before it."""


def is_japanese(text: str) -> bool:
    """Whether any of it is kana or kanji.

    >>> is_japanese("Wien"), is_japanese("Österreich → Tirol"), is_japanese("ウィーン"), is_japanese("A 陸")
    (False, False, True, True)
    """
    return not text.isascii() and _KANA_OR_KANJI.search(text) is not None


def is_plain(text: str) -> bool:
    """Whether all of it is ASCII, which has one form."""
    return text.isascii()


def is_typed_in_japanese(text: str) -> bool:
    """Whether any of it, signs and wide letters too, comes from a Japanese keyboard: `12/1〜12/10`."""
    return _OF_A_JAPANESE_KEYBOARD.search(text) is not None


def is_latin(letter: str) -> bool:
    """Whether a letter in normal form belongs to a word that is parted from the next by a blank."""
    return "a" <= letter <= "z" or "0" <= letter <= "9" or ("ß" <= letter <= "ɏ" and letter != "÷")


def is_katakana(letter: str) -> bool:
    """Whether a letter is katakana, or the sign of a long vowel in it."""
    return "ァ" <= letter <= "ヺ" or letter == LONG_VOWEL


def in_katakana(text: str) -> str:
    """Hiragana as katakana."""
    return text.translate(_KATAKANA)


def in_hiragana(text: str) -> str:
    """Katakana as hiragana: ヘ, which looks the same, as へ."""
    return text.translate(_HIRAGANA)
