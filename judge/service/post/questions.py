"""The questions that letters about events ask their readers."""

from __future__ import annotations

from collections.abc import Sequence

from judge import commands as c
from judge.commands.question import Choice, Question, publication
from judge.games.events import (
    DeadlinesOffered,
    DrawAsked,
    GameNews,
    MusterOffered,
    Notice,
    Petitioned,
    PublicationAsked,
    VacancyOpened,
    VoteTold,
)
from judge.games.game import Game
from judge.games.hours import DeadlineOffer
from judge.games.person import Person
from judge.language.writing import command_line
from judge.reports.readers import Reader, Role
from judge.reports.wording import wording_for


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
        case DeadlinesOffered(game, offers=offers):
            return (deadlines_to_choose(game, offers, reader.person),)
        case MusterOffered() | PublicationAsked():
            return (_of_a_game(event),)
        case VacancyOpened(game, power) if reader.role is Role.OBSERVER:
            return (Question((Choice(f"TAKE OVER {game.name} {power}", power),), is_offer=True),)
        case _:
            return ()


def _of_a_game(event: MusterOffered | PublicationAsked) -> Question:
    if isinstance(event, PublicationAsked):
        return publication()
    return Question((Choice(f"GAME {event.game.name}\nSET muster: yes"),), needs_bare_yes=True)


def deadlines_to_choose(game: Game, offers: Sequence[DeadlineOffer], master: Person) -> Question:
    """Return the question which of some deadlines a master takes."""
    wording = wording_for(master, game.settings.map)
    reason = wording.speech.message("deadline-because")
    choices = (
        Choice(
            f"GAME {game.name}\nSET deadline: {one.setting} BECAUSE {reason}",
            wording.say("deadline_offered", one),
            number,
        )
        for number, one in enumerate(offers, start=1)
    )
    return Question(tuple(choices))


def _decision(yes: str, no: str, number: int = 0) -> Question:
    return Question((Choice(yes, number=number),), refusal=no, needs_bare_yes=True)
