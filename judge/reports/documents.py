"""The documents in `docs` as pages of the site, with their links adapted."""

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
from judge.reports.rulebook import document_in

DOCUMENTS = (
    *("player", "master", "rules", "commands", "language"),
    *("setup", "providers", "operating", "upgrading", "log"),
)
"""Those for players, masters and operators, in the order of the site."""
_LINK = re.compile(r"(?P<name>[\w-]+?)(?:\.(?P<language>[a-z]{2}))?\.md(?P<anchor>#.*)?")

_NO_ANCHOR = re.compile(r"[^\w\- ]")
"""Characters of a heading that its anchor leaves out, as on the forge."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document in one language; in English if it is not translated."""

    name: str
    title: str
    html: Markup


@cache
def documents(language: Language) -> tuple[Document, ...]:
    """Return all documents in a language, read once."""
    return tuple(_document(name, language) for name in DOCUMENTS)


def _document(name: str, language: Language) -> Document:
    reader = MarkdownIt("commonmark").enable("table")
    tokens = reader.parse(document_in(language, name).read_text("utf-8"))
    own = _written_in(name, language)
    heading = next(number for number, token in enumerate(tokens) if token.type == "heading_open")
    for token, words in pairwise(tokens):
        if token.type == "heading_open":
            token.attrs["id"] = _NO_ANCHOR.sub("", words.content.lower()).replace(" ", "-")
    for token in tokens:
        token.children = list(_linked(token.children, own)) if token.children else token.children
    # The documents are our own, so their HTML can be trusted.
    html = Markup(reader.renderer.render(tokens, reader.options, {}))  # noqa: S704
    return Document(name, tokens[heading + 1].content, html)


def _written_in(name: str, language: Language) -> Language:
    """Return the language that the file of a document is written in."""
    return language if document_in(language, name).name.endswith(f".{language}.md") else Language.ENGLISH


def _linked(tokens: list[Token], language: Language) -> Iterator[Token]:
    """Yield the parts of a paragraph; a link that leads to no page of the site keeps its words only."""
    is_kept = True
    for token in tokens:
        if token.type == "link_open":
            where = _where(str(token.attrs["href"]), language)
            is_kept = bool(where)
            token.attrs["href"] = where
        if is_kept or token.type not in ("link_open", "link_close"):
            yield token


def _where(href: str, language: Language) -> str:
    """Return the target of a link on the site; "" for a file that is no page of it."""
    if href.startswith(("https:", "#")):
        return href
    found = _LINK.fullmatch(href)
    if found is None or found["name"] not in DOCUMENTS:
        return ""
    other = Language(found["language"] or Language.ENGLISH)
    way = f"../../{other}/docs/" if found["name"] in _IN_EACH and other is not language else ""
    return f"{way}{found['name']}.html{found['anchor'] or ''}"


_IN_EACH = frozenset(DOCUMENTS) - {"commands"}
