"""Access tokens: from a renewed grant, from a command, and at mail servers.

Also how a grant is obtained.
"""

from __future__ import annotations

import base64
import socket
import stat
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from judge.errors import Against, DeliveryError, TokenError, TokenFault
from judge.mail import oauth
from judge.mail.oauth import CommandTokens, GrantedTokens, read_grant, store_grant, with_token
from judge.mail.sending import SmtpSender
from judge.setup.authorizing import Redirect, ask_for_code, wait_for_grant
from tests.token_server import BROKEN, DECLINED, PENDING, REVOKED, SLOW_DOWN, Answer, Provider, provider
from tests.wire import HERE, free_port


@pytest.fixture
def known() -> Iterator[Provider]:
    with provider() as known:
        yield known


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a clock that stands still and can be set."""
    now = [1000.0]
    monkeypatch.setattr(oauth, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


@pytest.fixture
def tokens(known: Provider, tmp_path: Path) -> GrantedTokens:
    store_grant(tmp_path / "grant", known.grant())
    return GrantedTokens(known.client(), tmp_path / "grant")


# A stored grant


def test_a_token_is_kept_and_renewed_before_it_expires(
    known: Provider, tokens: GrantedTokens, now: list[float]
) -> None:
    first = tokens.token()
    now[0] += 3600 - 301
    assert tokens.token() == first
    now[0] += 2
    assert tokens.token() != first
    assert [fields["grant_type"] for fields in known.asked] == ["refresh_token"] * 2


def test_a_refused_token_is_renewed_once(known: Provider, tokens: GrantedTokens) -> None:
    tried = []

    def log_in(token: str) -> str:
        tried.append(token)
        if len(tried) == 1:
            raise TokenError(TokenFault.REFUSED, "no")
        return "in"

    assert with_token(tokens, log_in) == "in"
    assert tried == list(known.tokens)
    tried.clear()
    tokens.discard("another")  # one that was renewed meanwhile
    assert with_token(tokens, lambda token: token) == list(known.tokens)[-1]


def test_a_new_refresh_token_is_stored_for_the_owner_alone(
    known: Provider, tokens: GrantedTokens, tmp_path: Path
) -> None:
    known.rotates, known.life = True, 0
    others = GrantedTokens(known.client(), tmp_path / "grant")  # another process
    for _ in range(3):
        assert {tokens.token(), others.token()} <= set(known.tokens)
    assert list(known.grants) == [read_grant(tmp_path / "grant")]
    assert {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()} == {0o600}


def test_processes_that_renew_at_once_do_not_use_a_grant_twice(known: Provider, tmp_path: Path) -> None:
    known.rotates = True
    store_grant(tmp_path / "grant", known.grant())
    together = [GrantedTokens(known.client(), tmp_path / "grant") for _ in range(8)]
    threads = [threading.Thread(target=one.token) for one in together]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({one.token() for one in together}) == 8


@pytest.mark.parametrize(
    ("answer", "fault", "said"),
    [
        (REVOKED, TokenFault.GRANT, r"judge setup --renew` \(127.0.0.1: invalid_grant AADSTS700082: expired.\)"),
        ((400, {"error": "invalid_client"}), TokenFault.CLIENT, "check .oauth. in the settings"),
        ((401, {"error": "unauthorized_client"}), TokenFault.CLIENT, "unauthorized_client"),
        ((429, b"slow down"), TokenFault.AWAY, "HTTP status 429"),
        (BROKEN, TokenFault.AWAY, "HTTP status 500"),
        ((503, {"error": "temporarily_unavailable"}), TokenFault.AWAY, "temporarily_unavailable"),
        ((200, b"<html>"), TokenFault.AWAY, "holds no access_token"),
        ((200, {"token_type": "Bearer"}), TokenFault.AWAY, "holds no access_token"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_wrong_is_told_with_its_remedy(
    known: Provider, tokens: GrantedTokens, answer: Answer, fault: TokenFault, said: str
) -> None:
    known.answers = [answer]
    with pytest.raises(TokenError, match=said) as failed:
        tokens.token()
    assert failed.value.fault is fault
    assert read_grant(tokens.file) in known.grants, "nothing is lost"


def test_a_silent_provider_is_not_waited_for_for_ever(
    tokens: GrantedTokens, known: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oauth, "_TIMEOUT_SECONDS", 0.2)
    with socket.create_server((HERE, 0)) as silent:
        known.port = silent.getsockname()[1]
        tokens.client = known.client()
        with pytest.raises(TokenError, match="timed out") as failed:
            tokens.token()
    assert failed.value.fault is TokenFault.AWAY


def test_after_a_failure_the_provider_is_left_alone_for_longer_and_longer(
    known: Provider, tokens: GrantedTokens, now: list[float]
) -> None:
    known.grants.clear()
    for pause in (1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300):
        for wait in (0, 0.9 * pause):
            now[0] += wait
            with pytest.raises(TokenError, match="revoked"):
                tokens.token()
        now[0] += 0.2 * pause
    assert len(known.asked) == 11
    known.asked.clear()
    store_grant(tokens.file, known.grant())  # `judge setup --renew`
    assert tokens.token() in known.tokens, "a new grant is tried at once"


@pytest.mark.parametrize("content", [None, "", "{}", "[]", "refresh"])
def test_a_file_without_a_grant_is_named(known: Provider, tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "grant").write_text(content, "utf-8")
    with pytest.raises(TokenError, match=f"no grant is stored.*{tmp_path}/grant"):
        GrantedTokens(known.client(), tmp_path / "grant").token()
    assert known.asked == []


def test_secrets_are_not_shown(known: Provider, tokens: GrantedTokens) -> None:
    known.answers = [(400, {"error": "invalid_client"})]
    with pytest.raises(TokenError) as failed:
        tokens.token()
    assert "hush" not in f"{failed.value!r} {tokens.client!r}"


# A command of the operator


@pytest.mark.parametrize(
    ("command", "token", "said"),
    [
        ("echo secret", "secret", ""),
        ("printf 'secret\\nmore\\n'", "secret", ""),
        ("echo secret | tr a-z A-Z", "SECRET", ""),
        ("echo locked >&2; exit 3", "", "exit code 3, locked"),
        ("true", "", "exit code 0, it printed nothing"),
        ("no-such-command-here", "", "exit code 127"),
        ("sleep 60", "", "no answer within 0.2 seconds"),
    ],
)
def test_a_command_prints_the_token(command: str, token: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if said.startswith("no answer"):
        monkeypatch.setattr(oauth, "_TIMEOUT_SECONDS", 0.2)
    if token:
        assert CommandTokens(command).token() == token
    else:
        with pytest.raises(TokenError, match=said):
            CommandTokens(command).token()


# Obtaining a grant


@pytest.mark.parametrize("meanwhile", [[], [PENDING], [PENDING, SLOW_DOWN, PENDING], [BROKEN, PENDING]])
def test_a_code_is_entered_at_any_device(known: Provider, meanwhile: list[Answer]) -> None:
    known.answers = list(meanwhile)
    client = known.client(device_url=known.url("device"))
    device = ask_for_code(client)
    assert (device.address, device.user_code) == ("https://provider.test/device", "BCDF-GHJK")
    slept: list[float] = []
    assert wait_for_grant(client, device, slept.append) in known.grants
    assert len(slept) == len(meanwhile) + 1
    assert (slept[-1] > 5) == any(one in (SLOW_DOWN, BROKEN) for one in meanwhile)


@pytest.mark.parametrize(
    ("answers", "said"),
    [([DECLINED], "access_denied"), ([PENDING] * 9999, "was not entered in time"), ([REVOKED], "invalid_grant")],
)
def test_a_code_that_is_not_accepted_ends_the_waiting(known: Provider, answers: list[Answer], said: str) -> None:
    client = known.client(device_url=known.url("device"))
    device = ask_for_code(client)
    known.answers = list(answers[: round(device.valid_seconds / 5)])
    slow = type(device)(device.address, device.user_code, device.device_code, 5, device.valid_seconds)
    with pytest.raises(TokenError, match=said):
        wait_for_grant(client, slow, lambda _: None)


def test_a_browser_comes_back_with_the_answer(known: Provider) -> None:
    with closing(
        Redirect(known.client(authorization_url=known.url("authorize")), "judge@good.test", "Bye")
    ) as redirect:
        address = known.agree(redirect.address)
        shown: list[str] = []
        for visited in (f"{redirect.comes_back_to}/favicon.ico", address.replace("state=", "state=x"), address):
            browser = threading.Thread(target=lambda visited=visited: shown.append(_visit(visited)))
            browser.start()
            redirect.listen()
            browser.join()
        assert shown == ["404", "404", "Bye"]
        assert redirect.grant() in known.grants


def test_the_address_of_a_browser_elsewhere_may_be_pasted(known: Provider) -> None:
    client = known.client(authorization_url=known.url("authorize?prompt=consent"))
    with closing(Redirect(client, "judge@good.test", "")) as redirect:
        assert not redirect.heed("https://provider.test/?code=1")
        assert redirect.heed(f" {known.agree(redirect.address)}\n")
        assert redirect.grant() in known.grants


@pytest.mark.parametrize(("told", "said"), [("error=access_denied", "access_denied"), ("code=stolen", "invalid_grant")])
def test_an_answer_without_a_grant_is_told(known: Provider, told: str, said: str) -> None:
    client = known.client(authorization_url=known.url("authorize"))
    with closing(Redirect(client, "judge@good.test", "")) as redirect:
        redirect.heed(f"{redirect.comes_back_to}?{told}&state={redirect.state}")
        with pytest.raises(TokenError, match=said):
            redirect.grant()


def _visit(address: str) -> str:
    try:
        with urlopen(address) as page:
            return str(page.read().decode())
    except HTTPError as error:
        with error:
            return str(error.code)


# At an SMTP server


class Guarded:
    """Takes mail from senders with a token that the provider vouches for."""

    def __init__(self, known: Provider) -> None:
        self.known = known
        self.shown: list[bytes] = []
        self.taken: list[str] = []

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult:  # noqa: N802 - aiosmtpd's name
        return await self._let_in(server, args, b"user=judge@good.test\1auth=Bearer %s\1\1", b"")

    async def auth_OAUTHBEARER(self, server: SMTP, args: list[str]) -> AuthResult:  # noqa: N802
        return await self._let_in(server, args, b"n,a=judge@good.test,\1host=%s\1auth=Bearer %s\1\1", b"\1")

    async def _let_in(self, server: SMTP, args: list[str], form: bytes, farewell: bytes) -> AuthResult:
        shown = base64.b64decode(args[1])
        self.shown.append(shown)
        token = shown.partition(b"Bearer ")[2].rstrip(b"\1")
        host = shown.partition(b"host=")[2].partition(b"\1auth")[0]
        assert shown == (form % (host, token) if host else form % token)
        if token.decode() in self.known.tokens:
            return AuthResult(success=True)
        said = await server.challenge_auth(b'{"status":"400"}', encode_to_b64=True)
        assert said == farewell
        return AuthResult(success=False, handled=False)

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        self.taken += envelope.rcpt_tos
        return "250 taken"


@pytest.fixture(params=["XOAUTH2", "OAUTHBEARER"])
def guarded(request: pytest.FixtureRequest, known: Provider) -> Iterator[tuple[Guarded, Controller]]:
    handler = Guarded(known)
    without = {"XOAUTH2", "OAUTHBEARER", "LOGIN", "PLAIN"} - {request.param}
    controller = Controller(handler, HERE, free_port(), auth_require_tls=False, auth_exclude_mechanism=sorted(without))
    controller.start()
    yield handler, controller
    controller.stop()


def test_mail_leaves_with_a_token(guarded: tuple[Guarded, Controller], known: Provider, tokens: GrantedTokens) -> None:
    handler, controller = guarded
    with closing(SmtpSender(HERE, controller.port, username="judge@good.test", tokens=tokens)) as sender:
        sender.send(b"Subject: 1\r\n\r\n", envelope_from="judge@good.test", recipient="cho@players.test")
        sender.close()
        known.tokens.clear()  # it expired sooner than was said
        sender.send(b"Subject: 2\r\n\r\n", envelope_from="judge@good.test", recipient="dan@players.test")
    assert handler.taken == ["cho@players.test", "dan@players.test"]
    assert len(handler.shown) == 3


def test_a_token_that_stays_refused_is_the_operators_affair(
    guarded: tuple[Guarded, Controller], known: Provider
) -> None:
    handler, controller = guarded
    tokens = CommandTokens("echo stolen")
    with (
        closing(SmtpSender(HERE, controller.port, username="judge@good.test", tokens=tokens)) as sender,
        pytest.raises(DeliveryError, match="535") as failed,
    ):
        sender.send(b"Subject: 1\r\n\r\n", envelope_from="judge@good.test", recipient="cho@players.test")
    assert (failed.value.against, failed.value.is_away) == (Against.US, True)
    assert len(handler.shown) == 2
    assert known.asked == []


@pytest.mark.parametrize(("answer", "against"), [(REVOKED, Against.US), (BROKEN, Against.NOBODY)])
def test_without_a_token_no_mail_leaves_and_none_is_lost(
    guarded: tuple[Guarded, Controller], known: Provider, tokens: GrantedTokens, answer: Answer, against: Against
) -> None:
    _, controller = guarded
    known.answers = [answer]
    sender = SmtpSender(HERE, controller.port, username="judge@good.test", tokens=tokens)
    with pytest.raises(DeliveryError) as failed:
        sender.check()
    assert (failed.value.against, failed.value.is_silence, failed.value.is_away) == (against, True, True)


def test_a_server_that_takes_no_tokens_is_named(known: Provider, tokens: GrantedTokens) -> None:
    controller = Controller(Guarded(known), HERE, free_port(), auth_exclude_mechanism=["XOAUTH2", "OAUTHBEARER"])
    controller.start()
    sender = SmtpSender(HERE, controller.port, username="judge@good.test", tokens=tokens)
    with pytest.raises(DeliveryError, match="offers no login by access token"):
        sender.check()
    controller.stop()
