"""One request of one person to one game: whether he may, and what becomes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import assert_never

from judge import commands as c
from judge.games import (
    admission,
    away,
    correcting,
    mastery,
    play,
    press,
    proposals,
    readiness,
    refusals,
    reopening,
    robots,
    sandbox,
    seats,
    setup,
    supposing,
    votes,
)
from judge.games.access import refusal
from judge.games.answers import Done, Noted, SettingsShown, Shown, StatusShown
from judge.games.context import MailContext
from judge.games.draws import with_the_absent_asked
from judge.games.dropped_votes import votes_dropped, without_void
from judge.games.events import Dropped, GameEnded, GameNews, VoteDropped
from judge.games.game import Game
from judge.games.handled import Handled, refused
from judge.games.person import PersonId
from judge.games.refusals import Refused
from judge.games.refused_lines import with_refused
from judge.games.schedule import heeding_readiness, upcoming_deadlines
from judge.games.votes import agreed_end, without_expired
from judge.rules.position import Province

_DEADLINES_SHOWN = 5
_VOTES = c.VoteDraw | c.Concede | c.Elect
_OPENS_AGAIN = c.Rollback | c.Redo


@dataclass(frozen=True, slots=True)
class RequestContext:
    """What a request needs to know of the world beside its game."""

    now: datetime
    context: MailContext
    seed: int = 0
    """For what is left to chance."""
    people: Mapping[str, PersonId] = field(default_factory=dict)
    """Registered addresses that the request names."""
    percent: int = 100
    """Of his phases, how many whoever asks was in time for."""
    address: str = ""
    """Of whoever asks."""
    addresses: Mapping[PersonId, str] = field(default_factory=dict)
    """Of those who play, where another game is founded with them."""
    next_game: Game | None = None
    """The one that was founded already."""
    past: reopening.Past | None = None
    """What a rollback goes back to."""
    settings: tuple[c.ChangeSetting, ...] = ()
    """All that the mail sets in the game: either they can stand together, or none is changed."""


def handle(game: Game, person: PersonId, command: c.GameCommand | c.Steering, asked_in: RequestContext) -> Handled:
    """Do what one line of a mail asks of a game."""
    if isinstance(command, c.UseGame | c.ForPhase | c.ForPower):
        return Handled(game, Noted(command))
    ordering = asked_in.context.ordering
    why_not = refusal(game, person, ordering if ordering and isinstance(command, c.Give | c.Clear) else command)
    if why_not is not None:
        return Handled(game, why_not)
    expired = without_expired(game, asked_in.now) if game.has_votes else game
    dropped = votes_dropped(game, expired, asked_in.now, Dropped.TIME) if expired is not game else ()
    asked_in = replace(asked_in, context=replace(asked_in.context, worked_at=asked_in.now))
    handled = _with_what_follows(expired, _handled(expired, person, command, asked_in), person, asked_in)
    dropped += _dropped_by(expired, handled.game, person, command, asked_in.now)
    handled = replace(handled, events=(*handled.events, *dropped)) if dropped else handled
    if not handled.events:
        return handled
    events = tuple(replace(event, by=person) if isinstance(event, GameNews) else event for event in handled.events)
    return replace(handled, events=events)


def _dropped_by(
    before: Game, after: Game, person: PersonId, command: c.GameCommand, now: datetime
) -> tuple[VoteDropped, ...]:
    """The votes that a command took away, but for those that its sender gave or took back with it."""
    why = Dropped.ROLLBACK if isinstance(command, _OPENS_AGAIN) else None
    return votes_dropped(before, after, now, why, own=person if isinstance(command, _VOTES) else None)


def not_taken(game: Game, person: PersonId, places: Sequence[Province], asked_in: RequestContext) -> Handled:
    """Remember an order line that could not be read; `places` are those of the units it may be meant for."""
    asked_in = replace(asked_in, context=replace(asked_in.context, worked_at=asked_in.now))
    after = with_refused(game, person, asked_in.context, places)
    return _with_what_follows(game, Handled(after, StatusShown(after)), person, asked_in)


def _with_what_follows(before: Game, handled: Handled, person: PersonId, asked_in: RequestContext) -> Handled:
    """What a change means for who is ready, for votes, and for a deadline that waits for those who are away."""
    game = readiness.heeding_what_is_unsettled(before, handled.game, person, asked_in.context)
    handled = _heeding_who_waits(replace(handled, game=game), asked_in)
    if any(seat.absent_to is not None for seat in before.seats):
        handled = away.heeding_who_is_ready(before, handled, asked_in.context.received_at)
    return handled


def _heeding_who_waits(handled: Handled, asked_in: RequestContext) -> Handled:
    """Who leaves may have been the last one the others waited for: to be ready, or to agree to an end."""
    if handled.game.proposals and handled.game.is_running:
        game, events = proposals.settled(handled.game, asked_in.now)
        handled = replace(handled, game=game, events=(*handled.events, *events))
    handled = replace(handled, game=without_void(handled.game))
    ended = agreed_end(handled.game) if handled.game.has_votes else None
    if ended is not None:
        return replace(handled, game=ended, events=(*handled.events, GameEnded(ended, asked_in.now)))
    if handled.game.has_votes:
        game, asked = with_the_absent_asked(handled.game, asked_in.now)
        handled = replace(handled, game=game, events=(*asked, *handled.events))
    return replace(handled, game=heeding_readiness(handled.game, asked_in.context.received_at))


def _handled(game: Game, person: PersonId, command: c.GameCommand, asked_in: RequestContext) -> Handled:  # noqa: C901, PLR0911, PLR0912, PLR0915 - a table
    now, context = asked_in.now, asked_in.context
    match command:
        case c.Give() | c.Doubted() | c.AnswerQuestion() | c.Clear() | c.Undo() | c.SetReady() | c.Wait() | c.Decline():
            return play.play(game, person, command, context)
        case c.Absence():
            return away.set_absence(game, person, command, context)
        case c.VoteDraw() | c.Concede():
            return votes.vote(game, person, command, now)
        case c.Mute():
            return press.mute(game, person, command)
        case c.ShutPress():
            return press.shut(game, command, now)
        case c.Propose():
            return proposals.propose(game, person, command, now)
        case c.CastVote():
            return proposals.cast(game, person, command, context)
        case c.Elect():
            return votes.elect(game, person, command, now)
        case c.Press() | c.Broadcast() | c.PressToMaster() | c.Announce() | c.Object():
            return press.relay(game, person, command, now)
        case c.Join() | c.TakeOver() if _is_too_unreliable(game, asked_in):
            return refused(game, refusals.TooUnreliable(asked_in.percent, game.settings.reliability))
        case c.Join():
            wishes = command.wishes or ((command.power,) if command.power is not None else ())
            joined = partial(setup.join, game, person, command, now, asked_in.seed, asked_in.address)
            return admission.enter(game, person, asked_in.address, wishes, joined)
        case c.Observe():
            return setup.observe(game, person, command)
        case c.TakeOver():
            wishes = (command.power,) if command.power is not None else ()
            seated = partial(seats.take_over, game, person, command, now, asked_in.address)
            return admission.enter(game, person, asked_in.address, wishes, seated)
        case c.Accept():
            return seats.accept(game, person, command, now, asked_in.address)
        case c.Resign():
            return seats.resign(game, person, command, now)
        case c.Rematch():
            return setup.rematch(game, person, command, asked_in.addresses, asked_in.next_game, now)
        case c.Invite():
            return setup.invite(game, person, command, asked_in.people.get(command.address), now)
        case c.Allow(address):
            return admission.allow(game, command, asked_in.people.get(address), now, asked_in.seed)
        case c.Deny(address):
            return admission.deny(game, command, asked_in.people.get(address))
        case c.Start():
            return setup.start_now(game, command, now, asked_in.seed)
        case c.Unstart():
            return setup.unstart(game, command, now)
        case c.Pause():
            return mastery.pause(game, command, now)
        case c.Resume():
            return mastery.resume(game, command, now)
        case c.SetDeadline():
            return mastery.set_deadline(game, command, now, context.zone)
        case c.Extend():
            return mastery.extend(game, command, now)
        case c.Process():
            return readiness.process(game, command, now)
        case c.ChangeSetting():
            allowed = tuple(one for one in asked_in.settings if refusal(game, person, one) is None)
            return mastery.change_setting(game, command, allowed, now)
        case c.CheckSettings():
            return mastery.check_settings(game, command, now)
        case c.EndGame():
            return mastery.end(game, command, now)
        case c.Rollback() | c.Redo():
            return reopening.roll_back(game, command, asked_in.past, now)
        case c.Back():
            return sandbox.step_back(game, command, asked_in.past, now)
        case c.EndSandbox():
            return sandbox.put_away(game, command)
        case c.Put() | c.Take() | c.Own():
            return correcting.correct(game, command, now)
        case c.Robot():
            return robots.give_to_robots(game, command, now, asked_in.seed)
        case c.Eject(power=None, address=address):
            return admission.eject_by_address(game, command, asked_in.people.get(address), now)
        case c.Eject() | c.MakeDummy():
            return seats.eject(game, command, now)
        case c.Replace(address=address):
            return seats.replace_player(game, person, command, asked_in.people.get(address), now)
        case c.Promote(address) | c.HandOver(address):
            return seats.promote(game, person, command, asked_in.people.get(address), now)
        case c.Preview():
            return supposing.preview(game, command, now)
        case c.WhatIf():
            return supposing.what_if(game, person, command)
        case c.Status():
            return Handled(game, StatusShown(game))
        case c.ShowRules():
            return Handled(game, SettingsShown(game, upcoming_deadlines(game, now, _DEADLINES_SHOWN)))
        case c.ShareNotes(share):
            return Handled(seats.sharing_notes(game, person, share=share), Done(command))
        case c.Calendar():
            return _calendar(game, command)
        case c.Note() | c.Export():
            return Handled(game, Done(command))
        case c.OrderFor():
            return Handled(game, Shown(command))
        case c.Who() | c.ShowSeason() | c.ShowLog() | c.ShowOrders() | c.ShowVotes():
            return Handled(game, Shown(command))
        case c.History() | c.Summary() | c.ShowMap() | c.Replay():
            return Handled(game, Shown(command))
        case _:
            assert_never(command)


def _calendar(game: Game, command: c.Calendar) -> Handled:
    """The deadline is attached to the receipt, if there is one."""
    if game.deadline is None:
        return Handled(game, Refused(refusals.NoAppointment(game.name)))
    return Handled(game, Done(command, game.deadline))


def _is_too_unreliable(game: Game, asked_in: RequestContext) -> bool:
    """Whether the game asks for people who are in time more often; whoever was invited is wanted."""
    is_invited = any(one.address == asked_in.address for one in game.invitations)
    return asked_in.percent < game.settings.reliability and not is_invited
