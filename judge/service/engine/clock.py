"""The only place that reads the time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path


def set_ahead(offset_file: Path, seconds: float) -> None:
    """Have the clocks that look at the file run ahead; who reads it just then finds what stood there, or this."""
    written = offset_file.with_name(f"{offset_file.name}.new")
    written.write_text(str(seconds), "utf-8")
    written.replace(offset_file)


class Clock:
    """The time now, UTC; `offset_file` may set it ahead, for rehearsals."""

    def __init__(self, offset_file: Path | None = None) -> None:
        self.offset_file = offset_file

    def __call__(self) -> datetime:
        """The time now."""
        return datetime.now(UTC) + self._offset()

    def _offset(self) -> timedelta:
        if self.offset_file is None:
            return timedelta()
        try:
            return timedelta(seconds=float(self.offset_file.read_text("utf-8").strip() or 0))
        except (OSError, ValueError):
            return timedelta()
