"""Names of places and boards, and the codes beside them."""

from __future__ import annotations

import re
from functools import cache

from judge.languages import Language, said_in
from judge.names import names_on
from judge.resources import boards
from judge.rules.map import is_readable
from judge.rules.position import Power

_BEGINS, _ENDS = "\x02", "\x03"
_CODE = re.compile(f"{_BEGINS}([^{_ENDS}]*){_ENDS}")


def beside_its_name(code: str) -> str:
    """Mark the code behind the name of a place, for `codes_once`."""
    return f"{_BEGINS}{code}{_ENDS}"


def codes_once(letter: str) -> str:
    r"""Return a letter with each code beside its name once, at the first mention.

    Names in brackets are passed over: their codes would be brackets in brackets.

    >>> codes_once("Kiel\x02 (KIE)\x03 (Ruhr\x02 (RUH)\x03), Kiel\x02 (KIE)\x03, Ruhr\x02 (RUH)\x03")
    'Kiel (KIE) (Ruhr), Kiel, Ruhr (RUH)'
    """
    seen: set[str] = set()

    def is_in_brackets(at: int) -> bool:
        paragraph = max(letter.rfind(">", 0, at), letter.rfind("\n\n", 0, at), 0)
        return letter.count("(", paragraph, at) > letter.count(")", paragraph, at)

    def kept(code: re.Match[str]) -> str:
        if code[1] in seen or is_in_brackets(code.start()):
            return ""
        seen.add(code[1])
        return code[1]

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


def powers_on(map_name: str, language: Language) -> tuple[str, ...]:
    """Return the names of the powers of a board."""
    return tuple(str(said_in(named, language)[0]) for named in names_on(map_name)["powers"].values())


def board_title(map_name: str, language: Language) -> str:
    """Return the title of a board."""
    return str(said_in(names_on(map_name)["board"], language))


def key_of_places(map_name: str, language: Language) -> tuple[tuple[str, str], ...]:
    """Return code and name of each place, in the order of the codes."""
    provinces = names_on(map_name)["provinces"]
    return tuple((code, str(said_in(provinces[code], language)[0])) for code in sorted(provinces))
