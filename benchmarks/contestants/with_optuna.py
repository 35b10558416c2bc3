"""Optuna: `GPSampler` over the unit cube. It keeps its last fit, as Counsel does."""

import warnings

import numpy as np
import optuna
from optuna.distributions import FloatDistribution

from benchmarks.functions import Points

warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
optuna.logging.set_verbosity(optuna.logging.WARNING)


class OptunaAsker:
    """One trial per ask; observations nobody asked for are added as finished trials."""

    def __init__(self, dimensions: int, startup_trials: int = 10) -> None:
        self.names = [f"x{i}" for i in range(dimensions)]
        sampler = optuna.samplers.GPSampler(seed=0, n_startup_trials=startup_trials)
        self.study = optuna.create_study(direction="maximize", sampler=sampler)
        self.open_trial: optuna.Trial | None = None

    def tell(self, x: Points, y: float) -> None:
        """Finish the open trial, or add a finished one."""
        if self.open_trial is not None:
            self.study.tell(self.open_trial, y)
            self.open_trial = None
            return
        trial = optuna.trial.create_trial(
            params=dict(zip(self.names, map(float, x), strict=True)),
            distributions={name: FloatDistribution(0.0, 1.0) for name in self.names},
            value=y,
        )
        self.study.add_trial(trial)

    def ask(self) -> Points:
        """One round of suggestions."""
        self.open_trial = self.study.ask()
        return np.array([self.open_trial.suggest_float(name, 0.0, 1.0) for name in self.names])
