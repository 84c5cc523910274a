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

MODULES = (
    "adjudication adjustments convoys decisions ending movement notation paradoxes soundness "
    "exchange/lines exchange/reading exchange/writing"
)
"""Modules of `judge.rules`: those with the work.

Classes of values stay as they are, because mypyc cannot compile them. So does `legality`: a compiled class can have no
subclass that is not compiled, and `sight` has one.
"""


class Compiled(BuildHookInterface):
    """Compiles a copy of the package, and adds the libraries to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile; the name of the wheel will say for which Python and machine it is."""
        del version
        self.folder = Path(mkdtemp())
        shutil.copytree(Path(self.root, "judge"), self.folder / "judge", ignore=shutil.ignore_patterns("*.pyc"))
        files = [f"judge/rules/{name}.py" for name in MODULES.split()]
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
