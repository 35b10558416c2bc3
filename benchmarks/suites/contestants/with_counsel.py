"""Counsel, through its front door; a variant names a policy and settings: `v-ucb,kappa=1.5`.

Trials of another task come in as those of another context: the task is a choice that is given.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import counsel as cs
from benchmarks.suites.setting import Parameter, Point, Setting

TASK, BEFORE, HERE = "task", "before", "here"
PARTS = ("acquisition", "models", "policies")


def code_digest() -> str:
    """Counsel's numerical code as it is now: results of other code are not taken for its own."""
    root = Path(cs.__file__).parent
    found = hashlib.sha256()
    for part in PARTS:
        for path in sorted((root / part).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()[:12]


class WithCounsel:
    """A study in memory. Values are minimised, margins are constraints of at least 0."""

    def __init__(self, setting: Setting, seed: int, variant: str = "") -> None:
        self.setting = setting
        self.variant, self.seed = variant, seed
        self.names = [parameter.name for parameter in setting.parameters]
        self.context: dict[str, Any] | None = None
        self.study = self._study(_space(setting))
        self.open: dict[str, list[cs.Proposal]] = {}

    def past(self, point: Point, value: float, margins: list[float]) -> None:
        if self.context is None:
            self.context = {TASK: HERE}
            tasks = {TASK: cs.Categorical((BEFORE, HERE))}
            parameters = {p.name: _parameter(p) for p in self.setting.parameters}
            self.study = self._study(cs.Space(**parameters, context=tasks))
        self.study.tell(self._values(point), value, context={TASK: BEFORE})

    def tell(self, point: Point, value: float, margins: list[float]) -> None:
        known = self.open.pop(repr(point), None)
        given = {f"c{i}": margin for i, margin in enumerate(margins)}
        trial: Any = known[0] if known else self._values(point)
        context = None if known else self.context
        self.study.tell(trial, value, constraints=given or None, context=context)

    def ask(self, count: int) -> list[Point]:
        asked = self.study.ask(count, context=self.context)
        proposals = [asked] if isinstance(asked, cs.Proposal) else list(asked)
        points: list[Point] = []
        for proposal in proposals:
            values = [proposal.values[name] for name in self.names]
            point: Point = values
            if self.setting.rows is not None:
                point = int(self.study.problem.space.index(proposal.values))  # type: ignore[union-attr]
            self.open.setdefault(repr(point), []).append(proposal)
            points.append(point)
        return points

    def _study(self, space: Any) -> Any:
        margins = [cs.Constraint(f"c{i}", at_least=0.0) for i in range(self.setting.constraints)]
        policy, *given = self.variant.split(",")
        settings = dict(each.split("=", 1) for each in given)
        return cs.create_study(
            space,
            direction="minimize",
            constraints=margins,
            policy=policy or None,
            seed=self.seed,
            **{name: _setting(value) for name, value in settings.items()},
        )

    def _values(self, point: Point) -> dict[str, Any]:
        values = self.setting.rows[point] if isinstance(point, int) else point  # type: ignore[index]
        return dict(zip(self.names, values, strict=True))


def _setting(text: str) -> Any:
    """A number, true, false or null as JSON has them; anything else is a word."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _space(setting: Setting) -> Any:
    if setting.rows is None:
        return cs.Space(**{p.name: _parameter(p) for p in setting.parameters})
    return cs.Arms(
        [dict(zip([p.name for p in setting.parameters], row, strict=True)) for row in setting.rows]
    )


def _parameter(parameter: Parameter) -> Any:
    if parameter.kind == "choice":
        return cs.Categorical(parameter.choices)
    if parameter.kind == "whole":
        return cs.Int(int(parameter.low), int(parameter.high), log=parameter.log)
    return cs.Float(parameter.low, parameter.high, log=parameter.log)
