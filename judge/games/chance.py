"""Lots that players can check (`docs/lots.md`).

They follow from a seed that the judge commits to, and from words of the players.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.games.person import PersonId
from judge.rules.options import CountryAssignment
from judge.rules.position import Phase, Power


@dataclass(frozen=True, slots=True)
class Drawer:
    """A player who draws, in the order of joining."""

    wishes: tuple[Power, ...] = ()
    seats: int = 1
    promised: Power | None = None
    """The power that an invitation promised; it is not drawn."""
    word: str = ""


@dataclass(frozen=True, slots=True)
class Lot:
    """How the powers were drawn, with everything needed to repeat it."""

    seed: str
    assignment: CountryAssignment
    places: tuple[tuple[Power, ...], ...]
    """The powers of each seat to be filled, in the order of the board."""
    players: tuple[Drawer, ...]
    """In the order of joining."""


@dataclass(frozen=True, slots=True)
class Toss:
    """How the coin gave a power to a player, with everything needed to repeat it."""

    seed: str
    phase: Phase
    """The phase that closed as the coin was tossed."""
    power: Power
    places: tuple[tuple[Power, ...], ...]
    """The powers of each player."""
    words: tuple[str, ...]
    """The word of each player; "" if they have none."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The secret behind the lots of a game, and what was drawn so far."""

    root: str = ""
    """The secret from which the seeds are made; it is never told.

    "" in games from before there were commitments. Their lots cannot be checked.
    """
    words: tuple[tuple[PersonId, str], ...] = ()
    """Words of players for the next draw; they are secret until then."""
    lot: Lot | None = None
    toss: Toss | None = None

    @property
    def seed_of_lot(self) -> str:
        """The seed of the draw of powers; "" if there is none."""
        return digest(f"{self.root} lot") if self.root else ""

    @property
    def seed_of_coin(self) -> str:
        """The seed of the coin; "" if there is none."""
        return digest(f"{self.root} coin") if self.root else ""

    def anew(self) -> Chance:
        """Return the chance of the same game when it forms anew.

        It has other seeds, and no words.
        """
        return Chance(digest(f"{self.root} anew") if self.root else "")

    def without(self, person: PersonId) -> Chance:
        """Return the chance without the word of a person who left."""
        return replace(self, words=tuple(one for one in self.words if one[0] != person))

    def word_of(self, person: PersonId | None) -> str:
        """Return the word of a person; "" if they have none."""
        return dict(self.words).get(person, "") if person is not None else ""


NO_CHANCE = Chance()
DIGESTED = "sha256:"
"""What a digest in the place of a word begins with."""


def digest(text: str) -> str:
    """Return the SHA-256 of a text in hexadecimal digits.

    >>> digest("rosebud")[:16]
    '556f07d09850995f'
    """
    return hashlib.sha256(text.encode()).hexdigest()


def without_text(word: str) -> str:
    """Return the digest of a word, told in games where words would be press.

    The same numbers follow from it.
    """
    return DIGESTED + digest(word) if word else ""


def _digest_of(word: str) -> str:
    if word.startswith(DIGESTED):
        return word.removeprefix(DIGESTED)
    return digest(word) if word else ""


class Numbers:
    """Numbers that follow from a seed and words, and from nothing else."""

    def __init__(self, seed: str, words: Sequence[str]) -> None:
        self.key = digest("\n".join([seed, *map(_digest_of, words)]))
        self.count = 0

    def below(self, limit: int) -> int:
        """Return the next number from 0 up to, but not including, `limit`.

        Of one thing nothing is drawn.
        """
        if limit == 1:
            return 0
        self.count += 1
        return int(digest(f"{self.key} {self.count}"), 16) % limit


def is_by_chance(lot: Lot) -> bool:
    """Whether anything was drawn.

    Nothing is if each player wished for another power.
    """
    numbers = _numbers_for(lot)
    _draw(lot, numbers)
    return numbers.count > 0


def drawn(lot: Lot) -> tuple[tuple[int, ...], ...]:
    """Return for each player the places they drew (R-ASSIGN)."""
    return _draw(lot, _numbers_for(lot))


def _numbers_for(lot: Lot) -> Numbers:
    return Numbers(lot.seed, [player.word for player in lot.players])


def _draw(lot: Lot, numbers: Numbers) -> tuple[tuple[int, ...], ...]:
    free = list(range(len(lot.places)))
    given: dict[int, int] = {}
    left = [(index, wishes) for index, player in enumerate(lot.players) for wishes in _seat_by_seat(player)]
    for index, player in enumerate(lot.players):
        place = next((place for place in free if player.promised in lot.places[place]), None)
        if place is not None:
            given[place] = index
            free.remove(place)
            left.remove(next(one for one in left if one[0] == index))
    for rank in range(_ranks(lot.assignment, max((len(wishes) for _, wishes in left), default=0))):
        wished: dict[int, list[tuple[int, tuple[Power, ...]]]] = {}
        for one in left:
            wish = one[1][rank] if rank < len(one[1]) else None
            place = next((place for place in free if wish in lot.places[place]), None)
            if place is not None:
                wished.setdefault(place, []).append(one)
        for place, rivals in wished.items():
            lucky = rivals[numbers.below(len(rivals))]  # equal wishes are drawn (R-ASSIGN-3)
            given[place] = lucky[0]
            free.remove(place)
            left.remove(lucky)
    for index, _ in left:
        given[free.pop(numbers.below(len(free)))] = index
    return tuple(
        tuple(sorted(place for place, owner in given.items() if owner == index)) for index in range(len(lot.players))
    )


def _seat_by_seat(player: Drawer) -> Sequence[tuple[Power, ...]]:
    """Return the wishes for each seat of a player."""
    if player.seats == 1:
        return (player.wishes,)
    return [player.wishes[place : place + 1] for place in range(player.seats)]


def _ranks(assignment: CountryAssignment, most: int) -> int:
    """Return how many wishes of each player count."""
    match assignment:
        case CountryAssignment.LOT:
            return 0
        case CountryAssignment.FIRST_CHOICE_THEN_LOT:
            return min(most, 1)
        case _:
            return most


def thrown(toss: Toss) -> int:
    """Return the index of the player to whom the coin gives the power (R-MULTI-6)."""
    return Numbers(toss.seed, toss.words).below(len(toss.places))
