"""The terms of a game in ten lines.

They are shown before a player joins the game, and once more afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from judge.commands import GameState, Language
from judge.games.game import Game
from judge.games.lots import commitment_to_lot
from judge.games.person import PersonId
from judge.games.schedule import with_time_for
from judge.games.seats import held_by, vacancies
from judge.games.sight import must_be_a_view
from judge.games.terms import HouseRules, Settings
from judge.reports.rulebook import FIRST_OF_ALL, differing, rulebook
from judge.rules.position import Phase, Power, Unit

_MOST_APART = 4
"""The most lines about options that differ; six of ten lines are about other things.

If more options differ, the last of these lines says so.
"""
_ELSEWHERE = ("country_assignment", "turn_word", "draw_rule", "victory_measure", "short_game")
"""Options that other lines tell, or that matter little."""
_SOMEBODY = PersonId(0)
"""The number of a person who has none yet."""
_ENDS = ("victory_measure", "draw_rule", "short_game")


@dataclass(frozen=True, slots=True)
class OpenPhaseView:
    """The open phase, for a reader who may take a seat in it."""

    phase: Phase
    deadline: datetime | None
    until: datetime | None
    """The deadline once they have taken the seat; None if it stays."""
    zone: str
    stands: tuple[tuple[Power, int, tuple[Unit, ...]], ...]
    """Each power with its number of centers and its units.

    It is empty if the reader may not see the board.
    """


@dataclass(frozen=True, slots=True)
class TermsView:
    """What a game is like, and how it differs from the default."""

    game: str
    settings: Settings
    profile: str
    """What the profile of its rules is, in a sentence."""
    apart: tuple[str, ...]
    """How its rules differ from the default, in sentences as in RULES.

    Options that players ask about most come first.
    """
    more: int
    """How many more options differ."""
    powers: str
    """How powers are assigned, in a sentence."""
    ends: tuple[str, ...]
    """When the game ends, in a sentence each."""
    is_forming: bool
    commitment: str
    """The commitment to the draw of powers; "" if none is to come."""
    house_rules: HouseRules
    tells_house_rules: bool
    """Whether the letter shows the house rules; otherwise it only says that there are some."""
    open: OpenPhaseView | None = None
    """Set in a running game for a reader who has no seat yet."""


def terms_view(game: Game, language: Language, *, tells_house_rules: bool = True) -> TermsView:
    """Return what a player should know of a game before joining it."""
    settings = game.settings
    book, rules = rulebook(language), settings.rules
    apart = sorted((name for name in differing(rules) if name not in _ELSEWHERE), key=_weight)
    shown = apart if len(apart) <= _MOST_APART else apart[: _MOST_APART - 1]
    ends = tuple(book.meaning(name, rules) for name in _ENDS if name != "short_game" or rules.short_game)
    return TermsView(
        game=game.name,
        settings=settings,
        profile=book.profiles[settings.profile],
        apart=tuple(book.meaning(name, rules) for name in shown),
        more=len(apart) - len(shown),
        powers=book.meaning("country_assignment", rules),
        ends=ends,
        is_forming=game.state is GameState.FORMING,
        commitment=commitment_to_lot(game),
        house_rules=game.house_rules,
        tells_house_rules=tells_house_rules,
    )


def open_phase(
    game: Game, power: Power | None, now: datetime, zone: str = "", *, shows_board: bool
) -> OpenPhaseView | None:
    """Return what a person should know of the open phase before taking a seat.

    Without a `power`, it is the first vacant seat. It is None if the game is not running.
    """
    must_be_a_view(game)
    if not game.is_running:
        return None
    taken = power or next(iter(vacancies(game)), None)
    powers = next((powers for powers in game.set_up.assignments if taken in powers), ())
    seated = game
    for one in powers:
        seated = seated.with_seat(held_by(game.seat(one), _SOMEBODY))
    until = with_time_for(seated, powers, now).clock.deadline
    position = game.position
    stands = [(one.power, len(position.centers_of(one.power)), position.units_of(one.power)) for one in game.seats]
    return OpenPhaseView(
        position.phase,
        game.clock.deadline,
        until if until != game.clock.deadline else None,
        zone or game.settings.zone,
        tuple(one for one in stands if one[1] or one[2]) if shows_board else (),
    )


def _weight(option: str) -> int:
    """Return a sort key: the options that players ask about first come first."""
    first = ("fog", *FIRST_OF_ALL)
    return first.index(option) if option in first else len(first)
