"""Optuna: a sampler that proposes with Counsel and writes its reasons into the trials.

study = optuna.create_study(sampler=CounselSampler(seed=0))
study.optimize(objective, n_trials=50)
study.best_trial.user_attrs["counsel:why"]
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from counsel.errors import CounselError, NothingToExplain, install
from counsel.facts.problem import Constraint
from counsel.integrations.suggesting import Domain, Loop, Names, choice, interval, space_of
from counsel.policies import Policy
from counsel.study import create_study

try:
    from optuna.distributions import (
        BaseDistribution,
        CategoricalDistribution,
        FloatDistribution,
        IntDistribution,
    )
    from optuna.samplers import BaseSampler, RandomSampler
    from optuna.search_space import IntersectionSearchSpace
    from optuna.study import Study, StudyDirection
    from optuna.trial import FrozenTrial, TrialState
except ImportError:
    raise CounselError(f"CounselSampler needs Optuna: {install('optuna')}.") from None

__all__ = ["CounselSampler"]

_ACTOR = "optuna"
_OBJECTIVE = "objective"


class CounselSampler(BaseSampler):
    """Proposes the parameters that all finished trials have in common, as Counsel would.

    Conditional parameters, and all of the first trial, are sampled independently; give
    `search_space` to propose from the start. Constraints are those that Optuna's trials carry
    (zero or less is feasible), or what `constraints_func` computes. With `explain`, the reasons of
    each proposal are its user attributes: `counsel:why` and `counsel:prediction`.
    """

    def __init__(
        self,
        *,
        policy: str | Policy | None = None,
        seed: int | None = None,
        search_space: Mapping[str, BaseDistribution] | None = None,
        constraints_func: Callable[[FrozenTrial], Sequence[float]] | None = None,
        explain: bool = True,
    ) -> None:
        self._policy = policy
        self._random = RandomSampler(seed)
        self._seed = 0 if seed is None else seed
        self._given = search_space
        self._constraints_func = constraints_func
        self._explain = explain
        self._common = IntersectionSearchSpace()
        self._known: _Known | None = None

    def reseed_rng(self) -> None:
        self._random.reseed_rng()

    def infer_relative_search_space(
        self, study: Study, trial: FrozenTrial
    ) -> dict[str, BaseDistribution]:
        space = self._common.calculate(study) if self._given is None else self._given
        return {name: each for name, each in sorted(space.items()) if not each.single()}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        self._raise_error_if_multi_objective(study)
        if not search_space:
            return {}
        trials = study.get_trials(deepcopy=False)
        constraints = sorted({name for each in trials for name in _constraints(each)})
        if self._known is None or not self._known.fits(search_space, constraints):
            minimize = study.direction == StudyDirection.MINIMIZE
            self._known = _Known(search_space, constraints, minimize, self._policy, self._seed)
        known = self._known
        known.update([each for each in trials if each.number != trial.number])
        proposal = known.loop.suggest(trial.number)
        attributes: dict[str, Any] = {}
        if proposal.prediction is not None:
            attributes["counsel:prediction"] = [proposal.prediction.mean, proposal.prediction.sd]
        if self._explain:
            try:
                attributes["counsel:why"] = known.loop.study.explain(proposal).sentence()
            except NothingToExplain as error:
                attributes["counsel:why"] = str(error)
        for name, each in attributes.items():
            study._storage.set_trial_user_attr(trial._trial_id, name, each)
        return {
            known.names.there[name]: known.domains[known.names.there[name]].there(each)
            for name, each in proposal.values.items()
        }

    def sample_independent(
        self,
        study: Study,
        trial: FrozenTrial,
        param_name: str,
        param_distribution: BaseDistribution,
    ) -> Any:
        return self._random.sample_independent(study, trial, param_name, param_distribution)

    def after_trial(
        self,
        study: Study,
        trial: FrozenTrial,
        state: TrialState,
        values: Sequence[float] | None,
    ) -> None:
        if self._constraints_func is None or state != TrialState.COMPLETE:
            return
        found = tuple(float(each) for each in self._constraints_func(trial))
        if any(math.isnan(each) for each in found):
            raise ValueError("constraints_func returned NaN. Return finite numbers.")
        study._storage.set_trial_system_attr(trial._trial_id, "constraints", found)


class _Known:
    """Optuna's trials over one search space, as a study of Counsel's."""

    def __init__(
        self,
        search_space: Mapping[str, BaseDistribution],
        constraints: Sequence[str],
        minimize: bool,
        policy: str | Policy | None,
        seed: int,
    ) -> None:
        self._search_space = dict(search_space)
        self._constraints = list(constraints)
        self._over: set[int] = set()
        limits = {name: f"constraint {name}" for name in constraints}
        self.domains = {name: _domain(each) for name, each in search_space.items()}
        self.names = Names(list(search_space), taken=[_OBJECTIVE, *limits.values()])
        self._limits = limits
        study = create_study(
            space_of(self.domains, self.names),
            objective=_OBJECTIVE,
            direction="minimize" if minimize else "maximize",
            constraints=[Constraint(each, at_most=0.0) for each in limits.values()],
            policy=policy,
            seed=seed,
        )
        self.loop = Loop(study, _ACTOR)

    def fits(self, search_space: Mapping[str, BaseDistribution], constraints: list[str]) -> bool:
        return self._search_space == search_space and self._constraints == constraints

    def update(self, trials: Sequence[FrozenTrial]) -> None:
        """Tell what has happened since; trials outside of this search space are skipped."""
        for trial in trials:
            if trial.number in self._over or trial.state == TrialState.WAITING:
                continue
            values = self._values(trial)
            if trial.state == TrialState.RUNNING:
                if values is not None and trial.number not in self.loop.running:
                    self.loop.occupy(trial.number, values)
                continue
            self._over.add(trial.number)
            if trial.state == TrialState.PRUNED:
                self.loop.abandon(trial.number, "pruned")
            elif values is None:
                self.loop.abandon(trial.number, "other parameters")
            else:
                outcomes: dict[str, Any] = {}
                if trial.state == TrialState.COMPLETE:
                    outcomes = {self._limits[k]: v for k, v in _constraints(trial).items()}
                    outcomes[_OBJECTIVE] = trial.value
                self.loop.ingest(trial.number, values, outcomes)

    def _values(self, trial: FrozenTrial) -> dict[str, Any] | None:
        """The trial's point in our words; None if it has other parameters or ranges."""
        for name, each in self._search_space.items():
            if name not in trial.params or not each._contains(
                each.to_internal_repr(trial.params[name])
            ):
                return None
        return {
            self.names.here[name]: each.here(trial.params[name])
            for name, each in self.domains.items()
        }


def _domain(distribution: BaseDistribution) -> Domain:
    match distribution:
        case FloatDistribution():
            d = distribution
            return interval(d.low, d.high, log=d.log, step=d.step)
        case IntDistribution():
            d = distribution
            return interval(d.low, d.high, whole=True, log=d.log, step=d.step)
        case CategoricalDistribution():
            return choice(distribution.choices)
    raise CounselError(f"Counsel has no parameter like Optuna's {distribution!r}.")


def _constraints(trial: FrozenTrial) -> dict[str, float]:
    """What was measured of constraints, in either form that Optuna has stored it."""
    listed = trial.system_attrs.get("constraints") or ()
    found = {str(i): float(each) for i, each in enumerate(listed)}
    prefix = "constraints:"
    for name, each in trial.system_attrs.items():
        if name.startswith(prefix):
            found[name.removeprefix(prefix)] = float(each)
    return found
