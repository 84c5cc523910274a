"""Invariants of every phase, under every profile and option.

They are checked on thousands of nasty phases and in whole games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.rules import (
    PROFILES,
    Location,
    Power,
    Province,
    Resolution,
    Unit,
    adjudicate,
    read_order,
    write_order,
)
from judge.rules.options import SupportOfNonholding
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from judge.rules.outcomes import Illegal, Outcome, Unmatched
from judge.rules.paradoxes import Answers, OpenQuestionError, settle, table
from tests.nasty import Orders, melee, nasty_phase, random_circumstances, random_options
from tests.phases import MAP, Nasty, check_movement, nasty, play

SEEDS = st.integers(0, 2**40)  # a phase needs a hundred choices: drawn one by one, they would take hypothesis a minute
many = settings(max_examples=1000, deadline=None)


def nasty_or_melee(seed: int) -> Nasty:
    chance = Random(seed)
    phase = melee(MAP, chance) if seed % 3 == 0 else nasty_phase(MAP, chance)
    return *phase, random_options(chance), random_circumstances(MAP, chance)


def outcomes_of(resolution: Resolution) -> Mapping[tuple[Power, Order], tuple[Outcome, ...]]:
    return {(verdict.power, verdict.order): verdict.outcomes for verdict in resolution.verdicts}


# Movement


@many
@given(SEEDS)
def test_the_order_of_orders_does_not_matter(seed: int) -> None:
    position, orders, options, circumstances = nasty_or_melee(seed)
    resolution = adjudicate(MAP, position, orders, options, circumstances)
    shuffled = Random(seed).sample
    lines = [(power, order) for power, given in orders.items() for order in given]
    turned: Orders = {}
    for power, order in shuffled(lines, len(lines)):
        turned.setdefault(power, []).append(order)
    standing = list(position.units.items())
    again = adjudicate(
        MAP, replace(position, units=dict(shuffled(standing, len(standing)))), turned, options, circumstances
    )
    assert again.position == resolution.position
    assert outcomes_of(again) == outcomes_of(resolution)


@many
@given(SEEDS)
def test_no_unit_is_lost_doubled_or_where_it_cannot_be(seed: int) -> None:
    check_movement(*nasty(seed))


@many
@given(SEEDS)
def test_a_void_order_might_as_well_not_be_there(seed: int) -> None:
    position, orders, options, circumstances = nasty_or_melee(seed)
    # Under `holds-and-moves-only` (003 §8) a unit can be supported to hold by the order it was given, not by its
    # outcome: with a void support order it cannot, without an order it holds and can. A void order then does make a
    # difference, to its own unit. An illegal order makes none, as it counts as not written.
    options = replace(options, support_of_nonholding=SupportOfNonholding.ANY_UNMOVED_UNIT)
    resolution = adjudicate(MAP, position, orders, options, circumstances)
    void = {
        verdict.order.unit.province
        for verdict in resolution.verdicts
        if any(isinstance(outcome, Illegal | Unmatched) for outcome in verdict.outcomes)
        and not isinstance(verdict.order, Waive)
    }
    without = {
        power: [order for order in given if not isinstance(order, Waive) and order.unit.province not in void]
        for power, given in orders.items()
    }
    assert adjudicate(MAP, position, without, options, circumstances).position == resolution.position


# Whole games


@settings(max_examples=12, deadline=None)
@given(SEEDS, st.sampled_from(sorted(PROFILES)))
def test_games_only_reach_legal_positions(seed: int, profile: str) -> None:
    play(seed, PROFILES[profile], phases=60)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_games_under_any_options_only_reach_legal_positions(seed: int) -> None:
    play(seed, random_options(Random(seed)), phases=40)


# Notation

LOCATIONS = st.sampled_from(sorted({*MAP.army_borders, *MAP.fleet_borders}))
UNITS: st.SearchStrategy[Unit] = st.sampled_from(sorted(unit for kind in MAP.units.values() for unit in kind.values()))
ORDERS: st.SearchStrategy[Order] = st.one_of(
    st.builds(Hold, UNITS),
    st.builds(Move, UNITS, LOCATIONS, st.booleans()),
    st.builds(Support, UNITS, UNITS, st.none() | LOCATIONS),
    st.builds(Convoy, UNITS, UNITS, LOCATIONS),
    st.builds(Retreat, UNITS, LOCATIONS),
    st.builds(Disband, UNITS),
    st.builds(Build, UNITS),
    st.just(Waive()),
)


@many
@given(ORDERS)
def test_what_was_written_reads_back(order: Order) -> None:
    assert read_order(write_order(order)) == order


@many
@given(ORDERS, st.sampled_from(["S1901M", "F1901R", "W1901A", "S1901A"]))
def test_any_order_in_any_phase_is_an_outcome(order: Order, phase: str) -> None:
    position = replace(MAP.start(), phase=type(MAP.start().phase).parse(phase))
    for power in MAP.powers:
        assert adjudicate(MAP, position, {power: [order]}).verdicts[0].power == power


# Paradoxes

A, B, C = (Province(Location(name)) for name in "ABC")


@pytest.mark.parametrize(
    ("questions", "known", "paradox"),
    [
        ({A: "B", B: "yes"}, {A: True, B: True}, ""),
        ({A: "B", B: "not A"}, {}, "AB"),  # nothing is consistent
        ({A: "B", B: "A"}, {}, "AB"),  # both answers are
        ({A: "not B", B: "not A"}, {}, "AB"),
        ({A: "not A"}, {}, "A"),
        ({A: "A or not A"}, {A: True}, ""),  # whichever way it is guessed
        ({A: "not A or B", B: "A"}, {A: True, B: True}, ""),  # the only consistent combination
        ({A: "not A or B", B: "A", C: "not A"}, {A: True, B: True, C: False}, ""),
        ({A: "not A", B: "A", C: "yes"}, {C: True}, "A"),  # what depends on a paradox has to wait for it
    ],
)
def test_paradoxes(questions: Mapping[Province, str], known: Mapping[Province, bool], paradox: str) -> None:
    names = list(questions)
    for turned in (names, names[::-1]):
        found, stuck = settle({name: table(_asking(questions[name])) for name in turned})
        assert found == known
        assert stuck == frozenset(paradox)


class _Asked(dict[str, bool]):
    def __missing__(self, name: str) -> bool:
        if name == "yes":
            return True
        raise OpenQuestionError(Province(Location(name)))


def _asking(expression: str) -> Callable[[Answers], bool]:
    def ask(given: Answers) -> bool:
        return bool(eval(expression, {"__builtins__": {}}, _Asked({str(name): a for name, a in given.items()})))

    return ask
