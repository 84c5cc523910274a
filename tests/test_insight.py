"""Open cards: who has seen others' orders, may take a seat, is the same person."""

from __future__ import annotations

from dataclasses import replace

from judge.commands import Accept, Allow, Join, Language, Preview, Resign, Rollback, Status, TakeOver, Unstart
from judge.games import Game, GameState, LookedUp, MailContext, Person, PersonId, Request, close, handle, refusals
from judge.games.answers import Answer, Done, Joined, StatusShown, Supposed
from judge.games.choices import Access
from judge.games.filed import FiledOrder
from judge.games.game import Invitation, Petition
from judge.games.insight import having_seen, once_erased, same_people, seated_with_insight, why_not_seated
from judge.games.person import Preferences
from judge.games.refusals import Refused
from judge.games.reopening import Past
from judge.rules import read_order
from judge.rules.options import Fog
from judge.rules.position import Phase, Power
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


def in_fog() -> Game:
    game = opened()
    return replace(game, settings=replace(game.settings, rules=replace(game.settings.rules, fog=Fog.OWN)))


def left_in_fog(*powers: Power) -> Game:
    """Return a game in fog whose players of these powers have resigned."""
    game = in_fog()
    for power in powers:
        holder = game.seat(power).holder
        assert holder is not None
        game, answer = asked(game, holder, Resign())
        assert isinstance(answer, Done)
    return game


def test_a_player_who_left_a_seat_in_fog_comes_back_to_it_and_to_no_other() -> None:
    before, game = in_fog(), left_in_fog(FRANCE, ITALY)
    french, italian = before.seat(FRANCE).holder, before.seat(ITALY).holder
    assert french is not None
    assert italian is not None
    why_not = refusals.HasPlayedAnother(game.name, (ITALY,))
    assert asked(game, italian, TakeOver(game.name, FRANCE)) == (game, Refused(why_not))
    for named in (ITALY, None):  # France is free as well, and comes first in order
        after, answer = asked(game, italian, TakeOver(game.name, named))
        assert isinstance(answer, Joined)
        assert after.seat(ITALY).holder == italian
        assert asked(after, french, TakeOver(game.name, ITALY))[1] == Refused(
            refusals.HasPlayedAnother(game.name, (FRANCE,))
        )
        assert not seated_with_insight(after, after.position.phase)
    taken, _ = asked(game, PersonId(99), TakeOver(game.name, ITALY))
    assert asked(taken, italian, TakeOver(game.name, ITALY))[1] == Refused(refusals.NoVacancy((FRANCE,)))
    assert asked(taken, italian, TakeOver(game.name))[1] == Refused(why_not)


def test_an_invitation_and_a_master_bring_back_to_the_seat_that_was_left_alone() -> None:
    game = left_in_fog(FRANCE, ITALY)
    italian = in_fog().seat(ITALY).holder
    assert italian is not None
    for power, is_let_in in ((FRANCE, False), (ITALY, True)):
        offered = replace(game, invitations=(Invitation("x@players.test", power, NOON),))
        _, answer = asked(offered, italian, Accept(accepts=True), LookedUp(address="x@players.test"))
        assert isinstance(answer, Joined) is is_let_in
        asking = replace(game, petitions=(Petition(italian, (power,)),))
        _, answer = asked(asking, MASTER, Allow())
        assert isinstance(answer, Done) is is_let_in


def test_a_player_who_left_and_has_seen_the_whole_board_takes_no_seat() -> None:
    game = left_in_fog(ITALY)
    italian = in_fog().seat(ITALY).holder
    assert italian is not None
    game = having_seen(game, [italian])
    assert isinstance(why_not_seated(game, italian, power=ITALY), refusals.HasSeenOrders)
