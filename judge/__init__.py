"""A Diplomacy judge that lives in the mailbox.

See `judge.rules` for the board game alone, `docs/architecture.md` for an overview of all packages.
"""

__version__ = "0.2.0"
