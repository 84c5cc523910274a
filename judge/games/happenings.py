"""Log entries without a command: happenings by the rules, and words of masters."""

from __future__ import annotations

from collections.abc import Iterator

from judge.commands import Announce, Press
from judge.games.events import (
    CoinTossed,
    Event,
    ExtensionUsed,
    GameStarted,
    GraceBegan,
    Happened,
    Happening,
    Logged,
    PhaseClosed,
    Relayed,
    SeatOffered,
    SitterNews,
    SitterStep,
    VacancyOpened,
)
from judge.games.terms import MissingOrders


def happenings(event: Event) -> Iterator[Logged]:
    """Yield the log entries for an event."""
    game = event.game
    match event:
        case GameStarted(_, at) if game.set_up.closed:
            yield Logged(game, Happened(Happening.CLOSED, game.set_up.unplayed), at)
        case CoinTossed(power=power, winners=winners, at=at):
            yield Logged(game, Happened(Happening.TOSSED, frozenset(winners)), at, power)
        case ExtensionUsed(used=used, at=at):
            yield Logged(
                game, Happened(Happening.EXTENDED, frozenset(power for power, _ in used), game.clock.deadline), at
            )
        case GraceBegan(at=at):
            yield Logged(game, Happened(Happening.GRACE, until=game.clock.deadline), at)
        case SeatOffered(missing=powers, at=at, by_vote=True):
            yield Logged(game, Happened(Happening.VOTED, frozenset(powers)), at)
        case VacancyOpened(power=power, at=at):
            yield Logged(game, Happened(Happening.OPENED, frozenset({power})), at)
        case SitterNews(step=SitterStep.BEGAN, sitting=sitting, powers=powers, at=at):
            yield Logged(game, Happened(Happening.SITTING, frozenset(powers), sitting.end), at)
        case SitterNews(step=SitterStep.ENDED, powers=powers, at=at):
            yield Logged(game, Happened(Happening.SAT, frozenset(powers)), at)
        case PhaseClosed():
            yield from _of_a_phase(event)
        case Relayed(command=Press() | Announce() as words, power=None, at=at) if event.is_by_master and words.text:
            yield Logged(game, words, at, by=event.sender)
        case _:
            return


def _of_a_phase(event: PhaseClosed) -> Iterator[Logged]:
    game = event.game
    if event.disordered:
        yield Logged(game, Happened(Happening.DISORDER, event.disordered), event.at)
    if game.settings.missing is MissingOrders.REPLACE and game.is_running and event.offered:
        yield Logged(game, Happened(Happening.OFFERED, frozenset(event.offered)), event.at)
