"""Whoever stands by is asked as soon as a seat is vacant, and asked no more when it is not."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from functools import cache

from judge.games import Game, PersonId
from judge.games.events import StandInAsked, VacancyOpened
from judge.games.stand_ins import sought
from judge.storage import Work


def with_stand_ins(
    work: Work, game: Game, now: datetime, gone: Collection[PersonId] = ()
) -> tuple[Game, tuple[StandInAsked | VacancyOpened, ...]]:
    """The game with its vacancies offered to those who stand by; done twice it is the same."""
    master = work.people.many([game.master])[game.master]
    return sought(game, cache(work.people.standing_by), master.language, now, gone)
