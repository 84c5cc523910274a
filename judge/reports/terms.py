"""The terms of a game in ten lines: shown before a player joins it, and again once they are in."""

from __future__ import annotations

from dataclasses import dataclass

from judge.commands import GameState, Language
from judge.games.game import Game
from judge.games.terms import HouseRules, Settings
from judge.reports.rulebook import FIRST_OF_ALL, differing, rulebook

_MOST_APART = 4
"""Six of ten lines are about other things; if more options differ, the last line says so."""
_ELSEWHERE = ("country_assignment", "turn_word", "draw_rule", "victory_measure", "short_game")
"""Options told by other lines, or of little importance."""
_ENDS = ("victory_measure", "draw_rule", "short_game")


@dataclass(frozen=True, slots=True)
class TermsView:
    """What a game is like, and how it differs from the default."""

    game: str
    settings: Settings
    profile: str
    """What the profile of its rules is, in a sentence."""
    apart: tuple[str, ...]
    """How its rules differ from the default, a sentence each as in RULES, most asked about first."""
    more: int
    """How many more options differ."""
    powers: str
    """How powers are assigned, likewise."""
    ends: tuple[str, ...]
    """When the game ends, likewise."""
    is_forming: bool
    house_rules: HouseRules
    tells_house_rules: bool
    """Whether they stand below; otherwise only that there are some."""


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
        house_rules=game.house_rules,
        tells_house_rules=tells_house_rules,
    )


def _weight(option: str) -> int:
    """Return a sort key: the options that players ask about first come first."""
    first = ("fog", *FIRST_OF_ALL)
    return first.index(option) if option in first else len(first)
