"""The rules in a line: a profile, and the options that differ from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from enum import StrEnum
from typing import Any

from judge.errors import NotationError, quoted
from judge.rules.options import PROFILES, DefaultRemoval, Options, option_kinds
from judge.rules.outcomes import RULES_REVISION
from judge.rules.position import LAST_YEAR

Json = dict[str, Any]


_FOLLOW_000 = ("rulebook-1971", "avalon-hill-4th", "shirikyu", "shofukusha")
_BEFORE: Mapping[int, Mapping[str, Mapping[str, Any]]] = {
    4: {name: {"default_removal": DefaultRemoval.DISTANCE_FLEET_ALPHA} for name in _FOLLOW_000},
}
"""Revision of the rules → profile → its values before that revision."""


def read_options(rules: object, revision: int = RULES_REVISION) -> Options:
    """Read the name of a profile, or `{"profile": …, option: value}`; raises NotationError.

    The profile has the values it had in that revision of the rules.
    """
    if isinstance(rules, str):
        return _profile(rules, revision)
    if not isinstance(rules, dict):
        raise NotationError("'rules' must be the name of a profile or an object")
    changes = dict(rules)
    profile = _profile(changes.pop("profile", "standard"), revision)
    return replace(profile, **{name: read_option(name, value) for name, value in changes.items()})


def _profile(name: object, revision: int) -> Options:
    if not isinstance(name, str) or name not in PROFILES:
        raise NotationError(f"unknown rule profile {quoted(name)}; there are {', '.join(PROFILES)}")
    profile = PROFILES[name]
    if revision < RULES_REVISION:
        for changed in sorted(_BEFORE, reverse=True):
            if revision < changed:
                profile = replace(profile, **_BEFORE[changed].get(name, {}))
    return profile


def read_option(name: str, value: object) -> Any:  # noqa: ANN401 - as many types as there are options
    """Read the value of one option; raises NotationError, naming the values there are."""
    kind = option_kinds().get(name)
    if kind is None:
        raise NotationError(f"unknown rule option {quoted(name)}")
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        try:
            return kind(str(value))
        except ValueError:
            raise NotationError(f"{name} cannot be {quoted(value)}; it is one of {', '.join(kind)}") from None
    if kind is str and isinstance(value, str):
        return value
    if kind == int | None and (value is None or (type(value) is int and 0 < value <= LAST_YEAR)):
        return value
    raise NotationError(f"{name} cannot be {quoted(value)}; it is {'a name' if kind is str else 'a year or null'}")


def write_options(options: Options) -> str | Json:
    """Return the shortest `rules` value that reads back as these options."""

    def differing(profile: Options) -> Json:
        names = [field.name for field in fields(Options)]
        return {name: getattr(options, name) for name in names if getattr(options, name) != getattr(profile, name)}

    nearest = min(PROFILES, key=lambda name: len(differing(PROFILES[name])))
    changed = differing(PROFILES[nearest])
    return {"profile": nearest, **changed} if changed else nearest
