"""Pictures attached to press: which of them arrive, and what they then contain."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage, Message
from io import BytesIO

import pytest
from PIL import Image

from tests.database import store_in_memory
from tests.office import JUDGE, World, begun, text

SECRET = b"Hanako Sato"
_GPS, _ORIENTATION, _MAKER = 0x8825, 0x0112, 0x010F


def drawing(size: tuple[int, int] = (64, 32), color: str = "navy") -> Image.Image:
    """Return a picture whose left half has another color."""
    image = Image.new("RGB", size, "white")
    image.paste(color, (0, 0, size[0] // 2, size[1]))
    return image


def noise(size: tuple[int, int]) -> Image.Image:
    return Image.effect_noise(size, 90).convert("RGB")


def photograph(width: int, height: int) -> Image.Image:
    """Return a picture of many colors without sharp edges."""
    bands = [Image.effect_noise((width // 8, height // 8), 90) for _ in "RGB"]
    return Image.merge("RGB", bands).resize((width, height))


def written(image: Image.Image, kind: str, **wishes: object) -> bytes:
    content = BytesIO()
    image.save(content, kind, **wishes)
    return content.getvalue()


def telling_jpeg() -> bytes:
    """Return a photograph with place and author in its metadata, lying on its side."""
    exif = Image.Exif()
    exif[_ORIENTATION], exif[_MAKER] = 6, SECRET.decode()
    exif.get_ifd(_GPS)[1] = "N"
    return written(drawing((64, 32)), "JPEG", exif=exif, comment=SECRET, quality=95) + SECRET


def telling_png() -> bytes:
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    info.add_text("Author", SECRET.decode())
    return written(drawing(), "PNG", pnginfo=info) + SECRET


def moving_gif() -> bytes:
    frames = [drawing(color=color) for color in ("navy", "red", "green")]
    return written(frames[0], "GIF", save_all=True, append_images=frames[1:], comment=SECRET)


def bomb(width: int, height: int) -> bytes:
    """Return a PNG that claims to be huge."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IDAT", zlib.compress(b"\0" * 1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + body + chunk(b"IEND", b"")


def many_scans() -> bytes:
    """Return a JPEG with hundreds of scans."""
    whole = written(drawing(), "JPEG", progressive=True)
    start = whole.rindex(b"\xff\xda")
    return whole[:start] + whole[start:-2] * 300 + whole[-2:]


@dataclass(frozen=True)
class Row:
    """One file attached to press."""

    name: str
    kind: str
    make: Callable[[], bytes]
    arrives_as: str = ""
    """Its content type on arrival; "" if it does not arrive."""
    size: tuple[int, int] = (64, 32)
    said: str = "Only pictures go along"


PICTURES = [
    Row("map.png", "image/png", lambda: written(drawing(), "PNG"), "image/png"),
    Row("author.png", "image/png", telling_png, "image/png"),
    Row("gps.jpg", "image/jpeg", telling_jpeg, "image/", (32, 64)),
    Row("moving.gif", "image/gif", moving_gif, "image/png"),
    Row("one.webp", "image/webp", lambda: written(drawing(), "WEBP", exif=b"Exif\0\0" + SECRET), "image/"),
    Row("label.jpg", "image/jpeg", lambda: written(drawing(), "PNG"), "image/png"),
    Row("nameless.png", "application/octet-stream", lambda: written(drawing(), "PNG"), "image/png"),
    Row(
        "large.jpg",
        "image/jpeg",
        lambda: written(photograph(2400, 1800), "JPEG", quality=60),
        "image/jpeg",
        (1600, 1200),
    ),
    Row("glass.png", "image/png", lambda: written(Image.new("RGBA", (9, 9), (0, 0, 0, 0)), "PNG"), "image/png", (9, 9)),
    Row("grey.png", "image/png", lambda: written(drawing().convert("LA"), "PNG"), "image/png"),
    Row("print.jpg", "image/jpeg", lambda: written(drawing().convert("CMYK"), "JPEG"), "image/"),
    Row("cut.png", "image/png", lambda: written(noise((200, 200)), "PNG")[:9000]),
    Row("cut.jpg", "image/jpeg", lambda: written(noise((200, 200)), "JPEG")[:300]),
    Row("empty.png", "image/png", lambda: b""),
    Row("text.png", "image/png", lambda: b"A Par - Bur"),
    Row("photo.heic", "image/heic", lambda: b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 500),
    Row("scan.tiff", "image/tiff", lambda: written(drawing(), "TIFF")),
    Row("drawn.svg", "image/svg+xml", lambda: b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
    Row("plan.pdf", "application/pdf", lambda: b"%PDF-1.4 " + SECRET),
    Row("orders.txt", "text/plain", lambda: b"A Par - Bur"),
    Row("scans.jpg", "image/jpeg", many_scans),
    Row("bomb.png", "image/png", lambda: bomb(60_000, 60_000), said="too large"),
    Row("wide.png", "image/png", lambda: bomb(4_000_000, 3), said="too large"),
]


@dataclass
class Table:
    """France and Germany, who have begun to talk."""

    world: World
    letter: Message
    told: list[Message] = field(default_factory=list)
    """The letters of the judge to France."""
    content: bytes = b""
    """France's last mail."""

    def mail(self, words: str, *files: tuple[str, str, bytes], html: str = "", inline: bool = False) -> str:
        """Answer Germany's letter as France; return what the judge tells France."""
        self.world.number += 1
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = "cho@players.test", str(self.letter["Reply-To"]), "Re: press"
        mail["In-Reply-To"] = str(self.letter["Message-ID"])
        mail["Message-ID"] = f"<with-a-picture-{self.world.number}@players.test>"
        mail.set_content(words + "\n")
        if html:
            mail.add_alternative(html, subtype="html")
        for name, kind, content in files:
            mail.add_attachment(content, *kind.split("/"), filename=name)
            if inline:
                part = list(mail.iter_parts())[-1]
                part.replace_header("Content-Disposition", f'inline; filename="{name}"')
                part["Content-ID"] = f"<{name}>"
        self.content = mail.as_bytes()
        self.world.arrive(self.content, str(mail["To"]), str(mail["From"]))
        return self.hear()

    def hear(self) -> str:
        """Return what the judge has told France since."""
        self.told = self.world.box.take("cho")
        return " ".join(" ".join(text(one).split()) for one in self.told)

    def arrived(self, whom: str = "dan") -> list[tuple[Message, list[Message]]]:
        """Take the letters to a person, each with its pictures."""
        letters = self.world.box.take(whom)
        return [(one, [part for part in one.walk() if part.get_content_maintype() == "image"]) for one in letters]


@pytest.fixture(scope="module")
def opened() -> tuple[World, Message]:
    world = begun(World(store_in_memory()))
    world.reply("dan", "PRESS TO France: shall we?")
    (letter,) = world.box.take("cho")
    world.box.letters = []
    return world, letter


@pytest.fixture
def table(opened: tuple[World, Message]) -> Table:
    before, letter = opened
    return Table(before.apart(), letter)


@pytest.mark.parametrize("row", PICTURES, ids=lambda row: row.name)
def test_a_file_attached_to_press(table: Table, row: Row) -> None:
    told = table.mail("Look at this.", (row.name, row.kind, row.make()))
    ((letter, pictures),) = table.arrived()
    assert "Look at this." in text(letter)
    assert row.name in told
    assert SECRET not in letter.as_bytes()
    assert row.name.encode() not in letter.as_bytes()
    if not row.arrives_as:
        assert row.said in told, told
        assert not pictures
        return
    assert "went along" in told, told
    (part,) = pictures
    assert part.get_content_type().startswith(row.arrives_as)
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    assert SECRET not in content
    with Image.open(BytesIO(content)) as image:
        assert image.size == row.size
        assert getattr(image, "n_frames", 1) == 1
        assert not image.getexif()
        assert not {"exif", "comment", "icc_profile", "xmp", "Author"} & set(image.info)


def test_a_picture_is_upright(table: Table) -> None:
    table.mail("Look.", ("gps.jpg", "image/jpeg", telling_jpeg()))
    ((_, (part,)),) = table.arrived()
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    with Image.open(BytesIO(content)) as image:
        above, below = (image.convert("RGB").getpixel((16, y)) for y in (4, 60))
    assert isinstance(above, tuple)
    assert isinstance(below, tuple)
    assert sum(above) < 300 < sum(below)


def test_ten_pictures_are_four_and_small_enough(table: Table) -> None:
    content = written(photograph(700, 700), "JPEG", quality=20)
    told = table.mail("Ten.", *((f"photo{n}.jpg", "image/jpeg", content + bytes([n])) for n in range(10)))
    ((letter, pictures),) = table.arrived()
    assert len(letter.as_bytes()) < 2_000_000
    assert len(pictures) == 1  # they show the same
    assert "four pictures at most: photo4.jpg photo5.jpg" in told


def test_four_large_pictures_are_smaller_than_a_letter_may_be(table: Table) -> None:
    files = [(f"photo{n}.jpg", "image/jpeg", written(noise((600, 400 + n)), "JPEG", quality=75)) for n in range(4)]
    table.mail("Four.", *files)
    ((letter, pictures),) = table.arrived()
    assert len(pictures) == 4
    assert len({part.get_filename() for part in pictures}) == 4
    assert len(letter.as_bytes()) < 1_300_000


PNG = ("map.png", "image/png", written(drawing(), "PNG"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("A Par - Bur", "may be for me"),
        ("Fine.\n\nDRAW", "may be for me"),
    ],
)
def test_what_is_asked_about_sends_no_picture(table: Table, words: str, said: str) -> None:
    told = table.mail(words, PNG)
    assert said in told
    assert "map.png" not in told
    assert not table.arrived()
    (question,) = table.told
    table.world.mail("cho", "YES PRESS", to=str(question["Reply-To"]), answers=question)
    assert "went along with your press, without their metadata: map.png" in table.hear()
    ((_, pictures),) = table.arrived()
    assert len(pictures) == 1


ALONE = "(a picture without words)"


@pytest.mark.parametrize("words", ["", "\n\n> shall we?\n", "-- \nCho"])
def test_a_picture_alone_is_a_letter(table: Table, words: str) -> None:
    told = table.mail(words, PNG)
    assert "went along with your press, without their metadata: map.png" in told
    assert "no words" not in told
    ((letter, pictures),) = table.arrived()
    assert ALONE in text(letter)
    assert len(pictures) == 1


def test_a_picture_alone_is_introduced_in_its_reader_s_language(table: Table) -> None:
    table.world.reply("dan", "SET LANGUAGE Japanese")
    table.world.box.letters = []
    table.mail("", PNG)
    ((letter, pictures),) = table.arrived()
    assert "(画像のみ)" in text(letter)
    assert len(pictures) == 1


@pytest.mark.parametrize(
    ("name", "make", "said"),
    [
        ("cut.png", lambda: written(noise((200, 200)), "PNG")[:9000], "Only pictures go along"),
        ("bomb.png", lambda: bomb(60_000, 60_000), "too large"),
        ("large.jpg", lambda: b"\xff\xd8\xff" + b"x" * 5_000_000, "too large"),
        ("plan.pdf", lambda: b"%PDF", "Only pictures go along"),
    ],
)
def test_nothing_is_sent_if_the_only_picture_cannot_be(
    table: Table, name: str, make: Callable[[], bytes], said: str
) -> None:
    kind = "application/pdf" if name.endswith("pdf") else "image/png"
    told = table.mail("", (name, kind, make()))
    assert said in told
    assert name in told
    assert "There were no words to send" in told
    assert not table.arrived()


def test_a_picture_alone_that_is_refused_is_not_sent(table: Table) -> None:
    table.world.reply("gil", "CLOSE PRESS because of the insults")
    table.world.box.letters = []
    assert "your letter was not sent: map.png" in table.mail("", PNG)
    assert not table.arrived()


def test_a_picture_alone_that_answers_no_press_goes_to_nobody(table: Table) -> None:
    told = of_the_report(table, "", PNG)
    assert "no text of its own" in told
    assert not [one for whom in ("dan", "eva", "gil") for one in table.arrived(whom)]


def of_bytes(size: int) -> bytes:
    """Return a photograph of about this many bytes; the padding behind its end is ignored."""
    return written(photograph(1600, 1200), "JPEG", quality=60).ljust(size, b"x")


@dataclass(frozen=True)
class Large:
    """A mail that is large because of its files."""

    files: tuple[tuple[str, str, int], ...]
    """Name, content type and bytes of each file."""
    arrive: int
    told: tuple[str, ...]


LARGE = {
    "a photograph": Large((("a.jpg", "image/jpeg", 4_800_000),), 1, ("went along", "a.jpg")),
    "a larger one": Large((("a.jpg", "image/jpeg", 8_000_000),), 0, ("may have 5 MB", "smaller: a.jpg")),
    "one of each": Large(
        (("a.jpg", "image/jpeg", 8_000_000), ("b.jpg", "image/jpeg", 900_000)), 1, ("metadata: b.jpg", "smaller: a.jpg")
    ),
    "several": Large(
        tuple((f"{name}.jpg", "image/jpeg", 2_000_000) for name in "abc"),
        2,
        ("metadata: a.jpg b.jpg", "smaller: c.jpg"),
    ),
    "of no kind": Large((("a.jpg", "application/octet-stream", 8_000_000),), 0, ("smaller: a.jpg",)),
    "no picture": Large((("a.pdf", "application/pdf", 9_000_000),), 0, ("Only pictures go along", "a.pdf")),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_mail_that_is_large_because_of_its_files_is_read(table: Table, name: str) -> None:
    row = LARGE[name]
    told = table.mail("Look.", *((name, kind, of_bytes(size)) for name, kind, size in row.files))
    ((letter, pictures),) = table.arrived()
    assert "Look." in text(letter)
    assert len(pictures) == row.arrive
    for words in row.told:
        assert words in told


def test_orders_count_in_a_mail_that_is_large_because_of_a_photograph(table: Table) -> None:
    told = of_the_report(table, "A Par - Bur", ("orders.jpg", "image/jpeg", of_bytes(8_000_000)))
    assert "A Par - Bur" in told.replace("PAR", "Par").replace("BUR", "Bur")
    assert "I don't read attachments" in told
    assert "orders.jpg" in told


def test_what_is_left_out_is_not_stored(table: Table) -> None:
    table.mail("Look.", ("a.jpg", "image/jpeg", of_bytes(8_000_000)), PNG)
    with table.world.parts.store.work() as work:
        kept = [work.inbox.get(row["id"]) for row in work.inbox.latest(100)]
    assert kept
    assert all(one is not None and len(one.raw.content) < 100_000 for one in kept)


def test_a_large_mail_that_comes_twice_is_one(table: Table) -> None:
    table.mail("Look.", ("a.jpg", "image/jpeg", of_bytes(8_000_000)))
    table.world.arrive(table.content, str(table.letter["Reply-To"]), "cho@players.test")
    assert len(table.arrived()) == 1


def test_a_text_that_is_too_large_is_refused_once(table: Table) -> None:
    told = table.mail("Look. " * 200_000, PNG)
    assert len(table.told) == 1
    assert "too large" in told
    assert not table.arrived()


OWN = '<div>Look: <img src="cid:map.png"></div>'
QUOTED = '<div>Fine.</div><blockquote type="cite"><div>The board <img src="cid:map.png"></div></blockquote>'
SAID = "<div>Fine.</div><div>On Monday, the judge wrote:</div><div>The board</div><img alt=\"\" src='cid:map.png'>"
HEAD = "<b>From:</b> judge@localhost<br><b>Sent:</b> Monday<br><b>To:</b> Cho<br><b>Subject:</b> Map"
OUTLOOK = f"<div>Fine.</div><div>{HEAD}</div><p>The board</p><img src=cid:map.png>"


@pytest.mark.parametrize(("html", "count"), [(OWN, 1), (QUOTED, 0), (SAID, 0), (OUTLOOK, 0)])
def test_a_picture_within_a_quotation_is_not_its_sender_s(table: Table, html: str, count: int) -> None:
    table.mail("Fine.", PNG, html=html, inline=True)
    ((_, pictures),) = table.arrived()
    assert len(pictures) == count


def of_the_report(table: Table, words: str, *files: tuple[str, str, bytes]) -> str:
    """Answer the report as France; return what the judge tells France."""
    letter, table.letter = table.letter, table.world.reports["cho"]
    told = table.mail(words, *files)
    table.letter = letter
    return told


def test_of_several_letters_nobody_knows_whose_the_picture_is(table: Table) -> None:
    told = of_the_report(table, "PRESS TO Italy: one\nEND PRESS\nPRESS TO Germany: two\nEND PRESS", PNG)
    assert "I can't tell which one it belongs to. Please send it with one letter: map.png" in told
    assert not [pictures for whom in ("dan", "eva") for _, pictures in table.arrived(whom) if pictures]


def test_a_picture_goes_to_all_readers_and_to_nobody_else(table: Table) -> None:
    of_the_report(table, "PRESS TO Italy, Germany\nThis is the plan.\nEND PRESS\nA Par - Bur", PNG)
    assert [len(table.arrived(whom)[0][1]) for whom in ("dan", "eva")] == [1, 1]
    assert not table.arrived("bob")


@pytest.mark.parametrize("words", ["A Par - Bur", "STATUS", "NOTE: Italy has kept her word.", "No idea yet."])
def test_of_what_is_no_press_no_picture_is_named(table: Table, words: str) -> None:
    told = of_the_report(table, words, PNG)
    assert "map.png" not in told


def test_press_that_is_refused_takes_no_picture(table: Table) -> None:
    table.world.reply("gil", "CLOSE PRESS because of the insults")
    table.world.box.letters = []
    told = table.mail("Look.", PNG)
    assert "your letter was not sent: map.png" in told
    assert not table.arrived()


@pytest.mark.parametrize("is_answer", [False, True], ids=["answers nothing", "answers press, but names others only"])
def test_an_unproved_picture_waits_for_its_sender(table: Table, *, is_answer: bool) -> None:
    table.letter = letter_like(table.letter, is_answer=is_answer)
    asked = table.mail("PRESS TO Germany: look." if not is_answer else "Look.", PNG)
    assert "map.png" not in asked
    assert not table.arrived()
    (question,) = table.told
    table.world.mail("cho", "YES", to=str(question["Reply-To"]), answers=question)
    ((_, pictures),) = table.arrived()
    assert len(pictures) == 1


def letter_like(letter: Message, *, is_answer: bool) -> Message:
    """Return a letter to be answered, for one of two cases.

    The reply either answers press but goes to Dan alone, or goes to the judge and answers no mail of ours.
    """
    found = Message()
    found["Reply-To"] = "dan@players.test" if is_answer else JUDGE
    found["Message-ID"] = str(letter["Message-ID"]) if is_answer else "<nothing@players.test>"
    return found


def test_nobody_gets_pictures_without_end(table: Table) -> None:
    for _ in range(30):
        assert "went along" in table.mail("Look.", PNG)
    assert "sent many pictures" in table.mail("Look.", PNG)
    letters = table.arrived()
    assert len(letters) == 31
    assert [len(pictures) for _, pictures in letters] == [1] * 30 + [0]


def test_a_japanese_player_hears_it_in_japanese(table: Table) -> None:
    table.world.reply("cho", "SET LANGUAGE Japanese")
    table.world.box.letters = []
    told = table.mail("ご覧ください。", PNG, ("計画.pdf", "application/pdf", b"%PDF"))
    assert "発言と一緒にお届けしました: map.png" in told
    assert "次のものはお届けしていません: 計画.pdf" in told
