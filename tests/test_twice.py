"""Every job runs twice at once, in two workers, and has its effect once.

The rows of the database alone ensure this.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from mailbox import Maildir
from pathlib import Path
from typing import TypeAlias

import pytest

from judge.failpoints import Step
from judge.service.engine.assemble import Parts
from judge.storage.waking import NO_GAME
from tests.database import only_postgresql, rows
from tests.house import EVERYBODY, ORDERS, PLAYED
from tests.office import Office
from tests.wire import PATIENCE_SECONDS

pytestmark = only_postgresql

Job: TypeAlias = Callable[[Parts], object]
PLACES = ("engine.intake", "engine.closing", "engine.delivery", "post.delivery")
"""The modules of the service that pass these steps."""
STEPS = tuple(step for step in Step if step not in (Step.MAIL_TAKEN, Step.MAIL_KEPT, Step.MAIL_MOVED))
LONG_ENOUGH_SECONDS = 1.0
"""How long to wait for the second worker, which may be waiting for the first."""


@pytest.fixture
def offices(tmp_path: Path) -> Iterator[Sequence[Office]]:
    """Yield two workers of one judge, with mail that closes a phase."""
    one = Office(tmp_path)
    one.open_game()
    for power, (order, _) in ORDERS.items():
        one.keep(power.lower(), order, "READY")
    other = Office(tmp_path, now=one.now)
    for office in (one, other):
        office.now += timedelta(seconds=1)
        office.parts.store.beat()
    yield one, other
    for office in (one, other):
        office.stop()


def jobs() -> list[Job]:
    turns = [*(f"{NO_GAME}{power.lower()}@players.test" for power in ORDERS), "ardennes"]
    work = [lambda parts, turn=turn: parts.intake.work_turn(turn) for turn in turns]
    return [*work, lambda parts: parts.closing.look_after("ardennes"), lambda parts: parts.delivery.deliver_due()]


@pytest.mark.parametrize("step", STEPS)
def test_a_job_that_begins_while_another_worker_stands_at_that_step_does_nothing_twice(
    offices: Sequence[Office], step: Step, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (office.parts for office in offices)
    running: list[threading.Thread] = []
    current: list[Job] = []

    def passed(now: Step) -> None:
        if now is step and not any(second.is_alive() for second in running):
            second = threading.Thread(target=current[-1], args=(other,))
            running.append(second)
            second.start()
            second.join(LONG_ENOUGH_SECONDS)

    for place in PLACES:
        monkeypatch.setattr(f"judge.service.{place}.passed", passed)
    for job in jobs():
        current.append(job)
        job(one)
        for second in running:
            second.join(PATIENCE_SECONDS)
    assert running
    check(offices)


def test_jobs_that_begin_at_the_same_moment_do_nothing_twice(offices: Sequence[Office]) -> None:
    for job in jobs():
        both = [threading.Thread(target=job, args=(office.parts,)) for office in offices]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join(PATIENCE_SECONDS)
    check(offices)


def check(offices: Sequence[Office]) -> None:
    """Check that each mail is answered once, each letter sent once, the phase closed once."""
    one = offices[0]
    for _ in range(3):  # work lost to the other worker is done on the next look
        for job in jobs():
            job(one.parts)
    ask = partial(rows, one.url)
    assert ask("SELECT count(*) FROM inbox WHERE state <> 'done'") == [(0,)]
    answers = Counter(ask("SELECT inbox FROM outbox WHERE kind = 'reply'"))
    assert answers == Counter(ask("SELECT id FROM inbox"))
    assert ask("SELECT phase FROM history") == [("S1901M",)]
    reports = Counter(to for (to,) in ask("SELECT recipient FROM outbox WHERE kind = 'report' AND phase = 'F1901M'"))
    assert reports == Counter(EVERYBODY)
    assert set(map(str, one.game().position.units)) >= PLAYED
    sent = Counter(str(letter["Message-ID"]) for letter in Maildir(one.folder / "outgoing"))
    assert sent == Counter(str(id_) for (id_,) in ask("SELECT message_id FROM outbox WHERE state = 'sent'"))
    assert ask("SELECT count(*) FROM outbox WHERE state <> 'sent'") == [(0,)]


def test_answers_that_wait_leave_once_whichever_of_two_workers_gathers_them(tmp_path: Path) -> None:
    one = Office(tmp_path)
    one.open_game()
    one.now += timedelta(minutes=5)
    for order in ("A PAR - BUR", "A MAR - SPA", "F BRE - MAO"):
        one.keep("france", order)
    one.parts.intake.work_all()
    one.now += timedelta(minutes=2)
    other = Office(tmp_path, now=one.now)
    both = [threading.Thread(target=office.parts.delivery.deliver_due) for office in (one, other)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join(PATIENCE_SECONDS)
    one.parts.delivery.deliver_due()
    told = Counter(id_ for letter in Maildir(one.folder / "outgoing") for id_ in str(letter["References"]).split())
    mails = [f"<office-{number}@players.test>" for number in range(one.number - 2, one.number + 1)]
    assert [told[mail] for mail in mails] == [1, 1, 1]
    waiting = rows(one.url, "SELECT count(*) FROM outbox WHERE state NOT IN ('sent', 'gathered')")
    assert waiting == [(0,)]
    for office in (one, other):
        office.stop()
