"""A mailbox without a mail program.

Answers are printed. The lines up to a single dot are a mail.
"""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import TextIO

from judge.language.asking.consent import Consent, without_answers
from judge.mail.sending import Meanwhile, nothing
from judge.reports.wording import wording_in
from judge.rules import load_map
from judge.service.engine.assemble import Parts
from judge.service.engine.logs import logs_to
from judge.trial.table import GAME, Table, write


class Screen:
    """A sender that prints the judge's letters."""

    def __init__(self) -> None:
        self.report: EmailMessage | None = None
        """The last letter about the game."""
        self.question: EmailMessage | None = None
        """The last letter that asks for a yes."""
        self.waiting: list[EmailMessage] = []

    def send(self, content: bytes, *, envelope_from: str, recipient: str, meanwhile: Meanwhile = nothing) -> None:
        """Keep a letter until `show` is called."""
        del envelope_from, recipient
        meanwhile()
        letter = message_from_bytes(content, policy=default)
        assert isinstance(letter, EmailMessage)
        self.waiting.append(letter)
        if "+confirm." in str(letter["Reply-To"]):
            self.question = letter
        elif letter["List-Id"] and letter["Auto-Submitted"] == "auto-generated":
            self.report = letter

    def check(self) -> str:
        """Return the destination of letters."""
        return "the terminal"

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def show(self) -> None:
        """Print the new letters: answers first, the report of the next phase last."""
        for letter in sorted(self.waiting, key=lambda one: str(one["Auto-Submitted"]) == "auto-generated"):
            body = letter.get_body(("plain",))
            text = str(body.get_content()) if body is not None else ""
            print(f"\n── {letter['Subject']}\n")
            print("\n".join(line.rstrip() for line in text.splitlines()))
        self.waiting = []


def in_the_terminal(table: Table, lines: TextIO, log: TextIO) -> None:
    """Read mails and print the answers until the player quits."""
    logs_to(log)
    screen = Screen()
    parts = table.open(screen)
    screen.waiting = [screen.report] if screen.report is not None else []  # a new player needs only the report
    if screen.report is None:  # a game that is continued
        write(parts, f"GAME {GAME}\nSTATUS")
    screen.show()
    print(wording_in(table.language).speech.message("how-to-send", example=_example(table)))
    for text in mails(lines):
        _send(parts, screen, text)
        screen.show()
    parts.store.close()


def _example(table: Table) -> str:
    """Return an order for the player's first unit, or one that needs no unit."""
    start = load_map(table.board).start()
    return next((f"{unit} H" for unit in start.units_of(table.power)), "WAIVE")


def mails(lines: TextIO) -> Iterator[str]:
    """Yield the mails that the player types.

    Each ends with a dot on a line of its own; `q` or the end of input stops.
    """
    mail: list[str] = []
    for line in lines:
        if line.strip().lower() in ("q", "quit", "exit") and not mail:
            return
        if line.strip() == ".":
            yield "\n".join(mail)
            mail = []
        else:
            mail.append(line.rstrip("\n"))
    if mail:
        yield "\n".join(mail)


def _send(parts: Parts, screen: Screen, text: str) -> None:
    asked, screen.question = screen.question, None
    consent, _ = without_answers(text)
    answers = asked if asked is not None and consent is not Consent.UNCLEAR else screen.report
    if answers is None:
        write(parts, f"GAME {GAME}\n{text}")
    else:
        write(parts, text, to=str(answers["Reply-To"]), answers=answers)
