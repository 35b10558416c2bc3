"""An experiment: worlds x methods, presented as a report.

A plain record. Its functions define what is measured (`measure`) and how it is presented (`tell`),
so that a table of seconds and a figure of regrets use the same runner.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from counsel.errors import InvalidInput
from counsel.experiments.loop import BLOCK
from counsel.experiments.report import Report
from counsel.models.kernels import Prior

__all__ = ["Experiment", "Method"]


@dataclass(frozen=True, eq=False)
class Method:
    """An acquisition on a surrogate; `elsewhere` holds what differs in a world, by its label.

    It may be something other than an acquisition, if `measure` knows what to do with it. Methods of
    one `group` follow one protocol and are compared with each other. `prior` may be another way to
    fit (`loop.Fitting`). `also` holds what else the results depend on, as JSON has it.
    """

    name: str
    acquisition: Any
    prior: Any = field(default_factory=Prior)
    group: str = "Counsel's fit"
    elsewhere: Mapping[str, Any] = field(default_factory=dict)
    also: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return f"{self.name}, {self.group}"

    def acquisition_in(self, world: str) -> Any:
        return self.elsewhere.get(world, self.acquisition)


@dataclass(frozen=True, eq=False)
class Experiment:
    """One figure or table of a paper.

    `worlds` maps a label to a builder: seed -> what `measure` takes, a World or another (most build
    the same for every seed).
    `block` seeds are one job. Where they share one compiled program, its rounding depends on their
    number: seeds are run in whole blocks, and what was not asked for is left out later. Only if
    fewer are asked for than a block has, the block is as small.
    `serial` says that blocks must not run side by side (they measure seconds). `begin` lists, of a
    world, the arms that the first pulls are drawn from; None means all. `lengths` is how many
    rounds a world has where it is not `rounds`; `has` says whether a method is run in a world on
    the block that begins with a seed, None means always.
    """

    name: str
    title: str
    mirrors: str
    worlds: Mapping[str, Callable[[int], Any]]
    methods: tuple[Method, ...]
    rounds: int
    measure: Callable[["Experiment", str, Method, range], pd.DataFrame]
    tell: Callable[["Experiment", pd.DataFrame], Report]
    seeds: int = 20
    block: int = BLOCK
    most_seeds: int = 1000
    serial: bool = False
    begin: Callable[[Any], Any] | None = None
    lengths: Mapping[str, int] = field(default_factory=dict)
    has: Callable[[str, Method, int], bool] | None = None

    def __post_init__(self) -> None:
        labels = [method.label for method in self.methods]
        if len(set(labels)) < len(labels):
            raise InvalidInput("methods", labels, "Give every method a different label.")

    @property
    def groups(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(method.group for method in self.methods))

    def rounds_in(self, world: str) -> int:
        return self.lengths.get(world, self.rounds)

    def method(self, label: str) -> Method:
        return next(method for method in self.methods if method.label == label)

    def members(self, group: str) -> tuple[Method, ...]:
        return tuple(method for method in self.methods if method.group == group)

    def run(self, world: str, method: str, seeds: range) -> pd.DataFrame:
        """The rows of one block of seeds."""
        return self.measure(self, world, self.method(method), seeds)
