"""Fog leaks nothing: changes out of sight do not change any letter.

What a reader can see is worked out here a second time, from the borders alone. If that is the same in both worlds, all
letters to them must be the same byte by byte, except for hashes and signatures.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.message import Message
from pathlib import Path
from random import Random
from typing import Any

import pytest

from judge.games import Game, PersonId, close
from judge.games.events import PhaseClosed
from judge.games.game import Ended
from judge.games.insight import why_not_seated
from judge.robots import RobotView, orders
from judge.rules import Position, Power, Province, Unit, write_order
from judge.rules.exchange import read_task
from judge.rules.options import Fog
from judge.rules.orders import Move, Order, Retreat
from judge.rules.outcomes import Resolution
from judge.rules.position import PhaseKind, province_of
from judge.rules.sight import Eyes
from judge.service.archive import archived_games, write_site
from judge.service.chain import verify
from judge.service.post.past import played_as_seen
from tests.command_line import judge
from tests.database import store_in_memory
from tests.facts import against_the_schema, facts_by_reader
from tests.nasty import random_orders
from tests.office import NAMES, PASS, TITLES, World, address, bring, text
from tests.opened import opened as started
from tests.phases import MAP
from tests.soak import long_but
from tests.whole_games import MASTER, WholeGame

POWER_OF = {name: Power(title.upper()) for name, title in zip(NAMES, TITLES, strict=True)}
STRANGERS = ("gil", "zoe")
"""The master and an observer."""
QUESTIONS = "STATUS\nMAP\nHISTORY\nSUMMARY\nWHATIF\nORDERS\nRULES\nWHO\nLOG\nREPLAY\nGAMES\nLIST\nCALENDAR\nVOTES"
_SECRETS = re.compile(r"[0-9a-f]{128}|[0-9a-f]{64}")
"""Signatures and hashes."""


def opened(fog: Fog, *, draws: bool = False) -> World:
    world = World(store_in_memory(), draws=draws)
    settings = f"fog: {fog}\n  deadline: 2 days\n  retreats: 1 day\n  adjustments: 1 day\n  observers: yes"
    signed(world, "gil", f"CREATE ardennes\n  {settings}")
    signed(world, "zoe", "OBSERVE ardennes")
    for name, title in zip(NAMES, TITLES, strict=True):
        signed(world, name, f"JOIN ardennes AS {title}")
    return world


def signed(world: World, name: str, words: str) -> None:
    """Send a mail with proof, and confirm it if asked."""
    world.mail(name, words, Authentication_Results=PASS)
    for _, letter in [*world.box.letters]:
        if "+confirm." in str(letter["Reply-To"]):
            world.mail(name, "YES", to=str(letter["Reply-To"]), answers=letter)
    sort_reports(world)


def sort_reports(world: World) -> None:
    for recipient, letter in world.box.letters:
        if letter["List-Id"] and letter["Auto-Submitted"] != "auto-replied":
            world.reports[recipient.partition("@")[0]] = letter
    world.box.letters = []


def answer(world: World, name: str, words: str) -> None:
    report = world.reports[name]
    world.mail(name, words, to=str(report["Reply-To"]), answers=report)
    sort_reports(world)


# What can be seen, a second time


def seen_from(position: Position, power: Power | None, fog: Fog) -> Collection[Province]:
    here = {unit.province for unit, owner in position.units.items() if owner == power}
    here |= {unit.province for unit, loss in position.dislodged.items() if loss.power == power}
    here |= {center for center, owner in (position.centers or {}).items() if owner == power}
    return (
        {place for place in MAP.provinces if place in here or MAP.borders[place] & here} if fog is Fog.ADJACENT else ()
    )


def board_seen(position: Position, power: Power | None, fog: Fog) -> object:
    sight = seen_from(position, power, fog)
    units = {(str(u), p) for u, p in position.units.items() if p == power or u.province in sight}
    centers = {(c, p) for c, p in (position.centers or {}).items() if p == power or c in sight}
    lost = {
        (str(unit), loss.power, loss.retreats if loss.power == power else ())
        for unit, loss in position.dislodged.items()
        if loss.power == power or unit.province in sight
    }
    alive = {
        *position.units.values(),
        *(position.centers or {}).values(),
        *(p.power for p in position.dislodged.values()),
    }
    return units, centers, lost, position.contested & {*sight}, alive


def phase_seen(played: Resolution, power: Power | None, fog: Fog) -> object:
    assert played.before is not None
    left, reached = (seen_from(position, power, fog) for position in (played.before, played.position))
    own = {(v.order.text, v.results, v.given) for v in played.verdicts if v.power == power}
    watched = {
        (v.power, v.order.unit, v.order.to)
        for v in played.verdicts
        if isinstance(v.order, Move | Retreat) and not v.outcomes and v.power != power
        if v.order.unit.province in left and province_of(v.order.to) in reached
    }
    return own, watched, board_seen(played.position, power, fog), board_seen(played.before, power, fog)


# Two worlds


@dataclass
class Twins:
    """A game, and a copy of it in which something hidden was changed."""

    fog: Fog
    worlds: tuple[World, World]
    played: list[Resolution] = field(default_factory=list)
    mails: tuple[dict[str, list[str]], dict[str, list[str]]] = field(default_factory=lambda: ({}, {}))
    """World → person → what they wrote."""

    def answer(self, place: int, name: str, words: str) -> None:
        self.mails[place].setdefault(name, []).append(words)
        answer(self.worlds[place], name, words)

    def not_to_be_told_apart(self) -> Iterator[str]:
        """Yield the people who wrote the same in both worlds and saw no difference."""
        one, other = self.played
        for name in (*STRANGERS, *NAMES):
            power, wrote = POWER_OF.get(name), [mails.get(name) for mails in self.mails]
            if wrote[0] == wrote[1] and phase_seen(one, power, self.fog) == phase_seen(other, power, self.fog):
                yield name

    def check(self, name: str) -> None:
        """Check that a person's letters are the same in both, and that there are some."""
        ones, others = ([in_words(one) for to, one in world.box.kept if to == address(name)] for world in self.worlds)
        for one, other in zip(ones, others, strict=False):
            differing = [pair for pair in zip(one.splitlines(), other.splitlines(), strict=False) if len({*pair}) > 1]
            assert one == other, (name, differing[:6])
        assert len(ones) == len(others), name
        assert ones, name


def in_words(letter: Message) -> str:
    """Return a letter in full, decoded, with hashes and signatures masked."""
    heads = [f"{name}: {value}" for name, value in letter.items()]
    parts = [f"{part.get_content_type()} {part.get_filename()}" for part in letter.walk()]
    contents = [part.get_payload(decode=True) for part in letter.walk()]
    told = [content.decode("utf-8", "surrogateescape") for content in contents if isinstance(content, bytes)]
    return _SECRETS.sub("…", "\n".join([*heads, *parts, *told]))


def changed(game: Game, chance: Random, spared: Power, fog: Fog) -> Game:
    """Change units and owners that a power does not see; return the game."""
    position = game.position
    hidden = sorted(set(MAP.provinces) - set(seen_from(position, spared, fog)))
    units, centers = dict(position.units), dict(position.centers or {})
    taken = {unit.province for unit in (*units, *position.dislodged)}
    taken |= {province_of(to) for loss in position.dislodged.values() for to in loss.retreats}
    others = [unit for unit, power in units.items() if power != spared and unit.province in hidden]
    for unit in chance.sample(others, min(len(others), chance.randint(1, 3))):
        free = [place for place in hidden if place not in taken and MAP.can_stand(Unit(unit.kind, place))]
        if free:
            to = chance.choice(free)
            units[Unit(unit.kind, to)] = units.pop(unit)
            taken.add(to)
    owned = [center for center, power in centers.items() if power != spared and center in hidden]
    living = [power for power in MAP.powers if power in units.values() and power != spared]
    for center in chance.sample(owned, min(len(owned), chance.randint(0, 2)) if living else 0):
        centers[center] = chance.choice(living)
    return replace(game, position=replace(position, units=units, centers=centers))


def save(world: World, game: Game) -> None:
    """Save the game, in both worlds, to keep their numbers of changes equal."""
    with world.parts.store.work() as work:
        work.games.save(replace(game, version=world.game().version))


def into_the_dark(position: Position, power: Power, fog: Fog, chance: Random) -> str:
    """Return an order that mentions a unit out of sight, real or not."""
    own = position.units_of(power)
    hidden = sorted(set(MAP.provinces) - set(seen_from(position, power, fog)) - {unit.province for unit in own})
    if position.phase.kind is not PhaseKind.MOVEMENT or not own or not hidden:
        return ""
    unit, place, kind = chance.choice(own), chance.choice(hidden), chance.choice(("", "A ", "F "))
    to = chance.choice(sorted(map(province_of, MAP.neighbors(unit))))
    forms = ("{unit} S {kind}{place} - {to}", "{unit} S {kind}{place}", "{unit} - {place}", "{kind}{place} - {to}")
    return chance.choice(forms).format(unit=unit, kind=kind, place=place, to=to)


def play_a_phase(world: World, fog: Fog, chance: Random, *, draws: bool) -> Twins:
    """Play the open phase in two worlds that differ.

    Hidden units stand elsewhere, or other players order something else.
    """
    world.box.kept = []
    game, twins = world.game(), Twins(fog, (world, world.apart(draws=draws)))
    watcher = chance.choice([power for power in MAP.powers if game.position.units_of(power)] or MAP.powers)
    is_moved, seed, before = chance.random() < 0.5, chance.random(), chance.choice((0, 5))
    save(world, game)
    save(twins.worlds[1], changed(game, chance, watcher, fog) if is_moved else game)
    dark = into_the_dark(game.position, watcher, fog, chance)
    drawing, is_late = chance.choice(("DRAW", "NO DRAW", "")), chance.random() < 0.3
    restless = {name for name in NAMES if POWER_OF[name] != watcher and (is_moved or chance.random() < 0.3)}
    asking = [*STRANGERS, *(name for name in NAMES if POWER_OF[name] == watcher)]
    for place, one in enumerate(twins.worlds):
        given = random_orders(MAP, game.position, game.settings.rules, Random(seed))
        anew = random_orders(MAP, one.game().position, game.settings.rules, Random(seed + place))
        for name, power in POWER_OF.items():
            lines = [*map(write_order, (anew if name in restless else given).get(power, ()))]
            lines += [dark, drawing] if power == watcher else [] if is_late else ["READY"]
            twins.answer(place, name, "\n".join(filter(None, lines)) or "STATUS")
        for name in asking:
            if one.game().is_running:
                twins.answer(place, name, f"{QUESTIONS}\nWHATIF\n{dark}\nEND WHATIF" if dark else "STATUS\nMAP")
        deadline = game.clock.deadline
        assert deadline is not None
        for hours in (23, before, 0):  # a reminder, perhaps another, and the deadline
            one.now = max(one.now, deadline - timedelta(hours=hours) + timedelta(minutes=1))
            one.settle()
        sort_reports(one)
        for name in asking:
            if one.game().is_running:
                twins.answer(place, name, QUESTIONS)
        twins.played.append(last_played(one))
    return twins


def last_played(world: World) -> Resolution:
    with world.parts.store.work() as work:
        closed = work.records.phases("ardennes")
    return played_as_seen(read_task(dict(closed[-1].record["input"])), None)


@pytest.mark.parametrize(
    ("fog", "seed", "draws"),
    long_but({(Fog.ADJACENT, 1, False)}, [(Fog.ADJACENT, 1, False), (Fog.OWN, 2, False), (Fog.ADJACENT, 3, True)]),
)
def test_nobody_hears_of_what_they_cannot_see(fog: Fog, seed: int, *, draws: bool) -> None:
    chance = Random(f"{fog} {seed}")
    world, heard, kinds = opened(fog, draws=draws), 0, set[PhaseKind]()
    for _ in range(2 if draws else 10):
        twins = play_a_phase(world, fog, chance, draws=draws)
        kinds.add(twins.played[0].phase.kind)
        if not all(one.game().is_running for one in twins.worlds):
            break
        assert len({one.game().clock.deadline for one in twins.worlds}) == 1
        for name in twins.not_to_be_told_apart():
            twins.check(name)
            heard += twins.played[0] != twins.played[1]  # something was different, and they did not notice
    assert kinds == {PhaseKind.MOVEMENT, PhaseKind.RETREAT} if draws else set(PhaseKind)
    assert heard >= (1 if draws else 8)


# What a reader can check at the end


@pytest.fixture(scope="module")
def kept() -> list[dict[str, Any]]:
    """Return the files that France kept of a game of three phases, for `judge verify`."""
    world = opened(Fog.ADJACENT)
    for words in ("A Par - Bur\nA Mar S A Par - Bur\nF Bre - MAO", "STATUS", "A Bur - Mun"):
        answer(world, "cho", words)
        world.pass_deadline()
        sort_reports(world)
    signed(world, "gil", "END ardennes BECAUSE it is late")
    return facts_by_reader(world.box)[address("cho")]


def faults(found: list[dict[str, Any]]) -> list[str]:
    return [finding.said for finding in verify(found) if finding.is_fault]


def test_before_the_end_reports_in_fog_only_wait(kept: list[dict[str, Any]]) -> None:
    before = [facts for facts in kept if facts["kind"] == "seen"]
    assert [facts["phase"] for facts in before] == ["start", "S1901M", "S1901R", "F1901M"]
    (waiting,) = (finding for finding in verify(before) if "in fog" in finding.said)
    assert waiting.said == "4 reports in fog: the letter at the end of the game brings what checks them"
    assert faults(before) == []


def test_at_the_end_all_of_it_is_checked(kept: list[dict[str, Any]]) -> None:
    assert faults(kept) == []
    assert any("3 phases, S1901M to F1901M" in finding.said for finding in verify(kept))


def test_phases_of_one_moment_are_checked_in_their_order(kept: list[dict[str, Any]]) -> None:
    together = deepcopy([facts for facts in kept if facts["kind"] != "receipt"])
    for facts in together:
        for one in (facts, *facts.get("phases", ())):
            one["at"] = "2026-12-01T12:00:00+00:00"
    (last,) = (facts["phases"][-1] for facts in together if facts["kind"] == "whole")
    assert faults([last, *together]) == []  # the last phase also comes alone, before the whole game


def seal_of_another(facts: dict[str, Any]) -> None:
    facts["filed"]["GERMANY"] = facts["filed"]["ITALY"]


def unit_elsewhere(facts: dict[str, Any]) -> None:
    facts["position"]["units"]["FRANCE"][0] = "A PAR"


def another_result(facts: dict[str, Any]) -> None:
    facts["orders"][0]["results"] = ["bounce"]


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (seal_of_another, "S1901M: GERMANY: the seal in the report of"),
        (unit_elsewhere, "did not tell what there was to see"),
        (another_result, "did not tell what there was to see"),
    ],
)
def test_a_report_that_told_something_else_is_found_at_the_end(
    kept: list[dict[str, Any]], tamper: Callable[[dict[str, Any]], None], said: str
) -> None:
    others = deepcopy(kept)
    tamper(next(facts for facts in others if facts.get("phase") == "S1901M" and facts["kind"] == "seen"))
    (fault,) = faults(others)
    assert said in fault


def test_whoever_brings_the_file_of_a_game_in_fog_has_seen_its_board() -> None:
    old, new = opened(Fog.OWN), World()
    old.mail("gil", "EXPORT", Authentication_Results=PASS)
    (letter,) = (letter for to, letter in reversed(old.box.letters) if to == address("gil"))
    (content,) = [part for part in letter.walk() if part.get_content_type() == "application/json"]
    written = content.get_payload(decode=True)
    assert isinstance(written, bytes)
    bring(new, written)
    new.mail("gil", "TAKE OVER France IN ardennes", Authentication_Results=PASS)
    assert "hides, so you cannot take a seat in it any more" in " ".join(text(new.box.take("gil")[-1]).split())


GERMANY = Power("GERMANY")


def in_fog_without_german_units(*, owning: bool) -> Game:
    game = started()
    position = game.position
    units = {unit: power for unit, power in position.units.items() if power != GERMANY}
    centers = {center: power for center, power in (position.centers or {}).items() if owning or power != GERMANY}
    settings = replace(game.settings, rules=replace(game.settings.rules, fog=Fog.OWN))
    return replace(game, settings=settings, position=replace(position, units=units, centers=centers))


def test_a_deadline_counts_for_a_power_without_units_too() -> None:
    game = in_fog_without_german_units(owning=True)
    assert game.clock.deadline is not None
    closed = close(game, game.position.phase, game.clock.deadline)
    assert closed is not None
    (event,) = (event for event in closed[1] if isinstance(event, PhaseClosed))
    assert [person for person, _ in event.kept] == [seat.holder for seat in game.seats]


@pytest.mark.parametrize("owning", [True, False])
def test_the_player_of_a_power_that_is_out_takes_no_other_seat(*, owning: bool) -> None:
    game = in_fog_without_german_units(owning=owning)
    (out,) = (seat.holder for seat in game.seats if seat.power == GERMANY)
    assert out is not None
    assert (why_not_seated(game, out) is None) is owning
    another = PersonId(99)
    assert why_not_seated(game, another) is None
    assert (why_not_seated(game, another, {another: out}) is None) is owning
    clear = replace(game, settings=replace(game.settings, rules=replace(game.settings.rules, fog=Fog.NONE)))
    assert why_not_seated(clear, out) is None


# A whole game


class Blind(WholeGame):
    """A game in which robots choose each player's orders from what the player sees."""

    def meant(self, power: Power) -> Sequence[Order]:
        game = self.table.found()
        seen = Eyes(self.map, (power,), game.settings.rules.fog).position(game.position)
        return orders(RobotView(self.map, seen, (power,), game.settings.rules), self.seed).get(power, ())


@pytest.mark.long
def test_a_whole_game_in_fog_is_played_by_mail_until_somebody_wins(tmp_path: Path) -> None:
    times = ("deadline: 2 days", "retreats: 1 day", "adjustments: 1 day")
    game = Blind("isthmus", 2, ("update: scheduled", "fog: adjacent", *times))
    game.start()
    game.play(60)
    world, after = game.table.world, game.table.found()
    assert after.ended is Ended.VICTORY
    assert game.unread == 0
    found = facts_by_reader(world.box)
    assert [wrong for kept in found.values() for facts in kept for wrong in against_the_schema(facts)] == []
    assert {reader: faults(kept) for reader, kept in found.items()} == {reader: [] for reader in found}
    (whole,) = (facts for facts in found[address("aa")] if facts["kind"] == "whole")
    lines = "".join(json.dumps(record["input"]) + "\n" for record in whole["phases"])
    again = judge("adjudicate", given=lines)
    assert [json.loads(line)["next"] for line in again.stdout.splitlines()] == [
        record["output"]["next"] for record in whole["phases"]
    ]
    assert write_site(tmp_path, archived_games(world.parts.store, world.now)).games == 1
    game.mail(MASTER, ">", "EXPORT")
    (letter,) = game.table.letters[MASTER]
    (content,) = [part for part in letter.walk() if part.get_content_type() == "application/json"]
    written = content.get_payload(decode=True)
    assert isinstance(written, bytes)
    new = World()
    bring(new, written)
    assert new.game().settings == after.settings
