"""Which function carries out each command that a game is asked: the tables of all subjects as one."""

from __future__ import annotations

from judge.games import (
    admission,
    away,
    correcting,
    mastery,
    play,
    press,
    proposals,
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
    seats.HANDLERS,
    play.HANDLERS,
    readiness.HANDLERS,
    away.HANDLERS,
    votes.HANDLERS,
    proposals.HANDLERS,
    press.HANDLERS,
    mastery.HANDLERS,
    reopening.HANDLERS,
    correcting.HANDLERS,
    robots.HANDLERS,
    sandbox.HANDLERS,
    supposing.HANDLERS,
    showing.HANDLERS,
)
"""Class of a command → its handler."""
