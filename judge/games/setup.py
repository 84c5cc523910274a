"""The life of a game before its first phase: created, joined, started."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from judge.commands import Create, Join, Observe
from judge.errors import NotationError
from judge.games.events import (
    Created,
    GameStarted,
    Joined,
    Observing,
    PlayerJoined,
    RefusalReason,
    Refused,
)
from judge.games.game import Applicant, Game, GameState, PersonId, Seat, Settings
from judge.games.handled import Handled, refused
from judge.games.schedule import find_zone, next_deadline, read_duration
from judge.rules.exchange import read_option
from judge.rules.map import load_map
from judge.rules.options import PROFILES, UpdateType
from judge.rules.position import Power

_RESERVED = ("confirm", "bounce")
"""Part of addresses of our own."""
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


def create(command: Create, master: PersonId, *, taken: bool) -> Handled | Refused:
    """A new game, or why there is none; every wrong setting is named."""
    name = command.game.lower()
    if not _NAME.fullmatch(name) or len(name) > 40 or name in _RESERVED:
        return Refused(RefusalReason.BAD_NAME, command.game)
    if taken:
        return Refused(RefusalReason.NAME_TAKEN, name)
    settings = read_settings(command.settings)
    if isinstance(settings, Refused):
        return settings
    map_ = load_map(settings.map)
    game = Game(
        name=name,
        settings=settings,
        master=master,
        state=GameState.FORMING,
        position=map_.start(),
        seats=tuple(Seat(power) for power in map_.powers),
    )
    return Handled(game, Created(game))


def _read_duration_as(field: str) -> Callable[[str], dict[str, Any] | None]:
    def read(value: str) -> dict[str, Any] | None:
        duration = read_duration(value)
        return {field: duration} if duration else None

    return read


def _read_profile(value: str) -> dict[str, Any] | None:
    name = value.lower()
    return {"profile": name} if name in PROFILES else None


_READERS: Mapping[str, Callable[[str], dict[str, Any] | None]] = {
    "rules": _read_profile,
    "deadline": _read_duration_as("movement_length"),
    "movement": _read_duration_as("movement_length"),
    "retreat": _read_duration_as("retreat_length"),
    "retreats": _read_duration_as("retreat_length"),
    "adjustment": _read_duration_as("adjustment_length"),
    "adjustments": _read_duration_as("adjustment_length"),
    "zone": lambda value: {"zone": zone} if (zone := find_zone(value)) else None,
}
"""Setting → the fields it changes, or None for a value it cannot have."""


_UPDATE_TYPES = {
    "定時更新": UpdateType.SCHEDULED,
    "完了更新": UpdateType.ON_COMPLETION,
    "撤退調整完了制": UpdateType.SCHEDULED_WITH_EARLY_MINOR_PHASES,
    "手動更新": UpdateType.MANUAL,
    "定時完了併用更新": UpdateType.SCHEDULED_OR_ON_COMPLETION,
}
"""As the web game calls them (001 P5)."""


_EXAMPLES = {"rules": " | ".join(PROFILES), "zone": "Europe/Paris | Asia/Tokyo"}
"""What may stand behind a setting; behind the others a length of time."""


def read_settings(written: Mapping[str, str]) -> Settings | Refused:
    """The settings a master wrote, or all that is wrong with them."""
    changes: dict[str, Any] = {}
    options: dict[str, Any] = {}
    wrong = []
    for name, value in written.items():
        reader = _READERS.get(name.lower())
        change = reader(value.strip()) if reader else None
        if change is not None:
            changes |= change
            continue
        try:
            options |= _read_option(name, value)
        except NotationError as error:
            example = _EXAMPLES.get(name.lower(), "3 days")
            wrong.append(f"{name}: {value} ({example})" if reader else str(error))
    if wrong:
        return Refused(RefusalReason.BAD_SETTING, "; ".join(wrong))
    rules = replace(PROFILES[changes.get("profile", "standard")], **options)
    return replace(Settings(), rules=rules, **changes)


def _read_option(name: str, value: str) -> dict[str, Any]:
    """A single option of the rules (RULES 13, 16); raises NotationError."""
    option = "_".join(name.lower().replace("-", " ").split())
    if option == "players" and value.strip() != "7":
        raise NotationError("players cannot be anything but 7 yet")
    option = {"update": "update_type"}.get(option, option)
    text = _UPDATE_TYPES.get(value.strip()) or "-".join(value.lower().split())
    return {option: read_option(option, int(text) if text.isdigit() and option == "short_game" else text)}


def join(game: Game, person: PersonId, command: Join, now: datetime, seed: int) -> Handled:
    """Take a seat; the game starts with the last one, powers nobody wished for being drawn with `seed`."""
    if game.state is not GameState.FORMING:
        return refused(game, RefusalReason.GAME_STARTED, game.name)
    mine = next((applicant for applicant in game.applicants if applicant.person == person), None)
    if mine is not None and mine.wish == command.power:
        return refused(game, RefusalReason.ALREADY_IN, game.name)
    others = tuple(applicant for applicant in game.applicants if applicant.person != person)
    if command.power is not None and any(applicant.wish == command.power for applicant in others):
        return refused(game, RefusalReason.POWER_TAKEN, command.power)
    applicants = (*others, Applicant(person, command.power))
    observers = tuple(observer for observer in game.observers if observer != person)
    game = replace(game, applicants=applicants, observers=observers)
    left = len(game.seats) - len(applicants)
    answer = Joined(game.name, command.power, left)
    if left:
        return Handled(game, answer, (PlayerJoined(game, person, command.power),))
    game = start(game, now, seed)
    power = game.seats_of(person)[0].power
    return Handled(game, Joined(game.name, power, 0), (GameStarted(game, now),))


def start(game: Game, now: datetime, seed: int) -> Game:
    """Seat the applicants and open the first phase (R-ASSIGN-1: the rest by lot)."""
    holders = {applicant.wish: applicant.person for applicant in game.applicants if applicant.wish is not None}
    free: list[Power] = [seat.power for seat in game.seats if seat.power not in holders]
    random.Random(seed).shuffle(free)  # noqa: S311 - a lot, not a secret
    holders |= dict(zip(free, (a.person for a in game.applicants if a.wish is None), strict=True))
    return replace(
        game,
        state=GameState.ACTIVE,
        seats=tuple(replace(seat, holder=holders[seat.power], serial=1) for seat in game.seats),
        applicants=(),
        opened_at=now,
        deadline=next_deadline(game.settings, game.position.phase.kind, now),
    )


def observe(game: Game, person: PersonId, command: Observe) -> Handled:
    """Get the public reports from now on."""
    if game.seats_of(person) or any(applicant.person == person for applicant in game.applicants):
        return refused(game, RefusalReason.ALREADY_IN, command.game)
    if person not in game.observers:
        game = replace(game, observers=(*game.observers, person))
    return Handled(game, Observing(game.name))
