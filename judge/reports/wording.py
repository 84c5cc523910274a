"""The wording of reports: Jinja environments with the words of each language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, time, timedelta
from functools import cache, lru_cache, partial
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

from babel.dates import format_datetime, get_day_names
from jinja2 import Environment, Template
from jinja2.environment import TemplateModule

from judge.commands import Command, Doubted, Give, Language
from judge.games.person import Person
from judge.language import Context, Fault, read
from judge.language.times import read_setting
from judge.language.writing import command_in, line_in, line_meant, slot_of, translated, word_in_language
from judge.languages import said_in
from judge.names import names_on
from judge.reports.catalogs import Speech, catalog_of
from judge.reports.columns import width
from judge.reports.compiling import environment
from judge.reports.layout import SAID, STRUCK, heading, quoted
from judge.reports.manual import when_done
from judge.reports.palette import Theme, colors, inks
from judge.reports.places import board_title, key_of_places
from judge.reports.proposed import proposed
from judge.reports.rulebook import rule_behind
from judge.reports.vocabulary import Vocabulary
from judge.rules.map import USUAL_BOARD, load_map
from judge.rules.notation import read_order, write_order
from judge.rules.outcomes import Verdict
from judge.rules.position import Phase, Power
from judge.settings import name_in, setting_named, value_in

_FAR_APART = re.compile(r"\n{3,}")


class Wording(Vocabulary):
    """The vocabulary of one language on one board, and the templates of all letters."""

    def __init__(self, language: Language, map_name: str, *, in_words: bool, has_codes: bool = False) -> None:
        super().__init__(language, map_name, in_words=in_words, has_codes=has_codes)
        helpers: dict[str, Any] = {
            **self.names_shown(),
            "phase": self.phase,
            "code": write_order,
            "in_words": in_words,
            "in_a_sentence": self.sentence,
            "order_written": lambda text: self.order(read_order(text)),
            "names_of": lambda several: list(map(self.named, several)),
            "listed": self.listed,
            "comma": self.comma,
            "usual_board": USUAL_BOARD,
            "a_power": self.map.powers[0],
            "coasts_of": lambda unit: self.map.provinces[unit.province].coasts,
            "board_of": load_map,
            "board_title": lambda name: board_title(name, language),
            "board_about": lambda name: said_in(names_on(name)["about"], language),
            "other_board": board_title(map_name, language) if map_name != USUAL_BOARD else "",
            "places_key": lambda: key_of_places(map_name, language),
            "line": self.line,
            "translated": partial(translated, language, board=map_name),
            "slot_of": slot_of,
            "command_in": command_in,
            "command": lambda line: translated(language, command_in(line), map_name),
            "word": partial(word_in_language, language),
            "proposed": partial(proposed, self),
            "when_done": lambda done: when_done(done, language),
            "moment": self.moment,
            "brief": self.brief,
            "heading": heading,
            "SAID": SAID,
            "STRUCK": STRUCK,
            "quoted": quoted,
            "span": self.span,
            "weekday": lambda day: get_day_names("abbreviated", "stand-alone", language.value)[day],
            "day": self.day,
            "is_midnight": lambda when, zone: when.astimezone(ZoneInfo(zone)).time() == time(),
            "marker": marker,
            "rule_behind": rule_behind,
            "setting_name": lambda setting: name_in(setting, language.value),
            "setting_of": setting_named,
            "read_setting": read_setting,
            "value_in": lambda setting, value: value_in(setting, str(value), language.value),
        }
        name = f"{language.value}-{map_name}-{'words' if in_words else 'codes'}{'-both' if has_codes else ''}"
        self.text, self.html = environment(name, html=False), environment(name, html=True)
        # Filled below: macros call each other across files.
        self.words, self.html_words = SimpleNamespace(), SimpleNamespace()
        for each, words in ((self.text, self.words), (self.html, self.html_words)):
            speech = Speech(catalog_of(language.value), html=each is self.html)
            each.globals.update(helpers, w=words, message=speech.message, told=speech.told)
            each.filters["power"] = self.power
            each.filters["ink"] = inks(map_name).__getitem__
            each.filters["letter_ink"] = lambda power: colors(map_name, Theme.LIGHT)[f"{power}-letter"]
            vars(words).update(self.forms(speech))
            for file in each.list_templates(filter_func=lambda one: one.startswith("words/")):
                vars(words).update(_macros(each.get_template(file)))
            speech.forms = {**helpers, **vars(words)}  # all macros exist now
            if each is self.text:
                self.speech = speech
        # Loaded once: a template that imports another would load it again for every mail.
        self.html.globals["look"] = self.html.get_template("look.jinja").module
        self.html.globals["buttons_of"] = self.html.get_template("buttons.jinja").module
        self.orders = self.text.get_template("orders.txt").module
        self.html_orders = self.html.get_template("orders.html").module
        self.html_reports = self._module(self.html, "reports")
        names = ("notices", "events", "sections", "reports", "pictures")
        self.letters = {name: self._module(self.text, name) for name in names}

    def _module(self, of: Environment, name: str) -> TemplateModule:
        return of.get_template(f"{name}.jinja").module

    def in_text(self, name: str, values: Mapping[str, object]) -> str:
        """Render a template as text.

        Its parts are separated by one blank line. Its long lines are not folded yet.
        """
        template = self.text.get_template(f"{name}.txt")
        return one_blank_line(template.render(**self._known(html=False), **values))

    def in_html(self, name: str, values: Mapping[str, object]) -> str:
        """Render a template as HTML."""
        return self.html.get_template(f"{name}.html").render(**self._known(html=True), **values)

    def parts(
        self, name: str, text: Mapping[str, object], html: Mapping[str, object]
    ) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Render the blocks of a template, as text and as HTML."""
        as_text = _blocks(self.text.get_template(f"{name}.txt"), {**self._known(html=False), **text})
        return as_text, _blocks(self.html.get_template(f"{name}.html"), {**self._known(html=True), **html})

    def _known(self, *, html: bool) -> Mapping[str, object]:
        """Return the values that every template has."""
        return {"r": self.html_reports if html else self.letters["reports"], "lang": self.language.value}

    def say(self, macro: str, *values: object) -> str:
        """Return one sentence, by the name of its macro in `templates/words`."""
        return str(getattr(self.words, macro)(*values))

    def say_from(self, file: str, macro: str, *values: object) -> str:
        """Return the output of a macro in another file, such as `subject` in events.jinja."""
        return str(getattr(self.letters[file], macro)(*values))

    def orders_of(self, power: Power, verdicts: Iterable[Verdict], ended: Phase | None) -> tuple[str, str]:
        """Return the orders of a power and their outcomes, as text and as HTML."""
        told = [(one, self.order(one.order), self.say("outcome", one) if one.reasons else "") for one in verdicts]
        text = self.orders.orders(power, told, ended, self.words)  # type: ignore[attr-defined]
        return text, str(self.html_orders.orders(power, told, ended, self.html_words))  # type: ignore[attr-defined]

    def label(self, name: str) -> str:
        """Return a heading."""
        return self.speech.message(f"label-{name}")

    def line(self, command: Command) -> str:
        """Return the line for a command in the reader's language: `JOIN ardennes AS France`."""
        return line_in(self.language, command, self.power)

    def meant(self, line: str) -> str:
        """Return a line that the sender may have meant, with what it would do.

        It is in the reader's language. Orders are returned unchanged.
        """
        asked = self._asked_in(line)
        if isinstance(asked, Give | Doubted):
            return line
        on = self.map.name
        shown = line_meant(self.language, line, asked, self.power, on) if asked else translated(self.language, line, on)
        asked = self._asked_in(shown)  # an example may have other values
        what = proposed(self, asked) if asked else ""
        return self.speech.message("line-proposed", line=shown, what=what)

    def _asked_in(self, line: str) -> Command | None:
        requests = [request for one in read(line, Context(self.map)) for request in one.requests]
        return requests[0] if len(requests) == 1 else None

    @lru_cache(maxsize=256)  # noqa: B019 - there are few wordings, and they stay
    def phase(self, phase: Phase | str) -> str:
        """Return the name of a phase."""
        return self.say("phase_name", Phase.parse(phase) if isinstance(phase, str) else phase)

    @lru_cache(maxsize=256)  # noqa: B019 - see above
    def moment(self, when: datetime, zone: str) -> str:
        """Return a time in the reader's zone and UTC.

        It is cached, because many readers see the same deadline.
        """
        local = when.astimezone(ZoneInfo(zone))
        pattern = self.speech.message("pattern-date")
        shown = _date(when, zone, pattern, self.language)
        if zone == "UTC":
            return f"{shown} UTC"
        name = local.tzname() or ""
        if name[:1] in "+-":  # zones without an abbreviation
            name = f"UTC{name}"
        utc = when.astimezone(UTC)
        date = _date(when, "UTC", self.speech.message("pattern-day"), self.language)
        return f"{shown} {name} {self.say('in_utc', utc.date() == local.date(), date, f'{utc:%H:%M}')}"

    def brief(self, when: datetime, zone: str) -> str:
        """Return a time in the reader's zone, short enough for a subject."""
        return _date(when, zone, self.speech.message("pattern-brief"), self.language)

    def day(self, when: datetime, zone: str, minutes: int = 0) -> str:
        """Return the day of a time in a zone, `minutes` later."""
        when += timedelta(minutes=minutes)
        return _date(when, zone, self.speech.message("pattern-whole-day"), self.language)

    @lru_cache(maxsize=256)  # noqa: B019 - see above
    def span(self, length: timedelta) -> str:
        """Return a length of time in its two largest units."""
        minutes = max(0, int(length.total_seconds() // 60))
        return self.say("span_of", minutes // 1440, minutes // 60 % 24, minutes % 60)


def _macros(template: Template) -> Mapping[str, object]:
    """Return the macros that a file of words defines."""
    return {name: one for name, one in vars(template.module).items() if not name.startswith("_")}


def _blocks(template: Template, values: dict[str, Any]) -> Mapping[str, str]:
    context = template.new_context(values)
    return {name: "".join(block(context)) for name, block in template.blocks.items()}


def one_blank_line(text: str) -> str:
    """Reduce several blank lines to one."""
    return _FAR_APART.sub("\n\n", text)


@lru_cache(maxsize=1024)
def _date(when: datetime, zone: str, pattern: str, language: Language) -> str:
    """Return a time as the clocks of a zone show it.

    It is cached, because many readers see the same deadline.
    """
    local = when.astimezone(ZoneInfo(zone))
    return format_datetime(local, pattern, tzinfo=local.tzinfo, locale=language)


def marker(line: str, fault: Fault) -> str:
    """Return carets to put below the word that a fault is about.

    A wide character needs two carets.
    """
    return " " * width(line[: fault.start]) + "^" * max(1, width(line[fault.start : fault.end]))


def wording_in(language: Language, map_name: str = USUAL_BOARD, *, in_words: bool | None = None) -> Wording:
    """Return the wording of a language, made once.

    By default it shows names or codes, as is usual in that language.
    """
    return _wording(language, map_name, language.is_in_words if in_words is None else in_words)


def wording_for(person: Person, map_name: str = USUAL_BOARD) -> Wording:
    """Return the wording that a person prefers."""
    return _wording(person.language, map_name, person.reads_words)


def wording_beside_a_map(person: Person, map_name: str = USUAL_BOARD) -> Wording:
    """Return the wording that a person prefers in a letter with a map.

    Each name brings the code that the map shows.
    """
    return _wording(person.language, map_name, person.reads_words, person.reads_words)


@cache
def _wording(language: Language, map_name: str, in_words: bool, has_codes: bool = False) -> Wording:  # noqa: FBT001, FBT002 - cached by their places
    return Wording(language, map_name, in_words=in_words, has_codes=has_codes)


def line_for(command: Command, language: Language, map_name: str = USUAL_BOARD) -> str:
    """Return the line for a command in the reader's language: `JOIN ardennes AS France`."""
    return wording_in(language, map_name).line(command)
