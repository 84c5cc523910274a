"""Names for people without a name of their own; never a part of their address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from judge.games import Game, Person, PersonId
from judge.reports.wording import Wording


def named(people: Mapping[PersonId, Person], game: Game, wording: Wording) -> Mapping[PersonId, Person]:
    """Return people as the letters of a game call them, each with a name."""
    if all(person.name for person in people.values()):
        return people
    return {
        id_: person if person.name else replace(person, name=_called(id_, game, wording))
        for id_, person in people.items()
    }


def _called(person: PersonId, game: Game, wording: Wording) -> str:
    """Return a name made from the person's power.

    Without a power, it is made from the order of joining. Masters and other people get a general name.
    """
    seats = game.seats_held_by(person)
    if seats:
        return wording.speech.message("player-of", power=seats[0].power)
    number = game.place_in_line(person)
    if number:
        return wording.speech.message("player-number", number=number)
    return wording.label("the_master" if person in game.masters else "a_player")
