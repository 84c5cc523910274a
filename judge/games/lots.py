"""Words of players for the lots of a game."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from judge.commands import LotWord
from judge.games import refusals
from judge.games.answers import Done
from judge.games.chance import DIGESTED, Lot, digest, drawn, is_by_chance
from judge.games.game import Game, GameState
from judge.games.handled import Handled, refused
from judge.games.person import PersonId
from judge.games.request import Request, on, table
from judge.rules.position import Phase, Power

_WORD = re.compile(r"\w{1,32}")
"""No sentence: the word is told to everyone."""


def is_lot_to_come(game: Game) -> bool:
    """Whether a draw of powers that players can check is to come.

    Powers that invitations promise are not drawn, such as those of an adopted game.
    """
    if game.state is not GameState.FORMING or not game.chance.root:
        return False
    promised = [one.promised for one in game.applicants] + [one.power for one in game.invitations]
    return game.seats_of_people - sum(power is not None for power in promised) > 1


def is_coin_to_come(game: Game) -> bool:
    """Whether a coin that players can check is to be tossed (R-MULTI-6)."""
    return game.is_running and bool(game.chance.root) and game.tossed is None and game.set_up.tossed is not None


def commitment_to_lot(game: Game) -> str:
    """Return the commitment to the draw of powers, as letters show it.

    It is "" if no draw is to come.
    """
    return _shown(game, game.chance.seed_of_lot) if is_lot_to_come(game) else ""


def commitment_to_coin(game: Game) -> str:
    """Return the commitment to the coin, as letters show it.

    It is "" if no toss is to come.
    """
    return _shown(game, game.chance.seed_of_coin) if is_coin_to_come(game) else ""


def _shown(game: Game, seed: str) -> str:
    return f"{game.name}:{digest(seed)}"


@dataclass(frozen=True, slots=True)
class Told:
    """What a report tells of a lot that was drawn."""

    commitment: str
    seed: str
    words: tuple[tuple[str, tuple[Power, ...]], ...]
    """Each word, and the powers of its player."""
    hides_words: bool
    """Words are told only as digests, in the file for programs."""
    coin: Power | None = None
    """The power that the coin gave away; None for the draw of powers."""


def lot_told(game: Game, closed: Phase | None) -> Lot | None:
    """Return the draw of powers that a report tells.

    `closed` is the phase that the report is on; None at the start. Where names are hidden, the draw is told when the
    game ends: with the order of joining it would tell who plays which power.
    """
    is_due = game.state is GameState.FINISHED if game.settings.anonymous else closed is None
    return game.chance.lot if is_due else None


def lots_told(game: Game, closed: Phase | None) -> tuple[Told, ...]:
    """Return what a report on a phase tells of lots that were drawn."""
    lot, toss, found = lot_told(game, closed), game.chance.toss, []
    if lot is not None and is_by_chance(lot):
        owned = (tuple(power for place in places for power in lot.places[place]) for places in drawn(lot))
        words = zip((player.word for player in lot.players), owned, strict=True)
        found.append(_told(game, lot.seed, tuple(words)))
    if toss is not None and toss.phase == closed:
        words = zip(toss.words, toss.places, strict=True)
        found.append(replace(_told(game, toss.seed, tuple(words)), coin=toss.power))
    return tuple(found)


def _told(game: Game, seed: str, words: tuple[tuple[str, tuple[Power, ...]], ...]) -> Told:
    shown = tuple(one for one in words if one[0] and not one[0].startswith(DIGESTED))
    hides_words = any(one[0].startswith(DIGESTED) for one in words)
    return Told(_shown(game, seed), seed, shown, hides_words)


def add_word(request: Request[LotWord]) -> Handled:
    """Keep a player's word for the next lot; it replaces an earlier one.

    The word of a sitter is the seat's: that of its player.
    """
    game, person, word = request.game, request.person, request.command.word
    if not _draws(game, person):
        return refused(game, refusals.NotAPlayer(game.name))
    if not (is_lot_to_come(game) or is_coin_to_come(game)):
        return refused(game, refusals.NothingToDraw(game.name, is_old=_is_too_old(game)))
    if not _WORD.fullmatch(word):
        return refused(game, refusals.NotOneWord())
    player = next((seat.holder for seat in game.seats_of(person) if seat.holder is not None), person)
    chance = game.chance.without(player)
    chance = replace(chance, words=(*chance.words, (player, word)))
    return Handled(replace(game, chance=chance), Done(request.command))


def _is_too_old(game: Game) -> bool:
    """Whether a lot is to come that cannot be checked."""
    is_coming = game.state is GameState.FORMING or (game.tossed is None and game.set_up.tossed is not None)
    return is_coming and not game.chance.root


def without_words_of_others(game: Game) -> Game:
    """Return the game without words of people who do not play in it any more."""
    words = tuple(one for one in game.chance.words if _draws(game, one[0]))
    return replace(game, chance=replace(game.chance, words=words))


def _draws(game: Game, person: PersonId) -> bool:
    return bool(game.seats_of(person)) or any(one.person == person for one in game.applicants)


HANDLERS = table(on(LotWord, add_word))
