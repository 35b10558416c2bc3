"""How often the 95% intervals of proposals hold what is then measured.

    python -m benchmarks.coverage                     the default policy, on the reported functions
    python -m benchmarks.coverage --policy v-ucb      another one
    python -m benchmarks.coverage --raw               the default policy as its model believes
    python -m benchmarks.coverage --tuning            on those that constants were chosen on

Every function is turned and shifted at random, in 1, 2, 3 and 5 inputs, once without noise and once
with noise of a tenth of its sd over the box. An interval is about the payoff without noise, so that
is what it has to hold. First trials have no interval and do not count.
"""

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import counsel as cs

__all__ = ["REPORTED", "TUNED", "Forecast", "forecasts", "share"]

Point = NDArray[np.float64]
# Inputs, and trials of a run.
SIZES = ((1, 20), (2, 36), (3, 40), (5, 60))
NOISE = 0.1


@dataclass(frozen=True)
class Place:
    """What one instance of a function is made of, on the box [-1, 1]^d."""

    centre: Point
    turn: NDArray[np.float64]
    weights: Point
    hills: tuple[tuple[Point, float, float], ...]

    def turned(self, x: Point) -> Point:
        return np.asarray(self.turn @ (x - self.centre))

    def hilly(self, x: Point) -> float:
        """A sum of six hills of different width and height."""
        return sum(
            height * math.exp(-0.5 * float(((x - at) ** 2).mean()) / width**2)
            for at, width, height in self.hills
        )


def _place(d: int, rng: np.random.Generator) -> Place:
    q, r = np.linalg.qr(rng.standard_normal((d, d)))
    return Place(
        rng.uniform(-0.6, 0.6, d),
        q * np.sign(np.diag(r)),
        np.exp(rng.uniform(-1.0, 1.0, d)),
        tuple(
            (rng.uniform(-0.8, 0.8, d), rng.uniform(0.15, 0.6), rng.uniform(0.3, 1.0))
            for _ in range(6)
        ),
    )


Function = Callable[[Place, Point], float]


def _rms(z: Point) -> float:
    return math.sqrt(float((z**2).mean()))


def _quadratic(at: Place, x: Point) -> float:
    return -10.0 * float((at.weights * at.turned(x) ** 2).sum())


def _banana(at: Place, x: Point) -> float:
    u = 2.0 * at.turned(x) + 1.0
    if len(u) == 1:
        return -float((u[0] - 1.0) ** 2 * (2.0 + math.sin(5.0 * u[0])))
    return -float((100.0 * (u[1:] - u[:-1] ** 2) ** 2 + (1.0 - u[:-1]) ** 2).sum())


def _decades(at: Place, x: Point) -> float:
    return 10.0 ** (5.0 - 4.0 * _rms(at.turned(x)))


def _hill(at: Place, x: Point) -> float:
    narrow = math.exp(-0.5 * _rms(at.turned(x)) ** 2 / 0.15**2)
    return narrow + 0.2 * float(np.sin(3.0 * x).sum())


def _steps(at: Place, x: Point) -> float:
    z = at.turned(x)
    return -float(np.floor(6.0 * np.abs(z) * at.weights).sum()) - 0.1 * _rms(z)


def _hills(at: Place, x: Point) -> float:
    return at.hilly(x)


def _cliff(at: Place, x: Point) -> float:
    z = at.turned(x)
    return 2.0 / (1.0 + math.exp(-15.0 * float(z[0]))) - _rms(z)


def _wavy(at: Place, x: Point) -> float:
    z = at.turned(x)
    return -float((3.0 * z**2 + 1.0 - np.cos(6.0 * z)).sum())


def _ackley(at: Place, x: Point) -> float:
    z = at.turned(x)
    return 20.0 * math.exp(-_rms(z)) + math.exp(float(np.cos(4.0 * np.pi * z).mean()))


def _log_hills(at: Place, x: Point) -> float:
    return math.exp(4.0 * at.hilly(x))


def _ellipsoid(at: Place, x: Point) -> float:
    z = at.turned(x)
    return -float((10.0 ** (4.0 * np.arange(len(z)) / max(len(z) - 1, 1)) * z**2).sum())


def _power(at: Place, x: Point) -> float:
    return -float((at.weights * np.abs(at.turned(x)) ** 1.2).sum())


def _linear(at: Place, x: Point) -> float:
    return 5.0 * float((at.weights * x).sum())


def _deceptive(_: Place, x: Point) -> float:
    return float((300.0 * x * np.sin(np.sqrt(np.abs(300.0 * x + 100.0)))).sum())


TUNED: dict[str, Function] = {
    "quadratic": _quadratic,
    "banana": _banana,
    "decades": _decades,
    "hill": _hill,
    "steps": _steps,
    "hills": _hills,
    "cliff": _cliff,
}
REPORTED: dict[str, Function] = {
    "wavy": _wavy,
    "ackley": _ackley,
    "log-hills": _log_hills,
    "ellipsoid": _ellipsoid,
    "power": _power,
    "linear": _linear,
    "deceptive": _deceptive,
}


@dataclass(frozen=True)
class Forecast:
    """One interval, and whether it held; `late` if it is of the last third of its run."""

    function: str
    noisy: bool
    late: bool
    held: bool
    width: float  # as a share of the range of payoffs in the run


def forecasts(
    name: str,
    function: Function,
    d: int,
    trials: int,
    noise: float,
    seed: int,
    policy: str | None = None,
    **settings: Any,
) -> list[Forecast]:
    """The forecasts of one run."""
    rng = np.random.default_rng([seed, d, *name.encode()])
    at = _place(d, rng)
    spread = float(np.std([function(at, x) for x in rng.uniform(-1.0, 1.0, (400, d))]))
    names = [f"x{i}" for i in range(d)]
    space = cs.Space(**dict.fromkeys(names, cs.Float(-1.0, 1.0)))
    study = cs.create_study(space, policy=policy, seed=seed, **settings)
    payoffs, found = [], []
    for _ in range(trials):
        proposal = study.ask()
        payoff = function(at, np.array([proposal.values[each] for each in names], dtype=float))
        payoffs.append(payoff)
        if proposal.prediction is not None:
            found.append((proposal.prediction.interval(), payoff))
        study.tell(proposal, payoff + noise * spread * float(rng.standard_normal()))
    unit = max(np.ptp(payoffs), 1e-300)
    return [
        Forecast(
            name,
            noise > 0.0,
            i >= len(found) - len(found) // 3,
            low <= y <= high,
            (high - low) / unit,
        )
        for i, ((low, high), y) in enumerate(found)
    ]


def share(held: list[bool]) -> str:
    """A share with its 95% interval (Wilson)."""
    n, z = len(held), 1.96
    p = sum(held) / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return f"{100 * p:.1f}% [{100 * (centre - half):.1f}, {100 * (centre + half):.1f}]"


def _runs(
    policy: str | None, repeats: int, tuning: bool, settings: dict[str, Any]
) -> Iterator[list[Forecast]]:
    first = 1000 if tuning else 0
    for seed in range(first, first + repeats):
        for d, trials in SIZES:
            for name, function in (TUNED if tuning else REPORTED).items():
                for noise in (0.0, NOISE):
                    yield forecasts(name, function, d, trials, noise, seed, policy, **settings)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--policy", help="a named policy; without it the default")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--tuning", action="store_true")
    parser.add_argument("--raw", action="store_true", help="without calibration")
    given = parser.parse_args()
    settings = {"calibrated": False} if given.raw else {}
    runs = _runs(given.policy, given.repeats, given.tuning, settings)
    made = [each for run in runs for each in run]
    print("| function | without noise | with noise | last third | median width |")
    print("|---|---|---|---|---|")
    for name in [*dict.fromkeys(each.function for each in made), "all"]:
        some = [each for each in made if name in (each.function, "all")]
        cells = [
            share([each.held for each in some if not each.noisy]),
            share([each.held for each in some if each.noisy]),
            share([each.held for each in some if each.late]),
            f"{100 * float(np.median([each.width for each in some])):.2g}%",
        ]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
