"""Registries: the only lists of policies, acquisitions, worlds and experiments.

A class or function registers itself where it is defined, under a tag that never changes:

    @acquisitions.register("v-ucb", title="V-UCB", sentence="Mean plus kappa times the sd.")
    class VUCB(eqx.Module): ...

Stored data name the tag, so files may move and classes may be renamed. A built-in is found in the
registry's packages: adding one is adding a file. Another distribution lists its own under the
registry's entry-point group, by tag; a script registers at run time. Modules are imported only when
a tag or the whole list is requested.
"""

import dataclasses
import importlib
import importlib.abc
import importlib.util
import inspect
import pkgutil
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from counsel.errors import InvalidInput, did_you_mean

__all__ = ["Configurable", "Entry", "Preset", "Registry", "parameters", "parts"]

T = TypeVar("T")
_TAG = re.compile(r"[a-z0-9]+([-/][a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Entry:
    """One registered thing: its tag, a short title, one sentence, and the class or function."""

    tag: str
    title: str
    sentence: str
    thing: Any

    @property
    def settings(self) -> tuple[str, ...]:
        """The names of the settings that `make` takes."""
        return tuple(parameters(self.thing))

    @property
    def ready(self) -> bool:
        """Whether it can be made without any setting."""
        return not any(parameters(self.thing).values())

    def make(self, settings: Mapping[str, Any]) -> Any:
        """Make the thing with these settings; unknown and missing ones are refused."""
        takes = parameters(self.thing)
        for name in settings:
            if name not in takes:
                known = f"Its settings are {', '.join(takes)}." if takes else "It has no settings."
                remedy = f"{_meant(name, takes)}{known}"
                raise InvalidInput(f"setting of {self.tag!r}", name, remedy)
        missing = [name for name, needed in takes.items() if needed and name not in settings]
        if missing:
            raise InvalidInput(
                f"settings of {self.tag!r}", sorted(settings), f"Also give {', '.join(missing)}."
            )
        return self.thing(**settings)


@runtime_checkable
class Configurable(Protocol):
    """A callable that describes its own parameters."""

    @property
    def parameters(self) -> dict[str, bool]: ...


@dataclass(frozen=True, slots=True)
class Preset(Generic[T]):
    """A class with some settings chosen: `fixed` ones permanently, `defaults` unless overridden.

    Settings that are neither fixed nor `hidden` can be set; hidden ones have no effect here.
    """

    of: Callable[..., T]
    name: str
    fixed: Mapping[str, Any]
    defaults: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    hidden: tuple[str, ...] = ()

    @property
    def parameters(self) -> dict[str, bool]:
        out = {*self.fixed, *self.hidden}
        return {
            name: needed and name not in self.defaults
            for name, needed in parameters(self.of).items()
            if name not in out
        }

    def __call__(self, **settings: Any) -> T:
        for name in settings:
            if name not in self.parameters:
                remedy = f"{_meant(name, self.parameters)}Use {', '.join(self.parameters)}."
                raise InvalidInput(f"setting of {self.name}", name, remedy)
        return self.of(**{**self.defaults, **settings, **self.fixed})


E = TypeVar("E", bound=Entry)


class Registry(Generic[E]):
    """All things of one kind, by tag.

    `packages` hold the built-in ones; `group` is the entry-point group of other distributions.
    `entry` makes an entry from its fields; a kind may have more fields than `Entry`.

    Example:
        >>> shapes = Registry("shape", Entry, (), "example.shapes")
        >>> @shapes.register("square", title="Square", sentence="Four equal sides.")
        ... def square(side: float = 1.0) -> float:
        ...     return side**2
        >>> shapes.get("square").make({"side": 3.0})
        9.0
    """

    def __init__(
        self, kind: str, entry: Callable[..., E], packages: tuple[str, ...], group: str
    ) -> None:
        self.kind = kind
        self.group = group
        self._entry = entry
        self._packages = packages
        self._entries: dict[str, E] = {}
        self._complete = False

    def register(self, tag: str, *, title: str, sentence: str, **more: Any) -> Callable[[T], T]:
        """A decorator that registers a class or function under a tag."""
        if not _TAG.fullmatch(tag):
            raise InvalidInput(
                f"tag of a {self.kind}", tag, "Use lower-case letters, digits, '-' and '/'."
            )

        def keep(thing: T) -> T:
            there = self._entries.get(tag)
            if there is not None and _origin(there.thing) != _origin(thing):
                raise InvalidInput(
                    f"tag of a {self.kind}",
                    tag,
                    f"It belongs to {there.thing!r}. Choose another tag.",
                )
            self._entries[tag] = self._entry(
                tag=tag, title=title, sentence=sentence, thing=thing, **more
            )
            return thing

        return keep

    def entries(self) -> tuple[E, ...]:
        """Everything registered, by tag."""
        self._discover()
        return tuple(self._entries[tag] for tag in sorted(self._entries))

    def names(self) -> tuple[str, ...]:
        """The tags of entries that need no settings."""
        return tuple(entry.tag for entry in self.entries() if entry.ready)

    def known(self, tag: str) -> E | None:
        """The entry of a tag, if it is registered or a built-in module registers it."""
        if tag not in self._entries and not self._complete:
            for module in self._mentioning(tag):
                importlib.import_module(module)
                if tag in self._entries:
                    break
        return self._entries.get(tag)

    def find(self, tag: str) -> E | None:
        """The entry of a tag, wherever it is registered, or None."""
        if self.known(tag) is None and not self._complete:
            for point in self._entry_points():
                if point.name == tag:
                    point.load()
            if tag not in self._entries:
                self._discover()
        return self._entries.get(tag)

    def get(self, tag: str) -> E:
        found = self.find(tag)
        if found is None:
            known = self.names()
            remedy = f"{_meant(tag, known)}Choose one of {', '.join(known)}."
            raise InvalidInput(self.kind, tag, remedy)
        return found

    def of(self, thing: object) -> E | None:
        """The entry of a registered class or function."""
        return next((entry for entry in self._entries.values() if entry.thing is thing), None)

    def public(self) -> dict[str, Any]:
        """Everything registered, by its name in its own file."""
        named = {getattr(e.thing, "__name__", None) or e.thing.name: e for e in self.entries()}
        return {name: entry.thing for name, entry in named.items()}

    def _discover(self) -> None:
        if self._complete:
            return
        for module in self._modules():
            source = _source(module)
            if source is None or "register" in source:
                importlib.import_module(module)
        for point in self._entry_points():
            try:
                point.load()
            except Exception as error:  # somebody else's code must not hide the rest
                warnings.warn(
                    f"{self.group}: {point.name!r} ({point.value}) cannot be loaded: {error!r}",
                    stacklevel=3,
                )
        self._complete = True

    def _entry_points(self) -> Any:
        from importlib.metadata import entry_points  # slow to import, and seldom needed

        return entry_points(group=self.group)

    def _modules(self) -> Iterator[str]:
        for package in self._packages:
            yield from _modules_in(package)

    def _mentioning(self, tag: str) -> list[str]:
        """The built-in modules that may register a tag: one of its name first."""
        own = "." + re.sub("[^a-z0-9.]", "_", tag.replace("/", "."))
        found = [(module, _source(module)) for module in self._modules()]
        likely = [module for module, text in found if text is None or f'"{tag}"' in text]
        return sorted(likely, key=lambda module: not module.endswith(own))


# The parts of policies besides acquisitions: kernels, priors and the like.
parts = Registry(
    "part", Entry, ("counsel.models", "counsel.acquisition", "counsel.constraints"), "counsel.parts"
)


def parameters(thing: Any) -> dict[str, bool]:
    """What a class or function takes by keyword, and whether it must be given."""
    # A class may have a method of that name, which does not describe its constructor.
    if not isinstance(thing, type) and isinstance(thing, Configurable):
        return thing.parameters
    if isinstance(thing, type) and dataclasses.is_dataclass(thing):
        missing = dataclasses.MISSING
        return {
            field.name: field.default is missing and field.default_factory is missing
            for field in dataclasses.fields(thing)
            if field.init
        }
    if not callable(thing):
        return {}
    signature = inspect.signature(thing)
    return {
        name: each.default is each.empty
        for name, each in signature.parameters.items()
        if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)
    }


def _meant(name: object, known: Iterable[str]) -> str:
    """A question after the known name that is nearly this one, if there is one."""
    return f"{did_you_mean(name, known)} ".lstrip()


def _modules_in(package: str) -> Iterator[str]:
    for found in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
        if found.ispkg:
            yield from _modules_in(found.name)
        else:
            yield found.name


def _source(module: str) -> str | None:
    """A module's source, or None if only compiled code is installed."""
    spec = importlib.util.find_spec(module)
    loader = None if spec is None else spec.loader
    return loader.get_source(module) if isinstance(loader, importlib.abc.InspectLoader) else None


def _origin(thing: Any) -> object:
    """Where a thing was defined: the same class, executed again, may take over its tag."""
    name = getattr(thing, "__qualname__", None)
    return thing if name is None else (thing.__module__, name)
