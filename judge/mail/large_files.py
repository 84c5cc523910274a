"""Cut large files out of a mail's bytes before it is stored or parsed.

Text and pictures have their own limits. A file is large if its body is base64 and longer than most mails. It is found
by a linear scan for lines that begin with two hyphens, which base64 lines never do. A body that is not entirely base64
counts as text, and stays.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesHeaderParser

from judge.mail.headers import WARY, decoded

MAX_WHOLE = 25_000_000
"""Bytes of a mail with all its files."""
MAX_SIZE = 1_000_000
"""Bytes of a mail without its large files."""
MAX_PICTURES = 5_000_000
"""Bytes of all large pictures of a mail together, once decoded."""
_LARGE = 50_000
"""Bytes of a body as encoded in the mail."""
_LONGEST_HEAD = 65_536
"""Header bytes of a part, or of a mail that consists of one file."""
_MOST_LINES = 5_000
"""Lines beginning with two hyphens that are examined."""
_BASE64 = bytes(range(48, 58)) + bytes(range(65, 91)) + bytes(range(97, 123)) + b"+/=\r\n"
_END_OF_HEAD = re.compile(rb"\n\r?\n")
_READ = ("text", "message", "multipart")
_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp")

# A sender who forges these headers can only lose or swap files of their own mail.
_LEFT_OUT = "X-Judge-Left-Out"
_LIFTED = "X-Judge-Lifted"
_TOO_BIG = b"X-Judge-Too-Big: "


@dataclass(frozen=True, slots=True)
class _LargeFile:
    """A part of a mail with a large body that is not text."""

    is_picture: bool
    head_end: int
    """The position after the last header."""
    begin: int
    end: int
    """The positions of the body."""
    size: int
    """Bytes after decoding."""


@dataclass(frozen=True, slots=True)
class Lightened:
    """A mail without the bodies of its large files, and these bodies."""

    content: bytes
    bodies: tuple[memoryview, ...] = ()
    is_too_big: bool = False
    """Whether its text or the whole mail exceeds a limit; perhaps stored in part."""

    def body_of(self, part: Message) -> bytes:
        """Return the decoded body of a part; b"" if left out or not decodable."""
        number = str(part.get(_LIFTED) or "")
        if not number.isdecimal() or len(number) > _LONGEST_NUMBER or int(number) >= len(self.bodies):
            content = part.get_payload(decode=True)
            return content if isinstance(content, bytes) else b""
        try:
            return binascii.a2b_base64(self.bodies[int(number)])
        except binascii.Error:
            return b""


_LONGEST_NUMBER = 4


def is_picture(part: Message) -> bool:
    """Whether a part is declared to be a picture."""
    kind = part.get_content_type()
    is_nameless = kind == "application/octet-stream"
    return kind.startswith("image/") or (is_nameless and decoded(part.get_filename()).lower().endswith(_ENDINGS))


def is_left_out(part: Message) -> bool:
    """Whether the body of a part was too large to be kept."""
    return _LEFT_OUT in part


def lightened(content: bytes) -> Lightened:
    """Lift the large files out of a mail: the parser is slow on every line."""
    bodies: list[memoryview] = []

    def lift(file: _LargeFile) -> str:
        bodies.append(memoryview(content)[file.begin : file.end])
        return f"{_LIFTED}: {len(bodies) - 1}"

    rest = _without(content, lift)
    is_too_big = max(len(rest) / MAX_SIZE, len(content) / MAX_WHOLE) > 1 or rest.startswith(_TOO_BIG)
    return Lightened(rest, tuple(bodies), is_too_big)


def to_be_kept(content: bytes) -> bytes:
    """Return what to store of a mail: all of it, unless a limit is exceeded.

    Of large files only pictures are kept, within their limit; the others are never read. If the text is too large, only
    the beginning of the mail is kept, which tells whom to answer.
    """
    if len(content) <= MAX_SIZE:
        return content
    sizes: list[int] = []

    def leave_out(file: _LargeFile) -> str:
        if file.is_picture and sum(sizes) + file.size <= MAX_PICTURES:
            sizes.append(file.size)
            return ""
        return f"{_LEFT_OUT}: {file.size}"

    kept = _without(content, leave_out)
    if len(content) > MAX_WHOLE or lightened(kept).is_too_big:  # marked, as a beginning would look like a whole mail
        return b"%s%d\r\n%s" % (_TOO_BIG, len(content), content[:MAX_SIZE])
    return kept


def _without(content: bytes, marked: Callable[[_LargeFile], str]) -> bytes:
    """Return a mail without the large bodies for which `marked` returns a header."""
    whole, pieces, done = memoryview(content), list[bytes | memoryview](), 0
    for file in _large_files(content):
        mark = marked(file)
        if mark:
            pieces += [whole[done : file.head_end], mark.encode() + b"\r\n", whole[file.head_end : file.begin]]
            done = file.end
    return b"".join([*pieces, whole[done:]]) if pieces else content


def _large_files(content: bytes) -> Iterator[_LargeFile]:
    """Yield the large files in order; none for a small mail."""
    if len(content) <= _LARGE:
        return
    start = line = 0  # of a part's headers, and of the line above them
    for _ in range(_MOST_LINES):
        following = content.find(b"\n--", line)
        end = len(content) if following < 0 else following
        if end - start > _LARGE:
            file = _file_between(content, start, end)
            if file is not None:
                yield file
        start = content.find(b"\n", following + 1) + 1
        if following < 0 or not start:
            return
        line = start - 1


def _file_between(content: bytes, start: int, end: int) -> _LargeFile | None:
    """Return the large file whose headers begin at `start`, or None.

    A file whose content is read is not one.
    """
    blank = _END_OF_HEAD.search(content, max(start - 1, 0), min(end, start + _LONGEST_HEAD))
    if blank is None or end - blank.end() <= _LARGE:
        return None
    head = BytesHeaderParser(policy=WARY).parsebytes(content[start : blank.end()])
    encoding = str(head.get("Content-Transfer-Encoding") or "").strip().lower()
    kind = head.get_content_type()
    if encoding != "base64" or kind.partition("/")[0] in _READ or kind == "application/json":
        return None
    body = content[blank.end() : end]
    if body.translate(None, _BASE64):
        return None
    size = (len(body) - body.count(b"\n") - body.count(b"\r")) * 3 // 4
    return _LargeFile(is_picture(head), blank.start() + 1, blank.end(), end - body.endswith(b"\r"), size)
