"""What people write, and what it means."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.commands import (
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
    Observe,
    Process,
    SetLanguage,
    SetName,
    SetReady,
    SetZone,
    Status,
    UseGame,
)
from judge.language import Context, FaultKind, read
from judge.language.lexicon import load_lexicon
from judge.language.normal import normal_form
from judge.reports import order_sentence
from judge.rules import load_map, read_order, read_unit, write_order
from judge.rules.options import STANDARD, Misspelling
from judge.rules.position import Dislodgement, Location, Phase, Position, Power, province_of

MAP = load_map()


@dataclass
class Row:
    """A line of the tables: what is written, on which board, and what it means."""

    table: str
    written: str
    orders: list[str]
    fault: str | None
    context: Context


def _context(text: str) -> Context:
    phase, _, board = text.partition(" ")
    # A sender who plays all powers is nobody in particular.
    sender_known = not board.startswith("all ")
    units, lost, centers = {}, {}, {}
    powers = []
    for part in board.removeprefix("all ").split("; "):
        head, _, listed = part.partition(": ")
        *kind, name = head.split()
        power = Power(name)
        powers.append(power)
        if kind == ["dislodged"]:
            unit, _, goals = listed.partition(" to ")
            retreats = tuple(map(Location, goals.split()))
            lost[read_unit(unit)] = Dislodgement(power, province_of(Location("MUN")), False, retreats)  # noqa: FBT003
        elif kind == ["owns"]:
            centers.update({province_of(Location(code)): power for code in listed.split()})
        else:
            units.update({read_unit(unit): power for unit in listed.split(", ")})
    position = Position(Phase.parse(phase), units, centers, lost)
    return Context(MAP, position, (powers[0],) if sender_known else ())


def _rows() -> list[Row]:
    rows: list[Row] = []
    for table in sorted((Path(__file__).parent / "language").glob("*.txt")):
        context = Context(MAP)
        found = len(rows)
        for line in table.read_text("utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            written, arrow, meant = line.rpartition("  => " if "  => " in line else " =>")
            if not arrow:
                context = _context(line)
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
    ("一覧", ListGames()),
    ("HELP", Help()),
    ("HELP orders", Help(HelpTopic.ORDERS)),
    ("SET LANGUAGE ja", SetLanguage(Language.JAPANESE)),
    ("言語 日本語", SetLanguage(Language.JAPANESE)),
    ("SET ZONE Asia/Tokyo", SetZone("Asia/Tokyo")),
    ("SET NAME Alice Liddell", SetName("Alice Liddell")),
    ("CLEAR", Clear()),
    ("CLEAR A Par", Clear(read_unit("A PAR"))),
    ("join game second as germany please", Join("second", Power("GERMANY"))),
    ("ardennes に参加します", Join("ardennes")),
    ("ardennes にドイツで参加します", Join("ardennes", Power("GERMANY"))),
    ("ardennes を観戦します", Observe("ardennes")),
    ("create game ardennes", Create("ardennes")),
    ("ardennes を作成", Create("ardennes")),
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
    ("時間帯 Asia/Tokyo", SetZone("Asia/Tokyo")),
    ("取消 パリ陸軍", Clear(read_unit("A PAR"))),
    ("CLEAR Par", Clear(read_unit("A PAR"))),
    ("clear the fleet in Brest", Clear(read_unit("F BRE"))),
    ("CLEAR F StP", Clear(read_unit("F STP/SC"))),
    ("ヘルプ 命令", Help(HelpTopic.ORDERS)),
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


def test_a_phase_without_a_kind_is_the_open_one_if_it_can_be() -> None:
    board = MAP.start()
    for phase in ("F1901M", "F1901R", "W1901A"):
        position = Position(Phase.parse(phase), board.units, board.centers)
        (line,) = read("Fall 1901:", Context(MAP, position))
        assert line.requests == (ForPhase(Phase.parse(phase)),)


def test_settings_follow_a_new_game() -> None:
    (line, *others) = read("CREATE ardennes\ndeadline: 2 days\nzone: Europe/Paris\n\nrules: x", Context(MAP))
    assert line.requests == (Create("ardennes", {"deadline": "2 days", "zone": "Europe/Paris"}),)
    assert [other.requests for other in others] == [()]


def test_settings_may_stand_behind_a_blank_line_and_be_japanese() -> None:
    (line,) = read("作成 ardennes\n\n締切: 2日\n更新：手動\n時間帯: Asia/Tokyo\nルール: shingen", Context(MAP))
    settings = {"deadline": "2日", "update": "手動", "zone": "Asia/Tokyo", "rules": "shingen"}
    assert line.requests == (Create("ardennes", settings),)


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
    ("DRAW", FaultKind.NO_SUCH_COMMAND, "DRAW"),
    ("RESIGN ardennes", FaultKind.NO_SUCH_COMMAND, "RESIGN"),
    ("press to France: hello", FaultKind.NO_SUCH_COMMAND, "press"),
    ("引き分けを提案します", FaultKind.NO_SUCH_COMMAND, "引き分け"),
]


@pytest.mark.parametrize(("written", "kind", "word"), FAULTS, ids=[written for written, *_ in FAULTS])
def test_a_fault_points_at_the_smallest_piece(written: str, kind: FaultKind, word: str) -> None:
    (line,) = read(written, Context(MAP, MAP.start(), (Power("GERMANY"),)))
    (fault,) = line.faults
    assert (fault.kind, fault.word) == (kind, word)
    assert written[fault.start : fault.end] == word


SMALL_TALK = [
    "Please process this soon",
    "List of things I would like to tell you",
    "Set phasers to stun",
    "Status quo is fine with me",
    "A fine day",
    "お世話になっております。",
    "ルールについて質問があります",
    "On Tue, the judge wrote:",
    "Press on!",
    "Ready when you are",
    "Wait a moment",
    "We had a draw in the last game.",
]


@pytest.mark.parametrize("written", SMALL_TALK)
def test_small_talk_is_neither_order_nor_fault(written: str) -> None:
    (line,) = read(written, Context(MAP, MAP.start(), (Power("GERMANY"),)))
    assert (line.requests, line.faults) == ((), ())


def test_every_name_is_one_word() -> None:
    lexicon = load_lexicon("standard")
    for name in lexicon.names.places:
        kinds = [word.kind for word in lexicon.words(normal_form(f"A {name.upper()}").text)]
        assert kinds == (["LETTER", "POWER"] if name in lexicon.names.powers else ["LETTER", "PLACE"]), name


def test_every_word_of_the_orders_is_known_as_what_it_is() -> None:
    lexicon = load_lexicon("standard")
    for text, terminal in lexicon.terminals.items():
        if terminal not in ("NOISE", "IN", "COMMA", "NOT"):
            assert [word.kind for word in lexicon.words(text)] == [terminal], text


@pytest.mark.parametrize(
    ("written", "orders"),
    [("A Par - Brugundy", ["A PAR - BUR"]), ("A Pra - Bur", ["A PAR - BUR"]), ("A Par - Xyz", []), ("A Bra H", [])],
)
def test_a_misspelled_name_is_followed_where_the_rules_say_so(written: str, orders: list[str]) -> None:
    board = (MAP, MAP.start(), (Power("FRANCE"),))
    (asks,) = read(written, Context(*board))
    assert [fault.kind for fault in asks.faults] == [FaultKind.UNKNOWN_PLACE]
    options = replace(STANDARD, misspelling=Misspelling.FOLLOW_IF_UNIQUE)
    (follows,) = read(written, Context(*board, options))
    assert [write_order(request.order) for request in follows.requests if isinstance(request, Give)] == orders
    assert bool(follows.faults) == (not orders)


def test_a_bad_line_does_not_spoil_its_neighbors() -> None:
    lines = read("A Mun - Ruh\nA Brr - Kie\nF Kie - Den", Context(MAP, MAP.start(), (Power("GERMANY"),)))
    assert [len(line.requests) for line in lines] == [1, 0, 1]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    "text",
    ["A PAR - BUR", "A MAR H", "A MAR S A PAR - BUR", "A MAR S A PAR", "F BRE - MAO", "A PAR - GAS", "F BRE H"],
)
def test_the_sentences_we_print_can_be_written_back(text: str, language: Language) -> None:
    sentence = order_sentence(read_order(text), language)
    (line,) = read(sentence, Context(MAP, MAP.start(), (Power("FRANCE"),)))
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
    ],
    ids=lambda line: str(line[:12]),
)
def test_a_long_line_takes_no_time(line: str) -> None:
    context = Context(MAP, MAP.start(), (Power("FRANCE"),))
    read("A Par - Bur\nパリ陸軍をブルゴーニュへ移動", context)
    begin = time.process_time()
    read(line, context)
    assert time.process_time() - begin < 0.1  # 20 ms on a machine with nothing else to do


WORDS = st.sampled_from(
    [
        "A",
        "F",
        "Par",
        "Mun",
        "-",
        "S",
        "C",
        "to",
        "パリ",
        "陸軍",
        "を",
        "へ",
        "移動",
        "支援",
        "R",
        "H",
        "/nc",
        ",",
        "B",
        "(",
        "VIA",
        "READY",
        "SET",
    ]
)


@given(st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=12).map(" ".join)))
def test_no_line_raises(text: str) -> None:
    for line in read(text, Context(MAP, MAP.start(), (Power("FRANCE"),))):
        for request in line.requests:
            if isinstance(request, Give):
                assert read_order(write_order(request.order)) == request.order
