"""Steps at which a test can crash the judge.

The tests show that nothing is lost or done twice. `JUDGE_FAIL=letter-sent judge serve` kills itself, as by kill -9,
the first time it passes that step.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from enum import StrEnum
from functools import cache


class Step(StrEnum):
    """Steps after which the outside world and the database differ.

    They are in the order of a mail's life.
    """

    MAIL_TAKEN = "mail-taken"
    """A source has read the mail; it is not in the database yet."""
    MAIL_KEPT = "mail-kept"
    """The mail is committed; the source does not know yet."""
    MAIL_MOVED = "mail-moved"
    """The mail was moved in its mailbox; nothing is worked yet."""
    ATTEMPT_COUNTED = "attempt-counted"
    """The next start will see that this attempt did not finish."""
    MAIL_WORKED = "mail-worked"
    """All its requests are done and answered; nothing is committed."""
    WORK_COMMITTED = "work-committed"
    """Nothing has been sent."""
    SOURCES_DRAINED = "sources-drained"
    """A deadline has passed; the phase is still open."""
    PHASE_CLOSED = "phase-closed"
    """The phase is adjudicated and reported; nothing is committed."""
    CLOSING_COMMITTED = "closing-committed"
    LETTERS_LEASED = "letters-leased"
    LETTER_COMPOSED = "letter-composed"
    """The letter is about to be sent."""
    LETTER_SENT = "letter-sent"
    """The next server has the letter; the database does not know."""
    LETTERS_MARKED = "letters-marked"


def passed(step: Step) -> None:
    """Kill the judge if this is the step named by JUDGE_FAIL."""
    if step == _last():
        judge = multiprocessing.parent_process()
        if judge is not None and judge.pid is not None:  # in the worker process of a single mail: kill the whole judge
            os.kill(judge.pid, signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)


@cache
def _last() -> str | None:
    """Return the step at which to crash, or None."""
    return os.environ.get("JUDGE_FAIL")
