"""Runs one block of seeds: a team of one rule and one person, on one subject's utility.

Pairing: first pulls, noise, the person's knowledge and the dice come from (seed, stream) alone and
are the same for every rule. The machine starts from a few pulls in the middle of the space ([20,
40]^2, as the paper has it); regret is that of the noise-free utility, from the first round on.
"""

import os
from dataclasses import asdict
from functools import cache

import numpy as np
import pandas as pd
from jaxtyping import Float

from counsel.acquisition.upper_confidence import VUCB
from counsel.errors import CounselError, install
from counsel.experiments.experiment import Experiment, Method
from counsel.models.fit import shaped
from counsel.models.kernels import Kernel, SquaredExponential
from counsel.teams.people import Person, knowledge_of
from counsel.teams.rules import Settings
from counsel.teams.team import Runs, Task, run_alone, run_team
from counsel.worlds import World
from counsel.worlds.exosuit import SUBJECTS, exosuit

__all__ = ["FIRST", "RULE_NAMES", "WORLDS", "member", "team_rows"]

FIRST = 5
_START = (20.0, 40.0)
_STEP = 2
_FIRST_STREAM, _NOISE_STREAM, _PERSON_STREAM, _CHANCE_STREAM, _ALONE_STREAM = range(5)
# Rounds that a person has had alone where a rule looks at them, as in the authors' script.
_ALONE = 100

RULE_NAMES = {
    "A0": "A0 machine alone",
    "A1": "A1 person alone",
    "A2": "A2 values off",
    "A3": "A3 every second",
    "A4": "A4 reasons off",
    "A5": "A5 learned tree",
    "A6": "A6 earned credit",
    "A7": "A7 advice as data",
    "random": "random, as often as A4",
    "oracle": "oracle",
    "hedge": "hedge",
    "budget": "conservative budget",
}


@cache
def _subject(number: int, folder: str | None) -> World:
    return exosuit(number, step=_STEP, folder=folder)


class _Subject:
    """seed -> World, the same for every seed; a class, because workers get it pickled."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __call__(self, seed: int) -> World:
        return _subject(self.number, os.environ.get("COUNSEL_DATA") or None)


WORLDS = {f"subject {number}": _Subject(number) for number in range(1, SUBJECTS + 1)}


def member(
    rule: str,
    person: Person,
    kappa: float = 2.0,
    alignment: float = 2.0,
    first: int = FIRST,
    alone: bool = False,
) -> Method:
    """A team as a method: the machine's acquisition, and who else decides by which rule.

    With `alone`, the averages of (11) and (12) begin with rounds that the person had alone.
    """
    also = {"rule": rule, "alignment": alignment, "person": asdict(person), "first": first}
    if alone:
        also["alone"] = _ALONE
    return Method(RULE_NAMES[rule], VUCB(kappa), group=person.name, also=also)


def team_rows(experiment: Experiment, world: str, method: Method, seeds: range) -> pd.DataFrame:
    """Run a block: one row per seed and round."""
    built = experiment.worlds[world](0)
    settings = _settings(built, method, seeds, experiment.rounds)
    runs, task = _run(built, method, method.also["rule"], settings, seeds, experiment.rounds)
    truth = task.truth
    tried = np.take_along_axis(truth, runs.arms, axis=1)
    apart = np.take_along_axis(truth, runs.person, axis=1) - np.take_along_axis(
        truth, runs.machine, axis=1
    )
    count = len(seeds)
    return pd.DataFrame(
        {
            "seed": np.repeat(np.asarray(seeds, dtype=np.int32), experiment.rounds),
            "round": np.tile(np.arange(1, experiment.rounds + 1, dtype=np.int32), count),
            "arm": runs.arms.astype(np.int32).ravel(),
            "regret": (truth.max(axis=1)[:, None] - tried).ravel(),
            "listened": runs.listened.ravel(),
            "lead": apart.ravel(),
        }
    )


def _settings(world: World, method: Method, seeds: range, rounds: int) -> Settings:
    """The rule's numbers; listening at random looks at another rule's runs first."""
    settings = Settings(alignment=np.asarray(method.also["alignment"]))
    if method.also["rule"] == "random":
        as_often, _ = _run(world, method, "A4", settings, seeds, rounds)
        return settings._replace(rate=np.asarray(as_often.listened.mean()))
    return settings


def _run(
    world: World, method: Method, rule: str, settings: Settings, seeds: range, rounds: int
) -> tuple[Runs, Task]:
    assert isinstance(method.acquisition, VUCB)
    task = _task(
        world,
        _person(method),
        float(method.acquisition.kappa),
        seeds,
        rounds,
        method.also["first"],
    )
    like = shaped(SquaredExponential(np.ones(1)), world.arms.groups)
    if rule == "A5" or "alone" in method.also:
        task = _experienced(task, like, world, seeds, warned=rule == "A5")
    return run_team(rule, settings, like, world.arms.points, task, method.prior), task


def _person(method: Method) -> Person:
    return Person(**method.also["person"])


def _task(
    world: World, person: Person, kappa: float, seeds: range, rounds: int, begun: int = FIRST
) -> Task:
    points, truth = np.asarray(world.arms.points), world.sign * world.payoffs
    gains = np.array([list(arm.values()) for arm in world.arms], dtype=np.float64)
    start = np.flatnonzero(((gains >= _START[0]) & (gains <= _START[1])).all(axis=1))
    pulls = begun + rounds

    def stream(seed: int, number: int) -> np.random.Generator:
        return np.random.default_rng([seed, number])

    first, noise, known, believed, chance = [], [], [], [], []
    for seed in seeds:
        first.append(stream(seed, _FIRST_STREAM).choice(start, begun, replace=False))
        noise.append(stream(seed, _NOISE_STREAM).normal(0.0, world.noise, pulls))
        own = knowledge_of(person, points, truth, stream(seed, _PERSON_STREAM))
        known.append(own.arms)
        believed.append(own.values)
        chance.append(stream(seed, _CHANCE_STREAM).uniform(size=pulls))
    block, p = len(seeds), points.shape[1]
    return Task(
        truth=np.tile(truth, (block, 1)),
        noise=np.stack(noise),
        first=np.stack(first),
        known=np.stack(known),
        believed=np.stack(believed),
        chance=np.stack(chance),
        kappa=np.full(block, kappa),
        own_kappa=np.full(block, float(person.kappa)),
        flip=np.full(block, -1.0 if person.adversary else 1.0),
        says=np.full(block, -1.0 if person.two_faced else 1.0),
        learns=np.full(block, float(person.learns)),
        own=np.zeros(block),
        own_reasons=np.zeros((block, p, p)),
        own_values=np.zeros((block, p, p)),
        warned=np.full((block, p), -np.inf),
    )


def _experienced(task: Task, like: Kernel, world: World, seeds: range, *, warned: bool) -> Task:
    """The task of people who have had rounds alone; `warned` is for A5 alone."""
    points = np.asarray(world.arms.points)
    noise = np.stack(
        [
            np.random.default_rng([seed, _ALONE_STREAM]).normal(0.0, world.noise, _ALONE)
            for seed in seeds
        ]
    )
    alone = run_alone(like, points, task, noise)
    if warned:
        levels = [_split(*each) for each in zip(alone.reasons, alone.y, strict=True)]
        return task._replace(warned=np.stack(levels))
    return task._replace(
        own=np.full(len(seeds), float(_ALONE)),
        own_reasons=np.stack([_ratios(each) for each in alone.reasons]),
        own_values=np.stack([_ratios(points[arms]) for arms in alone.arms]),
    )


def _ratios(each: Float[np.ndarray, "T p"]) -> Float[np.ndarray, "p p"]:
    below = np.where(each == 0.0, 1e-12, each)
    return (each[:, :, None] / below[:, None, :]).sum(axis=0)


def _split(reasons: Float[np.ndarray, "T p"], y: Float[np.ndarray, " T"]) -> np.ndarray:
    """A5: by parameter, the contribution from which on down the person's own rounds went badly.

    As in the authors' script: a regression tree of what was measured on the contributions of the
    parameters to the mean, in the person's own rounds; pruned by cost complexity, with the strength
    that cross-validation prefers. The first split is the rule. A tree without one warns of nothing
    in particular, and the person is always listened to, as there.
    """
    try:
        from sklearn.model_selection import GridSearchCV, KFold
        from sklearn.tree import DecisionTreeRegressor
    except ImportError as error:
        raise CounselError(f"The learned rule needs scikit-learn: {install('trees')}.") from error
    search = GridSearchCV(
        DecisionTreeRegressor(min_samples_leaf=7, random_state=0),
        {"ccp_alpha": (y.var() * np.array([0.0, 0.003, 0.01, 0.03, 0.1])).tolist()},
        cv=KFold(10, shuffle=True, random_state=0),
        scoring="neg_mean_squared_error",
    ).fit(reasons, y)
    tree = search.best_estimator_.tree_
    found = np.full(reasons.shape[1], -np.inf)
    if tree.node_count == 1:
        found[:] = np.inf
    else:
        found[tree.feature[0]] = tree.threshold[0]
    return found
