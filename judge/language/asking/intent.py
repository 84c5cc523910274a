"""How likely a free sentence asks for each command.

This is learned from sentences that people wrote. The weights of the features of sentences are data, in
`grammar/words/commands/intents`; `python -m tests.learning` learns them anew. The score of a sentence is the sum of
the weights of its features.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import exp, sqrt
from struct import unpack

from judge.commands import Permitted
from judge.language.asking.features import features
from judge.language.asking.phrases import load_phrases
from judge.language.context import Context, Role
from judge.language.words.shipped import likely_spoken
from judge.languages import Language
from judge.resources import shipped

NOTHING = "nothing"
"""The key of lines that ask for nothing.

These are talk, the past, conditions, and what other people do.
"""
PROPOSED_BY_PLAYERS = frozenset(("extend", "deadline", "pause", "resume", "end", "eject", "replace"))
"""Keys of masters' commands that players may propose."""
_SAME: Mapping[Role, Mapping[str, str]] = {
    Role.PLAYER: {"announce": "broadcast", "process": "ready", "muster": "press_to_master"},
    Role.MASTER: {"broadcast": "announce", "ready": "process"},
    Role.STRANGER: {"muster": ""},
}
"""Role → key that the sender may not use → key that they mean.

"" if there is none.
"""
_ONLY_FOR_OTHERS: Mapping[Role, tuple[Permitted, ...]] = {
    Role.PLAYER: (Permitted.MASTER, Permitted.REFEREE, Permitted.OWNER),
    Role.MASTER: (Permitted.PLAYER,),
    Role.STRANGER: (Permitted.MEMBER, Permitted.PLAYER, Permitted.SPEAKER, Permitted.MASTER, Permitted.OWNER),
}
SCALE = 6
"""Weights are stored as whole numbers, multiplied by this."""
_SHARPNESS = 7.0
"""How much a difference of scores counts.

`python -m tests.learning --check` prints how well it is calibrated.
"""

IS_MEANT = 0.55
"""How likely a command must be to be proposed.

At this value at most 5 in 100 sentences of unknown writers are misread.
"""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of one language."""

    keys: tuple[str, ...]
    """The keys of what sentences ask for."""
    bias: tuple[int, ...]
    """For each key, its weight without any feature."""
    rows: Mapping[str, str]
    """Feature → weights with the indexes of their keys: `-4:17|12:3 5`."""

    def scores(self, found: frozenset[str]) -> list[float]:
        """Return for each key how much the features of a sentence speak for it."""
        rows = self.rows
        packed = sum(_packed(rows[feature]) for feature in found & rows.keys())
        length = sqrt(len(found) or 1)
        sums = _unpacked(packed, len(self.keys))
        return [(total / length + bias) / SCALE for total, bias in zip(sums, self.bias, strict=True)]


_BITS = 32
"""Bits for the sum of the weights of one key.

No sentence has enough features to fill them.
"""


@cache
def _packed(row: str) -> int:
    """Pack a row of weights into one number, when a sentence first has its feature.

    Each key has its own bits: to add such numbers is to add the weights of all keys at once.
    """
    groups = (group.partition(":") for group in row.split("|"))
    return sum(int(weight) << _BITS * int(number) for weight, _, numbers in groups for number in numbers.split())


@cache
def _middle(count: int) -> int:
    """Return a number that makes the sums of so many keys positive."""
    return sum(1 << _BITS * number + _BITS - 1 for number in range(count))


def _unpacked(packed: int, count: int) -> Iterator[int]:
    """Yield the sums of so many keys."""
    middle = 1 << _BITS - 1
    octets = (packed + _middle(count)).to_bytes(count * _BITS // 8, "little")
    return (total - middle for total in unpack(f"<{count}I", octets))


def intents(text: str, context: Context) -> list[tuple[float, str]]:
    """Return what a line in normal form may ask for, with likelihoods.

    The most likely key comes first.
    """
    weights = load_weights(likely_spoken(text)[0])
    scores = weights.scores(features(text, context.map.name, context.role))
    return ranked(weights.keys, scores, context.role, is_playing=bool(context.powers))


def ranked(
    keys: tuple[str, ...], scores: Iterable[float], role: Role | None, *, is_playing: bool
) -> list[tuple[float, str]]:
    """Return the likelihood of each key a sender may mean, most likely first."""
    weighed = [exp(_SHARPNESS * score) for score in scores]
    total = sum(weighed)
    found: dict[str, float] = defaultdict(float)
    for meant, weight in zip(_keys_meant(keys, role, is_playing=is_playing), weighed, strict=True):
        found[meant] += weight / total
    found.pop("", None)
    return sorted(((likelihood, key) for key, likelihood in found.items()), reverse=True)


@cache
def _keys_meant(keys: tuple[str, ...], role: Role | None, *, is_playing: bool) -> tuple[str, ...]:
    """Return for each key what a sender means by it; see `key_meant`."""
    return tuple(key_meant(key, role, is_playing=is_playing) for key in keys)


def key_meant(key: str, role: Role | None, *, is_playing: bool) -> str:
    """Return the key that a sender means by a key, or "".

    "" if the sender may not ask for it.
    """
    if role is None or (role is Role.MASTER and is_playing):
        return key
    meant = _SAME[role].get(key, key)
    entry = next((one for one in load_phrases().entries if one.key == meant), None)
    if entry is None or (role is Role.PLAYER and meant in PROPOSED_BY_PLAYERS):
        return meant
    return "" if entry.makes.card.who in _ONLY_FOR_OTHERS[role] else meant


@cache
def load_weights(language: Language) -> Weights:
    """Return the weights of a language."""
    text = (shipped("grammar") / "words" / "commands" / "intents" / f"{language}.txt").read_text("utf-8")
    rows = dict(line.split("\t", 1) for line in text.splitlines() if line[:2] != "# ")
    keys, bias = rows.pop("keys"), rows.pop("bias")
    return Weights(tuple(keys.split()), tuple(map(int, bias.split())), rows)
