"""Handling of one request to one game: permission, handler, and consequences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from judge import commands as c
from judge.games import away, proposals, publishing, readiness, sitters
from judge.games.access import refusal
from judge.games.answers import StatusShown
from judge.games.coaching import heeding_who_coaches
from judge.games.context import MailContext
from judge.games.draws import with_the_absent_asked
from judge.games.dropped_votes import votes_dropped, without_void
from judge.games.events import Dropped, GameEnded, GameNews, VoteDropped
from judge.games.game import Game
from judge.games.handled import Handled
from judge.games.handlers import HANDLERS
from judge.games.insight import having_seen, noting_who_left
from judge.games.lots import without_words_of_others
from judge.games.person import PersonId
from judge.games.refused_lines import with_refused
from judge.games.request import C, Request
from judge.games.schedule import heeding_readiness
from judge.games.sight import powers_of, seen_as, seen_by, whole
from judge.games.votes import agreed_end, without_expired
from judge.rules.position import Province

_VOTES = c.VoteDraw | c.Concede | c.Elect
_OPENS_AGAIN = c.Rollback | c.Redo
_OF_MASTERS = (c.Permitted.MASTER, c.Permitted.REFEREE, c.Permitted.OWNER)


def handle(request: Request[C]) -> Handled:
    """Carry out one line of a mail in a game."""
    game, person, command, now = request.game, request.person, request.command, request.now
    handler = HANDLERS[type(command)]
    if isinstance(command, c.Steering):
        return handler(request)
    is_ordering = request.mail.ordering is not None and isinstance(command, c.Give | c.Clear)
    asked = request.mail.ordering if request.mail.ordering is not None and is_ordering else command
    # A mail that comes after the time of a sitter is no longer the sitter's.
    game, turned = sitters.turned(game, request.mail.received_at) if game.sittings else (game, ())
    why_not = refusal(game, person, asked, request.looked_up.same)
    if why_not is not None:
        return Handled(game, why_not, turned)
    expired = without_expired(game, now) if game.has_votes else game
    dropped = votes_dropped(game, expired, now, Dropped.TIME) if expired is not game else ()
    mail = replace(request.mail, worked_at=now)
    handled = handler(replace(request, game=_as_seen(request, expired), mail=mail))
    handled = _on_the_whole_board(handled, expired, mail.received_at)
    if is_ordering or (game.is_foggy and isinstance(command, c.OrderFor)):  # in fog reading a line shows units
        handled = replace(handled, game=having_seen(handled.game, (person,)))
    if [seat.holder for seat in expired.seats] != [seat.holder for seat in handled.game.seats]:
        handled = replace(handled, game=noting_who_left(expired, handled.game))
    if turned or handled.game.sittings:  # a player may have lost the seat
        after, ended = sitters.turned(handled.game, mail.received_at)
        handled = replace(handled, game=after, events=(*handled.events, *turned, *ended))
    if any(seat.coach is not None for seat in expired.seats):
        handled = heeding_who_coaches(expired, handled, now)
    if handled.game.chance.words:
        handled = replace(handled, game=without_words_of_others(handled.game))
    handled = _with_what_follows(expired, handled, person, mail, now)
    if expired.settings.publish_press:
        handled = publishing.once_ended(expired, handled, now)
    dropped += _dropped_by(expired, handled.game, person, command, now)
    handled = replace(handled, events=(*handled.events, *dropped)) if dropped else handled
    if not handled.events:
        return handled
    events = tuple(replace(event, by=person) if isinstance(event, GameNews) else event for event in handled.events)
    return replace(handled, events=events)


def _as_seen(request: Request[C], game: Game) -> Game:
    """Return the game as the handler of a command gets it.

    In fog a handler gets what the sender sees. Handlers of masters' commands get the whole game.
    """
    if request.command.card.who in _OF_MASTERS:
        return game
    ordering = request.mail.ordering if isinstance(request.command, c.Give | c.Clear) else None
    return seen_as(game, powers_of(game, request.person, ordering))


def _on_the_whole_board(handled: Handled, game: Game, received_at: datetime) -> Handled:
    """Return a handler's result on a view as a change of the whole game.

    The answer keeps what the sender sees.
    """
    if handled.game.sight is None:
        return handled
    events = tuple(replace(event, game=whole(event.game, game)) for event in handled.events)
    after = readiness.no_longer_awaited(whole(handled.game, game), received_at)
    return replace(handled, game=after, events=events)


def _dropped_by(
    before: Game, after: Game, person: PersonId, command: c.GameCommand, now: datetime
) -> tuple[VoteDropped, ...]:
    """Return notices of the votes that a command ended.

    Votes that the sender cast or withdrew with it are left out.
    """
    if isinstance(command, c.ClearVotes):  # its news tells everyone
        return ()
    why = Dropped.ROLLBACK if isinstance(command, _OPENS_AGAIN) else None
    if isinstance(command, c.ChangeSetting) and before.settings.holds_votes and not after.settings.holds_votes:
        why = Dropped.HELD
    return votes_dropped(before, after, now, why, own=person if isinstance(command, _VOTES) else None)


def not_taken(game: Game, person: PersonId, mail: MailContext, now: datetime, places: Sequence[Province]) -> Handled:
    """Remember an order line that could not be read.

    `places` are the provinces of the units it may be for.
    """
    mail = replace(mail, worked_at=now)
    after = whole(with_refused(seen_by(game, person), person, mail, places), game)
    return _with_what_follows(game, Handled(after, StatusShown(seen_by(after, person))), person, mail, now)


def _with_what_follows(before: Game, handled: Handled, person: PersonId, mail: MailContext, now: datetime) -> Handled:
    """Settle the consequences of a change for READY, votes and deadlines.

    A deadline may be waiting for absent players.
    """
    game = readiness.heeding_what_is_unsettled(before, handled.game, person, mail)
    handled = _heeding_who_waits(replace(handled, game=game), mail.received_at, now)
    if any(seat.leave.end is not None for seat in before.seats):
        handled = away.heeding_who_is_ready(before, handled, mail.received_at)
    return handled


def _heeding_who_waits(handled: Handled, received_at: datetime, now: datetime) -> Handled:
    """Settle proposals, votes and readiness after a change.

    A player who left may have been the last one to hold them up.
    """
    if handled.game.proposals and handled.game.is_running:
        game, events = proposals.settled(handled.game, now)
        handled = replace(handled, game=game, events=(*handled.events, *events))
    handled = replace(handled, game=without_void(handled.game))
    ended = agreed_end(handled.game) if handled.game.has_votes else None
    if ended is not None:
        return replace(handled, game=ended, events=(*handled.events, GameEnded(ended, now)))
    if handled.game.has_votes and not handled.game.settings.holds_votes:
        game, asked = with_the_absent_asked(handled.game, now)
        handled = replace(handled, game=game, events=(*asked, *handled.events))
    return replace(handled, game=heeding_readiness(handled.game, received_at))
