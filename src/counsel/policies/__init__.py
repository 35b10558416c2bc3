"""Policies by name, and what a policy is."""

from collections.abc import Callable
from importlib import import_module

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
    "augmented-ei": _bandit("AugmentedEI"),
    "ts": _bandit("TS"),
    "lw-ucb": _bandit("LWUCB"),
    "pruned-ucb": _bandit("PrunedUCB"),
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


def by_name(name: str) -> Policy:
    if name not in _BY_NAME:
        raise InvalidInput("policy", name, f"Choose one of {', '.join(_BY_NAME)}.")
    return _BY_NAME[name]()


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
