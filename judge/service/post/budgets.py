"""Daily budgets: beyond them, files are left out and letters are gathered.

Pictures and files are left out. Letters that may wait are gathered.
Budgets hold over all machines, because they are counted from the letters in the database. Orders, answers,
reports, reminders and news of deadlines are never held back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.games.person import PersonId
from judge.storage import Spent, Work

DAY = timedelta(days=1)
TO_ONE = Spent(letters=300, size=7_000_000, work=1_800_000)
"""What goes to one address in a day.

Work is in the units of `judge.budget`, about microseconds.
"""
BY_ONE = Spent(letters=150, size=5_000_000)
"""The letters that one person causes for others in a day.

Both budgets are at most three times what the busiest day of a player needs (`tests/busy.py`).
"""
WORK_OF_A_PICTURE = 100_000
"""Units for drawing a map or redrawing a photograph."""
_AT_ONCE = 20
"""Letters from one person to another that never wait, per day.

Other people cannot use up this allowance.
"""
_GATHERED_EVERY = 3
"""Interval in hours of the day (UTC)."""


def is_within(spent: Spent, budget: Spent) -> bool:
    """Whether each part of a budget has something left.

    Work counts only if the budget names it.
    """
    is_work_left = not budget.work or spent.work < budget.work
    return spent.letters < budget.letters and spent.size < budget.size and is_work_left


def may_get_files(work: Work, address: str, now: datetime) -> bool:
    """Whether an address may get pictures and files that are not part of a report."""
    return is_within(work.spending.on(address, now - DAY), TO_ONE)


def may_send_files(work: Work, person: PersonId, now: datetime) -> bool:
    """Whether a person may send pictures to others."""
    return is_within(_sum(work.spending.by(person, now - DAY).values()), BY_ONE)


def overspent(work: Work, by: PersonId, addresses: Collection[str], now: datetime) -> frozenset[str]:
    """Return the addresses for which this person's next letters must wait."""
    caused = work.spending.by(by, now - DAY)
    if not is_within(_sum(caused.values()), BY_ONE):
        return frozenset(addresses)
    often = (one for one in addresses if one in caused and caused[one].letters >= _AT_ONCE)
    return frozenset(one for one in often if not may_get_files(work, one, now))


def gathered_at(now: datetime) -> datetime:
    """Return when letters leave that wait for a spent budget."""
    hours = _GATHERED_EVERY - now.hour % _GATHERED_EVERY
    return now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=hours)


def _sum(all_spent: Iterable[Spent]) -> Spent:
    several = tuple(all_spent)
    return Spent(
        sum(one.letters for one in several), sum(one.size for one in several), sum(one.work for one in several)
    )


@dataclass(frozen=True, slots=True)
class Used:
    """The use of a budget.

    `most` is the largest use, part by part; `over` is how many have spent the budget.
    """

    most: Spent
    budget: Spent
    over: int


def used(work: Work, now: datetime) -> Mapping[str, Used]:
    """Return the use of both budgets: `to` one address, and `by` one person to others."""
    found = {"to": (work.spending.on_each(now - DAY), TO_ONE), "by": (work.spending.by_each(now - DAY), BY_ONE)}
    return {whose: _used(all_spent, budget) for whose, (all_spent, budget) in found.items()}


def _used(all_spent: Sequence[Spent], budget: Spent) -> Used:
    most = Spent(
        max((one.letters for one in all_spent), default=0),
        max((one.size for one in all_spent), default=0),
        max((one.work for one in all_spent), default=0),
    )
    return Used(most, budget, sum(not is_within(one, budget) for one in all_spent))
