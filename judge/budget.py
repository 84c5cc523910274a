"""The work that one mail may cost.

Work is counted in units, because time would depend on the machine.
"""

from __future__ import annotations

from dataclasses import dataclass

OF_A_MAIL = 300_000
"""Units of one mail; a unit is about a microsecond.

An ordinary mail of orders needs about 2,000.
"""


@dataclass(slots=True)
class Budget:
    """The work that one mail may still cost; each stage of reading charges it.

    A stage finishes its current line or part, and begins no other once the budget is spent. The same mail is charged
    the same each time it is read, whatever was read before.
    """

    left: int = OF_A_MAIL

    @property
    def is_spent(self) -> bool:
        """Whether no further work may begin."""
        return self.left <= 0

    def charge(self, units: int) -> None:
        """Charge work that is being done."""
        self.left -= units


def unbounded() -> Budget:
    """Return a budget without limit, for text that no stranger sent."""
    return Budget(1 << 60)
