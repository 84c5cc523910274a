"""Admission to seats: open to everyone, by invitation, or by consent of a master."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from judge.commands import Accept, Allow, Deny, Eject, HandOver, Join, Promote, TakeOver
from judge.games import coaching, refusals, seats, setup, sitters
from judge.games.answers import Done, Petitioning
from judge.games.choices import Access
from judge.games.events import Event, GameNews, OfferRefused, PetitionDecided, Petitioned
from judge.games.game import Game, GameState, Invitation, MasterOffer, Petition
from judge.games.handled import Handled, refused
from judge.games.insight import seats_left, why_not_seated
from judge.games.person import PersonId
from judge.games.refusals import Refused
from judge.games.request import Request, on, table
from judge.rules.position import Power


def join(request: Request[Join]) -> Handled:
    """Take a seat before the start, if the game admits the sender."""
    game, person, command, address = request.game, request.person, request.command, request.looked_up.address
    wishes = command.wishes or ((command.power,) if command.power is not None else ())
    joined = partial(setup.join, game, person, command, request.now, request.mail.mail, address)
    return _why_not_admitted(request) or _enter(game, person, address, wishes, joined)


def take_over(request: Request[TakeOver]) -> Handled:
    """Take a vacant seat of a running game, if the game admits the sender."""
    game, person, command, looked_up = request.game, request.person, request.command, request.looked_up
    left = seats_left(game, person, looked_up.same)
    if command.power is None and left:
        command = replace(command, power=next((one for one in seats.vacancies(game) if one in left), None))
        request = replace(request, command=command)
    address = looked_up.address
    wishes = (command.power,) if command.power is not None else ()
    seated = partial(seats.take_over, game, person, command, request.now, address)
    return _why_not_admitted(request) or _enter(game, person, address, wishes, seated)


def _why_not_admitted(request: Request[Join | TakeOver]) -> Handled | None:
    """Return a refusal if the sender may not play in this game, else None.

    Senders are refused if they have seen orders of an open phase, or if they are less reliable than the game asks for.
    People who were invited need not be reliable.
    """
    game, looked_up = request.game, request.looked_up
    why = why_not_seated(game, request.person, looked_up.same, request.command.power)
    if why is not None:
        return refused(game, why)
    is_invited = any(one.address == looked_up.address for one in game.invitations)
    if is_invited or looked_up.percent >= game.settings.reliability:
        return None
    return refused(game, refusals.TooUnreliable(looked_up.percent, game.settings.reliability))


def _enter(
    game: Game, person: PersonId, address: str, wishes: tuple[Power, ...], come_in: Callable[[], Handled]
) -> Handled:
    """Seat a person with `come_in`, ask the masters, or refuse."""
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
    """Whether a person has joined already, has been invited, or runs the game."""
    joined = any(one.person == person for one in game.applicants)
    return joined or person in game.masters or any(one.address == address for one in game.invitations)


def _without(game: Game, person: PersonId) -> tuple[Petition, ...]:
    return tuple(one for one in game.petitions if one.person != person)


def accept(request: Request[Accept]) -> Handled:
    """Accept or refuse an offer: an office, a seat, to sit or to coach.

    The first of these that was offered is meant; a power to coach or to sit for in the answer means that alone. The
    masters are told of a refusal to play or to be a master, and only the player who asked of any other.
    """
    game, address, sits = request.game, request.looked_up.address, request.command.sits
    if sits is None and request.command.coaches is None:
        office = next((one for one in game.master_offers if one.address == address), None)
        if office is not None:
            return _accept_office(request, office)
        seat = next((one for one in game.invitations if one.address == address), None)
        if seat is not None:
            return _accept_seat(request, seat)
    if request.command.coaches is None:
        asked = (one for one in game.sittings if one.address == address and sits in (None, *one.powers))
        sitting = next(asked, None)
        if sitting is not None and game.is_running:
            return sitters.answer_request(request, sitting)
    to_coach = coaching.offer_to(game, address, request.command) if sits is None else None
    if to_coach is not None:
        return coaching.answer_offer(request, to_coach)
    return refused(game, refusals.NothingOffered(game.name))


def _accept_seat(request: Request[Accept], invited: Invitation) -> Handled:
    """Take the seat of an invitation, or decline."""
    game, person, address = request.game, request.person, request.looked_up.address
    if not request.command.accepts:
        game = replace(game, invitations=tuple(one for one in game.invitations if one.address != address))
        told = OfferRefused(game, person, invited.power, request.now, address=address)
        return Handled(game, Done(replace(request.command, game=game.name)), (told,))
    why = why_not_seated(game, person, request.looked_up.same, invited.power)
    if why is not None:
        return refused(game, why)
    if game.state is GameState.FORMING:
        return setup.join(game, person, Join(game.name), request.now, request.mail.mail, address)
    return seats.take_over(game, person, TakeOver(game.name, invited.power), request.now, address)


def _accept_office(request: Request[Accept], offer: MasterOffer) -> Handled:
    """Become the master, or a second one, or decline."""
    game, person, now = request.game, request.person, request.now
    command = replace(request.command, game=game.name)
    game = replace(game, master_offers=tuple(one for one in game.master_offers if one != offer))
    if not command.accepts:
        told = OfferRefused(game, person, None, now, is_office=True)
        return Handled(game, Done(command), (told,))
    others = tuple(one for one in game.co_masters if one != person)
    if offer.is_first:
        game = replace(game, master=person, co_masters=others)
        done: Promote | HandOver = HandOver(offer.address)
    else:
        game = replace(game, co_masters=(*others, person))
        done = Promote(offer.address)
    return Handled(game, Done(command), (GameNews(game, done, now, person=person, by=person),))


def allow(request: Request[Allow]) -> Handled:
    """Give a seat to a person who asked for one.

    They get the power they wish for if it is free, otherwise another.
    """
    game = request.game
    petition = _meant(request)
    if isinstance(petition, Refused):
        return Handled(game, petition)
    handled = _seated(request, petition, petition.wishes)
    if isinstance(handled.answer, Refused) and petition.wishes:
        handled = _seated(request, petition, ())
    if isinstance(handled.answer, Refused):
        return replace(handled, game=game)
    decided = PetitionDecided(handled.game, petition.person, is_allowed=True)
    return Handled(handled.game, Done(request.command), (*handled.events, decided))


def _seated(request: Request[Allow], petition: Petition, wishes: tuple[Power, ...]) -> Handled:
    power = wishes[0] if wishes else None
    why = why_not_seated(request.game, petition.person, request.looked_up.same, power)
    if why is not None:
        return refused(request.game, replace(why, is_other=True))
    game = replace(request.game, petitions=_without(request.game, petition.person))
    if game.state is GameState.FORMING:
        return setup.join(game, petition.person, Join(game.name, wishes=wishes), request.now, request.mail.mail)
    return seats.take_over(game, petition.person, TakeOver(game.name, power), request.now)


def deny(request: Request[Deny]) -> Handled:
    """Turn down a person who asked for a seat; they cannot ask again."""
    game, command = request.game, request.command
    petition = _meant(request)
    if isinstance(petition, Refused):
        return Handled(game, petition)
    if petition.is_denied:
        return refused(game, refusals.NobodyAsks(command.address))
    game = _kept_out(game, petition.person)
    return Handled(game, Done(command), (PetitionDecided(game, petition.person, is_allowed=False),))


def _meant(request: Request[Allow | Deny]) -> Petition | Refused:
    """Return the petition that a master means; without an address the only open one.

    ALLOW may come after a DENY.
    """
    game, address = request.game, request.command.address
    if address:
        person = request.looked_up.people.get(address)
        found = [one for one in game.petitions if one.person == person]
    else:
        found = [one for one in game.petitions if not one.is_denied]
    return found[0] if len(found) == 1 else Refused(refusals.NobodyAsks(address, len(found)))


def _kept_out(game: Game, person: PersonId) -> Game:
    return replace(game, petitions=(*_without(game, person), Petition(person, is_denied=True)))


def eject(request: Request[Eject]) -> Handled:
    """Remove the player of a power, or a person without a seat.

    Such a person is an applicant before the start, or an observer.
    """
    game, command = request.game, request.command
    if command.power is not None:
        return seats.eject(request)
    person = request.looked_up.people.get(command.address)
    applied = any(one.person == person for one in game.applicants)
    if person is None or not (applied or person in game.observers):
        is_forming = game.state is GameState.FORMING
        return refused(game, refusals.NotKnown(command.address) if is_forming else refusals.NameThePower())
    applicants = tuple(one for one in game.applicants if one.person != person)
    observers = tuple(one for one in game.observers if one != person)
    game = _kept_out(replace(game, applicants=applicants, observers=observers), person)
    return Handled(game, Done(command), (GameNews(game, command, request.now, person=person),))


HANDLERS = table(
    on(Accept, accept),
    on(Join, join),
    on(TakeOver, take_over),
    on(Allow, allow),
    on(Deny, deny),
    on(Eject, eject),
)
