"""Conversations: their members and their topic."""

from __future__ import annotations

from dataclasses import dataclass

from judge.rules.position import Power

_NOBODY, _COACH = "-", "*"


@dataclass(frozen=True, slots=True)
class Room:
    """The members of a conversation, as far as they may know of each other.

    A reply to press goes to all of them.
    """

    powers: tuple[Power, ...]
    """Empty for anonymous press to one power only, which cannot be answered."""
    topic: str = ""
    is_with_coach: bool = False
    """A player and their coach write to each other; no powers are named."""

    def __str__(self) -> str:
        """The form that `Room.parse` reads."""
        return f"{','.join(self.powers) or (_COACH if self.is_with_coach else _NOBODY)};{self.topic}"

    @classmethod
    def parse(cls, written: str) -> Room:
        """Return the room from its written form.

        >>> Room.parse(str(Room((Power("FRANCE"), Power("ITALY")), "Tunis; and what comes after")))
        Room(powers=('FRANCE', 'ITALY'), topic='Tunis; and what comes after', is_with_coach=False)
        """
        powers, _, topic = written.partition(";")
        named = powers.split(",") if powers not in (_NOBODY, _COACH) else ()
        return cls(tuple(map(Power, named)), topic, is_with_coach=powers == _COACH)
