"""Running games of other judges are adopted from their reports.

Each file of `tests/adoption` holds a text, and below `=====` the lines that are read of it; `?` begins a line that is
not understood. `python -m tests.test_adoption` rewrites what is read.
"""

from __future__ import annotations

import re
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage, Message
from pathlib import Path
from textwrap import wrap

import pytest

from judge.budget import Budget
from judge.commands import Language
from judge.games.game import GameState
from judge.language.adoption import Amiss, Fault, amiss_in, in_lines, position_on, read_sheet
from judge.mail.letters import RawMail
from judge.mail.reading import MailReader
from judge.reports.catalogs import catalog_of
from judge.rules.map import load_map
from judge.rules.position import Position, Power
from judge.service.talk.vocabulary import VOCABULARY
from tests.database import store_in_memory
from tests.office import JUDGE, NAMES, PASS, TITLES, World, address, begun, text

FOLDER = Path(__file__).parent / "adoption"
_READ = "\n\n=====\n"
NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
FILES = sorted(FOLDER.glob("*.txt"))
ENGLAND = "England: F LON, A YOR; centers: LON, EDI; ben@players.test"
FRANCE = "France: A PAR, F BRE; centers: PAR, BRE; cho@players.test"
WORDS = f"Phase: Fall 1903\n{ENGLAND}\n{FRANCE}"
assert FILES, FOLDER


def read(written: str) -> str:
    """Return what is read of a text, as it stands in the files."""
    sheet = read_sheet(written, Budget())
    return "\n".join([in_lines(replace(sheet, unread=())), *(f"? {line.text}" for line in sheet.unread)])


def faults(written: str, *, is_foggy: bool = False) -> dict[Amiss, Fault]:
    """Return what is amiss in a text, by kind."""
    sheet = read_sheet(written, Budget())
    groups = load_map(sheet.board).setup_for("").assignments
    return {fault.kind: fault for fault in amiss_in(sheet, is_foggy=is_foggy, groups=groups)}


def raw(message: Message) -> RawMail:
    """Return a mail as it arrives."""
    return RawMail(message.as_bytes(), "test", NOON, address("gil"), (JUDGE,))


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_what_is_read(file: Path) -> None:
    written, _, expected = file.read_text("utf-8").partition(_READ)
    assert read(written) == expected.strip("\n")


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_what_is_shown_is_read_as_the_same(file: Path) -> None:
    sheet = read_sheet(file.read_text("utf-8").partition(_READ)[0], Budget())
    assert read_sheet(in_lines(sheet), Budget()) == sheet


@pytest.mark.parametrize("language", ["en", "ja", "de"])
@pytest.mark.parametrize("name", ["movement-observer", "movement-dislodged"])
@pytest.mark.parametrize("form", ["txt", "html"])
def test_our_own_reports(name: str, language: str, form: str) -> None:
    written = (FOLDER.parent / "reports" / f"{name}.{language}.{form}").read_text("utf-8")
    if form == "html":
        message = EmailMessage()
        message["From"], message["To"] = "gil@players.test", JUDGE
        message.set_content(written, subtype="html")
        letter = MailReader(frozenset([JUDGE]), VOCABULARY).read(raw(message))
        written = letter.text
    assert read(written).splitlines() == [
        "Phase: S1901R",
        "ENGLAND: units: A BEL, F ENG, F NTH; centers: EDI, LON, LVP",
        "FRANCE: units: F BRE, A MUN, A RUH; centers: BRE, MAR, PAR",
        "GERMANY: units: F KIE, A SIL; dislodged: A MUN from BUR to BER, BOH, TYR; centers: BER, KIE, MUN",
    ]


@pytest.mark.parametrize(
    ("written", "kind", "forbids"),
    [
        (f"{ENGLAND}\n{FRANCE}", Amiss.NO_PHASE, True),
        ("Phase: Fall 1903\nEngland: centers: LON", Amiss.NO_UNITS, True),
        ("Phase: Fall 1903\nEngland: F LON", Amiss.NO_CENTERS, True),
        (f"{WORDS}\nRussia: F STP; centers: STP", Amiss.COAST, True),
        (f"{WORDS}\nRussia: A BAR; centers: STP", Amiss.STAND, True),
        (f"{WORDS}\nRussia: F MOS; centers: STP", Amiss.STAND, True),
        (f"{WORDS}\nRussia: A LON; centers: STP", Amiss.TWO_UNITS, True),
        (f"{WORDS}\nRussia: A MOS; centers: LON, STP", Amiss.TWO_OWNERS, True),
        (f"{WORDS}\nRussia: A MOS; centers: UKR, STP", Amiss.NO_CENTER, True),
        (f"{WORDS}\nRussia: A MOS; dislodged: A WAR from GAL to UKR; centers: MOS, WAR", Amiss.LOST, True),
        (WORDS.replace("1903", "1903 retreats"), Amiss.NONE_LOST, True),
        ("Phase: Fall 1903 retreats\nRussia: A MOS; dislodged: A WAR; centers: MOS, WAR", Amiss.ORIGIN, True),
        ("Phase: Fall 1903 retreats\nRussia: A MOS; dislodged: A WAR from SPA; centers: MOS, WAR", Amiss.BROKEN, True),
        (WORDS.replace("Fall", "Winter"), Amiss.NOTHING_DUE, True),
        (f"{WORDS}\nRussia: A MOS; centers: MOS; ben@players.test", Amiss.TWICE, True),
        (f"{WORDS}\nRussia: A MOS, A WAR; centers: MOS", Amiss.MANY, False),
        (f"{WORDS}\nRussia: fay@players.test", Amiss.OUT_WITH_PLAYER, False),
        (f"{WORDS}\nRussia: A MOS; centers: MOS", Amiss.NO_PLAYER, False),
        (f"{WORDS}\nRussia: A Moskwau; centers: MOS", Amiss.UNREAD, False),
        (WORDS, Amiss.OUT, False),
    ],
)
def test_what_is_amiss(written: str, kind: Amiss, *, forbids: bool) -> None:
    found = faults(written)
    assert kind in found
    assert found[kind].forbids is forbids
    assert any(fault.forbids for fault in found.values()) is forbids


def test_every_kind_of_fault_has_words() -> None:
    for language in Language:
        catalog = catalog_of(language.value)
        assert [kind for kind in Amiss if f"adopt-amiss-{kind.value}" not in catalog.messages] == []


def test_a_game_in_fog_is_not_adopted() -> None:
    assert Amiss.FOG in faults(WORDS, is_foggy=True)
    assert Amiss.FOG not in faults(WORDS)


def test_retreats_that_a_text_does_not_tell_are_all_that_are_open() -> None:
    sheet = read_sheet("Fall 1903 retreats\nRussia: A MOS; dislodged: A WAR from GAL; centers: WAR", Budget())
    position = position_on(sheet)
    assert isinstance(position, Position)
    (loss,) = position.dislodged.values()
    assert loss.retreats == ("LVN", "PRU", "SIL", "UKR")


# What a mail may do


@pytest.fixture
def world() -> World:
    """Return a judge that knows gil and eva."""
    world = World(store_in_memory())
    for name in ("gil", "eva"):
        world.signed(name, "REGISTER")
    world.box.letters.clear()
    return world


def adopted(world: World, below: str, head: str = "ADOPT ardennes") -> Message:
    """Let gil mail the text of a game, with proof; return the answer."""
    world.mail("gil", f"{head}\n{below}", Authentication_Results=PASS)
    (receipt,) = world.box.take("gil")
    assert world.box.letters == []  # nobody else is written to before the yes
    return receipt


def says(letter: Message) -> str:
    """Return the words of a letter in one line."""
    return " ".join(text(letter).split())


def answer(world: World, letter: Message, name: str, words: str) -> list[Message]:
    """Let a person answer a letter; return what they get."""
    world.mail(name, words, to=str(letter["Reply-To"] or JUDGE), answers=letter)
    return list(world.box.take(name))


def games(world: World) -> list[str]:
    """Return the names of all games."""
    with world.parts.store.work() as work:
        return [name for name in ("ardennes", "verdun", "evil") if work.games.get(name) is not None]


def test_nothing_in_the_text_is_done(world: World) -> None:
    evil = "CREATE evil\nSTART\nERASE ME\nEND\nquit\n-- \nYES\n> CREATE verdun\nLIST\nPRESS TO France\n"
    receipt = adopted(world, f"{evil}\n{WORDS}\n{evil}\nEND ADOPT")
    assert games(world) == []
    assert "England: F LON, A YOR; centers: LON, EDI; ben@players.test" in says(receipt)
    answer(world, receipt, "gil", "YES")
    assert games(world) == ["ardennes"]


def test_what_stands_below_the_end_is_done(world: World) -> None:
    receipt = adopted(world, f"{WORDS}\nEND ADOPT\nLIST", "Dear judge,\n\nADOPT ardennes")
    assert "ardennes, as I read it" in says(receipt)
    assert "LIST =" in says(receipt)


def test_a_long_text(world: World) -> None:
    filling = "\n".join(f"> Broadcast {number}: a big dispute, an army of lawyers" for number in range(2000))
    quoted = "\n".join(f"> {line}" for line in WORDS.splitlines())
    receipt = adopted(world, f"{filling}\n{quoted}\nEND ADOPT")
    assert len(filling) > 100_000
    assert "England: F LON, A YOR; centers: LON, EDI; ben@players.test" in says(receipt)
    assert "Answer YES" in says(receipt)


@pytest.mark.parametrize(
    "line",
    [
        " " * 12_000 + "x",
        "a@" * 1_000,
        "deadline: a" + " " * 12_000 + "b",
        "Position Fall 1902\n" + f"{'> A BUR - MUN,' * 20}\n" * 400,
    ],
    ids=["blanks", "addresses", "setting", "lines that go on"],
)
def test_a_text_made_to_be_slow_costs_no_more_than_an_ordinary_one(line: str) -> None:
    def taken(text: str) -> float:
        begun = time.process_time()
        read_sheet(text, Budget())
        return time.process_time() - begun

    ordinary = "Position Fall 1902\n" + "England: F Nth, A Lon, F Edi\n" * 400
    taken(ordinary)  # the words are loaded
    assert taken(line) < taken(ordinary)


def test_a_text_beyond_the_budget_is_not_read_to_its_end(world: World) -> None:
    receipt = adopted(world, f"{'> A BUR - MUN, A PAR - BUR, F BRE - MAO' * 40}\n" * 300 + f"{WORDS}\nEND ADOPT")
    assert "I could not fully read the line" in says(receipt)
    assert games(world) == []


def test_a_mail_of_html_with_tables(world: World) -> None:
    rows = "".join(
        f"<tr><td>{power}</td><td>{units}</td><td>{centers}</td></tr>"
        for power, units, centers in [("England", "F LON, A YOR", "LON, EDI"), ("France", "A PAR, F BRE", "PAR, BRE")]
    )
    message = EmailMessage()
    message["From"], message["To"], message["Message-ID"] = "gil@players.test", JUDGE, "<html@players.test>"
    message["Authentication-Results"] = PASS
    message.set_content(f"<p>ADOPT ardennes</p><p>Fall 1903</p><table>{rows}</table><p>END ADOPT</p>", subtype="html")
    world.arrive(message.as_bytes(), JUDGE, address("gil"))
    (receipt,) = world.box.take("gil")
    assert "England: F LON, A YOR; centers: LON, EDI" in says(receipt)


def test_a_stranger_without_proof_gets_only_the_question_whether_the_mail_is_theirs(world: World) -> None:
    world.mail("hal", f"ADOPT ardennes\n{WORDS}\nEND ADOPT")
    (asked,) = world.box.take("hal")
    assert "+confirm." in str(asked["Reply-To"])
    assert "players.test" not in says(asked)
    assert "LON" not in says(asked)
    assert world.box.letters == []
    assert games(world) == []


@pytest.mark.parametrize("words", ["YES", "England: F EDI", "YES\nFrance: eva@players.test", "> England: F EDI"])
def test_the_letter_is_of_use_to_its_reader_alone(world: World, words: str) -> None:
    receipt = adopted(world, f"{WORDS}\nEND ADOPT")
    for letter in answer(world, receipt, "eva", words):
        assert "players.test" not in says(letter).replace("eva@players.test", "")
        assert "as I read it" not in says(letter)
    world.mail("gil", words, answers=receipt, Reply_To="eva@players.test", to="hal@players.test")  # not to the judge
    assert games(world) == []
    assert world.box.take("ben") == []


def test_a_yes_counts_once(world: World) -> None:
    receipt = adopted(world, f"{WORDS}\nEND ADOPT")
    assert "goes on here" in says(answer(world, receipt, "gil", "YES")[0])
    assert [len(world.box.take(name)) for name in ("ben", "cho")] == [1, 1]
    assert "There is a game “ardennes” already" in says(answer(world, receipt, "gil", "YES")[0])
    assert [len(world.box.take(name)) for name in ("ben", "cho")] == [0, 0]


def test_the_same_mail_twice_is_answered_once(world: World) -> None:
    content = world.mail("gil", f"ADOPT ardennes\n{WORDS}\nEND ADOPT", Authentication_Results=PASS)
    world.box.letters.clear()
    world.arrive(content, JUDGE, address("gil"))
    assert [one for one in world.box.letters if "as I read it" in says(one[1])] == world.box.letters
    assert games(world) == []


def test_an_answer_to_the_letter_may_mend_it_many_times(world: World) -> None:
    receipt = adopted(world, f"{WORDS}\nEND ADOPT")
    (mended,) = answer(world, receipt, "gil", "England: F EDI\n\nThanks, Gil")
    assert "England: F EDI; centers: LON, EDI; ben@players.test" in says(mended)
    (mended,) = answer(world, mended, "gil", "Phase: Spring 1904\nFrance: hal@players.test")
    assert "Phase: Spring 1904" in says(mended)
    assert "France: A PAR, F BRE; centers: PAR, BRE; hal@players.test" in says(mended)
    answer(world, mended, "gil", "YES")
    assert str(world.game().position.phase) == "S1904M"
    assert [one.address for one in world.game().invitations] == ["ben@players.test", "hal@players.test"]


def quoted(letter: Message, *changes: tuple[str, str]) -> str:
    """Return a letter as a mail program quotes it, with changes of its reader."""
    said = "\n".join(f"> {line}".rstrip() for line in text(letter).splitlines())
    for before, after in changes:
        assert before in said
        said = said.replace(before, after)
    return f"On Tue, Nov 24, 2026 at 12:00 the judge wrote:\n\n{said}"


@pytest.mark.parametrize("language", ["en", "ja", "de"])
@pytest.mark.parametrize("above", ["", "Thanks, Gil\n\n", "YES\n\n"])
def test_a_line_that_is_changed_in_the_quotation_counts(world: World, language: str, above: str) -> None:
    world.signed("gil", f"SET LANGUAGE {language}")
    receipt = adopted(world, f"{WORDS}\nEND ADOPT")
    (mended,) = answer(world, receipt, "gil", above + quoted(receipt, ("A PAR", "A BUR"), ("1903", "1904")))
    assert games(world) == []
    answer(world, mended, "gil", f"YES\n\n{quoted(mended)}")
    position = world.game().position
    assert {str(unit) for unit in position.units_of(Power("FRANCE"))} == {"A BUR", "F BRE"}
    assert {str(unit) for unit in position.units_of(Power("ENGLAND"))} == {"F LON", "A YOR"}
    assert str(position.phase) == "F1904M"


def test_a_line_that_is_changed_in_a_quotation_without_marks_counts(world: World) -> None:
    receipt = adopted(world, f"{WORDS}\nRussia: A Moskwau\nEND ADOPT")
    said = text(receipt).replace("A PAR", "A BUR").replace("1903", "1904")
    (mended,) = answer(world, receipt, "gil", f"Yes\n\nFrom: Judge <{JUDGE}>\nSent: Tuesday\nSubject: game\n\n{said}")
    assert "Phase: Fall 1904" in says(mended)
    assert "France: A BUR, F BRE; centers: PAR, BRE; cho@players.test" in says(mended)
    assert "“Russia: A Moskwau”" in says(mended)
    assert games(world) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("A PAR, F BRE", "A Parisburg"), True),
        (("France: A PAR", "France is fine: A PAR"), False),
        (("Out,", "No:"), False),
    ],
)
def test_a_yes_beside_a_line_that_is_changed_and_not_read_waits(
    world: World, change: tuple[str, str], *, told: bool
) -> None:
    receipt = adopted(world, f"{WORDS}\nEND ADOPT")
    (shown,) = answer(world, receipt, "gil", "YES\n\n" + quoted(receipt, change))
    assert ("could not fully read the line “France: A Parisburg; centers" in says(shown)) is told
    assert (games(world) == []) is told


def test_own_words_count_more_than_the_quotation(world: World) -> None:
    receipt = adopted(world, f"{WORDS}\nEND ADOPT")
    (mended,) = answer(world, receipt, "gil", "France: A GAS\n\n" + quoted(receipt, ("A PAR", "A BUR"), ("LON", "WAL")))
    assert "France: A GAS; centers: PAR, BRE; cho@players.test" in says(mended)
    assert "England: F WAL, A YOR" in says(mended)


@pytest.mark.parametrize("form", ["broken", "addresses", "html", "unmarked"])
def test_a_quotation_that_a_mail_program_writes_anew_changes_nothing(world: World, form: str) -> None:
    many = "Russia: A MOS, A WAR, A UKR, A GAL, A RUM, F SEV, F STP/SC; centers: MOS, WAR, SEV, STP, RUM, BUL, SER"
    receipt = adopted(world, f"{WORDS}\n{many}; fay@players.test\nEND ADOPT")
    message = EmailMessage()
    message["From"], message["To"], message["Message-ID"] = "gil@players.test", receipt["Reply-To"], "<r@players.test>"
    message["In-Reply-To"], message["Authentication-Results"] = receipt["Message-ID"], PASS
    said = quoted(receipt)
    match form:
        case "broken":
            said = "\n".join(
                f"> {part}" for line in said.splitlines() for part in wrap(line.removeprefix("> "), 40) or [""]
            )
        case "addresses":
            said = re.sub(r"(\w+@players\.test)", r"\1 <mailto:\1>", said)
        case "unmarked":
            said = f"From: judge <{JUDGE}>\nSent: Tuesday\nTo: Gil\nSubject: Re: game\n\n{text(receipt)}"
    if form == "html":
        (part,) = (one for one in receipt.walk() if one.get_content_type() == "text/html")
        payload = part.get_payload(decode=True)
        assert isinstance(payload, bytes)
        page = payload.decode()
        page = re.sub(r"(\w+@players\.test)", r'<a href="mailto:\1">\1</a>', page)
        message.set_content(f"<p>YES</p><p>The judge wrote:</p><blockquote>{page}</blockquote>", subtype="html")
    else:
        message.set_content(f"YES\n\n{said}")
    world.arrive(message.as_bytes(), JUDGE, address("gil"))
    assert "goes on here" in says(world.box.take("gil")[0])


@pytest.mark.parametrize(
    ("unread", "mended", "remains"),
    [
        ("Russia: A Moskwau; centers: MOS", "England: F EDI", True),
        ("Russia: A Moskwau; centers: MOS", "Russia: centers: MOS, WAR", True),
        ("Russia: A Moskwau; centers: MOS", "Russia: A MOS", False),
        ("Russia: F SEV; centers: Sevastopolis", "Russia: A MOS", True),
        ("Russia: F SEV; centers: Sevastopolis", "Russia: centers: SEV", False),
        ("Russia:\nA Moskwau\nF SEV", "Russia: fay@players.test", True),
        ("Russia:\nA Moskwau\nF SEV", "Russia: A MOS, F SEV", False),
    ],
)
def test_a_line_that_was_not_read_is_named_until_it_is_mended(
    world: World, unread: str, mended: str, *, remains: bool
) -> None:
    line = next(one for one in unread.splitlines() if "sk" in one or "Sevas" in one)
    told = f"I could not fully read the line “{line}”; what is missing above is left out."
    receipt = adopted(world, f"{WORDS}\n{unread}\nEND ADOPT")
    assert told in says(receipt)
    for words in (mended, "Turkey: F ANK", "Phase: Spring 1904"):
        (receipt,) = answer(world, receipt, "gil", words)
        assert (told in says(receipt)) is remains
    answer(world, receipt, "gil", "YES")
    assert str(world.game().position.phase) == "S1904M"


def test_a_line_that_mends_and_is_not_read_is_named_in_place_of_the_other(world: World) -> None:
    receipt = adopted(world, f"{WORDS}\nRussia: A Moskwau\nEND ADOPT")
    (receipt,) = answer(world, receipt, "gil", "England: F EDI\nRussia: A Moskau, A Warschawa")
    assert "“Russia: A Moskwau”" not in says(receipt)
    assert "“Russia: A Moskau, A Warschawa”" in says(receipt)
    assert "Russia: A MOS" in says(receipt)


@pytest.mark.parametrize(
    "below", ["", "\n", "\nRussia units: \nfoo: bar\n", "\nunits: A Moskwau\nMENDED\nLEFT UNREAD\nx"]
)
def test_the_judges_own_words_in_a_text_do_no_harm(world: World, below: str) -> None:
    receipt = adopted(world, f"{WORDS}\nLEFT UNREAD{below}\nEND ADOPT")
    assert "England: F LON, A YOR; centers: LON, EDI; ben@players.test" in says(receipt)


@pytest.mark.parametrize("language", ["en", "ja", "de"])
@pytest.mark.parametrize("phase", ["F1903R", "W1903A", "S1904M"])
def test_the_lines_that_are_shown_can_be_mailed_again(world: World, language: str, phase: str) -> None:
    lost = "; dislodged: A MUN from BUR to BER, BOH" if phase == "F1903R" else ""
    germany = f"Germany: units: F KIE, A BER{lost}; centers: BER, KIE, MUN; dan@players.test"
    world.signed("gil", f"SET LANGUAGE {language}")
    receipt = adopted(world, f"Phase: {phase}\n{ENGLAND}\n{germany}\nTurkey: none; centers: none\nEND ADOPT")
    _, _, shown = text(receipt).replace("\xa0", " ").partition("ADOPT ardennes")  # in short lines, as in a mail
    sheet = read_sheet(shown.partition("•")[0], Budget())
    assert in_lines(sheet).splitlines() == [
        f"Phase: {phase}",
        "ENGLAND: units: F LON, A YOR; centers: LON, EDI; ben@players.test",
        germany.replace("Germany", "GERMANY"),
        "TURKEY: units: none; centers: none",
    ]


def test_settings_stand_first(world: World) -> None:
    receipt = adopted(world, "board: modern\ndeadline: 5 days\nSpring 1996\nPoland: A War; centers: War\nEND ADOPT")
    assert "Poland: A WAR; centers: WAR" in says(receipt)
    answer(world, receipt, "gil", "YES")
    assert world.game().settings.map == "modern"
    assert world.game().settings.movement.length == timedelta(days=5)
    assert "board" in says(world.signed("gil", "SET board standard"))
    assert world.game().settings.map == "modern"


def test_wrong_settings_are_named(world: World) -> None:
    assert "deadline" in says(adopted(world, f"deadline: never ever\n{WORDS}\nEND ADOPT"))


def test_an_invitation_names_no_other_player(world: World) -> None:
    receipt = adopted(world, f"anonymous: yes\n{WORDS}\nEND ADOPT")
    answer(world, receipt, "gil", "YES")
    (invitation,) = world.box.take("ben")
    assert "cho@" not in says(invitation)
    assert "England" in says(invitation)
    assert "Fall 1903" in says(invitation)


def test_an_answer_to_press_is_never_one(world: World) -> None:
    world = begun(world)
    world.reply("cho", "PRESS TO Germany\nWhat shall we do?\nEND PRESS")
    (press,) = (letter for letter in world.box.take("dan") if "--press." in str(letter["Reply-To"]))
    world.box.letters.clear()
    (asked,) = answer(world, press, "dan", "Adopt caution\nor not?\n> What shall we do?")
    assert "What do you mean?" in says(asked)
    answer(world, asked, "dan", "YES PRESS")
    (letter,) = (one for one in world.box.take("cho") if "--press." in str(one["Reply-To"]))
    assert "Adopt caution or not?" in says(letter)
    assert "What shall we do?" not in says(letter)


@pytest.fixture
def forming(world: World) -> World:
    """Return a judge with an adopted game that waits for its players."""
    receipt = adopted(world, f"{WORDS}\nEND ADOPT")
    answer(world, receipt, "gil", "YES")
    return world


def test_a_setting_does_not_move_the_units(forming: World) -> None:
    before = forming.game().position
    forming.signed("gil", "SET deadline 7 days")
    assert forming.game().position == before
    assert forming.game().settings.movement.length == timedelta(days=7)


def test_powers_that_are_out_are_not_waited_for(forming: World) -> None:
    assert forming.game().seats_left == 2
    assert "kept for people who were invited" in says(forming.signed("eva", "JOIN ardennes AS Italy"))
    refusal = answer(forming, forming.box.take("ben")[0], "ben", "NO")
    assert refusal
    assert "eva" not in [one.address for one in forming.game().invitations]
    assert "Italy" in says(forming.signed("eva", "JOIN ardennes AS Italy"))
    assert forming.game().applicants == ()


def test_the_master_can_begin_without_those_who_are_missing_and_go_back(forming: World) -> None:
    forming.signed("ben", "JOIN ardennes")
    forming.signed("gil", "START")
    game = forming.game()
    assert game.state is GameState.ACTIVE
    assert str(game.position.phase) == "F1903M"
    assert game.seat(Power("FRANCE")).is_dummy
    forming.signed("gil", "UNSTART because cho is back")
    again = forming.game()
    assert again.state is GameState.FORMING
    assert again.position == game.position
    assert again.seats_left == 1


def test_a_game_of_that_name_is_not_overwritten(forming: World) -> None:
    before = forming.game()
    forming.box.letters.clear()
    assert "There is a game “ardennes” already" in says(adopted(forming, f"{WORDS}\nEND ADOPT"))
    assert forming.game() == before


if __name__ == "__main__":
    for one in FILES:
        above = one.read_text("utf-8").partition(_READ)[0]
        one.write_text(f"{above}{_READ}{read(above)}\n", "utf-8")


@pytest.mark.parametrize(
    "content", [b"{}", b"no json", b'{"position": {"phase": "S1901M", "units": {"FRANCE": ["A NOWHERE"]}}}']
)
def test_a_file_that_is_none_of_ours_is_named_and_nothing_done(world: World, content: bytes) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f"Gil <{address('gil')}>", JUDGE, "a game"
    mail["Message-ID"], mail["Authentication-Results"] = "<file@players.test>", PASS
    mail.set_content("ADOPT verdun\nFrance: cho@players.test\nEND ADOPT")
    mail.add_attachment(content, "application", "json", filename="report.json")
    world.arrive(mail.as_bytes(), JUDGE)
    (receipt,) = world.box.take("gil")
    assert "as I read it" not in says(receipt)
    assert games(world) == []


def with_report(world: World, way: str, words: str) -> Message:
    """Return a mail of gil with the file of the latest report."""
    report = world.reports["gil"]
    files = [part for part in report.walk() if part.get_content_type() == "application/json"]
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f"Gil <{address('gil')}>", JUDGE, "Fwd: a report"
    mail["Message-ID"], mail["Authentication-Results"] = f"<{way}@players.test>", PASS
    forwarded = f"\n---------- Forwarded message ---------\nFrom: Judge <{JUDGE}>\nSubject: a report\n\n{text(report)}"
    mail.set_content(f"{words}\nEND ADOPT\n{forwarded if way == 'forwarded' else ''}")
    if way == "forwarded as a file":
        mail.add_attachment(report)
    else:
        for file in files:
            content = file.get_payload(decode=True)
            assert isinstance(content, bytes)
            mail.add_attachment(content, "application", "json", filename=file.get_filename())
    return mail


@pytest.fixture
def reported() -> World:
    """Return a judge whose latest report tells of a dislodged unit."""
    world = begun(World(store_in_memory()))
    for germany, italy in (("A MUN - TYR", "A VEN H"), ("A TYR S A VEN - TRI", "A VEN - TRI")):
        world.reply(NAMES[TITLES.index("Germany")], germany)
        world.reply(NAMES[TITLES.index("Italy")], italy)
        world.pass_deadline()
        world.collect_reports()
    world.box.letters.clear()
    return world


@pytest.mark.parametrize("way", ["attached", "forwarded", "forwarded as a file"])
def test_the_file_of_a_report_is_adopted(reported: World, way: str) -> None:
    position = reported.game().position
    assert str(position.phase) == "F1901R"
    mail = with_report(reported, way, "ADOPT verdun\nAustria: ben@players.test\nFrance: hal@players.test")
    reported.arrive(mail.as_bytes(), JUDGE, address("gil"))
    (receipt,) = reported.box.take("gil")
    assert "Phase: Fall 1901 retreats" in says(receipt)
    assert "dislodged: F TRI from VEN to ADR, ALB" in says(receipt)
    assert "could not" not in says(receipt)
    (receipt,) = answer(reported, receipt, "gil", "France: cho@players.test")
    assert "cho@players.test" in says(receipt)
    answer(reported, receipt, "gil", "YES")
    with reported.parts.store.work() as work:
        game = work.games.get("verdun")
        assert game is not None
    assert game.position == position
    assert [one.address for one in game.invitations] == ["ben@players.test", "cho@players.test"]


def test_an_adopted_game_gets_no_fog_later(world: World) -> None:
    receipt = adopted(world, f"{WORDS}\nEND ADOPT")
    answer(world, receipt, "gil", "YES")
    refused = says(world.signed("gil", "SET fog adjacent"))
    assert "fog" in refused
    assert not world.game().settings.rules.fog.is_thick
