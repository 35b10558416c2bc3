"""Uniform draws: what everybody should beat."""

import numpy as np

from benchmarks.suites.setting import Point, Setting


class WithRandom:
    """Over a table, rows that were not drawn yet."""

    def __init__(self, setting: Setting, seed: int) -> None:
        self.setting = setting
        self.rng = np.random.default_rng([seed, 1])
        self.seen: set[int] = set()

    def tell(self, point: Point, value: float, margins: list[float]) -> None:
        if isinstance(point, int):
            self.seen.add(point)

    def ask(self, count: int) -> list[Point]:
        if self.setting.rows is None:
            return self.setting.draw(self.rng, count)
        left = np.setdiff1d(np.arange(len(self.setting.rows)), list(self.seen))
        return [int(i) for i in self.rng.choice(left, count, replace=False)]
