"""Games as scripts: who mails what and when, and the expected answers.

    A title, up to the first blank line.

    start ardennes              gil creates it with the settings below, seven people join by power
      deadline: 2 days
    @ 2026-11-24 12:00          the clock, UTC; also `@ +6 hours`, `@ deadline` (a minute later)
                                and `@ morning` (the next 8:00, when masters are written to)
    cho> A Par - Bur            a mail, in answer to the latest report if there is one; more lines indented
    cho@ No Burgundy for me.    the same, in answer to the latest press
    cho< READY                  the same, in answer to the last receipt
    cho! CREATE x               the same, but not in answer to anything; it is confirmed with YES
    cho~ CREATE x               the same, but it is not confirmed
    cho% Italy, All: hello      a mail to these names of the latest address book of cho; `Italy | Tunis:` with a subject
    cho? NO                     the same, in answer to the last question that wants a yes or a no
    cho: on file                a letter to cho, because of the last mail or `@`, holds these words
    cho: not on file            none does
    cho: nothing                there is no letter
    jo: on file                 a letter to Jo, who shares the mailbox of another person, holds these words
    = S1901M                    the open phase; `= finished`, `= paused`, `= forming`
    = FRANCE A PAR - BUR        the orders on file

What a line expects may be cut in two by a line break in the mail. Lines that begin with # are remarks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import Message
from email.utils import parseaddr
from pathlib import Path

from judge.games.game import Game, GameState
from judge.language.times import read_duration
from judge.mail.headers import decoded
from judge.rules.notation import write_order
from judge.rules.position import Power
from tests.office import JUDGE, NAMES, PASS, TITLES, World, address_book, text
from tests.openings import once

FOLDER = Path(__file__).parent / "games"
_LINE = re.compile(r"(?P<who>[^\W\d_]+)(?P<sign>[><@!~?:%]) ?(?P<words>.*)")


@dataclass
class Step:
    """One line of a script, with the indented ones below it."""

    number: int
    text: str
    below: list[str] = field(default_factory=list)


@dataclass
class Script:
    """A game to be played."""

    name: str
    title: str
    steps: list[Step]


def scripts() -> Iterator[Script]:
    """Yield all scripts; fail if there are none."""
    files = sorted(FOLDER.glob("*.txt"))
    assert files, FOLDER
    for file in files:
        title, _, rest = file.read_text("utf-8").partition("\n\n")
        offset = title.count("\n") + 3
        steps: list[Step] = []
        for number, line in enumerate(rest.splitlines(), start=offset):
            if line.startswith(" ") and steps:
                steps[-1].below.append(line.strip())
            elif line.strip() and not line.startswith("#"):
                steps.append(Step(number, line.rstrip()))
        yield Script(file.stem, title, steps)


@dataclass
class Player:
    """Plays one script."""

    world: World = field(default_factory=World)
    letters: dict[str, list[Message]] = field(default_factory=dict)
    """Person → the letters that the last mail or clock step brought them."""
    receipts: dict[str, Message] = field(default_factory=dict)
    """Person → the last answer to a mail of theirs."""
    questions: dict[str, Message] = field(default_factory=dict)
    """Person → the last letter to them that wants a yes or a no."""
    press: dict[str, Message] = field(default_factory=dict)
    """Person → the last letter of press to them."""
    books: dict[str, dict[str, str]] = field(default_factory=dict)
    """Person → the last addresses of powers sent to them, by the power's name."""
    homes: dict[str, str] = field(default_factory=dict)
    """Person who shares a mailbox → the name in its address."""
    game: str = "ardennes"

    def play(self, step: Step) -> None:
        """Do what a step says, or check it; raises AssertionError."""
        if step.text.startswith("start "):
            self._start(step)
        elif step.text.startswith("@ "):
            self._set_clock(step.text[2:].strip())
        elif step.text.startswith("= "):
            self._check_state(step.text[2:].strip())
        else:
            match = _LINE.fullmatch(step.text)
            assert match, f"what is this? {step.text}"
            words = "\n".join([match["words"], *step.below])
            {
                ">": self._reply,
                "<": self._reply_to_receipt,
                "@": self._reply_to_press,
                "!": self._write,
                "~": self._write_only,
                "?": self._answer,
                "%": self._write_to,
                ":": self._check,
            }[match["sign"]](match["who"], words)

    def _start(self, step: Step) -> None:
        self.game = step.text.split()[1]
        create = "\n".join([f"CREATE {self.game}", *step.below])

        def play() -> None:
            self._write("gil", create, is_signed=True)
            for name, power in zip(NAMES, TITLES, strict=True):
                self._write(name, f"JOIN {self.game} AS {power}", is_signed=True)
            self.letters = {}

        once(self.world, create, play, self.world.box, self)

    def _set_clock(self, moment: str) -> None:
        length = read_duration(moment[1:]) if moment.startswith("+") else None
        self.letters = {}
        if moment == "morning":
            moment = f"{self.world.now + timedelta(hours=16):%Y-%m-%d} 08:00"
            self._set_clock(moment)
            self.world.parts.desks.write_in_the_morning()
            self.world.settle()
            self._sort_letters()
            return
        if moment == "deadline":
            game = self.found()
            assert game.clock.deadline is not None
            self.world.now = max(self.world.now, game.clock.deadline)
            moment, length = "+1 minute", read_duration("1 minute")
        if length is not None:
            self.world.now += length
        else:
            self.world.now = datetime.fromisoformat(moment).replace(tzinfo=UTC)
        self.world.settle()
        self._sort_letters()

    def _reply(self, name: str, words: str) -> None:
        self._reply_to(self.world.reports[name], name, words)

    def _reply_to_receipt(self, name: str, words: str) -> None:
        self._reply_to(self.receipts[name], name, words)

    def _reply_to_press(self, name: str, words: str) -> None:
        self._reply_to(self.press[name], name, words)

    def _reply_to(self, letter: Message, name: str, words: str) -> None:
        self.letters = {}
        self.world.mail(self.homes.get(name, name), words, to=str(letter["Reply-To"] or JUDGE), answers=letter)
        self._sort_letters()

    def _write_to(self, name: str, words: str) -> None:
        whom, body = re.split("[:：]", words, maxsplit=1)
        powers, _, subject = whom.partition("|")
        to = ", ".join(self.books[name][power.strip()] for power in re.split("[,、]", powers))
        self.letters = {}
        self.world.mail(self.homes.get(name, name), body.strip(), to=to, subject=subject.strip())
        self._sort_letters()

    def _write_only(self, name: str, words: str) -> None:
        self.letters = {}
        self.world.mail(self.homes.get(name, name), words)
        self._sort_letters()

    def _write(self, name: str, words: str, *, is_signed: bool = False) -> None:
        if is_signed:
            self.letters = {}
            self.world.mail(self.homes.get(name, name), words, Authentication_Results=PASS)
            self._sort_letters()
        else:
            self._write_only(name, words)
        asked = [letter for letter in self.letters.get(name, []) if "+confirm." in str(letter["Reply-To"])]
        for letter in asked:
            self.world.mail(self.homes.get(name, name), "YES", to=str(letter["Reply-To"]), answers=letter)
        self._sort_letters()

    def _answer(self, name: str, words: str) -> None:
        self._reply_to(self.questions[name], name, words)

    def _sort_letters(self) -> None:
        for recipient, letter in self.world.box.letters:
            name = recipient.split("@")[0]
            called = decoded(parseaddr(letter["To"])[0]).split()
            if called:
                self.homes[called[0].lower()], name = name, called[0].lower()
            self.letters.setdefault(name, []).append(letter)
            if book := address_book(letter):
                self.books[name] = {title.partition(" – ")[0]: found for title, found in book.items()}
            confirms = "+confirm." in str(letter["Reply-To"])
            if confirms or "--offer." in str(letter["Reply-To"]):
                self.questions[name] = letter
            if letter["Auto-Submitted"] == "auto-replied" and not confirms:
                self.receipts[name] = letter
            elif "--press." in str(letter["Reply-To"]):
                self.press[name] = letter
            elif letter["List-Id"] and not confirms:
                self.world.reports[name] = letter
        self.world.box.letters = []

    def _check(self, name: str, words: str) -> None:
        found = [f"{decoded(letter['Subject'])}\n{text(letter)}" for letter in self.letters.get(name, [])]
        letters = [" ".join(letter.split()) for letter in found]
        letters_text = "\n".join(letters) or "no letter"
        expected = " ".join(words.split())
        if expected == "nothing":
            assert not letters, letters_text
        elif expected.startswith("not "):
            assert not any(_holds(letter, expected[4:]) for letter in letters), letters_text
        else:
            assert any(_holds(letter, expected) for letter in letters), f"{expected!r} is not in\n{letters_text}"

    def _check_state(self, words: str) -> None:
        game = self.found()
        head, _, orders = words.partition(" ")
        if head in list(GameState):
            assert game.state.value == head
        elif len(head) == len("S1901M") and head[1:5].isdigit():
            assert str(game.position.phase) == head
            assert game.is_running
        else:
            filed = [write_order(one.order) for one in game.seat(Power(head)).filed.orders]
            assert filed == [order.strip() for order in orders.split(",") if order.strip()]

    def found(self) -> Game:
        """Return the game of the script as it is now."""
        with self.world.parts.store.work() as work:
            game: Game | None = work.games.get(self.game)
        assert game is not None
        return game


def _holds(letter: str, words: str) -> bool:
    """Whether a letter holds the words; Japanese lines are broken without a blank."""
    return words in letter or (not words.isascii() and "".join(words.split()) in "".join(letter.split()))
