"""Describe errors in the settings in the operator's language.

The words are those of the settings file. The sentences are few and quick to read, because commands must start fast.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

_WHOLE, _NUMBER, _YES_OR_NO, _TABLE = ("whole", ""), ("number", ""), ("yes_or_no", ""), ("table", "")
_MUST: Mapping[str, tuple[str, str]] = {
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "bool_type": _YES_OR_NO,
    "bool_parsing": _YES_OR_NO,
    "string_type": ("text", ""),
    "path_type": ("path", ""),
    "tuple_type": ("list", ""),
    "dict_type": _TABLE,
    "model_type": _TABLE,
    "model_attributes_type": _TABLE,
    "literal_error": ("one_of", "expected"),
    "enum": ("one_of", "expected"),
    "union_tag_invalid": ("one_of", "expected_tags"),
    "less_than_equal": ("at_most", "le"),
    "greater_than_equal": ("at_least", "ge"),
    "greater_than": ("more_than", "gt"),
    "string_too_long": ("letters", "max_length"),
    "too_short": ("needs", "min_length"),
    "too_long": ("at_most", "max_length"),
}
"""Error type of pydantic → our sentence, and the key of its limit.

The sentence is one of `complaints.toml` and says what the value must be.
"""
_LONGEST_VALUE = 60


@cache
def _sentences() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((files("judge") / "complaints.toml").read_text("utf-8"))


def say(language: str, sentence: str, **values: object) -> str:
    """Return a sentence of `complaints.toml`, in English if it is not known in that language."""
    known = _sentences()[sentence]
    return known.get(language, known["en"]).format(**values)


def complaint(fault: Mapping[str, Any], known: Callable[[Sequence[str]], Sequence[str]], language: str = "en") -> str:
    """Describe one pydantic error in a line.

    `known` returns the names of the settings below a place.
    """
    kind, told = fault["type"], fault.get("ctx", {})
    place = list(fault["loc"])
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        place.append("kind")
    where = _where(place, language)
    value = told.get("tag", fault.get("input"))
    if kind == "extra_forbidden":
        return f"{where}: {say(language, 'no_such_setting')}{_perhaps(place, known, language)}"
    if kind in ("missing", "union_tag_not_found"):
        return f"{where}: {say(language, 'missing')}"
    if kind == "tuple_type" and place == ["sources"]:
        return f"{where}: {say(language, 'brackets')}"
    if kind in _sentences():  # one of our own validators
        return f"{where}: {say(language, kind, **told)}"
    sentence, limit = _MUST.get(kind, ("cannot_be_read", ""))
    values = {"limit": _short(told[limit]), "names": _or(str(told[limit]), language)} if limit else {}
    return f"{where}: {say(language, sentence, **values)}{_not(place, value, language)}"


def _short(limit: object) -> str:
    return f"{limit:g}" if isinstance(limit, int | float) else str(limit)


def _where(place: Sequence[int | str], language: str) -> str:
    """Return a place as `source 2 (imap), port`.

    After the number of a source come its kind and a setting.
    """
    match place:
        case []:
            return say(language, "the_file")
        case ["sources", int(number)]:
            return say(language, "source", number=number + 1)
        case ["sources", int(number), "kind"]:
            return f"{say(language, 'source', number=number + 1)}, kind"
        case ["sources", int(number), kind, *rest]:
            return ", ".join([say(language, "source_kind", number=number + 1, kind=kind), *map(str, rest)])
        case [*parts, int(number)]:
            return f"{'.'.join(map(str, parts))}, {say(language, 'value', number=number + 1)}"
    return ".".join(map(str, place))


def _not(place: Sequence[int | str], value: object, language: str) -> str:
    """Return the value that was written instead; never a password."""
    if place[-1:] in (["password"], ["client_secret"]) or isinstance(value, (dict, list, tuple)):
        return ""
    written = str(value).lower() if isinstance(value, bool) else repr(value)
    return say(language, "not", value=written if len(written) <= _LONGEST_VALUE else written[:_LONGEST_VALUE] + "…")


def _perhaps(place: Sequence[int | str], known: Callable[[Sequence[str]], Sequence[str]], language: str) -> str:
    names = [str(part) for part in place if not isinstance(part, int)]
    near = get_close_matches(names[-1], known(names[:-1]), n=1)
    return say(language, "perhaps", near=near[0]) if near else ""


def _or(expected: str, language: str) -> str:
    """Format the expected values as `a, b or c`, without Python's quotes."""
    words = expected.replace("'", "").replace(" or ", ", ").split(", ")
    return f"{say(language, 'comma').join(words[:-1])}{say(language, 'or')}{words[-1]}" if len(words) > 1 else words[0]
