"""`judge doctor`: whether everything the settings name is there and lets us in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass

from judge.config import Config
from judge.errors import SourceError
from judge.mail.letters import RawMail
from judge.service.engine.assemble import make_sender, make_source
from judge.service.engine.clock import Clock
from judge.storage import Store


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    about: str
    said: str
    """What is wrong with it, in one line; or where it is."""
    is_good: bool


def examine(config: Config) -> Iterator[Finding]:
    """Look at the database, every source, and the way out, one after the other, whatever is wrong before."""
    yield _looked("database", lambda: _open(config.database.url))
    for settings in config.sources:
        yield _looked(f"source {settings.name}", lambda: make_source(settings, _keep, Clock()).check())  # noqa: B023 - called at once
    yield _looked("delivery", lambda: make_sender(config).check())


def _open(url: str) -> str:
    with closing(Store.open(url)) as store:
        return store.shown_url


def _looked(about: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(about, look(), is_good=True)
    except Exception as error:  # noqa: BLE001 - whatever is wrong there, the operator wants one line
        said = " ".join(str(error).split()) or type(error).__name__
        return Finding(about, said, is_good=False)


def _keep(*_: RawMail) -> None:
    raise SourceError("a look takes no mail")
