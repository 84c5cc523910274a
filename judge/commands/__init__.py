"""Commands as values, by subject: the interface between the language reader and the games.

A line of a mail becomes orders (`judge.rules.orders`) or one of these. A command that names no
game means the game its mail is about. Each class has its card: who may use it, when, and how.
"""

from typing import TypeAlias

from judge.commands import coming, masters, oneself, perhaps, players, questions, talk, votes
from judge.commands.as_written import AsWritten, SettingTime, SettingValue
from judge.commands.card import Card, GameState, Part, Permitted, Reason
from judge.commands.coming import *
from judge.commands.masters import *
from judge.commands.oneself import *
from judge.commands.perhaps import *
from judge.commands.players import *
from judge.commands.questions import *
from judge.commands.talk import *
from judge.commands.votes import *

GameCommand: TypeAlias = (
    coming.OfAGame | players.OfAGame | votes.OfAGame | talk.OfAGame | questions.OfAGame | masters.OfAGame
)
"""Commands to one game."""
GeneralCommand: TypeAlias = coming.General | questions.General | oneself.General | talk.General | masters.General
"""Commands to the judge, or about the sender."""
Steering: TypeAlias = players.Steering
"""Headings for the lines below."""
Command: TypeAlias = GameCommand | GeneralCommand | Steering | perhaps.Perhaps | perhaps.PressOrOrders

__all__ = [
    "AsWritten",
    "Card",
    "Command",
    "GameCommand",
    "GameState",
    "GeneralCommand",
    "Part",
    "Permitted",
    "Reason",
    "SettingTime",
    "SettingValue",
    "Steering",
]
__all__ += coming.__all__
__all__ += masters.__all__
__all__ += oneself.__all__
__all__ += perhaps.__all__
__all__ += players.__all__
__all__ += questions.__all__
__all__ += talk.__all__
__all__ += votes.__all__
