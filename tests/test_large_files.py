"""Large files are cut out of a mail before parsing, and nothing else is."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.identity import head_and_body, identity_and_message_id
from judge.mail.large_files import MAX_PICTURES, MAX_SIZE, MAX_WHOLE, lightened, to_be_kept
from judge.mail.letters import Letter
from tests import mail_reader

HEAD = b"From: cho@players.test\r\nTo: judge@localhost\r\nMessage-ID: <1@players.test>\r\nMIME-Version: 1.0\r\n"
MIXED = b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n'
WORDS = b"--b\r\nContent-Type: text/plain\r\n\r\nA Par - Bur\r\n"
BEHIND = b"--b\r\nContent-Type: text/plain\r\n\r\nF Bre - Mao\r\n--b--\r\n"


def encoded(size: int) -> bytes:
    return base64.encodebytes(b"picture " * (size // 8)).replace(b"\n", b"\r\n")


def part(
    size: int, kind: bytes = b"image/jpeg", encoding: bytes = b"base64", body: bytes = b"", name: bytes = b"a.jpg"
) -> bytes:
    disposition = b'Content-Disposition: attachment; filename="%s"\r\n' % name
    head = b"--b\r\nContent-Type: %s\r\nContent-Transfer-Encoding: %s\r\n" % (kind, encoding)
    return head + disposition + b"\r\n" + (body or encoded(size))


def mixed(*parts: bytes) -> bytes:
    return HEAD + MIXED + WORDS + b"".join(parts) + BEHIND


def read(content: bytes) -> Letter:
    return mail_reader.read(to_be_kept(content))


BOTH = "A Par - Bur\n\nF Bre - Mao"
INNER = mixed(part(9_000_000)).removeprefix(HEAD).replace(b'"b"', b'"c"').replace(b"--b", b"--c")


@dataclass(frozen=True)
class Row:
    """A mail and its reading."""

    make: Callable[[], bytes]
    defect: str = ""
    pictures: tuple[int, ...] = ()
    """The sizes of the pictures in bytes."""
    left_out: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


ROWS = {
    "a small picture": Row(lambda: mixed(part(800)), pictures=(800,)),
    "a large one": Row(lambda: mixed(part(4_000_000)), pictures=(4_000_000,)),
    "line ends of one letter": Row(lambda: mixed(part(4_000_000)).replace(b"\r\n", b"\n"), pictures=(4_000_000,)),
    "one beyond the limit": Row(lambda: mixed(part(9_000_000)), left_out=("a.jpg",)),
    "two that are beyond it together": Row(
        lambda: mixed(part(3_000_000), part(3_000_000, name=b"b.jpg"), part(1_000_000, name=b"c.jpg")),
        pictures=(3_000_000, 1_000_000),
        left_out=("b.jpg",),
    ),
    "within a part of parts": Row(lambda: mixed(b"--b\r\n" + INNER), left_out=("a.jpg",)),
    "a large file that is none": Row(lambda: mixed(part(9_000_000, b"application/pdf")), unread=("a.jpg",)),
    "a film": Row(lambda: mixed(part(9_000_000, b"video/mp4")), unread=("a.jpg",)),
    "a large text": Row(lambda: mixed(part(2_000_000, b"text/plain")), "too-big"),
    "a large JSON file": Row(lambda: mixed(part(2_000_000, b"application/json")), "too-big"),
    "a large mail in a mail": Row(lambda: mixed(part(2_000_000, b"message/rfc822")), "too-big"),
    "not in base64": Row(lambda: mixed(part(0, encoding=b"8bit", body=b"x" * 2_000_000 + b"\r\n")), "too-big"),
    "words in what says it is base64": Row(
        lambda: mixed(part(0, body=encoded(2_000_000) + b"A Mar - Spa\r\n")), "too-big"
    ),
    "too large as a whole": Row(lambda: mixed(part(9_000_000), part(9_000_000), part(9_000_000)), "too-big"),
    "a large text beside a picture": Row(
        lambda: mixed(b"--b\r\nContent-Type: text/plain\r\n\r\n" + b"A Mar - Spa\r\n" * 90_000, part(9_000_000)),
        "too-big",
    ),
    "more lines of hyphens than are looked at": Row(
        lambda: mixed(b"--b\r\nContent-Type: text/plain\r\n\r\n" + b"--\r\n" * 9_000, part(9_000_000)), "too-big"
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_what_is_read_of_a_large_mail(name: str) -> None:
    row = ROWS[name]
    letter = read(row.make())
    assert letter.defect == row.defect
    assert tuple(len(one.content) for one in letter.pictures) == row.pictures
    assert letter.left_out == row.left_out
    assert letter.unread_parts == row.unread
    if not row.defect:
        assert "A Par - Bur" in letter.text
        assert "F Bre - Mao" in letter.text


def test_a_mail_that_is_nothing_but_a_picture() -> None:
    letter = read(HEAD + b"Content-Type: image/jpeg\r\nContent-Transfer-Encoding: base64\r\n\r\n" + encoded(4_000_000))
    assert [len(one.content) for one in letter.pictures] == [4_000_000]
    assert not letter.defect


@pytest.mark.parametrize("name", ROWS)
def test_what_is_kept_is_bounded_and_says_the_same(name: str) -> None:
    content = ROWS[name].make()
    kept = to_be_kept(content)
    assert len(kept) <= MAX_SIZE + MAX_PICTURES * 3 // 2
    assert lightened(kept).is_too_big or to_be_kept(kept) == kept
    assert head_and_body(kept)[0]["From"] == "cho@players.test"
    assert lightened(content).is_too_big <= lightened(kept).is_too_big


@pytest.mark.parametrize("size", [0, 800, 60_000, 400_000])
def test_of_a_mail_as_it_mostly_is_all_is_kept(size: int) -> None:
    content = mixed(part(size))
    assert to_be_kept(content) is content


@pytest.mark.parametrize(
    "header", [b"X-Judge-Lifted: 7", b"X-Judge-Lifted: -1", b"X-Judge-Lifted: \xb2", b"X-Judge-Left-Out: x"]
)
def test_nothing_comes_of_headers_of_ours_that_others_write(header: bytes) -> None:
    letter = read(mixed(part(800).replace(b"\r\n", b"\r\n" + header + b"\r\n", 1)))
    assert "A Par - Bur" in letter.text


LINES = st.lists(
    st.sampled_from(
        (b"--b", b"--b--", b"--c", b"", b"A Par - Bur", b"Content-Type: image/png", b"Content-Type: text/plain",
         b"Content-Transfer-Encoding: base64", b"QUJD" * 15_000, b"QUJD" * 15_000 + b"\r\n" + b"QUJD", b"-")
    ),
    max_size=25,
)  # fmt: skip


@given(LINES, st.sampled_from((b"\n", b"\r\n")), st.booleans())
def test_no_word_is_cut_out(lines: list[bytes], end: bytes, is_mixed: bool) -> None:  # noqa: FBT001
    content = HEAD + (MIXED if is_mixed else b"") + end.join(lines)
    light = lightened(content)
    assert light.content.count(b"A Par - Bur") == content.count(b"A Par - Bur")
    plain, rest = message_from_bytes(content), message_from_bytes(light.content)
    assert [one.get_content_type() for one in plain.walk()] == [one.get_content_type() for one in rest.walk()]
    for whole, cut in zip(plain.walk(), rest.walk(), strict=True):
        if not whole.is_multipart():
            assert light.body_of(cut) == (whole.get_payload(decode=True) or b"")


HOSTILE = {
    "a photograph": lambda: mixed(part(17_000_000)),
    "hyphens": lambda: mixed(b"\n--" * 8_000_000),
    "line ends": lambda: mixed(b"\n" * 24_000_000),
    "heads": lambda: mixed(b"--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n" * 280_000),
    "a thousand files": lambda: mixed(*[part(36_000)] * 480),
    "one line": lambda: mixed(b"x" * 24_000_000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_large_mail_is_cheap(name: str) -> None:
    """No mail may cost more than half a second.

    The least of several measurements counts.
    """
    content = HOSTILE[name]()
    assert MAX_WHOLE * 0.7 < len(content) <= MAX_WHOLE
    times = []
    for _ in range(3):
        before = time.process_time()
        identity_and_message_id(*head_and_body(content))
        read(content)
        times.append(time.process_time() - before)
    assert min(times) < 0.4
