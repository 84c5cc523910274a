"""Names or codes, at the reader's choice; orders in words are read back.

Also SET NAMES and HELP places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from judge import commands as c
from judge.commands import Language
from judge.games import Person, PersonId, change
from judge.games.answers import Done
from judge.language import Context, read
from judge.language.context import Role
from judge.language.words import normal_form
from judge.names import names_on
from judge.reports.columns import width
from judge.reports.manual import COLUMNS, help_page
from judge.reports.vocabulary import order_sentence
from judge.reports.wording import wording_for, wording_in
from judge.rules import load_map
from judge.rules.notation import read_order, read_unit, write_order
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from judge.rules.position import Dislodgement, Location, Phase, Position, Power, Unit, UnitKind, province_of

MAP = load_map()
TURKEY = Power("TURKEY")
UNITS = [
    Unit(kind, place)
    for kind, places in ((UnitKind.ARMY, MAP.armies), (UnitKind.FLEET, MAP.fleets))
    for place in sorted(places)
]


def goals_of(unit: Unit) -> list[Location]:
    """Return the locations a unit can move to, with coasts."""
    return sorted((MAP.army_borders if unit.kind is UnitKind.ARMY else MAP.fleet_borders)[unit.location])


def board(phase: str, *units: Unit) -> Context:
    """Return a board on which all units are Turkish."""
    return Context(MAP, Position(Phase.parse(phase), dict.fromkeys(units, TURKEY), {}), (TURKEY,))


def left(unit: Unit) -> Context:
    """Return a board on which the unit was dislodged."""
    lost = {unit: Dislodgement(TURKEY, unit.province, by_convoy=False, retreats=tuple(goals_of(unit)))}
    context = Context(MAP, Position(Phase.parse("S1901R"), {}, {}, dislodged=lost), (TURKEY,))
    return replace(context, hears_sentences=True, role=Role.PLAYER)  # returning players do not say `zieht sich zurück`


def beside(unit: Unit) -> list[Unit]:
    """Return the units that it could support where they stand."""
    reached = {province_of(place) for place in MAP.reach(unit)}
    return [other for other in UNITS if other.province in reached]


def orders_for(unit: Unit) -> Iterator[tuple[Context, Order]]:
    """Yield every kind of order for a unit, with each goal it can reach."""
    yield board("S1901M", unit), Hold(unit)
    yield left(unit), Disband(unit)
    yield board("W1901A", unit), Disband(unit)
    for goal in goals_of(unit):
        yield board("S1901M", unit), Move(unit, goal)
        yield left(unit), Retreat(unit, goal)
    for number, other in enumerate(beside(unit)):
        if number % 2:  # half of them take long enough
            yield board("S1901M", unit, other), Support(unit, other)
            continue
        goals = sorted(place for place in goals_of(other) if province_of(place) != unit.province)
        common = [goal for goal in goals if province_of(goal) in {province_of(place) for place in MAP.reach(unit)}]
        if common:
            yield board("S1901M", unit, other), Support(unit, other, common[number % len(common)])
    yield from convoys_of(unit)


def convoys_of(unit: Unit) -> Iterator[tuple[Context, Order]]:
    if unit.kind is UnitKind.ARMY:
        for fleet in (one for one in beside(unit) if MAP.is_sea(one.province)):
            shores = [other for other in beside(fleet) if other.kind is UnitKind.ARMY and other != unit]
            for shore in shores[:2]:
                yield board("S1901M", unit, fleet), Move(unit, shore.location, by_convoy=True)
                yield board("S1901M", unit, fleet), Convoy(fleet, unit, shore.location)


def told(order: Order, language: Language) -> list[str]:
    """Return the wordings of an order in a language, also with codes in brackets."""
    sentence = order_sentence(order, language)
    if isinstance(order, Waive | Build):
        return [sentence]
    wording = wording_in(language, in_words=True)
    return [sentence, sentence.replace(wording.named(order.unit), wording.say("blank", order.unit), 1)]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("unit", UNITS, ids=str)
def test_an_order_in_words_is_read_back(unit: Unit, language: Language) -> None:
    for context, order in orders_for(unit):
        for sentence in told(order, language):
            (line,) = read(sentence, context)
            assert line.requests == (c.Give(order),), sentence


@pytest.mark.parametrize("language", Language)
def test_a_build_in_words_is_read_back(language: Language) -> None:
    position = Position(
        Phase.parse("W1901A"), {}, {center: power for power in MAP.powers for center in MAP.home_centers[power]}
    )
    for power in MAP.powers:
        orders: list[Order] = [*MAP.possible_builds[power], Waive()]
        for order in orders:
            (line,) = read(order_sentence(order, language), Context(MAP, position, (power,)))
            assert line.requests == (c.Give(order),)


FILLED_IN = [
    ("アンカラ海軍(F ANK) - 黒海", "F ANK - BLA"),
    ("アンカラ海軍(F ANK) - BLA", "F ANK - BLA"),
    ("アンカラ海軍（F ANK）を黒海へ移動", "F ANK - BLA"),
    ("アンカラ海軍(F ANK) S スミルナ陸軍(A SMY) - コンスタンティノープル", "F ANK S A SMY - CON"),
    ("Fleet Ankara (F ANK) - Black Sea", "F ANK - BLA"),
    ("Fleet Ankara (F ANK) S Army Smyrna (A SMY) - Con", "F ANK S A SMY - CON"),
    ("F ANK (Fleet Ankara) - Bla", "F ANK - BLA"),
    ("アンカラ海軍(F SMY) - 黒海", None),
    ("アンカラ海軍(A ANK) - 黒海", None),
    ("Fleet Ankara (A SMY) - Black Sea", None),
]


@pytest.mark.parametrize(("line", "order"), FILLED_IN, ids=[line for line, _ in FILLED_IN])
def test_a_line_of_the_report_is_filled_in(line: str, order: str | None) -> None:
    (read_line,) = read(line, board("S1901M", read_unit("F ANK"), read_unit("A SMY")))
    given = [write_order(one.order) for one in read_line.requests if isinstance(one, c.Give)]
    assert given == ([order] if order else [])
    assert bool(read_line.faults) == (order is None)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("code", sorted(names_on("standard")["provinces"]))
def test_every_spelling_in_the_table_is_that_place(code: str, language: Language) -> None:
    words = names_on("standard")["provinces"][code]
    page = "".join(help_page("places", language).split())
    start = Context(MAP, MAP.start())
    for word in (*words["codes"], *words["en"], *words["ja"]):
        assert "".join(word.split()) in page
        meant = start.lexicon.names.places[normal_form(word).text]
        assert meant == (code,) or (code in meant and word in names_on("standard")["ambiguous"])


@pytest.mark.parametrize("language", Language)
def test_the_table_fits_a_phone(language: Language) -> None:
    assert max(map(width, help_page("地名", language).splitlines())) <= COLUMNS


@pytest.mark.parametrize(
    ("language", "asked", "shown"),
    [
        (Language.ENGLISH, None, "A MUN - BER"),
        (Language.ENGLISH, "SET NAMES words", "Army Munich moves to Berlin"),
        (Language.ENGLISH, "SET NAMES codes", "A MUN - BER"),
        (Language.ENGLISH, "names words", "Army Munich moves to Berlin"),
        (Language("ja"), None, "ミュンヘン陸軍はベルリンへ移動"),
        (Language("ja"), "表記 略号", "A MUN - BER"),
        (Language("ja"), "表記を略号にしてください", "A MUN - BER"),
        (Language("ja"), "表記 名称", "ミュンヘン陸軍はベルリンへ移動"),
    ],
)
def test_a_reader_chooses(language: Language, asked: str | None, shown: str) -> None:
    person = Person(PersonId(1), "eva@players.test", "Eva", language)
    if asked is not None:
        (request,) = read(asked, Context(MAP))[0].requests
        assert isinstance(request, c.SetNames)
        person, answer = change(person, request)
        assert isinstance(answer, Done)
    assert wording_for(person).order(read_order("A MUN - BER")) == shown


def test_the_wish_outlives_another_language() -> None:
    person = Person(PersonId(1), "eva@players.test", "Eva", Language("ja"))
    assert person.reads_words
    assert not replace(person, language=Language.ENGLISH).reads_words
    assert replace(person, language=Language.ENGLISH, in_words=True).reads_words
