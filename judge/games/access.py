"""Permission of a person to give a command now, by the card of the command."""

from __future__ import annotations

from judge import commands as c
from judge.commands import GameState, Permitted, Reason
from judge.commands.card import FINISHED, PAUSED
from judge.games import refusals
from judge.games.coaching import is_beyond_a_coach, is_of_a_coach
from judge.games.game import Game
from judge.games.insight import NOBODY_ELSE, Same, why_not_shown
from judge.games.person import PersonId
from judge.games.refusals import Refused
from judge.games.sandbox import why_not_alone
from judge.games.seats import vacancies


def is_unknown_to(game: Game, person: PersonId, address: str) -> bool:
    """Whether a game is hidden from a person.

    It is if it is neither listed nor open to observers, and they have no part in it.
    """
    settings = game.settings
    if settings.listed or settings.observers or person in game.members:
        return False
    if any(one.sitter == person for one in game.sittings) or person in game.writers:
        return False
    return address not in game.addresses_asked and all(one.person != person for one in game.petitions)


def refusal(game: Game, person: PersonId, command: c.GameCommand, same: Same = NOBODY_ELSE) -> Refused | None:
    """Return why a person may not give this command to a game, or None."""
    card = command.card
    alone = why_not_alone(game, command) if game.is_sandbox else None
    if alone is not None:
        return Refused(alone)
    coached = game.coached_by(person)
    if coached and is_beyond_a_coach(command):
        return Refused(refusals.CoachesOnly(game.name, coached))
    if not _is(card.who, game, person) and not (coached and is_of_a_coach(command)):
        return _not_he(card.who, game, person, command)
    played = game.seats_of(person)
    if played and card.is_for_players_only and not game.seats_held_by(person):
        return Refused(refusals.LeftToThePlayer(tuple(seat.power for seat in played)))
    shows_all = card.who is Permitted.REFEREE or (game.is_foggy and isinstance(command, c.Export))
    hidden = why_not_shown(game, person, command, same) if shows_all else None
    if hidden is not None:
        return Refused(hidden)
    if game.state not in card.states:
        return _not_now(game, person, command)
    needs_reason = card.reason is Reason.NEEDED or (card.reason is Reason.ONCE_RUNNING and game.is_running)
    if needs_reason and not getattr(command, "reason", ""):
        return Refused(refusals.ReasonNeeded(command))
    return None


def _is(who: Permitted, game: Game, person: PersonId) -> bool:
    plays = bool(game.seats_of(person))
    match who:
        case Permitted.ANYBODY:
            return True
        case Permitted.MEMBER:
            joined = person in game.observers or any(applicant.person == person for applicant in game.applicants)
            return plays or joined or person in game.masters or any(one.sitter == person for one in game.sittings)
        case Permitted.PLAYER:
            return plays
        case Permitted.SPEAKER:
            return plays or person in game.masters
        case Permitted.MASTER | Permitted.REFEREE:
            return person in game.masters
        case Permitted.OWNER:
            return person == game.master


def _not_he(who: Permitted, game: Game, person: PersonId, command: c.GameCommand) -> Refused:
    if (
        who in (Permitted.PLAYER, Permitted.SPEAKER)
        and game.state is GameState.FORMING
        and _is(Permitted.MEMBER, game, person)
    ):
        return Refused(refusals.HasNotStarted(game.name))
    if who in (Permitted.PLAYER, Permitted.SPEAKER, Permitted.MEMBER):
        return Refused(refusals.NotAPlayer(game.name))
    return Refused(refusals.NotTheMaster(command))


def _not_now(game: Game, person: PersonId, command: c.GameCommand) -> Refused:
    if isinstance(command, c.Join) and game.is_running:
        if game.seats_of(person):
            return Refused(refusals.AlreadyIn(game.name))
        is_vacant = bool(vacancies(game))
        may_observe = game.settings.observers and not is_vacant
        return Refused(refusals.HasStarted(game.name, may_take_over=is_vacant, may_observe=may_observe))
    if command.card.states == FINISHED:
        return Refused(refusals.IsNotOver(game.name))
    match game.state:
        case GameState.FORMING:
            return Refused(refusals.HasNotStarted(game.name))
        case GameState.FINISHED:
            return Refused(refusals.IsOver(game.name))
        case GameState.PAUSED:
            return Refused(refusals.IsPaused(game.name))
        case GameState.ACTIVE:
            is_for_pauses = command.card.states == PAUSED
            return Refused(refusals.IsNotPaused(game.name) if is_for_pauses else refusals.HasStarted(game.name))
