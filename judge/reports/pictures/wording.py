"""The words of a picture: title, key, and alternative text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum
from unicodedata import category

from judge.commands import Language
from judge.reports.pictures.views import CentersChart, PictureView
from judge.reports.wording import Wording, wording_in
from judge.rules.position import Power


class Key(StrEnum):
    """What the key explains."""

    ARMY = "army"
    FLEET = "fleet"
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
    """Return the title below the board."""
    return _plain(wording.say_from("pictures", "title", view))


def key_word(key: Key, wording: Wording) -> str:
    """Return the meaning of a line or sign."""
    return wording.speech.message(f"key-{key}")


def described(view: PictureView, wording: Wording) -> str:
    """Return the text for where the picture is not shown."""
    return _plain(wording.say_from("pictures", "alt", view))


def described_front(view: PictureView, powers: Collection[Power], wording: Wording) -> str:
    """Return the text for where the picture of a front is not shown."""
    return _plain(wording.say_from("pictures", "alt_front", view, tuple(sorted(powers))))


def chart_titled(chart: CentersChart, wording: Wording) -> str:
    """Return the title above the chart."""
    return _plain(wording.say_from("pictures", "chart_title", chart))


def left_out(names: Sequence[str], language: Language) -> str:
    """Return the note for a letter that has no room for some of its pictures."""
    return _plain(wording_in(language).speech.message("pictures-left-out", names=names))


_NO_LETTERS = frozenset(("Cc", "Cf", "Cn", "Cs"))
"""Categories of characters left out of alternative texts and titles.

Control, format (changes the direction of writing), unassigned, half of a surrogate pair.
"""


def _plain(text: str) -> str:
    """Return a text as one line.

    Characters that are not printed or change the direction of writing are left out.
    """
    words = " ".join(text.split())
    return "".join(letter for letter in words if category(letter) not in _NO_LETTERS)
