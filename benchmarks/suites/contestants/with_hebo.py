"""HEBO, asked and told; it needs an older NumPy and lives in `.venv-hebo`."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
from hebo.design_space.design_space import DesignSpace
from hebo.optimizers.hebo import HEBO

from benchmarks.suites.setting import Parameter, Point, Setting

warnings.simplefilter("ignore")


class WithHebo:
    def __init__(self, setting: Setting, seed: int) -> None:
        if setting.rows is not None or setting.constraints:
            raise ValueError("HEBO takes a box without constraints")
        import torch

        torch.manual_seed(seed)
        np.random.seed(seed)  # noqa: NPY002 - what HEBO reads
        self.names = [p.name for p in setting.parameters]
        space = DesignSpace().parse([_described(p) for p in setting.parameters])
        # The first points are there already: no more are drawn.
        self.optimizer = HEBO(space, rand_sample=2, scramble_seed=seed)

    def tell(self, point: Point, value: float, margins: list[float]) -> None:
        self.optimizer.observe(pd.DataFrame([point], columns=self.names), np.array([[value]]))

    def ask(self, count: int) -> list[Point]:
        found = self.optimizer.suggest(n_suggestions=count)[self.names]
        return [[_plain(v) for v in row] for row in found.itertuples(index=False)]


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _described(p: Parameter) -> dict[str, Any]:
    if p.kind == "choice":
        return {"name": p.name, "type": "cat", "categories": list(p.choices)}
    kind = "int" if p.kind == "whole" else "pow" if p.log else "num"
    return {"name": p.name, "type": kind, "lb": p.low, "ub": p.high}
