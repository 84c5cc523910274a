"""People who write orders, each with habits of their own.

They serve whole mails, fuzzing and the benchmark.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from judge.names import names_on
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from judge.rules.position import Location, Unit, UnitKind, province_of


@cache
def _names(board: str) -> Mapping[str, Mapping[str, list[str]]]:
    """Return the names of the places of a board by language.

    Where a language lacks names, the English ones are used.
    """
    return {
        code: {"ja": words["en"], "de": words["en"]} | words for code, words in names_on(board)["provinces"].items()
    }


def _coast(place: Location) -> str:
    return place.partition("/")[2]


Forms: TypeAlias = Mapping[str, list[str]]
"""Kind of phrase → its possible forms."""


@cache
def _forms() -> Mapping[str, Forms]:
    return tomllib.loads((Path(__file__).parent / "language" / "habits.toml").read_text("utf-8"))


@dataclass(frozen=True)
class Writer:
    """A writer with habits, which stay the same for a whole mail."""

    chance: Random
    forms: Forms
    name: Callable[[Unit | Location], str]
    """Returns the writer's name for a unit or a place."""
    fickle: bool = False
    """Whether the writer chooses anew for every order."""
    kinds: Mapping[UnitKind, str] = field(default_factory=lambda: {UnitKind.ARMY: "陸軍", UnitKind.FLEET: "海軍"})
    prepositions: Callable[[str, Location], str] = lambda _, place: str(place)
    """Returns a place with the word for `to` or `in` before it.

    It matters in languages with several such words.
    """
    chosen: dict[str, str] = field(default_factory=dict)

    def write(self, order: Order) -> str:
        """Return the order in the writer's words."""
        match order:
            case Hold(unit):
                return self._say("hold", unit)
            case Move(unit, to, by_convoy):
                return self._say("via" if by_convoy else "move", unit, None, to)
            case Support(unit, supported, None):
                return self._say("support hold", unit, supported)
            case Support(unit, supported, to):
                return self._say("support", unit, supported, to)
            case Convoy(unit, army, to):
                return self._say("convoy", unit, army, to)
            case Retreat(unit, to):
                return self._say("retreat", unit, None, to)
            case Disband(unit):
                return self._say("disband", unit)
            case Build(unit):
                return self._say("build", unit)
            case Waive():
                return self._say("waive")

    def _say(self, what: str, unit: Unit | None = None, other: Unit | None = None, to: Location | None = None) -> str:
        if self.fickle or what not in self.chosen:
            self.chosen[what] = self.chance.choice(self.forms[what])
        return self.chosen[what].format(
            u=self.name(unit) if unit else "",
            o=self.name(other) if other else "",
            g=self.name(to) if to else "",
            p=self.name(unit.location) if unit else "",
            k=self.kinds[unit.kind] if unit else "",
            t=self.prepositions("to", to) if to else "",
            i=self.prepositions("in", unit.location) if unit else "",
        )


def in_codes(chance: Random, *, fickle: bool = False, board: str = "standard") -> Writer:
    """Write `A Par - Bur`, in capitals or not, with the unit's letter."""
    case = chance.choice([str.title, str.title, str.upper, str.lower])
    variant = chance.random() < 0.5
    coast = chance.choice(["/{}", "({})", " {}", "/{}"])
    letter = chance.choice(["A ", "A ", "A ", "a "])

    def name(what: Unit | Location) -> str:
        if isinstance(what, Unit):
            sign = letter if what.kind is UnitKind.ARMY else letter.replace("A", "F").replace("a", "f")
            return sign + name(what.location)
        codes = _names(board)[province_of(what)]["codes"]
        code = case(codes[-1] if variant and len(codes[-1]) == 3 else codes[0])
        return code + (coast.format(_coast(what).lower()) if _coast(what) else "")

    return Writer(chance, _forms()["codes"], name, fickle)


def in_english(chance: Random, *, fickle: bool = False, board: str = "standard") -> Writer:
    """Write `Army Paris moves to Burgundy`."""
    of = chance.choice(["Army {}", "Army {}", "army {}", "{} army", "the army in {}", "Army in {}"])
    various = chance.random() < 0.3
    coast = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}

    def name(what: Unit | Location) -> str:
        if isinstance(what, Unit):
            kind = of if what.kind is UnitKind.ARMY else of.replace("rmy", "leet").replace("A", "F").replace("a", "f")
            kind = kind.replace("fleet in", "fleet in the") if _is_wet(what.location, board) else kind
            return kind.format(name(what.location))
        names = _names(board)[province_of(what)]["en"]
        place = chance.choice(names) if various else names[0]
        return place + (f" ({coast[_coast(what)]})" if _coast(what) else "")

    return Writer(chance, _forms()["english"], name, fickle)


def _is_wet(place: Location, board: str) -> bool:
    return any(word in _names(board)[province_of(place)]["en"][0] for word in ("Sea", "Ocean", "Channel", "Gulf"))


def in_japanese(chance: Random, *, fickle: bool = False, board: str = "standard") -> Writer:
    """Write `パリ陸軍をブルゴーニュへ移動`."""
    of = chance.choice(["{}陸軍", "{}陸軍", "{}陸軍", "{}の陸軍", "陸軍{}", "{}（陸軍）"])
    various = chance.random() < 0.4
    coast = {"NC": "北岸", "SC": "南岸", "EC": "東岸", "WC": "西岸"}

    def name(what: Unit | Location) -> str:
        if isinstance(what, Unit):
            kind = of if what.kind is UnitKind.ARMY else of.replace("陸軍", "海軍")
            return kind.format(name(what.location))
        names = _names(board)[province_of(what)]["ja"]
        return (chance.choice(names) if various else names[0]) + (coast[_coast(what)] if _coast(what) else "")

    return Writer(chance, _forms()["japanese"], name, fickle)


_FEMININE = frozenset(("ADR", "AEG", "BAL", "BAR", "GAS", "HEL", "IRI", "NTH", "NWG", "PIC", "TUS", "UKR"))
_NEUTER = frozenset(("BLA", "EAS", "ION", "RUH", "TYS", "WES"))
_MASCULINE = frozenset(("BOT", "ENG", "LYO", "MAO", "NAO", "SKA"))
_GENDERS = ((_FEMININE, "in die", "in der"), (_NEUTER, "ins", "im"), (_MASCULINE, "in den", "im"))
"""Provinces whose German names have an article, with words for `to` and `in`."""


def in_german(chance: Random, *, fickle: bool = False, board: str = "standard") -> Writer:
    """Write `Armee Paris zieht nach Burgund`, `Flotte London in die Nordsee`."""
    of = chance.choice(["Armee {}", "Armee {}", "A {}", "die Armee {in}", "Armee {in}", "meine Armee {in}"])
    various = chance.random() < 0.3
    plain = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})
    has_umlauts = chance.random() < 0.9
    coast = {"NC": "Nordküste", "SC": "Südküste", "EC": "Ostküste", "WC": "Westküste"}

    def spelled(text: str) -> str:
        return text if has_umlauts else text.translate(plain)

    def name(what: Unit | Location) -> str:
        if isinstance(what, Unit):
            kind = of if what.kind is UnitKind.ARMY else of.replace("Armee", "Flotte").replace("A ", "F ")
            return kind.replace("{in}", with_preposition("in", what.location)).replace("{}", name(what.location))
        names = _names(board)[province_of(what)]["de"]
        place = chance.choice(names) if various else names[0]
        return spelled(place + (f" ({coast[_coast(what)]})" if _coast(what) else ""))

    def with_preposition(kind: str, place: Location) -> str:
        code = province_of(place)
        found = next((row for row in _GENDERS if code in row[0]), None)
        named = _names(board)[code]["de"][0]
        if found is None:
            return f"{'nach' if kind == 'to' else 'in'} {name(place)}"
        first, _, rest = named.partition(" ")
        if rest and not rest.startswith("von"):
            ends = "e" if kind == "to" and code not in _MASCULINE else "en"
            first = first.removesuffix("es").removesuffix("er") if first[-2:] in ("es", "er") else first
            named = f"{first.removesuffix('e')}{ends} {rest}" if code != "HEL" else named
        return spelled(f"{found[1] if kind == 'to' else found[2]} {named}")

    kinds = {UnitKind.ARMY: "Armee", UnitKind.FLEET: "Flotte"}
    return Writer(chance, _forms()["german"], name, fickle, kinds, with_preposition)


WRITERS: Mapping[str, tuple[Callable[..., Writer], ...]] = {
    "en": (in_codes, in_codes, in_english),
    "ja": (in_japanese, in_japanese, in_japanese, in_codes),
}
"""Language → its writers; people who write Japanese often give the codes."""


class _Steady(Random):
    """A random generator that always takes the first choice."""

    def choice(self, seq: Any) -> Any:
        return seq[0]

    def random(self) -> float:
        return 1.0


def plain_writer(language: str) -> Writer:
    """Return a writer who writes like the examples: `A Par - Bur`, `パリ陸軍をブルゴーニュへ移動`."""
    return WRITERS[language][0](_Steady(0))
