"""Names, their encoded columns, and context variables, shared by boxes and arms."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from counsel.errors import InvalidInput
from counsel.space.checks import Array, match_names, one_of
from counsel.space.parameters import Parameter, check_parameters


class NamedColumns:
    """Names, their encoded columns, and the context variables."""

    __slots__ = ("_context", "_context_dim", "_dim", "_groups", "_names", "_slices")

    def _lay_out(self, widths: Mapping[str, int], context: Mapping[str, Parameter] | None) -> None:
        if context is not None and not isinstance(context, Mapping):
            raise InvalidInput("context", context, "Give a mapping from names to parameters.")
        self._context = dict(context or {})
        check_parameters("context", self._context)
        clash = [name for name in self._context if name in widths]
        if clash:
            raise InvalidInput("context", clash, "It is a parameter, too: rename one of them.")
        self._names = tuple(widths)
        self._dim = sum(widths.values())
        self._context_dim = sum(p.width for p in self._context.values())
        every = {**widths, **{name: p.width for name, p in self._context.items()}}
        self._groups = tuple(i for i, width in enumerate(every.values()) for _ in range(width))
        self._slices: dict[str, slice] = {}
        start = 0
        for name, width in every.items():
            self._slices[name] = slice(start, start + width)
            start += width

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    @property
    def context(self) -> Mapping[str, Parameter]:
        return MappingProxyType(self._context)

    def title(self, name: str) -> str:
        """A name with its unit, if it has one, as axes and fields show it."""
        unit = self.unit(name)
        return f"{name} [{unit}]" if unit else name

    def unit(self, name: str) -> str:
        """What a parameter or context variable is measured in; "" if nobody said."""
        known: Mapping[str, Parameter] = getattr(self, "parameters", {})
        found: str = getattr(known.get(name) or self._context.get(name), "unit", "")
        return found

    @property
    def units(self) -> dict[str, str]:
        """The units of the parameters that have one."""
        return {name: unit for name in self.names if (unit := self.unit(name))}

    def description(self, name: str) -> str:
        """What a parameter or context variable is, in its owner's words."""
        known: Mapping[str, Parameter] = getattr(self, "parameters", {})
        return getattr(known.get(name) or self._context.get(name), "description", "")

    @property
    def context_names(self) -> tuple[str, ...]:
        return tuple(self._context)

    @property
    def dim(self) -> int:
        """Number of encoded columns of the parameters."""
        return self._dim

    @property
    def context_dim(self) -> int:
        """Number of encoded columns of the context."""
        return self._context_dim

    @property
    def groups(self) -> tuple[int, ...]:
        """For each joint column, the index of its name."""
        return self._groups

    def columns(self, name: str) -> slice:
        """The joint columns of a parameter or context variable."""
        if name not in self._slices:
            raise InvalidInput("name", name, one_of(name, tuple(self._slices)))
        return self._slices[name]

    def validate_context(self, context: Mapping[str, object] | None) -> dict[str, Any]:
        """The context as Python values; None is allowed only without context variables."""
        if context is None and self._context:
            names = ", ".join(self._context)
            raise InvalidInput("context", None, f"Give a value for each of: {names}.")
        given = {} if context is None else context
        match_names("context", given, self._context)
        return {name: p.validate(name, given[name]) for name, p in self._context.items()}

    def encode_context(self, context: Mapping[str, object] | None) -> Array:
        values = self.validate_context(context)
        parts = [p._columns([values[name]])[0] for name, p in self._context.items()]
        return np.concatenate([np.empty(0), *parts])
