"""The operator's `judge inbox` and `judge outbox`: list, show, retry, set aside and drop mails."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from email.utils import format_datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from judge.cli.common import ConfigFile, given_config, refuse
from judge.cli.terminal import AsJson, Column, show_json, show_rows, visible
from judge.config import Config
from judge.errors import ConfigError
from judge.mail.headers import decoded, header_text
from judge.mail.identity import headers_of
from judge.mail.reading import MailReader
from judge.service.engine.clock import Clock
from judge.service.talk.vocabulary import VOCABULARY
from judge.storage import InboxState, OutboxState, Received, Store, Written

inbox = typer.Typer(invoke_without_command=True)
outbox = typer.Typer(invoke_without_command=True)

_NO_CONTENT = "The text is not shown, because it may hold orders and press; --content shows it."
_MOST_HEADERS = 100
_GREATEST_NUMBER = 2**31 - 1
_Mail = TypeVar("_Mail", Received, Written)
Number = Annotated[int, typer.Argument(help="As the list shows it.", metavar="N")]
Limit = Annotated[int, typer.Option(help="How many to list.", min=1)]
InState = Annotated[InboxState | None, typer.Option(help="Only mails in this state.")]
OutState = Annotated[OutboxState | None, typer.Option(help="Only mails in this state.")]
_MAILS_IN = (
    Column("id", "N", is_number=True),
    Column("received_at", "received"),
    Column("state", "state"),
    Column("kind", "kind"),
    Column("source", "source", gives_way=True),
    Column("reason", "reason", gives_way=True),
)
_MAILS_OUT = (
    Column("id", "N", is_number=True),
    Column("queued_at", "queued"),
    Column("state", "state"),
    Column("kind", "kind"),
    Column("recipient", "recipient", gives_way=True),
    Column("reason", "reason", gives_way=True),
)
Content = Annotated[bool, typer.Option("--content", help="The text as well: it may hold orders and press.")]


@inbox.callback(help="The mails that came in.")
@inbox.command(name="list")
def inbox_list(
    context: typer.Context,
    config: ConfigFile = None,
    state: InState = None,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """List the newest incoming mails."""
    if _wants_a_list(context, config):
        with _store(context, config).look() as work:
            _list(work.inbox.counts(), _MAILS_IN, work.inbox.latest(limit, state), as_json=as_json)


@inbox.command(name="show")
def inbox_show(
    context: typer.Context,
    number: Number,
    content: Content = False,
    raw: Annotated[bool, typer.Option("--raw", help="The whole mail, byte for byte, and nothing else.")] = False,
    config: ConfigFile = None,
) -> None:
    """Show an incoming mail: its state and its headers."""
    with _store(context, config).look() as work:
        mail = _found(work.inbox.get, number, "inbox")
    if raw:
        sys.stdout.buffer.write(mail.raw.content)
        return
    sender = {None: "unknown", "": "<>"}.get(mail.raw.envelope_from, mail.raw.envelope_from)
    print(f"mail {number}: {mail.state.value}")
    _show("received", f"{mail.raw.received_at:%Y-%m-%d %H:%M:%S} UTC by {mail.raw.source}")
    _show("envelope", f"from {sender} to {', '.join(mail.raw.envelope_to) or 'unknown'}")
    _show("kind", mail.kind)
    _show("game", mail.game)
    lost = f", {mail.failures} failed by the mail itself, {mail.losses} did not come to an end" if mail.attempts else ""
    _show("attempts", f"{mail.attempts}{lost}")
    if mail.state is InboxState.SUSPECT:
        _show("next", f"{mail.retry_at:%Y-%m-%d %H:%M:%S} UTC, alone")
    _show("reason", mail.reason)
    print()
    for name, value in headers_of(mail.raw.content).items()[:_MOST_HEADERS]:
        print(f"{header_text(name)}: {decoded(value)}")
    print()
    print(visible(MailReader(frozenset(), VOCABULARY).read(mail.raw).text) if content else _NO_CONTENT)


@inbox.command(name="replay")
def inbox_replay(context: typer.Context, number: Number, config: ConfigFile = None) -> None:
    """Work a mail that was set aside or dropped."""
    with _store(context, config).work() as work:
        mail = _found(work.inbox.get, number, "inbox")
        if not work.inbox.replay(number):
            refuse(f"mail {number} is {mail.state.value}; only a mail that is set-aside or dropped can be replayed")
        work.commit()
    print(f"mail {number} waits to be worked again")


@inbox.command(name="quarantine")
def inbox_quarantine(context: typer.Context, number: Number, config: ConfigFile = None) -> None:
    """Set a waiting mail aside: it is not worked until it is replayed."""
    with _store(context, config).work() as work:
        mail = _found(work.inbox.get, number, "inbox")
        if not work.inbox.quarantine(number, "set aside by the operator"):
            refuse(f"mail {number} is {mail.state.value}; it does not wait to be worked")
        work.commit()
    print(f"mail {number} is set aside")


@inbox.command(name="drop")
def inbox_drop(context: typer.Context, number: Number, config: ConfigFile = None) -> None:
    """Never work a mail; it stays stored."""
    with _store(context, config).work() as work:
        mail = _found(work.inbox.get, number, "inbox")
        if not work.inbox.drop(number):
            refuse(f"mail {number} is {mail.state.value} already; it cannot be dropped")
        work.commit()
    print(f"mail {number} is dropped; it will not be worked")


@outbox.callback(help="The mails that go out.")
@outbox.command(name="list")
def outbox_list(
    context: typer.Context,
    config: ConfigFile = None,
    state: OutState = None,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """List the newest outgoing mails."""
    if _wants_a_list(context, config):
        with _store(context, config).look() as work:
            _list(work.outbox.counts(), _MAILS_OUT, work.outbox.latest(limit, state), as_json=as_json)


def _wants_a_list(context: typer.Context, config: Path | None) -> bool:
    """Whether to list: the box was named alone, without a subcommand."""
    context.obj = config or context.obj
    return context.invoked_subcommand is None


def _list(
    counts: Mapping[str, int], columns: Sequence[Column], rows: Sequence[Mapping[Any, Any]], *, as_json: bool
) -> None:
    """Show the number of mails in each state, and the newest ones without their contents."""
    shown = [{**row, "reason": row["reason"] and header_text(str(row["reason"]))} for row in rows]
    if as_json:
        show_json({"counts": counts, "mails": shown})
        return
    print("  ".join(f"{name} {count}" for name, count in counts.items()) or "empty")
    if shown:
        show_rows(columns, shown, as_json=False)


@outbox.command(name="show")
def outbox_show(context: typer.Context, number: Number, content: Content = False, config: ConfigFile = None) -> None:
    """Show an outgoing mail: its state and its headers."""
    with _store(context, config).look() as work:
        mail = _found(work.outbox.get, number, "outbox")
        is_suspended = work.outbox.is_suspended(mail.letter.recipient)
    letter = mail.letter
    print(f"mail {number}: {mail.state.value}")
    _show("queued", f"{mail.queued_at:%Y-%m-%d %H:%M:%S} UTC")
    _show("due", f"{mail.due:%Y-%m-%d %H:%M:%S} UTC" if mail.state.waits else None)
    _show("recipient", f"{letter.recipient}{', suspended' if is_suspended else ''}")
    _show("kind", letter.kind.value)
    _show("game", mail.game)
    _show("attempts", str(mail.attempts))
    _show("reason", mail.reason)
    print()
    headers = {
        "From": letter.sender,
        "To": letter.recipient,
        "Subject": header_text(letter.subject),
        "Date": format_datetime(letter.date),
        "Message-ID": letter.message_id,
        "Reply-To": letter.reply_to,
        "In-Reply-To": letter.in_reply_to,
        "List-Id": letter.list_id,
    }
    for name, value in headers.items():
        if value:
            print(f"{name}: {value}")
    print()
    print(visible(letter.text) if content else _NO_CONTENT)


@outbox.command(name="retry")
def outbox_retry(
    context: typer.Context,
    number: Annotated[int | None, typer.Argument(help="As the list shows it.", metavar="[N]")] = None,
    every: Annotated[bool, typer.Option("--all", help="All mails in --state, instead of one.")] = False,
    state: OutState = None,
    domain: Annotated[str | None, typer.Option(help="With --all: only mails to this domain.")] = None,
    config: ConfigFile = None,
) -> None:
    """Retry mail that did not leave or came back: one, or all in a state.

    The suspension of its address is lifted.
    """
    settings = _settings(context, config)
    if every and number is None and state not in (None, OutboxState.SENT):
        _retry_all(settings, state, domain)
    elif number is not None and not (every or state or domain):
        _retry(settings, number)
    else:
        raise ConfigError(("say which: a number, or --all with a --state but sent, and perhaps a --domain",))


def _retry_all(settings: Config, state: OutboxState, domain: str | None) -> None:
    with Store.open(settings.database.url).work() as work:
        queued = work.outbox.retry_all(Clock(settings.clock.offset_file)(), state, domain)
        work.commit()
    print(f"{queued} mails are queued again" if queued != 1 else "1 mail is queued again")


def _retry(settings: Config, number: int) -> None:
    with Store.open(settings.database.url).work() as work:
        _found(work.outbox.get, number, "outbox")
        whole = work.outbox.whole(number)
        mail = _found(work.outbox.get, whole, "outbox")
        name = f"mail {number}" if whole == number else f"mail {whole}, with what was mail {number} in it,"
        now = Clock(settings.clock.offset_file)()
        if not work.outbox.retry(whole, now):
            refuse(f"{name} is {mail.state.value}; it cannot be sent again")
        lifted = work.outbox.forget_bounces(mail.letter.recipient, now)
        work.commit()
    print(f"{name} is queued again" + (f"; {mail.letter.recipient} is no longer suspended" if lifted else ""))


@outbox.command(name="drop")
def outbox_drop(context: typer.Context, number: Number, config: ConfigFile = None) -> None:
    """Never send a mail; it stays stored."""
    with _store(context, config).work() as work:
        mail = _found(work.outbox.get, number, "outbox")
        if not work.outbox.drop(number):
            refuse(f"mail {number} is {mail.state.value} already; it cannot be dropped")
        work.commit()
    print(f"mail {number} is dropped; it will not be sent")


def _settings(context: typer.Context, config: Path | None) -> Config:
    """Load the settings file, which may be named before or after the subcommand."""
    return given_config(config or context.obj)


def _store(context: typer.Context, config: Path | None) -> Store:
    return Store.open(_settings(context, config).database.url)


def _found(get: Callable[[int], _Mail | None], number: int, box: str) -> _Mail:
    mail = get(number) if 0 < number <= _GREATEST_NUMBER else None
    if mail is None:
        refuse(f"there is no mail {number} in the {box}")
    return mail


def _show(name: str, value: str | None) -> None:
    if value:
        print(f"{name:10} {header_text(value)}")
