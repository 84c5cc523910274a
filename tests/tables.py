"""Reads tables of cases: orders left, what became of them right. See `tests/rules/README.md`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from judge.language import Context
from judge.rules import Circumstances, Map, Options, adjudicate, load_map, read_order, read_unit
from judge.rules.adjustments import adjustments
from judge.rules.exchange import read_option
from judge.rules.options import PROFILES, STANDARD
from judge.rules.orders import Build, Disband, Order
from judge.rules.outcomes import (
    Bounced,
    Cut,
    Destroyed,
    Dislodged,
    Disrupted,
    Illegal,
    NoConvoy,
    NotCarried,
    Outcome,
    Resolution,
    Unmatched,
    Verdict,
)
from judge.rules.position import (
    Dislodgement,
    GameOver,
    Location,
    Phase,
    PhaseKind,
    Position,
    Power,
    Province,
    Unit,
    province_of,
)
from judge.rules.removals import Removals

RULES = Path(__file__).parent / "rules"

WORDS: dict[type[Outcome], str] = {
    Illegal: "illegal",
    Unmatched: "unmatched",
    Bounced: "bounced",
    Cut: "cut",
    NotCarried: "not carried",
    NoConvoy: "no convoy",
    Disrupted: "disrupted",
    Dislodged: "dislodged",
    Destroyed: "destroyed",
}


@dataclass
class PhaseTable:
    phase: Phase
    centers: dict[Province, Power] = field(default_factory=dict)
    units: dict[Unit, Power] = field(default_factory=dict)
    dislodged: dict[Unit, Dislodgement] = field(default_factory=dict)
    disorder: set[Power] = field(default_factory=set)
    unplayed: set[Power] = field(default_factory=set)
    closed: set[Province] = field(default_factory=set)
    declined: dict[Power, frozenset[Province]] = field(default_factory=dict)
    orders: dict[Power, list[Order]] = field(default_factory=dict)
    outcomes: dict[Power, list[str]] = field(default_factory=dict)
    written: list[tuple[Power, Order, str]] = field(default_factory=list)
    automatic: set[Unit] = field(default_factory=set)
    after: dict[Unit, Power] = field(default_factory=dict)
    retreats: dict[Unit, Dislodgement] = field(default_factory=dict)
    contested: set[Province] | None = None
    owners: dict[Power, set[Province]] = field(default_factory=dict)
    may: dict[Power, tuple[int, set[str]]] = field(default_factory=dict)
    goes: dict[Power, list[str]] = field(default_factory=dict)
    out: set[Power] | None = None
    next: Phase | None = None
    players: dict[str, tuple[Power, ...]] = field(default_factory=dict)
    winner: str | None = None
    """The winner: a power, or a player."""
    is_over: bool = False

    def position(self) -> Position:
        return Position(self.phase, self.units, self.centers or None, self.dislodged)

    def circumstances(self) -> Circumstances:
        sets = (frozenset(self.disorder), frozenset(self.unplayed), frozenset(self.closed))
        return Circumstances(*sets, self.declined, self.players)


@dataclass
class Case:
    id: str
    title: str
    under: dict[str, Options] = field(default_factory=dict)
    phases: list[PhaseTable] = field(default_factory=list)
    map: Map = field(default_factory=load_map)


def read_cases(folder: Path, board: Map | None = None) -> list[Case]:
    """Return all cases in the text files of a folder.

    A case that names no rules is played under `standard`.
    """
    map_ = board or load_map()
    cases: list[Case] = []
    for path in sorted(folder.glob("*.txt")):
        for line in path.read_text("utf-8").splitlines():
            text = line.split("#")[0].rstrip()
            if not text:
                continue
            indent = len(text) - len(text.lstrip())
            if indent == 0:
                id_, title = text.split(maxsplit=1)
                cases.append(Case(id_, title, map=map_))
            elif text.startswith("  under "):
                cases[-1].under.update(_rules(text.removeprefix("  under ")))
            elif indent == 2:
                cases[-1].phases.append(PhaseTable(Phase.parse(text.strip())))
            else:
                _read_row(map_, cases[-1].phases[-1], text.strip())
    assert cases, f"no cases found in {folder}"
    for case in cases:
        case.under = case.under or {"standard": STANDARD}
    return cases


def _rules(text: str) -> dict[str, Options]:
    profiles, _, changes = text.partition(" with ")
    changed = dict(change.split("=") for change in changes.split(", ") if change)
    options = {
        name: read_option(name, int(value) if name == "short_game" else value) for name, value in changed.items()
    }
    suffix = "".join(f" {name}={value}" for name, value in changed.items())
    return {name + suffix: replace(PROFILES[name], **options) for name in profiles.split(", ")}


def _read_row(map_: Map, table: PhaseTable, text: str) -> None:
    kind, _, rest = text.partition(" ")
    rest = rest.strip()
    if kind.endswith(":"):
        assert kind[:-1] in map_.powers, text
        _read_order_row(table, Power(kind[:-1]), rest)
    elif kind in ("out", "wins") or rest != "nobody":
        name, _, listed = rest.partition(":")
        assert kind in ROWS, text
        ROWS[kind](table, Power(name), listed.strip())


def _read_order_row(table: PhaseTable, power: Power, text: str) -> None:
    row, _, written = text.partition("“")
    order_text, _, outcome = row.partition("  ")
    order = read_order(order_text)
    table.orders.setdefault(power, []).append(order)
    table.outcomes.setdefault(power, []).append(outcome.strip())
    if written:
        table.written.append((power, order, written.rstrip("”")))


def _read_choices(table: PhaseTable, power: Power, text: str) -> None:
    count, _, options = text.partition(" of")
    table.may[power] = (int(count), {option.strip() for option in options.split(",") if option.strip()})


def _read_dislodgement(rows: dict[Unit, Dislodgement], power: Power, text: str) -> None:
    unit, _, fate = text.partition(" from ")
    origin, _, goals = fate.partition(" to ")
    retreats = () if goals == "nowhere" else tuple(Location(goal) for goal in goals.split())
    by_convoy = origin in retreats  # otherwise it could not go there
    rows[read_unit(unit)] = Dislodgement(power, province_of(Location(origin)), by_convoy, retreats)


def _out(table: PhaseTable, powers: str) -> None:
    table.out = set() if powers == "nobody" else {*(table.out or ()), *map(Power, powers.split(", "))}


def _win(table: PhaseTable, winner: str) -> None:
    table.winner = None if winner == "nobody" else winner
    table.is_over = table.winner is not None


def _next(table: PhaseTable, phase: str) -> None:
    if phase == GameOver.COMPLETED.value:
        table.is_over = True
    else:
        table.next = Phase.parse(phase)


ROWS: dict[str, Callable[[PhaseTable, Power, str], object]] = {
    "units": lambda table, power, text: table.units.update(dict.fromkeys(map(read_unit, text.split(", ")), power)),
    "centers": lambda table, power, text: table.centers.update(dict.fromkeys(_provinces(text), power)),
    "dislodged": lambda table, power, text: _read_dislodgement(table.dislodged, power, text),
    "disorder": lambda table, powers, _: table.disorder.update(map(Power, powers.split(", "))),
    "unplayed": lambda table, powers, _: table.unplayed.update(map(Power, powers.split(", "))),
    "closed": lambda table, codes, _: table.closed.update(_provinces(codes)),
    "declines": lambda table, power, text: table.declined.update({power: frozenset(_provinces(text))}),
    "players": lambda table, player, powers: table.players.update({player: tuple(map(Power, powers.split(", ")))}),
    "after": lambda table, power, text: table.after.update(dict.fromkeys(map(read_unit, text.split(", ")), power)),
    "retreats": lambda table, power, text: _read_dislodgement(table.retreats, power, text),
    "contested": lambda table, codes, _: setattr(
        table, "contested", set() if codes == "nowhere" else set(_provinces(codes))
    ),
    "automatic": lambda table, _, text: table.automatic.update(map(read_unit, text.split(", "))),
    "owners": lambda table, power, text: table.owners.update({power: set(_provinces(text))}),
    "may": _read_choices,
    "goes": lambda table, power, text: table.goes.update({power: text.split(", ")}),
    "out": lambda table, powers, _: _out(table, powers),
    "next": lambda table, phase, _: _next(table, phase),
    "wins": lambda table, winner, _: _win(table, winner),
}


def _provinces(listed: str) -> list[Province]:
    return [province_of(Location(code)) for code in listed.replace(",", " ").split()]


def check_phase(table: PhaseTable, options: Options, board: Map | None = None) -> Resolution:
    """Adjudicate the phase and compare everything the table says."""
    map_ = board or load_map()
    position, circumstances = table.position(), table.circumstances()
    resolution = adjudicate(map_, position, table.orders, options, circumstances)
    outcomes = {
        power: [in_words(verdict) for verdict in resolution.verdicts if verdict.given and verdict.power == power]
        for power in table.orders
    }
    after = resolution.position
    assert outcomes == table.outcomes
    if table.after:
        assert dict(after.units) == table.after
    fates = {u: (d.power, d.attacked_from, d.retreats) for u, d in after.dislodged.items()}
    assert fates == {u: (d.power, d.attacked_from, d.retreats) for u, d in table.retreats.items()}
    if table.contested is not None:
        assert resolution.contested == table.contested
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        orders = [verdict.order for verdict in resolution.verdicts if not verdict.given]
        assert {order.unit for order in orders if isinstance(order, Disband)} == table.automatic
    for power, centers in table.owners.items():
        assert set(after.centers_of(power)) == centers
    for power, (count, choices) in table.may.items():
        decision = adjustments(map_, position, options, circumstances).get(power)
        assert (decision.count if decision else 0) == count
        options_open = decision.options if decision else ()
        assert {str(order.unit) for order in options_open if isinstance(order, Build | Disband)} == choices
    for power, units in table.goes.items():
        assert list(map(str, Removals(map_, position, power, options, circumstances).order())) == units
    if table.out is not None or position.phase.kind is PhaseKind.ADJUSTMENT:
        assert set(resolution.eliminated) == (table.out or set())
    if table.next is not None:
        assert after.phase == table.next
    assert (resolution.winner or resolution.winning_player) == table.winner
    assert (resolution.over is not None) == table.is_over
    return resolution


def in_words(verdict: Verdict) -> str:
    return ", ".join(WORDS[type(outcome)] for outcome in verdict.outcomes) or "succeeds"


def board_of(text: str) -> Context:
    """Read a board: `S1901M FRANCE: A PAR; GERMANY: A MUN; owns FRANCE: PAR`.

    The first power is the sender's.
    """
    phase, _, board = text.partition(" ")
    # A sender who plays all powers has no power of their own.
    sender_known = not board.startswith("all ")
    units, lost, centers = {}, {}, {}
    powers = []
    for part in board.removeprefix("all ").split("; "):
        head, _, listed = part.partition(": ")
        *kind, name = head.split()
        power = Power(name)
        powers.append(power)
        if kind == ["dislodged"]:
            unit, _, goals = listed.partition(" to ")
            retreats = tuple(map(Location, goals.split()))
            lost[read_unit(unit)] = Dislodgement(power, province_of(Location("MUN")), False, retreats)  # noqa: FBT003
        elif kind == ["owns"]:
            centers.update({province_of(Location(code)): power for code in listed.split()})
        else:
            units.update({read_unit(unit): power for unit in listed.split(", ")})
    position = Position(Phase.parse(phase), units, centers, lost)
    return Context(load_map(), position, (powers[0],) if sender_known else ())
