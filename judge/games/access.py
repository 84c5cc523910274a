"""Whether somebody may ask something of a game just now, by the card of what he asks."""

from __future__ import annotations

from judge import commands as c
from judge.commands import GameState, Permitted, Reason
from judge.commands.card import PAUSED
from judge.games.events import RefusalReason, Refused
from judge.games.game import Game, PersonId
from judge.games.seats import vacancies
from judge.language.writing import word_of


def refusal(game: Game, person: PersonId, command: c.GameCommand) -> Refused | None:
    """Why somebody may not ask this of a game; None if he may."""
    card = command.card
    if not _is(card.who, game, person):
        return _not_he(card.who, game, person, command)
    if game.state not in card.states:
        return _not_now(game, person, command)
    needs_reason = card.reason is Reason.NEEDED or (card.reason is Reason.ONCE_RUNNING and game.is_running)
    if needs_reason and not getattr(command, "reason", ""):
        return Refused(RefusalReason.REASON_NEEDED, word_of(command))
    return None


def _is(who: Permitted, game: Game, person: PersonId) -> bool:
    plays = bool(game.seats_of(person))
    match who:
        case Permitted.ANYBODY:
            return True
        case Permitted.MEMBER:
            joined = person in game.observers or any(applicant.person == person for applicant in game.applicants)
            return plays or joined or person in game.masters
        case Permitted.PLAYER:
            return plays
        case Permitted.SPEAKER:
            return plays or person in game.masters
        case Permitted.MASTER:
            return person in game.masters
        case Permitted.REFEREE:
            return person in game.referees
        case Permitted.OWNER:
            return person == game.master


def _not_he(who: Permitted, game: Game, person: PersonId, command: c.GameCommand) -> Refused:
    if (
        who in (Permitted.PLAYER, Permitted.SPEAKER)
        and game.state is GameState.FORMING
        and _is(Permitted.MEMBER, game, person)
    ):
        return Refused(RefusalReason.GAME_NOT_STARTED, game.name)
    if who in (Permitted.PLAYER, Permitted.SPEAKER, Permitted.MEMBER):
        return Refused(RefusalReason.NOT_A_PLAYER, game.name)
    if who is Permitted.REFEREE and person in game.masters:
        return Refused(RefusalReason.PLAYING_MASTER, word_of(command))
    return Refused(RefusalReason.NOT_THE_MASTER, word_of(command))


def _not_now(game: Game, person: PersonId, command: c.GameCommand) -> Refused:
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
            reason = RefusalReason.NOT_PAUSED if command.card.states == PAUSED else RefusalReason.GAME_STARTED
    return Refused(reason, game.name)
