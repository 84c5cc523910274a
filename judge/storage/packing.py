"""Mails and letters as they lie in the database: compressed, with the phrases most of them have at hand.

`phrases-1.txt` is what letters and heads of mails have in common. It belongs to what is stored and never changes: other
phrases would be a file of another number, with a mark of its own.
"""

from __future__ import annotations

import zlib
from functools import cache, lru_cache
from importlib.resources import files

_MARK = b"\0z1"
"""No mail begins with it that was stored as it came."""
_LEVEL = 6
_LARGE = 1_500_000
"""Bytes: what is larger holds pictures, which do not get smaller; only their base64 does, by its letters alone."""
_LEANING_LEVEL = 3
"""What leans on a base is small anyway."""
_BARE = -15
"""No head and no checksum: the database has its own."""
_REACH = 2**15
"""So far back it can point."""


def pack(content: bytes, base: bytes = b"") -> bytes:
    """As it is stored; what is empty stays empty. The base has to be at hand again to unpack it."""
    if not content:
        return content
    begun = _begun(base).copy() if len(content) <= _LARGE else _plain()
    return _MARK + begun.compress(content) + begun.flush()


def unpack(stored: bytes, base: bytes = b"") -> bytes:
    """What was packed; what was stored before anything was packed comes back as it is."""
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
    """A compressor that knows the phrases; copying it is far cheaper than telling another."""
    return zlib.compressobj(_LEANING_LEVEL if base else _LEVEL, zlib.DEFLATED, _BARE, zdict=_at_hand(base))
