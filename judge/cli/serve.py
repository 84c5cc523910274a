"""`judge serve`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from judge.cli.common import ConfigFile, given_config
from judge.mail.sources import ListenerSource
from judge.service import Part, Parts, Service, assemble
from judge.service.engine.logs import logs_to_stderr
from judge.service.engine.metrics import EventCounter


def serve(
    config: ConfigFile = None,
    only: Annotated[Part | None, typer.Option(help="Run one part alone, on the same database.")] = None,
) -> None:
    """Receive mail, work it, close phases, send mail: until told to stop."""
    counter = EventCounter()
    logs_to_stderr(counter)
    parts = assemble(given_config(config))
    service = Service(parts, only, counter.registry)
    service.heed_signals()
    service.start()
    for line in _welcome(parts) if only is None else (f"The judge runs its part {only.value!r}.",):
        print(line, flush=True)
    service.wait_until_told()


def _welcome(parts: Parts) -> Iterator[str]:
    """A few lines for whoever starts the judge for the first time."""
    settings = parts.config
    listener = next((source for source in parts.sources if isinstance(source, ListenerSource)), None)
    address, delivery = settings.judge.address, settings.delivery
    if listener is not None:
        yield f"The judge is {address}; it takes mail by {'LMTP' if listener.lmtp else 'SMTP'} at {listener.place}."
        yield f"Try:      {_first_mail(listener, address)}"
    else:
        yield f"The judge is {address}; it reads {', '.join(source.name for source in parts.sources)}."
        yield f"Try:      mail HELP to {address}"
    if delivery.kind == "maildir":
        way = f" {_way_to(listener)}" if listener is not None and _takes_smtp(listener) else ""
        yield f"Answers:  neomutt -f {delivery.folder}{way}"
        yield "          (r replies, y sends; a copy of every mail of the judge lands there)"
    else:
        yield f"Answers:  leave by {delivery.host}:{delivery.port}."
    yield f"Games:    are kept in {parts.store.shown_url}."
    yield "Stop:     Ctrl-C, at any moment; the next start goes on where this one stopped."


def _first_mail(listener: ListenerSource, address: str) -> str:
    """The line that sends one; what is no SMTP on a port, mail programs do not speak."""
    if _takes_smtp(listener):
        return f"echo HELP | neomutt {_way_to(listener)} -s hello {address}"
    where, how = "--socket" if listener.path else "--server", " --protocol LMTP" if listener.lmtp else ""
    return f"swaks {where} {listener.place}{how} --from you@example.org --to {address} --body HELP"


def _takes_smtp(listener: ListenerSource) -> bool:
    return not listener.lmtp and not listener.path


def _way_to(listener: ListenerSource) -> str:
    """What tells neomutt to hand its mail to us."""
    return f"-e 'set smtp_url=smtp://{listener.place} ssl_force_tls=no from=you@example.org'"
