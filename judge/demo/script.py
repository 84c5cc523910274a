"""The scripted game: the orders of each phase, and the position afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from judge.rules.notation import read_order, read_unit
from judge.rules.orders import Order
from judge.rules.position import Phase, Power, Unit


@dataclass
class ScriptedPhase:
    """One phase of the script."""

    phase: Phase
    orders: dict[Power, list[Order]] = field(default_factory=dict)
    after: dict[Unit, Power] = field(default_factory=dict)


@dataclass
class Script:
    """The whole game."""

    phases: dict[str, ScriptedPhase] = field(default_factory=dict)
    winner: Power | None = None


SHIPPED = Path(__file__).with_name("script.txt")


def read_script(path: Path = SHIPPED) -> Script:
    """Read a script in the format of `script.txt` beside this file.

    Without a winner the game stays open.
    """
    script = Script()
    current: ScriptedPhase | None = None
    for line in path.read_text("utf-8").splitlines():
        text = line.split("#")[0].rstrip()
        if not text:
            continue
        if text.startswith("winner "):
            script.winner = Power(text.split()[1])
        elif not text.startswith(" "):
            current = ScriptedPhase(Phase.parse(text))
            script.phases[text] = current
        elif current is not None:
            word, _, rest = text.strip().partition(" ")
            if word == "after":
                power, _, units = rest.strip().partition(": ")
                current.after.update({read_unit(unit): Power(power) for unit in units.split(", ")})
            else:
                current.orders.setdefault(Power(word.rstrip(":")), []).append(read_order(rest.strip()))
    return script
