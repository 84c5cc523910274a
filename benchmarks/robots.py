"""Play a robot against six random players, and against six that hold; time its phases.

Promises: it has most centers in 86 % of 70 games against random play, and in all games against six that hold. Its
usual phase takes at most 18 times the adjudication of a phase of the same games, its dearest at most 40 times.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from random import Random

from measure import Figure, Promise, report, run, times

from judge.robots import RobotView, orders
from judge.rules import Position, Power, Unit, adjudicate, load_map
from judge.rules.adjustments import adjustments
from judge.rules.orders import Hold, Move, Order, Retreat, Support
from judge.rules.outcomes import Illegal, Resolution
from judge.rules.position import PhaseKind

MAP = load_map()
GAMES, LAST_YEAR = 70, 1910
RANDOM = Promise("part of the games in which the robot has most centers, beside six that play at random", least=0.86)
HOLDING = Promise("the same beside six that hold", least=1)
USUAL = Promise("the usual phase of a robot, beside an adjudication", most=18)
DEAREST = Promise("its dearest phase, beside an adjudication", most=40)
Others = Callable[[Position, Power, Random], Sequence[Order]]


def random_orders(position: Position, power: Power, chance: Random) -> Sequence[Order]:
    """Return random legal orders: moves, supports of near units, any retreat, any build."""
    match position.phase.kind:
        case PhaseKind.RETREAT:
            losses = position.dislodged.items()
            return [Retreat(unit, chance.choice(loss.retreats)) for unit, loss in losses if loss.power == power]
        case PhaseKind.ADJUSTMENT:
            decision = adjustments(MAP, position).get(power)
            return chance.sample(decision.options, min(len(decision.options), abs(decision.count))) if decision else []
        case PhaseKind.MOVEMENT:
            return [_random_move(position, unit, chance) for unit in position.units_of(power)]


def _random_move(position: Position, unit: Unit, chance: Random) -> Order:
    around = [other for other in position.units if other.province in MAP.reach(unit)]
    if around and chance.random() < 0.2:
        return Support(unit, chance.choice(sorted(around)))
    if chance.random() < 0.1:
        return Hold(unit)
    return Move(unit, chance.choice(MAP.neighbors(unit)))


def holding(position: Position, power: Power, chance: Random) -> Sequence[Order]:
    """Return orders to hold every unit; retreats and adjustments are random."""
    if position.phase.kind is PhaseKind.MOVEMENT:
        return [Hold(unit) for unit in position.units_of(power)]
    return random_orders(position, power, chance)


def play(robot: Power, others: Others, seed: int, costs: list[float], floors: list[float]) -> Mapping[Power, int]:
    """Return the centers of each power after the last year, or after a victory."""
    chance = Random(seed)
    position = MAP.start()
    while position.phase.year <= LAST_YEAR:
        began = time.process_time()
        told = {**orders(RobotView(MAP, position, (robot,)), seed)}
        costs.append((time.process_time() - began) * 1000)
        told |= {power: tuple(others(position, power, chance)) for power in MAP.powers if power != robot}
        began = time.process_time()
        resolution = adjudicate(MAP, position, told)
        floors.append((time.process_time() - began) * 1000)
        check(robot, resolution)
        position = resolution.position
        if resolution.over:
            break
    return {power: len(position.centers_of(power)) for power in MAP.powers}


def check(robot: Power, resolution: Resolution) -> None:
    """Check that every order of the robot was legal."""
    for verdict in resolution.verdicts:
        legal = not any(isinstance(outcome, Illegal) for outcome in verdict.outcomes)
        assert verdict.power != robot or legal, verdict.order


def most(robot: Power, centers: Mapping[Power, int]) -> bool:
    """Whether the robot has more centers than every other power."""
    return all(count < centers[robot] for power, count in centers.items() if power != robot)


def series(promise: Promise, others: Others, games: int, costs: list[float], floors: list[float]) -> Figure:
    won: dict[Power, list[int]] = {power: [] for power in MAP.powers}
    ahead = 0
    for seed in range(games):
        robot = MAP.powers[seed % len(MAP.powers)]
        centers = play(robot, others, seed, costs, floors)
        won[robot].append(centers[robot])
        ahead += most(robot, centers)
    means = ", ".join(f"{power.capitalize()} {sum(one) / max(1, len(one)):.1f}" for power, one in won.items())
    print(f"{promise.what}: {ahead} of {games} games to {LAST_YEAR}; {means}")
    return Figure(promise, ahead / games)


def measure(rounds: float) -> list[Figure]:
    """Play, measure and print."""
    games = times(GAMES, min(1, rounds))
    costs: list[float] = []
    floors: list[float] = []
    won = [
        series(RANDOM, random_orders, games, costs, floors),
        series(HOLDING, holding, games, costs, floors),
    ]
    usual, floor = statistics.median(costs), statistics.median(floors)
    report("a phase of the robot", usual, "ms CPU", "its adjudication", floor)
    return [*won, Figure(USUAL, usual / floor), Figure(DEAREST, max(costs) / floor)]


if __name__ == "__main__":
    run(measure)
