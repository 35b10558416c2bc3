"""BayBE: a campaign with its default recommender.

Choices are one-hot parameters, whole numbers discrete ones; a table is the search space itself. Log
scales are put into the bounds: BayBE has none. It has no outcome constraints either. Trials of
another task are measurements with another value of a `TaskParameter`.
"""

import warnings
from typing import Any

import numpy as np
import pandas as pd
from baybe import Campaign
from baybe.objectives import SingleTargetObjective
from baybe.parameters import (
    CategoricalParameter,
    NumericalContinuousParameter,
    NumericalDiscreteParameter,
    TaskParameter,
)
from baybe.searchspace import SearchSpace
from baybe.targets import NumericalTarget

from benchmarks.suites.setting import Parameter, Point, Setting

warnings.simplefilter("ignore")

VALUE = "value"
TASK, BEFORE, HERE = "task", "before", "here"


class WithBaybe:
    def __init__(self, setting: Setting, seed: int) -> None:
        if setting.constraints:
            raise ValueError("BayBE takes no outcome constraints")
        import torch

        torch.manual_seed(seed)
        np.random.seed(seed)  # noqa: NPY002 - what BayBE's samplers read
        self.setting = setting
        self.names = [p.name for p in setting.parameters]
        self.task: dict[str, str] = {}
        self.campaign = self._campaign()

    def _campaign(self) -> Campaign:
        return Campaign(
            searchspace=self._space(),
            objective=SingleTargetObjective(NumericalTarget(VALUE, minimize=True)),
        )

    def past(self, point: Point, value: float, margins: list[float]) -> None:
        if not self.task:
            self.task = {TASK: HERE}
            self.campaign = self._campaign()
        self._add(point, value, {TASK: BEFORE})

    def tell(self, point: Point, value: float, margins: list[float]) -> None:
        self._add(point, value, self.task)

    def _add(self, point: Point, value: float, task: dict[str, str]) -> None:
        row = dict(zip(self.names, self._inside(point), strict=True))
        self.campaign.add_measurements(pd.DataFrame([{**row, **task, VALUE: value}]))

    def ask(self, count: int) -> list[Point]:
        found = self.campaign.recommend(batch_size=count)[self.names]
        return [self._outside(row) for row in found.itertuples(index=False)]

    def _space(self) -> SearchSpace:
        parameters = self.setting.parameters
        if self.setting.rows is None:
            tasks = (
                [TaskParameter(TASK, (BEFORE, HERE), active_values=(HERE,))] if self.task else []
            )
            return SearchSpace.from_product([*(_parameter(p) for p in parameters), *tasks])
        table = pd.DataFrame(list(self.setting.rows), columns=self.names)
        self.numbers = {row: i for i, row in enumerate(self.setting.rows)}
        return SearchSpace.from_dataframe(
            table, [_column(p, table[p.name].unique()) for p in parameters]
        )

    def _inside(self, point: Point) -> list[Any]:
        if isinstance(point, int):
            assert self.setting.rows is not None
            return list(self.setting.rows[point])
        pairs = zip(self.setting.parameters, point, strict=True)
        return [float(np.log(value)) if p.log else value for p, value in pairs]

    def _outside(self, row: Any) -> Point:
        if self.setting.rows is not None:
            return self.numbers[tuple(row)]
        values: list[Any] = []
        for p, value in zip(self.setting.parameters, row, strict=True):
            if p.kind == "choice":
                values.append(value)
            elif p.kind == "whole":
                values.append(round(float(value)))
            else:
                number = float(np.exp(value)) if p.log else float(value)
                values.append(min(max(number, p.low), p.high))
        return values


def _parameter(p: Parameter) -> Any:
    if p.kind == "choice":
        return CategoricalParameter(p.name, p.choices)
    if p.kind == "whole":
        return NumericalDiscreteParameter(p.name, range(int(p.low), int(p.high) + 1))
    low, high = (np.log(p.low), np.log(p.high)) if p.log else (p.low, p.high)
    return NumericalContinuousParameter(p.name, (float(low), float(high)))


def _column(p: Parameter, values: Any) -> Any:
    if p.kind == "choice":
        return CategoricalParameter(p.name, p.choices)
    return NumericalDiscreteParameter(p.name, sorted(float(value) for value in values))
