"""Words that are published with their game: press between the seats, and closing statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from judge.games.events import Relayed
from judge.games.game import Game
from judge.games.person import PersonId
from judge.rules.position import Phase, Power
from judge.storage import tables as t


@dataclass(frozen=True, slots=True)
class KeptWords:
    """Press as its readers saw it, or a closing statement."""

    phase: Phase
    """The phase open when they were written."""
    power: Power | None
    """The sender shown; None for anonymous press."""
    text: str
    to: tuple[Power, ...] | None = None
    """None if they went to everyone."""
    about: str = ""
    is_statement: bool = False


class Publications:
    """The words to be published of a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def keep(self, event: Relayed) -> None:
        """Keep press for the publication of its game."""
        recipients = ",".join(event.to) or None
        self._put(event.game, event.sender, event.shown, event.command.text, recipients, event.command.about)

    def state(self, game: Game, person: PersonId, text: str) -> None:
        """Replace the closing statement of a player; "" removes it."""
        own = (t.press.c.game == game.name, t.press.c.person == person, t.press.c.is_statement)
        self.connection.execute(delete(t.press).where(*own))
        if text:
            self._put(game, person, game.seats_held_by(person)[0].power, text, is_statement=True)

    def _put(
        self,
        game: Game,
        person: PersonId,
        power: Power | None,
        text: str,
        recipients: str | None = None,
        about: str = "",
        *,
        is_statement: bool = False,
    ) -> None:
        values = {"game": game.name, "person": person, "phase": str(game.position.phase), "power": power}
        values |= {"recipients": recipients, "about": about, "text": text, "is_statement": is_statement}
        self.connection.execute(insert(t.press).values(values))

    def of(self, game: str) -> Sequence[KeptWords]:
        """Return the words of a game, oldest first."""
        found = select(t.press).where(t.press.c.game == game).order_by(t.press.c.id)
        return [
            KeptWords(
                Phase.parse(row["phase"]),
                Power(row["power"]) if row["power"] else None,
                row["text"],
                tuple(map(Power, row["recipients"].split(","))) if row["recipients"] else None,
                row["about"],
                row["is_statement"],
            )
            for row in self.connection.execute(found).mappings()
        ]

    def forget_press(self, game: str) -> None:
        """Delete the press of a game; its closing statements stay."""
        self.connection.execute(delete(t.press).where(t.press.c.game == game, ~t.press.c.is_statement))

    def forget_words_of(self, person: PersonId) -> Sequence[str]:
        """Delete everything that a person wrote; return the names of the games with their press."""
        own = t.press.c.person == person
        found = select(t.press.c.game).where(own, ~t.press.c.is_statement).distinct().order_by(t.press.c.game)
        names = list(self.connection.execute(found).scalars())
        self.connection.execute(delete(t.press).where(own))
        return names
