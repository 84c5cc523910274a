"""What a line asks for besides orders: commands, phases, settings below CREATE."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from judge.calendar import Timetable, Zone
from judge.commands import (
    AsWritten,
    ChangeSetting,
    Clear,
    Command,
    Create,
    ForPhase,
    ForPower,
    Help,
    HelpTopic,
    Join,
    Language,
    ListGames,
    Observe,
    Pause,
    Press,
    Process,
    Redo,
    Resign,
    SetLanguage,
    SetName,
    SetReady,
    SetZone,
    ShowSeason,
    Status,
    UseGame,
    VoteDraw,
    Wait,
    Who,
)
from judge.language import Context, FaultKind, read
from judge.language.writing import command_line
from judge.rules import load_map, read_unit
from judge.rules.position import Phase, Position, Power
from tests.tables import board_of
from tests.times import as_read

MAP = load_map()
TWO_DAYS = Timetable(timedelta(days=2))
DOCUMENT = Path(__file__).parent.parent / "docs" / "language.md"


COMMANDS: list[tuple[str, Command]] = [
    ("JOIN ardennes", Join("ardennes")),
    ("join Ardennes as France", Join("ardennes", Power("FRANCE"))),
    ("参加 ardennes フランス", Join("ardennes", Power("FRANCE"))),
    ("OBSERVE ardennes", Observe("ardennes")),
    ("観戦 ardennes", Observe("ardennes")),
    ("GAME ardennes", UseGame("ardennes")),
    ("PHASE S1901M", ForPhase(Phase.parse("S1901M"))),
    ("PHASE Fall 1902 retreats", ForPhase(Phase.parse("F1902R"))),
    ("PHASE 1902年秋 撤退", ForPhase(Phase.parse("F1902R"))),
    ("PROCESS S1901M", Process(Phase.parse("S1901M"))),
    ("更新 1901年春", Process(Phase.parse("S1901M"))),
    ("READY", SetReady(ready=True)),
    ("ready.", SetReady(ready=True)),
    ("完了", SetReady(ready=True)),
    ("NOT READY", SetReady(ready=False)),
    ("完了取消", SetReady(ready=False)),
    ("STATUS", Status()),
    ("状況", Status()),
    ("STATUS ardennes", Status("ardennes")),
    ("LIST", ListGames()),
    ("TABLE", ShowSeason()),
    ("TABLE ardennes 2", ShowSeason("ardennes", 2)),
    ("TABLE 2", ShowSeason(page=2)),
    ("成績表 ardennes", ShowSeason("ardennes")),
    ("show me the league table", ShowSeason()),
    ("成績表を見せてください", ShowSeason()),
    ("一覧", ListGames()),
    ("HELP", Help()),
    ("HELP orders", Help(HelpTopic.ORDERS)),
    ("SET LANGUAGE ja", SetLanguage(Language("ja"))),
    ("言語 日本語", SetLanguage(Language("ja"))),
    ("SET ZONE Asia/Tokyo", SetZone(AsWritten("Asia/Tokyo", Zone("Asia/Tokyo")))),
    ("SET NAME Alice Liddell", SetName("Alice Liddell")),
    ("CLEAR", Clear()),
    ("CLEAR A Par", Clear(read_unit("A PAR"))),
    ("join game second as germany please", Join("second", Power("GERMANY"))),
    ("ardennes に参加します", Join("ardennes")),
    ("ardennes にドイツで参加します", Join("ardennes", Power("GERMANY"))),
    ("ardennes を観戦します", Observe("ardennes")),
    ("create game ardennes", Create("ardennes")),
    ("ardennes を作成", Create("ardennes")),
    ("CREATE verdun LIKE ardennes", Create("verdun", like="ardennes")),
    ("create game verdun like game ardennes", Create("verdun", like="ardennes")),
    ("作成 verdun 手本 ardennes", Create("verdun", like="ardennes")),
    ("ardennes と同じ設定で verdun を作成してください", Create("verdun", like="ardennes")),
    ("Join ardennes as the French", Join("ardennes", Power("FRANCE"))),
    ("参加 ardennes フランスで", Join("ardennes", Power("FRANCE"))),
    ("set language to english", SetLanguage(Language.ENGLISH)),
    ("言語を日本語に", SetLanguage(Language("ja"))),
    ('set my name to "Alice"', SetName("Alice")),
    ("名前は秋山です", SetName("秋山")),
    ("名前 はるか", SetName("はるか")),
    ("設定 名前 秋山", SetName("秋山")),
    ("CLEAR A Par - Bur", Clear(read_unit("A PAR"))),
    ("status?", Status()),
    ("list all games", ListGames()),
    ("状況を教えてください", Status()),
    ("ardennes の状況を教えてください", Status("ardennes")),
    ("ゲームの一覧を送ってください", ListGames()),
    ("名前 秋山明", SetName("秋山明")),
    ("名前：秋山 明", SetName("秋山 明")),
    ("set name: Alice", SetName("Alice")),
    ("時間帯 Asia/Tokyo", SetZone(AsWritten("Asia/Tokyo", Zone("Asia/Tokyo")))),
    ("取消 パリ陸軍", Clear(read_unit("A PAR"))),
    ("CLEAR Par", Clear(read_unit("A PAR"))),
    ("clear the fleet in Brest", Clear(read_unit("F BRE"))),
    ("CLEAR F StP", Clear(read_unit("F STP/SC"))),
    ("ヘルプ 命令", Help("命令")),
    ("HELP take over", Help("take over")),
    ("Help me please", Help()),
    ("全て取消", Clear()),
    ("更新停止", Pause()),
    ("更新待ち", Wait()),
    ("参加者", Who()),
    ("巻き戻し取消", Redo()),
    ("DRAW", VoteDraw(agrees=True)),
    ("引き分けを提案します", VoteDraw(agrees=True)),
    ("RESIGN ardennes", Resign("ardennes")),
    ("press to France: hello", Press((Power("FRANCE"),), text="hello")),
    ("フランスへ密書: やあ", Press((Power("FRANCE"),), text="やあ")),
    ("締切を2日に設定", ChangeSetting("deadline", AsWritten("2日", TWO_DAYS))),
    ("準備完了です", SetReady(ready=True)),
    ("I am ready.", SetReady(ready=True)),
    ("not ready yet", SetReady(ready=False)),
    ("Spring 1901:", ForPhase(Phase.parse("S1901M"))),
    ("Fall 1902 retreats", ForPhase(Phase.parse("F1902R"))),
    ("[Orders for Fall 1901]", ForPhase(Phase.parse("F1901M"))),
    ("1901年秋", ForPhase(Phase.parse("F1901M"))),
    ("1901年の春ターン", ForPhase(Phase.parse("S1901M"))),
    ("1901年秋 調整", ForPhase(Phase.parse("W1901A"))),
    ("S1901M", ForPhase(Phase.parse("S1901M"))),
    ("更新 1901年秋 撤退", Process(Phase.parse("F1901R"))),
    ("France:", ForPower(Power("FRANCE"))),
    ("仏:", ForPower(Power("FRANCE"))),
]


@pytest.mark.parametrize(("written", "command"), COMMANDS, ids=[written for written, _ in COMMANDS])
def test_a_line_asks_its_command(written: str, command: Command) -> None:
    (line,) = read(written, Context(MAP, powers=MAP.powers))
    assert line.requests == (command,)
    assert not line.faults


DOCUMENTED = re.findall(r"^\| `([^`]+)` / `([^`]+)` \|", DOCUMENT.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize(("english", "japanese"), DOCUMENTED, ids=[english for english, _ in DOCUMENTED])
def test_a_command_is_read_as_the_document_says(english: str, japanese: str) -> None:
    context = Context(MAP, MAP.start(), (Power("FRANCE"),))
    (one,), (other,) = read(english, context), read(japanese, context)
    assert type(one.requests[0]) is type(other.requests[0])
    assert not one.faults + other.faults
    if not english.startswith(("SET NAME", "HELP")):
        assert one.requests == other.requests


def test_a_phase_without_a_kind_is_the_open_one_if_it_can_be() -> None:
    board = MAP.start()
    for phase in ("F1901M", "F1901R", "W1901A"):
        position = Position(Phase.parse(phase), board.units, board.centers)
        (line,) = read("Fall 1901:", Context(MAP, position))
        assert line.requests == (ForPhase(Phase.parse(phase)),)


SHARED = [
    ("Spring 1902: A Mun - Bur", "PHASE S1902M | A MUN - BUR"),
    ("S1902M A Mun - Bur, F Kie H", "PHASE S1902M | A MUN - BUR | F KIE H"),
    ("S02: A Mun - Bur", "PHASE S1902M | A MUN - BUR"),
    ("Spring '02 A Mun - Bur", "PHASE S1902M | A MUN - BUR"),
    ("Fall 1901: A Mun - Bur", "PHASE F1901M | A MUN - BUR"),
    ("A Mun - Bur (Fall 1901)", "PHASE F1901M | A MUN - BUR"),
    ("Fall moves: A Mun - Bur", "PHASE F1902M | A MUN - BUR"),
    ("fall: A Mun - Bur", "PHASE F1902M | A MUN - BUR"),
    ("1901年秋 ミュンヘン陸軍を維持", "PHASE F1901M | A MUN H"),
    ("秋：ミュンヘン陸軍を維持", "PHASE F1902M | A MUN H"),
    ("Germany, Fall 1901", "PHASE F1901M"),
    ("Orders for Germany, Spring 1902", "PHASE S1902M"),
    ("Here are my orders for Spring 1902:", "PHASE S1902M"),
    ("Re: [ardennes] Fall 1901 retreats", "PHASE F1901R"),
    ("[ardennes] Spring 1902", "PHASE S1902M"),
    ("件名: Re: [ardennes] 1901年秋", "PHASE F1901M"),
    ("1901年秋の命令です", "PHASE F1901M"),
    ("独 1902年春", "PHASE S1902M"),
    ("春の命令です。よろしくお願いします。", "PHASE S1902M"),
    ("Winter 1901 builds:", "PHASE W1901A"),
    ("GAME ardennes S1902M", "PHASE S1902M | GAME ardennes"),
    ("S1902M READY", "PHASE S1902M | READY"),
    ("In Fall 1901 we were friends.", ""),
    ("Deadline for Spring 1902 is Monday", ""),
    ("Fall back, they said", ""),
    ("秋の空", ""),
    ("A Mun - Bur. Ready!", "A MUN - BUR | READY"),
    ("A Mun - Bur; WHO", "A MUN - BUR | WHO"),
    ("LOG. A Mun - Bur", "LOG | A MUN - BUR"),
    ("A Mun - Bur; who", "A MUN - BUR"),
    ("A Mun - Bur, ready", "A MUN - BUR | READY"),
    ("A Mun - Bur, not ready", "A MUN - BUR | NOT READY"),
    ("Ready. A Mun - Bur", "READY | A MUN - BUR"),
    ("Thanks. READY", "READY"),
    ("A Mun flies. Ready", "READY"),
    ("ミュンヘン陸軍を維持。完了。", "A MUN H | READY"),
    ("CLEAR. A Mun - Bur", "CLEAR | A MUN - BUR"),
    ("A Mun - Bur. Is that clear?", "A MUN - BUR"),
    ("Ready or not, here I come", ""),
]


@pytest.mark.parametrize(("written", "asked"), SHARED, ids=[written for written, _ in SHARED])
def test_a_phase_or_a_command_may_share_its_line(written: str, asked: str) -> None:
    (line,) = read(written, board_of("S1902M GERMANY: A MUN, F KIE; FRANCE: A PAR"))
    assert " | ".join(map(command_line, line.requests)) == asked


def test_a_phase_named_with_an_order_that_is_not_understood_counts_for_the_lines_below() -> None:
    (line,) = read("Fall 1901: A Qqq - Bur", board_of("S1902M GERMANY: A MUN; FRANCE: A PAR"))
    assert line.requests == (ForPhase(Phase.parse("F1901M")),)
    assert [fault.kind for fault in line.faults] == [FaultKind.UNKNOWN_PLACE]


def test_settings_follow_a_new_game() -> None:
    (line, *others) = read("CREATE ardennes\ndeadline: 2 days\nzone: Europe/Paris\n\nsee you: x", Context(MAP))
    assert line.requests == (Create("ardennes", as_read({"deadline": "2 days", "zone": "Europe/Paris"})),)
    assert [other.requests for other in others] == [()]


def test_settings_may_stand_behind_a_blank_line_and_be_japanese() -> None:
    (line,) = read("作成 ardennes\n\n締切: 2日\n更新：手動\n時間帯: Asia/Tokyo\nルール: shingen", Context(MAP))
    settings = {"deadline": "2日", "update_type": "手動", "zone": "Asia/Tokyo", "rules": "shingen"}
    assert line.requests == (Create("ardennes", as_read(settings)),)


def test_behind_a_blank_line_only_names_of_settings_are_settings() -> None:
    (line, other) = read("CREATE ardennes\n\nTelephone: 1234\n", Context(MAP))
    assert line.requests == (Create("ardennes"),)
    assert (other.requests, other.faults) == ((), ())


def test_settings_go_on_behind_a_blank_line() -> None:
    (line,) = read("CREATE ardennes\ndeadline: 2 days\n\nrules: shingen\n\nupdate: manual", Context(MAP))
    assert line.requests == (
        Create("ardennes", as_read({"deadline": "2 days", "rules": "shingen", "update_type": "manual"})),
    )
