r"""How far the machine's reasons are from a person's: the live form of ShapleyBO (11).

Reasons are the contributions of the parameters to the expected payoff. A person's are those of all
points that they put in a proposal's place, under what is believed today. (11) compares ratios of
contributions, with their signs, the person's averaged over their choices:

$$ q_{jk} = \frac{\phi_j / \phi_k}{\mathrm{mean}_i(\phi_j^i / \phi_k^i)} $$

The factor is the largest of q and 1/q over all pairs of parameters, and infinite where a ratio has
the opposite sign. Contributions that are all turned round have the same ratios: that the machine
seeks what the person avoids is not in (11), so the sentence says it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

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
        ours, theirs = (self._leading(shares) for shares in (self.machine, self.person))
        names = self.parameters
        if ours != theirs:
            return f"Your past choices were driven by {names[theirs]}; this one by {names[ours]}."
        text = f"This proposal is driven by {names[ours]}, as your past choices were"
        if self.machine[ours] * self.person[ours] < 0.0:
            better, worse = "for the better", "for the worse"
            here, there = (better, worse) if self.machine[ours] > 0.0 else (worse, better)
            return f"{text}, but here {here} and there {there}."
        return f"{text}."

    def _leading(self, shares: tuple[float, ...]) -> int:
        return int(np.argmax(np.abs(shares)))


def alignment(
    proposal: Proposal, actor: str, why: Attribution, own: Sequence[Attribution]
) -> Alignment:
    """`why` explains the proposal, `own` each point with which the person overrode a proposal."""
    machine, each = reasons(why), np.stack([reasons(choice) for choice in own])
    return Alignment(
        proposal.id,
        actor,
        why.parameters,
        _shares(machine),
        _shares(each.mean(axis=0)),
        factor(machine, each),
        len(own),
    )


def reasons(why: Attribution) -> Float[np.ndarray, " p"]:
    """What each parameter adds to the expected payoff, above 0 where that is good.

    Of an acquisition without that term, what it is worth in all of it.
    """
    if "exploitation" in why.terms:
        return why.worth[why.terms.index("exploitation")]
    return why.worth.sum(axis=0)


def factor(ours: Float[np.ndarray, " p"], theirs: Float[np.ndarray, "n p"]) -> float:
    """The largest factor between our ratios and the mean of theirs; see the module."""
    found = 1.0
    for j in range(len(ours)):
        for k in range(j + 1, len(ours)):
            ratio, usual = (
                _ratio(ours[j], ours[k]),
                float(np.mean(_ratio(theirs[:, j], theirs[:, k]))),
            )
            q = ratio / (usual or _TINY)
            found = math.inf if q <= 0.0 else max(found, float(q), 1.0 / float(q))
            if math.isinf(found):
                return found
    return found


_TINY = 1e-12


def _ratio(a: Any, b: Any) -> Any:
    return a / np.where(b == 0.0, _TINY, b)


def _shares(contributions: Float[np.ndarray, " p"]) -> tuple[float, ...]:
    total = float(np.abs(contributions).sum())
    return tuple((contributions / (total or 1.0)).tolist())
