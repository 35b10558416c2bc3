r"""What overriding cost or gained, as believed today.

For each override it is f(own) - f(proposed) under the current posterior; for each person, the sum
of theirs, with the covariance between points:

    gain = w'm,   sd^2 = w'C w,   w = +1 at what was tried, -1 at what was proposed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from counsel.facts.form import Record
from counsel.facts.history import Array
from counsel.facts.records import Decision, Proposal
from counsel.space import AnySpace

__all__ = ["Gain", "Overriding", "overriding"]

# Mean and covariance of the objective, maximised, at encoded points.
Believed = Callable[[Array], tuple[Array, Array]]


@dataclass(frozen=True, slots=True)
class Gain(Record):
    """What one override gained over what was proposed."""

    proposal: str
    gain: float
    sd: float


@dataclass(frozen=True, slots=True)
class Overriding(Record):
    """`gain` is in the objective's units, above 0 if overriding was the better choice.

    `each` holds the gain of every override.
    """

    actor: str
    gain: float
    sd: float
    each: tuple[Gain, ...]

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the gain."""
        return self.gain - 1.96 * self.sd, self.gain + 1.96 * self.sd


def overriding(
    space: AnySpace,
    overrides: Sequence[tuple[Decision, Proposal]],
    believed: Believed | None,
) -> tuple[Overriding, ...]:
    """One entry per person who overrode a proposal; empty without beliefs."""
    if believed is None:
        return ()
    made: dict[str, list[tuple[Decision, Proposal]]] = {}
    for decision, proposal in overrides:
        made.setdefault(decision.actor, []).append((decision, proposal))
    return tuple(_person(space, believed, actor, own) for actor, own in made.items())


def _person(
    space: AnySpace, believed: Believed, actor: str, own: Sequence[tuple[Decision, Proposal]]
) -> Overriding:
    rows = []
    for decision, proposal in own:
        given = space.encode_context(proposal.context)
        for values in (decision.values or {}, proposal.values):
            rows.append(np.concatenate([space.encode(values), given]))
    mean, cov = believed(np.stack(rows))
    contrast = np.kron(np.eye(len(own)), np.array([1.0, -1.0]))
    gains, spread = contrast @ mean, contrast @ cov @ contrast.T
    sds = np.sqrt(np.maximum(np.diagonal(spread), 0.0))
    each = map(Gain, (p.id for _, p in own), gains.tolist(), sds.tolist())
    total = float(np.sqrt(max(spread.sum(), 0.0)))
    return Overriding(actor, float(gains.sum()), total, tuple(each))
