"""Times in words: the phases of a game."""

from judge.language.times.phases import NamedPhase, phases_in, with_plain_phases, without

__all__ = ["NamedPhase", "phases_in", "with_plain_phases", "without"]
