"""Draws by agreement: sharers, required votes, and silence (R-GAME-5, R-GAME-6)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from judge.games.events import DrawAsked
from judge.games.game import Game, Seat
from judge.games.person import PersonId
from judge.rules.options import DrawRule
from judge.rules.position import Position, Power


def living(game: Game) -> tuple[Power, ...]:
    """Return the living powers, in map order.

    They have units or centers, and are not out by a house rule.
    """
    if game.sight is not None:
        return game.sight.living
    position = game.position
    there = {*_standing(position), *(position.centers or {}).values()}
    return tuple(seat.power for seat in game.seats if seat.power in there and not seat.is_out)


def _with_units(game: Game) -> set[Power]:
    """Return the powers that have units, including dislodged ones.

    In fog, where units are hidden, these are the living powers.
    """
    return {*living(game)} if game.is_foggy else _standing(game.position)


def _standing(position: Position) -> set[Power]:
    return {*position.units.values(), *(loss.power for loss in position.dislodged.values())}


def played(game: Game) -> tuple[Seat, ...]:
    """Return the seats of living powers that a person plays.

    Vacant, unplayed, robot and dummy seats are left out.
    """
    alive, unplayed = living(game), game.set_up.unplayed
    return tuple(
        seat
        for seat in game.seats
        if seat.holder is not None and not seat.is_dummy and seat.power in alive and seat.power not in unplayed
    )


def sharing(game: Game) -> tuple[Power, ...]:
    """Return the powers that share a draw of all: those with units and a player.

    Civil disorder makes no difference.
    """
    there = _with_units(game)
    return tuple(seat.power for seat in played(game) if seat.power in there)


def is_shared(game: Game, powers: Collection[Power]) -> bool:
    """Whether at least two players would share a draw.

    A person who plays the whole board may end the game alone.
    """
    players = {game.seat(power).holder for power in powers}
    others = [game.seat(power) for power in living(game) if power not in game.set_up.unplayed]
    return len(players) > 1 or (len(players) == 1 and all(seat.holder in players for seat in others))


def needed_for_a_draw(game: Game) -> tuple[Seat, ...]:
    """Return the seats that must agree to a unanimous draw.

    For an armistice these are the seats whose centers may count. A power without a player is not needed, unless the
    setting `absent block` says so.
    """
    if not is_unanimous(game):
        return played(game)
    there, by_people, unplayed = _with_units(game), sharing(game), game.set_up.unplayed
    blocking = {
        seat.power
        for seat in game.seats
        if game.settings.absent_block and seat.holder is None and not (seat.is_robot or seat.is_dummy)
    }
    blocking = (blocking & there) - unplayed
    return tuple(seat for seat in game.seats if seat.power in by_people or seat.power in blocking)


def is_unanimous(game: Game) -> bool:
    """Whether every power that would share a draw must agree.

    Otherwise the draw is an armistice, for which the centers of those who agree count.
    """
    return game.settings.rules.draw_rule is DrawRule.UNANIMOUS


def agreeing(game: Game, among: Collection[Power] = ()) -> tuple[Power, ...]:
    """Return the powers that want a draw of all, or among some.

    Silence counts as agreement if the power would share the draw.
    """
    wanted = frozenset(among)
    return tuple(
        seat.power
        for seat in needed_for_a_draw(game)
        if (frozenset(_sharers(game, seat)) == wanted if seat.ballots.draws else _agrees_by_silence(game, seat, wanted))
    )


def silently_agreeing(game: Game) -> tuple[Power, ...]:
    """Return the powers in civil disorder whose silence counts as agreement."""
    return tuple(
        seat.power for seat in needed_for_a_draw(game) if not seat.ballots.draws and _agrees_by_silence(game, seat, ())
    )


def _agrees_by_silence(game: Game, seat: Seat, among: Collection[Power]) -> bool:
    counts = seat.in_disorder and seat.ballots.silence_agrees and not seat.ballots.refuses_draw
    is_sharer = not among or seat.power in among
    return counts and is_sharer and is_unanimous(game) and not game.settings.absent_block


def _sharers(game: Game, seat: Seat) -> tuple[Power, ...]:
    """Return the living powers that share the draw a seat votes for.

    The result is empty for a draw of all.
    """
    there = tuple(power for power in sharing(game) if power in seat.ballots.draws_among)
    return () if set(there) == set(sharing(game)) else there


def named_draws(game: Game) -> Mapping[tuple[Power, ...], tuple[Power, ...]]:
    """Map the powers of each proposed partial draw to the powers that agree to it."""
    drawing = [seat for seat in needed_for_a_draw(game) if seat.ballots.draws and seat.ballots.draws_among]
    wanted = dict.fromkeys(_sharers(game, seat) for seat in drawing)
    return {among: agreeing(game, among) for among in wanted if among}


def draw_standing(game: Game) -> tuple[int, int, bool]:
    """Return how many agree to a draw, and how many more are needed.

    The third value tells whether these numbers are centers.
    """
    agreed = agreeing(game)
    if is_unanimous(game):
        return len(agreed), len(needed_for_a_draw(game)) - len(agreed), False
    owned = _centers(game, agreed)
    return owned, max(0, game.map.armistice_centers - owned), True


def _centers(game: Game, powers: Collection[Power]) -> int:
    return sum(owner in powers for owner in (game.position.centers or {}).values())


def drawn(game: Game) -> tuple[Power, ...] | None:
    """Return the powers that share an agreed draw; None if too few agree.

    Silence alone proposes no draw.
    """
    if not any(seat.ballots.draws for seat in played(game)):
        return None
    if not is_unanimous(game):
        agreed = agreeing(game)
        is_enough = _centers(game, agreed) >= game.map.armistice_centers
        return agreed if is_enough and is_shared(game, agreed) else None
    needed = len(needed_for_a_draw(game))
    found = [among for among, wanting in named_draws(game).items() if len(wanting) == needed and len(among) > 1]
    if len(agreeing(game)) == needed and is_shared(game, sharing(game)):
        found.append(sharing(game))
    return found[0] if found else None


# Powers in civil disorder


def with_the_absent_asked(game: Game, now: datetime) -> tuple[Game, tuple[DrawAsked, ...]]:
    """Ask players of powers in civil disorder once another player wants a draw of all."""
    if not game.is_running or not is_unanimous(game) or not any(seat.ballots.draws for seat in played(game)):
        return game, ()
    sharers = sharing(game)
    asked: list[Seat] = []
    for seat in game.seats:
        ballots = seat.ballots
        has_answered = ballots.draws or ballots.refuses_draw or ballots.draw_asked_at is not None
        if seat.in_disorder and seat.power in sharers and not has_answered:
            asked.append(replace(seat, ballots=replace(ballots, draw_asked_at=now)))
            game = game.with_seat(asked[-1])
    return game, tuple(DrawAsked(game, powers, person, now) for person, powers in _by_player(asked))


def with_silence_counted(game: Game, silent: Collection[Power], now: datetime) -> tuple[Game, tuple[DrawAsked, ...]]:
    """Count silence as a movement phase closes.

    A player who was asked before it opened and sent nothing in it agrees.
    """
    opened = game.clock.opened_at
    counted: list[Seat] = []
    for seat in game.seats:
        ballots = seat.ballots
        is_asked = ballots.draw_asked_at is not None and opened is not None and ballots.draw_asked_at <= opened
        is_new = not (ballots.silence_agrees or ballots.draws or ballots.refuses_draw)
        if seat.in_disorder and seat.power in silent and is_asked and is_new and not game.settings.absent_block:
            counted.append(replace(seat, ballots=replace(ballots, silence_agrees=True)))
            game = game.with_seat(counted[-1])
    return game, tuple(DrawAsked(game, powers, person, now, is_counted=True) for person, powers in _by_player(counted))


def _by_player(seats: Sequence[Seat]) -> list[tuple[PersonId, tuple[Power, ...]]]:
    found: dict[PersonId, tuple[Power, ...]] = {}
    for seat in seats:
        if seat.holder is not None:
            found[seat.holder] = (*found.get(seat.holder, ()), seat.power)
    return list(found.items())
