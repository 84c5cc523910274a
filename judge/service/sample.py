"""A made-up phase that shows what a report looks like."""

from __future__ import annotations

from datetime import UTC, datetime

from judge.commands import Create, Give, Join, Language
from judge.games import Game, Handled, MailContext, Person, PersonId, Request, close, create, handle, join
from judge.games.events import PhaseClosed
from judge.reports.phases import phase_reports
from judge.reports.readers import Reader, Role
from judge.resources import board_data
from judge.rules import load_map, read_order
from judge.rules.map import USUAL_BOARD

_NAMES = ("Gil", "Ada", "Ben", "Cho", "Dan", "Eva", "Fay", "Gus", *(f"Player {number}" for number in range(8, 21)))
_NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


def sample_report(language: Language) -> str:
    """Return the subject and text of a report on the first phase.

    Its orders come with the board.
    """
    sample = board_data(USUAL_BOARD, "sample.toml")
    people = [
        Person(PersonId(number), f"{number}@example.org", name, language, "UTC")
        for number, name in enumerate(_NAMES[: len(load_map(USUAL_BOARD).powers) + 1])
    ]
    made = create(Create("sample"), people[0].id)
    assert isinstance(made, Handled)
    game = made.game
    for person, seat in zip(people[1:], game.seats, strict=True):
        game = join(game, person.id, Join(game.name, seat.power), _NOON, seed=1).game
    for text in sample.get("orders", ()):
        game = _file(game, text)
    closed = close(game, game.position.phase, _NOON)
    assert closed is not None
    after, events = closed
    event = next(one for one in events if isinstance(one, PhaseClosed))
    holder = next(seat.holder for seat in after.seats if seat.power == sample.get("reader", after.seats[0].power))
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
