"""The one way to the files we ship."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from judge.errors import InstallationError

_PACKAGE = Path(__file__).resolve().parent


@cache
def shipped(name: str) -> Path:
    """The folder or file of that name: `grammar`, `templates`, `config.example.toml`; raises InstallationError.

    In a checkout the folders stand beside the package and win: an editable install may hold
    copies of them that went stale. In a wheel they lie inside the package.
    """
    checkout = _PACKAGE.parent
    places = [_PACKAGE / name, _PACKAGE / "_shipped" / name]
    if (checkout / "pyproject.toml").is_file():
        places.insert(0, checkout / name)
    for place in places:
        if place.exists():
            return place
    raise InstallationError(f"{name!r} is missing; the judge is not installed completely")
