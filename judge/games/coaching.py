"""Coaches: observers who read along with one player and write to that player only.

A coach reads what is on file for the seat when it changes, and its press if the player allows it. The words of player
and coach follow the rules of press in the game. People who know more than one seat may not be coaches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from judge.commands import Accept, Coach, Permitted, Press, PressToCoach, PressToMaster, ShowOrders
from judge.commands import Command as AnyCommand
from judge.games import refusals
from judge.games.answers import Done, Sent
from judge.games.events import CoachAsked, CoachDeclined, GameNews, Relayed, SeatShown
from judge.games.game import Coaching, CoachOffer, Game, Seat
from judge.games.handled import Handled, refused
from judge.games.insight import having_seen, why_not_coach
from judge.games.person import PersonId
from judge.games.request import Request, on, table


def is_beyond_a_coach(command: AnyCommand) -> bool:
    """Whether a command is refused because its sender is a coach.

    A coach reads along and writes to their player. They give no orders, cast no votes and write to no other person.
    """
    if isinstance(command, PressToMaster):
        return True
    return command.card.who in (Permitted.PLAYER, Permitted.SPEAKER) and not is_of_a_coach(command)


def is_of_a_coach(command: AnyCommand) -> bool:
    """Whether a coach may give a command that otherwise needs a seat."""
    return isinstance(command, Press | ShowOrders)


def appoint(request: Request[Coach]) -> Handled:
    """Ask a person to be the sender's coach, or end the coaching.

    The answer does not depend on the person who has that address, so it does not reveal who plays.
    """
    game, person, command = request.game, request.person, request.command
    mine = game.seats_of(person)
    others = tuple(one for one in game.coach_offers if one.by != person and _stands(game, one))
    if command.ends:
        return _ended(request, mine)
    if not game.settings.observers:
        return refused(game, refusals.NoObservers(game.name))
    if game.is_foggy:
        return refused(game, refusals.NoCoachInFog(game.name))
    powers = tuple(seat.power for seat in mine)
    offer = CoachOffer(command.address, powers, person, request.now, command.reads_press)
    game = replace(game, coach_offers=(*others, offer))
    return Handled(game, Done(command), (CoachAsked(game, person, offer, request.now),))


def _ended(request: Request[Coach], mine: tuple[Seat, ...]) -> Handled:
    """End the coaching of a player, or withdraw what they asked."""
    game, person, command = request.game, request.person, request.command
    asked = any(one.by == person for one in game.coach_offers)
    game = replace(game, coach_offers=tuple(one for one in game.coach_offers if one.by != person))
    coach = next((seat.coach for seat in mine if game.coach_of(seat) is not None), None)
    if coach is None:
        return Handled(game, Done(command)) if asked else refused(game, refusals.NoCoach(game.name))
    for seat in mine:
        game = game.with_seat(replace(seat, coach=None))
    return Handled(game, Done(command), (GameNews(game, command, request.now, mine[0].power, coach.person),))


def offer_to(game: Game, address: str, command: Accept) -> CoachOffer | None:
    """Return the request to be a coach that an address answers, or None.

    An answer that names no power means the only offer.
    """
    offers = [one for one in game.coach_offers if one.address == address and _stands(game, one)]
    if command.coaches is not None:
        return next((one for one in offers if command.coaches in one.powers), None)
    return offers[0] if len(offers) == 1 else None


def _stands(game: Game, offer: CoachOffer) -> bool:
    """Whether the player who asked still has their seats."""
    return all(game.seat(power).holder == offer.by for power in offer.powers)


def answer_offer(request: Request[Accept], offer: CoachOffer) -> Handled:
    """Become a coach, or decline.

    Everyone is told of a yes, and the player alone of a no.
    """
    game, person, now = request.game, request.person, request.now
    command = replace(request.command, game=game.name, coaches=offer.powers[0])
    without = replace(game, coach_offers=tuple(one for one in game.coach_offers if one != offer))
    if not command.accepts:
        return Handled(without, Done(command), (CoachDeclined(without, offer.powers, now),))
    if not game.settings.observers:
        return refused(game, refusals.NoObservers(game.name))
    if game.is_foggy or not game.is_running:
        return refused(game, refusals.NoCoachInFog(game.name) if game.is_foggy else refusals.HasNotStarted(game.name))
    if any(one.person == person and one.is_denied for one in game.petitions):
        return refused(game, refusals.NotLetIn(game.name))
    why = why_not_coach(game, person, offer.powers, request.looked_up.same)
    if why is not None:
        return refused(game, why)
    game = replace(without, observers=tuple(dict.fromkeys((*game.observers, person))))
    for power in offer.powers:
        game = game.with_seat(replace(game.seat(power), coach=Coaching(person, offer.reads_press)))
    news = GameNews(game, Coach(offer.address, reads_press=offer.reads_press), now, offer.powers[0], person)
    shown = tuple(SeatShown(game, power, person, now) for power in offer.powers if _on_file(game.seat(power)))
    return Handled(game, Done(command), (news, *shown))


def heeding_who_coaches(before: Game, handled: Handled, now: datetime) -> Handled:
    """Note what coaches know whose time is over, and tell everyone.

    It is over when the player or the coach goes, or the coach gets another part in the game. It rests while the coach
    sits for the same player.
    """
    game, news = handled.game, list[GameNews]()
    for seat in before.seats:
        coach, after = before.coach_of(seat), game.seat(seat.power)
        if coach is None or not game.is_running:
            continue
        still = game.coach_of(after)
        rests = still is None and after.coach == coach and game.sitter_of(after) == coach.person
        if rests or (still is not None and still.person == coach.person):
            continue
        if after.holder != coach.person:
            game = having_seen(game, (coach.person,))
        if still is None and after.coach is not None:
            game = game.with_seat(replace(after, coach=None))
        told = any(isinstance(one, GameNews) and isinstance(one.command, Coach) for one in (*handled.events, *news))
        if not told:
            news.append(GameNews(game, Coach(ends=True), now, seat.power, coach.person))
    if game is handled.game and not news:
        return handled
    return replace(handled, game=game, events=(*handled.events, *(replace(one, game=game) for one in news)))


def shown_to_coaches(before: Game, after: Game, now: datetime) -> Iterator[SeatShown]:
    """Yield what coaches are told when orders on file for their power have changed."""
    for seat in after.seats:
        coach, was = after.coach_of(seat), before.seat(seat.power)
        knew = before.coach_of(was) == coach and before.position.phase == after.position.phase
        if coach is not None and knew and _on_file(was) != _on_file(seat):
            yield SeatShown(after, seat.power, coach.person, now)


def _on_file(seat: Seat) -> tuple[object, ...]:
    filed = seat.filed
    return (filed.orders, filed.in_order_of_play) if filed.orders or filed.planned else ()


def relay(request: Request[PressToCoach]) -> Handled:
    """Deliver words of a player to their coach, or of a coach to their player.

    They are press for the rules of the game: where press is closed, they wait as well.
    """
    from judge.games.press import why_shut  # noqa: PLC0415 - press passes the words of coaches on to here

    game, person, command, now = request.game, request.person, request.command, request.now
    mine, coached = game.seats_of(person), game.coached_by(person)
    player = person if mine else game.seat(coached[0]).holder if coached else None
    if player is None or (mine and all(game.coach_of(seat) is None for seat in mine)):
        return refused(game, refusals.NoCoach(game.name))
    if not command.text.strip() and not command.is_picture:
        return refused(game, refusals.NoText())
    why = why_shut(game, player, Press(), now)
    if isinstance(why, refusals.NoPress):
        why = refusals.NoPress(why.rule, is_coach=not mine)
    if why is not None:
        return refused(game, why)
    power = mine[0].power if mine else None
    return Handled(game, Sent(coached, command, command.ran_on), (Relayed(game, command, person, power, now, coached),))


def as_words_of_a_coach(game: Game, person: PersonId, command: Press) -> PressToCoach | refusals.CoachesOnly | None:
    """Return press of a coach as words to their player.

    Return None if the sender is no coach.
    """
    coached = game.coached_by(person)
    if not coached:
        return None
    if command.but or not command.to or not set(command.to) <= set(coached) or command.is_anonymous or command.as_power:
        return refusals.CoachesOnly(game.name, coached)
    return PressToCoach(text=command.text, about=command.about, ran_on=command.ran_on, is_picture=command.is_picture)


HANDLERS = table(on(Coach, appoint), on(PressToCoach, relay))
