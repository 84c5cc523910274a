"""Store as JSON a game's settings, and fields of games and seats without a column."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from operator import attrgetter
from typing import Any, Generic, TypeVar, get_type_hints

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from judge.games.ballots import Ballots
from judge.games.clock import Clock
from judge.games.filed import OnFile
from judge.games.game import Game, Seat
from judge.games.person import Preferences
from judge.games.terms import Settings

T = TypeVar("T", Game, Seat)

SETTINGS = TypeAdapter(Settings)
"""Write all fields: a default that changes later must not change old games."""
PREFERENCES = TypeAdapter(Preferences)


@dataclass(frozen=True)
class Fields(Generic[T]):
    """Some fields of a frozen dataclass and of its nested values, stored in one column.

    Fields with their defaults are left out. The column is flat: nesting fields in values does not change it.
    """

    kind: type[T]
    paths: Mapping[str, str]
    """Name in the column → path of the field, e.g. `clock.deadline`."""

    @cached_property
    def definitions(self) -> dict[str, tuple[Any, Any]]:
        """Name in the column → type and default of the field."""
        found = {}
        for name, path in self.paths.items():
            value, _, field = path.rpartition(".")
            kind = get_type_hints(self.kind)[value] if value else self.kind
            found[name] = get_type_hints(kind)[field], next(one.default for one in fields(kind) if one.name == field)
        return found

    @cached_property
    def adapter(self) -> TypeAdapter[dict[str, Any]]:
        """Read and write the fields; each may be missing."""
        kinds = {name: kind for name, (kind, _) in self.definitions.items()}
        return TypeAdapter(TypedDict(f"{self.kind.__name__}Fields", kinds, total=False))  # type: ignore[operator]

    @cached_property
    def get(self) -> Callable[[T], tuple[Any, ...]]:
        """Return a getter of the fields of a value, in the order of `paths`."""
        return attrgetter(*self.paths.values())

    def take(self, value: T) -> str:
        """Return the fields of a value as JSON, without those that have their defaults."""
        values = zip(self.definitions.items(), self.get(value), strict=True)
        changed = {name: one for (name, (_, default)), one in values if one != default}
        return self.adapter.dump_json(changed).decode() if changed else "{}"

    def put(self, value: T, text: str) -> T:
        """Return the value with the fields that `take` wrote."""
        if text == "{}":
            return value
        changes: dict[str, dict[str, Any]] = {}
        for name, one in self.adapter.validate_json(text).items():
            group, _, field = self.paths[name].rpartition(".")
            changes.setdefault(group, {})[field] = one
        own = changes.pop("", {})
        return replace(value, **own, **{name: replace(getattr(value, name), **new) for name, new in changes.items()})


def _of(name: str, kind: type, but: Collection[str] = ()) -> dict[str, str]:
    """Return the paths of all fields of a nested value, except those stored elsewhere."""
    return {field.name: f"{name}.{field.name}" for field in fields(kind) if field.name not in but}


COURSE = Fields(
    Game,
    {
        name: name
        for name in (
            *("invitations", "master_offers", "coach_offers", "own_reminders", "tossed", "ended"),
            *("press_shut", "proposals", "proposed", "sharers", "stood"),
            *("petitions", "searches", "sittings", "draw_confirmed", "rollbacks", "arrivals", "missing_to_come"),
            *("asked_whether_there", "muster_at", "muster_offered", "writers", "publish_at", "press_withheld"),
            *("saw", "played", "previews", "told", "objections", "chance", "adopted"),
        )
    }
    | _of("clock", Clock, but=("opened_at", "deadline", "closing_since"))
    | {"house_rules": "house_rules.text", "house_rules_to_come": "house_rules.to_come"},
)
CONDUCT = Fields(
    Seat,
    {
        name: name
        for name in (
            *("in_disorder", "is_dummy", "is_robot", "missed", "extensions"),
            *("shares_notes", "offered_at", "is_voted_out", "renewed", "before", "coach"),
        )
    }
    | _of("filed", OnFile, but=("orders", "planned", "replaced", "ready"))
    | _of("ballots", Ballots)
    | {"absent_from": "leave.start", "absent_to": "leave.end", "waited": "leave.waited"}
    | {"muted": "mutes.powers", "mutes_nameless": "mutes.nameless"},
)
