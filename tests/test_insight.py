"""Open cards: who has seen orders of others, who may take a seat, and who is one person."""

from __future__ import annotations

from dataclasses import replace

from judge.commands import Allow, Join, Language, Preview, Rollback, Status, TakeOver, Unstart
from judge.games import Game, GameState, LookedUp, MailContext, Person, PersonId, Request, close, handle, refusals
from judge.games.answers import Answer, StatusShown, Supposed
from judge.games.choices import Access
from judge.games.filed import FiledOrder
from judge.games.game import Petition
from judge.games.insight import having_seen, once_erased, same_people, why_not_seated
from judge.games.person import Preferences
from judge.games.refusals import Refused
from judge.games.reopening import Past
from judge.rules import read_order
from judge.rules.position import Phase
from tests.opened import FRANCE, ITALY, MASTER, NOON, opened

SPRING = Phase.parse("S1901M")


def with_an_order() -> Game:
    game = opened()
    france = game.seat(FRANCE)
    order = read_order("A PAR - BUR")
    return game.with_seat(replace(france, filed=replace(france.filed, orders=(FiledOrder(order, "", 1),))))


def without_a_player(game: Game) -> Game:
    italy = game.seat(ITALY)
    return game.with_seat(replace(italy, holder=None, serial=italy.serial + 1))


def asked(game: Game, person: PersonId, command: object, looked_up: LookedUp | None = None) -> tuple[Game, Answer]:
    context = MailContext(2, "", NOON, is_proved=True)
    handled = handle(Request(game, person, command, context, NOON, looked_up or LookedUp()))  # type: ignore[type-var]
    return handled.game, handled.answer


def why(answer: Answer) -> type | None:
    return type(answer.why) if isinstance(answer, Refused) else None


def person(number: int, address: str, *former: str) -> Person:
    return Person(PersonId(number), address, "", Language.ENGLISH, preferences=Preferences(former=former))


def test_status_counts_only_if_something_is_on_file_and_the_sender_is_proved() -> None:
    empty, _ = asked(without_a_player(opened()), MASTER, Status())
    assert not empty.saw
    game = without_a_player(with_an_order())
    unproved = handle(Request(game, MASTER, Status(), MailContext(2, "", NOON, is_proved=False), NOON))
    assert (unproved.game.saw, type(unproved.answer)) == ((), StatusShown)
    assert asked(game, MASTER, Status())[0].saw


def test_another_registration_of_a_player_sees_nothing() -> None:
    game = with_an_order()
    other = LookedUp(same=same_people(game, [person(100, "m@a.test", "one@a.test"), person(1, "one@a.test")]))
    after, answer = asked(game, MASTER, Preview(), other)
    assert why(answer) is refusals.PlayingMaster
    assert not after.previews
    assert isinstance(asked(game, MASTER, Preview())[1], Supposed)


def test_registrations_are_one_person_by_any_address_they_had() -> None:
    people = [person(3, "c@a.test", "a@a.test"), person(1, "a@a.test"), person(2, "b@a.test"), person(4, "d@a.test")]
    same = same_people(opened(), [*people, person(5, "e@a.test", "d@a.test", "b@a.test")])
    assert [same[PersonId(number)] for number in (1, 2, 3, 4, 5)] == [1, 2, 1, 4, 2]


def test_who_is_forgotten_is_known_by_an_address_until_the_phase_closes() -> None:
    game, _ = asked(without_a_player(with_an_order()), MASTER, Preview())
    game = once_erased(game, person(100, "m@a.test", "old@a.test"))
    for address in ("m@a.test", "old@a.test"):
        assert why_not_seated(game, PersonId(200), same_people(game, [person(200, address)])), address
    assert why_not_seated(game, PersonId(200), same_people(game, [person(200, "other@a.test")])) is None
    assert "a.test" not in str(game.saw)
    closed = close(game, SPRING, NOON.replace(day=27, hour=12))
    assert closed is not None
    assert (closed[0].saw, closed[0].state) == ((), GameState.ACTIVE)


def test_a_master_lets_nobody_in_who_has_seen_orders() -> None:
    game = without_a_player(with_an_order())
    game = replace(game, settings=replace(game.settings, access=Access.APPROVAL))
    game = replace(having_seen(game, [PersonId(200)]), petitions=(Petition(PersonId(200), (ITALY,)),))
    after, answer = asked(game, MASTER, Allow())
    assert why(answer) is refusals.HasSeenOrders
    assert after == game
    assert why(asked(game, PersonId(200), TakeOver("ardennes"))[1]) is refusals.HasSeenOrders


def test_what_was_seen_is_known_when_the_game_forms_anew() -> None:
    seen, _ = asked(with_an_order(), MASTER, Preview())
    forming, _ = asked(seen, MASTER, Unstart(reason="x"))
    assert forming.state is GameState.FORMING
    forming = replace(forming, applicants=forming.applicants[1:])
    assert why(asked(forming, MASTER, Join("ardennes"))[1]) is refusals.HasSeenOrders
    assert why(asked(forming, PersonId(1), Join("ardennes"))[1]) is None


def test_a_phase_of_which_a_player_knows_more_than_the_report_told_stays_closed() -> None:
    game = having_seen(opened(), [PersonId(1)], SPRING)
    past = LookedUp(past=Past(game.position))
    assert why(asked(game, MASTER, Rollback(SPRING, reason="x"), past)[1]) is refusals.PlayerHasSeen
    vacant = game.with_seat(replace(game.seats_of(PersonId(1))[0], holder=None))
    assert why(asked(vacant, MASTER, Rollback(SPRING, reason="x"), past)[1]) is None
