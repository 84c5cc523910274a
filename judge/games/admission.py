"""Who may take a seat: everybody, who was invited, or whom a master lets in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from judge.commands import Allow, Deny, Eject, Join, TakeOver
from judge.games import refusals, seats, setup
from judge.games.answers import Done, Petitioning
from judge.games.choices import Access
from judge.games.events import Event, GameNews, PetitionDecided, Petitioned
from judge.games.game import Game, GameState, Petition
from judge.games.handled import Handled, refused
from judge.games.person import PersonId
from judge.games.refusals import Refused
from judge.rules.position import Power


def enter(
    game: Game, person: PersonId, address: str, wishes: tuple[Power, ...], come_in: Callable[[], Handled]
) -> Handled:
    """Let somebody `come_in`, or have the masters asked, or tell him why he may not."""
    handled = come_in()
    if isinstance(handled.answer, Refused) or _may_come_in(game, person, address):
        return handled
    known = next((one for one in game.petitions if one.person == person), None)
    if known is not None and known.is_denied:
        return refused(game, refusals.NotLetIn(game.name))
    if game.settings.access is Access.INVITED:
        return refused(game, refusals.NotInvited(game.name))
    if game.settings.access is Access.OPEN:
        return handled
    if known is not None and known.wishes == wishes:
        return refused(game, refusals.AlreadyAsked(game.name))
    game = replace(game, petitions=(*_without(game, person), Petition(person, wishes)))
    events: tuple[Event, ...] = () if known is not None else (Petitioned(game, person, wishes[0] if wishes else None),)
    return Handled(game, Petitioning(game.name), events)


def _may_come_in(game: Game, person: PersonId, address: str) -> bool:
    """Who is in already, has been invited, or runs the game."""
    joined = any(one.person == person for one in game.applicants)
    return joined or person in game.masters or any(one.address == address for one in game.invitations)


def _without(game: Game, person: PersonId) -> tuple[Petition, ...]:
    return tuple(one for one in game.petitions if one.person != person)


def allow(game: Game, command: Allow, person: PersonId | None, now: datetime, seed: int) -> Handled:
    """Give a seat to somebody who asked for one: at the start as he wishes, if he still can have that."""
    petition = _meant(game, command.address, person)
    if isinstance(petition, Refused):
        return Handled(game, petition)
    there = replace(game, petitions=_without(game, petition.person))
    handled = _seated(there, petition, petition.wishes, now, seed)
    if isinstance(handled.answer, Refused) and petition.wishes:
        handled = _seated(there, petition, (), now, seed)
    if isinstance(handled.answer, Refused):
        return replace(handled, game=game)
    decided = PetitionDecided(handled.game, petition.person, is_allowed=True)
    return Handled(handled.game, Done(command), (*handled.events, decided))


def _seated(game: Game, petition: Petition, wishes: tuple[Power, ...], now: datetime, seed: int) -> Handled:
    if game.state is GameState.FORMING:
        return setup.join(game, petition.person, Join(game.name, wishes=wishes), now, seed)
    return seats.take_over(game, petition.person, TakeOver(game.name, wishes[0] if wishes else None), now)


def deny(game: Game, command: Deny, person: PersonId | None) -> Handled:
    """Keep somebody out who asked for a seat; he need not ask again."""
    petition = _meant(game, command.address, person)
    if isinstance(petition, Refused):
        return Handled(game, petition)
    if petition.is_denied:
        return refused(game, refusals.NobodyAsks(command.address))
    game = _kept_out(game, petition.person)
    return Handled(game, Done(command), (PetitionDecided(game, petition.person, is_allowed=False),))


def _meant(game: Game, address: str, person: PersonId | None) -> Petition | Refused:
    """The petition that a master means; without an address the only one that waits. ALLOW may come after a DENY."""
    if address:
        found = [one for one in game.petitions if one.person == person]
    else:
        found = [one for one in game.petitions if not one.is_denied]
    return found[0] if len(found) == 1 else Refused(refusals.NobodyAsks(address, len(found)))


def _kept_out(game: Game, person: PersonId) -> Game:
    return replace(game, petitions=(*_without(game, person), Petition(person, is_denied=True)))


def eject_by_address(game: Game, command: Eject, person: PersonId | None, now: datetime) -> Handled:
    """Put somebody out who holds no seat: before the start whoever joined, and at any time who watches."""
    applied = any(one.person == person for one in game.applicants)
    if person is None or not (applied or person in game.observers):
        is_forming = game.state is GameState.FORMING
        return refused(game, refusals.NotKnown(command.address) if is_forming else refusals.NameThePower())
    applicants = tuple(one for one in game.applicants if one.person != person)
    observers = tuple(one for one in game.observers if one != person)
    game = _kept_out(replace(game, applicants=applicants, observers=observers), person)
    return Handled(game, Done(command), (GameNews(game, command, now, person=person),))
