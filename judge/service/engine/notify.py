"""Tell systemd how the judge is (sd_notify(3)): a datagram to the socket it names, and nothing without one."""

from __future__ import annotations

import os
import socket
from contextlib import suppress

READY, ALIVE, STOPPING = "READY=1", "WATCHDOG=1", "STOPPING=1"


def notify(state: str) -> None:
    """Send a state. If systemd cannot be told, the judge goes on."""
    where = os.environ.get("NOTIFY_SOCKET", "")
    if where:
        abstract = f"\0{where[1:]}" if where.startswith("@") else where
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
            to.settimeout(1)
            to.sendto(state.encode(), abstract)


def watchdog_seconds() -> float | None:
    """Return within how many seconds systemd wants to hear that we are alive; None if it does not."""
    is_ours = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    wanted = os.environ.get("WATCHDOG_USEC", "")
    return int(wanted) / 1_000_000 if is_ours and wanted.isdecimal() and int(wanted) else None
