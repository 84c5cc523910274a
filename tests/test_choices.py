"""Every choice matters: any two values of an option or setting differ in effect.

Rules of the board are told apart by cases of `tests/rules`; the course of a game, by a script of mails that is played
once with each value (see `tests/scripts.py`). `{}` is where the choice is written, and what is sent after the line of
dashes is compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from enum import StrEnum
from functools import cache
from itertools import combinations
from typing import get_type_hints

import pytest

from judge.errors import JudgeError
from judge.games.terms import Settings
from judge.rules import Options, adjudicate, load_map
from judge.rules.exchange import read_option
from judge.rules.options import PROFILES
from tests.database import store_in_memory
from tests.office import World, text
from tests.scripts import Player, Step
from tests.tables import RULES, Case, read_cases

MAP = load_map()
CASE = {case.id: case for case in read_cases(RULES)}

ON_THE_BOARD = {
    "convoy_multi_route": "6.F.9/convoy_multi_route",
    "convoy_paradox": "6.F.17/convoy_paradox s2-r22",
    "convoy_intent": "6.G.2/convoy_intent 6.G.1/convoy_intent",
    "via_required": "c-via-far",
    "convoy_fallback": "6.G.8/convoy_fallback",
    "hold_support_of_failed_move": "c-hold-counts c-hold-head-on",
    "support_of_nonholding": "6.F.20/convoy_multi_route c-cut-supporter-holds",
    "own_attack_cuts_support": "c-own-attack-cuts2",
    "support_cut_from_target": "c-cut-from-target",
    "support_conversion": "s3-6.3-ex1 c-every-route",
    "defense_points": "6.F.17/convoy_paradox",
    "coast_required": "6.B.2/coast_required",
    "single_space_retreat": "s0-11.2c",
    "retreat_to_convoy_origin": "6.G.11/convoy_fallback",
    "ownership_season": "c-spring-adjustments",
    "adjustment_season": "c-spring-adjustments",
    "decline_ownership": "s4-decline",
    "builds_waivable": "c-must-build",
    "voluntary_removal": "c-disorder-retreat",
    "default_removal": "6.J.12/default_removal c-disorder-winter c-fleet-keeps-to-water c-fleet-crosses-land",
    "civil_disorder": "c-disorder-retreat",
    "elimination": "c-out-owning-a-center c-out-in-spring",
    "victory_measure": "victory-18",
}
"""Option → cases that tell its values apart."""

START = """
start ardennes
  deadline: 2 days
  {}
---
"""
TO_WINTER = """
dan> PHASE F1901M
  F Kie - Den
@ deadline
@ deadline
"""
READIES = "\n".join(f"{name}> READY" for name in ("ada", "ben", "cho", "dan", "eva", "fay", "gus"))
YES_NO = ("yes", "no")
MAJORITIES = ("none", "half", "two-thirds", "all")
YES = "\nben> VOTE YES\ncho> VOTE YES\ndan> VOTE YES\nada> VOTES\nfay> VOTE YES\n"
IN_MAILS: dict[str, tuple[str, Sequence[str], str]] = {
    # Options of the rules that are about the course of a game
    "misspelling": ("misspelling", ("ask", "follow-if-unique"), START + "cho> F Bre - Enf"),
    "draw_rule": ("draw rule", ("unanimous", "armistice"), START + "ada! DRAW\nada> VOTES"),
    "short_game": ("short game", ("none", "1901"), START + "@ deadline\n@ deadline"),
    "press_phases": (
        "press phases",
        ("diplomacy-only", "not-in-retreats"),
        START.replace("{}", "press: rulebook\n  {}") + TO_WINTER + "cho> PRESS TO Germany: psst",
    ),
    "country_assignment": (
        "assignment",
        ("lot", "first-choice", "first-choice-then-lot", "registration-order"),
        "gil! CREATE ardennes\n  {}\n"
        + "\n".join(
            f"{name}! JOIN ardennes PREFER {wish}"
            for name, wish in zip(
                ("ada", "ben", "cho", "dan", "eva", "fay", "gus"),
                ("R", "R, G", "G, A", "F, T", "F, T", "A, I", "E"),
                strict=True,
            )
        )
        + "\n---\ngil! GAME ardennes\n  WHO",
    ),
    "turn_word": ("turn word", ("half-year", "year"), START + "@ deadline"),
    "update_type": (
        "update",
        ("scheduled-or-on-completion", "scheduled", "on-completion", "scheduled-with-early-minor-phases", "manual"),
        START.replace("{}", "ready with missing orders: yes\n  {}")
        + READIES
        + "\nada> STATUS\n@ 2026-11-26 12:01\nada> STATUS",
    ),
    "ready_needed": (
        "ready needed",
        ("deciding", "living"),
        START + TO_WINTER + "ada> READY",
    ),
    "skipped_time": (
        "skipped time",
        ("handed-on", "lost"),
        START.replace("{}", "update: scheduled with early minor phases\n  {}") + "@ deadline",
    ),
    "fog": ("fog", ("none", "adjacent", "own"), START + "eva> STATUS"),
    "players": (
        "players",
        tuple(MAP.setups),
        START + "gil! GAME ardennes\n  WHO\n  STATUS",
    ),
    # Settings of a game
    "profile": ("rules", tuple(PROFILES), START + "cho> STATUS"),
    "movement": ("deadline", ("2 days", "3 days"), "start ardennes\n  {}\n---\ncho> STATUS\n@ deadline"),
    "first_movement": ("first movement", ("2 days", "5 days"), START + "cho> STATUS"),
    "retreat": (
        "retreats",
        ("1 day", "12 hours"),
        START.replace("{}", "update: scheduled with early minor phases\n  {}") + "@ deadline",
    ),
    "adjustment": ("adjustments", ("1 day", "3 days"), START + TO_WINTER),
    "zone": ("zone", ("UTC", "Asia/Tokyo"), START + "cho> STATUS"),
    "earliest": (
        "earliest",
        ("none", "12 hours"),
        START.replace("{}", "ready with missing orders: yes\n  {}") + READIES + "\n@ +1 hour",
    ),
    "grace": ("grace", ("none", "12 hours"), START + "@ deadline"),
    "grace_changes": (
        "grace changes",
        YES_NO,
        START.replace("{}", "grace: 12 hours\n  {}") + "cho> A Par - Bur\n@ deadline\ncho> A Par - Pic",
    ),
    "absence": (
        "absence",
        ("14 days a year", "1 day", "none", "free"),
        START + "cho> ABSENCE 25 Nov to 30 Nov",
    ),
    "absence_per_phase": ("absence per phase", ("3 days", "none"), START + "cho> ABSENCE 25 Nov to 30 Nov"),
    "extensions": ("extensions", ("none", "1"), START + "@ deadline"),
    "extension": (
        "extension",
        ("12 hours", "24 hours"),
        START.replace("{}", "missing: extend\n  {}") + "@ deadline",
    ),
    "reliability": (
        "reliability",
        ("none", "90 %"),
        "start ardennes\n  deadline: 1 day\n@ deadline\ncho! CREATE verdun\n  {}\n---\nada! JOIN verdun",
    ),
    "wait": (
        "wait",
        ("1 day", "none"),
        START.replace("{}", "ready with missing orders: yes\n  adjustments: 5 days\n  {}")
        + TO_WINTER
        + "ada> WAIT\ndan> READY\n@ +25 hours\n@ +1 minute",
    ),
    "stand_in": (
        "stand in",
        ("2 hours", "2 days"),
        "hal! STANDBY\n" + START + "cho> RESIGN\ncho? YES",
    ),
    "nudge": (
        "nudge",
        ("1 day", "none"),
        START.replace("{}", "update: on completion\n  {}") + "@ +25 hours",
    ),
    "inherit_orders": (
        "inherit orders",
        YES_NO,
        START + "cho> A Par - Bur\ncho> RESIGN\ncho? YES\nhal! TAKE OVER ardennes France",
    ),
    "reminders": ("reminders", ("none", "24 hours", "4 hours"), START + "@ +25 hours\n@ +20 hours"),
    "missing": (
        "missing",
        ("hold", "disorder", "wait", "replace", "extend"),
        START + "cho> A Par H\n  A Mar H\n  F Bre H\n@ deadline\ncho> STATUS\n",
    ),
    "outage": ("outage", ("12 hours", "2 days"), START + "@ +4 days"),
    "objection": ("objection", ("none", "24 hours"), START + "@ deadline"),
    "muster": ("muster", YES_NO, "gil! CREATE ardennes\n  deadline: 2 days\n  {}\n---\nada! JOIN ardennes\n@ +8 days"),
    "first_turn_resets": ("first turn resets", YES_NO, START + "@ deadline"),
    "press": (
        "press",
        ("none", "public", "private", "rulebook"),
        START + "cho> PRESS TO Germany: psst\ncho> BROADCAST: hello\n" + TO_WINTER + "cho> PRESS TO Germany: psst",
    ),
    "press_sender": (
        "press sender",
        ("named", "anonymous", "any"),
        START + "cho> ANONYMOUS PRESS TO Germany: psst\ncho> PRESS TO Germany AS Italy: psst",
    ),
    "anonymous": ("anonymous", YES_NO, START + "cho> PRESS TO Germany: psst\n"),
    "master_reads": ("master reads", YES_NO, START + "cho> PRESS TO Germany: psst"),
    "publish_press": (
        "publish press",
        YES_NO,
        START + "\n".join(f"{name}! DRAW" for name in ("ada", "ben", "cho", "dan", "eva", "fay", "gus")),
    ),
    "writing": (
        "writing",
        ("none", "2 hours"),
        START.replace("{}", "press: rulebook\n  {}") + "@ +47 hours\ncho> PRESS TO Germany: psst",
    ),
    "readiness": ("readiness", ("count", "names", "none"), START + "ada> READY\nada> STATUS"),
    "open_votes": ("open votes", YES_NO, START + "ada! DRAW\nben> VOTES"),
    "tell_votes": ("tell votes", (*YES_NO, "with orders"), START + "ada! DRAW\nben> STATUS"),
    "votes_last": (
        "votes last",
        ("game", "phase", "1 day"),
        START + "ada! DRAW\n@ +30 hours\nada> VOTES\n@ deadline\nada> VOTES",
    ),
    "scores": (
        "scores",
        ("none", "draw-size", "sum-of-squares", "centers"),
        START + "\n".join(f"{name}! DRAW" for name in ("ada", "ben", "cho", "dan", "eva", "fay", "gus")),
    ),
    "named_draws": ("named draws", YES_NO, START + "ada! DRAW Austria, Italy"),
    "seats_per_person": (
        "seats per person",
        ("1", "2"),
        "gil! CREATE ardennes\n  {}\nada! JOIN ardennes AS England\n---\nada! JOIN ardennes AS France",
    ),
    "seat_reports": (
        "seat reports",
        YES_NO,
        "gil! CREATE ardennes\n  seats per person: 7\n  {}\n---\nada! JOIN ardennes\n" + "  JOIN ardennes\n" * 6,
    ),
    "pause_majority": (
        "pause majority",
        MAJORITIES,
        START + "ada> PROPOSE PAUSE" + YES,
    ),
    "extend_majority": ("extend majority", MAJORITIES, START + "ada> PROPOSE EXTEND 2 days" + YES),
    "end_majority": ("end majority", MAJORITIES, START + "ada> PROPOSE END" + YES),
    "replace_majority": (
        "replace majority",
        MAJORITIES,
        START + "gil> EJECT Turkey BECAUSE he asked\n@ deadline\nada> PROPOSE REPLACE Italy" + YES,
    ),
    "absent_block": (
        "absent block",
        YES_NO,
        START
        + "gil> EJECT Turkey BECAUSE he asked\n"
        + "\n".join(f"{name}! DRAW" for name in ("ada", "ben", "cho", "dan", "eva", "fay")),
    ),
    "ready_incomplete": ("ready with missing orders", YES_NO, START + "ada> READY"),
    "show_addresses": ("addresses", YES_NO, START + "cho> WHO"),
    "listed": ("listed", YES_NO, START + "hal! LIST"),
    "access": (
        "access",
        ("open", "by-approval", "invited"),
        "gil! CREATE ardennes\n  {}\n---\nhal! JOIN ardennes\n",
    ),
    "observers": ("observers", YES_NO, START + "hal! OBSERVE ardennes"),
}
"""Option or setting → its name in a mail, its values, and a script."""


def values_of(option: str) -> tuple[object, ...]:
    kind = get_type_hints(Options)[option]
    return tuple(kind) if isinstance(kind, type) and issubclass(kind, StrEnum) else ()


PAIRS = [(option, *pair) for option in ON_THE_BOARD for pair in combinations(values_of(option), 2)]


@pytest.mark.parametrize(("option", "one", "other"), PAIRS)
def test_a_rule_matters_on_the_board(option: str, one: object, other: object) -> None:
    cases = [CASE[name] for name in ON_THE_BOARD[option].split()]
    assert any(come_out(case, option, one) != come_out(case, option, other) for case in cases)


def come_out(case: Case, option: str, value: object) -> list[object]:
    found: list[object] = []
    for usual in case.under.values():
        options = replace(usual, **{option: read_option(option, value)})
        for table in case.phases:
            result = adjudicate(MAP, table.position(), table.orders, options, table.circumstances())
            found.append((result.verdicts, result.position, result.eliminated, result.over))
    return found


@pytest.mark.parametrize("choice", IN_MAILS)
def test_a_choice_matters_in_some_mail(choice: str) -> None:
    name, values, script = IN_MAILS[choice]
    sent = {value: letters_after(script.replace("{}", f"{name}: {value}")) for value in values}
    assert any(sent.values())
    for one, other in combinations(values, 2):
        assert sent[one] != sent[other], f"{name}: {one} and {other} are the same to everybody"


@cache
def letters_after(script: str) -> tuple[tuple[str, ...], ...]:
    """Return the letters that people get after the script's line of dashes.

    Each has its cause, reader, subject and text.
    """
    player = Player(World(store_in_memory()))
    letters: list[tuple[str, ...]] = []
    before, _, after = script.partition("---\n")
    for part, listens in ((before, False), (after, True)):
        for step in steps(part):
            player.play(step)
            if listens:
                letters += [
                    (step.text, name, str(letter["Subject"]), text(letter))
                    for name, found in sorted(player.letters.items())
                    for letter in found
                ]
    return tuple(letters)


def steps(script: str) -> list[Step]:
    found: list[Step] = []
    for number, line in enumerate(script.strip().splitlines(), start=1):
        if line.startswith(" "):
            found[-1].below.append(line.strip())
        elif line:
            found.append(Step(number, line))
    return found


def test_every_option_and_every_setting_has_its_row() -> None:
    """A new option or setting without a row fails here, as does a new value."""
    options = {field.name for field in fields(Options)}
    settings = {field.name for field in fields(Settings)} - {"rules", "map"}
    assert options | settings == ON_THE_BOARD.keys() | IN_MAILS.keys()
    assert not ON_THE_BOARD.keys() & IN_MAILS.keys()
    kinds = get_type_hints(Settings)
    for choice, (_, written, _) in IN_MAILS.items():
        kind = kinds.get(choice)
        values: tuple[object, ...] = values_of(choice) if choice in options else ()
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            values = tuple(kind)
        assert {str(value) for value in values} <= set(written), choice
        assert len(set(written)) > 1, choice


def test_a_game_is_played_on_the_board_it_names() -> None:
    """One board is shipped; another name is no board."""
    assert load_map(Settings().map) == MAP
    with pytest.raises((JudgeError, OSError)):
        load_map("nowhere")
