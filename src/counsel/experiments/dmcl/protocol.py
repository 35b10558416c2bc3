"""Runs a policy that asks on a block of instances, and says what is kept of every round.

Instances and noise come from the seed alone and are the same for every method: runs are paired.
Regret is r* - r(x) where x is truly safe, else r* - min r, so an unsafe arm never counts as a gain;
unsafe pulls are reported beside it, those of exploration and those of optimisation apart.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
import pandas as pd

from counsel.experiments.asking import Instances, Runs, run_asking
from counsel.experiments.dmcl.linear import run_linear
from counsel.experiments.dmcl.studies import Played, play_blocks
from counsel.experiments.experiment import Experiment, Method
from counsel.models.multitask import Coregion, default
from counsel.policies.acol import ACOL
from counsel.policies.dmcl import DMCL
from counsel.worlds.constrained import ConstrainedWorld

__all__ = ["Asking", "ask_and_pull", "believed", "instances_of"]

_NOISE_STREAM = 1
# The threshold of an aggregate is set this far above what would let an unsafe arm pass.
_CLEAR = 0.02


@dataclass(frozen=True, eq=False)
class Asking:
    """A policy, and how it is run.

    `sequential` asks one question after the other; `fitted` refits the hyper-parameters as a study
    does, else they stay those of the prior (or, with `known`, of the truth); `cleared` gives ACL
    and ACOL the least threshold that no unsafe arm of the instance passes: nobody would know it.
    """

    policy: Any
    sequential: bool = False
    fitted: bool = True
    known: bool = False
    cleared: bool = False


def ask_and_pull(experiment: Experiment, world: str, method: Method, seeds: range) -> pd.DataFrame:
    """One row per seed and round."""
    asking = method.acquisition_in(world)
    if isinstance(asking, Played):
        return play_blocks(experiment, world, method, seeds)
    assert isinstance(asking, Asking)
    built = [experiment.worlds[world](seed) for seed in seeds]
    worlds = [getattr(each, "world", each) for each in built]
    drift = [getattr(each, "drift", None) for each in built]
    instances = instances_of(worlds, experiment.rounds_in(world), seeds, drift)
    models = [each.model for each in built] if asking.known else None
    runs = _run(asking, instances, worlds, models)
    return _rows(runs, worlds, instances, seeds)


def instances_of(
    worlds: list[ConstrainedWorld], rounds: int, seeds: range, drift: list[Any] | None = None
) -> Instances:
    outputs = len(worlds[0].payoffs)
    noise = [
        np.random.default_rng([seed, _NOISE_STREAM]).normal(0.0, world.noise, (rounds, outputs))
        for seed, world in zip(seeds, worlds, strict=True)
    ]
    still = np.zeros(outputs)
    return Instances(
        np.stack([world.arms.points for world in worlds]),
        np.stack([world.payoffs for world in worlds]),
        np.stack(noise),
        np.array([world.start for world in worlds]),
        np.stack([still if each is None else each for each in (drift or [None] * len(worlds))]),
    )


def _run(
    asking: Asking,
    instances: Instances,
    worlds: list[ConstrainedWorld],
    models: list[Coregion] | None,
) -> Runs:
    policy = asking.policy
    if isinstance(policy, ACOL):
        aggregate = _aggregated(instances, asking, policy.overall, worlds, linear=True)
        return run_linear(policy, aggregate, instances.truth[:, 0])
    assert isinstance(policy, DMCL)
    if policy.asking == "overall":
        instances = _aggregated(instances, asking, policy.overall, worlds, linear=False)
    outputs, d = instances.truth.shape[1], instances.points.shape[2]
    context = outputs - 1 if policy.drifting else 0
    # An overall answer is as noisy as any other.
    model = default(outputs, d, context, policy.rank, noise=max(worlds[0].noise, 1e-3) ** 2)
    options = {"sequential": asking.sequential, "fitted": asking.fitted}
    if models is None:
        return run_asking(policy, model, instances, **options)
    # Every instance has its own truth: models are stacked like the instances.
    return run_asking(policy, _stacked(models, policy), instances, own_models=True, **options)


def believed(model: Coregion, policy: DMCL) -> Coregion:
    """A known model as the policy takes it: of rank 0 outcomes have nothing in common."""
    outputs = model.outputs
    mixing, own = np.asarray(model.mixing), np.asarray(model.own)
    return Coregion(
        mixing if policy.rank else np.zeros((outputs, 0)),
        own if policy.rank else own + (mixing**2).sum(axis=1),
        np.asarray(model.noise),
        np.asarray(model.lengthscale),
        np.full(outputs - 1 if policy.drifting else 0, 0.5),
    )


def _stacked(models: list[Coregion], policy: DMCL) -> Coregion:
    return jax.tree.map(lambda *each: np.stack(each), *(believed(m, policy) for m in models))


def _aggregated(
    instances: Instances,
    asking: Asking,
    overall: Any,
    worlds: list[ConstrainedWorld],
    *,
    linear: bool,
) -> Instances:
    """The objective and the mean margin, less its threshold; an answer has its own noise."""
    truth, noise = instances.truth, instances.noise
    mean = truth[:, 1:].mean(axis=1)
    thresholds = np.array(
        [
            _clear(world, instances.points[i], mean[i], linear=linear)
            if asking.cleared
            else overall
            for i, world in enumerate(worlds)
        ]
    )
    return instances._replace(
        truth=np.stack([truth[:, 0], mean - thresholds[:, None]], axis=1),
        noise=noise[:, :, :2],
        drift=instances.drift[:, :2],
    )


def _clear(world: ConstrainedWorld, points: np.ndarray, mean: np.ndarray, *, linear: bool) -> float:
    """The least threshold that no unsafe arm passes; of a linear model, nor its best line there."""
    passing = mean
    if linear:
        phi = np.concatenate([points, np.ones((len(points), 1))], axis=1)
        fitted = phi @ np.linalg.lstsq(phi, mean, rcond=None)[0]
        passing = np.maximum(mean, fitted)
    return float(passing[~world.safe].max()) + _CLEAR


def _rows(
    runs: Runs, worlds: list[ConstrainedWorld], instances: Instances, seeds: range
) -> pd.DataFrame:
    rounds = instances.noise.shape[1]

    def at(values: Callable[[ConstrainedWorld], np.ndarray]) -> np.ndarray:
        table = np.stack([values(world) for world in worlds])
        return np.take_along_axis(table, runs.arm, axis=1)

    best = np.array([world.best for world in worlds])[:, None]
    columns = {
        "seed": np.repeat(np.asarray(seeds, dtype=np.int32), rounds),
        "round": np.tile(np.arange(1, rounds + 1, dtype=np.int32), len(seeds)),
        "arm": runs.arm.astype(np.int32),
        "exploring": runs.exploring,
        "asked": runs.asked.astype(np.int32),
        "regret": at(lambda world: world.regrets),
        "unsafe": ~at(lambda world: world.safe),
        "violation": at(lambda world: np.maximum(0.0, -world.payoffs[1:]).sum(axis=0)),
        "worst": at(lambda world: np.maximum(0.0, -world.payoffs[1:]).max(axis=0)),
        "advised": runs.advised.astype(np.int32),
        "found": runs.advised == best,
        "covered": runs.covered,
        "certified": runs.certified.astype(np.int32),
        "width": runs.width,
        "payoff_width": runs.payoff_width,
        "error": runs.error,
        "allowed": runs.allowed,
        "information": runs.information,
    }
    return pd.DataFrame({name: np.asarray(value).ravel() for name, value in columns.items()})
