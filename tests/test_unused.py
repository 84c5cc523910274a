"""Lines about the game count, are asked about, or are named as unused.

Talk is not named.
"""

from __future__ import annotations

from random import Random

import pytest

from judge.language import Context, ReadLine, read, unused
from judge.rules import load_map
from judge.rules.position import Power

MAP = load_map()
BOARD = Context(MAP, MAP.start(), (Power("FRANCE"),))

SPEAKING = """
Would Paris to Burgundy have been better?
Munich to Burgundy was a surprise, Paris to Picardy is not.
France and Germany both want Belgium and Burgundy
Which powers haven't sent orders?
How many days are left?
Who else is in the game?
I don't want to resign, I was only late with my mail.
Can you do something about the deadline for me?
Could you look into this?
The rollback was a mistake
what about an armistice one day
I was told the deadline would be later
ミュンヘンとブルゴーニュの間が気になります
締切の件ですが
引き分けはどうなっているのでしょう
命令を出していない国はどこですか
いつ更新されますか
これを何とかしてください
My cat moved to Munich
Vienna to Gallicia
ミュンへ→ブルゴー
棋譜を見たいです
延長の話はどうなりましたか
"""
TALK = """
Hello everybody
Great game so far!
My cat sleeps all day
Good luck to all of you
I think we should meet one day
Have fun
Thank you all
Sent from my phone
War is hell.
こんにちは
楽しいゲームですね。
皆様、よろしくお願いします
今日はいい天気です
ありがとうございました
お世話になっております
また明日
"""
USED = """
A Par - Bur
A Mar S A Par - Bur
F Bre - Eng
READY
STATUS
I vote for a draw
パリ陸軍をブルゴーニュへ移動
完了
地図をください
"""
GARBLED = """
A Par - Brugundy
A Mar suports A Par
F Bre to the English Chanel or not
A Par - Bur or Pic
パリ陸軍をブルゴーニャへ移動
マルセイユ陸軍はパリ陸軍を応援する
CONCEDE
EXTEND
"""
GREETING = """
hello
test
Hi, just testing!
Hello, nice to meet you
こんにちは、はじめまして
初めまして。
テストです
ジャッジさん、はじめまして。田中です。
はじめまして、佐藤と申します。よろしくお願いします
"""


def rows(table: str) -> list[str]:
    return table.strip().splitlines()


def named(text: str) -> tuple[tuple[ReadLine, ...], tuple[str, ...]]:
    lines = read(text, BOARD)
    return lines, unused(lines, BOARD)


@pytest.mark.parametrize("line", rows(SPEAKING))
def test_a_line_that_speaks_of_the_game_is_not_passed_over(line: str) -> None:
    (one,), not_used = named(line)
    assert bool(one.requests or one.faults) != (not_used == (line,))


@pytest.mark.parametrize(
    "line", ["Would Paris to Burgundy have been better?", "Could you look into this?", "これを何とかしてください"]
)
def test_what_nothing_is_made_of_is_named(line: str) -> None:
    (one,), not_used = named(line)
    assert (one.requests, one.faults, not_used) == ((), (), (line,))


@pytest.mark.parametrize("line", rows(TALK))
def test_talk_beside_what_counts_is_not_named(line: str) -> None:
    (_, one), not_used = named(f"A Par - Bur\n\n{line}")
    assert (one.requests, one.faults, not_used) == ((), (), ())


@pytest.mark.parametrize("line", rows(GREETING))
def test_a_greeting_asks_for_nothing(line: str) -> None:
    (one,), _ = named(line)
    assert (one.requests, one.faults) == ((), ())


@pytest.mark.parametrize(
    ("mail", "all_named"),
    [
        ("Hello judge,\n\nMy cat moved to Munich.\n\nBest regards\nBob", ["My cat moved to Munich."]),
        (
            "Bob here\nThat went thanks to you another way than planned",
            ["Bob here", "That went thanks to you another way than planned"],
        ),
        ("Good morning!\n\n-- \nthe map man", []),
        (
            "お世話になっております。秋山です。\n\n今日はいい天気です\n\nよろしくお願いします。\n秋山 明",
            ["今日はいい天気です"],
        ),
        ("締切の件ですが", ["締切の件ですが"]),
        ("x" * 400, [f"{'x' * 300}…"]),
        ("GAME ardennes\nwhat a week", ["what a week"]),
    ],
)
def test_where_nothing_was_used_all_of_it_is_named(mail: str, all_named: list[str]) -> None:
    assert list(named(mail)[1]) == all_named


def test_each_line_of_a_mail_counts_or_is_asked_about_or_is_named() -> None:
    chance = Random(7)
    speaking = [*rows(SPEAKING), *rows(USED), *rows(GARBLED)]
    for _ in range(150):
        mail = chance.sample(speaking, 4) + chance.sample(rows(TALK), 2)
        chance.shuffle(mail)
        lines, not_used = named("\n\n".join(mail))
        heard = {line.text.strip() for line in lines if line.requests or line.faults or line.is_heeded}
        heard |= set(not_used)
        below = next((place for place, line in enumerate(mail) if line.startswith(ENDS)), len(mail))
        assert {line for line in mail[:below] if line in speaking} <= heard
        if any(line.requests or line.faults for line in lines):
            assert not {line for line in mail if line not in speaking} & heard


ENDS = ("Thank you all", "皆様、よろしく")
"""Closings of a letter: below them is a signature."""


def test_the_line_is_named_as_it_was_written() -> None:
    _, not_used = named(
        "Hello,\n\n   Would Paris to Burgundy  have been better?  \n\nA Par - Bur\n\nBest regards\nthe map man"
    )
    assert not_used == ("Would Paris to Burgundy  have been better?",)
