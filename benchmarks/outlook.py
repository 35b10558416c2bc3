"""What an outlook promises, and what is left to gain: `python -m benchmarks.outlook`.

    python -m benchmarks.outlook                      all functions
    python -m benchmarks.outlook --only bumps2        one of them

Functions of 1 to 4 inputs in units of their sd over the box, asked for by the default policy one by
one and in batches of 8; exact, with noise that nobody reports, and with noise that is reported.
After 16 and 32 trials `study.outlook()` says how much is to be gained over the best trial, and how
likely more than a twentieth of the range is; the truth is known.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

import counsel as cs

__all__ = ["FUNCTIONS", "looks"]

Rows: TypeAlias = NDArray[np.float64]
Function: TypeAlias = Callable[[Rows], Rows]
LOOKED_AT = (16, 32)
NOISES = (0.0, 0.05, 0.2)


def _over(low: list[float], high: list[float], function: Function) -> tuple[Function, int]:
    ends = np.array(low), np.array(high)
    return (lambda u: function(ends[0] + (ends[1] - ends[0]) * u)), len(low)


def _waves(d: int, length: float, seed: int) -> tuple[Function, int]:
    """A draw of a process with heavy-tailed frequencies."""
    rng = np.random.default_rng(seed)
    w = rng.standard_normal((200, d)) / length * np.sqrt(5.0 / rng.chisquare(5, (200, 1)))
    phase, height = rng.uniform(0.0, 2.0 * np.pi, 200), rng.standard_normal(200)
    return (lambda u: np.cos(u @ w.T + phase) @ height * 0.1), d


def _bumps(d: int, seed: int) -> tuple[Function, int]:
    rng = np.random.default_rng(seed)
    at, height, width = rng.random((5, d)), rng.uniform(0.4, 1.0, 5), rng.uniform(0.15, 0.4, 5)

    def bumps(u: Rows) -> Rows:
        squares = ((u[:, None] - at) ** 2).sum(axis=-1)
        return (height * np.exp(-squares / (2.0 * width**2))).sum(axis=1)

    return bumps, d


def _booth(x: Rows) -> Rows:
    a, b = x.T
    return -((a + 2 * b - 7) ** 2 + (2 * a + b - 5) ** 2)


def _mccormick(x: Rows) -> Rows:
    a, b = x.T
    return -(np.sin(a + b) + (a - b) ** 2 - 1.5 * a + 2.5 * b + 1)


def _camel(x: Rows) -> Rows:
    a, b = x.T
    return -(2 * a**2 - 1.05 * a**4 + a**6 / 6 + a * b + b**2)


def _zakharov(x: Rows) -> Rows:
    return -((x**2).sum(axis=1) + (0.5 * x @ np.arange(1, 4)) ** 2)


def _drop(x: Rows) -> Rows:
    away = np.hypot(*x.T)
    return (1 + np.cos(6 * away)) / (0.5 * away**2 + 2)


def _gramacy(x: Rows) -> Rows:
    return -(np.sin(10 * np.pi * x[:, 0]) / (2 * x[:, 0]) + (x[:, 0] - 1) ** 4)


def _dixon(x: Rows) -> Rows:
    a, b, c = x.T
    return -((a - 1) ** 2 + 2 * (2 * b**2 - a) ** 2 + 3 * (2 * c**2 - b) ** 2)


FUNCTIONS: dict[str, tuple[Function, int]] = {
    "booth": _over([-10, -10], [10, 10], _booth),
    "mccormick": _over([-1.5, -3], [4, 4], _mccormick),
    "threehump": _over([-2, -2], [2.4, 2.4], _camel),
    "zakharov3": _over([-2] * 3, [3] * 3, _zakharov),
    "dropwave": _over([-1, -1.3], [1.5, 1], _drop),
    "gramacy1": _over([0.5], [2.5], _gramacy),
    "dixon3": _over([-2] * 3, [2] * 3, _dixon),
    "bumps3": _bumps(3, 1),
    "bumps2": _bumps(2, 7),
    "gp2": _waves(2, 0.35, 3),
    "gp3": _waves(3, 0.5, 4),
    "gp4": _waves(4, 0.7, 5),
}


def _top(function: Function, d: int) -> tuple[float, float, float]:
    """Mean, sd and the largest value over the box."""
    from scipy.optimize import minimize

    u = np.random.default_rng(0).random((20_000, d))
    y = function(u)
    starts, ends = u[np.argsort(-y)[:12]], [(0, 1)] * d
    ways = [minimize(lambda x: -function(x[None])[0], one, bounds=ends) for one in starts]
    best = [-float(way.fun) for way in ways]
    return float(y.mean()), float(y.std()), float(max(best))


def looks(name: str, noise: float, batch: int, *, told: bool) -> Iterator[tuple[float, ...]]:
    """After each count of trials: what was promised, what is left, the chance of more than a
    twentieth of the range, and whether there is more."""
    place = list(FUNCTIONS).index(name)
    function, d = FUNCTIONS[name]
    mean, sd, top = _top(function, d)
    rng = np.random.default_rng([place, int(100 * noise), batch, told])
    study = cs.create_study(cs.Space(**{f"x{i}": cs.Float(0, 1) for i in range(d)}), seed=place)
    while len(study.observations) < LOOKED_AT[-1]:
        for each in study.ask(batch):
            point = np.array([[each.values[f"x{i}"] for i in range(d)]], dtype=float)
            value = float((function(point)[0] - mean) / sd + noise * rng.standard_normal())
            study.tell(each, value, sem=noise if told else None)
        if len(study.observations) in LOOKED_AT:
            found = study.outlook()
            best = study.best
            assert best is not None
            here = np.array([[best.values[f"x{i}"] for i in range(d)]], dtype=float)
            left = (top - float(function(here)[0])) / sd
            yield found.gain, left, found.chance, float(left > found.worth)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.outlook", description=__doc__)
    parser.add_argument("--only", action="append", choices=list(FUNCTIONS), metavar="NAME")
    options = parser.parse_args()
    cells: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for name in options.only or FUNCTIONS:
        for noise in NOISES:
            for batch, told in ((1, False), (8, False), (8, True)):
                if told and not noise:
                    continue
                kind = "exact" if not noise else "reported" if told else "not reported"
                cells[f"{kind}, noise {noise:g}, batches of {batch}"] += looks(
                    name, noise, batch, told=told
                )
        print(name, flush=True)
    print("| study | outlooks | promised | left | off by | three times too much | squared error |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for cell, rows in cells.items():
        gain, left, chance, more = np.array(rows).T
        much = float((gain + 0.01 > 3.0 * (left + 0.01)).mean())
        off, squared = np.abs(gain - left).mean(), ((chance - more) ** 2).mean()
        told = f"{gain.mean():.2f} | {left.mean():.2f} | {off:.2f} | {much:.0%} | {squared:.2f}"
        print(f"| {cell} | {len(rows)} | {told} |")


if __name__ == "__main__":
    main()
