"""The consequences of requests that cannot be undone.

They are told to the person asked to confirm them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from judge import commands as c
from judge.commands import Command, Language
from judge.games import Game, LookedUp, MailContext, Person, PersonId, Request, handle
from judge.games.choices import Access
from judge.games.draws import living, sharing
from judge.games.refusals import Refused
from judge.games.settings import read_settings
from judge.games.sight import seen_as
from judge.games.terms import Settings
from judge.language import ReadLine
from judge.mailbox import mailbox_of
from judge.reports.readers import Consequence
from judge.reports.terms import TermsView, open_phase, terms_view
from judge.reports.wording import wording_in
from judge.rules.options import DrawRule
from judge.rules.position import Power
from judge.service.talk.agenda import LineScope, RequestedCommand, agenda_of
from judge.service.talk.senders import Author
from judge.service.talk.strangers import game_known_to, is_ours, shown_to_a_stranger
from judge.settings import name_in, setting_named
from judge.storage import Work


def may_end_a_game(request: Command, game: Game | None, person: Person) -> bool:
    """Whether a request is the person's first vote for a draw in a game.

    It is confirmed whatever others voted.
    """
    is_vote = isinstance(request, c.VoteDraw) and request.agrees
    return is_vote and game is not None and person.id not in game.draw_confirmed


def is_harmless(request: Command, game: Game | None, person: Person) -> bool:
    """Whether nothing is lost: a concession is withdrawn, or an observer or a sitter leaves."""
    if request == c.Concede(None):
        return True
    if game is None or not isinstance(request, c.Resign):
        return False
    joined = {*game.masters, *(one.person for one in game.applicants)}
    return person.id not in joined and not game.seats_held_by(person.id)


def consequences(
    work: Work, named: Callable[[str], Game | None], person: Person, items: Iterable[RequestedCommand]
) -> list[Consequence]:
    """Return the consequences of those requests that cannot be undone."""
    return list(_consequences(work, named, person, items))


def _consequences(
    work: Work, named: Callable[[str], Game | None], person: Person, items: Iterable[RequestedCommand]
) -> Iterator[Consequence]:
    for item in items:
        request = item.request
        if item.overridden_by is not None or isinstance(request, c.PressOrOrders) or _can_be_undone(request):
            continue
        if isinstance(request, c.SetAddress | c.SetSecondAddress | c.EraseMe):
            yield Consequence(request, games=work.games.of_person(person.id))
            continue
        game = named(getattr(request, "game", None) or item.scope.game or "")
        if isinstance(request, c.VoteDraw):
            yield from _of_a_vote(request, game, person)
            continue
        if game is not None and person.id in game.members and not is_harmless(request, game, person):
            powers = tuple(seat.power for seat in game.seats_of(person.id))
            joined = any(one.person == person.id for one in game.applicants)
            reopens, winners = game.is_running and game.has_begun, _winners(request, game)
            held = game.settings.holds_votes
            yield Consequence(request, game.name, powers, joined, can_reopen=reopens, sharers=winners, is_held=held)


def _can_be_undone(request: Command) -> bool:
    card = request.card
    return not (card.is_final or card.is_final_at_first) or request in (c.Concede(None), c.SetSecondAddress())


def _of_a_vote(request: c.VoteDraw, game: Game | None, person: Person) -> Iterator[Consequence]:
    if may_end_a_game(request, game, person) and game is not None and person.id in game.members:
        yield Consequence(request, game.name, sharers=_sharers(request, game), is_held=game.settings.holds_votes)


def _sharers(request: c.VoteDraw, game: Game) -> tuple[Power, ...]:
    """Return the powers that would share the draw.

    Empty for an armistice: its powers would reveal who agreed to it.
    """
    is_unanimous = game.settings.rules.draw_rule is DrawRule.UNANIMOUS
    return (request.among or sharing(game)) if is_unanimous else ()


def _winners(request: Command, game: Game) -> tuple[Power, ...]:
    """Return the powers that a concession lets win.

    They are that power, and those its player has by the set-up.
    """
    if not isinstance(request, c.Concede) or request.to is None:
        return ()
    player, alive = game.seat(request.to).holder, living(game)
    by_set_up = next((powers for powers in game.set_up.assignments if request.to in powers), ())
    others = (power for power in by_set_up if power in alive and game.seat(power).holder == player)
    return tuple(dict.fromkeys((request.to, *others)))


def finals(work: Work, person: Person | None, game: Game | None, lines: Sequence[ReadLine]) -> list[Consequence]:
    """Return the consequences of lines that cannot be undone; none for a stranger."""
    agenda = agenda_of(lines, LineScope(game.name if game else None))
    return consequences(work, work.games.get, person, agenda) if person is not None else []


def requests_of(lines: Sequence[ReadLine]) -> list[Command]:
    """Return all requests of the lines."""
    return [request for line in lines for request in line.requests]


def as_joining(item: RequestedCommand) -> Command:
    """Return an accepted invitation as a JOIN of its game; other requests unchanged."""
    request = item.request
    name = (request.game or item.scope.game) if isinstance(request, c.Accept) else None
    return c.Join(name) if name else request


def terms_of(
    work: Work, sender: Author, language: Language, requests: Iterable[Command], now: datetime, *, is_known: bool
) -> list[TermsView]:
    """Return the terms of games that would be joined.

    Games that the sender may not know are left out.
    The house rules are told only to a sender who `is_known` to have written here.
    """
    wanted = [one.command if isinstance(one, c.Perhaps) else one for one in requests]
    powers = {one.game.lower(): one.power for one in wanted if isinstance(one, c.Join | c.TakeOver)}
    games = [(game_known_to(work, sender, name), power) for name, power in powers.items()]
    found = [_terms_of(game, sender, language, power, now) for game, power in games if game is not None]
    return [replace(one, tells_house_rules=is_known) for one in found]


def _terms_of(game: Game, sender: Author, language: Language, power: Power | None, now: datetime) -> TermsView:
    """Return the terms of a game.

    The terms of a running game show its board to people who may watch or enter it.
    """
    person = sender.person
    is_invited = any(one.address in (sender.address, mailbox_of(sender.address)) for one in game.invitations)
    is_in = person is not None and person.id in game.members
    is_open = game.settings.observers or game.settings.access is Access.OPEN
    seen, zone = seen_as(game, ()), person.zone if person is not None else ""
    phase = open_phase(seen, power, now, zone, shows_board=is_open or is_invited or is_in)
    return replace(terms_view(seen, language), open=phase)


def comes_to_nothing(work: Work, sender: Author, request: Command, now: datetime) -> bool:
    """Whether a request can only be refused.

    Its sender is told at once, without a question first.
    """
    if isinstance(request, c.OfPress):
        return sender.misaddressed is not None
    if isinstance(request, c.Create):
        may_be_told = sender.person is not None or sender.is_proved or is_ours(work, sender, request)
        return may_be_told and not isinstance(read_settings(request.settings), Settings)
    if not isinstance(request, c.Join | c.TakeOver | c.Observe):
        return False
    game = game_known_to(work, sender, request.game)
    if game is None:  # a name that any sender may have chosen is never repeated to a stranger
        return sender.person is not None or sender.is_proved
    who = sender.person or Person(PersonId(0), sender.address, "", Language.ENGLISH)
    looked_up = LookedUp(address=sender.address, percent=who.record.percent)
    asked = Request(game, who.id, request, MailContext(0, "", now), now, looked_up)
    return isinstance(handle(asked).answer, Refused)


def summarized(
    work: Work, sender: Author, game: Game | None, lines: Sequence[ReadLine], language: Language, now: datetime
) -> str:
    """Summarize a mail in our words.

    The summary is sent to the address that the mail claims to come from. It repeats nothing that the writer chose.
    """
    requests = [request for request in requests_of(lines) if request.card.needs_proof or request.card.steers]
    asked = dict.fromkeys(shown_to_a_stranger(work, sender, request, language) for request in requests)
    name = game.name if game is not None and sender.person is not None else ""
    follows = finals(work, sender.person, game, lines)
    terms = terms_of(work, sender, language, requests, now, is_known=sender.person is not None)
    return wording_in(language).say_from("notices", "summary", list(asked), name, follows, terms)


def asked_in(lines: Sequence[ReadLine], language: Language) -> list[str]:
    """Return the lines that contain requests, with the settings below them."""
    return [asked for line in lines if line.requests for asked in (line.text, *_settings_below(line, language))]


def _settings_below(line: ReadLine, language: Language) -> list[str]:
    """Return the settings that belong to a line, as they were read."""
    return [
        f"    {name_in(setting_named(name) or name, language.value)}: {value.text}"
        for request in line.requests
        if isinstance(request, c.Create | c.CheckSettings | c.Register)
        for name, value in request.settings.items()
    ]
