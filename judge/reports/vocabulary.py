"""Names of places, powers, units and orders in a language, and outcomes in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from judge.languages import Language, said_in
from judge.names import names_on
from judge.reports.catalogs import Speech, catalog_of
from judge.reports.places import beside_its_name, power_anywhere, without_codes
from judge.rules.map import USUAL_BOARD, load_map
from judge.rules.notation import write_order
from judge.rules.orders import Order
from judge.rules.outcomes import ByRule, Illegal, Reason, is_standoff
from judge.rules.position import Location, Power, Unit, province_of

_FORMS = ("the", "to", "in", "from")
"""Forms of place and power names besides the bare name: in `the` North Sea.

Not every language has them.
"""
_MOST_ORDERS = 10_000
"""The most orders whose sentences are cached."""


class Vocabulary:
    """The names of one board in one language, and sentences about its orders.

    Names are shown as words or codes.
    """

    def __init__(self, language: Language, map_name: str, *, in_words: bool, has_codes: bool = False) -> None:
        self.language = language
        self.in_words = in_words
        self.has_codes = has_codes
        """Each place name brings the code shown on a map, for `codes_once`."""
        self.known_units: dict[Unit, str] = {}
        """Only units of the board, so it stays small."""
        self.known_blanks: dict[Unit, str] = {}
        self.known_places: dict[tuple[str, str], str] = {}
        self.known_orders: dict[Order, str] = {}
        self.names = names_on(map_name)
        self.power_names = {Power(key): str(said_in(names, language)[0]) for key, names in self.names["powers"].items()}
        self.map = load_map(map_name)
        self.speech = Speech(catalog_of(language.value), html=False)
        self.speech.forms = self.forms(self.speech)

    def say(self, name: str, *values: object) -> str:
        """Return one sentence, by the name of its form: `why`."""
        return str(self.speech.forms[name](*values))

    def forms(self, speech: Speech) -> dict[str, Callable[..., Any]]:
        """Return the forms in which messages show names, orders and outcomes, one or several."""
        return self.names_shown() | dict(self._lists(speech)) | dict(self._reasons(speech))

    def names_shown(self) -> dict[str, Callable[..., Any]]:
        """Return the forms in which names and orders are shown."""
        return {
            "place": self.place,
            **{form: partial(self.place, form=form) for form in _FORMS},
            "unit": self.unit,
            "power": self.power,
            "order": self.order,
            "named": self.named,
            "blank": self.blank,
        }

    def _lists(self, speech: Speech) -> Mapping[str, Callable[[Sequence[Any]], str]]:
        """Return functions that write several things as a list."""

        def join(shown: Sequence[str], last: str = "list-between") -> str:
            if len(shown) < 2:
                return shown[0] if shown else ""
            # Concatenated, not formatted: HTML stays HTML and is not escaped twice.
            return speech.message("list-between").join(shown[:-1]) + speech.message(last) + shown[-1]

        def quoted(order: str) -> str:
            return speech.message("order-quoted", it=order) if self.in_words else order

        def preferences(orders: Sequence[Order]) -> str:
            return speech.message("list-else").join([self.order(one) for one in orders])

        def plans(lists: Sequence[Sequence[Order]]) -> str:
            between = "list-plans" if any(len(one) > 1 for one in lists) else "list-between"
            return speech.message(between).join([quoted(preferences(one)) for one in lists])

        return {
            "preferences": preferences,
            "plans": plans,
            "powers": lambda several: join([self.power(one) for one in several]),
            "powers_the": lambda several: join([self.place(one, "the") for one in several]),
            "powers_the_and": lambda several: join([self.place(one, "the") for one in several], "list-and"),
            "powers_and": lambda several: join([self.power(one) for one in several], "list-and"),
            "powers_or": lambda several: join([self.power(one) for one in several], "list-or"),
            "places": lambda several: join([self.place(one) for one in several]),
            "places_and": lambda several: join([self.place(one) for one in several], "list-and"),
            "units": lambda several: join([self.named(one) for one in several], "list-and"),
            "codes": lambda several: join([quoted(self.order(one)) for one in several]),
            "quotes": lambda several: join([speech.message("quoted", it=one) for one in several]),
            "texts": join,
            "texts_and": lambda several: join(several, "list-and"),
            "numbers": lambda several: join([str(one) for one in several]),
            "either": lambda several: join(several, "list-or"),
            "lines": lambda several: str(speech.message("lines-between")).join(several),
        }

    def _reasons(self, speech: Speech) -> Mapping[str, Callable[[Any], str]]:
        """Return functions that word why orders are illegal or failed, or units were removed."""

        def illegal(found: Illegal) -> str:
            return speech.told("illegal", found.reason, at=found.at, other=found.other, owner=found.owner, step=found)

        def barrier(step: Illegal) -> str:
            """Say why no step leads a unit to a place."""
            unit, to = step.other, step.at
            assert unit is not None
            assert to is not None
            kind = "place"
            if self.map.can_enter(unit.kind, province_of(to)):
                kind = "coast" if province_of(to) in self.map.borders[unit.province] else "border"
            return speech.message(f"barrier-{kind}", unit=unit, to=to)

        def by_rule(found: ByRule) -> str:
            """Say why a unit was removed by rule, and which unit would have been next."""
            kept, is_tied = found.kept, found.kept is not None and found.spaces == found.kept_spaces
            return speech.message(
                f"removed-{found.measured}",
                spaces=found.spaces,
                next=None if is_tied else kept,
                tied=kept if is_tied else None,
                kept_spaces=found.kept_spaces,
                fleet_goes_first=is_tied and kept is not None and kept.kind is not found.unit.kind,
            )

        def why(reason: Reason) -> str:
            return speech.told("outcome", reason, outcome=reason, is_standoff=is_standoff(reason))

        return {"illegal": illegal, "barrier": barrier, "by_rule": by_rule, "why": why}

    def place(self, location: Location | Power, form: str = "") -> str:
        """Return the name of a location or power in a form (`the` North Sea).

        It is the board's own form, or else the regular one.
        """
        if location in self.power_names:
            return self._formed(location, self.power_names[Power(location)], form)
        province = province_of(Location(location))
        if province not in self.map.provinces:
            return location
        if (location, form) not in self.known_places:
            name = said_in(self.names["provinces"][province], self.language)[0]
            name = self._formed(province, name, form) if form else name
            coast = self._coast(location) if location != province else ""
            # No two brackets beside each other: `St. Petersburg (Südküste)`.
            has_room = self.has_codes and not coast.endswith(")")
            code = beside_its_name(self.speech.message("code-beside", code=province)) if has_room else ""
            self.known_places[location, form] = f"{name}{code}{coast}"
        return self.known_places[location, form]

    def _coast(self, location: Location | Power) -> str:
        """Return the words for a coast, which follow its province; else the code."""
        coast = location.partition("/")[2]
        words = f"coast-{coast}"
        return self.speech.message(words) if words in self.speech.catalog.messages else f"/{coast}"

    def _formed(self, key: str, name: str, form: str) -> str:
        """Return a form of a name.

        It is the board's own form, or else the message `form-to` (`nach Burgund`), or else the bare name.
        """
        forms = self.names.get("forms", {}).get(self.language.value, {}).get(form, {})
        usual = f"form-{form}"
        return forms.get(key) or (
            self.speech.message(usual, it=name) if usual in self.speech.catalog.messages else name
        )

    def order(self, order: Order) -> str:
        """Return an order as its reader prefers it: as a sentence, or in strict notation."""
        return self.sentence(order) if self.in_words else write_order(order)

    def sentence(self, order: Order) -> str:
        """Return an order in words.

        It is cached, because receipts and reports repeat many orders.
        """
        if order not in self.known_orders:
            if len(self.known_orders) >= _MOST_ORDERS:
                self.known_orders.clear()
            self.known_orders[order] = self.speech.told("order", order)
        return self.known_orders[order]

    def unit(self, unit: Unit) -> str:
        """Return a unit in words."""
        if unit not in self.known_units:
            self.known_units[unit] = self.speech.message("unit", kind=unit.kind, location=unit.location)
        return self.known_units[unit]

    def named(self, what: Unit | Location) -> str:
        """Return a unit or a place as the reader prefers it."""
        if not self.in_words:
            return str(what)
        return self.unit(what) if isinstance(what, Unit) else self.place(what)

    def blank(self, unit: Unit) -> str:
        """Return the beginning of an order line for a unit, which the reader completes."""
        if unit not in self.known_blanks:
            words = self.speech.message("unit-blank", words=without_codes(self.unit(unit)), unit=unit)
            self.known_blanks[unit] = words if self.in_words else str(unit)
        return self.known_blanks[unit]

    def listed(self, several: Iterable[Unit | Location], between: str = ", ") -> str:
        """Return units or places as a list; `between` separates codes."""
        names = map(self.named, several)
        return (self.speech.message("list-between") if self.in_words else between).join(names)

    def comma(self) -> str:
        """Return the comma of the language."""
        return self.speech.message("list-between").strip() if self.in_words else ","

    def power(self, power: Power) -> str:
        """Return a power's name, also of another board.

        A letter about several games names powers of other boards.
        """
        return self.power_names.get(power) or power_anywhere(power, self.language)


def vocabulary_in(language: Language, map_name: str = USUAL_BOARD, *, in_words: bool | None = None) -> Vocabulary:
    """Return the vocabulary of a language, made once.

    By default it shows names or codes, as is usual in that language.
    """
    return _vocabulary(language, map_name, language.is_in_words if in_words is None else in_words)


@cache
def _vocabulary(language: Language, map_name: str, in_words: bool) -> Vocabulary:  # noqa: FBT001 - cached by its place
    return Vocabulary(language, map_name, in_words=in_words)


def order_sentence(order: Order, language: Language, map_name: str = USUAL_BOARD) -> str:
    """Return an order in words: `Army Munich moves to Berlin`, `ミュンヘン陸軍はベルリンへ移動`."""
    return vocabulary_in(language, map_name).speech.told("order", order)
