"""docs/setup.md, followed to the letter, and the page of the providers.

Names and ports of the document become those of servers on this machine; all else is as it stands there.
`python -m tests.test_setup_documents` writes the page of the providers anew.
"""

from __future__ import annotations

import re
import shlex
import shutil
import smtplib
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from functools import partial

import pytest

from judge.cli import main
from judge.config import load_config
from judge.demo.post_office import PostOffice
from judge.service.engine.assemble import Parts, assemble
from judge.setup import VARIES, Server, providers, say
from tests.postfix import SERVICES, RealServers, in_a_folder
from tests.steps import ROOT, block, blocks
from tests.wire import HERE, free_port, wait_until

LANGUAGES = ("en", "ja")
NAMES = {"en": ("docs/setup.md", "docs/providers.md"), "ja": ("docs/setup.ja.md", "docs/providers.ja.md")}
ELSEWHERE = "127.0.0.2"
"""An address that OpenDKIM does not regard as ours."""
_BASE = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file_prefixes = {folder}
maillog_file = {folder}/postfix.log
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
local_recipient_maps =
"""
_OUTSIDE = "\ntransport_maps = {maps}inline:{{ {{ players.test = smtp:[127.0.0.1]:{players} }} }}\n"


# The page of the providers


def page(language: str) -> str:
    tell = partial(say, language)
    lines = [f"# {tell('page_title')}", "", tell("page_lead"), "", tell("page_head"), f"|{'---|' * 8}"]
    for one in providers().values():
        way_in, plus = tell(f"password_{one.way_in}"), tell(f"plus_{one.plus}")
        limit = tell("page_varies") if one.limit == VARIES else one.limit or tell("page_unknown_limit")
        nameless = {"": tell("page_unknown_authserv"), "none": "–", VARIES: tell("page_varies")}
        trusted = nameless.get(one.authserv_id) or f"`{one.authserv_id}`"
        more = (plus, limit, trusted) if one.is_supported else (plus, "–", "–")
        cells = (one.name, f"`{one.key}`", _shown(one.imap), _shown(one.smtp), way_in, *more)
        lines.append(f"| {' | '.join(cells)} |")
    for one in providers().values():
        lines += ["", f"**{one.name}** {one.notes[language]}"]
    return "\n".join([*lines, "", tell("page_any"), ""])


def _shown(server: Server | None) -> str:
    return f"{server.host}:{server.port}, {server.security}" if server is not None else "–"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_the_providers_says_what_setup_knows(language: str) -> None:
    document = ROOT / NAMES[language][1]
    assert document.read_text("utf-8") == page(language), "python -m tests.test_setup_documents"


def test_both_languages_have_the_same_steps() -> None:
    steps = [
        [re.sub(r"--language \S+ --zone \S+", "", step) for step in blocks(name)]
        for name in ("setup.md", "setup.ja.md")
    ]
    assert steps[0] == steps[1]
    assert len(steps[0]) > 10


# A mail server of one's own, or one that is there


@dataclass
class OwnServer(RealServers):
    """Postfix, and OpenDKIM if wanted, set up as the document says.

    The players are at another host.
    """

    lmtp: int = field(default_factory=free_port)
    smtp: int = field(default_factory=free_port)
    milter: int = field(default_factory=free_port)

    def __post_init__(self) -> None:
        self.office = PostOffice(self.folder / "players")
        self.office.start()

    def placed(self, text: str) -> str:
        """Return text of the document, adapted to this folder and these ports."""
        for there, here in {
            "/etc/judge": self.folder / "judge",
            "/etc/postfix": self.folder,
            "/etc/dkimkeys": self.folder,
            "127.0.0.1:2424": f"127.0.0.1:{self.lmtp}",
            "inet:127.0.0.1:8891": f"inet:127.0.0.1:{self.milter}",
            "inet:8891@": f"inet:{self.milter}@",
        }.items():
            text = text.replace(there, str(here))
        return text

    def start(self, main_cf: str, **files: str) -> None:
        given = re.search(r"^transport_maps = (.*)$", main_cf, re.MULTILINE)
        outside = _OUTSIDE.format(maps=f"{given[1]}, " if given else "", players=self.office.port)
        main_cf = re.sub(r"^transport_maps = .*\n", "", main_cf, flags=re.MULTILINE)
        files["main.cf"] = _BASE.format(folder=self.folder) + main_cf + outside
        services = (f"127.0.0.1:{self.smtp} inet n - n - - smtpd", "local unix - n n - - local")
        more = ("tlsmgr unix - - n 1000? 1 tlsmgr",)
        files["master.cf"] = "\n".join((*services, *more, *SERVICES)) + "\n"
        self.lay_out({name: self.placed(content) for name, content in files.items()})
        self.run_postfix(ports=[self.smtp])

    def sign(self, conf: str) -> None:
        """Start OpenDKIM without its check of folders, which a test's folder would fail."""
        (self.folder / "opendkim.conf").write_text(self.placed(conf) + "RequireSafeKeys no\nSyslog no\n", "utf-8")
        self.run("opendkim", "-f", "-x", "opendkim.conf", ports=[self.milter])

    def stop(self) -> None:
        super().stop()
        self.office.stop()

    def write(self, recipient: str, **headers: str) -> None:
        """Send a mail from a player elsewhere."""
        mail = EmailMessage()
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        mail["From"], mail["To"], mail["Message-ID"] = "cho@players.test", recipient, "<1@players.test>"
        mail.set_content("HELP\n")
        with smtplib.SMTP(HERE, self.smtp, timeout=60, source_address=(ELSEWHERE, 0)) as client:
            client.send_message(mail, to_addrs=[recipient])


@pytest.fixture
def own() -> Iterator[OwnServer]:
    with in_a_folder(OwnServer) as server:
        yield server


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, own: OwnServer) -> Callable[[str], int]:
    """Return a function that runs a command line of the document.

    The judge sends by our Postfix.
    """
    monkeypatch.setenv("JUDGE_DELIVERY__PORT", str(own.smtp))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def judge(command: str) -> int:
        monkeypatch.setattr(sys, "argv", shlex.split(own.placed(command)))
        try:
            main()
        except SystemExit as ended:
            return int(ended.code or 0)
        return 0

    return judge


def answered(own: OwnServer, recipient: str, **headers: str) -> tuple[Parts, EmailMessage]:
    """Start the judge as set up, and mail it; return its parts and answer."""
    config = own.folder / "judge" / "config.toml"
    config.write_text(config.read_text("utf-8").replace("port = 2424", f"port = {own.lmtp}"), "utf-8")
    parts = assemble(load_config(config))
    for source in parts.sources:
        source.start()
    try:
        own.write(recipient, **headers)
        wait_until(lambda: _counts(parts))
        parts.intake.work_all()
        parts.delivery.deliver_due()
        wait_until(lambda: len(own.office.box("cho@players.test")))
    finally:
        for source in parts.sources:
            source.stop()
        parts.delivery.sender.close()
    (mail,) = own.office.unseen("cho@players.test", set())
    return parts, message_from_bytes(mail.as_bytes(), _class=EmailMessage)


def _counts(parts: Parts) -> object:
    with parts.store.work() as work:
        return work.inbox.counts()


def records(zone: str, key: str) -> Callable[[str, str], Sequence[str]]:
    """Return look-ups in the DNS of the document, with the record that OpenDKIM made."""
    lines = [re.split(r"\s+", line, maxsplit=2) for line in zone.splitlines()]
    lines = [[name.replace("7.2.0.192.in-addr.arpa.", "192.0.2.7."), kind, value] for name, kind, value in lines]
    text = "".join(re.findall(r'"([^"]*)"', key))
    lines.append(["key._domainkey.judge.example.org.", "TXT", text])
    return lambda name, kind: [value.strip('"') for its, of, value in lines if (its.rstrip("."), of) == (name, kind)]


def test_a_mail_server_of_its_own_is_set_up_by_the_document(
    own: OwnServer, run: Callable[[str], int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    part = "(b)"
    key, _ = block("setup.md", part, "opendkim-genkey").splitlines()
    subprocess.run(shlex.split(own.placed(key)), check=True)
    shutil.chown(own.folder / "key.private", "opendkim")
    own.sign(block("setup.md", part, "AlwaysAddARHeader"))
    own.start(block("setup.md", part, "myhostname"), header_checks=block("setup.md", part, "IGNORE"))
    zone = records(block("setup.md", part, "v=spf1"), (own.folder / "key.txt").read_text("utf-8"))
    monkeypatch.setattr("judge.cli.names._ask", zone)
    assert run(block("setup.md", part, "--provider own")) == 0
    config = own.folder / "judge" / "config.toml"
    for table, added in re.findall(r"^(\[+\w+\]+)\n(.*)$", block("setup.md", part, "authserv_id"), re.MULTILINE):
        config.write_text(config.read_text("utf-8").replace(f"{table}\n", f"{table}\n{added}\n"), "utf-8")
    capsys.readouterr()
    assert run(f"judge doctor --config {config}") == 0
    said = capsys.readouterr().out
    for about in ("SPF", "DKIM", "DMARC", "reverse name", "plus addresses"):
        assert f"{about}: good" in said
    forged = "mx.example.org; dmarc=pass header.from=players.test"
    parts, answer = answered(own, "judge@judge.example.org", Authentication_Results=forged)
    assert "d=judge.example.org; s=key" in " ".join(str(answer["DKIM-Signature"]).split())
    with closing(parts.store), parts.store.work() as work:
        mail = work.inbox.get(1)
    assert mail is not None
    results = message_from_bytes(mail.raw.content).get_all("Authentication-Results")
    assert results is not None
    assert len(results) == 1
    assert results[0].startswith("mx.example.org;")
    assert "pass" not in results[0]
    assert mail.raw.received_at.microsecond == 0, "the time Postfix took it"


@pytest.mark.parametrize("recipient", ["judge@example.org", "judge+ardennes.secret@example.org"])
def test_a_mail_server_that_is_there_hands_over(own: OwnServer, run: Callable[[str], int], recipient: str) -> None:
    part = "(c)"
    main_cf, transport = block("setup.md", part, "transport_maps"), block("setup.md", part, "lmtp:inet")
    own.start("mydestination = example.org\n" + main_cf, transport=transport)
    run(block("setup.md", part, "--provider own"))
    parts, answer = answered(own, recipient)
    assert "HELP" in str(answer["Subject"])
    with closing(parts.store), parts.store.work() as work:
        mail = work.inbox.get(1)
    assert mail is not None
    assert mail.raw.envelope_to == (recipient,)


if __name__ == "__main__":
    for chosen in LANGUAGES:
        (ROOT / NAMES[chosen][1]).write_text(page(chosen), "utf-8")
