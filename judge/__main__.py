"""`judge`, and `python -m judge`: the operator's commands, and the demonstration beside them."""

from judge.cli import app, main
from judge.demo.door import demo

app.command()(demo)

if __name__ == "__main__":  # a mail worked alone begins by importing this
    main()
