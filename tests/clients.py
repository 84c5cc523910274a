"""Mail programs: how each puts a reply together; the table of them is `clients.toml`."""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email import policy
from email.message import EmailMessage
from html import escape
from pathlib import Path
from random import Random

from judge.reports.columns import width
from judge.reports.readers import Rendered

JUDGE = "Judge <judge@localhost>"
_UTF8 = {"en": "utf-8", "ja": "utf-8"}
_EIGHT = {"en": "8bit", "ja": "8bit"}


@dataclass(frozen=True)
class Program:
    """A mail program and what it does to a mail."""

    name: str
    head: Mapping[str, str]
    """Language → the lines above the answered mail; `{subject}` and `{me}` are filled in."""
    mark: str = "> "
    """The mark before every quoted line; empty if the old mail is only put below."""
    form: str = "plain"
    """The form of the mail: plain, html or alternative."""
    charset: Mapping[str, str] = field(default_factory=lambda: _UTF8)
    encoding: Mapping[str, str] = field(default_factory=lambda: _EIGHT)
    signature: Mapping[str, str] = field(default_factory=dict)
    """Language → the text that the program itself adds below a mail."""
    flowed: bool = False
    folds_at: int = 0
    """The column at which the program breaks long lines; 0 if it does not."""
    line: str = "<div>{}</div>"
    quotation: str = '<blockquote type="cite">{}</blockquote>'
    """The HTML around the old mail and its head."""
    habits: Sequence[str] = ("above",)
    """Where its users write: above, below, between, filled, alone."""


_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
PROGRAMS = tuple(Program(**entry) for entry in _TABLES["programs"])


@dataclass(frozen=True)
class Own:
    """The words a person writes themselves."""

    greeting: str
    orders: Sequence[str]
    closing: str
    signature: str


@dataclass(frozen=True)
class Answered:
    """The report that a mail answers."""

    report: Rendered
    message_id: str
    units: Sequence[str]
    """The lines of the report to be completed, one for each order, or none."""


@dataclass(frozen=True)
class Composer:
    """A mail that is being composed."""

    program: Program
    language: str
    own: Own
    answered: Answered
    sender: str
    where: str
    disclaimer: str = ""

    def mail(self) -> bytes:
        """Return the mail as it arrives."""
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"] = f"{'秋山 明' if self.language == 'ja' else 'Anna Schmidt'} <{self.sender}>"
        mail["To"] = JUDGE
        mail["Subject"] = f"Re: {self.answered.report.subject}"
        mail["Message-ID"] = "<answer@players.test>"
        if self.where != "alone":
            mail["In-Reply-To"] = self.answered.message_id
            mail["References"] = f"<root@localhost> {self.answered.message_id}"
        program = self.program
        if program.form == "html":
            self._add(mail, self.html(), "html")
        else:
            self._add(mail, _flowed(self.text()) if program.flowed else self.text(), "plain")
            if program.form == "alternative":
                mail.add_alternative(self.html(), subtype="html", charset="utf-8", cte="base64")
        return mail.as_bytes()

    def _add(self, mail: EmailMessage, text: str, subtype: str) -> None:
        charset = self.program.charset[self.language]
        try:
            "\n".join((self.own.greeting, *self.own.orders, self.own.closing)).encode(charset)
        except UnicodeEncodeError:
            charset = "utf-8"
        encoding = self.program.encoding[self.language]
        if charset == "utf-8" and encoding == "7bit":
            encoding = "8bit"
        # Characters of the old mail that the charset lacks become question marks.
        text = text.encode(charset, "replace").decode(charset)
        mail.set_content(text, subtype=subtype, charset=charset, cte=encoding)
        if self.program.flowed and subtype == "plain":
            mail.set_param("format", "flowed")

    # Plain text

    def text(self) -> str:
        """Return own words and quotation as plain text."""
        program, own = self.program, self.own
        orders = [folded for line in own.orders for folded in _folded(line, program.folds_at)]
        mine = _joined(own.greeting, "\n".join(orders), own.closing)
        signature = _joined(own.signature, program.signature.get(self.language, ""))
        head = program.head[self.language].format(me=self.sender, subject=self.answered.report.subject)
        old = self.answered.report.text.rstrip("\n").split("\n")
        match self.where:
            case "above":
                whole = [_joined(mine, signature), "", head + self._quoted(old)]
            case "below":
                whole = [head + self._quoted(old), "", _joined(mine, signature)]
            case "between":
                whole = [head + self._between(old), "", _joined(own.closing, signature)]
            case "filled":
                whole = [_joined(own.greeting), head + self._filled(old), "", signature]
            case _:
                whole = [_joined(mine, signature)]
        return "\n".join([*whole, *(("", self.disclaimer) if self.disclaimer else ())]).strip("\n") + "\n"

    def _quoted(self, lines: Sequence[str]) -> str:
        return "\n".join((self.program.mark + line).rstrip() for line in lines)

    def _between(self, old: Sequence[str]) -> str:
        """Put each order beneath the line of the report it is about."""
        lines: list[str] = []
        left = self._by_unit()
        for line in old:
            lines.append((self.program.mark + line).rstrip())
            if line in left:
                lines += ["", *_folded(left.pop(line), self.program.folds_at), ""]
        rest = [row for order in left.values() for row in _folded(order, self.program.folds_at)]
        return "\n".join([*lines, "", *rest])

    def _by_unit(self) -> dict[str, str]:
        """Map the report line of each order, or else the order itself, to the order."""
        return {unit or order: order for unit, order in zip(self.answered.units, self.own.orders, strict=True)}

    def _filled(self, old: Sequence[str]) -> str:
        """Write the orders into the quoted lines themselves."""
        orders = self._by_unit()
        return "\n".join((self.program.mark + orders.pop(line, line)).rstrip() for line in old)

    # HTML

    def html(self) -> str:
        """Return own words and quotation as HTML."""
        program, own = self.program, self.own
        signature = _joined(own.signature, program.signature.get(self.language, ""))
        head = escape(program.head[self.language].format(me=self.sender, subject=self.answered.report.subject))
        head = head.replace("&gt; ", "").replace("\n", "<br>")
        mine = self._lines(_joined(own.greeting, "\n".join(own.orders), own.closing))
        signed = f'<div class="signature">{self._lines(signature)}</div>' if signature else ""
        report = self.answered.report
        quotation = program.quotation.replace("{head}", head)
        match self.where:
            case "above":
                body = mine + signed + "<br>" + quotation.replace("{}", _body_of(report.html))
            case "below":
                body = quotation.replace("{}", _body_of(report.html)) + mine + signed
            case "between":
                lines = self._between_html(report.text.split("\n"))
                body = f"<div>{head}</div>{lines}" + self._lines(own.closing) + signed
            case _:
                body = mine + signed
        return f"<html><head><style>p {{ margin: 0 }}</style></head><body>{body}{self._lines(self.disclaimer)}</body>"

    def _lines(self, text: str) -> str:
        return "".join(self.program.line.format(escape(line) or "<br>") for line in text.split("\n")) if text else ""

    def _between_html(self, old: Sequence[str]) -> str:
        parts: list[str] = []
        quoted: list[str] = []
        left = self._by_unit()
        for line in old:
            quoted.append(f"<div>{escape(line)}</div>")
            if line in left:
                parts.append(f"<blockquote>{''.join(quoted)}</blockquote>{self._lines(left.pop(line))}")
                quoted = []
        return "".join([*parts, f"<blockquote>{''.join(quoted)}</blockquote>", *map(self._lines, left.values())])


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _body_of(html: str) -> str:
    start = html.find("<body")
    return html[html.find(">", start) + 1 : html.find("</body>")] if start >= 0 else html


def _folded(line: str, most: int) -> list[str]:
    if not most or width(line) <= most:
        return [line]
    if line.isascii():
        return textwrap.wrap(line, most, break_on_hyphens=False)
    rows = [""]
    for character in line:
        if width(rows[-1] + character) > most:
            rows.append("")
        rows[-1] += character
    return rows


def _flowed(text: str) -> str:
    """Break long lines of own words softly (RFC 3676)."""
    lines: list[str] = []
    for line in text.split("\n"):
        if line.startswith(">") or line == "-- " or len(line) <= 60 or not line.isascii():
            stuffed = f" {line}" if line.startswith((" ", "From ")) else line
            lines.append(stuffed if line == "-- " else stuffed.rstrip())
        else:
            *soft, last = textwrap.wrap(line, 60)
            lines += [f"{part} " for part in soft] + [last]
    return "\n".join(lines)


def own_words(chance: Random, language: str, orders: Sequence[str]) -> Own:
    """Return some orders with a random greeting, closing and signature around them."""
    words = {part: chance.choice(_TABLES[part][language]) for part in ("greetings", "closings", "signatures")}
    return Own(words["greetings"], orders, words["closings"], words["signatures"])


def disclaimer(chance: Random, language: str) -> str:
    """Return what a company adds below its people's mails; mostly nothing."""
    return str(chance.choice(_TABLES["disclaimers"][language]))
