"""Counsel, through its front door; a variant names a policy, or settings of the default's fit."""

import hashlib
from pathlib import Path
from typing import Any

import counsel as cs
from benchmarks.suites.setting import Parameter, Point, Setting
from counsel.policies.default import default_policy

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
        self.names = [parameter.name for parameter in setting.parameters]
        constraints = [cs.Constraint(f"c{i}", at_least=0.0) for i in range(setting.constraints)]
        space = _space(setting)
        self.study = cs.create_study(
            space,
            direction="minimize",
            constraints=constraints,
            policy=_policy(variant, space, constraints),
            seed=seed,
        )
        self.open: dict[str, list[cs.Proposal]] = {}

    def tell(self, point: Point, value: float, margins: list[float]) -> None:
        known = self.open.pop(repr(point), None)
        trial: Any = known[0] if known else self._values(point)
        given = {f"c{i}": margin for i, margin in enumerate(margins)}
        self.study.tell(trial, value, constraints=given or None)

    def ask(self, count: int) -> list[Point]:
        asked = self.study.ask(count) if count > 1 else self.study.ask()
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

    def _values(self, point: Point) -> dict[str, Any]:
        values = self.setting.rows[point] if isinstance(point, int) else point  # type: ignore[index]
        return dict(zip(self.names, values, strict=True))


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


def _policy(variant: str, space: Any, constraints: list[Any]) -> Any:
    if variant:
        return variant
    return default_policy(cs.Problem(space, constraints=tuple(constraints)))
