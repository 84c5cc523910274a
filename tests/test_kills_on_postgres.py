"""Kill a judge's processes and its PostgreSQL while mail comes and phases close."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.storage.migrate import head_revision
from tests.house import House
from tests.killing import Mailbox, by_maildir
from tests.killing_apart import kill_any_part
from tests.postgres import Server, postgres
from tests.real import IMAP_HOST, Servers
from tests.scene import servers
from tests.soak import Soak
from tests.versions import next_version
from tests.wire import CERTIFICATE

__all__ = ["postgres", "servers"]


@pytest.mark.soak
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the database may be away
def test_any_part_and_the_database_killed_many_times_lose_nothing_and_double_nothing(
    servers: Servers, postgres: Server, tmp_path: Path, soak: Soak, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mail comes by SMTP, a Maildir and a Dovecot mailbox; twenty times ten kills."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    mailbox = Mailbox(servers.imap, f"judge@{IMAP_HOST}")
    for seed in soak.seeds(20):
        mailbox.empty()
        folder = tmp_path / str(seed)
        folder.mkdir()
        house = House(folder, more=mailbox.source, url=postgres.make(str(folder), empty=False))
        kill_any_part(house, postgres, kills=10, seed=seed, ways=(house.accepts, by_maildir(house), mailbox.accepts))


@pytest.mark.soak
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the database may be away
def test_two_versions_on_one_database_killed_many_times_lose_nothing_and_double_nothing(
    postgres: Server, tmp_path: Path, soak: Soak
) -> None:
    """The newer version has one more migration, run beneath the older; twenty times ten kills."""
    newer = next_version(tmp_path / "newer")
    for seed in soak.seeds(20):
        folder = tmp_path / str(seed)
        folder.mkdir()
        house = House(folder, url=postgres.make(str(folder), empty=False))
        ways = (house.accepts, by_maildir(house))
        kill_any_part(house, postgres, kills=10, seed=seed, ways=ways, newer=newer)
        assert house.rows("select version_num from alembic_version") == [(f"{int(head_revision()) + 1:04}",)]
