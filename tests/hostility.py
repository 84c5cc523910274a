"""Hostile mail, built for an office."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable

from judge.mail.large_files import MAX_SIZE
from judge.mail.letters import RawMail
from judge.mail.proof import bounce_address, reply_address
from tests.office import JUDGE, Office

FRANCE, ITALY = "france@players.test", "italy@players.test"
Build = Callable[[Office], RawMail]


def raw(office: Office, content: bytes, *, to: str = JUDGE, envelope_from: str = FRANCE) -> RawMail:
    return RawMail(content, "test", office.now, envelope_from, (to,))


def mail(
    body: str | bytes = "A PAR - PIC\n",
    *,
    sender: str | bytes = FRANCE,
    to: Callable[[Office], str] = lambda _: JUDGE,
    head: str | bytes = "",
    subject: str | bytes = "orders",
) -> Build:
    """Return a mail in France's name, unless said otherwise, that orders A PAR - PIC."""

    def build(office: Office) -> RawMail:
        office.number += 1
        lines = (
            b"From: " + _bytes(sender), b"To: " + _bytes(JUDGE), b"Subject: " + _bytes(subject),
            b"Message-ID: <h%d@evil.test>" % office.number,
        )  # fmt: skip
        content = (
            _bytes(head) + b"\r\n".join(lines) + b"\r\n" + (b"" if _bytes(body).startswith(b"Content") else b"\r\n")
        )
        return raw(office, content + _bytes(body), to=to(office))

    return build


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def mime(kind: str, body: str | bytes, *more: str) -> Build:
    head = "\r\n".join((f"Content-Type: {kind}", "MIME-Version: 1.0", *more))
    return mail(head.encode() + b"\r\n\r\n" + _bytes(body))


ORDER = "A PAR - PIC"
PLAIN = f"Content-Type: text/plain\r\n\r\n{ORDER}\r\n"


def nested(depth: int) -> str:
    opening = "".join(
        f'Content-Type: multipart/mixed; boundary="b{i}"\r\n\r\n--b{i}\r\n' for i in range(depth)
    )  # fmt: skip
    return opening + PLAIN + "".join(f"--b{i}--\r\n" for i in reversed(range(depth)))


CHARSETS = ("zlib", "bz2", "hex", "rot13", "utf-7", "utf-16", "idna", "punycode", "unicode_escape", "../x", "\u2028")
"""Charsets and codecs; some exist in Python alone, and decompress or loop."""
BOMBS: dict[str, Build] = {
    "nothing at all": lambda office: raw(office, b""),
    "line ends only": lambda office: raw(office, b"\r\n" * 1000),
    "bytes that are no mail": lambda office: raw(office, bytes(range(256)) * 100),
    "NULs": lambda office: raw(office, b"\0" * 10_000),
    "NULs in headers": mail(sender=b"france\0@players.test", subject=b"a\0b"),
    "no body": lambda office: raw(office, f"From: {FRANCE}\r\nSubject: {ORDER}".encode()),
    "a 10 MB line": mail("A" * 10_000_000),
    "a line as long as a mail may be": mail("A PAR - " * (MAX_SIZE // 10)),
    "more than it may be": mail(b"x" * MAX_SIZE),
    "100,000 lines of orders": mail(f"{ORDER}\r\n" * 70_000),
    "10,000 short lines": mail("A\r\n" * 10_000),
    "5,000 headers": mail(head="X-Header: x\r\n" * 5000),
    "a header of 500 KB": mail(head=f"X-Header: {'x' * 500_000}\r\n"),
    "a header folded 100,000 times": mail(head=f"X-Header: x{chr(13)}{chr(10)} x" + "\r\n x" * 100_000 + "\r\n"),
    "1,000 nested parts": mail(nested(1000)),
    "11 nested parts": mail(nested(11)),
    "1,000 nested mails": mail("Content-Type: message/rfc822\r\n\r\n" * 1000 + PLAIN),
    "10,000 parts": mime('multipart/mixed; boundary="b"', f"--b\r\n{PLAIN}" * 10_000 + "--b--\r\n"),
    "10,000 alternatives": mime('multipart/alternative; boundary="b"', f"--b\r\n{PLAIN}" * 10_000 + "--b--\r\n"),
    "no boundary": mime("multipart/mixed", f"--b\r\n{PLAIN}--b--\r\n"),
    "an empty boundary": mime('multipart/mixed; boundary=""', f"--\r\n{PLAIN}----\r\n"),
    "a boundary within itself": mime(
        'multipart/mixed; boundary="b"',
        f'--b\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n{PLAIN}--b--',
    ),
    "a boundary that is an order": mime(f'multipart/mixed; boundary="{ORDER}"', f"--{ORDER}\r\n{PLAIN}"),
    "10,000 parameters": mime("text/plain; " + "; ".join(f"p{i}=x" for i in range(10_000)), ORDER),
    "continued parameters": mime("text/plain; " + "; ".join(f"n*{i}*=x" for i in range(3000)), ORDER),
    "parameters that never end": mime('text/plain; charset="' + '\\"' * 50_000, ORDER),
    "900,000 semicolons": mime("text/plain" + ";" * 900_000, ORDER),
    "900,000 semicolons in quotation marks": mime('text/plain; x="' + ";" * 900_000, ORDER),
    "semicolons and quotation marks": mime("text/plain" + ';"' * 450_000, ORDER),
    "semicolons on lines of their own": mime("text/plain" + "\r\n ;" * 225_000, ORDER),
    "a disposition of semicolons": mime("text/plain", ORDER, "Content-Disposition: inline" + ";" * 900_000),
    "50 parts of 15,000 semicolons": mime(
        'multipart/mixed; boundary="b"', f"--b\r\nContent-Type: text/plain{';' * 15_000}\r\n\r\n{ORDER}\r\n" * 50
    ),
    "200,000 empty headers": mail(head="a:\r\n" * 200_000),
    "a head in every line": mime("multipart/mixed; boundary=b", "--b\r\nContent-Type: text/plain\r\n\r\n" * 25_000),
    "parts in parts without end": mime(
        "multipart/mixed; boundary=b", "--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" * 18_000
    ),
    "results without end": mail(head=f"Authentication-Results: mx.test; {'spf=pass ' * 100_000}\r\n"),
    "base64 that is none": mime("text/plain", "!!!" * 10_000, "Content-Transfer-Encoding: base64"),
    "zeros in base64": mime("text/plain", base64.b64encode(b"\0" * 600_000), "Content-Transfer-Encoding: base64"),
    "quoted-printable without end": mime("text/plain", "=" * 300_000, "Content-Transfer-Encoding: quoted-printable"),
    "an encoding nobody knows": mime("text/plain", ORDER, "Content-Transfer-Encoding: x-evil"),
    "uuencoded": mime("text/plain", "begin 644 x\n" + "M" * 100_000, "Content-Transfer-Encoding: x-uuencode"),
    **{
        f"charset {charset}": mime(f"text/plain; charset={charset}", ORDER.encode() + b" \\x00\xff" * 5000)
        for charset in CHARSETS
    },
    "HTML nested 50,000 times": mime("text/html", "<div>" * 50_000 + ORDER),
    "HTML of tables in tables": mime("text/html", "<table><tr><td>" * 3000 + ORDER),
    "HTML that never closes": mime("text/html", "<a href='" * 50_000),
    "HTML of entities": mime("text/html", "&#x41;" * 100_000),
    "HTML of attributes": mime("text/html", "<p " + " ".join(f"a{i}=b" for i in range(50_000)) + ">"),
    "XML that explodes": mime(
        "text/html", '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY c "&b;&b;">]>' + "&c;" * 10_000
    ),
    "a subject of 10,000 words in code": mail(subject="=?utf-8?b?QQ==?= " * 10_000),
    "a subject in a broken code": mail(subject="=?utf-8?b?" + "A" * 5000 + "?="),
    "a subject in a code nobody knows": mail(subject="=?zlib?b?eJw=?="),
    "quoted 100,000 deep": mail(">" * 100_000 + ORDER),
    "a line of 100,000 brackets": mail("(" * 100_000 + ORDER),
    "words without end": mail("A PAR S " * 5000),
    "digits without end": mail("1901 " * 20_000),
    "every plane of Unicode": mail("".join(map(chr, range(0x20, 0xD800, 7))) * 2),
    "combining without end": mail("A" + "\u0301" * 50_000),
    "ligatures that grow": mail("\ufdfa" * 20_000),
    "directions reversed": mail("\u202eCIP - RAP A\u202c"),
}  # fmt: skip
"""Mail that tries to exhaust some resource."""


def token_of(person: str) -> Callable[[Office], str]:
    """Return a function that finds the secret address of a person's seat."""
    return lambda office: next(
        address for address in reversed(_reply_addresses(office, person)) if "+ardennes." in address
    )


def _reply_addresses(office: Office, person: str) -> list[str]:
    return [letter.reply_to for letter in office.letters(person) if letter.reply_to]


def changed(change: Callable[[str], str]) -> Callable[[Office], str]:
    return lambda office: change(token_of(FRANCE)(office))


def answering(header: str, person: str) -> Build:
    def build(office: Office) -> RawMail:
        report = next(letter for letter in office.letters(person) if letter.reply_to)
        return mail(head=f"{header}: {report.message_id}\r\n")(office)

    return build


SIGNATURE = "DKIM-Signature: v=1; d=players.test; s=k; h=from:to:message-id; b=AbCd\r\n"


def stamped(*results: str) -> Build:
    return mail(head="".join(f"Authentication-Results: {result}\r\n" for result in results) + SIGNATURE)


PASS = "mx.test; dkim=pass header.d=players.test; dmarc=pass header.from=players.test"
FORGERIES: dict[str, Build] = {
    "just so": mail(),
    "two From": mail(head=f"From: {ITALY}\r\n"),
    "From twice the same": mail(head=f"From: {FRANCE}\r\n"),
    "two addresses": mail(sender=f"{FRANCE}, evil@evil.test"),
    "an address as name": mail(sender=f'"{FRANCE}" <evil@evil.test>'),
    "an address before the brackets": mail(sender=f"{FRANCE})<evil@evil.test>"),
    "a comment": mail(sender=f"evil@evil.test ({FRANCE})"),
    "a group": mail(sender=f"france: {FRANCE};"),
    "a route": mail(sender=f"<@evil.test:{FRANCE}>"),
    "a Cyrillic letter": mail(sender="fr\u0430nce@players.test"),
    "full width": mail(sender="ｆｒａｎｃｅ@players.test"),
    "a zero-width space": mail(sender="france\u200b@players.test"),
    "a dotless i in the host": mail(sender="france@play\u0435rs.test"),
    "an encoded address": mail(sender="=?utf-8?q?france=40players.test?="),
    "a host that only begins so": mail(sender="france@players.test.evil.test"),
    "a line end in the address": mail(sender="=?utf-8?q?france=40players.test=0ABcc=3A_x=40evil.test?= <x@evil.test>"),
    "a Sender besides": mail(head="Sender: evil@evil.test\r\n"),
    "resent": mail(head=f"Resent-From: {FRANCE}\r\n", sender="evil@evil.test"),
    "results of somebody else": stamped("mx.evil.test; dkim=pass header.d=players.test"),
    "results below ours": stamped("mx.test; dkim=none", PASS),
    "results below anybody's": stamped("mx.evil.test; dkim=none", PASS),
    "results of a longer name": stamped(PASS.replace("mx.test", "mx.test.evil.test")),
    "results with a comment before": stamped("(mx.test) mx.evil.test; dkim=pass header.d=players.test"),
    "a pass within a comment": stamped("mx.test; dkim=none (dkim=pass header.d=players.test)"),
    "a pass within a reason": stamped('mx.test; dkim=fail reason="x; dkim=pass header.d=players.test"'),
    "SPF alone": stamped("mx.test; spf=pass smtp.mailfrom=france@players.test"),
    "another's signature": stamped("mx.test; dkim=pass header.d=evil.test"),
    "a signature of the whole top level": stamped("mx.test; dkim=pass header.d=test"),
    "a signature of a host below": stamped("mx.test; dkim=pass header.d=x.players.test"),
    "a signature that ends alike": stamped("mx.test; dkim=pass header.d=evilplayers.test"),
    "DMARC of another From": stamped("mx.test; dmarc=pass header.from=evil.test"),
    "DMARC of nobody": stamped("mx.test; dmarc=pass"),
    "DMARC that failed": stamped("mx.test; dmarc=fail header.from=players.test"),
    "results nobody can read": stamped("mx.test; dkim=pass header.d=players.test" + ";" * 5000 + '"'),
    "results in code": stamped("=?utf-8?q?mx=2Etest=3B_dmarc=3Dpass_header=2Efrom=3Dplayers=2Etest?="),
    "results of version 2": stamped("mx.test 2; dmarc=pass header.from=players.test"),
    "a header with a blank before the colon": mail(head=f"Authentication-Results : {PASS}\r\n"),
    "a header that begins with X": mail(head=f"X-Authentication-Results: {PASS}\r\n"),
    "another seat's token": mail(to=token_of(ITALY)),
    "the master's token": mail(to=token_of("gil@players.test")),
    "half a token": mail(to=changed(lambda address: re.sub(r"\.(\w{10})\w{10}@", r".\1@", address))),
    "a token with one letter changed": mail(to=changed(lambda address: re.sub(".@", "1@", address))),
    "a token for another game": mail(to=changed(lambda address: address.replace("ardennes", "verdun"))),
    "a token at another host": mail(to=changed(lambda address: address.replace("@localhost", "@evil.test"))),
    "a token of zeros": mail(to=lambda _: reply_address(JUDGE, "ardennes", "a" * 20)),
    "a bounce's token": mail(to=lambda office: bounce_address(JUDGE, office.parts.intake.writer.secret, 1)),
    "a token that is no address": mail(to=lambda _: "judge+ardennes.@localhost"),
    "his token, another's From": mail(sender="evil@evil.test", to=token_of(FRANCE)),
    "his token, two From": mail(head=f"From: {ITALY}\r\n", to=token_of(FRANCE)),
    "his token, a look-alike": mail(sender="fr\u0430nce@players.test", to=token_of(FRANCE)),
    "his Message-ID among the References": answering("References", FRANCE),
    "another's Message-ID": answering("In-Reply-To", ITALY),
    "a Message-ID that is nobody's": mail(head="In-Reply-To: <x@localhost>\r\n"),
    "YES to a question never asked": mail("YES\n", to=lambda _: reply_address(JUDGE, "confirm", "a" * 20)),
}  # fmt: skip
"""Mail that is not from France, but orders A PAR - PIC in its name."""
ENCODED = "=?utf-8?q?x=0D=0ABcc=3A_evil=40evil.test?="
PROVED = f"Authentication-Results: {PASS}\r\n{SIGNATURE}"
INJECTIONS: dict[str, Build] = {
    "in the subject": mail("HELP\n", subject=ENCODED),
    "in the subject, with NEL": mail("HELP\n", subject="=?utf-8?q?x=C2=85Bcc=3A_evil=40evil.test?="),
    "in the subject, with U+2028": mail("HELP\n", subject="=?utf-8?q?x=E2=80=A8Bcc=3A_evil=40evil.test?="),
    "in the subject, bare CR": mail("HELP\n", subject=b"x\rBcc: evil@evil.test"),
    "in the subject, code within code": mail("HELP\n", subject="=?utf-8?q?=3D=3Futf-8=3Fq=3Fx=3D0ABcc=3A=3F=3D?="),
    "in the name": mail("HELP\n", sender=f"{ENCODED} <{FRANCE}>"),
    "in a stranger's name": mail("JOIN ardennes\n", sender=f"{ENCODED} <evil@evil.test>"),
    "in the Message-ID": mail("HELP\n", head="Message-ID: <x\r\n Bcc:evil@evil.test>\r\n"),
    "in the Message-ID, unfolded": mail("HELP\n", head=b"Message-ID: <x\rBcc:evil@evil.test>\r\n"),
    "in In-Reply-To": mail("HELP\n", head="In-Reply-To: <x@y>\r\n\tBcc: evil@evil.test\r\n"),
    "in a game's name": mail("CREATE x=0ABcc:evil\nJOIN =?utf-8?q?x=0ABcc?=\n", head=PROVED),
    "in a person's name": mail(f"SET NAME {ENCODED}\nHELP\n", head=PROVED),
    "in a zone": mail("SET ZONE ../../etc/passwd\nSET LANGUAGE ../x\n", head=PROVED),
    "in a template": mail("{{ 7*7 }} {% include '/etc/passwd' %}\nSET NAME {{ 7*7 }}\nSTATUS\n", head=PROVED),
    "in HTML": mail("SET NAME <script>alert(1)</script>\nSTATUS\n", head=PROVED),
    "in SQL": mail("STATUS '; DROP TABLE game; --\nJOIN ardennes'--\n", head=PROVED),
    "in a file's name": mime(
        'multipart/mixed; boundary="b"',
        f'--b\r\nContent-Disposition: attachment; filename="{ENCODED}"\r\nContent-Type: x/y\r\n\r\nx\r\n--b--\r\n',
    ),
}  # fmt: skip
"""Mail that tries to write headers, templates or tables of ours."""
