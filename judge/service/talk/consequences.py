"""What follows of requests that cannot be undone: whoever is asked for a yes is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from judge import commands as c
from judge.commands import Command, Language
from judge.games import Game, Person, PersonId
from judge.games.access import is_unknown_to
from judge.language import ReadLine
from judge.reports import Consequence, TermsView, terms_view
from judge.service.talk.agenda import LineScope, RequestedCommand, agenda_of
from judge.service.talk.senders import Author
from judge.settings import name_in, setting_named
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
        if request == c.SetSecondAddress():
            continue
        if isinstance(request, c.SetAddress | c.SetSecondAddress | c.EraseMe):
            yield Consequence(request, games=work.games.of_person(person.id))
            continue
        game = named(getattr(request, "game", None) or item.scope.game or "")
        if game is not None and person.id in game.members and not is_harmless(request, game, person):
            powers = tuple(seat.power for seat in game.seats_of(person.id))
            joined = any(one.person == person.id for one in game.applicants)
            yield Consequence(request, game.name, powers, joined)


def finals(work: Work, person: Person | None, game: Game | None, lines: Sequence[ReadLine]) -> list[Consequence]:
    """What follows of those lines of a mail that cannot be undone; of a stranger none does."""
    agenda = agenda_of(lines, LineScope(game.name if game else None))
    return consequences(work, work.games.get, person, agenda) if person is not None else []


def terms_of(work: Work, sender: Author, language: Language, lines: Sequence[ReadLine]) -> list[TermsView]:
    """What those agree to who join the games that lines name, as far as they may know of them.

    A stranger may never have heard of us, so that the name, which somebody chose, is not repeated to him.
    """
    person = sender.person
    names = [one.game for line in lines for one in line.requests if isinstance(one, c.Join | c.TakeOver)]
    games = work.games.many(list(dict.fromkeys(names)))
    known = [game for game in games if not is_unknown_to(game, person.id if person else PersonId(0), sender.address)]
    return [terms_view(game, language, is_named=person is not None) for game in known]


def asked_in(lines: Sequence[ReadLine], language: Language) -> list[str]:
    """The lines that ask for something, with the settings below them."""
    return [asked for line in lines if line.requests for asked in (line.text, *_settings_below(line, language))]


def _settings_below(line: ReadLine, language: Language) -> list[str]:
    """The settings that belong to a line, as they were read."""
    return [
        f"    {name_in(setting_named(name) or name, language.value)}: {value.text}"
        for request in line.requests
        if isinstance(request, c.Create | c.CheckSettings | c.Register)
        for name, value in request.settings.items()
    ]
