"""Ask questions at the terminal or through a pipe; read the system's time zone."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from getpass import getpass
from pathlib import Path

from judge.calendar.zones import find_zone
from judge.cli.common import refuse
from judge.languages import Language
from judge.setup import say


def _all_is_well(_: str) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Talk:
    """A dialog in one language."""

    language: Language

    @property
    def is_person(self) -> bool:
        """Whether a person is at the terminal and can be asked again."""
        return sys.stdin.isatty()

    def said(self, sentence: str, **values: object) -> str:
        """Return a sentence of `templates/setup.toml`."""
        return say(self.language, sentence, **values)

    def tell(self, sentence: str, **values: object) -> None:
        """Print a sentence."""
        print(self.said(sentence, **values), flush=True)

    def complain(self, text: str) -> None:
        """Print what is wrong."""
        print(f"! {text}", flush=True)

    def ask(
        self,
        question: str,
        given: str | None,
        default: str | None = None,
        check: Callable[[str], str] = _all_is_well,
        **values: object,
    ) -> str:
        """Ask until the answer is good.

        `check` returns the name of a sentence that says what is wrong, or "".
        """
        while True:
            text = given if given is not None else self._line(self.said(question, **values), default)
            wrong = check(text)
            if not wrong:
                return text
            fault = self.said(wrong, text=text)
            if given is not None or not self.is_person:
                refuse(fault)
            self.complain(fault)

    def _line(self, question: str, default: str | None) -> str:
        print(f"{question} [{default}]: " if default else f"{question}: ", end="", flush=True)
        line = sys.stdin.readline()
        if not self.is_person:
            print()
        text = line.strip() or default
        if text is None:
            if line and self.is_person:
                return ""
            refuse(self.said("no_answer", question=" ".join(question.split())))
        return text

    def ask_secretly(self, question: str, **values: object) -> str:
        """Ask for a password without showing it."""
        if self.is_person:
            return getpass(f"{self.said(question, **values)}: ").strip()
        return self._line(self.said(question, **values), None)


def system_zone() -> str:
    """Return the time zone of this machine; UTC if it is not known."""
    try:
        named = os.environ.get("TZ") or Path("/etc/timezone").read_text("utf-8").strip()
    except OSError:
        named = ""
    return str(find_zone(named) or "UTC") if named else "UTC"
