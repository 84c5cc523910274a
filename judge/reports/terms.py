"""What somebody agrees to who joins a game, in ten lines: before he is bound, and when he is in."""

from __future__ import annotations

from dataclasses import dataclass

from judge.commands import GameState, Language
from judge.games.game import Game
from judge.games.terms import Settings
from judge.reports.rulebook import differing, rulebook

_ELSEWHERE = ("country_assignment", "turn_word", "draw_rule", "victory_measure", "short_game")
"""Told by lines of their own, or of no weight."""
_ENDS = ("victory_measure", "draw_rule", "short_game")


@dataclass(frozen=True, slots=True)
class TermsView:
    """What a game is like, and how it differs from the usual."""

    game: str
    """Its name; "" where its reader may never have heard of us."""
    settings: Settings
    profile: str
    """What the profile of its rules is, in a sentence."""
    apart: tuple[str, ...]
    """What its rules have that is not as usual, a sentence each, as RULES has it."""
    ends: tuple[str, ...]
    """When it is over, likewise."""
    is_forming: bool


def terms_view(game: Game, language: Language, *, is_named: bool = True) -> TermsView:
    """What is to be known of a game before one joins it."""
    settings = game.settings
    book, rules = rulebook(language), settings.rules
    apart = tuple(book.meaning(name, rules) for name in differing(rules) if name not in _ELSEWHERE)
    ends = tuple(book.meaning(name, rules) for name in _ENDS if name != "short_game" or rules.short_game)
    profile = book.profiles[settings.profile]
    is_forming = game.state is GameState.FORMING
    return TermsView(game.name if is_named else "", settings, profile, apart, ends, is_forming)
