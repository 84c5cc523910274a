"""What people are called who have not told a name; never by a part of their address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from judge.games import Game, Person, PersonId
from judge.reports.wording import Wording


def named(people: Mapping[PersonId, Person], game: Game, wording: Wording) -> Mapping[PersonId, Person]:
    """People as the letters of a game call them, each with a name."""
    if all(person.name for person in people.values()):
        return people
    return {
        id_: person if person.name else replace(person, name=_called(id_, game, wording))
        for id_, person in people.items()
    }


def _called(person: PersonId, game: Game, wording: Wording) -> str:
    """By their power, or by the order of joining before there is one."""
    seats = game.seats_of(person)
    if seats:
        return wording.speech.message("player-of", power=seats[0].power)
    number = game.place_in_line(person)
    if number:
        return wording.speech.message("player-number", number=number)
    return wording.label("the_master" if person in game.masters else "a_player")
