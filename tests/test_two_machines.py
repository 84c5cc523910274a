"""Two machines share one PostgreSQL behind a Postfix; then one of them dies.

They are set up as docs/operating.md says. Each has a folder and a host name of its own; besides the database and
Postfix they share only a processor.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.database import rows
from tests.postgres import Server, postgres
from tests.real import LMTP_HOST, MX, Servers
from tests.scene import MASTER, PEOPLE, SPRING, Scene, servers
from tests.wire import HERE, free_port, is_listening, wait_until

__all__ = ["postgres", "servers"]
GUIDE = (Path(__file__).parent.parent / "docs" / "operating.md").read_text("utf-8")
SECTION = GUIDE.partition("## Several machines")[2].partition("\n## ")[0]
OUR_OWN = f"""
judge = {{ address = "judge@{LMTP_HOST}", authserv_id = "{MX}" }}
games = {{ settling_seconds = 0 }}
"""


def block(kind: str) -> str:
    """Return a fenced block of the section."""
    blocks = dict(re.findall(r"^   ```(\w*)\n(.*?)^   ```$", SECTION, re.MULTILINE | re.DOTALL))
    return re.sub("^   ", "", blocks[kind], flags=re.MULTILINE)


@dataclass
class Machine:
    """A machine: a folder, a host name and an address."""

    folder: Path
    name: str
    url: str
    smtp: int
    port: int = field(default_factory=free_port)

    def __post_init__(self) -> None:
        self.folder.mkdir()
        settings = block("toml").replace('"192.0.2.1"', f'"{HERE}"').replace("2424", str(self.port))
        settings = settings.replace('"mail.example.org"', f'"{HERE}"').replace("port = 25\n", f"port = {self.smtp}\n")
        (self.folder / "config.toml").write_text(OUR_OWN + settings, "utf-8")

    def judge(self, *arguments: str) -> subprocess.Popen[str]:
        command = ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', self.name]
        environment = os.environ | {"JUDGE_DATABASE__URL": self.url, "JUDGE_CONFIG": str(self.folder / "config.toml")}
        with (self.folder / "judge.log").open("a", encoding="utf-8") as log:
            return subprocess.Popen(
                [*command, sys.executable, "-m", "judge", *arguments],
                env=environment | {"PYTHONPATH": str(Path(__file__).parent.parent)},
                cwd=self.folder,
                stdout=log,
                stderr=log,
                text=True,
            )

    def log(self) -> str:
        return (self.folder / "judge.log").read_text("utf-8")


class People(Scene):
    """The people who write; the test reads the one shared database."""

    url = ""

    def rows(self, query: str) -> list[tuple[object, ...]]:
        return rows(self.url, query)


@pytest.mark.soak  # work begun by the dead machine is waited for, which takes most of a minute
def test_one_of_two_machines_dies_and_nothing_is_lost(servers: Servers, postgres: Server, tmp_path: Path) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("no host names of our own")
    People.url = postgres.make("machines", empty=False)
    people = People(servers, tmp_path, LMTP_HOST)
    first, second = (Machine(tmp_path / name, name, people.url, servers.smtp) for name in ("first", "second"))
    assert first.judge("migrate").wait() == 0, first.log()
    for machine in (first, second):
        machine.judge("doctor").wait()  # it warns of names that are in no DNS
        assert re.search(
            f"database: good.*listener: good, {HERE}:{machine.port}.*delivery: good", machine.log(), re.DOTALL
        )
    hand_over_to_both(servers, first, second)
    running = [machine.judge("serve") for machine in (first, second)]
    try:
        wait_until(lambda: is_listening(first.port) and is_listening(second.port))
        people.open_game()
        opening = people.wait_for_reports("S1901M")
        hosts = "select distinct split_part(name, ':', 1) from worker order by 1"
        wait_until(lambda: people.rows(hosts) == [("first",), ("second",)])
        assert "mail kept" not in second.log()
        people.order(SPRING, opening)
        running[0].kill()
        people.wait_for_reports("F1901M")
        people.write(MASTER, "STATUS", answers=opening[MASTER])
        wait_until(lambda: people.rows("select count(*) from inbox where state = 'done'") == [(people.number,)])
        wait_until(lambda: people.rows("select count(*) from outbox where state <> 'sent'") == [(0,)])
    finally:
        for process in running:
            process.kill()
            process.wait()
    assert "mail kept" in second.log()
    check_that_nothing_was_lost_or_doubled(people)


def hand_over_to_both(servers: Servers, first: Machine, second: Machine) -> None:
    """Set up Postfix by the guide; it has mail for other hosts, too."""
    transport, limit = block("").splitlines()
    where = transport.partition("virtual_transport = ")[2]
    where = where.replace("192.0.2.1:2424", f"{HERE}:{first.port}").replace("192.0.2.2:2424", f"{HERE}:{second.port}")
    settings = [f"transport_maps = inline:{{ {{ {LMTP_HOST} = {where} }} }}", limit]
    subprocess.run(("postconf", "-c", servers.folder, "-e", *settings), check=True)
    subprocess.run(("postfix", "-c", servers.folder, "reload"), check=True, capture_output=True)


def check_that_nothing_was_lost_or_doubled(people: People) -> None:
    assert people.rows("select phase from history") == [("S1901M",)]
    mails = people.rows("select message_id from inbox")
    assert len(mails) == people.number
    wait_until(people.servers.has_passed_on)
    answered: set[tuple[str, str]] = set()
    for person in (MASTER, *PEOPLE.values()):
        for letter in people.read(person):
            if letter["Auto-Submitted"] == "auto-replied":
                answered.add((str(letter["In-Reply-To"]), str(letter["Message-ID"])))
    assert Counter(mail for mail, _ in answered) == Counter(str(mail) for (mail,) in mails)
    reports = people.rows("select recipient from outbox where kind = 'report' and phase = 'F1901M'")
    assert Counter(reports) == Counter((person,) for person in (MASTER, *PEOPLE.values()))
