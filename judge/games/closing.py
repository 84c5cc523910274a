"""Closing a phase: adjudicate what is on file and open the next phase."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from judge.games import publishing, sitters
from judge.games.chance import Toss, thrown, without_text
from judge.games.draws import played, with_silence_counted, with_the_absent_asked
from judge.games.dropped_votes import votes_dropped, without_void
from judge.games.events import (
    CoinTossed,
    DrawAsked,
    Dropped,
    Event,
    Extended,
    ExtensionUsed,
    GraceBegan,
    PhaseClosed,
    ProposalFailed,
    Reminded,
    SeatOffered,
    StartReset,
    WaitEnded,
)
from judge.games.filed import OnFile
from judge.games.game import Ended, Game, GameState, Seat
from judge.games.insight import once_told
from judge.games.person import Conduct, PersonId
from judge.games.plans import came_of_plans, with_plans
from judge.games.readiness import silent
from judge.games.remembering import remembered, with_plans_remembered, without_later_phases
from judge.games.schedule import awaited, heeding_readiness, left_over, moved, opened, skipped_time
from judge.games.scores import leaders
from judge.games.seats import players_out, with_the_tossed_power
from judge.games.setup import form_anew
from judge.games.terms import MissingOrders, PressRule
from judge.games.unsettled import blocking, lacking
from judge.games.votes import after_a_phase, agreed_end, over, with_votes_told, without_expired
from judge.rules.adjudication import adjudicate
from judge.rules.options import Elimination, OwnershipSeason, VictoryMeasure
from judge.rules.outcomes import Resolution
from judge.rules.position import Phase, PhaseKind, Power, Season

OUTAGE_AFTER = timedelta(minutes=30)
"""Delay after the deadline from which the judge is at fault.

A phase that closes later than this was delayed by an outage of the judge, not by the players.
"""


def close(game: Game, phase: Phase, now: datetime, seed: int = 0) -> tuple[Game, tuple[Event, ...]] | None:
    """Return the game in its next phase with the events, or None.

    None means that `phase` is not open. Naming the phase makes closing twice harmless. Where the settings give more
    time for missing orders, the phase stays open instead. Random choices are drawn with `seed`.
    """
    if game.state is not GameState.ACTIVE or game.position.phase != phase:
        return None
    as_voted = game
    game = without_expired(game, now)
    by_deadline = game.due == game.clock.deadline
    if game.is_sandbox and by_deadline:
        return over(game, Ended.BY_MASTER, ()), ()
    quiet = () if game.is_sandbox else silent(game)
    # Players are not late if a master closes the phase before its deadline.
    unheard, missing = (quiet, ()) if _is_cut_short(game) else ((), quiet)
    if by_deadline:
        waiting = _more_time(game, missing, now)
        if waiting is not None:
            return waiting[0], (*waiting[1], *votes_dropped(as_voted, game, now, Dropped.TIME))
    before = game.circumstances.disorder
    game, counted = _with_silence(
        _noted(without_later_phases(with_plans_remembered(game)), missing, unheard, now), before, missing, now
    )
    orders = {seat.power: tuple(filed.order for filed in seat.filed.orders) for seat in game.seats if seat.filed.orders}
    resolution = adjudicate(game.map, game.position, orders, game.settings.rules, game.circumstances)
    offered = _offered(game, missing)
    after, tossed = _tossed(_advanced(game, resolution, now), game, seed, now)
    voted = without_void(after)
    after = after_a_phase(voted)
    held = agreed_end(voted, as_it_closes=True) if voted.settings.holds_votes else None
    after = held or agreed_end(after) or after  # a power that voted against the end may be out
    after = with_votes_told(after)
    after, asked = with_the_absent_asked(after, now)
    after = remembered(after) if after.is_running else publishing.at_the_end(after, now)
    closed = PhaseClosed(
        after,
        phase,
        game.position,
        resolution,
        now,
        missing,
        offered,
        _kept_by(game, missing, unheard),
        game.circumstances,
        processed=game.clock.processed,
        opened_at=game.clock.opened_at,
        previews=game.previews,
        disordered=game.circumstances.disorder - before,
        filed=tuple((seat.power, one) for seat in game.seats for one in seat.filed.orders),
        plans=came_of_plans(game, after) if after.is_running else (),
    )
    events: list[Event] = [closed]
    if tossed is not None:
        events.append(tossed)
    if after.is_running:
        events += _offers(after, offered, now)
        events += players_out(game, after, now)
        events += [*counted, *asked]
        events += votes_dropped(as_voted, game, now, Dropped.TIME)
        events += [*votes_dropped(game, voted, now), *votes_dropped(voted, after, now, Dropped.PHASE)]
        events += [ProposalFailed(after, proposal, now, with_its_phase=True) for proposal in game.proposals]
    else:
        events += publishing.asked(after, now)
    return after, tuple(events)


def moved_back(game: Game, now: datetime) -> tuple[Game, tuple[Event, ...]] | None:
    """Restore the deadline from before an outage if it is still to come.

    In that case the clock of the judge was wrong. None means that there is nothing to restore.
    """
    before = game.clock.before_outage
    if game.state is not GameState.ACTIVE or before is None or now >= before:
        return None
    game = moved(game, before, now)
    return game, (Extended(game, now, is_back=True),)


def _is_cut_short(game: Game) -> bool:
    """Whether the master closes the phase while its players still have time."""
    clock = game.clock
    has_time = clock.deadline is not None and clock.due != clock.deadline and not clock.in_grace
    return clock.processed is not None and has_time


def _more_time(game: Game, missing: Sequence[Power], now: datetime) -> tuple[Game, tuple[Event, ...]] | None:
    """Return the game with more time for its open phase, or None.

    None means that the phase closes.
    """
    deadline = game.clock.deadline
    if deadline is None:
        return None
    if now > deadline + OUTAGE_AFTER:
        game = moved(game, now + game.settings.outage, now)
        game = replace(game, clock=replace(game.clock, before_outage=deadline))
        return game, (Extended(game, now, was=deadline),)
    is_movement = game.position.phase.kind is PhaseKind.MOVEMENT
    # In fog no other phase has a grace period: it would tell that a player has something to decide.
    powers = [lack.power for lack in lacking(game)] if is_movement or not game.is_foggy else []
    if powers and game.settings.grace and not game.clock.in_grace:
        clock = replace(game.clock, deadline=deadline + game.settings.grace, in_grace=True)
        game = replace(_late(game, missing), clock=clock)
        return game, (GraceBegan(game, tuple(powers), now),)
    if missing and is_movement and not game.has_begun and game.settings.first_turn_resets:
        holders = dict.fromkeys(game.seat(power).holder for power in missing)
        absent = tuple(holder for holder in holders if holder is not None)
        game = form_anew(game, without=absent)
        return game, (StartReset(game, tuple(missing), now, absent),)
    left = [power for power in missing if game.seat(power).extensions < game.settings.extensions_each]
    if left and is_movement:
        return _extended(game, left, now)
    if missing and is_movement and game.settings.missing is MissingOrders.WAIT:
        clock = replace(game.clock, deadline=None, awaits=True, in_grace=False)
        game = replace(_late(game, missing), clock=clock)
        return game, (Extended(game, now, tuple(missing)),)
    return None


def _extended(game: Game, powers: Sequence[Power], now: datetime) -> tuple[Game, tuple[Event, ...]]:
    """Keep the phase open for powers that sent nothing; each uses one extension."""
    assert game.clock.deadline is not None
    later = game.clock.deadline + game.settings.extension
    game = moved(replace(_late(game, powers), clock=replace(game.clock, in_grace=False)), later, now)
    for power in powers:
        seat = game.seat(power)
        game = game.with_seat(replace(seat, extensions=seat.extensions + 1))
    used = tuple((power, game.seat(power).extensions) for power in powers)
    return game, (ExtensionUsed(game, used, now),)


def _late(game: Game, powers: Sequence[Power]) -> Game:
    """Note that orders of these powers would come late."""
    for power in powers:
        game = game.with_seat(replace(game.seat(power), filed=replace(game.seat(power).filed, is_late=True)))
    return game


def _kept_by(game: Game, missing: Sequence[Power], unheard: Sequence[Power]) -> tuple[tuple[PersonId, Conduct], ...]:
    """Return how each player with something to order kept the deadline.

    Of several seats of a player, the worst counts. Seats that a sitter plays do not count. Powers that were `unheard`
    because the master closed the phase early do not count.

    In fog only movement phases count, and they count for all players alike. WHO shows the count, and in other phases it
    would tell who had to retreat, or has no unit any more.
    """
    if game.is_foggy and game.position.phase.kind is not PhaseKind.MOVEMENT:
        return ()
    kept: dict[PersonId, Conduct] = {}
    worst = tuple(Conduct)
    for seat in played(game) if game.is_foggy else map(game.seat, game.deciding):
        if seat.holder is not None and seat.power not in unheard and game.sitter_of(seat) is None:
            how = Conduct.MISSED if seat.power in missing else Conduct.LATE if seat.filed.is_late else Conduct.IN_TIME
            kept[seat.holder] = max(how, kept.get(seat.holder, how), key=worst.index)
    return tuple(kept.items())


def _noted(game: Game, missing: Sequence[Power], unheard: Sequence[Power], now: datetime) -> Game:
    """Record which powers sent nothing for a movement phase.

    Powers that were `unheard` because the master closed the phase early stay as they were.
    """
    if game.position.phase.kind is not PhaseKind.MOVEMENT:
        return game
    disorder = game.settings.missing is MissingOrders.DISORDER
    for seat in game.seats:
        if seat.power in unheard:
            continue
        absent = seat.power in missing
        stays_offered = absent or seat.is_voted_out
        changed = replace(
            seat,
            missed=seat.missed + 1 if absent else 0,
            in_disorder=seat.in_disorder or (absent and disorder),
            offered_at=(seat.offered_at or now) if stays_offered else None,
        )
        game = game.with_seat(changed)
    return game


def _with_silence(
    game: Game, before: Collection[Power], missing: Sequence[Power], now: datetime
) -> tuple[Game, tuple[DrawAsked, ...]]:
    """Count silence as agreement to a draw.

    Powers newly in civil disorder have not been asked yet, so their silence does not count.
    """
    if game.position.phase.kind is not PhaseKind.MOVEMENT:
        return game, ()
    for seat in game.seats:
        if seat.in_disorder and seat.power not in before:
            unasked = replace(seat.ballots, draw_asked_at=None, silence_agrees=False, refuses_draw=False)
            game = game.with_seat(replace(seat, ballots=unasked))
    return with_silence_counted(game, missing, now)


def _offered(game: Game, missing: Sequence[Power]) -> tuple[Power, ...]:
    """Return the powers whose seats others may take from now on."""
    offers = game.settings.missing is MissingOrders.REPLACE and game.position.phase.kind is PhaseKind.MOVEMENT
    return tuple(power for power in missing if offers and game.seat(power).missed == 1)


def _offers(game: Game, offered: Sequence[Power], now: datetime) -> list[Event]:
    """Return the events that tell players that their seats are on offer."""
    holders = dict.fromkeys(game.seat(power).holder for power in offered)
    return [
        SeatOffered(game, tuple(seat.power for seat in game.seats_of(one) if seat.power in offered), one, now)
        for one in holders
        if one is not None
    ]


def _advanced(game: Game, resolution: Resolution, now: datetime) -> Game:
    """Return the game after a phase: over, or with the next phase open."""
    after = resolution.position
    settles = _settles(game, after.phase)
    out = resolution.eliminated if game.settings.rules.elimination is not Elimination.NONE_STATED else ()
    carried = left_over(game, now) + skipped_time(game.settings, game.position.phase, after.phase, now)
    set_up = game.set_up
    game = replace(
        once_told(game),
        position=after,
        seats=tuple(_cleared(seat, settles=settles, is_out=seat.power in out) for seat in game.seats),
        clock=replace(game.clock, carried=carried, awaits=False),
        press_shut=False,
        proposals=(),
        settings=game.next_settings,
        missing_to_come=None,
        house_rules=game.house_rules.next,
    )
    if resolution.over is not None:
        return _over(game, resolution, now)
    if game.set_up != set_up:
        game = with_the_tossed_power(game)
    return heeding_readiness(with_plans(opened(game, now, due=game.clock.deadline)), now)


def _settles(game: Game, next_phase: Phase) -> bool:
    """Whether closing the open phase settled the ownership of centers."""
    closed = game.position.phase
    if closed.kind is PhaseKind.ADJUSTMENT or next_phase.kind is PhaseKind.RETREAT:
        return False
    return closed.season is not Season.SPRING or (game.settings.rules.ownership_season is OwnershipSeason.SPRING_TOO)


def _cleared(seat: Seat, *, settles: bool, is_out: bool) -> Seat:
    return replace(
        seat,
        filed=OnFile(planned=seat.filed.planned, declined=() if settles else seat.filed.declined),
        ballots=replace(seat.ballots, votes_told=0),
        is_dummy=seat.is_dummy or is_out,  # a player out by a house rule may still own centers (R-ELIM-1)
    )


def _over(game: Game, resolution: Resolution, now: datetime) -> Game:
    winners = (resolution.winner,) if resolution.winner else resolution.winning_powers
    short = game.settings.rules.short_game
    at_the_end = short is not None and game.position.phase.year >= short and not _won(game, winners)
    tied = tuple(power for powers in leaders(game) for power in powers if not game.seat(power).is_robot)
    return replace(
        game,
        state=GameState.FINISHED,
        ended=Ended.SHORT if at_the_end else Ended.VICTORY,
        winner=winners[0] if winners else None,
        sharers=winners or (tied if at_the_end else ()),
        clock=replace(game.clock.stopped(), opened_at=now),
    )


def _won(game: Game, winners: Sequence[Power]) -> bool:
    if game.settings.rules.victory_measure is VictoryMeasure.UNITS:
        return sum(len(game.position.units_of(power)) for power in winners) >= game.map.victory_units
    return any(len(game.position.centers_of(power)) >= game.map.victory_centers for power in winners)


def _tossed(after: Game, before: Game, seed: int, now: datetime) -> tuple[Game, CoinTossed | None]:
    """Toss the coin once the autumn of its year is over (R-MULTI-6)."""
    toss = before.set_up.tossed
    if toss is None or before.tossed is not None or after.state is GameState.FINISHED:
        return after, None
    power, year = toss
    phase = after.position.phase
    if phase.kind is PhaseKind.RETREAT or (phase.kind is PhaseKind.MOVEMENT and phase.year <= year):
        return after, None
    coin = _coin(before, power, seed)
    chance = replace(after.chance, words=(), toss=coin) if after.chance.root else after.chance
    after = replace(after, tossed=thrown(coin), chance=chance)
    if after.set_up != before.set_up:
        after = with_the_tossed_power(after)
    return after, CoinTossed(after, power, before.set_up.assignments[thrown(coin)], now)


def _coin(game: Game, power: Power, seed: int) -> Toss:
    """Return how the coin is tossed.

    A game without a seed of its own uses `seed`.
    """
    told = without_text if game.settings.press is PressRule.NONE else str
    places = game.set_up.assignments
    words = tuple(told(game.chance.word_of(game.seat(powers[0]).holder)) for powers in places)
    return Toss(game.chance.seed_of_coin or str(seed), game.position.phase, power, places, words)


def remind(game: Game, now: datetime) -> tuple[Game, tuple[Event, ...]] | None:
    """Send reminders, drop expired WAITs and votes, and begin or end sittings.

    None means that there was nothing to do.
    """
    before = game
    game, turned = sitters.turned(game, now) if game.sittings else (game, ())
    reminded = _reminded_and_dropped(game, now)
    if reminded is None:
        return (game, turned) if game != before else None
    return reminded[0], (*turned, *reminded[1])


def _reminded_and_dropped(game: Game, now: datetime) -> tuple[Game, tuple[Event, ...]] | None:
    voted, game = game, without_expired(game, now)
    dropped = votes_dropped(voted, game, now, Dropped.TIME)
    ended = [seat for seat in game.seats if (end := game.wait_ends(seat)) is not None and end <= now]
    for seat in ended:
        game = game.with_seat(replace(seat, filed=replace(seat.filed, waits=False, waits_since=None)))
    if ended:
        game = heeding_readiness(game, now)
    told = _reminded(game, now) or _nudged(game, now)
    if not ended and not dropped:
        return told
    after, events = told or (game, ())
    waited = (WaitEnded(after, tuple(seat.power for seat in ended), now),) if ended else ()
    return after, (*waited, *dropped, *events)


def _nudged(game: Game, now: datetime) -> tuple[Game, tuple[Event, ...]] | None:
    """Remind the players that a phase without a deadline waits for."""
    due = game.next_nudge
    if due is None or now < due:
        return None
    game = replace(game, clock=replace(game.clock, nudged_at=now))
    powers = tuple(power for power in awaited(game) if not game.seat(power).filed.ready)
    return game, (Reminded(game, powers, now),) if powers else ()


def _reminded(game: Game, now: datetime) -> tuple[Game, tuple[Event, ...]] | None:
    """Remind players of missing orders before the deadline."""
    due, deadline = game.next_reminder, game.clock.deadline
    if due is None or deadline is None or not due <= now < deadline:
        return None
    past = sum(deadline - before <= now for before in game.all_reminders)
    now_told = set(game.all_reminders[game.clock.reminded : past])
    game = replace(game, clock=replace(game.clock, reminded=past))
    lacks = {lack.power for lack in lacking(game)}
    told = {seat.power for seat in game.seats if now_told & set(game.reminders_of(seat.holder))}
    powers = tuple(p for p in game.deciding if p in told and (p in lacks or blocking(game, p)))
    return game, (Reminded(game, powers, now),) if powers else ()
