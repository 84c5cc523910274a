"""Names of places: the key to the codes, and the table of every accepted name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from judge.language.words.shipped import names_on
from judge.languages import Language, said_in
from judge.reports.columns import hanging, laid_out
from judge.resources import boards
from judge.rules.map import USUAL_BOARD, is_readable
from judge.rules.position import Power

_BEGINS, _ENDS = "\x02", "\x03"
_CODE = re.compile(f"{_BEGINS}([^{_ENDS}]*){_ENDS}")


def beside_its_name(code: str) -> str:
    """Mark the code behind the name of a place; `codes_once` keeps the first in a letter."""
    return f"{_BEGINS}{code}{_ENDS}"


def codes_once(letter: str) -> str:
    r"""Return a letter in which each code stands beside its name once, where the place is first mentioned.

    >>> codes_once("Kiel\x02 (KIE)\x03, Ruhr\x02 (RUH)\x03, Kiel\x02 (KIE)\x03")
    'Kiel (KIE), Ruhr (RUH), Kiel'
    """
    seen: set[str] = set()

    def kept(code: re.Match[str]) -> str:
        is_new = code[1] not in seen
        seen.add(code[1])
        return code[1] if is_new else ""

    return _CODE.sub(kept, letter) if _BEGINS in letter else letter


def without_codes(text: str) -> str:
    """Return a text without the codes beside its names."""
    return _CODE.sub("", text) if _BEGINS in text else text


@cache
def power_anywhere(power: Power, language: Language) -> str:
    """Return the name of a power on the first board that has it."""
    having = (names_on(board)["powers"] for board in boards() if is_readable(board))
    named = next((powers[power] for powers in having if power in powers), {"en": [power.capitalize()]})
    return str(said_in(named, language)[0])


def board_title(map_name: str, language: Language) -> str:
    """Return the title of a board."""
    return str(said_in(names_on(map_name)["board"], language))


def key_of_places(map_name: str, language: Language) -> tuple[tuple[str, str], ...]:
    """Return code and name of each place, in the order of the codes."""
    provinces = names_on(map_name)["provinces"]
    return tuple((code, str(said_in(provinces[code], language)[0])) for code in sorted(provinces))


def places_page(topic: Mapping[str, Any], language: Language, columns: int, on: Sequence[str]) -> str:
    """Return HELP places: on each board the codes with every accepted spelling, those of the reader's language first.

    Without boards, those of the usual one, and how another is asked for.
    """
    parts = [laid_out(said_in(topic, language), columns)]
    for titles, names in _with_titles(on or (USUAL_BOARD,), language):
        heading = said_in(topic["board"], language).format(titles=", ".join(titles))
        parts += [heading, *_tables(names, topic, language, columns)]
    return "\n\n".join(parts if on else [*parts, laid_out(said_in(topic["others"], language), columns)])


def _with_titles(on: Iterable[str], language: Language) -> list[tuple[list[str], Mapping[str, Any]]]:
    """Return the names on these boards, each with the titles of the boards that have them."""
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
