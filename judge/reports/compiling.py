"""The templates' environments; what they are compiled to is kept for the next process."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from types import FunctionType, MethodType

from jinja2 import BytecodeCache, Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.runtime import Context, Macro

from judge import __version__
from judge.resources import shipped


class CompiledTemplates(FileSystemBytecodeCache):
    """In a folder that only this user writes to; where it is full, broken or gone, that costs time and nothing else."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """What is kept of a template, if it is whole."""
        try:
            super().load_bytecode(bucket)
        except (OSError, EOFError, pickle.UnpicklingError):
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template as compiled, if there is room."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def _compiled(name: str) -> BytecodeCache | None:
    try:
        return CompiledTemplates(pattern=f"judge-{__version__}-{name}-%s.cache")
    except (OSError, RuntimeError):  # nowhere to write to, or somebody else's folder
        return None


class _Context(Context):
    """Calls macros and functions of ours at once; Jinja finds out each time that none of them asks for the context."""

    def call(self, called: Callable[..., object], /, *args: object, **named: object) -> object:
        if type(called) not in _OURS:
            return super().call(called, *args, **named)
        named.pop("_loop_vars", None)
        named.pop("_block_vars", None)
        return called(*args, **named)


_OURS = (Macro, FunctionType, MethodType)


def environment(name: str, *, html: bool) -> Environment:
    """An environment for text or HTML; each with names or filters of its own needs a name of its own."""
    made = Environment(
        loader=FileSystemLoader(shipped("templates")),
        undefined=StrictUndefined,
        autoescape=html,  # noqa: S701 - text needs no escapes
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,  # to look for a newer file with every letter is dear, and there is none
        bytecode_cache=_compiled(f"{name}-html" if html else name),
    )
    made.context_class = _Context
    made.filters["kind"] = lambda value: type(value).__name__
    return made
