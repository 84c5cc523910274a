"""The only place that reads the time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path


def set_ahead(offset_file: Path, seconds: float) -> None:
    """Set clocks that read the file ahead; written in one step, so readers get the old value or the new one."""
    written = offset_file.with_name(f"{offset_file.name}.new")
    written.write_text(str(seconds), "utf-8")
    written.replace(offset_file)


class Clock:
    """The current time in UTC; rehearsals set it ahead by `offset_file`."""

    def __init__(self, offset_file: Path | None = None) -> None:
        self.offset_file = offset_file

    def __call__(self) -> datetime:
        """Return the current time."""
        return datetime.now(UTC) + self._offset()

    def _offset(self) -> timedelta:
        if self.offset_file is None:
            return timedelta()
        try:
            return timedelta(seconds=float(self.offset_file.read_text("utf-8").strip() or 0))
        except (OSError, ValueError):
            return timedelta()
