"""Seven ways in which people write mail."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.message import EmailMessage, Message
from email.policy import SMTP
from email.utils import make_msgid
from html import escape

from judge.commands import Language
from judge.mail.headers import decoded
from judge.reports.vocabulary import order_sentence
from judge.rules.notation import write_order
from judge.rules.orders import Order


@dataclass(frozen=True, slots=True)
class Habit:
    """How a person writes mail."""

    name: str
    """As shown in the demonstration's output."""
    language: Language
    fill: Callable[[EmailMessage, str, str], None]
    """Puts the person's text and the quoted mail into a new mail."""
    spell: Callable[[Order], str]
    """Writes an order in the person's style."""


_JAPANESE = Language("ja")
_GAME = {Language.ENGLISH: "game", _JAPANESE: "ゲーム"}
"""The subject of a first mail."""


def write(habit: Habit, sender: str, recipient: str, lines: Sequence[str], answered: Message | None) -> bytes:
    """Write a mail in a person's style, as a reply if `answered` is given."""
    mail = EmailMessage()
    mail["From"] = sender
    mail["To"] = recipient
    mail["Message-ID"] = make_msgid(domain=sender.rsplit("@", 1)[1].rstrip(">"))
    quoted = ""
    if answered is not None:
        subject = decoded(answered["Subject"])
        mail["Subject"] = subject if subject.lower().startswith("re:") else f"Re: {subject}"
        mail["In-Reply-To"] = str(answered["Message-ID"])
        quoted = text_of(answered)
    else:
        mail["Subject"] = _GAME[habit.language]
    habit.fill(mail, "\n".join(lines), quoted)
    return mail.as_bytes(policy=SMTP)


def text_of(mail: Message) -> str:
    """The plain text of a mail."""
    for part in mail.walk():
        if part.get_content_type() == "text/plain":
            payload = part.get_payload(decode=True)
            return payload.decode("utf-8") if isinstance(payload, bytes) else ""
    return ""


def _quote(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _plain(mail: EmailMessage, own: str, _quoted: str) -> None:
    mail.set_content(own + "\n")


def _quoting_below(mail: EmailMessage, own: str, quoted: str) -> None:
    mail.set_content(
        f"Hello,\n\n{own}\n\nRegards,\nBen\n\nOn Tue, 24 Nov 2026 at 13:00, the judge wrote:\n{_quote(quoted)}\n"
    )


def _inline(mail: EmailMessage, own: str, quoted: str) -> None:
    first, *rest = _quote(quoted).splitlines() or [""]
    text = "\n".join([first, *rest[:4], "", own, "", *rest[4:]])
    mail.set_content(text + "\n", cte="quoted-printable")


def _html_only(mail: EmailMessage, own: str, quoted: str) -> None:
    body = "".join(f"<div>{escape(line)}</div>" for line in own.splitlines())
    mail.set_content(f"<html><body>{body}<br><blockquote>{escape(quoted)}</blockquote></body></html>", subtype="html")


def _old_japanese(mail: EmailMessage, own: str, quoted: str) -> None:
    safe = re.sub(r"[“”–✗✓]", "", _quote(quoted))
    text = f"お世話になっております。\n\n{own}\n\nよろしくお願いします。\n-- \n太郎\n{safe}\n"
    mail.set_content(text.encode("iso-2022-jp", "replace").decode("iso-2022-jp"), charset="iso-2022-jp", cte="7bit")


def _japanese_phone(mail: EmailMessage, own: str, quoted: str) -> None:
    mail.set_content(
        f"{own}\n\niPhoneから送信\n\n2026年11月24日 13:00、<judge@localhost>のメール:\n\n{_quote(quoted)}\n",
        cte="base64",
    )


def _signed(mail: EmailMessage, own: str, _quoted: str) -> None:
    mail.set_content(f"{own}\n-- \nEva, Example Ltd.\nA Mun - Ber is what I would never write\n")


def _strict(order: Order) -> str:
    return write_order(order)


def _lower(order: Order) -> str:
    return write_order(order).lower()


def _wide(order: Order) -> str:
    """Write full-width letters, as a Japanese keyboard does."""
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else "\u3000" for c in write_order(order))


def _dashes(order: Order) -> str:
    return write_order(order).replace(" - ", " – ")


def _sentence(order: Order) -> str:
    return order_sentence(order, Language.ENGLISH)


def _japanese(order: Order) -> str:
    return order_sentence(order, _JAPANESE)


HABITS = (
    Habit("plain text", Language.ENGLISH, _plain, _strict),
    Habit("quoting the report below", Language.ENGLISH, _quoting_below, _lower),
    Habit("Japanese in ISO-2022-JP", _JAPANESE, _old_japanese, _japanese),
    Habit("HTML only", Language.ENGLISH, _html_only, _sentence),
    Habit("between the quoted lines", Language.ENGLISH, _inline, _dashes),
    Habit("Japanese from a phone", _JAPANESE, _japanese_phone, _wide),
    Habit("with a signature", Language.ENGLISH, _signed, _strict),
)
"""One for each power, in the order of the map."""
