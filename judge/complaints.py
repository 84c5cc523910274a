"""Describe errors in the settings, in the words of the settings file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

_WHOLE, _NUMBER, _YES_OR_NO, _TEXT = (
    "must be a whole number",
    "must be a number",
    "must be true or false",
    "must be text",
)
_MUST: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "int_type": lambda _: _WHOLE,
    "int_parsing": lambda _: _WHOLE,
    "int_from_float": lambda _: _WHOLE,
    "float_type": lambda _: _NUMBER,
    "float_parsing": lambda _: _NUMBER,
    "bool_type": lambda _: _YES_OR_NO,
    "bool_parsing": lambda _: _YES_OR_NO,
    "string_type": lambda _: _TEXT,
    "path_type": lambda _: "must be the name of a file or folder, as text",
    "tuple_type": lambda _: "must be a list, in [ ]",
    "dict_type": lambda _: "must be a table of settings",
    "model_type": lambda _: "must be a table of settings",
    "model_attributes_type": lambda _: "must be a table of settings",
    "literal_error": lambda told: f"must be {_or(told['expected'])}",
    "enum": lambda told: f"must be {_or(told['expected'])}",
    "union_tag_invalid": lambda told: f"must be {_or(told['expected_tags'])}",
    "less_than_equal": lambda told: f"must be at most {told['le']:g}",
    "greater_than_equal": lambda told: f"must be at least {told['ge']:g}",
    "greater_than": lambda told: f"must be more than {told['gt']:g}",
    "string_too_long": lambda told: f"must have at most {told['max_length']} letters",
    "too_short": lambda told: f"needs at least {told['min_length']}",
    "too_long": lambda told: f"must be at most {told['max_length']}",
}
"""Kind of fault → what the value must be."""
_LONGEST_VALUE = 60


def complaint(fault: Mapping[str, Any], known: Callable[[Sequence[str]], Sequence[str]]) -> str:
    """Describe one pydantic error in a line; `known` returns the names of the settings below a place."""
    kind, told = fault["type"], fault.get("ctx", {})
    place = list(fault["loc"])
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        place.append("kind")
    where = _where(place)
    value = told.get("tag", fault.get("input"))
    if kind == "extra_forbidden":
        return f"{where}: there is no such setting{_perhaps(place, known)}"
    if kind in ("missing", "union_tag_not_found"):
        return f"{where}: is missing"
    if kind == "value_error":
        return f"{where}: {fault['msg'].removeprefix('Value error, ')}"
    if kind == "tuple_type" and place == ["sources"]:
        return "sources: each begins with [[sources]], in two pairs of brackets"
    must = _MUST[kind](told) if kind in _MUST else "cannot be read"
    return f"{where}: {must}{_not(place, value)}"


def _where(place: Sequence[int | str]) -> str:
    """Return a place as `source 2 (imap), port`; after a source's number come its kind and a setting."""
    match place:
        case []:
            return "the file"
        case ["sources", int(number)]:
            return f"source {number + 1}"
        case ["sources", int(number), "kind"]:
            return f"source {number + 1}, kind"
        case ["sources", int(number), kind, *rest]:
            return ", ".join([f"source {number + 1} ({kind})", *map(str, rest)])
        case [*parts, int(number)]:
            return f"{'.'.join(map(str, parts))}, value {number + 1}"
    return ".".join(map(str, place))


def _not(place: Sequence[int | str], value: object) -> str:
    """Return the value that was written instead; never a password."""
    if place[-1:] == ["password"] or isinstance(value, (dict, list, tuple)):
        return ""
    written = str(value).lower() if isinstance(value, bool) else repr(value)
    return f", not {written if len(written) <= _LONGEST_VALUE else written[:_LONGEST_VALUE] + '…'}"


def _perhaps(place: Sequence[int | str], known: Callable[[Sequence[str]], Sequence[str]]) -> str:
    names = [str(part) for part in place if not isinstance(part, int)]
    near = get_close_matches(names[-1], known(names[:-1]), n=1)
    return f"; {near[0]} is one" if near else ""


def _or(expected: str) -> str:
    """Format the expected values as `a, b or c`, without Python's quotes."""
    words = expected.replace("'", "").replace(" or ", ", ").split(", ")
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]
