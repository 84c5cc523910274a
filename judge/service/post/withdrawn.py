"""The rollback that withdrew a report or another letter, read from the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from judge import commands as c
from judge.games.withdrawn import Withdrawal
from judge.mail.letters import LetterKind
from judge.rules.position import Phase
from judge.storage import SentLetter, Work
from judge.storage.records import ClosedPhase, LogEntry, following


def withdrawal_of_phase(entries: Iterable[LogEntry], closed: ClosedPhase) -> Withdrawal | None:
    """Return the rollback that withdrew the results of a closed phase.

    Return None if the results count, or if no such rollback is known.
    """
    if closed.counts:
        return None
    return _withdrawal(entries, closed.closed_at, lambda phase: phase.order_key <= closed.phase.order_key)


def letter_withdrawn(work: Work, sent: SentLetter) -> Withdrawal | None:
    """Return the rollback that withdrew our letter about a phase then open.

    Return None if the letter still holds.
    The log is read only if a phase was reopened since. For a letter about the open phase nothing is looked up.
    """
    game = work.games.get(sent.game) if sent.game is not None else None
    if game is None or game.is_sandbox or not game.rollbacks or sent.date is None:
        return None
    if game.clock.opened_at is not None and sent.date >= game.clock.opened_at:
        return None
    if sent.phase is None and sent.kind is not LetterKind.REPORT:  # before the start
        return None
    opened = Phase.parse(sent.phase) if sent.phase is not None else None
    entries = work.records.entries(game)
    return _withdrawal(entries, sent.date, lambda phase: opened is None or phase.order_key < opened.order_key)


def shows_the_open_board(work: Work, sent: SentLetter) -> bool:
    """Whether a withdrawn letter is about the board that is open now.

    Orders in reply to it mean the same.
    """
    game = work.games.get(sent.game) if sent.game is not None else None
    if game is None or sent.date is None or sent.phase != str(game.position.phase):
        return False
    before = [one for one in work.records.versions(game.name) if one.closed_at <= sent.date]
    then = following(before[-1].record) if before else None
    return then is not None and then.position == game.position


def _withdrawal(entries: Iterable[LogEntry], told_at: datetime, reaches: Callable[[Phase], bool]) -> Withdrawal | None:
    found = last = None
    for entry in entries:
        match entry.command:
            case c.Rollback(phase=phase, reason=reason) if entry.at >= told_at:
                last = Withdrawal(told_at, entry.at, phase, reason)
                found = last if found is None and reaches(phase) else found
            case c.Redo() if found is last:  # takes back the last rollback only
                found = None
    return found
