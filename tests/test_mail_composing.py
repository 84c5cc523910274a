"""Composed mails: safe headers, parts, and folded lines."""

from __future__ import annotations

import re
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage, Message
from typing import Any

import pytest

from judge.errors import JudgeError
from judge.mail.composing import compose, in_seven_bits
from judge.mail.headers import header_text, is_address
from judge.mail.identity import head_and_body, identity_and_message_id
from judge.mail.letters import Attachment, LetterKind, MailKind, Outgoing, Picture
from judge.reports.columns import flowed, width
from tests.mail_reader import JUDGE, NOON, read

SECRET = b"nobody knows"
LETTER = Outgoing(
    kind=LetterKind.REPLY,
    recipient="cho@players.test",
    message_id="<a@judge.test>",
    date=NOON,
    sender=JUDGE,
    reply_to="judge+ardennes.abc@judge.test",
    subject="[ardennes] Spring 1901",
    text="Hello\n",
)


def read_back(content: bytes) -> Message:
    return message_from_bytes(content, policy=policy.default)


HOSTILE = {
    "encoded-word": "=?utf-8?q?x=0ABcc=3A_evil=40x?=",
    "base64-word": "=?utf-8?b?eApCY2M6IGV2aWxAeA==?=",
    "word-within-a-word": "=?=?utf-8?q?utf-8?q?x=0ABcc=3A_evil=40x?=",
    "word-with-language": "=?utf-8*en?q?x=0D=0ABcc=3A_evil=40x?=",
    "line-feed": "x\nBcc: evil@x",
    "carriage-return": "x\rBcc: evil@x",
    "both": "x\r\nBcc: evil@x\r\n\r\nbody",
    "line-separator": "x\u2028Bcc: evil@x",
    "paragraph-separator": "x\u2029Bcc: evil@x",
    "next-line": "x\x85Bcc: evil@x",
    "form-feed": "x\x0cBcc: evil@x",
    "nul": "x\0Bcc: evil@x",
    "bidi": "x\u202ebcc",
    "half-a-character": "x\ud83dBcc: evil@x",
    "very-long": "x" * 5000 + "\nBcc: evil@x",
    "long-japanese": "巴里" * 500,
    "words-between-japanese": "春 =?utf-8?q?=0ABcc=3A_evil=40x?= 秋",
}


PNG = b"\x89PNG a map"
GIF = b"GIF89a a game"
ILLUSTRATED = replace(
    LETTER,
    html='<p>Hello <img src="cid:played-1@pictures" alt="x &gt; y"><img src="cid:replay-1@pictures" alt=""></p>',
    pictures=(Picture("played-1@pictures", "{}"), Picture("replay-1@pictures", "{}")),
)
DRAWN = {
    "both": ({"played-1@pictures": PNG, "replay-1@pictures": GIF}, ["image/png", "image/gif"]),
    "one": ({"replay-1@pictures": GIF}, ["image/gif"]),
    "none": ({}, []),
}


@pytest.mark.parametrize(("drawn", "types"), DRAWN.values(), ids=DRAWN)
def test_pictures_stand_within_the_html_and_one_that_is_not_drawn_is_left_out(
    drawn: dict[str, bytes], types: list[str]
) -> None:
    mail = read_back(compose(ILLUSTRATED, drawn))
    assert isinstance(mail, EmailMessage)
    plain, shown = mail.iter_parts()
    assert plain.get_content_type() == "text/plain"
    page, *images = shown.iter_parts() if types else [shown]
    assert [image.get_content_type() for image in images] == types
    assert {image["Content-ID"].strip("<>"): image.get_content() for image in images} == drawn
    html = page.get_content()
    assert [cid in html for cid in ("played-1@pictures", "replay-1@pictures")] == [
        picture.cid in drawn for picture in ILLUSTRATED.pictures
    ]
    assert html.count("<img") == len(types)
    assert "Hello" in html


@pytest.mark.parametrize(
    "content",
    [
        b"BEGIN:VCALENDAR\r\nDESCRIPTION:" + b"a long line, " * 30 + b"\r\nEND \r\n",
        b'{"orders": ["' + b"A MUN - BER, " * 30 + b'"]}\n',
        "N:Italien – ardennes = ä\r\n".encode() * 3,
        b"mixed\r\nends\nhere\r." * 9,
        "締切".encode() * 40,
        bytes(range(256)),
        b"",
    ],
    ids=["line ends of mails", "of Unix", "a few accents", "mixed", "Japanese", "binary", "nothing"],
)
def test_an_attached_file_arrives_byte_for_byte(content: bytes) -> None:
    letter = replace(LETTER, attachments=(Attachment("a.ics", "text/calendar; charset=utf-8", content),))
    written = compose(letter)
    assert max(map(len, written.split(b"\r\n"))) < 998
    assert b"\r\r" not in written
    (part,) = (part for part in read_back(written).walk() if part.get_filename())
    assert part.get_payload(decode=True) == content


def test_a_picture_with_a_file_name_is_attached() -> None:
    letter = replace(LETTER, html="<p>Hello</p>", pictures=(Picture("map@pictures", "{}", "map.svg"),))
    mail = read_back(compose(letter, {"map@pictures": b"<svg/>"}))
    assert isinstance(mail, EmailMessage)
    (attached,) = mail.iter_attachments()
    assert (attached.get_content_type(), attached.get_filename()) == ("image/svg+xml", "map.svg")
    assert attached.get_content() == b"<svg/>"
    assert compose(letter) == compose(replace(letter, pictures=()))


@pytest.mark.parametrize("foreign", HOSTILE.values(), ids=HOSTILE)
def test_no_foreign_text_becomes_a_header(foreign: str) -> None:
    content = compose(replace(LETTER, subject=f"Re: {foreign}"))
    head, _, body = content.partition(b"\r\n\r\n")
    names = {line.partition(b":")[0].lower() for line in head.split(b"\r\n") if not line.startswith((b" ", b"\t"))}
    assert b"bcc" not in names
    assert names >= {b"from", b"to", b"subject", b"date", b"message-id", b"mime-version"}
    assert body == b"Hello\r\n"
    assert read_back(content)["Bcc"] is None
    assert not {"\r", "\n"} & set(str(read_back(content)["Subject"]))


FIELDS = ("sender", "sender_name", "recipient", "reply_to", "message_id", "in_reply_to", "list_id", "unsubscribe")


@pytest.mark.parametrize("foreign", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("field", FIELDS)
def test_no_field_of_a_letter_lets_a_header_in(field: str, foreign: str) -> None:
    changed: dict[str, Any] = {field: foreign}
    try:
        content = compose(replace(LETTER, **changed))
    except (JudgeError, ValueError):
        return  # a refusal is fine, too
    assert message_from_bytes(content)["Bcc"] is None
    assert read_back(content)["Bcc"] is None


def test_the_same_letter_is_the_same_mail() -> None:
    letter = replace(LETTER, html="<p>パリ</p>", attachments=(Attachment("a.json", "application/json", b"{}"),))
    assert compose(letter) == compose(letter)
    assert message_from_bytes(compose(letter)).is_multipart()


@pytest.mark.parametrize(
    "subject",
    [
        "[ardennes] 1901年春",
        "【自動】パリ陸軍をブルゴーニュへ移動" * 4,
        "x" * 200,
        "Grüße – “A Par”",
        "a, b; c: <d> (e)",
    ],
)
def test_a_subject_comes_back_as_it_was(subject: str) -> None:
    content = compose(replace(LETTER, subject=subject))
    assert read_back(content)["Subject"] == subject
    assert max(map(len, content.split(b"\r\n"))) <= 998


@pytest.mark.parametrize(
    ("foreign", "shown"),
    [
        ("  a \t b\r\n c ", "a b c"),
        ("ｱﾙﾃﾞﾝﾇ", "ｱﾙﾃﾞﾝﾇ"),
        ("", ""),
        ("why =? what", "why = ? what"),
        ("y" * 300, "y" * 250),
    ],
)
def test_header_text(foreign: str, shown: str) -> None:
    assert header_text(foreign) == shown


def test_a_letter_is_a_mail_like_any_other() -> None:
    letter = replace(
        LETTER,
        kind=LetterKind.REPORT,
        text="パリ\n",
        html="<p>パリ</p>",
        attachments=(Attachment("ardennes-S1901M.json", "application/json", b'{"a": 1}'),),
        in_reply_to="<b@players.test>",
        references=("<b@players.test>", "<c@judge.test>"),
        list_id="ardennes.judge.test",
    )
    message = read_back(compose(letter))
    assert [part.get_content_type() for part in message.walk() if not part.is_multipart()] == [
        "text/plain",
        "text/html",
        "application/json",
    ]
    assert {name: message[name] for name in ("Auto-Submitted", "X-Loop", "List-Id", "References", "Reply-To")} == {
        "Auto-Submitted": "auto-generated",
        "X-Loop": JUDGE,
        "List-Id": "<ardennes.judge.test>",
        "References": "<b@players.test> <c@judge.test>",
        "Reply-To": "judge+ardennes.abc@judge.test",
    }
    assert read_back(compose(LETTER))["Auto-Submitted"] == "auto-replied"


PARAGRAPH = {
    "en": "Reply to this mail and complete these lines; lines left as they are do no harm. The last word counts.",
    "ja": "このメールに返信し、下の行の続きを書いてください。書かない行はそのままで構いません。",
}


@pytest.mark.parametrize("language", PARAGRAPH)
def test_a_paragraph_breaks_where_the_window_ends(language: str) -> None:
    """Programs that support RFC 3676 show whole paragraphs; others show lines of 72 columns."""
    text = f"{PARAGRAPH[language]}\n\n  A PAR - BUR\n> said\nFrom here\n"
    content = compose(replace(LETTER, text=flowed(text)))
    part = message_from_bytes(content)
    assert part.get_param("format") == "flowed"
    assert part.get_param("delsp") == "yes"
    shown = part.get_payload(decode=True)
    assert isinstance(shown, bytes)
    assert max(width(line) for line in shown.decode().splitlines()) <= 75
    letter = read(content.replace(b"X-Loop", b"X-Other").replace(b"Auto-Submitted", b"X-Automatic"))
    assert letter.text == text.rstrip("\n")


def test_words_of_japanese_are_not_broken() -> None:
    for line in flowed(PARAGRAPH["ja"]).split("\n")[1:]:
        assert not re.match("[ぁ-んー、。]", line), line


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Hello\n", "7bit"),
        ("✓ Grüße\n", "8bit"),
        ("パリ\n" * 500, "8bit"),
        ("パ" * 400 + "\n", "base64"),
        ("x" * 1200 + "\n", "base64"),
    ],
    ids=["ascii", "some-signs", "japanese", "long-japanese", "long"],
)
def test_a_text_can_be_read_in_the_mail_itself(text: str, encoding: str) -> None:
    letter = replace(LETTER, text=text, html=f"<p>{text}</p>")
    content = compose(letter)
    message = message_from_bytes(content)
    found = [part["Content-Transfer-Encoding"] for part in message.walk() if not part.is_multipart()]
    assert found == [encoding] * 2
    assert message["Content-Transfer-Encoding"] == ("8bit" if encoding == "8bit" else None)
    assert max(map(len, content.split(b"\r\n"))) <= 998
    seven = in_seven_bits(content)
    assert seven.isascii()
    for one, other in zip(message.walk(), message_from_bytes(seven).walk(), strict=True):
        assert one.get_payload(decode=True) == other.get_payload(decode=True)


@pytest.mark.parametrize("name", ["Diplomacy judge", "ディプロマシーのジャッジ", 'a "b" \\ <c@d>', ""])
def test_the_address_is_ours_whatever_the_display_name(name: str) -> None:
    (shown,) = read_back(compose(replace(LETTER, sender_name=name)))["From"].addresses  # type: ignore[union-attr]
    assert shown.addr_spec == JUDGE
    assert shown.display_name == name.replace('"', "").replace("\\", "")


def test_many_references_fold_and_stay_whole() -> None:
    references = tuple(f"<{number:040}@judge.test>" for number in range(60))
    message = read_back(compose(replace(LETTER, references=references)))
    assert tuple(str(message["References"]).split()) == references


def test_composing_twice_gives_the_same_message_id() -> None:
    first, again = (identity_and_message_id(*head_and_body(compose(LETTER)))[1] for _ in range(2))
    assert first == again == "<a@judge.test>"


def test_our_own_mail_is_automatic_to_us() -> None:
    assert read(compose(LETTER)).kind is MailKind.AUTOMATIC


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("cho@players.test", True),
        ("cho..ito.@docomo.example", True),
        ("cho+x=y@players.test", True),
        ("cho", False),
        ("cho@a@b", False),
        ("cho ito@players.test", False),
        ("<cho@players.test>", False),
        ("cho@players.test\n", False),
        ("cho\0@players.test", False),
        ("=?utf-8?q?x=0A?=@players.test", False),
        ("花子@players.test", False),
    ],
)
def test_is_address(address: str, good: bool) -> None:  # noqa: FBT001 - a column of the table
    assert is_address(address) is good
