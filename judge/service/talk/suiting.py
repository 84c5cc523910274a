"""Deadlines that suit the players, for a master before the first phase closes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from judge.games import Game, Person, PersonId
from judge.games.answers import Answer, StatusShown
from judge.games.events import DeadlinesOffered
from judge.games.hours import DeadlineOffer, Player, deadlines_for
from judge.games.schedule import has_deadlines
from judge.storage import Work


def offered_at_the_start(work: Work, game: Game, now: datetime) -> Iterator[DeadlinesOffered]:
    """Yield the deadlines that would suit the players better, for each master."""
    for master in game.masters:
        offers = _offers(work, game, master, now)
        if offers:
            yield DeadlinesOffered(game, master, offers)


def with_deadlines(work: Work, answer: Answer, person: PersonId, now: datetime) -> Answer:
    """Add to STATUS the deadlines that would suit the players better, for a master."""
    if not isinstance(answer, StatusShown) or person not in answer.game.masters or answer.game.has_begun:
        return answer
    return replace(answer, offers=_offers(work, answer.game, person, now))


def _offers(work: Work, game: Game, master: PersonId, now: datetime) -> tuple[DeadlineOffer, ...]:
    settings = game.settings
    if game.is_sandbox or not has_deadlines(settings):
        return ()
    holders = (seat.holder for seat in game.seats if seat.holder is not None)
    ids = tuple(dict.fromkeys((*holders, *(one.person for one in game.applicants))))
    people = work.people.many((*ids, master))
    # A master who has joined an anonymous game may not know who else has.
    is_hidden = game.hides_names and (game.hides_names_from(master) or master in ids)
    players = [_player(people[one], game, is_hidden=is_hidden) for one in ids if one in people]
    here = people[master].zone or settings.zone
    return deadlines_for(settings.movement, settings.zone, players, here, now)


def _player(person: Person, game: Game, *, is_hidden: bool) -> Player:
    name = "" if is_hidden else person.name
    return Player(person.preferences.hours, person.zone or game.settings.zone, name)
