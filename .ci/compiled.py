"""Build hook of Hatch for `make compiled`: a wheel whose adjudicator mypyc has compiled.

The wheel holds the sources of these modules too. A Python that cannot load the machine code runs the sources.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULES = {
    "judge/rules": (
        "adjudication adjustments circumstances convoys decisions ending legality movement notation paradoxes possible "
        "removals retreats sight soundness winter"
    ),
    "judge/rules/exchange": "lines options reading writing",
    "judge/reports": "clauses",
}
"""Folder → its modules with the work of a phase.

Units, positions, orders and outcomes stay as they are. mypyc keeps no types of their fields, which storing them needs.
`map` has cached properties, which a compiled class cannot have.
"""


class Compiled(BuildHookInterface):
    """Compiles a copy of the package, and adds the libraries to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile; the name of the wheel will say for which Python and machine it is."""
        del version
        self.folder = Path(mkdtemp())
        shutil.copytree(Path(self.root, "judge"), self.folder / "judge", ignore=shutil.ignore_patterns("*.pyc"))
        files = [f"{folder}/{name}.py" for folder, names in MODULES.items() for name in names.split()]
        command = (sys.executable, "-m", "mypyc", "--ignore-missing-imports", "--follow-imports=silent", *files)
        subprocess.run(command, cwd=self.folder, check=True)
        shutil.rmtree(self.folder / "build")
        libraries = {str(file): str(file.relative_to(self.folder)) for file in self.folder.rglob("*.so")}
        build_data.update(pure_python=False, infer_tag=True)
        build_data["force_include"].update(libraries)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the copy."""
        del version, build_data, artifact_path
        shutil.rmtree(self.folder)
