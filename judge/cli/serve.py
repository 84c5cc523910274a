"""`judge serve`: run the judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from judge.boards.operators import look_in
from judge.cli.common import ConfigFile, given_config, operators_language
from judge.mail.sources import ListenerSource
from judge.service.engine.assemble import Parts, assemble
from judge.service.engine.logs import logs_to_stderr
from judge.service.engine.metrics import EventCounter
from judge.service.engine.part import Part
from judge.service.engine.run import Service
from judge.setup import say


def serve(
    config: ConfigFile = None,
    only: Annotated[Part | None, typer.Option(help="Run one part alone, on the same database.")] = None,
) -> None:
    """Receive mail, work it, close phases and send mail, until stopped."""
    counter = EventCounter()
    logs_to_stderr(counter)
    settings = given_config(config)
    tell = partial(say, operators_language(settings))
    parts = assemble(settings)
    service = Service(parts, only, counter.registry)
    service.heed_signals()
    service.start()
    for line in _bad_boards(settings.games.boards, tell):
        print(line, flush=True)
    for line in _welcome(parts, tell) if only is None else (tell("runs_a_part", part=only.value),):
        print(line, flush=True)
    service.wait_until_told()


def _bad_boards(folder: Path | None, tell: Callable[..., str]) -> Iterator[str]:
    """Yield the faults of the operator's boards that cannot be played; the others can."""
    for name, faults in look_in(folder).bad.items():
        yield tell("bad_board", name=name, faults="".join(f"\n    {fault}" for fault in faults))


def _welcome(parts: Parts, tell: Callable[..., str]) -> Iterator[str]:
    """Yield a few lines of instructions for a first start."""
    address, delivery = parts.config.judge.address, parts.config.delivery
    listener = next((source for source in parts.sources if isinstance(source, ListenerSource)), None)
    if listener is not None:
        protocol = "LMTP" if listener.lmtp else "SMTP"
        yield tell("serves", address=address, protocol=protocol, place=listener.place)
        yield tell("try_line", line=_first_mail(listener, address, tell("first_word")))
    else:
        yield tell("reads", address=address, sources=", ".join(source.name for source in parts.sources))
        yield tell("try_mail", address=address)
    if delivery.kind == "maildir":
        way = f" {_way_to(listener)}" if listener is not None and _takes_smtp(listener) else ""
        yield tell("answers_line", line=f"neomutt -f {delivery.folder}{way}")
        yield tell("how_to_answer")
    else:
        yield tell("answers_leave", place=f"{delivery.host}:{delivery.port}")
    yield tell("games_are_kept", place=parts.store.shown_url)
    yield tell("how_to_stop")


def _first_mail(listener: ListenerSource, address: str, word: str) -> str:
    """Return a command to send a first mail; mail programs speak SMTP on ports only."""
    if _takes_smtp(listener):
        return f"echo {word} | neomutt {_way_to(listener)} -s hello {address}"
    where, how = "--socket" if listener.path else "--server", " --protocol LMTP" if listener.lmtp else ""
    return f"swaks {where} {listener.place}{how} --from you@example.org --to {address} --body {word}"


def _takes_smtp(listener: ListenerSource) -> bool:
    return not listener.lmtp and not listener.path


def _way_to(listener: ListenerSource) -> str:
    """Return the neomutt options that send mail to this listener."""
    return f"-e 'set smtp_url=smtp://{listener.place} ssl_force_tls=no from=you@example.org'"
