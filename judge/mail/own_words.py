"""The sender's own words: no quotation, no signature, nothing that we wrote ourselves."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

_QUOTED = re.compile(r"^\s*(?:(?:[>＞|｜]|:(?=\s))\s?)+")
_STOP_WORDS = frozenset(("end", "quit", "signoff", "終わり", "以上"))
_SIGNATURE = re.compile(r"^--\s?$")
_RULE = re.compile(r"^(?:__+|[-=*＊━─＝~～]{5,}.*)$")
"""Begins a signature, unless an order follows it."""
_ORDER_HINT = re.compile(
    r"^\W*(?:(?:[AF]|army|fleet)\s+\w{2,}.*|(?:not\s+)?ready\b.*|.*(?:陸軍|海軍|艦隊|→|->).*)$", re.IGNORECASE
)
_PHONE = re.compile(
    r"""^(?:sent\ (?:from|via)\ (?:my|mail|outlook|yahoo|proton|samsung)\b.*|get\ outlook\ for\b.*
    |(?:私の)?(?:iphone|ipad|android|スマートフォン|携帯).{0,20}から送信.*|.{0,30}から(?:iphone|ipad|android)で送信.*
    |from\ my\ (?:iphone|ipad|android|phone).*|outlook\ for\ (?:ios|android).*(?:を入手|送信).*)$""",
    re.IGNORECASE | re.VERBOSE,
)
"""What phones write below a mail; an answer may go on beneath it."""
_END = re.compile(
    r"^[-_=\s]*(?:original message|forwarded message|begin forwarded message:?|begin pgp signature|元のメッセージ"
    r"|元のメール|転送メッセージ|ここから引用|original-nachricht|ursprüngliche nachricht|message d'origine)[-_=\s]*$",
    re.IGNORECASE,
)
"""Nothing of the sender's comes behind it."""
_TITLE = re.compile(r"^[-_=]{2,40}[^-_=].{0,80}[-_=]{2,40}$")
_FIELD = re.compile(r"^\W*\w+\s*[:：].*@")
_PGP = re.compile(r"^-----BEGIN PGP SIGNED MESSAGE-----$|^Hash: [\w, -]+$")
_HEADER_BLOCK = re.compile(r"^(?:\*?(?:from|von|de|da)|差出人|送信者)\s*\*?\s*[:：]", re.IGNORECASE)
_HEADER_LINE = re.compile(
    r"^(?:\*?(?:sent|date|to|subject|gesendet|an|betreff|envoyé|à|objet)|送信日時|日付|日時|宛先|件名)\s*\*?\s*[:：]",
    re.IGNORECASE,
)
_ATTRIBUTION = re.compile(
    r"""^(?:on\b.{5,160}\bwrote\s*:|.{3,160}\bwrote(?:\ to\ (?:me|us|all|everyone))?\s*:
    |am\b.{5,160}\bschrieb.*:|le\b.{5,160}\ba\ écrit\s*:
    |\d{4}[年/-].{3,160}(?:(?:のメール|書きました|wrote)\s*[:：]?|<\S+@\S+>\s*[:：])
    |(?:on|am|le|el|il|op|em|den|w\ dniu)\b.{5,160}
     \b(?:said|schreef|escribió|ha\ scritto|escreveu|skrev|napisał)\b.{0,60}:
    |.{1,60}\bschrieb\ am\b.{5,60}:|[^:]{0,80}\d.{0,80}<\S+@\S+>\s*:|\d{4}年.{3,60}\d{1,2}:\d\d.{1,60}[:：]
    |.{2,120}(?:さん|様)?\s*(?:は|が)(?:.{3,60}に)?書きました\s*[:：]?
    )$""",
    re.IGNORECASE | re.VERBOSE,
)
_LEAST_OF_OURS = 2
_LONGEST_HEAD = 9
_BEGINNING = 6
_ORDER_LIKE = re.compile(r"^\s*[AF] [A-Z]{3}\b[^:(]*$")
"""A line of our report that a player could have written as well."""
_FIELD_OF_OURS = re.compile(r"\s*([AF] [A-Z]{3}(?:/[NSE]C)?)(?: ([-R]))?\s*")
"""A line of our report that is to be completed: what unit, and the sign it ends with."""
_DISBANDS = frozenset(
    ("d", "-d", "disband", "disbands", "disbanded", "remove", "removed", "解体", "を解体", "除去", "削減")
)
_END_OF_ORDER = re.compile(
    r"(?:[-–→>]+ ?)?(?:[a-z/()]{1,20}|[ァ-ヺー・一-龠]{1,12}[へに]?)|[HSCDR] .{1,40}", re.IGNORECASE
)
"""What may stand beneath such a line, where a mail program broke it."""
_ORDERS = re.compile(
    r"""^\W*(?:[AF]|army|fleet)\s+\w{2,}|\w{3,}\.?\s?(?:-+>?|→|–|=+>)\s?\w{3,}
    |\w{3,}\s(?:[HSCDRB]|holds?|supports?|convoys?|moves?|retreats?|disbands?|builds?)\b
    |\b(?:hold|move|support|convoy|retreat|disband|build|waive|remove)\s\w{3,}
    |陸軍|海軍|艦隊|維持|移動|待機|支援|輸送|撤退|解体|増設|へ|→""",
    re.IGNORECASE | re.VERBOSE,
)
_MOST_OF_AN_ORDER = 90
_LONGEST_ATTRIBUTION = 3
"""Lines into which a mail program may break one."""
_LONGEST_SAYING = 12
_SAYINGS = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "『": "』"}
"""What begins somebody's words → what ends them."""
_ATTRIBUTION_START = re.compile(r"^(?:(?:on|am|le)\b.{5,120}\d|\d{4}年\d{1,2}月)", re.IGNORECASE)


def own_words(text: str, sent: Sequence[str] = ()) -> str:
    """What the sender wrote himself; `sent` are the lines of our mail that this is a reply to.

    Taken out: quoted lines, attributions, signatures, all from a stop word or an old mail on, and runs of
    our own lines. Where our mail is quoted, a line of ours with more behind it was filled in, and counts.
    A signature ends where a quotation begins: an answer may stand beneath.
    """
    ours = {_essence(line) for line in sent if _essence(line)}
    fields = [field for field in map(_FIELD_OF_OURS.fullmatch, sent) if field]
    unseen = Counter(map(_letters, filter(None, map(_essence, sent))))
    kept: list[str] = []
    in_signature = False
    lines = text.splitlines()
    from_our_mail = _quoted_from(ours, lines)
    orders_below = _orders_below(lines)
    quotation = 0
    for place, line in enumerate(lines):
        bare = _bare(line)
        following = lines[place + 1 : place + 6]
        if _QUOTED.match(line):
            in_signature = False
            if not _is_old(line, unseen) and place in from_our_mail and _is_filled_in(line, fields):
                kept.append(_QUOTED.sub("", line))
        elif place < quotation:
            continue
        elif place - 1 in from_our_mail and _ends_field(lines[place - 1], bare):
            kept.append(f"{_QUOTED.sub('', lines[place - 1]).rstrip()} {bare}")
        elif _ends_the_mail(bare, following):
            quotation = _head_of_quotation(lines, place, from_our_mail)
            if not quotation:
                break
            in_signature = False
        elif taken := _attribution(lines, place):
            quotation = place + taken
            said = _saying(lines[quotation:])
            below = lines[quotation:]
            if not said and any(map(_may_tell_an_order, kept)) and _is_without_marks(below, ours):
                break
            quotation += said
            in_signature = False
        elif _SIGNATURE.match(bare) or (_RULE.match(bare) and any(kept) and not orders_below[place]):
            in_signature = True
        elif not in_signature and not _PHONE.match(bare) and not _PGP.match(bare):
            kept.append(line)
    return "\n".join(_without_runs(kept, ours)).strip("\n")


def _is_old(line: str, unseen: Counter[str]) -> bool:
    """Whether a line is one of ours: what stands there once more than we wrote it was filled in."""
    letters = _letters(_essence(line))  # old charsets lose a ✓ on the way
    if not unseen[letters]:
        return False
    unseen[letters] -= 1
    return True


def _is_filled_in(line: str, fields: Sequence[re.Match[str]]) -> bool:
    filled = _essence(line)
    return any(_fills(field, filled) for field in fields)


def _fills(field: re.Match[str], filled: str) -> bool:
    """Whether a line is that of ours with an order behind it, in place of the sign or after it."""
    unit = _essence(field[1])
    rest = filled.removeprefix(unit)
    if rest == filled or not rest:
        return False
    if field[2] == "-":
        return (len(rest) > 1 and rest[0] in "-→") or rest[0] in "hsc"
    return rest in _DISBANDS or (field[2] == "R" and len(rest) > 1 and rest[0] in "r-→")


def _ends_field(line: str, following: str) -> bool:
    """Whether a quoted line of ours that is to be completed goes on without a mark in the next."""
    field = _FIELD_OF_OURS.fullmatch(_QUOTED.sub("", line)) if _QUOTED.match(line) else None
    if field is None or field[2] is None or may_be_order(following):
        return False
    return _END_OF_ORDER.fullmatch(following) is not None


def _quoted_from(ours: set[str], lines: Sequence[str]) -> set[int]:
    """The places of quoted lines among which lines of ours stand: somebody else's words may be quoted, too."""
    found: set[int] = set()
    block: list[int] = []
    for place in [*range(len(lines)), -1]:
        if place >= 0 and (_QUOTED.match(lines[place]) or not lines[place].strip()):
            block.append(place)
            continue
        if sum(_essence(lines[one]) in ours for one in block) >= _LEAST_OF_OURS:
            found.update(block)
        block = []
    return found


def _head_of_quotation(lines: Sequence[str], begin: int, from_our_mail: set[int]) -> int:
    """Where the marked quotation of our mail begins, if the head of an old mail only leads to it; else 0.

    Then it is no more than an attribution: the answer may stand beneath.
    """
    if _is_stop_word(_bare(lines[begin])):
        return 0
    for place in range(begin + 1, min(len(lines), begin + _LONGEST_HEAD)):
        bare = _bare(lines[place])
        if _QUOTED.match(lines[place]):
            return place if place in from_our_mail else 0
        if bare and not _HEADER_BLOCK.match(bare) and not _HEADER_LINE.match(bare):
            return 0
    return 0


def _is_ours_without_marks(ours: set[str], lines: Sequence[str]) -> bool:
    """Whether our mail, in whatever layout, begins here: who answered above it has answered."""
    begin = [line for line in lines[:12] if line.strip()][:_BEGINNING]
    return sum(_essence(line) in ours for line in begin) >= _LEAST_OF_OURS and not any(map(_QUOTED.match, begin))


def _essence(line: str) -> str:
    return "".join(unicodedata.normalize("NFKC", _QUOTED.sub("", line)).casefold().split())


def _letters(essence: str) -> str:
    return "".join(filter(str.isalnum, essence))


def _ends_the_mail(bare: str, following: Sequence[str]) -> bool:
    """A stop word, or the head of an old mail that is quoted without marks."""
    if _is_stop_word(bare) or _END.match(bare):
        return True
    next_lines = [_bare(line) for line in following]
    if _TITLE.match(bare):
        return any(_FIELD.match(line) for line in next_lines)
    return bool(_HEADER_BLOCK.match(bare)) and any(_HEADER_LINE.match(line) for line in next_lines)


def _is_stop_word(bare: str) -> bool:
    return unicodedata.normalize("NFKC", bare).casefold().rstrip(".。") in _STOP_WORDS


def _bare(line: str) -> str:
    """What there is to look at in a line: marks of mail programs are short, hostile lines are long."""
    return line.strip()[:300]


def may_be_order(line: str) -> bool:
    """Whether a line looks like an order, read or misread."""
    return _ORDER_HINT.match(unicodedata.normalize("NFKC", _bare(line))) is not None


def _orders_below(lines: Sequence[str]) -> list[bool]:
    """For each line whether one beneath it, before any quotation, may be an order."""
    answers: list[bool] = []
    below = False
    for place in range(len(lines) - 1, -1, -1):
        answers.append(below)
        bare = _bare(lines[place])
        ends = _QUOTED.match(bare) or _SIGNATURE.match(bare) or _ends_the_mail(bare, lines[place + 1 : place + 6])
        below = not ends and (below or may_be_order(bare))
    return answers[::-1]


def _attribution(lines: Sequence[str], place: int) -> int:
    """How many lines an attribution takes that begins here; 0 if none does. Long ones are broken in two or three."""
    whole = _bare(lines[place])
    if _ATTRIBUTION.match(whole):
        return 1
    if not _ATTRIBUTION_START.match(whole):
        return 0
    for size in range(2, _LONGEST_ATTRIBUTION + 1):
        following = _bare(lines[place + size - 1]) if place + size <= len(lines) else ""
        if not following or may_be_order(following):
            return 0
        if _ATTRIBUTION.match(f"{whole} {following}") or _ATTRIBUTION.match(whole + following):
            return size
        whole = f"{whole} {following}"
    return 0


def _saying(lines: Sequence[str]) -> int:
    """How many lines somebody's words in quotation marks take; 0 if the first does not begin with such a mark."""
    begin = next((place for place, line in enumerate(lines[:3]) if line.strip()), None)
    closing = None if begin is None else _SAYINGS.get(_bare(lines[begin])[0])
    if begin is None or closing is None:
        return 0
    for place in range(begin, min(len(lines), begin + _LONGEST_SAYING)):
        bare = _bare(lines[place])[place == begin :]
        if closing in bare:
            return place + 1 if not bare.rpartition(closing)[2].strip(" .,。、") else 0
    return 0


def _may_tell_an_order(line: str) -> bool:
    """Whether a line tells an order, in whatever words: sooner yes than no."""
    return len(line.strip()) <= _MOST_OF_AN_ORDER and _ORDERS.search(unicodedata.normalize("NFKC", line)) is not None


def _is_without_marks(lines: Sequence[str], ours: set[str]) -> bool:
    """Whether a quotation without marks begins here: who answered above it has answered."""
    if _is_ours_without_marks(ours, lines):
        return True
    first = next((line for line in lines if line.strip()), "")
    return bool(first) and not _QUOTED.match(first)


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
