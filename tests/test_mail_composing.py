"""Mails written and mails told apart: headers, identity, proof of sender, charsets."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage, Message
from typing import Any

import pytest

from judge.errors import JudgeError
from judge.mail import proof
from judge.mail.charsets import to_text
from judge.mail.composing import compose, in_seven_bits
from judge.mail.headers import header_text, is_address
from judge.mail.identity import head_and_body, identity_and_message_id
from judge.mail.letters import Attachment, Letter, LetterKind, MailKind, Outgoing, Picture, RawMail
from judge.mail.reading import MAX_SIZE, MailReader
from judge.reports.columns import flowed, width
from judge.service.talk.vocabulary import VOCABULARY

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
SECRET = b"nobody knows"
JUDGE = "judge@judge.test"
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
        return  # refused is as good
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
    """RFC 3676: who knows flowed text has the paragraph in one piece, who does not sees lines of 72 columns."""
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


def identity(content: bytes) -> str:
    return identity_and_message_id(*head_and_body(content))[0]


def message_id(content: bytes) -> str | None:
    return identity_and_message_id(*head_and_body(content))[1]


def test_composing_twice_gives_the_same_message_id() -> None:
    assert message_id(compose(LETTER)) == message_id(compose(LETTER)) == "<a@judge.test>"


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


# Identity

MAIL = b"From: cho@players.test\r\nTo: judge@judge.test\r\nSubject: x\r\nMessage-ID: <1@p>\r\n\r\nA Par H\r\n"


@pytest.mark.parametrize(
    "copy",
    [
        MAIL.replace(b"\r\n", b"\n"),
        MAIL + b"\r\n\r\n",
        b"Received: from a by b; Tue, 24 Nov 2026 12:00:00 +0000\r\n" + MAIL,
        b"Return-Path: <cho@players.test>\r\nDelivered-To: judge\r\nX-Original-To: judge@judge.test\r\n" + MAIL,
        b"Authentication-Results: judge.test; dkim=pass\r\nARC-Seal: i=1\r\nX-Spam-Flag: NO\r\n" + MAIL,
        b"Received-SPF: pass\r\nX-Received: by 10\r\nContent-Length: 9\r\n" + MAIL,
        MAIL.replace(b"Subject: x", b"subject:  x"),
        MAIL.replace(b"To: judge", b"To:\r\n judge"),
    ],
    ids=["line-feeds", "blank-lines", "received", "delivered", "checked", "measured", "spelled", "folded"],
)
def test_a_copy_by_another_transport_is_the_same_mail(copy: bytes) -> None:
    assert identity(copy) == identity(MAIL)


@pytest.mark.parametrize(
    "other",
    [
        MAIL.replace(b"A Par H", b"A Par - Bur"),
        MAIL.replace(b"cho@", b"dan@"),
        MAIL.replace(b"<1@p>", b"<2@p>"),
        MAIL.replace(b"Subject: x", b"Subject: y"),
        b"In-Reply-To: <r@judge.test>\r\n" + MAIL,
    ],
    ids=["body", "from", "message-id", "subject", "in-reply-to"],
)
def test_another_content_is_another_mail(other: bytes) -> None:
    assert identity(other) != identity(MAIL)


def test_headers_in_8_bits_tell_mails_apart() -> None:
    one, other = (MAIL.replace(b"Subject: x", b"Subject: " + word.encode("cp932")) for word in ("春", "秋"))
    assert identity(one) != identity(other)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (MAIL, "<1@p>"),
        (MAIL.replace(b"Message-ID", b"message-id"), "<1@p>"),
        (MAIL.replace(b"Message-ID: <1@p>\r\n", b""), None),
        (MAIL.replace(b"Message-ID: <1@p>\r\n", b"") + b"\r\nMessage-ID: <2@p>\r\n", None),
        (MAIL.replace(b"<1@p>", b"nonsense"), None),
        (b"", None),
    ],
    ids=["there", "lower-case", "missing", "in-the-body", "malformed", "empty"],
)
def test_message_id(content: bytes, found: str | None) -> None:
    assert message_id(content) == found


# Proof

TOKEN = proof.token_for(SECRET, "reply", "ardennes", 3)


def test_a_secret_address_goes_there_and_back() -> None:
    address = proof.reply_address(JUDGE, "ardennes", TOKEN)
    assert proof.parse_reply_address(JUDGE, address.upper()) == ("ardennes", TOKEN)


@pytest.mark.parametrize(
    "recipient",
    [
        JUDGE,
        f"judge+ardennes.{TOKEN}@evil.test",
        f"other+ardennes.{TOKEN}@judge.test",
        f"judge+ardennes.{TOKEN[:-1]}@judge.test",
        f"judge+ardennes.{TOKEN}x@judge.test",
        f"judge+{TOKEN}@judge.test",
        f"judge+ardennes.{TOKEN}@judge.test\n",
        f"judge+ardennes.{TOKEN}@judge.test@evil.test",
        "",
    ],
)
def test_other_addresses_hold_no_token(recipient: str) -> None:
    assert proof.parse_reply_address(JUDGE, recipient) is None


def test_tokens_differ_by_every_part_and_by_the_secret() -> None:
    tokens = {
        TOKEN,
        proof.token_for(SECRET, "reply", "ardennes", 4),
        proof.token_for(SECRET, "reply", "verdun", 3),
        proof.token_for(SECRET, "confirm", "ardennes", 3),
        proof.token_for(SECRET, "reply", "ardennes3"),
        proof.token_for(b"another secret", "reply", "ardennes", 3),
    }
    assert len(tokens) == 6
    assert all(len(token) * 5 >= 80 and token == token.lower() for token in tokens)


def test_only_our_own_bounce_address_names_a_letter() -> None:
    address = proof.bounce_address(JUDGE, SECRET, 17)
    assert proof.parse_bounce_address(JUDGE, SECRET, address) == 17
    assert proof.parse_bounce_address(JUDGE, b"another secret", address) is None
    other = proof.bounce_address(JUDGE, SECRET, 18)
    number, token = address.split("-")[1].split(".")[0], address.split(".")[1]
    assert proof.parse_bounce_address(JUDGE, SECRET, other.replace(other.split(".")[1], token)) is None
    assert proof.parse_bounce_address(JUDGE, SECRET, other.replace(other.split("-")[1].split(".")[0], number)) is None


def test_the_bounce_addresses_of_two_letters_do_not_tell_how_many_lie_between() -> None:
    found = {number: proof.bounce_address(JUDGE, SECRET, number) for number in (1, 2, 17, 2**31)}
    assert all(proof.parse_bounce_address(JUDGE, SECRET, address) == number for number, address in found.items())
    shown = {number: address.split("-")[1].split(".")[0] for number, address in found.items()}
    assert {len(one) for one in shown.values()} == {8}
    assert not {number for number, one in shown.items() if str(number) in one}


def test_a_bounce_of_before_the_numbers_were_masked_is_known() -> None:
    old = f"judge+bounce-17.{proof.token_for(SECRET, 'bounce', 17)}@judge.test"
    assert proof.parse_bounce_address(JUDGE, SECRET, old) == 17


def test_in_reply_to_counts_and_references_do_not() -> None:
    assert read(b"In-Reply-To: <r@judge.test> (the report)\r\n" + MAIL).in_reply_to == "<r@judge.test>"
    assert read(b"References: <r@judge.test>\r\n" + MAIL).in_reply_to is None


def test_the_envelope_names_the_recipients_where_there_is_one() -> None:
    assert read(b"Cc: DAN@players.test\r\n" + MAIL).recipients == (JUDGE, "dan@players.test")
    assert read(MAIL, to=("Judge+x@judge.test",)).recipients == ("judge+x@judge.test",)


DMARC = "judge.test; dmarc=pass header.from=players.test"
DKIM = "judge.test; dkim=pass header.d=players.test"


@pytest.mark.parametrize(
    ("results", "proved"),
    [
        ([DMARC], True),
        (["judge.test; dmarc=pass header.from=Players.Test"], True),
        (["Judge.Test; dmarc=pass (p=none) header.from=players.test; spf=fail"], True),
        ([DKIM], True),
        (["judge.test; spf=pass smtp.mailfrom=players.test;\r\n dkim=pass header.d=players.test"], True),
        (["judge.test; dkim=pass header.i=@players.test"], True),
        (["judge.test; dkim=pass header.d=test"], False),
        (["judge.test; dkim=pass header.d=evil.test"], False),
        (["judge.test; dkim=pass header.d=layers.test"], False),
        (["judge.test; dkim=pass header.d=evil.players.test.evil.test"], False),
        (["judge.test; dkim=fail header.d=players.test"], False),
        (["judge.test; dmarc=pass header.from=evil.test"], False),
        (["judge.test; dmarc=pass"], False),
        (["judge.test; spf=pass smtp.mailfrom=players.test"], False),
        (["judge.test; none"], False),
        (["evil.test; dmarc=pass header.from=players.test"], False),
        (["judge.test.evil.test; dmarc=pass header.from=players.test"], False),
        (["evil.test; none", DMARC], False),
        (["judge.test; dmarc=fail header.from=players.test", DMARC], False),
        (["((((;;;=", DMARC], False),
        ([], False),
    ],
)
def test_authentication_results(results: list[str], proved: bool) -> None:  # noqa: FBT001 - a column of the table
    head = "".join(f"Authentication-Results: {result}\r\n" for result in results).encode()
    assert read(head + MAIL, authserv_id="judge.test").authenticated is proved
    assert not read(head + MAIL).authenticated


def read(content: bytes, *, to: tuple[str, ...] = (), authserv_id: str | None = None) -> Letter:
    return MailReader(frozenset((JUDGE,)), VOCABULARY, authserv_id).read(RawMail(content, "test", NOON, None, to))


# Limits


@pytest.mark.parametrize(
    ("content", "defect"),
    [
        (MAIL + b"x" * MAX_SIZE, "too-big"),
        (b"X: y\r\n" * 300 + MAIL, "too-big"),
        (MAIL + b"so long\r\n" * 10_000, "too-long"),
        (b"", "no-single-sender"),
        (b"\0\0\0", "no-single-sender"),
        (b"\r\n\r\nA Par H", "no-single-sender"),
    ],
    ids=["size", "headers", "text", "nothing", "nuls", "no-header"],
)
def test_what_cannot_be_read_says_why(content: bytes, defect: str) -> None:
    letter = read(content)
    assert (letter.kind, letter.defect) == (MailKind.UNREADABLE, defect)


@pytest.mark.parametrize(
    "own",
    [
        "-" * 60_000,
        "-----\n" * 10_000 + "A Par H",
        "( " * 30_000,
        "<a@" * 20_000,
        " " * 60_000,
        "2026年" + "<a@a" * 15_000,
    ],
    ids=["dashes", "rules", "brackets", "addresses", "blanks", "attribution"],
)
def test_hostile_text_is_read_in_time(own: str) -> None:
    assert read(MAIL + own.encode()).kind in (MailKind.PERSON, MailKind.UNREADABLE)


# Charsets

PARIS = "パリ陸軍をブルゴーニュへ移動"


@pytest.mark.parametrize(
    ("content", "label", "text"),
    [
        (PARIS.encode(), "utf-8", PARIS),
        (PARIS.encode(), None, PARIS),
        (PARIS.encode(), "Shift_JIS", PARIS),
        (PARIS.encode(), "iso-8859-1", PARIS),
        (PARIS.encode(), "iso-2022-jp", PARIS),
        (PARIS.encode("cp932"), "Shift_JIS", PARIS),
        (PARIS.encode("cp932"), "x-sjis", PARIS),
        (PARIS.encode("cp932"), "utf-8", PARIS),
        (PARIS.encode("cp932"), "windows-1252", PARIS),
        (PARIS.encode("cp932"), None, PARIS),
        ("ﾊﾟﾘ".encode("cp932"), None, "ﾊﾟﾘ"),
        ("ﾃｱ".encode("cp932"), "shift_jis", "ﾃｱ"),
        (PARIS.encode("iso2022_jp"), "ISO-2022-JP", PARIS),
        (PARIS.encode("iso2022_jp"), "utf-8", PARIS),
        ("ﾊﾟﾘ".encode("iso2022_jp_ext"), "iso-2022-jp", "ﾊﾟﾘ"),
        (PARIS.encode("euc_jp"), "EUC-JP", PARIS),
        (PARIS.encode("euc_jp"), "x-euc-jp", PARIS),
        (PARIS.encode("euc_jp"), "iso-8859-1", PARIS),
        ("détail".encode("latin-1"), "iso-8859-1", "détail"),
        ("détail".encode("latin-1"), "us-ascii", "détail"),
        ("détail".encode("latin-1"), "utf-8", "détail"),
        ("ÄÖ und ß".encode("cp1252"), None, "ÄÖ und ß"),
        ("“A Par”".encode("cp1252"), "windows-1252", "“A Par”"),
        ("détail".encode("utf-16"), "utf-16", "détail"),
        (b"A Par H", "x-klingon", "A Par H"),
        (b"A Par H", "undefined", "A Par H"),
        (b"A Par H", "utf-8\0", "A Par H"),
        (b"A Par H", "base64", "A Par H"),
        (b"A Par H", "", "A Par H"),
        (PARIS.encode()[:-1], "utf-8", PARIS[:-1] + "\ufffd"),
        (b"\x81\x8d", "utf-8", "\x81\x8d"),
        (b"", "utf-8", ""),
    ],
)
def test_the_label_is_a_hint(content: bytes, label: str | None, text: str) -> None:
    assert to_text(content, label) == text
