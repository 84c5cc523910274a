"""Read saved mails: single files, mbox files, Maildirs, and folders of these."""

from __future__ import annotations

import mailbox
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from email.policy import compat32
from pathlib import Path

_MBOX = b"From "


def saved_mails(path: Path) -> Iterator[Message]:
    """Yield every mail in a file or below a folder, sorted by file name; raises OSError if one cannot be read."""
    if path.is_dir():
        for below in sorted(path.iterdir()):
            yield from saved_mails(below)
        return
    content = path.read_bytes()
    if content.startswith(_MBOX):
        box = mailbox.mbox(path, create=False)
        try:
            yield from box
        finally:
            box.close()
    else:
        yield message_from_bytes(content, policy=compat32)
