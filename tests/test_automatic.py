"""Automatic mail is stored and not answered.

A seat's secret address makes its orders count.
"""

from __future__ import annotations

from email.message import EmailMessage, Message

from tests.office import JUDGE, World, address, playing, world

__all__ = ["playing", "world"]


def automatic(world: World, name: str, body: str, to: str, *, envelope_from: str, **headers: str) -> None:
    world.number += 1
    message = EmailMessage()
    message["From"] = address(name)
    message["To"] = to
    message["Subject"] = "orders"
    message["Message-ID"] = f"<{world.number}@players.test>"
    for header, value in (headers or {"Auto-Submitted": "auto-replied"}).items():
        message[header] = value
    message.set_content(body)
    world.arrive(message.as_bytes(), to, envelope_from)


def secret(report: Message) -> str:
    return str(report["Reply-To"])


def test_orders_to_the_seats_secret_address_count_without_an_answer(playing: World) -> None:
    playing.box.letters.clear()
    to = secret(playing.reports["cho"])
    automatic(playing, "cho", "A Par - Bur\nA Xyz H", to, envelope_from=address("cho"))
    assert playing.orders("FRANCE") == ["A PAR - BUR"]
    assert playing.box.letters == []


def test_the_phase_the_mail_names_counts_as_well(playing: World) -> None:
    to = secret(playing.reports["cho"])
    automatic(playing, "cho", "PHASE F1901M\nA Par - Bur", to, envelope_from=address("cho"))
    assert playing.orders("FRANCE") == []


def test_whatever_makes_it_automatic(playing: World) -> None:
    playing.box.letters.clear()
    to = secret(playing.reports["cho"])
    for header, order in (("X-Autoreply", "A PAR H"), ("List-Id", "A PAR - BUR"), ("Precedence", "A PAR - PIC")):
        automatic(playing, "cho", order, to, envelope_from=address("cho"), **{header: "list"})
        assert playing.orders("FRANCE") == [order]
    assert playing.box.letters == []


def test_a_null_sender_orders_nothing(playing: World) -> None:
    playing.box.letters.clear()
    automatic(playing, "cho", "A Par - Bur", secret(playing.reports["cho"]), envelope_from="")
    assert playing.orders("FRANCE") == []
    assert playing.box.letters == []


WITHOUT_TOKEN = {
    "no token": ("cho", JUDGE, False),
    "a Message-ID": ("cho", JUDGE, True),
    "another's token": ("dan", "cho", False),
    "a stranger": ("mal", "cho", False),
    "the master has no seat": ("gil", "gil", False),
}


def test_without_the_seats_own_token_it_is_only_filed(playing: World) -> None:
    playing.box.letters.clear()
    for why, (name, to, answers) in WITHOUT_TOKEN.items():
        recipient = secret(playing.reports[to]) if to in playing.reports else to
        headers = {"Auto-Submitted": "auto-replied"}
        if answers:
            headers["In-Reply-To"] = str(playing.reports[name]["Message-ID"])
        automatic(playing, name, "A Par - Bur\nA Mun H", recipient, envelope_from=address(name), **headers)
        assert playing.orders("FRANCE") == playing.orders("GERMANY") == [], why
        assert playing.box.letters == [], why


def test_a_robot_gives_orders_and_nothing_else(playing: World) -> None:
    to = secret(playing.reports["cho"])
    automatic(playing, "cho", "A Par H", to, envelope_from=address("cho"))
    automatic(playing, "cho", "CLEAR\nREADY\nSET NAME Robot\nCREATE verdun\nA Mar H", to, envelope_from=address("cho"))
    assert playing.orders("FRANCE") == ["A PAR H", "A MAR H"]
    with playing.parts.store.work() as work:
        person = work.people.by_address(address("cho"))
        assert person is not None
        assert person.name != "Robot"
        assert work.games.get("verdun") is None
        assert work.inbox.counts().keys() == {"done"}


def test_an_out_of_office_that_quotes_the_report_orders_nothing(playing: World) -> None:
    playing.reply("cho", "A Par - Bur")
    report = playing.reports["cho"]
    quoted = "\n".join(f"> {line}" for line in ("Your units", "  A PAR -", "  A PAR H"))
    automatic(playing, "cho", f"I am away until Monday.\n{quoted}", secret(report), envelope_from=address("cho"))
    assert playing.orders("FRANCE") == ["A PAR - BUR"]
