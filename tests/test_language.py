"""What people write, and how it is read."""

from __future__ import annotations

import random
import re
import sys
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from unicodedata import normalize

import pytest

from judge.commands import (
    Command,
    Give,
    Language,
    Misnamed,
    Press,
    SetReady,
    ShowRules,
    Status,
)
from judge.language import Context, FaultKind, read
from judge.language import line as reading_of_a_line
from judge.language.context import Role
from judge.language.words import SHIPPED, Tongue, load_lexicon
from judge.language.words.normal import normal_form
from judge.language.words.tongue import in_hiragana, is_japanese, is_katakana
from judge.language.writing import command_line
from judge.reports.vocabulary import order_sentence
from judge.resources import shipped
from judge.rules import load_map, read_order, read_unit, write_order
from judge.rules.options import STANDARD, Misspelling
from judge.rules.position import Power
from tests.nasty import random_orders
from tests.tables import board_of
from tests.writers import in_japanese

MAP = load_map()


@dataclass
class Row:
    """A line of the tables: its words, its board, and its meaning."""

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
    given_ = [command_line(request) for request in line.requests if isinstance(request, Give)]
    assert given_ == row.orders
    if row.fault is None:
        assert not line.faults
    else:  # `! kind word`; kind and word are left out if any is accepted
        (fault,) = line.faults
        kind, _, word = row.fault.partition(" ")
        assert kind in ("", fault.kind)
        assert word in ("", fault.word, ", ".join(fault.candidates))


def test_a_line_of_words_of_orders_means_the_same_to_every_other_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [(row, replace(row.context, role=Role.PLAYER)) for row in _rows()[::4]]
    found = [read(row.written, context) for row, context in said]
    for name in ("ATTEMPTS", "ATTEMPTS_AT_A_PIECE"):
        attempts: tuple[reading_of_a_line.Attempt, ...] = getattr(reading_of_a_line, name)
        others = tuple(one for one in attempts if one[0] != "an order with no other words than those of orders")
        assert len(others) == len(attempts) - 1
        monkeypatch.setattr(reading_of_a_line, name, others)
    assert found == [read(row.written, context) for row, context in said]


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("A Par - Bur", [Give]),
        ("A Par - STAND", [Status]),
        ("ルール", [ShowRules]),
        ("A Par - Bur. Ready!", [Give, SetReady]),
        ("PRESS TO ENGLAND: A Par - Bur", [Press]),
    ],
)
def test_a_command_beside_words_of_orders_is_read(written: str, asked: list[type[Command]]) -> None:
    (found,) = read(written, Context(MAP, MAP.start(), (Power("FRANCE"),)))
    assert [type(one) for one in found.requests] == asked


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
    """Return plain lines of three or four orders, at the start of the game."""
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


@pytest.mark.long
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


def test_the_document_names_every_province() -> None:
    text = DOCUMENT.read_text("utf-8")
    data = tomllib.loads((shipped("maps") / "standard" / "names.toml").read_text("utf-8"))
    for words in data["provinces"].values():
        row = (" ".join(words["codes"]), ", ".join(words["en"]), "、".join(words["ja"]))
        assert f"| {' | '.join(row)} |" in text
    for power, words in data["powers"].items():
        assert f"| {power} | {', '.join(words['en'])} | {'、'.join(words['ja'])} |" in text


PRESS = [
    ("PRESS TO France\nA Par - Bur\nEND PRESS\nA Mar H", ["A MAR H"]),
    ("press to England:\nReady\nA Par - Bur\nendpress\nA Mar H", ["A MAR H"]),
    ("press to England: hello\nA Par - Bur", []),  # the last line may be for the judge: that is asked
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
    board = Context(MAP, MAP.start(), (Power("FRANCE"),))
    _, rest = read("A Par - Bur\nthe rest hold", board)
    assert [command_line(request) for request in rest.requests] == ["F BRE H", "A MAR H"]
    _, _, asked = read("A Par - Bur\nF Bre - ???\nthe rest hold", board)
    assert asked.faults[0].candidates == ("F BRE H", "A MAR H"), "the fleet may be ordered above"


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
    ("JOIN", FaultKind.INCOMPLETE_COMMAND, "JOIN"),
    ("SET NAME", FaultKind.INCOMPLETE_COMMAND, "SET NAME"),
    ("create a new game", FaultKind.INCOMPLETE_COMMAND, "create a new game"),
    ("create the game ardennes", FaultKind.INCOMPLETE_COMMAND, "create the game ardennes"),
    ("参加したいです", FaultKind.INCOMPLETE_COMMAND, "参加したいです"),
    ("CREATE 2nd game", FaultKind.BAD_GAME_NAME, "2nd game"),
    ("JOIN second AS Prussia", FaultKind.UNKNOWN_POWER, "Prussia"),
    ("PRESS TO Engalnd: hello", FaultKind.UNKNOWN_ADDRESSEE, "Engalnd"),
    ("press to Germany and Utopia: hello", FaultKind.UNKNOWN_ADDRESSEE, "Utopia"),
    ("密書 ユートピア: こんにちは", FaultKind.UNKNOWN_ADDRESSEE, "ユートピア"),
    ("END PRESS", FaultKind.MALFORMED_COMMAND, "END PRESS"),
    ("SIGNON ardennes", FaultKind.NO_SUCH_COMMAND, "SIGNON"),
    ("VOTE draw", FaultKind.NO_SUCH_COMMAND, "VOTE"),
    ("A Mun H; scrap Kiel", FaultKind.NEGATED, "scrap Kiel"),
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


# German beside them


READ_IN_A_FURTHER_TONGUE = ("Nicht A Mun - Bur", "lose A Boh")
"""A German no, and a line that resembles a German verb."""


@pytest.mark.long
def test_english_and_japanese_lines_are_read_as_without_german() -> None:
    others = tuple(tongue for tongue in SHIPPED if tongue.code != "de")
    germany = Context(MAP, MAP.start(), (Power("GERMANY"),))
    lines = [(row.written, row.context) for row in _rows() if row.table != "german"]
    lines += [(written, germany) for written in (*SMALL_TALK, *(written for written, *_ in FAULTS))]
    for written, context in lines:
        if written not in READ_IN_A_FURTHER_TONGUE:
            before, after = (
                read(written, replace(context, tongues=tongues)) for tongues in (others, (*others, Tongue("de")))
            )
            assert [line.requests for line in after] == [line.requests for line in before], written
            assert [[(fault.kind, fault.word) for fault in line.faults] for line in after] == [
                [(fault.kind, fault.word) for fault in line.faults] for line in before
            ], written


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
        "Fleet Western Mediterranean supports Fleet Gulf of Lyons\nto Spain (south coast)",
        "西地中海（海軍）は、リヨン湾（海軍）がスペイン南岸へ移動する事を支\n援",
    ):
        orders = [r.order for line in read(text, board) for r in line.requests if isinstance(r, Give)]
        assert list(map(write_order, orders)) == ["F WES S F LYO - SPA/SC"]
    (line, talk) = read("Fleet Western Mediterranean supports Fleet Gulf of Lyon to hold.\nThank you!", board)
    assert len(line.requests) == 1
    assert talk.text == "Thank you!"
    (line, rest) = read("Fleet Western Mediterranean supports Fleet Gulf of Lyon\nto Spain (south coast)", board)
    assert len(line.requests) == 1, "no mail program breaks a line of 55 columns"
    assert not rest.requests


def test_a_bad_line_does_not_spoil_its_neighbors() -> None:
    lines = read("A Mun - Ruh\nA Brr - Kie\nF Kie - Den", Context(MAP, MAP.start(), (Power("GERMANY"),)))
    filed = [sum(isinstance(request, Give) for request in line.requests) for line in lines]
    assert filed == [1, 0, 1]


def test_each_heading_in_a_line_is_for_the_orders_behind_it() -> None:
    (line,) = read("France: A Par - Bur Germany: A Mun H", board_of("S1901M FRANCE: A PAR; GERMANY: A MUN"))
    assert [command_line(request) for request in line.requests] == ["FRANCE:", "A PAR - BUR", "GERMANY:", "A MUN H"]


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
    for language, sentence in ((Language.ENGLISH, english), (Language("ja"), japanese)):
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
    """Its time is measured by benchmarks/language.py."""
    (one,) = read(line, Context(MAP, MAP.start(), (Power("FRANCE"),)))
    assert one.text == line


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


def test_no_nationality_is_wrong_where_no_position_is_known() -> None:
    (line,) = read("French A Mun - Bur", Context(MAP))
    assert line.requests == (Give(read_order("A MUN - BUR")),)


def test_what_was_to_be_press_is_no_order() -> None:
    lines = read("PRESS TO Engalnd\nA Mun - Bur\nEND PRESS\nA Ber H", Context(MAP, MAP.start(), (Power("GERMANY"),)))
    told = [request for line in lines for request in line.requests]
    assert told == [Give(read_order("A BER H"))]


# Names as other keyboards write them


def _in_half_width(text: str) -> str:
    """Return text with kana in the narrow forms of old terminals: ﾐｭﾝﾍﾝ."""
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
