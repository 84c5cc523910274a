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
class _Errand:
    mails: Sequence[Arrived]
    done: Future[Kept] = field(default_factory=Future)


class GroupCommit:
    """Lets whoever comes first commit for all who came meanwhile."""

    def __init__(self, commit: Callable[[Sequence[Arrived]], Kept]) -> None:
        self.commit = commit
        self.turn = threading.Lock()
        self.adding = threading.Lock()
        self.waiting: list[_Errand] = []

    def keep(self, mails: Sequence[Arrived]) -> Kept:
        """Store these, in this order; raises if they are not on the disk."""
        errand = _Errand(mails)
        with self.adding:
            self.waiting.append(errand)
        with self.turn:
            if not errand.done.done():
                with self.adding:
                    errands, self.waiting = self.waiting, []
                self._run(errands)
        return errand.done.result()

    def _run(self, errands: Sequence[_Errand]) -> None:
        try:
            kept = self.commit([mail for errand in errands for mail in errand.mails])
        except Exception as error:  # noqa: BLE001 - whoever brought the mail has to hear of it
            if len(errands) == 1:
                errands[0].done.set_exception(error)
                return
            for errand in errands:  # perhaps it was due to one mail alone
                self._run([errand])
            return
        for errand in errands:
            errand.done.set_result(kept[: len(errand.mails)])
            kept = kept[len(errand.mails) :]
