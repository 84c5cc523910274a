"""Store mails from many sources in one commit, with one wait for the disk."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TypeAlias

from judge.storage.inbox import Arrived

Kept: TypeAlias = list[int | None]
"""The ids of mails, in order; None for one that is stored already."""


@dataclass(frozen=True, slots=True)
class _Task:
    mails: Sequence[Arrived]
    done: Future[Kept] = field(default_factory=Future)


class GroupCommit:
    """Group commit: the first caller commits the mails of all callers that wait."""

    def __init__(self, commit: Callable[[Sequence[Arrived]], Kept]) -> None:
        self.commit = commit
        self.turn = threading.Lock()
        self.adding = threading.Lock()
        self.waiting: list[_Task] = []

    def keep(self, mails: Sequence[Arrived]) -> Kept:
        """Store these mails in this order; raises if they are not on the disk."""
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
        except Exception as error:  # noqa: BLE001 - it is raised in the caller that brought the mail
            if len(tasks) == 1:
                tasks[0].done.set_exception(error)
                return
            for task in tasks:  # one mail alone may be the cause
                self._run([task])
            return
        for task in tasks:
            task.done.set_result(kept[: len(task.mails)])
            kept = kept[len(task.mails) :]
