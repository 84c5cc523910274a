"""What somebody agrees to who joins a game, in ten lines: before he is bound, and when he is in."""

from __future__ import annotations

from dataclasses import dataclass

from judge.commands import GameState, Language
from judge.games.game import Game
from judge.games.terms import Settings
from judge.reports.rulebook import FIRST_OF_ALL, differing, rulebook

_MOST_APART = 4
"""Of ten lines six tell something else; where there are more, the last says so."""
_ELSEWHERE = ("country_assignment", "turn_word", "draw_rule", "victory_measure", "short_game")
"""Told by lines of their own, or of no weight."""
_ENDS = ("victory_measure", "draw_rule", "short_game")


@dataclass(frozen=True, slots=True)
class TermsView:
    """What a game is like, and how it differs from the usual."""

    game: str
    settings: Settings
    profile: str
    """What the profile of its rules is, in a sentence."""
    apart: tuple[str, ...]
    """What its rules have that is not as usual, a sentence each, as RULES has it: what is asked about most."""
    more: int
    """How many others there are."""
    powers: str
    """Who gets which power, likewise."""
    ends: tuple[str, ...]
    """When it is over, likewise."""
    is_forming: bool


def terms_view(game: Game, language: Language) -> TermsView:
    """What is to be known of a game before one joins it."""
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
    )


def _weight(option: str) -> int:
    """What players ask about first comes first."""
    return FIRST_OF_ALL.index(option) if option in FIRST_OF_ALL else len(FIRST_OF_ALL)
