"""A judge behind real mail servers, and people who write to it."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from http.client import HTTPConnection
from pathlib import Path

import pytest

from judge.demo.post_office import utc_now
from judge.storage import migrate
from tests.office import joining
from tests.postfix import in_a_folder
from tests.real import IMAP_HOST, LMTP_HOST, MX, PASSWORD, PLAYERS_HOST, STALLED_HOST, Servers
from tests.wire import CERTIFICATE, HERE, PATIENCE_SECONDS, free_port, wait_until

MASTER = f"gil@{PLAYERS_HOST}"
SPRING = {
    "AUSTRIA": "A VIE - GAL",
    "ENGLAND": "F LON - NTH",
    "FRANCE": "A PAR - BUR",
    "GERMANY": "A MUN - RUH",
    "ITALY": "A VEN - TYR",
    "RUSSIA": "A MOS - UKR",
    "TURKEY": "A CON - BUL",
}
FALL = {
    "AUSTRIA": "A GAL - WAR",
    "ENGLAND": "F NTH - NWY",
    "FRANCE": "A BUR - BEL",
    "GERMANY": "A RUH - HOL",
    "ITALY": "A TYR - MUN",
    "RUSSIA": "A UKR - RUM",
    "TURKEY": "A BUL H",
}
STALLED = f"observer@{STALLED_HOST}"
PEOPLE = {power: f"{power.lower()}@{PLAYERS_HOST}" for power in SPRING}
UNSIGNED = ("FRANCE", "ITALY", "TURKEY")
"""The powers whose mail host signs nothing.

Their mail is proved by the secret address it goes to.
"""


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    with in_a_folder(Servers) as servers:
        servers.start([f"judge@{IMAP_HOST}", MASTER, STALLED, *PEOPLE.values()])
        yield servers


@dataclass
class Scene:
    """A judge behind the servers, and people who write to it."""

    servers: Servers
    folder: Path
    host: str
    database: Path | None = None
    """The folder of the database, if it is not the common folder."""
    watched: int = field(default_factory=free_port)
    """The port of /healthz."""
    number: int = 0
    letters: dict[str, list[EmailMessage]] = field(default_factory=dict)
    """Person → all mails of this judge that were seen in their mailbox."""

    def __post_init__(self) -> None:
        self.judge = f"judge@{self.host}"
        sources = {
            IMAP_HOST: f'kind = "imap", host = "{HERE}", port = {self.servers.imap}, security = "starttls", '
            f'old_mail = "take", username = "{self.judge}", password = "{PASSWORD}"',
            LMTP_HOST: f'kind = "listener", port = {self.servers.judge_lmtp}, lmtp = true',
        }
        self.config = self.folder / "config.toml"
        self.config.write_text(
            f"""
judge = {{ address = "{self.judge}", authserv_id = "{MX}" }}
database = {{ url = "{self.url}" }}
games = {{ settling_seconds = 0 }}
watch = {{ port = {self.watched}, least_free_megabytes = 1 }}
delivery = {{ kind = "smtp", host = "{HERE}", port = {self.servers.smtp}, timeout_seconds = {10 * PATIENCE_SECONDS} }}
sources = [{{ received_by = "{MX}", {sources[self.host]} }}]
""",
            "utf-8",
        )
        migrate(self.url)

    @property
    def url(self) -> str:
        return f"sqlite:///{self.database or self.folder}/judge.sqlite3"

    @contextmanager
    def running(self) -> Iterator[subprocess.Popen[bytes]]:
        command = [sys.executable, "-m", "judge", "serve", "--config", str(self.config)]
        environment = os.environ | {"SSL_CERT_FILE": str(CERTIFICATE)}
        with (
            (self.folder / "judge.log").open("ab") as log,
            subprocess.Popen(command, stdout=log, stderr=log, env=environment) as process,
        ):
            try:
                yield process
            finally:
                process.kill()

    def health(self) -> tuple[int, str]:
        """Return the status and body of /healthz; status 0 if it does not answer."""
        connection = HTTPConnection(HERE, self.watched, timeout=PATIENCE_SECONDS)
        try:
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except OSError as error:
            return 0, str(error)
        finally:
            connection.close()

    def write(
        self,
        sender: str,
        *lines: str,
        answers: EmailMessage | None = None,
        to: Sequence[str] = (),
        signed: bool = False,
        **headers: str,
    ) -> str:
        """Write to the judge, to addresses, or in answer to a mail; return the Message-ID."""
        self.number += 1
        mail = EmailMessage(policy=SMTP)
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        to = to or (str(answers["Reply-To"]) if answers is not None else self.judge,)
        mail["From"], mail["To"], mail["Subject"] = sender, ", ".join(to), "ardennes"
        mail["Date"] = format_datetime(utc_now())
        mail["Message-ID"] = f"<{self.host}-{self.number}@{PLAYERS_HOST}>"
        if answers is not None:
            mail["In-Reply-To"] = str(answers["Message-ID"])
        mail.set_content("\n".join(lines) + "\n")
        self.servers.post(sender, to, mail.as_bytes(), signed=signed)
        return str(mail["Message-ID"])

    def read(self, person: str) -> list[EmailMessage]:
        """Return what a person was sent by this judge."""
        with self.servers.mailbox(person) as client:
            found = client.fetch(client.search(), ["BODY.PEEK[]"]).values() if client.search() else ()
        mails = [message_from_bytes(one[b"BODY[]"], policy=SMTP) for one in found]
        self.letters[person] = [mail for mail in mails if mail["X-Loop"] == self.judge]
        return self.letters[person]

    def report(self, person: str, phase: str) -> EmailMessage | None:
        """Return the report that opens a phase."""
        for mail in self.read(person):
            for part in mail.iter_attachments():
                is_json = part.get_content_subtype() == "json"
                if is_json and json.loads(part.get_content()).get("next") == phase:
                    return mail
        return None

    def wait_for_reports(self, phase: str) -> Mapping[str, EmailMessage]:
        everybody = (MASTER, *PEOPLE.values())
        wait_until(lambda: all(self.report(person, phase) for person in everybody))
        return {person: report for person in everybody if (report := self.report(person, phase)) is not None}

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect((self.database or self.folder) / "judge.sqlite3", PATIENCE_SECONDS)) as database:
            return database.execute(query).fetchall()

    def open_game(self) -> None:
        self.write(MASTER, "CREATE ardennes", "deadline: 3 days", "ready with missing orders: yes", signed=True)
        wait_until(lambda: self.rows("select name from game"))
        for power, person in PEOPLE.items():
            self.write(person, *joining(power), signed=True)

    def order(self, orders: Mapping[str, str], reports: Mapping[str, EmailMessage]) -> None:
        for power, order in orders.items():
            person = PEOPLE[power]
            self.write(person, order, "READY", answers=reports[person], signed=power not in UNSIGNED)

    def forge(self, reports: Mapping[str, EmailMessage]) -> list[str]:
        """Write mails in France's name, and one to France's secret address, none of them genuine."""
        france, stamp = (
            PEOPLE["FRANCE"],
            f"{MX}; dkim=pass header.d={PLAYERS_HOST}; dmarc=pass header.from={PLAYERS_HOST}",
        )
        return [
            self.write(france, "A PAR - PIC"),
            self.write(france, "A PAR - PIC", Authentication_Results=stamp),
            self.write(france, "A PAR - PIC", AUTHENTICATION_results=stamp, X_Loop="x"),
            self.write(PEOPLE["ITALY"], "A PAR - PIC", answers=reports[france]),
        ]
