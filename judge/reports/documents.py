"""The documents as pages of the site: what stands in `docs`, with its links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from judge.commands import Language
from judge.resources import shipped

DOCUMENTS = (
    *("player", "master", "rules", "commands", "language"),
    *("setup", "providers", "operating", "upgrading", "log"),
)
"""Those that players, masters and operators read, in this order."""
_LINK = re.compile(r"(?P<name>[\w-]+?)(?P<ja>\.ja)?\.md(?P<anchor>#.*)?")

_NO_ANCHOR = re.compile(r"[^\w\- ]")
"""What a heading has and its anchor has not, as on the forge."""


@dataclass(frozen=True, slots=True)
class Document:
    """One of them, in one language; the other language's, where it is written in no other."""

    name: str
    title: str
    html: Markup


@cache
def documents(language: Language) -> tuple[Document, ...]:
    """All of them, read once."""
    return tuple(_document(name, language) for name in DOCUMENTS)


def _document(name: str, language: Language) -> Document:
    reader = MarkdownIt("commonmark").enable("table")
    tokens = reader.parse(_file(name, language).read_text("utf-8"))
    heading = next(number for number, token in enumerate(tokens) if token.type == "heading_open")
    for token, words in pairwise(tokens):
        if token.type == "heading_open":
            token.attrs["id"] = _NO_ANCHOR.sub("", words.content.lower()).replace(" ", "-")
    for token in tokens:
        token.children = list(_linked(token.children, language)) if token.children else token.children
    # The documents are our own.
    html = Markup(reader.renderer.render(tokens, reader.options, {}))  # noqa: S704
    return Document(name, tokens[heading + 1].content, html)


def _file(name: str, language: Language) -> Path:
    own = shipped("docs") / f"{name}.{language.value}.md"
    return own if own.is_file() else shipped("docs") / f"{name}.md"


def _linked(tokens: list[Token], language: Language) -> Iterator[Token]:
    """The words of a paragraph; links to what is no page of the site are words alone."""
    is_kept = True
    for token in tokens:
        if token.type == "link_open":
            where = _where(str(token.attrs["href"]), language)
            is_kept = bool(where)
            token.attrs["href"] = where
        if is_kept or token.type not in ("link_open", "link_close"):
            yield token


def _where(href: str, language: Language) -> str:
    """Where a link of a document leads from its page; "" if it leads out of the site."""
    if href.startswith(("https:", "#")):
        return href
    found = _LINK.fullmatch(href)
    if found is None or found["name"] not in DOCUMENTS:
        return ""
    is_other = found["name"] in _IN_BOTH and bool(found["ja"]) != (language is Language.JAPANESE)
    other = next(one for one in Language if one is not language)
    way = f"../../{other.value}/docs/" if is_other else ""
    return f"{way}{found['name']}.html{found['anchor'] or ''}"


_IN_BOTH = frozenset(DOCUMENTS) - {"commands"}
