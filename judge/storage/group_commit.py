"""Mails from many sources at once, stored in one commit: the disk is waited for once for all of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TypeAlias

from judge.storage.inbox import Arrived

Kept: TypeAlias = list[int | None]
"""The numbers of mails, in order; None for one that was here already."""


@dataclass(frozen=True, slots=True)
class _Task:
    mails: Sequence[Arrived]
    done: Future[Kept] = field(default_factory=Future)


class GroupCommit:
    """Lets whoever comes first commit for all who came meanwhile."""

    def __init__(self, commit: Callable[[Sequence[Arrived]], Kept]) -> None:
        self.commit = commit
        self.turn = threading.Lock()
        self.adding = threading.Lock()
        self.waiting: list[_Task] = []

    def keep(self, mails: Sequence[Arrived]) -> Kept:
        """Store these, in this order; raises if they are not on the disk."""
        task = _Task(mails)
        with self.adding:
            self.waiting.append(task)
        with self.turn:
            if not task.done.done():
                with self.adding:
                    tasks, self.waiting = self.waiting, []
                self._run(tasks)
        return task.done.result()

    def _run(self, tasks: Sequence[_Task]) -> None:
        try:
            kept = self.commit([mail for task in tasks for mail in task.mails])
        except Exception as error:  # noqa: BLE001 - whoever brought the mail has to hear of it
            if len(tasks) == 1:
                tasks[0].done.set_exception(error)
                return
            for task in tasks:  # perhaps it was due to one mail alone
                self._run([task])
            return
        for task in tasks:
            task.done.set_result(kept[: len(task.mails)])
            kept = kept[len(task.mails) :]
