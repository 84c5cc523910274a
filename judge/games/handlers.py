"""The handler of each game command: the tables of all subjects in one."""

from __future__ import annotations

from judge.games import (
    admission,
    away,
    coaching,
    correcting,
    lots,
    mastery,
    objecting,
    play,
    press,
    proposals,
    publishing,
    readiness,
    reopening,
    robots,
    sandbox,
    seats,
    setup,
    showing,
    supposing,
    votes,
)
from judge.games.request import joined

HANDLERS = joined(
    setup.HANDLERS,
    admission.HANDLERS,
    lots.HANDLERS,
    seats.HANDLERS,
    play.HANDLERS,
    readiness.HANDLERS,
    away.HANDLERS,
    coaching.HANDLERS,
    votes.HANDLERS,
    proposals.HANDLERS,
    press.HANDLERS,
    publishing.HANDLERS,
    objecting.HANDLERS,
    mastery.HANDLERS,
    reopening.HANDLERS,
    correcting.HANDLERS,
    robots.HANDLERS,
    sandbox.HANDLERS,
    supposing.HANDLERS,
    showing.HANDLERS,
)
"""Command class → its handler."""
