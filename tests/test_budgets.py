"""Daily budgets: what is left out or gathered once they are spent, and exceptions."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from judge.cli.doctor import examine
from judge.cli.findings import Finding
from judge.mail.letters import LetterKind, Outgoing
from judge.service.engine.clock import Clock
from judge.service.engine.metrics import Gauges
from judge.service.post import budgets
from judge.service.post.budgets import BY_ONE, TO_ONE, used
from judge.storage import Spent
from tests.busy import busiest_day, game, write
from tests.office import Office, World, address, text

HOUR = timedelta(hours=1)
GERMANY = "dan"


def test_budgets_are_at_most_three_times_what_the_busiest_day_needs() -> None:
    world = busiest_day()
    with world.parts.store.work() as work:
        assert set(work.outbox.counts()) == {"queued"}  # nothing is gathered
        found = used(work, world.now)
    for whose, budget in (("to", TO_ONE), ("by", BY_ONE)):
        most = found[whose].most
        assert most.letters < budget.letters <= 3 * most.letters
        assert most.size < budget.size <= 3 * most.size
        assert found[whose].over == 0
    assert found["to"].most.work < TO_ONE.work <= 3 * found["to"].most.work


def spend(monkeypatch: pytest.MonkeyPatch, **few: Spent) -> None:
    for name, budget in few.items():
        monkeypatch.setattr(budgets, name, budget)


def sent(world: World, after: int, kind: LetterKind, name: str) -> list[Outgoing]:
    return [one for one in world.letters(after) if one.kind is kind and one.recipient == address(name)]


def states(world: World) -> Counter[str]:
    with world.parts.store.work() as work:
        return Counter(work.outbox.counts())


def say_often(world: World, name: str, times: int, subject: str = "") -> None:
    for number in range(times):
        about = f"Subject: {subject} {number}\n" if subject else ""
        write(world, name, f"PRESS TO Germany\n{about}word {number},\nEND PRESS")


def delivered(world: World) -> list[str]:
    world.parts.delivery.deliver_due()
    found = [" ".join(text(letter).split()) for letter in world.box.take(GERMANY)]
    world.box.letters.clear()
    return found


def words_of(letters: list[str]) -> int:
    return sum(len(re.findall(r"word \d+,", one)) for one in letters)


def test_press_of_a_sender_whose_budget_is_spent_leaves_later_in_one_letter_and_whole() -> None:
    world = game()
    say_often(world, "cho", 90)
    world.now += HOUR
    say_often(world, "cho", BY_ONE.letters - 90)
    assert words_of(delivered(world)) == BY_ONE.letters
    world.now += HOUR
    say_often(world, "cho", 30)
    assert delivered(world) == []
    assert states(world)["gathering"] == 30
    write(world, "ben", "PRESS TO Germany\nfrom England\nEND PRESS")  # others are not delayed
    assert len(delivered(world)) == 1
    world.now += 3 * HOUR
    (together,) = delivered(world)
    assert [f"word {number}," in together for number in range(30)] == [True] * 30


def test_a_spent_budget_of_a_reader_gathers_press_of_those_who_write_often(monkeypatch: pytest.MonkeyPatch) -> None:
    spend(monkeypatch, TO_ONE=Spent(20, TO_ONE.size, TO_ONE.work))
    world = game()
    say_often(world, "cho", 25)
    assert (states(world)["gathering"], words_of(delivered(world))) == (5, 20)
    say_often(world, "ben", 20)
    assert len(delivered(world)) == 20
    say_often(world, "ben", 1)
    assert delivered(world) == []
    world.now += timedelta(days=1)
    delivered(world)
    world.now += timedelta(days=1)
    say_often(world, "cho", 1)
    assert len(delivered(world)) == 1


def test_topics_of_one_conversation_leave_together_where_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    spend(monkeypatch, BY_ONE=Spent(1, 1))
    world = game()
    say_often(world, "cho", 42, subject="matter")
    delivered(world)
    world.now += 3 * HOUR
    (together,) = delivered(world)
    assert [f"word {number}," in together for number in range(1, 42)] == [True] * 41


def test_what_is_gathered_is_no_larger_than_a_mail_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    spend(monkeypatch, BY_ONE=Spent(1, 1))
    world = game()
    for number in range(16):
        write(world, "cho", f"PRESS TO Germany\n{number} {'word ' * 11_000}\nEND PRESS")
    delivered(world)
    world.now += 3 * HOUR
    letters = delivered(world)
    assert 1 < len(letters) < 8
    assert sum(one.count("word word") for one in letters) >= 15


def test_maps_and_files_are_left_out_and_orders_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    spend(monkeypatch, TO_ONE=Spent(1, 1, 1), BY_ONE=Spent(1, 1))
    world = game(draws=True)
    after = world.last_letter()
    write(world, "cho", "A PAR - BUR\nMAP\nCALENDAR")
    (receipt,) = sent(world, after, LetterKind.REPLY, "cho")
    assert "Please ask for them again tomorrow" in " ".join(receipt.text.split())
    assert world.orders("FRANCE") == ["A PAR - BUR"]
    assert (receipt.pictures, [one.filename for one in receipt.attachments]) == ((), ["ardennes-S1901M-receipt.json"])


def test_reports_reminders_and_deadlines_are_never_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    spend(monkeypatch, TO_ONE=Spent(1, 1, 1), BY_ONE=Spent(1, 1))
    world = game(draws=True)
    write(world, "gil", "ANNOUNCE: one")
    after = world.last_letter()
    write(world, "gil", "EXTEND 2 hours BECAUSE of the snow")
    assert len(sent(world, after, LetterKind.NOTICE, GERMANY)) == 1
    deadline = world.game().clock.deadline
    assert deadline is not None
    for at in (deadline - timedelta(minutes=30), deadline + timedelta(minutes=1)):
        world.now = at
        world.parts.closing.close_due()
    (report,) = sent(world, after, LetterKind.REPORT, GERMANY)
    assert report.pictures
    assert any(one.filename.endswith(".json") for one in report.attachments)
    assert states(world)["gathering"] == 0


def test_unproved_mail_spends_nobody_s_budget_and_has_a_ceiling_of_its_own() -> None:
    world = game()
    after = world.last_letter()
    for _ in range(24):
        world.now += HOUR / 2
        for _ in range(10):
            write(world, "cho", "HELP", is_proved=False)
    letters = sent(world, after, LetterKind.REPLY, "cho")
    assert len(letters) == 61
    assert "answer no more of them until tomorrow" in " ".join(letters[-1].text.split())
    with world.parts.store.work() as work:
        spent = work.spending.on(address("cho"), world.now - timedelta(days=1))
    assert spent.letters < 10
    world.now += timedelta(days=1)
    write(world, "cho", "HELP", is_proved=False)
    assert len(sent(world, after, LetterKind.REPLY, "cho")) == 62


ODD = [
    "HELP", "HELP commands", "RULES", "RULES ardennes", "STATUS ardennes", "LIST", "JOIN ardennes", "OBSERVE ardennes",
    "CREATE verdun", "F LON - NTH", "A PAR - BUR\n" * 50, "MAP ardennes", "REPLAY", "HISTORY", "LOG", "TABLE", "EXPORT",
    "PRESS TO France: hello", "BROADCAST: hello", "SET LANGUAGE ja", "ヘルプ", "HILFE", "Hello, how are you?",
    "INVITE new@elsewhere.test", "WHATIF\nA PAR - BUR\nEND WHATIF", "MY DATA", "CHECK SETTINGS\npress: none",
]  # fmt: skip
"""Mails of many kinds."""
OUT_OF_ONE = 70_000
"""The most bytes of one letter, without pictures, to a sender without proof."""


@pytest.mark.parametrize("name", ["mal", "cho"])
def test_bytes_out_per_byte_in_of_those_who_prove_nothing_are_bounded(name: str) -> None:
    world = game(draws=True)
    after, came = world.last_letter(), 0
    for _ in range(6):
        world.now += 4 * HOUR - timedelta(minutes=30)
        came += sum(write(world, name, odd, is_proved=False) for odd in ODD)
    out = [one for one in world.letters(after) if one.kind not in (LetterKind.REPORT, LetterKind.NOTICE)]
    assert {one.recipient for one in out} == {address(name)}
    sizes = [len(one.text.encode()) + len((one.html or "").encode()) for one in out]
    assert not any(one.pictures or one.attachments for one in out)
    assert len(out) <= 70
    assert max(sizes) < OUT_OF_ONE
    assert sum(sizes) < 25 * came


def test_bytes_out_of_a_player_who_asks_for_everything_all_day_are_bounded() -> None:
    world = game(draws=True)
    after, came = world.last_letter(), 0
    for _ in range(10):
        world.now += HOUR
        came += sum(write(world, "cho", f"GAME ardennes\n{odd}") for odd in ODD)
    with world.parts.store.work() as work:
        spent = work.spending.on(address("cho"), world.now - timedelta(days=1))
    pictured = [one for one in sent(world, after, LetterKind.REPLY, "cho") if one.pictures]
    assert 10 < len(pictured) < 30
    assert spent.size < 2 * TO_ONE.size
    assert spent.size < 100 * came


def test_the_metrics_say_how_much_of_the_budgets_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    world = game()
    say_often(world, "cho", 30)

    def gauges() -> dict[str, float]:
        samples = [one for family in Gauges(world.parts.watch).collect() for one in family.samples]
        return {f"{one.name} {' '.join(one.labels.values())}": one.value for one in samples if "budget" in one.name}

    assert gauges()["judge_budget_used_ratio by letters"] == 30 / BY_ONE.letters
    assert 31 / TO_ONE.letters < gauges()["judge_budget_used_ratio to letters"] < 40 / TO_ONE.letters
    assert gauges()["judge_budgets_spent by"] == 0
    spend(monkeypatch, BY_ONE=Spent(30, BY_ONE.size))
    assert gauges()["judge_budgets_spent by"] == 1


def test_doctor_says_how_much_of_the_budgets_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    office = Office(tmp_path)
    office.now = Clock()() - HOUR
    office.open_game()
    for number in range(3):
        office.keep("france", "PRESS TO Germany", f"word {number}", "END PRESS")
    office.settle()
    config = office.parts.config
    office.stop()

    def told() -> list[Finding]:
        return [one for one in examine(config) if one.about.sentence == "budgets"]

    to, by = told()
    assert "of 300 letters" in to.said.told("en")
    assert by.said.told("en") == "by one person to others at most 3 of 150 letters, 0.0 of 5 MB; spent: 0"
    assert not by.is_warning
    spend(monkeypatch, BY_ONE=Spent(3, BY_ONE.size))
    assert [one.is_warning for one in told()] == [False, True]
