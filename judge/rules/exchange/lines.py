"""One line of JSON as text: read, adjudicate, write."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from judge.errors import JudgeError, NotationError, quoted
from judge.rules.adjudication import adjudicate
from judge.rules.exchange.options import Json
from judge.rules.exchange.reading import read_task
from judge.rules.exchange.writing import in_json, write_result_line
from judge.rules.map import USUAL_BOARD
from judge.rules.outcomes import Reason


def adjudicate_line(
    text: str | bytes, reasons_on: Callable[[str], Callable[[Reason], str]], number: int | None = None
) -> tuple[str, bool]:
    """Adjudicate one line; the second value is False if the line could not be read.

    `reasons_on(board)` returns the function that words an outcome on that board; `number` is the number of the
    line, for the error.
    """
    id_ = None
    try:
        line = _read_at_once(text) or _parsed(text if isinstance(text, str) else _decoded(text))
        id_ = _printable(line.get("id"))
        task = read_task(line)
    except JudgeError as error:
        where = "" if number is None else f"line {number}: "
        return in_json({"id": id_, "error": f"{where}{error}"}), False
    resolution = adjudicate(task.map, task.position, task.orders, task.options, task.circumstances)
    return write_result_line(resolution, reasons_on(line.get("board") or USUAL_BOARD), id_), True


def _read_at_once(text: str | bytes) -> Json | None:
    """Return the object of a line, five times as fast as `_parsed`; None when unsure.

    A line that gives None needs the closer look of `_parsed`. A repeated key is found by counting: there is a
    colon for each key, but the decoder keeps only one of them.
    """
    colons = text.count(":") if isinstance(text, str) else text.count(b":")
    try:
        line = _DECODER.decode(text)
        plain = type(line) is dict and _reads_alike(line.get("id")) and colons == _keys(line)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return None
    return line if plain else None


def _keys(line: Json) -> int:
    """Count the keys in all objects of a line, except objects inside lists.

    Objects inside lists have no place in a line.
    """
    count = len(line)
    for value in line.values():
        if type(value) is dict:
            count += _keys(value)
    return count


def _decoded(raw: bytes) -> str:
    """Decode a line; raises NotationError if it is not UTF-8.

    Guessed characters could not be written back unchanged.
    """
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotationError(f"no UTF-8: the byte {raw[error.start]:#04x} at column {error.start + 1}") from error


def _printable(id_: object) -> object:
    """Return the `id` if it can be written as it was read.

    Raises NotationError if it is nested too deeply to be written.
    """
    if _reads_alike(id_):
        return id_
    try:
        json.dumps(id_)
    except RecursionError as error:
        raise NotationError("the 'id' is nested too deeply") from error
    return id_


def _parsed(text: str) -> Json:
    """Return the object of a line; raises NotationError."""
    try:
        line = json.loads(
            text, parse_constant=_number, parse_float=_number, parse_int=_integer, object_pairs_hook=_keys_once
        )
    except RecursionError as error:
        raise NotationError("the line is nested too deeply") from error
    except json.JSONDecodeError as error:
        rest = quoted(text[error.pos : error.pos + _LONGEST_REST].rstrip())
        raise NotationError(f"not a line of JSON: {error.msg} at column {error.pos + 1}, {rest}") from error
    except ValueError as error:
        raise NotationError(f"not a line of JSON: {error}") from error
    if not isinstance(line, dict):
        raise NotationError(f"a line must be a JSON object, not {quoted(line)}")
    return line


def _keys_once(pairs: Sequence[tuple[str, object]]) -> Json:
    """Build a JSON object; raises NotationError for a repeated key.

    Only one of the two values could count.
    """
    line = dict(pairs)
    if len(line) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise NotationError(f"the key {quoted(twice)} stands twice")
    return line


def _number(text: str) -> float:
    """Return a number JSON can hold; raises ValueError for 1e999 and NaN."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:_LONGEST_REST]} is no number")
    return number


def _integer(text: str) -> int:
    """Return an integer; raises ValueError if it has too many digits."""
    if len(text) > _MOST_DIGITS:
        raise ValueError(f"{text[:10]}… has {len(text)} digits")
    return int(text)


_LONGEST_REST = 60
_MOST_DIGITS = 1000


def _reads_alike(id_: object) -> bool:
    """Whether both readers read an `id` the same way.

    They differ in fractions and in integers that do not fit in 64 bits.
    """
    return id_ is None or isinstance(id_, str) or (isinstance(id_, int) and abs(id_) < _SMALL)


_DECODER: Final = msgspec.json.Decoder()
_SMALL: Final = 2**63
