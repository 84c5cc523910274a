"""Hundreds of whole mails in the style of real programs, in reply to reports.

Every order in them is found, and no other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.message import EmailMessage
from functools import cache
from html import escape
from pathlib import Path
from random import Random
from typing import Any

import pytest

from judge.cli.inspect import inspect_file
from judge.commands import Create, Give, Join, Language
from judge.games import (
    Game,
    GameState,
    Handled,
    MailContext,
    Person,
    PersonId,
    Request,
    close,
    create,
    handle,
    join,
)
from judge.games.events import GameStarted, PhaseClosed
from judge.language import Context, read
from judge.mail.letters import MailKind, RawMail
from judge.mail.reading import MailReader
from judge.reports.buttons import labels_of_buttons
from judge.reports.phases import phase_reports
from judge.reports.readers import Reader, Role
from judge.rules import PROFILES, Power, load_map, write_order
from judge.rules.legality import Referee
from judge.rules.orders import Build, Disband, Move, Order, Retreat, Waive
from judge.rules.outcomes import Illegal
from judge.service.talk.vocabulary import VOCABULARY
from tests.clients import PROGRAMS, Answered, Composer, Program, disclaimer, own_words
from tests.command_line import judge
from tests.nasty import random_orders
from tests.office import NAMES, TITLES, World, begun, text
from tests.writers import WRITERS, plain_writer

MAP = load_map()
NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
MAILS_EACH, FEWER = 8, 3
"""The mails of each program and language; fewer for programs that differ in one thing."""
GAMES, PHASES = 2, 12
TAPS = "judge+ardennes.aaaaaaaaaaaaaaaaaaaa@judge.test"


@dataclass(frozen=True)
class Task:
    """A report that a player got, and the orders they answer with."""

    power: Power
    context: Context
    answered: Answered
    orders: tuple[Order, ...]


def _people(language: str) -> list[Person]:
    names = ("Gil", "Ada", "Ben", "Cho", "Dan", "Eva", "Fay", "Gus")
    return [Person(PersonId(n), f"{n}@players.test", name, Language(language), "UTC") for n, name in enumerate(names)]


def _started(people: list[Person]) -> tuple[Game, GameStarted]:
    made = create(Create("ardennes"), people[0].id)
    assert isinstance(made, Handled)
    game = made.game
    for person, seat in zip(people[1:], game.seats, strict=True):
        handled = join(game, person.id, Join(game.name, seat.power), NOON, seed=1)
        game = handled.game
    (started,) = (event for event in handled.events if isinstance(event, GameStarted))
    return game, started


@cache
def tasks(language: str) -> tuple[Task, ...]:
    """Return the reports that seven people got in some games, with their orders."""
    return tuple(task for seed in range(GAMES) for task in _game(language, Random(seed)))


def _game(language: str, chance: Random) -> Iterator[Task]:
    people = _people(language)
    game, event = _started(people)
    news: object = event
    for _ in range(PHASES):
        orders = random_orders(MAP, game.position, PROFILES["standard"], chance)
        readers = [
            Reader(people[number + 1], Role.PLAYER, (seat.power,), TAPS) for number, seat in enumerate(game.seats)
        ]
        reports = phase_reports(news, readers, {p.id: p for p in people}, NOON)  # type: ignore[arg-type]
        for reader, report in zip(readers, reports, strict=True):
            (power,) = reader.powers
            meant = _meant(game, power, orders.get(power, []))
            if meant:
                units = [
                    next((line for line in report.text.split("\n") if _asks_for(line, order)), "") for order in meant
                ]
                answered = Answered(report, f"<{game.position.phase}.{power}@localhost>", units)
                yield Task(power, Context(MAP, game.position, (power,)), answered, tuple(meant))
        for power, given in orders.items():
            holder = game.seat(power).holder
            assert holder is not None
            for order in given:
                game = handle(Request(game, holder, Give(order), MailContext(1, "", NOON), NOON)).game
        closed = close(game, game.position.phase, NOON)
        assert closed is not None
        game, (news, *_) = closed
        assert isinstance(news, PhaseClosed)
        if game.state is GameState.FINISHED:
            return


def _meant(game: Game, power: Power, orders: list[Order]) -> list[Order]:
    referee = Referee(MAP, game.position)
    meant = [referee.meaning(power, order) for order in orders]
    return [order for order in dict.fromkeys(meant) if not isinstance(order, Illegal | Waive)]


def _asks_for(line: str, order: Order) -> bool:
    told = line.rstrip(" -R")
    return not isinstance(order, Waive | Build) and (told == str(order.unit) or told.endswith(f"({order.unit})"))


def _composed(program: Program, language: str, number: int) -> tuple[Task, Composer]:
    chance = Random(f"{program.name} {language} {number}")
    task = chance.choice(tasks(language))
    where = program.habits[number % len(program.habits)]
    writer = plain_writer("en") if where == "filled" else chance.choice(WRITERS[language])(chance)
    if where == "filled":
        task = chance.choice(_filled(language))
    lines = [writer.write(order) for order in task.orders]
    if where == "filled":
        lines = [line.upper() for line in lines]
        if number % 4 < 2:
            lines = [_behind(unit, line) for unit, line in zip(task.answered.units, lines, strict=True)]
    own = own_words(chance, language, lines)
    below = disclaimer(chance, language)
    return task, Composer(program, language, own, task.answered, "anna@players.test", where, below)


@cache
def _filled(language: str) -> tuple[Task, ...]:
    """Return the tasks with lines that can be filled in."""
    return tuple(filled for filled in map(_to_be_filled_in, tasks(language)) if filled.orders)


def _behind(unit: str, line: str) -> str:
    """Return an order written behind the report's unit: `ローマ陸軍(A ROM) - VEN`."""
    told = unit.rstrip(" -R")
    return told + line.removeprefix(told.rpartition("(")[2].rstrip(")"))


def _to_be_filled_in(task: Task) -> Task:
    """Return the task with only those orders that fill in a line of the report."""
    pairs = [
        (order, unit)
        for order, unit in zip(task.orders, task.answered.units, strict=True)
        if unit and isinstance(order, Move | Retreat | Disband)
    ]
    units = tuple(unit for _, unit in pairs)
    return replace(task, orders=tuple(order for order, _ in pairs), answered=replace(task.answered, units=units))


# A gateway may keep only the HTML part of a program's mail.
HTML_ALONE = tuple(replace(one, name=f"{one.name}, HTML", form="html") for one in PROGRAMS if one.form == "alternative")
CASES = [(program, language) for program in (*PROGRAMS, *HTML_ALONE) for language in ("en", "ja")]


def test_there_are_hundreds_of_mails_of_twenty_programs() -> None:
    assert len(PROGRAMS) >= 20
    assert 2 * len(PROGRAMS) * MAILS_EACH >= 300


@pytest.mark.parametrize(("program", "language"), CASES, ids=lambda part: part if isinstance(part, str) else part.name)
def test_every_order_of_a_mail_is_found_and_none_invented(program: Program, language: str) -> None:
    for number in range(FEWER if program in HTML_ALONE else MAILS_EACH):
        task, composer = _composed(program, language, number)
        content = composer.mail()
        report = composer.answered.report
        sent = [*report.text.splitlines(), *labels_of_buttons(report.html)]
        sent_lines = {composer.answered.message_id: sent}
        letter = MailReader(frozenset(), VOCABULARY).read(
            RawMail(content, "test", NOON, None, ()), sent_lines.__getitem__
        )
        assert letter.kind is MailKind.PERSON
        lines = read(letter.own_text, task.context)
        requests = [request for line in lines for request in line.requests]
        found = [write_order(request.order) for request in requests if isinstance(request, Give)]
        context = f"{program.name} {number} {composer.where}\n{composer.text()}\n---- own words\n{letter.own_text}"
        assert sorted(found) == sorted(map(write_order, task.orders)), context
        assert len(found) == len(requests), context
        assert not [fault for line in lines for fault in line.faults], context


@pytest.mark.parametrize(("program", "language"), CASES, ids=lambda part: part if isinstance(part, str) else part.name)
def test_orders_that_our_mail_holds_in_the_same_words_are_the_senders(program: Program, language: str) -> None:
    for number in range(FEWER):
        task, composer = _composed(program, language, number)
        if composer.where == "filled":
            continue
        task, composer = _echoed(task, composer)
        report = composer.answered.report
        sent = [*report.text.splitlines(), *labels_of_buttons(report.html)]
        for where in (composer.where, "alone"):
            mail = replace(composer, where=where).text() if where == "alone" else ""
            content = composer.mail() if where != "alone" else _plain(mail, composer.answered.message_id)
            reader = MailReader(frozenset(), VOCABULARY)
            letter = reader.read(RawMail(content, "test", NOON, None, ()), {task.answered.message_id: sent}.__getitem__)
            lines = read(letter.own_text, task.context)
            requests = [request for line in lines for request in line.requests]
            found = [write_order(request.order) for request in requests if isinstance(request, Give)]
            context = (
                f"{program.name} {number} {where}\n{content.decode('utf-8', 'replace')}\n---- own\n{letter.own_text}"
            )
            assert sorted(found) == sorted(map(write_order, task.orders)), context
            assert letter.set_aside == (), context


def _echoed(task: Task, composer: Composer) -> tuple[Task, Composer]:
    """Make it an answer to a receipt that echoes the very same lines."""
    report = composer.answered.report
    lines = composer.own.orders
    text = "\n".join([report.subject, "", *(f"  {line}" for line in lines), "", report.text])
    echoes = "".join(f"<div>{escape(line)}</div>" for line in lines)
    html = report.html.replace("<body", f"<body data-x='1'><p>{escape(report.subject)}</p>{echoes}<div", 1)
    answered = replace(composer.answered, report=replace(report, text=text, html=html))
    return replace(task, answered=answered), replace(composer, answered=answered)


def _plain(text: str, answers: str) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "anna@players.test", "judge@localhost", "Re: orders"
    mail["Message-ID"], mail["In-Reply-To"] = "<plain@players.test>", answers
    mail.set_content(text)
    return mail.as_bytes()


@pytest.mark.parametrize("tag", ["<div ", "<blockquote ", "<div id='", "<div class='yahoo ", "<blockquote>"])
def test_html_made_to_be_slow_is_read(tag: str) -> None:
    content = f"From: a@b.test\nContent-Type: text/html\n\n{tag * 10_000}A Par - Bur".encode()
    letter = MailReader(frozenset(), VOCABULARY).read(RawMail(content, "test", NOON, None, ()))
    assert letter.kind is MailKind.PERSON


# What stands below cancels what stands above


@pytest.fixture
def game() -> World:
    """Return a game that has just started."""
    return begun(World())


CORRECTIONS = [
    ("A Par - Bur\nA Mar - Spa\nCLEAR\nA Par - Pic", ["A PAR - PIC"]),
    ("A Par - Bur\nA Mar - Spa\n\nNo, scrap that:\nCLEAR\nA Mar H", ["A MAR H"]),
    ("A Par - Bur\nA Mar - Spa\nCLEAR A Par", ["A MAR - SPA"]),
    ("A Par - Bur\nA Mar - Spa\nA Par - Pic", ["A MAR - SPA", "A PAR - PIC"]),
    ("パリ陸軍をブルゴーニュへ移動\n取消\nパリ陸軍を維持", ["A PAR H"]),
    ("パリ陸軍をブルゴーニュへ移動\nマルセイユ陸軍を維持\n取消 パリ陸軍", ["A MAR H"]),
    ("CLEAR\nA Par - Bur", ["A PAR - BUR"]),
    ("A Par - Bur\nscrap that", []),
    ("A Par - Bur\nEND\nA Par - Pic", ["A PAR - BUR"]),
]


@pytest.mark.parametrize(("text_", "orders"), CORRECTIONS, ids=[row[0].replace("\n", " / ") for row in CORRECTIONS])
def test_what_is_cleared_below_is_not_executed(game: World, text_: str, orders: list[str]) -> None:
    game.reply("cho", "F Bre - Mao\nCLEAR F Bre")
    game.reply("cho", text_)
    assert game.orders("FRANCE") == orders


def test_clear_in_a_mail_takes_back_earlier_mails_as_well(game: World) -> None:
    game.reply("cho", "A Par - Bur\nA Mar - Spa")
    said = text(game.reply("cho", "CLEAR\nF Bre - Mao"))
    assert game.orders("FRANCE") == ["F BRE - MAO"]
    assert "No longer on file: A PAR - BUR, A MAR - SPA" in " ".join(said.split())


def test_scrapping_without_clear_is_explained_and_nothing_is_taken_back(game: World) -> None:
    game.reply("cho", "A Par - Bur")
    said = text(game.reply("cho", "Please scrap that."))
    assert game.orders("FRANCE") == ["A PAR - BUR"]
    assert "CLEAR" in said


def test_a_wrong_nationality_is_told_in_the_receipt(game: World) -> None:
    said = " ".join(text(game.reply("cho", "A Mar S German A Par - Bur")).split())
    assert game.orders("FRANCE") == ["A MAR S A PAR - BUR"]
    assert "A PAR belongs to France, not to Germany" in said


def test_a_guess_is_told_in_the_receipt(game: World) -> None:
    game.proved("gil", "CREATE bard\nrules: rulebook-1971\nassignment: registration-order\ndeadline: 2 days")
    for name, power in zip(NAMES, TITLES, strict=True):
        game.proved(name, f"JOIN bard AS {power}")
    game.settle()
    game.collect_reports()
    said = " ".join(text(game.proved("cho", "GAME bard\nA Par - Brugundy")).split())
    assert "A PAR - BUR is on file" in said
    assert "I took “Brugundy” for BUR (Burgundy)." in said


# judge inspect


def inspected(folder: Path, body: str, context: Mapping[str, object] | None = None, **headers: str) -> dict[str, Any]:
    mail = EmailMessage()
    mail["From"] = "Anna <anna@players.test>"
    mail["Subject"] = "Re: game"
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(body)
    path = folder / "a.eml"
    path.write_bytes(mail.as_bytes())
    return inspect_file(path, {"a.eml": {"file": "a.eml", **context}} if context else {})


FRANCE = {
    "power": "FRANCE",
    "position": {
        "phase": "F1901M",
        "units": {"FRANCE": ["A PAR", "A MAR", "F BRE"], "GERMANY": ["A MUN"]},
        "centers": {"FRANCE": ["PAR", "MAR", "BRE"]},
    },
}


@pytest.mark.parametrize(
    ("body", "person", "lines"),
    [
        ("AS Ben: A Par - Bur", "Ben", [(1, "A PAR - BUR")]),
        ("AS Ben:\n\nA Par - Bur\nREADY", "Ben", [(3, "A PAR - BUR"), (4, "READY")]),
        ("Dear judge,\nALS Ben Smith:\nA Par - Bur", "Ben Smith", [(3, "A PAR - BUR")]),
        ("ベンとして:\nA Par - Bur", "ベン", [(2, "A PAR - BUR")]),
        ("AS France:\nA Par - Bur", "", [(1, None), (2, "A PAR - BUR")]),
        ("A Par - Bur\nAS Ben: A Mar H", "", [(1, "A PAR - BUR"), (2, None)]),
    ],
)
def test_inspect_reads_a_mail_without_the_person_it_names(
    tmp_path: Path, body: str, person: str, lines: list[tuple[int, str | None]]
) -> None:
    answer = inspected(tmp_path, body, FRANCE)
    assert answer["as"] == person
    assert [(line["line"], line["understood"]) for line in answer["lines"] if line["text"]] == lines
    assert "A PAR - BUR" in answer["orders"]


def test_inspect_tells_file_kind_from_subject_and_own_text(tmp_path: Path) -> None:
    answer = inspected(tmp_path, "A Par - Bur\n-- \nAnna")
    assert answer["file"] == str(tmp_path / "a.eml")
    assert (answer["kind"], answer["from"], answer["subject"]) == ("person", "anna@players.test", "Re: game")
    assert answer["own_text"] == "A Par - Bur"
    assert list(answer) == [
        "file",
        "kind",
        "from",
        "as",
        "subject",
        "own_text",
        "orders",
        "commands",
        "offered",
        "asked",
        "unused",
        "lines",
    ]


def test_inspect_tells_what_each_line_was_understood_as(tmp_path: Path) -> None:
    body = "Hello!\n\nA Par-Bur, F Bre H\nA Mnu H\nREADY\nset language ja\nCLEAR Par"
    assert inspected(tmp_path, body, FRANCE)["lines"] == [
        {"line": 1, "text": "Hello!", "understood": None, "fault": None},
        {"line": 3, "text": "A Par-Bur, F Bre H", "understood": "A PAR - BUR; F BRE H", "fault": None},
        {"line": 4, "text": "A Mnu H", "understood": None, "fault": "unknown-place"},
        {"line": 5, "text": "READY", "understood": "READY", "fault": None},
        {"line": 6, "text": "set language ja", "understood": "SET LANGUAGE ja", "fault": None},
        {"line": 7, "text": "CLEAR Par", "understood": "CLEAR A PAR", "fault": None},
    ]


def test_inspect_tells_commands_and_what_is_not_used_beside_the_orders(tmp_path: Path) -> None:
    body = "Hello!\nA Par - Bur\nREADY\nI vote for a draw\nWould Mar to Spa have been better?\nCLEAR Par"
    answer = inspected(tmp_path, body, FRANCE)
    assert answer["orders"] == []
    assert answer["commands"] == ["READY", "DRAW", "CLEAR A PAR"]
    assert answer["unused"] == ["Would Mar to Spa have been better?"]


ON_FILE: dict[str, list[str]] = {
    "A Par - Bur\nA Mar H\nA Par - Pic": ["A MAR H", "A PAR - PIC"],
    "A Par - Bur\nCLEAR\nA Mar H": ["A MAR H"],
    "A Par - Bur\nA Mar H\nCLEAR A Par": ["A MAR H"],
    "A Par - Lon": ["A PAR - LON"],  # void, but on file
    "A Par - Bur\nA Mun - Ber": ["A PAR - BUR"],  # the second is a foreign unit
}
ON_FILE_IN_FALL: dict[str, list[str]] = {
    "A Par - Bur\nF Par - Gas": ["A PAR - BUR"],  # the unit in Paris is an army
    "PHASE S1901M\nA Par - Bur": [],
    "Fall 1901:\nA Par - Bur": ["A PAR - BUR"],
    "A Par R Bur\nF Bre B": [],
}


@pytest.mark.parametrize("body", ON_FILE | ON_FILE_IN_FALL)
def test_inspect_tells_what_would_be_on_file_afterwards(tmp_path: Path, body: str) -> None:
    assert inspected(tmp_path, body, FRANCE)["orders"] == (ON_FILE | ON_FILE_IN_FALL)[body]


@pytest.mark.parametrize("body", ON_FILE)
def test_inspect_without_a_board_takes_the_start_for_the_power_that_fits(tmp_path: Path, body: str) -> None:
    assert inspected(tmp_path, body)["orders"] == ON_FILE[body]


def test_inspect_counts_builds_as_the_game_does(tmp_path: Path) -> None:
    owned = ["PAR", "MAR", "BRE", "SPA"]
    winter = {"phase": "W1901A", "units": {"FRANCE": ["A SPA", "F POR"]}, "centers": {"FRANCE": owned}}
    answer = inspected(tmp_path, "Build A Par, F Bre\nwaive\nF Par B", {"power": "FRANCE", "position": winter})
    assert answer["orders"][:2] == ["F BRE B", "WAIVE"]


def test_inspect_knows_the_lines_of_the_report_that_is_answered(tmp_path: Path) -> None:
    sent = ["The results of Spring 1901.", "Austria", "A BUD - SER", "Your orders", "A PAR -", "A MAR -"]
    quoted = "\n".join(["A Par - Bur", "", *sent])
    assert (
        inspected(tmp_path, quoted, {**FRANCE, "sent": sent}, In_Reply_To="<1@localhost>")["own_text"] == "A Par - Bur"
    )


def test_inspect_says_of_other_mails_what_they_are(tmp_path: Path) -> None:
    assert inspected(tmp_path, "A Par - Bur", Auto_Submitted="auto-replied")["kind"] == "automatic"
    assert inspected(tmp_path, "A Par - Bur", FRANCE, Auto_Submitted="auto-replied")["orders"] == []
    bad = tmp_path / "bad.eml"
    bad.write_bytes(b"From: a@b.test\nFrom: c@d.test\n\nA Par - Bur\n")
    assert inspect_file(bad, {})["kind"] == "unreadable"


def test_inspect_takes_many_files_and_changes_nothing(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.eml").write_text("From: a@b.test\n\nA Par - Bur\n")
    contexts = tmp_path / "contexts.jsonl"
    contexts.write_text(json.dumps({"file": "2.eml", **FRANCE}) + "\n")
    before = sorted((path.name, path.read_bytes()) for path in tmp_path.iterdir())
    files = [str(tmp_path / f"{number}.eml") for number in range(3)]
    done = judge("inspect", *files, "--context", str(contexts), cwd=tmp_path)
    answer = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["file"] for one in answer] == files
    assert [one["orders"] for one in answer] == [["A PAR - BUR"]] * 3
    assert sorted((path.name, path.read_bytes()) for path in tmp_path.iterdir()) == before


def test_inspect_tells_what_is_done_from_what_is_only_offered(tmp_path: Path) -> None:
    body = "A Par - Bur\nSET LANGUAGE ja\nmaybe we should just call it a draw"
    answer = inspected(tmp_path, body, FRANCE)
    assert (answer["orders"], answer["commands"], answer["offered"]) == (["A PAR - BUR"], ["SET LANGUAGE ja"], ["DRAW"])
    assert answer["asked"] == ["maybe we should just call it a draw"]
    assert answer["lines"][2]["understood"] is None
    assert answer["lines"][2]["fault"] == "offered"


NONSENSE: dict[str, Any] = {"power": "FRANCE", "position": {"phase": "nonsense", "units": {}}}
UTOPIA = {**FRANCE, "power": "UTOPIA"}


@pytest.mark.parametrize(
    ("wrong", "said"), [(UTOPIA, "wrong: there is no power 'UTOPIA'"), (NONSENSE, "wrong: .*nonsense")]
)
def test_a_position_that_is_impossible_is_told_and_the_other_mails_are_read(
    tmp_path: Path, wrong: Mapping[str, object], said: str
) -> None:
    for name in ("a.eml", "b.eml"):
        (tmp_path / name).write_text("From: a@b.test\n\nA Par - Bur\n")
    contexts = tmp_path / "contexts.jsonl"
    contexts.write_text(
        "".join(json.dumps({"file": name, **one}) + "\n" for name, one in (("a.eml", wrong), ("b.eml", FRANCE)))
    )
    done = judge("inspect", "a.eml", "b.eml", "--context", str(contexts), cwd=tmp_path)
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert (done.returncode, first["file"], second["orders"]) == (1, "a.eml", ["A PAR - BUR"])
    assert re.search(rf"a\.eml is {said}", first["error"])
