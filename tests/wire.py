"""Shared code of server tests: waiting, and a connection with TLS, cuts and stalls."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from judge.demo.post_office import free_port, is_listening

__all__ = ["CERTIFICATE", "HERE", "PATIENCE_SECONDS", "Wire", "free_port", "is_listening", "wait_until"]

HERE = "127.0.0.1"
CERTIFICATE = Path(__file__).with_name("loopback.pem")


PATIENCE_SECONDS = 180
"""The limit for what is immediate on an idle machine; speed is not tested."""


def wait_until(holds: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.02)


class Wire:
    """Passes data between its own port and that of a server.

    `cut_after` counts down the bytes the server may still send, over all connections; then the connection is cut, once.
    While `flows` is not set, nothing passes.
    """

    def __init__(self, server: int, *, tls: bool = False) -> None:
        self.server = server
        self.context = None
        if tls:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(CERTIFICATE)
        self.cut_after: int | None = None
        self.calls = 0
        self.flows = threading.Event()
        self.flows.set()
        self.listening = socket.create_server((HERE, 0))
        self.port = int(self.listening.getsockname()[1])
        self.open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                caller, _ = self.listening.accept()
                threading.Thread(target=self._connect, args=(caller,), daemon=True).start()

    def _connect(self, caller: socket.socket) -> None:
        self.calls += 1
        self.open.append(caller)
        with suppress(OSError):
            if self.context is not None:
                caller = self.context.wrap_socket(caller, server_side=True)
                self.open.append(caller)
            server = socket.create_connection((HERE, self.server))
            self.open.append(server)
            threading.Thread(target=self._pass_on, args=(caller, server), daemon=True).start()
            self._pass_on(server, caller, counted=True)

    def _pass_on(self, origin: socket.socket, to: socket.socket, *, counted: bool = False) -> None:
        with suppress(OSError):
            while said := origin.recv(4096):
                self.flows.wait()
                if counted and self.cut_after is not None:
                    said, self.cut_after = said[: self.cut_after], self.cut_after - len(said)
                to.sendall(said)
                if counted and self.cut_after is not None and self.cut_after <= 0:
                    self.cut_after = None
                    break
        for end in (origin, to):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)  # closed with the wire: the other thread may still read from that number

    def close(self) -> None:
        self.flows.set()
        for one in (self.listening, *self.open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
