"""The deadline of a game in its readers' calendars: one appointment that moves, and is cancelled at the end."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TypeGuard

from judge import commands as c
from judge.commands import Language
from judge.games.events import Event, Extended, GameNews, GraceBegan, StartReset
from judge.games.game import Game
from judge.games.schedule import has_deadlines
from judge.mail.appointments import Appointment, calendar_file
from judge.mail.letters import Attachment
from judge.reports.wording import wording_in

_MOVING = (*(c.Absence, c.ChangeSetting, c.Extend, c.Pause, c.Redo, c.Resume, c.Rollback, c.SetDeadline, c.Unstart),)
"""Commands of which nobody knows, once they are done, whether the deadline is what it was."""
_USUAL_ALARM = (timedelta(hours=4),)


def moves_deadline(event: Event) -> TypeGuard[Extended | GraceBegan | StartReset | GameNews]:
    """Whether an event may have moved the deadline; reports tell theirs anyway."""
    match event:
        case Extended() | GraceBegan() | StartReset():
            return True
        case GameNews(command=command):
            return isinstance(command, _MOVING)
        case _:
            return False


def deadline_file(game: Game, address: str, language: Language, now: datetime) -> Attachment:
    """The deadline of the open phase; where there is none the appointment is cancelled."""
    wording = wording_in(language, game.settings.map)
    phase = wording.phase(game.position.phase)
    appointment = Appointment(
        uid=f"deadline.{game.name}@{address.rsplit('@', 1)[1]}",
        organizer=address,
        at=game.deadline or now,
        summary=wording.say("appointment", game.name, phase),
        description=wording.label("appointment"),
        alarms=game.settings.reminders or _USUAL_ALARM,
        is_cancelled=game.deadline is None,
    )
    return calendar_file(game.name, appointment, now)


def has_appointment(game: Game) -> bool:
    """Whether the reports of a game carry one: where nothing closes by time there is none to cancel."""
    return has_deadlines(game.settings)
