"""Conversations: who hears what is said in them, and what they are about."""

from __future__ import annotations

from dataclasses import dataclass

from judge.rules.position import Power

_NOBODY = "-"


@dataclass(frozen=True, slots=True)
class Room:
    """Those who talk, as far as they may know of each other; a reply to press goes to all of them."""

    powers: tuple[Power, ...]
    """Nobody: an anonymous word to one power alone, which cannot be answered."""
    topic: str = ""

    def __str__(self) -> str:
        """As `Room.parse` reads it."""
        return f"{','.join(self.powers) or _NOBODY};{self.topic}"

    @classmethod
    def parse(cls, written: str) -> Room:
        """The room as it was written.

        >>> Room.parse(str(Room((Power("FRANCE"), Power("ITALY")), "Tunis; and what comes after")))
        Room(powers=('FRANCE', 'ITALY'), topic='Tunis; and what comes after')
        """
        powers, _, topic = written.partition(";")
        return cls(tuple(map(Power, powers.split(","))) if powers != _NOBODY else (), topic)
