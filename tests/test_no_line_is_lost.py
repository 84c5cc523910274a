"""A misspelled order counts, is asked about, refused or named, even beside good orders.

It is never passed over in silence.
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.commands import Give
from judge.language import Context, read, unused
from judge.resources import shipped
from judge.rules import load_map, write_order
from judge.rules.position import Power
from tests.soak import Soak

MAP = load_map()
BOARD = Context(MAP, MAP.start(), (Power("GERMANY"),))
GOOD = {"en": "A Mun - Bur", "ja": "ミュンヘン陸軍をブルゴーニュへ移動", "de": "Armee München nach Burgund"}
ENGLISH = """
{k} {a} - {b} | {k} {a}-{b} | {a} to {b} | {a} -> {b} | {a}→{b} | {k} {a} to {b} | {a} - {b} | army {a} to {b}
army {a} moves to {b} | move {a} to {b} | {a} moves to {b} | from {a} to {b} | {k} {a} h | {a} holds | hold {a}
{k} {a} s {b} | {a} supports {b} | {k} {a} s {k} {b} - {c} | {a} supports {b} to {c} | {a} convoys {b} to {c}
attack {b} from {a} | {a} => {b} | fleet {a} goes to {b}
"""
JAPANESE = """
{a}陸軍を{b}へ移動 | {a}の陸軍は{b}へ | {a}→{b} | {a}から{b}へ | {a}陸軍→{b} | {a}陸軍は維持 | {a}を維持
{a}陸軍は{b}陸軍を支援 | {a}陸軍は{b}陸軍の{c}への移動を支援 | {a}へ移動 | {a}海軍は{b}へ進軍 | {a} - {b}
{a}海軍で{b}陸軍を{c}へ輸送 | {a}は{b}へ
"""
GERMAN = """
{k} {a} - {b} | {a} nach {b} | {k} {a} nach {b} | {a} -> {b} | {a}→{b} | {a} - {b} | Armee {a} nach {b}
Armee {a} zieht nach {b} | {a} zieht nach {b} | von {a} nach {b} | Flotte {a} fährt nach {b} | {k} {a} h | {a} hält
Armee {a} bleibt | {a} bleibt stehen | {k} {a} hält | halte {a} | {k} {a} unterstützt {b} | {a} unterstützt {b}
{k} {a} u {k} {b} - {c} | {a} unterstützt {b} nach {c} | Flotte {a} befördert Armee {b} nach {c}
{a} greift {b} an | Armee {a} auf {b} | {a} soll nach {b} gehen | {a} nach {b} ziehen
"""
TEMPLATES = {
    language: [one.strip() for row in rows.strip().splitlines() for one in row.split(" | ")]
    for language, rows in (("en", ENGLISH), ("ja", JAPANESE), ("de", GERMAN))
}
KANA = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモラリルレロワンガギグゲゴ"
_LEAST = {"en": 3, "ja": 2, "de": 3}
"""The least number of letters that a misspelled name keeps."""
_LONGEST_CODE = 4


@dataclass(frozen=True)
class Slip:
    """A line with one or two misspelled names."""

    line: str
    places: tuple[str, ...]
    """The provinces that were meant."""


@cache
def _names() -> dict[str, dict[str, list[str]]]:
    data = tomllib.loads((shipped("maps") / "standard" / "names.toml").read_text("utf-8"))
    provinces = data["provinces"].items()
    return {
        "en": {code: [*words["codes"], *words["en"]] for code, words in provinces},
        "ja": {code: [word for word in words["ja"] if len(word) > 2] or words["ja"] for code, words in provinces},
        "de": {code: words["de"] for code, words in provinces},
    }


@cache
def _ambiguous() -> dict[str, list[str]]:
    data = tomllib.loads((shipped("maps") / "standard" / "names.toml").read_text("utf-8"))
    return dict(data["ambiguous"])


def misspelled(chance: Random, language: str) -> Slip:
    """Return an order with a slip in a name, or two in a longer name."""
    codes = chance.sample(sorted(_names()[language]), 3)
    names = [chance.choice(_names()[language][code]) for code in codes]
    for place in chance.choice([(0,), (1,), (0, 1)]):
        for _ in range(1 if len(names[place]) <= _LONGEST_CODE else chance.choice([1, 2])):
            names[place] = _with_a_slip(names[place], chance, language)
    a, b, c = names
    return Slip(chance.choice(TEMPLATES[language]).format(a=a, b=b, c=c, k=chance.choice("AF")), tuple(codes))


def _with_a_slip(name: str, chance: Random, language: str) -> str:
    at = chance.randrange(len(name))
    letter = chance.choice(KANA if language == "ja" else string.ascii_lowercase)
    slips: list[Callable[[], str]] = [
        lambda: name[:at] + letter + name[at:],
        lambda: name[:at] + letter + name[at + 1 :],
        lambda: name[:at] + name[at + 1 : at + 2] + name[at] + name[at + 2 :],
    ]
    if len(name) > _LEAST[language]:
        slips.append(lambda: name[:at] + name[at + 1 :])
    return chance.choice(slips)()


def check(seed: int) -> None:
    """Check one misspelled order by itself, and beside a good order."""
    chance = Random(seed)
    language = chance.choice(sorted(TEMPLATES))
    slip = misspelled(chance, language)
    for mail in (slip.line, f"{GOOD[language]}\n\n{slip.line}", f"{slip.line}\n{GOOD[language]}"):
        lines = read(mail, BOARD)
        not_used = unused(lines, BOARD)
        for line in lines:
            assert line.requests or line.faults or line.is_heeded or line.text.strip() in not_used, (mail, line.text)
        _check_that_none_is_invented(slip, mail)


def _check_that_none_is_invented(slip: Slip, mail: str) -> None:
    """Check that a filed order names only places that the line supports.

    They are the places meant, others that the line names, and the stated guesses.
    """
    holding = [line for line in read(mail, BOARD) if slip.line.strip() in line.text]
    line = min(holding, key=lambda one: len(one.text))  # the rest of a name may also occur in the good order
    written = slip.line.casefold()
    named = {
        code
        for names in _names().values()
        for code, words in names.items()
        if any(word.casefold() in written or word.casefold()[:_LONGEST_CODE] in written for word in words)
    }
    named |= {
        code for word, codes in _ambiguous().items() if word.casefold()[:_LONGEST_CODE] in written for code in codes
    }
    for request in line.requests:
        if isinstance(request, Give):
            places = set(re.findall(r"\b[A-Z]{3}\b", write_order(request.order))) - {"VIA"}
            assert places <= named | set(slip.places) | {guess.place for guess in request.guessed}, (mail, request)


@given(st.integers(0, 2**40))
@settings(max_examples=200, deadline=None)
def test_no_misspelled_order_is_passed_over(seed: int) -> None:
    check(seed)


@pytest.mark.soak
def test_no_misspelled_order_is_passed_over_in_twenty_thousand_mails(soak: Soak) -> None:
    for seed in soak.seeds(20_000):
        check(seed)


@pytest.mark.parametrize(
    "line",
    [
        "Vienna to Gallicia", "Kiel to Hollnd", "Berlin to Prusia please", "Munch to Burgundy", "ウィ→ガリ",
        "ミュンヘ→ブルゴー", "Kiel moved to Holand", "Should Munich go to Tyrolea", "My cat moved to Munich",
        "Burgundy -> ?", "from Kil to Den", "キルからホーランドへ", "多島へ移動",
        "A Now. Sea h", "F Now. Sea hold", "F Pjrs s North Sa", "西地ゴ中海→北部大シ洋", "Mücnhepn holds",
        "北アフカから部ヒ中海へ", "北サ西洋を維持", "北部大トシへ移動",
        "army Rhur Holland", "A Rhur Holland", "Ruhr auf Hollnd", "Armee Loxdon auf Pikardie",
        "ベルリン軍はプロイセ", "ベルリンはまもる",
        "Tixo bleibt stehen", "Armee Tnsi auf München", "elin holds", "nara nach Wie", "halte Wein", "mN. ea holds",
    ],
)  # fmt: skip
def test_a_line_that_may_be_an_order_is_never_passed_over_beside_a_good_one(line: str) -> None:
    for good in GOOD.values():
        lines = read(f"{good}\n\n{line}\n\nThanks", BOARD)
        found = next(one for one in lines if one.text == line)
        assert found.requests or found.faults or line in unused(lines, BOARD)
