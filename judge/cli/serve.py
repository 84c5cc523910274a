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
    """Five lines for whoever starts the judge for the first time."""
    settings = parts.config
    listener = next((source for source in parts.sources if isinstance(source, ListenerSource)), None)
    address, delivery = settings.judge.address, settings.delivery
    if listener is not None:
        protocol, how = ("LMTP", " --protocol LMTP") if listener.lmtp else ("SMTP", "")
        where = "--socket" if listener.path else "--server"
        yield f"The judge is {address}; it takes mail by {protocol} at {listener.place}."
        yield f"Try:      swaks {where} {listener.place}{how} --from you@example.org --to {address} --body HELP"
    else:
        yield f"The judge is {address}; it reads {', '.join(source.name for source in parts.sources)}."
        yield f"Try:      mail HELP to {address}"
    if delivery.kind == "maildir":
        yield f"Answers:  land in the Maildir {delivery.folder}; neomutt -f {delivery.folder} shows them."
    else:
        yield f"Answers:  leave by {delivery.host}:{delivery.port}."
    yield f"Games:    are kept in {parts.store.shown_url}."
    yield "Stop:     Ctrl-C, at any moment; the next start goes on where this one stopped."
