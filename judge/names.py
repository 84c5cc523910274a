"""Names of a board's provinces and powers, from its `names.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from judge.resources import board_data, shipped_data
from judge.rules.map import Map, load_map


@cache
def names_on(map_name: str) -> Mapping[str, Any]:
    """Return the names of a board in all languages, from its folder.

    The tables are `provinces`, `powers`, `coasts` and more.
    """
    return with_usual_names(load_map(map_name), board_data(map_name, "names.toml"))


def with_usual_names(map_: Map, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Complete the contents of a `names.toml`.

    Missing names are filled in with English ones, or with those for all boards.
    """
    everywhere = shipped_data("grammar/places.toml")
    used = {location.partition("/")[2] for info in map_.provinces.values() for location in info.coasts}
    coasts = [*(coast for coast in everywhere["coasts"] if coast in used), *sorted(used - everywhere["coasts"].keys())]
    usual: Mapping[str, Mapping[str, Any]] = {
        "provinces": {code: {"en": [info.name]} for code, info in map_.provinces.items()},
        "powers": {power: {"en": [power.capitalize()]} for power in map_.powers},
        "coasts": {coast: {"en": [coast.lower()]} | everywhere["coasts"].get(coast, {}) for coast in coasts},
        "board": {"en": map_.name.capitalize()},
        "about": {"en": ""},
        "seas": everywhere["seas"],
    }
    named: dict[str, Any] = {table: {} for table in ("slips", "ambiguous", "coast_words", "forms")}
    named |= {table: {**words, **given.get(table, {})} for table, words in usual.items()}
    for table in ("provinces", "powers", "coasts"):
        named[table] = {key: {**words, **given.get(table, {}).get(key, {})} for key, words in usual[table].items()}
    for code, words in named["provinces"].items():
        words["codes"] = list(dict.fromkeys([code, *words.get("codes", ())]))
    return {**named, **{table: given[table] for table in given.keys() - usual.keys()}}
