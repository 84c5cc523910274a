"""Two phases by real mail, with Postfix, OpenDKIM, Dovecot and the judge.

Mail comes by IMAP and by LMTP.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.cli.verify import saved
from judge.service.signatures import check_signatures
from tests.database import records
from tests.office import address_book, text
from tests.real import IMAP_HOST, LMTP_HOST, Servers
from tests.scene import FALL, MASTER, PEOPLE, SPRING, Scene, servers
from tests.soak import long_but
from tests.wire import wait_until

__all__ = ["servers"]


@pytest.mark.parametrize("host", long_but({IMAP_HOST}, [IMAP_HOST, LMTP_HOST]))
def test_two_phases_are_played_by_real_mail(servers: Servers, tmp_path: Path, host: str) -> None:
    scene = Scene(servers, tmp_path, host)
    with scene.running():
        scene.open_game()
        opening = scene.wait_for_reports("S1901M")
        forged = scene.forge(opening)
        unsent = "select count(*) from outbox where state not in ('sent', 'gathered')"
        done = "select count(*) from inbox where state in ('done', 'unconfirmed')"
        wait_until(lambda: scene.rows(done) == [(8 + len(forged),)])
        assert scene.rows("select unit, target from filed_order") == []
        scene.order(SPRING, opening)
        spring = scene.wait_for_reports("F1901M")
        wait_until(lambda: scene.rows(unsent) == [(0,)])  # a letter that left without being noted would leave again
        write_to_a_room(scene, opening)
    # What comes while the judge is down waits in Postfix, or in the mailbox, and is not late.
    scene.order(FALL, spring)
    with scene.running():
        scene.wait_for_reports("W1901A")
        wait_until(lambda: scene.rows(unsent) == [(0,)])
    assert scene.rows("select phase from history order by place") == [("S1901M",), ("F1901M",)]
    for record, orders in zip(records(scene.url), (SPRING, FALL), strict=True):
        assert json.loads(record)["input"]["orders"] == {power: [order] for power, order in orders.items()}
    # The first is asked about at once, the others together and later. Our letter may still be on its way.
    wait_until(lambda: len(asked_back(scene)) == 1 and asked_back(scene) < set(forged[:3]))
    for person in (MASTER, *PEOPLE.values()):
        mails = [one for mail in scene.read(person) for one in saved(mail)]
        found = list(check_signatures(mails))
        assert [finding.said for finding in found if finding.is_fault] == []
        assert sum("signed; as sent: subject, date, text, HTML" in finding.said for finding in found) == len(mails) >= 3
        ids = Counter(str(mail["Message-ID"]) for mail in scene.read(person))
        assert set(ids.values()) == {1}
    times = scene.rows("select received_at from inbox")
    assert all(str(moment).endswith(".000000") for (moment,) in times), "not the time Postfix took them"


def write_to_a_room(scene: Scene, opening: Mapping[str, EmailMessage]) -> None:
    """A letter to two private addresses is one letter to a room.

    Postfix may hand it over once for each address.
    """
    before = scene.rows("select count(*) from inbox")[0][0]
    book = address_book(opening[PEOPLE["FRANCE"]])
    scene.write(PEOPLE["FRANCE"], "Who takes Trieste?", to=[book["Italy – ardennes"], book["Austria – ardennes"]])
    for power in ("ITALY", "AUSTRIA"):
        wait_until(lambda power=power: press(scene, power))  # type: ignore[misc]
        (letter,) = press(scene, power)
        assert "Who takes Trieste?" in text(letter)
        assert "Austria, France, Italy" in str(letter["Subject"])
    assert scene.rows("select count(*) - 1 from inbox") == [(before,)]


def press(scene: Scene, power: str) -> list[EmailMessage]:
    return [mail for mail in scene.read(PEOPLE[power]) if "--press." in str(mail["Reply-To"])]


def asked_back(scene: Scene) -> set[str]:
    """Return the mails in France's name about which France was asked."""
    questions = [mail for mail in scene.read(PEOPLE["FRANCE"]) if "+confirm." in str(mail["Reply-To"])]
    return {str(mail["In-Reply-To"]) for mail in questions}
