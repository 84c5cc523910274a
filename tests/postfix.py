"""Real servers on loopback: a Postfix and the servers beside it.

They have a folder and ports of their own. Tests are skipped where they are not installed, unless REAL_SERVERS=required.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

from tests.wire import is_listening, wait_until

MAIL_OWNER = "mail"
"""The owner of the folder `mail`, where Dovecot delivers."""
SERVICES = (
    "pickup unix n - n 60 1 pickup",
    "cleanup unix n - n - 0 cleanup",
    "qmgr unix n - n 300 1 qmgr",
    "rewrite unix - - n - - trivial-rewrite",
    "bounce unix - - n - 0 bounce",
    "defer unix - - n - 0 bounce",
    "trace unix - - n - 0 bounce",
    "flush unix n - n 1000? 0 flush",
    "proxymap unix - - n - - proxymap",
    "smtp unix - - n - - smtp",
    "error unix - - n - - error",
    "retry unix - - n - - error",
    "lmtp unix - - n - - lmtp",
    "anvil unix - - n - 1 anvil",
    "scache unix - - n - 1 scache",
    "postlog unix-dgram n - n - 1 postlogd",
)
_COMMANDS = ("postfix", "dovecot", "opendkim", "opendkim-genkey")


def _why_not() -> str:
    """Return why the servers cannot run here; "" if they can."""
    missing = [command for command in _COMMANDS if shutil.which(command) is None]
    if missing:
        return f"not installed: {', '.join(missing)}"
    return "" if os.geteuid() == 0 else "Postfix needs root"


@dataclass
class RealServers:
    """A Postfix, and the other servers started with it.

    The files have the names that each server reads.
    """

    folder: Path
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list, init=False)

    def lay_out(self, files: Mapping[str, str]) -> None:
        """Write the settings, and make the folders that the servers expect."""
        self.folder.chmod(0o755)
        for name, owner in (("queue", None), ("data", "postfix"), ("mail", MAIL_OWNER)):
            (self.folder / name).mkdir()
            if owner is not None:
                shutil.chown(self.folder / name, owner)
        for name, content in files.items():
            (self.folder / name).write_text(content, "utf-8")

    def run(self, *command: str, ports: Iterable[int]) -> None:
        """Start a server that stays in the foreground, and wait until it listens."""
        with (self.folder / f"{command[0]}.out").open("ab") as out:
            self.processes.append(subprocess.Popen(command, cwd=self.folder, stdout=out, stderr=out))
        _listen(ports)

    def run_postfix(self, ports: Iterable[int]) -> None:
        """Start Postfix, and wait until it listens."""
        subprocess.run(("postfix", "-c", self.folder, "start"), check=True, capture_output=True)
        _listen(ports)

    def has_passed_on(self) -> bool:
        """Whether Postfix has passed on all mail that it has accepted.

        A mail moves from one of these folders to the next.
        """
        parts = ("incoming", "active", "deferred")
        return not any(path.is_file() for part in parts for path in sorted((self.folder / "queue" / part).rglob("*")))

    def stop(self) -> None:
        """End all servers."""
        subprocess.run(("postfix", "-c", self.folder, "stop"), check=False, capture_output=True)
        for process in self.processes:
            process.terminate()
            process.wait()

    def logs(self) -> str:
        """Return the logs of all servers."""
        return "\n".join(path.read_text("utf-8", "replace") for path in sorted(self.folder.glob("*.[lo][ou][gt]")))


def _listen(ports: Iterable[int]) -> None:
    for port in ports:
        wait_until(lambda port=port: is_listening(port))  # type: ignore[misc]


_Servers = TypeVar("_Servers", bound=RealServers)


@contextmanager
def in_a_folder(servers: Callable[[Path], _Servers]) -> Iterator[_Servers]:
    """Yield servers in a temporary folder; the test starts them.

    If the test fails, their logs are shown.
    """
    if reason := _why_not():
        if os.environ.get("REAL_SERVERS") == "required":
            pytest.fail(f"real servers are required: {reason}")
        pytest.skip(reason)
    with tempfile.TemporaryDirectory() as folder:
        made = servers(Path(folder))
        try:
            yield made
        finally:
            sys.stdout.write(made.logs())
            made.stop()
