"""Draws from a known model: when correlations pay, and preferences that relax."""

from functools import cache, partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from counsel.experiments.dmcl.answers import (
    chapter,
    difference,
    mean,
    outcomes,
    ratio,
    verdict,
)
from counsel.experiments.dmcl.methods import dmcl, method
from counsel.experiments.dmcl.protocol import ask_and_pull
from counsel.experiments.experiment import Experiment
from counsel.experiments.registry import registered
from counsel.experiments.regrets import interval
from counsel.experiments.report import Report
from counsel.models.multitask import Coregion
from counsel.policies.mcl import MCL
from counsel.worlds.constrained import ConstrainedWorld
from counsel.worlds.correlated import Correlated, correlated

__all__ = ["CORRELATED", "DRIFTING", "LOW", "low_rank"]

RANK_ONE, LOW, NOISY = "Rank one", "Low rank", "Low rank, noise 0.3"
_SHARED, _ALONE, _EVERYTHING = "ICM, one by one", "independent, one by one", "MCL"
_STATIC, _CONTEXT = "ICM", "ICM-CI"
_FIRST = 7000


@cache
def low_rank(noise: float, own: float, seed: int) -> Correlated:
    return correlated(_FIRST + seed, arms=15, constraints=8, rank=1, noise=noise, own=own)


class Relaxing(NamedTuple):
    """Preferences that relax: margins grow by `drift` a round."""

    world: ConstrainedWorld
    model: Coregion
    drift: np.ndarray


@cache
def relaxing(rate: float, seed: int) -> Relaxing:
    world, model = correlated(_FIRST + seed, arms=10, constraints=3, rank=1)
    return Relaxing(world, model, np.array([0.0, rate, rate, rate]))


# ---- correlations --------------------------------------------------------------------------------


def _tell_correlated(experiment: Experiment, rows: pd.DataFrame) -> Report:
    found = {world: outcomes(experiment, rows, world) for world in (RANK_ONE, LOW, NOISY)}
    answers, weaker = (
        ratio(found[w][_SHARED].answers_exploring, found[w][_ALONE].answers_exploring)
        for w in (RANK_ONE, LOW)
    )
    noisy = difference(found[NOISY][_SHARED].regret, found[NOISY][_EVERYTHING].regret)
    remarks = (
        verdict(
            "with outcomes of rank one ICM needs at most half the answers of independent processes "
            "with the same rule, in the mean", answers.value <= 0.5, f"ratio {interval(answers)}",
        ),
        verdict(
            "and still so where every outcome has a part of its own, about a third of its sd",
            weaker.value <= 0.5, f"ratio {interval(weaker)}",
        ),
        verdict(
            "with noise 0.3 ICM has less regret than MCL", noisy.high < 0.0,
            f"difference {interval(noisy)}",
        ),
    )  # fmt: skip
    chapters = tuple(chapter(world, each, _EVERYTHING) for world, each in found.items())
    return Report(remarks, chapters)


CORRELATED = registered(
    Experiment(
        name="dmcl/correlated",
        title="When correlations pay",
        mirrors="a claim of the DMCL paper, on draws from a known model",
        worlds={
            RANK_ONE: partial(low_rank, 0.05, 1e-4),
            LOW: partial(low_rank, 0.05, 0.02),
            NOISY: partial(low_rank, 0.3, 0.02),
        },
        methods=(
            method(_SHARED, dmcl(), sequential=True, known=True),
            method(_ALONE, dmcl(rank=0), sequential=True, known=True),
            method(_EVERYTHING, MCL(standardise=False), known=True),
        ),
        rounds=60,
        measure=ask_and_pull,
        tell=_tell_correlated,
        seeds=40,
        block=20,
    )
)


# ---- drifting ------------------------------------------------------------------------------------


def _label(experiment: Experiment, name: str) -> str:
    return next(method.label for method in experiment.methods if method.name == name)


def _tell_drifting(experiment: Experiment, rows: pd.DataFrame) -> Report:
    remarks: list[str] = []
    chapters = []
    notes = ("Regret and safety are counted as if nothing had drifted.",)
    for world in experiment.worlds:
        found = outcomes(experiment, rows, world)
        here = rows[rows["world"] == world]
        rounds = {
            name: here[here["method"] == _label(experiment, name)].groupby("seed")["covered"].mean()
            for name in found
        }
        static, context = (mean(rounds[name].to_numpy()) for name in (_STATIC, _CONTEXT))
        remarks += [
            verdict(f"{world}: ICM-CI keeps coverage at 95% or more", context.low >= 0.95,
                    f"{interval(context)} of the rounds"),
            verdict(f"{world}: ICM loses it", static.high < 0.95,
                    f"{interval(static)} of the rounds"),
            f"{world}: all bounds of all rounds held in {found[_CONTEXT].covered.mean():.0%} of "
            f"the runs with ICM-CI, in {found[_STATIC].covered.mean():.0%} with ICM.",
        ]  # fmt: skip
        chapters.append(chapter(world, found, _STATIC, notes))
    return Report(tuple(remarks), tuple(chapters))


DRIFTING = registered(
    Experiment(
        name="dmcl/drifting",
        title="Preferences that relax",
        mirrors="a claim of the DMCL paper about ICM-CI",
        worlds={
            "Still": partial(relaxing, 0.0),
            "Relaxing by 0.005 a round": partial(relaxing, 0.005),
            "Relaxing by 0.01 a round": partial(relaxing, 0.01),
        },
        methods=(
            method(_STATIC, dmcl(), known=True),
            method(_CONTEXT, dmcl(drifting=True), known=True),
        ),
        rounds=40,
        measure=ask_and_pull,
        tell=_tell_drifting,
        seeds=40,
        block=20,
    )
)
