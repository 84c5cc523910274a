"""Templates get only what their reader may know; all values that reach them are walked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import get_args

import pytest

from judge import commands as c
from judge.commands import Language
from judge.commands.question import Choice, Question
from judge.games import Game, MailContext, Person, PersonId, Request
from judge.games import answers as a
from judge.games import events as e
from judge.games.ballots import Ballots
from judge.games.filed import FiledOrder, Planned
from judge.games.game import GameState
from judge.games.supposing import what_if
from judge.reports.answers import PartBelow, line_views
from judge.reports.phases import phase_reports
from judge.reports.readers import AnsweredLine, HeldMail, NoticeKind, Reader, Receipt, Remark, Role
from judge.reports.render import event_letter, notice, reply
from judge.reports.sections import Board, GamesPage, OwnGames, Section, SettingsInWords
from judge.rules import Phase, Power, load_map
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support
from judge.storage import InboxState, OutboxState
from tests.happenings import EVENTS, GAME, NOON
from tests.views import inside, secretive, templates_watched

FRANCE, TURKEY = Power("FRANCE"), Power("TURKEY")
MAP = load_map()
PEOPLE = {
    PersonId(n): Person(PersonId(n), f"{n}@players.test", f"Somebody{n}", zone=f"Etc/GMT+{n}")
    for n in range(1, len(MAP.powers) + 3)
}
MASTER, OBSERVER = PersonId(8), PersonId(9)
HOLDERS = dict(zip(MAP.powers, PEOPLE, strict=False))


def full(game: Game, *, anonymous: bool) -> Game:
    """Return the game with orders, plans, votes and readiness on file for each player."""

    def written(power: Power, line: str) -> tuple[FiledOrder, ...]:
        return tuple(FiledOrder(Hold(unit), line, 1) for unit in game.position.units_of(power))

    seats = tuple(
        replace(
            seat,
            holder=HOLDERS[seat.power],
            filed=replace(
                seat.filed,
                orders=written(seat.power, f"on file of {seat.power}"),
                planned=tuple(
                    Planned(Phase.parse("F1901M"), filed) for filed in written(seat.power, f"planned by {seat.power}")
                ),
            ),
            ballots=Ballots(draws=True) if seat.power == TURKEY else Ballots(concedes_to=TURKEY),
        )
        for seat in game.seats
    )
    return replace(
        game,
        seats=seats,
        master=MASTER,
        observers=(OBSERVER,),
        settings=replace(game.settings, anonymous=anonymous),
    )


READERS = {
    "player": Reader(PEOPLE[HOLDERS[FRANCE]], Role.PLAYER, (FRANCE,)),
    "observer": Reader(PEOPLE[OBSERVER], Role.OBSERVER),
    "master": Reader(PEOPLE[MASTER], Role.MASTER),
    "playing-master": Reader(PEOPLE[HOLDERS[FRANCE]], Role.MASTER, (FRANCE,)),
}


def mails(reader: Reader, *, anonymous: bool) -> Iterator[str]:
    """Send one mail of every kind to a reader; yield what each is about."""
    game = full(GAME, anonymous=anonymous)
    for event in EVENTS:
        changed = replace(event, game=full(event.game, anonymous=anonymous))
        if isinstance(changed, e.OrderedFor) and changed.power not in reader.powers:
            continue
        if isinstance(changed, e.Petitioned):  # goes to masters alone, with the address they must decide about
            changed = replace(changed, person=reader.person.id)
            event_letter(changed, reader, {reader.person.id: replace(reader.person, address="x@y")}, NOON)
        else:
            event_letter(changed, reader, PEOPLE, NOON)
        yield type(event).__name__
    for big in (e.GameStarted(game, NOON), e.GameEnded(replace(game, sharers=(FRANCE,)), NOON)):
        phase_reports(big, [reader], PEOPLE, NOON)
        yield type(big).__name__
    supposed = what_if(Request(game, HOLDERS[FRANCE], c.WhatIf(), MailContext(1, "", NOON), NOON)).answer
    answers: list[a.Answer] = [
        a.Created(game),
        a.StatusShown(game),
        a.GamesListed(c.ListKind.ALL, are_any=True),
        a.SettingsShown(game),
        supposed,
        a.Shown(c.Who()),
        a.HelpShown("orders"),
    ]
    sections: tuple[Section, ...] = (
        Board(game),
        SettingsInWords(game, (NOON,), "UTC", Language.ENGLISH),
        GamesPage((game,), {MASTER: reader.person}, c.ListKind.ALL, 1, 1, 1),
        OwnGames((game,), reader.person),
    )
    lines = tuple(AnsweredLine("a line", (c.Who(),), (answer,)) for answer in answers)
    reply(Receipt(reader, lines, game, (Remark.CONFIRMED,), sections=sections, others=((game, reader),)), NOON)
    yield from (type(answer).__name__ for answer in answers)


@pytest.mark.parametrize("anonymous", [False, True], ids=["named", "gunboat"])
@pytest.mark.parametrize("who", READERS)
def test_templates_get_views(who: str, anonymous: bool) -> None:  # noqa: FBT001
    """Templates get no game, seat, position or person, and no other player's orders."""
    reader = READERS[who]
    seen: list[object] = []
    with templates_watched(seen):
        kinds = set(mails(reader, anonymous=anonymous))
    assert len(seen) > 100
    assert not secretive(seen)
    assert foreign_orders(seen, reader) == set()
    assert not {way for way, text in texts(seen) if "on file of" in text or "planned by" in text}
    assert not {way for way, text in texts(seen) if "@players.test" in text}
    others = [person.name for person in PEOPLE.values() if person != reader.person]
    if anonymous and who != "master":
        assert not {way for way, text in texts(seen) if any(name == text for name in others)}
    else:
        assert {way for way, text in texts(seen) if any(name == text for name in others)}
    tried = {kind.__name__ for kind in get_args(e.Event)} - {"PhaseClosed"}
    assert tried - kinds <= ({"OrderedFor"} if not reader.powers else set())


def texts(seen: list[object]) -> Iterator[tuple[str, str]]:
    for value in seen:
        yield from ((way, one) for way, one in inside(value) if isinstance(one, str))


ORDERS = (Hold, Move, Support, Convoy, Retreat, Disband, Build)


def foreign_orders(seen: list[object], reader: Reader) -> set[str]:
    """Return the paths to orders for units that are not the reader's."""
    own = {unit for power in reader.powers for unit in GAME.position.units_of(power)}

    def is_foreign(order: Order) -> bool:
        return isinstance(order, ORDERS) and order.unit not in own

    shown = {(way, one) for value in seen for way, one in inside(value) if isinstance(one, ORDERS)}
    return {f"{way}: {one}" for way, one in shown if is_foreign(one) and ".verdicts" not in way}


def test_a_players_own_orders_reach_him() -> None:
    """The search above finds orders where they are allowed."""
    seen: list[object] = []
    with templates_watched(seen):
        for _ in mails(READERS["player"], anonymous=True):
            pass
    found = {one for value in seen for _, one in inside(value) if isinstance(one, Hold)}
    assert {order.unit for order in found} >= set(GAME.position.units_of(FRANCE))
    game = full(GAME, anonymous=False)
    assert secretive([game.seats[0]])
    assert foreign_orders([game], READERS["player"])


def test_a_line_that_asks_for_two_sections_is_told_once_that_they_are_below() -> None:
    line = AnsweredLine("WHO; LOG", (c.Who(), c.ShowLog()), (a.Shown(c.Who()), a.Shown(c.ShowLog())))
    assert [view.answers for view in line_views([line], "", "", str)] == [(PartBelow(),)]


NOTICES: Mapping[NoticeKind, Mapping[str, object]] = {
    NoticeKind.CONFIRM: {"summary": "    A PAR H", "asked": ["A PAR H"], "is_known": True},
    NoticeKind.GATHERED: {
        "mails": [HeldMail(1, NOON, "    A PAR H"), HeldMail(2, NOON, "    READY")],
        "is_known": True,
        "zone": "UTC",
        "again": False,
    },
    NoticeKind.CONFIRM_FINAL: {"asked": ["RESIGN"], "finals": [], "new_address": False},
    NoticeKind.SET_ASIDE: {"subject": "x"},
    NoticeKind.SET_ASIDE_MASTER: {"inbox": 1, "reason": "x"},
    NoticeKind.UNREADABLE: {"subject": "x", "defect": "too-big"},
    NoticeKind.NO_PICTURE: {"game": "ardennes", "subject": "x", "reason": "x"},
    NoticeKind.UNDELIVERED: {"game": "ardennes", "person": "Ada", "power": FRANCE, "subject": "x", "reason": "x"},
    NoticeKind.UNREACHABLE: {"game": "ardennes", "person": "Ada", "power": None, "subject": "", "reason": "x"},
    NoticeKind.UNDELIVERED_OPERATOR: {
        "game": "ardennes",
        "person": "Ada",
        "address": "ada@players.test",
        "subject": "x",
        "reason": "x",
    },
    NoticeKind.REPORTED: {
        "game": "ardennes",
        "person": "Ada",
        "power": FRANCE,
        "address": "",
        "number": 7,
        "sent": NOON,
        "zone": "UTC",
        "reason": ["x"],
        "is_over": False,
        "said": "You are a fool.",
    },
    NoticeKind.SUSPENDED: {"address": "ada@players.test", "reason": "x"},
    NoticeKind.REFUSED: {"domain": "players.test", "reason": "x"},
    NoticeKind.UNCLEAR: {"asked": ["A Par H"], "finals": [], "subject": "x"},
    NoticeKind.BOARD_AWAY: {"subject": "x"},
    NoticeKind.BOARD_AWAY_MASTER: {"reason": "the board 'dunes' cannot be read"},
    NoticeKind.SETTLED: {},
    NoticeKind.NOT_CALLED: {"name": "Italy", "why": "reserved"},
    NoticeKind.SECOND: {"subject": "x"},
    NoticeKind.WHICH: {},
    NoticeKind.CHOOSE: {"questions": (Question((Choice("GAME ardennes", number=1),), blank="EXTEND {}"),)},
    NoticeKind.DECLINED: {"asked": ["END ardennes"]},
    NoticeKind.LIMIT: {"limit": 5, "worked": True, "daily": False},
    NoticeKind.WELCOME: {"is_asked": False, "game": "ardennes"},
    NoticeKind.WELCOME_AGAIN: {"is_asked": False, "game": "", "games": ("ardennes",), "operator": "op@judge.test"},
    NoticeKind.ALARM: {"alarm": "disk", "amount": 5},
    NoticeKind.HEALTH: {"census": {"inbox": {"done": 1}, "outbox": {}, "games": {}}, "free": 5},
}


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("kind", NoticeKind)
def test_every_notice_is_written_of_plain_values(kind: NoticeKind, language: Language) -> None:
    """A notice uses exactly the values that `NoticeKind` names.

    A missing one is an error in the template.
    """
    rendered = notice(kind, language, **NOTICES[kind])
    assert rendered.subject
    assert len(rendered.text) > 20
    assert "\n\n\n" not in rendered.text


def test_every_state_has_a_word_in_japanese() -> None:
    kinds = {"inbox": InboxState, "outbox": OutboxState, "games": GameState}
    states = {kind: dict.fromkeys(map(str, members), 1) for kind, members in kinds.items()}
    health = notice(NoticeKind.HEALTH, Language("ja"), census=states, free=None).text
    assert "処理済み 1" in health
    assert not [state for names in states.values() for state in names if state in health]
