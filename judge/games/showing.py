"""Commands that show something, and headings for the lines below them."""

from __future__ import annotations

from judge import commands as c
from judge.games import refusals
from judge.games.answers import Done, Noted, SettingsShown, Shown, StatusShown
from judge.games.handled import Handled, refused
from judge.games.insight import having_seen, why_not_shown
from judge.games.request import Request, on, table
from judge.games.schedule import upcoming_deadlines

_DEADLINES_SHOWN = 5


def show(request: Request[c.GameCommand]) -> Handled:
    """Show the part that the card of the command names."""
    return Handled(request.game, Shown(request.command))


def show_status(request: Request[c.Status]) -> Handled:
    """Show the state of the game.

    A master who does not play also reads which powers lack orders.
    """
    game, person = request.game, request.person
    is_told = person in game.masters and request.mail.is_proved and game.is_running
    if is_told and why_not_shown(game, person, request.command, request.looked_up.same) is None:
        game = having_seen(game, (person,))
    return Handled(game, StatusShown(game))


def show_rules(request: Request[c.ShowRules]) -> Handled:
    """Show the settings of the game and its next deadlines."""
    upcoming = upcoming_deadlines(request.game, request.now, _DEADLINES_SHOWN)
    return Handled(request.game, SettingsShown(request.game, upcoming))


def attach_deadline(request: Request[c.Calendar]) -> Handled:
    """Attach the deadline to the receipt as a calendar event, if there is one."""
    game = request.game
    if game.clock.deadline is None:
        return refused(game, refusals.NoAppointment(game.name))
    return Handled(game, Done(request.command, game.clock.deadline))


def done_beside(request: Request[c.Note | c.Export]) -> Handled:
    """Acknowledge a note or an export, which the service carries out.

    The service stores the note or writes the file. In fog the file shows the whole board, and the game notes that the
    sender saw it.
    """
    game = request.game
    shows_all = game.is_foggy and isinstance(request.command, c.Export)
    return Handled(having_seen(game, (request.person,)) if shows_all else game, Done(request.command))


def note(request: Request[c.Steering]) -> Handled:
    """Acknowledge a heading for the lines below."""
    return Handled(request.game, Noted(request.command))


HANDLERS = table(
    on(c.UseGame, note),
    on(c.ForPhase, note),
    on(c.ForPower, note),
    on(c.OrderFor, show),
    on(c.Status, show_status),
    on(c.ShowRules, show_rules),
    on(c.ShowOrders, show),
    on(c.ShowVotes, show),
    on(c.ShowMap, show),
    on(c.ShowLog, show),
    on(c.ShowSeason, show),
    on(c.History, show),
    on(c.Summary, show),
    on(c.Replay, show),
    on(c.Who, show),
    on(c.Calendar, attach_deadline),
    on(c.Note, done_beside),
    on(c.Export, done_beside),
)
