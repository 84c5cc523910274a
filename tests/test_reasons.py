"""Reasons in both languages: what the outcome says must be true for every reader."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from judge.commands import Language
from judge.reports.clauses import reasons_on
from judge.reports.wording import wording_in
from judge.resources import look_for_boards, shipped
from judge.rules import Circumstances, adjudicate
from judge.rules.exchange import adjudicate_line, read_task
from judge.rules.options import PROFILES, STANDARD, HoldSupportOfFailedMove
from tests.nasty import melee
from tests.phases import MAP, nasty
from tests.reasons import check_reasons
from tests.soak import Soak

# The strengths that are stated

READINGS = {
    "standard": STANDARD,
    "shingen": PROFILES["shingen"],
    "shirikyu": PROFILES["shirikyu"],
    "counts": replace(STANDARD, hold_support_of_failed_move=HoldSupportOfFailedMove.COUNTS),
}
"""The options to test; they count a defense in different ways."""


def test_what_is_said_of_nasty_phases_is_true() -> None:
    assert sum(check_reasons(*nasty(seed), MAP) for seed in range(700)) > 1000


@pytest.mark.parametrize("reading", READINGS)
def test_what_is_said_of_a_melee_is_true(reading: str) -> None:
    stated = [check_reasons(*melee(MAP, Random(seed)), READINGS[reading], Circumstances(), MAP) for seed in range(500)]
    assert sum(stated) > 1000


@pytest.mark.soak
def test_what_is_said_of_many_phases_is_true(soak: Soak) -> None:
    stated = 0
    for seed in soak.seeds(20_000):
        stated += check_reasons(*nasty(seed), MAP)
        for options in READINGS.values():
            stated += check_reasons(*melee(MAP, Random(seed)), options, Circumstances(), MAP)
    assert stated > 10 * soak.begun


# The sentences

OWN_BOUNCE_EN = (
    "bounced at Burgundy: {} against {} (A BUR), as no power's moves and supports count against its own unit"
)
OWN_BOUNCE_JA = (
    "移動失敗: ブルゴーニュで{}対{}(ブルゴーニュ陸軍)。どの国の移動も支援も、その国自身のユニットの撃退には数えません"
)

CASES: list[tuple[str, dict[str, object], str, str]] = [
    (
        "VIA where a border leads",
        {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR VIA"]}},
        "void: no chain of fleets at sea could carry the army to Burgundy",
        "無効: 陸軍をブルゴーニュまで輸送できる海軍のつながりがありません",
    ),
    (
        "VIA between coasts without a fleet",
        {"units": {"ENGLAND": ["A YOR"]}, "orders": {"ENGLAND": ["A YOR - EDI VIA"]}},
        "void: no chain of fleets at sea could carry the army to Edinburgh",
        "無効: 陸軍をエディンバラまで輸送できる海軍のつながりがありません",
    ),
    (
        "a convoy no chain makes",
        {"units": {"FRANCE": ["F ENG", "A BRE"]}, "orders": {"FRANCE": ["F ENG C A BRE - GAS"]}},
        "void: no chain of fleets at sea could carry the army to Gascony",
        "無効: 陸軍をガスコーニュまで輸送できる海軍のつながりがありません",
    ),
    (
        "a convoy another fleet could make alone",
        {"units": {"FRANCE": ["F ENG", "F MAO", "A BRE"]}, "orders": {"FRANCE": ["F ENG C A BRE - GAS"]}},
        "void: no chain of fleets that could carry the army to Gascony needs this one",
        "無効: 陸軍をガスコーニュまで運ぶ輸送路に、この海軍は入りません",
    ),
    (
        "two places far apart",
        {"units": {"FRANCE": ["A MUN"]}, "orders": {"FRANCE": ["A MUN - LON"]}},
        "void: Munich does not border London",
        "無効: ミュンヘンはロンドンと隣り合っていません",
    ),
    (
        "a sea far away",
        {"units": {"FRANCE": ["F LON"]}, "orders": {"FRANCE": ["F LON - ADR"]}},
        "void: London does not border the Adriatic Sea",
        "無効: ロンドンはアドリア海と隣り合っていません",
    ),
    (
        "a fleet inland",
        {"units": {"FRANCE": ["F KIE"]}, "orders": {"FRANCE": ["F KIE - MUN"]}},
        "void: a fleet cannot enter Munich",
        "無効: 海軍はミュンヘンに入れません",
    ),
    (
        "an army at sea",
        {"units": {"FRANCE": ["A LON"]}, "orders": {"FRANCE": ["A LON - NTH"]}},
        "void: an army cannot enter the North Sea",
        "無効: 陸軍は北海に入れません",
    ),
    (
        "two coasts of one neck of land",
        {"units": {"FRANCE": ["F ROM"]}, "orders": {"FRANCE": ["F ROM - VEN"]}},
        "void: no coast joins Rome and Venice",
        "無効: ローマとヴェネツィアは海岸でつながっていません",
    ),
    (
        "the wrong side of a province",
        {"units": {"FRANCE": ["F STP/NC"]}, "orders": {"FRANCE": ["F STP/NC - BOT"]}},
        "void: no coast joins St Petersburg (north coast) and the Gulf of Bothnia",
        "無効: サンクトペテルブルク北岸とボスニア湾は海岸でつながっていません",
    ),
    (
        "a retreat over no border",
        {
            "phase": "S1901R",
            "units": {"FRANCE": ["A MAR"]},
            "dislodged": {"ITALY": {"A MAR": {"from": "PIE"}}},
            "orders": {"ITALY": ["A MAR R LON"]},
        },
        "void: Marseilles does not border London; disbanded: no order that counts",
        "無効: マルセイユはロンドンと隣り合っていません、解体: 有効な撤退の命令がありませんでした",
    ),
    (
        "a fleet built inland",
        {"phase": "W1901A", "centers": {"GERMANY": ["MUN"]}, "orders": {"GERMANY": ["F MUN B"]}},
        "void: a fleet cannot stand in Munich",
        "無効: ミュンヘンに海軍は置けません",
    ),
    (
        "a home center of another power",
        {
            "phase": "W1901A",
            "centers": {"GERMANY": ["VIE"], "AUSTRIA": ["BUD"]},
            "orders": {"AUSTRIA": ["A VIE B"]},
        },
        "void: Vienna belongs to Germany",
        "無効: ウィーンはドイツが占有しています",
    ),
    (
        "a home center of nobody",
        {"phase": "W1901A", "centers": {"AUSTRIA": ["BUD"]}, "orders": {"AUSTRIA": ["A VIE B"]}},
        "void: Vienna belongs to nobody",
        "無効: ウィーンはどの国も占有していません",
    ),
    (
        "a unit of the own power in the way",
        {
            "units": {"FRANCE": ["A PAR", "A BUR"], "GERMANY": ["A MUN"]},
            "orders": {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN S A PAR - BUR"]},
        },
        OWN_BOUNCE_EN.format(0, 1),
        OWN_BOUNCE_JA.format(0, 1),
    ),
    (
        "help of the attacked power",
        {
            "units": {"FRANCE": ["A PAR", "A BUR"], "GERMANY": ["A MUN"]},
            "orders": {"GERMANY": ["A MUN - BUR"], "FRANCE": ["A PAR S A MUN - BUR"]},
        },
        OWN_BOUNCE_EN.format(1, 1),
        OWN_BOUNCE_JA.format(1, 1),
    ),
    (
        "help of the attacked power against a unit that is supported",
        {
            "units": {"FRANCE": ["A PAR", "A BUR", "A GAS"], "GERMANY": ["A MUN"]},
            "orders": {"GERMANY": ["A MUN - BUR"], "FRANCE": ["A PAR S A MUN - BUR", "A GAS S A BUR"]},
        },
        OWN_BOUNCE_EN.format(1, 2),
        OWN_BOUNCE_JA.format(1, 2),
    ),
    (
        "help of the attacked power, and a rival who is as strong without it",
        {
            "units": {"AUSTRIA": ["A BUR", "A RUH"], "GERMANY": ["A SIL", "A MUN"], "RUSSIA": ["A BOH", "A TYR"]},
            "orders": {
                "AUSTRIA": ["A BUR - MUN", "A RUH S A BUR - MUN"],
                "GERMANY": ["A SIL S A BUR - MUN"],
                "RUSSIA": ["A BOH - MUN", "A TYR S A BOH - MUN"],
            },
        },
        "bounced at Munich: 2 against 2 (A BOH), as no power's moves and supports count against its own unit",
        "移動失敗: ミュンヘンで2対2(ボヘミア陸軍)。どの国の移動も支援も、その国自身のユニットの撃退には数えません",
    ),
    (
        "points: one unit against one that holds",
        {
            "rules": "shirikyu",
            "units": {"FRANCE": ["A BUR"], "GERMANY": ["A MUN"]},
            "orders": {"FRANCE": ["A BUR - MUN"]},
        },
        "bounced at Munich: 1 against 1.5 (A MUN)",
        "移動失敗: ミュンヘンで1対1.5(ミュンヘン陸軍)",
    ),
    (
        "points: a supported move against one that is helped to hold",
        {
            "rules": "shirikyu",
            "units": {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN", "A KIE"]},
            "orders": {"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"], "GERMANY": ["A KIE S A MUN"]},
        },
        "bounced at Munich: 2 against 2.5 (A MUN)",
        "移動失敗: ミュンヘンで2対2.5(ミュンヘン陸軍)",
    ),
    (
        "points: a unit that holds is dislodged",
        {
            "rules": "shirikyu",
            "units": {"GERMANY": ["A MUN"], "FRANCE": ["A BUR", "A RUH"]},
            "orders": {"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"]},
        },
        "dislodged by A BUR, 2 against 1.5",
        "ブルゴーニュ陸軍により撃退: 2対1.5",
    ),
    (
        "points: equal moves meet",
        {
            "rules": "shirikyu",
            "units": {"GERMANY": ["A MUN"], "FRANCE": ["A BUR"]},
            "orders": {"FRANCE": ["A BUR - MUN"], "GERMANY": ["A MUN - BUR"]},
        },
        "bounced at Munich: 1 against 1 (A MUN)",
        "移動失敗: ミュンヘンで1対1(ミュンヘン陸軍)",
    ),
    (
        "a unit stopped head-on that is helped at home",
        {
            "rules": "shingen",
            "units": {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN", "A BOH"]},
            "orders": {
                "FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"],
                "GERMANY": ["A MUN - BUR", "A BOH S A MUN"],
            },
        },
        "bounced at Munich: 2 against 2 (A MUN)",
        "移動失敗: ミュンヘンで2対2(ミュンヘン陸軍)",
    ),
    (
        "a support of the only fleet that could carry",
        {"units": {"FRANCE": ["F ENG", "A BRE"]}, "orders": {"FRANCE": ["F ENG S A BRE - LON"]}},
        "void: the army could get to London only by this fleet's own convoy",
        "無効: その陸軍はこの海軍の輸送によらなければロンドンへ行けません",
    ),
    (
        "a convoy order that is void carries nobody",
        {
            "units": {"FRANCE": ["A BRE", "F ENG", "F MAO"]},
            "orders": {"FRANCE": ["A BRE - GAS VIA", "F ENG C A BRE - GAS"]},
        },
        "void: no fleet has a valid order to carry it",
        "無効: 輸送の有効な命令を受けた海軍がいません",
    ),
    (
        "of the rivals only those with the strength that is named",
        {
            "units": {"ITALY": ["A VEN", "A APU", "F ADR"], "AUSTRIA": ["A TRI", "A BUD"]},
            "orders": {
                "ITALY": ["A VEN - TRI", "F ADR C A APU - TRI", "A APU - TRI"],
                "AUSTRIA": ["A TRI H", "A BUD S A TRI"],
            },
        },
        "bounced at Trieste: 1 against 2 (A TRI)",
        "移動失敗: トリエステで1対2(トリエステ陸軍)",
    ),
    (
        "of the rivals in an empty province only the strongest",
        {
            "units": {"ITALY": ["A VEN", "A APU", "F ADR"], "AUSTRIA": ["A TRI"], "GERMANY": ["A TYR", "A VIE"]},
            "orders": {
                "ITALY": ["A VEN - TRI", "F ADR C A APU - TRI", "A APU - TRI"],
                "GERMANY": ["A TYR - TRI", "A VIE S A TYR - TRI"],
                "AUSTRIA": ["A TRI - BUD"],
            },
        },
        "bounced at Trieste: 1 against 2 (A TYR)",
        "移動失敗: トリエステで1対2(チロル陸軍)",
    ),
    (
        "a unit at home with points beside a weaker rival",
        {
            "rules": "shirikyu",
            "units": {"ITALY": ["A VEN"], "AUSTRIA": ["A TRI"], "GERMANY": ["A TYR"]},
            "orders": {"ITALY": ["A VEN - TRI"], "AUSTRIA": ["A TRI H"], "GERMANY": ["A TYR - TRI"]},
        },
        "bounced at Trieste: 1 against 1.5 (A TRI)",
        "移動失敗: トリエステで1対1.5(トリエステ陸軍)",
    ),
    (
        "of the dislodged fleets only those of the chain",
        {
            "units": {
                "ENGLAND": ["A LON", "F NTH", "F ENG", "F MAO", "F NAO", "F NWG"],
                "FRANCE": ["F BEL", "F HOL", "F BRE", "F PIC"],
            },
            "orders": {
                "ENGLAND": ["A LON - NWY", "F NTH C A LON - NWY", "F ENG C A LON - NWY"],
                "FRANCE": ["F BEL - NTH", "F HOL S F BEL - NTH", "F BRE - ENG", "F PIC S F BRE - ENG"],
            },
        },
        "convoy broken: F NTH dislodged",
        "輸送失敗: 北海海軍が撃退されました",
    ),
    (
        "a retreat to a closed place",
        {
            "phase": "S1901R",
            "units": {"FRANCE": ["A MAR"]},
            "dislodged": {"ITALY": {"A MAR": {"from": "PIE"}}},
            "orders": {"ITALY": ["A MAR R PIE"]},
        },
        "void: Piedmont is not open to the retreat; disbanded: no order that counts",
        "無効: ピエモンテへは撤退できません、解体: 有効な撤退の命令がありませんでした",
    ),
    (
        "a retreat without its coast",
        {
            "phase": "S1901R",
            "units": {"FRANCE": ["A POR"]},
            "dislodged": {"ITALY": {"F POR": {"from": "MAO"}}},
            "rules": {"coast_required": "always"},
            "orders": {"ITALY": ["F POR R SPA"]},
        },
        "void: the order must say which coast of Spain is meant; disbanded: no order that counts",
        "無効: スペインのどちらの岸かを書く必要があります、解体: 有効な撤退の命令がありませんでした",
    ),
]


@pytest.mark.parametrize(("line", "en", "ja"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_reason_is_true(line: dict[str, object], en: str, ja: str) -> None:
    task = read_task({"phase": "S1901M"} | line)
    resolution = adjudicate(task.map, task.position, task.orders, task.options)
    verdict = next(verdict for verdict in resolution.verdicts if verdict.outcomes)
    assert without_rules(wording_in(Language.ENGLISH).say("outcome", verdict)) == en, json.dumps(line)
    assert without_rules(wording_in(Language("ja")).say("outcome", verdict)) == ja


def without_rules(told: str) -> str:
    """Return the text without the rule numbers at its end."""
    return re.sub(r" \[R-[A-Z]+-\d+\]", "", told).strip()


def test_a_unit_whose_orders_are_all_void_is_told_of_once() -> None:
    line = {
        "phase": "S1901R",
        "units": {"FRANCE": ["A MAR"]},
        "dislodged": {"ITALY": {"A MAR": {"from": "PIE"}}},
        "orders": {"FRANCE": ["A MAR R GAS"], "ITALY": ["A MAR R PIE", "A MAR R LON"]},
    }
    task = read_task(line)
    verdicts = adjudicate(task.map, task.position, task.orders, task.options).verdicts
    assert [(verdict.power, verdict.results) for verdict in verdicts] == [
        ("FRANCE", ("void",)),
        ("ITALY", ("void", "disband")),
        ("ITALY", ("void",)),
    ]


def test_reasons_name_the_places_of_the_board_at_hand(tmp_path: Path) -> None:
    atlantis = tmp_path / "atlantis"
    shutil.copytree(shipped("maps") / "standard", atlantis)
    for file, old, put in (("names.toml", '"Burgundy"', '"Hesperia"'), ("board.toml", '"standard"', '"atlantis"')):
        path = atlantis / file
        path.write_text(path.read_text("utf-8").replace(old, put), "utf-8")
    look_for_boards(lambda: {"atlantis": atlantis})
    line = {"phase": "S1901M", "units": {"FRANCE": ["A PAR"], "ITALY": ["A MUN"]}}
    line |= {"orders": {"FRANCE": ["A PAR - BUR"], "ITALY": ["A MUN - BUR"]}}
    told = [
        json.loads(adjudicate_line(json.dumps(line | {"board": name}), reasons_on)[0])
        for name in ("atlantis", "standard")
    ]
    assert [one["why"]["A PAR"] for one in told] == [
        "bounced at Hesperia: 1 against 1 (A MUN)",
        "bounced at Burgundy: 1 against 1 (A MUN)",
    ]
