"""Orders to a unit or power: one closed set for each kind of phase."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, TypeAlias

from judge.rules.position import Location, Province, Unit, province_of
from judge.rules.values import value


@value
class Hold:
    """The unit stays where it is."""

    unit: Unit
    text: str = field(init=False, repr=False, compare=False)
    """The order in strict notation; computed once, because it is read very often.

    All order classes do this.
    """

    def __post_init__(self) -> None:
        """Compute the notation."""
        object.__setattr__(self, "text", f"{self.unit.text} H")


@value
class Move:
    """The unit moves to `to`; only by convoy if `by_convoy`."""

    unit: Unit
    to: Location
    by_convoy: bool = False
    goal: Province = field(init=False, repr=False, compare=False)
    """The province `to` lies in; computed once, like that of a unit."""
    text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the goal and the notation."""
        object.__setattr__(self, "goal", province_of(self.to))
        object.__setattr__(self, "text", f"{self.unit.text} - {self.to}{' VIA' if self.by_convoy else ''}")


@value
class Support:
    """The unit supports the move of `supported` to `to`, or its hold if None."""

    unit: Unit
    supported: Unit
    to: Location | None = None
    target: Province = field(init=False, repr=False, compare=False)
    """The province supported into: the goal of the move, or the supported unit's."""
    text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the target and the notation."""
        helped = f"{self.unit.text} S {self.supported.text}"
        object.__setattr__(self, "target", self.supported.province if self.to is None else province_of(self.to))
        object.__setattr__(self, "text", helped if self.to is None else f"{helped} - {self.to}")


@value
class Convoy:
    """The fleet carries `army` to `to`."""

    unit: Unit
    army: Unit
    to: Location
    text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the notation."""
        object.__setattr__(self, "text", f"{self.unit.text} C {self.army.text} - {self.to}")


@value
class Retreat:
    """The dislodged unit retreats to `to`."""

    unit: Unit
    to: Location
    text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the notation."""
        object.__setattr__(self, "text", f"{self.unit.text} R {self.to}")


@value
class Disband:
    """The unit leaves the board: instead of a retreat, or removed in an adjustment phase."""

    unit: Unit
    text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the notation."""
        object.__setattr__(self, "text", f"{self.unit.text} D")


@value
class Build:
    """A new unit is built."""

    unit: Unit
    text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the notation."""
        object.__setattr__(self, "text", f"{self.unit.text} B")


@value
class Waive:
    """The power gives up one build."""

    text: ClassVar[str] = "WAIVE"


MovementOrder: TypeAlias = Hold | Move | Support | Convoy
RetreatOrder: TypeAlias = Retreat | Disband
AdjustmentOrder: TypeAlias = Build | Disband | Waive
Order: TypeAlias = MovementOrder | RetreatOrder | AdjustmentOrder
