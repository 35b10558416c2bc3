"""Maps of the payoffs and of the output weight after the last round, beside the regrets.

A map shows one run of LW-UCB: its pulls are in the results, so the posterior after the last of them
is fitted again and its weight drawn at every arm.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import plotly.graph_objects as go
from jaxtyping import Array, Float, Int
from plotly.subplots import make_subplots

from counsel.acquisition.output_weighted import WeightedBound
from counsel.acquisition.terms import Acquisition, Round
from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.loop import Fitting, believe, first_theta
from counsel.experiments.pulls import surrogate
from counsel.experiments.regrets import Comparison, tell_regrets
from counsel.experiments.report import Report
from counsel.models.compiling import compiled
from counsel.models.gp import Data
from counsel.models.kernels import Kernel, Prior
from counsel.plots._style import INK, TEMPLATE, text
from counsel.worlds import World

__all__ = ["weight_after", "with_maps"]

# Of which seeds maps are drawn, where every seed has a world of its own; else of the first alone.
_SHOWN = (0, 1)


def with_maps(experiment: Experiment, rows: pd.DataFrame, comparison: Comparison) -> Report:
    """The report on regrets, and a map of the first champion's run for every fit."""
    report = tell_regrets(experiment, rows, comparison)
    chapters = []
    for chapter in report.chapters:
        world = chapter.title
        methods = [
            method
            for group in experiment.groups
            for method in experiment.members(group)
            if method.name == comparison.champions[world][0]
        ]
        build = experiment.worlds[world]
        seeds = _SHOWN if build(0) is not build(1) and 1 in set(rows["seed"]) else _SHOWN[:1]
        figures = [_map(world, rows, m, build(seed), seed) for m in methods for seed in seeds]
        chapters.append(replace(chapter, figures=(*chapter.figures, *figures)))
    return Report(report.remarks, tuple(chapters))


def weight_after(
    method: Method, world: str, shown: World, arms: Sequence[int], payoffs: Sequence[float]
) -> Float[np.ndarray, " M"]:
    """w at every arm, after these pulls (payoffs turned to maximisation)."""
    points = shown.arms.points
    data = Data.padded(points[np.asarray(arms)], np.asarray(payoffs, dtype=np.float64))
    rule, count = method.acquisition_in(world), np.asarray(len(arms))
    return np.asarray(_weights(rule, surrogate(shown.arms), method.prior, points, data, count))


@compiled()
def _weights(
    acquisition: Acquisition,
    like: Kernel,
    prior: Prior | Fitting,
    points: Float[Array, "M d"],
    data: Data,
    count: Int[Array, ""],
) -> Float[Array, " M"]:
    key = jax.random.key(0)
    belief, _ = believe(prior, like, data, count, key, first_theta(like))
    size, chosen = points.shape
    round = Round(jnp.asarray(0), count, float(size), points, chosen=chosen, finite=True)
    score = acquisition.score(belief, round)
    assert isinstance(score, WeightedBound)
    return score.weight(points)


def _map(world: str, rows: pd.DataFrame, method: Method, shown: World, seed: int) -> go.Figure:
    mine = (rows["world"] == world) & (rows["method"] == method.label) & (rows["seed"] == seed)
    run = rows[mine].sort_values("pull")
    arms = run["arm"].to_numpy()
    weight = weight_after(method, world, shown, arms.tolist(), run["payoff"].tolist())
    rounds = len(arms)
    figure = make_subplots(1, 2, subplot_titles=("payoff", f"w after {rounds} pulls"))
    places = np.array([list(arm.values()) for arm in shown.arms], dtype=np.float64)
    for column, values, scale in ((1, shown.payoffs, "Viridis"), (2, weight, "Reds")):
        bar = {"x": 0.44 if column == 1 else 1.0, "thickness": 10, "len": 0.9}
        figure.add_trace(_field(places, values, scale, bar), 1, column)
        figure.add_scatter(
            x=places[arms, 0],
            y=places[arms, 1],
            mode="markers",
            marker={"size": 5, "color": "white", "line": {"width": 1, "color": INK}},
            hoverinfo="skip",
            showlegend=False,
            row=1,
            col=column,
        )
    name = shown.name if shown.name != world else world
    title = text(f"{method.name}, {method.group}: {world} ({name}), seed {seed}")
    figure.update_layout(template=TEMPLATE, title={"text": title, "font": {"size": 15}}, height=400)
    return figure


def _field(
    places: Float[np.ndarray, "M 2"],
    values: Float[np.ndarray, " M"],
    scale: str,
    bar: dict[str, float],
) -> go.Heatmap | go.Scatter:
    """A heat map where the arms lie on a grid, coloured dots elsewhere."""
    x, y = np.unique(places[:, 0]), np.unique(places[:, 1])
    rounded = [_short(value) for value in values]
    if len(x) * len(y) > 2 * len(values):
        marker = {"size": 16, "color": rounded, "colorscale": scale, "colorbar": bar}
        return go.Scatter(
            x=places[:, 0], y=places[:, 1], mode="markers", marker=marker, showlegend=False
        )
    grid: list[list[float | None]] = [[None] * len(x) for _ in y]
    for place, value in zip(places, rounded, strict=True):
        grid[int(np.searchsorted(y, place[1]))][int(np.searchsorted(x, place[0]))] = value
    return go.Heatmap(x=x, y=y, z=grid, colorscale=scale, colorbar=bar)


def _short(value: float) -> float:
    """Three figures: a page of maps stays small."""
    if value == 0.0 or not math.isfinite(value):
        return 0.0
    return float(f"{value:.3g}")
