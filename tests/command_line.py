"""Run `judge` with arguments inside the test process."""

from __future__ import annotations

import sys
from contextlib import chdir, nullcontext, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

from judge.cli import main


def judge(*arguments: str, given: str | bytes = b"", cwd: Path | None = None) -> CompletedProcess[str]:
    """Run `judge` and return its exit code, output and complaints."""
    said, complained = (TextIOWrapper(BytesIO(), "utf-8", newline="\n", write_through=True) for _ in range(2))
    asked = given if isinstance(given, bytes) else given.encode()
    code = 0
    with (
        patch.object(sys, "argv", ["judge", *arguments]),
        patch.object(sys, "stdin", TextIOWrapper(BytesIO(asked), "utf-8")),
        redirect_stdout(said),
        redirect_stderr(complained),
        nullcontext() if cwd is None else chdir(cwd),
    ):
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
    return CompletedProcess(arguments, code, _content(said), _content(complained))


def _content(written: TextIOWrapper) -> str:
    written.flush()
    assert isinstance(written.buffer, BytesIO)
    return written.buffer.getvalue().decode()
