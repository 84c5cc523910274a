"""Games and judges for benchmarks."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from judge.commands import Create, Join, Language
from judge.config import Config, DatabaseSettings, DeliverySettings, ListenerSettings
from judge.games import Game, Handled, Person, create, join
from judge.language.times.settings import read_setting
from judge.mail.letters import RawMail
from judge.mail.sending import Meanwhile, nothing
from judge.rules import load_map
from judge.service.engine.assemble import Parts, assemble
from judge.service.post.telling import tell
from judge.storage import Work, migrate

NOON = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
"""Noon today: for a real clock, the games of a benchmark are not long overdue."""


class Nowhere:
    """A sender that discards mail."""

    def send(self, content: bytes, *, envelope_from: str, recipient: str, meanwhile: Meanwhile = nothing) -> None:
        """Forget the mail."""

    def check(self) -> str:
        """Return the destination."""
        return "nowhere"

    def close(self) -> None:
        """Do nothing: nothing is open."""


def judge_in(folder: Path, *, draws: bool = False) -> Parts:
    """Return a judge on its own database file, with a fixed clock.

    Its reports hold maps if it `draws`.
    """
    url = f"sqlite:///{folder / 'judge.sqlite3'}"
    migrate(url)
    config = Config(
        database=DatabaseSettings(url=url),
        sources=(ListenerSettings(kind="listener", port=0),),
        delivery=DeliverySettings(pictures=draws),
    )
    return assemble(config, clock=lambda: NOON, sender=Nowhere())


def people(work: Work, name: str) -> list[Person]:
    """Register a master and seven players, half of them Japanese."""
    languages = (Language.ENGLISH, Language("ja"))
    zones = ("Europe/Paris", "Asia/Tokyo")
    return [
        work.people.add(f"{name}-{n}@players.test", f"Player {n}", languages[n % 2], zones[n % 2]) for n in range(8)
    ]


def full_game(parts: Parts, work: Work, name: str, persons: list[Person], *, with_reports: bool = True) -> Game:
    """Return a game in its first phase, too short for answers to gather."""
    made = create(Create(name, {"deadline": read_setting("deadline", "20 hours")}), persons[0].id)
    assert isinstance(made, Handled)
    work.games.add(made.game)
    game = made.game
    for person, power in zip(persons[1:], load_map().powers, strict=True):
        handled = join(game, person.id, Join(name, power), NOON, seed=1)
        game = handled.game
    saved = work.games.save(game)
    if with_reports:
        for event in handled.events:
            tell(work, parts.closing.writer, event, NOON, name)
    return saved


def order_mail(parts: Parts, game: Game, number: int, orders: str) -> RawMail:
    """Return a reply to the report, from the player of France."""
    with parts.store.work() as work:
        holder = game.seat(load_map().powers[2]).holder
        assert holder is not None
        person = work.people.many([holder])[holder]
        recipient = f"judge+{game.name}.{parts.closing.writer.reply_token(game, holder)}@localhost"
    text = (
        f"From: {person.name} <{person.address}>\r\nTo: {recipient}\r\nSubject: Re: [{game.name}] Spring 1901\r\n"
        f"Message-ID: <{number}@players.test>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{orders}\r\n"
    )
    return RawMail(text.encode(), "bench", NOON, person.address, (recipient,))
