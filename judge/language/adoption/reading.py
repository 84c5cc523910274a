"""Read a report of any judge, or a position in words, into a sheet.

Reports list where the units stand, or only the orders and their results. Then the position is what these lead to. If a
text is about several turns, the latest counts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from judge.budget import Budget
from judge.commands import SettingValue
from judge.language.adoption.lines import written_lines
from judge.language.adoption.outcome import Deed, DeedKind, after
from judge.language.adoption.sheet import AS_SHOWN, LEFT_UNREAD, MENDED, MOST_UNREAD, Lost, Part, Sheet, Unread
from judge.language.adoption.words import Named, matching, places_in, units_in
from judge.language.times import read_setting
from judge.language.times.phases import phases_in
from judge.language.words import SHIPPED, Word, load_lexicon, normal_form
from judge.rules.map import USUAL_BOARD, Map, load_map
from judge.rules.position import Location, Phase, PhaseKind, Power, Province, Season, Unit, province_of
from judge.settings import board_named, setting_named

_UNITS_OF_A_LINE, _LETTERS_A_UNIT = 6, 3
_LONGEST_UNREAD = 80
_LONGEST_HEADING, _LONGEST_POWER = 70, 40
_UNDATED = (0, 0)
_ADDRESS = re.compile(r"<?(?:mailto:)?([^\s<>(),;:@\[\]\"]{1,64}@[^\s<>(),;:@\[\]\"]{1,255}\.[A-Za-z]{2,})>?")
_SETTING = re.compile(r"\s*([^\W\d][^:=：＝]{0,40}?)\s*[:=：＝]\s*(\S.*)")
_WIDE = re.compile(r"\s{2,}")
_ROW = re.compile(r"[^:：]{1,40}[:：]")
_IN_LISTS = frozenset(("PLACE", "COMMA", "COAST", "OPEN", "CLOSE", "SEP"))
_BEGINS = frozenset(("LETTER", "KIND", "PLACE", "BUILD", "DISBAND"))
_VERBS = frozenset(("HOLD", "MOVE", "SUPPORT", "CONVOY", "RETREAT", "DISBAND", "BUILD", "ARROW"))
_SIGNS = frozenset(("OPEN", "NOISE"))


_LABELS = {Part.UNITS: "units", Part.CENTERS: "centers", Part.LOST: "lost"}


def read_sheet(text: str, budget: Budget) -> Sheet:
    """Read a text.

    Lines below each `MENDED` replace those above, power by power and part by part.
    """
    above, *below = f"\n{text}".split(f"\n{MENDED}\n")
    above = above.removeprefix("\n")
    agreed = above.splitlines()[:1] == [AS_SHOWN]
    above, _, unread = above.partition(f"\n{LEFT_UNREAD}\n")
    sheet = _read(above.removeprefix(AS_SHOWN), USUAL_BOARD, budget)
    left = map(Unread.of, unread.splitlines()[:MOST_UNREAD])
    sheet = replace(sheet, unread=(*sheet.unread, *left))
    for one in below:
        sheet = sheet.mended_by(_read(one, sheet.board, budget))
    return replace(sheet, agreed=agreed)


def mended(shown: str, text: str, budget: Budget) -> str | None:
    """Return lines that were shown, and a mail that mends them, as one text.

    Return None if the mail states nothing.
    """
    sheet = _read(text, _shown(shown, budget).board, budget)
    is_silent = sheet == Sheet(board=sheet.board, unread=sheet.unread)
    return None if is_silent else _with(shown, text)


def edited(shown: str, text: str, sent: str, budget: Budget) -> str | None:
    """Return lines that were shown, with the changes in a quotation of them.

    Return None if it changes none. `text` is the whole reply and `sent` the whole letter. Mail programs break lines, so
    a piece of a line that was sent is unchanged.
    """
    sheet = replace(_shown(shown, budget), unread=())
    begins, sent = _begins_with_power(sheet.board), _letters(sent)
    found: list[str] = []
    for line in written_lines(text, begins):
        budget.charge(_UNITS_OF_A_LINE + len(line) // _LETTERS_A_UNIT)
        if budget.is_spent:
            return None
        if _ROW.match(line) and (begins(line) or matching("open").match(line)) and _letters(line) not in sent:
            found.append(line)
    changed = _read("\n".join(found), sheet.board, budget)
    is_same = not changed.unread and sheet.mended_by(changed) == sheet
    return None if is_same else _with(shown, "\n".join(found))


def _shown(shown: str, budget: Budget) -> Sheet:
    return replace(read_sheet("\n".join(shown.splitlines()[1:-1]), budget), agreed=False)


def _with(shown: str, text: str) -> str:
    head, *lines, end = shown.splitlines()
    return "\n".join([head, *(line for line in lines if line != AS_SHOWN), MENDED, text, end])


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, normal_form(text).text.casefold()))


def _read(text: str, board: str, budget: Budget) -> Sheet:
    budget.charge(len(text) // _LETTERS_A_UNIT)
    lines = list(written_lines(text.strip("\n"), _begins_with_power(board)))
    settings: dict[str, SettingValue] = {}
    for place, line in enumerate(lines):
        match = _SETTING.match(line)
        if not line.strip():
            break
        name = setting_named(match[1]) if match is not None and "@" not in line else None
        if match is not None and name is not None:
            settings[name] = read_setting(name, match[2].rstrip())
            lines[place] = " "
    named = board_named(settings["board"].text) if "board" in settings else None
    reading = _Reading(load_map(named or board), budget)
    reading.read(lines)
    return replace(reading.sheet(), settings=settings)


def _begins_with_power(board: str) -> Callable[[str], bool]:
    lexicon = load_lexicon(board, SHIPPED)

    def begins(line: str) -> bool:
        words = lexicon.every_word(normal_form(line[:_LONGEST_POWER]).text)
        return bool(words) and words[0].kind == "POWER"

    return begins


@dataclass
class _Turn:
    """What a text says about one turn."""

    units: dict[Power, dict[Unit, None]] = field(default_factory=dict)
    centers: dict[Power, dict[Province, None]] = field(default_factory=dict)
    lost: dict[Power, dict[Province, Lost]] = field(default_factory=dict)
    deeds: list[Deed] = field(default_factory=list)
    is_listed: bool = False
    """Whether a heading says that what follows is where the units stand."""
    attackers: dict[Province, Province] = field(default_factory=dict)


@cache
def _labels() -> Sequence[tuple[re.Pattern[str], Part]]:
    """Return the labels before parts of a line: `centers:`."""
    return [
        (re.compile(rf"(?:^|(?<=[\s;。.,、:(]))(?:{matching(table).pattern})\s*[:：]", re.IGNORECASE), part)
        for part, table in _LABELS.items()
    ]


class _Reading:
    """One text, read line by line."""

    def __init__(self, map_: Map, budget: Budget) -> None:
        self.map, self.budget = map_, budget
        self.lexicon = load_lexicon(map_.name, SHIPPED)
        self.turns: dict[tuple[int, int], _Turn] = defaultdict(_Turn)
        self.turn = self.turns[_UNDATED]
        self.part: Part | None = None
        self.power: Power | None = None
        self.is_retreating = False
        """Whether the orders below a heading are retreats."""
        self.open: list[Phase] = []
        self.headed: list[Phase] = []
        self.players: dict[Power, str] = {}
        self.unread: list[Unread] = []

    def read(self, lines: Sequence[str]) -> None:
        """Read all lines, as long as the budget lasts."""
        for line in lines:
            if self.budget.is_spent:
                self._leave(line)
                break
            self.budget.charge(_UNITS_OF_A_LINE + len(line) // _LETTERS_A_UNIT)
            if line.strip():
                self._line(line)
            elif self.part is Part.CENTERS:
                self.power = None

    def _leave(self, line: str, power: Power | None = None, part: Part | None = None) -> None:
        if len(self.unread) < MOST_UNREAD and line.strip():
            about = part if part in (Part.CENTERS, Part.LOST) else Part.UNITS
            self.unread.append(Unread(" ".join(line.split())[:_LONGEST_UNREAD], power, about))

    def _line(self, line: str) -> None:
        address = _ADDRESS.search(line)
        bare = _ADDRESS.sub(" ", line)
        words = self._words(bare)
        first = next((place for place, word in enumerate(words) if word.kind not in _SIGNS), len(words))
        power = (
            self.lexicon.names.powers[words[first].text]
            if first < len(words) and words[first].kind == "POWER"
            else None
        )
        if power is not None and address is not None:
            self.players.setdefault(power, address[1].lower())
        if power is None and matching("nobody").match(normal_form(bare).text):
            self.power = None
            return
        if self._is_phase(bare, words) or (power is None and self._is_heading(bare, words)):
            return
        if power is None:
            self._without_power(bare, words)
            return
        self.power = power
        text = normal_form(bare).text[words[first].end :]
        cells = _WIDE.split(bare.strip())[1:]
        if len(cells) > 1 and not self._in_cells(power, cells):
            cells = []
        if len(cells) <= 1:
            self._parts(power, text, line, is_more=address is not None)

    def _words(self, text: str) -> list[Word]:
        return self.lexicon.every_word(normal_form(text).text)

    def _units(self, words: Sequence[Word]) -> list[Named]:
        return units_in(words, self.lexicon, self.map)

    def _is_phase(self, line: str, words: Sequence[Word]) -> bool:
        """Whether a line names a phase and no units; note the phase."""
        found = phases_in(normal_form(line).text)
        if not found or self._units(words):
            return False
        phase = _kind_told(found[0].phase, line)
        if matching("open").search(line):
            self.open.append(phase)
        else:
            self.headed.append(phase)
        when = (phase.year, 1 + (phase.season is not Season.SPRING))
        if when not in self.turns and not any(map(sum, self.turns)):  # what stands above the first phase belongs to it
            self.turns[when] = self.turns.pop(_UNDATED)
        self.turn = self.turns[when]
        self.is_retreating = phase.kind is PhaseKind.RETREAT
        self.part, self.power = None, None
        return True

    def _is_heading(self, line: str, words: Sequence[Word]) -> bool:
        """Whether a line is the heading of a list; note what it lists."""
        if len(line.strip()) > _LONGEST_HEADING or any(word.kind == "PLACE" for word in words):
            return False
        for part, table in (*_LABELS.items(), (Part.ORDERS, "orders")):
            if matching(table, whole=True).fullmatch(line.strip()):
                self.part, self.power = part, self.power if part is Part.ORDERS else None
                if part is Part.UNITS:
                    self.turn.is_listed = True
                    self.turn.units.clear()
                    self.unread.clear()
                return True
        return False

    def _without_power(self, line: str, words: Sequence[Word]) -> None:
        """Read a line that names no power at its beginning: its power stands above."""
        named = self._units(words)
        if matching("lost").match(line.strip()) and len(named) > 1:
            pairs = zip(named[::2], named[1::2], strict=False)
            self.turn.attackers |= {one.unit.province: by.unit.province for one, by in pairs}
        elif self.power is None:
            if named and words[0].kind in ("LETTER", "KIND"):
                self._leave(line)
        elif any(label.match(line.strip()) for label, _ in _labels()):
            self._parts(self.power, normal_form(line).text, line)
        elif self.part is Part.CENTERS:
            if all(word.kind in _IN_LISTS for word in words):
                self._segment(self.power, self.part, line, line)
        elif words and next(word for word in words if word.kind not in _SIGNS or word is words[-1]).kind in _BEGINS:
            self._parts(self.power, normal_form(line).text, line)

    def _in_cells(self, power: Power, cells: Sequence[str]) -> bool:
        """Read the cells of a row: units in one, centers in another."""
        named = [self._units(self._words(cell)) for cell in cells]
        places = [self._places(self._words(cell), self.map.supply_centers) for cell in cells]
        if not any(named) or not any(found and not units for found, units in zip(places, named, strict=True)):
            return False
        for cell, units, found in zip(cells, named, places, strict=True):
            if units or found:
                self._segment(power, Part.UNITS if units else Part.CENTERS, cell, cell)
        return True

    def _parts(self, power: Power, text: str, line: str, *, is_more: bool = False) -> None:
        """Read what follows a power, label by label."""
        labels = [(match.start(), match.end(), part) for label, part in _labels() for match in label.finditer(text)]
        labels.sort()
        begin = labels[0][0] if labels else len(text)
        if text[:begin].strip(" :;,.()") or not (labels or is_more):
            self._segment(power, self.part, text[:begin], line)
        ends = [start for start, _, _ in labels[1:]]
        for (_, start, part), end in zip(labels, [*ends, len(text)], strict=False):
            self._segment(power, part, text[start:end], line)

    def _segment(self, power: Power, part: Part | None, text: str, line: str) -> None:
        words = self._words(text)
        named = self._units(words)
        is_nothing = matching("nothing", whole=True).fullmatch(text.strip(" ;,.")) is not None
        if named and (part is Part.LOST or matching("may", "gone").search(text)):
            self._lost(power, words, named, text)
        elif part is Part.LOST and is_nothing:
            self.turn.lost.setdefault(power, {})
        elif part is Part.CENTERS:
            found = self._places(words, self.map.supply_centers)
            if found or is_nothing:
                self.turn.centers.setdefault(power, {}).update((province_of(one), None) for one in found)
            self._note_unknown(words, line, power, part)
        elif named and (part is Part.ORDERS or _is_order(words, text)):
            self._deed(power, words, named, text)
        elif named or (part in (Part.UNITS, None) and is_nothing):
            self.turn.units.setdefault(power, {}).update((one.unit, None) for one in named)
            self._note_unknown(words, line, power, part)
        elif not _counts(words) and any(word.kind in ("PLACE", "KIND", "LETTER") for word in words):
            self._leave(line, power, part)

    def _note_unknown(self, words: Sequence[Word], line: str, power: Power, part: Part | None) -> None:
        """Note a line that names a unit or center without a known place."""
        named = self._units(words)
        kinds = sum(word.kind in ("KIND", "LETTER") for word in words)
        is_odd = any(word.kind == "UNKNOWN" and word.text.isalpha() for word in words)
        if not _counts(words) and (kinds > len(named) or (is_odd and not named)):
            self._leave(line, power, part)

    def _lost(self, power: Power, words: Sequence[Word], named: Sequence[Named], text: str) -> None:
        """Note dislodged units, and where they may go if only one is named."""
        if matching("gone").search(text):
            return
        lost = self.turn.lost.setdefault(power, {})
        for one in named[1:] if len(named) > 1 else ():
            lost[one.unit.province] = Lost(one.unit)
        rest = words[named[0].end :]
        came_from = _origin(rest)
        begin = came_from if came_from is not None else 0
        origins = self._places(rest[begin : begin + 1], self.map.borders[named[0].unit.province])
        origin = province_of(origins[0]) if origins and came_from is not None else None
        others = [word for place, word in enumerate(rest) if place != came_from]
        to = self._places(others, self._near(named[0].unit)) if len(named) == 1 else []
        nowhere = matching("nothing").search(text) is not None
        lost[named[0].unit.province] = Lost(named[0].unit, origin, tuple(sorted(to)) if to or nowhere else None)

    def _places(self, words: Sequence[Word], likely: Collection[Province]) -> list[Location]:
        return places_in(words, self.lexicon, self.map, likely)

    def _near(self, unit: Unit) -> frozenset[Province]:
        """Return where a unit can go over its borders."""
        coasts = (unit.location, *self.map.provinces[unit.province].coasts)
        units = [replace(unit, location=one) for one in coasts]
        return frozenset(province_of(to) for one in units if self.map.can_stand(one) for to in self.map.neighbors(one))

    def _deed(self, power: Power, words: Sequence[Word], named: Sequence[Named], text: str) -> None:
        """Note an order and what became of it."""
        unit, rest = named[0].unit, words[named[0].end :]
        verb = next((word.kind for word in (*rest, *words) if word.kind in _VERBS), "HOLD")
        is_beaten, has_failed = bool(matching("beaten").search(text)), bool(matching("failed").search(text))
        to = [place for place in self._places(rest, self._near(unit)) if province_of(place) != unit.province]
        kind, goal = DeedKind.STAYED, None
        match verb:
            case "BUILD":
                kind = DeedKind.BUILT
            case "DISBAND":
                kind = DeedKind.REMOVED
            case "MOVE" | "ARROW" | "RETREAT" if to:
                is_retreat = verb == "RETREAT" or self.is_retreating
                kind, goal = DeedKind.RETREATED if is_retreat else DeedKind.MOVED, to[-1]
                if has_failed or is_beaten:
                    kind, goal = DeedKind.REMOVED if is_retreat else DeedKind.STAYED, None
        self.turn.deeds.append(Deed(power, kind, unit, goal, is_beaten))

    def sheet(self) -> Sheet:
        """Return what the text says about its latest turn."""
        latest = [self.turns[key] for key in sorted(self.turns, reverse=True)]
        turn = next((one for one in latest if one.units or one.deeds), _Turn())
        centers = next((one.centers for one in latest if one.centers), {})
        told = after(turn.deeds)
        is_derived = bool(turn.deeds) and not turn.is_listed
        units: Mapping[Power, Sequence[Unit]] = {power: tuple(found) for power, found in turn.units.items()}
        if is_derived:
            both = {power: (*told.units.get(power, ()), *units.get(power, ())) for power in {**told.units, **units}}
            units = {power: tuple(dict.fromkeys(found)) for power, found in both.items()}
        lost = {power: tuple(found.values()) for power, found in turn.lost.items()} or told.lost
        attackers = dict(_attackers(turn.deeds)) | turn.attackers
        lost = {
            power: tuple(replace(one, came_from=one.came_from or attackers.get(one.unit.province)) for one in found)
            for power, found in lost.items()
        }
        if not is_derived:
            beaten = {power: {one.unit for one in found} for power, found in lost.items()}
            units = {p: tuple(one for one in found if one not in beaten.get(p, ())) for p, found in units.items()}
        return Sheet(
            board=self.map.name,
            phase=self._phase(
                is_derived=is_derived and len(turn.deeds) > sum(map(len, turn.units.values())), loses=any(lost.values())
            ),
            units={power: tuple(found) for power, found in units.items()},
            centers={power: tuple(found) for power, found in centers.items()},
            lost=lost,
            players=self.players,
            unread=tuple(self.unread),
        )

    def _phase(self, *, is_derived: bool, loses: bool) -> Phase | None:
        """Return the open phase.

        It is the one that the text calls so, else the one after the latest.
        """
        if self.open:
            return max(self.open, key=lambda one: one.order_key)
        phase = max(self.headed, key=lambda one: one.order_key, default=None)
        if phase is None:
            return None
        if loses:
            return Phase(phase.season, phase.year, PhaseKind.RETREAT)
        if not is_derived:
            return phase
        if phase.season is Season.SPRING:
            return Phase(Season.FALL, phase.year, PhaseKind.MOVEMENT)
        kinds = {deed.kind for turn in self.turns.values() for deed in turn.deeds}
        if phase.season is Season.WINTER or DeedKind.BUILT in kinds:
            return Phase(Season.SPRING, phase.year + 1, PhaseKind.MOVEMENT)
        return Phase(Season.WINTER, phase.year, PhaseKind.ADJUSTMENT)


def _kind_told(phase: Phase, line: str) -> Phase:
    """Return the phase with the kind that the line names beside it."""
    if phase.kind is not PhaseKind.MOVEMENT:
        return phase
    if matching("retreats").search(line):
        return Phase(phase.season, phase.year, PhaseKind.RETREAT)
    if matching("adjustments").search(line) and phase.season is not Season.SPRING:
        return Phase(Season.WINTER, phase.year, PhaseKind.ADJUSTMENT)
    return phase


def _counts(words: Sequence[Word]) -> bool:
    """Whether a line only counts units or centers."""
    return any(word.text.isdigit() for word in words)


def _is_order(words: Sequence[Word], text: str) -> bool:
    return any(word.kind in _VERBS or word.kind == "NOT" for word in words) or bool(matching("beaten").search(text))


def _origin(words: Sequence[Word]) -> int | None:
    """Return the index of the place where an attack came from: `from BUR`, `BURから`."""
    for place, word in enumerate(words):
        if word.kind != "FROM":
            continue
        behind = place + 1 < len(words) and words[place + 1].kind == "PLACE" and not word.is_japanese
        if behind:
            return place + 1
        if place and words[place - 1].kind == "PLACE":
            return place - 1
    return None


def _attackers(deeds: Sequence[Deed]) -> Iterator[tuple[Province, Province]]:
    """Yield where units moved to, and where they came from."""
    for deed in deeds:
        if deed.kind is DeedKind.MOVED and deed.to is not None:
            yield province_of(deed.to), deed.unit.province
