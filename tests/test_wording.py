"""What is said in one language is said in the other: a missing translation fails here."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from judge.commands import Language
from judge.reports.ballots import DrawView, VotesView
from judge.reports.wording import Wording, wording_in
from judge.rules import Power, read_order, read_unit
from judge.rules.orders import Order
from judge.rules.outcomes import Bounced, Dislodged, Outcome, Verdict
from judge.rules.position import PhaseKind
from tests.happenings import FRANCE, GAME, ITALY

ENGLISH, JAPANESE = (wording_in(language) for language in Language)
FILES = ("words", "reports", "notices", "events", "sections")
OF_ONE_LANGUAGE = {
    "words": {"number", "the", "update_types"},
    "reports": {"duty_of"},
    "notices": {"states"},
}
"""What the grammar of the one needs and that of the other does not."""


def said(wording: Wording, file: str) -> dict[str, object]:
    module = wording.words if file == "words" else wording.letters[file]
    return {name: value for name, value in vars(module).items() if not name.startswith("_") and name != "w"}


@pytest.mark.parametrize("file", FILES)
def test_both_languages_say_the_same_things(file: str) -> None:
    english, japanese = said(ENGLISH, file), said(JAPANESE, file)
    assert english.keys() ^ japanese.keys() <= OF_ONE_LANGUAGE.get(file, set())
    for name in english.keys() & japanese.keys():
        one, other = english[name], japanese[name]
        if isinstance(one, dict):
            assert isinstance(other, dict)
            assert one.keys() == other.keys(), name
            assert all(other.values())


ORDERS = [
    read_order(text)
    for text in (
        "A PAR H", "A PAR - BUR", "A LON - BEL VIA", "A MAR S A PAR - BUR", "A MAR S A PAR", "F NTH C A LON - BEL",
        "A MUN R TYR", "A MUN D", "A PAR B", "F BRE B", "WAIVE",
    )
]  # fmt: skip
OUTCOMES: dict[str, tuple[Outcome, ...]] = {
    "done": (),
    "failed": (Bounced("BUR", (read_unit("A MUN"),), 1, 1),),  # type: ignore[arg-type]
    "lost": (Dislodged(read_unit("A MUN"), None, 2, 1),),  # type: ignore[arg-type]
}


def test_every_kind_of_order_is_tried() -> None:
    assert {type(order) for order in ORDERS} == set(get_args(Order))


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("came_out", OUTCOMES)
@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_what_became_of_an_order_is_one_sentence(order: Order, came_out: str, language: Language) -> None:
    wording = wording_in(language)
    for given in (True, False):
        verdict = Verdict(FRANCE, order, OUTCOMES[came_out], given)
        for kind in PhaseKind if given else [PhaseKind.ADJUSTMENT]:
            told = wording.say_from("reports", "result", verdict, kind.value)
            assert len(told) > 8
            assert re.search(r"[.。]$", told)
            assert not re.search(r"\s\s|[.。]{2}|^\W", told), told


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("kind", [PhaseKind.MOVEMENT, PhaseKind.RETREAT])
def test_a_unit_without_an_order_is_told_of(kind: PhaseKind, language: Language) -> None:
    order = read_order("A PAR H" if kind is PhaseKind.MOVEMENT else "A PAR D")
    told = wording_in(language).say_from("reports", "result", Verdict(FRANCE, order, (), given=False), kind.value)
    assert ("no order" if language is Language.ENGLISH else "命令がなく") in told


CONCEDED: dict[Power, tuple[Power, ...]] = {ITALY: (FRANCE,)}
NAMED = (DrawView((FRANCE, ITALY), 2, 5, (FRANCE, ITALY)),)


@pytest.mark.parametrize(
    ("votes", "english", "japanese"),
    [
        (
            VotesView(3, 4, in_centers=False, agreeing=(), conceding={}),
            "Draw: 3 of 7 agree.",
            "引き分け: 7か国のうち3か国が賛成しています。",
        ),
        (
            VotesView(1, 6, in_centers=False, agreeing=(FRANCE,), conceding={}),
            "Draw: 1 of 7 agree. (France)",
            "引き分け: 7か国のうち1か国が賛成しています。(フランス)",
        ),
        (
            VotesView(13, 10, in_centers=True, agreeing=(), conceding={}),
            "Armistice: those who agree own 13 centers; 10 more are needed.",
            "停戦: 賛成している国の補給都市は合わせて13か所、成立まであと10か所です。",
        ),
        (
            VotesView(0, 7, in_centers=False, agreeing=(), conceding=CONCEDED),
            "France would concede to Italy.",
            "フランスはイタリアに降伏すると言っています。",
        ),
        (
            VotesView(1, 6, in_centers=False, agreeing=(), conceding={}, named=NAMED),
            "Draw: 1 of 7 agree. Draw shared by France, Italy: 2 of 7 agree (France, Italy).",
            (
                "引き分け: 7か国のうち1か国が賛成しています。"
                "フランス、イタリアの引き分け: 7か国のうち2か国が賛成しています(フランス、イタリア)。"
            ),
        ),
    ],
)
def test_votes_under_way(votes: VotesView, english: str, japanese: str) -> None:
    told = [wording.say("votes", votes) for wording in (ENGLISH, JAPANESE)]
    assert told == [english, japanese]


def test_how_to_write_to_the_others_is_said_where_it_is_allowed() -> None:
    powers = tuple(seat.power for seat in GAME.seats)
    for wording, press, broadcast in ((ENGLISH, "PRESS TO", "BROADCAST"), (JAPANESE, "密書 オーストリア", "公式発言")):
        private, public = (wording.say_from("reports", "talk", how, powers) for how in ("private", "public"))
        assert press in private
        assert press not in public
        assert broadcast in public
        assert wording.say_from("reports", "talk", "", powers) == ""
