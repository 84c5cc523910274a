"""Kill a judge again and again while seven people write to it.

A second judge works the same mail undisturbed, for comparison.
"""

from __future__ import annotations

import json
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from imaplib import IMAP4
from pathlib import Path

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from judge.mail.letters import RawMail
from judge.rules.notation import write_order
from judge.rules.position import Power
from tests.database import records, rows
from tests.house import EVERYBODY, JUDGE, ORDERS, POWERS, House, end
from tests.office import Office, joining
from tests.real import PASSWORD
from tests.wire import HERE, PATIENCE_SECONDS, is_listening, wait_until

Way = Callable[[EmailMessage], bool]
"""A way to hand in a mail; returns whether it was accepted."""


@dataclass(frozen=True)
class Mailbox:
    """A mailbox of a real IMAP server, from which the judge fetches its mail."""

    port: int
    username: str

    @property
    def source(self) -> str:
        return (
            f'{{ kind = "imap", host = "{HERE}", port = {self.port}, security = "starttls", poll_seconds = 0.5, '
            f'old_mail = "take", username = "{self.username}", password = "{PASSWORD}" }},'
        )

    def empty(self) -> None:
        """Delete the mails that a killed judge had stored but not yet moved away.

        The next judge must not fetch them.
        """
        with IMAPClient(HERE, self.port, ssl=False, timeout=PATIENCE_SECONDS) as client:
            client.login(self.username, PASSWORD)
            client.select_folder("INBOX")
            if left := client.search():
                client.delete_messages(left)
                client.expunge()

    def accepts(self, mail: EmailMessage) -> bool:
        try:
            with IMAPClient(HERE, self.port, ssl=False, timeout=60) as client:
                client.login(self.username, PASSWORD)
                client.append("INBOX", mail.as_bytes().replace(b"\n", b"\r\n"))
        except (OSError, IMAPClientError, IMAP4.error):
            return False
        return True


def by_maildir(house: House) -> Way:
    """Deliver as other programs do: write the file, then move it into place."""

    def accepts(mail: EmailMessage) -> bool:
        folder = house.folder / "incoming"
        for part in ("tmp", "new", "cur"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        name = str(mail["Message-ID"]).strip("<>").replace("@", ".")
        with (folder / "tmp" / name).open("wb") as file:
            file.write(mail.as_bytes())
            file.flush()
            os.fsync(file.fileno())
        (folder / "tmp" / name).rename(folder / "new" / name)
        return True

    return accepts


@dataclass
class Writers:
    """Seven people who keep writing, each by their own way, whatever happens to the judge."""

    house: House
    pause_seconds: float
    ways: Sequence[Way]
    accepted: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: {power: [] for power in ORDERS})
    """Power → Message-ID and order of every mail that was accepted."""
    begun: list[str] = field(default_factory=list)
    """The Message-IDs of CREATE and the JOINs."""
    written: list[EmailMessage] = field(default_factory=list)
    """Every mail that was accepted."""
    enough: threading.Event = field(default_factory=threading.Event)

    def write(self) -> None:
        self.begin()
        wait_until(lambda: self.house.phase() == "S1901M")
        chance = random.Random(1)
        while not self.enough.is_set() or not all(self.accepted.values()):
            power = chance.choice(list(ORDERS))
            mine = self.accepted[power]
            order = ORDERS[power][len(mine) % 2]
            # A mailbox stamps whole seconds: the mail may seem to have come before the phase opened.
            mine.append((self.send(power, "PHASE S1901M", order), order))
            self.enough.wait(self.pause_seconds * chance.random())

    def begin(self) -> None:
        lines = ("CREATE ardennes", "deadline: 3 days", "ready with missing orders: yes")
        self.begun = [self.hand_in(self.house.letter("gil@players.test", *lines), self.house.accepts)]
        wait_until(self.is_created)  # mail that came by other ways may be worked earlier
        self.begun += [self.send(power, *joining(power)) for power in POWERS]

    def is_created(self) -> bool:
        return self.house.game() is not None

    def send(self, power: str, *lines: str) -> str:
        way = self.ways[list(POWERS).index(power) % len(self.ways)]
        return self.hand_in(self.house.letter(POWERS[power], *lines), way)

    def hand_in(self, mail: EmailMessage, way: Way) -> str:
        """Hand in a mail until it is accepted; return its Message-ID."""
        until = time.monotonic() + PATIENCE_SECONDS
        while not way(mail):
            assert time.monotonic() < until, self.house.log()
            time.sleep(0.02)
        self.written.append(mail)
        return str(mail["Message-ID"])


def kill_again_and_again(house: House, *, kills: int, seed: int, ways: Sequence[Way] = ()) -> None:
    chance = random.Random(seed)
    writers = Writers(house, 0.05, ways or [house.accepts])
    writing = threading.Thread(target=writers.write)
    writing.start()
    for _ in range(kills):
        begun = time.monotonic()
        process = house.start()
        wait_until(lambda: is_listening(house.port))
        # The time is measured by a start on this machine, to get some work done on a slow one, too.
        time.sleep(chance.random() * 0.5 * (time.monotonic() - begun))
        end(process)
    with house.running():
        writers.enough.set()
        writing.join()
        house.let_answers_leave()
        wait_until(lambda: is_all_worked(house, len(writers.written)))
        check_that_nothing_was_lost_or_doubled(house, writers)
        for power in POWERS:
            writers.send(power, "READY")
        wait_until(lambda: house.phase() == "F1901M" and is_all_worked(house, len(writers.written)))
    assert house.rows("select phase from history") == [("S1901M",)]
    assert house.results("ardennes S1901M") == Counter(EVERYBODY)
    assert account(house.url) == account(unkilled(house.folder, writers.written))


def is_all_worked(house: House, mails: int) -> bool:
    return house.is_quiet() and house.rows("select count(*) from inbox") == [(mails,)]


def check_that_nothing_was_lost_or_doubled(house: House, writers: Writers) -> None:
    kept = house.rows("select message_id, state from inbox")
    assert Counter(kept) == Counter((str(mail["Message-ID"]), "done") for mail in writers.written)
    replies = house.replies()
    for mail in writers.written:
        assert len({str(copy["Message-ID"]) for copy in replies[str(mail["Message-ID"])]}) == 1
    for power, mails in writers.accepted.items():
        for id_, order in mails:
            body = replies[id_][0].get_body(("plain",))
            assert body is not None
            assert f"= {order} is on file" in body.get_content(), body.get_content()
        game = house.game()
        assert game is not None
        assert [write_order(filed.order) for filed in game.seat(Power(power)).filed.orders] == [
            o for _, o in mails[-1:]
        ]
    assert len(house.rows("select id from outbox where kind = 'report'")) == 8


def account(url: str) -> Mapping[str, object]:
    """Return all effects of the mails: what was done, and which letters were written.

    Each letter has its kind, recipient and the mail that caused it.
    """
    # The last join starts the game and is told; which join that is depends on chance if mails take different ways.
    phase = "case outbox.kind when 'report' then outbox.phase end"
    letters = (
        f"select outbox.kind, recipient, {phase}, inbox.message_id from outbox left join inbox on inbox = inbox.id"
    )
    closed = [json.loads(record) for record in records(url)]
    return {
        "letters": Counter(rows(url, letters)),
        "phases": [(record["input"]["orders"], record["output"]) for record in closed],
        "people": sorted(rows(url, "select address, name, language from person")),
    }


def unkilled(folder: Path, mails: Sequence[EmailMessage]) -> str:
    """Return the URL of the database of a judge that worked the same mails undisturbed."""
    elsewhere = folder / "unkilled"
    elsewhere.mkdir()
    office = Office(elsewhere, address=JUDGE)
    for mail in mails:
        office.parts.intake.keep(RawMail(mail.as_bytes(), "test", office.now, str(mail["From"]), (JUDGE,)))
        office.settle()
    office.stop()
    return office.url
