"""Counsel itself, through its front door: `create_study`, `tell`, `ask`."""

from typing import Any

import numpy as np

import counsel as cs
from benchmarks.functions import Points


class CounselAsker:
    """A study over a list of arms, or over the unit cube when there are none; V-UCB by default."""

    def __init__(
        self,
        arms: Points | None = None,
        dimensions: int = 2,
        policy: str | None = "v-ucb",
        seed: int = 0,
        **settings: Any,
    ) -> None:
        self.names = [f"x{i}" for i in range(dimensions if arms is None else arms.shape[1])]
        space = (
            cs.Space(**{name: cs.Float(0.0, 1.0) for name in self.names})
            if arms is None
            else cs.Arms(arms, names=self.names)
        )
        self.study = cs.create_study(
            space, direction="maximize", policy=policy, seed=seed, **settings
        )
        self.proposal: cs.Proposal | None = None

    def tell(self, x: Points, y: float) -> None:
        """Tell the open proposal, or a point nobody proposed."""
        if self.proposal is not None:
            self.study.tell(self.proposal, y)
            self.proposal = None
            return
        self.study.tell(dict(zip(self.names, map(float, x), strict=True)), y)

    def ask(self) -> Points:
        """One proposal."""
        self.proposal = self.study.ask()
        return np.array([self.proposal.values[name] for name in self.names], dtype=float)
