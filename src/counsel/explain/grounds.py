"""What the reasons for a proposal rest on: would they survive, and whose trials are behind them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from counsel.explain.attribution import LEAST, Attribution
from counsel.explain.sentence import SHARE, clear
from counsel.facts.form import Record

__all__ = ["Grounds", "PersonInfluence", "TrialInfluence", "gain", "leading", "survives"]


_FARTHEST = 1e6


@dataclass(frozen=True, slots=True)
class TrialInfluence(Record):
    """How much further above an average point a proposal is rated because of one trial.

    `change` is in what was maximised; below 0, the trial speaks against the proposal.
    """

    observation: str
    actor: str
    change: float


@dataclass(frozen=True, slots=True)
class PersonInfluence(Record):
    """The same for all trials that one person reported, left out together."""

    actor: str
    trials: int
    change: float


@dataclass(frozen=True, slots=True)
class Grounds(Record):
    """Would the reason for a proposal survive, and whose trials drove it.

    reason    the contribution that speaks most for the proposal, in words; "" if none stands out
    fits      how many other fits were tried, drawn by how plausible they are given the data; 0 if
              the policy has none to offer
    holds     in how many of them that contribution still speaks for it and still stands out
    gain      how far above an average point the proposal is rated, in what was maximised
    trials    the influence of each trial that was measured or failed, the largest first; the fit
              stays, and answers about constraints
    people    that of each person's trials, if several people reported some
    note      what was not looked at
    """

    _derived: ClassVar[tuple[str, ...]] = ("sentence",)

    proposal: str
    reason: str
    fits: int
    holds: int
    gain: float
    trials: tuple[TrialInfluence, ...]
    people: tuple[PersonInfluence, ...]
    note: str = ""

    def sentence(self) -> str:
        """The same in a few words."""
        parts = []
        if self.reason and self.fits:
            parts.append(f"That {self.reason} holds in {self.holds} of {self.fits} plausible fits.")
        for_it = [each for each in self.trials if each.change > 0.0]
        if for_it:
            parts.append(f"Of all trials, {for_it[0].observation} speaks most for it.")
        most = max(self.people, key=lambda each: each.change, default=None)
        if most is not None and most.change > 0.0:
            parts.append(f"Of all people, {most.actor}'s trials do.")
        return " ".join(parts) or "Nothing stands out that the reasons would rest on."


def leading(why: Attribution) -> tuple[int, int] | None:
    """Term and parameter of the contribution that speaks most for a point, if one stands out."""
    worth = np.where(clear(why), why.worth, 0.0)
    place = int(np.argmax(worth))
    cell = divmod(place, worth.shape[1])
    return cell if worth[cell] > 0.0 else None


def survives(why: Attribution, cell: tuple[int, int]) -> bool:
    """Whether a contribution speaks for the point and stands out, as a sentence would tell it."""
    worth = np.where(clear(why), why.worth, 0.0)
    return bool(worth[cell] > 0.0 and worth[cell] >= SHARE * float(np.abs(worth).max()))


def gain(
    here: Mapping[str, float], average: Mapping[str, float], log_weights: Mapping[str, float]
) -> float:
    """How far a point's parts lie above average ones, in what was maximised.

    A factor that is a million times smaller or larger than on average counts as no more than that:
    logarithms of what is practically nothing would outweigh everything else.
    """
    found = 0.0
    for name, weight in log_weights.items():
        if weight:
            ratio = max(here[name], LEAST) / max(average[name], LEAST)
            found += weight * math.log(min(max(ratio, 1.0 / _FARTHEST), _FARTHEST))
        else:
            found += here[name] - average[name]
    return found
