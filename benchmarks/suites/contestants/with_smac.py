"""SMAC: its facade for black boxes over numbers, that for hyper-parameters where there are choices.

Asked and told, warm-started with the first points and without a design of its own, as its examples
have it; every configuration is evaluated once.
"""

import logging
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from ConfigSpace import Categorical, Configuration, ConfigurationSpace, Float, Integer
from smac import BlackBoxFacade, HyperparameterOptimizationFacade, Scenario
from smac.runhistory.dataclasses import TrialInfo, TrialValue

from benchmarks.suites.setting import Parameter, Point, Setting

logging.disable(logging.WARNING)


class WithSmac:
    def __init__(self, setting: Setting, seed: int) -> None:
        if setting.rows is not None or setting.constraints:
            raise ValueError("SMAC takes a box without constraints")
        self.setting = setting
        self.space = ConfigurationSpace(seed=seed)
        self.space.add([_hyperparameter(p) for p in setting.parameters])
        numbers = all(p.kind == "real" for p in setting.parameters)
        facade: Any = BlackBoxFacade if numbers else HyperparameterOptimizationFacade
        self.folder = tempfile.TemporaryDirectory()
        scenario = Scenario(
            self.space,
            deterministic=True,
            n_trials=10_000,
            seed=seed,
            output_directory=Path(self.folder.name),
        )
        self.facade = facade(
            scenario,
            lambda config, seed=0: 0.0,  # never called: it is asked and told
            intensifier=facade.get_intensifier(scenario, max_config_calls=1),
            initial_design=facade.get_initial_design(scenario, n_configs=0),
            overwrite=True,
        )
        self.open: dict[str, list[TrialInfo]] = {}

    def tell(self, point: Point, value: float, margins: list[float]) -> None:
        known = self.open.pop(repr(point), None)
        info = known[0] if known else TrialInfo(self._configuration(point), seed=0)
        self.facade.tell(info, TrialValue(cost=value), save=False)

    def ask(self, count: int) -> list[Point]:
        points: list[Point] = []
        for _ in range(count):
            info = self.facade.ask()
            point = [_plain(info.config[p.name]) for p in self.setting.parameters]
            self.open.setdefault(repr(point), []).append(info)
            points.append(point)
        return points

    def _configuration(self, point: Point) -> Configuration:
        assert not isinstance(point, int)
        names = [p.name for p in self.setting.parameters]
        return Configuration(self.space, values=dict(zip(names, point, strict=True)))


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _hyperparameter(p: Parameter) -> Any:
    if p.kind == "choice":
        return Categorical(p.name, list(p.choices))
    if p.kind == "whole":
        return Integer(p.name, (int(p.low), int(p.high)), log=p.log)
    return Float(p.name, (p.low, p.high), log=p.log)
