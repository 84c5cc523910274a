"""The format of the log: a line per event on standard error."""

from __future__ import annotations

import logging
import re
import sys
import time
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog
from structlog.typing import Processor

from judge.errors import failed_resource

log = structlog.get_logger(__name__)

_LINK = re.compile(r"\s*\(Background on this error at: [^)]*\)")
"""The link that SQLAlchemy adds to its errors."""
_QUIET_SECONDS = 60.0
"""A library's warning is not logged again within this time."""


def logs_to_stderr(*first: Processor) -> None:
    """Log to standard error from now on.

    Processors in `first` see each event before it is formatted.
    """
    logs_to(sys.stderr, *first)


def logs_to(file: TextIO, *first: Processor) -> None:
    """Log to any file from now on."""
    structlog.configure(
        processors=[
            *first,
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            _name_resource,
            structlog.processors.format_exc_info,
            _drop_links,
            structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"]),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(file),
    )
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # our loops get these failures as errors
    root = logging.getLogger()
    root.handlers = [one for one in root.handlers if not isinstance(one, _Libraries)] + [_Libraries(logging.WARNING)]


def _name_resource(_logger: object, _level: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace a traceback by a reason if a resource failed.

    The program is not at fault then.
    """
    error = sys.exc_info()[1] if line.get("exc_info") is True else line.get("exc_info")
    if isinstance(error, BaseException) and (reason := failed_resource(error)) is not None:
        del line["exc_info"]
        line["reason"] = reason
    return line


def _drop_links(_logger: object, _level: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for name, value in line.items():
        if isinstance(value, str):
            line[name] = _LINK.sub("", value)
    return line


class _Libraries(logging.Handler):
    """Logs the warnings of libraries in our format, one line each."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.said: dict[tuple[str, str], float] = {}
        """Library and words → when they were last logged."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log a record, unless the library said the same a moment ago."""
        error = record.exc_info[1] if record.exc_info else None
        library = record.name.partition(".")[0]
        reason = (failed_resource(error) if error else None) or " ".join(record.getMessage().split())
        now = time.monotonic()
        if now - self.said.get((library, reason), -_QUIET_SECONDS) < _QUIET_SECONDS:
            return
        self.said = {key: at for key, at in self.said.items() if now - at < _QUIET_SECONDS} | {(library, reason): now}
        log.warning("a library complains", library=library, reason=reason, exc_info=error)
