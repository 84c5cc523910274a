"""What follows of requests that cannot be undone: whoever is asked for a yes is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from judge import commands as c
from judge.commands import Command
from judge.games import Game, Person
from judge.reports import Consequence
from judge.service.talk.agenda import RequestedCommand
from judge.storage import Work


def is_harmless(request: Command, game: Game | None, person: Person) -> bool:
    """Whether nothing is lost: a concession is taken back, or somebody leaves who only watches."""
    if request == c.Concede(None):
        return True
    if game is None or not isinstance(request, c.Resign):
        return False
    joined = {*game.masters, *(one.person for one in game.applicants)}
    return person.id not in joined and not game.seats_of(person.id)


def consequences(
    work: Work, named: Callable[[str], Game | None], person: Person, items: Iterable[RequestedCommand]
) -> list[Consequence]:
    """What follows of those of the requests that cannot be undone."""
    return list(_consequences(work, named, person, items))


def _consequences(
    work: Work, named: Callable[[str], Game | None], person: Person, items: Iterable[RequestedCommand]
) -> Iterator[Consequence]:
    for item in items:
        request = item.request
        if not request.card.is_final or item.overridden_by is not None or request == c.Concede(None):
            continue
        if isinstance(request, c.SetAddress | c.EraseMe):
            yield Consequence(request, games=work.games.of_person(person.id))
            continue
        game = named(getattr(request, "game", None) or item.scope.game or "")
        if game is not None and person.id in game.members and not is_harmless(request, game, person):
            powers = tuple(seat.power for seat in game.seats_of(person.id))
            joined = any(one.person == person.id for one in game.applicants)
            yield Consequence(request, game.name, powers, joined)
