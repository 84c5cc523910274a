"""Values as JSON: the settings of a game, and those fields of games and seats that have no column of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Generic, TypeVar, get_type_hints

from pydantic import TypeAdapter, create_model

from judge.games.game import Game, Seat
from judge.games.person import Wishes
from judge.games.terms import Settings

T = TypeVar("T", Game, Seat)

SETTINGS = TypeAdapter(Settings)
"""All fields, for a default that changes later must not change old games."""
WISHES = TypeAdapter(Wishes)


@dataclass(frozen=True)
class Fields(Generic[T]):
    """Some fields of a frozen dataclass, together in one column; what has its default is left out."""

    kind: type[T]
    names: Sequence[str]

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """Field → its default."""
        return {field.name: field.default for field in fields(self.kind) if field.name in self.names}

    @cached_property
    def model(self) -> Any:  # noqa: ANN401 - made at run time
        """Reads and writes the fields."""
        hints = get_type_hints(self.kind)
        definitions: dict[str, Any] = {name: (hints[name], default) for name, default in self.defaults.items()}
        return create_model(f"{self.kind.__name__}Fields", **definitions)

    def take(self, value: T) -> str:
        """The fields of a value."""
        values = {name: getattr(value, name) for name in self.names}
        changed = {name: one for name, one in values.items() if one != self.defaults[name]}
        # They come from a frozen value, whose types are checked: nothing is left to be validated.
        return str(self.model.model_construct(**changed).model_dump_json(exclude_unset=True)) if changed else "{}"

    def put(self, value: T, text: str) -> T:
        """The value with the fields as they were taken."""
        if text == "{}":
            return value
        read = self.model.model_validate_json(text)
        return replace(value, **{name: getattr(read, name) for name in read.model_fields_set})


COURSE = Fields(
    Game,
    (
        *(
            "invitations",
            "master_offers",
            "processed",
            "left",
            "carried",
            "added",
            "in_grace",
            "awaits",
            "reminded",
            "own_reminders",
            "tossed",
            "ended",
        ),
        *("press_shut", "proposals", "proposed", "sharers", "before_outage", "unmoved", "nudged_at", "stood"),
        *("petitions", "searches", "draw_confirmed", "rollbacks"),
    ),
)
CONDUCT = Fields(
    Seat,
    (
        *(
            "changed_by",
            "ready_by",
            "questions",
            "refused",
            "told",
            "accepted",
            "waits",
            "draws",
            "draws_among",
            "muted",
            "mutes_nameless",
            "voted_at",
            "votes_told",
            "concedes_to",
            "elects",
            "declined",
            "in_disorder",
            "is_dummy",
            "is_robot",
            "missed",
        ),
        *("absent_from", "absent_to", "is_late", "waits_since", "extensions", "waited", "shares_notes"),
        *("offered_at", "is_voted_out", "draw_asked_at", "silence_agrees", "refuses_draw"),
    ),
)
