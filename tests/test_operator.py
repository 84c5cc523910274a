"""The operator's view and commands: inbox, outbox, and mails that end the judge."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from judge.cli import main
from judge.cli.doctor import examine
from judge.commands import Create, Language
from judge.config import load_config
from judge.errors import ConflictError
from judge.games import Handled, create
from judge.mail.letters import LetterKind, Outgoing, RawMail
from judge.storage import Arrived, InboxState, LetterTags, Store, migrate
from tests.command_line import judge
from tests.database import make_file, only_sqlite, url_of
from tests.office import Office, World, address, playing, text, world
from tests.wire import free_port

__all__ = ["playing", "world"]

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
MAIL = """From: =?utf-8?b?6IqZ?= <cho@players.test>\r
Subject: orders\x1b[31m\r
Message-ID: <1@players.test>\r
\r
A Par - Bur\x07\r
パリ陸軍を維持\r
"""


@dataclass
class Desk:
    """A database and the command line on it."""

    config: Path
    store: Store
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def __call__(self, *arguments: object, config_first: bool = False) -> tuple[int, str, str]:
        """Run a command; return exit code, output and complaint."""
        words = list(map(str, arguments))
        place = 1 if config_first else len(words)
        words[place:place] = ["--config", str(self.config)]
        self.monkeypatch.setattr(sys, "argv", ["judge", *words])
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        said, complaint = self.capsys.readouterr()
        return code, said, complaint

    def no(self, *arguments: object) -> str:
        """Run a command that must refuse; return its complaint of one line."""
        code, said, complaint = self(*arguments)
        assert (code, said, complaint.count("\n")) == (1, "", 1)
        assert complaint.startswith("judge: ")
        return complaint

    def keep(self, state: InboxState = InboxState.WAITING, content: str = MAIL) -> int:
        raw = RawMail(content.encode(), "listener", NOW, "cho@players.test", ("judge@localhost",))
        with self.store.work() as work:
            id_ = work.inbox.keep(Arrived(raw, sha256(f"{content}{state}".encode()).hexdigest(), "<1@players.test>"))
            assert id_ is not None
            if state is InboxState.SET_ASIDE:
                work.inbox.set_aside(id_, "RuntimeError('bitten')")
            if state is InboxState.DONE:
                work.inbox.done(id_, kind="person")
            work.commit()
        return id_

    def queue(
        self, act: Callable[[Store, int], None] | None = None, number: int = 1, to: str = "cho@players.test"
    ) -> int:
        letter = Outgoing(
            kind=LetterKind.REPORT,
            recipient=to,
            message_id=f"<{number}@localhost>",
            date=NOW,
            sender="judge@localhost",
            reply_to=None,
            subject="[ardennes] 1901年春",
            text="A PAR - BUR\n",
        )
        with self.store.work() as work:
            work.outbox.queue(letter, LetterTags(str(number)), NOW)
            id_ = work.outbox.latest(1)[0]["id"]
            work.commit()
        if act is not None:
            act(self.store, id_)
        return int(id_)

    def is_due(self, id_: int) -> bool:
        with self.store.work() as work:
            return id_ in [one.id for one in work.outbox.lease(datetime(2100, 1, 1, tzinfo=UTC), 100, HOUR)]


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    url = url_of(tmp_path)
    config = tmp_path / "config.toml"
    config.write_text(f'database = {{ url = "{url}" }}\n', "utf-8")
    migrate(url)
    return Desk(config, Store.open(url), capsys, monkeypatch)


def failed(store: Store, id_: int) -> None:
    with store.work() as work:
        work.outbox.failed(id_, "550 no such user")
        work.commit()


def sent(store: Store, id_: int) -> None:
    with store.work() as work:
        work.outbox.sent([id_])
        work.commit()


def suspended(store: Store, id_: int) -> None:
    with store.work() as work:
        for days in range(3):
            work.outbox.count_bounce("cho@players.test", NOW.date() + timedelta(days=days))
        assert work.outbox.lease(NOW, 10, HOUR) == ()
        letter = work.outbox.get(id_)
        assert letter is not None
        assert letter.state.value == "held"
        work.commit()


# The inbox


@pytest.mark.parametrize("words", [("inbox",), ("inbox", "list")])
def test_the_inbox_is_listed_newest_first(desk: Desk, words: tuple[str, ...]) -> None:
    for state in (InboxState.DONE, InboxState.SET_ASIDE, InboxState.WAITING):
        desk.keep(state)
    code, said, _ = desk(*words)
    lines = said.splitlines()
    assert code == 0
    assert [line.split()[0] for line in lines[1:]] == ["N", "3", "2", "1"]
    assert [line.split()[3] for line in lines[2:]] == ["waiting", "set-aside", "done"]
    assert "RuntimeError('bitten')" in lines[3]
    assert "Par" not in said
    [alone] = json.loads(desk(*words, "--state", "set-aside", "--json")[1])["mails"]
    assert (alone["id"], alone["state"], alone["reason"]) == (2, "set-aside", "RuntimeError('bitten')")
    assert len(desk(*words, "--limit", "1")[1].splitlines()) == 3


def test_a_mail_is_shown_without_its_contents(desk: Desk) -> None:
    id_ = desk.keep(InboxState.SET_ASIDE)
    code, said, _ = desk("inbox", "show", id_, config_first=True)
    assert code == 0
    assert f"mail {id_}: set-aside" in said
    assert "From: 芙 <cho@players.test>" in said
    assert "RuntimeError('bitten')" in said
    assert "Bur" not in said
    assert "パリ" not in said
    assert "\x1b" not in said


def test_its_contents_are_shown_if_asked_for(desk: Desk) -> None:
    id_ = desk.keep()
    said = desk("inbox", "show", id_, "--content")[1]
    assert "A Par - Bur" in said
    assert "パリ陸軍を維持" in said
    assert not {"\x1b", "\x07"} & set(said)


def test_a_mail_can_be_had_byte_for_byte(desk: Desk) -> None:
    id_ = desk.keep()
    assert desk("inbox", "show", id_, "--raw")[1] == MAIL


def test_a_mail_set_aside_is_worked_again(desk: Desk) -> None:
    id_ = desk.keep(InboxState.SET_ASIDE)
    assert desk("inbox", "replay", id_) == (0, f"mail {id_} waits to be worked again\n", "")
    with desk.store.work() as work:
        waiting = work.inbox.next(NOW)
    assert waiting is not None
    assert (waiting.id, waiting.attempts) == (id_, 0)


def test_a_mail_that_is_dropped_is_not_worked(desk: Desk) -> None:
    for state in (InboxState.WAITING, InboxState.SET_ASIDE):
        id_ = desk.keep(state)
        assert desk("inbox", "drop", id_)[0] == 0
        assert f"mail {id_} is dropped already" in desk.no("inbox", "drop", id_)
    with desk.store.work() as work:
        assert work.inbox.next(NOW) is None


def test_a_suspect_is_shown_and_can_be_set_aside(desk: Desk) -> None:
    id_ = desk.keep()
    with desk.store.work() as work:
        work.inbox.begin(id_)
        work.inbox.suspect(id_, NOW)
        work.commit()
        assert work.census().waiting_since == NOW
    assert "suspect 1" in desk("inbox", "--state", "suspect")[1]
    shown = desk("inbox", "show", id_)[1]
    assert "1, 0 failed by the mail itself, 1 did not come to an end" in shown
    assert "2026-11-24 12:00:00 UTC, alone" in shown
    assert desk("inbox", "quarantine", id_)[0] == 0
    assert desk("inbox", "replay", id_)[0] == 0
    assert desk("inbox", "show", id_)[1].startswith(f"mail {id_}: waiting")
    assert "come to an end" not in desk("inbox", "show", id_)[1]


@pytest.mark.parametrize("box", ["inbox", "outbox"])
@pytest.mark.parametrize("number", [7, 0, 2**80])
def test_a_number_that_does_not_exist(desk: Desk, box: str, number: int) -> None:
    for act in ("show", "drop", *(("replay", "quarantine") if box == "inbox" else ("retry",))):
        assert f"there is no mail {number} in the {box}" in desk.no(box, act, number)


def test_a_mail_that_waits_is_set_aside_and_worked_when_replayed(desk: Desk) -> None:
    id_ = desk.keep()
    assert desk("inbox", "quarantine", id_)[:2] == (0, f"mail {id_} is set aside\n")
    assert "does not wait" in desk.no("inbox", "quarantine", id_)
    with desk.store.work() as work:
        assert work.inbox.next(NOW) is None
    assert desk("inbox", "drop", id_)[0] == 0
    assert desk("inbox", "replay", id_)[0] == 0
    with desk.store.work() as work:
        assert work.inbox.next(NOW) is not None


def test_only_a_mail_set_aside_is_replayed(desk: Desk) -> None:
    for state in (InboxState.DONE, InboxState.WAITING):
        id_ = desk.keep(state)
        assert f"mail {id_} is {state.value}; only" in desk.no("inbox", "replay", id_)
    assert "is done already" in desk.no("inbox", "drop", 1)


@pytest.mark.parametrize(
    "words", [("inbox", "--state", "gone"), ("inbox", "show", "x"), ("outbox", "show"), ("letters",)]
)
def test_what_is_no_command_is_told_in_one_line(desk: Desk, words: tuple[str, ...]) -> None:
    code, said, complaint = desk(*words)
    assert (code, said, complaint.count("\n")) == (2, "", 1)
    assert complaint.startswith("judge: ")


# The outbox


def test_the_outbox_is_listed_newest_first(desk: Desk) -> None:
    for number, act in enumerate((sent, failed, None)):
        desk.queue(act, number)
    lines = desk("outbox")[1].splitlines()
    assert [line.split()[3] for line in lines[2:]] == ["queued", "failed", "sent"]
    [alone] = json.loads(desk("outbox", "--state", "failed", "--json")[1])["mails"]
    assert (alone["id"], alone["recipient"]) == (2, "cho@players.test")
    assert desk("outbox", "list")[1].splitlines() == lines


def test_a_letter_is_shown_without_its_contents_unless_asked(desk: Desk) -> None:
    id_ = desk.queue(failed)
    said = desk("outbox", "show", id_)[1]
    assert f"mail {id_}: failed" in said
    assert "Subject: [ardennes] 1901年春" in said
    assert "550 no such user" in said
    assert "BUR" not in said
    assert "A PAR - BUR" in desk("outbox", "show", id_, "--content")[1]


def test_a_letter_that_failed_is_tried_again(desk: Desk) -> None:
    id_ = desk.queue(failed)
    assert not desk.is_due(id_)
    assert desk("outbox", "retry", id_)[:2] == (0, f"mail {id_} is queued again\n")
    assert desk.is_due(id_)


def test_a_letter_that_is_held_is_tried_again_and_frees_its_address(desk: Desk) -> None:
    id_ = desk.queue(suspended)
    assert "cho@players.test, suspended" in desk("outbox", "show", id_)[1]
    assert "cho@players.test is no longer suspended" in desk("outbox", "retry", id_)[1]
    assert desk.is_due(id_)


def test_all_that_failed_is_tried_again_at_a_word(desk: Desk) -> None:
    here, there = "cho@players.test", "dan@Elsewhere.test"
    mine = [desk.queue(failed, number, to) for number, to in enumerate((here, there, here))]
    other = desk.queue(sent, 9)
    assert desk("outbox", "retry", "--state", "failed", "--domain", "elsewhere.test", "--all")[:2] == (
        0,
        "1 mail is queued again\n",
    )
    assert [desk.is_due(id_) for id_ in mine] == [False, True, False]
    assert desk("outbox", "retry", "--all", "--state", "failed")[1] == "2 mails are queued again\n"
    assert [desk.is_due(id_) for id_ in (*mine, other)] == [True, True, True, False]


def test_all_that_is_held_is_tried_again_at_a_word(desk: Desk) -> None:
    held = desk.queue(suspended)
    assert desk("outbox", "retry", "--all", "--state", "held")[1] == "1 mail is queued again\n"
    assert desk.is_due(held)


def test_of_a_letter_that_left_with_others_all_is_tried_again(desk: Desk) -> None:
    first, second = desk.queue(number=1), desk.queue(number=2)
    with desk.store.work() as work:
        letter = work.outbox.get(first)
        assert letter is not None
        work.outbox.gather([first, second], letter.letter, NOW)
        work.outbox.failed(first, "550 no such user")
        work.commit()
    assert desk("outbox", "retry", second)[1] == f"mail {first}, with what was mail {second} in it, is queued again\n"
    assert (desk.is_due(first), desk.is_due(second)) == (True, False)


def test_a_letter_that_was_sent_is_neither_sent_again_nor_dropped(desk: Desk) -> None:
    id_ = desk.queue(sent)
    for act in ("retry", "drop"):
        assert f"mail {id_} is sent" in desk.no("outbox", act, id_)


def test_a_letter_that_is_dropped_does_not_leave(desk: Desk) -> None:
    id_ = desk.queue()
    assert desk("outbox", "drop", id_)[0] == 0
    assert not desk.is_due(id_)


# Mails that cannot be worked


def fail(world: World, monkeypatch: pytest.MonkeyPatch) -> int:
    """Work the waiting mail and let it fail; return the number of the last mail."""
    with monkeypatch.context() as patched:
        patched.setattr("judge.service.talk.conversation.answer", lambda _: 1 / 0)
        world.settle()
    with world.parts.store.work() as work:
        return int(work.inbox.latest(1)[0]["id"])


def poison(world: World) -> None:
    mail = b"From: cho@players.test\nMessage-ID: <1>\nSubject: poison\n\nA Par H\n"
    to = str(world.reports["cho"]["Reply-To"])
    world.parts.intake.keep(RawMail(mail, "test", world.now, address("cho"), (to,)))


def test_a_mail_that_fails_three_times_is_not_worked_again(playing: World, monkeypatch: pytest.MonkeyPatch) -> None:
    playing.box.letters.clear()
    poison(playing)
    id_ = fail(playing, monkeypatch)
    playing.settle()
    assert playing.orders("FRANCE") == []
    letters = dict(playing.box.letters)
    assert set(letters) == {"op@localhost", address("cho")}
    assert f"judge inbox show {id_}" in text(letters["op@localhost"])
    assert "poison" in text(letters[address("cho")])
    assert "poison" not in text(letters["op@localhost"])
    playing.box.letters.clear()
    playing.reply("cho", "A Mar H")
    assert playing.orders("FRANCE") == ["A MAR H"]


def test_a_mail_replayed_is_worked_and_answered(playing: World, monkeypatch: pytest.MonkeyPatch) -> None:
    poison(playing)
    id_ = fail(playing, monkeypatch)
    playing.box.letters.clear()
    with playing.parts.store.work() as work:
        assert work.inbox.replay(id_)
        work.commit()
    playing.settle()
    assert playing.orders("FRANCE") == ["A PAR H"]
    (receipt,) = playing.box.take("cho")
    assert "A PAR H is on file" in text(receipt)


def test_a_mail_set_aside_again_is_told_again(playing: World, monkeypatch: pytest.MonkeyPatch) -> None:
    poison(playing)
    for _ in range(2):
        playing.box.letters.clear()
        playing.now += timedelta(minutes=1)
        id_ = fail(playing, monkeypatch)
        assert {to for to, _ in playing.box.letters} == {"op@localhost", address("cho")}
        with playing.parts.store.work() as work:
            assert work.inbox.replay(id_)
            work.commit()


def test_a_mail_is_not_blamed_for_games_that_others_changed(playing: World, monkeypatch: pytest.MonkeyPatch) -> None:
    real = playing.parts.intake._work
    conflicts = [ConflictError("changed")] * 15

    def work(*args: object) -> None:
        if conflicts:
            raise conflicts.pop()
        real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(playing.parts.intake, "_work", work)
    playing.reply("cho", "A Par H")
    assert playing.orders("FRANCE") == ["A PAR H"]


def test_a_mail_that_always_conflicts_does_not_stop_the_next(playing: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def work(*_: object) -> None:
        raise ConflictError("changed")

    with monkeypatch.context() as patched:
        patched.setattr(playing.parts.intake, "_work", work)
        playing.mail("cho", "A Par H", to=str(playing.reports["cho"]["Reply-To"]))
    with playing.parts.store.work() as work_:
        assert work_.inbox.counts()["set-aside"] == 1


# Backups


def test_a_backup_brings_back_what_was_there(desk: Desk, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    kept = desk.keep()
    assert desk("backup", copy)[0] == 0
    desk.keep(InboxState.DONE)
    assert desk("restore", copy)[0] == 0
    assert [line.split()[0] for line in desk("inbox")[1].splitlines()[2:]] == [str(kept)]
    assert "never written over" in desk("backup", copy)[2]
    copy.unlink()
    assert desk("backup", copy)[0] == 0
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("copy")] == ["copy"]


@pytest.mark.parametrize("words", [("backup", "no/where"), ("backup", "folder"), ("restore", "diary")])
def test_a_backup_that_fails_is_told_in_one_line(desk: Desk, tmp_path: Path, words: tuple[str, str]) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "diary").write_text("Dear diary", "utf-8")
    kept = desk.keep()
    code, said, complaint = desk(words[0], tmp_path / words[1])
    assert (code, said, complaint.count("\n")) == (2, "", 1)
    assert desk("inbox", "show", kept)[0] == 0
    assert not list(tmp_path.glob("*.part"))


# Every mistake is told in one line


@dataclass
class Misuse:
    """A command that cannot work, in a folder with a database or without one."""

    words: tuple[str, ...]
    said: str
    migrated: bool = True

    def __str__(self) -> str:
        return " ".join(self.words) + ("" if self.migrated else ", before migrate")


MISUSES = [
    Misuse((), "a command is needed"),
    Misuse(("nosuch",), "No such command 'nosuch'"),
    Misuse(("--nosuch",), "No such option: --nosuch"),
    Misuse(("serve", "--only", "nosuch"), "'nosuch' is not one of"),
    Misuse(("serve", "extra"), "unexpected extra argument"),
    Misuse(("show",), "Missing argument"),
    Misuse(("inbox", "show", "x"), "Invalid value for 'N'"),
    Misuse(("inbox", "--limit", "0"), "Invalid value for '--limit'"),
    Misuse(("inbox", "--state", "lost"), "'lost' is not one of"),
    Misuse(("outbox", "retry"), "say which: a number, or --all with a --state"),
    Misuse(("outbox", "retry", "1", "--all", "--state", "failed"), "say which"),
    Misuse(("outbox", "retry", "--all", "--state", "sent"), "say which"),
    Misuse(("outbox", "retry", "--state", "failed"), "say which"),
    Misuse(("games", "--config", "folder"), "folder cannot be read: Is a directory"),
    Misuse(("games", "--config", "nosuch"), "nosuch cannot be read: No such file"),
    Misuse(("games", "--config", "diary"), "diary: "),
    Misuse(("serve",), "there is no database .*; run `judge migrate`", migrated=False),
    Misuse(("games",), "there is no database .*; run `judge migrate`", migrated=False),
    Misuse(("inbox",), "there is no database .*; run `judge migrate`", migrated=False),
    Misuse(("backup", "copy"), "there is no database .*; run `judge migrate`", migrated=False),
    Misuse(("backup",), "Missing argument"),
    Misuse(("backup", "no/where"), "no/where cannot be written"),
    Misuse(("backup", "folder"), "folder is there already; a backup is never written over"),
    Misuse(("backup", "judge.sqlite3"), "judge.sqlite3 is the database itself"),
    Misuse(("restore", "nosuch"), "nosuch does not exist"),
    Misuse(("restore", "folder"), "folder is no file"),
    Misuse(("restore", "empty"), "empty is no backup of a judge"),
    Misuse(("restore", "diary"), "diary is no backup of a judge"),
    Misuse(("restore", "foreign"), "foreign is no backup of a judge"),
    Misuse(("restore", "newer"), "newer was made by a newer version"),
    Misuse(("restore", "torn"), "torn (is damaged|is no backup)"),
    Misuse(("restore", "judge.sqlite3"), "judge.sqlite3 is the database itself"),
    Misuse(("adjudicate", "nosuch"), "nosuch cannot be read: No such file"),
    Misuse(("adjudicate", "folder"), "folder cannot be read: Is a directory"),
    Misuse(("inspect",), "Missing argument"),
    Misuse(("inspect", "nosuch"), "nosuch cannot be read: No such file"),
    Misuse(("inspect", "diary", "--context", "nosuch"), "nosuch cannot be read: No such file"),
    Misuse(("inspect", "diary", "--context", "diary"), "diary holds a line that is no context"),
    Misuse(("inspect", "diary", "--context", "numbers"), "numbers holds a line that is no context"),
    Misuse(("inspect", "diary", "--context", "nameless"), "nameless holds a line that is no context: 'file'"),
    Misuse(("inspect", "diary", "--context", "shapeless"), "the position of diary must be an object"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with all kinds of wrong files."""
    (tmp_path / "config.toml").write_text('database = { url = "sqlite:///judge.sqlite3" }\n', "utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").touch()
    files = {"diary": "Dear diary", "numbers": "5\n", "nameless": "{}\n"}
    for name, content in (files | {"shapeless": '{"file": "diary", "position": 5}\n'}).items():
        (tmp_path / name).write_text(content, "utf-8")
    with closing(sqlite3.connect(tmp_path / "foreign")) as foreign:
        foreign.execute("CREATE TABLE alembic_version (version_num)")
    make_file(tmp_path / "newer")
    with closing(sqlite3.connect(tmp_path / "newer")) as newer:
        newer.execute("PRAGMA journal_mode=DELETE")
        (tmp_path / "torn").write_bytes((tmp_path / "newer").read_bytes()[:-20000])
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
        newer.commit()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@only_sqlite
@pytest.mark.parametrize("misuse", MISUSES, ids=str)
def test_what_cannot_work_is_told_in_one_line(
    folder: Path, misuse: Misuse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if misuse.migrated:
        make_file(folder / "judge.sqlite3")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    monkeypatch.setattr(sys, "argv", ["judge", *misuse.words])
    with pytest.raises(SystemExit) as ended:
        main()
    complaint = capsys.readouterr().err
    assert (ended.value.code, complaint.count("\n")) == (2, 1), complaint
    assert re.match(f"judge: .*{misuse.said}", complaint)
    after = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert {name: after[name] for name in before} == before
    assert not [name for name in after if name.endswith(".part")]


def test_a_byte_order_mark_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = '{"phase": "S1901M", "units": {"ENGLAND": ["F LON"]}, "note": "keys we do not know are passed over"}\n'
    (tmp_path / "lines").write_text(line, "utf-8-sig")
    monkeypatch.setattr(sys, "argv", ["judge", "adjudicate", str(tmp_path / "lines")])
    main()
    assert json.loads(capsys.readouterr().out)["results"] == {"F LON": []}


# The doctor


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({}, ""),
        ({"database": "nowhere.sqlite3"}, "database: there is no database .*run `judge migrate`"),
        (
            {"delivery": '{ kind = "smtp", host = "127.0.0.1", port = PORT }'},
            "delivery: nobody listens at 127",
        ),
        (
            {"delivery": '{ folder = "outgoing", host = "mx.example.org" }'},
            "settings: delivery has host, but",
        ),
        ({"delivery": '{ folder = "/proc/outgoing" }'}, "delivery: .*/proc/outgoing"),
        ({"sources": '[{ kind = "maildir", folder = "/proc/incoming" }]'}, "source maildir: .*/proc/incoming"),
        ({"sources": '[{ kind = "listener", host = "192.0.2.1", port = 0 }]'}, "source listener: .*192.0.2.1"),
        (
            {"sources": '[{ kind = "imap", host = "127.0.0.1", port = PORT, security = "none" }]'},
            "source imap: nobody listens at 127",
        ),
    ],
)
def test_the_doctor_looks_at_everything(folder: Path, wrong: dict[str, str], said: str) -> None:
    make_file(folder / "judge.sqlite3")
    config = {
        "database": "judge.sqlite3",
        "delivery": '{ folder = "outgoing" }',
        "sources": '[{ kind = "listener", port = 0 }]',
    } | wrong
    config["database"] = f'{{ url = "sqlite:///{config["database"]}" }}'
    text = "".join(f"{name} = {value}\n" for name, value in config.items())
    (folder / "config.toml").write_text(text.replace("PORT", str(free_port())), "utf-8")
    findings = list(examine(load_config()))
    abouts = [finding.about.sentence for finding in findings if finding.about.sentence not in ("disk", "budgets")]
    assert abouts[:4] == ["settings", "database", "source", "delivery"]
    bad = [finding.told("en") for finding in findings if not finding.is_good]
    assert len(bad) == len(wrong)
    assert all(re.match(said, complaint) for complaint in bad), bad
    assert not (folder / "outgoing").exists()  # looking creates nothing


# A master who has vanished


def test_the_operator_gives_a_game_to_somebody_else(desk: Desk) -> None:
    with desk.store.work() as work:
        gil, ada = (work.people.add(address(name), name.title(), Language.ENGLISH, "") for name in ("gil", "ada"))
        made = create(Create("ardennes"), gil.id)
        assert isinstance(made, Handled)
        work.games.add(made.game)
        work.commit()
    assert "no game" in desk.no("hand-over", "verdun", address("ada"))
    assert "nobody is registered" in desk.no("hand-over", "ardennes", "nobody@players.test")
    assert desk("hand-over", "Ardennes", address("ada").upper()) == (
        0,
        f"{address('ada')} is the master of ardennes now\n",
        "",
    )
    with desk.store.work() as work:
        game = work.games.get("ardennes")
        assert game is not None
        assert game.master == ada.id
        assert len(work.records.entries(game)) == 1
        assert work.outbox.counts() == {"queued": 1}


# Games


def test_a_game_that_has_not_started_shows_who_has_joined(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.keep("gil", "CREATE ardennes")
    office.keep("cho", "JOIN ardennes AS France")
    office.keep("dan", "JOIN ardennes")
    office.settle()
    config = tmp_path / "config.toml"
    config.write_text(f'database = {{ url = "{office.url}" }}\n', "utf-8")
    listed = json.loads(judge("games", "--json", "--config", str(config)).stdout)
    assert [game["players"] for game in listed] == [2]
    shown = json.loads(judge("show", "ardennes", "--json", "--config", str(config)).stdout)
    assert shown["joined"] == [
        {"address": "cho@players.test", "wishes": "FRANCE", "seats": 1},
        {"address": "dan@players.test", "wishes": None, "seats": 1},
    ]
    assert "cho@players.test  FRANCE" in judge("show", "ardennes", "--config", str(config)).stdout
