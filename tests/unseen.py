"""`python -m tests.unseen` mails unseen sentences and counts the judge's readings.

Each folder `tests/asking/unseen-N` holds 40 situations and, for each language, what people wrote in them; its sums,
`unseen-N.sha256`, were committed before that work on the language began. Each sentence arrives as its writer would send
it: from a player of a running game in reply to a report, from a master, from a stranger, or in reply to the letter that
asked. What is done or asked about is compared with what the situation is about. `--all` prints every mail; other files
can be named instead.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from email.message import Message
from pathlib import Path
from unittest.mock import patch

from judge.commands import Doubted, Give
from judge.games.answers import DidYouMean
from judge.games.refusals import ReasonNeeded, Refused, WhichGame, WhichYear
from judge.language import Context, read
from judge.language.asking.phrases import load_phrases
from judge.language.writing import entry_of
from judge.reports.readers import AnsweredLine
from judge.rules import load_map
from judge.service.talk import conversation
from tests.office import NAMES, PASS, TITLES, World

ASKING = Path(__file__).parent / "asking"

# What each situation asks for, by the classes of the commands; "" is nothing, and right if only that is asked.
MEANT: dict[int, str] = {
    1: "Propose Extend SetDeadline",
    2: "Absence",
    3: "Absence",
    4: "PressToMaster",
    5: "VoteDraw",
    6: "VoteDraw",
    7: "",
    8: "SetReady",
    9: "SetReady Wait",
    10: "Resign",
    11: "ShowMap Status History Summary",
    12: "Status Calendar",
    13: "SetMail SetReceipts SetMaps SetReminders SetCalendar",
    14: "SetAddress",
    15: "SetLanguage",
    16: "SetZone",
    17: "Press",
    18: "Broadcast",
    19: "Help ShowRules WhatIf",
    20: "WhatIf Sandbox",
    21: "Propose Pause",
    22: "ShowOrders Status",
    23: "Give Doubted",
    24: "",
    25: "Extend SetDeadline",
    26: "Process",
    27: "Replace",
    28: "Eject Replace Invite",
    29: "Invite",
    30: "ChangeSetting",
    31: "Pause SetDeadline",
    32: "Rollback",
    33: "Start",
    34: "Join ListGames",
    35: "Help",
    36: "Create",
    37: "Accept Join",
    38: "Accept",
    39: "Extend",
    40: "Give Doubted AnswerQuestion",
}
MAY_DO_NOTHING = {4, 7, 24}
"""Situations in which doing nothing is right as well."""
MASTERS, FORMING, STRANGERS = range(25, 34), (29, 33), (34, 35, 36)


@dataclass
class Heard:
    """The judge's reading of a mail."""

    done: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def take(self, lines: Sequence[AnsweredLine]) -> None:
        for line in lines:
            for request, answer in zip(line.requests, line.answers, strict=True):
                kind = type(request).__name__
                if isinstance(answer, Refused) and not isinstance(answer.why, WhichGame | WhichYear | ReasonNeeded):
                    self.refused.append(f"{kind} ({type(answer.why).__name__})")
                elif isinstance(answer, DidYouMean | Refused) or type(answer).__name__.startswith("Asked"):
                    self.asked.append(kind)
                elif not request.card.steers:
                    self.done.append(kind)
            for fault in line.faults:
                self.asked += (_kind_of(one) or f"{fault.kind.value}: {one}" for one in fault.candidates)

    @property
    def found(self) -> list[str]:
        return [*self.done, *self.asked, *self.refused]


def _kind_of(line: str) -> str:
    """Return the kind of command in a line that a letter offers.

    It is "" if the line is an order or only a word.
    """
    (read_as,) = read(line, Context(load_map()))
    if len(read_as.requests) == 1 and not isinstance(read_as.requests[0], Give | Doubted):
        return type(read_as.requests[0]).__name__
    entry = entry_of(line)
    return entry.makes.__name__ if entry is not None else ""


class Scenes:
    """The games of the situations; each is made once and copied for each mail."""

    def __init__(self) -> None:
        self.running = World()
        self._create(self.running)
        for name, power in zip(NAMES, TITLES, strict=True):
            self.running.signed(name, f"JOIN borodino AS {power}")
        self.running.collect_reports()
        self.forming = World()
        self._create(self.forming)
        for name in NAMES[:5]:
            self.forming.signed(name, "JOIN borodino")
        self.forming.collect_reports()

    @staticmethod
    def _create(world: World) -> None:
        world.signed("gil", "CREATE borodino\ndeadline: 3 days")

    def hear(self, situation: int, said: str) -> tuple[Heard, list[Message]]:
        world = (self.forming if situation in (*FORMING, *STRANGERS, 37, 38) else self.running).apart()
        name, to, answers = "dan", "judge@localhost", world.reports.get("dan")
        if situation in MASTERS or situation == 39:
            name, answers = "gil", world.reports.get("gil")
        if situation in STRANGERS:
            name, answers = "hal", None
        if situation in (37, 38):
            world.signed("gil", "INVITE hal@players.test AS Germany")
            name, answers = "hal", world.box.take("hal")[0]
        if situation == 39:
            answers = world.signed("gil", "EXTEND 2 days")
        if situation == 40:
            answers = world.reply("dan", "A Minich - Bur")
        to = str(answers["Reply-To"]) if answers is not None and answers["Reply-To"] else to
        world.box.letters = []
        heard = Heard()
        do = vars(conversation)["do"]

        def listening(*given: object) -> object:
            answered = do(*given)
            heard.take(answered)
            return answered

        with patch.object(conversation, "do", listening):
            world.mail(name, said, to=to, answers=answers, Authentication_Results=PASS)
        letters = world.box.take(name)
        if not heard.found and any("+confirm." in str(letter["Reply-To"]) for letter in letters):
            heard.asked += [word for letter in letters for word in str(letter["Subject"]).split()[2:3]]
        return heard, letters


def judged(situation: int, heard: Heard) -> str:
    """Return right, wrong (something else is done or proposed), refused, or nothing."""
    meant = set(MEANT[situation].split())
    kinds = {one.split(" (")[0] for one in heard.found}
    acts = {one.split(" (")[0] for one in (*heard.done, *heard.asked)} - {"Help"}
    if kinds & meant:
        return "right" if acts & meant or "Help" in kinds & meant else "refused"
    if not acts and situation in MAY_DO_NOTHING:
        return "right"
    return "wrong" if acts else "nothing"


def main(show: Callable[[str], None] = print) -> int:
    """Print the figures of each language or named file; return the exit code.

    It is 1 if a file does not match its committed sum.
    """
    named = [Path(name) for name in sys.argv[1:] if not name.startswith("--")]
    for line in (line for sums in ASKING.glob("*.sha256") for line in sums.read_text("utf-8").splitlines()):
        digest, name = line.split()
        if not (ASKING / name).exists():
            show(f"{name} is still sealed")
        elif hashlib.sha256((ASKING / name).read_bytes()).hexdigest() != digest:
            show(f"{name} has been changed")
            return 1
    load_phrases()
    scenes = Scenes()
    for file in named or sorted(ASKING.glob("unseen-*/*.txt")):
        measure(file, scenes, show)
    return 0


def measure(file: Path, scenes: Scenes, show: Callable[[str], None]) -> None:
    """Print the figures of a file, and what is not right."""
    counted: Counter[str] = Counter()
    for line in file.read_text("utf-8").splitlines():
        number, _, said = line.partition("|")
        heard, _ = scenes.hear(int(number), said.strip())
        result = judged(int(number), heard)
        counted[result] += 1
        if "--all" in sys.argv or result != "right":
            show(f"{file.stem} {result:8} {int(number):2} {said.strip()} -> {heard}")
    total = sum(counted.values())
    show(
        f"{file.parent.name} {file.stem}: "
        + ", ".join(f"{name} {n} ({100 * n / total:.0f} %)" for name, n in counted.most_common())
    )


if __name__ == "__main__":
    sys.exit(main())
