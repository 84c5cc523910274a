"""Check reports and receipts by their JSON attachments.

Every phase is adjudicated again, each from the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, TypeAlias

from judge import __version__
from judge.errors import JudgeError
from judge.reports.clauses import reasons_on
from judge.rules.adjudication import adjudicate
from judge.rules.exchange import read_task, write_result
from judge.rules.map import USUAL_BOARD
from judge.rules.outcomes import RULES_REVISION
from judge.rules.position import GameOver, Phase, PhaseKind
from judge.service.lots import lots_drawn_again
from judge.service.post.facts import revision_of, rules_of, seal
from judge.service.seen import in_one_row, what_is_wrong
from judge.service.written_lines import told_lines

Facts: TypeAlias = Mapping[str, Any]
_ON_THE_BOARD = ("phase", "units", "dislodged", "centers", "contested")
_IN_WORDS = ("why", "rules_revision", "orders")
"""Parts of a result that another version may word differently; they are compared apart."""
_UNREADABLE = (KeyError, TypeError, ValueError, AttributeError)
"""What reading a file raises if its structure is not ours."""
_OF_A_POWER = ("disorder", "unplayed")


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding about a game; `is_fault` if the mails contradict each other."""

    game: str
    said: str
    is_fault: bool = False


def verify(
    found: Iterable[Facts], promised: Mapping[str, Sequence[tuple[datetime, str]]] = MappingProxyType({})
) -> tuple[Finding, ...]:
    """Check the JSON parts of some mails; return the findings, sorted by game.

    `promised`: game → the commitments to its lots in the texts of the mails, with the time of each mail.
    """
    games: dict[str, list[Facts]] = {}
    # First comes the whole of a game in fog: it lists the phases of one moment in the order of play.
    for facts in sorted(found, key=lambda facts: facts.get("kind") != "whole"):
        games.setdefault(str(facts["game"]), []).extend(in_one_row(facts))
    return tuple(
        finding for name in sorted(games) for finding in _verify_game(name, games[name], promised.get(name, ()))
    )


def _verify_game(name: str, found: Sequence[Facts], promised: Sequence[tuple[datetime, str]]) -> Iterator[Finding]:
    in_order = sorted(found, key=lambda facts: (str(facts["at"]), facts["kind"] == "end"))
    reports = list(_each_once([facts for facts in in_order if facts["kind"] not in ("receipt", "seen")]))
    seen = list(_each_once([facts for facts in in_order if facts["kind"] == "seen"]))
    receipts = [facts for facts in in_order if facts["kind"] == "receipt"]
    walk = _Walk(name)
    for facts in reports:
        try:
            walk.follow(facts)
        except (JudgeError, *_UNREADABLE) as error:
            walk.fault(f"the {facts['kind']} of {facts['at']} cannot be read: {error}")
    try:
        lots = list(lots_drawn_again(in_order, promised))
    except _UNREADABLE as error:
        lots = [(f"a lot cannot be read: {error}", True)]
    walk.findings[:0] = [Finding(name, said, is_fault) for said, is_fault in dict.fromkeys(lots)]
    walk.compare(receipts)
    walk.compare_seen(seen)
    yield from walk.findings
    yield from (Finding(name, said) for said in _older_revisions(walk.played))
    if not any(finding.is_fault for finding in walk.findings):
        yield Finding(name, _all_good(walk.played, len(receipts)))


def _all_good(played: Sequence[Facts], receipts: int) -> str:
    said = [_number(len(played), "phase")]
    if played:
        phases = [str(facts["input"]["phase"]) for facts in played]
        said = [
            f"{said[0]}, {phases[0]} to {phases[-1]}: what was ordered gives what was reported, and nothing is missing"
        ]
    if receipts:
        said.append(f"{_number(receipts, 'receipt')}: what was on file last was played")
    return "; ".join(said)


def _older_revisions(played: Sequence[Facts]) -> Iterator[str]:
    """Name phases played with another revision of the rules.

    Their results may differ from today's.
    """
    phases: dict[int, list[str]] = {}
    for facts in played:
        phases.setdefault(revision_of(facts), []).append(str(facts["input"]["phase"]))
    for revision, those in phases.items():
        if revision != RULES_REVISION:
            span = those[0] if len(those) == 1 else f"{those[0]} to {those[-1]}"
            checked = f"checked with revision {RULES_REVISION}, reasons not at all"
            yield f"{span}: made with revision {revision} of the rules, {checked}"


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def _each_once(reports: Sequence[Facts]) -> Iterator[Facts]:
    """Drop repeated reports.

    Reports that differ both stay. The second of them then does not follow from the phase before.
    """
    seen: list[Facts] = []
    for facts in reports:
        if facts not in seen:
            seen.append(facts)
            yield facts


@dataclass
class _Walk:
    """Walks through the reports of a game, one after another."""

    game: str
    findings: list[Finding] = field(default_factory=list)
    played: list[Facts] = field(default_factory=list)
    """Every phase, including those that were rolled back."""
    counting: list[Facts] = field(default_factory=list)
    undone: list[Facts] = field(default_factory=list)
    expected: Facts | None = None
    """The board that must come next; None if any may."""
    opened: Facts | None = None
    """`expected` before the master's corrections.

    Undoing a rollback leads back to this board.
    """
    before_rollback: Facts | None = None
    steps: list[Facts] = field(default_factory=list)

    def fault(self, said: str) -> None:
        self.findings.append(Finding(self.game, said, is_fault=True))

    def follow(self, facts: Facts) -> None:
        """Check one report, and continue from it."""
        self._take_steps(facts)
        match facts["kind"]:
            case "start":
                if self.played:
                    self._say(f"step: the game began anew at {facts['at']}")
                self.counting, self.expected = [], _board(facts["input"])
                self.opened = self.expected
            case "end":
                self._expect(facts["position"], "the end")
                self.expected = None
            case "phase":
                self._expect(facts["input"], str(facts["input"]["phase"]))
                self._play(facts)

    def _say(self, said: str) -> None:
        self.findings.append(Finding(self.game, said))

    # Steps

    def _take_steps(self, facts: Facts) -> None:
        """Apply what changed the game besides orders.

        After a rollback, reports repeat earlier steps; these are applied once.
        """
        for step in facts.get("steps", ()):
            if step not in self.steps:
                self.steps.append(step)
                self._say(f"step: {_in_words(step)}")
                self._take_step(step)

    def _take_step(self, step: Facts) -> None:
        match step["step"]:
            case "rollback":
                at = next((n for n, one in enumerate(self.counting) if one["input"]["phase"] == step["phase"]), None)
                self.before_rollback = self.opened
                self.undone = self.counting[at:] if at is not None else []
                self.expected = _board(self.undone[0]["input"]) if self.undone else None
                self.counting = self.counting[:at] if at is not None else []
            case "redo":
                self.counting += self.undone
                self.expected, self.undone = self.before_rollback, []
            case "import" | "unstart":
                self.expected = None
            case "put" | "take" | "own" if self.expected is not None:
                self.expected = _corrected(self.expected, step)
                return
            case _:
                return
        self.opened = self.expected

    # Positions

    def _expect(self, line: Facts, what: str) -> None:
        found, expected = _board(line), self.expected
        if expected is None:
            return
        if found["phase"] != expected["phase"]:
            self.fault(f"{what}: {expected['phase']} is missing before it")
        elif wrong := [key for key in _ON_THE_BOARD if found.get(key) != expected.get(key)]:
            self.fault(f"{what}: {' and '.join(wrong)} do not follow from the phase before, and no step is named")

    def _play(self, facts: Facts) -> None:
        line, output = facts["input"], facts["output"]
        phase = str(line["phase"])
        again = _played_again(facts)
        for said in (*_differences(facts, again), *_broken_seals(facts), *self._unnamed(facts)):
            self.fault(f"{phase}: {said}")
        self._compare_reasons(facts, again)
        over = output["next"] == GameOver.COMPLETED.value
        if facts["next"] != (None if over or "ended" in facts else output["next"]):
            self.fault(f"{phase}: the next phase is {output['next']}, the report says {facts['next']}")
        self.opened = self.expected = None if over else _board(output | {"phase": output["next"]})
        self.played.append(facts)
        self.counting.append(facts)

    def _compare_reasons(self, facts: Facts, again: Facts) -> None:
        """Check the reasons of results.

        Another version may give the same reason in other words.
        """
        version, phase = facts.get("version"), facts["input"]["phase"]
        if revision_of(facts) != RULES_REVISION or "why" not in facts["output"]:
            return  # `_older_revisions` names all such phases
        for unit, said, due in _other_reasons(facts["output"], again):
            found = f"{phase}: {unit}: the reason given is {said!r}, that of its orders is {due!r}"
            if version == __version__:
                self.fault(found)
            else:
                made = f"by version {version}" if version else "by a version that did not name itself"
                self._say(f"{found}; the report was made {made}, which may have other words for it")

    def _unnamed(self, facts: Facts) -> Iterator[str]:
        """Yield changes of rules, or of powers out of play, that no step explains."""
        if not self.counting or "steps" not in facts:
            return
        before, line, steps = self.counting[-1]["input"], facts["input"], facts["steps"]
        for name in _OF_A_POWER:
            named = {step["power"] for step in steps if step["step"] == name}
            for power in sorted((set(before.get(name, ())) ^ set(line.get(name, ()))) - named):
                yield f"{power}: {name} has changed, and no step is named"
        if rules_of(self.counting[-1]) != rules_of(facts) and not any(step["step"] == "rules" for step in steps):
            yield "the rules have changed, and no step is named"

    # Receipts

    def compare(self, receipts: Sequence[Facts]) -> None:
        """Check that the orders last on file, according to the receipts, are the orders played."""
        whole = []
        for receipt in receipts:
            try:
                broken = [power for power, one in receipt["filed"].items() if _is_broken(one, one["orders"])]
                phase = str(receipt["phase"])
            except _UNREADABLE as error:
                self.fault(f"the receipt of {receipt['at']} cannot be read: {error!r}")
                continue
            whole.append(receipt)
            for power in broken:
                self.fault(f"{phase}: {power}: the receipt of {receipt['at']} is not what it was")
        for facts in self.played:
            try:
                for power, (at, filed) in self._told_last(whole, facts).items():
                    self._compare_one(facts, power, at, filed["orders"])
                    for said in told_lines(facts, power, filed):
                        self._say(said)
            except _UNREADABLE as error:
                self.fault(f"the {facts['kind']} of {facts['at']} cannot be compared: {error!r}")

    def compare_seen(self, seen: Sequence[Facts]) -> None:
        """Check what reports told in fog, once the end of the game brought all phases."""
        if seen and not self.played:
            self._say(
                f"{_number(len(seen), 'report')} in fog: the letter at the end of the game brings what checks them"
            )
        for facts in seen if self.played else ():
            try:
                for said in what_is_wrong(facts, self.played):
                    self.fault(said)
            except (JudgeError, *_UNREADABLE) as error:
                self.fault(f"the report of {facts['at']} cannot be compared: {error!r}")

    def _told_last(self, receipts: Sequence[Facts], facts: Facts) -> Mapping[str, tuple[str, Facts]]:
        """Return power → time and content of its last receipt since the phase was (re)opened."""
        opened = [step["at"] for step in self.steps if step["step"] in ("rollback", "redo", "unstart")]
        since = max((at for at in opened if at < facts["at"]), default="")
        mine = [one for one in receipts if one["phase"] == facts["input"]["phase"] and since < one["at"] <= facts["at"]]
        return {power: (one["at"], filed) for one in mine for power, filed in one["filed"].items()}

    def _compare_one(self, facts: Facts, power: str, at: str, told: Sequence[str]) -> None:
        line = facts["input"]
        played = line["orders"].get(power, [])
        if sorted(told) == sorted(played):
            return
        together = next((powers for powers in line.get("players", {}).values() if power in powers), [power])
        later = [step for step in self.steps if at <= step["at"] <= facts["at"]]
        if any(step["step"] in ("correction", "seat") and step["power"] in together for step in later):
            return  # a step explains the difference
        lost = ", ".join(sorted(set(told) - set(played))) or "nothing more"
        new = ", ".join(sorted(set(played) - set(told))) or "nothing else"
        self.fault(f"{line['phase']}: {power}: on file at {at} was {lost}; played was {new}")


def _corrected(board: Facts, step: Facts) -> Facts:
    """Return the board after one correction by the master."""
    thing, name = ("center", "centers") if step["step"] == "own" else ("unit", "units")
    owners = {one: power for power, those in board.get(name, {}).items() for one in those if one != step[thing]}
    if step.get("power") is not None:
        owners[step[thing]] = step["power"]
    sorted_by = {one: one.split()[-1] for one in owners}
    changed: dict[str, list[str]] = {}
    for one, power in sorted(owners.items(), key=lambda pair: (pair[1], sorted_by[pair[0]])):
        changed.setdefault(power, []).append(one)
    return {**board, name: changed}


def _board(line: Facts) -> Facts:
    """Return the position in an input line.

    Contested provinces count in retreat phases only.
    """
    board = {key: line[key] for key in _ON_THE_BOARD if key in line}
    kept = board.get("contested", []) if Phase.parse(board["phase"]).kind is PhaseKind.RETREAT else []
    return board | {"contested": kept}


def _played_again(facts: Facts) -> Facts:
    """Return the result of the orders of a phase, with reasons."""
    line = facts["input"]
    task = read_task(dict(line), revision_of(facts))
    resolution = adjudicate(task.map, task.position, task.orders, task.options, task.circumstances)
    again = write_result(resolution, reasons_on(line.get("board", USUAL_BOARD)), line.get("id"))
    return again | {key: line[key] for key in ("board",) if key in line}


def _other_reasons(output: Facts, again: Facts) -> Iterator[tuple[str, str, str]]:
    """Yield each reason that differs: unit or order, reported reason, reason found."""
    for unit in sorted(again["why"].keys() | output["why"].keys()):
        said, due = output["why"].get(unit, ""), again["why"].get(unit, "")
        if said != due:
            yield unit, said, due
    for one, other in zip(output["orders"], again["orders"], strict=False):
        if one["order"] == other["order"] and one.get("why", "") != other.get("why", ""):
            yield one["order"], one.get("why", ""), other.get("why", "")


def _differences(facts: Facts, again: Facts) -> Iterator[str]:
    """Yield the differences between the reported result and the result of its orders."""
    output = facts["output"]
    results = output["results"]
    for unit in sorted(again["results"].keys() | results.keys()):
        said, due = results.get(unit), again["results"].get(unit)
        if said != due:
            yield f"{unit}: the report says {_result(said)}, its orders give {_result(due)}"
    keys = sorted((again.keys() | output.keys()) - {*_IN_WORDS, "results"})
    if wrong := [key for key in keys if again.get(key) != output.get(key)]:
        yield f"{' and '.join(wrong)} are not what its orders give"
    orders = [[(one["power"], one["order"], one["results"]) for one in made["orders"]] for made in (again, output)]
    if orders[0] != orders[1] and again["results"] == results:
        yield "its list of orders is not the one that was played"


def _result(results: Sequence[str] | None) -> str:
    return "nothing" if results is None else " and ".join(results) or "success"


def _broken_seals(facts: Facts) -> Iterator[str]:
    if "filed" not in facts:  # a report from before seals were introduced
        return
    orders = facts["input"]["orders"]
    for power in sorted(orders.keys() | facts["filed"].keys()):
        filed = facts["filed"].get(power)
        if filed is None or _is_broken(filed, orders.get(power, ())):
            yield f"{power}: the seal is not that of the orders played"


def _is_broken(sealed: Facts, orders: Sequence[str]) -> bool:
    return seal(str(sealed["salt"]), orders) != str(sealed["hash"])


def _in_words(step: Facts) -> str:
    """Describe a step for people."""
    about = " ".join(step[name] for name in ("phase", "unit", "center", "power") if step.get(name))
    negation = "" if step.get("on", True) else "no longer "
    return " ".join(f"{negation}{step['step']} {about}".split()) + f" at {step['at']}"
