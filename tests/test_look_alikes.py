"""Names that look like other names (`judge/language/look_alikes.py`)."""

from __future__ import annotations

import pytest

from judge.language.look_alikes import is_a_power, is_an_office, look_of

OFFICES = """
master | Master | MASTER | The Master | the game-master | Gamemaster | co-master | your GM | GM | G.M. | g m
ＧＭ | ＭＡＳＴＥＲ | Mаster | МASTER | rnaster | ΜΑSΤΕR | m\u00e1ster | mas\u200bter | m.a.s.t.e.r | judge
Jυdge | moderat0r | adrnin | ADM1N | admіn | 管理人 | 副管理人 | 管理入 | 管埋人 | 菅理人 | ｼﾞｬｯｼﾞ
ゲームマスター | マスタ一 | 管 理 人 | Spielleiter | der SpieIleiter | Haupt-Spielleiterin
ᴍᴀꜱᴛᴇʀ | 🅼🅰🆂🆃🅴🆁 | 🅖🅜 | M@ster | ma$ter | 管理人さん | 主催者様 | 主催者
"""
POWERS = """
France | FRANCE | Frаnce | Ｆｒａｎｃｅ | Francé | ltaly | Ita1y | Österreich | Osterreich | オーストリア
卜ルコ | ﾄﾙｺ | イギリス | Fra
"""
OTHERS = """
Ben Masters | Masterson | Gilbert | Francis | Francesca | Juno | Judith | Adam | 管理 | 花子 | 理人 | Gemma
Anna | Анна | Γιώργος | 🦊 | Zoë | 花子さん | 様
"""


def rows(table: str) -> list[str]:
    return [name.strip() for line in table.strip().splitlines() for name in line.split(" | ")]


@pytest.mark.parametrize("name", rows(OFFICES))
def test_a_name_that_looks_like_an_office_is_one(name: str) -> None:
    assert is_an_office(name), look_of(name)


@pytest.mark.parametrize("name", rows(POWERS))
def test_a_name_that_looks_like_a_power_is_one(name: str) -> None:
    assert is_a_power(name), look_of(name)


@pytest.mark.parametrize("name", rows(OTHERS))
def test_other_names_are_neither(name: str) -> None:
    assert not is_an_office(name)
    assert not is_a_power(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Gil", "GіI"),
        ("Cho", "Ϲһо"),
        ("Anna", "Αnnа"),
        ("花子", "花 子"),
        ("太郎", "太 郎"),
        ("Zoë", "zoe"),
        ("🦊", "🦊"),
    ],
)
def test_names_that_look_alike_are_the_same(one: str, other: str) -> None:
    assert look_of(one) == look_of(other)


def test_other_names_differ() -> None:
    names = [*rows(OTHERS), "Ada", "Ben", "Cho", "Dan", "Eva", "Fay", "Gus", "Gil", "Ivy", "一郎", "二郎", "三郎", "🐻"]
    assert len({look_of(name) for name in names}) == len(names)
