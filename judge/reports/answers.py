"""Views of the answers to a mail, as its sender may see them.

No view holds a whole `Game`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from judge.commands import ForPower, ListKind, OrderFor, SettingValue
from judge.commands.question import Choice
from judge.games.answers import (
    AbsenceSet,
    Adopted,
    AdoptionShown,
    Answer,
    Asked,
    AskedAgain,
    AskedToConfirm,
    AskedWhich,
    Cleared,
    Closing,
    Created,
    DataShown,
    DidYouMean,
    Done,
    DoneInAll,
    Filed,
    GamesListed,
    HelpShown,
    Joined,
    LanguageSet,
    NameSet,
    Noted,
    Observing,
    Overridden,
    Petitioning,
    QuestionAnswered,
    ReadySet,
    Registered,
    SeatKept,
    Sent,
    SettingsShown,
    Shown,
    SitterInvited,
    SittingAgreed,
    StatusShown,
    Supposed,
    Undone,
    Voted,
    ZoneSet,
)
from judge.games.game import Game
from judge.games.hours import DeadlineOffer
from judge.games.refusals import Refused
from judge.language import Fault
from judge.reports.buttons import mailto
from judge.reports.readers import AnsweredLine
from judge.reports.views import GameView, game_view
from judge.rules.position import Phase, Power


@dataclass(frozen=True, slots=True)
class GameCreated:
    """The game that was created."""

    game: GameView
    others: Mapping[str, SettingValue]
    """The settings that were chosen, except those that the answer always names."""


_TOLD = frozenset(("rules", "update_type", "deadline", "retreats", "adjustments", "zone", "press"))


@dataclass(frozen=True, slots=True)
class GameAdopted:
    """The game that was adopted."""

    game: GameView
    phase: Phase
    has_begun: bool
    """Whether its first phase is open already."""
    invited: int
    """How many people were invited."""
    left: tuple[Power, ...]
    """Powers without a player."""


@dataclass(frozen=True, slots=True)
class StateBelow:
    """The state of a game, shown below."""

    game: str
    offers: tuple[DeadlineOffer, ...] = ()
    """Deadlines that would suit the players better, for a master."""


@dataclass(frozen=True, slots=True)
class GamesBelow:
    """The list of games, shown below if there are any."""

    kind: ListKind
    are_any: bool


@dataclass(frozen=True, slots=True)
class PartBelow:
    """The answer is a section of its own in the receipt."""


AnswerView: TypeAlias = (
    AbsenceSet
    | SitterInvited
    | SittingAgreed
    | AdoptionShown
    | GameAdopted
    | Asked
    | AskedToConfirm
    | DidYouMean
    | AskedWhich
    | Cleared
    | DataShown
    | Closing
    | Done
    | DoneInAll
    | Filed
    | GameCreated
    | GamesBelow
    | Joined
    | LanguageSet
    | NameSet
    | Noted
    | Observing
    | Overridden
    | AskedAgain
    | PartBelow
    | Petitioning
    | QuestionAnswered
    | ReadySet
    | Refused
    | Registered
    | SeatKept
    | Sent
    | StateBelow
    | Undone
    | Voted
    | ZoneSet
)
"""A view of an answer.

Most answers hold only what their reader did or asked, and serve as their own views.
"""


def _adopted(game: Game) -> GameAdopted:
    named = {one.power for one in game.invitations} | {one.promised for one in game.applicants}
    groups = [powers for powers in game.set_up.assignments if not game.was_out(powers)]
    left = tuple(power for powers in groups if named.isdisjoint(powers) for power in powers)
    phase = game.position.phase
    left = () if game.is_running else left
    return GameAdopted(game_view(game), phase, game.is_running, len(game.invitations), left)


def answer_view(answer: Answer) -> AnswerView:
    """Return an answer as its reader may see it."""
    match answer:
        case Created(game, written):
            told = _TOLD | game.settings.changed_options.keys()
            return GameCreated(game_view(game), {name: value for name, value in written.items() if name not in told})
        case Adopted(game):
            return _adopted(game)
        case StatusShown(game, offers):
            return StateBelow(game.name, offers)
        case GamesListed(kind, are_any):
            return GamesBelow(kind, are_any)
        case Shown(OrderFor(power)):
            return Noted(ForPower(power))
        case SettingsShown() | Supposed() | Shown() | HelpShown():
            return PartBelow()
        case _:
            return answer


def _views(answers: Sequence[Answer]) -> tuple[AnswerView, ...]:
    """Return the answers to a line as views, with at most one `PartBelow`."""
    views = tuple(map(answer_view, answers))
    return tuple(view for at, view in enumerate(views) if view != PartBelow() or view not in views[:at])


@dataclass(frozen=True, slots=True)
class LineView:
    """A line of the mail and the answers to it."""

    text: str
    answers: tuple[AnswerView, ...]
    faults: tuple[Fault, ...]
    choices: tuple[ChoiceView, ...] = ()


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """An answer to choose, and a link that begins a mail with it."""

    number: int
    words: str
    href: str


def line_views(
    lines: Sequence[AnsweredLine], address: str, subject: str, meant: Callable[[str], str]
) -> list[LineView]:
    """Return the lines of a mail with their answers, as the sender may see them.

    The links go to `address`. `meant` says what a line to choose would do.
    """

    def choice_view(choice: Choice) -> ChoiceView:
        words = meant(choice.words) if choice.words == choice.lines else choice.words
        return ChoiceView(choice.number, words, mailto(address, subject, choice.lines.splitlines()))

    return [
        LineView(line.text, _views(line.answers), line.faults, tuple(map(choice_view, line.choices))) for line in lines
    ]
