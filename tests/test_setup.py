"""`judge setup` with providers of every kind, by Postfix and Dovecot."""

from __future__ import annotations

import io
import re
import shutil
import stat
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from judge.cli import main
from judge.cli.asking import Talk
from judge.cli.setup import database_for
from judge.config import ImapSettings, ListenerSettings, load_config
from judge.setup import providers, round_trip, say, server
from judge.setup.wording import sentences
from judge.storage import migrate
from tests.postfix import in_a_folder
from tests.provider import AUTHSERV_ID, CHECKED, COPIES, GOOD, LOSES_PLUS, LOST, NO_PLUS, REWRITES, SPAM, StandIn
from tests.real import PASSWORD
from tests.wire import CERTIFICATE, free_port, wait_until

Setup: TypeAlias = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def servers() -> Iterator[StandIn]:
    with in_a_folder(StandIn) as stand_in:
        stand_in.start()
        yield stand_in


@pytest.fixture
def provider(servers: StandIn, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """Let `judge setup` look for its mail only after Postfix has passed on everything.

    Then the result does not depend on the speed of the machine.
    """
    send = round_trip._send

    def sent(*arguments: Any) -> None:
        send(*arguments)
        wait_until(servers.has_passed_on)

    monkeypatch.setattr(round_trip, "_send", sent)
    return servers


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("migrated") / "judge.sqlite3"
    migrate(f"sqlite:///{file}")
    return file


@pytest.fixture
def setup(tmp_path: Path, database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Setup:
    """Return a function that runs `judge setup` with answers from a pipe.

    It returns exit code, output and complaint.
    """
    shutil.copy(database, tmp_path)  # making a database takes longer than everything else
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(round_trip, "_PAUSE_SECONDS", 0.1)
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def run(*answers: str, wait: float = 30) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["judge", "setup", "--wait", str(wait)])
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        return (code, *capsys.readouterr())

    return run


def answers(servers: str, domain: str = GOOD, password: str = PASSWORD) -> tuple[str, ...]:
    return (f"judge@{domain}", servers, password, "op@players.test", "ja", "Asia/Tokyo")


@pytest.mark.parametrize("way", ["starttls", "tls"])
def test_six_answers_make_a_judge_on_a_mailbox(provider: StandIn, setup: Setup, tmp_path: Path, way: str) -> None:
    code, said, complaint = setup(*answers(getattr(provider, way)))
    assert (code, complaint) == (0, "")
    assert "· a mail to judge@good.test arrived after" in said
    assert "the secret addresses of the players work" in said
    assert "· the envelope sender is kept" in said
    assert "no check of senders by the server was seen" in said
    assert f"judge serve --config {tmp_path / 'config.toml'}" in said
    config = load_config(tmp_path / "config.toml")
    assert (config.judge.address, config.judge.language, config.judge.zone) == ("judge@good.test", "ja", "Asia/Tokyo")
    (source,) = config.sources
    assert isinstance(source, ImapSettings)
    assert (source.security.value, source.secret(), config.delivery.secret()) == (way, PASSWORD, PASSWORD)
    assert stat.S_IMODE((tmp_path / "mail-password").stat().st_mode) == 0o600
    assert PASSWORD not in (tmp_path / "config.toml").read_text("utf-8")
    with provider.mailbox(GOOD) as client:
        assert client.folder_status("INBOX", ["MESSAGES"])[b"MESSAGES"] == 0, "our own mails are taken away again"


@pytest.mark.parametrize(
    ("domain", "wait", "code", "said"),
    [
        (
            CHECKED,
            30,
            0,
            f'and says so as {AUTHSERV_ID}. With authserv_id = "{AUTHSERV_ID}" under [judge]',
        ),
        (NO_PLUS, 30, 1, "! plus addresses are refused (550"),
        (LOSES_PLUS, 0.5, 1, "! a mail to judge+setup."),
        (SPAM, 0.5, 1, "! a mail to judge@spam.test was put into Junk, where the judge does not look"),
        (COPIES, 30, 0, "· a copy of all that is sent is kept in Sent"),
        (REWRITES, 30, 0, "· the envelope sender became judge@rewrites.test"),
        (LOST, 0.5, 1, "! a mail to judge@lost.test did not arrive within 0.5 seconds"),
    ],
)
def test_what_a_provider_does_to_mail_is_seen(
    provider: StandIn, setup: Setup, domain: str, wait: float, code: int, said: str
) -> None:
    ended, told, _ = setup(*answers(provider.starttls, domain), wait=wait)
    assert said in told
    assert ended == code
    assert ("See to what is marked with !" in told) == bool(code)


class Folders:
    """A stand-in for an IMAP client: folder → the Message-IDs of its mails.

    None means that the folder cannot be opened.
    """

    def __init__(self, folders: dict[str, list[str] | None]) -> None:
        self.folders = folders
        self.opened = ""
        self.looked = 0

    def select_folder(self, name: str, *, readonly: bool) -> None:
        assert readonly
        if self.folders[name] is None:
            raise IMAPClientError(name)
        self.opened = name

    def search(self, criteria: list[str]) -> list[int]:
        self.looked += 1
        return [number for number, id_ in enumerate(self.folders[self.opened] or (), 1) if id_ == criteria[-1]]

    def fetch(self, numbers: list[int], parts: list[str]) -> dict[int, dict[bytes, bytes]]:
        assert parts == ["BODY.PEEK[HEADER]"]
        id_ = (self.folders[self.opened] or [])[numbers[0] - 1]
        headers = f"From: judge@x.test\r\nTo: judge+setup@x.test\r\nMessage-ID: {id_}\r\n\r\n"
        return {numbers[0]: {b"BODY[HEADER]": headers.encode()}}


def test_a_mail_is_noted_where_and_when_it_was_first_seen() -> None:
    trip = round_trip.Trip("judge@x.test", "judge+setup@x.test", "", ids={"<1@x.test>": "plain", "<2@x.test>": "plus"})
    folders = Folders({"INBOX": [], "Locked": None, "Junk": ["<0@x.test>", "<2@x.test>"]})
    client: Any = folders
    round_trip._look(trip, client, list(folders.folders), 3)
    assert trip.plain is None
    assert trip.plus is not None
    assert (trip.plus.folder, trip.plus.seconds, trip.plus.tells_plus) == ("Junk", 3, True)
    folders.folders["INBOX"], folders.looked = ["<1@x.test>", "<2@x.test>"], 0
    round_trip._look(trip, client, ["INBOX"], 5)
    assert trip.plain is not None
    assert (trip.plain.folder, trip.plain.seconds) == ("INBOX", 5)
    assert (trip.plus.folder, trip.plus.seconds, folders.looked) == ("Junk", 3, 1)


def test_a_server_that_does_not_tell_of_new_mail_is_looked_at(
    provider: StandIn, setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    can = IMAPClient.has_capability
    monkeypatch.setattr(IMAPClient, "has_capability", lambda client, name: name != "IDLE" and can(client, name))
    code, said, _ = setup(*answers(provider.starttls))
    assert code == 0
    assert "· the server does not tell of new mail" in said


def test_somebodys_mailbox_is_told_of_and_left_alone(provider: StandIn, setup: Setup) -> None:
    with provider.mailbox(REWRITES) as client:
        client.append("INBOX", b"Subject: years ago\r\n\r\n")
        code, said, _ = setup(*answers(provider.starttls, REWRITES))
        assert client.folder_status("INBOX", ["MESSAGES"])[b"MESSAGES"] == 1
    assert code == 0
    assert "mail lies in INBOX already (1)" in said
    assert "will be left alone" in said


def test_a_wrong_password_writes_nothing(provider: StandIn, setup: Setup, tmp_path: Path) -> None:
    code, _, complaint = setup(*answers(provider.starttls, password="wrong"))
    assert code == 1
    assert complaint.startswith(f"judge: 127.0.0.1:{provider.imap} does not let us in: the login is refused ([AUTH")
    assert [file.name for file in tmp_path.iterdir()] == ["judge.sqlite3"]


def test_a_person_is_asked_again_for_what_was_wrong_and_for_nothing_else(
    provider: StandIn, setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong password is asked for again, but not if the server is missing."""
    monkeypatch.setattr(Talk, "is_person", True)
    passwords = iter(("wrong", PASSWORD, "any"))
    monkeypatch.setattr("judge.cli.asking.getpass", lambda _: next(passwords))
    address, servers, _, *rest = answers(provider.starttls)
    code, said, _ = setup("judge", address, "nowhere", servers, *rest)
    assert code == 0
    assert said.count("! ") == 3
    code, _, complaint = setup("yes", address, f"starttls://127.0.0.1:{free_port()} {servers.split()[1]}")
    assert code == 1
    assert "nobody listens at" in complaint


@pytest.mark.parametrize(("replace", "stays"), [("no", True), ("", True), ("yes", False)])
def test_a_file_that_is_there_is_asked_about(setup: Setup, tmp_path: Path, replace: str, stays: bool) -> None:  # noqa: FBT001
    (tmp_path / "config.toml").write_text("# mine\n", "utf-8")
    _, _, complaint = setup(replace, "judge@players.test", "own", "", "en", "UTC")
    assert ((tmp_path / "config.toml").read_text("utf-8") == "# mine\n") == stays
    assert ("config.toml stays as it is" in complaint) == stays


def test_a_mail_server_on_this_machine_needs_no_password(setup: Setup, tmp_path: Path) -> None:
    setup("judge@players.test", "own", "", "", "")
    (source,) = load_config(tmp_path / "config.toml").sources
    assert isinstance(source, ListenerSettings)
    assert source.lmtp
    assert not (tmp_path / "mail-password").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("judge",), "judge is not an e-mail address"),
        (("judge@tuta.com",), "Tuta will not do. Not supported: Tuta offers neither IMAP nor SMTP"),
        (("judge@players.test", "nowhere"), "nowhere is none of them, and no pair of servers"),
        (("judge@players.test", "own", "judge@players.test"), "the judge would write to itself"),
        (("judge@players.test", "own", "", "xx"), "there is no language xx"),
        (("judge@players.test", "own", "", "en", "Moon"), "there is no time zone Moon"),
        ((), "an answer is missing: 1/6 The judge's address"),
    ],
)
def test_an_answer_that_is_none_is_told(setup: Setup, given: tuple[str, ...], said: str) -> None:
    code, _, complaint = setup(*given)
    assert code == 1
    assert complaint.startswith(f"judge: {said}")


@pytest.mark.parametrize(
    ("text", "port", "read"),
    [
        ("imap.example.org", 993, ("imap.example.org", 993, "tls", "")),
        ("imap.example.org:143", 993, ("imap.example.org", 143, "starttls", "")),
        ("smtp.example.org:587", 465, ("smtp.example.org", 587, "starttls", "")),
        ("none://localhost:2525", 465, ("localhost", 2525, "none", "")),
        ("judge@imap.example.org", 993, ("imap.example.org", 993, "tls", "judge")),
        ("tls://me@example.org@imap.example.org:1993", 993, ("imap.example.org", 1993, "tls", "me@example.org")),
        ("[::1]:1143", 993, ("::1", 1143, "tls", "")),
        ("no server", 993, None),
        ("http://example.org", 993, None),
    ],
)
def test_servers_are_read_as_people_write_them(text: str, port: int, read: tuple[str, int, str, str] | None) -> None:
    found = server(text, port)
    assert (None if found is None else (found.host, found.port, found.security.value, found.username)) == read


@pytest.mark.parametrize(
    ("file", "variable", "url"),
    [
        ("/srv/judge/config.toml", None, "sqlite:////srv/judge/judge.sqlite3"),
        ("/etc/judge/config.toml", None, "sqlite:////var/lib/judge/judge.sqlite3"),
        ("/etc/judge/config.toml", "sqlite:////elsewhere.sqlite3", "sqlite:////elsewhere.sqlite3"),
    ],
)
def test_the_database_is_put_where_it_may_grow(
    monkeypatch: pytest.MonkeyPatch, file: str, variable: str | None, url: str
) -> None:
    monkeypatch.setenv("HOME", "/var/lib/judge")
    if variable is not None:
        monkeypatch.setenv("JUDGE_DATABASE__URL", variable)
    assert database_for(Path(file)) == url


def test_the_questions_and_notes_are_there_in_both_languages() -> None:
    for name, texts in sentences().items():
        assert set(texts) == {"en", "ja"}, name
        assert all(texts.values()), name
        filled_in = [set(re.findall(r"\{(\w+)\}", texts[language])) for language in ("en", "ja")]
        assert filled_in[0] == filled_in[1], name
    for one in providers().values():
        assert one.is_supported == (one.imap is not None and one.smtp is not None), one.key
        assert all(one.notes.values()), one.key
    assert say("ja", "no_zone", text="月") == "月 という時間帯はありません"


def test_every_sentence_that_the_code_names_is_there_and_no_other() -> None:
    files = [file for room in ("cli", "setup", "trial") for file in Path("judge", room).glob("*.py")]
    code = "\n".join(file.read_text("utf-8") for file in files)
    named = re.findall(r"\b(?:saying|(?<!\.)say|tell|_good|_bad)\(\"(\w+)\"", code)
    assert {*named} <= {*sentences()}
    of_the_operator = tomllib.loads(Path("templates/operator.toml").read_text("utf-8"))
    assert [name for name in of_the_operator if f'"{name.removeprefix("one_")}"' not in code] == []
