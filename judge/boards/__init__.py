"""Boards as folders of files: their format, every fault of one, and the operator's own boards.

The format is described in `docs/boards.md`. Nothing here is used while a mail is worked.
"""
