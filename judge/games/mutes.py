"""Whose press a player does not want."""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge.rules.position import Power


@dataclass(frozen=True, slots=True)
class Mutes:
    """The press that does not reach a player."""

    powers: tuple[Power, ...] = ()
    """Press under the name of one of these."""
    nameless: bool = False
    """Press without a name."""

    def changed(self, power: Power | None, *, is_muted: bool) -> Mutes:
        """With the press of a power, or without a name, muted or not."""
        if power is None:
            return replace(self, nameless=is_muted)
        others = tuple(other for other in self.powers if other != power)
        return replace(self, powers=(*others, power) if is_muted else others)
