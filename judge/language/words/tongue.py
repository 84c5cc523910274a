"""The letters of the languages: Latin, kana, kanji. Their character classes are only here."""

from __future__ import annotations

import re

KANA = "ぁ-ゖァ-ヺー"
KANJI = "々〆一-鿿"
"""The letters of Japanese words, as character classes."""
_KANA_OR_KANJI = re.compile(f"[{KANA}{KANJI}]")
_OF_A_JAPANESE_KEYBOARD = re.compile("[、-ヿ一-鿿！-｠]")
LATIN_LETTERS = "a-zß-öø-ɏ"
"""The letters of a Latin word in normal form, as a character class."""
LATIN = f"{LATIN_LETTERS}0-9"
"""Latin letters and digits, as a character class."""
LONG_VOWEL = "ー"
HIRAGANA = "ぁ-ん"
HONORIFICS = ("お", "ご")
"""Prefixes of words that continue with kanji."""
KATAKANA = "ァ-ヺー"
"""The letters of katakana, as a character class."""
HE_IN_KATAKANA = re.compile(f"[{KATAKANA}]+[へべぺ][{KATAKANA}]+")
"""A word in katakana with a letter in hiragana that looks the same."""
LARGE_KANA = str.maketrans("ァィゥェォッャュョヮ", "アイウエオツヤユヨワ")
KANJI_NUMBERS = "一二三四五六七八九十"
KANJI_DIGITS = "〇一二三四五六七八九"
LIKE_A_DASH = "ー一"
"""Typed for a dash when alone between blanks."""
_HIRAGANA = {ord("ァ") + number: ord("ぁ") + number for number in range(ord("ヶ") - ord("ァ") + 1)}
_KATAKANA = {hiragana: katakana for katakana, hiragana in _HIRAGANA.items()}
SMALL_KANA = "".join(letter + letter.translate(_HIRAGANA) for letter in map(chr, LARGE_KANA))
SEA = "海"
"""The ending of names of seas whose other letters are katakana."""


def is_japanese(text: str) -> bool:
    """Whether a text contains kana or kanji.

    >>> is_japanese("Wien"), is_japanese("Österreich → Tirol"), is_japanese("ウィーン"), is_japanese("A 陸")
    (False, False, True, True)
    """
    return not text.isascii() and _KANA_OR_KANJI.search(text) is not None


def is_plain(text: str) -> bool:
    """Whether a text is all ASCII, which has only one form."""
    return text.isascii()


def is_typed_in_japanese(text: str) -> bool:
    """Whether a text contains letters or signs of a Japanese keyboard.

    Signs and full-width letters count: `12/1〜12/10`.
    """
    return _OF_A_JAPANESE_KEYBOARD.search(text) is not None


def is_latin(letter: str) -> bool:
    """Whether a letter in normal form belongs to a script that separates words by blanks."""
    return "a" <= letter <= "z" or "0" <= letter <= "9" or ("ß" <= letter <= "ɏ" and letter != "÷")


def is_katakana(letter: str) -> bool:
    """Whether a letter is katakana or its long vowel mark."""
    return "ァ" <= letter <= "ヺ" or letter == LONG_VOWEL


def in_katakana(text: str) -> str:
    """Return a text with hiragana as katakana."""
    return text.translate(_KATAKANA)


def in_hiragana(text: str) -> str:
    """Return a text with katakana as hiragana; ヘ, which looks the same, becomes へ."""
    return text.translate(_HIRAGANA)
