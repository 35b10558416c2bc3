"""scikit-optimize: `Optimizer` with its defaults, which hedge between three acquisitions."""

import warnings
from typing import Any

from skopt import Optimizer
from skopt.space import Categorical, Integer, Real

from benchmarks.suites.setting import Parameter, Point, Setting

# It says so whenever it is asked for a point that it has seen.
warnings.filterwarnings("ignore", message="The objective has been evaluated")


class WithSkopt:
    """The first points are told, so none are drawn; batches are its constant liar's."""

    def __init__(self, setting: Setting, seed: int) -> None:
        if setting.rows is not None or setting.constraints:
            raise ValueError("scikit-optimize takes a box without constraints")
        self.optimizer = Optimizer(
            [_dimension(p) for p in setting.parameters],
            n_initial_points=1,
            random_state=seed,
        )
        self.told: list[tuple[list[Any], float]] = []

    def tell(self, point: Point, value: float, margins: list[float]) -> None:
        assert not isinstance(point, int)
        self.told.append((point, value))

    def ask(self, count: int) -> list[Point]:
        # Told together, they cost one fit.
        self.optimizer.tell([x for x, _ in self.told], [y for _, y in self.told])
        self.told = []
        asked = self.optimizer.ask(n_points=count) if count > 1 else [self.optimizer.ask()]
        return [[getattr(value, "item", lambda v=value: v)() for value in x] for x in asked]


def _dimension(p: Parameter) -> Any:
    prior = "log-uniform" if p.log else "uniform"
    if p.kind == "choice":
        return Categorical(list(p.choices), name=p.name)
    if p.kind == "whole":
        return Integer(int(p.low), int(p.high), prior=prior, name=p.name)
    return Real(p.low, p.high, prior=prior, name=p.name)
