"""Measured regret and violation beside the theorems' bounds, on draws from a known model.

`dmcl.guarantees` computes the theorems' bounds. Notes on the theory. Lemma 3's middle step is false
as printed; what follows from x in S or U is u_i(x) >= 0, hence a violation of at most u_i - l_i.
Lemma 2 needs the best arm in S. The bound on violations fails for constraints that are never asked
about.
"""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from counsel.experiments.dmcl.answers import (
    Outcome,
    chapter,
    difference,
    mean,
    outcomes,
    ratio,
    verdict,
)
from counsel.experiments.dmcl.guarantees import Guarantee, guarantee
from counsel.experiments.dmcl.methods import dmcl, method
from counsel.experiments.dmcl.protocol import ask_and_pull
from counsel.experiments.experiment import Experiment
from counsel.experiments.registry import registered
from counsel.experiments.regrets import interval, short
from counsel.experiments.report import Chapter, Report, Table
from counsel.experiments.statistics import growth
from counsel.models.multitask import Coregion
from counsel.policies.mcl import MCL
from counsel.worlds.constrained import ConstrainedWorld
from counsel.worlds.correlated import Correlated, correlated

__all__ = ["BOUNDS", "CORRELATED", "DRIFTING"]

RANK_ONE, LOW, NOISY = "Rank one", "Low rank", "Low rank, noise 0.3"
_SHARED, _ALONE, _IMPUTED, _EVERYTHING = (
    "ICM, one by one", "independent, one by one", "ICM, imputing", "MCL",
)  # fmt: skip
_STATIC, _CONTEXT = "ICM", "ICM-CI"
_FIRST, _DELTA = 7000, 0.1


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


# ---- bounds --------------------------------------------------------------------------------------


def _tell_bounds(experiment: Experiment, rows: pd.DataFrame) -> Report:
    found = outcomes(experiment, rows, LOW)
    lines, remarks = [], []
    for name, outcome in found.items():
        mine = rows[rows["method"] == experiment.method(_label(experiment, name)).label]
        violation = mine.pivot(index="seed", columns="round", values="violation").to_numpy()
        width = mine.pivot(index="seed", columns="round", values="width").to_numpy()
        worst = mine.pivot(index="seed", columns="round", values="worst").to_numpy()
        kept = float((worst <= width + 1e-9).mean())
        total, bound = np.cumsum(violation, axis=1), np.cumsum(width, axis=1)
        lines.append(
            (
                name,
                f"{outcome.covered.mean():.0%}",
                interval(mean(total[:, -1])),
                interval(mean(worst.sum(axis=1))),
                short(float(bound[:, -1].mean())),
                f"{kept:.1%}",
                short(growth(outcome.curves)),
                short(growth(total)),
            )
        )
    columns = (
        "method", "all bounds held", "violation (3)", "of the worst constraint", "sum of widths",
        "rounds within it",
        "growth of regret", "of violation",
    )  # fmt: skip
    note = (
        "The widest bound of a round bounds the violation of its worst constraint. Growth: the "
        "power of t. Where nothing is violated any more it is 0."
    )
    table = Table("Bounds and what was measured", columns, tuple(lines), note)
    for name in (_SHARED, _EVERYTHING):
        covered = float(found[name].covered.mean())
        remarks.append(
            verdict(
                f"{name}: with the Bayesian beta all bounds hold in {1 - _DELTA:.0%} or more",
                covered >= 1.0 - _DELTA,
                f"{covered:.1%}",
            )
        )
        power = growth(found[name].curves)
        flat = bool(power < 1.0) or not np.isfinite(power)
        remarks.append(verdict(f"{name}: regret is sublinear", flat, f"t to the {short(power)}"))
    collapsed = float(found[_IMPUTED].covered.mean())
    remarks.append(
        verdict("filling in what was not asked keeps the bounds", collapsed >= 1.0 - _DELTA,
                f"all held in {collapsed:.1%} of the runs")
    )  # fmt: skip
    seeds = sorted(set(rows["seed"]))
    built = [experiment.worlds[LOW](int(seed)) for seed in seeds]
    each = [guarantee(one.world, one.model, experiment.rounds, _DELTA) for one in built]
    promised = _promised(each, experiment.rounds, found)
    for name in (_SHARED, _EVERYTHING):
        bound = np.array([g.bound for g in each])
        share = float((found[name].regret / bound).max())
        remarks.append(
            verdict(
                f"{name}: regret stays below the bound of the theorems, run by run",
                share <= 1.0,
                f"at most {share:.1%} of it",
            )
        )
    chapters = (Chapter("Bounds", (table, promised)), chapter(LOW, found, _EVERYTHING))
    return Report(tuple(remarks), chapters)


def _promised(each: Sequence[Guarantee], rounds: int, found: Mapping[str, Outcome]) -> Table:
    """What the theorems guarantee of these instances, beside the largest that was measured."""
    values = [
        ("information gain γ_T", [g.information for g in each]),
        ("norm of the truth B", [g.norm for g in each]),
        ("β_T of the theorems", [g.beta for g in each]),
        ("their bound on regret, and on a violation", [g.bound for g in each]),
        ("the same with the square root of β_T", [g.rooted for g in each]),
        ("β_T of Srinivas et al., Theorem 3", [g.agnostic for g in each]),
        ("their bound, with the square root of that β_T", [g.agnostic_bound for g in each]),
        ("the same with that β_T itself", [g.agnostic_plain for g in each]),
    ]
    lines = [(name, short(float(np.mean(of))), short(float(np.max(of)))) for name, of in values]
    for name in (_SHARED, _EVERYTHING):
        regret, violation = found[name].regret, found[name].violations
        lines.append((f"{name}: regret", short(regret.mean()), short(regret.max())))
        lines.append((f"{name}: violation (3)", short(violation.mean()), short(violation.max())))
    note = (
        f"{len(each)} instances, {rounds} rounds, δ = {_DELTA:g}. In the usual form of "
        "such theorems, with the usual constants: see `dmcl.guarantees`. The paper's own (15) to "
        "(17) and (21) could not be looked up; of (15) only its size is known, about 1e7, which "
        "that of Srinivas et al. has, too. It certifies nothing and makes the bound on regret "
        "larger than any regret can be. The proof takes the square root of β_T where Lemma 1 "
        "multiplies by β_T itself."
    )
    return Table("Theorems 1 and 2", ("", "mean", "largest"), tuple(lines), note)


def _label(experiment: Experiment, name: str) -> str:
    return next(method.label for method in experiment.methods if method.name == name)


BOUNDS = registered(
    Experiment(
        name="dmcl/bounds",
        title="Regret, violation and their bounds",
        mirrors="Theorems 1 and 2 of the DMCL paper",
        worlds={LOW: partial(low_rank, 0.05, 0.02)},
        methods=(
            method(_SHARED, dmcl(), sequential=True, known=True),
            method(_IMPUTED, dmcl(imputing=True), known=True),
            method(_EVERYTHING, MCL(standardise=False), known=True),
        ),
        rounds=100,
        measure=ask_and_pull,
        tell=_tell_bounds,
        seeds=40,
        block=20,
    )
)


# ---- drifting ------------------------------------------------------------------------------------


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
