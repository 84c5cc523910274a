"""Who may ask what, and when: a table that can be read aloud."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from judge import commands as c
from judge.games.events import RefusalReason, Refused
from judge.games.game import Game, GameState, PersonId
from judge.games.seats import vacancies
from judge.language.writing import word_of

_F, _A, _P, _X = GameState.FORMING, GameState.ACTIVE, GameState.PAUSED, GameState.FINISHED


class Who(StrEnum):
    """What somebody must be in the game."""

    ANYBODY = "anybody"
    MEMBER = "member"
    """Player, applicant, observer or master."""
    PLAYER = "player"
    SPEAKER = "speaker"
    """A player, or a master, who answers players one by one."""
    MASTER = "master"
    """The master, or one he promoted."""
    REFEREE = "referee"
    """A master who does not play: he may see what is secret."""
    OWNER = "owner"
    """The master himself."""


@dataclass(frozen=True, slots=True)
class Access:
    """Who may use a command, and in which states of the game."""

    who: Who
    states: tuple[GameState, ...]


_ALWAYS = (_F, _A, _P, _X)
_RUNNING = (_A, _P)
_OPEN = (_F, _A, _P)
_STARTED = (_A, _P, _X)

ACCESS: Mapping[type[c.Command], Access] = {
    # players
    c.Give: Access(Who.PLAYER, _RUNNING),
    c.Clear: Access(Who.PLAYER, _RUNNING),
    c.Undo: Access(Who.PLAYER, _RUNNING),
    c.SetReady: Access(Who.PLAYER, _RUNNING),
    c.Wait: Access(Who.PLAYER, _RUNNING),
    c.Absence: Access(Who.PLAYER, _RUNNING),
    c.Decline: Access(Who.PLAYER, _RUNNING),
    c.VoteDraw: Access(Who.PLAYER, _RUNNING),
    c.Concede: Access(Who.PLAYER, _RUNNING),
    c.Elect: Access(Who.PLAYER, _RUNNING),
    c.Press: Access(Who.SPEAKER, _STARTED),
    c.Broadcast: Access(Who.PLAYER, _STARTED),
    c.PressToMaster: Access(Who.MEMBER, _ALWAYS),
    c.Note: Access(Who.PLAYER, _RUNNING),
    c.ShareNotes: Access(Who.PLAYER, _RUNNING),
    c.Object: Access(Who.PLAYER, _STARTED),
    c.ShowOrders: Access(Who.PLAYER, _RUNNING),
    c.WhatIf: Access(Who.PLAYER, _RUNNING),
    # members and others
    c.Join: Access(Who.ANYBODY, (_F,)),
    c.Observe: Access(Who.ANYBODY, _ALWAYS),
    c.TakeOver: Access(Who.ANYBODY, _RUNNING),
    c.Resign: Access(Who.MEMBER, _OPEN),
    c.Status: Access(Who.ANYBODY, _ALWAYS),
    c.ShowRules: Access(Who.ANYBODY, _ALWAYS),
    c.Who: Access(Who.MEMBER, _ALWAYS),
    c.ShowMap: Access(Who.ANYBODY, _ALWAYS),
    c.History: Access(Who.ANYBODY, _ALWAYS),
    c.Summary: Access(Who.ANYBODY, _ALWAYS),
    c.ShowLog: Access(Who.MEMBER, _ALWAYS),
    c.ShowVotes: Access(Who.MEMBER, _RUNNING),
    # masters
    c.ChangeSetting: Access(Who.MASTER, _OPEN),
    c.CheckSettings: Access(Who.MASTER, _OPEN),
    c.Invite: Access(Who.MASTER, (_F,)),
    c.Start: Access(Who.MASTER, (_F,)),
    c.Unstart: Access(Who.MASTER, _RUNNING),
    c.Pause: Access(Who.MASTER, (_A,)),
    c.Resume: Access(Who.MASTER, (_P,)),
    c.SetDeadline: Access(Who.MASTER, (_A,)),
    c.Extend: Access(Who.MASTER, (_A,)),
    c.Process: Access(Who.MASTER, (_A,)),
    c.Preview: Access(Who.REFEREE, _RUNNING),
    c.OrderFor: Access(Who.REFEREE, _RUNNING),
    c.Rollback: Access(Who.MASTER, _STARTED),
    c.Redo: Access(Who.MASTER, _RUNNING),
    c.Eject: Access(Who.MASTER, _RUNNING),
    c.Replace: Access(Who.MASTER, _RUNNING),
    c.MakeDummy: Access(Who.MASTER, _RUNNING),
    c.Announce: Access(Who.MASTER, _ALWAYS),
    c.Promote: Access(Who.OWNER, _OPEN),
    c.HandOver: Access(Who.OWNER, _OPEN),
    c.Export: Access(Who.MASTER, _ALWAYS),
    c.EndGame: Access(Who.OWNER, _OPEN),
}
"""All commands that are about one game."""

WITH_A_REASON = (
    *(c.Unstart, c.Rollback, c.OrderFor, c.Eject, c.Replace, c.MakeDummy, c.EndGame, c.Pause),
    *(c.SetDeadline, c.Extend, c.Redo),
)
"""What is refused without one; so is a change of settings once the game runs.

PROCESS is what a master does every day where he updates by hand, and RESUME ends what PAUSE gave the reason for: a
reason is welcome there. Both are on the log all the same.
"""
FINAL = (c.Resign, c.Concede, c.SetAddress, c.EraseMe, c.EndGame)
"""What cannot be undone is done only when it was confirmed."""


def refusal(game: Game, person: PersonId, command: c.Command) -> Refused | None:
    """Why somebody may not ask this of a game; None if he may."""
    access = ACCESS[type(command)]
    if not _is(access.who, game, person):
        return _not_he(access.who, game, person, command)
    if game.state not in access.states:
        return _not_now(game, person, command, access.states)
    reason = getattr(command, "reason", None)
    if isinstance(command, WITH_A_REASON) and not reason:
        return Refused(RefusalReason.REASON_NEEDED, word_of(command))
    if isinstance(command, c.ChangeSetting) and game.is_running and not reason:
        return Refused(RefusalReason.REASON_NEEDED, word_of(command))
    return None


def _is(who: Who, game: Game, person: PersonId) -> bool:
    plays = bool(game.seats_of(person))
    match who:
        case Who.ANYBODY:
            return True
        case Who.MEMBER:
            joined = person in game.observers or any(applicant.person == person for applicant in game.applicants)
            return plays or joined or person in game.masters
        case Who.PLAYER:
            return plays
        case Who.SPEAKER:
            return plays or person in game.masters
        case Who.MASTER:
            return person in game.masters
        case Who.REFEREE:
            return person in game.referees
        case Who.OWNER:
            return person == game.master


def _not_he(who: Who, game: Game, person: PersonId, command: c.Command) -> Refused:
    if who in (Who.PLAYER, Who.SPEAKER) and game.state is _F and _is(Who.MEMBER, game, person):
        return Refused(RefusalReason.GAME_NOT_STARTED, game.name)
    if who in (Who.PLAYER, Who.SPEAKER, Who.MEMBER):
        return Refused(RefusalReason.NOT_A_PLAYER, game.name)
    if who is Who.REFEREE and person in game.masters:
        return Refused(RefusalReason.PLAYING_MASTER, word_of(command))
    return Refused(RefusalReason.NOT_THE_MASTER, word_of(command))


def _not_now(game: Game, person: PersonId, command: c.Command, states: tuple[GameState, ...]) -> Refused:
    if isinstance(command, c.Join) and game.is_running:
        if game.seats_of(person):
            return Refused(RefusalReason.ALREADY_IN, game.name)
        instead: tuple[type[c.Command], ...] = (c.TakeOver,) if vacancies(game) else ()
        instead = instead or ((c.Observe,) if game.settings.observers else ())
        return Refused(RefusalReason.GAME_STARTED, game.name, instead[0].__name__ if instead else "")
    match game.state:
        case GameState.FORMING:
            reason = RefusalReason.GAME_NOT_STARTED
        case GameState.FINISHED:
            reason = RefusalReason.GAME_FINISHED
        case GameState.PAUSED:
            reason = RefusalReason.GAME_PAUSED
        case GameState.ACTIVE:
            reason = RefusalReason.NOT_PAUSED if states == (_P,) else RefusalReason.GAME_STARTED
    return Refused(reason, game.name)
