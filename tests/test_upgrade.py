"""A judge of the first release goes on as the judge of today.

Its games are in every state. The database is SQLite or PostgreSQL.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.games import Game, GameState
from judge.mail.letters import RawMail
from judge.rules.notation import write_order
from judge.rules.position import Power
from judge.storage import migrate, put_back, revision_of
from judge.storage.migrate import head_revision
from tests.command_line import judge
from tests.database import IS_POSTGRESQL, change, copy, make_old_file, only_sqlite, rows, url_of
from tests.office import Office

LATER = datetime(2026, 11, 25, 13, 10, tzinfo=UTC)


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a database of the first release, migrated.

    It is migrated in place, or moved to PostgreSQL.
    """
    folder = tmp_path_factory.mktemp("old")
    url = url_of(folder, empty=True)
    if IS_POSTGRESQL:
        put_back(url, make_old_file(folder / "old.sqlite3"))
    else:
        make_old_file(folder / "judge.sqlite3")
        migrate(url)
    return folder


@only_sqlite
def test_an_upgrade_backs_up_migrates_and_verifies(tmp_path: Path) -> None:
    url, config = f"sqlite:///{make_old_file(tmp_path / 'judge.sqlite3')}", tmp_path / "config.toml"
    config.write_text(f'database = {{ url = "{url}" }}\n', "utf-8")
    counts = [rows(url, f"SELECT count(*) FROM {table}")[0][0] for table in ("game", "inbox", "outbox")]
    done = judge("upgrade", str(tmp_path), "--config", str(config))
    copied, migrated, verified = done.stdout.splitlines()
    backup = Path(copied.removeprefix("copied to "))
    assert (done.returncode, done.stderr, backup.parent) == (0, "", tmp_path)
    assert migrated == f"{url} is migrated from revision 0003 to {head_revision()}"
    assert verified == "verified: {} games, {} mails, {} letters".format(*counts)
    assert revision_of(url) == head_revision()
    assert revision_of(f"sqlite:///{backup}") == "0003"


@only_sqlite
@pytest.mark.parametrize(
    ("harm", "said"),
    [
        ("UPDATE game SET settings = '{' WHERE name = 'bruges'", "JSONDecodeError: "),
        ("DROP TABLE seat", "the game arras cannot be read: "),
        (
            "CREATE TRIGGER harm AFTER UPDATE ON alembic_version BEGIN DELETE FROM outbox; END",
            "there were 7 games, 32 mails, 9 letters, there are 7 games, 32 mails, 0 letters",
        ),
    ],
    ids=["a step", "a game", "letters"],
)
def test_an_upgrade_that_fails_names_the_backup(tmp_path: Path, harm: str, said: str) -> None:
    url, config = f"sqlite:///{make_old_file(tmp_path / 'judge.sqlite3')}", tmp_path / "config.toml"
    config.write_text(f'database = {{ url = "{url}" }}\n', "utf-8")
    change(url, harm)
    done = judge("upgrade", str(tmp_path), "--config", str(config))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("judge: ")
    assert said in done.stderr
    (backup,) = tmp_path.glob("judge-*.sqlite3")
    assert done.stderr.endswith(f"; to go back, install the version before and run `judge restore {backup}`\n")
    assert judge("restore", str(backup), "--config", str(config)).returncode == 0
    assert revision_of(url) == "0003"


@pytest.fixture
def office(migrated: Path, tmp_path: Path) -> Office:
    copy(migrated, tmp_path)
    return Office(tmp_path, now=LATER, number=1000)


def game(office: Office, name: str) -> Game:
    with office.parts.store.work() as work:
        found = work.games.get(name)
    assert found is not None
    return found


def reply_to(office: Office, who: str, kind: str, name: str) -> str:
    """Return the reply address of a letter that a person got from the old judge."""
    (letter,) = [one for one in office.letters(f"{who}@players.test") if one.kind == kind and name in one.subject]
    assert letter.reply_to
    return letter.reply_to


def orders(office: Office, name: str, power: str) -> list[str]:
    return [write_order(filed.order) for filed in game(office, name).seat(Power(power)).filed.orders]


@pytest.mark.parametrize(
    ("name", "who", "answers", "lines", "state"),
    [
        ("arras", "ben", None, ("OBSERVE arras", "JOIN arras AS Turkey"), "active S1914M"),
        ("bruges", "gil", None, ("GAME bruges", "PROCESS S1914M"), "active F1914M"),
        ("dover", "ben", "report", ("DRAW",), "finished S1914M"),
        ("florence", "gil", "report", ("F LON - NTH",), "finished F1914M"),
        ("ghent", "gil", None, ("GAME ghent", "RESUME"), "active S1914M"),
        ("haarlem", "hal", "confirm", ("YES",), "forming S1901M"),
    ],
    ids=["forming", "running", "voting", "finished", "paused", "to be confirmed"],
)
def test_a_game_goes_on_in_whatever_state_it_was(
    office: Office, name: str, who: str, answers: str | None, lines: tuple[str, ...], state: str
) -> None:
    about = "CREATE" if answers == "confirm" else name
    to = {"to": reply_to(office, who, answers, about), "proved": False} if answers else {}
    office.keep(who, *lines, **to)  # type: ignore[arg-type]
    office.settle()
    if lines == ("DRAW",):  # a player's first one in a game is confirmed
        office.keep(who, "YES", to=reply_to(office, who, "confirm", "DRAW"), proved=False)
        office.settle()
    found = game(office, name)
    assert f"{found.state} {found.position.phase}" == state
    office.stop()


def test_orders_and_plans_stay_and_what_waited_is_worked(office: Office) -> None:
    office.keep("ada", "F EDI - NWG", to=reply_to(office, "ada", "report", "bruges"), proved=False)
    office.settle()
    assert orders(office, "bruges", "AUSTRIA") == ["A VIE - GAL"]
    assert orders(office, "bruges", "ENGLAND") == ["F LON - NTH", "F EDI - NWG"]
    office.keep("gil", "GAME bruges", "PROCESS S1914M")
    office.settle()
    assert orders(office, "bruges", "ENGLAND") == ["F NTH - NWY"]
    office.stop()


def test_press_is_answered_as_a_reply(office: Office) -> None:
    (before,) = [letter for letter in office.letters("ben@players.test") if letter.kind == "press"]
    assert before.reply_to
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = "ben@players.test", before.reply_to, "<new@players.test>"
    mail["In-Reply-To"] = before.message_id
    mail.set_content("PRESS: and the canals are yours.\n")
    raw = RawMail(mail.as_bytes(), "test", office.now, "ben@players.test", (before.reply_to,))
    office.parts.intake.keep(raw)
    office.settle()
    (press,) = [letter for letter in office.letters("ada@players.test") if letter.kind == "press"]
    assert "the canals are yours" in press.text
    office.stop()


def test_grace_goes_on_to_its_end_and_takes_orders(office: Office) -> None:
    end = game(office, "calais").clock.deadline
    assert end is not None
    office.keep("ben", "A VIE - GAL", to=reply_to(office, "ben", "report", "calais"), proved=False)
    while office.now < end:
        office.settle()
        assert str(game(office, "calais").position.phase) == "S1914M"
        office.now += timedelta(hours=1)
    office.settle()
    found = game(office, "calais")
    assert str(found.position.phase) == "F1914M"
    assert {"F NTH", "A GAL"} <= set(map(str, found.position.units))
    office.stop()


def test_a_second_yes_is_still_waited_for(office: Office) -> None:
    assert game(office, "ghent").seat(Power("ENGLAND")).holder is not None
    office.keep("ada", "YES", to=reply_to(office, "ada", "confirm", "RESIGN"), proved=False)
    office.settle()
    assert game(office, "ghent").seat(Power("ENGLAND")).holder is None
    office.stop()


def test_what_is_over_can_be_read(office: Office) -> None:
    assert game(office, "florence").state is GameState.FINISHED
    office.keep("ada", "GAME florence", "HISTORY")
    office.settle()
    answer = office.letters("ada@players.test")[-1]
    assert "LON - NTH" in answer.text.upper()
    office.stop()
