"""The authors' code on the authors' problems, held against the medians that they recorded."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import pandas as pd
from jaxtyping import Int

from counsel.acquisition.upper_confidence import VUCB
from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.lw_ucb import recorded
from counsel.experiments.lw_ucb.authors import (
    AuthorsEI,
    AuthorsFit,
    AuthorsGPUCB,
    AuthorsLWUCB,
    AuthorsTS,
)
from counsel.experiments.lw_ucb.functions import COMPONENTS, FUNCTIONS
from counsel.experiments.lw_ucb.maps import with_maps
from counsel.experiments.lw_ucb.protocol import AUTHORS
from counsel.experiments.lw_ucb.sensors import LABEL, SNAPSHOTS, snapshot, source
from counsel.experiments.lw_ucb.wheel import wheels
from counsel.experiments.pulls import pull
from counsel.experiments.registry import registered
from counsel.experiments.regrets import Comparison, Recorded
from counsel.experiments.report import Report
from counsel.worlds import World

__all__ = ["AUTHORS_EARLY", "AUTHORS_SENSORS", "AUTHORS_SYNTHETIC", "AUTHORS_WHEEL"]

LEAKY, HONEST = "LW-UCB", "LW-UCB without the leak"
_NOTES = (
    "Zero mean, ten cold starts without bounds, sd with noise, the authors' EI and GP-UCB, w a "
    "mixture's density from 10,000 Latin-hypercube points. `experiments/lw_ucb/authors.py` lists "
    "what still differs from their code.",
    "The first pulls are other draws than theirs, and here the same for all methods of a seed.",
)
_DRAWS = (
    "theirs is a joint draw over all arms, whose covariance is nearly singular; ours comes from "
    "random features"
)


def _name(count: int) -> str:
    return f"LW-UCB, n_GMM = {count}"


def _rivals(kappa: float) -> tuple[Method, ...]:
    fit = AuthorsFit()
    return (
        Method("V-UCB", VUCB(kappa), fit, AUTHORS),
        Method("GP-UCB", AuthorsGPUCB(), fit, AUTHORS),
        Method("EI", AuthorsEI(), fit, AUTHORS),
        Method("TS", AuthorsTS(), fit, AUTHORS),
    )


def _experiment(
    name: str,
    title: str,
    mirrors: str,
    worlds: Mapping[str, Callable[[int], World]],
    methods: tuple[Method, ...],
    rounds: int,
    tell: Callable[[Experiment, pd.DataFrame], Report],
    *,
    most_seeds: int = 1000,
    begin: Callable[[World], Int[np.ndarray, " m"]] | None = None,
) -> Experiment:
    return registered(
        Experiment(
            name=name,
            title=title,
            mirrors=f"{mirrors} of the LW-UCB paper, as its authors ran it",
            worlds=worlds,
            methods=methods,
            rounds=rounds,
            measure=pull,
            tell=tell,
            most_seeds=most_seeds,
            begin=begin,
        )
    )


# ---- three functions ----------------------------------------------------------------------------

_FUNCTIONS: dict[str, dict[str, Recorded]] = {
    world: {
        **{_name(count): value for count, value in recorded.COMPONENTS[world].items()},
        **{name: value for name, value in values.items() if name != "LW-UCB"},
    }
    for world, values in recorded.SYNTHETIC.items()
}

AUTHORS_SYNTHETIC = _experiment(
    "lw-ucb/authors-synthetic",
    "The authors' code on synthetic functions",
    "Figures 2 and S1",
    FUNCTIONS,
    (
        *(
            Method(_name(count), AuthorsLWUCB(2.0, count), AuthorsFit(), AUTHORS)
            for count in (2, 4, 6)
        ),
        *_rivals(2.0),
    ),
    150,
    partial(
        with_maps,
        comparison=Comparison(
            champions={world: (_name(count),) for world, count in COMPONENTS.items()},
            rival="V-UCB",
            group=AUTHORS,
            rounds=150,
            recorded=_FUNCTIONS,
            reasons={"TS": _DRAWS},
            notes=_NOTES,
        ),
    ),
)

AUTHORS_EARLY = _experiment(
    "lw-ucb/authors-early",
    "The authors' code on synthetic functions, first 50 rounds",
    "Figure 2",
    FUNCTIONS,
    (
        Method(
            "LW-UCB",
            AuthorsLWUCB(2.0, 4),
            AuthorsFit(),
            AUTHORS,
            {world: AuthorsLWUCB(2.0, count) for world, count in COMPONENTS.items()},
        ),
        *_rivals(2.0),
    ),
    50,
    partial(
        with_maps,
        comparison=Comparison(
            champions=dict.fromkeys(FUNCTIONS, ("LW-UCB",)),
            rival="V-UCB",
            group=AUTHORS,
            rounds=50,
            recorded=recorded.EARLY,
            reasons={"TS": _DRAWS},
            notes=_NOTES,
        ),
    ),
)


# ---- the wheel ----------------------------------------------------------------------------------


def hub(world: World) -> Int[np.ndarray, " m"]:
    """The arms that pay what the middle pays: where the authors' first pulls come from."""
    middle = int(np.argmin(np.sum((world.arms.points - 0.5) ** 2, axis=1)))
    return np.flatnonzero(world.payoffs == world.payoffs[middle])


_WHEELS = wheels(60)

AUTHORS_WHEEL = _experiment(
    "lw-ucb/authors-wheel",
    "The authors' code on the wheel, with and without its leak",
    "Figure 3",
    _WHEELS,
    (
        Method(LEAKY, AuthorsLWUCB(2.0, 4, leak=True), AuthorsFit(), AUTHORS),
        Method(HONEST, AuthorsLWUCB(2.0, 4), AuthorsFit(), AUTHORS),
        *_rivals(2.0),
    ),
    100,
    partial(
        with_maps,
        comparison=Comparison(
            champions=dict.fromkeys(_WHEELS, (LEAKY, HONEST)),
            rival="V-UCB",
            group=AUTHORS,
            rounds=100,
            recorded=recorded.WHEEL,
            reasons={"TS": _DRAWS},
            notes=(
                "A grid of 60 x 60, first pulls from the hub. With the leak, w comes from the "
                "rewarding quarter of the disk alone, whatever was observed.",
                *_NOTES,
            ),
        ),
    ),
    begin=hub,
)


# ---- sensors ------------------------------------------------------------------------------------


def _tell_sensors(experiment: Experiment, rows: pd.DataFrame) -> Report:
    real, sentence = source()
    comparison = Comparison(
        champions={LABEL: ("LW-UCB",)},
        rival="V-UCB",
        group=AUTHORS,
        rounds=50,
        recorded=recorded.SENSORS if real else {},
        reasons={"TS": _DRAWS},
        notes=(sentence, *_NOTES),
    )
    return with_maps(experiment, rows, comparison)


AUTHORS_SENSORS = _experiment(
    "lw-ucb/authors-sensors",
    "The authors' code and the warmest sensor",
    "Figure 4",
    {LABEL: snapshot},
    (Method("LW-UCB", AuthorsLWUCB(1.0, 2), AuthorsFit(), AUTHORS), *_rivals(1.0)),
    50,
    _tell_sensors,
    most_seeds=SNAPSHOTS,
)
