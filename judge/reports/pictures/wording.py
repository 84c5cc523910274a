"""What a picture says in words: title, key, and the text for whoever does not see it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from unicodedata import category

from judge.commands import Language
from judge.reports.pictures.views import CentersChart, PictureView
from judge.reports.wording import Wording, wording_in


class Key(StrEnum):
    """What the key explains."""

    MOVE = "move"
    SUPPORT = "support"
    CONVOY = "convoy"
    RETREAT = "retreat"
    FAILED = "failed"
    DISLODGED = "dislodged"
    DESTROYED = "destroyed"
    BUILT = "built"
    STANDOFF = "standoff"
    TAKEN = "taken"


def titled(view: PictureView, wording: Wording) -> str:
    """What is written beneath the board."""
    return _plain(wording.say_from("pictures", "title", view))


def key_word(key: Key, wording: Wording) -> str:
    """What a line or sign means."""
    return wording.speech.message(f"key-{key}")


def described(view: PictureView, wording: Wording) -> str:
    """The picture in words, in one line: what changed, who stands where."""
    return _plain(wording.say_from("pictures", "alt", view, wording.map.powers))


def chart_titled(chart: CentersChart, wording: Wording) -> str:
    """What is written above the chart."""
    return _plain(wording.say_from("pictures", "chart_title", chart))


def charted(chart: CentersChart, wording: Wording) -> str:
    """The chart in words, in one line."""
    return _plain(wording.say_from("pictures", "chart_alt", chart, wording.map.powers))


def left_out(names: Sequence[str], language: Language) -> str:
    """What a letter says that has no room for some of its pictures."""
    return _plain(wording_in(language).speech.message("pictures-left-out", names=names))


_NO_LETTERS = frozenset(("Cc", "Cf", "Cn", "Cs"))
"""Control, format (which turns the direction), unassigned, half a pair."""


def _plain(text: str) -> str:
    """In one line, without letters that are none, or that turn others around."""
    words = " ".join(text.split())
    return "".join(letter for letter in words if category(letter) not in _NO_LETTERS)
