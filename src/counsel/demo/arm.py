"""Studies of movements that a person made with the two-link arm, and the arm that tries them.

A movement is identified by the weights it was planned for, so such a study can still be tried when
opened later: the arm is recognised by the study's problem.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from counsel.errors import InvalidInput
from counsel.facts.problem import Constraint, Problem
from counsel.facts.records import Value
from counsel.space import Arms
from counsel.storage import Storage
from counsel.study import Study, create_study

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from counsel.worlds.correcting import Movement, Weights

__all__ = ["FEWEST", "Arm", "moves_the_arm", "study_of"]

# What each weight of the cost penalises, in the order of `robot_arm.FEATURES`.
WEIGHTS = ("shoulder swing", "shoulder tilt", "elbow bend", "elbow side", "effort")
FEWEST = 3
_NOISE = 0.05
_CLEAR = Constraint("clearance", at_least=0.0)
_EASE = "ease"


class Arm:
    """Moves as planned; ease and clearance are measured with a little noise."""

    about = "Ways to move that somebody made: which is easiest and keeps clear of the wall?"

    def __call__(self, values: Mapping[str, Value], trial: int) -> dict[str, float]:
        made = self._move(values)
        noise = _NOISE * np.random.default_rng([29, trial % 2**32]).standard_normal(2)
        return {_EASE: made.ease + float(noise[0]), _CLEAR.name: made.clearance + float(noise[1])}

    def figure(self, ways: Mapping[str, Mapping[str, Value]]) -> "go.Figure":
        from counsel.worlds.figures import movement_figure

        movements = {name: self._move(values).states for name, values in ways.items()}
        found: go.Figure = movement_figure(movements)
        return found

    def _move(self, values: Mapping[str, Value]) -> "Movement":
        from counsel.worlds.correcting import movement

        return movement(np.array([values[name] for name in WEIGHTS], dtype=np.float64))


def moves_the_arm(problem: Problem) -> bool:
    """Whether a study is one of the arm's movements."""
    return (
        problem.space.names == WEIGHTS
        and problem.objective.name == _EASE
        and problem.constraints == (_CLEAR,)
    )


def study_of(name: str, made: "Sequence[tuple[Weights, Movement]]", storage: Storage) -> Study:
    """Which of these movements is easiest, and keeps clear of the wall?"""
    from counsel.policies.dmcl import DMCL

    if len(made) < FEWEST:
        raise InvalidInput("movements", len(made), f"Make at least {FEWEST}: correct some more.")
    arms = Arms([dict(zip(WEIGHTS, weights.tolist(), strict=True)) for weights, _ in made])
    best = int(np.argmax([each.clearance for _, each in made]))
    safe = tuple(arms[best].items()) if made[best][1].clearance > 0.0 else None
    return create_study(
        arms, name=name, objective=_EASE, constraints=[_CLEAR], policy=DMCL(safe=safe),
        storage=storage,
    )  # fmt: skip
