"""Stand-ins, asked one by one before a vacant seat is open to all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from zlib import crc32

from judge.commands import Language
from judge.games.choices import Access
from judge.games.events import StandInAsked, VacancyOpened
from judge.games.game import Game, Invitation, Search
from judge.games.insight import why_not_seated
from judge.games.person import Person, PersonId
from judge.games.seats import open_seats
from judge.games.votes import living
from judge.rules.position import Power

ANYWHERE = "any"


def sought(
    game: Game,
    volunteers: Callable[[], Sequence[Person]],
    language: Language,
    now: datetime,
    gone: Collection[PersonId] = (),
) -> tuple[Game, tuple[StandInAsked | VacancyOpened, ...]]:
    """Return the game with one stand-in asked for each vacancy.

    Each person is asked once. If the last one does not take the seat, everyone in the game is told. `gone` are players
    who have just lost their seats. `volunteers` is called only if a stand-in is needed.
    """
    open_ = open_seats(game) if game.is_running else ()
    kept = tuple(one for one in game.invitations if one.until is None or (one.power in open_ and now < one.until))
    searches = tuple(search for search in game.searches if search.power in open_)
    game = replace(game, invitations=kept, searches=searches)
    told: list[StandInAsked | VacancyOpened] = []
    for power in _to_ask_for(game, open_):
        under_way = next((one for one in game.searches if one.power == power), None)
        search = under_way or Search(power, tuple(gone))
        chosen = _next(game, search, volunteers(), language)
        if chosen is None:
            search = replace(search, is_over=True)
            if under_way is not None:  # until now everyone had been told that a stand-in was asked
                told.append(VacancyOpened(game, power, now))
        else:
            search = replace(search, asked=(*search.asked, chosen.id))
            until = now + game.settings.stand_in
            offer = Invitation(chosen.address, power, now, until, chosen.name)
            game = replace(game, invitations=(*game.invitations, offer))
            told.append(StandInAsked(game, chosen.id, power, until))
        game = replace(game, searches=(*(one for one in game.searches if one.power != power), search))
    return game, tuple(told)


def _to_ask_for(game: Game, open_: Sequence[Power]) -> Iterator[Power]:
    """Yield the vacancies for which no stand-in is being asked.

    Of seats that change hands together, the first is yielded.
    """
    over = {search.power for search in game.searches if search.is_over}
    reserved = {one.power for one in game.invitations if one.since is not None}
    for powers in game.set_up.assignments:
        vacant = [power for power in powers if power in open_]
        if vacant and reserved.isdisjoint(vacant) and over.isdisjoint(vacant):
            yield vacant[0]


def _next(game: Game, search: Search, volunteers: Sequence[Person], language: Language) -> Person | None:
    """Return the next person to ask, or None.

    Members of the game come first, then reliable people. Equals are drawn by lot.
    """
    may = [one for one in volunteers if one.id not in search.asked and _may_be_asked(game, one, language)]
    lot = {one.id: crc32(f"{game.name} {search.power} {one.id}".encode()) for one in may}
    ranked = sorted(may, key=lambda one: (one.id not in game.members, -one.record.percent, lot[one.id]))
    return next(iter(ranked), None)


def _may_be_asked(game: Game, person: Person, language: Language) -> bool:
    """Whether a person may be asked.

    They must be willing, admitted by the game, and neither play in it nor run it.
    """
    plays = any(seat.power in living(game) for seat in game.seats_of(person.id))
    is_free = not plays and person.id not in game.masters and why_not_seated(game, person.id) is None
    is_open = game.settings.listed and game.settings.access is Access.OPEN
    is_welcome = person.id in game.members or is_open
    return (
        is_free
        and is_welcome
        and person.record.percent >= game.settings.reliability
        and _wants(person.preferences.standby, game.settings.map, language)
    )


def _wants(standby: str, board: str, language: Language) -> bool:
    wished = set(standby.split()) - {ANYWHERE}
    languages = wished & {one.value for one in Language}
    boards = wished - languages
    return bool(standby) and (not boards or board in boards) and (not languages or language in languages)
