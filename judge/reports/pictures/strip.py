"""The strip below the board: the phase, the powers' colors, the meaning of lines."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from judge.reports.pictures import lines, signs
from judge.reports.pictures.drawing import Point
from judge.reports.pictures.font import wide
from judge.reports.pictures.scene import Group, Item, Path, Shape, Words, circle, line_path, ring_path
from judge.reports.pictures.views import PictureKind, PictureView
from judge.reports.pictures.wording import Key, key_word, titled
from judge.reports.wording import Wording
from judge.rules.map import load_map
from judge.rules.position import Power

_ROWS = (42, 106, 162)
"""The middle of each row, measured from the top of the strip: title, powers, key."""
_MOST_IN_A_ROW, _ROW = 8, 50
"""The most powers in a row; the height of each row but the first."""
_MARGIN = 24
_TITLE, _LEAST_TITLE = 44.0, 32.0
_SIGN = (48.0, 34.0)


def strip(view: PictureView, width: float, wording: Wording) -> tuple[Item, ...]:
    """Return the title with the two kinds of units, the powers and the key.

    The key to the lines is the last row.
    """
    bottom = strip_height(view)
    kinds, left = _kinds_of_units(wording, width)
    title = titled(view, wording)
    size = min(_TITLE, max(_LEAST_TITLE, (left - 2 * _MARGIN) / wide(title)))
    return (
        Shape(ring_path((((0, 0), (width, 0), (width, bottom), (0, bottom)),)), fill="paper"),
        Words((_MARGIN, _ROWS[0]), shortened(title, (left - 2 * _MARGIN) / size), size, "text", centered=False),
        *kinds,
        *(
            item
            for nth, row in enumerate(_rows(view.board))
            for item in _powers(row, view, wording, (width, _ROWS[1] + nth * _ROW))
        ),
        *(_key(view, wording, bottom - 38) if _has_key(view) else ()),
    )


def strip_height(view: PictureView) -> int:
    """Return the height of the strip."""
    further = (len(_rows(view.board)) - 1) * _ROW
    return further + (_ROWS[2] + 38 if _has_key(view) else _ROWS[1] + 40)


def _rows(board: str) -> list[tuple[Power, ...]]:
    """Return the powers in rows of about the same number."""
    powers = load_map(board).powers
    each = math.ceil(len(powers) / math.ceil(len(powers) / _MOST_IN_A_ROW))
    return [powers[start : start + each] for start in range(0, len(powers), each)]


def _has_key(view: PictureView) -> bool:
    return view.kind is not PictureKind.POSITION


def shortened(text: str, room: float) -> str:
    """Shorten a text to the room there is."""
    if wide(text) <= room:
        return text
    while wide(text) > room - 1:
        text = text[:-1]
    return text + "…"


def _powers(powers: Sequence[Power], view: PictureView, wording: Wording, place: Point) -> list[Item]:
    words = {power: _counted(view, wording, power) for power in powers}
    taken = [56 + wide(text) * 29 for text in words.values()]
    letters = load_map(view.board).letters
    gap = min(60.0, (place[0] - 2 * _MARGIN - sum(taken)) / max(1, len(powers) - 1))
    starts = [_MARGIN + sum(taken[:nth]) + gap * nth for nth in range(len(powers))]
    return [
        Group(
            (
                Shape(circle((x + 20, place[1]), _SIGN[1] / 2 + 2), fill=power, stroke="edge", width=2),
                signs.lettered((x + 20, place[1]), letters[power], 38, power),
                Words((x + 46, place[1]), words[power], 29, "text", centered=False),
            ),
            kinds=("power", f"of-{power}"),
        )
        for power, x in zip(powers, starts, strict=True)
    ]


def _counted(view: PictureView, wording: Wording, power: Power) -> str:
    return f"{wording.power(power)} {view.counts.get(power, 0)}"


def _kinds_of_units(wording: Wording, width: float) -> tuple[list[Item], float]:
    """Return the signs of army and fleet with their meanings, and their left edge."""
    keys = (Key.ARMY, Key.FLEET)
    left = width - _MARGIN - sum(_taken(key, wording) for key in keys)
    return _keys(keys, wording, (left, _ROWS[0])), left


def _key(view: PictureView, wording: Wording, y: float) -> list[Item]:
    """Return the key, with only the signs that this picture contains."""
    return _keys(_used(view), wording, (_MARGIN, y))


def _keys(keys: Iterable[Key], wording: Wording, place: Point) -> list[Item]:
    """Return signs and their meanings in a row that begins here."""
    items: list[Item] = []
    x, y = place
    for key in keys:
        items += SAMPLES[key]((x, y))
        items.append(Words((x + 76, y), key_word(key, wording), 27, "text", centered=False))
        x += _taken(key, wording)
    return items


def _taken(key: Key, wording: Wording) -> float:
    return 76 + wide(key_word(key, wording)) * 27 + 30


def _used(view: PictureView) -> list[Key]:
    kinds = {type(verdict.order).__name__ for verdict in view.verdicts if verdict.given}
    wanted = {
        Key.MOVE: "Move" in kinds,
        Key.SUPPORT: "Support" in kinds,
        Key.CONVOY: "Convoy" in kinds,
        Key.RETREAT: "Retreat" in kinds,
        Key.FAILED: any(not verdict.succeeded for verdict in view.verdicts if verdict.given),
        Key.DISLODGED: bool(view.fates.lost),
        Key.DESTROYED: bool(view.fates.gone),
        Key.BUILT: bool(view.fates.built),
        Key.STANDOFF: bool(view.standoffs),
        Key.TAKEN: bool(view.taken),
    }
    return [key for key, is_used in wanted.items() if is_used]


def _line(at: Point, dash: tuple[float, ...], *, head: bool) -> list[Item]:
    way = lines.bent((at[0], at[1]), (at[0] + 60, at[1]), 0)
    items: list[Item] = [Shape(line_path(way), stroke="edge", width=7, dash=dash)]
    if head:
        x, y = at[0] + 64, at[1]
        items = [
            Shape(line_path(lines.cut(way, 0, 16)), stroke="edge", width=7, dash=dash, butt=True),
            Shape(ring_path((((x, y), (x - 24, y - 12), (x - 24, y + 12)),)), fill="edge"),
        ]
    return items


def _with(sign: Callable[[Point], tuple[Item, ...]]) -> Callable[[Point], list[Item]]:
    return lambda at: list(sign((at[0] + 42, at[1])))


def _unit(outline: Callable[[Point, tuple[float, float]], Path]) -> Callable[[Point], list[Item]]:
    return _with(lambda at: (Shape(outline(at, _SIGN), fill="center", stroke="edge", width=3),))


SAMPLE_SIZE = (84.0, 48.0)
"""Room for a sample at half its height."""
SAMPLES: dict[Key, Callable[[Point], list[Item]]] = {
    Key.ARMY: _unit(signs.army),
    Key.FLEET: _unit(signs.fleet),
    Key.MOVE: lambda at: _line(at, (), head=True),
    Key.SUPPORT: lambda at: _line(at, (0.1, 13), head=False),
    Key.CONVOY: lambda at: _line(at, (15, 10), head=False),
    Key.RETREAT: lambda at: _line(at, (17, 7, 4, 7), head=True),
    Key.FAILED: _with(lambda at: signs.failure(at, 17)),
    Key.DISLODGED: _with(lambda at: (signs.dislodged_ring(at, (24, 22)),)),
    Key.DESTROYED: _with(lambda at: signs.struck_out(at, (26, 26))),
    Key.BUILT: _with(lambda at: signs.new_ring(at, (22, 22))),
    Key.STANDOFF: _with(lambda at: (signs.standoff(at, 20),)),
    Key.TAKEN: _with(lambda at: signs.flag(at, 10, None)),
}
