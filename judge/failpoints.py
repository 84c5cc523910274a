"""Where a judge can be made to die, to prove that nothing is lost and nothing is done twice.

`JUDGE_FAIL=letter-sent judge serve` kills itself, as by kill -9, the first time it passes that step.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from enum import StrEnum
from functools import cache


class Step(StrEnum):
    """Every step after which the outside and the database know different things, in a mail's order."""

    MAIL_TAKEN = "mail-taken"
    """A source has the mail; the database does not."""
    MAIL_KEPT = "mail-kept"
    """The mail is committed; whoever brought it does not know."""
    MAIL_MOVED = "mail-moved"
    """It was put away in its mailbox; nothing is worked yet."""
    ATTEMPT_COUNTED = "attempt-counted"
    """Whoever starts next sees that it did not come to an end."""
    MAIL_WORKED = "mail-worked"
    """All it asks for is done and answered, nothing is committed."""
    WORK_COMMITTED = "work-committed"
    """Nothing has left."""
    SOURCES_DRAINED = "sources-drained"
    """A deadline is over; the phase is open."""
    PHASE_CLOSED = "phase-closed"
    """Adjudicated and reported, nothing is committed."""
    CLOSING_COMMITTED = "closing-committed"
    LETTERS_LEASED = "letters-leased"
    LETTER_COMPOSED = "letter-composed"
    """It is about to leave."""
    LETTER_SENT = "letter-sent"
    """The next server has it; the database does not know."""
    LETTERS_MARKED = "letters-marked"


def passed(step: Step) -> None:
    """Die here, if that was asked for."""
    if step == _last():
        judge = multiprocessing.parent_process()
        if judge is not None and judge.pid is not None:  # we work a mail alone: it is the whole judge that dies
            os.kill(judge.pid, signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)


@cache
def _last() -> str | None:
    """The step at which to die."""
    return os.environ.get("JUDGE_FAIL")
