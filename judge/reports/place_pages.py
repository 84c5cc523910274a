"""HELP places: the table of every accepted name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from judge.languages import Language, said_in
from judge.names import names_on
from judge.reports.columns import hanging, laid_out
from judge.reports.places import board_title
from judge.rules.map import USUAL_BOARD


def places_page(topic: Mapping[str, Any], language: Language, columns: int, on: Sequence[str]) -> str:
    """Return HELP places: on each board the codes with every accepted spelling.

    Spellings of the reader's language come first. Without boards, the page shows those of the usual one and says how
    to ask for another.
    """
    parts = [laid_out(said_in(topic, language), columns)]
    for titles, names in _with_titles(on or (USUAL_BOARD,), language):
        heading = said_in(topic["board"], language).format(titles=", ".join(titles))
        parts += [heading, *_tables(names, topic, language, columns)]
    return "\n\n".join(parts if on else [*parts, laid_out(said_in(topic["others"], language), columns)])


def _with_titles(on: Iterable[str], language: Language) -> list[tuple[list[str], Mapping[str, Any]]]:
    """Return the names on these boards, with the titles of the boards that share them."""
    found: list[tuple[list[str], Mapping[str, Any]]] = []
    for board in on:
        names = {table: words for table, words in names_on(board).items() if table not in ("board", "about")}
        alike = next((titles for titles, others in found if others == names), None)
        if alike is None:
            found.append(([board_title(board, language)], names))
        else:
            alike.append(board_title(board, language))
    return found


def _tables(names: Mapping[str, Any], topic: Mapping[str, Any], language: Language, columns: int) -> Iterator[str]:
    rows = [(code, (*words["codes"], *_spelled(words, language))) for code, words in sorted(names["provinces"].items())]
    yield _table(rows, columns)
    for part in ("coasts", "powers"):
        listed = [(code, _spelled(words, language)) for code, words in names[part].items()]
        if listed:
            yield f"{said_in(topic[part], language)}\n\n{_table(listed, columns)}"
    several = [(word, tuple(codes)) for word, codes in names["ambiguous"].items()]
    if several:
        yield f"{said_in(topic['ambiguous'], language)}\n\n{_table(several, columns)}"


def _spelled(words: Mapping[str, Iterable[str]], language: Language) -> tuple[str, ...]:
    others = (other.value for other in Language if other is not language)
    return tuple(word for tongue in (language.value, *others) for word in words.get(tongue, ()))


def _table(rows: Iterable[tuple[str, tuple[str, ...]]], columns: int) -> str:
    told = []
    for head, words in rows:
        others = ", ".join(dict.fromkeys(word for word in words if word != head))
        told += hanging(others, columns, f"  {head}  ", "       ")
    return "\n".join(told)
