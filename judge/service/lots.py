"""Lots in the JSON of a mail, and drawing them again (`docs/lots.md`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from judge.games.chance import Drawer, Lot, Toss, digest, drawn, thrown
from judge.games.game import Game
from judge.games.lots import is_coin_to_come, lot_told
from judge.rules.options import CountryAssignment
from judge.rules.position import Phase, Power

Facts: TypeAlias = Mapping[str, Any]
_COMMITMENT = re.compile(r"\b([a-z][a-z0-9]*):([0-9a-f]{64})\b")


def facts_of_lots(game: Game, closed: Phase | None = None) -> dict[str, Any]:
    """Return what a report tells of lots: the draw of powers, and the coin.

    `closed` is the phase that was closed; None at the start.
    """
    lot, toss, told = lot_told(game, closed), game.chance.toss, dict[str, Any]()
    if lot is not None:
        told["lot"] = _write_lot(lot)
    elif game.chance.lot is not None and closed is None:
        told["lot"] = {"commitment": digest(game.chance.lot.seed)}
    if toss is not None and toss.phase == closed:
        told["coin"] = _write_toss(toss)
    elif is_coin_to_come(game):
        told["coin"] = {"commitment": digest(game.chance.seed_of_coin)}
    return told


def _write_lot(lot: Lot) -> dict[str, Any]:
    players = [
        {
            "wishes": list(player.wishes),
            "seats": player.seats,
            "promised": player.promised,
            "word": player.word,
            "powers": [power for place in places for power in lot.places[place]],
        }
        for player, places in zip(lot.players, drawn(lot), strict=True)
    ]
    return {
        "commitment": digest(lot.seed),
        "seed": lot.seed,
        "assignment": lot.assignment.value,
        "places": [list(powers) for powers in lot.places],
        "players": players,
    }


def _write_toss(toss: Toss) -> dict[str, Any]:
    return {
        "commitment": digest(toss.seed),
        "seed": toss.seed,
        "phase": str(toss.phase),
        "power": toss.power,
        "players": [
            {"word": word, "powers": list(powers)} for word, powers in zip(toss.words, toss.places, strict=True)
        ],
        "to": list(toss.places[thrown(toss)]),
    }


def _read_lot(told: Facts) -> Lot:
    return Lot(
        str(told["seed"]),
        CountryAssignment(told["assignment"]),
        tuple(tuple(map(Power, powers)) for powers in told["places"]),
        tuple(
            Drawer(
                tuple(map(Power, one["wishes"])),
                int(one["seats"]),
                Power(one["promised"]) if one["promised"] is not None else None,
                str(one["word"]),
            )
            for one in told["players"]
        ),
    )


def _read_toss(told: Facts) -> Toss:
    return Toss(
        str(told["seed"]),
        Phase.parse(told["phase"]),
        Power(told["power"]),
        tuple(tuple(map(Power, one["powers"])) for one in told["players"]),
        tuple(str(one["word"]) for one in told["players"]),
    )


def commitments_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield the commitments in a letter, each with the name of its game."""
    for found in _COMMITMENT.finditer(text):
        yield found[1], found[2]


def lots_drawn_again(
    found: Sequence[Facts], promised: Iterable[tuple[datetime, str]] = ()
) -> Iterator[tuple[str, bool]]:
    """Yield findings about the lots of a game, and whether each is a fault.

    `promised`: commitments in the mails of this game, with the time of each mail.
    """
    before = ""
    for facts in found:
        if "lot" in facts:
            yield from _drawn_again(facts, sorted(promised))
        coin = facts.get("coin")
        if coin is None:
            continue
        commitment = coin["commitment"]
        if before and commitment != before and facts["kind"] != "start":
            yield f"the coin: the report of {facts['at']} names another commitment than the report before", True
        before = commitment
        if "seed" in coin:
            yield from _thrown_again(coin)


def _drawn_again(facts: Facts, promised: Sequence[tuple[datetime, str]]) -> Iterator[tuple[str, bool]]:
    told, at = facts["lot"], datetime.fromisoformat(facts["at"])
    before = [one for one in promised if one[0] < at]
    if before and before[-1][1] != told["commitment"]:
        yield f"the lot: the mail of {before[-1][0].isoformat()} names another commitment", True
    if "seed" not in told:
        return
    lot = _read_lot(told)
    if digest(lot.seed) != told["commitment"]:
        yield "the lot: the seed is not the one of the commitment", True
    wrong = False
    for player, places in zip(told["players"], drawn(lot), strict=True):
        powers = [power for place in places for power in lot.places[place]]
        if powers != player["powers"]:
            wrong = True
            yield f"the lot: {_named(powers)} was drawn, and the report says {_named(player['powers'])}", True
    if not wrong:
        since = "in a mail from before" if before else "only in the report itself"
        yield f"the lot: yes, the seed and the words give the powers; the commitment stands {since}", False


def _thrown_again(coin: Facts) -> Iterator[tuple[str, bool]]:
    toss = _read_toss(coin)
    if digest(toss.seed) != coin["commitment"]:
        yield "the coin: the seed is not the one of the commitment", True
    powers = list(toss.places[thrown(toss)])
    if powers != coin["to"]:
        yield f"the coin: {_named(powers)} was drawn, and the report says {_named(coin['to'])}", True
    else:
        yield f"the coin: yes, the seed and the words give {toss.power} to {_named(powers)}", False


def _named(powers: Sequence[str]) -> str:
    return ", ".join(powers) or "nothing"
