"""Plans: orders for later phases, in order of preference.

The tests show what is kept, and what happens when the phase opens.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.commands import Clear, Give, Undo
from judge.games import Game, Handled, MailContext, Request, handle, refusals
from judge.games.answers import Cleared, Filed, Undone
from judge.games.plans import came_of_plans, with_plans
from judge.games.refusals import Refused
from judge.games.remembering import planned_again, remembered, seat_then, stood_in
from judge.rules import Location, Phase, Power, read_order, read_unit, write_order
from judge.rules.options import Fog
from judge.rules.orders import Order
from judge.rules.position import Dislodgement, Position, province_of
from tests.opened import FRANCE, GERMANY, NOON, opened


def orders(text: str) -> tuple[Order, ...]:
    """Read `A PAR R GAS ELSE A PAR D` as a list."""
    return tuple(map(read_order, text.split(" ELSE ")))


def written(preferences: tuple[Order, ...]) -> str:
    return " ELSE ".join(map(write_order, preferences))


def ahead(game: Game, text: str, *, mail: int = 1, phase: str | None = None, power: Power = FRANCE) -> Handled:
    first, *others = orders(text)
    context = MailContext(mail, text, NOON, Phase.parse(phase) if phase else None)
    person = game.seat(power).holder
    assert person is not None
    return handle(Request(game, person, Give(first, otherwise=tuple(others)), context, NOON))


def on_file(game: Game, power: Power = FRANCE) -> list[str]:
    return [write_order(one.order) for one in game.seat(power).filed.orders]


def planned(game: Game, power: Power = FRANCE) -> list[str]:
    return [f"{one.phase} {written(one.filed.preferences)}" for one in game.seat(power).filed.planned]


def all_ahead(*lists: str) -> Game:
    game = opened()
    for number, text in enumerate(lists, start=1):
        handled = ahead(game, text, mail=number)
        assert isinstance(handled.answer, Filed), handled.answer
        game = handled.game
    return game


def retreats(game: Game) -> Game:
    """Dislodge A Par, with retreats to Gascony and Picardy, and F Bre, with none."""
    lost = {
        read_unit("A PAR"): Dislodgement(
            FRANCE, province_of(Location("BUR")), by_convoy=False, retreats=(Location("GAS"), Location("PIC"))
        ),
        read_unit("F BRE"): Dislodgement(FRANCE, province_of(Location("ENG")), by_convoy=False, retreats=()),
    }
    units = {read_unit("A MAR"): FRANCE, read_unit("A MUN"): GERMANY}
    return replace(game, position=Position(Phase.parse("S1901R"), units, game.position.centers, lost))


def winter(game: Game, centers: str, units: str) -> Game:
    owners = {province_of(Location(code)): FRANCE for code in centers.split()}
    standing = {read_unit(unit): FRANCE for unit in units.split(", ")}
    return replace(game, position=Position(Phase.parse("W1901A"), standing, owners))


def autumn(game: Game) -> Game:
    return replace(game, position=replace(game.position, phase=Phase.parse("F1901M")))


def came_of(before: Game, opened_: Game) -> list[tuple[str, str | None, bool]]:
    found = came_of_plans(before, opened_)
    return [(written(one.preferences), write_order(one.order) if one.order else None, one.is_needed) for one in found]


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("A PAR R GAS ELSE A PAR D", "S1901R"),
        ("A PAR R GAS", "S1901R"),
        ("F BRE B ELSE A PAR B", "W1901A"),
        ("F BRE B ELSE WAIVE", "W1901A"),
        ("A PAR D ELSE F BRE D", "W1901A"),
    ],
)
def test_a_list_that_names_no_phase_is_for_the_next_one_of_its_kind(text: str, phase: str) -> None:
    handled = ahead(opened(), text)
    assert planned(handled.game) == [f"{phase} {text}"]
    assert on_file(handled.game) == []
    first, *others = orders(text)
    assert handled.answer == Filed(FRANCE, first, phase=Phase.parse(phase), otherwise=tuple(others))


@pytest.mark.parametrize(
    ("text", "phase", "why"),
    [
        ("A MUN R BER ELSE A MUN D", None, refusals.ForeignUnit(province_of(Location("MUN")))),
        ("A GAS R PIC ELSE A GAS D", None, refusals.NoSuchUnit(province_of(Location("GAS")))),
        ("A PAR R GAS ELSE A PAR D", "W1901A", refusals.WrongKindOfOrder(Phase.parse("W1901A"))),
        ("F BRE B ELSE A PAR B", "S1901R", refusals.WrongKindOfOrder(Phase.parse("S1901R"))),
        ("A PAR D ELSE F BRE D", "S1901R", refusals.WrongKindOfOrder(Phase.parse("S1901R"))),
    ],
)
def test_a_list_that_fits_no_phase_or_unit_is_refused_whole(text: str, phase: str | None, why: object) -> None:
    handled = ahead(opened(), text, phase=phase)
    assert handled.answer == Refused(why)  # type: ignore[arg-type]
    assert planned(handled.game) == []


def test_one_impossible_build_refuses_the_whole_list() -> None:
    handled = ahead(opened(), "F BRE B ELSE A MUN B")
    assert isinstance(handled.answer, Refused)
    assert isinstance(handled.answer.why, refusals.NeverPossible)
    assert planned(handled.game) == []


@pytest.mark.parametrize(
    ("text", "filed", "is_needed"),
    [
        ("A PAR R GAS ELSE A PAR D", "A PAR R GAS", True),
        ("A PAR R BUR ELSE A PAR R PIC ELSE A PAR D", "A PAR R PIC", True),
        ("A PAR R BUR ELSE A PAR D", "A PAR D", True),
        ("A PAR R BUR ELSE A PAR R BRE", None, True),
        ("A PAR R BUR", None, True),
        ("F BRE R ENG ELSE F BRE D", "F BRE D", True),
        ("A MAR R GAS ELSE A MAR D", None, False),
    ],
)
def test_the_first_retreat_that_is_possible_is_on_file(text: str, filed: str | None, *, is_needed: bool) -> None:
    before = all_ahead(text)
    game = with_plans(retreats(before))
    assert on_file(game) == ([filed] if filed else [])
    assert planned(game) == []
    assert came_of(before, game) == [(text, filed, is_needed)]
    assert not game.seat(FRANCE).filed.ready


HOME = "PAR MAR BRE"


@pytest.mark.parametrize(
    ("lists", "centers", "units", "filed"),
    [
        (["F BRE B ELSE A PAR B"], f"{HOME} SPA", "A GAS, A BUR, F MAO", ["F BRE B"]),
        (["F BRE B ELSE A PAR B"], f"{HOME} SPA", "A GAS, A BUR, F BRE", ["A PAR B"]),
        (["F BRE B ELSE A PAR B"], "PAR SPA POR BEL", "A GAS, A BUR, F MAO", ["A PAR B"]),
        # a place that another order takes, and one that no center is left for
        (
            ["A PAR B ELSE A MAR B", "F BRE B ELSE A MAR B"],
            f"{HOME} SPA POR",
            "A GAS, F BRE, A BUR",
            ["A PAR B", "A MAR B"],
        ),
        (["A PAR B ELSE A MAR B", "F BRE B ELSE A PAR B"], f"{HOME} SPA", "A GAS, A BUR, F BRE", ["A PAR B"]),
        (["A PAR B", "F BRE B", "A MAR B"], f"{HOME} SPA POR", "A GAS, A BUR, F MAO", ["A PAR B", "F BRE B"]),
        # nothing of it is possible
        (["F BRE B ELSE A PAR B"], f"{HOME} SPA", "A PAR, A BUR, F BRE", []),
        (["F BRE B ELSE WAIVE"], f"{HOME} SPA", "A PAR, A BUR, F BRE", ["WAIVE"]),
        (["F BRE B ELSE WAIVE"], HOME, "A PAR, A BUR, F BRE", []),
        (["F BRE B ELSE A PAR B"], "MAR BRE", "A GAS, A BUR, F MAO", []),
        # removals
        (["A PAR D ELSE F BRE D"], "PAR MAR", "A PAR, A BUR, F BRE", ["A PAR D"]),
        (["A PAR D ELSE F BRE D"], "PAR MAR", "A GAS, A BUR, F BRE", ["F BRE D"]),
        (["A PAR D ELSE F BRE D", "F BRE D ELSE A BUR D"], "MAR", "A GAS, A BUR, F BRE", ["F BRE D", "A BUR D"]),
        (["A PAR D ELSE F BRE D"], HOME, "A PAR, A BUR, F BRE", []),
    ],
)
def test_the_first_build_or_removal_that_is_possible_is_on_file(
    lists: list[str], centers: str, units: str, filed: list[str]
) -> None:
    before = all_ahead(*lists)
    game = with_plans(winter(before, centers, units))
    assert on_file(game) == filed
    assert [order for _, order, _ in came_of(before, game) if order] == filed
    assert [text for text, *_ in came_of(before, game)] == lists


def test_what_was_for_a_phase_that_did_not_come_was_not_needed_and_the_rest_waits() -> None:
    before = all_ahead("A PAR R GAS ELSE A PAR D", "F BRE B ELSE A PAR B")
    game = with_plans(autumn(before))
    assert came_of(before, game) == [("A PAR R GAS ELSE A PAR D", None, False)]
    assert planned(game) == ["W1901A F BRE B ELSE A PAR B"]


def test_a_later_list_for_the_same_unit_replaces_it_and_undo_brings_it_back() -> None:
    game = all_ahead("A PAR R GAS ELSE A PAR D", "F BRE B ELSE A PAR B")
    handled = ahead(game, "A PAR R PIC ELSE A PAR R BUR", mail=3)
    assert planned(handled.game) == ["W1901A F BRE B ELSE A PAR B", "S1901R A PAR R PIC ELSE A PAR R BUR"]
    assert isinstance(handled.answer, Filed)
    assert handled.answer.replaced == (orders("A PAR R GAS ELSE A PAR D"),)
    person = game.seat(FRANCE).holder
    assert person is not None
    undone = handle(Request(handled.game, person, Undo(), MailContext(4, "UNDO", NOON), NOON))
    assert undone.answer == Undone((orders("A PAR R PIC ELSE A PAR R BUR"),), (orders("A PAR R GAS ELSE A PAR D"),))
    assert sorted(planned(undone.game)) == sorted(planned(game))


def test_the_same_list_again_replaces_nothing() -> None:
    handled = ahead(all_ahead("A PAR R GAS ELSE A PAR D"), "A PAR R GAS ELSE A PAR D", mail=2)
    assert isinstance(handled.answer, Filed)
    assert handled.answer.replaced == ()
    assert planned(handled.game) == ["S1901R A PAR R GAS ELSE A PAR D"]


def test_a_list_is_cleared_whole() -> None:
    game = all_ahead("A PAR R GAS ELSE A PAR D", "F BRE B ELSE A PAR B")
    person = game.seat(FRANCE).holder
    assert person is not None
    context = MailContext(3, "CLEAR", NOON, Phase.parse("S1901R"))
    cleared = handle(Request(game, person, Clear(), context, NOON))
    assert cleared.answer == Cleared(orders("A PAR R GAS ELSE A PAR D"))
    assert planned(cleared.game) == ["W1901A F BRE B ELSE A PAR B"]


def test_it_is_kept_beside_the_order_for_the_same_unit() -> None:
    game = ahead(all_ahead("A PAR R GAS ELSE A PAR D"), "A PAR - BUR", mail=2).game
    assert on_file(game) == ["A PAR - BUR"]
    assert planned(game) == ["S1901R A PAR R GAS ELSE A PAR D"]


# In the open phase


@pytest.mark.parametrize(
    ("text", "filed"),
    [
        ("A PAR R GAS ELSE A PAR D", "A PAR R GAS"),
        ("A PAR R BUR ELSE A PAR R PIC", "A PAR R PIC"),
        ("A PAR R BUR ELSE A PAR R BRE", None),
    ],
)
def test_in_the_open_phase_the_first_that_is_possible_is_filed_at_once(text: str, filed: str | None) -> None:
    handled = ahead(retreats(opened()), text)
    assert on_file(handled.game) == ([filed] if filed else [])
    if filed is None:
        assert handled.answer == Refused(refusals.NonePossible(orders(text)))
    else:
        assert isinstance(handled.answer, Filed)
        assert handled.answer.preferences == (
            read_order(filed),
            *(one for one in orders(text) if write_order(one) != filed),
        )


def test_two_lists_of_one_mail_take_two_places() -> None:
    game = winter(opened(), f"{HOME} SPA POR", "A GAS, A BUR, F MAO")
    game = ahead(game, "A PAR B ELSE A MAR B").game
    assert on_file(ahead(game, "A PAR B ELSE A MAR B").game) == ["A PAR B", "A MAR B"]
    # a later mail replaces the set
    assert on_file(ahead(game, "A PAR B ELSE A MAR B", mail=2).game) == ["A PAR B"]


def test_two_lists_of_one_mail_remove_two_units() -> None:
    game = ahead(winter(opened(), "MAR", "A PAR, A BUR, F BRE"), "A PAR D ELSE F BRE D").game
    assert on_file(ahead(game, "A PAR D ELSE A BUR D").game) == ["A PAR D", "A BUR D"]


def test_removals_in_order_of_preference_are_no_retreats() -> None:
    handled = ahead(retreats(opened()), "A PAR D ELSE F BRE D")
    assert on_file(handled.game) == []
    assert planned(handled.game) == ["W1901A A PAR D ELSE F BRE D"]


# Elsewhere


def test_a_rollback_finds_the_lists_of_that_time() -> None:
    game = remembered(all_ahead("A PAR R GAS ELSE A PAR D", "F BRE B ELSE WAIVE"))
    then = stood_in(game, game.position.phase)
    assert then is not None
    assert planned_again(seat_then(then, FRANCE)) == game.seat(FRANCE).filed.planned


def test_in_fog_only_what_the_player_sees_decides_and_is_told() -> None:
    game = all_ahead("A PAR R GAS ELSE A PAR D")
    assert not game.is_foggy
    settings = replace(game.settings, rules=replace(game.settings.rules, fog=Fog.ADJACENT))
    foggy = with_plans(retreats(replace(game, settings=settings)))
    assert on_file(foggy) == ["A PAR R GAS"]
    assert foggy.sight is None


def test_in_fog_a_retreat_of_an_unseen_unit_tells_nothing() -> None:
    game = opened()
    settings = replace(game.settings, rules=replace(game.settings.rules, fog=Fog.OWN))
    refused = ahead(replace(game, settings=settings), "A MUN R BER ELSE A MUN D")
    assert refused.answer == Refused(refusals.NoSuchUnit(province_of(Location("MUN"))))
