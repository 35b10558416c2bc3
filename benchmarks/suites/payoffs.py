"""Worlds in which few points pay much: what rules for extreme payoffs are for.

Reported families: log-normal fields, narrow hills, heavy-tailed sums, and the real tables whose
payoff has a skewness above 1. Settings are chosen on others: resonances, ridges, powers of fields,
and parts of the same tables (a weak split).

The gap of a run is the share of the largest payoff that it missed; over a table, as in `tables`,
the share of rows that pay more.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np
from scipy.optimize import minimize

from benchmarks.suites import tables
from benchmarks.suites.setting import Parameter, Point, Points, Setting
from benchmarks.suites.world import Reading, World

FIRST, TRIALS = 5, 40
# What is nearer to the largest payoff than this share of it counts as found.
LEAST = 1e-6
# Of the tables of `tables`: hplc has 1.7, alkox 3.8, no other is above 0.6.
SKEWED = ("hplc", "alkox")
TUNING = 1000

# From points (n, d) of the unit cube to payoffs (n,).
Payoff = Callable[[Points], Points]


def worlds(repeats: int, tuning: bool) -> Iterator[World]:
    """One instance of every family after the other; tables share their repeats."""
    families = TUNED if tuning else REPORTED
    first = TUNING if tuning else 0
    skewed = {name: tables.part(name) if tuning else tables.whole(name) for name in SKEWED}
    for number in range(first, first + repeats):
        for name, (dimension, build) in families.items():
            yield _world(name, dimension, build, number)
        table = SKEWED[number % len(SKEWED)]
        yield replace(
            tables.world(table, skewed[table]),
            name=f"payoffs-{table}{'-part' if tuning else ''}-i{number:03d}",
            group="skewed tables",
        )


# ---- reported ------------------------------------------------------------------------------------


def log_normal_field(rng: np.random.Generator) -> Payoff:
    """exp(1.5 z) of a random field z with sd 1 and length-scale 0.15."""
    z = _field(rng, 2, 0.15)
    return lambda x: np.exp(1.5 * z(x))


def narrow_hills(rng: np.random.Generator) -> Payoff:
    """Six hills between 0.04 and 0.25 wide, on average the higher the narrower."""
    centres = rng.uniform(size=(6, 2))
    widths = 0.04 * (0.25 / 0.04) ** rng.uniform(size=6)
    heights = rng.uniform(0.7, 1.3, size=6) / widths
    return lambda x: np.exp(-0.5 * _squares(x, centres) / widths**2) @ heights


def heavy_tailed_sum(rng: np.random.Generator) -> Payoff:
    """Forty Matern bumps in 3 inputs, whose heights have a Pareto tail of index 1.1."""
    centres = rng.uniform(size=(40, 3))
    heights = rng.uniform(size=40) ** (-1.0 / 1.1)

    def payoff(x: Points) -> Points:
        r = np.sqrt(5.0 * _squares(x, centres)) / 0.3
        return ((1.0 + r + r**2 / 3.0) * np.exp(-r)) @ heights

    return payoff


# ---- for tuning ----------------------------------------------------------------------------------


def resonances(rng: np.random.Generator) -> Payoff:
    """Five Lorentz peaks between 0.03 and 0.2 wide."""
    centres = rng.uniform(size=(5, 2))
    widths = 0.03 * (0.2 / 0.03) ** rng.uniform(size=5)
    heights = rng.uniform(0.5, 1.5, size=5) / widths
    return lambda x: (1.0 / (1.0 + _squares(x, centres) / widths**2)) @ heights


def ridge(rng: np.random.Generator) -> Payoff:
    """A narrow ridge across 2 inputs with one top, above a gentle slope."""
    top, angle = rng.uniform(0.1, 0.9, size=2), rng.uniform(0.0, np.pi)
    along, across = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])

    def payoff(x: Points) -> Points:
        u, v = (x - top) @ along, (x - top) @ across
        return np.exp(-0.5 * (u / 0.4) ** 2) * (0.05 + np.exp(-0.5 * (v / 0.06) ** 2))

    return payoff


def power_of_field(rng: np.random.Generator) -> Payoff:
    """Fourth power of what a random field in 3 inputs has above -2."""
    z = _field(rng, 3, 0.3)
    return lambda x: np.maximum(z(x) + 2.0, 0.0) ** 4


REPORTED = {
    "log-normal fields": (2, log_normal_field),
    "narrow hills": (2, narrow_hills),
    "heavy-tailed sums": (3, heavy_tailed_sum),
}
TUNED = {
    "resonances": (2, resonances),
    "ridges": (2, ridge),
    "powers of fields": (3, power_of_field),
}


def _field(rng: np.random.Generator, dimension: int, length: float, features: int = 256) -> Payoff:
    """A draw of a Gaussian process with squared-exponential kernel, by random features."""
    frequencies = rng.normal(size=(dimension, features)) / length
    phases = rng.uniform(0.0, 2.0 * np.pi, size=features)
    weights = rng.normal(size=features) * np.sqrt(2.0 / features)
    return lambda x: np.cos(x @ frequencies + phases) @ weights


def _squares(x: Points, centres: Points) -> Points:
    return ((x[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)


def _world(
    family: str, dimension: int, build: Callable[[np.random.Generator], Payoff], number: int
) -> World:
    payoff = build(np.random.default_rng([number, dimension, len(family)]))
    # Lazily: a process that plays one contestant looks at no world before its turn.
    best = cache(lambda: _largest(payoff, dimension))

    def start(seed: int) -> Callable[[Point], Reading]:
        return lambda point: Reading(-float(payoff(np.asarray(point, dtype=float)[None, :])[0]))

    return World(
        name=f"payoffs-{family.replace(' ', '-')}-i{number:03d}",
        group=family,
        setting=Setting(tuple(Parameter(f"x{j}", "real") for j in range(dimension))),
        open=start,
        gap=lambda worth: max((best() + worth) / best(), LEAST),
        first=FIRST,
        trials=TRIALS,
    )


def _largest(payoff: Payoff, dimension: int) -> float:
    """The largest payoff: of a fine grid, refined from its twenty best points."""
    side = np.linspace(0.0, 1.0, {2: 301, 3: 61}[dimension])
    grid = np.stack(np.meshgrid(*[side] * dimension), axis=-1).reshape(-1, dimension)
    values = np.concatenate([payoff(some) for some in np.array_split(grid, 40)])
    tops = grid[np.argsort(values)[-20:]]
    found = [
        minimize(lambda x: -payoff(x[None, :])[0], top, bounds=[(0.0, 1.0)] * dimension).fun
        for top in tops
    ]
    return float(max(values.max(), -min(found)))
