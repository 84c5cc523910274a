"""Mail that comes by SMTP or LMTP to a port of our own; behind a real mail server, or on loopback."""

from __future__ import annotations

import asyncio
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from judge.mail.letters import RawMail
from judge.mail.reading import MAX_SIZE
from judge.mail.sources.base import Clock, Keep

_THREADS = 8


class _Taker:
    """Answers DATA with 250 only when the mail is committed."""

    def __init__(self, source: ListenerSource) -> None:
        self.source = source

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content or b""
        raw = RawMail(
            content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"),
            self.source.name,
            self.source.clock(),
            (envelope.mail_from or "").removeprefix("<>"),  # aiosmtpd leaves the null sender its brackets
            tuple(recipient.lower() for recipient in envelope.rcpt_tos),
        )
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self.source.pool, self.source.keep, raw)
        except Exception:  # noqa: BLE001 - whatever went wrong, the sender has to try again
            answer = "451 4.3.0 The judge cannot store mail right now, please try again later"
        else:
            answer = "250 2.0.0 Stored"
        # LMTP wants one reply per recipient (RFC 2033; aio-libs/aiosmtpd#517).
        return "\r\n".join([answer] * (len(envelope.rcpt_tos) if self.source.lmtp else 1))


class _Smtp(SMTP):
    line_length_limit = MAX_SIZE  # a paragraph without line ends is a mail, too


class _Lmtp(LMTP):
    line_length_limit = MAX_SIZE


class _Controller(Controller):
    def __init__(self, source: ListenerSource) -> None:
        super().__init__(_Taker(source), hostname=source.host, port=source.port, ready_timeout=10)
        self.source = source

    def factory(self) -> SMTP:
        kind = _Lmtp if self.source.lmtp else _Smtp
        return kind(self.handler, data_size_limit=MAX_SIZE, enable_SMTPUTF8=True, ident="judge")

    def _run(self, ready_event: threading.Event) -> None:
        super()._run(ready_event)
        if self._thread_exception is not None:  # told at once, not after the timeout
            self.loop.close()
            ready_event.set()

    def _trigger_server(self) -> None:
        if self._thread_exception is not None:
            raise self._thread_exception
        # start() waits until somebody has connected. `port` may have been 0: the real one is known now.
        if isinstance(self.server, asyncio.Server):
            self.port = self.server.sockets[0].getsockname()[1]
        with socket.create_connection((self.hostname, self.port), timeout=1) as call:
            call.recv(1)


class ListenerSource:
    """An SMTP or LMTP server in a thread of its own."""

    def __init__(self, name: str, host: str, port: int, keep: Keep, clock: Clock, *, lmtp: bool = False) -> None:
        self.name = name
        self.host = host
        self.port = port
        self.keep = keep
        self.clock = clock
        self.lmtp = lmtp
        self.pool = ThreadPoolExecutor(_THREADS, thread_name_prefix=f"listener {name}")
        self.controller: _Controller | None = None

    def start(self) -> None:
        """Listen; `port` is the real one afterwards. Raises OSError if the port is taken."""
        controller = _Controller(self)
        controller.start()
        self.controller = controller
        self.port = controller.port

    def stop(self) -> None:
        """Stop listening; what was answered with 250 is stored."""
        if self.controller is not None:
            self.controller.stop()
            self.controller = None
        self.pool.shutdown()

    def drain(self) -> None:
        """Nothing waits here: a mail is either stored or still with its sender."""
