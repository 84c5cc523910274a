"""The press a player has muted."""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge.rules.position import Power


@dataclass(frozen=True, slots=True)
class Mutes:
    """The press that does not reach a player."""

    powers: tuple[Power, ...] = ()
    """The powers whose press is muted."""
    nameless: bool = False
    """Anonymous press is muted."""

    def changed(self, power: Power | None, *, is_muted: bool) -> Mutes:
        """Return the mutes with the press of a power, or anonymous press, muted or not."""
        if power is None:
            return replace(self, nameless=is_muted)
        others = tuple(other for other in self.powers if other != power)
        return replace(self, powers=(*others, power) if is_muted else others)
