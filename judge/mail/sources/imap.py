"""Mail from a folder of an IMAP mailbox, by polling, and IDLE if supported."""

from __future__ import annotations

import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError, LoginError

from judge.errors import SourceError, TokenError, TokenFault
from judge.failpoints import Step, passed
from judge.mail.large_files import MAX_WHOLE
from judge.mail.letters import RawMail
from judge.mail.marks import NOT_SEEN, Mark, Marks
from judge.mail.oauth import Tokens, with_token
from judge.mail.sending import WRONG_PASSWORD, Security
from judge.mail.sources.base import Keep, event_of, store

log = structlog.get_logger(__name__)

_BATCH = 50
_MOST_BYTES = MAX_WHOLE
"""Size of the mails that are fetched together; a single one may be larger."""
_UNREADABLE = re.compile(r"^b['\"](.*)['\"]$")
"""How the library formats the bytes of a server's error text."""
_CONTENT = f"BODY.PEEK[]<0.{MAX_WHOLE + 1}>"
"""The whole mail, or enough of it to see that it is too big."""
_FETCHED = b"BODY[]<0>"
_IDLE_SLICE_SECONDS = 0.5
_LONGEST_IDLE_SECONDS = 9 * 60
_SHORTEST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class ImapAccount:
    """The server, login and folders of a mailbox."""

    host: str
    port: int
    username: str
    password: str
    folder: str = "INBOX"
    processed_folder: str = "Processed"
    """The folder for stored mail. Both folders are made if they are missing."""
    security: Security = Security.TLS
    poll_seconds: float = 120
    timeout_seconds: float = 30
    tokens: Tokens | None = None
    """For a login by access token instead of the password."""

    def __str__(self) -> str:
        return f"{self.username} at {self.host}:{self.port}, folder {self.folder}"

    __repr__ = __str__  # without the password


class ImapSource:
    """One mailbox, read in a thread of its own.

    After a lost connection it retries with a growing pause.
    """

    def __init__(self, name: str, account: ImapAccount, keep: Keep, marks: Marks | None = None) -> None:
        self.name = name
        self.account = account
        self.keep = keep
        self.marks = marks
        """Remembers the first-seen position; None means that older mail is read too."""
        self.mark = Mark(NOT_SEEN, 1, datetime.max.replace(tzinfo=UTC))
        self.stopping = threading.Event()
        self.pause = _SHORTEST_PAUSE_SECONDS
        self.waiting = 0
        """The number of mails in the folder when it was last checked."""
        self.reason = ""
        """Why the mailbox cannot be read now; "" if it can."""
        self.asked: queue.SimpleQueue[Future[None]] = queue.SimpleQueue()
        """Requests for a full read."""
        self.thread = threading.Thread(target=self._run, name=f"imap {name}", daemon=True)

    def start(self) -> None:
        """Connect in the background.

        Mail that arrives from now on is the judge's, however long connecting takes.
        """
        if self.marks is not None:
            self.mark = self.marks.begin(self.name)
        self.thread.start()

    def stop(self) -> None:
        """Stop reading and close the connection."""
        self.stopping.set()
        if self.thread.is_alive():
            self.thread.join(timeout=self.account.timeout_seconds + 5)

    def drain(self) -> None:
        """Read the folder now; raises SourceError if it cannot be read in time."""
        done: Future[None] = Future()
        self.asked.put(done)
        try:
            done.result(timeout=self.account.timeout_seconds)
        except Exception as error:
            raise SourceError(f"{self.name}: {error or type(error).__name__}") from error

    def check(self) -> str:
        """Connect, log in, open the folders and count the mails; raises on errors."""
        with self.opened() as client:
            self.waiting = int(client.select_folder(self.account.folder, readonly=True)[b"EXISTS"])
        return f"{self.account}, {self.waiting} mails in it" if self.waiting else str(self.account)

    @contextmanager
    def opened(self) -> Iterator[IMAPClient]:
        """Yield a separate connection for looking at the mailbox; raises on any error."""
        try:
            client = self._connect()
        except socket.gaierror as error:
            raise SourceError(f"the host {self.account.host} is not known: {error.strerror}") from error
        except IMAPClientError as error:
            raise SourceError(_said(error)) from error
        try:
            yield client
        finally:
            _part(client)

    def _run(self) -> None:
        while not self.stopping.is_set():
            client: IMAPClient | None = None
            try:
                client = self._connect()
                self._serve(client)
            except Exception as error:  # noqa: BLE001 - servers fail in many ways; the remedy is always to reconnect
                reason = _said(error)
                if isinstance(error, LoginError):
                    reason = f"{WRONG_PASSWORD} ({reason})"
                if reason != self.reason:
                    log.warning(event_of(error), source=self.name, reason=reason)
                self.reason = reason
                self._answer(error)
                self._wait(self.pause)
                self.pause = min(self.pause * 2, _LONGEST_PAUSE_SECONDS)
            finally:
                _part(client)

    def complaint(self) -> str:
        """Return why the mailbox cannot be read."""
        return self.reason

    def _wait(self, seconds: float) -> None:
        """Pause before the next attempt, ended early by a request for a full read."""
        until = time.monotonic() + seconds
        while not self.stopping.is_set() and time.monotonic() < until and self.asked.empty():
            self.stopping.wait(0.1)

    def _connect(self) -> IMAPClient:
        if self.account.tokens is None:
            return self._logged_in(self.account.password)
        return with_token(self.account.tokens, self._logged_in)

    def _logged_in(self, secret: str) -> IMAPClient:
        """Connect, log in with a password or an access token, and open the folder."""
        account = self.account
        client = IMAPClient(
            account.host,
            port=account.port,
            ssl=account.security is Security.TLS,
            timeout=SocketTimeout(account.timeout_seconds, account.timeout_seconds),
        )
        client.normalise_times = False  # it would apply today's UTC offset to every other day
        try:
            if account.security is Security.STARTTLS:
                client.starttls(ssl.create_default_context())
            self._log_in(client, secret)
            self._open_folder(client)
        except Exception:
            _part(client)
            raise
        return client

    def _log_in(self, client: IMAPClient, secret: str) -> None:
        username = self.account.username
        if self.account.tokens is None:
            client.login(username, secret)
            return
        by_xoauth2 = client.has_capability("AUTH=XOAUTH2")  # what the big providers describe
        try:
            (client.oauth2_login if by_xoauth2 else client.oauthbearer_login)(username, secret)
        except LoginError as error:
            raise TokenError(TokenFault.REFUSED, _said(error)) from error

    def _open_folder(self, client: IMAPClient) -> None:
        account = self.account
        for folder in (account.folder, account.processed_folder):
            if not client.folder_exists(folder):
                client.create_folder(folder)
        client.select_folder(account.folder)

    def _serve(self, client: IMAPClient) -> None:
        can_idle = client.has_capability("IDLE")
        while not self.stopping.is_set():
            waiting = self._take_requests()
            try:
                self._read_folder(client)
            except Exception as error:
                _finish(waiting, error)
                raise
            _finish(waiting, None)
            self.pause = _SHORTEST_PAUSE_SECONDS
            if self.reason:
                log.info("source is read again", source=self.name)
            self.reason = ""
            if can_idle:
                self._idle(client)
            else:
                self._wait(self.account.poll_seconds)
                client.noop()

    def _take_requests(self) -> list[Future[None]]:
        waiting = []
        while not self.asked.empty():
            waiting.append(self.asked.get())
        return waiting

    def _answer(self, error: BaseException) -> None:
        _finish(self._take_requests(), error)

    def _idle(self, client: IMAPClient) -> None:
        """Wait until mail is announced, a read is requested, or a poll is due."""
        until = time.monotonic() + min(self.account.poll_seconds, _LONGEST_IDLE_SECONDS)
        client.idle()
        try:
            while not self.stopping.is_set() and self.asked.empty() and time.monotonic() < until:
                if client.idle_check(timeout=_IDLE_SLICE_SECONDS):
                    break
        finally:
            client.idle_done()

    def _read_folder(self, client: IMAPClient) -> None:
        """Take all mail for the judge, and repeat until none arrived in the meantime.

        IDLE announces only mail that arrives after the folder was selected, and not during another command. Selecting
        the folder by name again also detects that it was deleted and recreated.
        """
        if self.marks is None:
            while client.select_folder(self.account.folder)[b"EXISTS"]:
                if not self._take(client, client.search(["UNDELETED"])):
                    return
            return
        searched = None
        while True:
            folder = client.select_folder(self.account.folder)
            if self.mark.validity != folder.get(b"UIDVALIDITY", 0):
                self._see(client, folder)
            following = folder.get(b"UIDNEXT", 0)
            if not folder[b"EXISTS"] or following == searched:
                return
            self._take(client, self._for_us(client))
            searched = following

    def _for_us(self, client: IMAPClient) -> list[int]:
        """Return the mails since the folder was first seen.

        A mailbox may contain a person's mail of many years.
        """
        found = client.search(["UNDELETED", "UID", f"{self.mark.next}:*"])
        return [number for number in found if number >= self.mark.next]  # n:* always includes the last mail

    def _see(self, client: IMAPClient, folder: Mapping[bytes, Any]) -> None:
        """Save where the judge's mail begins, by date, in a new or renumbered folder.

        An empty folder is seen too: a mail that a person or a filter moves into it later keeps its old date.
        """
        assert self.marks is not None
        since = client.search(["UNDELETED", "SINCE", (self.mark.at - timedelta(days=1)).date()])
        dates = client.fetch(since, ["INTERNALDATE"]) if since else {}
        begun = self.mark.at.replace(microsecond=0)  # servers store whole seconds
        ours = [number for number in since if number in dates and dates[number][b"INTERNALDATE"] >= begun]
        following = min(ours, default=folder.get(b"UIDNEXT", 1))
        left = sum(number < following for number in client.search(["UNDELETED"]))
        self.mark = replace(self.mark, validity=folder.get(b"UIDVALIDITY", 0), next=following)
        self.marks.seen(self.name, self.mark, left)

    def _take(self, client: IMAPClient, found: Sequence[int]) -> int:
        """Keep mails and move them away; return their number."""
        taken = 0
        for batch in self._batches(client, found):
            fetched: dict[int, dict[bytes, Any]] = client.fetch(batch, [_CONTENT, "INTERNALDATE"])
            there = [number for number in batch if _FETCHED in fetched.get(number, ())]  # other programs may move mails
            if there:
                passed(Step.MAIL_TAKEN)
                store(self.keep, *(self._raw(fetched[number]) for number in there))
                passed(Step.MAIL_KEPT)
                self._put_away(client, there)
                passed(Step.MAIL_MOVED)
            taken += len(there)
        return taken

    @staticmethod
    def _batches(client: IMAPClient, found: Sequence[int]) -> Iterator[list[int]]:
        """Yield mails to fetch together, within limits of number and size."""
        for start in range(0, len(found), _BATCH):
            numbers = found[start : start + _BATCH]
            sizes: dict[int, dict[bytes, Any]] = client.fetch(numbers, ["RFC822.SIZE"]) if len(numbers) > 1 else {}
            batch, together = list[int](), 0
            for number in numbers:
                size = sizes.get(number, {}).get(b"RFC822.SIZE", 0)
                if batch and together + size > _MOST_BYTES:
                    yield batch
                    batch, together = [], 0
                batch.append(number)
                together += size
            yield batch

    def _raw(self, parts: Mapping[bytes, Any]) -> RawMail:
        return RawMail(parts[_FETCHED], self.name, parts[b"INTERNALDATE"].astimezone(UTC), None, ())

    def _put_away(self, client: IMAPClient, numbers: list[int]) -> None:
        if client.has_capability("MOVE"):
            client.move(numbers, self.account.processed_folder)
            return
        client.copy(numbers, self.account.processed_folder)
        client.delete_messages(numbers)
        client.expunge(numbers) if client.has_capability("UIDPLUS") else client.expunge()


def _said(error: BaseException) -> str:
    """Return the error's text, unwrapped if it is the server's."""
    return _UNREADABLE.sub(r"\1", str(error)) or type(error).__name__


def _finish(waiting: list[Future[None]], error: BaseException | None) -> None:
    for done in waiting:
        _quietly(lambda done=done: done.set_exception(error) if error else done.set_result(None))  # type: ignore[misc]


def _part(client: IMAPClient | None) -> None:
    if client is not None:
        _quietly(client.logout)
        _quietly(client.shutdown)


def _quietly(act: Callable[[], object]) -> None:
    with suppress(OSError, IMAPClientError, ValueError, RuntimeError):
        act()
