"""The private addresses of powers: who may write to them, and who reads it.

Also how mail programs use them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.message import EmailMessage, Message
from io import BytesIO
from pathlib import Path

import pytest
from icalendar.parser import Contentlines
from PIL import Image

from judge.games.seats import held_by
from judge.mail.contacts import Contact, contacts_file
from judge.mail.proof import parse_reply_address, power_address, power_written_to
from judge.resources import boards
from judge.rules import load_map
from judge.service.engine.assemble import TOKENS
from tests.composers import COMPOSERS, has_neomutt, recipient_of
from tests.database import store_in_memory
from tests.office import JUDGE, NAMES, PASS, TITLES, Office, World, address, address_book, begun, text

TOKEN = "abcdefghijklmnopqrst"


@pytest.fixture(scope="module")
def opened() -> World:
    return begun(World(store_in_memory()))


@pytest.fixture
def playing(opened: World) -> World:
    """Return a game that has just started."""
    return opened.apart()


def books(world: World) -> Mapping[str, Mapping[str, str]]:
    """Map each player and power to the address at which the player writes to it."""
    found = {name: address_book(world.reports[name]) for name in NAMES}
    return {name: {title.removesuffix(" – ardennes"): to for title, to in book.items()} for name, book in found.items()}


def test_every_player_has_one_for_each_other_power_and_one_for_all(playing: World) -> None:
    found = books(playing)
    for name, own in zip(NAMES, TITLES, strict=True):
        assert [*found[name]] == [*(title for title in TITLES if title != own), "All"]
        report = text(playing.reports[name])
        assert all(f"{whom} <{to}>" in " ".join(report.split()) for whom, to in found[name].items())
    everything = [to for book in found.values() for to in book.values()]
    assert len(set(everything)) == len(everything)
    assert not address_book(playing.reports["gil"])


def test_the_part_before_the_at_is_never_too_long() -> None:
    """Even with long names, local parts have at most 64 letters (RFC 5321 §4.5.3.1.1)."""
    powers = [str(power) for board in boards() for power in load_map(board).powers]
    assert powers
    for whom in (*powers, "all", "The Most Serene Republic of Venice", "ロシア"):
        for judge in ("judge@example.org", "diplomacy-club.mail@example.org"):
            made = power_address(judge, "a" * 16, whom, TOKEN)
            assert len(made.partition("@")[0]) <= 64
            assert parse_reply_address(judge, made) is not None
            assert power_written_to(judge, made) == ("a" * 16, TOKEN)


def test_no_other_address_is_taken_for_one() -> None:
    for other in (f"judge+ardennes.{TOKEN}@localhost", f"judge+ardennes--press.{TOKEN}@localhost", JUDGE):
        assert power_written_to(JUDGE, other) is None


def test_the_cards_are_read_by_a_second_parser(playing: World) -> None:
    names = ("Italy; and, all", "オーストリア・ハンガリー帝国とその友人たちのための専用アドレス – ardennes")
    made = contacts_file("x", [Contact(f"{number}", name, "a@b.test") for number, name in enumerate(names)])
    assert (made.filename, made.content_type) == ("x.vcf", "text/vcard; charset=utf-8")
    assert all(len(line) <= 75 for line in made.content.split(b"\r\n"))
    lines = [line.parts() for line in Contentlines.from_ical(made.content.decode()) if line]  # type: ignore[no-untyped-call]
    shown = [value.replace("\\;", ";").replace("\\,", ",") for name, _, value in lines if name == "FN"]
    assert shown == list(names)
    assert [value for name, _, value in lines if name == "EMAIL"] == ["a@b.test"] * 2
    cards = [part for part in playing.reports["cho"].walk() if part.get_content_type() == "text/vcard"]
    assert [part.get_filename() for part in cards] == ["ardennes-addresses.vcf"]


@dataclass(frozen=True)
class Sending:
    """A mail to addresses in the address book of cho, who plays France."""

    to: tuple[str, ...]
    goes_to: tuple[str, ...] = ()
    """The people who get a letter of press."""
    told: str = ""
    """What cho is told."""
    sender: str = "cho"
    owner: str = "cho"
    hidden: tuple[str, ...] = ()
    """The recipients in Bcc."""
    signed: bool = False
    at_once: bool = False
    """Whether the mail comes once for all recipients."""
    body: str = "Hello there."


SENDINGS = {
    "one": Sending(("Italy",), ("eva",), "Sent to Italy."),
    "two are a room": Sending(("Italy", "Germany"), ("eva", "dan"), "Sent to Italy, Germany."),
    "all": Sending(("All",), ("ada", "ben", "dan", "eva", "fay", "gus", "gil"), "Sent to everybody"),
    "one and all": Sending(("Italy", "All"), ("ada", "ben", "dan", "eva", "fay", "gus", "gil"), "Sent to everybody"),
    "in Bcc alone": Sending((), ("eva",), "Sent to Italy.", hidden=("Italy",)),
    "one beside another in Bcc": Sending(
        ("Italy",), (), "stood in Bcc beside others", hidden=("Germany",), at_once=True
    ),
    "two in Bcc": Sending((), (), "stood in Bcc beside others", hidden=("Italy", "Germany"), at_once=True),
    "beside one that is nobody's": Sending(("Italy", f"judge+ardennes--to-x.{TOKEN}@localhost"), (), "is not yours"),
    "of another game": Sending(("Italy", f"judge+verdun--to-italy.{TOKEN}@localhost"), (), "do not go together"),
    "beside the judge": Sending(("Italy", JUDGE), ("eva",), "Sent to Italy."),
    "beside a friend elsewhere": Sending(("Italy", "friend@elsewhere.test"), ("eva",), "Sent to Italy."),
    "another player's": Sending(("Italy",), (), owner="dan", told="is not yours"),
    "another player's, signed": Sending(("Italy",), (), owner="dan", told="is not yours", signed=True),
    "an order at its head": Sending(("Italy",), (), "YES PRESS", body="A PAR - BUR\nHello there."),
    "a command at its end": Sending(("Italy",), (), "YES PRESS", body="Hello there.\nREADY"),
    "an order within": Sending(
        ("Italy",), ("eva",), "Sent to Italy.", body="I thought of this:\nA PAR - BUR\nand you go on."
    ),
    "an order of others": Sending(("Italy",), ("eva",), "Sent to Italy.", body="Hello there.\nA VEN - TYR"),
    "an answer": Sending(("Italy",), ("eva",), "Sent to Italy.", body="Hello there. YES"),
}


@pytest.mark.parametrize("case", SENDINGS)
def test_a_mail_to_private_addresses(playing: World, case: str) -> None:
    sending, book = SENDINGS[case], books(playing)
    to, hidden = ([book[sending.owner].get(one, one) for one in some] for some in (sending.to, sending.hidden))
    headers = {"Authentication-Results": PASS} if sending.signed else {}
    write(playing, sending.sender, to, sending.body, hidden=hidden, at_once=sending.at_once, **headers)
    told = " ".join(" ".join(text(letter).split()) for letter in playing.box.take("cho"))
    assert sending.told in told
    assert press(playing) == set(sending.goes_to)
    assert not playing.orders("FRANCE")
    if sending.told == "is not yours" and not sending.signed:  # nothing unproved is sent back
        assert "Your letter, as it came" not in told


def write(
    world: World,
    name: str,
    to: list[str],
    body: str,
    *,
    hidden: list[str] | None = None,
    at_once: bool = False,
    **headers: str,
) -> None:
    """Deliver a mail once for each recipient of ours, or once for all.

    Postfix delivers once for each to an LMTP server.
    """
    world.number += 1
    mail = EmailMessage()
    mail["From"], mail["Subject"] = f"{name.title()} <{address(name)}>", ""
    mail["Message-ID"] = f"<{world.number}@players.test>"
    if to:
        mail["To"] = ", ".join(to)
    for header, value in headers.items():
        mail[header] = value
    mail.set_content(body)
    ours = [one for one in (*to, *(hidden or [])) if one.endswith("@localhost")]
    for recipients in [", ".join(ours)] if at_once else ours:
        world.arrive(mail.as_bytes(), recipients, address(name))


def press(world: World) -> set[str]:
    """Return the people who got a letter of press."""
    return {to.split("@")[0] for to, letter in world.box.letters if "--press." in str(letter["Reply-To"])}


def test_a_mail_that_comes_once_for_each_address_is_sent_and_answered_once(playing: World) -> None:
    book = books(playing)["cho"]
    write(playing, "cho", [book["Italy"], book["Germany"]], "Hello there.")
    assert len(playing.box.take("cho")) == len(playing.box.take("eva")) == len(playing.box.take("dan")) == 1


@pytest.mark.parametrize(("answer", "gets"), [("YES", {"eva"}), ("NO", set())])
def test_a_stranger_who_uses_an_address_is_asked_about_at_the_registered_one(
    playing: World, answer: str, gets: set[str]
) -> None:
    write(playing, "mallory", [books(playing)["cho"]["Italy"]], "I resign, Eva.")
    assert not playing.box.take("mallory")
    assert press(playing) == set()
    (asked,) = playing.box.take("cho")
    assert "I resign" not in text(asked)
    playing.mail("cho", answer, to=str(asked["Reply-To"]))
    assert press(playing) == gets


def test_a_stranger_learns_nothing_of_an_address_that_is_nobodys(playing: World) -> None:
    for game in ("ardennes", "verdun"):
        write(playing, "mallory", [f"judge+{game}--to-italy.{TOKEN}@localhost"], "Hello.\nREADY")
    told = " ".join(text(letter) for letter in playing.box.take("mallory"))
    assert "ardennes" not in told
    assert press(playing) == set()


def test_a_mail_written_to_others_proves_nothing(playing: World) -> None:
    """A filter of cho's passes on a mail that was written to another person."""
    write(playing, "cho", ["friend@elsewhere.test"], "Hello.", hidden=[books(playing)["cho"]["Italy"]])
    assert press(playing) == set()
    (asked,) = playing.box.take("cho")
    assert "+confirm." in str(asked["Reply-To"])


def test_an_answer_that_goes_to_one_more_is_a_room(playing: World) -> None:
    book = books(playing)
    write(playing, "eva", [book["eva"]["France"]], "Shall we?")
    (letter,) = playing.box.take("cho")
    playing.box.letters = []
    write(playing, "cho", [str(letter["Reply-To"]), book["cho"]["Germany"]], "With Germany, too.")
    assert press(playing) == {"dan", "eva"}


def test_the_address_of_a_vacant_seat_reaches_its_next_player(playing: World) -> None:
    book = books(playing)
    playing.signed("eva", "RESIGN")
    playing.box.letters = []
    write(playing, "cho", [book["cho"]["Italy"]], "Anybody there?")
    assert "Nobody plays Italy" in text(playing.box.take("cho")[0])
    playing.signed("hal", "TAKE OVER ardennes Italy")
    playing.box.letters = []
    write(playing, "cho", [book["cho"]["Italy"]], "Anybody there?")
    assert press(playing) == {"hal"}


def test_an_address_outlives_another_seat_of_its_reader(playing: World) -> None:
    """An address belongs to the seat that it writes to.

    A player who holds two seats and leaves one can still write there.
    """
    writer, game = playing.parts.intake.writer, playing.game()
    france, italy = game.seat(game.map.powers[2]), game.seat(game.map.powers[4])
    assert france.holder is not None
    both = game.with_seat(held_by(italy, france.holder))
    token = power_written_to(JUDGE, writer.address_to(game, france.holder, france, italy.power))
    assert token is not None
    assert writer.press_meant(token[1], both, france.holder) == writer.press_meant(token[1], game, france.holder)
    gone = both.with_seat(replace(france, holder=None, serial=france.serial + 1))
    assert writer.press_meant(token[1], gone, france.holder) is None


@pytest.mark.parametrize("settings", ["press: none", "press: public"])
def test_a_game_has_the_addresses_that_its_press_allows(settings: str) -> None:
    world = World()
    world.signed("gil", f"CREATE ardennes\ndeadline: 2 days\n{settings}")
    for name, power in zip(NAMES, TITLES, strict=True):
        world.signed(name, f"JOIN ardennes AS {power}")
    world.collect_reports()
    book = address_book(world.reports["cho"])
    assert [*book] == ([] if settings == "press: none" else ["All – ardennes"])
    assert ("--to-" in text(world.reports["cho"])) is bool(book)


def test_the_secret_may_be_changed_once(tmp_path: Path) -> None:
    """`judge rekey`: addresses made with the previous secret are good until the next change."""
    office = Office(tmp_path)
    office.open_game()
    writer, game = office.parts.intake.writer, office.game()
    seat = game.seat(game.map.powers[2])
    assert seat.holder is not None
    to = writer.address_to(game, seat.holder, seat, game.map.powers[4])
    for words, is_sent in (("first words", True), ("later words", False)):
        with office.parts.store.work() as work:
            work.change_secret(TOKENS)
            work.commit()
        office.stop()
        office.start()
        office.keep("france", words, to=to)
        office.settle()
        assert any(words in letter.text for letter in office.letters("italy@players.test")) is is_sent
    office.stop()


def test_pictures_go_along_and_alone(playing: World) -> None:
    content = BytesIO()
    Image.new("RGB", (40, 20), "navy").save(content, "PNG")
    for number, body in enumerate(("Look at this.\n", "")):
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = address("cho"), books(playing)["cho"]["Italy"], "A map"
        mail["Message-ID"] = f"<picture-{number}@players.test>"
        mail.set_content(body)
        mail.add_attachment(content.getvalue(), "image", "png", filename="plan.png")
        playing.arrive(mail.as_bytes(), str(mail["To"]), address("cho"))
        (letter,) = playing.box.take("eva")
        assert "A map" in str(letter["Subject"])
        assert body.strip() in text(letter)
        assert "image/png" in [part.get_content_type() for part in letter.walk()]


PROGRAMS = [
    pytest.param(name, marks=pytest.mark.skipif(name == "neomutt" and not has_neomutt(), reason="no neomutt"))
    for name in COMPOSERS
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_mail_program_writes_to_a_power_by_the_link_of_the_report(
    playing: World, tmp_path: Path, program: str
) -> None:
    to = books(playing)["cho"]["Italy"]
    (href,) = {f"mailto:{to.replace('+', '%2B')}"} & set(links(playing.reports["cho"]))
    mail = COMPOSERS[program](href, lambda _: "Shall we leave Tyrolia empty?\nI would like that.\n", tmp_path)
    assert recipient_of(href) == to
    playing.arrive(mail, to, address("cho"))
    (letter,) = playing.box.take("eva")
    assert "Shall we leave Tyrolia empty? I would like that." in " ".join(text(letter).split())
    assert "Sent to Italy" in text(playing.box.take("cho")[0])


def links(letter: Message) -> list[str]:
    html = next(part for part in letter.walk() if part.get_content_type() == "text/html").get_payload(decode=True)
    assert isinstance(html, bytes)
    return [one.partition('"')[0] for one in html.decode().split('href="')[1:]]
