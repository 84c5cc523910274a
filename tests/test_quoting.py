"""Answers never quote half a word, however garbled a line is."""

from __future__ import annotations

import re
from random import Random

import pytest

from judge.language import Context, read
from judge.language.faults import Fault, FaultKind
from judge.language.words import normal_form
from judge.rules import load_map
from judge.rules.position import Power

MAP = load_map()
BOARD = Context(MAP, MAP.start(), (Power("FRANCE"),))
LINES = """
A Par - Bur | A Mar S A Par - Bur | F Bre - Eng | Army Paris to Burgundy, please | A Par holds
Fleet Brest goes to the English Channel | The army of Paris moves to Gascony | support A Par - Bur with A Mar
JOIN ardennes AS France | EXTEND 2 days | SET ZONE Europe/Paris | PRESS TO Italy | extend it by two days
パリ陸軍をブルゴーニュへ移動 | マルセイユ陸軍はパリ陸軍のブルゴーニュへの移動を支援 | ブレスト海軍をイギリス海峡へ移動
パリ陸軍は維持 | ブレスト海軍は海峡も移動 | パリの陸軍もブルゴーニュへ | マルセイユ陸軍はパリ陸軍を応援する
締切を2日延ばしてください | 密書 フランス | 12月10日まで留守にします | 地図をください
"""
WRITTEN = [line.strip() for row in LINES.strip().splitlines() for line in row.split("|")]
SCRIPTS = ("[ァ-ヺー]", "[一-龥]")


def garbled(line: str, chance: Random) -> str:
    """Return a line with a letter or a word changed.

    A letter is left out, added or doubled, or a word is left out.
    """
    place = chance.randrange(len(line))
    words = line.split(" ")
    match chance.randrange(4):
        case 0:
            return line[:place] + line[place + 1 :]
        case 1:
            return line[:place] + chance.choice("abexももがリ海") + line[place:]
        case 2:
            return line[:place] + line[place] + line[place:]
        case _:
            words.pop(chance.randrange(len(words)))
            return " ".join(words)


def borders(line: str) -> set[int]:
    """Return where words begin and end in the lexicon's view."""
    form = normal_form(line)
    spans = [form.span(word.start, word.end) for word in BOARD.lexicon.every_word(form.text)]
    return {0, len(line)} | {place for span in spans for place in span}


def is_within_a_word(line: str, place: int) -> bool:
    """Whether a place in a line splits a word."""
    if not 0 < place < len(line):
        return False
    before, behind = line[place - 1], line[place]
    if before.isascii() or behind.isascii():
        return before.isascii() and behind.isascii() and before.isalnum() and behind.isalnum()
    is_one_script = any(re.match(script, before) and re.match(script, behind) for script in SCRIPTS)
    return is_one_script and place not in borders(line)


def what_is_wrong_with(fault: Fault, line: str) -> str:
    if fault.word != line[fault.start : fault.end]:
        return "not what is written there"
    if is_within_a_word(line, fault.start) or is_within_a_word(line, fault.end):
        return "half a word"
    is_of_the_game = fault.kind in (FaultKind.NOT_UNDERSTOOD, FaultKind.UNKNOWN_PLACE)
    return "a mere particle" if is_of_the_game and re.fullmatch("[ぁ-ゖ]{1,2}", fault.word) else ""


def test_no_half_word_is_quoted() -> None:
    chance = Random(13)
    garbled_lines = [garbled(chance.choice(WRITTEN), chance) for _ in range(800)]
    faults = [(fault, line.text) for written in garbled_lines for line in read(written, BOARD) for fault in line.faults]
    assert len(faults) > 150
    wrong = [(line, fault.word, what) for fault, line in faults if (what := what_is_wrong_with(fault, line))]
    assert wrong == []


@pytest.mark.parametrize(
    ("line", "quoted"),
    [
        ("ブレスト海軍をイリス海峡へ移動", "イリス海峡"),
        ("ブレスト海軍をイギス海峡へ移動", "イギス海峡"),
        ("パリ陸軍をピカルデー海峡へ移動", "ピカルデー海峡"),
        ("ブレスト海軍は海峡さえ移動", "海峡さえ"),
        ("パリの陸軍さえブルゴーニュへ", "陸軍さえ"),
        ("A Par - Brugundy", "Brugundy"),
        ("F Bre - English Chanel", "English Chanel"),
    ],
)
def test_whole_words_are_quoted(line: str, quoted: str) -> None:
    ((fault,),) = [one.faults for one in read(line, BOARD)]
    assert fault.word == quoted
