"""Proposals that players vote on: pause, resume, extend, end, or replace a player."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from judge.commands import AsWritten, CastVote, Eject, EndGame, Extend, Pause, Proposable, Propose, Resume
from judge.games import mastery, refusals, seats
from judge.games.answers import Voted
from judge.games.ballots import Majority, Proposal
from judge.games.context import MailContext
from judge.games.events import Event, GameEnded, GameNews, ProposalFailed
from judge.games.game import Ended, Game, GameState
from judge.games.handled import Handled, refused
from judge.games.person import PersonId
from judge.games.readiness import is_offered
from judge.games.request import C, Request, on, table
from judge.games.votes import living, over, voters
from judge.rules.position import Power

_MOST_PROPOSED = 3
"""The most notices of one power's votes and proposals in a phase."""


def propose(request: Request[Propose]) -> Handled:
    """Put a proposal to the vote of all players; the proposer votes for it."""
    game, command = request.game, request.command
    mine = _voices(game, request.person)
    if not mine:
        return refused(game, refusals.NoVote(game.name))
    why_not = _why_not(game, mine, command)
    if why_not is not None:
        return refused(game, why_not)
    length = command.length
    proposal = Proposal(
        game.proposed + 1,
        command.what,
        mine[0],
        mine,
        written=length.text if length is not None else "",
        length=length.meant if length is not None else None,
        power=command.power,
        reason=command.reason,
    )
    for power in mine:
        seat = game.seat(power)
        game = game.with_seat(replace(seat, ballots=replace(seat.ballots, votes_told=seat.ballots.votes_told + 1)))
    game = replace(game, proposed=proposal.number, proposals=(*game.proposals, proposal))
    return Handled(game, _standing(game, command, proposal), (GameNews(game, command, request.now, mine[0]),))


def cast(request: Request[CastVote]) -> Handled:
    """Note a vote for or against a proposal; the last vote of a power counts."""
    game, command, context = request.game, request.command, request.mail
    mine = _voices(game, request.person)
    if not mine:
        return refused(game, refusals.NoVote(game.name))
    open_ = {proposal.number: proposal for proposal in game.proposals}
    is_late = context.meant_phase is not None and context.meant_phase != game.position.phase
    only = next(iter(open_)) if len(open_) == 1 and not is_late else 0
    proposal = open_.get(command.number or only)
    if proposal is None:
        return refused(game, refusals.NoSuchProposal(command.number, tuple(open_)))
    yes = tuple(power for power in proposal.yes if power not in mine)
    no = tuple(power for power in proposal.no if power not in mine)
    voted = replace(proposal, yes=(*yes, *mine), no=no) if command.yes else replace(proposal, yes=yes, no=(*no, *mine))
    game = replace(game, proposals=tuple(voted if one.number == voted.number else one for one in game.proposals))
    return Handled(game, _standing(game, command, voted))


def settled(game: Game, now: datetime) -> tuple[Game, tuple[Event, ...]]:
    """Carry out proposals that reached their majority, and drop hopeless ones.

    A proposal is hopeless if it can no longer reach its majority.
    """
    events: list[Event] = []
    for proposal in game.proposals:
        for_, against, needed = tally(game, proposal)
        is_lost = len(against) > len(entitled(game, proposal)) - needed
        if len(for_) < needed and not is_lost:
            continue
        game = replace(game, proposals=tuple(one for one in game.proposals if one.number != proposal.number))
        done = _done(game, proposal, now) if not is_lost else None
        game = done.game if done is not None else game
        events += done.events if done is not None else (ProposalFailed(game, proposal, now),)
    return game, tuple(events)


def entitled(game: Game, proposal: Proposal) -> tuple[Power, ...]:
    """Return the living powers, except one whose player is to be replaced.

    These powers may vote on the proposal.
    """
    return tuple(seat.power for seat in voters(game) if seat.power != proposal.power)


def tally(game: Game, proposal: Proposal) -> tuple[tuple[Power, ...], tuple[Power, ...], int]:
    """Return the powers for a proposal, those against, and the votes needed."""
    voting = entitled(game, proposal)
    for_, against = (tuple(power for power in voting if power in side) for side in (proposal.yes, proposal.no))
    return for_, against, majority(game, proposal.what).of(len(voting))


def majority(game: Game, what: Proposable) -> Majority:
    """Return the majority that a proposal of this type needs in a game."""
    settings = game.settings
    match what:
        case Proposable.PAUSE | Proposable.RESUME:
            return settings.pause_majority
        case Proposable.EXTEND:
            return settings.extend_majority
        case Proposable.END:
            return settings.end_majority
        case Proposable.REPLACE:
            return settings.replace_majority


def _voices(game: Game, person: PersonId) -> tuple[Power, ...]:
    """Return the powers a person votes for: their living ones."""
    return tuple(seat.power for seat in game.seats_of(person) if seat.power in living(game))


def _why_not(game: Game, mine: Collection[Power], command: Propose) -> refusals.Refusal | None:
    if majority(game, command.what) is Majority.NONE:
        return refusals.NotToBeProposed(command.what)
    same = (one for one in game.proposals if (one.what, one.power) == (command.what, command.power))
    if (known := next(same, None)) is not None:
        return refusals.ProposedAlready(known.number)
    if any(game.seat(power).ballots.votes_told >= _MOST_PROPOSED for power in mine):
        return refusals.ProposesTooMuch()
    return _why_impossible(game, command)


def _why_impossible(game: Game, command: Propose) -> refusals.Refusal | None:
    is_paused = game.state is GameState.PAUSED
    match command.what:
        case Proposable.PAUSE:
            return refusals.IsPaused(game.name) if is_paused else None
        case Proposable.RESUME:
            return None if is_paused else refusals.IsNotPaused(game.name)
        case Proposable.EXTEND:
            why_not = mastery.why_not_so_long(command.length or AsWritten(""))
            return why_not or (refusals.NoDeadline(game.name) if game.clock.deadline is None else None)
        case Proposable.REPLACE:
            return _why_not_replaced(game, command.power)
        case Proposable.END:
            return None


def _why_not_replaced(game: Game, power: Power | None) -> refusals.Refusal | None:
    """Return why the seat of a power cannot be offered to others, or None."""
    assert power is not None
    seat = game.seat(power)
    if seat.holder is None:
        return refusals.NotHeld(power)
    if is_offered(game, seat):
        return refusals.OnOffer(game.name, power)
    return None if seat.missed or seat.in_disorder else refusals.IsNotMissing(power)


def _done(game: Game, proposal: Proposal, now: datetime) -> Handled | None:
    """Return the game with the proposal carried out; None if that is no longer possible."""
    asked = Propose(proposal.what, AsWritten(proposal.written, proposal.length), proposal.power)
    if _why_impossible(game, asked) is not None:
        return None
    handled = _carried_out(game, proposal, now)
    news = (
        replace(event, power=proposal.by, by_vote=True) if isinstance(event, GameNews) else event
        for event in handled.events
    )
    return replace(handled, events=tuple(news))


def _carried_out(game: Game, proposal: Proposal, now: datetime) -> Handled:
    reason = proposal.reason
    match proposal.what:
        case Proposable.PAUSE:
            return mastery.pause(_for_the_master(game, Pause(reason=reason), now))
        case Proposable.RESUME:
            return mastery.resume(_for_the_master(game, Resume(reason=reason), now))
        case Proposable.EXTEND:
            length = AsWritten(proposal.written, proposal.length)
            return mastery.extend(_for_the_master(game, Extend(length, reason=reason), now))
        case Proposable.REPLACE:
            assert proposal.power is not None
            return seats.offer(game, Eject(proposal.power, reason=reason), now)
        case Proposable.END:
            handled = mastery.end(_for_the_master(game, EndGame(game.name, reason=reason), now))
            ended = over(handled.game, Ended.BY_VOTE, ())
            told = GameNews(ended, EndGame(game.name, reason=reason), now)
            return Handled(ended, handled.answer, (told, GameEnded(ended, now, reason)))


def _for_the_master(game: Game, command: C, now: datetime) -> Request[C]:
    """Return a request of the master for a decision of the players.

    It comes from no mail.
    """
    return Request(game, game.master, command, MailContext(0, "", now), now)


def _standing(game: Game, command: Propose | CastVote, proposal: Proposal) -> Voted:
    for_, against, needed = tally(game, proposal)
    is_lost = len(against) > len(entitled(game, proposal)) - needed
    return Voted(command, len(for_), max(0, needed - len(for_)), number=proposal.number, is_lost=is_lost)


HANDLERS = table(on(Propose, propose), on(CastVote, cast))
