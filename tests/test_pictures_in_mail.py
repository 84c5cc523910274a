"""Maps in mails: drawn when a letter leaves, once for all readers.

They never hold up a letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from email.message import Message
from io import BytesIO

import pytest
from PIL import Image

from judge.mail.letters import LetterKind, Picture
from judge.reports.pictures import Look, PictureView, has_drawing
from judge.reports.pictures.compose import board_scene
from judge.reports.pictures.drawing import Drawing
from judge.reports.pictures.scene import Scene
from judge.resources import board_extended, boards
from judge.service.post import illustrating
from judge.service.post.pictures import drawable, drawn
from tests.database import store_in_memory
from tests.office import NAMES, OPERATOR, PASS, World, begun, text
from tests.soak import long_but

PNG = b"\x89PNG"


@pytest.fixture
def drawing() -> World:
    """Return a game that has just started, on a judge that draws."""
    return begun(World(store_in_memory(), draws=True))


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Count pictures instead of drawing them."""
    calls: list[object] = []

    def draw(*shown: object) -> bytes:
        calls.append(shown)
        return PNG

    monkeypatch.setattr(illustrating, "drawn", draw)
    return calls


def parts(letter: Message, kind: str) -> list[bytes]:
    payloads = [part.get_payload(decode=True) for part in letter.walk() if part.get_content_type() == kind]
    return [payload for payload in payloads if isinstance(payload, bytes)]


def html(letter: Message) -> str:
    (page,) = parts(letter, "text/html")
    return page.decode()


def next_phase(world: World) -> None:
    """Play a phase in which an army moves."""
    world.reply("cho", "A Par - Bur")
    world.pass_deadline()
    world.collect_reports()


def pictures_of(world: World, kind: LetterKind) -> Sequence[Picture]:
    """Return the pictures of the last letter of a kind."""
    return [one for one in world.letters() if one.kind is kind][-1].pictures


def test_a_report_holds_the_orders_played_and_the_position_after_them(drawing: World) -> None:
    (opening,) = parts(drawing.reports["cho"], "image/png")
    next_phase(drawing)
    report = drawing.reports["cho"]
    played, after = parts(report, "image/png")
    assert len({opening, played, after}) == 3
    assert all(picture.startswith(PNG) for picture in (opening, played, after))
    page = html(report)
    shown = [str(part["Content-ID"]).strip("<>") for part in report.walk() if part["Content-ID"]]
    assert [f'src="cid:{cid}"' in page for cid in shown] == [True, True]
    assert page.count('alt="') == 2
    assert page.partition('alt="')[2].partition('"')[0] == "Map of ardennes, Spring 1901: orders played."
    assert page.index("✓") < page.index("<img")  # the reader's own orders with their outcomes, then the board


@pytest.mark.parametrize("orders", ["", "A Par - Bur\nA Mar - Bur", "A Par H"], ids=["none", "standoff", "hold"])
def test_no_second_map_shows_what_the_first_one_does(drawing: World, orders: str) -> None:
    if orders:
        drawing.reply("cho", orders)
    drawing.pass_deadline()
    drawing.collect_reports()
    (played,) = parts(drawing.reports["cho"], "image/png")
    assert 'alt="Map of ardennes, Spring 1901: orders played."' in html(drawing.reports["cho"])
    assert played.startswith(PNG)


@pytest.mark.parametrize(("retreat", "maps"), [("A Mun R Ruh", 2), ("A Mun D", 1)])
def test_a_retreat_phase_in_which_nothing_moved_has_one_map_and_no_fronts(
    drawing: World, retreat: str, maps: int
) -> None:
    for mine, theirs in (("A Par - Bur", "A Vie - Tyr"), ("A Bur - Mun", "A Tyr S A Bur - Mun")):
        drawing.reply("cho", mine)
        drawing.reply("ada", theirs)
        drawing.pass_deadline()
        drawing.collect_reports()
    assert drawing.phase() == "F1901R"
    assert "the front of Austria" in html(drawing.reports["ada"])
    drawing.reply("dan", retreat)
    drawing.pass_deadline()
    drawing.collect_reports()
    assert drawing.phase() == "W1901A"
    assert len(parts(drawing.reports["ada"], "image/png")) == maps


def test_builds_are_drawn_on_the_board_that_they_leave(drawing: World) -> None:
    for orders in ("A Mar - Spa", "A Spa H", "A Mar B"):
        drawing.reply("cho", orders)
        drawing.pass_deadline()
        drawing.collect_reports()
    assert drawing.phase() == "S1902M"
    assert len(parts(drawing.reports["cho"], "image/png")) == 1
    assert "There was nothing for you to order." in text(drawing.reports["ben"])


def test_the_board_of_a_map_is_drawn_once_for_all_languages(drawing: World, monkeypatch: pytest.MonkeyPatch) -> None:
    boards: list[object] = []

    def scene(view: PictureView, drawing: Drawing, look: Look) -> Scene:
        boards.append(view)
        return board_scene(view, drawing, look)

    monkeypatch.setattr("judge.reports.pictures.drawn.board_scene", scene)
    for name, language in (("dan", "ja"), ("ben", "de")):
        drawing.mail(name, f"SET LANGUAGE {language}", to=str(drawing.reports[name]["Reply-To"]))
    next_phase(drawing)
    assert len(boards) == 2  # the orders and the position
    shown = [parts(drawing.reports[name], "image/png") for name in ("dan", "ben", "cho")]
    assert len({picture for report in shown for picture in report}) == 6
    assert len({Image.open(BytesIO(report[0])).crop((0, 0, 560, 480)).tobytes() for report in shown}) == 1


def test_players_whose_units_stand_beside_others_see_their_front_below_the_orders(drawing: World) -> None:
    next_phase(drawing)
    shown = {
        name: [Image.open(BytesIO(one)).size for one in parts(drawing.reports[name], "image/png")] for name in NAMES
    }
    fronts = {name for name, sizes in shown.items() if (352, 264) in sizes}
    assert fronts == {"ada", "eva"}  # Venice and Trieste
    assert all(shown[name][1] == (352, 264) for name in fronts)
    page = html(drawing.reports["ada"])
    told = [alt.partition('"')[0] for alt in page.split('alt="')[1:]]
    assert told == [
        "Map of ardennes, Spring 1901: orders played.",
        "Detail of the map, ardennes, Spring 1901: orders played: the front of Austria.",
        "Map of ardennes, Fall 1901.",
    ]
    own, other = (parts(drawing.reports[name], "image/png")[1] for name in sorted(fronts))
    assert own != other
    assert len(own) < 40_000


def test_a_picture_is_drawn_once_for_all_who_get_it(drawing: World, counted: list[object]) -> None:
    drawing.mail("ada", "SET LANGUAGE ja", to=str(drawing.reports["ada"]["Reply-To"]))
    next_phase(drawing)
    assert len(counted) == 6  # the orders and the position in two languages, two fronts
    assert all(len(parts(drawing.reports[name], "image/png")) >= 2 for name in NAMES)


def test_two_equal_maps_are_one(drawing: World, counted: list[object]) -> None:
    drawing.pass_deadline()  # no orders came, which leaves the board as it was
    drawing.collect_reports()
    assert len(counted) == 3  # the orders, and the fronts of two players
    assert all(len(parts(drawing.reports[name], "image/png")) == 1 for name in set(NAMES) - {"ada", "eva"})


def test_a_picture_that_is_drawn_again_is_the_same(drawing: World) -> None:
    next_phase(drawing)
    with drawing.parts.store.work() as work:
        again = [drawn(drawable(work, picture), picture) for picture in pictures_of(drawing, LetterKind.REPORT)]
    assert again == parts(drawing.reports["gus"], "image/png")


def test_what_cannot_be_drawn_keeps_no_report_and_is_told_once(drawing: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bytes:
        raise MemoryError("no room for a map")

    monkeypatch.setattr(illustrating, "drawn", fail)
    drawing.reply("cho", "A Par - Bur")
    drawing.box.letters.clear()
    drawing.pass_deadline()
    drawing.settle()
    told = [(to, letter) for to, letter in drawing.box.letters if "could not be drawn" in str(letter["Subject"])]
    assert (
        sorted(to for to, _ in told) == ["gil@players.test"] * 4 + [OPERATOR] * 4
    )  # the orders, the position, two fronts
    assert all("no room for a map" in text(letter) for _, letter in told)
    reports = [letter for _, letter in drawing.box.letters if "Supply centers" in text(letter)]
    assert len(reports) == 8
    assert not any("<img" in html(letter) or parts(letter, "image/png") for letter in reports)


def test_of_a_map_that_somebody_asked_for_the_operator_alone_hears(
    drawing: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise MemoryError("no room for a map")

    monkeypatch.setattr(illustrating, "drawn", fail)
    drawing.box.letters.clear()
    drawing.mail("cho", "WHATIF\nA Par - Pic\nEND WHATIF", to=str(drawing.reports["cho"]["Reply-To"]))
    drawing.settle()
    told = [(to, letter) for to, letter in drawing.box.letters if "could not be drawn" in str(letter["Subject"])]
    assert [to for to, _ in told] == [OPERATOR]
    assert "The answer to a mail went out without a picture" in " ".join(text(told[0][1]).split())
    assert "Re: game" not in text(told[0][1])


def test_a_judge_that_draws_nothing_sends_no_pictures() -> None:
    playing = begun(World(store_in_memory()))
    next_phase(playing)
    assert not parts(playing.reports["cho"], "image/png")
    assert "<img" not in html(playing.reports["cho"])


ASKED = {
    "MAP": ["before"],
    "MAP S1901M": ["played"],
    "地図 1901年春": ["played"],
    "MAP F1905M": [],
    "WHATIF\nA Par - Pic\nEND WHATIF": ["supposed"],
    "REPLAY": ["replay", "chart"],
    "再生": ["replay", "chart"],
    "STATUS": [],
}


@pytest.mark.parametrize(("asked", "shown"), ASKED.items(), ids=[asked.splitlines()[0] for asked in ASKED])
def test_questions_are_answered_with_pictures(
    drawing: World, counted: list[object], asked: str, shown: list[str]
) -> None:
    next_phase(drawing)
    counted.clear()
    receipt = drawing.reply("cho", asked)
    found = [str(part["Content-ID"]).strip("<>") for part in receipt.walk() if part["Content-ID"]]
    assert [cid.split("-")[1] for cid in found] == shown
    assert len(counted) == len(shown)
    assert html(receipt).count("<img") == len(shown)


def test_a_game_on_another_board_is_drawn_on_it() -> None:
    world = World(store_in_memory(), draws=True)
    world.signed("gil", "CREATE ardennes\nboard: isthmus\ndeadline: 2 days")
    for name, power in (("ada", "Nordia"), ("ben", "Solaria")):
        world.signed(name, f"JOIN ardennes AS {power}")
    world.settle()
    world.collect_reports("ada", "ben")
    assert len(parts(world.reports["ada"], "image/png")) == 1
    for asked in ("MAP", "WHATIF\nA PIN - HIG\nEND WHATIF", "SET RECEIPTS map\nA PIN H"):
        assert len(parts(world.reply("ada", asked), "image/png")) == 1, asked


def test_a_map_to_enlarge_is_attached(drawing: World) -> None:
    receipt = drawing.reply("cho", "MAP svg")
    (svg,) = parts(receipt, "image/svg+xml")
    assert svg.startswith(b"<svg")
    assert "Burgundy" in svg.decode()
    assert "<img" not in html(receipt)


def test_a_receipt_shows_the_orders_on_file_to_who_wants_it(drawing: World, counted: list[object]) -> None:
    assert not parts(drawing.reply("cho", "A Par - Bur"), "image/png")
    receipt = drawing.reply("cho", "SET RECEIPTS map\nA Mar - Spa")
    assert parts(receipt, "image/png") == [PNG]
    assert len(counted) == 1
    assert not parts(drawing.reply("dan", "A Mun - Bur"), "image/png")


def test_maps_come_as_their_reader_wants_them(drawing: World) -> None:
    drawing.reply("ada", "SET MAPS none")
    drawing.reply("ben", "図を暗くしてください")
    next_phase(drawing)
    assert [len(parts(drawing.reports[name], "image/png")) for name in ("ada", "ben", "cho")] == [0, 2, 2]
    assert "<img" not in html(drawing.reports["ada"])
    assert [html(drawing.reports[name]).count('<img class="bright"') for name in ("ben", "cho")] == [0, 2]
    dark, light = (parts(drawing.reports[name], "image/png")[1] for name in ("ben", "cho"))
    assert dark != light


def test_nothing_of_anybody_s_orders_stands_on_another_s_map(drawing: World) -> None:
    drawing.reply("dan", "A Mun - Bur")
    drawing.reply("cho", "SET RECEIPTS map\nA Par - Pic")
    (mine,) = pictures_of(drawing, LetterKind.REPLY)
    assert "A PAR - PIC" in mine.source
    assert "A MUN - BUR" not in mine.source


def test_a_board_without_a_drawing_has_no_pictures(drawing: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.service.post.pictures.has_drawing", lambda _: False)
    next_phase(drawing)
    assert not parts(drawing.reports["cho"], "image/png")
    assert not drawing.reply("cho", "MAP")["Content-ID"]
    assert "France" in text(drawing.reply("cho", "MAP"))


@pytest.mark.parametrize(
    ("language", "alt"),
    long_but({("ja", "地図: {} ")}, [("en", "Map of {}, "), ("ja", "地図: {} "), ("de", "Karte: {}, ")]),
)
def test_boards_come_with_a_small_picture_of_each(language: str, alt: str) -> None:
    world = World(draws=True)
    world.signed("ada", f"REGISTER Ada\nSET LANGUAGE {language}")
    world.mail("ada", "BOARDS", Authentication_Results=PASS)
    (letter,) = world.box.take("ada")
    shown = [name for name in boards() if has_drawing(name) and not board_extended(name)]
    assert len(parts(letter, "image/png")) == len(shown) > 5
    assert [name for name in shown if f'alt="{alt.format(name)}' not in html(letter)] == []
    assert len(letter.as_bytes()) < 200_000
