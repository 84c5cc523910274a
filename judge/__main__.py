"""`judge` and `python -m judge`: the operator's commands, the demonstration and the trial."""

from judge.cli import app, main

__all__ = ["app", "main"]

if __name__ == "__main__":  # a process that works one mail alone also imports this module
    main()
