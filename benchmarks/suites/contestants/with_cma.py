"""CMA-ES from the best of the first points, for boxes of numbers without constraints."""

import cma
import numpy as np

from benchmarks.suites.setting import Point, Points, Setting

STEP = 0.25


class WithCma:
    """A population is told once all of it was measured."""

    def __init__(self, setting: Setting, seed: int) -> None:
        if setting.rows is not None or setting.constraints:
            raise ValueError("CMA-ES takes a box without constraints")
        self.setting, self.seed = setting, seed
        self.start: list[tuple[float, Points]] = []
        self.strategy: cma.CMAEvolutionStrategy | None = None
        self.waiting: list[Points] = []
        self.asked: list[tuple[str, Points]] = []
        self.told: list[tuple[Points, float]] = []

    def tell(self, point: Point, value: float, margins: list[float]) -> None:
        own = next((i for i, (text, _) in enumerate(self.asked) if text == repr(point)), None)
        if own is None:
            self.start.append((value, self.setting.encode(point)))
            return
        self.told.append((self.asked.pop(own)[1], value))
        assert self.strategy is not None
        if len(self.told) == self.strategy.popsize:
            self.strategy.tell([x for x, _ in self.told], [y for _, y in self.told])
            self.told = []

    def ask(self, count: int) -> list[Point]:
        if self.strategy is None:
            best = min(self.start, key=lambda pair: pair[0])[1]
            settings = {"bounds": [0.0, 1.0], "seed": self.seed + 1, "verbose": -9}
            self.strategy = cma.CMAEvolutionStrategy(best, STEP, settings)
        points: list[Point] = []
        for _ in range(count):
            if not self.waiting:
                self.waiting = list(self.strategy.ask())
            vector = np.asarray(self.waiting.pop(0))
            point = self.setting.decode(vector)
            self.asked.append((repr(point), vector))
            points.append(point)
        return points
