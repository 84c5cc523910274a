"""Empty a mailbox with 1,000 waiting mails, and answer mails announced by IDLE.

Promises: storing and moving a mail takes at most 5 times the CPU time of a bare client that only fetches the same
mails in the same batches. From the server's notice to the handing over of the answer it takes under 100 ms, for the
quickest quarter. That is wall-clock time; the slower ones show how busy the machine is. The IMAP server is pymap, in a
process of its own.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from games import NOON, full_game, judge_in, order_mail, people
from imapclient import IMAPClient
from measure import Figure, Promise, cpu_ms_once, report, run, share

from judge.demo.post_office import ImapServer, free_port
from judge.mail.sending import Security, SmtpSender
from judge.mail.sources import ImapAccount, ImapSource, imap
from judge.service.engine.assemble import Parts
from judge.service.engine.run import Service

MAILS = 1000
BATCH = 50
ROUNDS = 3
ANSWERS = 20
TAKEN = Promise("a waiting mail fetched, stored and put away, beside fetched", most=5)
ANSWERED = Promise("ms from the server's notice to the answer handed over", most=100)


def measure(rounds: float) -> list[Figure]:
    """Measure and print."""
    mails = max(BATCH, round(MAILS * rounds))
    with tempfile.TemporaryDirectory() as folder, server() as imap:
        account = ImapAccount(
            "127.0.0.1", imap.port, imap.username, imap.password, security=Security.NONE, timeout_seconds=60
        )
        parts = judge_in(Path(folder))
        taken, fetched = [], []
        for number in range(ROUNDS):
            _fill(account, number, mails)
            fetched.append(cpu_ms_once(lambda: _fetch(account, mails)) / mails)
            taken.append(cpu_ms_once(lambda: _take(account, parts)) / mails)
        with parts.store.work() as work:
            assert work.inbox.counts() == {"waiting": ROUNDS * mails}
        parts.store.close()
        report("a waiting mail", statistics.median(taken), "ms CPU", "bare fetch", statistics.median(fetched))
        answered_ms = _answers_ms(Path(folder) / "answers", account)
    return [Figure(TAKEN, share(taken, fetched)), Figure(ANSWERED, answered_ms)]


@contextmanager
def server() -> Iterator[ImapServer]:
    """Yield a running IMAP server."""
    imap = ImapServer()
    imap.start()
    try:
        yield imap
    finally:
        imap.stop()


def _client(account: ImapAccount) -> IMAPClient:
    client = IMAPClient(account.host, port=account.port, ssl=False, timeout=60)
    client.login(account.username, account.password)
    return client


def _fill(account: ImapAccount, round_: int, mails: int) -> None:
    with _client(account) as client:
        for number in range(mails):
            mail = f"From: cho@players.test\r\nMessage-ID: <{round_}-{number}@x>\r\n\r\n" + "A Par - Bur\r\n" * 100
            client.append("INBOX", mail.encode(), msg_time=NOON)


def _fetch(account: ImapAccount, mails: int) -> None:
    with _client(account) as client:
        client.select_folder("INBOX")
        found = client.search(["UNDELETED"])
        assert len(found) == mails
        for start in range(0, mails, BATCH):
            client.fetch(found[start : start + BATCH], ["BODY.PEEK[]", "INTERNALDATE"])


def _take(account: ImapAccount, parts: Parts) -> None:
    source = ImapSource("imap", account, parts.intake.keep)
    source.start()
    source.drain()
    source.stop()


class _Noticing(IMAPClient):  # type: ignore[misc]  # the library has no types
    """An IMAP client that notes when the server announced new mail."""

    noticed_at = 0.0

    def idle_check(self, timeout: float | None = None) -> list[object]:
        said: list[object] = super().idle_check(timeout)
        if said:
            _Noticing.noticed_at = time.monotonic()
        return said


class _Sink:
    handed_at = 0.0

    async def handle_DATA(self, _server: SMTP, _session: Session, _envelope: Envelope) -> str:  # noqa: N802
        self.handed_at = time.monotonic()
        return "250 OK"


def _answers_ms(folder: Path, account: ImapAccount) -> float:
    folder.mkdir()
    parts, sink = judge_in(folder), _Sink()
    controller = Controller(sink, hostname="127.0.0.1", port=free_port())
    controller.start()
    parts.delivery.sender = SmtpSender("127.0.0.1", controller.port)
    with parts.store.work() as work:
        game = full_game(parts, work, "ardennes", people(work, "first"), with_reports=False)
        work.commit()
    imap.IMAPClient = _Noticing  # type: ignore[attr-defined]  # replaced in this benchmark only
    parts.sources = (ImapSource("imap", account, parts.intake.keep),)
    service = Service(parts)
    service.start()
    parts.sources[0].drain()
    taken = []
    with _client(account) as client:
        for number in range(ANSWERS):
            time.sleep(0.2)
            before = sink.handed_at
            client.append("INBOX", order_mail(parts, game, number, "A Par - Bur").content, msg_time=NOON)
            while sink.handed_at == before:
                time.sleep(0.005)
            taken.append(1000 * (sink.handed_at - _Noticing.noticed_at))
    service.stop()
    controller.stop()
    return statistics.quantiles(taken[1:], n=4)[0]


if __name__ == "__main__":
    run(measure)
