"""The environments of the templates; compiled templates are cached on disk for the next process."""

from __future__ import annotations

import pickle
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from typing import Any

from jinja2 import BytecodeCache, Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.runtime import Context

from judge import __version__
from judge.reports.layout import unbroken
from judge.resources import shipped


class CompiledTemplates(FileSystemBytecodeCache):
    """A cache in a folder that only this user can write to.

    If it fails, templates are compiled again.
    """

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a compiled template, if the cached file is complete."""
        try:
            super().load_bytecode(bucket)
        except (OSError, EOFError, pickle.UnpicklingError):
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a compiled template, if there is room."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def _compiled(name: str) -> BytecodeCache | None:
    try:
        return CompiledTemplates(pattern=f"judge-{__version__}-{name}-%s.cache")
    except (OSError, RuntimeError):  # no folder to write to, or it belongs to another user
        return None


class _Context(Context):
    """The names that a template knows.

    Jinja looks for each call whether the function asks for these; none of ours does.
    """

    def call(self, called: Callable[..., object], /, *values: object, **named: object) -> object:
        """Call a macro or a function."""
        named.pop("_loop_vars", None)
        named.pop("_block_vars", None)
        return called(*values, **named)


class _Environment(Environment):
    """An environment that shares its global names with all its templates.

    None of them adds names of its own, and a plain dict is copied faster than a ChainMap for each letter.
    """

    context_class = _Context

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the names of the environment itself."""
        assert d is None
        return self.globals


def environment(name: str, *, html: bool) -> Environment:
    """Return an environment for text or HTML.

    An environment with its own names or filters needs its own `name`.
    """
    made = _Environment(
        loader=FileSystemLoader(shipped("templates")),
        undefined=StrictUndefined,
        autoescape=html,  # text needs no escapes
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,  # checking for a newer file with every letter is costly, and there is none
        bytecode_cache=_compiled(f"{name}-html" if html else name),
    )
    if html:
        made.filters["unbroken"] = unbroken
    made.filters["kind"] = lambda value: type(value).__name__
    return made
