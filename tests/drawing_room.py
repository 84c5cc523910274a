"""What draws boards, by `make drawing`; its tests are skipped without it."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest


def need() -> None:
    """Skip the test, or the whole module; DRAWING=required makes it fail instead."""
    missing = [name for name in ("fontTools", "networkx", "numpy", "shapely") if find_spec(name) is None]
    if missing:
        reason = f"{', '.join(missing)} not installed: `make drawing`"
        if os.environ.get("DRAWING") == "required":
            pytest.fail(reason)
        pytest.skip(reason, allow_module_level=True)
