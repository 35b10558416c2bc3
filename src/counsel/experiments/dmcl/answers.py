"""Reports an experiment with questions: regret, answers, safety; verdicts made from numbers."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float

from counsel.experiments.experiment import Experiment
from counsel.experiments.figures import cumulative_figure
from counsel.experiments.regrets import interval, short
from counsel.experiments.report import Chapter, Table
from counsel.experiments.statistics import Interval, growth, paired

__all__ = ["Outcome", "chapter", "difference", "mean", "outcomes", "ratio", "verdict"]

Values = Float[np.ndarray, " B"]


class Outcome(NamedTuple):
    """One method in one world, a number for every seed."""

    curves: Float[np.ndarray, "B T"]
    answers: Values
    answers_exploring: Values
    explored: Values
    unsafe_exploring: Values
    unsafe_optimising: Values
    found: Values
    covered: Values
    settled: Values  # the round from which the advice stays
    converged: Values  # the round from which it is the best arm; T + 1 if never
    optimising: Values  # regret of the rounds that do not explore
    violations: Values  # (3): how far margins were missed, summed over constraints and rounds
    wrong: Values  # whether an unsafe arm is certified in the end; NaN where that was not kept

    @property
    def regret(self) -> Values:
        return self.curves[:, -1]


def outcomes(experiment: Experiment, rows: pd.DataFrame, world: str) -> dict[str, Outcome]:
    """Every method's outcome, by its name."""
    found = {}
    for method in experiment.methods:
        mine = rows[(rows["world"] == world) & (rows["method"] == method.label)]

        def table(column: str, mine: pd.DataFrame = mine) -> np.ndarray:
            values = mine.pivot(index="seed", columns="round", values=column)
            return values.to_numpy(dtype=np.float64)

        exploring, unsafe, asked = table("exploring"), table("unsafe"), table("asked")
        advised = table("advised")
        changed = np.argmax((advised != advised[:, -1:])[:, ::-1], axis=1)
        never = (advised == advised[:, -1:]).all(axis=1)
        found[method.name] = Outcome(
            np.cumsum(table("regret"), axis=1),
            asked.sum(axis=1),
            (asked * exploring).sum(axis=1),
            exploring.sum(axis=1),
            (unsafe * exploring).sum(axis=1),
            (unsafe * (1.0 - exploring)).sum(axis=1),
            table("found")[:, -1],
            table("covered").min(axis=1),
            np.where(never, 1.0, advised.shape[1] - changed + 1.0),
            _since(table("found")),
            (table("regret") * (1.0 - exploring)).sum(axis=1),
            table("violation").sum(axis=1),
            table("wrong")[:, -1] if "wrong" in mine else np.full(len(advised), np.nan),
        )
    return found


def _since(found: Float[np.ndarray, "B T"]) -> Values:
    """The round from which something holds: 1 if always, T + 1 if it does not hold at the end."""
    failed = found < 0.5
    last = found.shape[1] - np.argmax(failed[:, ::-1], axis=1)
    return np.where(failed.any(axis=1), last + 1.0, 1.0)


def mean(values: Values) -> Interval:
    """A mean with its 95% interval, by bootstrap over seeds."""
    return paired(values, np.zeros_like(values)).mean


def difference(first: Values, second: Values) -> Interval:
    """Mean paired difference, first less second."""
    return paired(first, second).mean


def ratio(first: Values, second: Values) -> Interval:
    """mean(first) / mean(second), seeds resampled in pairs."""
    rng = np.random.default_rng(20_240_101)
    rows = rng.integers(0, len(first), (10_000, len(first)))
    below = np.maximum(second[rows].mean(axis=1), 1e-300)
    low, high = np.quantile(first[rows].mean(axis=1) / below, [0.025, 0.975])
    return Interval(float(first.mean() / max(second.mean(), 1e-300)), float(low), float(high))


def verdict(claim: str, holds: bool, numbers: str) -> str:
    return f"{'Holds' if holds else 'Does not hold'}: {claim} ({numbers})."


def chapter(
    title: str, found: Mapping[str, Outcome], rival: str, notes: Sequence[str] = ()
) -> Chapter:
    """A world's tables and its curves; differences are those to `rival`."""
    curves = {name: outcome.curves for name, outcome in found.items()}
    return Chapter(
        title,
        (_table(title, found, notes), _differences(title, found, rival)),
        (cumulative_figure(f"Regret: {title}", curves),),
    )


def _table(title: str, found: Mapping[str, Outcome], notes: Sequence[str]) -> Table:
    rows = []
    for name, outcome in found.items():
        rows.append(
            (
                name,
                interval(mean(outcome.regret)),
                interval(mean(outcome.optimising)),
                short(float(growth(outcome.curves))),
                interval(mean(outcome.answers_exploring)),
                short(float(outcome.answers.mean())),
                short(float(outcome.explored.mean())),
                f"{outcome.found.mean():.0%}",
                short(float(outcome.unsafe_exploring.mean())),
                interval(mean(outcome.unsafe_optimising)),
                short(float(outcome.violations.mean())),
                f"{outcome.covered.mean():.0%}",
                "–" if np.isnan(outcome.wrong).any() else f"{outcome.wrong.mean():.0%}",
            )
        )
    seeds = len(next(iter(found.values())).answers)
    note = (
        f"{seeds} instances. Means, in brackets 95% intervals (bootstrap). The regret of an unsafe "
        "pull is r* - min r; it grows about as t to the power in “growth”. “Covered”: all bounds "
        "of all rounds held."
    )
    columns = (
        "method",
        "regret",
        "while optimising",
        "growth",
        "answers while exploring",
        "answers in all",
        "rounds exploring",
        "best arm found",
        "unsafe pulls exploring",
        "unsafe pulls optimising",
        "violation (3)",
        "covered",
        "unsafe arm certified",
    )
    return Table(title, columns, tuple(rows), " ".join([note, *notes]))


def _differences(title: str, found: Mapping[str, Outcome], rival: str) -> Table:
    base = found[rival]
    rows = [
        (
            f"{name} less {rival}",
            interval(difference(outcome.regret, base.regret)),
            interval(difference(outcome.answers_exploring, base.answers_exploring)),
            interval(ratio(outcome.regret, base.regret)),
            interval(ratio(outcome.answers_exploring, base.answers_exploring)),
        )
        for name, outcome in found.items()
        if name != rival
    ]
    columns = ("methods", "regret", "answers while exploring", "ratio of regrets", "of answers")
    return Table(
        f"Paired differences: {title}",
        columns,
        tuple(rows),
        "Same instances and noise, seed by seed; 95% intervals by bootstrap over seeds.",
    )
