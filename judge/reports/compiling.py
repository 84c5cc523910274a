"""The templates' environments; what they are compiled to is kept for the next process."""

from __future__ import annotations

import pickle
from collections.abc import Callable, MutableMapping, Sequence
from contextlib import suppress
from types import FunctionType, MethodType
from typing import Any, cast

from jinja2 import BytecodeCache, Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined, Template
from jinja2.bccache import Bucket
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

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
    """Calls macros and functions at once; the library asks of all that is called first what kind of thing it is."""

    def call(self, called: Callable[..., object], /, *args: object, **kwargs: object) -> object:
        kind = type(called)
        if kind is not Macro and kind not in _PLAIN:
            return super().call(called, *args, **kwargs)
        if kwargs:
            kwargs.pop("_loop_vars", None)
            kwargs.pop("_block_vars", None)
        if kind is not Macro:
            return called(*args, **kwargs)
        macro = cast("Macro", called)
        if kwargs or not _has_all(macro, args):
            return macro(self.eval_ctx, *args, **kwargs)
        written = macro._func(*args)  # noqa: SLF001 - see above
        return str.__new__(Markup, written) if self.eval_ctx.autoescape else written


_PLAIN = (FunctionType, MethodType)


def _has_all(macro: Macro, args: Sequence[object]) -> bool:
    """Whether these are all the arguments of a macro, so that it can be called without any ado."""
    takes_more = macro.caller or macro.catch_varargs or macro.catch_kwargs
    return not takes_more and len(args) == macro._argument_count  # noqa: SLF001


def said(macro: Macro, *args: object) -> str:
    """What a macro of a text says."""
    return str(macro._func(*args) if _has_all(macro, args) else macro(*args))  # noqa: SLF001


class _Template(Template):
    """A template that looks only at what may need to be escaped."""

    @classmethod
    def _from_namespace(
        cls, environment: Environment, namespace: MutableMapping[str, Any], names: MutableMapping[str, Any]
    ) -> Template:
        namespace["escape"] = _escaped
        # What it knows is copied for every rendering: from one place, and not from several behind each other.
        return super()._from_namespace(environment, namespace, dict(names))


def _escaped(value: object) -> Markup:
    return value if type(value) is Markup else escape(value)


class _Environment(Environment):
    context_class = _Context
    template_class = _Template

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - those of the library
        super().__init__(**options)
        self._known: dict[str, Template] = {}

    def get_template(
        self,
        name: str | Template,
        parent: str | None = None,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002 - as the library calls it
    ) -> Template:
        """As it was loaded first: the library takes a lock and asks three objects each time."""
        if not isinstance(name, str) or globals is not None:
            return super().get_template(name, parent, globals)
        if name not in self._known:
            self._known[name] = super().get_template(name, parent)
        return self._known[name]

    def getattr(self, obj: Any, attribute: str) -> Any:  # noqa: ANN401 - whatever a template looks at
        """Of a dictionary what stands in it: that it has no such attribute is dear to find out first."""
        try:
            return obj[attribute] if type(obj) is dict else getattr(obj, attribute)
        except (KeyError, AttributeError):
            return super().getattr(obj, attribute)


def environment(name: str, *, html: bool) -> Environment:
    """An environment for text or HTML; each with names or filters of its own needs a name of its own."""
    made = _Environment(
        loader=FileSystemLoader(shipped("templates")),
        undefined=StrictUndefined,
        autoescape=html,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,  # to look for a newer file with every letter is dear, and there is none
        bytecode_cache=_compiled(f"{name}-html" if html else name),
    )
    made.filters["kind"] = lambda value: type(value).__name__
    return made
