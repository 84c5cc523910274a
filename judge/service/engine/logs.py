"""The format of the log: a line per event on standard error."""

from __future__ import annotations

import logging
import sys
from typing import TextIO

import structlog
from structlog.typing import Processor


def logs_to_stderr(*first: Processor) -> None:
    """Log to standard error from now on; processors in `first` see each event before it is formatted."""
    logs_to(sys.stderr, *first)


def logs_to(file: TextIO, *first: Processor) -> None:
    """Log to any file from now on."""
    structlog.configure(
        processors=[
            *first,
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"]),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(file),
    )
