"""The words of the mails: gettext catalogs, `templates/locale/<language>/*.po`.

The structure of a mail is in `templates/*.jinja`, once for all languages; its words are here, under ids of our own
(`refusal-NameTaken`). A message names the values put into it and the form they are shown in: `{game}`, `{owner:power}`.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path
from string import Formatter
from typing import Any

from babel.messages.catalog import Message as Entry
from babel.messages.pofile import read_po
from markupsafe import Markup, escape

from judge.languages import Language
from judge.resources import shipped

FALLBACK = Language.ENGLISH.value
"""The language whose messages are used where another has none."""
_CONDITION = re.compile(r"(?P<no>not )?(?P<path>[\w.]+)(?: is (?P<value>.+))?")

Show = Callable[[Any], object]
"""Shows a value in one form: for `{owner:power}`, the form `power`."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Literal text, and the value that follows it."""

    text: str
    name: str = ""
    """The name of the value; empty at the end of a message."""
    inner: str = ""
    """An attribute of that value: `province` in `{unit.province}`."""
    form: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """When a variant is used: `not counts`, `reason is clash`."""

    name: str
    inner: str
    value: str | None
    """What the value must be; None: anything true."""
    is_wanted: bool

    def holds(self, values: Mapping[str, Any], thing: object) -> bool:
        """Whether the condition holds; names are looked up in `values`, then as attributes of `thing`."""
        found = values[self.name] if self.name in values else getattr(thing, self.name)
        if self.inner:
            found = attrgetter(self.inner)(found)
        return (bool(found) if self.value is None else str(found) == self.value) is self.is_wanted


@dataclass(frozen=True, slots=True)
class Variant:
    """One wording of a message."""

    conditions: tuple[Condition, ...]
    forms: tuple[tuple[Piece, ...], ...]
    """The plural forms in gettext's order; only one if the message counts nothing."""


class Catalog:
    """All messages of a language, with English ones where it has none."""

    def __init__(self, language: str) -> None:
        self.messages: dict[str, tuple[Variant, ...]] = {}
        self.plural: dict[str, Callable[[int], int]] = {}
        """Message id → the plural rule of the language the message is written in."""
        for one in dict.fromkeys((FALLBACK, language)):
            found, plural = _read(one)
            self.messages |= found
            self.plural |= dict.fromkeys(found, plural)

    def pieces(self, name: str, values: Mapping[str, Any], thing: object) -> tuple[Piece, ...] | None:
        """Return the first variant of a message whose conditions hold; None if there is none."""
        for variant in self.messages.get(name, ()):
            for condition in variant.conditions:
                if not condition.holds(values, thing):
                    break
            else:
                if len(variant.forms) == 1:
                    return variant.forms[0]
                return variant.forms[self.plural[name](int(values["n"]))]
        return None


class Speech:
    """A catalog with the forms in which values are shown, as text or as HTML."""

    def __init__(self, catalog: Catalog, *, html: bool) -> None:
        self.catalog = catalog
        self.html = html
        self.forms: dict[str, Show] = {}
        """Filled last, because the macros of the templates are forms too."""

    def message(self, name: str, /, *, of: object = None, **values: object) -> str:
        """Return a message by its id.

        The message may name the `values` and the attributes of `of`.
        """
        return self._said(self.catalog.pieces(name, values, of) or (Piece(name),), values, of)

    def told(self, family: str, thing: object, /, **values: object) -> str:
        """Return the message of a family for a thing.

        Its id is `family-Class`, or `family-value` for a string. Without such a message, return the message `family`.
        """
        name = f"{family}-{thing if isinstance(thing, str) else type(thing).__name__}"
        pieces = self.catalog.pieces
        said = pieces(name, values, thing) or pieces(family, values, thing) or (Piece(name),)
        return self._said(said, values, thing)

    def _said(self, pieces: Sequence[Piece], values: Mapping[str, Any], thing: object) -> str:
        said = []
        for piece in pieces:
            if piece.text:
                said.append(piece.text.replace("<", "&lt;") if self.html else piece.text)
            if piece.name:
                shown = self._shown(piece, values, thing)
                said.append(escape(shown) if self.html else shown if type(shown) is str else str(shown))
        text = "".join(said)
        return Markup(text) if self.html else text  # noqa: S704 - its values are escaped above

    def _shown(self, piece: Piece, values: Mapping[str, Any], thing: object) -> object:
        """Show a value in its form.

        A form without a macro is a message about the value; it is "" for an empty value.
        """
        value = values[piece.name] if piece.name in values else getattr(thing, piece.name)
        if piece.inner:
            value = attrgetter(piece.inner)(value)
        if not piece.form:
            return value
        show = self.forms.get(piece.form)
        if show is not None:
            return show(value)
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if not value and not is_number:
            return ""
        n = value if is_number else len(value) if isinstance(value, tuple | list) else 1
        values = {**values, "n": n, "it": value}
        return self._said(self.catalog.pieces(piece.form, values, thing) or (Piece(piece.form),), values, thing)


@cache
def catalog_of(language: str) -> Catalog:
    """Return the catalog of a language, read once."""
    return Catalog(language)


def files_of(language: str) -> Iterator[Path]:
    """Yield the files of a language's catalog."""
    return iter(sorted((shipped("templates") / "locale" / language).glob("*.po")))


@cache
def _read(language: str) -> tuple[Mapping[str, tuple[Variant, ...]], Callable[[int], int]]:
    """Read the messages of one language, without the fallback, and its plural rule."""
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
    name, _, inner = found["path"].partition(".")
    return Condition(name, inner, found["value"], is_wanted=not found["no"])


def _pieces(text: str) -> Iterator[Piece]:
    for literal, path, form, _ in Formatter().parse(text):
        name, _, inner = (path or "").partition(".")
        yield Piece(literal, name, inner, form or "")
