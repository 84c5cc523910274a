"""The only access to the files we ship."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from judge.errors import InstallationError

_PACKAGE = Path(__file__).resolve().parent


@cache
def shipped(name: str) -> Path:
    """Return the shipped folder or file of that name, such as `grammar` or `templates`; raises InstallationError.

    In a checkout, the folders beside the package are used first, because an editable install may contain outdated
    copies of them. In a wheel they are inside the package.
    """
    checkout = _PACKAGE.parent
    places = [_PACKAGE / name, _PACKAGE / "_shipped" / name]
    if (checkout / "pyproject.toml").is_file():
        places.insert(0, checkout / name)
    for place in places:
        if place.exists():
            return place
    raise InstallationError(f"{name!r} is missing; the judge is not installed completely")


@cache
def shipped_data(name: str) -> Mapping[str, Any]:
    """Return the contents of a shipped TOML file, such as `grammar/around.toml`, read once."""
    return tomllib.loads(shipped(name).read_text("utf-8"))
