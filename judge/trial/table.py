"""The judge of `judge try`: settings, a single game, and the player's mail."""

from __future__ import annotations

from collections.abc import Sequence
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path

from judge.commands import Language
from judge.config import Config, DatabaseSettings, DeliverySettings, GamesSettings, JudgeSettings, MaildirSettings
from judge.errors import ConfigError
from judge.mail.letters import RawMail
from judge.mail.sending import Sender
from judge.reports.wording import wording_in
from judge.resources import board_data
from judge.rules import Power, load_map
from judge.rules.map import USUAL_BOARD
from judge.service.engine.assemble import Parts, assemble
from judge.storage import migrate

GAME = "try"
JUDGE, YOU = "judge@localhost", "you@localhost"
SERVER = "try.localhost"
"""The name in Authentication-Results for mail from this machine, which only the player can write."""


class Table:
    """A judge in a folder of its own."""

    def __init__(self, folder: Path, language: Language, board: str | None = None, *, draws: bool) -> None:
        self.folder = folder
        self.language = language
        self.asked = board
        """The requested board; None for that of the game in the folder.

        A folder without a game gets the usual board.
        """
        self.inbox, self.outgoing = folder / "inbox", folder / "outgoing"
        self.config = Config(
            judge=JudgeSettings(address=JUDGE, authserv_id=SERVER, language=language),
            database=DatabaseSettings(url=f"sqlite:///{folder / 'judge.sqlite3'}"),
            sources=(MaildirSettings(kind="maildir", name="outgoing", folder=self.outgoing, poll_seconds=0.2),),
            delivery=DeliverySettings(kind="maildir", folder=self.inbox, pictures=draws),
            games=GamesSettings(settling_seconds=0, fresh_phase_minutes=0),
        )

    @property
    def power(self) -> Power:
        """The power of the player."""
        sample = board_data(self.board, "sample.toml")
        return Power(sample.get("reader", load_map(self.board).powers[0]))

    def open(self, sender: Sender | None = None) -> Parts:
        """Return the judge, not started yet; creates and starts its game if there is none.

        Raises ConfigError if the game in the folder is on another board.
        """
        migrate(self.config.database.url)
        parts = assemble(self.config, sender=sender)
        for source in parts.sources:
            source.check()  # makes its folders, which are read before a phase closes
        with parts.store.work() as work:
            game = work.games.get(GAME)
        self.board = game.settings.map if game is not None else self.asked or USUAL_BOARD
        if self.asked not in (None, self.board):
            parts.store.close()
            raise ConfigError((f"the game in {self.folder} is on the board {self.board!r}",))
        if game is None:
            name = wording_in(self.language).speech.message("who-tries")
            write(parts, f"REGISTER {name}\nLANGUAGE: {self.language.value}")
            settings = f"board: {self.board}\nupdate type: on-completion\nready with missing orders: yes"
            write(parts, f"CREATE {GAME}\n{settings}")
            write(parts, f"JOIN {GAME} AS {self.power}")
            write(parts, "ROBOT all")
            settle(parts)
            self._leave_the_report()
        return parts

    def _leave_the_report(self) -> None:
        """Delete all letters except the report.

        A new player needs no answers to commands sent on their behalf.
        """
        for path in (self.inbox / "new").glob("*"):
            content = path.read_bytes()
            if b"Auto-Submitted: auto-generated" not in content or b"application/json" not in content:
                path.unlink()


def write(parts: Parts, text: str, *, to: str = JUDGE, answers: EmailMessage | None = None) -> None:
    """Deliver a mail of the player to the judge."""
    mail = EmailMessage()
    mail["Authentication-Results"] = f"{SERVER}; dmarc=pass header.from={YOU.partition('@')[2]}"
    mail["From"], mail["To"], mail["Message-ID"] = YOU, to, make_msgid(domain="localhost")
    mail["Subject"] = "Re: " + answers["Subject"] if answers is not None else GAME
    if answers is not None:
        mail["In-Reply-To"] = answers["Message-ID"]
    mail.set_content(text)
    parts.intake.keep(RawMail(mail.as_bytes(), GAME, parts.clock(), YOU, (to,)))
    settle(parts)


def settle(parts: Parts) -> None:
    """Repeat all work that is due until none is left."""
    while _acted(parts):
        pass


def _acted(parts: Parts) -> bool:
    done: Sequence[int] = (parts.intake.work_all(), parts.closing.close_due(), parts.delivery.deliver_due())
    return any(done)
