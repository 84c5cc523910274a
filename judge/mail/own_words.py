"""The sender's own words: no quotation, no signature, nothing that we wrote ourselves."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_QUOTED = re.compile(r"^\s*(?:[>＞|｜]\s?)+")
_STOP_WORDS = frozenset(("end", "quit", "signoff", "終わり", "以上"))
_SIGNATURE = re.compile(
    r"""^(?:--\s?|__+|[-=*＊━─＝]{5,}.*
    |sent\ from\ (?:my|mail|outlook|yahoo)\b.*|get\ outlook\ for\b.*
    |(?:iphone|ipad|android).{0,12}から送信.*|from\ my\ (?:iphone|android).*
    |-----\s*original\ message\s*-----.*|-+\s*元のメッセージ\s*-+.*|-+\s*forwarded\ message\s*-+.*
    )$""",
    re.IGNORECASE | re.VERBOSE,
)
_HEADER_BLOCK = re.compile(r"^(?:\*?from|差出人|送信者|von)\*?\s*[::]", re.IGNORECASE)
_HEADER_LINE = re.compile(r"^(?:\*?(?:sent|date|to|subject)|送信日時|日付|宛先|件名)\*?\s*[::]", re.IGNORECASE)
_ATTRIBUTION = re.compile(
    r"""^(?:on\b.{5,160}\bwrote\s*:|.{3,160}\bwrote\s*:|am\b.{5,160}\bschrieb.*:
    |\d{4}[年/-].{3,160}(?:のメール|書きました|wrote)\s*[::]?|.{2,120}(?:さん|様)?\s*(?:は|が)書きました\s*[::]?
    )$""",
    re.IGNORECASE | re.VERBOSE,
)
_ORDER_LIKE = re.compile(r"^\s*[AF] [A-Z]{3}\b[^:(]*$")
"""A line of our report that a player could have written as well."""
_ATTRIBUTION_START = re.compile(r"^(?:on\b.{5,120}\d|\d{4}年\d{1,2}月)", re.IGNORECASE)


def own_words(text: str, sent: Sequence[str] = ()) -> str:
    """What the sender wrote himself; `sent` are the lines of our mail that this is a reply to.

    Taken out: quoted lines, attributions, all from a signature or a stop word on, and runs of our own
    lines. A quoted line of ours with more behind it was filled in, and counts.
    """
    ours = {_essence(line) for line in sent if _essence(line)}
    fields = {line for line in ours if line.endswith("-")}
    kept: list[str] = []
    lines = text.splitlines()
    for place, line in enumerate(lines):
        if _QUOTED.match(line):
            filled = _essence(line)
            if filled not in ours and any(filled.startswith(field) for field in fields):
                kept.append(_QUOTED.sub("", line))
            continue
        bare = line.strip()
        if bare.casefold().rstrip(".。") in _STOP_WORDS or _ends_the_mail(line, lines[place + 1 : place + 5]):
            break
        if not _is_attribution(bare, lines[place + 1] if place + 1 < len(lines) else ""):
            kept.append(line)
    return "\n".join(_without_runs(kept, ours)).strip("\n")


def _essence(line: str) -> str:
    return "".join(unicodedata.normalize("NFKC", _QUOTED.sub("", line)).casefold().split())


def _ends_the_mail(line: str, following: Sequence[str]) -> bool:
    bare = line.strip()
    if _SIGNATURE.match(line.rstrip("\r")) or _SIGNATURE.match(bare):
        return True
    return bool(_HEADER_BLOCK.match(bare)) and any(_HEADER_LINE.match(other.strip()) for other in following)


def _is_attribution(line: str, following: str) -> bool:
    if _ATTRIBUTION.match(line):
        return True
    # Long attributions are broken in two.
    return bool(_ATTRIBUTION_START.match(line)) and bool(_ATTRIBUTION.match(f"{line} {following.strip()}"))


def _without_runs(lines: list[str], ours: set[str]) -> list[str]:
    """Drop what was quoted without marks: runs of our lines, blank ones not counted.

    A player may well write two orders that stood in the report of the last phase; so a run counts
    as quoted only if sentences or headings of ours are in it, too.
    """
    is_ours = [_essence(line) in ours for line in lines]
    written = [place for place, line in enumerate(lines) if line.strip()]
    dropped: set[int] = set()
    run: list[int] = []
    for place in [*written, -1]:
        if place >= 0 and is_ours[place]:
            run.append(place)
            continue
        if sum(not _ORDER_LIKE.match(lines[one]) for one in run) >= 2:
            dropped.update(run)
        run = []
    return [line for place, line in enumerate(lines) if place not in dropped]
