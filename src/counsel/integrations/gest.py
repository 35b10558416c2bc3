"""gest-api: a `Generator` for Xopt, libEnsemble and optimas, which Blop takes as an optimizer too.

generator = CounselGenerator(VOCS(variables={"x": [0, 1]}, objectives={"f": "MINIMIZE"}))
points = generator.suggest(4)
generator.ingest([{**point, "f": simulate(point["x"])} for point in points])
"""

from collections.abc import Mapping, Sequence
from typing import Any

from counsel.errors import CounselError, InvalidInput, install
from counsel.facts.problem import Constraint, Direction
from counsel.integrations.suggesting import Domain, Loop, Names, choice, interval, space_of
from counsel.policies import Policy
from counsel.storage import Storage
from counsel.study import create_study

try:
    from gest_api import Generator
    from gest_api.vocs import (
        VOCS,
        BoundsConstraint,
        ContextualVariable,
        ContinuousVariable,
        DiscreteVariable,
        ExploreObjective,
        GreaterThanConstraint,
        LessThanConstraint,
        MinimizeObjective,
    )
except ImportError:
    raise CounselError(f"CounselGenerator needs gest-api: {install('gest')}.") from None

__all__ = ["CounselGenerator"]

_ID = "_id"


class CounselGenerator(Generator):
    """A study that suggests points and ingests what came of them.

    Every point has an `_id`, the proposal's number; results that carry it need no other match. With
    `storage`, the generator goes on where it was when it is made again under the same name.
    """

    returns_id = True

    def __init__(
        self,
        vocs: VOCS,
        *,
        policy: str | Policy | None = None,
        seed: int = 0,
        storage: str | Storage | None = None,
        name: str = "generator",
        actor: str = "generator",
    ) -> None:
        super().__init__(vocs)
        self.vocs = vocs  # Xopt reads it
        (objective,) = vocs.objectives
        least = isinstance(vocs.objectives[objective], MinimizeObjective)
        direction: Direction = "minimize" if least else "maximize"
        self._constants = {name: each.value for name, each in vocs.constants.items()}
        self._objective = objective
        # A constraint from both sides is two here, each with the outcome that it is about.
        self._limits: dict[str, str] = {}
        constraints = []
        for outcome, each in vocs.constraints.items():
            for made in _limits(outcome, each):
                self._limits[made.name] = outcome
                constraints.append(made)
        self._domains: dict[str, Domain] = {}
        for variable, each in vocs.variables.items():
            values = sorted(getattr(each, "values", ()), key=lambda v: (str(type(v)), v))
            if len(values) == 1:
                self._constants[variable] = values[0]
            else:
                self._domains[variable] = _domain(each, values)
        self._names = Names(list(self._domains), taken=[objective, *self._limits])
        self.study = create_study(
            space_of(self._domains, self._names),
            name=name,
            objective=objective,
            direction=direction,
            constraints=constraints,
            policy=policy,
            seed=seed,
            storage=storage,
            load_if_exists=storage is not None,
        )
        self._loop = Loop(self.study, actor)
        self._loop.running = {each.round: each for each in self.study.pending}

    def __deepcopy__(self, memo: Any) -> "CounselGenerator":
        """Itself: a copy of the handle would be another study of the same name. Xopt copies."""
        return self

    def _validate_vocs(self, vocs: VOCS) -> None:
        if len(vocs.objectives) != 1:
            raise InvalidInput("vocs.objectives", list(vocs.objectives), "Give one objective.")
        (objective,) = vocs.objectives.values()
        if isinstance(objective, ExploreObjective):
            raise InvalidInput("vocs.objectives", "EXPLORE", "Use MINIMIZE or MAXIMIZE.")
        for name, each in vocs.variables.items():
            if isinstance(each, ContextualVariable):
                raise InvalidInput(
                    "vocs.variables", name, "Contextual variables are not supported."
                )
        if all(len(getattr(each, "values", "..")) == 1 for each in vocs.variables.values()):
            raise InvalidInput(
                "vocs.variables", list(vocs.variables), "Give at least one that varies."
            )

    def suggest(self, num_points: int | None = None) -> list[dict[str, Any]]:
        points = []
        for proposal in self.study.ask(1 if num_points is None else num_points):
            self._loop.running[proposal.round] = proposal  # libEnsemble wants whole numbers
            values = {self._names.there[name]: each for name, each in proposal.values.items()}
            there = {name: self._domains[name].there(each) for name, each in values.items()}
            points.append({**self._constants, **there, _ID: proposal.round})
        return points

    def ingest(self, results: Sequence[Mapping[str, Any]]) -> None:
        """Tell what came of points: by their `_id`, or by the point itself."""
        for result in results:
            key = _scalar(result.get(_ID))
            known = self._loop.running.get(key)
            values = None if known is not None and self._lacks(result) else self._here(result)
            if known is None:  # some loops lose the id: the point itself says which it is
                same = [k for k, p in self._loop.running.items() if dict(p.values) == values]
                key = same[0] if same else key
            elif values is not None and self.study.problem.space.validate(values) == known.values:
                values = dict(known.values)
            outcomes = {self._objective: result.get(self._objective)}
            outcomes |= {limit: result.get(name) for limit, name in self._limits.items()}
            self._loop.ingest(key, values, outcomes)

    def add_data(self, data: Any) -> None:
        """Trials made before, a DataFrame: Xopt hands over its own this way."""
        self.ingest(data.to_dict("records"))

    def _lacks(self, point: Mapping[str, Any]) -> list[str]:
        return [name for name in self._domains if name not in point]

    def _here(self, point: Mapping[str, Any]) -> dict[str, Any]:
        """A point of theirs in our names and values."""
        if missing := self._lacks(point):
            remedy = f"Missing: {', '.join(missing)}. Give every variable, or the {_ID} of a point."
            raise InvalidInput("results", dict(point), remedy)
        return {
            self._names.here[name]: each.here(_scalar(point[name]))
            for name, each in self._domains.items()
        }

    # ---- what Blop asks of an optimizer as well --------------------------------------------------

    def register_suggestions(
        self, suggestions: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Register a person's own points; each gets an id for its result."""
        found = []
        for each in suggestions:
            values = self._here(each)
            proposal = self.study.ask()
            self.study.override(proposal, values, reason="suggested by a person")
            self._loop.running[proposal.round] = proposal
            self._loop.elsewhere[proposal.round] = self.study.problem.space.validate(values)
            found.append({**each, _ID: proposal.round})
        return found

    def register_failures(self, suggestions: Sequence[Mapping[str, Any]]) -> None:
        for each in suggestions:
            self._loop.fail(_scalar(each[_ID]), "the acquisition failed")

    def get_best_points(self) -> list[tuple[Any, dict[str, Any], dict[str, Any]]]:
        best = self.study.best
        if best is None:
            return []
        values = {
            self._names.there[name]: self._domains[self._names.there[name]].there(each)
            for name, each in best.values.items()
        }
        outcomes = {} if best.observation is None else dict(best.observation.outcomes)
        return [(None if best.proposal is None else best.proposal.round, values, outcomes)]


def _domain(variable: Any, values: Sequence[Any]) -> Domain:
    if isinstance(variable, DiscreteVariable):
        whole = all(isinstance(v, int) and not isinstance(v, bool) for v in values)
        if whole and list(values) == list(range(values[0], values[-1] + 1)):
            return interval(values[0], values[-1], whole=True)
        return choice(values)
    if isinstance(variable, ContinuousVariable):
        low, high = variable.domain
        return interval(low, high)
    raise InvalidInput("vocs.variables", variable, "Use continuous or discrete variables.")


def _limits(name: str, constraint: Any) -> list[Constraint]:
    match constraint:
        case LessThanConstraint():
            return [Constraint(name, at_most=constraint.value)]
        case GreaterThanConstraint():
            return [Constraint(name, at_least=constraint.value)]
        case BoundsConstraint():
            low, high = constraint.range
            return [
                Constraint(f"{name} from below", at_least=low),
                Constraint(f"{name} from above", at_most=high),
            ]
    raise InvalidInput("vocs.constraints", constraint, "Use LESS_THAN, GREATER_THAN or BOUNDS.")


def _scalar(value: Any) -> Any:
    """A NumPy scalar as Python's: loops hand rows of structured arrays back."""
    return value.item() if hasattr(value, "item") else value
