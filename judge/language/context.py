"""What is known about a mail before its lines are read."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from judge.budget import Budget, unbounded
from judge.language.words import SHIPPED, Lexicon, Tongue, load_lexicon
from judge.rules.adjustments import adjustment_due
from judge.rules.circumstances import NORMAL, Circumstances
from judge.rules.legality import Referee
from judge.rules.map import Map
from judge.rules.options import STANDARD, Options
from judge.rules.position import PhaseKind, Position, Power, Unit


@dataclass(frozen=True)
class Context:
    """What is known about a mail before its lines are read."""

    map: Map
    position: Position | None = None
    """None where the mail is about no game: then the words alone decide."""
    powers: tuple[Power, ...] = ()
    """The powers the sender plays."""
    options: Options = STANDARD
    circumstances: Circumstances = NORMAL
    has_questions: bool = False
    """Whether the sender was asked about orders of his, and may answer."""
    names: tuple[str, ...] = ()
    """What the sender may sign with."""
    answers_report: bool = False
    """Whether the mail answers a report: to who has read it, the next phase is the one that is open."""
    tongues: tuple[Tongue, ...] = SHIPPED
    """In which orders may be written."""
    hears_sentences: bool = True
    """Whether people's own sentences are commands: they are not where words may be for somebody else."""
    budget: Budget = field(default_factory=unbounded, compare=False, repr=False)
    """What reading the mail may still cost."""

    @cached_property
    def lexicon(self) -> Lexicon:
        """The words of these tongues, with the names of the map."""
        return load_lexicon(self.map.name, self.tongues)

    @cached_property
    def board(self) -> Position:
        """The position, or the start of the map where there is none."""
        return self.position or self.map.start()

    @cached_property
    def referee(self) -> Referee:
        """Judges single orders."""
        return Referee(self.map, self.board, self.options, self.circumstances)


def own_units(context: Context) -> list[Unit]:
    """The sender's units, sorted."""
    return [unit for power in context.powers for unit in context.board.units_of(power)]


def open_builds(context: Context) -> int:
    """How many builds the sender has to make or to give up."""
    if context.board.phase.kind is not PhaseKind.ADJUSTMENT:
        return 0
    return sum(max(0, adjustment_due(context.board, power)) for power in context.powers)
