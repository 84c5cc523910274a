"""Mail to a secret address without the proof that its sender's mails usually carry."""

from __future__ import annotations

from datetime import timedelta
from email.message import Message
from pathlib import Path

import pytest

from judge.cli.doctor import examine
from judge.config import Config
from tests.database import store_in_memory
from tests.office import Office, World, address, begun, text

PASS = "mx.test; dmarc=pass header.from=players.test"
NONE = "mx.test; dmarc=none header.from=players.test"
LACKED = "lacked the proof that your mails usually carry"


def writes(world: World, body: str, results: str | None = PASS, name: str = "cho") -> list[Message]:
    """Reply to the report of the phase; return the answers."""
    world.now += timedelta(hours=1)
    report = world.reports[name]
    headers = {"Authentication_Results": results} if results is not None else {}
    world.mail(name, body, to=str(report["Reply-To"]), answers=report, **headers)
    return world.box.take(name)


@pytest.fixture(scope="module")
def opened() -> World:
    """Return a game whose France usually writes with proof."""
    world = begun(World(store_in_memory()), deadline="90 days")
    for name in ("cho", "ben"):
        world.box.take(name)
    for unit in ("A PAR - PIC", "A PAR - GAS", "A PAR - BUR", "A MAR - SPA", "A MAR - GAS"):
        writes(world, unit)
    return world


@pytest.fixture
def usual(opened: World) -> World:
    return opened.apart()


def test_orders_are_filed_and_the_receipt_says_first_that_the_proof_lacked(usual: World) -> None:
    (receipt,) = writes(usual, "A PAR - PIC", NONE)
    assert " ".join(text(receipt).split()).startswith(f"This mail {LACKED}")
    assert "A PAR - PIC" in usual.orders("FRANCE")
    (receipt,) = writes(usual, "A PAR - BUR")
    assert LACKED not in text(receipt)


@pytest.mark.parametrize("asked", ["READY", "DRAW", "PRESS TO BEN: hello", "SET ADDRESS mal@evil.test", "NEW SECRET"])
def test_all_else_waits_for_a_yes(usual: World, asked: str) -> None:
    asked = asked.replace("BEN", "England")
    before = usual.game().seats
    (question,) = writes(usual, asked, NONE)
    assert "+confirm." in str(question["Reply-To"])
    assert usual.game().seats == before
    assert [to for to, _ in usual.box.letters if to in (address("ben"), "mal@evil.test")] == []


def test_a_yes_does_what_waited_and_files_nothing_again(usual: World) -> None:
    receipt, question = writes(usual, "A PAR - PIC\nREADY", NONE)
    assert LACKED in " ".join(text(receipt).split())
    assert "READY" not in text(receipt).partition("On file")[0]
    assert "READY" in text(question)
    assert "A PAR - PIC" not in text(question)
    assert not usual.game().seat(usual.game().seats[2].power).filed.ready
    writes(usual, "A PAR - BUR\nF BRE - MAO")
    usual.mail("cho", "YES", to=str(question["Reply-To"]), answers=question)
    done = usual.box.take("cho")
    assert len(done) == 1
    assert "A PAR - BUR" in usual.orders("FRANCE")
    assert usual.game().seats[2].filed.ready


def test_a_no_does_none_of_it(usual: World) -> None:
    _, question = writes(usual, "A PAR - PIC\nREADY", NONE)
    usual.mail("cho", "NO", to=str(question["Reply-To"]), answers=question)
    assert not usual.game().seats[2].filed.ready
    assert "A PAR - PIC" in usual.orders("FRANCE")


def test_a_new_address_is_asked_only_after_the_old_one_said_yes(usual: World) -> None:
    (question,) = writes(usual, "SET ADDRESS new@players.test", NONE)
    usual.mail("cho", "YES", to=str(question["Reply-To"]), answers=question)
    (asked,) = usual.box.take("new")
    usual.mail("new", "YES", to=str(asked["Reply-To"]), answers=asked)
    with usual.parts.store.work() as work:
        assert work.people.by_address("new@players.test") is not None


def test_who_said_yes_writes_without_proof_from_then_on(usual: World) -> None:
    (question,) = writes(usual, "READY", NONE)
    usual.mail("cho", "YES", to=str(question["Reply-To"]), answers=question)
    usual.box.take("cho")
    (receipt,) = writes(usual, "A PAR - PIC\nWAIT", NONE)
    assert LACKED not in " ".join(text(receipt).split())
    assert usual.game().seats[2].filed.waits


def test_an_attacker_does_not_make_it_usual_by_writing_often(usual: World) -> None:
    for _ in range(7):
        writes(usual, "A PAR - PIC", NONE)
    (question,) = writes(usual, "READY", NONE)
    assert "+confirm." in str(question["Reply-To"])


@pytest.mark.parametrize("results", [None, NONE, "mx.test; dmarc=fail header.from=players.test"])
def test_a_mail_without_results_lacks_them_if_others_have_them(usual: World, results: str | None) -> None:
    assert any(LACKED in " ".join(text(one).split()) for one in writes(usual, "A PAR - PIC", results))


def test_nothing_lacks_while_our_server_stamps_no_results(usual: World) -> None:
    for _ in range(20):
        usual.now += timedelta(minutes=20)
        writes(usual, "F LON - NTH", None, "ben")
    writes(usual, "WAIT", None)
    assert usual.game().seats[2].filed.waits


def test_fewer_than_five_or_one_without_make_nothing_usual(opened: World) -> None:
    world = opened.apart()
    for results in (NONE, PASS, PASS, PASS, PASS, PASS):
        writes(world, "F LON - NTH", results, "ben")
    writes(world, "WAIT", NONE, "ben")
    assert world.game().seats[1].filed.waits
    for _ in range(4):
        writes(world, "A BER - KIE", PASS, "dan")
    writes(world, "WAIT", NONE, "dan")
    assert world.game().seats[3].filed.waits


def test_what_is_older_than_thirty_days_does_not_count(usual: World) -> None:
    usual.now += timedelta(days=31)
    writes(usual, "WAIT", NONE)
    assert usual.game().seats[2].filed.waits


def test_the_doctor_says_that_our_server_stamps_no_results(tmp_path: Path) -> None:
    office = Office(tmp_path)
    settings = {"judge": {"authserv_id": "mx.test"}, "database": {"url": office.url}, "sources": ()}
    config = Config.model_validate({**settings, "delivery": {"folder": tmp_path / "outgoing", "pictures": False}})

    def warned() -> bool:
        (found,) = (one for one in examine(config) if one.about.sentence == "sender_results")
        return found.is_warning

    assert not warned()
    office.keep("cho", "HELP", proved=False)
    assert warned()
    office.keep("cho", "HELP")
    assert not warned()
    office.stop()
