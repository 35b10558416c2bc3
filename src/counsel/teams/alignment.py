"""The distance between the machine's reasons and a person's: the live form of ShapleyBO (11).

Reasons are the contributions of the parameters to the expected payoff. A person's reasons are
averaged over the points with which they overrode proposals, under today's beliefs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from jaxtyping import Float

from counsel.explain.attribution import Attribution
from counsel.facts.form import AnyFloat, Record
from counsel.facts.records import Proposal

__all__ = ["Alignment", "alignment", "reasons"]


@dataclass(frozen=True)
class Alignment(Record):
    """`factor` is 1 if the reasons are the same and infinite if a sign is opposite.

    machine, person    shares of all contributions, with their signs
    choices            how many of the person's choices it is based on
    """

    _derived: ClassVar[tuple[str, ...]] = ("sentence",)

    proposal: str
    actor: str
    parameters: tuple[str, ...]
    machine: tuple[float, ...]
    person: tuple[float, ...]
    factor: AnyFloat
    choices: int

    def sentence(self) -> str:
        """The disagreement in words."""
        theirs, ours = (self._leading(shares) for shares in (self.person, self.machine))
        if theirs == ours:
            return f"This proposal is driven by {ours}, as your past choices were."
        return f"Your past choices were driven by {theirs}; this one by {ours}."

    def _leading(self, shares: tuple[float, ...]) -> str:
        return self.parameters[int(np.argmax(np.abs(shares)))]


def alignment(
    proposal: Proposal, actor: str, why: Attribution, own: Sequence[Attribution]
) -> Alignment:
    """`why` explains the proposal, `own` each point with which the person overrode a proposal."""
    machine, person = reasons(why), np.mean([reasons(each) for each in own], axis=0)
    return Alignment(
        proposal.id,
        actor,
        why.parameters,
        _shares(machine),
        _shares(person),
        factor(machine, person),
        len(own),
    )


def reasons(why: Attribution) -> Float[np.ndarray, " p"]:
    """Contributions to the expected payoff, or to the whole acquisition if it has no such term."""
    if "exploitation" in why.terms:
        return np.asarray(why.values)[why.terms.index("exploitation")]
    return np.asarray(why.values).sum(axis=0)


def factor(ours: Float[np.ndarray, " p"], theirs: Float[np.ndarray, " p"]) -> float:
    """`rules.misalignment` in NumPy, without waiting for a compiler."""
    ratio = ours / np.where(theirs == 0.0, 1e-12, theirs)
    return float(ratio.max() / ratio.min()) if ratio.min() > 0.0 else math.inf


def _shares(contributions: Float[np.ndarray, " p"]) -> tuple[float, ...]:
    total = float(np.abs(contributions).sum())
    return tuple((contributions / (total or 1.0)).tolist())
