"""German, a third language, consists of data files alone.

They are read by the loaders and grammars of the other languages, beside them.
"""

from __future__ import annotations

import random

import pytest

from judge.commands import Give
from judge.language import Context, read
from judge.language.times import phases_in, read_moment, read_period, read_timetable
from judge.language.words import SHIPPED
from judge.rules import adjudicate, load_map, write_order
from judge.rules.options import STANDARD
from judge.rules.position import Phase
from tests.nasty import random_orders
from tests.writers import in_german

MAP = load_map()
OTHERS = tuple(tongue for tongue in SHIPPED if tongue.code != "de")
PROMISED = 0.995


def _orders(written: str, context: Context) -> list[str]:
    (line,) = read(written, context)
    return [write_order(one.order) for one in line.requests if isinstance(one, Give)]


def test_nearly_all_orders_are_read_right_and_none_wrong() -> None:
    chance = random.Random(1906)
    position = MAP.start()
    read_as: list[tuple[str, list[str], str]] = []
    while len(read_as) < 600:
        orders = random_orders(MAP, position, STANDARD, chance)
        for power, given in orders.items():
            context = Context(MAP, position, (power,))
            writer = in_german(chance, fickle=True)
            lines = [(writer.write(order), write_order(order)) for order in given]
            read_as += [(line, sorted(set(_orders(line, context))), order) for line, order in lines]
        resolution = adjudicate(MAP, position, orders)
        position = MAP.start() if resolution.over else resolution.position
    assert [row for row in read_as if row[1] not in ([], [row[2]])] == []
    assert sum(found == [order] for _, found, order in read_as) >= PROMISED * len(read_as)


BESIDE = ("A Paris nach Burgund, Armee Marseille hält", "A Par - Bur", "パリ陸軍をブルゴーニュへ移動")


@pytest.mark.parametrize("written", BESIDE)
def test_the_others_know_nothing_of_it_and_are_read_beside_it(written: str) -> None:
    context = Context(MAP, tongues=OTHERS)
    assert _orders(written, context) == ([] if "nach" in written else ["A PAR - BUR"])
    assert _orders(written, Context(MAP))[:1] == ["A PAR - BUR"]


# Times


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("6. Dezember 20 Uhr", "6 Dec 20:00"),
        ("bis 6. Dez. um 20.30 Uhr", "until 6 Dec 20:30"),
        ("Mittwoch, 6. Dezember, 20 Uhr", "Wed, 6 Dec, 20:00"),
        ("1. März 2027", "1 March 2027"),
        ("12.11. 20 Uhr", "12 Nov 20:00"),
        ("12.11.2026", "2026-11-12"),
        ("morgen 18:30", "tomorrow 18:30"),
        ("übermorgen um 8 Uhr", "day after tomorrow 8:00"),
        ("in 2 Tagen", "in 2 days"),
        ("in 2 Tagen 20 Uhr", "+2 days 20:00"),
        ("am Freitag um 20 Uhr", "on Fri 20:00"),
        ("nächste Woche Freitag", "next week Fri"),
        ("Sonntag Mittag", "Sun noon"),
        ("So 12:00", "Sun 12:00"),
        ("20 Uhr MEZ", "20:00 Europe/Berlin"),
        ("morgen 20 Uhr Wien", "tomorrow 20:00 Vienna"),
    ],
)
def test_a_german_moment_is_the_english_one(german: str, english: str) -> None:
    assert read_moment(german) == read_moment(english) is not None


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("vom 1. bis zum 10. Dezember", "1-10 Dec"),
        ("1.12. bis 10.12.", "1 Dec - 10 Dec"),
        ("bis 10. Dezember", "until 10 Dec"),
        ("nächste Woche", "next week"),
        ("am Wochenende", "this weekend"),
        ("für 3 Tage", "for 3 days"),
        ("zwei Wochen", "two weeks"),
        ("von Montag bis Freitag", "from Mon to Fri"),
    ],
)
def test_a_german_period_is_the_english_one(german: str, english: str) -> None:
    assert read_period(german) == read_period(english) is not None


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("jeden Tag 20 Uhr", "daily 20:00"),
        ("Di und Fr 21:00", "Tue and Fri 21:00"),
        ("Mo bis Fr 20 Uhr", "Mon to Fri 20:00"),
        ("werktags 18:00", "weekdays 18:00"),
        ("mindestens 24 Stunden, Di Fr 21:00", "at least 24 hours, Tue Fri 21:00"),
        ("2 Tage 12 Stunden", "2 days 12 hours"),
        ("1 Woche", "1 week"),
    ],
)
def test_a_german_timetable_is_the_english_one(german: str, english: str) -> None:
    assert read_timetable(german) == read_timetable(english) is not None


@pytest.mark.parametrize(
    ("german", "phase"),
    [
        ("Frühjahr 1901", "S1901M"),
        ("Befehle für das Frühjahr", "S1901M"),
        ("Herbst 1902, Rückzugsphase", "F1902R"),
        ("Winter 1901 Aufbau", "W1901A"),
        ("Frühling '02", "S1902M"),
    ],
)
def test_a_phase_may_be_named_in_german(german: str, phase: str) -> None:
    (named,) = phases_in(german.lower(), Phase.parse("S1901M"))
    assert named.phase == Phase.parse(phase)
