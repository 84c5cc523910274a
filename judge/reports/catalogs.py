"""The words of the mails: gettext catalogs, `templates/locale/<language>/*.po`.

The structure of a mail stands once, in `templates/*.jinja`; what it says stands here, under ids of our own
(`refusal-NameTaken`). A message names what is put into it, and how that is shown: `{game}`, `{owner:power}`.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path
from string import Formatter
from typing import Any

from babel.messages.catalog import Message as Entry
from babel.messages.pofile import read_po
from markupsafe import Markup, escape
from msgspec import Struct

from judge.resources import shipped

FALLBACK = "en"
"""The language whose messages stand in where another lacks one."""
_CONDITION = re.compile(r"(?P<no>not )?(?P<path>[\w.]+)(?: is (?P<value>.+))?")

Show = Callable[[Any], object]
"""What shows a value in one of its forms: of `{owner:power}` the form `power`."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Text, and the value behind it."""

    text: str
    path: str = ""
    """Which value: `owner`, `unit.province`; empty at the end of a message."""
    form: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """When a variant is said: `not counts`, `reason is clash`."""

    path: str
    value: str | None
    """What the value must be; None: anything that is true."""
    is_wanted: bool

    def holds(self, told: Told) -> bool:
        """Whether it does for what is told."""
        value = told.value(self.path)
        return (bool(value) if self.value is None else str(value) == self.value) is self.is_wanted


@dataclass(frozen=True, slots=True)
class Variant:
    """One wording of a message."""

    conditions: tuple[Condition, ...]
    forms: tuple[tuple[Piece, ...], ...]
    """By number, as the language counts them; one only if the message counts nothing."""


class Told(Struct, frozen=True):
    """What a message is about: named values, and a thing whose attributes may be named, too."""

    values: Mapping[str, Any]
    thing: object = None

    def value(self, path: str) -> Any:  # noqa: ANN401 - whatever is told
        """A value by its name, or by a path into it."""
        values = self.values
        if path in values:
            return values[path]
        name, _, inner = path.partition(".")
        found = values[name] if name in values else getattr(self.thing, name)
        return attrgetter(inner)(found) if inner else found


class Catalog:
    """All messages of a language, with those of English where it has none."""

    def __init__(self, language: str) -> None:
        self.messages: dict[str, tuple[Variant, ...]] = {}
        self.plural: dict[str, Callable[[int], int]] = {}
        """How the language that a message is written in counts."""
        for one in dict.fromkeys((FALLBACK, language)):
            found, plural = _read(one)
            self.messages |= found
            self.plural |= dict.fromkeys(found, plural)

    def pieces(self, name: str, told: Told) -> tuple[Piece, ...]:
        """The message of that id as it is said of what is told; its id, if no language has it."""
        for variant in self.messages.get(name, ()):
            for condition in variant.conditions:
                if not condition.holds(told):
                    break
            else:
                if len(variant.forms) == 1:
                    return variant.forms[0]
                return variant.forms[self.plural[name](int(told.values["n"]))]
        return (Piece(name),)


class Speech:
    """A catalog with the forms in which values are shown, as text or as HTML."""

    def __init__(self, catalog: Catalog, forms: Mapping[str, Show], *, html: bool) -> None:
        self.catalog = catalog
        self.forms = forms
        self.html = html

    def message(self, name: str, /, **values: object) -> str:
        """A message by its id."""
        return self._said(name, Told(values))

    def told(self, family: str, thing: object, /, **values: object) -> str:
        """What is said of a thing: the message `family-Class`, or `family-value` of a word."""
        name = thing if isinstance(thing, str) else type(thing).__name__
        return self._said(f"{family}-{name}", Told(values, thing))

    def _said(self, name: str, told: Told) -> str:
        pieces = self.catalog.pieces(name, told)
        if len(pieces) == 1 and not pieces[0].path:
            text = pieces[0].text
        else:
            said = []
            for piece in pieces:
                said.append(piece.text)
                if piece.path:
                    shown = self._shown(piece, told)
                    said.append(escape(shown) if self.html else str(shown))
            text = "".join(said)
        return Markup(text) if self.html else text  # noqa: S704 - its values were escaped just now

    def _shown(self, piece: Piece, told: Told) -> object:
        """A value in its form; that of a clause is what the message of that id says, and nothing of what is not."""
        value = told.value(piece.path)
        if not piece.form:
            return value
        show = self.forms.get(piece.form)
        if show is not None:
            return show(value)
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if not value and not is_number:
            return ""
        n = value if is_number else len(value) if isinstance(value, tuple | list) else 1
        return self._said(piece.form, Told({**told.values, "n": n, "it": value}, told.thing))


@cache
def languages() -> tuple[str, ...]:
    """The languages that mails are written in, by their codes: those that have a folder of catalogs."""
    found = sorted(folder.name for folder in (shipped("templates") / "locale").iterdir() if folder.is_dir())
    return (FALLBACK, *(one for one in found if one != FALLBACK))


@cache
def catalog_of(language: str) -> Catalog:
    """The catalog of a language, read once."""
    return Catalog(language)


def files_of(language: str) -> Iterator[Path]:
    """The files of a language's catalog."""
    return iter(sorted((shipped("templates") / "locale" / language).glob("*.po")))


@cache
def _read(language: str) -> tuple[Mapping[str, tuple[Variant, ...]], Callable[[int], int]]:
    """The messages of one language alone, and how it counts."""
    messages: dict[str, tuple[Variant, ...]] = {}
    plural = gettext.c2py("n != 1")
    for path in files_of(language):
        with path.open("rb") as file:
            catalog = read_po(file, locale=language)
        plural = gettext.c2py(catalog.plural_expr)
        for entry in catalog:
            if entry.id and any(_texts(entry)):
                name = entry.id if isinstance(entry.id, str) else entry.id[0]
                messages[name] = (*messages.get(name, ()), _variant(entry))
    return messages, plural


def _variant(entry: Entry) -> Variant:
    conditions = tuple(map(_condition, entry.context.split(", "))) if entry.context else ()
    return Variant(conditions, tuple(tuple(_pieces(text)) for text in _texts(entry)))


def _texts(entry: Entry) -> tuple[str, ...]:
    return (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())


def _condition(written: str) -> Condition:
    found = _CONDITION.fullmatch(written)
    if found is None:
        raise ValueError(f"no condition: {written}")
    return Condition(found["path"], found["value"], is_wanted=not found["no"])


def _pieces(text: str) -> Iterator[Piece]:
    for literal, path, form, _ in Formatter().parse(text):
        yield Piece(literal, path or "", form or "")
