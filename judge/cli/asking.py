"""Questions to whoever sits at the terminal, or to a pipe; and what the system says of him."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from getpass import getpass
from pathlib import Path

from judge.cli.common import refuse
from judge.config import Config
from judge.language.times import find_zone
from judge.languages import Language
from judge.setup import say

_OF_NOBODY = ("", "C", "POSIX")
"""What a system is set to where nobody has chosen."""


def _all_is_well(_: str) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Talk:
    """A talk in one language."""

    language: Language

    @property
    def is_person(self) -> bool:
        """Whether somebody is there who can be asked twice."""
        return sys.stdin.isatty()

    def said(self, sentence: str, **values: object) -> str:
        """A sentence of `templates/setup.toml`."""
        return say(self.language, sentence, **values)

    def tell(self, sentence: str, **values: object) -> None:
        """Say it."""
        print(self.said(sentence, **values), flush=True)

    def complain(self, text: str) -> None:
        """Say what is wrong."""
        print(f"! {text}", flush=True)

    def ask(
        self,
        question: str,
        given: str | None,
        default: str | None = None,
        check: Callable[[str], str] = _all_is_well,
        **values: object,
    ) -> str:
        """An answer that is one: `check` names the sentence that says why another is not."""
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
        """A password: not shown."""
        if self.is_person:
            return getpass(f"{self.said(question, **values)}: ").strip()
        return self._line(self.said(question, **values), None)


def system_language() -> Language | None:
    """The language the terminal is set to, English for all that we do not speak; None where it says nothing."""
    chosen = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    if chosen.partition(".")[0] in _OF_NOBODY:
        return None
    return next((one for one in Language if chosen.startswith(one)), Language.ENGLISH)


def operators_language(config: Config) -> Language:
    """What whoever runs a judge reads: the language of the terminal, else that of the judge."""
    return system_language() or config.judge.language


def system_zone() -> str:
    """The time zone of this machine, if it says; else UTC."""
    try:
        named = os.environ.get("TZ") or Path("/etc/timezone").read_text("utf-8").strip()
    except OSError:
        named = ""
    return str(find_zone(named) or "UTC") if named else "UTC"
