"""`judge`, and `python -m judge`: the operator's commands, and the demonstration beside them."""

from judge.cli import app, main
from judge.demo.door import demo

__all__ = ["app", "main"]

app.command(rich_help_panel="Without a judge")(demo)

if __name__ == "__main__":  # a mail worked alone begins by importing this
    main()
