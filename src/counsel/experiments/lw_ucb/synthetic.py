"""Figure 2: three synthetic functions, the paper's five rules and V-UCB's kappas, 150 rounds."""

from functools import partial

from counsel.experiments.experiment import Experiment
from counsel.experiments.lw_ucb.functions import COMPONENTS, FUNCTIONS
from counsel.experiments.lw_ucb.maps import with_maps
from counsel.experiments.lw_ucb.protocol import (
    CONTROLS,
    COUNSEL,
    LIKELIHOOD,
    NOTES,
    RANDOM_FEATURES,
    controls,
    five,
    pruned,
)
from counsel.experiments.pulls import pull
from counsel.experiments.registry import registered
from counsel.experiments.regrets import Comparison

__all__ = ["SYNTHETIC"]

SYNTHETIC = registered(
    Experiment(
        name="lw-ucb/synthetic",
        title="LW-UCB on synthetic functions",
        mirrors="Figure 2 of the LW-UCB paper",
        worlds=FUNCTIONS,
        methods=(
            *five(LIKELIHOOD, 2.0, 4, COMPONENTS),
            *controls(LIKELIHOOD, 2.0),
            *five(COUNSEL, 2.0, 4, COMPONENTS),
            *pruned(2.0, 4, COMPONENTS),
            *controls(COUNSEL, 2.0),
        ),
        rounds=150,
        measure=pull,
        tell=partial(
            with_maps,
            comparison=Comparison(
                champions=dict.fromkeys(FUNCTIONS, ("LW-UCB",)),
                rival="V-UCB",
                controls=CONTROLS,
                notes=(RANDOM_FEATURES, *NOTES),
            ),
        ),
    )
)
