"""Every choice the rule sources leave open, one enum each, and the profiles that fix them.

A profile is a value; single options are changed with `dataclasses.replace`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class ConvoyIntent(StrEnum):
    """When an army that could walk to a neighbor goes by convoy (DATC 4.A.3)."""

    INTENT = "intent"
    """It says VIA, or a fleet of its own power has a possible order to convoy it (rulebooks from 1982)."""
    IMPLICIT = "implicit"
    """Any fleets ordered to carry it do so (rulebook 1971)."""
    EXPLICIT = "explicit"
    """Only if it says VIA."""


class CoastRequired(StrEnum):
    """Whether a fleet must name the coast it goes to (DATC 4.B.1, 4.B.2)."""

    WHEN_AMBIGUOUS = "when-ambiguous"
    ALWAYS = "always"


class OwnAttackCutsSupport(StrEnum):
    """Whether an attack by the supporter's own power cuts (000[9-6])."""

    NO = "no"
    YES = "yes"


class SupportCutFromTarget(StrEnum):
    """Whether an attack from the province supported into cuts without dislodging (000[10])."""

    NO = "no"
    YES = "yes"


class RetreatToConvoyOrigin(StrEnum):
    """Whether the province a convoyed attacker came from is open to the retreat (DATC 4.A.5)."""

    YES = "yes"
    NO = "no"


class BuildsWaivable(StrEnum):
    """Whether a power may build less than it could (001 P5)."""

    YES = "yes"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Options:
    """One value for every choice; the defaults are the profile `standard` (DATC 3.2 preferences)."""

    convoy_intent: ConvoyIntent = ConvoyIntent.INTENT
    coast_required: CoastRequired = CoastRequired.WHEN_AMBIGUOUS
    own_attack_cuts_support: OwnAttackCutsSupport = OwnAttackCutsSupport.NO
    support_cut_from_target: SupportCutFromTarget = SupportCutFromTarget.NO
    retreat_to_convoy_origin: RetreatToConvoyOrigin = RetreatToConvoyOrigin.YES
    builds_waivable: BuildsWaivable = BuildsWaivable.YES


STANDARD = Options()

PROFILES: Mapping[str, Options] = MappingProxyType({"standard": STANDARD})
"""The profiles by name."""
