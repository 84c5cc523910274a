"""A made-up phase that shows what a report looks like."""

from __future__ import annotations

from datetime import UTC, datetime

from judge.commands import Create, Give, Join, Language
from judge.games import Game, Handled, MailContext, Person, PersonId, Request, close, create, handle, join
from judge.games.events import PhaseClosed
from judge.reports import Reader, Role, phase_reports
from judge.rules import read_order

_NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
_ORDERS = (
    "A PAR - BUR",
    "A MAR S A PAR - BUR",
    "F BRE - MAO",
    "A MUN - BUR",
    "F KIE - DEN",
    "A BER - KIE",
    "F LON - NTH",
    "F EDI - NWG",
    "A LVP - YOR",
    "A VEN - TRI",
    "F TRI H",
    "A VIE S F TRI",
    "A WAR - GAL",
    "F SEV - BLA",
    "F ANK - BLA",
)


def sample_report(language: Language) -> str:
    """Return the subject and text of the report on Spring 1901 for France."""
    people = [
        Person(PersonId(number), f"{number}@example.org", name, language, "UTC")
        for number, name in enumerate(("Gil", "Ada", "Ben", "Cho", "Dan", "Eva", "Fay", "Gus"))
    ]
    made = create(Create("sample"), people[0].id)
    assert isinstance(made, Handled)
    game = made.game
    for person, seat in zip(people[1:], game.seats, strict=True):
        game = join(game, person.id, Join(game.name, seat.power), _NOON, seed=1).game
    for text in _ORDERS:
        game = _file(game, text)
    closed = close(game, game.position.phase, _NOON)
    assert closed is not None
    after, events = closed
    event = next(one for one in events if isinstance(one, PhaseClosed))
    holder = next(seat.holder for seat in after.seats if seat.power == "FRANCE")
    person = next(person for person in people if person.id == holder)
    reader = Reader(person, Role.PLAYER, tuple(seat.power for seat in after.seats_of(person.id)))
    report = phase_reports(event, [reader], {p.id: p for p in people}, _NOON)[0]
    return f"{report.subject}\n\n{report.text}"


def _file(game: Game, text: str) -> Game:
    order = read_order(text)
    power = next(power for unit, power in game.position.units.items() if str(unit) == text[: len(str(unit))])
    holder = game.seat(power).holder
    assert holder is not None
    return handle(Request(game, holder, Give(order), MailContext(1, text, _NOON), _NOON)).game
