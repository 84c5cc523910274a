"""The wording of the reports: Jinja environments with the words of each language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from babel.dates import format_datetime
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.environment import TemplateModule

from judge.commands import Language
from judge.language import Fault
from judge.language.writing import command_line, word_of
from judge.reports.columns import padded, width
from judge.reports.manual import when_done
from judge.resources import shipped
from judge.rules.map import load_map
from judge.rules.notation import write_order
from judge.rules.orders import Order
from judge.rules.outcomes import Outcome
from judge.rules.position import Location, Phase, Power, province_of


class Wording:
    """One language on one map: the templates with the names they need."""

    def __init__(self, language: Language, map_name: str) -> None:
        self.language = language
        self.names: Mapping[str, Any] = tomllib.loads((shipped("maps") / map_name / "names.toml").read_text("utf-8"))
        self.map = load_map(map_name)
        helpers = {
            "place": self.place,
            "power": self.power,
            "phase": self.phase,
            "code": write_order,
            "line_of": command_line,
            "word_of": word_of,
            "when_done": lambda done: when_done(done, language),
            "moment": self.moment,
            "span": self.span,
            "marker": marker,
            "padded": padded,
        }
        self.text = _environment(html=False)
        self.html = _environment(html=True)
        for environment in (self.text, self.html):
            environment.globals.update(helpers)
            environment.filters["power"] = self.power
        self.words = self._module(self.text, "words")
        self.html_words = self._module(self.html, "words")
        self.letters = {name: self._module(self.text, name) for name in ("notices", "events", "sections", "pictures")}

    def _module(self, environment: Environment, name: str) -> TemplateModule:
        return environment.get_template(f"{self.language.value}/{name}.jinja").module

    def say(self, macro: str, *values: object) -> str:
        """One sentence, by the name of its macro in words.jinja."""
        return str(getattr(self.words, macro)(*values))

    def say_from(self, file: str, macro: str, *values: object) -> str:
        """What a macro of another file says, like `subject` of events.jinja."""
        return str(getattr(self.letters[file], macro)(*values))

    def label(self, name: str) -> str:
        """A heading."""
        return str(self.words.label[name])  # type: ignore[attr-defined]

    def place(self, location: Location) -> str:
        """A location's name."""
        province = province_of(location)
        if province not in self.map.provinces:
            return location
        name = self.names["provinces"][province][self.language.value][0]
        return f"{name}{self.say('coast', location[4:])}" if location != province else str(name)

    def power(self, power: Power) -> str:
        """A power's name."""
        return str(self.names["powers"][power][self.language.value][0])

    def phase(self, phase: Phase | str) -> str:
        """A phase as people call it."""
        return self.say("phase_name", Phase.parse(phase) if isinstance(phase, str) else phase)

    def moment(self, when: datetime, zone: str) -> str:
        """A time in the reader's zone and UTC."""
        local = when.astimezone(ZoneInfo(zone))
        pattern = str(self.words.date_pattern)  # type: ignore[attr-defined]
        shown = format_datetime(local, pattern, tzinfo=local.tzinfo, locale=self.language.value)
        if zone == "UTC":
            return f"{shown} UTC"
        name = local.tzname() or ""
        if name[:1] in "+-":  # zones without letters of their own
            name = f"UTC{name}"
        utc = when.astimezone(UTC)
        date = format_datetime(utc, str(self.words.day_pattern), locale=self.language.value)  # type: ignore[attr-defined]
        return f"{shown} {name} {self.say('in_utc', utc.date() == local.date(), date, f'{utc:%H:%M}')}"

    def span(self, length: timedelta) -> str:
        """How long, in the two greatest units."""
        minutes = max(0, int(length.total_seconds() // 60))
        return self.say("span_of", minutes // 1440, minutes // 60 % 24, minutes % 60)


def marker(line: str, fault: Fault) -> str:
    """Carets under the word a fault is about; wide characters need two."""
    return " " * width(line[: fault.start]) + "^" * max(1, width(line[fault.start : fault.end]))


def _environment(*, html: bool) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(shipped("templates")),
        undefined=StrictUndefined,
        autoescape=html,  # noqa: S701 - plain text must not be escaped
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["kind"] = lambda value: type(value).__name__
    return environment


@cache
def wording_in(language: Language, map_name: str = "standard") -> Wording:
    """The wording of a language, made once."""
    return Wording(language, map_name)


def why(outcome: Outcome, map_name: str = "standard", language: Language = Language.ENGLISH) -> str:
    """What became of an order, as a clause, with the names of a board."""
    return wording_in(language, map_name).say("why", outcome)


def order_sentence(order: Order, language: Language, map_name: str = "standard") -> str:
    """An order in words: `Army Munich moves to Berlin`, `ミュンヘン陸軍 → ベルリンへ移動`."""
    return wording_in(language, map_name).say("sentence", order)
