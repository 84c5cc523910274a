"""Reading of mails: identity, proof of sender, limits, charsets."""

from __future__ import annotations

import pytest

from judge.mail import proof
from judge.mail.charsets import to_text
from judge.mail.identity import head_and_body, identity_and_message_id
from judge.mail.large_files import MAX_SIZE
from judge.mail.letters import MailKind
from tests.mail_reader import JUDGE, read

SECRET = b"nobody knows"


def identity(content: bytes) -> str:
    return identity_and_message_id(*head_and_body(content))[0]


def message_id(content: bytes) -> str | None:
    return identity_and_message_id(*head_and_body(content))[1]


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
    head += b"DKIM-Signature: v=1; d=players.test; s=k; h=from:to:message-id; b=AbCd\r\n"
    assert read(head + MAIL, authserv_id="judge.test").authenticated is proved
    assert not read(head + MAIL).authenticated


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


@pytest.mark.parametrize(
    ("own", "kept"),
    [
        ("a" + "\u0301" * 40, "a" + "\u0301" * 30),
        ("a" + "\u0301\u200b" * 40, "a" + "\u0301" * 30),
        ("ｶ" + "ﾞ" * 40, "ｶ" + "ﾞ" * 30),
        ("─" * 60, "─" * 60),
        ("❤\ufe0f" * 40, "❤\ufe0f" * 40),
    ],
    ids=["accents", "unseen between", "half-width", "no marks", "emoji"],
)
def test_a_letter_has_no_more_marks_than_any_language_needs(own: str, kept: str) -> None:
    assert read(MAIL + own.encode()).text.splitlines()[-1] == kept


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
