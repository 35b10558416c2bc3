"""Figure 2: three synthetic functions, five acquisitions, 150 rounds, two protocols."""

from functools import partial

from counsel.acquisition.output_weighted import LWUCB, PrunedUCB
from counsel.experiments.experiment import Experiment
from counsel.experiments.lw_ucb import recorded
from counsel.experiments.lw_ucb.functions import COMPONENTS, FUNCTIONS
from counsel.experiments.lw_ucb.protocol import (
    AUTHORS,
    COUNSEL,
    NOTES,
    OUR_WEIGHT,
    RANDOM_FEATURES,
    REASONS,
    five,
)
from counsel.experiments.pulls import pull
from counsel.experiments.registry import registered
from counsel.experiments.regrets import Comparison, tell_regrets

__all__ = ["SYNTHETIC"]

SYNTHETIC = registered(
    Experiment(
        name="lw-ucb/synthetic",
        title="LW-UCB on synthetic functions",
        mirrors="Figure 2 of the LW-UCB paper",
        worlds=FUNCTIONS,
        methods=(
            *five(
                AUTHORS,
                2.0,
                LWUCB(kappa=2.0),
                {world: LWUCB(2.0, count) for world, count in COMPONENTS.items()},
            ),
            *five(
                COUNSEL,
                2.0,
                PrunedUCB(),
                {world: PrunedUCB(components=count) for world, count in COMPONENTS.items()},
            ),
        ),
        rounds=150,
        measure=pull,
        tell=partial(
            tell_regrets,
            comparison=Comparison(
                champions=dict.fromkeys(FUNCTIONS, ("LW-UCB",)),
                rival="V-UCB",
                group=AUTHORS,
                rounds=150,
                recorded=recorded.SYNTHETIC,
                reasons=REASONS,
                notes=(OUR_WEIGHT, RANDOM_FEATURES, *NOTES),
            ),
        ),
    )
)
