"""A person who gave no name is never called by a part of their address."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.storage import migrate
from judge.storage.packing import pack
from tests.database import make_old_file, only_sqlite
from tests.house import POWERS
from tests.office import JUDGE, World, text

LOCAL = "hanako.sato1990"
ADDRESS = f"{LOCAL}@example.org"


class Hall(World):
    """A world whose people write from bare addresses, with proof by our mail server."""

    def write(self, sender: str, *lines: str, name: str = "", to: str = JUDGE) -> None:
        self.number += 1
        mail = EmailMessage()
        mail["Authentication-Results"] = f"mx.test; dmarc=pass header.from={sender.partition('@')[2]}"
        mail["From"] = f"{name} <{sender}>" if name else sender
        mail["To"], mail["Subject"], mail["Message-ID"] = to, "game", f"<{self.number}@example.org>"
        mail.set_content("\n".join(lines))
        self.arrive(mail.as_bytes(), to, sender)

    def agree(self, sender: str) -> None:
        """Answer YES to the last question to an address."""
        asked = [letter for to, letter in self.box.letters if to == sender and "+confirm." in str(letter["Reply-To"])]
        self.write(sender, "YES", to=str(asked[-1]["Reply-To"]))

    def said(self, to: str) -> str:
        """Take all letters to an address; return them as one line."""
        mine = [letter for recipient, letter in self.box.letters if recipient == to]
        self.box.letters = [(recipient, letter) for recipient, letter in self.box.letters if recipient != to]
        return " ".join(" ".join(f"{letter['Subject']} {text(letter)}".split()) for letter in mine)


@pytest.fixture
def hall() -> Hall:
    made = Hall()
    made.write("gil@players.test", "CREATE verdun", name="Gil")
    made.write("ada@players.test", "JOIN verdun", name="Ada")
    return made


JOINING = [
    (["JOIN verdun"], "the others see you as Player 2, and once the game runs as the player of your power"),
    (["参加 verdun"], "ほかの方には「プレイヤー2」、開始後は担当国のプレイヤーとして表示されます"),
]


@pytest.mark.parametrize(("lines", "told"), JOINING)
def test_joining_tells_under_what_name_one_appears(hall: Hall, lines: Sequence[str], told: str) -> None:
    hall.write(ADDRESS, *lines)
    assert told.replace(" ", "") in hall.said(ADDRESS).replace(" ", "")
    hall.write("ada@players.test", "JOIN verdun", "WHO")
    told = hall.said("ada@players.test")
    assert "Player 2" in told
    assert LOCAL not in told


def test_a_name_that_a_mail_program_made_of_the_address_is_none(hall: Hall) -> None:
    hall.write(ADDRESS, "JOIN verdun", name=LOCAL)
    hall.write("gil@players.test", "WHO verdun")
    told = hall.said("gil@players.test")
    assert "Player 2" in told
    assert LOCAL not in told


def test_a_name_that_was_told_or_set_is_used(hall: Hall) -> None:
    hall.write(ADDRESS, "JOIN verdun", name="Hanako")
    assert "The others see you as Hanako." in hall.said(ADDRESS)
    hall.write(ADDRESS, f"SET NAME {LOCAL}")
    assert f"The others see you as {LOCAL}." in hall.said(ADDRESS)
    hall.write("ada@players.test", "WHO verdun")
    assert LOCAL in hall.said("ada@players.test")


def test_no_letter_of_a_whole_opening_tells_a_part_of_an_address(hall: Hall) -> None:
    addresses = {power: f"{power.lower()}.{LOCAL}@example.org" for power in POWERS}
    hall.write("gil@players.test", "CREATE ypres", name="Gil")
    for power, address in addresses.items():
        hall.write(address, f"JOIN ypres AS {power}", "SET LANGUAGE ja" if power == "RUSSIA" else "SET MAPS none")
    hall.agree(address)
    france = addresses["FRANCE"]
    hall.write(france, "PRESS ypres TO ITALY: Hello", "WHO ypres", "PRESS ypres TO ALL: Bonjour")
    hall.write(france, "RESIGN ypres")
    hall.agree(france)
    for address in (*addresses.values(), "gil@players.test"):
        others = [f"{power.lower()}.{LOCAL}" for power in addresses if addresses[power] != address]
        told = hall.said(address)
        assert told
        assert not [name for name in others if name in told]
        if address == france:
            assert "the player of Italy" in told


@only_sqlite
@pytest.mark.parametrize(
    ("mail", "kept"),
    [
        ("Subject: x\n\nJOIN verdun", False),
        (f"Subject: x\n\nSET NAME {LOCAL}", True),
        (f"Subject: x\n\nplease\nset my name: {LOCAL}\n", True),
        (f"Subject: x\nContent-Type: text/plain; charset=utf-8\n\n名前 {LOCAL}\n", True),
        (f"Subject: x\n\nMy mail program writes {LOCAL}", False),
        (f"From: {LOCAL}\nContent-Type: nonsense/\n", False),
    ],
)
def test_migration_takes_names_back_that_were_made_of_addresses(tmp_path: Path, mail: str, kept: bool) -> None:  # noqa: FBT001
    file = make_old_file(tmp_path / "judge.sqlite3")
    with closing(sqlite3.connect(file)) as database:
        (person,) = database.execute("SELECT min(id) FROM person").fetchone()
        database.execute("UPDATE person SET address = ?, name = ? WHERE id = ?", (ADDRESS, LOCAL, person))
        database.execute("UPDATE inbox SET person = NULL")
        database.execute(
            "UPDATE inbox SET person = ?, content = ? WHERE id = (SELECT min(id) FROM inbox)",
            (person, pack(mail.encode())),
        )
        database.execute("UPDATE person SET name = 'Ada' WHERE name = 'ada'")
        database.commit()
    migrate(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as database:
        after = dict(database.execute("SELECT address, name FROM person"))
    assert after == {ADDRESS: LOCAL if kept else "", "ada@players.test": "Ada", "ben@players.test": ""}
