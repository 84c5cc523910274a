"""The questions that letters about events ask their readers."""

from __future__ import annotations

from judge import commands as c
from judge.commands.question import Choice, Question
from judge.games.events import DrawAsked, GameNews, Notice, Petitioned, VacancyOpened, VoteTold
from judge.language.writing import command_line
from judge.reports.readers import Reader, Role


def asked_by(event: Notice, reader: Reader, address: str = "") -> tuple[Question, ...]:
    """Return what the letter about an event asks.

    `address` is that of a person who asks for a seat.
    Some questions need a bare yes: the answer goes out in the reader's name, or decides about another person.
    """
    match event:
        case Petitioned():
            return (_decision(f"ALLOW {address}", f"DENY {address}"),)
        case DrawAsked(is_counted=False):
            return (_decision("DRAW", "NO DRAW"),)
        case VoteTold(command=c.VoteDraw(agrees=True) as vote) if reader.powers:
            return (_decision(command_line(vote), ""),)
        case GameNews(game, c.Propose()) if reader.powers and game.proposals:
            number = game.proposed
            return (_decision(f"VOTE YES {number}", f"VOTE NO {number}", number),)
        case VacancyOpened(game, power) if reader.role is Role.OBSERVER:
            return (Question((Choice(f"TAKE OVER {game.name} {power}", power),), is_offer=True),)
        case _:
            return ()


def _decision(yes: str, no: str, number: int = 0) -> Question:
    return Question((Choice(yes, number=number),), refusal=no, needs_bare_yes=True)
