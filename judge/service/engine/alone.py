"""Work one mail in a process of its own.

If the process dies, this mail caused it.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from datetime import datetime
from enum import StrEnum

import structlog

from judge.config import Config
from judge.service.engine.logs import logs_to_stderr

log = structlog.get_logger(__name__)

_LONGEST_SECONDS = 60
"""The process is killed after this time, hundreds of times what a mail normally takes."""


class Ending(StrEnum):
    """How working a mail alone ended."""

    CAME_BACK = "came back"
    """The process finished; the result is in the database."""
    DIED = "died"
    """The process crashed, or ran too long and was killed."""
    WAS_STOPPED = "was stopped"
    """The judge is being stopped: the mail is not at fault."""


def alone(work: Callable[[Config, int, datetime], None], config: Config, mail: int, now: datetime) -> Ending:
    """Run `work` on a mail in its own process, with `now` as the current time."""
    # Spawned, not forked: this process has threads. A daemon: it ends when the judge is stopped.
    worker = multiprocessing.get_context("spawn").Process(
        target=_worker, args=(work, config, mail, now), name=f"mail {mail}", daemon=True
    )
    worker.start()
    worker.join(_LONGEST_SECONDS)
    is_late = worker.exitcode is None
    if is_late:
        worker.kill()
        worker.join()
    code = worker.exitcode
    worker.close()
    log.info("mail worked alone", mail=mail, exit=code)
    if code == 0:
        return Ending.CAME_BACK
    # SIGTERM or SIGINT, perhaps sent to the whole process group, was meant to stop the judge.
    return Ending.WAS_STOPPED if code in (-signal.SIGTERM, -signal.SIGINT) else Ending.DIED


def _worker(work: Callable[[Config, int, datetime], None], config: Config, mail: int, now: datetime) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    logs_to_stderr()
    work(config, mail, now)
