"""Ax's default: its `Client` chooses the models; the first points are attached as trials."""

import logging
import warnings
from typing import Any

from ax.api.client import Client
from ax.api.configs import ChoiceParameterConfig, RangeParameterConfig

from benchmarks.suites.setting import Parameter, Point, Setting

logging.getLogger("ax").setLevel(logging.ERROR)
warnings.simplefilter("ignore")


class WithAx:
    """Margins are outcome constraints of at least 0."""

    def __init__(self, setting: Setting, seed: int) -> None:
        self.setting = setting
        self.client = Client(random_seed=seed)
        self.client.configure_experiment([_config(p) for p in setting.parameters])
        limits = [f"c{i} >= 0" for i in range(setting.constraints)]
        self.client.configure_optimization(objective="-value", outcome_constraints=limits)
        # The first points are there already: no more are drawn.
        self.client.configure_generation_strategy(
            initialization_budget=1, initialize_with_center=False
        )
        self.open: dict[str, int] = {}

    def tell(self, point: Point, value: float, margins: list[float]) -> None:
        number = self.open.pop(repr(point), None)
        if number is None:
            assert not isinstance(point, int)
            names = [p.name for p in self.setting.parameters]
            number = self.client.attach_trial(dict(zip(names, point, strict=True)))
        data: dict[str, Any] = {f"c{i}": margin for i, margin in enumerate(margins)}
        self.client.complete_trial(number, raw_data={"value": value, **data})

    def ask(self, count: int) -> list[Point]:
        points: list[Point] = []
        for number, values in self.client.get_next_trials(max_trials=count).items():
            point = [values[p.name] for p in self.setting.parameters]
            self.open[repr(point)] = number
            points.append(point)
        return points


def _config(p: Parameter) -> Any:
    if p.kind == "choice":
        return ChoiceParameterConfig(
            name=p.name, values=list(p.choices), parameter_type="str", is_ordered=False
        )
    return RangeParameterConfig(
        name=p.name,
        bounds=(int(p.low), int(p.high)) if p.kind == "whole" else (p.low, p.high),
        parameter_type="int" if p.kind == "whole" else "float",
        scaling="log" if p.log else "linear",
    )
