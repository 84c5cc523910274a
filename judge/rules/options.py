"""Every choice the rule sources leave open, one enum each, and profiles of choices.

A profile is a value; `dataclasses.replace` changes single options. Paragraphs in brackets
name the source: 000 the translated rule book, 001 the web game, 002 the 22 rules of the 4th edition,
003 and 004 the house rules of two clubs; DATC is the list of adjudicator test cases. `docs/rules.md` has
what they say in our own words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, Self, get_type_hints

from judge.errors import NotationError, quoted

# Movement


class ConvoyMultiRoute(StrEnum):
    """What happens to a convoy when one of several routes breaks (DATC 4.A.1)."""

    ONE_ROUTE_SUFFICES = "one-route-suffices"
    """001 P4D fig.22; 002 r20."""
    EVERY_ROUTE_NEEDED = "every-route-needed"
    """000[12-4], Ex.12."""


class ConvoyParadox(StrEnum):
    """Whether a convoyed army cuts support for an attack on its convoy (DATC 4.A.2)."""

    SZYKMAN = "szykman"
    """It can; in a paradox, the convoys of the paradox fail and nothing else."""
    NECESSARY_FLEET = "necessary-fleet"
    """It cannot if the attacked fleet is needed: no other route holds.

    001 P4D fig.24; 002 r21, r22.
    """
    ANY_CONVOYING_FLEET = "any-convoying-fleet"
    """It cannot, whichever of its fleets is attacked (000[12-5], Ex.13)."""


class ConvoyIntent(StrEnum):
    """When an army that could walk to a neighbor goes by convoy (DATC 4.A.3)."""

    INTENT = "intent"
    """If it says VIA, or its power has a possible order to convoy.

    Rulebooks from 1982.
    """
    IMPLICIT = "implicit"
    """If any fleets are ordered to carry it (000[14-5]; 002 r19)."""
    EXPLICIT = "explicit"
    """Only if it says VIA (001 P4B)."""


class ViaRequired(StrEnum):
    """Whether an army must say VIA where it could not walk."""

    NO = "no"
    """It goes by convoy, the only possible way (000[12-1]; 002 r17)."""
    YES = "yes"
    """Its order is illegal without VIA (001 P4B, P4D, read literally)."""


class ConvoyFallback(StrEnum):
    """What an army does when its convoy to a neighbor fails (DATC 4.A.3)."""

    NONE = "none"
    """It stays (000[12-3]; 001 P4D; 002 r17)."""
    LAND = "land"
    """It walks, as is the custom of several judges."""


class HoldSupportOfFailedMove(StrEnum):
    """Whether hold support counts for a unit whose move failed."""

    VOID = "void"
    """000[9-6]; 002 r8."""
    COUNTS = "counts"
    """It counts, but not against a head-on opponent (001 P4C fig.18)."""
    COUNTS_HEAD_ON_TOO = "counts-head-on-too"
    """It goes home and holds there, against a head-on opponent, too.

    001 P4B, fig.17, fig.18; inferred for head-on battles.
    """


class SupportOfNonholding(StrEnum):
    """Which units that do not move can be supported to hold."""

    ANY_UNMOVED_UNIT = "any-unmoved-unit"
    """Supporting and convoying ones too (000[9-6]; 002 r8)."""
    HOLDS_AND_MOVES_ONLY = "holds-and-moves-only"
    """003 §8.1, §8.2 taken alone."""
    HOLDS_MOVES_AND_CUT_SUPPORTS = "holds-moves-and-cut-supports"
    """Also one whose support was cut without dislodging it: it then holds.

    003 §7.1, §8.2, §9.
    """


class OwnAttackCutsSupport(StrEnum):
    """Whether an attack by the supporter's own power cuts the support."""

    NO = "no"
    """000[9-6]; 002 r16."""
    YES = "yes"
    """A table may play this where the source is silent (001, 003, 004)."""


class SupportCutFromTarget(StrEnum):
    """Whether an attack from the province supported into cuts support without dislodging."""

    NO = "no"
    """000[10] Ex.8; 001 fig.16; 002 r13; 003 §9."""
    YES = "yes"
    """003 §7.1 taken alone."""


class SupportConversion(StrEnum):
    """Whether support for attacking a unit of one's power becomes hold support for it.

    This concerns units that stay.
    """

    NONE = "none"
    """000[9-3] Ex.2; 001 fig.18; 002 r12."""
    OWN_MOVES = "own-moves"
    """Only if the move is the power's own (003 §6.3, by its examples)."""
    ALL = "all"
    """Also for foreign moves (003 §6.3, by its sentence)."""


class DefensePoints(StrEnum):
    """How strongly a unit that stays defends itself."""

    EQUAL = "equal"
    """With 1 each; a tie keeps the attacker out."""
    POINTS = "points"
    """Hold 1.5, convoy 1; only a smaller attacker is kept out.

    A tie dislodges a convoying fleet (003 §7.1).
    """


class CoastRequired(StrEnum):
    """Whether a fleet must name the coast it goes to (DATC 4.B.1, 4.B.2)."""

    WHEN_AMBIGUOUS = "when-ambiguous"
    """001 P4B."""
    ALWAYS = "always"
    """000[7-3b]; 003 §6.4b."""


class Misspelling(StrEnum):
    """What happens to a misspelled name in a mail."""

    ASK = "ask"
    """The reply asks, naming what may be meant.

    000[7-4]: an order with two meanings is not followed.
    """
    FOLLOW_IF_UNIQUE = "follow-if-unique"
    """It is followed if exactly one legal order is one slip away (000[7-4])."""


# Retreats


class SingleSpaceRetreat(StrEnum):
    """What happens to dislodged units whose only retreat is the same province."""

    PLAIN = "plain"
    """A unit without an order is disbanded (001 P5)."""
    STRICT = "strict"
    """All are disbanded, unless one goes there and the others disband as ordered (000[11-2])."""


class RetreatToConvoyOrigin(StrEnum):
    """Whether the province a convoyed attacker came from is open to the retreat (DATC 4.A.5)."""

    YES = "yes"
    """Rulebook 2023."""
    NO = "no"
    """No source makes this exception."""


# Ownership and adjustments


class OwnershipSeason(StrEnum):
    """When the units standing on centers take them."""

    AUTUMN = "autumn"
    """000[13-1]; 001 P3, P5; 003 §12; 004."""
    SPRING_TOO = "spring-too"
    """004, as a house rule."""


class AdjustmentSeason(StrEnum):
    """When units are adjusted to the number of centers."""

    AUTUMN = "autumn"
    """000[13-2]; 001 P5; 003 §12; 004."""
    SPRING_TOO = "spring-too"
    """004, as a house rule."""


class DeclineOwnership(StrEnum):
    """Whether a power may decline a center it would take."""

    NO = "no"
    """000[13-1]; 001 P3: a unit on a center takes it."""
    YES = "yes"
    """004, by a message to the master."""


class BuildsWaivable(StrEnum):
    """Whether a power may build less than it could."""

    YES = "yes"
    """001 P5; 003 §12; 004."""
    NO = "no"
    """000[13-2], read literally: units must match the number of centers."""


class VoluntaryRemoval(StrEnum):
    """Whether a power may remove units it could keep."""

    NO = "no"
    """004."""
    YES = "yes"
    """001 P5, which leaves it open."""


class DefaultRemoval(StrEnum):
    """Which units are removed when a power does not choose (DATC 4.D.8)."""

    OWNED_DISTANCE_FLEET_ALPHA = "owned-distance-fleet-alpha"
    """Farthest from its owned centers first, then fleets, then by name.

    The distance is to the nearest center; fleets go before armies (rulebook 2023).
    """
    ROUTE_FLEET_ALPHA = "route-fleet-alpha"
    """Farthest from its home centers by the unit's own routes, then fleets, then by name.

    The distance is to the nearest home center (000[14-4]).
    """
    DISTANCE_FLEET_ALPHA = "distance-fleet-alpha"
    """The same, measured over all borders, even those the unit cannot cross."""
    ABROAD_NONCENTER_FLEET_ALPHA = "abroad-noncenter-fleet-alpha"
    """Abroad first, then at home outside centers, then fleets, then by name (001 P5)."""


class CivilDisorder(StrEnum):
    """What a power in civil disorder can still do."""

    HOLD_ONLY = "hold-only"
    """Its units hold without orders; it retreats and builds as ordered.

    001 P4A, P5.
    """
    DISORDER = "disorder"
    """Its units hold, dislodged ones are disbanded, nothing is built (000[14-3])."""


class Elimination(StrEnum):
    """When a power is eliminated."""

    NONE_STATED = "none-stated"
    """When it has neither units nor centers."""
    NO_UNITS_AFTER_ADJUSTMENT = "no-units-after-adjustment"
    """When it has no unit after the adjustments of the year, whatever it owns (004)."""
    NO_UNITS_NO_HOME = "no-units-no-home"
    """The same; and in spring if it owns no home center to build in.

    004, read literally.
    """


# The end of a game


class _Renamed(StrEnum):
    """An option whose values were once named for the standard board.

    The former names can still be read.
    """

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        named = _FORMER_VALUES.get(value) if isinstance(value, str) else None
        return next((one for one in cls if one.value == named), None)


_FORMER_VALUES = {"18-centers": "centers", "24-units": "units", "armistice-23": "armistice"}


class VictoryMeasure(_Renamed):
    """What wins."""

    CENTERS = "centers"
    """Enough centers of one power, as the board says (000[2]; 001 P3; 003 §1)."""
    UNITS = "units"
    """Enough units over all powers of a player, as the board says (000[14-2]).

    This is the game for two.
    """


class DrawRule(_Renamed):
    """Which players must agree to end a game in a draw."""

    UNANIMOUS = "unanimous"
    """All with units; they share the draw (000[2])."""
    ARMISTICE = "armistice"
    """Players who together own enough centers, as the board says (001 P3)."""


# The course of a game, for the room that runs it


class PressPhases(StrEnum):
    """When players may write to each other."""

    DIPLOMACY_ONLY = "diplomacy-only"
    """000[11-1], [13-2]; 003 §2; 004."""
    NOT_IN_RETREATS = "not-in-retreats"
    """001 P5."""


class CountryAssignment(StrEnum):
    """How powers are assigned to players."""

    LOT = "lot"
    """000[1]; 001 P1 calls it random."""
    FIRST_CHOICE = "first-choice"
    """001 P1: first wishes first; equal wishes are drawn by lot.

    A wish that only one player has is granted. Then come the second wishes, and so on.
    """
    FIRST_CHOICE_THEN_LOT = "first-choice-then-lot"
    """001 P1, read literally: only one wish counts.

    A player who loses it draws one of the powers left over.
    """
    REGISTRATION_ORDER = "registration-order"
    """001 P1: first come, first served."""


class TurnWord(StrEnum):
    """What the word "turn" means in reports."""

    HALF_YEAR = "half-year"
    """000, 003, 004."""
    YEAR = "year"
    """001 P5."""


class UpdateType(StrEnum):
    """When a phase closes (001 P5). No profile sets it."""

    SCHEDULED_OR_ON_COMPLETION = "scheduled-or-on-completion"
    """R-UPD-5 定時完了併用更新: at the deadline or when all are done. The default.

    Left-over time is lost.
    """
    SCHEDULED = "scheduled"
    """R-UPD-1 定時更新: at the deadline."""
    ON_COMPLETION = "on-completion"
    """R-UPD-2 完了更新: when all are done."""
    SCHEDULED_WITH_EARLY_MINOR_PHASES = "scheduled-with-early-minor-phases"
    """R-UPD-3 撤退調整完了制: diplomacy at the deadline, other phases also when all are done."""
    MANUAL = "manual"
    """R-UPD-4 手動更新: when the master says so."""


class SkippedTime(StrEnum):
    """What happens to the time of a phase that has nothing to decide.

    This concerns retreat and adjustment phases.
    """

    HANDED_ON = "handed-on"
    """R-UPD-3 adds all of it to the next movement phase (001 P5).

    The phase counts as one that closes at once.
    """
    LOST = "lost"
    """Only time left over by an open phase is added (001 P5).

    A phase that never opens leaves none over.
    """


class ReadyNeeded(StrEnum):
    """Which players' READY closes a phase early."""

    DECIDING = "deciding"
    """The players with something to decide in the phase."""
    LIVING = "living"
    """The players of all powers not eliminated (R-UPD-2, 001 P5 read literally)."""


class Fog(StrEnum):
    """What a power sees of the board. No profile sets it."""

    NONE = "none"
    """Everything."""
    ADJACENT = "adjacent"
    """R-FOG-1: its own units and centers, and what stands in or next to them."""
    OWN = "own"
    """R-FOG-1: its own units and centers."""

    @property
    def is_thick(self) -> bool:
        """Whether anything is hidden."""
        return self is not Fog.NONE


@dataclass(frozen=True, slots=True)
class Options:
    """One value for every choice; the defaults are the profile `standard`.

    They follow the preferences of DATC 3.2.
    """

    convoy_multi_route: ConvoyMultiRoute = ConvoyMultiRoute.ONE_ROUTE_SUFFICES
    convoy_paradox: ConvoyParadox = ConvoyParadox.SZYKMAN
    convoy_intent: ConvoyIntent = ConvoyIntent.INTENT
    via_required: ViaRequired = ViaRequired.NO
    convoy_fallback: ConvoyFallback = ConvoyFallback.NONE
    hold_support_of_failed_move: HoldSupportOfFailedMove = HoldSupportOfFailedMove.VOID
    support_of_nonholding: SupportOfNonholding = SupportOfNonholding.ANY_UNMOVED_UNIT
    own_attack_cuts_support: OwnAttackCutsSupport = OwnAttackCutsSupport.NO
    support_cut_from_target: SupportCutFromTarget = SupportCutFromTarget.NO
    support_conversion: SupportConversion = SupportConversion.NONE
    defense_points: DefensePoints = DefensePoints.EQUAL
    coast_required: CoastRequired = CoastRequired.WHEN_AMBIGUOUS
    misspelling: Misspelling = Misspelling.ASK
    single_space_retreat: SingleSpaceRetreat = SingleSpaceRetreat.PLAIN
    retreat_to_convoy_origin: RetreatToConvoyOrigin = RetreatToConvoyOrigin.YES
    ownership_season: OwnershipSeason = OwnershipSeason.AUTUMN
    adjustment_season: AdjustmentSeason = AdjustmentSeason.AUTUMN
    decline_ownership: DeclineOwnership = DeclineOwnership.NO
    builds_waivable: BuildsWaivable = BuildsWaivable.YES
    voluntary_removal: VoluntaryRemoval = VoluntaryRemoval.NO
    default_removal: DefaultRemoval = DefaultRemoval.OWNED_DISTANCE_FLEET_ALPHA
    civil_disorder: CivilDisorder = CivilDisorder.HOLD_ONLY
    elimination: Elimination = Elimination.NONE_STATED
    victory_measure: VictoryMeasure = VictoryMeasure.CENTERS
    draw_rule: DrawRule = DrawRule.UNANIMOUS
    short_game: int | None = None
    """The last year of a short game (000[3]); None plays on.

    After it, the player with most units wins.
    """
    press_phases: PressPhases = PressPhases.DIPLOMACY_ONLY
    country_assignment: CountryAssignment = CountryAssignment.LOT
    turn_word: TurnWord = TurnWord.HALF_YEAR
    update_type: UpdateType = UpdateType.SCHEDULED_OR_ON_COMPLETION
    ready_needed: ReadyNeeded = ReadyNeeded.DECIDING
    skipped_time: SkippedTime = SkippedTime.HANDED_ON
    players: str = "7"
    """The name of the set-up in the board's folder (000[14-2])."""
    fog: Fog = Fog.NONE

    def __post_init__(self) -> None:
        """Raise NotationError for a value of another type."""
        for name, kind in option_kinds().items():
            value = getattr(self, name)
            if not isinstance(value, kind) or isinstance(value, bool):
                raise NotationError(f"{name} cannot be {quoted(value)}")


@cache
def option_kinds() -> Mapping[str, Any]:
    """Return option → its enum, or the type for `isinstance`."""
    return get_type_hints(Options)


STANDARD = Options()
"""What players expect today: the preferences of the DATC."""

RULEBOOK_1971 = Options(
    convoy_multi_route=ConvoyMultiRoute.EVERY_ROUTE_NEEDED,
    convoy_paradox=ConvoyParadox.ANY_CONVOYING_FLEET,
    convoy_intent=ConvoyIntent.IMPLICIT,
    coast_required=CoastRequired.ALWAYS,
    misspelling=Misspelling.FOLLOW_IF_UNIQUE,
    single_space_retreat=SingleSpaceRetreat.STRICT,
    retreat_to_convoy_origin=RetreatToConvoyOrigin.NO,
    default_removal=DefaultRemoval.ROUTE_FLEET_ALPHA,
    civil_disorder=CivilDisorder.DISORDER,
)
"""The rule book, main text (000)."""

SHINGEN = Options(
    convoy_paradox=ConvoyParadox.NECESSARY_FLEET,
    convoy_intent=ConvoyIntent.EXPLICIT,
    hold_support_of_failed_move=HoldSupportOfFailedMove.COUNTS_HEAD_ON_TOO,
    retreat_to_convoy_origin=RetreatToConvoyOrigin.NO,
    default_removal=DefaultRemoval.ABROAD_NONCENTER_FLEET_ALPHA,
    draw_rule=DrawRule.ARMISTICE,
    press_phases=PressPhases.NOT_IN_RETREATS,
    country_assignment=CountryAssignment.FIRST_CHOICE_THEN_LOT,
    turn_word=TurnWord.YEAR,
)
"""The web game (001)."""

AVALON_HILL_4TH = Options(
    convoy_paradox=ConvoyParadox.NECESSARY_FLEET,
    convoy_intent=ConvoyIntent.IMPLICIT,
    coast_required=CoastRequired.ALWAYS,
    retreat_to_convoy_origin=RetreatToConvoyOrigin.NO,
    default_removal=DefaultRemoval.ROUTE_FLEET_ALPHA,
    civil_disorder=CivilDisorder.DISORDER,
)
"""The 22 rules of the 4th edition (002) for movement; the rest are common values."""

SHIRIKYU = Options(
    convoy_paradox=ConvoyParadox.NECESSARY_FLEET,
    convoy_intent=ConvoyIntent.IMPLICIT,
    support_of_nonholding=SupportOfNonholding.HOLDS_MOVES_AND_CUT_SUPPORTS,
    support_conversion=SupportConversion.OWN_MOVES,
    defense_points=DefensePoints.POINTS,
    coast_required=CoastRequired.ALWAYS,
    retreat_to_convoy_origin=RetreatToConvoyOrigin.NO,
    default_removal=DefaultRemoval.ROUTE_FLEET_ALPHA,
    civil_disorder=CivilDisorder.DISORDER,
)
"""A club by post (003); `support_conversion=all` follows its sentence instead of its example."""

SHOFUKUSHA = Options(
    convoy_paradox=ConvoyParadox.NECESSARY_FLEET,
    convoy_intent=ConvoyIntent.IMPLICIT,
    coast_required=CoastRequired.ALWAYS,
    retreat_to_convoy_origin=RetreatToConvoyOrigin.NO,
    decline_ownership=DeclineOwnership.YES,
    default_removal=DefaultRemoval.ROUTE_FLEET_ALPHA,
    civil_disorder=CivilDisorder.DISORDER,
    elimination=Elimination.NO_UNITS_AFTER_ADJUSTMENT,
)
"""The adjustments of a club at the table (004); movement has the common values."""

PROFILES: Mapping[str, Options] = MappingProxyType(
    {
        "standard": STANDARD,
        "rulebook-1971": RULEBOOK_1971,
        "shingen": SHINGEN,
        "avalon-hill-4th": AVALON_HILL_4TH,
        "shirikyu": SHIRIKYU,
        "shofukusha": SHOFUKUSHA,
    }
)
"""The profiles by name."""
