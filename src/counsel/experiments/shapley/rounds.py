"""Explained rounds: what a block of seeds proposes, and what each parameter contributed.

Values are in the paper's sign: the acquisition there is minimised, so a negative contribution
speaks for the proposal. A seed's first points and noise are the same for every method.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from counsel.experiments.experiment import Experiment, Method
from counsel.policies.bandit import Bandit
from counsel.study import Study, create_study
from counsel.worlds import World
from counsel.worlds.world import Points, Values

__all__ = ["explained", "last", "mean_of"]

_FIRST_STREAM, _NOISE_STREAM = 0, 1
Noise = Callable[[Points], Values]


def explained(
    experiment: Experiment,
    world: str,
    method: Method,
    seeds: range,
    *,
    first: int,
    repeats: int = 1,
    variance: Callable[[World], Noise] | None = None,
) -> pd.DataFrame:
    """One row per seed, round, term and parameter.

    `first` points of a Latin hypercube come first; every point is measured `repeats` times, with
    `variance` as that of the noise or, without it, the world's own noise.
    """
    parts = []
    for seed in seeds:
        candidates = experiment.worlds[world](seed)
        policy = Bandit(method.acquisition_in(world), prior=method.prior, initial=1)
        study = create_study(
            candidates.space, direction=candidates.direction, policy=policy, seed=seed
        )
        noise = variance(candidates) if variance is not None else _constant(candidates)
        rng = np.random.default_rng([seed, _NOISE_STREAM])
        for point in _hypercube(candidates, first, np.random.default_rng([seed, _FIRST_STREAM])):
            _measure(study, candidates, point, noise, repeats, rng)
        for t in range(1, experiment.rounds + 1):
            proposal = study.ask()
            parts.append(_row(study, seed, t, proposal.id))
            # One point, told several times: the first time it answers the proposal.
            values = {name: float(proposal.values[name]) for name in candidates.space.names}
            _measure(study, candidates, values, noise, repeats, rng, proposal.id)
    rows = pd.concat(parts, ignore_index=True)
    return rows.astype({"seed": np.int32, "round": np.int32})


def last(rows: pd.DataFrame, world: str, method: str, term: str, t: int) -> pd.DataFrame:
    """Contributions to a term in round t: one row per seed, one column per parameter."""
    mine = rows[
        (rows["world"] == world)
        & (rows["method"] == method)
        & (rows["term"] == term)
        & (rows["round"] == t)
    ]
    return mine.pivot(index="seed", columns="parameter", values="value")


def mean_of(
    rows: pd.DataFrame, world: str, method: str, term: str, parameter: str
) -> tuple[Values, Values]:
    """Mean over seeds and its standard error, round by round."""
    mine = rows[
        (rows["world"] == world)
        & (rows["method"] == method)
        & (rows["term"] == term)
        & (rows["parameter"] == parameter)
    ].pivot(index="seed", columns="round", values="value")
    values = mine.to_numpy()
    return values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values))


def _row(study: Study, seed: int, t: int, proposal: str) -> pd.DataFrame:
    why = study.explain(proposal)
    cells = [
        (seed, t, term, parameter, float(why.point[parameter]), -float(why.worth[i, j]))
        for i, term in enumerate(why.terms)
        for j, parameter in enumerate(why.parameters)
    ]
    return pd.DataFrame(cells, columns=["seed", "round", "term", "parameter", "at", "value"])


def _measure(
    study: Study,
    candidates: World,
    values: dict[str, float],
    noise: Noise,
    repeats: int,
    rng: np.random.Generator,
    proposal: str | None = None,
) -> None:
    point = np.array([list(values.values())])
    truth, sd = float(candidates.function(point)[0]), float(np.sqrt(noise(point)[0]))
    for i in range(repeats):
        answers = proposal is not None and i == 0
        study.tell(
            proposal if answers and proposal else values, truth + sd * float(rng.standard_normal())
        )


def _constant(candidates: World) -> Noise:
    return lambda x: np.full(len(x), candidates.noise**2)


def _hypercube(candidates: World, count: int, rng: np.random.Generator) -> list[dict[str, float]]:
    from scipy.stats import qmc

    space = candidates.space
    units = qmc.LatinHypercube(space.dim, rng=rng).random(count)
    return [space.decode(unit) for unit in units]
