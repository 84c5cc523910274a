"""Measure the wheel of `make compiled` as `adjudication.py` does, with its own promises.

The wheel is built for the occasion, into a folder of its own. Without a C compiler nothing is measured.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from promised import ROOT, call


def main() -> int:
    """Build and measure; return the exit code of `adjudication.py`."""
    compiler = str(sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        print(f"NOT MEASURED: there is no C compiler {compiler}, so the compiled adjudicator was not built")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        build = (sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
        enabled = os.environ | {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true"}
        subprocess.run(build, cwd=ROOT, env=enabled, stdout=subprocess.DEVNULL, check=True)
        shutil.unpack_archive(next(Path(folder).glob("*.whl")), folder, "zip")
        command, environment = call("adjudication", Path(folder), *sys.argv[1:])
        return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
