"""The judge of `judge try`: its settings, its single game, and mail sent as the player."""

from __future__ import annotations

from collections.abc import Sequence
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path

from judge.commands import Language
from judge.config import Config, DatabaseSettings, DeliverySettings, GamesSettings, JudgeSettings, MaildirSettings
from judge.mail.letters import RawMail
from judge.mail.sending import Sender
from judge.reports.wording import wording_in
from judge.service import Parts, assemble
from judge.storage import migrate

GAME = "try"
JUDGE, YOU = "judge@localhost", "you@localhost"
SERVER = "try.localhost"
"""The name in Authentication-Results for mail from this machine, which only the player can write."""


class Table:
    """A judge in a folder of its own."""

    def __init__(self, folder: Path, language: Language, *, draws: bool) -> None:
        self.folder = folder
        self.language = language
        self.inbox, self.outgoing = folder / "inbox", folder / "outgoing"
        self.config = Config(
            judge=JudgeSettings(address=JUDGE, authserv_id=SERVER, language=language),
            database=DatabaseSettings(url=f"sqlite:///{folder / 'judge.sqlite3'}"),
            sources=(MaildirSettings(kind="maildir", name="outgoing", folder=self.outgoing, poll_seconds=0.2),),
            delivery=DeliverySettings(kind="maildir", folder=self.inbox, pictures=draws),
            games=GamesSettings(settling_seconds=0, fresh_phase_minutes=0),
        )

    def open(self, sender: Sender | None = None) -> Parts:
        """Return the judge, not started yet; creates and starts its game if there is none."""
        migrate(self.config.database.url)
        parts = assemble(self.config, sender=sender)
        for source in parts.sources:
            source.check()  # makes its folders, which are read before a phase closes
        with parts.store.work() as work:
            has_begun = work.games.get(GAME) is not None
        if not has_begun:
            name = wording_in(self.language).speech.message("who-tries")
            write(parts, f"REGISTER {name}\nLANGUAGE: {self.language.value}")
            write(parts, f"CREATE {GAME}\nupdate type: on-completion\nready with missing orders: yes")
            write(parts, f"JOIN {GAME} AS France")
            write(parts, "ROBOT all")
            settle(parts)
            self._leave_the_report()
        return parts

    def _leave_the_report(self) -> None:
        """Delete all letters but the report: a new player needs no answers to commands sent on their behalf."""
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
