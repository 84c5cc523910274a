"""Ending a game by agreement: draw, armistice, concession (R-GAME-5, R-GAME-6)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from judge.commands import ClearVotes, Concede, Elect, VoteDraw
from judge.games import refusals
from judge.games.answers import Done, Voted
from judge.games.draws import (
    agreeing,
    draw_standing,
    drawn,
    is_shared,
    is_unanimous,
    needed_for_a_draw,
    played,
    sharing,
)
from judge.games.draws import living as living  # noqa: PLC0414 - who has a vote at all
from judge.games.events import Event, GameEnded, GameNews, VoteTold
from judge.games.game import Ended, Game, GameState, Seat
from judge.games.handled import Handled, refused
from judge.games.person import PersonId
from judge.games.request import Request, on, table
from judge.games.terms import Lasting
from judge.rules.position import Power

_MOST_TOLD = 3
"""The most notices of one power's votes in a phase.

Other players get them by mail.
"""


def vote(request: Request[VoteDraw | Concede]) -> Handled:
    """Note a vote; the game ends when enough agree."""
    game, person, command, now = request.game, request.person, request.command, request.now
    mine = game.seats_of(person)
    if not any(seat.power in living(game) for seat in mine):
        return refused(game, refusals.NoVote(game.name))
    why_not = _why_not(game, [seat.power for seat in mine], command)
    if why_not is not None:
        return refused(game, why_not)
    before = game
    for seat in mine:
        match command:
            case VoteDraw(agrees, among):
                among = () if set(among) >= set(sharing(game)) else among
                refuses = seat.in_disorder and not agrees
                ballots = replace(seat.ballots, draws=agrees, draws_among=among, refuses_draw=refuses)
                ballots = replace(ballots, silence_agrees=False, voted_at=now)
            case Concede(to):
                ballots = replace(seat.ballots, concedes_to=to, voted_at=now)
        game = game.with_seat(replace(seat, ballots=ballots))
    if isinstance(command, VoteDraw) and command.agrees and person not in game.draw_confirmed:
        game = replace(game, draw_confirmed=(*game.draw_confirmed, person))
    if game.settings.holds_votes:
        return Handled(game, Voted(command, 0, 1, is_held=True))
    answer = _standing(game, command)
    ended = agreed_end(game)
    if ended is None:
        return _told(before, Handled(game, answer), person, command, now)
    return Handled(ended, replace(answer, needed=0), (GameEnded(ended, now),))


def _why_not(game: Game, mine: Collection[Power], command: VoteDraw | Concede) -> refusals.Refusal | None:
    """Return why a vote for that is not possible; None if it is."""
    match command:
        case Concede(to) if to is not None and to in mine:
            return refusals.NotToYourself(to)
        case Concede(to) if to is not None and (to not in living(game) or game.seat(to).holder is None):
            return refusals.PowerNotPlayed(to)
        case VoteDraw(among=among) if among and not game.settings.named_draws:
            return refusals.AllShareADraw(game.name, is_armistice=not is_unanimous(game))
        case VoteDraw(among=among) if among:
            gone = next((power for power in among if power not in sharing(game)), None)
            if gone is not None:
                return refusals.CannotShare(gone)
            return refusals.NobodyElseShares(among[0]) if len(among) == 1 else None
        case VoteDraw(agrees=True) if not is_shared(game, sharing(game)):
            return refusals.NoOtherPlayer(game.name)
    return None


def _told(before: Game, handled: Handled, person: PersonId, command: VoteDraw | Concede, now: datetime) -> Handled:
    """Tell the others of a vote for a draw, if the game wants it.

    They are told only a few times per phase.
    """
    game, mine = handled.game, handled.game.seats_of(person)
    changed = [seat for seat in mine if _wish(seat) != _wish(before.seat(seat.power))]
    if not isinstance(command, VoteDraw) or not changed or not game.settings.tell_votes:
        return handled
    if any(seat.ballots.votes_told >= _MOST_TOLD for seat in changed):
        return handled
    for seat in mine:
        game = game.with_seat(replace(seat, ballots=replace(seat.ballots, votes_told=seat.ballots.votes_told + 1)))
    whose = changed[0].power if game.settings.open_votes else None
    events: tuple[Event, ...] = (VoteTold(game, command, now, person, whose),)
    return Handled(game, handled.answer, events)


def _wish(seat: Seat) -> tuple[bool, tuple[Power, ...]]:
    return seat.ballots.draws, seat.ballots.draws_among


def without_expired(game: Game, now: datetime) -> Game:
    """Return the game without expired votes."""
    for seat in game.seats:
        end = game.vote_ends(seat)
        if end is not None and end <= now:
            game = game.with_seat(replace(seat, ballots=seat.ballots.withdrawn()))
    return game


def after_a_phase(game: Game) -> Game:
    """Return the game with only the votes that outlast the open phase."""
    if game.settings.votes_last is not Lasting.PHASE:
        return game
    return replace(game, seats=tuple(replace(seat, ballots=seat.ballots.withdrawn()) for seat in game.seats))


def with_votes_told(game: Game) -> Game:
    """Return the game with all held-back votes told.

    Other games are returned unchanged.
    """
    if not game.settings.holds_votes:
        return game
    return replace(game, seats=tuple(replace(seat, ballots=seat.ballots.told()) for seat in game.seats))


def without_held_votes(game: Game) -> Game:
    """Return the game without the votes that changed since the phase opened.

    Their voters were promised that no other player learns of them before the phase closes.
    """
    held = (seat for seat in game.seats if seat.ballots != seat.ballots.as_told())
    for seat in held:
        game = game.with_seat(replace(seat, ballots=seat.ballots.withdrawn()))
    return game


def as_told(game: Game) -> Game:
    """Return the game with the votes that players may know of."""
    if not game.settings.holds_votes:
        return game
    return replace(game, seats=tuple(replace(seat, ballots=seat.ballots.as_told()) for seat in game.seats))


def clear_votes(request: Request[ClearVotes]) -> Handled:
    """Drop the votes of all players and all proposals, for a master."""
    game, command = request.game, request.command
    none_left = tuple(replace(seat, ballots=replace(seat.ballots.withdrawn(), elects=None)) for seat in game.seats)
    if none_left == game.seats and not game.proposals:
        return refused(game, refusals.NoVotesToClear(game.name))
    game = replace(game, seats=none_left, proposals=())
    return Handled(game, Done(command), (GameNews(game, command, request.now),))


def elect(request: Request[Elect]) -> Handled:
    """Vote for a new master.

    The new master takes over once more than half of the powers agree.
    """
    game, person, command, now = request.game, request.person, request.command, request.now
    if not any(seat.power in living(game) for seat in game.seats_of(person)):
        return refused(game, refusals.NoVote(game.name))
    if command.to is not None and game.seat(command.to).holder is None:
        return refused(game, refusals.NotHeld(command.to))
    for seat in game.seats_of(person):
        game = game.with_seat(replace(seat, ballots=replace(seat.ballots, elects=command.to)))
    if command.to is None:
        return Handled(game, Voted(command, 0, 0))
    chosen = game.seat(command.to).holder
    assert chosen is not None
    agreed = sum(seat.ballots.elects == command.to for seat in voters(game))
    needed = max(0, len(voters(game)) // 2 + 1 - agreed)
    if needed or chosen == game.master:
        return Handled(game, Voted(command, agreed, needed))
    seats = tuple(replace(seat, ballots=replace(seat.ballots, elects=None)) for seat in game.seats)
    game = replace(game, master=chosen, co_masters=tuple(m for m in game.co_masters if m != chosen), seats=seats)
    return Handled(game, Voted(command, agreed, 0), (GameNews(game, command, now, command.to, chosen),))


def voters(game: Game) -> tuple[Seat, ...]:
    """Return the seats that vote: living powers with an active player.

    With `absent_block` powers without an active player are included, except robots.
    """
    alive = [game.seat(power) for power in living(game)]
    unplayed = game.set_up.unplayed
    led = [seat for seat in alive if seat.power not in unplayed and not seat.is_dummy]
    if game.settings.absent_block:
        return tuple(seat for seat in led if not seat.is_robot)
    return tuple(seat for seat in led if seat.holder is not None and not seat.in_disorder)


def needed_for_a_concession(game: Game) -> tuple[Seat, ...]:
    """Return the seats that must concede, apart from the winner's.

    They are the seats that people play; with `absent_block`, all seats that vote. Silence concedes nothing, and civil
    disorder makes no difference.
    """
    return voters(game) if game.settings.absent_block else played(game)


def conceding(game: Game, to: Power) -> tuple[Power, ...]:
    """Return the powers that concede to another."""
    return tuple(seat.power for seat in needed_for_a_concession(game) if seat.ballots.concedes_to == to)


def _standing(game: Game, command: VoteDraw | Concede) -> Voted:
    match command:
        case VoteDraw(among=among) if among:
            wanting = agreeing(game, among)
            return Voted(command, len(wanting), len(needed_for_a_draw(game)) - len(wanting))
        case VoteDraw():
            return Voted(command, *draw_standing(game))
        case Concede(None):
            return Voted(command, 0, 0)
        case Concede(to):
            assert to is not None
            others = [seat for seat in needed_for_a_concession(game) if seat.holder != game.seat(to).holder]
            letting = conceding(game, to)
            return Voted(command, len(letting), len(others) - len(letting))


def agreed_end(game: Game, *, as_it_closes: bool = False) -> Game | None:
    """Return the finished game if its votes suffice to end it; else None.

    They may suffice because a player left.
    """
    if not game.is_running or (game.settings.holds_votes and not as_it_closes):
        return None
    sharers = drawn(game)
    return over(game, Ended.DRAW, sharers) if sharers else _conceded(game)


def _conceded(game: Game) -> Game | None:
    needed = needed_for_a_concession(game)
    for seat in played(game):
        others = [other for other in needed if other.holder != seat.holder]
        if others and all(other.ballots.concedes_to == seat.power for other in others):
            together = tuple(one.power for one in played(game) if one.holder == seat.holder)
            return replace(over(game, Ended.CONCESSION, together), winner=seat.power)
    return None


def over(game: Game, ended: Ended, sharers: tuple[Power, ...]) -> Game:
    """Return the game finished."""
    return replace(game, state=GameState.FINISHED, ended=ended, sharers=sharers, clock=game.clock.stopped())


HANDLERS = table(on(VoteDraw, vote), on(Concede, vote), on(Elect, elect), on(ClearVotes, clear_votes))
