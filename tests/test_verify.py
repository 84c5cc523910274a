"""`judge verify` names forgeries, but accepts changes by mail servers and programs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.encoders import encode_base64, encode_quopri
from email.message import Message
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.policy import compat32
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

from judge.cli.verify import saved
from judge.mail.composing import compose, in_seven_bits
from judge.mail.letters import Attachment, LetterKind, Outgoing
from judge.mail.signing import Keyring
from judge.service.chain import Finding, verify
from judge.service.signatures import check_signatures
from tests.command_line import judge
from tests.office import JUDGE, NOON, Office, World, address, begun

Forgery = Callable[["Mails"], None]
STRANGER = Keyring(b"s" * 32)


class Mails:
    """The signed mails of two readers, as their mail programs keep them.

    Forgers change the report of France.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.france = _kept(world, "cho")
        self.germany = _kept(world, "dan")
        self.report = next(mail for mail in self.france if _json(mail, "S1901M.json"))
        self.number = self.france.index(self.report)

    def put_back(self, mail: Message) -> None:
        """Replace the report by a mail."""
        self.france[self.number] = self.report = mail


def _kept(world: World, name: str) -> list[Message]:
    return [message_from_bytes(one.as_bytes()) for to, one in world.box.kept if to == address(name)]


def parts(mail: Message, kind: str) -> list[Message]:
    return [part for part in mail.walk() if part.get_content_type() == kind]


def content(part: Message) -> str:
    found = part.get_payload(decode=True)
    assert isinstance(found, bytes)
    return found.decode(part.get_content_charset() or "utf-8")


def put(part: Message, text: str, charset: str = "utf-8", encode: Callable[[Message], None] = encode_base64) -> None:
    """Write the content of a part anew."""
    del part["Content-Transfer-Encoding"]
    part.set_payload(text.encode(charset))
    if part.get_content_maintype() == "text":
        part.set_param("charset", charset)
    encode(part)


def _json(mail: Message, name: str) -> list[Message]:
    return [part for part in parts(mail, "application/json") if (part.get_filename() or "").endswith(name)]


def findings(mails: Sequence[Message], keys: Sequence[str] = ()) -> list[Finding]:
    found = [one for mail in mails for one in saved(mail)]
    return [*check_signatures(found, keys), *verify([facts for one in found for facts in one.facts])]


def faults(mails: Sequence[Message], keys: Sequence[str] = ()) -> list[str]:
    return [finding.said for finding in findings(mails, keys) if finding.is_fault]


@pytest.fixture(scope="module")
def world() -> World:
    """Return a world with two phases played.

    France plays in English, Germany in Japanese.
    """
    world = begun(World())

    def reply(name: str, body: str) -> None:
        world.now += timedelta(hours=2)
        world.reply(name, body)

    reply("dan", "SET LANGUAGE Japanese")
    reply("cho", "A Par - Bur\nA Mar S A Par - Bur\nF Bre - Mao")
    reply("dan", "A Mun - Bur\nF Kie - Den")
    world.pass_deadline()
    world.collect_reports()
    reply("cho", "F Mao - Spa/sc\nA Par - Gas")
    world.pass_deadline()
    world.collect_reports()
    return world


@pytest.fixture
def mails(world: World) -> Mails:
    return Mails(world)


def test_what_the_judge_sent_is_good(mails: Mails) -> None:
    for mine in (mails.france, mails.germany):
        found = findings(mine)
        assert [finding.said for finding in found if finding.is_fault] == []
        signed = [finding.said for finding in found if "signed; as sent: subject, date, text, HTML" in finding.said]
        assert len(signed) == len([mail for mail in mine if _json(mail, "-signature.json")])
        (key,) = [finding.said for finding in found if finding.said.startswith("key ")]
        opening = "taken from S1901M: the opening report of 2026-11-24T12:00:00+00:00"
        assert key == f"key {_own(mails.world).public.hex()}, {opening}"


# Forgeries


def words(kind: str, old: str, new: str) -> Forgery:
    """Change words in the text, the HTML or the facts."""

    def forge(mails: Mails) -> None:
        part = parts(mails.report, kind)[0]
        assert old in content(part), content(part)
        put(part, content(part).replace(old, new, 1))

    return forge


def facts(change: Callable[[dict[str, Any]], object]) -> Forgery:
    def forge(mails: Mails) -> None:
        (part,) = _json(mails.report, "S1901M.json")
        found = json.loads(content(part))
        change(found)
        put(part, json.dumps(found))

    return forge


def header(name: str, value: str) -> Forgery:
    def forge(mails: Mails) -> None:
        del mails.report[name]
        mails.report[name] = value

    return forge


def signature(change: Callable[[dict[str, Any]], object]) -> Forgery:
    """Change the content of the signature part, without signing."""

    def forge(mails: Mails) -> None:
        (part,) = _json(mails.report, "-signature.json")
        found = json.loads(content(part))
        change(found)
        put(part, json.dumps(found))

    return forge


def another_part(choose: Callable[[Mails], Message]) -> Forgery:
    """Use the signature part of another mail."""

    def forge(mails: Mails) -> None:
        (mine,), (other,) = _json(mails.report, "-signature.json"), _json(choose(mails), "-signature.json")
        mine.set_payload(other.get_payload())

    return forge


def signed_again(keyring: Callable[[World], Keyring], number: int | None = None) -> Forgery:
    """Sign mails of France anew: the report, or all mails from `number` on."""

    def forge(mails: Mails) -> None:
        chosen = [mails.report] if number is None else mails.france[number:]
        letters = {one.letter.message_id: one.letter for one in _letters(mails.world)}
        for place, mail in enumerate(mails.france):
            if any(mail is one for one in chosen) and mail["Message-ID"] in letters:
                letter = letters[str(mail["Message-ID"])]
                mails.france[place] = message_from_bytes(compose(keyring(mails.world).signed(letter)))

    return forge


def _letters(world: World) -> list[Any]:
    with world.parts.store.work() as work:
        return [one for row in work.outbox.latest(1000) if (one := work.outbox.get(row["id"])) is not None]


def _of_another_game(mails: Mails) -> Message:
    letter = next(one.letter for one in _letters(mails.world) if one.letter.message_id == mails.report["Message-ID"])
    files = [replace(one, content=one.content.replace(b'"ardennes"', b'"verdun"')) for one in letter.attachments]
    return message_from_bytes(compose(_own(mails.world).signed(replace(letter, attachments=tuple(files)))))


def _own(world: World) -> Keyring:
    return world.parts.delivery.writer.keyring


def _renewed(world: World, *, signed: bool) -> Keyring:
    """Return a key that follows the judge's key."""
    later = Keyring(b"n" * 32)
    retired = _own(world).retired_for(later)
    return replace(later, retired=(retired if signed else replace(retired, signed=bytes(64)),))


def _no_signature(mails: Mails) -> None:
    payload: Any = mails.report.get_payload()
    mails.report.set_payload([one for one in payload if one not in _json(mails.report, "-signature.json")])


def _below(mails: Mails) -> None:
    part = parts(mails.report, "text/plain")[0]
    put(part, f"{content(part)}\nA Par - Bur ✗\n")


def _text_part_below(mails: Mails) -> None:
    mails.report.attach(MIMEText("Correction: A Par - Bur failed", "plain", "utf-8"))


def _around(mails: Mails) -> None:
    """Put the genuine parts below a mail of the forger's own."""
    mail = MIMEMultipart()
    for name in ("From", "To", "Subject", "Date"):
        mail[name] = str(mails.report[name])
    mail.attach(MIMEText("S1901M\n\nA Par - Bur ✗", "plain", "utf-8"))
    payload: Any = mails.report.get_payload()
    for part in payload:
        mail.attach(part)
    mails.put_back(mail)


def _reason(found: dict[str, Any]) -> None:
    unit = next(unit for unit, why in found["output"]["why"].items() if why)
    found["output"]["why"][unit] = "bounced at Burgundy: 7 against 7 (A MUN)"


FORGERIES: dict[str, tuple[Forgery, str]] = {
    "a sign in the text": (words("text/plain", "✓", "✗"), "its text is not what was sent"),
    "a sign in the HTML": (words("text/html", "✓", "✗"), "its HTML is not what was sent"),
    "an order in the text": (words("text/plain", "F KIE - DEN", "F KIE - HOL"), "its text is not what was sent"),
    "an order in the HTML": (words("text/html", "F KIE - DEN", "F KIE - HOL"), "its HTML is not what was sent"),
    "a reason in the text": (words("text/plain", "1 against 2", "2 against 1"), "its text is not what was sent"),
    "a deadline in the text": (words("text/plain", "28 Nov", "29 Nov"), "its text is not what was sent"),
    "a deadline in the HTML": (words("text/html", "28 Nov", "29 Nov"), "its HTML is not what was sent"),
    "a blank within a number": (words("text/plain", "1901", "190 1"), "its text is not what was sent"),
    "letters turned around": (words("text/plain", "A MUN", "\u202eA MUN"), "its text is not what was sent"),
    "a word struck out": (words("text/html", "✓", "<s>✓</s>"), "its tags and styles are not"),
    "a word drawn by a style": (
        words("text/html", "✓", "<i style='display:none'>✓</i>"),
        "its tags and styles are not",
    ),
    "a word in a tag": (words("text/html", "✓", "<i a='>✓<i b='></i>✗"), "its HTML is not what was sent"),
    "a word in a link target": (words("text/html", "✓", ' href="✗"'), "its HTML is not what was sent"),
    "text below the text": (_below, "text was added below its text: 'A Par - Bur ✗'"),
    "a second text": (_text_part_below, "text was added below its text: 'Correction: A Par - Bur failed'"),
    "a text above it": (_around, "its text is not what was sent"),
    "a header Date": (header("Date", "Sat, 28 Nov 2026 12:00:00 +0000"), "its date was 2026-11-26T"),
    "a header To": (header("To", "dan@players.test"), "it was sent to cho@players.test, not to dan@players.test"),
    "a header Subject": (header("Subject", "[ardennes] France has won"), "its subject was '"),
    "a reason in the facts": (facts(_reason), "its file ardennes-S1901M.json is not what was sent"),
    "an order in the facts": (
        facts(lambda found: found["input"]["orders"].update(FRANCE=["A PAR H"])),
        "its file ardennes-S1901M.json is not what was sent",
    ),
    "a deadline in the facts": (
        facts(lambda found: found.update(deadline="2026-11-30T12:00:00+00:00")),
        "its file ardennes-S1901M.json is not what was sent",
    ),
    "the part of another reader": (
        another_part(lambda mails: next(one for one in mails.germany if _json(one, "S1901M.json"))),
        "it was sent to dan@players.test",
    ),
    "the part of another phase": (
        another_part(lambda mails: next(one for one in mails.france if _json(one, "F1901M.json"))),
        "its text is not what was sent",
    ),
    "the part of another game": (another_part(_of_another_game), "it was sent about the game verdun"),
    "no part": (_no_signature, "its signature is missing; mails before it have one"),
    "another digest": (
        signature(lambda found: found["text"].update(sha256="0" * 64)),
        "its signature is not good: the digests, or the signature, were changed",
    ),
    "no digest": (signature(lambda found: found.pop("text")), "its signature cannot be read"),
    "no number": (signature(lambda found: found["text"].update(length="all")), "its signature cannot be read"),
    "no signature": (signature(lambda found: found.update(signature="")), "its signature is not good"),
    "the key of another": (signed_again(lambda _: STRANGER), "signed with another key, "),
    "a key that nobody signed": (
        signed_again(lambda world: _renewed(world, signed=False)),
        "and no key before it signed that one",
    ),
    "a key that is said to be older": (
        signed_again(lambda world: replace(STRANGER, retired=_renewed(world, signed=True).retired)),
        "and no key before it signed that one",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_named(mails: Mails, name: str) -> None:
    forge, said = FORGERIES[name]
    forge(mails)
    found = faults(mails.france)
    assert any("S1901M: the report of 2026-11-26T" in fault and said in fault for fault in found), found


def test_a_reason_is_checked_without_a_signature(mails: Mails) -> None:
    """A wrong reason is a fault in facts of this version.

    Another version may word its reasons differently.
    """
    told = [json.loads(json.dumps(facts)) for mail in mails.france for one in saved(mail) for facts in one.facts]
    phase = next(facts for facts in told if facts["kind"] == "phase")
    _reason(phase)
    said = "S1901M: A MUN: the reason given is 'bounced at Burgundy: 7 against 7 (A MUN)', that of its orders is '"
    assert [one.said.startswith(said) for one in verify(told) if one.is_fault] == [True]
    phase["version"] = "0.0.1"
    (other,) = [one.said for one in verify(told) if one.said.startswith(said)]
    assert other.endswith("; the report was made by version 0.0.1, which may have other words for it")
    assert not any(one.is_fault for one in verify(told))


# What mail servers and mail programs do


def every_text(change: Callable[[str], str], charset: str = "utf-8") -> Callable[[Message], Message]:
    """Return a function that changes the plain text and the HTML."""

    def changed(mail: Message) -> Message:
        for part in (*parts(mail, "text/plain"), *parts(mail, "text/html")):
            put(part, change(content(part)), charset)
        return mail

    return changed


def encoded(encode: Callable[[Message], None]) -> Callable[[Message], Message]:
    def changed(mail: Message) -> Message:
        for part in mail.walk():
            if not part.is_multipart():
                found = part.get_payload(decode=True)
                assert isinstance(found, bytes)
                del part["Content-Transfer-Encoding"]
                part.set_payload(found)
                encode(part)
        return mail

    return changed


def _as_bytes(change: Callable[[bytes], bytes]) -> Callable[[Message], Message]:
    return lambda mail: message_from_bytes(change(mail.as_bytes(policy=compat32)))


def _otherwise_ordered(mail: Message) -> Message:
    for part in mail.walk():
        payload: Any = part.get_payload()
        if part.is_multipart():
            part.set_payload(payload[::-1])
    return mail


def _forwarded(mail: Message) -> Message:
    outer = MIMEMultipart()
    outer["To"], outer["Subject"], outer["Date"] = "ada@players.test", "Look at this", "Mon, 30 Nov 2026 12:00:00 +0000"
    outer.attach(MIMEText("See the report of the judge."))
    outer.attach(MIMEMessage(mail))
    return message_from_bytes(outer.as_bytes())


def _with(name: str, value: str) -> Callable[[Message], Message]:
    def changed(mail: Message) -> Message:
        found = str(mail[name] or "")
        del mail[name]
        mail[name] = value + found
        return mail

    return changed


def _renamed(mail: Message) -> Message:
    for number, part in enumerate(parts(mail, "application/json")):
        part.set_param("filename", f"ATT{number}.json", header="Content-Disposition")
    return mail


def _without(kind: str) -> Callable[[Message], Message]:
    def changed(mail: Message) -> Message:
        for part in mail.walk():
            payload: Any = part.get_payload()
            if part.is_multipart():
                part.set_payload([one for one in payload if one.get_content_type() != kind])
        return mail

    return changed


def _reflowed(text: str) -> str:
    """Move the soft line breaks, as programs may do (RFC 3676).

    DelSp removes the last blank of each line.
    """
    whole = text.replace(" \n", "")
    return re.sub("([\u3040-\u9fff]|(?<=[a-z]) )(?=[^\n ])", lambda found: f"{found[0]} \n", whole)


def _soft_breaks(mail: Message) -> Message:
    for part in parts(mail, "text/plain"):
        put(part, _reflowed(content(part)))
    return mail


HARMLESS: dict[str, Callable[[Message], Message]] = {
    "line ends of Unix": _as_bytes(lambda mail: mail.replace(b"\r\n", b"\n")),
    "line ends of mails": _as_bytes(lambda mail: re.sub(b"\r?\n", b"\r\n", mail)),
    "other line ends in the text": every_text(lambda text: text.replace("\n", "\r\n")),
    "base64": encoded(encode_base64),
    "quoted-printable": encoded(encode_quopri),
    "a server for seven bits": _as_bytes(in_seven_bits),
    "another charset": every_text(lambda text: text, "utf-16"),
    "no blanks at line ends": every_text(lambda text: re.sub(" +(?=\n|$)", "", text)),
    "blanks at line ends": every_text(lambda text: text.replace("\n", "  \n")),
    "blanks that do not break": every_text(lambda text: text.replace("  ", "\N{NO-BREAK SPACE} ")),
    "lines at the end": every_text(lambda text: f"{text}\n\n\n"),
    "soft line breaks elsewhere": _soft_breaks,
    "letters apart from their accents": every_text(lambda text: normalize("NFD", text)),
    "links through a gateway": every_text(lambda text: re.sub('href="[^"]*"', 'href="https://safe.example"', text)),
    "parts in another order": _otherwise_ordered,
    "other file names": _renamed,
    "forwarded as an attachment": _forwarded,
    "a word before the subject": _with("Subject", "[SPAM] "),
    "a name beside the address": _as_bytes(
        lambda mail: re.sub(b"\nTo: (.*)", b'\nTo: "Some One" <\\1>', mail, count=1)
    ),
    "further headers": _with("Received", "from a by b; Sat, 28 Nov 2026 12:00:00 +0000"),
    "no HTML any more": _without("text/html"),
    "no text any more": _without("text/plain"),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_happens_to_mails_on_their_way_is_no_fault(mails: Mails, name: str) -> None:
    for mine in (mails.france, mails.germany):
        before = [one.name for mail in mine for one in saved(mail)]
        changed = [HARMLESS[name](mail) for mail in mine]
        assert faults(changed) == []
        assert [one.name for mail in changed for one in saved(mail)] == before


def test_every_part_of_a_mail_counts_in_what_is_said_of_it(mails: Mails) -> None:
    mails.put_back(_without("text/html")(mails.report))
    (said,) = [one.said for one in findings(mails.france) if one.said.startswith("S1901M: the report")]
    assert said.endswith(
        "signed; as sent: subject, date, text, ardennes-S1901M.json, ardennes.ics; "
        "no longer in it, and not checked: HTML"
    )


# Keys


def test_a_key_is_taken_from_the_oldest_mail_or_given(mails: Mails) -> None:
    key = _own(mails.world).public.hex()
    assert f"key {key}, given" in [one.said for one in findings(mails.france, [key])]
    found = faults(mails.france, [STRANGER.public.hex()])
    assert len(found) == len([mail for mail in mails.france if _json(mail, "-signature.json")])
    assert all(f"signed with another key, {key}" in one for one in found)
    assert faults(mails.france, [STRANGER.public.hex(), key]) == []


@pytest.mark.parametrize("key", ["old", "new", "oldest mail"])
def test_a_change_of_key_that_the_old_one_signed_is_no_fault(mails: Mails, key: str) -> None:
    later = _renewed(mails.world, signed=True)
    signed_again(lambda _: later, mails.number)(mails)
    keys = {"old": [_own(mails.world).public.hex()], "new": [later.public.hex()], "oldest mail": []}[key]
    assert faults(mails.france, keys) == []


def test_old_mails_are_told_apart_from_mails_whose_signature_was_taken_away(mails: Mails) -> None:
    for mail in mails.france[: mails.number + 1]:
        mails.report = mail
        _no_signature(mails)
    found = findings(mails.france)
    assert [one for one in found if one.is_fault] == []
    said = [
        one.said
        for one in found
        if "not signed: whether its text and HTML are as sent could not be checked" in one.said
    ]
    assert [one.split(" of ")[0] for one in said] == [
        "S1901M: the opening report",
        "S1901M: the receipt",
        "S1901M: the report",
    ]


def test_a_new_key_is_signed_by_the_old_one_and_every_old_key_is_kept(tmp_path: Path) -> None:
    office = Office(tmp_path)
    letter = Outgoing(LetterKind.REPORT, "cho@players.test", "<1@x>", NOON, JUDGE, None, "S1901M", "A PAR ✓\n")
    file = Attachment("ardennes-start.json", "application/json", b'{"format": "judge facts 1", "game": "ardennes"}')
    settings = tmp_path / "config.toml"
    settings.write_text(f'[judge]\naddress = "{JUDGE}"\n[database]\nurl = "{office.url}"\n')

    def told(*options: str) -> list[str]:
        done = judge("signing-key", *options, "--config", str(settings))
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    mails = []
    for number, options in enumerate([(), ("--new",), ("--new",)]):
        office.stop()
        keys = told(*options)
        assert told() == keys
        office.start()
        sent = replace(letter, date=NOON + timedelta(days=number), attachments=(file,))
        mails.append(message_from_bytes(compose(office.parts.delivery.writer.keyring.signed(sent))))
    office.stop()
    assert len(set(keys)) == 3
    found = [one for mail in mails for one in saved(mail)]
    for given in ([], keys[:1], keys[1:2], keys[2:]):
        assert [one.said for one in check_signatures(found, given) if one.is_fault] == []
    assert [one.is_fault for one in check_signatures(found[::2], keys[:1])] == [False] * 3


@pytest.mark.parametrize("key", ["", "xyz", "00", "0" * 63])
def test_a_key_that_is_none_is_refused(key: str, tmp_path: Path) -> None:
    done = judge("verify", "--key", key, str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"judge: {key!r} is no key: a key has 64 hexadecimal digits\n"


def test_each_mail_is_a_line_and_each_fault_one_on_standard_error(mails: Mails, tmp_path: Path) -> None:
    FORGERIES["a sign in the text"][0](mails)
    for number, mail in enumerate(mails.france):
        (tmp_path / f"{number}.eml").write_bytes(mail.as_bytes())
    done = judge("verify", "--key", _own(mails.world).public.hex(), str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == (
        "judge: ardennes S1901M: the report of 2026-11-26T12:01:00+00:00: its text is not what was sent\n"
    )
    signed = "signed; as sent: subject, date, text, HTML"
    assert [line.partition(signed)[0] for line in done.stdout.splitlines() if signed in line] == [
        "ardennes: S1901M: the opening report of 2026-11-24T12:00:00+00:00: ",
        "ardennes: S1901M: the receipt of 2026-11-24T16:00:00+00:00: ",
        "ardennes: F1901M: the receipt of 2026-11-26T14:01:00+00:00: ",
        "ardennes: F1901M: the report of 2026-11-28T12:02:00+00:00: ",
    ]
