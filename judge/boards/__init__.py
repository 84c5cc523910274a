"""Boards as folders of files: the format, the checks, and the operator's own boards.

The format is described in `docs/boards.md`. Working a mail uses nothing from here.
"""
