"""The machine-readable part of mails, and `judge verify`, which checks a game by it."""

from __future__ import annotations

import json
import mailbox
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import datetime, timedelta
from email.message import EmailMessage, Message
from pathlib import Path
from random import Random
from typing import Any

import pytest

from judge.cli.verify import facts_in
from judge.reports.clauses import reasons_on
from judge.rules.exchange import adjudicate_line
from judge.rules.outcomes import RULES_REVISION
from judge.service.chain import verify
from tests.command_line import judge
from tests.facts import against_the_schema, facts_by_reader
from tests.office import World, address, begun, text

Facts = list[dict[str, Any]]


@pytest.fixture(scope="module")
def world() -> World:
    """Return a game of four phases that its master has ended.

    One phase was rolled back, and in one the master ordered.
    """
    world = begun(World())

    def reply(name: str, body: str) -> None:
        world.now += timedelta(hours=2)
        world.reply(name, body)

    reply("cho", "A Par - Bur\nA Mar S A Par - Bur")
    reply("cho", "F Bre - Mao\nA Mar - Spa")
    reply("dan", "A Mun - Bur")
    world.pass_deadline()
    world.collect_reports()
    reply("cho", "A Par - Gas")
    world.pass_deadline()
    world.collect_reports()
    reply("gil", "ROLLBACK F1901M because of a mistake of mine")
    world.collect_reports()
    reply("cho", "A Par - Pic")
    reply("gil", "PHASE F1901M\nORDER FOR Germany because Dan is in hospital\nF Kie - Hol")
    world.pass_deadline()
    world.collect_reports()
    world.now += timedelta(hours=2)
    world.proved("gil", "END ardennes because of the test")
    return world


@pytest.fixture
def mine(world: World) -> Facts:
    """Return the facts that France got."""
    return deepcopy(facts_by_reader(world.box)[address("cho")])


def test_every_report_and_receipt_tells_what_it_is(mine: Facts) -> None:
    told = [(facts["kind"], (facts.get("input") or facts.get("position") or facts)["phase"]) for facts in mine]
    assert told == [
        ("start", "S1901M"),
        ("receipt", "S1901M"),
        ("receipt", "S1901M"),
        ("phase", "S1901M"),
        ("receipt", "F1901M"),
        ("phase", "F1901M"),
        ("receipt", "F1901M"),
        ("phase", "F1901M"),
        ("end", mine[-1]["position"]["phase"]),
    ]
    assert [wrong for facts in mine for wrong in against_the_schema(facts)] == []
    assert (mine[-1]["ended"], mine[-1]["next"]) == ({"how": "by-master", "winner": None, "sharers": []}, None)


def test_a_schema_that_takes_everything_would_be_none(mine: Facts) -> None:
    for facts in mine:
        for key in facts.keys() - {"deadline", "lot"}:
            assert against_the_schema({name: value for name, value in facts.items() if name != key}), key
        assert against_the_schema(facts | {"surprise": 1})


def test_a_line_that_does_not_spell_its_order_is_shown_beside_it() -> None:
    world = begun(World())
    world.reply("cho", "German A Par - Bur\nArmy Marseilles to Spain\nF BRE - MAO")
    world.reply("cho", "If Ben agrees:\nA Mar - Spa")
    world.reply("cho", "YES")
    world.pass_deadline()
    mine = facts_by_reader(world.box)[address("cho")]
    assert [wrong for facts in mine for wrong in against_the_schema(facts)] == []
    assert [(one.said, one.is_fault) for one in verify(mine) if "written" in one.said] == [
        ("S1901M: FRANCE: A PAR - BUR was written as “German A Par - Bur”", False),
        ("S1901M: FRANCE: A MAR - SPA was written as “A Mar - Spa / YES”", False),
    ]


def test_what_is_on_file_has_the_same_seal_in_the_receipt_and_in_the_report(mine: Facts) -> None:
    receipts = {facts["at"]: facts["filed"]["FRANCE"] for facts in mine if facts["kind"] == "receipt"}
    reports = [facts["filed"].get("FRANCE") for facts in mine if facts["kind"] == "phase"]
    last = [list(receipts.values())[number] for number in (1, 2, 3)]
    assert reports == [{"salt": one["salt"], "hash": one["hash"]} for one in last]
    assert len({one["salt"] for one in last}) == 3, "a phase that was opened again has another salt"


def test_nobody_else_gets_anything_of_an_open_phase(world: World, mine: Facts) -> None:
    secret = [facts["filed"]["FRANCE"] for facts in mine if facts["kind"] == "receipt"]
    closed = {facts["filed"]["FRANCE"]["salt"]: facts["at"] for facts in mine if facts["kind"] == "phase"}
    others = [found for reader, found in facts_by_reader(world.box).items() if reader != address("cho")]
    early = [
        (json.dumps(facts), filed)
        for found in others
        for facts in found
        for filed in secret
        if facts["at"] < closed[filed["salt"]]
    ]
    assert early
    assert not any(filed["salt"] in written or filed["hash"] in written for written, filed in early)


def test_steps_are_named_and_are_no_fault(mine: Facts) -> None:
    findings = verify(mine)
    assert not any(finding.is_fault for finding in findings)
    lot, *said = [finding.said for finding in findings]
    assert lot.startswith("the lot: yes")
    assert [words.split(" at ")[0] for words in said[:-1]] == ["step: rollback F1901M", "step: correction GERMANY"]
    assert said[-1].startswith("3 phases, S1901M to F1901M: ")
    assert "4 receipts" in said[-1]


def files_in(letter: Message) -> list[str]:
    names = (part.get_filename() or "" for part in letter.walk())
    return [name for name in names if name.endswith(".json")]


def test_a_player_may_do_without_the_files() -> None:
    world = begun(World())
    assert files_in(world.reply("cho", "A Par - Bur"))
    assert not files_in(world.reply("cho", "SET FACTS no\nA Mar H"))
    world.pass_deadline()
    world.collect_reports()
    assert not files_in(world.reports["cho"])
    assert "attached file" not in " ".join(text(world.reports["cho"]).split())
    assert "ardennes-S1901M.json" in files_in(world.reports["dan"])
    assert "attached file" in " ".join(text(world.reports["dan"]).split())
    assert files_in(world.reply("cho", "データ添付 あり\nA Mar H"))


def _of_revision(*revisions: int) -> Callable[[Facts], None]:
    def change(facts: Facts) -> None:
        phases = [one for one in facts if one["kind"] == "phase"]
        for one, revision in zip(phases, revisions, strict=False):
            one["output"]["rules_revision"] = revision

    return change


def test_what_was_made_with_older_rules_is_said_and_is_no_fault(mine: Facts) -> None:
    _of_revision(3, 3)(mine)
    findings = verify(mine)
    assert not any(finding.is_fault for finding in findings)
    (said,) = (finding.said for finding in findings if "revision" in finding.said)
    assert re.fullmatch(
        rf"S1901M to \w+: made with revision 3 of the rules, checked with revision {RULES_REVISION}, "
        "reasons not at all",
        said,
    )


@pytest.mark.parametrize(
    ("revision", "goes", "faults"), [(3, "A SPA", 0), (3, "F MAR", 1), (4, "F MAR", 0), (4, "A SPA", 1)]
)
def test_a_profile_is_taken_as_it_was_when_the_report_was_made(revision: int, goes: str, faults: int) -> None:
    line: dict[str, Any] = {"id": 1, "phase": "W1901A", "units": {"RUSSIA": ["A SPA", "F MAR"]}}
    line |= {"centers": {"RUSSIA": ["WAR"]}, "orders": {}, "rules": "rulebook-1971"}
    rule = "distance-fleet-alpha" if goes == "A SPA" else "route-fleet-alpha"
    asked = line | {"rules": {"profile": "rulebook-1971", "default_removal": rule}}
    output = json.loads(adjudicate_line(json.dumps(asked), reasons_on)[0]) | {"rules_revision": revision}
    facts = {"format": 1, "kind": "phase", "game": "ardennes", "at": "2026-11-23T12:00:00+00:00"}
    found = verify([{**facts, "input": line, "output": output, "steps": [], "next": output["next"]}])
    assert any(finding.is_fault for finding in found) is bool(faults), found


def test_a_corrected_board_follows_from_what_the_master_corrected() -> None:
    world = begun(World())

    def reply(name: str, body: str) -> None:
        world.now += timedelta(hours=2)
        world.reply(name, body)

    reply("gil", "PUT F Nth England because of a slip\nTAKE F Lon because of a slip\nOWN Bel Germany because of a slip")
    reply("gil", "OWN Par nobody because of a slip")
    world.pass_deadline()
    world.collect_reports()
    reply("gil", "PUT A Pic France because of a slip")
    reply("gil", "ROLLBACK S1901M because of a mistake of mine")
    world.collect_reports()
    reply("gil", "REDO because it was none")
    world.collect_reports()
    world.pass_deadline()
    found = facts_by_reader(world.box)[address("cho")]
    findings = verify(found)
    assert [finding.said for finding in findings if finding.is_fault] == []
    assert [finding.said.split(" at ")[0] for finding in findings[1:5]] == [
        "step: put F NTH ENGLAND",
        "step: take F LON",
        "step: own BEL GERMANY",
        "step: own PAR",
    ]
    assert [wrong for facts in found for wrong in against_the_schema(facts)] == []


def _phase(facts: Facts, number: int) -> dict[str, Any]:
    return [one for one in facts if one["kind"] == "phase"][number]


def _drop(kind: str, number: int) -> Callable[[Facts], None]:
    def change(facts: Facts) -> None:
        facts.remove([one for one in facts if one["kind"] == kind][number])

    return change


def _result(facts: Facts) -> None:
    _phase(facts, 0)["output"]["results"]["A PAR"] = []


def _board(facts: Facts) -> None:
    _phase(facts, 0)["output"]["units"]["FRANCE"] = ["F BRE", "A MAR", "A BUR"]


def _position(facts: Facts) -> None:
    line = _phase(facts, 1)["input"]
    line["units"]["ITALY"] = line["units"]["ITALY"][1:]


def _order(facts: Facts) -> None:
    _phase(facts, 0)["input"]["orders"]["FRANCE"] = ["A PAR - PIC"]


def _left_out(facts: Facts) -> None:
    del _phase(facts, 0)["input"]["orders"]["FRANCE"][0]


def _step(facts: Facts) -> None:
    _phase(facts, 2)["steps"] = []


def _disorder(facts: Facts) -> None:
    _phase(facts, 1)["input"]["disorder"] = ["ITALY"]


def _receipt(facts: Facts) -> None:
    receipt = [one for one in facts if one["kind"] == "receipt"][1]
    receipt["filed"]["FRANCE"]["orders"] = ["A MAR H"]


def _rules(facts: Facts) -> None:
    _phase(facts, 1)["input"]["rules"] = "shingen"


def _next(facts: Facts) -> None:
    _phase(facts, 0)["next"] = "F1901R"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_result, "S1901M: A PAR: the report says success, its orders give bounce"),
        (_board, "S1901M: units are not what its orders give"),
        (_position, "F1901M: units do not follow from the phase before, and no step is named"),
        (_order, "S1901M: FRANCE: the seal is not that of the orders played"),
        (_left_out, "S1901M: FRANCE: on file at"),
        (_step, "F1901M: W1901A is missing before it"),
        (_disorder, "F1901M: ITALY: disorder has changed, and no step is named"),
        (_rules, "F1901M: the rules have changed, and no step is named"),
        (_receipt, "S1901M: FRANCE: the receipt of"),
        (_next, "S1901M: the next phase is F1901M, the report says F1901R"),
        (_drop("phase", 0), "F1901M: S1901M is missing before it"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_was_changed_is_found(mine: Facts, change: Callable[[Facts], None], said: str) -> None:
    change(mine)
    faults = [finding.said for finding in verify(mine) if finding.is_fault]
    assert any(fault.startswith(said) for fault in faults), faults


def test_a_later_mail_than_the_last_receipt_is_a_difference(mine: Facts) -> None:
    _drop("receipt", 1)(mine)
    faults = [finding.said for finding in verify(mine) if finding.is_fault]
    assert len(faults) == 1
    assert "on file at" in faults[0]
    assert "was A MAR S A PAR - BUR; played was A MAR - SPA, F BRE - MAO" in faults[0]


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths to everything in a JSON value."""
    yield path
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in below:
        yield from _leaves(one, (*path, key))


@pytest.mark.parametrize("seed", range(40))
def test_a_file_of_any_form_is_a_difference_and_no_crash(mine: Facts, seed: int) -> None:
    chance = Random(seed)
    facts = chance.choice(mine)
    ways = [way for way in _leaves(facts) if way and way[0] not in ("game", "kind", "at", "format")]
    for way in chance.sample(ways, min(3, len(ways))):
        *above, last = way
        place: Any = facts
        try:
            for key in above:
                place = place[key]
            place[last] = chance.choice([None, 7, "x", [], {}, [[1]], {"x": {"y": 1}}, True, "A PAR - XXX"])
        except (KeyError, IndexError, TypeError):
            continue
    assert [finding.game for finding in verify(mine)][:1] == ["ardennes"]


def test_saved_mails_in_whatever_form(world: World, tmp_path: Path) -> None:
    letters = [letter for to, letter in world.box.kept if to == address("cho")]
    folder = tmp_path / "eml"
    folder.mkdir()
    for number, letter in enumerate(reversed(letters)):
        (folder / f"{number}.eml").write_bytes(letter.as_bytes())
    box = mailbox.mbox(tmp_path / "mbox")
    maildir = mailbox.Maildir(tmp_path / "maildir")
    for letter in letters:
        box.add(letter)
        maildir.add(letter)
    box.close()
    results = [judge("verify", str(tmp_path / name)) for name in ("eml", "mbox", "maildir")]
    assert [(done.returncode, done.stderr) for done in results] == [(0, ""), (0, ""), (0, "")]
    assert len({done.stdout for done in results}) == 1
    assert "3 phases" in results[0].stdout
    phases = [n for n, one in enumerate(reversed(letters)) if "phase" in {facts["kind"] for facts in facts_in(one)}]
    (folder / f"{phases[-1]}.eml").unlink()
    done = judge("verify", str(folder))
    assert done.returncode == 1
    assert "judge: ardennes " in done.stderr


def test_reports_from_before_the_file_said_what_it_is(mine: Facts) -> None:
    found = []
    for facts in mine[:4]:
        if facts["kind"] != "receipt":
            mail = EmailMessage()
            mail["Date"] = datetime.fromisoformat(facts["at"])
            old = {key: facts[key] for key in ("game", "input", "output", "next", "deadline") if key in facts}
            mail.add_attachment(json.dumps(old).encode(), maintype="application", subtype="json", filename="a.json")
            found += list(facts_in(mail))
    assert [facts["kind"] for facts in found] == ["start", "phase"]
    assert [(finding.said, finding.is_fault) for finding in verify(found)] == [
        ("1 phase, S1901M to S1901M: what was ordered gives what was reported, and nothing is missing", False)
    ]


@pytest.mark.parametrize(("content", "code"), [(b"Subject: hello\n\nno part\n", 1), (None, 2)])
def test_where_there_is_nothing_to_verify_it_says_so(tmp_path: Path, content: bytes | None, code: int) -> None:
    file = tmp_path / "a.eml"
    if content is not None:
        file.write_bytes(content)
    done = judge("verify", str(file))
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (code, "", 1)
