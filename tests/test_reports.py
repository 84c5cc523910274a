"""Reports and receipts as readers see them: `tests/reports` has the expected text and HTML.

A change of wording shows itself there. `python -m tests.test_reports` writes the files anew; read them
before you commit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

import pytest

from judge.commands import Create, GeneralCommand, Give, Join, Language, Perhaps, PressOrOrders, SetReady
from judge.games import Game, Handled, MailContext, Person, PersonId, Request, close, create, handle, join
from judge.games.events import GameStarted, PhaseClosed
from judge.language import Context, read
from judge.mail.signing import Keyring
from judge.reports.phases import phase_reports
from judge.reports.readers import AnsweredLine, Reader, Receipt, Remark, Rendered, Role
from judge.reports.render import reply
from judge.reports.sections import NO_RETROSPECT, Retrospect, YearOfCenters
from judge.reports.turning import Turn, turning_points
from judge.rules import Location, Phase, Position, Power, load_map, read_order, read_unit
from judge.rules.position import Province, province_of
from judge.service.post.letters import LetterWriter, with_addresses

FOLDER = Path(__file__).parent / "reports"
NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=1)
EARLIER = NOON - timedelta(hours=3)
MAP = load_map()
FRANCE, GERMANY = Power("FRANCE"), Power("GERMANY")
NAMES = ("Gil", "Ada", "Ben", "Cho", "Dan", "Eva", "Fay", "Gus", "Ono")


@dataclass
class Table:
    """A game and its people, all reading one language."""

    language: Language

    def __post_init__(self) -> None:
        zone = "Europe/Paris" if self.language is Language.ENGLISH else "Asia/Tokyo"
        self.people = {
            PersonId(n): Person(PersonId(n), f"{n}@players.test", name, self.language, zone)
            for n, name in enumerate(NAMES)
        }
        made = create(Create("ardennes"), PersonId(0))
        assert isinstance(made, Handled)
        game = made.game
        for number, power in enumerate(MAP.powers, start=1):
            game = join(game, PersonId(number), Join("ardennes", power), NOON, seed=1).game
        self.start = replace(game, observers=(PersonId(8),))

    def player(self, power: Power) -> Reader:
        holder = self.start.seat(power).holder
        assert holder is not None
        return Reader(self.people[holder], Role.PLAYER, (power,), "judge+ardennes.aaaaaaaaaaaaaaaaaaaa@judge.test")

    def file(self, game: Game, *orders: str) -> Game:
        owners = {unit.province: power for unit, power in game.position.units.items()}
        owners |= {unit.province: loss.power for unit, loss in game.position.dislodged.items()}
        homes = {home: power for power, homes in MAP.home_centers.items() for home in homes}
        for text in orders:
            place = read_order(text).unit.province  # type: ignore[union-attr]
            holder = game.seat(owners.get(place) or homes[place]).holder
            assert holder is not None
            game = handle(Request(game, holder, Give(read_order(text)), MailContext(1, text, NOON), NOON)).game
        return game

    def closed(self, position: Position, *orders: str) -> PhaseClosed:
        game = self.file(replace(self.start, position=position), *orders)
        found = close(game, position.phase, NOON)
        assert found is not None
        event = found[1][0]
        assert isinstance(event, PhaseClosed)
        return event

    def report(self, event: GameStarted | PhaseClosed, reader: Reader, past: Retrospect = NO_RETROSPECT) -> Rendered:
        return phase_reports(event, [reader], self.people, NOON, past)[0]

    def receipt(self, text: str, power: Power = FRANCE) -> Rendered:
        reader, game = self.player(power), self.start
        lines = []
        for line in read(text, Context(MAP, game.position, (power,))):
            answers = []
            for request in line.requests:
                assert not isinstance(request, GeneralCommand | Perhaps | PressOrOrders)
                context = MailContext(2, line.text, LATER)
                handled = handle(Request(game, reader.person.id, request, context, LATER))
                game = handled.game
                answers.append(handled.answer)
            lines.append(AnsweredLine(line.text, line.requests, tuple(answers), line.faults))
        is_talk = not any(line.requests or line.faults for line in lines)
        remarks = (Remark.NOTHING_UNDERSTOOD,) if is_talk else ()
        receipt = Receipt(
            reader, tuple(lines), game, remarks, subject="Re: [ardennes] Spring 1901", tells_state=not is_talk
        )
        return reply(receipt, LATER)


def position(phase: str, units: dict[str, str], centers: dict[str, str]) -> Position:
    owners = {province_of(Location(code)): Power(power) for power, codes in centers.items() for code in codes.split()}
    standing = {read_unit(unit): Power(power) for power, listed in units.items() for unit in listed.split(", ")}
    return Position(Phase.parse(phase), standing, owners)


def _turns() -> Iterator[Turn]:
    """Yield turns in which France takes one center, several, or a power's last ones.

    They belonged to Italy and Germany.
    """
    owners = {"VEN": "ITALY", "ROM": "ITALY", "DEN": "GERMANY"}
    owners |= dict.fromkeys(("BER", "KIE", "MUN"), "GERMANY")
    taken = {"F1904M": {"KIE": "FRANCE"}, "F1905R": {"MUN": "FRANCE", "DEN": "ENGLAND"}}
    for phase, changed in (taken | {"F1908M": {"VEN": "FRANCE", "ROM": "FRANCE"}}).items():
        before, owners = owners, owners | changed
        yield Turn(Phase.parse(phase), _owners(before), _owners(owners))


def _owners(centers: dict[str, str]) -> dict[Province, Power]:
    return {Province(Location(center)): Power(power) for center, power in centers.items()}


def mails(language: Language) -> Iterator[tuple[str, Rendered]]:
    """Yield every kind of report and receipt, with its name."""
    table = Table(language)
    france, germany = table.player(FRANCE), table.player(GERMANY)
    observer, master = Reader(table.people[PersonId(8)], Role.OBSERVER), Reader(table.people[PersonId(0)], Role.MASTER)
    writer = LetterWriter("judge@judge.test", b"secret", Keyring(b"\1" * 32))
    yield "opening", table.report(GameStarted(table.start, NOON), with_addresses(writer, table.start, france))
    yield "opening-master", table.report(GameStarted(table.start, NOON), master)
    spring = position(
        "S1901M",
        {"FRANCE": "A BUR, A RUH, F BRE", "GERMANY": "A MUN, A BER, F KIE", "ENGLAND": "F ENG, A LON, F NTH"},
        {"FRANCE": "PAR BRE MAR", "GERMANY": "MUN BER KIE", "ENGLAND": "LON EDI LVP"},
    )
    fight = table.closed(
        spring,
        "A BUR - MUN",
        "A RUH S A BUR - MUN",
        "A MUN H",
        "A BER - SIL",
        "F BRE - ENG",
        "A LON - BEL",
        "F NTH C A LON - BEL",
    )
    yield "movement-dislodged", table.report(fight, germany)
    yield "movement-observer", table.report(fight, observer)
    fall = position(
        "F1901M",
        {"FRANCE": "A SPA, F BRE, A BUR", "GERMANY": "A MUN, A TYR, F KIE, A RUH", "ENGLAND": "F NTH"},
        {"FRANCE": "PAR BRE MAR", "GERMANY": "MUN KIE", "ENGLAND": "LON EDI LVP"},
    )
    winter = table.closed(fall, "A BUR H", "A SPA - POR", "A TYR - BOH", "F NTH - NWY")
    yield "winter-builds", table.report(winter, france)
    yield "winter-again", table.report(replace(winter, replaces=EARLIER), france)
    yield "winter-removals", table.report(winter, germany)
    many = "BEL BER BRE DEN EDI HOL KIE LON MAR MUN NAP NWY PAR POR ROM SPA STP"
    last = position("F1908M", {"FRANCE": "A PIE, F BRE", "ITALY": "A VEN"}, {"FRANCE": many, "ITALY": "VEN TUN"})
    years = tuple(YearOfCenters(1900 + n, {FRANCE: 3 + 2 * n, Power("ITALY"): 3}) for n in range(9))
    end = table.closed(replace(last, units={read_unit("A VEN"): FRANCE}), "A VEN H")
    past = Retrospect(years, turning_points=turning_points(MAP, _turns()), site="https://club.test/archive")
    yield "the-end", table.report(end, observer, past)
    yield (
        "receipt",
        table.receipt("Hello\nA Par - Bur\nA Mar S A Par - Bur\nF Bre - Lodnon\nA Mun - Ber\nA Par - Lon\nREADY"),
    )
    yield (
        "receipt-japanese",
        table.receipt(
            "こんにちは\nパリ陸軍をブルゴーニュへ移動\nマルセイユ陸軍は維持\nブレスト海軍をミュンヘンへ移動\n完了"
        ),
    )
    yield "receipt-small-talk", table.receipt("How are you?")


CASES = [(language, name) for language in Language for name, _ in mails(language)]


@pytest.mark.parametrize(("language", "name"), CASES, ids=[f"{name}-{language.value}" for language, name in CASES])
def test_mail(language: Language, name: str) -> None:
    written = dict(mails(language))[name]
    assert f"{written.subject}\n\n{written.text}" == (FOLDER / f"{name}.{language.value}.txt").read_text("utf-8")
    assert written.html == (FOLDER / f"{name}.{language.value}.html").read_text("utf-8")
    assert "\n\n\n" not in written.text


def test_no_file_is_left_over() -> None:
    expected = {f"{name}.{language.value}.{form}" for language, name in CASES for form in ("txt", "html")}
    assert {path.name for path in FOLDER.iterdir()} == expected


@pytest.mark.parametrize("is_open", [False, True], ids=["movement", "opening"])
def test_a_reader_is_told_among_others_what_he_is_told_alone(is_open: bool) -> None:  # noqa: FBT001 - a parameter
    """Common parts are made once, but no reader's own part reaches another letter."""
    japanese, english = Table(Language("ja")), Table(Language.ENGLISH)
    event: GameStarted | PhaseClosed = GameStarted(english.start, NOON)
    if not is_open:
        event = english.closed(english.start.position, "A PAR - BUR", "A MUN - BUR", "F LON - NTH", "A VEN - TRI")
    tables = [(english, japanese)[place % 2] for place in range(len(MAP.powers))]
    players = [table.player(power) for table, power in zip(tables, MAP.powers, strict=True)]
    addresses = [f"judge+ardennes.{str(reader.person.id) * 20}@judge.test" for reader in players]
    linked = [replace(reader, buttons_to=address) for reader, address in zip(players, addresses, strict=True)]
    readers = [
        *linked,
        Reader(english.people[PersonId(8)], Role.OBSERVER),
        Reader(japanese.people[PersonId(0)], Role.MASTER),
    ]
    reports = phase_reports(event, readers, english.people, NOON)
    assert list(reports) == [phase_reports(event, [reader], english.people, NOON)[0] for reader in readers]
    for reader, report in zip(readers, reports, strict=True):
        links = [address for address in addresses if quote(address, safe="@") in report.html]
        assert links == ([reader.buttons_to] if reader.buttons_to else [])
        assert "\0" not in report.text + report.html


def test_readiness_is_nobodys_business() -> None:
    table = Table(Language.ENGLISH)
    france = table.player(FRANCE).person.id
    ready = handle(Request(table.start, france, SetReady(ready=True), MailContext(1, "", NOON), NOON))
    shown = table.report(GameStarted(ready.game, NOON), table.player(GERMANY))
    assert shown == table.report(GameStarted(table.start, NOON), table.player(GERMANY))


if __name__ == "__main__":
    for language in Language:
        for name, written in mails(language):
            (FOLDER / f"{name}.{language.value}.txt").write_text(f"{written.subject}\n\n{written.text}", "utf-8")
            (FOLDER / f"{name}.{language.value}.html").write_text(written.html, "utf-8")
