"""`judge` and `python -m judge`: the operator's commands, the demonstration and the trial."""

from judge.cli import app, main
from judge.demo.door import demo
from judge.trial.door import try_it

__all__ = ["app", "main"]

app.command(rich_help_panel="Without a judge")(demo)
app.command(name="try", rich_help_panel="Without a judge")(try_it)

if __name__ == "__main__":  # a process that works one mail alone also imports this module
    main()
