"""Outcomes of orders, with reasons, as values; the sentences are in the templates.

Each outcome class has one word (`result`) for JSON Lines; a success has none.
They are msgspec structs because dozens are made in every phase: a dataclass takes three times as long.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar, TypeAlias

from msgspec import Struct

from judge.rules.options import DefaultRemoval
from judge.rules.orders import Order
from judge.rules.position import GameOver, Location, Phase, Position, Power, Province, Unit

RULES_REVISION = 4
"""Raised by every fix that changes a result."""

Strength: TypeAlias = int | float
"""A number of units, with a half where a source counts points.

Compiled code would turn whole numbers into fractions if this were `float` alone.
"""


class IllegalReason(StrEnum):
    """Why an order is not allowed, whatever others order (R-ORD-6)."""

    NO_SUCH_UNIT = "no-such-unit"
    FOREIGN_UNIT = "foreign-unit"
    NO_BORDER = "no-border"
    """No border this unit can cross leads there, and no convoy could."""
    COAST_NEEDED = "coast-needed"
    """A fleet could reach two coasts of the goal and none was named."""
    NO_SUCH_COAST = "no-such-coast"
    VIA_NEEDED = "via-needed"
    """Only a convoy leads there, and the order does not say VIA (R-CON-10)."""
    SAME_PROVINCE = "same-province"
    WRONG_KIND = "wrong-kind"
    """The named unit is of the other kind.

    For example an army that is ordered as a fleet, or a fleet that should be carried.
    """
    NOT_AT_SEA = "not-at-sea"
    """Only a fleet at sea can convoy."""
    NO_CONVOY_ROUTE = "no-convoy-route"
    """No chain of sea provinces with fleets could carry the army there."""
    OFF_ROUTE = "off-route"
    """A chain could carry the army there, but no chain needs this fleet."""
    CANNOT_SUPPORT_THERE = "cannot-support-there"
    """The supporter could not itself move to the province concerned."""
    SUPPORTED_CANNOT_GO = "supported-cannot-go"
    """The supported unit cannot do what is supported."""
    NEEDED_AS_CARRIER = "needed-as-carrier"
    """The supported army could get there only by a convoy of the supporter."""
    SUPPORTS_ITSELF = "supports-itself"
    ORDERED_TWICE = "ordered-twice"
    NOT_DISLODGED = "not-dislodged"
    RETREAT_CLOSED = "retreat-closed"
    """The retreat is occupied, contested, or where the attacker came from."""
    NOT_HOME_CENTER = "not-home-center"
    NOT_BUILD_CENTER = "not-build-center"
    """On a board where powers also build away from home."""
    CENTER_NOT_OWNED = "center-not-owned"
    """The home center is unowned or owned by another power."""
    CENTER_OCCUPIED = "center-occupied"
    CANNOT_STAND = "cannot-stand"
    """A unit of this kind can never stand there: a fleet in Paris."""
    NO_BUILD_LEFT = "no-build-left"
    NO_REMOVAL_DUE = "no-removal-due"
    REMOVAL_DUE = "removal-due"
    """The power must remove units and cannot build."""
    WRONG_PHASE = "wrong-phase"
    CLOSED_PROVINCE = "closed-province"
    UNPLAYED_POWER = "unplayed-power"
    CIVIL_DISORDER = "civil-disorder"
    WAIVING_FORBIDDEN = "waiving-forbidden"


class Illegal(Struct, frozen=True, gc=False):
    """Not allowed whatever others order; the unit holds."""

    reason: IllegalReason
    at: Location | None = None
    """The province or coast the reason speaks of, where there is one."""
    other: Unit | None = None
    """The unit the reason speaks of, where there is one."""
    owner: Power | None = None
    """The owner of the center the reason speaks of, or None.

    For a build where removals are due: the power that must remove.
    """
    result: ClassVar[str] = "void"


class Unmatched(Struct, frozen=True, gc=False):
    """A legal support or convoy that fits no order of the other unit."""

    other: Unit
    instead: Order | None
    """What the other unit was told instead; None if it had no order."""
    result: ClassVar[str] = "void"


class Bounced(Struct, frozen=True, gc=False):
    """The move did not get in."""

    at: Province
    by: tuple[Unit, ...]
    """The units in the way: rivals, the unit in the province, or a head-on opponent."""
    strength: Strength
    against: Strength
    """The greatest opposing strength; may have a half where a source counts points."""
    own_unit: bool = False
    """The move or its support does not count against its own power's unit (R-SELF)."""
    result: ClassVar[str] = "bounce"


class Cut(Struct, frozen=True, gc=False):
    """The support was cut."""

    by: Unit
    result: ClassVar[str] = "cut"


class NotCarried(Struct, frozen=True, gc=False):
    """The army needed a convoy, and no fleet was told to carry it."""

    result: ClassVar[str] = "void"


class NoConvoy(Struct, frozen=True, gc=False):
    """The fleets told to carry the army form no chain to its goal."""

    fleets: tuple[Unit, ...]
    result: ClassVar[str] = "no convoy"


class Disrupted(Struct, frozen=True, gc=False):
    """The chain of fleets was broken."""

    fleets: tuple[Unit, ...]
    """The dislodged fleets of the chain; empty if the convoy stopped itself in a paradox."""
    result: ClassVar[str] = "disrupted"


class Dislodged(Struct, frozen=True, gc=False):
    """The unit lost its province."""

    by: Unit
    attacked_from: Province
    strength: Strength
    against: Strength
    result: ClassVar[str] = "dislodged"


class DestroyedReason(StrEnum):
    """Why a dislodged unit left the board."""

    NOWHERE = "nowhere"
    NO_ORDER = "no-order"
    VOID_ORDER = "void-order"
    """No order for it was legal."""
    CLASH = "clash"
    """Others retreated to the same province (R-RET-3)."""
    SINGLE_SPACE = "single-space"
    """Others had the same only place to go, and were not told to disband (R-RET-5)."""
    LEADERLESS = "leaderless"
    """Its power is unplayed or in civil disorder (R-NMR-1, R-MULTI-1)."""


class Destroyed(Struct, frozen=True, gc=False):
    """A dislodged unit left the board without being told to."""

    reason: DestroyedReason
    clashed_with: tuple[Unit, ...] = ()
    result: ClassVar[str] = "disband"


class ByRule(Struct, frozen=True, gc=False):
    """Why one unit was removed by rule and another kept (R-ADJ-10)."""

    unit: Unit
    measured: DefaultRemoval
    spaces: int | None
    """How far the unit stands, by the option `measured`; None if no way leads there.

    For `abroad-noncenter-fleet-alpha`: None is abroad, 1 the home country outside its centers, 0 a home center.
    """
    kept: Unit | None
    """The unit that would have gone next; None if all went."""
    kept_spaces: int | None


class Unexplained(Struct, frozen=True, gc=False):
    """A result without its reason, which may reveal units out of sight in fog (R-FOG-3)."""

    result: str


Outcome: TypeAlias = (
    Illegal | Unmatched | Bounced | Cut | NotCarried | NoConvoy | Disrupted | Dislodged | Destroyed | Unexplained
)
Reason: TypeAlias = Outcome | ByRule


class Verdict(Struct, frozen=True, gc=False):
    """One order and its outcomes; no outcomes means that it succeeded."""

    power: Power
    order: Order
    outcomes: tuple[Outcome, ...] = ()
    given: bool = True
    """False for holds of units without an order, and for removals by rule."""
    by_rule: ByRule | None = None
    """Why this unit was removed by rule."""

    @property
    def results(self) -> tuple[str, ...]:
        """The result words, in order."""
        return tuple(outcome.result for outcome in self.outcomes)

    @property
    def succeeded(self) -> bool:
        """Whether the order did what it says."""
        return not self.outcomes

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The reasons: the outcomes, and why a unit was removed by rule."""
        return self.outcomes if self.by_rule is None else (*self.outcomes, self.by_rule)


class Adjustment(Struct, frozen=True, gc=False):
    """What a power has to decide in the next adjustment phase."""

    count: int
    """Builds if positive, removals if negative."""
    options: tuple[Order, ...]
    """Every legal build, or every unit that may be removed."""


class Resolution(Struct, frozen=True, gc=False):
    """An adjudicated phase: every order with its outcome, and the next position."""

    phase: Phase
    verdicts: tuple[Verdict, ...]
    """Every order given, then the holds and removals that were not ordered."""
    position: Position
    """The position after the phase.

    Its `phase` is the next one, or the last one played if the game is over.
    """
    over: GameOver | None = None
    winner: Power | None = None
    winning_player: str | None = None
    """The winning player, where a player's powers are counted together."""
    winning_powers: tuple[Power, ...] = ()
    """The powers of that player, except unplayed ones."""
    eliminated: tuple[Power, ...] = ()
    """Powers that went out in this phase."""
    contested: frozenset[Province] = frozenset()
    """The provinces a standoff of this phase left empty."""
    adjustments: Mapping[Power, Adjustment] = {}
    """Filled when an adjustment phase is next."""
    before: Position | None = None
    """The position that was adjudicated."""


def is_standoff(outcome: Reason) -> bool:
    """Whether a move bounced off others of equal strength, none of which stood there."""
    if not isinstance(outcome, Bounced) or outcome.strength != outcome.against:
        return False
    return all(unit.province != outcome.at for unit in outcome.by)
