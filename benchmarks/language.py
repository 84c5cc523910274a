"""Read the orders of hundreds of mails, from decoded text to checked orders.

Each mail has a board of its own. Promises, with a floor that is Lark's bare LALR parse of the same orders in their
plainest form, by a grammar that knows nothing else: a mail of ten lines, its orders checked, takes at most 3.3 floors
in English and 12 in Japanese. A process is ready for its first order within 45 times the start of a bare Python. No
line of 2,000 characters takes more than 100 ordinary ones. No mail at the limits, whatever its head, parts and 200
lines hold, takes more than 250 ordinary mails of ten lines. The ordinary ones are read with caches as cold.
"""

from __future__ import annotations

import gc
import re
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from operator import itemgetter
from random import Random

from lark import Lark
from measure import Figure, Promise, cpu_ms_once, process_ms, report, run, share, times
from phases import movement_phases

from judge.commands import Give
from judge.language import Context, read
from judge.language.orders.structures import notation, slow_structures, usual
from judge.language.words import load_lexicon
from judge.language.words.names import load_names
from judge.mail.letters import RawMail
from judge.mail.reading import MailReader
from judge.rules import PROFILES, Power, load_map
from judge.rules.legality import Referee
from judge.rules.orders import Order
from judge.rules.outcomes import Illegal
from judge.service.talk.vocabulary import VOCABULARY
from tests.writers import WRITERS, plain_writer

MAP = load_map()
SENDER, OTHERS = Power("FRANCE"), Power("TURKEY")
LINES = 10
MAILS = 400
LONGEST = 2000
WORST = Promise("the worst line of 2,000 characters, in ordinary lines, read as freshly", most=100)
WORST_MAIL = Promise("the worst mail at the limits, in ordinary mails", most=250)
_NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
TROUBLESOME = (
    "A Par - Bur |A Par S |A Prais - |support Paris |London, |army in |Burgandie |Xyz |(|- |A |to |F Stp/nc C |Army "
    "|※|# |Brugundy |Spring 1901 |ready. |A Par as Bur |(Brugundy) |, ready |~A Par~ |A Par with support from Mar "
    "|S1901M"
    "|パリ陸軍をブルゴーニュへ移動、|パリ陸軍を支援 |パリ陸軍がベルギーに|ミュンヘソ|パリ|ア|、陸軍|は|を"
    "|Parnot 陸軍VIA C the |build army S 輸送Par|army 輸送南岸1|; |hold |, |Marseil|H |all |。|nc |南岸"
)
READ = {
    "en": Promise("ten English lines read and checked, beside Lark's bare parse of ten plain lines", most=3.3),
    "ja": Promise("ten Japanese lines read and checked, beside Lark's bare parse of ten plain lines", most=12),
}
READY = Promise("ready for the first order, beside the start of a bare Python", most=45)
HABITS = ("various", "plain")
LANGUAGE = {"en": "English", "ja": "Japanese"}
BARE = {
    "en": r"""
start: unit ("-" PLACE | "S" unit ["-" PLACE] | "C" unit "-" PLACE | "H") VIA?
unit: KIND PLACE
KIND: "A" | "F"
VIA: "VIA"
%ignore " "
""",
    "ja": r"""
start: unit ("を" VIA? PLACE "へ移動" | "は" unit other | "を維持")
other: "の" PLACE "への移動を支援" | "を支援" | "を" PLACE "へ輸送"
unit: PLACE KIND
KIND: "陸軍" | "海軍"
VIA: "(輸送)"
""",
}


@dataclass(frozen=True)
class Mail:
    """Ten orders on a board, as a person writes them."""

    text: str
    context: Context
    orders: tuple[Order, ...]


def measure(rounds: float) -> list[Figure]:
    """Measure and print."""
    figures = [Figure(READY, _ready())]
    count = times(MAILS, max(0.4, min(1, rounds)))
    figures += [Figure(READ[language], max(_beside_a_bare_parse(language, count))) for language in WRITERS]
    print("the worst line of 2,000 characters, in ordinary lines read as freshly in turns")
    worst = _slowest(min(1, rounds))
    for name, lines in worst[:3]:
        print(f"  {lines:.0f} lines  {name}")
    return [*figures, Figure(WORST, worst[0][1]), Figure(WORST_MAIL, _worst_mail())]


def _worst_mail() -> float:
    """Print the costs of hostile mails, from bytes to orders; return the worst."""
    context = Context(MAP, MAP.start(), (SENDER,))
    reader = MailReader(frozenset(), VOCABULARY, "mx.test")

    def work(content: bytes) -> None:
        _forget()
        read(reader.read(RawMail(content, "bench", _NOON, None, ())).own_text, context)

    ordinary = statistics.median(
        cpu_ms_once(partial(work, _raw(mail.text)))
        for language in WRITERS
        for mail in _mails(language, "various", 1, 50)
    )
    print(f"a mail at the limits, in ordinary mails of {ordinary:.1f} ms")
    taken = {
        name: min(cpu_ms_once(partial(work, content)) for _ in range(2)) for name, content in _mails_at_the_limits()
    }
    for name in sorted(taken, key=lambda one: -taken[one])[:8]:
        print(f"  {taken[name]:.0f} ms, {taken[name] / ordinary:.0f} mails  {name}")
    return max(taken.values()) / ordinary


def _raw(text: str, head: str = "") -> bytes:
    plain = "From: anna@players.test\r\nMessage-ID: <1@players.test>\r\nContent-Type: text/plain; charset=utf-8"
    return f"{plain}{head}\r\n\r\n{text}\r\n".encode()


def _mails_at_the_limits() -> Iterator[tuple[str, bytes]]:
    chance = Random(4)
    words = [*load_lexicon("standard").terminals, *TROUBLESOME.split("|")]
    pieces = TROUBLESOME.split("|")
    few = [
        "A",
        "Par",
        "S",
        "Bur",
        "-",
        "to",
        "army",
        "with",
        "Mar",
        "support",
        "from",
        "F",
        "を",
        "パリ",
        "へ",
        "支援",
        "の",
    ]
    yield "900,000 semicolons", _raw("A Par - Bur", ";" * 900_000)
    yield "900,000 semicolons in quotation marks", _raw("A Par - Bur", '; x="' + ";" * 900_000)
    yield "450,000 quotation marks", _raw("A Par - Bur", ';"' * 450_000)
    yield "100,000 folded parameters", _raw("A Par - Bur", "\r\n ;" * 100_000)
    yield "200,000 empty headers", _raw("A Par - Bur", "\r\na:" * 200_000)
    yield "results without end", _raw("A Par - Bur", "\r\nAuthentication-Results: mx.test; " + "spf=pass " * 90_000)
    part = "--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    yield "parts in parts", _raw(part * 18_000, "\r\nContent-Type: multipart/mixed; boundary=b")
    yield "200 patterns", _raw("\n".join((piece * 310)[:310] for piece in (pieces * 4)[:199]))
    yield "32 long patterns", _raw("\n".join((piece * LONGEST)[: LONGEST - 30] for piece in pieces[-32:]))
    for name, vocabulary, sign, count in (
        *(("all words", words, " ", 60), ("all words run together", words, "", 60), ("a few words", few, " ", 40)),
    ):
        lines = (sign.join(chance.choices(vocabulary, k=count))[:310] for _ in range(199))
        yield f"200 lines of {name}", _raw("\n".join(lines))
    yield "200 unknown names", _raw("\n".join(f"A Par S x{n} A Mar support Bur to Xyz{n}" for n in range(199)))
    yield "200 headings and orders", _raw("\n".join(["if " * 50 + ":", "A Par - Bur"] * 99))
    yield "200 corrections", _raw("\n".join(["A Par - Bur", "I meant " + "Bur " * 25] * 99))


def _beside_a_bare_parse(language: str, count: int) -> Iterator[float]:
    """Print the figures of one language; yield the ratio to the floor for each habit.

    A habit is a way of writing.
    """
    for habit in HABITS:
        _read_all(_mails(language, habit, 2, count))  # a judge that has run for a while
        taken, floors = _in_turns_with(
            _bare(language), _mails(language, habit, 1, count), _mails(language, "plain", 1, count)
        )
        name, ours, bare = (
            f"{LANGUAGE[language]} mail of {LINES} lines, {habit}",
            *map(statistics.median, (taken, floors)),
        )
        report(name, ours, "ms CPU", "Lark's bare LALR", bare)
        yield share(taken, floors)
        most = statistics.quantiles(taken, n=20)[-1]
        cold = statistics.median(_read_all(_mails(language, habit, seed=1, count=60), remember=False)[0])
        print(f"  the first mail of a judge that has just begun: {cold:.2f} ms")
        print(f"  {len(taken)} mails: 95 of 100 within {most:.2f} ms, {max(taken):.1f} ms at most")


def _read_all(mails: Sequence[Mail], *, remember: bool = True) -> tuple[list[float], list[str]]:
    """Return the CPU milliseconds of each mail, and the texts that were misread."""
    gc.freeze()  # the collector should not scan the waiting mails
    taken, wrong = [], []
    for mail in mails:
        if not remember:
            _forget()
        began = time.process_time_ns()
        lines = read(mail.text, mail.context)
        given = [request.order for line in lines for request in line.requests if isinstance(request, Give)]
        for order in given:
            mail.context.referee.meaning(SENDER, order)
        taken.append((time.process_time_ns() - began) / 1e6)
        if tuple(given) != mail.orders:
            wrong.append(mail.text)
    return taken, wrong


def _in_turns_with(parser: Lark, mails: Sequence[Mail], plain: Sequence[Mail]) -> tuple[list[float], list[float]]:
    """Return the cost of reading each mail, and of Lark for the same plain orders.

    The two alternate mail by mail.
    """
    taken, floors = [], []
    for mail, same in zip(mails, plain, strict=True):
        (ours,), wrong = _read_all([mail])
        assert not wrong, wrong[0]
        taken.append(ours)
        floors.append(cpu_ms_once(partial(list, map(parser.parse, same.text.splitlines()))))
    return taken, floors


def _mails(language: str, habit: str, seed: int, count: int = MAILS) -> list[Mail]:
    chance = Random(seed)
    mails = []
    for context, orders in _tasks(seed, count):
        writer = plain_writer(language) if habit == "plain" else chance.choice(WRITERS[language])(chance)
        mails.append(Mail("\n".join(map(writer.write, orders)), context, tuple(orders)))
    return mails


def _tasks(seed: int, count: int) -> Iterator[tuple[Context, list[Order]]]:
    """Yield boards of random games, half the units the sender's, with ten orders."""
    chance = Random(seed)
    found = 0
    for position, orders in movement_phases(20 * count, 20, seed):
        mine = MAP.powers[:3] if found % 2 else MAP.powers[3:]
        units = {unit: SENDER if power in mine else OTHERS for unit, power in position.units.items()}
        board = replace(position, units=units)
        referee = Referee(MAP, board)
        meant = [referee.meaning(SENDER, order) for power in mine for order in orders.get(power, ())]
        legal = [order for order in meant if not isinstance(order, Illegal)]
        if len(legal) >= LINES:
            yield Context(MAP, board, (SENDER,)), chance.sample(legal, LINES)
            found += 1
        if found == count:
            return


def _bare(language: str) -> Lark:
    names = load_names("standard").places
    words = [word for word in names if word.isascii() is (language == "en")]
    some = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))
    place = (rf"(?<![a-z0-9])(?:{some})(?![a-z0-9])" if language == "en" else f"(?:{some})").replace("/", r"\/")
    coast = r"(?:\/[a-z]{2})?" if language == "en" else "(?!軍)(?:北岸|南岸|東岸)?"
    return Lark(f"{BARE[language]}\nPLACE: /{place}{coast}/i\n", parser="lalr")


def _slowest(rounds: float) -> list[tuple[str, float]]:
    """Return the slowest long lines, in multiples of ordinary lines.

    All are measured once; the slowest are then measured beside ordinary lines.
    """
    seeming = sorted(
        ((cpu_ms_once(read_it), name, read_it) for name, read_it in _long_lines(rounds)), key=itemgetter(0)
    )
    mails = [mail for language in WRITERS for habit in HABITS for mail in _mails(language, habit, seed=1, count=3)]

    def in_ordinary_lines(read_it: Callable[[], object]) -> float:
        return cpu_ms_once(read_it) / (sum(_read_all(mails, remember=False)[0]) / len(mails) / LINES)

    measured = [(name, statistics.median(in_ordinary_lines(one) for _ in range(5))) for _, name, one in seeming[-20:]]
    return sorted(measured, key=itemgetter(1), reverse=True)


def _long_lines(rounds: float) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield hostile lines of full length: a few words repeated, or many at random."""
    chance = Random(3)
    words = list(load_lexicon("standard").terminals)
    some = (*chance.sample(words, 60), *TROUBLESOME.split("|"))
    pieces = [
        *TROUBLESOME.split("|"),
        *("".join(chance.choices(some, k=chance.randint(2, 7))) for _ in range(times(1500, rounds))),
    ]
    lines = [(piece * LONGEST)[:LONGEST] for piece in pieces]
    for sign in (" ", "", "、", ","):
        lines += [sign.join(chance.choices(words, k=1500))[:LONGEST] for _ in range(times(50, rounds))]
    context = Context(MAP, MAP.start(), (SENDER,))
    guesses = replace(context, options=PROFILES["rulebook-1971"])
    for line in lines:
        yield line[:24], partial(_afresh, line, context)
    for piece in TROUBLESOME.split("|"):
        line = (piece * LONGEST)[:LONGEST]
        yield f"{line[:24]} (guessed)", partial(_afresh, line, guesses)


def _afresh(line: str, context: Context) -> None:
    _forget()
    read(line, context)


def _forget() -> None:
    """Clear the caches of sentences."""
    for shapes in (notation, usual, slow_structures):
        shapes.cache_clear()


def _ready() -> float:
    """Return the time to the first orders, in starts of a bare Python.

    A fresh process reads an order in each language.
    """
    code = (
        "from judge.language import Context, read\n"
        "from judge.rules import load_map\n"
        "map_ = load_map(); context = Context(map_, map_.start())\n"
        "read('A Par - Bur\\nパリの陸軍はブルゴーニュに移動\\nREADY', context)\n"
    )
    turns = [(process_ms("-c", code), process_ms("-c", "")) for _ in range(5)]
    ready, bare = (statistics.median(taken) for taken in zip(*turns, strict=True))
    report("ready for the first order", ready, "ms CPU", "a bare Python", bare)
    return statistics.median(one / other for one, other in turns)


if __name__ == "__main__":
    run(measure)
