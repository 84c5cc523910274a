"""Lots that players can check: words, reports, and drawing again."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from judge.commands import AsWritten, Create, Join, LotWord, Resign
from judge.games import Game, GameState, Handled, MailContext, PersonId, Request, create, handle, join
from judge.games.chance import Chance, Drawer, Lot, Toss, digest, drawn, is_by_chance, thrown, without_text
from judge.games.game import Invitation
from judge.games.lots import commitment_to_lot
from judge.games.refusals import NotAPlayer, NothingToDraw, NotOneWord, Refused
from judge.games.setup import form_anew
from judge.resources import boards
from judge.rules import load_map
from judge.rules.options import CountryAssignment
from judge.rules.position import Phase, Power
from judge.service.lots import facts_of_lots, lots_drawn_again
from judge.storage.fields import COURSE
from judge.storage.moving import _without_people
from judge.storage.personal import personal_data
from tests.facts import facts_by_reader
from tests.office import NAMES, World, address, begun, text
from tests.opened import MASTER, NOON

MAP = load_map()
PLACES = tuple((power,) for power in MAP.powers)
SEED = digest("a seed")
FRANCE, GERMANY = Power("FRANCE"), Power("GERMANY")


def lot(*players: Drawer, assignment: CountryAssignment = CountryAssignment.FIRST_CHOICE, seed: str = SEED) -> Lot:
    return Lot(seed, assignment, PLACES, players)


def given(of: Lot) -> list[list[Power]]:
    return [[power for place in places for power in of.places[place]] for places in drawn(of)]


def test_the_way_of_drawing_never_changes() -> None:
    """Old reports must stay valid: these powers were found with sha256sum, as `docs/lots.md` says."""
    players = [Drawer(word=word) for word in ("rosebud", "", "snow", "", "", "", "sledge")]
    assert " ".join(power for (power,) in given(lot(*players))) == "AUSTRIA GERMANY TURKEY RUSSIA FRANCE ITALY ENGLAND"


def test_each_word_and_the_seed_change_the_draw() -> None:
    players = [Drawer() for _ in MAP.powers]
    draws = {str(given(lot(*players, seed=digest(str(number))))) for number in range(20)}
    assert len(draws) == 20
    words = {str(given(lot(Drawer(word=f"word{number}"), *players[1:]))) for number in range(20)}
    assert len(words) == 20


def test_a_wish_that_nobody_else_has_is_granted_without_a_draw() -> None:
    players = [Drawer((power,)) for power in reversed(MAP.powers)]
    assert given(lot(*players)) == [[power] for power in reversed(MAP.powers)]
    assert not is_by_chance(lot(*players))
    assert is_by_chance(lot(*players, assignment=CountryAssignment.LOT))


def test_equal_wishes_are_drawn_and_a_promise_is_kept() -> None:
    for number in range(20):
        of = lot(Drawer((FRANCE,)), Drawer((FRANCE, GERMANY)), Drawer((GERMANY,)), seed=digest(str(number)))
        first, second, third = given(of)
        assert FRANCE in (first[0], second[0])
        assert third == [GERMANY]
    promised = lot(Drawer((FRANCE,)), Drawer((FRANCE,)), Drawer((FRANCE,), promised=FRANCE))
    assert given(promised)[2] == [FRANCE]


def test_each_power_is_about_as_likely_for_each_player() -> None:
    counts = [0] * 7
    for number in range(700):
        counts[MAP.powers.index(given(lot(*[Drawer()] * 7, seed=digest(str(number))))[0][0])] += 1
    assert all(60 <= count <= 140 for count in counts), counts


def test_a_word_told_as_a_digest_gives_the_same_draw() -> None:
    players = [Drawer(word="rosebud"), *[Drawer()] * 6]
    hidden = [Drawer(word=without_text("rosebud")), *[Drawer()] * 6]
    assert given(lot(*players)) == given(lot(*hidden))
    toss = Toss(SEED, Phase.parse("F1914M"), Power("ITALY"), PLACES, ("rosebud", *[""] * 6))
    assert thrown(toss) == thrown(replace(toss, words=(without_text("rosebud"), *[""] * 6)))


# Words


def forming(*people: int) -> Game:
    made = create(Create("ardennes"), MASTER)
    assert isinstance(made, Handled)
    game = replace(made.game, chance=Chance("root"))
    for number in people:
        game = join(game, PersonId(number), Join("ardennes"), NOON, seed=1).game
    return game


def ask(game: Game, person: int, command: Any) -> Handled:
    return handle(Request(game, PersonId(person), command, MailContext(1, "", NOON), NOON))


def test_only_players_add_words_and_the_last_one_counts() -> None:
    game = forming(1, 2)
    for word in ("rosebud", "snow"):
        game = ask(game, 1, LotWord(word)).game
    assert game.chance.words == ((PersonId(1), "snow"),)
    stranger = ask(game, 3, LotWord("x")).answer
    assert isinstance(stranger, Refused)
    assert isinstance(stranger.why, NotAPlayer)
    for word in ("two words", "x" * 33, "a:b", ""):
        answer = ask(game, 1, LotWord(word)).answer
        assert isinstance(answer, Refused), word
        assert isinstance(answer.why, NotOneWord)
    assert ask(game, 1, LotWord("つばめ")).game.chance.words == ((PersonId(1), "つばめ"),)
    assert ask(game, 1, Resign("ardennes")).game.chance.words == ()


def test_a_game_that_forms_anew_has_another_commitment_and_no_words() -> None:
    game = ask(forming(1, 2), 1, LotWord("rosebud")).game
    anew = form_anew(game)
    assert commitment_to_lot(anew) not in ("", commitment_to_lot(game))
    assert anew.chance.words == ()


def test_a_game_whose_powers_are_promised_has_no_lot_to_come() -> None:
    invited = tuple(Invitation(f"{power}@players.test", power) for power in MAP.powers)
    game = replace(forming(), invitations=invited)
    assert commitment_to_lot(game) == ""
    assert commitment_to_lot(replace(game, invitations=invited[1:])) == ""
    assert commitment_to_lot(replace(game, invitations=invited[2:])) != ""


def test_a_game_from_before_commitments_is_drawn_as_before() -> None:
    game = replace(forming(), chance=Chance())
    for number in range(1, 7):
        game = join(game, PersonId(number), Join("ardennes"), NOON, seed=1).game
    assert commitment_to_lot(game) == ""
    answer = ask(game, 1, LotWord("rosebud")).answer
    assert isinstance(answer, Refused)
    assert answer.why == NothingToDraw("ardennes", is_old=True)
    game = join(game, PersonId(7), Join("ardennes"), NOON, seed=1).game
    assert game.state is GameState.ACTIVE
    assert game.chance == Chance()
    assert COURSE.put(game, "{}").chance == Chance()


def test_the_secret_stays_with_the_judge_and_is_kept_by_it() -> None:
    game = ask(forming(1, 2), 1, LotWord("rosebud")).game
    assert COURSE.put(forming(), COURSE.take(game)).chance == game.chance
    moved = COURSE.take(_without_people(game))
    assert "rosebud" not in moved
    assert "root" not in moved


# Reports


@pytest.fixture(scope="module")
def start() -> dict[str, Any]:
    """Return the facts of an opening report."""
    return next(facts for facts in facts_by_reader(begun(World()).box)[address("cho")] if facts["kind"] == "start")


def test_a_report_can_be_drawn_again(start: dict[str, Any]) -> None:
    assert [one["powers"] for one in start["lot"]["players"]] == [[power] for power in MAP.powers]
    assert not any(is_fault for _, is_fault in lots_drawn_again([start]))


def _other_seed(of: dict[str, Any]) -> None:
    of["seed"] = digest("another")


def _other_power(of: dict[str, Any]) -> None:
    of["players"][0]["powers"], of["players"][1]["powers"] = of["players"][1]["powers"], of["players"][0]["powers"]


@pytest.mark.parametrize("change", [_other_seed, _other_power])
def test_a_report_that_was_changed_is_a_fault(start: dict[str, Any], change: Callable[[dict[str, Any]], None]) -> None:
    changed = json.loads(json.dumps(start))
    change(changed["lot"])
    assert any(is_fault for _, is_fault in lots_drawn_again([changed]))


def test_another_commitment_in_an_earlier_mail_is_a_fault(start: dict[str, Any]) -> None:
    before = NOON - timedelta(days=1)
    told = start["lot"]["commitment"]
    assert not any(is_fault for _, is_fault in lots_drawn_again([start], [(before, told)]))
    assert any(is_fault for _, is_fault in lots_drawn_again([start], [(before, digest("another"))]))
    after_unstart = [(before - timedelta(days=1), digest("the seed before UNSTART")), (before, told)]
    assert not any(is_fault for _, is_fault in lots_drawn_again([start], after_unstart))


def test_another_word_in_the_report_is_a_fault() -> None:
    world = World()
    world.signed("gil", "CREATE ardennes\nassignment: lot")
    for name in NAMES:
        world.signed(name, "JOIN ardennes")
    facts = facts_by_reader(world.box)[address("cho")]
    start = next(one for one in facts if one["kind"] == "start")
    assert not any(is_fault for _, is_fault in lots_drawn_again([start]))
    start["lot"]["players"][0]["word"] = "invented"
    assert any(is_fault for _, is_fault in lots_drawn_again([start]))


def test_a_word_is_in_no_letter_to_others_before_the_draw() -> None:
    world = World()
    world.signed("gil", "CREATE ardennes\nassignment: lot")
    for name in NAMES[:6]:
        world.signed(name, "JOIN ardennes")
    world.signed("cho", "GAME ardennes\nLOT WORD rosebud")
    early = len(world.box.letters)
    assert not any("rosebud" in text(letter) for to, letter in world.box.letters[:early] if to != address("cho"))
    for line in ("STATUS", "WHO", "LOG", "RULES", "EXPORT"):
        world.signed("gil", f"GAME ardennes\n{line}")
    assert not any(b"rosebud" in letter.as_bytes() for to, letter in world.box.letters if to == address("gil"))
    world.signed("gus", "JOIN ardennes")
    assert any("rosebud" in text(letter) for to, letter in world.box.letters if to == address("gil"))


def test_a_person_can_see_their_word_and_take_it_along() -> None:
    world = World()
    world.signed("gil", "CREATE ardennes\nassignment: lot")
    for name in ("cho", "dan"):
        world.signed(name, f"JOIN ardennes\nGAME ardennes\nLOT WORD of{name}")
    with world.parts.store.look() as work:
        person = work.people.by_address(address("cho"))
        assert person is not None
        told = personal_data(work.connection, person)
    assert told["words for lots"] == [{"game": "ardennes", "word": "ofcho"}]
    world.signed("gil", f"GAME ardennes\nEJECT {address('dan')} BECAUSE of a test")
    assert [word for _, word in world.game().chance.words] == ["ofcho"]
    world.signed("cho", "ERASE ME")
    assert world.game().chance.words == ()


@pytest.mark.parametrize("board", sorted(boards()))
def test_every_board_is_drawn_and_checked_alike(board: str) -> None:
    made = create(Create("ardennes", {"board": AsWritten(board), "assignment": AsWritten("lot")}), MASTER)
    assert isinstance(made, Handled), made
    game, number = replace(made.game, chance=Chance("root")), 0
    while game.state is GameState.FORMING:
        number += 1
        game = join(game, PersonId(number), Join("ardennes"), NOON, seed=1).game
    facts = {"kind": "start", "at": NOON.isoformat()} | facts_of_lots(game)
    assert not any(is_fault for _, is_fault in lots_drawn_again([facts]))
    got = {power for player in facts["lot"]["players"] for power in player["powers"]}
    assert got == {power for powers in game.set_up.assignments for power in powers}
    assert all(game.seat(power).holder is not None for power in got)
