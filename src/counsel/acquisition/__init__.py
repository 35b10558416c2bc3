"""Acquisitions: rules that turn a posterior into a sum of named terms to maximise.

`counsel.acquisition.VUCB` and the others are found in the registry. They load on first use: the
numerical core takes a second to import.
"""

from importlib import import_module
from typing import Any

from counsel.acquisition.registry import acquisitions

# What acquisitions are built from.
__all__ = ["Acquisition", "Beta", "Round", "Score", "Survey", "Terms", "total"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        home = "priors" if name == "Beta" else "terms"
        return getattr(import_module(f"counsel.acquisition.{home}"), name)
    if name[:1].isupper():  # not a module, which an import statement would look for here
        found = acquisitions.public().get(name)
        if found is not None:
            return found
    raise AttributeError(f"module 'counsel.acquisition' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__, *acquisitions.public()])
