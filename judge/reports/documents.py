"""The documents in `docs` and the manual as pages of the site, with adapted links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from judge.commands import Language
from judge.reports.command_pages import CONTENTS, anchor, command_pages
from judge.reports.rulebook import document_in

_NAMES = (
    *("player", "master", "rules", "commands", "language"),
    *("setup", "providers", "operating", "upgrading", "log"),
)
"""The documents for players, masters and operators, in the order of the site."""
_LINK = re.compile(r"(?P<name>[\w-]+?)(?:\.(?P<language>[a-z]{2}))?\.md(?P<anchor>#.*)?")


@dataclass(frozen=True, slots=True)
class Document:
    """A document in one language; in English if it is not translated."""

    name: str
    title: str
    html: Markup
    language: Language
    """The language it is written in."""
    is_part: bool = False
    """It is a page of the manual, which the page of contents leads to."""


@cache
def documents(language: Language) -> tuple[Document, ...]:
    """Return all documents in a language, read once."""
    return tuple(one for name in _NAMES for one in _documents(name, language))


def _documents(name: str, language: Language) -> Iterator[Document]:
    if name == CONTENTS:
        yield from (_document(page, text, language) for page, text in command_pages(language))
    else:
        file = document_in(language, name)
        own = language if file.name.endswith(f".{language}.md") else Language.ENGLISH
        yield _document(name, file.read_text("utf-8"), own)


def _document(name: str, text: str, language: Language) -> Document:
    reader = MarkdownIt("commonmark").enable("table")
    tokens = reader.parse(text)
    heading = next(number for number, token in enumerate(tokens) if token.type == "heading_open")
    for token, words in pairwise(tokens):
        if token.type == "heading_open":
            token.attrs["id"] = anchor("".join(one.content for one in words.children or ()))
    for token in tokens:
        token.children = list(_linked(token.children, language)) if token.children else token.children
    # The documents are our own, so their HTML can be trusted.
    html = Markup(reader.renderer.render(tokens, reader.options, {}))  # noqa: S704
    return Document(name, tokens[heading + 1].content, html, language, is_part=name.startswith(f"{CONTENTS}-"))


def _linked(tokens: list[Token], language: Language) -> Iterator[Token]:
    """Yield the parts of a paragraph; a link to no page keeps only its words."""
    is_kept = True
    for token in tokens:
        if token.type == "link_open":
            where = _where(str(token.attrs["href"]), language)
            is_kept = bool(where)
            token.attrs["href"] = where
        if is_kept or token.type not in ("link_open", "link_close"):
            yield token


def _where(href: str, language: Language) -> str:
    """Return the target of a link on the site; "" for other files."""
    if href.startswith(("https:", "#")):
        return href
    found = _LINK.fullmatch(href)
    if found is None or found["name"].partition("-")[0] not in _NAMES:
        return ""
    other = Language(found["language"] or Language.ENGLISH)
    is_in_each = found["name"].startswith(CONTENTS)
    way = f"../../{other}/docs/" if other is not language and not is_in_each else ""
    return f"{way}{found['name']}.html{found['anchor'] or ''}"
