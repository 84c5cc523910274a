"""A third language is two files of data: German, read by the loaders and grammars of the shipped languages."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from judge.commands import Give
from judge.language import Context, read
from judge.language.words import SHIPPED, Tongue
from judge.rules import load_map, write_order

FOLDER = Path(__file__).parent / "language" / "german"
GERMAN = Tongue("de", own_words=FOLDER / "words.toml", own_names=FOLDER / "names.toml")
CONTEXT = Context(load_map(), tongues=(*SHIPPED, GERMAN))
PROMISED = 0.8


def _table() -> list[tuple[str, list[str]]]:
    """Lines, and the orders they give in strict notation."""
    lines = (FOLDER / "orders.txt").read_text("utf-8").splitlines()
    rows = [re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in lines if line and not line.startswith("#")]
    return [(written, orders.split("; ")) for written, orders in rows]


def _orders(written: str, context: Context) -> list[str]:
    (line,) = read(written, context)
    return [] if line.faults else [write_order(one.order) for one in line.requests if isinstance(one, Give)]


def test_most_german_orders_are_read_right_and_none_wrong() -> None:
    table = _table()
    assert len(table) >= 60
    read_as = [(written, _orders(written, CONTEXT), orders) for written, orders in table]
    right = [written for written, found, orders in read_as if found == orders]
    assert len(right) >= PROMISED * len(table)
    assert [row for row in read_as if row[1] not in ([], row[2])] == []


BESIDE = ("A Paris nach Burgund, Armee Marseille hält", "A Par - Bur", "パリ陸軍をブルゴーニュへ移動")


@pytest.mark.parametrize("written", BESIDE)
def test_the_shipped_languages_know_nothing_of_it_and_are_read_beside_it(written: str) -> None:
    shipped = _orders(written, replace(CONTEXT, tongues=SHIPPED))
    assert shipped == ([] if "nach" in written else ["A PAR - BUR"])
    assert _orders(written, CONTEXT)[:1] == ["A PAR - BUR"]
