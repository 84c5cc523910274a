"""Press: messages of players to each other through the judge (R-PRESS)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from judge.commands import (
    Announce,
    Block,
    Broadcast,
    Mute,
    OfPress,
    Press,
    PressToCoach,
    PressToMaster,
    ShowAddresses,
    ShutPress,
    Signed,
)
from judge.games import coaching, refusals
from judge.games.answers import Done, Sent
from judge.games.coaching import as_words_of_a_coach
from judge.games.events import GameNews, Relayed
from judge.games.game import Game, GameState
from judge.games.handled import Handled, refused
from judge.games.person import PersonId
from judge.games.publishing import with_writer
from judge.games.refusals import Refused
from judge.games.request import Request, on, table
from judge.games.rooms import Room
from judge.games.seats import is_out, open_seats
from judge.games.terms import PressRule, PressSender
from judge.games.votes import living
from judge.rules.options import PressPhases
from judge.rules.position import PhaseKind, Power


def relay(request: Request[OfPress]) -> Handled:
    """Deliver press, if it is allowed now."""
    game, person, command, now = request.game, request.person, request.command, request.now
    if not command.text.strip() and not command.is_picture:
        return refused(game, refusals.NoText())
    mine = tuple(seat.power for seat in game.seats_of(person))
    to_player = as_words_of_a_coach(game, person, command) if isinstance(command, Press) and not mine else None
    if isinstance(to_player, PressToCoach):
        return coaching.relay(request.asking(to_player))
    if to_player is not None:
        return refused(game, to_player)
    if isinstance(command, Press):
        addressed = _addressed(game, mine, command)
        if not isinstance(addressed, Press):
            return refused(game, addressed)
        command = addressed
    if isinstance(command, Signed) and (not_signed := _why_not_signed(game, command)) is not None:
        return refused(game, not_signed)
    if isinstance(command, Press | Broadcast) and mine:
        why = why_shut(game, person, command, now)
        if isinstance(why, refusals.PressShut):
            why = refusals.PressShut(may_broadcast=why_shut(game, person, Broadcast(), now) is None)
        if why is not None:
            return refused(game, why)
    if isinstance(command, PressToMaster) and set(game.masters) == {person}:
        return refused(game, refusals.OwnPower())
    to = command.to if isinstance(command, Press) else ()
    power = None if isinstance(command, Announce) or not mine else mine[0]
    event = Relayed(game, command, person, power, now, to)
    return Handled(with_writer(game, event), Sent(to, command, command.ran_on), (event,))


def _addressed(game: Game, mine: Collection[Power], command: Press) -> Press | refusals.Refusal:
    """Return press with all its recipients, or why it has none."""
    if command.but:
        there = [seat.power for seat in game.seats if seat.holder is not None and not seat.is_robot]
        to = tuple(power for power in living(game) if power in there and power not in command.but)
        command = replace(command, to=to, but=())
    if not command.to:
        return refusals.NobodyToAnswer()
    if command.as_power in mine:
        command = replace(command, as_power=None)
    command = replace(command, to=tuple(power for power in command.to if power not in mine))
    if not command.to:
        return refusals.OwnPower()
    unknown = next((power for power in command.to if game.seat(power).holder is None), None)
    if unknown is None:
        return command
    return refusals.RobotsRead(unknown) if game.seat(unknown).is_robot else refusals.NotHeld(unknown)


def _why_not_signed(game: Game, command: Signed) -> refusals.Refusal | None:
    """Return why press may not be anonymous or under that name; None if it may."""
    allowed = game.settings.press_sender
    if command.as_power is not None and allowed is not PressSender.ANY:
        return refusals.NoFalseNames(may_be_anonymous=allowed is PressSender.ANONYMOUS)
    if command.is_anonymous and allowed is PressSender.NAMED:
        return refusals.NoFalseNames()
    if command.as_power is not None and game.seat(command.as_power).holder is None:
        return refusals.NotHeld(command.as_power)
    if isinstance(command, Press) and command.as_power in command.to:
        return refusals.WritesToItself(command.as_power) if command.as_power else None
    return None


def why_shut(game: Game, person: PersonId, command: Press | Broadcast, now: datetime) -> refusals.Refusal | None:
    """Return why a player may not write press now; None if they may.

    When the game is over, all players may.
    """
    settings = game.settings
    if game.state is GameState.FINISHED:
        return None
    secret = isinstance(command, Press)
    if settings.press is PressRule.NONE or (secret and settings.press is PressRule.PUBLIC):
        return refusals.NoPress(settings.press)
    if is_out(game, person):
        return refusals.Eliminated()
    if game.press_shut:
        return refusals.PressShut()
    phase = game.position.phase
    if settings.press is PressRule.RULEBOOK and phase.kind is not PhaseKind.MOVEMENT:
        # Where press is closed only in retreat phases, broadcasts are still allowed in them (R-PRESS-3).
        only_retreats = settings.rules.press_phases is PressPhases.NOT_IN_RETREATS
        if not only_retreats or (secret and phase.kind is PhaseKind.RETREAT):
            return refusals.PressShut()
    is_writing = game.clock.deadline is not None and now >= game.clock.deadline - settings.writing
    if settings.writing and is_writing and phase.kind is PhaseKind.MOVEMENT and game.state is GameState.ACTIVE:
        return refusals.PressShut()
    return None


def correspondents(game: Game, person: PersonId) -> tuple[Power | None, ...]:
    """Return the powers a player has private addresses for; None in it means everyone.

    The result is empty without press.
    """
    mine, is_over = game.seats_of(person), game.state is GameState.FINISHED
    rule = PressRule.PRIVATE if is_over else game.settings.press
    if not mine or game.is_sandbox or rule is PressRule.NONE or (is_out(game, person) and not is_over):
        return ()
    played = {*open_seats(game), *(seat.power for seat in game.seats if seat.holder is not None)}
    others = [seat.power for seat in game.seats if seat.power in played and seat not in mine]
    return (*(() if rule is PressRule.PUBLIC else others), None)


def give_addresses(request: Request[ShowAddresses]) -> Handled:
    """Have the player's private addresses sent, if there are any."""
    game, command = request.game, request.command
    if correspondents(game, request.person):
        return Handled(game, Done(command))
    return refused(game, refusals.Eliminated() if is_out(game, request.person) else refusals.NoPress(PressRule.NONE))


def mute(request: Request[Mute]) -> Handled:
    """Mute the press of a power, or anonymous press, for a player.

    The sender of the press is not told. Anonymous press of a muted power still arrives: if it stopped, the player would
    learn who wrote it.
    """
    game, person, command = request.game, request.person, request.command
    mine, power = game.seats_of(person), command.power
    if power in [seat.power for seat in mine]:
        return refused(game, refusals.OwnWords())
    for seat in mine:
        game = game.with_seat(replace(seat, mutes=seat.mutes.changed(power, is_muted=command.mutes)))
    may_be_nameless = game.settings.press_sender is not PressSender.NAMED
    return Handled(game, Done(command, about="nameless" if may_be_nameless and power and command.mutes else ""))


def block(request: Request[Block]) -> Handled:
    """Block the player of a power for the sender.

    The service saves the block with the person. In anonymous games the power is muted instead.
    """
    game, person, power, blocks = request.game, request.person, request.command.power, request.command.blocks
    if power is None:
        return Handled(game, Done(request.command))
    if game.hides_names:
        muted = mute(request.asking(Mute(power, blocks)))
        return (
            muted if isinstance(muted.answer, Refused) else replace(muted, answer=Done(request.command, about="power"))
        )
    if game.seat(power).holder is None:
        return refused(game, refusals.NotHeld(power))
    is_own = game.seat(power) in game.seats_of(person)
    return refused(game, refusals.OwnWords()) if is_own else Handled(game, Done(request.command))


def shut(request: Request[ShutPress]) -> Handled:
    """Close press for the open phase, or open it again."""
    game, command, now = request.game, request.command, request.now
    if game.press_shut == command.shut:
        return refused(game, refusals.PressIsSo(is_shut=command.shut))
    game = replace(game, press_shut=command.shut)
    return Handled(game, Done(command), (GameNews(game, command, now),))


def answered(command: Press, room: Room | None, game: Game, person: PersonId) -> Press:
    """Address press without recipients to the players of the conversation it answers."""
    if command.to or command.but or room is None:
        return command
    mine = {seat.power for seat in game.seats_of(person)}
    others = tuple(power for power in room.powers if power not in mine)
    held = tuple(power for power in others if game.seat(power).holder is not None)
    return replace(command, to=held or others, about=command.about or room.topic)


HANDLERS = table(
    on(Press, relay),
    on(Broadcast, relay),
    on(PressToMaster, relay),
    on(Announce, relay),
    on(Mute, mute),
    on(Block, block),
    on(ShutPress, shut),
    on(ShowAddresses, give_addresses),
)
