"""Phases as people name them."""

from __future__ import annotations

import re

from judge.language.clerk import phase_of
from judge.rules.position import Phase, Position

_LONGEST_COMMAND = 100
_ENGLISH_PHASE = re.compile(
    r"\b(spring|autumn|fall|winter)\s*,?\s*(?:of\s+)?(\d{4})"
    r"(?:\s*[:,]?\s*(movement|moves|orders|retreats?|adjustments?|builds?)\b)?"
)
_JAPANESE_PHASE = re.compile(
    r"(\d{4})年の?\s*(春|秋|冬)(?:ターン|期)?の?\s*(移動|外交|交渉|行動|命令|撤退|後退|退却|調整|増減|ユニット増減)?(?:フェイズ|フェーズ)?"
)
_SHORT_PHASE = re.compile(r"(?<![a-z0-9])([sfw])(\d{4})(?![a-z0-9])")
_WHOLE_PHASE = re.compile(
    r"[\[(【「<*=\- ]*(?:(?:my )?(?:orders|moves) (?:for|of|in) (?:the )?)?([sfw]\d{4}[mra])\s*"
    r"(?:phase|turn|の?命令|orders)?[\])】」>*:=\-. ]*"
)
_SEASONS = {"spring": "S", "春": "S", "autumn": "F", "fall": "F", "秋": "F", "winter": "W", "冬": "W"}
_KINDS = {"r": "R", "撤": "R", "後": "R", "退": "R", "a": "A", "b": "A", "調": "A", "増": "A", "ユ": "A"}


def with_plain_phases(text: str, current: Phase | None = None) -> str:
    """Phases in words as `S1901M`: `Fall 1902 retreats`, `1902年秋 撤退`; without a kind, `current` if it can be."""

    def plain(season: str, year: str, kind: str | None) -> str:
        letter = _SEASONS.get(season, season.upper())
        letters = "FW" if letter != "S" else "S"
        if kind is None and current is not None and current.year == int(year) and current.season.value in letters:
            return f" {current} ".lower()
        meant = _KINDS.get(kind[0], "M") if kind else "A" if letter == "W" else "M"
        return f" {'W' if meant == 'A' and letter == 'F' else letter}{year}{meant} ".lower()

    text = _ENGLISH_PHASE.sub(lambda m: plain(m[1], m[2], m[3]), text)
    text = _JAPANESE_PHASE.sub(lambda m: plain(m[2], m[1], m[3]), text)
    return _SHORT_PHASE.sub(lambda m: plain(m[1], m[2], None), text)


def heading_phase(text: str, position: Position | None) -> Phase | None:
    """The phase that a line names and says nothing else: `Fall 1901:`."""
    if not any(letter.isdigit() for letter in text) or len(text) > _LONGEST_COMMAND:
        return None
    plain = with_plain_phases(text, position.phase if position else None)
    match = _WHOLE_PHASE.fullmatch(" ".join(plain.split()))
    return phase_of(match[1]) if match else None
