"""Conversations: their members and their topic."""

from __future__ import annotations

from dataclasses import dataclass

from judge.rules.position import Power

_NOBODY = "-"


@dataclass(frozen=True, slots=True)
class Room:
    """The members of a conversation, as far as they may know of each other.

    A reply to press goes to all of them.
    """

    powers: tuple[Power, ...]
    """Empty for anonymous press to one power only, which cannot be answered."""
    topic: str = ""

    def __str__(self) -> str:
        """The form that `Room.parse` reads."""
        return f"{','.join(self.powers) or _NOBODY};{self.topic}"

    @classmethod
    def parse(cls, written: str) -> Room:
        """Return the room from its written form.

        >>> Room.parse(str(Room((Power("FRANCE"), Power("ITALY")), "Tunis; and what comes after")))
        Room(powers=('FRANCE', 'ITALY'), topic='Tunis; and what comes after')
        """
        powers, _, topic = written.partition(";")
        return cls(tuple(map(Power, powers.split(","))) if powers != _NOBODY else (), topic)
