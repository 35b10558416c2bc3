"""Figure S1: how many components the mixture of the output weight should have."""

import numpy as np
import pandas as pd

from counsel.acquisition.output_weighted import LWUCB
from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.figures import sweep_figure
from counsel.experiments.lw_ucb.functions import COMPONENTS as PAPERS_CHOICE
from counsel.experiments.lw_ucb.functions import FUNCTIONS
from counsel.experiments.lw_ucb.protocol import LIKELIHOOD
from counsel.experiments.pulls import final, pull
from counsel.experiments.registry import registered
from counsel.experiments.regrets import Comparison, tell_regrets
from counsel.experiments.report import Chapter, Report
from counsel.experiments.statistics import mad
from counsel.models.kernels import WEAK

__all__ = ["COMPONENTS"]

SWEEP = (1, 2, 4, 6, 8)


def _name(count: int) -> str:
    return f"n_GMM = {count}"


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    report = tell_regrets(experiment, rows, _COMPARISON)
    values = {
        world: [_centre(final(rows, world, method.label)) for method in experiment.methods]
        for world in experiment.worlds
    }
    sweep = sweep_figure(
        "Regret against the number of components",
        [float(count) for count in SWEEP],
        "components n_GMM",
        values,
    )
    return Report(report.remarks, (Chapter("The sweep", figures=(sweep,)), *report.chapters))


def _centre(values: np.ndarray) -> tuple[float, float]:
    return float(np.median(values)), mad(values)


_COMPARISON = Comparison(
    champions={world: (_name(count),) for world, count in PAPERS_CHOICE.items()},
    rival=_name(1),
    notes=(
        "The paper's figure has 2, 4 and 6 components; 1 and 8 are ours. lw-ucb/authors-synthetic "
        "has the authors' own code and what they recorded.",
    ),
)

COMPONENTS = registered(
    Experiment(
        name="lw-ucb/components",
        title="How many components the output weight needs",
        mirrors="Figure S1 of the LW-UCB paper",
        worlds=FUNCTIONS,
        methods=tuple(Method(_name(count), LWUCB(2.0, count), WEAK, LIKELIHOOD) for count in SWEEP),
        rounds=150,
        measure=pull,
        tell=_tell,
    )
)
