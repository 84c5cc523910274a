"""A judge with access tokens: Dovecot and Postfix check them with the provider."""

from __future__ import annotations

import smtplib
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from functools import partial
from pathlib import Path
from urllib.request import urlopen

import pytest

from judge.cli import main
from judge.cli.asking import Talk
from judge.config import load_config
from judge.errors import Against, DeliveryError, TokenError, TokenFault
from judge.mail.oauth import CommandTokens, read_grant, store_grant
from judge.mail.sending import Security, SmtpSender
from judge.mail.sources import ImapAccount, ImapSource
from judge.setup import Server, providers, round_trip
from judge.storage import migrate
from tests.office import joining
from tests.postfix import in_a_folder
from tests.provider import GOOD, StandIn
from tests.token_server import BAD_CLIENT, CLIENT_ID, CLIENT_SECRET, DECLINED, Answer, Provider, provider
from tests.wire import CERTIFICATE, HERE, wait_until

JUDGE = f"judge@{GOOD}"
STAMP = "mx.good.test"
MECHANISMS = ("xoauth2", "oauthbearer")


@pytest.fixture(scope="module")
def known() -> Iterator[Provider]:
    with provider() as known:
        yield known


@pytest.fixture(scope="module", params=MECHANISMS)
def servers(request: pytest.FixtureRequest, known: Provider) -> Iterator[StandIn]:
    made = partial(StandIn, introspection=known.url("introspect"), mechanisms=request.param)
    with in_a_folder(made) as stand_in:
        stand_in.start()
        yield stand_in


@pytest.fixture(autouse=True)
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))


def source(servers: StandIn, tokens: CommandTokens) -> ImapSource:
    account = ImapAccount(HERE, servers.imap, JUDGE, "", security=Security.STARTTLS, timeout_seconds=60, tokens=tokens)
    return ImapSource("imap", account, lambda *_: None)


def sender(servers: StandIn, tokens: CommandTokens) -> SmtpSender:
    return SmtpSender(
        HERE, servers.submission, security=Security.STARTTLS, username=JUDGE, tokens=tokens, timeout_seconds=60
    )


def test_a_good_token_lets_in(servers: StandIn, known: Provider) -> None:
    known.tokens["good"] = JUDGE
    assert source(servers, CommandTokens("echo good")).check().startswith(f"{JUDGE} at")
    with closing(sender(servers, CommandTokens("echo good"))) as way_out:
        assert way_out.check().endswith(f", as {JUDGE}")


@pytest.mark.parametrize("owner", [None, f"other@{GOOD}"])
def test_another_token_does_not(servers: StandIn, known: Provider, owner: str | None) -> None:
    """One token has expired, and one is another person's."""
    known.tokens.pop("bad", None)
    if owner is not None:
        known.tokens["bad"] = owner
    with pytest.raises(TokenError, match="refuses our access token") as refused:
        source(servers, CommandTokens("echo bad")).check()
    assert refused.value.fault is TokenFault.REFUSED
    with closing(sender(servers, CommandTokens("echo bad"))) as way_out, pytest.raises(DeliveryError) as failed:
        way_out.check()
    assert failed.value.against is Against.US


# `judge setup`, and a game


class Browser:
    """The owner of the mailbox, who follows the instructions of `judge setup`."""

    def __init__(self, known: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
        self.known = known
        self.asked: list[str] = []
        self.tell = Talk.tell
        heed = self.heed

        def tell(talk: Talk, sentence: str, **values: object) -> None:
            heed(talk, sentence, **values)

        monkeypatch.setattr(Talk, "tell", tell)

    def heed(self, talk: Talk, sentence: str, **values: object) -> None:
        self.tell(talk, sentence, **values)
        if sentence in ("enter_code", "open_browser"):
            self.asked.append(sentence)
        if sentence == "open_browser":
            back = self.known.agree(str(values["address"]))
            threading.Thread(target=lambda: urlopen(back).close(), daemon=True).start()


@pytest.fixture
def browser(servers: StandIn, known: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Browser:
    known.grants.clear()
    known.tokens.clear()
    at = {
        "imap": Server(HERE, servers.imap, Security.STARTTLS),
        "smtp": Server(HERE, servers.submission, Security.STARTTLS),
    }
    here = {key: replace(one, **at) for key, one in providers().items()}  # type: ignore[arg-type]
    monkeypatch.setattr("judge.cli.setup.providers", lambda: here)
    monkeypatch.setattr(round_trip, "_PAUSE_SECONDS", 0.1)
    monkeypatch.setenv("JUDGE_OAUTH__TOKEN_URL", known.url("token"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    migrate(f"sqlite:///{tmp_path}/judge.sqlite3")
    return Browser(known, monkeypatch)


def set_up(config: Path, *more: str) -> int:
    answers = ("--address", JUDGE, "--operator", "", "--language", "en", "--zone", "UTC", "--wait", "10")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            sys,
            "argv",
            ["judge", "setup", "--config", str(config), *(more if "--renew" in more else (*answers, *more))],
        )
        try:
            main()
        except SystemExit as ended:
            return int(ended.code or 0)
    return 0


def test_setup_gets_a_grant_by_a_code(
    known: Provider,
    browser: Browser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("JUDGE_OAUTH__DEVICE_URL", known.url("device"))
    code = set_up(tmp_path / "config.toml", "--provider", "outlook", "--client-id", CLIENT_ID)
    said, complaint = capsys.readouterr()
    assert complaint == ""
    assert (code, browser.asked) == (0, ["enter_code"])
    assert "Open https://provider.test/device in any browser, enter the code BCDF-GHJK" in said
    assert f"a mail to {JUDGE} arrived after" in said
    settings = load_config(tmp_path / "config.toml")
    assert (settings.oauth.provider, settings.oauth.client_id) == ("microsoft", CLIENT_ID)
    assert settings.oauth.token_file == tmp_path / "oauth-grant"
    assert settings.delivery.password_file is None
    assert set(known.tokens.values()) == {JUDGE}


def test_setup_gets_a_grant_by_a_browser(
    known: Provider,
    browser: Browser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("JUDGE_OAUTH__AUTHORIZATION_URL", known.url("authorize"))
    (tmp_path / "hush").touch(0o600)
    (tmp_path / "hush").write_text(f"{CLIENT_SECRET}\n", "utf-8")
    given = ("--provider", "gmail-oauth", "--client-id", CLIENT_ID, "--client-secret-file", str(tmp_path / "hush"))
    code = set_up(tmp_path / "config.toml", *given)
    assert capsys.readouterr().err == ""
    assert (code, browser.asked) == (0, ["open_browser"])
    assert load_config(tmp_path / "config.toml").oauth.secret() == CLIENT_SECRET
    before = read_grant(tmp_path / "oauth-grant")
    assert set_up(tmp_path / "config.toml", "--renew") == 0
    assert read_grant(tmp_path / "oauth-grant") not in ("", before)


@pytest.mark.parametrize(
    ("answers", "owner", "said"),
    [
        ([DECLINED], JUDGE, "no grant is stored yet; run `judge setup --renew` (127.0.0.1: access_denied)"),
        ([BAD_CLIENT], JUDGE, "the provider refuses the judge's application: check client_id"),
        ([], f"other@{GOOD}", "log in as the owner of the mailbox"),
    ],
)
def test_setup_says_what_is_wrong_and_writes_no_settings(
    known: Provider,
    browser: Browser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answers: list[Answer],
    owner: str,
    said: str,
) -> None:
    monkeypatch.setenv("JUDGE_OAUTH__DEVICE_URL", known.url("device"))
    monkeypatch.setattr(known, "owner", owner)
    known.answers = list(answers)
    assert set_up(tmp_path / "config.toml", "--provider", "outlook", "--client-id", CLIENT_ID) == 1
    assert said in capsys.readouterr().err
    assert browser.asked == ["enter_code"]
    assert not (tmp_path / "config.toml").exists()


class Scene:
    """A judge with its mailbox, and people at the same provider."""

    def __init__(self, servers: StandIn, known: Provider, folder: Path) -> None:
        self.servers = servers
        self.known = known
        self.folder = folder
        self.number = 0
        known.grants.clear()
        known.tokens.clear()
        login = f'host = "{HERE}", security = "starttls", username = "{JUDGE}"'
        (folder / "config.toml").write_text(
            f"""
judge = {{ address = "{JUDGE}", authserv_id = "{STAMP}" }}
database = {{ url = "sqlite:///{folder}/judge.sqlite3" }}
games = {{ settling_seconds = 0 }}
sources = [{{ kind = "imap", port = {servers.imap}, old_mail = "take", poll_seconds = 5, {login} }}]
delivery = {{ kind = "smtp", port = {servers.submission}, pictures = false, {login} }}
oauth = {{ client_id = "{CLIENT_ID}", token_url = "{known.url("token")}", token_file = "{folder}/grant" }}
""",
            "utf-8",
        )
        migrate(f"sqlite:///{folder}/judge.sqlite3")

    @contextmanager
    def running(self) -> Iterator[None]:
        command = [sys.executable, "-m", "judge", "serve", "--config", str(self.folder / "config.toml")]
        with (self.folder / "judge.log").open("ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)
            try:
                yield
            finally:
                process.kill()
                process.wait()
                sys.stdout.write(self.log() + self.letters("ada") + self.letters("ben"))

    def log(self) -> str:
        return (self.folder / "judge.log").read_text("utf-8")

    def write(self, name: str, *lines: str) -> None:
        """Send a mail of a person for whom the provider vouches."""
        self.number += 1
        mail = EmailMessage()
        mail["Authentication-Results"] = f"{STAMP}; dmarc=pass header.from={GOOD}"
        mail["From"], mail["To"], mail["Subject"] = f"{name}@{GOOD}", JUDGE, "ardennes"
        mail["Message-ID"] = f"<{self.number}@{GOOD}>"
        mail.set_content("\n".join(lines))
        with smtplib.LMTP(HERE, self.servers.lmtp) as post:
            post.sendmail(f"{name}@{GOOD}", [JUDGE], mail.as_bytes())

    def letters(self, name: str) -> str:
        """Return what a person received."""
        files = (self.servers.folder / "mail" / f"{name}@{GOOD}").glob("*/*.*")
        mails = [message_from_bytes(file.read_bytes(), policy=SMTP) for file in files]
        return "\n".join(f"{mail['Subject']}\n{mail.get_body(('plain',))}" for mail in mails)


def test_a_game_is_played_by_a_mailbox_with_tokens(servers: StandIn, known: Provider, tmp_path: Path) -> None:
    """The grant is missing at first and revoked later: nothing is lost."""
    scene = Scene(servers, known, tmp_path)
    scene.write("gil", "CREATE ardennes", "board: isthmus", "deadline: 3 days")
    with scene.running():
        wait_until(lambda: "no grant is stored" in scene.log())
        store_grant(tmp_path / "grant", known.grant(JUDGE))
        wait_until(lambda: "ardennes" in scene.letters("gil"))
        scene.write("ada", *joining("Solaria"))
        scene.write("ben", *joining("Nordia"))
        wait_until(lambda: "Spring 1901" in scene.letters("ada") and "Spring 1901" in scene.letters("ben"))
    known.grants.clear()
    known.tokens.clear()
    scene.write("ada", "PHASE S1901M", "F ELM - EAS", "A ROS H", "A SPT H", "READY")
    scene.write("ben", "PHASE S1901M", "F NHV H", "A OAK H", "A PIN H", "READY")
    with scene.running():
        wait_until(lambda: "the grant was revoked" in scene.log())
        assert "Fall 1901" not in scene.letters("ada")
        store_grant(tmp_path / "grant", known.grant(JUDGE))
        wait_until(lambda: "Fall 1901" in scene.letters("ada") and "Fall 1901" in scene.letters("ben"))
    assert scene.log().count("no grant is stored") == 1
    assert scene.log().count("the grant was revoked") == 1


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "the grant was revoked or has expired; run `judge setup --renew`"),
        ("ja", "許可が取り消されたか、期限が切れています"),
    ],
)
def test_the_doctor_names_a_revoked_grant(
    servers: StandIn,
    known: Provider,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    language: str,
    said: str,
) -> None:
    Scene(servers, known, tmp_path)
    monkeypatch.setenv("LC_ALL", f"{language}.UTF-8")
    store_grant(tmp_path / "grant", "revoked")
    monkeypatch.setattr(sys, "argv", ["judge", "doctor", "--config", str(tmp_path / "config.toml")])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert capsys.readouterr().err.count(said) == 2, "the mailbox, and the way out"
