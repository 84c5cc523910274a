"""Ending a game by agreement: draw, armistice, concession (R-GAME-5, R-GAME-6)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from judge.commands import Concede, Elect, VoteDraw
from judge.games import refusals
from judge.games.answers import Voted
from judge.games.events import GameEnded, GameNews
from judge.games.game import Ended, Game, GameState, PersonId, Seat
from judge.games.handled import Handled, refused
from judge.rules.ending import draw_shared_by
from judge.rules.options import DrawRule
from judge.rules.position import Power


def vote(game: Game, person: PersonId, command: VoteDraw | Concede, now: datetime) -> Handled:
    """Note a vote; the game ends when enough agree."""
    mine = game.seats_of(person)
    if not any(seat.power in living(game) for seat in mine):
        return refused(game, refusals.NoVote(game.name))
    if isinstance(command, Concede) and command.to is not None:
        if command.to in [seat.power for seat in mine]:
            return refused(game, refusals.NotToYourself(command.to))
        if command.to not in living(game) or game.seat(command.to).holder is None:
            return refused(game, refusals.PowerNotPlayed(command.to))
    for seat in mine:
        match command:
            case VoteDraw(agrees):
                game = game.with_seat(replace(seat, draws=agrees))
            case Concede(to):
                game = game.with_seat(replace(seat, concedes_to=to))
    answer = _standing(game, command)
    ended = agreed_end(game)
    if ended is None:
        return Handled(game, answer)
    return Handled(ended, replace(answer, needed=0), (GameEnded(ended, now),))


def elect(game: Game, person: PersonId, command: Elect, now: datetime) -> Handled:
    """Vote for a new master; he is it as soon as more than half of the powers want him."""
    if not any(seat.power in living(game) for seat in game.seats_of(person)):
        return refused(game, refusals.NoVote(game.name))
    if command.to is not None and game.seat(command.to).holder is None:
        return refused(game, refusals.NotHeld(command.to))
    for seat in game.seats_of(person):
        game = game.with_seat(replace(seat, elects=command.to))
    if command.to is None:
        return Handled(game, Voted(command, 0, 0))
    chosen = game.seat(command.to).holder
    assert chosen is not None
    agreed = sum(seat.elects == command.to for seat in voters(game))
    needed = max(0, len(voters(game)) // 2 + 1 - agreed)
    if needed or chosen == game.master:
        return Handled(game, Voted(command, agreed, needed))
    seats = tuple(replace(seat, elects=None) for seat in game.seats)
    game = replace(game, master=chosen, co_masters=tuple(m for m in game.co_masters if m != chosen), seats=seats)
    return Handled(game, Voted(command, agreed, 0), (GameNews(game, command, now, command.to, chosen),))


def living(game: Game) -> tuple[Power, ...]:
    """The powers that still have units or centers and are not out by a house rule, in the order of the map."""
    position = game.position
    there = {*position.units.values(), *(loss.power for loss in position.dislodged.values())}
    there |= set((position.centers or {}).values())
    return tuple(seat.power for seat in game.seats if seat.power in there and not seat.is_out)


def voters(game: Game) -> tuple[Seat, ...]:
    """The seats without which nothing is unanimous: living powers, without those nobody leads unless they block."""
    alive = [game.seat(power) for power in living(game)]
    unplayed = game.set_up.unplayed
    led = [seat for seat in alive if seat.power not in unplayed and not seat.is_dummy]
    if game.settings.absent_block:
        return tuple(led)
    return tuple(seat for seat in led if seat.holder is not None and not seat.in_disorder)


def agreeing(game: Game) -> tuple[Power, ...]:
    """The powers that want a draw."""
    return tuple(seat.power for seat in voters(game) if seat.draws)


def conceding(game: Game, to: Power) -> tuple[Power, ...]:
    """The powers that let another win."""
    return tuple(seat.power for seat in voters(game) if seat.concedes_to == to)


def _standing(game: Game, command: VoteDraw | Concede) -> Voted:
    match command:
        case VoteDraw():
            return Voted(command, *draw_standing(game))
        case Concede(None):
            return Voted(command, 0, 0)
        case Concede(to):
            assert to is not None
            others = [seat for seat in voters(game) if seat.holder != game.seat(to).holder]
            letting = conceding(game, to)
            return Voted(command, len(letting), len(others) - len(letting))


def draw_standing(game: Game) -> tuple[int, int, bool]:
    """How many agree to a draw, how many more have to, and whether these are centers instead of powers."""
    agreed = agreeing(game)
    if game.settings.rules.draw_rule is DrawRule.ARMISTICE_23:
        owned = _owned_by(game, agreed)
        return owned, max(0, game.map.armistice_centers - owned), True
    return len(agreed), len(voters(game)) - len(agreed), False


def _owned_by(game: Game, powers: Collection[Power]) -> int:
    return sum(owner in powers for owner in (game.position.centers or {}).values())


def agreed_end(game: Game) -> Game | None:
    """The game at its end, if the votes that were given are enough for one; they may be once somebody else is out."""
    return (_drawn(game) or _conceded(game)) if game.is_running else None


def _drawn(game: Game) -> Game | None:
    agreed = agreeing(game)
    if not agreed:
        return None
    counted = {seat.power for seat in voters(game)}
    # Who has nobody to speak for him does not stand in the way of the others.
    silent = tuple(power for power in living(game) if power not in counted)
    unanimous = game.settings.rules.draw_rule is DrawRule.UNANIMOUS
    sharers = draw_shared_by(game.map, game.position, (*agreed, *silent) if unanimous else agreed, game.settings.rules)
    return over(game, Ended.DRAW, tuple(p for p in sharers if p in agreed)) if sharers else None


def _conceded(game: Game) -> Game | None:
    for seat in voters(game):
        others = [other for other in voters(game) if other.holder != seat.holder]
        if others and all(other.concedes_to == seat.power for other in others):
            together = tuple(one.power for one in voters(game) if one.holder == seat.holder)
            return replace(over(game, Ended.CONCESSION, together), winner=seat.power)
    return None


def over(game: Game, ended: Ended, sharers: tuple[Power, ...]) -> Game:
    """The game at its end."""
    return replace(
        game, state=GameState.FINISHED, ended=ended, sharers=sharers, deadline=None, closing_since=None, left=None
    )
