"""ivoryOS: an optimizer in the form that its registry takes.

from ivoryos.optimizer.registry import OPTIMIZER_REGISTRY

OPTIMIZER_REGISTRY["counsel"] = CounselOptimizer
"""

from collections.abc import Mapping, Sequence
from typing import Any

from counsel.errors import InvalidInput
from counsel.facts.problem import Direction, Objective
from counsel.integrations.suggesting import Domain, Loop, Names, choice, interval, space_of
from counsel.study import create_study

__all__ = ["CounselOptimizer"]

_SCORE = "score"  # what several objectives are worth together


class CounselOptimizer:
    """Suggests a batch of points and observes their results; `study` is the study behind it.

    Its constructor takes what ivoryOS hands over. Several objectives are weighed by their weights.
    A result without any of them is a failed trial.
    """

    def __init__(
        self,
        experiment_name: str,
        parameter_space: Sequence[Mapping[str, Any]],
        objective_config: Sequence[Mapping[str, Any]],
        optimizer_config: Mapping[str, Any] | None = None,
        parameter_constraints: Sequence[Any] | None = None,
        datapath: str | None = None,
        additional_params: Mapping[str, Any] | None = None,
    ) -> None:
        objectives = [_objective(each) for each in objective_config]
        if not objectives:
            raise InvalidInput("objective_config", objective_config, "Give at least one objective.")
        if parameter_constraints:
            raise InvalidInput(
                "parameter_constraints",
                parameter_constraints,
                "Constraints on sums are not supported.",
            )
        self._objectives = [each.name for each in objectives]
        self._domains = {str(each["name"]): _domain(each) for each in parameter_space}
        self._names = Names(list(self._domains), taken=[_SCORE, *self._objectives])
        config = (optimizer_config or {}).get("step_2", {})
        self.study = create_study(
            space_of(self._domains, self._names),
            name=experiment_name,
            policy=config.get("model") or None,
            **_wanted(objectives),
        )
        self._loop = Loop(self.study, "ivoryos")
        self._batch: list[int] = []

    def suggest(self, n: int = 1) -> list[dict[str, Any]]:
        proposals = self.study.ask(n)
        self._loop.running |= {each.round: each for each in proposals}
        self._batch = [each.round for each in proposals]
        return [
            {
                self._names.there[name]: self._domains[self._names.there[name]].there(value)
                for name, value in proposal.values.items()
            }
            for proposal in proposals
        ]

    def observe(self, results: Sequence[Mapping[str, Any]]) -> None:
        """One dict of results for each suggestion of the last batch, in its order."""
        for key, result in zip(self._batch, results, strict=True):
            self._loop.ingest(key, None, self._outcomes(result))

    def append_existing_data(self, existing_data: Any, file_path: str | None = None) -> None:
        for row in existing_data.to_dict("records"):
            values = {
                self._names.here[name]: each.here(row[name]) for name, each in self._domains.items()
            }
            self._loop.ingest(None, values, self._outcomes(row))

    def _outcomes(self, result: Mapping[str, Any]) -> dict[str, Any]:
        return {name: result.get(name) for name in self._objectives}

    def get_plots(self, plot_type: str | None = None) -> dict[str, str]:
        """Figures as pieces of HTML, by their titles; ivoryOS has Plotly on its pages."""
        from counsel import plots

        if not self.study.observations:
            return {"error": "Nothing has been measured yet."}
        figure = plots.progress(self.study)
        return {"Progress": figure.to_html(full_html=False, include_plotlyjs=False)}

    @staticmethod
    def get_schema() -> dict[str, Any]:
        return {
            "parameter_types": ["range", "choice"],
            "multiple_objectives": True,
            "supports_continuous": True,
            "supports_constraints": False,
            "optimizer_config": {
                "step_1": {"model": [], "num_samples": 0},
                "step_2": {"model": ["v-ucb", "ei", "ts", "random"]},
            },
            "additional_field": {},
        }


def _objective(given: Mapping[str, Any]) -> Objective:
    direction: Direction = "minimize" if given.get("minimize", False) else "maximize"
    return Objective(str(given["name"]), direction, weight=float(given.get("weight") or 1.0))


def _wanted(objectives: Sequence[Objective]) -> dict[str, Any]:
    if len(objectives) > 1:
        return {"objectives": objectives, "objective": _SCORE}
    return {"objective": objectives[0].name, "direction": objectives[0].direction}


def _domain(parameter: Mapping[str, Any]) -> Domain:
    bounds, kind = parameter["bounds"], parameter["type"]
    if kind == "choice":
        return choice(bounds)
    if kind == "range":
        low, high, *step = bounds
        whole = parameter.get("value_type") == "int"
        return interval(low, high, whole=whole, step=step[0] if step else None)
    raise InvalidInput("parameter_space", kind, "Use range or choice.")
