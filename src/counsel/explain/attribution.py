"""Attributions: how much each parameter contributes to each term, as data, words and tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from counsel.explain.sentence import sentence
from counsel.explain.shap_form import explanations
from counsel.facts.form import Matrix, Moment, Record, Vector
from counsel.facts.records import Direction, Prediction, Value, freeze

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class Attribution(Record):
    """How much each parameter of a point contributes to each term of the acquisition there.

    base + the sum over parameters of values = total, term by term, in the acquisition's units
    (maximised). `base` is a term's mean over the background, `error` the standard error of each
    value: zero where the method is exact. Explanations are rebuilt from facts, never stored.
    """

    _derived: ClassVar[tuple[str, ...]] = ("exact", "sentence")

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

    def __post_init__(self) -> None:
        freeze(self, "point", "context")
        for name in ("values", "base", "total", "error"):
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

    def table(self) -> "pd.DataFrame":
        """One row per term with base, parameters and total, and one for their sum."""
        import pandas as pd

        columns = ["base", *self.parameters, "total"]
        rows = np.column_stack([self.base, self.values, self.total])
        frame = pd.DataFrame(rows, index=pd.Index(self.terms, name="term"), columns=columns)
        frame.loc["sum"] = frame.sum()
        return frame

    def sentence(self) -> str:
        """The attribution in plain words, claiming no more than the numbers."""
        return sentence(self)

    def to_shap(self) -> dict[str, Any]:
        """A `shap.Explanation` for each term, and one for their "sum"; needs the extra `shap`."""
        return explanations(self)


@dataclass(frozen=True, slots=True)
class WhatIf(Record):
    """The belief about a point that nobody proposed, and the reasons for trying it."""

    prediction: Prediction
    attribution: Attribution


@dataclass(frozen=True, slots=True)
class Shown(Record):
    """An explanation as a person saw it."""

    actor: str
    time: Moment
    attribution: Attribution
