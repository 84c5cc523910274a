"""What people write, and what it means."""

from __future__ import annotations

from dataclasses import dataclass
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
from judge.reports import order_sentence
from judge.rules import load_map, read_order, read_unit, write_order
from judge.rules.position import Dislodgement, Location, Phase, Position, Power, province_of

MAP = load_map()


@dataclass
class Row:
    written: str
    meant: list[str] | None
    context: Context


def _context(text: str) -> Context:
    phase, _, board = text.partition(" ")
    position = Position(Phase.parse(phase), {}, {})
    units, lost, centers = {}, {}, {}
    powers = []
    for part in board.split("; "):
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
    position = Position(position.phase, units, centers, lost)
    return Context(MAP, position, (powers[0],))


def _rows() -> list[Row]:
    rows = []
    context = Context(MAP)
    for line in (Path(__file__).parent / "language" / "orders.txt").read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if "=>" not in line:
            context = _context(line)
            continue
        written, _, meant = line.partition("=>")
        orders = None if meant.strip() == "!" else [order.strip() for order in meant.split("|") if order.strip()]
        rows.append(Row(written.rstrip(), orders, context))
    assert len(rows) > 50
    return rows


@pytest.mark.parametrize("row", _rows(), ids=lambda row: row.written)
def test_a_line_means_its_order(row: Row) -> None:
    (line,) = read(row.written, row.context)
    given_ = [write_order(request.order) for request in line.requests if isinstance(request, Give)]
    if row.meant is None:
        assert line.faults
        assert not given_
    else:
        assert given_ == row.meant
        assert not line.faults


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
    ("France:", ForPower(Power("FRANCE"))),
    ("仏:", ForPower(Power("FRANCE"))),
]


@pytest.mark.parametrize(("written", "command"), COMMANDS, ids=[written for written, _ in COMMANDS])
def test_a_line_asks_its_command(written: str, command: Command) -> None:
    (line,) = read(written, Context(MAP))
    assert line.requests == (command,)
    assert not line.faults


def test_settings_follow_a_new_game() -> None:
    (line, *others) = read("CREATE ardennes\ndeadline: 2 days\nzone: Europe/Paris\n\nrules: x", Context(MAP))
    assert line.requests == (Create("ardennes", {"deadline": "2 days", "zone": "Europe/Paris"}),)
    assert [other.requests for other in others] == [()]


FAULTS = [
    ("A Mnu - Ber", FaultKind.UNKNOWN_PLACE, "Mnu"),
    ("ミュンヘソ陸軍をベルリンへ移動", FaultKind.UNKNOWN_PLACE, "ミュンヘソ"),
    ("A Mar S", FaultKind.NOT_UNDERSTOOD, "S"),
    ("STAUS", FaultKind.UNKNOWN_COMMAND, "STAUS"),
    ("PROCESS whatever", FaultKind.MALFORMED_COMMAND, "PROCESS whatever"),
    ("SET LANGUAGE fr", FaultKind.MALFORMED_COMMAND, "SET LANGUAGE fr"),
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
]


@pytest.mark.parametrize("written", SMALL_TALK)
def test_small_talk_is_neither_order_nor_fault(written: str) -> None:
    (line,) = read(written, Context(MAP, MAP.start(), (Power("GERMANY"),)))
    assert (line.requests, line.faults) == ((), ())


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
