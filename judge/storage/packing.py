"""Compress stored mails and letters with a preset dictionary of common phrases.

The dictionary, `phrases-1.txt`, holds what letters and headers of mails have in common. It never changes, because
stored rows depend on it. Other phrases need a file with another number and another mark.
"""

from __future__ import annotations

import zlib
from functools import cache, lru_cache
from importlib.resources import files

_MARK = b"\0z1"
"""First bytes of packed content; no unpacked mail begins with them."""
_LEVEL = 6
_LARGE = 1_500_000
"""Bytes; larger content is only Huffman-coded.

It holds pictures in base64, in which there are no repetitions to find.
"""
_LEANING_LEVEL = 3
"""Compression level with a base: the result is small anyway."""
_BARE = -15
"""Window bits of zlib without header and checksum: the database has its own."""
_REACH = 2**15
"""Bytes: zlib's window, the useful length of a dictionary."""


def pack(content: bytes, base: bytes = b"") -> bytes:
    """Compress content; empty content stays empty. Unpacking needs the same base."""
    if not content:
        return content
    begun = _begun(base).copy() if len(content) <= _LARGE else _plain()
    return _MARK + begun.compress(content) + begun.flush()


def unpack(stored: bytes, base: bytes = b"") -> bytes:
    """Return what was packed; content stored before packing existed is returned unchanged."""
    if not stored.startswith(_MARK):
        return stored
    return zlib.decompressobj(_BARE, _at_hand(base)).decompress(stored[len(_MARK) :])


def _at_hand(base: bytes) -> bytes:
    return (_phrases() + base)[-_REACH:]


@cache
def _phrases() -> bytes:
    return (files("judge.storage") / "phrases-1.txt").read_bytes()


def _plain() -> zlib._Compress:
    return zlib.compressobj(1, zlib.DEFLATED, _BARE, strategy=zlib.Z_HUFFMAN_ONLY)


@lru_cache(maxsize=4)
def _begun(base: bytes) -> zlib._Compress:
    """Return a compressor with the dictionary loaded; copying it is cheaper than loading again."""
    return zlib.compressobj(_LEANING_LEVEL if base else _LEVEL, zlib.DEFLATED, _BARE, zdict=_at_hand(base))
