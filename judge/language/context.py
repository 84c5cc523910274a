"""What is known about a mail before its lines are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from judge.budget import Budget, unbounded
from judge.language.words import SHIPPED, Lexicon, Tongue, load_lexicon
from judge.rules.adjustments import adjustment_due
from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.legality import Referee
from judge.rules.map import Map
from judge.rules.options import STANDARD, Options
from judge.rules.position import PhaseKind, Position, Power, Province, Unit
from judge.rules.sight import GuessingReferee


class Role(StrEnum):
    """The role of the sender in the game that a mail is about."""

    PLAYER = "player"
    MASTER = "master"
    """A master or co-master, who may also play."""
    STRANGER = "stranger"
    """A person without any game."""


@dataclass(frozen=True)
class Context:
    """What is known about a mail before its lines are read."""

    map: Map
    position: Position | None = None
    """None if the mail is about no game; then only the words count."""
    powers: tuple[Power, ...] = ()
    """The powers of the sender."""
    options: Options = STANDARD
    circumstances: Circumstances = NORMAL
    unseen: frozenset[Province] = frozenset()
    """In fog: where foreign units may stand that the position does not show."""
    has_questions: bool = False
    """Whether the sender was asked about their orders, and may answer."""
    names: tuple[str, ...] = ()
    """Names that the sender may sign with."""
    answers_report: bool = False
    """Whether the mail replies to a report, whose "next phase" is the open one."""
    tongues: tuple[Tongue, ...] = SHIPPED
    """The languages that orders may be written in."""
    hears_sentences: bool = True
    """Whether free sentences are read as commands.

    They are not where the text may be a letter to another player.
    """
    is_beside_orders: bool = False
    """Whether the mail also holds orders.

    Then a few words ask for nothing, unless a known phrase does.
    """
    role: Role | None = None
    """None if the role is unknown; then a sentence means what its words say."""
    open_games: Mapping[str, frozenset[Power]] = field(default_factory=dict, hash=False)
    """For a stranger: game to join → its free powers."""
    budget: Budget = field(default_factory=unbounded, compare=False, repr=False)
    """How much work reading the mail may still cost."""

    @cached_property
    def lexicon(self) -> Lexicon:
        """The words of these languages, with the names of the map."""
        return load_lexicon(self.map.name, self.tongues)

    @cached_property
    def board(self) -> Position:
        """The position, or the starting position of the map if there is none."""
        return self.position or self.map.start()

    @cached_property
    def referee(self) -> Referee:
        """Judges whether single orders are legal."""
        if self.unseen:
            return GuessingReferee(self.map, self.board, self.options, self.circumstances, self.unseen)
        return Referee(self.map, self.board, self.options, self.circumstances)


def own_units(context: Context) -> list[Unit]:
    """Return the sender's units, sorted for each power."""
    return [unit for power in context.powers for unit in context.board.units_of(power)]


def open_builds(context: Context) -> int:
    """Return how many builds the sender still has to make or waive."""
    if context.board.phase.kind is not PhaseKind.ADJUSTMENT:
        return 0
    return sum(max(0, adjustment_due(context.board, power)) for power in context.powers)
