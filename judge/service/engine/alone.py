"""A mail worked by a process that does nothing else: if it dies, it is known of what."""

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
"""Hundreds of times what a mail takes; who is not back by then does not come back."""


class Ending(StrEnum):
    """How it went with a mail worked alone."""

    CAME_BACK = "came back"
    """What became of the mail stands in the database."""
    DIED = "died"
    """A crash, or it had to be ended."""
    WAS_STOPPED = "was stopped"
    """Somebody stops the judge: no fault of the mail."""


def alone(work: Callable[[Config, int, datetime], None], config: Config, mail: int, now: datetime) -> Ending:
    """Have `work` done on a mail by a process of its own, at the time that is `now`."""
    # Not forked: this process has threads. A daemon: it is not left behind when we are told to stop.
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
    # A signal to end, or to the whole group: whoever sent it meant the judge.
    return Ending.WAS_STOPPED if code in (-signal.SIGTERM, -signal.SIGINT) else Ending.DIED


def _worker(work: Callable[[Config, int, datetime], None], config: Config, mail: int, now: datetime) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the judge's affair
    logs_to_stderr()
    work(config, mail, now)
