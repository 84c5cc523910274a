"""Questions whether a unit can move somewhere are answered from the board.

They put nothing on file.
"""

from __future__ import annotations

import pytest

from judge.commands import Help, Language
from judge.language import Context, read
from judge.reports.moves import move_answer
from judge.reports.wording import wording_in
from judge.rules.map import load_map
from judge.rules.position import Power
from tests.database import store_in_memory
from tests.office import World, begun, text

ASKED = (
    ("can a fleet go from Kiel to Munich?", "F KIE - MUN"),
    ("HELP can a fleet go from Kiel to Munich?", "F KIE - MUN"),
    ("Can an army move to Burgundy from Paris", "A PAR - BUR"),
    ("Is it legal for a fleet to go from Ankara to Smyrna?", "F ANK - SMY"),
    ("艦隊はキールからミュンヘンに行けますか", "F KIE - MUN"),
    ("ヘルプ 艦隊はキールから北海に行けますか", "F KIE - NTH"),
    ("陸軍は黒海からブルガリアに移動できるのでしょうか?", "A BLA - BUL"),
    ("Hilfe: kann eine Flotte von Kiel nach München fahren?", "F KIE - MUN"),
    ("Darf eine Armee von Berlin nach Kiel ziehen?", "A BER - KIE"),
    ("Can a fleet in Kiel support Denmark?", ""),
    ("Can an army go from Paris to Burgundy if Germany supports?", ""),
    ("Can I move my army from Paris to Burgundy?", ""),
    ("私の陸軍はパリからブルゴーニュに行けますか", ""),
    ("A fleet from Kiel to Denmark", ""),
)


@pytest.mark.parametrize(("line", "topic"), ASKED)
def test_a_question_of_a_move_is_a_topic_of_help(line: str, topic: str) -> None:
    (found,) = read(line, Context(load_map(), load_map().start(), (Power("FRANCE"),)))
    assert ((Help(topic),) == found.requests) is bool(topic)


ANSWERS = (
    ("A PAR - BUR", "Yes: an army can go from Paris to Burgundy.", "はい、", "Ja, "),
    ("F KIE - MUN", "No: a fleet cannot go to Munich, because it does not touch the sea.", "海に面して", "am Meer"),
    ("F MUN - KIE", "No: there can be no fleet in Munich, because it does not touch the sea.", "海に面して", "am Meer"),
    (
        "A PAR - NTH",
        "No: an army cannot go to the North Sea, because it is a sea. Only a",
        "海のため",
        "weil dort Meer ist",
    ),
    ("A NTH - LON", "No: there can be no army in the North Sea, because it is a sea.", "海のため", "Dort ist Meer"),
    ("F ROM - VEN", "No: Rome and Venice touch, but not along a coast", "海岸では", "nicht an einer Küste"),
    ("A LON - NWY", "Not on foot, because London and Norway do not touch. A convoy", "輸送", "Geleitzug"),
    ("A PAR - MOS", "No: Paris and Moscow do not touch", "隣り合っていません", "grenzen nicht"),
    ("F SPA - MAR", "Yes: a fleet can go from Spain to Marseilles.", "はい、", "Ja, "),
)


@pytest.mark.parametrize(("topic", "english", "japanese", "german"), ANSWERS)
def test_the_board_tells_whether_a_unit_can_go_there(topic: str, english: str, japanese: str, german: str) -> None:
    assert english in move_answer(wording_in(Language("en")), topic)
    assert japanese in move_answer(wording_in(Language("ja")), topic)
    assert german in move_answer(wording_in(Language("de")), topic)


def test_a_question_of_a_move_leaves_what_is_on_file() -> None:
    world = begun(World(store_in_memory()))
    world.reply("cho", "A Par - Bur")
    told = " ".join(text(world.reply("cho", "can a fleet go from Kiel to Munich?")).split())
    assert "No: a fleet cannot go to Munich" in told
    assert "Where a fleet can go from Kiel: Baltic Sea, Berlin, Denmark" in told
    assert "not settled" not in told
    assert world.orders("FRANCE") == ["A PAR - BUR"]
