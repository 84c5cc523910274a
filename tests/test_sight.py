"""What a power sees in fog, and its orders about what it does not see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.rules import Location, Position, Power, read_order, read_unit, write_order
from judge.rules.exchange import read_task
from judge.rules.options import Fog
from judge.rules.outcomes import Illegal
from judge.rules.sight import Eyes, GuessingReferee
from judge.rules.soundness import check_position
from tests.nasty import nasty_phase
from tests.phases import MAP

GERMANY, FRANCE, AUSTRIA = Power("GERMANY"), Power("FRANCE"), Power("AUSTRIA")
MOVING = {
    "phase": "S1902M",
    "units": {
        "GERMANY": ["A MUN", "F KIE"],
        "FRANCE": ["A BUR", "A PAR", "F MAO"],
        "AUSTRIA": ["A TYR", "A VIE", "F SPA/NC"],
        "ENGLAND": ["F HEL", "F NTH"],
    },
    "centers": {"GERMANY": ["MUN", "KIE", "BER"], "FRANCE": ["PAR", "BRE"], "AUSTRIA": ["VIE"], "ENGLAND": ["DEN"]},
    "orders": {},
}
RETREATING = {
    "phase": "S1902R",
    "units": {"GERMANY": ["A KIE"], "FRANCE": ["A MUN"], "AUSTRIA": ["A RUH", "A VIE"]},
    "dislodged": {
        "GERMANY": {"A MUN": {"from": "BUR", "retreats": ["BER", "SIL"]}},
        "ENGLAND": {"F HOL": {"from": "NTH", "retreats": ["HEL"]}},
        "ITALY": {"A ROM": {"from": "NAP", "retreats": ["APU"]}},
    },
    "contested": ["BOH", "PIE"],
    "centers": {"GERMANY": ["KIE"]},
    "orders": {},
}
SEEN = [
    (MOVING, FRANCE, Fog.NONE, "A BUR|A MUN|A PAR|A TYR|A VIE|F HEL|F KIE|F MAO|F NTH|F SPA/NC", "all"),
    (MOVING, FRANCE, Fog.OWN, "A BUR|A PAR|F MAO", "BRE|PAR"),
    (MOVING, FRANCE, Fog.ADJACENT, "A BUR|A MUN|A PAR|F MAO|F SPA/NC", "BRE|MUN|PAR"),
    (MOVING, GERMANY, Fog.ADJACENT, "A BUR|A MUN|A TYR|F HEL|F KIE", "BER|DEN|KIE|MUN"),
    (MOVING, AUSTRIA, Fog.ADJACENT, "A MUN|A TYR|A VIE|F MAO|F SPA/NC", "MUN|VIE"),
    (MOVING, Power("TURKEY"), Fog.ADJACENT, "", ""),
    (RETREATING, GERMANY, Fog.ADJACENT, "A KIE|A MUN|A RUH", "KIE"),
    (RETREATING, GERMANY, Fog.OWN, "A KIE", "KIE"),
]
"""Position, viewer, range, visible standing units, centers with known owners."""


def position_of(line: Mapping[str, object]) -> Position:
    return read_task(dict(line)).position


@pytest.mark.parametrize(("line", "power", "fog", "units", "centers"), SEEN)
def test_what_a_power_sees(line: dict[str, object], power: Power, fog: Fog, units: str, centers: str) -> None:
    whole = position_of(line)
    seen = Eyes(MAP, (power,), fog).position(whole)
    assert "|".join(sorted(map(str, seen.units))) == units
    known = "|".join(sorted(seen.centers or ()))
    assert known == ("|".join(sorted(whole.centers or ())) if centers == "all" else centers)
    assert seen.phase == whole.phase
    check_position(MAP, replace(seen))  # a copy, not vouched for


def test_several_powers_of_one_player_see_together() -> None:
    both = Eyes(MAP, (FRANCE, AUSTRIA), Fog.ADJACENT).position(position_of(MOVING))
    assert "|".join(sorted(map(str, both.units))) == "A BUR|A MUN|A PAR|A TYR|A VIE|F MAO|F SPA/NC"


def test_a_stranger_sees_nothing() -> None:
    for fog in (Fog.ADJACENT, Fog.OWN):
        nothing = Eyes(MAP, (), fog).position(position_of(RETREATING))
        assert not any((nothing.units, nothing.centers, nothing.dislodged, nothing.contested))


def test_what_a_power_sees_of_dislodged_units() -> None:
    def told(fog: Fog) -> Mapping[str, tuple[str, tuple[Location, ...]]]:
        seen = Eyes(MAP, (GERMANY,), fog).position(position_of(RETREATING))
        return {str(unit): (loss.attacked_from, loss.retreats) for unit, loss in seen.dislodged.items()}

    # A player knows where their own unit may go; where the attack came from is known only if it is in sight.
    assert told(Fog.ADJACENT) == {"A MUN": ("BUR", ("BER", "SIL")), "F HOL": ("BEL", ())}
    assert told(Fog.OWN) == {"A MUN": ("BOH", ("BER", "SIL"))}


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**40))
def test_nothing_out_of_sight_changes_the_view(seed: int) -> None:
    chance = Random(seed)
    position, _ = nasty_phase(MAP, chance)
    power = chance.choice(MAP.powers)
    eyes = Eyes(MAP, (power,), chance.choice((Fog.ADJACENT, Fog.OWN)))
    hidden = eyes.unseen(position)
    others = [one for one in MAP.powers if one != power]
    kept = {unit: owner for unit, owner in position.units.items() if owner == power or unit.province not in hidden}
    free = hidden - {unit.province for unit in position.units}
    added = [read_unit(f"A {place}") for place in sorted(free) if place in MAP.army_borders]
    moved = kept | {unit: chance.choice(others) for unit in chance.sample(added, min(4, len(added)))}
    assert eyes.position(replace(position, units=moved)) == eyes.position(position)


def judged(power: Power, order: str, fog: Fog = Fog.ADJACENT) -> str:
    whole = position_of(MOVING)
    eyes = Eyes(MAP, (power,), fog)
    referee = GuessingReferee(MAP, eyes.position(whole), unseen=eyes.unseen(whole))
    meant = referee.meaning(power, read_order(order))
    return meant.reason.value if isinstance(meant, Illegal) else write_order(meant)


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("A BUR S A PAR - GAS", "A BUR S A PAR - GAS"),
        ("A BUR S A RUH", "no-such-unit"),  # the Ruhr is in sight, and empty
        ("A BUR S A HOL - RUH", "A BUR S A HOL - RUH"),  # Holland is not
        ("A BUR S A VEN - RUH", "supported-cannot-go"),
        ("A BUR S F LON - BEL", "supported-cannot-go"),
        ("A BUR S F LON - PIC", "supported-cannot-go"),
        ("A BUR S A LON - PIC", "supported-cannot-go"),  # no fleet stands in the Channel, in sight of Brest
        ("A BUR S A YOR - BEL", "A BUR S A YOR - BEL"),  # one may stand in the North Sea
        ("A BUR S A WAR", "cannot-support-there"),
        ("F MAO C A TUN - ROM", "off-route"),
        ("F MAO C A NAF - LVP", "no-such-unit"),
        ("A PAR - LON VIA", "no-border"),
        ("A BRE - LON", "no-such-unit"),
    ],
)
def test_an_order_is_impossible_only_if_nothing_out_of_sight_could_make_it_possible(order: str, said: str) -> None:
    assert judged(FRANCE, order) == said


def test_a_fleet_out_of_sight_stands_on_the_coast_it_can_help_from() -> None:
    assert judged(Power("ENGLAND"), "F NTH S F STP - NWY") == "F NTH S F STP/NC - NWY"
