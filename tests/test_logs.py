"""The log: a line for each event, names of failed resources, and no links."""

from __future__ import annotations

import errno
import io
import logging
import sqlite3
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
import structlog
from sqlalchemy.exc import IntegrityError, OperationalError

from judge.errors import ResourceError, failed_resource, in_a_line
from judge.service.engine.logs import logs_to


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """Yield the log."""
    file, root = io.StringIO(), logging.getLogger()
    before = root.handlers[:]
    logs_to(file)
    yield file
    root.handlers = before
    structlog.reset_defaults()


def full() -> OperationalError:
    """Return the database library's error for a full disk."""
    original = sqlite3.OperationalError("database or disk is full")
    error = OperationalError("INSERT INTO inbox", {}, original)
    error.__cause__ = original
    return error


def caused(error: Exception, cause: BaseException) -> Exception:
    error.__cause__ = cause
    return error


FULL, LOCKED = "the disk is full", "database is locked"
ERRORS = [
    (full(), FULL),
    (OSError(errno.ENOSPC, "No space left on device", "/var/mail"), FULL),
    (OSError(errno.EDQUOT, "Disk quota exceeded"), FULL),
    (caused(ValueError("no"), full()), FULL),
    (sqlite3.OperationalError(LOCKED), LOCKED),
    (caused(RuntimeError("\n    Database error.\n"), sqlite3.OperationalError(LOCKED)), LOCKED),
    (ResourceError("the port is taken"), "the port is taken"),
    (ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused"), "[Errno 111] Connection refused"),
    (OSError(errno.ENOENT, "No such file", "x"), None),
    (sqlite3.IntegrityError("UNIQUE constraint failed"), None),
    (KeyError("x"), None),
]


@pytest.mark.parametrize(("error", "said"), ERRORS, ids=lambda value: repr(value)[:50])
def test_a_resource_is_named(error: Exception, said: str | None) -> None:
    assert failed_resource(error) == said


def test_an_error_of_the_database_is_told_in_its_words() -> None:
    error = IntegrityError("INSERT", {}, sqlite3.IntegrityError("UNIQUE\nconstraint failed"))
    assert "sqlalche.me" in str(error)
    assert in_a_line(error) == "UNIQUE constraint failed"
    assert in_a_line(KeyError()) == "KeyError"


def test_a_resource_has_a_reason_and_a_bug_its_traceback_each_in_one_line(written: io.StringIO) -> None:
    log = structlog.get_logger()
    for error in (full(), IntegrityError("INSERT", {}, sqlite3.IntegrityError("UNIQUE"))):
        try:
            raise error
        except (OperationalError, IntegrityError):
            log.exception("loop failed, going on", loop="work")
    of_resource, of_bug = written.getvalue().splitlines()
    assert of_resource.endswith('event="loop failed, going on" loop=work reason="the disk is full"')
    assert "Traceback" in of_bug
    assert "sqlalche.me" not in of_bug


def test_a_library_is_heard_in_our_format_and_not_twice_in_a_minute(
    written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("judge.service.engine.logs.time", SimpleNamespace(monotonic=lambda: now[0]))
    library = logging.getLogger("procrastinate.worker")
    for now[0] in (0, 1, 59, 61):
        library.warning("Side task failed:\n%s", "away")
    library.error("listener error", exc_info=full())
    library.error("Job failed", exc_info=KeyError("x"))
    library.info("started")
    lines = written.getvalue().splitlines()
    assert [line.partition("event=")[2].partition(" exception=")[0] for line in lines] == [
        '"a library complains" library=procrastinate reason="Side task failed: away"',
        '"a library complains" library=procrastinate reason="Side task failed: away"',
        '"a library complains" library=procrastinate reason="the disk is full"',
        '"a library complains" library=procrastinate reason="Job failed"',
    ]
    assert "KeyError" in lines[-1]
