"""The registry of policies: their tags and what they can do.

Every acquisition's tag is also a policy: a `Bandit` that maximises it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from counsel.acquisition.registry import AcquisitionEntry, acquisitions
from counsel.errors import InvalidInput, did_you_mean
from counsel.facts.checks import finite_number
from counsel.facts.problem import Problem
from counsel.policies.protocol import Particular, Policy
from counsel.registry import Entry, Registry, parameters, parts

__all__ = ["PolicyEntry", "by_name", "check", "entries", "entry_of", "find", "names", "policies"]


@dataclass(frozen=True, slots=True)
class PolicyEntry(Entry):
    """A policy and what it can do.

    `has_beliefs` means that it predicts the objective anywhere, `certifies` that it proposes what
    is certified to keep the constraints, or a trial that may lead to more of it.
    """

    arms_only: bool = False
    needs_constraints: bool = False
    learns_constraints: bool = False
    certifies: bool = False
    learns_comparisons: bool = False
    has_beliefs: bool = True

    @property
    def blind(self) -> bool:
        """Whether it learns nothing, and so works for any problem."""
        return not (self.has_beliefs or self.learns_constraints or self.learns_comparisons)


policies = Registry("policy", PolicyEntry, ("counsel.policies",), "counsel.policies")


def entries() -> tuple[PolicyEntry, ...]:
    """Every policy that `create_study(policy=...)` takes by name, by tag."""
    own = [entry for entry in policies.entries() if entry.ready]
    made = [_maximising(entry) for entry in acquisitions.entries() if entry.ready]
    return tuple(sorted([*own, *made], key=lambda entry: entry.tag))


def names() -> tuple[str, ...]:
    """The names that `create_study(policy=...)` takes.

    Example:
        >>> import counsel as cs
        >>> "lw-ucb" in cs.policies.names()
        True
    """
    return tuple(entry.tag for entry in entries())


def by_name(name: str, **settings: Any) -> Policy:
    """The policy of that name. For an acquisition, settings may be its own or those of `Bandit`.

    `kernel` may be a kernel's name; `noise` is the expected share of noise in the variance.
    """
    found = find(name)
    if found is None:
        remedy = f"Choose one of {', '.join(names())}.{did_you_mean(name, names())}"
        raise InvalidInput("policy", name, remedy)
    made: Policy = found.make(spelled_out(settings, None))
    return made


def spelled_out(settings: Mapping[str, Any], prior: Any) -> dict[str, Any]:
    """Settings with what may be said in short spelled out: kernel, guess, expected noise."""
    found = dict(settings)
    kernel = found.get("kernel")
    if isinstance(kernel, str):
        known = parts.known(kernel) or parts.find(kernel)
        if known is None or "lengthscale" not in known.settings:
            kernels = [each.tag for each in parts.entries() if "lengthscale" in each.settings]
            raise InvalidInput("kernel", kernel, f"Use one of {', '.join(kernels)}.")
        found["kernel"] = known.make({"lengthscale": [1.0]})
    if "guess" in found:
        found["guess"] = parts.get("guess").thing.of(found["guess"])
    if "noise" in found:
        if "prior" in found:
            raise InvalidInput("noise", found["noise"], "Give noise or prior, not both.")
        noise = finite_number("noise", found.pop("noise"))
        if not 0.0 < noise < 1.0:
            raise InvalidInput("noise", noise, "Give a share of the variance, between 0 and 1.")
        prior = parts.get("prior").make({}) if prior is None else prior
        found["prior"] = prior._replace(noise_mode=noise)
    return found


def entry_of(policy: Policy) -> PolicyEntry | None:
    """What a policy can do, or None if its class is not registered."""
    own = policies.of(type(policy))
    # A bandit has the abilities of its acquisition, a preset those it is registered with.
    return own and (find(policy.name) or own)


def check(policy: Policy, problem: Problem) -> None:
    """Refuse a policy that cannot do what a problem asks of it."""
    can = entry_of(policy)
    if can is not None:
        _refuse_unless(
            problem.space.finite or not can.arms_only,
            can,
            "It chooses among arms. Give arms instead of parameters, or use",
            lambda other: not other.arms_only,
        )
        _refuse_unless(
            bool(problem.constraints) or not can.needs_constraints,
            can,
            "It needs constraints. Give some, or use",
            lambda other: not other.needs_constraints,
        )
        _refuse_unless(
            not problem.constraints or can.learns_constraints or can.blind,
            can,
            "It does not learn constraints. Leave them out, or use",
            lambda other: other.learns_constraints,
        )
        _refuse_unless(
            not problem.objective.preferred or can.learns_comparisons or can.blind,
            can,
            "It does not learn from comparisons. Measure an objective, or use",
            lambda other: other.learns_comparisons or other.blind,
        )
    if isinstance(policy, Particular):
        policy.check(problem)


def _refuse_unless(
    fine: bool, entry: PolicyEntry, remedy: str, able: Callable[[PolicyEntry], bool]
) -> None:
    if not fine:
        others = ", ".join(other.tag for other in entries() if able(other))
        raise InvalidInput("policy", entry.tag, f"{remedy} one of {others}.")


def find(name: str) -> PolicyEntry | None:
    """The entry of a policy or an acquisition; built-in ones are looked up first."""
    found = policies.known(name) or acquisitions.known(name)
    found = found or policies.find(name) or acquisitions.find(name)
    return _maximising(found) if isinstance(found, AcquisitionEntry) else found


def _maximising(entry: AcquisitionEntry) -> PolicyEntry:
    return PolicyEntry(
        entry.tag,
        entry.title,
        entry.sentence,
        _Maximising(entry),
        arms_only=entry.arms_only,
        learns_constraints=True,
    )


@dataclass(frozen=True, slots=True)
class _Maximising:
    """Makes a bandit that maximises an acquisition, from the settings of both."""

    entry: AcquisitionEntry

    @property
    def gaining(self) -> bool:
        """Whether the acquisition counts gains over the best trial so far."""
        return bool(getattr(self.entry.thing, "gaining", False))

    @property
    def parameters(self) -> dict[str, bool]:
        bandit = parameters(policies.get("bandit").thing)
        del bandit["acquisition"]
        return {**bandit, **parameters(self.entry.thing)}

    def __call__(self, **settings: Any) -> Policy:
        own = {name: settings.pop(name) for name in self.entry.settings if name in settings}
        # A prior over inputs is the acquisition's, one over hyper-parameters the bandit's.
        if isinstance(own.get("prior"), parts.get("prior").thing):
            settings["prior"] = own.pop("prior")
        made: Policy = policies.get("bandit").thing(self.entry.make(own), **settings)
        return made
