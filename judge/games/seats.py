"""Seats that change hands, and offices of masters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from judge.commands import Eject, HandOver, MakeDummy, NewSecret, Promote, Replace, Resign, ShareNotes, TakeOver
from judge.games import refusals
from judge.games.answers import Done, Joined
from judge.games.events import Event, GameNews, Invited, PlayerLeft, PlayerOut, SeatOffered
from judge.games.filed import OnFile
from judge.games.game import Game, GameState, Invitation, MasterOffer, Seat
from judge.games.handled import Handled, refused
from judge.games.leave import Leave
from judge.games.mutes import Mutes
from judge.games.person import PersonId
from judge.games.readiness import is_offered
from judge.games.remembering import without_changed_seats
from judge.games.request import Request, on, table
from judge.games.schedule import with_time_for
from judge.games.sitters import is_sitter, stop_sitting
from judge.games.votes import living
from judge.rules.position import Power


def resign(request: Request[Resign]) -> Handled:
    """Leave the game: seats become vacant, applications and observing end.

    A sitter stops sitting.
    """
    game, person, command, now = request.game, request.person, request.command, request.now
    if is_sitter(game, person) and game.is_running:
        return stop_sitting(request)
    mine = game.seats_held_by(person)
    if not mine and person == game.master and person not in game.observers:
        return refused(game, refusals.MastersGames(game.name))
    applicants = tuple(applicant for applicant in game.applicants if applicant.person != person)
    applied = applicants != game.applicants
    observers = tuple(observer for observer in game.observers if observer != person)
    co_masters = game.co_masters if mine else tuple(one for one in game.co_masters if one != person)
    left = co_masters != game.co_masters
    game = replace(game, applicants=applicants, observers=observers, co_masters=co_masters)
    for seat in mine:
        game = game.with_seat(vacated(seat))
    game = without_changed_seats(game)
    events: list[Event] = [GameNews(game, command, now, seat.power) for seat in mine[:1]]
    if applied:
        events.append(PlayerLeft(game, person))
    if left:
        events.append(GameNews(game, command, now, person=person))
    return Handled(game, Done(command), tuple(events))


def vacated(seat: Seat, *, keeps_orders: bool = True) -> Seat:
    """Return the seat without its player.

    The orders for the open phase stay unless `keeps_orders` is False.
    """
    filed = OnFile(seat.filed.orders if keeps_orders else (), seat.filed.declined)
    ballots = replace(seat.ballots.withdrawn(), elects=None)
    return replace(
        seat, holder=None, before=seat.holder or seat.before, serial=seat.serial + 1,
        filed=filed, ballots=ballots, mutes=Mutes(), leave=Leave(),
        extensions=0, shares_notes=False, is_robot=False, offered_at=None, is_voted_out=False, renewed=None, coach=None,
    )  # fmt: skip


def renew_secret(request: Request[NewSecret]) -> Handled:
    """Give the sender's seats another secret address.

    Earlier mails prove nothing any more.
    """
    game = request.game
    for seat in game.seats_held_by(request.person):
        game = game.with_seat(replace(seat, renewed=request.now))
    return Handled(game, Done(request.command))


def vacancies(game: Game) -> tuple[Power, ...]:
    """Return the powers that any person may take over now.

    Powers that a stand-in is being asked to take are left out.
    """
    asked = {one.power for one in game.invitations if one.until is not None}
    kept = {power for powers in game.set_up.assignments if not asked.isdisjoint(powers) for power in powers}
    return tuple(power for power in open_seats(game) if power not in kept)


def has_lapsed(game: Game, now: datetime) -> bool:
    """Whether a stand-in has not answered in time."""
    return any(one.until is not None and one.until <= now for one in game.invitations)


def open_seats(game: Game) -> tuple[Power, ...]:
    """Return the living powers without a player, and those on offer.

    A seat is on offer because its player is missing.
    """
    played = {power for powers in game.set_up.assignments for power in powers}
    return tuple(
        seat.power
        for seat in game.seats
        if (seat.holder is None or is_offered(game, seat))
        and seat.power in played & set(living(game))
        and not (seat.is_dummy or seat.is_robot)
    )


def take_over(game: Game, person: PersonId, command: TakeOver, now: datetime, address: str = "") -> Handled:
    """Give a vacant seat to a person.

    An eliminated player may take one, too (R-NMR-2).
    """
    if not may_have_more(game, person):
        return refused(game, refusals.AlreadyIn(game.name))
    own = tuple(one.power for one in game.invitations if one.address == address and one.power in living(game))
    kept = {one.power for one in game.invitations if one.address != address}
    free = (*own, *(power for power in vacancies(game) if power not in (*kept, *own)))
    power = command.power or (free[0] if free else None)
    if power not in free or power is None:
        return refused(game, refusals.NoVacancy(free))
    game = replace(game, observers=tuple(observer for observer in game.observers if observer != person))
    game = replace(game, invitations=tuple(one for one in game.invitations if one.address != address))
    game = replace(game, petitions=tuple(one for one in game.petitions if one.person != person))
    group = next(powers for powers in game.set_up.assignments if power in powers)
    before, is_back = game.seat(power).holder, game.seat(power).before == person
    for one in group:
        if game.seat(one).holder == before:
            vacant = vacated(game.seat(one), keeps_orders=game.settings.inherit_orders)
            game = game.with_seat(held_by(vacant, person))
    powers = tuple(seat.power for seat in game.seats_of(person) if seat.power in group)
    later = game if is_back else with_time_for(game, powers, now)
    was = game.clock.deadline if later.clock.deadline != game.clock.deadline else None
    news = GameNews(later, replace(command, power=power), now, power, before, was=was)
    inherits = any(later.seat(one).filed.orders for one in powers)
    answer = Joined(
        game.name,
        power,
        0,
        powers=powers,
        after_somebody=True,
        inherits=inherits,
        has_more_time=was is not None,
        left=later.clock.left,
    )
    return Handled(later, answer, (news,))


def may_have_more(game: Game, person: PersonId) -> bool:
    """Whether a person may take one more seat.

    Most games allow one living power each.
    """
    mine = {seat.power for seat in game.seats_of(person) if seat.power in living(game)}
    held = sum(not mine.isdisjoint(powers) for powers in game.set_up.assignments)
    return held < game.settings.seats_per_person


def held_by(seat: Seat, person: PersonId) -> Seat:
    """Return the seat with a new player."""
    return replace(seat, holder=person, serial=seat.serial + 1, is_dummy=False, in_disorder=False, missed=0)


def eject(request: Request[Eject | MakeDummy]) -> Handled:
    """Remove the player of a power; with DUMMY the seat is not offered to others."""
    game, command = request.game, request.command
    assert command.power is not None
    seat = game.seat(command.power)
    dummy = isinstance(command, MakeDummy)
    if game.state is GameState.FORMING:
        return refused(game, refusals.HasNotStarted(game.name) if dummy else refusals.NameTheAddress(game.name))
    if (
        seat.holder is None
        and not seat.is_robot
        and (not dummy or seat.is_dummy or command.power in game.set_up.unplayed)
    ):
        return refused(game, refusals.NotHeld(command.power))
    person = seat.holder
    for one in _of_the_same_player(game, seat):
        game = game.with_seat(replace(vacated(one, keeps_orders=not dummy), is_dummy=dummy))
        if dummy:
            game = replace(game, invitations=tuple(asked for asked in game.invitations if asked.power != one.power))
    return Handled(game, Done(command), (GameNews(game, command, request.now, person=person),))


def offer(game: Game, command: Eject, now: datetime) -> Handled:
    """Offer the seats of a player to others, as voted.

    The player keeps them until another person takes them.
    """
    assert command.power is not None
    mine = [one for one in _of_the_same_player(game, game.seat(command.power)) if one.power in living(game)]
    person, powers = mine[0].holder, tuple(one.power for one in mine)
    assert person is not None
    for one in mine:
        game = game.with_seat(replace(one, offered_at=now, is_voted_out=True))
    told = SeatOffered(game, powers, person, now, by_vote=True, reason=command.reason)
    return Handled(game, Done(command), (GameNews(game, command, now, person=person), told))


def replace_player(request: Request[Replace]) -> Handled:
    """Ask a person to take a seat.

    Its player keeps it until they accept, so a mistake does no harm. The answer does not reveal whether the address is
    registered, and no one is forced to play.
    """
    game, command, now = request.game, request.command, request.now
    new = request.looked_up.people.get(command.address)
    if command.power in game.set_up.unplayed or command.power not in living(game):
        return refused(game, refusals.PowerNotPlayed(command.power))
    if new is not None and not may_have_more(game, new):
        return refused(game, refusals.JoinedAlready(command.address))
    invitation = Invitation(command.address, command.power, now)
    others = tuple(one for one in game.invitations if one.power != command.power)
    game = replace(game, invitations=(*others, invitation))
    news = GameNews(game, command, now)
    return Handled(game, Done(command), (news, Invited(game, request.person, invitation, now)))


def _of_the_same_player(game: Game, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats that change hands together with this one.

    With few players, one player has several (R-MULTI).
    """
    group = next((powers for powers in game.set_up.assignments if seat.power in powers), (seat.power,))
    return tuple(one for one in game.seats if one.power in group and one.holder == seat.holder)


def promote(request: Request[Promote | HandOver]) -> Handled:
    """Ask a person to be a co-master, or to replace the master."""
    game, command = request.game, request.command
    person, several = request.looked_up.people.get(command.address), request.looked_up.several
    if several:
        names = () if game.hides_names else several
        return refused(game, refusals.WhichThere(command, command.address, names))
    if person is None or person not in game.members:  # the answer does not reveal which addresses are registered
        return refused(game, refusals.NotKnown(command.address))
    if person in game.masters and not (isinstance(command, HandOver) and person != game.master):
        return refused(game, refusals.SameSetting(command.address))
    address = request.looked_up.addresses.get(person, command.address)
    offer = MasterOffer(address, request.now, isinstance(command, HandOver))
    before = [one for one in game.master_offers if one.address != offer.address]
    others = tuple(one for one in before if one.is_first is not offer.is_first)
    game = replace(game, master_offers=(*others, offer))
    return Handled(game, Done(command), (Invited(game, request.person, offer, request.now),))


def is_out(game: Game, person: PersonId) -> bool:
    """Whether a player has nothing left on the board (R-ELIM)."""
    mine = game.seats_of(person)
    return game.state is not GameState.FORMING and bool(mine) and not any(s.power in living(game) for s in mine)


def players_out(before: Game, after: Game, now: datetime) -> tuple[PlayerOut, ...]:
    """Return events for players who had something on the board before but not after."""
    return tuple(PlayerOut(after, powers, now) for powers in _only_in(before, after))


def players_back(before: Game, after: Game, now: datetime) -> tuple[PlayerOut, ...]:
    """Return events for players who have something on the board again."""
    return tuple(PlayerOut(after, powers, now, is_back=True) for powers in _only_in(after, before))


def _only_in(here: Game, there: Game) -> Iterator[tuple[Power, ...]]:
    """Yield the powers of each player who is alive in `here` but not in `there`."""
    alive = living(there)
    for person in dict.fromkeys(here.seat(power).holder for power in living(here)):
        powers = tuple(seat.power for seat in here.seats_held_by(person)) if person is not None else ()
        if powers and not set(powers) & set(alive):
            yield powers


def with_the_tossed_power(game: Game) -> Game:
    """Give the tossed power to its winner from the spring after the toss (R-MULTI-6).

    Until then it has no player.
    """
    toss = game.map.setup_for(game.settings.rules.players).tossed
    if game.tossed is None or toss is None:
        return game
    power, _ = toss
    seat = game.seat(power)
    others = [one for one in game.set_up.assignments[game.tossed] if one != power]
    winner = game.seat(others[0])
    holder, is_robot = (winner.holder, winner.is_robot) if game.set_up.tossed is None else (None, False)
    if (seat.holder, seat.is_robot) == (holder, is_robot):
        return game
    return game.with_seat(replace(vacated(seat), holder=holder, is_robot=is_robot))


def share_notes(request: Request[ShareNotes]) -> Handled:
    """Note whether a player's diary is published at the end of the game."""
    game = request.game
    for seat in game.seats_of(request.person):
        game = game.with_seat(replace(seat, shares_notes=request.command.share))
    return Handled(game, Done(request.command))


HANDLERS = table(
    on(Resign, resign),
    on(MakeDummy, eject),
    on(Replace, replace_player),
    on(Promote, promote),
    on(HandOver, promote),
    on(ShareNotes, share_notes),
    on(NewSecret, renew_secret),
)
