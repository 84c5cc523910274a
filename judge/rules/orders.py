"""What a unit or power is told to do: one closed set of orders for each kind of phase."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, TypeAlias

from judge.rules.position import Location, Province, Unit, province_of
from judge.rules.values import value


@value
class Hold:
    """The unit is to stay."""

    unit: Unit
    text: str = field(init=False, repr=False, compare=False)
    """As it is written; made once, as it is asked for more often than orders are made. So for all orders."""

    def __post_init__(self) -> None:
        """Write it down."""
        object.__setattr__(self, "text", f"{self.unit.text} H")


@value
class Move:
    """The unit is to go to `to`; by convoy only, if `by_convoy`."""

    unit: Unit
    to: Location
    by_convoy: bool = False
    goal: Province = field(init=False, repr=False, compare=False)
    """The province `to` lies in; looked up once, like that of a unit."""
    text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Look the goal up."""
        object.__setattr__(self, "goal", province_of(self.to))
        object.__setattr__(self, "text", f"{self.unit.text} - {self.to}{' VIA' if self.by_convoy else ''}")


@value
class Support:
    """The unit is to support `supported` in going to `to`, or in staying where it is (None)."""

    unit: Unit
    supported: Unit
    to: Location | None = None
    target: Province = field(init=False, repr=False, compare=False)
    """The province the support is for: the goal of the move, or where the supported unit stands."""
    text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Look the target up."""
        helped = f"{self.unit.text} S {self.supported.text}"
        object.__setattr__(self, "target", self.supported.province if self.to is None else province_of(self.to))
        object.__setattr__(self, "text", helped if self.to is None else f"{helped} - {self.to}")


@value
class Convoy:
    """The fleet is to carry `army` to `to`."""

    unit: Unit
    army: Unit
    to: Location
    text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Write it down."""
        object.__setattr__(self, "text", f"{self.unit.text} C {self.army.text} - {self.to}")


@value
class Retreat:
    """The dislodged unit is to go to `to`."""

    unit: Unit
    to: Location
    text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Write it down."""
        object.__setattr__(self, "text", f"{self.unit.text} R {self.to}")


@value
class Disband:
    """The unit leaves the board: instead of a retreat, or removed in an adjustment phase."""

    unit: Unit
    text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Write it down."""
        object.__setattr__(self, "text", f"{self.unit.text} D")


@value
class Build:
    """A new unit is to appear."""

    unit: Unit
    text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Write it down."""
        object.__setattr__(self, "text", f"{self.unit.text} B")


@value
class Waive:
    """One build is given up."""

    text: ClassVar[str] = "WAIVE"


MovementOrder: TypeAlias = Hold | Move | Support | Convoy
RetreatOrder: TypeAlias = Retreat | Disband
AdjustmentOrder: TypeAlias = Build | Disband | Waive
Order: TypeAlias = MovementOrder | RetreatOrder | AdjustmentOrder
