"""Mail by SMTP or LMTP to our own port or Unix socket.

We listen behind a real mail server, or on loopback.
"""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session, syntax

from judge.errors import OccupiedError, failed_resource, in_a_line
from judge.failpoints import Step, passed
from judge.mail.large_files import MAX_SIZE, MAX_WHOLE
from judge.mail.letters import RawMail
from judge.mail.sources.base import Keep, Now

log = structlog.get_logger(__name__)

_MOST_TOGETHER = 100
"""Mails that are stored in one commit."""
_END_OF_DATA = b"\r\n.\r\n"
_IDENT = "Diplomacy judge"
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_DOTTED = rf"{_ATOM}(?:\.{_ATOM})*"
_PLAIN_ADDRESS = re.compile(rf"<(?P<address>{_DOTTED}@{_DOTTED})>(?: +(?P<rest>[A-Za-z0-9=][A-Za-z0-9= ]*))?")
_FOR_EVERYBODY = 0o666
"""Permissions of the Unix socket; those of its folder decide who can reach it."""


class _Known:
    """List the handler methods once per class: aiosmtpd calls `dir()` for every connection."""

    deeds: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.deeds = tuple(name for name in dir(cls) if name.startswith(("smtp_", "auth_", "handle_")))

    def __dir__(self) -> Sequence[str]:
        return self.deeds


class _Taker(_Known):
    """Answer DATA with 250 only after the mail is committed."""

    def __init__(self, source: ListenerSource) -> None:
        self.source = source

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content or b""
        raw = RawMail(
            content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"),
            self.source.name,
            self.source.clock(),
            (envelope.mail_from or "").removeprefix("<>"),  # aiosmtpd keeps the brackets of the null sender
            tuple(recipient.lower() for recipient in envelope.rcpt_tos),
        )
        passed(Step.MAIL_TAKEN)
        try:
            await self.source.keep_with_others(raw)
        except Exception as error:  # noqa: BLE001 - the sender must retry, whatever went wrong
            self.source.refused(error)
            answer = "451 4.3.0 The judge cannot store mail right now, please try again later"
        else:
            self.source.reason = ""
            answer = "250 2.0.0 Stored"
        passed(Step.MAIL_KEPT)
        # LMTP expects one reply per recipient (RFC 2033; aio-libs/aiosmtpd#517).
        return "\r\n".join([answer] * (len(envelope.rcpt_tos) if self.source.lmtp else 1))


class _Smtp(_Known, SMTP):
    line_length_limit = MAX_SIZE  # the size of one read; long paragraphs without line ends are valid mail

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        """Read the mail in large pieces: by lines, photographs would take a second."""
        if arg or self.session is None or not self.session.host_name or not (self.envelope and self.envelope.rcpt_tos):
            await super().smtp_DATA(arg)  # replies with the error
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        try:
            content = await self._content()
        except asyncio.CancelledError:  # the sending server closed the connection
            self._writer.close()
            raise
        answer = "552 Error: Too much mail data"
        if content is not None:
            self.envelope.content = self.envelope.original_content = content
            answer = await self._call_handler_hook("DATA")
        self._set_post_data_state()  # type: ignore[no-untyped-call]
        await self.push(answer)

    async def _content(self) -> bytes | None:
        """Read up to the lone dot and undo dot-stuffing (RFC 5321 §4.5.2).

        Returns None if the mail is too large.
        """
        pieces, size, tail = list[bytes](), 0, b"\r\n"
        while not tail.endswith(_END_OF_DATA):
            try:
                piece = await self._reader.readuntil(_END_OF_DATA[2:])
            except asyncio.LimitOverrunError as long:
                piece = await self._reader.read(long.consumed)
            size += len(piece)
            tail = (tail + piece[-len(_END_OF_DATA) :])[-len(_END_OF_DATA) :]
            if size <= MAX_WHOLE + len(_END_OF_DATA):
                pieces.append(piece)
            else:
                pieces.clear()
        if not pieces:
            return None
        pieces[-1] = pieces[-1][: -len(_END_OF_DATA[2:])]
        content = b"".join(pieces).replace(b"\r\n.", b"\r\n")
        return content.removeprefix(b".")

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Split an address from its parameters; only an unusual address needs the slow parser."""
        plain = _PLAIN_ADDRESS.fullmatch(arg)
        return (plain["address"], plain["rest"] or "") if plain is not None else super()._getaddr(arg)


class _Lmtp(_Smtp, LMTP):
    """The same server with the commands of LMTP."""


class ListenerSource:
    """An SMTP or LMTP server in a thread of its own."""

    def __init__(
        self, name: str, host: str, port: int, keep: Keep, clock: Now, *, lmtp: bool = False, path: Path | None = None
    ) -> None:
        self.name = name
        self.host = host
        self.port = port
        self.path = path
        self.keep = keep
        self.clock = clock
        self.lmtp = lmtp
        self.hostname = ""
        """Our name in the greeting; looked up once, because that may need a DNS query."""
        self.reason = ""
        """Why the last mail was refused; "" if it was stored."""
        self.is_taken = False
        """Whether `check` found that a judge already listens there."""
        self.pool = ThreadPoolExecutor(1, thread_name_prefix=f"listener {name}")
        self.waiting: deque[tuple[RawMail, asyncio.Future[None]]] = deque()
        """Mails that arrived while others are being stored."""
        self.keeper: asyncio.Task[None] | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.thread: threading.Thread | None = None

    def start(self) -> None:
        """Listen at the Unix socket `path`, else at `port`; raises OSError if in use.

        The port 0 is replaced by the real one.
        """
        self.hostname = socket.getfqdn()
        loop = self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=loop.run_forever, name=f"listener {self.name}", daemon=True)
        self.thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self._listen(), loop).result()
        except OSError:
            self._end_loop()
            raise

    async def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        if self.path is not None:
            self.server: asyncio.Server = await loop.create_unix_server(self._conversation, self.path)
            self.path.chmod(_FOR_EVERYBODY)
        else:
            self.server = await loop.create_server(self._conversation, self.host, self.port)
            self.port = self.server.sockets[0].getsockname()[1]

    def _conversation(self) -> SMTP:
        kind = _Lmtp if self.lmtp else _Smtp
        return kind(
            _Taker(self),
            hostname=self.hostname,
            data_size_limit=MAX_WHOLE,
            enable_SMTPUTF8=True,
            ident=_IDENT,
            loop=asyncio.get_running_loop(),
        )

    def stop(self) -> None:
        """Stop listening; every mail answered with 250 is stored."""
        if self.loop is not None:
            asyncio.run_coroutine_threadsafe(self._hang_up(), self.loop).result()
            self._end_loop()
            if self.path is not None:
                self.path.unlink(missing_ok=True)
        self.pool.shutdown()

    async def _hang_up(self) -> None:
        self.server.close()
        conversations = asyncio.all_tasks() - {asyncio.current_task()}
        for conversation in conversations:
            conversation.cancel()
        await asyncio.gather(*conversations, return_exceptions=True)

    def _end_loop(self) -> None:
        assert self.loop is not None
        assert self.thread is not None
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()
        self.loop = None

    async def keep_with_others(self, raw: RawMail) -> None:
        """Store a mail, in one commit with others that arrive meanwhile.

        Raises if this one cannot be stored.
        """
        loop = asyncio.get_running_loop()
        is_kept: asyncio.Future[None] = loop.create_future()
        self.waiting.append((raw, is_kept))
        if self.keeper is None or self.keeper.done():
            self.keeper = loop.create_task(self._keep_waiting())
        await is_kept

    async def _keep_waiting(self) -> None:
        while self.waiting:
            batch = [self.waiting.popleft() for _ in range(min(len(self.waiting), _MOST_TOGETHER))]
            mails = [raw for raw, _ in batch]
            faults = await asyncio.get_running_loop().run_in_executor(self.pool, self._kept, mails)
            for (_, is_kept), fault in zip(batch, faults, strict=True):
                if is_kept.done():  # the sending server closed the connection
                    continue
                if fault is None:
                    is_kept.set_result(None)
                else:
                    is_kept.set_exception(fault)

    def _kept(self, mails: Sequence[RawMail]) -> Sequence[Exception | None]:
        """Store mails; return for each its error, or None."""
        try:
            self.keep(*mails)
        except Exception as error:  # noqa: BLE001 - every error must reach the sender of the mail
            # A single mail may be the cause, so try each by itself.
            return [error] if len(mails) == 1 else [self._kept([mail])[0] for mail in mails]
        return [None] * len(mails)

    def refused(self, error: Exception) -> None:
        """Note that a mail could not be stored; its sender still has it."""
        self.reason = f"mail is refused: {failed_resource(error) or in_a_line(error)}"
        log.error("mail refused", source=self.name, reason=self.reason)

    def complaint(self) -> str:
        """Return why the last mail was refused."""
        return self.reason

    def drain(self) -> None:
        """Do nothing: a mail is either stored or still with its sender."""

    @property
    def place(self) -> str:
        """The socket or host and port, for people."""
        return str(self.path or f"{self.host}:{self.port}")

    def check(self) -> str:
        """Return the place, if we can listen or a judge already does.

        In the latter case `is_taken` is set. Raises if neither is true.
        """
        try:
            greeting = self._greeting()
        except (ConnectionError, FileNotFoundError):
            self.start()
            self.stop()
            return self.place
        except TimeoutError:
            raise OccupiedError(self.place, "") from None
        if _IDENT not in greeting:
            raise OccupiedError(self.place, greeting[:80])
        self.is_taken = True
        return self.place

    def _greeting(self) -> str:
        with socket.socket(socket.AF_UNIX) if self.path else socket.socket() as call:
            call.settimeout(5)
            call.connect(str(self.path) if self.path else (self.host, self.port))
            return call.recv(1000).decode("utf-8", "replace").strip()
