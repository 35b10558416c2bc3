"""Attributions: how much each parameter contributes to each term, as data, words and tables."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from counsel.explain.contrast import contrast
from counsel.explain.sentence import apart, objective, sentence
from counsel.explain.shap_form import explanations
from counsel.explain.together import Pair, pairs, together
from counsel.facts.cards import ROUNDING, Card, Table, beside, summands, values
from counsel.facts.form import Cube, Matrix, Moment, Record, Vector, freeze
from counsel.facts.problem import Direction
from counsel.facts.records import Prediction, Value
from counsel.facts.terms import term

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


LEAST = 1e-300  # a chance that underflows counts as this
# Contributions that are larger than both ends together by this factor cancel out.
_CANCELLING = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class Expected(Record):
    """What one of several objectives is expected to be at a point, in its own units.

    base + the sum over parameters of values = total. A unit of it is worth `weight` of the payoff,
    less than 0 where it is minimised.
    """

    objective: str
    weight: float
    values: Vector  # (parameters,)
    base: float
    total: float

    def __post_init__(self) -> None:
        self.values.flags.writeable = False


@dataclass(frozen=True, slots=True, eq=False)
class Attribution(Record):
    """How much each parameter of a point contributes to each term of the acquisition there.

    base + the sum over parameters of values = total, term by term. `base` is a term's mean over the
    background, `error` the standard error of each value: zero where the method is exact.

    Terms on the objective's scale are in its units and direction: of a cost that is minimised, a
    value below 0 speaks for the point. Improvements, chances and other measures are larger where
    they are better. `log_weights` says how a term entered what was maximised: 0 as it is, otherwise
    its logarithm, times this weight, which is the one that is right between base and total. Where
    payoffs count on a scale of their own, it is in their units, and what was maximised is the sum
    times a factor.

    `interactions` splits each value further: beside the diagonal is half of what two parameters add
    to each other, on it what a parameter does by itself; rows add up to `values`. It is None where
    coalitions were sampled. With `gaps` the belief is on a logarithmic scale, where
    exploration is how far the bound lies beyond the expected payoff, not a standard deviation.
    With several objectives that are weighed, `objectives` has what each is expected to be; times
    their weights they add up to the expected payoff.
    Explanations are rebuilt from facts, never stored.
    """

    _derived: ClassVar[tuple[str, ...]] = ("exact", "sentence", "together")

    terms: tuple[str, ...]
    parameters: tuple[str, ...]
    values: Matrix  # (terms, parameters)
    base: Vector  # (terms,)
    total: Vector  # (terms,)
    error: Matrix  # (terms, parameters)
    methods: tuple[str, ...]  # by term
    background: str
    evaluations: int
    point: Mapping[str, Value]
    context: Mapping[str, Value]
    proposal: str | None = None
    objective: str = "objective"
    direction: Direction = "maximize"
    note: str = ""
    instead_of: Mapping[str, Value] | None = None  # the point that it is compared with
    log_weights: Vector = field(default_factory=lambda: np.zeros(0))  # (terms,); none: all 0
    interactions: Cube | None = None  # (terms, parameters, parameters), if they were enumerated
    gaps: bool = False
    objectives: tuple[Expected, ...] = ()
    units: Mapping[str, str] = field(default_factory=dict)  # of the parameters that have one

    def __post_init__(self) -> None:
        freeze(self, "point", "context", "instead_of", "units")
        if self.log_weights.size == 0:
            object.__setattr__(self, "log_weights", np.zeros(len(self.terms)))
        for name in ("values", "base", "total", "error", "log_weights", "interactions"):
            if getattr(self, name) is not None:
                getattr(self, name).flags.writeable = False

    @property
    def exact(self) -> bool:
        """Whether every value is exact for the background."""
        return not self.error.any()

    @property
    def method(self) -> str:
        """How the values were computed: one word, or one per term if they differ."""
        if len(set(self.methods)) == 1:
            return self.methods[0]
        pairs = zip(self.terms, self.methods, strict=True)
        return ", ".join(f"{term}: {method}" for term, method in pairs)

    @property
    def additive(self) -> bool:
        """Whether all terms are on the objective's scale, so that their sum means something."""
        return all(term(tag).scale == "objective" for tag in self.terms)

    @property
    def signs(self) -> "NDArray[np.float64]":
        """By term, 1 where larger is better and -1 where smaller is."""
        turned = self.direction == "minimize"
        return np.array(
            [-1.0 if turned and term(tag).scale == "objective" else 1.0 for tag in self.terms]
        )

    @property
    def worth(self) -> "NDArray[np.float64]":
        """What each contribution is worth in what was maximised, above 0 where it speaks for it.

        A term whose logarithm counts gains weight x log(total / base), shared among the parameters
        as their contributions are. Where these are far larger than both ends and cancel out, as
        between two points that are hopeless for different reasons, they count as small shares
        instead, and the sum is not kept: see `gains`. (terms, parameters).
        """
        return self.values * self.rates

    @property
    def gains(self) -> "NDArray[np.float64]":
        """By term, what all contributions together are worth in what was maximised."""
        ends = np.maximum(np.stack([self.total, self.base]), LEAST)
        logs = self.log_weights * (np.log(ends[0]) - np.log(ends[1]))
        plain = self.signs * (self.total - self.base)
        return np.where(self.log_weights != 0.0, logs, plain)

    @property
    def rates(self) -> "NDArray[np.float64]":
        """What a unit of each term is worth in what was maximised, below 0 if less is better.

        (terms, 1).
        """
        largest = np.abs(self.values).max(axis=1, initial=0.0)
        return (self.signs * _rates(self.base, self.total, self.log_weights, largest))[:, None]

    def table(self) -> "pd.DataFrame":
        """One row per term with base, parameters and total, and their sum if they have one."""
        import pandas as pd

        columns = ["base", *self.parameters, "total"]
        rows = np.column_stack([self.base, self.values, self.total])
        frame = pd.DataFrame(rows, index=pd.Index(self.terms, name="term"), columns=columns)
        if self.additive:
            frame.loc["sum"] = frame.sum()
        return frame

    def by_objective(self) -> "pd.DataFrame":
        """One row per objective with base, parameters and total, and their weighted sum.

        Empty where the payoff is measured itself, or its parts cannot be told apart.
        """
        import pandas as pd

        columns = ["base", *self.parameters, "total"]
        names = pd.Index([each.objective for each in self.objectives], name="objective")
        rows = [[each.base, *each.values, each.total] for each in self.objectives]
        frame = pd.DataFrame(rows, index=names, columns=columns)
        if rows:
            frame.loc[self.objective] = np.array([e.weight for e in self.objectives]) @ rows
        return frame

    def sentence(self) -> str:
        """The attribution in plain words, claiming no more than the numbers."""
        return sentence(self) if self.instead_of is None else contrast(self)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs of parameters that act together so much that it matters, largest first."""
        return pairs(self)

    @property
    def together(self) -> str:
        """These pairs in plain words; "" where there are none."""
        return together(self)

    def card(self) -> Card:
        point = [("at", values(self.point)), ("together", self.together)]
        point += [("method", self.method), ("note", self.note)]
        tables = [_shown("", self.table())]
        if self.objectives:
            tables.append(_shown("expected", self.by_objective()))
        return Card(self.sentence(), point, tables)

    def to_shap(self) -> dict[str, Any]:
        """A `shap.Explanation` for each term, and one for their "sum" if they have one.

        It needs the extra `shap`.
        """
        return explanations(self)


def _shown(corner: str, frame: "pd.DataFrame") -> Table:
    rows = [[name, *summands(frame.loc[name])] for name in frame.index]
    return Table([corner, *map(str, frame.columns)], rows)


def _rates(
    base: "NDArray[np.float64]",
    total: "NDArray[np.float64]",
    weights: "NDArray[np.float64]",
    largest: "NDArray[np.float64]",
) -> "NDArray[np.float64]":
    """What a unit of each term is worth: 1, or weight x log(total / base) / (total - base).

    Both ends are raised by what the `largest` contribution is beyond ten times their sum.
    """
    found = np.ones(len(weights))
    for i in np.flatnonzero(weights):
        low, high = max(float(base[i]), LEAST), max(float(total[i]), LEAST)
        more = max(0.0, float(largest[i]) - _CANCELLING * (low + high))
        low, high = low + more, high + more
        same = abs(high - low) <= 1e-9 * low
        slope = 1.0 / low if same else (math.log(high) - math.log(low)) / (high - low)
        found[i] = weights[i] * slope
    return found


@dataclass(frozen=True, slots=True)
class WhatIf(Record):
    """The belief about a point that nobody proposed, and the reasons for trying it.

    `best` is what the best trial so far was measured to be worth: of those that kept every
    constraint, in the same context, the one that is believed to be best. None where there is none.
    `proposal` is the one that the point was to take the place of, and `proposed` the belief about
    it today.
    """

    _derived: ClassVar[tuple[str, ...]] = ("sentence",)

    prediction: Prediction
    attribution: Attribution
    best: float | None = None
    proposal: str | None = None
    proposed: Prediction | None = None

    def sentence(self) -> str:
        """What to expect, beside the proposal and the best trial so far, and what speaks for it."""
        others = []
        if self.proposed is not None:
            others.append((self.proposed.mean, f"that of {self.proposal}"))
        if self.best is not None:
            others.append((self.best, "the best trial so far"))
        mean = self.prediction.mean
        same = ROUNDING * abs(mean)
        gaps = [gap if abs(gap := mean - value) > same else 0.0 for value, _ in others]
        closest = min((abs(gap) for gap in gaps if gap), default=0.0)
        expected = f"The expected {objective(self.attribution)} is {beside(mean, closest)}"
        for (value, name), gap in zip(others, gaps, strict=True):
            gap_in_words = apart(gap, self.attribution.direction)
            expected += f", {gap_in_words} {name} ({beside(value, gap)})"
        return f"{expected}. {self.attribution.sentence()}"

    def card(self) -> Card:
        mean, sd = self.prediction.mean, self.prediction.sd
        gap = 0.0 if self.best is None else mean - self.best
        best = "" if self.best is None else beside(self.best, gap, sd)
        facts = [("predicted", f"{beside(mean, gap, sd)} ± {sd:.2g}"), ("best so far", best)]
        return Card("What if", facts, [self.attribution.card()])


@dataclass(frozen=True, slots=True)
class Shown(Record):
    """An explanation as a person saw it."""

    actor: str
    time: Moment
    attribution: Attribution
