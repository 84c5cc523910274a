"""Extreme conditions with real mail: random kills, a full disk, a stalled domain.

Mail comes in by three ways.
"""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Mapping
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.house import House, fill, small_disk
from tests.killing import Mailbox, by_maildir, kill_again_and_again
from tests.real import IMAP_HOST, LMTP_HOST, Servers, Valve
from tests.scene import MASTER, PEOPLE, STALLED, Scene, servers
from tests.soak import Soak
from tests.wire import CERTIFICATE, PATIENCE_SECONDS, wait_until

__all__ = ["servers"]

MANY = 500
"""The number of mails within which a full disk has to be noticed."""
ENOUGH = 700
"""The most mails to one judge.

It answers 200 mails of each person an hour, and its disk is small.
"""


@pytest.mark.soak
def test_a_judge_killed_many_times_loses_nothing_and_doubles_nothing(
    servers: Servers, tmp_path: Path, soak: Soak, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mail comes by SMTP, a Maildir and a Dovecot mailbox; forty times five kills."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    mailbox = Mailbox(servers.imap, f"judge@{IMAP_HOST}")
    for seed in soak.seeds(40):
        mailbox.empty()
        (tmp_path / str(seed)).mkdir()
        house = House(tmp_path / str(seed), more=mailbox.source)
        house.migrate()
        kill_again_and_again(house, kills=5, seed=seed, ways=(house.accepts, by_maildir(house), mailbox.accepts))


# A full disk


@pytest.mark.soak
def test_a_full_disk_is_told_and_loses_no_mail(servers: Servers, tmp_path: Path, soak: Soak) -> None:
    """Mail that the judge refuses stays with Postfix until there is room again."""
    with small_disk(tmp_path / "disk") as disk:
        scene = Scene(servers, tmp_path, LMTP_HOST, database=disk)
        sent: set[str] = set()
        with scene.running() as process:
            scene.open_game()
            reports = scene.wait_for_reports("S1901M")
            for _ in soak.seeds(10):
                if len(sent) > ENOUGH:
                    break
                ballast = fill(disk)
                sent |= write_until_refused(scene, reports)
                code, said = run_doctor(scene)
                assert (code, "disk: 0 MB are left" in said) == (1, True), said
                ballast.unlink()
                wait_until_worked(scene, sent)
                wait_until(lambda: scene.health() == (200, "well\n"))
            assert process.poll() is None
            wait_until(lambda: scene.rows("select count(*) from outbox where state != 'sent'") == [(0,)])
        check_that_all_are_answered_once(scene, sent)


def write_until_refused(scene: Scene, reports: Mapping[str, EmailMessage]) -> set[str]:
    """Send mails until the judge says that it takes no more; return their Message-IDs."""
    sent: set[str] = set()
    for person in itertools.cycle(PEOPLE.values()):
        code, said = scene.health()
        if "refused" in said:
            return sent
        assert (code, len(sent) < MANY) == (503, True), said
        sent.add(scene.write(person, "STATUS", answers=reports[person]))
    raise AssertionError


def run_doctor(scene: Scene) -> tuple[int, str]:
    done = subprocess.run(
        (sys.executable, "-m", "judge", "doctor", "--config", scene.config), capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def wait_until_worked(scene: Scene, mails: Collection[str]) -> None:
    wait_until(
        lambda: set(mails) <= {id_ for (id_,) in scene.rows("select message_id from inbox where state = 'done'")}
    )


def check_that_all_are_answered_once(scene: Scene, sent: Collection[str]) -> None:
    """Check that each mail has one answer.

    There may be several copies, but all have one Message-ID.
    """
    wait_until(lambda: set(sent) <= {str(mail["In-Reply-To"]) for who in PEOPLE.values() for mail in scene.read(who)})
    answers = {
        (str(mail["In-Reply-To"]), str(mail["Message-ID"])) for who in PEOPLE.values() for mail in scene.letters[who]
    }
    assert Counter(answered for answered, _ in answers if answered in sent) == Counter(sent)


# A domain that stalls


@pytest.mark.soak
def test_a_domain_that_stalls_holds_up_nobody_and_not_the_end(servers: Servers, tmp_path: Path) -> None:
    """It stalls longer than any of our limits; no stop waits for it."""
    scene = Scene(servers, tmp_path, IMAP_HOST)
    with Valve(servers.policy) as valve:
        with scene.running() as process:
            scene.open_game()
            opening = scene.wait_for_reports("S1901M")
            scene.write(STALLED, "OBSERVE ardennes")
            wait_until(lambda: scene.read(STALLED))
            scene.write(STALLED, "YES", answers=scene.read(STALLED)[0])
            wait_until(lambda: len(scene.read(STALLED)) > 1)
            valve.is_open.clear()
            scene.write(MASTER, "ANNOUNCE: the snow has come", answers=opening[MASTER])
            everybody = PEOPLE.values()
            wait_until(lambda: all(has(scene, person, "the snow has come") for person in everybody))
            assert valve.is_asked.wait(PATIENCE_SECONDS)
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=PATIENCE_SECONDS) == 0
            assert not valve.is_open.is_set()
        valve.is_open.set()
        with scene.running():
            wait_until(lambda: has(scene, STALLED, "the snow has come"))
            wait_until(lambda: scene.rows("select count(*) from outbox where state != 'sent'") == [(0,)])
    for person in (MASTER, STALLED, *everybody):
        assert set(Counter(str(mail["Message-ID"]) for mail in scene.read(person)).values()) == {1}


def has(scene: Scene, person: str, words: str) -> bool:
    """Whether a person has a mail that contains the words."""
    bodies = [mail.get_body(("plain",)) for mail in scene.read(person)]
    return any(body is not None and words in body.get_content() for body in bodies)
