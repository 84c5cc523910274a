"""Classify a mail server's reply: against us, the recipient, or this letter.

The table is `replies.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from judge.errors import Against

_ADDRESS = re.compile(r"<[^<>]*>|\S+@\S+")
_STATUS = re.compile(r"(?<![\d.])[245]\.(\d{1,3})\.(\d{1,3})(?!\.?\d)")
_CODE = re.compile(r"(?<![\d.])[245]\d\d(?![\d.])")


class Stage(StrEnum):
    """The stage of a delivery at which the server replied."""

    CONNECT = "connect"
    SENDER = "sender"
    RECIPIENT = "recipient"
    CONTENT = "content"
    RETURNED = "returned"
    """The mail was sent, and came back."""


@dataclass(frozen=True, slots=True)
class _Row:
    against: Against
    stages: frozenset[Stage]
    code: str
    statuses: tuple[str, ...]
    words: re.Pattern[str] | None

    def fits(self, stage: Stage, code: str, status: tuple[str, str] | None, text: str) -> bool:
        """Whether the row applies to that reply."""
        if self.stages and stage not in self.stages:
            return False
        if not code.startswith(self.code) or (self.words is not None and not self.words.search(text)):
            return False
        subject, detail = status or ("", "")
        return not self.statuses or f"{subject}.{detail}" in self.statuses or f"{subject}.*" in self.statuses


def against(stage: Stage, said: str) -> Against:
    """Return what a reply objects to; `said` is its code and its text.

    >>> against(Stage.RECIPIENT, "550 5.1.1 <spam@x.test>: User unknown").value
    'recipient'
    >>> against(Stage.RECIPIENT, "550 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org").value
    'us'
    """
    text = _ADDRESS.sub(" ", said).lower()
    found = _STATUS.search(text)
    code = _CODE.search(text)
    begins = code[0] if code else found[0][0] if found else "4"  # a reply without a number is not permanent
    status = (found[1], found[2]) if found else None
    return next(row.against for row in _rows() if row.fits(stage, begins, status, text))


@cache
def _rows() -> tuple[_Row, ...]:
    return tuple(map(_row, tomllib.loads((files("judge.mail") / "replies.toml").read_text("utf-8"))["row"]))


def _row(written: Mapping[str, Any]) -> _Row:
    words = "|".join(map(re.escape, written.get("words", ())))
    return _Row(
        Against(written["against"]),
        frozenset(map(Stage, written.get("stage", ()))),
        written.get("code", ""),
        tuple(written.get("status", ())),
        re.compile(rf"(?<![^\W\d_])(?:{words})(?![^\W\d_])") if words else None,
    )
