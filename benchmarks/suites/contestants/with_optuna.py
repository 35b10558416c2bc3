"""Optuna: `GPSampler` and `TPESampler`, asked and told; constraints by `constraints_func`."""

import warnings
from typing import Any

import optuna
from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)

from benchmarks.suites.setting import Parameter, Point, Setting

warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
optuna.logging.set_verbosity(optuna.logging.WARNING)

MARGINS = "margins"


def _distribution(parameter: Parameter) -> BaseDistribution:
    if parameter.kind == "choice":
        return CategoricalDistribution(parameter.choices)
    if parameter.kind == "whole":
        return IntDistribution(int(parameter.low), int(parameter.high), log=parameter.log)
    return FloatDistribution(parameter.low, parameter.high, log=parameter.log)


class _Optuna:
    """One trial per ask; first points are added as finished trials."""

    def __init__(self, setting: Setting, seed: int) -> None:
        self.setting = setting
        self.distributions = {p.name: _distribution(p) for p in setting.parameters}
        self.study = optuna.create_study(sampler=self.sampler(seed))
        self.open: dict[str, optuna.Trial] = {}

    def sampler(self, seed: int) -> Any:
        raise NotImplementedError

    @property
    def constraints(self) -> Any:
        """Optuna's constraints hold where they are 0 or less."""
        if not self.setting.constraints:
            return None
        return lambda trial: trial.user_attrs[MARGINS]

    def tell(self, point: Point, value: float, margins: list[float]) -> None:
        violations = [-margin for margin in margins]
        trial = self.open.pop(repr(point), None)
        if trial is not None:
            trial.set_user_attr(MARGINS, violations)
            self.study.tell(trial, value)
            return
        assert not isinstance(point, int)
        frozen = optuna.trial.create_trial(
            params=dict(zip(self.distributions, point, strict=True)),
            distributions=self.distributions,
            value=value,
            user_attrs={MARGINS: violations},
            system_attrs={"constraints": violations} if violations else {},
        )
        self.study.add_trial(frozen)

    def ask(self, count: int) -> list[Point]:
        points: list[Point] = []
        for _ in range(count):
            trial = self.study.ask(self.distributions)
            point = [trial.params[name] for name in self.distributions]
            self.open[repr(point)] = trial
            points.append(point)
        return points


class OptunaGP(_Optuna):
    def sampler(self, seed: int) -> Any:
        return optuna.samplers.GPSampler(
            seed=seed,
            n_startup_trials=1,
            deterministic_objective=not self.setting.noisy,
            constraints_func=self.constraints,
        )


class OptunaTPE(_Optuna):
    def sampler(self, seed: int) -> Any:
        return optuna.samplers.TPESampler(
            seed=seed, n_startup_trials=1, multivariate=True, constraints_func=self.constraints
        )
