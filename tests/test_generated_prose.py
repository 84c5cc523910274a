"""Generated mails in prose: every line has an outcome that its sender learns.

No order is invented.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.commands import Doubted, Give
from judge.language import ReadLine, read, unused
from judge.rules import write_order
from judge.rules.orders import Waive
from tests.soak import Soak
from tests.tables import board_of

BOARD = board_of(
    "S1902M GERMANY: A MUN, A BER, F KIE, A RUH, F DEN; FRANCE: A BUR, A PAR; RUSSIA: A WAR, F SWE; "
    "ENGLAND: F NTH, F HEL; AUSTRIA: A BOH, A TYR"
)
NAMES = {
    "en": {
        "MUN": "Munich",
        "BER": "Berlin",
        "KIE": "Kiel",
        "RUH": "Ruhr",
        "DEN": "Denmark",
        "BUR": "Burgundy",
        "TYR": "Tyrolia",
        "PRU": "Prussia",
        "SIL": "Silesia",
        "HOL": "Holland",
        "BAL": "Baltic Sea",
        "BEL": "Belgium",
        "SKA": "Skagerrak",
        "SWE": "Sweden",
    },
    "ja": {
        "MUN": "ミュンヘン",
        "BER": "ベルリン",
        "KIE": "キール",
        "RUH": "ルール",
        "DEN": "デンマーク",
        "BUR": "ブルゴーニュ",
        "TYR": "チロル",
        "PRU": "プロイセン",
        "SIL": "シレジア",
        "HOL": "オランダ",
        "BAL": "バルト海",
        "BEL": "ベルギー",
        "SKA": "スカゲラク海峡",
        "SWE": "スウェーデン",
    },
    "de": {
        "MUN": "München",
        "BER": "Berlin",
        "KIE": "Kiel",
        "RUH": "Ruhr",
        "DEN": "Dänemark",
        "BUR": "Burgund",
        "TYR": "Tirol",
        "PRU": "Preußen",
        "SIL": "Schlesien",
        "HOL": "Holland",
        "BAL": "Ostsee",
        "BEL": "Belgien",
        "SKA": "Skagerrak",
        "SWE": "Schweden",
    },
}
GOALS = {"MUN": "BUR TYR SIL", "BER": "PRU SIL", "KIE": "HOL BAL", "RUH": "BEL HOL", "DEN": "SKA SWE BAL"}
KINDS = {"MUN": "A", "BER": "A", "KIE": "F", "RUH": "A", "DEN": "F"}
MOVES = {
    "en": ["{a} to {b}", "{a} goes to {b}", "{a} - {b}", "{a}: {b}", "I'd like {a} to go to {b}", "{a} to {b} please"],
    "ja": [
        "{a}は{b}へ",
        "{a}→{b}",
        "{a}から{b}へ移動します",
        "{a}:{b}",
        "{a}は{b}へお願いします",
        "{a}は{b}に進みます",
    ],
    "de": ["{a} nach {b}", "{a} geht nach {b}", "{a} - {b}", "{a} zieht bitte nach {b}"],
}
HOLDS = {"en": ["{a} holds", "{a} stays put"], "ja": ["{a}は維持", "{a}維持"], "de": ["{a} hält", "{a} bleibt stehen"]}
REMARKS = {
    "en": ["", "", " (bounce with France, fine by me)", " (as agreed)", " [self-bounce]"],
    "ja": ["", "", "(スタンドオフ狙い)", "(ロシアと合意済み)"],
    "de": ["", "", " (wie besprochen)", " (Patt mit Frankreich)"],
}
ANEW = {
    "en": [", no wait, ", ", sorry, I mean ", "... actually no, ", ", I changed my mind, "],
    "ja": ["、いや、", "、すみません、", "、やっぱり"],
    "de": [", nein, ", ", Moment, ", ", ich meine "],
}
IDLE = {
    "en": ["Hi all", "Sorry for the late mail", "Thanks", "Best, Tom", "Hello, here are my orders", "Cheers"],
    "ja": [
        "こんばんは",
        "お世話になっております",
        "よろしくお願いします",
        "遅くなってすみません",
        "ありがとうございます",
    ],
    "de": ["Hallo", "Viele Grüße", "Danke", "Hier meine Züge"],
}
NEVER = {
    "en": [
        "If Italy leaves, {a} to {b}",
        "Last year I moved {a} to {b}",
        "France wants {a} to go to {b}",
        "{a} to {b} (once Italy leaves)",
        "What about {a} to {b}?",
        "I am thinking of {a} to {b}",
        "{a} to {b}, unless Italy objects",
        "Fred said: {a} to {b}",
        "Don't move {a} to {b}",
        "{a} to {b} or not?",
    ],
    "ja": [
        "イタリアが退いたら{a}は{b}へ",
        "去年は{a}を{b}へ動かしました",
        "フランスは{a}を{b}へと言っています",
        "{a}→{b}(イタリアが退いたら)",
        "{a}は{b}へ行けますか",
        "{a}を{b}へ動かすか迷っています",
        "{a}は{b}へ移動しません",
    ],
    "de": [
        "Falls Italien abzieht, {a} nach {b}",
        "Letztes Jahr zog ich {a} nach {b}",
        "Frankreich will {a} nach {b}",
        "{a} nach {b} (sobald Italien abzieht)",
        "Was ist mit {a} nach {b}?",
        "{a} nicht nach {b}",
    ],
}
ENDS = {"en": ". ", "ja": "。", "de": ". "}
BETWEEN = {"en": [", ", ". ", " and "], "ja": ["、", "。"], "de": [", ", ". ", " und "]}


@dataclass
class Mail:
    """A mail, the orders that it gives, and its lines that give none."""

    language: str
    lines: list[str] = field(default_factory=list)
    meant: set[str] = field(default_factory=set)
    idle: list[str] = field(default_factory=list)


def generated(chance: Random) -> Mail:
    mail = Mail(chance.choice(sorted(NAMES)))
    units = chance.sample(sorted(GOALS), len(GOALS))
    while units:
        chance.choice([_of_orders, _of_orders, _of_orders, _that_orders_nothing, _of_talk])(mail, units, chance)
    return mail


def _order(mail: Mail, unit: str, chance: Random) -> tuple[str, str]:
    """Return an order in words, and in the notation."""
    names = NAMES[mail.language]
    if chance.random() < 0.2:
        return chance.choice(HOLDS[mail.language]).format(a=names[unit]), f"{KINDS[unit]} {unit} H"
    goal = chance.choice(GOALS[unit].split())
    return chance.choice(MOVES[mail.language]).format(a=names[unit], b=names[goal]), f"{KINDS[unit]} {unit} - {goal}"


def _of_orders(mail: Mail, units: list[str], chance: Random) -> None:
    parts: list[str] = []
    for _ in range(min(len(units), chance.choice([1, 1, 2, 3]))):
        words, order = _order(mail, units.pop(), chance)
        if chance.random() < 0.2:
            words += chance.choice(ANEW[mail.language])
            again, order = _order(mail, order.split()[1], chance)
            words += again
        mail.meant.add(order)
        parts.append(words)
    line = chance.choice(BETWEEN[mail.language]).join(parts) + chance.choice(REMARKS[mail.language])
    idle = chance.choice(IDLE[mail.language]) + ENDS[mail.language] if chance.random() < 0.3 else ""
    mail.lines.append(_with_a_slip(idle + line, chance) if chance.random() < 0.2 else idle + line)


def _that_orders_nothing(mail: Mail, units: list[str], chance: Random) -> None:
    unit = units.pop()
    goal = chance.choice(GOALS[unit].split())
    names = NAMES[mail.language]
    line = chance.choice(NEVER[mail.language]).format(a=names[unit], b=names[goal])
    mail.lines += ["", line, ""]


def _of_talk(mail: Mail, _units: list[str], chance: Random) -> None:
    mail.idle.append(chance.choice(IDLE[mail.language]))
    mail.lines += [mail.idle[-1], ""]


def _with_a_slip(line: str, chance: Random) -> str:
    places = [place for place in range(len(line) - 1) if line[place].isalnum() and line[place + 1].isalnum()]
    at = chance.choice(places)
    slips: list[Callable[[], str]] = [
        lambda: line[:at] + line[at + 1 :],
        lambda: line[:at] + line[at] + line[at:],
        lambda: line[:at] + line[at + 1] + line[at] + line[at + 2 :],
    ]
    return chance.choice(slips)()


MOST_WRONG = 0.01
"""The share of generated mails that may be misread; 0.003 are."""


def check(seed: int) -> None:
    mail = generated(Random(seed))
    lines = read("\n".join(mail.lines), BOARD)
    not_used = unused(lines, BOARD)
    for line in lines:
        is_idle = line.text in mail.idle
        assert is_idle or _has_an_end(line, not_used), (mail.lines, line.text)
    given_ = [one.order for line in lines for one in line.requests if isinstance(one, Give)]
    last = {order.unit: write_order(order) for order in given_ if not isinstance(order, Waive)}  # the last word counts
    assert set(last.values()) <= mail.meant, (mail.lines, last)


def _has_an_end(line: ReadLine, not_used: tuple[str, ...]) -> bool:
    asked = any(isinstance(one, Give | Doubted) for one in line.requests)
    return asked or bool(line.requests or line.faults) or line.is_heeded or line.text.strip() in not_used


@given(st.integers(0, 2**40))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_every_line_of_a_mail_in_prose_comes_to_an_end(seed: int) -> None:
    check(seed)


@pytest.mark.soak
def test_every_line_of_ten_thousand_mails_in_prose_comes_to_an_end(soak: Soak) -> None:
    """Some mails are still misread, such as `Munich: Burgundy and Berlin stays put`.

    There must be few of them.
    """
    wrong, mails = [], 0
    for seed in soak.seeds(10_000):
        mails += 1
        try:
            check(seed)
        except AssertionError as error:
            wrong.append(f"seed {seed}: {error}")
    assert len(wrong) <= 5 + mails * MOST_WRONG, "\n".join(wrong)
