"""A game's deadline as a calendar file: one appointment that moves.

It is cancelled at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from judge import commands as c
from judge.commands import Language
from judge.games.events import Event, Extended, ExtensionUsed, GameNews, GraceBegan, StartReset
from judge.games.game import Game, GameState
from judge.games.person import Person, PersonId
from judge.games.schedule import has_deadlines
from judge.mail.appointments import Appointment, calendar_file
from judge.mail.letters import Attachment
from judge.reports.wording import wording_in
from judge.settings import setting_named

_MOVING = (*(c.Absence, c.ChangeSetting, c.Extend, c.Pause, c.Redo, c.Resume, c.Rollback, c.SetDeadline, c.Unstart),)
"""Commands after which the deadline may have moved."""
_LEAVING = (c.Eject, c.MakeDummy, c.Replace, c.Resign, c.TakeOver)
_USUAL_ALARM = (timedelta(hours=4),)


def has_news_for(event: Event, person: PersonId) -> bool:
    """Whether an event may change a person's appointment.

    The appointment moved, or the person left the game. Reports carry their own file.
    """
    match event:
        case Extended() | ExtensionUsed() | GraceBegan() | StartReset():
            return True
        case GameNews(game, command):
            left = isinstance(command, _LEAVING) and person not in game.members
            return _had_one(game, command) and (isinstance(command, _MOVING) or event.was is not None or left)
        case _:
            return False


def _had_one(game: Game, command: c.Command) -> bool:
    """Whether there was an appointment that may have changed."""
    if game.state is GameState.FORMING:
        return isinstance(command, c.Unstart)
    changes_it = isinstance(command, c.ChangeSetting) and setting_named(command.setting) == "update_type"
    return has_deadlines(game.settings) or changes_it


def deadline_file(game: Game, address: str, person: Person, now: datetime) -> Attachment:
    """Return the deadline of the open phase as a calendar file.

    The file cancels the appointment if there is no deadline, or if the person has left the game.
    """
    return _file(game, address, person.language, now, is_cancelled=person.id not in game.members)


def deadline_files(
    game: Game, address: str, readers: Iterable[Person], now: datetime
) -> Mapping[Language, tuple[Attachment, ...]]:
    """Return language → calendar file for a report; empty without deadlines."""
    has_one = has_deadlines(game.settings) and not game.is_sandbox
    languages = {person.language for person in readers if person.calendar} if has_one else ()
    return {language: (_file(game, address, language, now),) for language in languages}


def _file(game: Game, address: str, language: Language, now: datetime, *, is_cancelled: bool = False) -> Attachment:
    wording = wording_in(language, game.settings.map)
    phase = wording.phase(game.position.phase)
    appointment = Appointment(
        uid=f"deadline.{game.name}@{address.rsplit('@', 1)[1]}",
        organizer=address,
        at=game.clock.deadline or now,
        summary=wording.speech.message("appointment", game=game.name, phase=phase),
        description=wording.label("appointment"),
        alarms=game.settings.reminders or _USUAL_ALARM,
        is_cancelled=is_cancelled or game.clock.deadline is None,
    )
    return calendar_file(game.name, appointment, now)
