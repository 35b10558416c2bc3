"""Policies by name, and what a policy is."""

from collections.abc import Callable
from dataclasses import fields, replace
from importlib import import_module
from typing import Any

from counsel.errors import InvalidInput
from counsel.facts.history import History
from counsel.policies.protocol import Choice, Policy

__all__ = [
    "ACL",
    "ACOL",
    "DMCL",
    "MCL",
    "Bandit",
    "Choice",
    "History",
    "Policy",
    "Preference",
    "Random",
    "by_name",
    "names",
]


def _bandit(acquisition: str) -> Callable[[], Policy]:
    def make() -> Policy:
        from counsel import acquisition as acquisitions
        from counsel.policies.bandit import Bandit

        return Bandit(getattr(acquisitions, acquisition)())

    return make


def _own(module: str, name: str) -> Callable[[], Policy]:
    def make() -> Policy:
        made: Policy = getattr(import_module(f"counsel.policies.{module}"), name)()
        return made

    return make


_BY_NAME: dict[str, Callable[[], Policy]] = {
    "random": _own("random", "Random"),
    "v-ucb": _bandit("VUCB"),
    "gp-ucb": _bandit("GPUCB"),
    "ei": _bandit("EI"),
    "ts": _bandit("TS"),
    "lw-ucb": _bandit("LWUCB"),
    "risk-averse": _bandit("RiskAverse"),
    "uncertainty-aware": _bandit("UncertaintyAware"),
    "preference": _own("preference", "Preference"),
    "dmcl": _own("dmcl", "DMCL"),
    "mcl": _own("mcl", "MCL"),
    "acl": _own("acl", "ACL"),
    "acol": _own("acol", "ACOL"),
}


def names() -> tuple[str, ...]:
    """The names that `create_study(policy=...)` takes."""
    return tuple(_BY_NAME)


def by_name(name: str, **settings: Any) -> Policy:
    """The policy of that name; an acquisition's settings and those of `Bandit` go together."""
    if name not in _BY_NAME:
        raise InvalidInput("policy", name, f"Choose one of {', '.join(_BY_NAME)}.")
    made: Any = _BY_NAME[name]()
    inner = getattr(made, "acquisition", None)
    known = [f.name for thing in (inner, made) if thing is not None for f in fields(thing)]
    for setting in settings:
        if setting not in known:
            raise InvalidInput(f"setting of {name!r}", setting, f"Use {', '.join(known)}.")
    if inner is not None:
        own = {f.name: settings.pop(f.name) for f in fields(inner) if f.name in settings}
        settings["acquisition"] = replace(inner, **own)
    return replace(made, **settings) if settings else made


# Loaded on use: the numerical core takes a second to import.
_CLASSES = {
    "Bandit": "bandit",
    "Preference": "preference",
    "Random": "random",
    "DMCL": "dmcl",
    "MCL": "mcl",
    "ACL": "acl",
    "ACOL": "acol",
}


def __getattr__(name: str) -> object:
    if name in _CLASSES:
        return getattr(import_module(f"counsel.policies.{_CLASSES[name]}"), name)
    raise AttributeError(f"module 'counsel.policies' has no attribute {name!r}")
