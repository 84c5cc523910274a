"""What was looked at, and what is to be said of it."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    about: str
    said: str
    """What is wrong with it, in one line; or where it is."""
    is_good: bool
    is_warning: bool = False
    """It is good, but somebody should know."""


def in_words(error: BaseException, where: str) -> str:
    """What went wrong at a host and port, in one line, as one would say it."""
    for one in _causes(error):
        match one:
            case ConnectionRefusedError():
                return f"nobody listens at {where}: another port, or the server is not running"
            case ConnectionResetError() | BrokenPipeError():
                return f"{where} hung up: another port, or another `security`"
            case ssl.SSLCertVerificationError():
                return f"the certificate of {where} is not good: {one.verify_message}"
            case ssl.SSLError():
                return f"{where} does not speak TLS from the start: another port, or another `security`"
            case TimeoutError():
                return f"{where} does not answer: another port, a firewall, or the server is not running"
    return " ".join(str(error).split()) or type(error).__name__


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
