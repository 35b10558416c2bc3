"""Policies by name, and what a policy is.

`counsel.policies.DMCL` and the others are found in the registry. They load on first use: the
numerical core takes a second to import.
"""

from typing import Any

from counsel.facts.history import History
from counsel.policies.protocol import Choice, Policy
from counsel.policies.registry import PolicyEntry, by_name, entries, find, names, policies

__all__ = ["Choice", "History", "Policy", "PolicyEntry", "by_name", "entries", "find", "names"]


def __getattr__(name: str) -> Any:
    if name[:1].isupper():  # not a module, which an import statement would look for here
        found = policies.public().get(name)
        if found is not None:
            return found
    raise AttributeError(f"module 'counsel.policies' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *policies.public()])
