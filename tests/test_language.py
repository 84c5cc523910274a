"""What people write, and what it means."""

from __future__ import annotations

import random
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from itertools import product
from pathlib import Path
from typing import cast
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.calendar import Timetable, Zone
from judge.commands import (
    AsWritten,
    ChangeSetting,
    Clear,
    Command,
    Create,
    ForPhase,
    ForPower,
    Give,
    Help,
    HelpTopic,
    Join,
    Language,
    ListGames,
    Misnamed,
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
from judge.language import Context, FaultKind, ReadLine, read
from judge.language.orders.structures import slow_structures, usual, usual_grammar
from judge.language.words import Terminal, load_lexicon
from judge.language.words.normal import normal_form
from judge.language.words.tongue import in_hiragana, is_japanese, is_katakana
from judge.language.writing import command_line
from judge.reports import order_sentence
from judge.resources import shipped
from judge.rules import adjudicate, load_map, read_order, read_unit, write_order
from judge.rules.options import STANDARD, Misspelling
from judge.rules.orders import Build, Convoy, Disband, Hold, Retreat, Support, Waive
from judge.rules.position import Phase, PhaseKind, Position, Power
from tests.nasty import random_orders
from tests.soak import Soak
from tests.tables import board_of
from tests.times import as_read
from tests.writers import in_codes, in_english, in_japanese, plain_writer

MAP = load_map()
TWO_DAYS = Timetable(timedelta(days=2))


@dataclass
class Row:
    """A line of the tables: what is written, on which board, and what it means."""

    table: str
    written: str
    orders: list[str]
    fault: str | None
    context: Context


DOCUMENT = Path(__file__).parent.parent / "docs" / "language.md"


def _lines_of(table: Path) -> list[str]:
    text = table.read_text("utf-8")
    blocks = re.findall(r"^```orders\n(.*?)^```$", text, re.DOTALL | re.MULTILINE) if table == DOCUMENT else [text]
    return "\n".join(blocks).splitlines()


def _rows() -> list[Row]:
    rows: list[Row] = []
    for table in (*sorted((Path(__file__).parent / "language").glob("*.txt")), DOCUMENT):
        context = Context(MAP)
        found = len(rows)
        for line in _lines_of(table):
            if not line or line.startswith("#"):
                continue
            written, arrow, meant = line.rpartition("  => " if "  => " in line else " =>")
            if not arrow:
                context = board_of(line)
                continue
            meant = meant.strip()
            fault = meant.removeprefix("!").strip() if meant.startswith("!") else None
            orders = [order.strip() for order in meant.split("|") if order.strip()] if fault is None else []
            rows.append(Row(table.stem, written.rstrip(), orders, fault, context))
        assert len(rows) > found, table
    return rows


@pytest.mark.parametrize("row", _rows(), ids=lambda row: f"{row.table}: {row.written}")
def test_a_line_means_its_order(row: Row) -> None:
    (line,) = read(row.written, row.context)
    given_ = [write_order(request.order) for request in line.requests if isinstance(request, Give)]
    assert given_ == row.orders
    if row.fault is None:
        assert not line.faults
    else:  # `! kind word`, the word and the kind left out where any will do
        (fault,) = line.faults
        kind, _, word = row.fault.partition(" ")
        assert kind in ("", fault.kind)
        assert word in ("", fault.word, ", ".join(fault.candidates))


# Reading depends on the mail and the board, never on what was read before


def _forget_what_was_read() -> None:
    """Clear every cache of the language room that grows with what people write."""
    bounded = [
        found
        for name, module in sys.modules.items()
        if name.startswith("judge.language")
        for found in vars(module).values()
        if hasattr(found, "cache_parameters") and found.cache_parameters()["maxsize"] is not None
    ]
    assert bounded
    for cached in bounded:
        cached.cache_clear()


def _japanese_lines() -> list[Row]:
    """Plain lines of three or four orders, at the start of the game."""
    chance = random.Random(300)
    rows = []
    for _ in range(300):
        power = chance.choice(MAP.powers)
        orders = list(random_orders(MAP, MAP.start(), STANDARD, chance)[power])[:4]
        writer = in_japanese(chance)
        line = chance.choice(["、", "。", "， "]).join(map(writer.write, orders))
        rows.append(
            Row("japanese lines", line, list(map(write_order, orders)), None, Context(MAP, MAP.start(), (power,)))
        )
    return rows


def test_a_line_reads_the_same_whatever_was_read_before_it() -> None:
    for row in _rows():
        _forget_what_was_read()
        fresh = read(row.written, row.context)
        assert read(row.written, row.context) == fresh, row.written


def test_lines_of_several_sentences_are_read_in_a_fresh_process() -> None:
    for row in _japanese_lines():
        _forget_what_was_read()
        (line,) = read(row.written, row.context)
        assert [write_order(request.order) for request in line.requests if isinstance(request, Give)] == row.orders


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
    ("SET LANGUAGE ja", SetLanguage(Language.JAPANESE)),
    ("言語 日本語", SetLanguage(Language.JAPANESE)),
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
    ("言語を日本語に", SetLanguage(Language.JAPANESE)),
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


def test_the_document_names_every_province() -> None:
    text = DOCUMENT.read_text("utf-8")
    data = tomllib.loads((shipped("maps") / "standard" / "names.toml").read_text("utf-8"))
    for words in data["provinces"].values():
        row = (" ".join(words["codes"]), ", ".join(words["en"]), "、".join(words["ja"]))
        assert f"| {' | '.join(row)} |" in text
    for power, words in data["powers"].items():
        assert f"| {power} | {', '.join(words['en'])} | {'、'.join(words['ja'])} |" in text


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
    ("A Mun - Bur. Is that clear?", ""),
    ("Ready or not, here I come", ""),
]


@pytest.mark.parametrize(("written", "asked"), SHARED, ids=[written for written, _ in SHARED])
def test_a_phase_or_a_command_may_share_its_line(written: str, asked: str) -> None:
    (line,) = read(written, board_of("S1902M GERMANY: A MUN, F KIE; FRANCE: A PAR"))
    assert " | ".join(map(command_line, line.requests)) == asked


def test_a_phase_named_with_an_order_that_is_not_understood_counts_for_the_lines_below() -> None:
    (line,) = read("Fall 1901: A Mnu - Bur", board_of("S1902M GERMANY: A MUN; FRANCE: A PAR"))
    assert line.requests == (ForPhase(Phase.parse("F1901M")),)
    assert [fault.kind for fault in line.faults] == [FaultKind.UNKNOWN_PLACE]


PRESS = [
    ("PRESS TO France\nA Par - Bur\nEND PRESS\nA Mar H", ["A MAR H"]),
    ("press to England:\nReady\nA Par - Bur\nendpress\nA Mar H", ["A MAR H"]),
    ("press to England: hello\nA Par - Bur", ["A PAR - BUR"]),
    ("press to England: hello\nA Par - Bur\nend press\nA Mar H", ["A MAR H"]),
    ("A Mar H\nBROADCAST\nA Par - Bur", ["A MAR H"]),
    ("公式発言\nパリ陸軍を維持\n公式発言終わり\nマルセイユ陸軍を維持", ["A MAR H"]),
    ("Press on!\nA Par - Bur", ["A PAR - BUR"]),
    ("I read it in the press\nA Par - Bur", ["A PAR - BUR"]),
]


@pytest.mark.parametrize(("text", "orders"), PRESS, ids=[text.replace("\n", " / ") for text, _ in PRESS])
def test_press_is_never_read_as_orders(text: str, orders: list[str]) -> None:
    lines = read(text, Context(MAP, MAP.start(), (Power("FRANCE"),)))
    requests = [request for line in lines for request in line.requests if isinstance(request, Give)]
    assert list(map(command_line, requests)) == orders


def test_the_rest_of_the_units_are_those_without_an_order() -> None:
    lines = read("A Par - Bur\nthe rest hold", Context(MAP, MAP.start(), (Power("FRANCE"),)))
    assert lines[1].faults[0].candidates == ("F BRE H", "A MAR H")


@pytest.mark.parametrize(
    ("mail", "orders"),
    [
        ("増設しない", "WAIVE | WAIVE | WAIVE"),
        ("A Mos B\n増設しない", "A MOS B | WAIVE | WAIVE"),
        ("A Mos B\nno builds", "A MOS B | WAIVE | WAIVE"),
        ("増設しない\nA Mos B", "WAIVE | WAIVE | A MOS B"),
        ("A Mos B\n増設しない\n増設しない", "A MOS B | WAIVE | WAIVE"),
        ("waive\n増設しない", "WAIVE | WAIVE | WAIVE"),
        ("A Mos B\nwaive", "A MOS B | WAIVE"),
    ],
)
def test_no_builds_gives_up_those_that_are_left(mail: str, orders: str) -> None:
    context = board_of("W1902A RUSSIA: A UKR; owns RUSSIA: STP MOS SEV WAR")
    given_ = [request.order for line in read(mail, context) for request in line.requests if isinstance(request, Give)]
    assert list(map(write_order, given_)) == orders.split(" | ")


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


def test_all_units_hold_only_where_no_unit_has_an_order() -> None:
    lines = read("A Par - Bur\nall units hold", Context(MAP, MAP.start(), (Power("FRANCE"),)))
    assert [[fault.kind for fault in line.faults] for line in lines] == [[], [FaultKind.EVERY_UNIT]]


FAULTS = [
    ("A Mnu - Ber", FaultKind.UNKNOWN_PLACE, "Mnu"),
    ("ミュンヘソ陸軍をベルリンへ移動", FaultKind.UNKNOWN_PLACE, "ミュンヘソ"),
    ("A Mar S", FaultKind.NOT_UNDERSTOOD, "S"),
    ("STAUS", FaultKind.UNKNOWN_COMMAND, "STAUS"),
    ("PROCESS whatever", FaultKind.MALFORMED_COMMAND, "PROCESS whatever"),
    ("SET LANGUAGE fr", FaultKind.MALFORMED_COMMAND, "SET LANGUAGE fr"),
    ("PROCESS", FaultKind.INCOMPLETE_COMMAND, "PROCESS"),
    ("更新", FaultKind.INCOMPLETE_COMMAND, "更新"),
    ("JOIN", FaultKind.INCOMPLETE_COMMAND, "JOIN"),
    ("SET NAME", FaultKind.INCOMPLETE_COMMAND, "SET NAME"),
    ("create a new game", FaultKind.INCOMPLETE_COMMAND, "create a new game"),
    ("参加したいです", FaultKind.INCOMPLETE_COMMAND, "参加したいです"),
    ("CREATE 2nd game", FaultKind.BAD_GAME_NAME, "2nd game"),
    ("JOIN second AS Prussia", FaultKind.UNKNOWN_POWER, "Prussia"),
    ("PRESS TO Engalnd: hello", FaultKind.UNKNOWN_ADDRESSEE, "Engalnd"),
    ("press to Germany and Utopia: hello", FaultKind.UNKNOWN_ADDRESSEE, "Utopia"),
    ("密書 ユートピア: こんにちは", FaultKind.UNKNOWN_ADDRESSEE, "ユートピア"),
    ("END PRESS", FaultKind.MALFORMED_COMMAND, "END PRESS"),
    ("SIGNON ardennes", FaultKind.NO_SUCH_COMMAND, "SIGNON"),
    ("VOTE draw", FaultKind.NO_SUCH_COMMAND, "VOTE"),
]


@pytest.mark.parametrize(("written", "kind", "word"), FAULTS, ids=[written for written, *_ in FAULTS])
def test_a_fault_points_at_the_smallest_piece(written: str, kind: FaultKind, word: str) -> None:
    (line,) = read(written, Context(MAP, MAP.start(), (Power("GERMANY"),)))
    (fault,) = line.faults
    assert (fault.kind, fault.word) == (kind, word)
    assert written[fault.start : fault.end] == word


SMALL_TALK = [
    "List of things I would like to tell you",
    "Press on!",
    "Set phasers to stun",
    "Status quo is fine with me",
    "A fine day",
    "お世話になっております。",
    "On Tue, the judge wrote:",
    "Wait a moment",
    "We had a draw in the last game.",
    "Draw your own conclusions",
    "Note that I was late",
    "Help me take Munich and I will leave you alone",
    "May I resign myself to that?",
    "Take over where I left off",
    "Name your price",
    "Name of the game is patience",
    "Extend my thanks to Ben",
    "Deadline is Friday, I think",
    "Object to that if you like",
    "Objection overruled",
    "Register for the tournament",
    "Absent minded",
    "Decline of the West",
    "Game over",
    "Join me against Italy",
    "End it",
    "Zone of control",
    "名前を呼ばないでください",
    "異議なし",
    "登録ありがとうございました",
    "ヘルプありがとうございます",
    "不在がちですみません",
    "Log in to see it",
    "Set sail at dawn",
    "参加者の皆さん、よろしくお願いします",
    "地図を見ながら書いています",
    "更新が遅れてすみません",
    "日記に書いておきます",
]


@pytest.mark.parametrize("written", SMALL_TALK)
def test_small_talk_is_neither_order_nor_fault(written: str) -> None:
    (line,) = read(written, Context(MAP, MAP.start(), (Power("GERMANY"),)))
    assert (line.requests, line.faults) == ((), ())


def test_every_name_is_one_word() -> None:
    lexicon = load_lexicon("standard")
    for name in lexicon.terminals.keys() & lexicon.names.places.keys():
        kinds = [word.kind for word in lexicon.words(normal_form(f"A {name.upper()}").text)]
        assert kinds == (["LETTER", "POWER"] if name in lexicon.names.powers else ["LETTER", "PLACE"]), name


def test_every_word_of_the_orders_is_known_as_what_it_is() -> None:
    lexicon = load_lexicon("standard")
    for text, terminal in lexicon.terminals.items():
        if terminal not in ("NOISE", "IN", "COMMA", "NOT", "LEAD", "ASIDE", "UNKNOWN"):
            assert [word.kind for word in lexicon.words(text)] == [terminal], text


@pytest.mark.parametrize(
    ("written", "orders"),
    [
        ("A Par - Brugundy", ["A PAR - BUR"]),
        ("A Pra - Bur", ["A PAR - BUR"]),
        ("F Bre - English Chanel", ["F BRE - ENG"]),
        ("F Bre - Mid Atlantik Ocean", ["F BRE - MAO"]),
        ("A Par - Xyz", []),
        ("A Bra H", []),
    ],
)
def test_a_misspelled_name_is_followed_where_the_rules_say_so(written: str, orders: list[str]) -> None:
    board = (MAP, MAP.start(), (Power("FRANCE"),))
    (asks,) = read(written, Context(*board))
    assert [fault.kind for fault in asks.faults] == [FaultKind.UNKNOWN_PLACE]
    options = replace(STANDARD, misspelling=Misspelling.FOLLOW_IF_UNIQUE)
    (follows,) = read(written, Context(*board, options))
    assert [write_order(request.order) for request in follows.requests if isinstance(request, Give)] == orders
    assert bool(follows.faults) == (not orders)


def test_an_order_that_a_mail_program_broke_in_two_is_one_order() -> None:
    board = board_of("S1902M FRANCE: F WES, F LYO, A PIE")
    for text in (
        "The fleet in the Western Mediterranean supports the fleet in the\nGulf of Lyon moving to Spain (south coast)",
        "Fleet Western Mediterranean supports Fleet Gulf of Lyon moving\nto Spain (south coast)\nThank you all!",
        "西地中海（海軍）は、リヨン湾（海軍）がスペイン南岸へ移動する事を支\n援",
    ):
        orders = [r.order for line in read(text, board) for r in line.requests if isinstance(r, Give)]
        assert list(map(write_order, orders)) == ["F WES S F LYO - SPA/SC"]
    (line, talk) = read("Fleet Western Mediterranean supports Fleet Gulf of Lyon to hold.\nThank you!", board)
    assert len(line.requests) == 1
    assert talk.text == "Thank you!"


def test_a_bad_line_does_not_spoil_its_neighbors() -> None:
    lines = read("A Mun - Ruh\nA Brr - Kie\nF Kie - Den", Context(MAP, MAP.start(), (Power("GERMANY"),)))
    assert [len(line.requests) for line in lines] == [1, 0, 1]


MOVES = "S1901M FRANCE: F MAO, A PAR, A MAR, F ENG, A LON, F BUL/EC, F STP/SC; RUSSIA: F BOT, A WAR"
RETREATS = "S1901R FRANCE: F BRE; dislodged FRANCE: F SPA/SC to LYO WES"
BUILDS = "W1901A RUSSIA: A RUM, F SWE; owns RUSSIA: STP MOS WAR SEV RUM SWE"
REMOVALS = "W1901A RUSSIA: A RUM, F BUL/EC; owns RUSSIA: RUM"
SENTENCES = [
    (MOVES, "A PAR H", "Army Paris holds", "パリ陸軍は維持"),
    (
        MOVES,
        "F MAO - SPA/NC",
        "Fleet Mid-Atlantic Ocean moves to Spain (north coast)",
        "中央大西洋海軍はスペイン北岸へ移動",
    ),
    (MOVES, "F ENG - NTH", "Fleet English Channel moves to the North Sea", "イギリス海峡海軍は北海へ移動"),
    (MOVES, "A LON - WAL VIA", "Army London moves to Wales by convoy", "ロンドン陸軍はウェールズへ移動(輸送)"),
    (MOVES, "A PAR S A MAR", "Army Paris supports Army Marseilles to hold", "パリ陸軍はマルセイユ陸軍の維持を支援"),
    (
        *(MOVES, "A MAR S A PAR - BUR", "Army Marseilles supports Army Paris to Burgundy"),
        "マルセイユ陸軍はパリ陸軍のブルゴーニュへの移動を支援",
    ),
    (
        *(
            MOVES,
            "F STP/SC S F BOT - LVN",
            "Fleet St Petersburg (south coast) supports Fleet Gulf of Bothnia to Livonia",
        ),
        "サンクトペテルブルク南岸海軍はボスニア湾海軍のリヴォニアへの移動を支援",
    ),
    (
        *(MOVES, "F ENG C A LON - BRE", "Fleet English Channel convoys Army London to Brest"),
        "イギリス海峡海軍はロンドン陸軍をブレストへ輸送",
    ),
    (
        RETREATS,
        "F SPA/SC R LYO",
        "Fleet Spain (south coast) retreats to the Gulf of Lyon",
        "スペイン南岸海軍はリヨン湾へ撤退",
    ),
    (RETREATS, "F SPA/SC D", "Fleet Spain (south coast) disbands", "スペイン南岸海軍は解体"),
    (BUILDS, "A MOS B", "build an army in Moscow", "モスクワに陸軍を増設"),
    (BUILDS, "F STP/NC B", "build a fleet in St Petersburg (north coast)", "サンクトペテルブルク北岸に海軍を増設"),
    (BUILDS, "WAIVE", "waive one build", "増設を一つ見送る"),
    (REMOVALS, "F BUL/EC D", "Fleet Bulgaria (east coast) disbands", "ブルガリア東岸海軍は解体"),
]


@pytest.mark.parametrize(("board", "text", "english", "japanese"), SENTENCES, ids=[row[1] for row in SENTENCES])
def test_an_order_is_told_in_a_sentence_that_can_be_written_back(
    board: str, text: str, english: str, japanese: str
) -> None:
    for language, sentence in ((Language.ENGLISH, english), (Language.JAPANESE, japanese)):
        assert order_sentence(read_order(text), language) == sentence
        (line,) = read(sentence, board_of(board))
        assert [write_order(r.order) for r in line.requests if isinstance(r, Give)] == [text]


@pytest.mark.parametrize(
    "line",
    [
        "A Par - Bur " * 160,
        "パリ陸軍をブルゴーニュへ移動、" * 120,
        "パリ陸軍 " * 400,
        "A Par S " * 250,
        "(" * 2000,
        "パリ" * 1000,
        "A Prais - " * 200,
        "ア" * 5000,
        "- " * 3000,
        "A Par - Bur " + "※" * 1900,
        "A Par # - " * 200,
        " ".join(f"army Prais{number}" for number in range(130)),
    ],
    ids=lambda line: str(line[:12]),
)
def test_a_long_line_is_read_as_one(line: str) -> None:
    """How long it takes is told by benchmarks/language.py."""
    (one,) = read(line, Context(MAP, MAP.start(), (Power("FRANCE"),)))
    assert one.text == line


# Whatever is written: no exception, and no order that the words do not support


def _names_of_places() -> dict[str, list[str]]:
    """Province → what it can be called, from the map's own file: nothing of the lexicon is asked."""
    data = tomllib.loads((shipped("maps") / "standard" / "names.toml").read_text("utf-8"))
    called = {code: [*words["codes"], *words["en"], *words["ja"]] for code, words in data["provinces"].items()}
    for word, meant in (*data["ambiguous"].items(), *data["slips"].items()):
        for code in [meant] if isinstance(meant, str) else meant:
            called[code].append(word)
    for words in called.values():
        words += [word[:4] for word in words if word[0].isascii() and len(word) > 4]
        words += [word.replace("ー", "") for word in words if len(word.replace("ー", "")) > 2]
    return {code: [normal_form(word).text.translate(LARGE_KANA) for word in words] for code, words in called.items()}


LARGE_KANA = str.maketrans("ァィゥェォッャュョヮ", "アイウエオツヤユヨワ")
KATAKANA = {letter: letter + ord("ァ") - ord("ぁ") for letter in range(ord("ぁ"), ord("ゖ") + 1)}
CALLED = _names_of_places()
TELLING: dict[type, tuple[set[str], PhaseKind | None]] = {
    Hold: ({"HOLD"}, None),
    Support: ({"SUPPORT", "WITH_SUPPORT"}, None),
    Convoy: ({"CONVOY"}, None),
    Retreat: ({"RETREAT"}, PhaseKind.RETREAT),
    Disband: ({"DISBAND"}, None),
    Build: ({"BUILD"}, PhaseKind.ADJUSTMENT),
    Waive: ({"WAIVE", "BUILD", "IDLE"}, None),
}
"""Order → the kinds of words that tell it, and the phase in which it needs none."""


def check_line(line: str, context: Context) -> int:
    """Read a line; the number of orders found, each of which the words must support."""
    (read_line,) = read(line, context) or (ReadLine(1, line),)
    assert read_line.text == line
    kinds = {word.kind for word in load_lexicon("standard").words(normal_form(line).text)}
    text = normal_form(line).text.translate(LARGE_KANA)
    text += normal_form(line).text.translate(KATAKANA).translate(LARGE_KANA)
    text += re.sub("(?<=[ァ-ヺー])-", "ー", text)  # typed for the long vowel of a name
    orders = [request.order for request in read_line.requests if isinstance(request, Give)]
    for order in orders:
        assert read_order(write_order(order)) == order
        places = set(re.findall(r"\b[A-Z]{3}\b", write_order(order)))
        assert all(any(name in text for name in CALLED[place]) for place in places - {"VIA"}) or "ALL" in kinds, order
        telling, phase = TELLING.get(type(order), (kinds, None))
        assert telling & kinds or phase is context.board.phase.kind, order
        assert "NOT" not in kinds, order
    for fault in read_line.faults:
        assert 0 <= fault.start <= fault.end <= len(line)
    return len(orders)


def fuzzed(chance: random.Random) -> tuple[str, Context]:
    """A line on the board of some game: words at random, an order with slips, or several of both."""
    context = chance.choice(_boards())
    pieces = [_random_words(chance) if chance.random() < 0.3 else _mutated(chance, context) for _ in range(2)]
    return chance.choice(
        [pieces[0], pieces[0], pieces[0], chance.choice([" ", ", ", "; ", "、", "。"]).join(pieces)]
    ), context


@cache
def _boards() -> list[Context]:
    chance = random.Random(1)
    boards = []
    position = MAP.start()
    for _ in range(60):
        boards += [Context(MAP, position, (power,)) for power in chance.sample(MAP.powers, 2)]
        resolution = adjudicate(MAP, position, random_orders(MAP, position, STANDARD, chance))
        position = MAP.start() if resolution.over else resolution.position
    return boards


@cache
def _vocabulary() -> list[str]:
    signs = ["-", "->", ",", ";", ".", "(", ")", "/", ":", "。", "、", "ー", "→", "※", "#", "1.", "・", "\u200b", "Ａ"]
    return [
        *load_lexicon("standard").terminals,
        *signs * 4,
        *"afhsc" * 4,
        "ready",
        "set",
        "1901年春",
        "x",
        "ミュンヘソ",
    ]


def _random_words(chance: random.Random) -> str:
    words = chance.choices(_vocabulary(), k=chance.randint(1, 12))
    return chance.choice(["", " ", " "]).join(words).strip()


def _mutated(chance: random.Random, context: Context) -> str:
    position = context.board
    orders = random_orders(MAP, position, STANDARD, chance)
    order = chance.choice([order for given in orders.values() for order in given] or [Waive()])
    text = chance.choice([in_codes, in_english, in_japanese])(chance, fickle=True).write(order)
    for _ in range(chance.choice([0, 1, 1, 2, 4])):
        at = chance.randrange(len(text) + 1)
        text = chance.choice(
            [
                text[:at] + text[at + 1 :],
                text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :],
                text[:at] + chance.choice(text or "x") + text[at:],
                text[:at] + chance.choice(_vocabulary()) + text[at:],
                text[at:] + text[:at],
                text.replace(" ", chance.choice(["", "  ", "\u3000"])),
                text.upper(),
            ]
        )
    return text.replace("\n", " ").strip() or "x"


@given(st.integers(0, 2**40))
@settings(max_examples=300, deadline=None)
def test_no_order_is_invented(seed: int) -> None:
    check_line(*fuzzed(random.Random(seed)))


@pytest.mark.parametrize(("language", "unknown"), [("en", "qwerty"), ("ja", "ほげ")])
def test_an_unknown_word_does_not_make_an_order_vanish(language: str, unknown: str) -> None:
    chance = random.Random(1)
    for context in _boards()[::10]:
        for order in [
            order for given_ in random_orders(MAP, context.board, STANDARD, chance).values() for order in given_
        ]:
            first, *rest = plain_writer(language).write(order).split(" ")
            for line in (" ".join([first, *rest, unknown]), " ".join([unknown, first, *rest])):
                (answered,) = read(line, context)
                assert answered.requests or answered.faults, line


@given(st.text(max_size=80))
def test_no_text_raises(text: str) -> None:
    read(text, Context(MAP, MAP.start(), (Power("FRANCE"),)))


@pytest.mark.soak
def test_no_order_is_invented_in_a_hundred_thousand_lines(soak: Soak) -> None:
    found = sum(check_line(*fuzzed(random.Random(seed))) > 0 for seed in soak.seeds(100_000))
    assert found > soak.begun // 10  # else these are no lines that may be orders


# The two grammars of sentences


def usual_sentences() -> list[tuple[Terminal, ...]]:
    """Every row of words that particles.lark reads: it has no loops."""
    return sorted(set(_rows_of("start")))


def _rows_of(symbol: str) -> Iterator[tuple[Terminal, ...]]:
    for rule in (rule for rule in usual_grammar().rules if rule.origin.name == symbol):
        parts = [
            [(cast("Terminal", part.name),)] if part.is_term else list(_rows_of(part.name)) for part in rule.expansion
        ]
        for row in product(*parts):
            yield tuple(word for part in row for word in part)


def test_the_quick_grammar_reads_a_sentence_as_the_slow_one_does() -> None:
    rows = usual_sentences()
    assert len(rows) > 1000
    for row in rows[:: len(rows) // 100]:
        assert usual(row) == slow_structures(row), row


@pytest.mark.soak
def test_the_quick_grammar_reads_every_sentence_as_the_slow_one_does(soak: Soak) -> None:
    rows = usual_sentences()
    random.Random(soak.first).shuffle(rows)
    for seed in soak.seeds(len(rows)):
        row = rows[seed % len(rows)]
        assert usual(row) == slow_structures(row), row


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("A Kie S Russian A Boh-Mun", "RUSSIA"),
        ("A Kie S ロシア A Boh-Mun", "RUSSIA"),
        ("A Kie supports Russia's army in Bohemia to Munich", "RUSSIA"),
        ("キール陸軍はロシアのボヘミア陸軍のミュンヘンへの移動を支援", "RUSSIA"),
        ("A Kie S A Boh-Mun (Russia)", "RUSSIA"),
        ("A Kie S A(露) Boh-Mun", "RUSSIA"),
        ("A Kie S A Boh (Austrian) - Mun", None),
        ("A Kie S Austrian A Boh-Mun", None),
        ("A Kie S 壕 A Boh-Mun", None),
        ("キール陸軍はオーストリアのボヘミア陸軍のミュンヘンへの移動を支援", None),
        ("A Kie S A Boh-Mun", None),
    ],
)
def test_a_wrong_nationality_is_told_and_the_order_taken(written: str, named: str | None) -> None:
    (line,) = read(written, board_of("S1901M GERMANY: A KIE; AUSTRIA: A BOH; RUSSIA: A WAR"))
    wrong = Misnamed(read_unit("A BOH"), Power(named), Power("AUSTRIA")) if named else None
    assert line.requests == (Give(read_order("A KIE S A BOH - MUN"), (wrong,) if wrong else ()),)
    assert not line.faults


def test_what_was_to_be_press_is_no_order() -> None:
    lines = read("PRESS TO Engalnd\nA Mun - Bur\nEND PRESS\nA Ber H", Context(MAP, MAP.start(), (Power("GERMANY"),)))
    told = [request for line in lines for request in line.requests]
    assert told == [Give(read_order("A BER H"))]


def test_settings_go_on_behind_a_blank_line() -> None:
    (line,) = read("CREATE ardennes\ndeadline: 2 days\n\nrules: shingen\n\nupdate: manual", Context(MAP))
    assert line.requests == (
        Create("ardennes", as_read({"deadline": "2 days", "rules": "shingen", "update_type": "manual"})),
    )


# Names as other keyboards write them


def _in_half_width(text: str) -> str:
    """Kana in the narrow forms of old terminals: ﾐｭﾝﾍﾝ."""
    narrow = [chr(code) for code in range(0xFF61, 0xFFA0)]
    whole = {normalize("NFKC", letter + mark): letter + mark for mark in ("", "ﾞ", "ﾟ") for letter in narrow}
    return "".join(whole.get(letter, letter) for letter in text)


def test_every_name_may_be_written_in_narrow_kana() -> None:
    lexicon = load_lexicon("standard")
    names = [name for name in lexicon.names.whole if is_japanese(name)]
    assert len(names) > 200
    for name in names:
        (word,) = lexicon.words(normal_form(_in_half_width(name)).text)
        assert lexicon.names.places[word.text] == lexicon.names.places[name]


def test_every_longer_name_may_be_written_in_hiragana() -> None:
    lexicon = load_lexicon("standard")
    names = [name for name in lexicon.names.whole if all(map(is_katakana, name)) and len(name) > 3]
    assert len(names) > 150
    for name in names:
        (word,) = lexicon.words(normal_form(in_hiragana(name)).text)
        assert lexicon.names.places[word.text] == lexicon.names.places[name]
