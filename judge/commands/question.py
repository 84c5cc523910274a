"""Questions in our letters, and the effect of each answer.

They are pure values, stored with the letter.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a question."""

    lines: str
    """What the answer stands for: lines as the reader might have sent them."""
    called: str = ""
    """Words by which the reader may choose it: `Munich`; "" for those of the lines."""
    number: int = 0
    """The number shown beside it; 0 if it is the only one in its letter."""

    @property
    def words(self) -> str:
        """The words by which the reader may choose it."""
        return self.called or self.lines


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a letter.

    A yes or a choice picks one of `choices`; any other answer fills the `blank`.
    """

    choices: tuple[Choice, ...] = ()
    refusal: str = ""
    """What a no stands for; "" if a no does nothing."""
    blank: str = ""
    """A line that lacks something, with `{}` in its place; "" if nothing is missing."""
    takes_any_words: bool = False
    """Any words fill the blank: it is a reason."""
    is_offer: bool = False
    """A seat or an office is offered: people accept it in words of their own."""
    needs_bare_yes: bool = False
    """A yes within a sentence is not enough.

    What it does cannot be undone, or goes out in the reader's name.
    """
    is_settled_once: bool = False
    """It may be answered only once.

    A second answer would do it again, for example grant more time.
    """
    settled_by: int = 0
    """The number of the mail that answered it; 0 while it is open."""


def offer_in(game: str, power: str = "") -> Question:
    """Return the question of a letter that offers a seat or an office.

    `power` is the power of the seat, if it is known.
    """
    return Question((Choice(f"ACCEPT {game}", power),), refusal=f"REFUSE {game}", is_offer=True)


def sitting_in(game: str, power: str) -> Question:
    """Return the question whether its reader will sit for a power."""
    what = f"SITTING {game} {power}"
    return Question((Choice(f"ACCEPT {what}", power),), refusal=f"REFUSE {what}", is_offer=True)


def coaching_in(game: str, power: str) -> Question:
    """Return the question of a letter that asks its reader to coach a power."""
    what = f"COACHING {game} {power}"
    return Question((Choice(f"ACCEPT {what}", power),), refusal=f"REFUSE {what}", is_offer=True)


def publication() -> Question:
    """Return the question whether the press of a finished game may be published."""
    return Question((Choice("SHARE PRESS"),), refusal="KEEP PRESS", needs_bare_yes=True)
