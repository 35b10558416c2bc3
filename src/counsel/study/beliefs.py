"""What a study believes: predictions, chances, the best trial, what to ask next."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np

from counsel.errors import Conflict, InvalidInput, NothingToExplain
from counsel.facts.history import Array, History
from counsel.facts.kept import Kept
from counsel.facts.problem import SUCCESS, Problem
from counsel.facts.records import Observation, Prediction, Proposal, Value
from counsel.facts.safety import SafeSet
from counsel.facts.state import StudyState
from counsel.facts.summaries import NOTHING_CERTIFIED, Best, Setup, vouched
from counsel.policies.protocol import (
    Feasibility,
    Noisy,
    Policy,
    Questions,
    SafeSets,
    Weighing,
    Working,
)
from counsel.storage.ledger import Ledger
from counsel.study.proposing import signed

__all__ = ["Beliefs"]

NO_WEIGHT = "This policy has no output weight; policy='lw-ucb' and 'pruned-ucb' have one."


class Beliefs:
    """Beliefs, rebuilt from the facts; `policy` returns the policy that holds them.

    Answers to one state of the facts share what is computed for them (`kept`).
    """

    def __init__(
        self, setup: Setup, ledger: Ledger, policy: Callable[[], Policy], kept: Kept
    ) -> None:
        self._seed = setup.seed
        self._ledger = ledger
        self._policy = policy
        self._kept = kept

    @property
    def _problem(self) -> Problem:
        return self._ledger.state.problem

    def history(self, state: StudyState, context: Array | None = None) -> History:
        """The facts as the next round sees them, with an empty context unless one is given."""
        if context is None:
            context = np.zeros(self._problem.space.context_dim)
        t = state.made[Proposal] + 1
        return state.history(t=t, seed=self._seed, context=context, kept=self._kept)

    def history_of(self, proposal: Proposal, state: StudyState) -> History:
        """The facts of a state as the round of a proposal saw them."""
        context = state.problem.space.encode_context(proposal.context)
        return state.history(t=proposal.round, seed=self._seed, context=context, kept=self._kept)

    def best(self) -> Best | None:
        with self._ledger.current() as state:
            return self._kept.get(("best", state.count), lambda: self._best(state))

    def _best(self, state: StudyState) -> Best | None:
        if self._problem.objective.preferred:
            return self._best_compared(state)
        payoffs = state.payoffs()
        measured = [o for o in state.observations.values() if o.id in payoffs]
        if not measured:
            return None
        worth, count = _by_place(measured, payoffs)
        history = self.history(state)
        if self._problem.constraints:
            return self._best_certified(state, history, measured, worth, count)
        believed = self._policy().predict(self._problem, history, history.x)
        sign = self._problem.objective.sign
        expected = (
            [sign * worth[each.id] for each in measured]
            if believed is None
            else [each.mean for each in believed]
        )
        chosen = measured[int(np.argmax(expected))]
        source = state.proposals.get(chosen.proposal or "")
        repeats = count[chosen.id]
        return Best(chosen.values, worth[chosen.id], chosen, source, measurements=repeats)

    def best_kept(self, context: Mapping[str, Value]) -> float | None:
        """What was measured of the best trial in a context that kept every constraint.

        Best as `best` has it: the one that is believed to be, not the luckiest measurement.
        """
        with self._ledger.current() as state:
            key = ("best kept", state.count, tuple(context.items()))
            return self._kept.get(key, lambda: self._best_kept(state, context))

    def _best_kept(self, state: StudyState, context: Mapping[str, Value]) -> float | None:
        payoffs = state.payoffs()
        found = [o for o in state.observations.values() if o.id in payoffs and state.keeps(o)]
        found = [each for each in found if dict(each.context) == dict(context)]
        if not found:
            return None
        worth, _ = _by_place(found, payoffs)
        believed = self.predict_many([each.values for each in found], context or None)
        expected = [worth[o.id] for o in found] if believed is None else [b.mean for b in believed]
        return worth[found[int(np.argmax(self._problem.objective.sign * np.array(expected)))].id]

    def _best_certified(
        self,
        state: StudyState,
        history: History,
        measured: list[Observation],
        worth: Mapping[str, float],
        count: Mapping[str, int],
    ) -> Best:
        """Of the trials in the safe set the one that pays most for certain, else the likeliest."""
        from counsel.study import safety  # and with it the models, which plain studies do without

        found = safety.certificate(self._policy(), self._problem, history, history.x)
        if found.certified.any():
            at = int(np.argmax(np.where(found.certified, found.surely, -np.inf)))
            note = vouched(float(found.chance[at])) if found.declared[at] else ""
        else:
            at, note = int(np.argmax(found.chance)), NOTHING_CERTIFIED
        chosen = measured[at]
        better = self._better(state, measured, worth, at)
        if better is not None and not found.certified[better]:
            more = safety.uncertified(
                measured[better].id, worth[measured[better].id], float(found.chance[better])
            )
            note = f"{note} {more}"
        if found.certified[at]:  # looked for where they matter, for they take as long as the rest
            note = " ".join([note, *safety.doubts(self._policy(), self._problem, history, found)])
        return Best(
            chosen.values,
            worth[chosen.id],
            chosen,
            state.proposals.get(chosen.proposal or ""),
            certified=bool(found.certified[at] and not found.declared[at]),
            chance=min(float(found.chance[at]), 1.0),  # a sum of weights may round above 1
            note=note.strip(),
            declared=bool(found.declared[at]),
            measurements=count[chosen.id],
        )

    def _better(
        self, state: StudyState, measured: list[Observation], worth: Mapping[str, float], at: int
    ) -> int | None:
        """The best trial that was measured to keep every constraint, if it pays more."""
        sign, best = self._problem.objective.sign, at
        for i, trial in enumerate(measured):
            if state.keeps(trial) and sign * worth[trial.id] > sign * worth[measured[best].id]:
                best = i
        return None if best == at else best

    def safe_set(self, context: Mapping[str, Value] | None) -> SafeSet:
        from counsel.study import safety

        given = self._problem.space.encode_context(context)
        with self._ledger.current() as state:
            history = self.history(state, given)
            # As the history numbers them: in order of appearance.
            people = list(dict.fromkeys(each.actor for each in state.observations.values()))
        return safety.safe_set(self._policy(), self._problem, history, people)

    def _best_compared(self, state: StudyState) -> Best | None:
        """The compared trial with the highest believed utility."""
        comparisons = state.comparisons.values()
        trials = [(c.winner, c.winner_proposal) for c in comparisons]
        trials += [(c.loser, c.loser_proposal) for c in comparisons]
        history = self.history(state)
        points = np.concatenate([history.comparisons[:, 0], history.comparisons[:, 1]])
        believed = self._policy().predict(self._problem, history, points) if trials else None
        if believed is None:
            return None
        worth = [p.mean for p in believed]
        values, source = trials[int(np.argmax(worth))]
        return Best(values, max(worth), None, state.proposals.get(source or ""))

    def predict_many(
        self,
        many: Iterable[Mapping[str, Value]],
        context: Mapping[str, Value] | None,
        *,
        noise: bool = False,
    ) -> list[Prediction] | None:
        policy = self._policy()
        with self._ledger.current() as state:
            given, joined = self._joined(many, context)
            history = self.history(state, given)
            believed = policy.predict(self._problem, history, joined)
            if noise and believed and isinstance(policy, Noisy):
                means = np.array([each.mean for each in believed])
                varies = policy.noise(self._problem, history, joined, means).tolist()
                believed = [
                    replace(each, sd=math.hypot(each.sd, sd))
                    for each, sd in zip(believed, varies, strict=True)
                ]
        sign = self._problem.objective.sign
        return None if believed is None else [signed(p, sign) for p in believed]

    def weights(
        self, many: Iterable[Mapping[str, Value]], context: Mapping[str, Value] | None
    ) -> list[float] | None:
        policy = self._policy()
        if not isinstance(policy, Weighing) or not policy.weighs:
            raise NothingToExplain(NO_WEIGHT)
        with self._ledger.current() as state:
            given, joined = self._joined(many, context)
            history = self.history(state, given)
            if len(history.y) == 0:
                return None
            weights: list[float] = policy.weights(self._problem, history, joined).tolist()
        return weights

    def _joined(
        self, many: Iterable[Mapping[str, Value]], context: Mapping[str, Value] | None
    ) -> tuple[Array, Array]:
        """The encoded context, and encoded points with the context's columns last."""
        if isinstance(many, str | Mapping) or not isinstance(many, Iterable):
            raise InvalidInput("many", many, "Give a list of dicts of parameter values.")
        space = self._problem.space
        given = space.encode_context(context)
        points = space.encode_many(many)
        return given, np.concatenate([points, np.tile(given, (len(points), 1))], axis=1)

    def chances(
        self, values: Mapping[str, Value], context: Mapping[str, Value] | None
    ) -> dict[str, float]:
        with self._ledger.current() as state:
            space = self._problem.space
            point = np.concatenate([space.encode(values), space.encode_context(context)])
            history = self.history(state, point[space.dim :])
            policy, names = self._policy(), [each.name for each in self._problem.constraints]
            chances: dict[str, float] = {}
            if history.measured[:, 1:].any() and isinstance(policy, Feasibility):
                found = policy.chances(self._problem, history, point[None, :])[0]
                chances |= zip(names, found.tolist(), strict=True)
            if len(history.failed) and isinstance(policy, Working):
                works = policy.working_chances(self._problem, history, point[None, :])
                chances |= {} if works is None else {SUCCESS: float(works[0])}
        return chances

    def safe_sets(self) -> Array:
        found, policy = None, self._policy()
        with self._ledger.current() as state:
            if isinstance(policy, SafeSets) and self._problem.constraints:
                found = policy.safe_sets(self._problem, self.history(state))
        if found is None:
            raise NothingToExplain(
                "There is no safe set: the study has no trial, no constraint, or a policy that "
                "keeps none."
            )
        return found

    def next_question(self, proposal: Proposal | str) -> str | None:
        with self._ledger.current() as state:
            space = self._problem.space
            found = state.find(proposal)
            decision = state.decisions.get(found.id)
            if decision is not None and decision.kind == "reject":
                raise Conflict(f"Proposal {found.id!r} was rejected by {decision.actor}.", decision)
            answered, policy = state.answers(found.id), self._policy()
            if not isinstance(policy, Questions):
                left = [name for name in found.asks if name not in answered]
                return left[0] if left else None
            context = space.encode_context(found.context)
            point = np.concatenate([space.encode(state.tried(found)), context])
            margins = {
                c.name: c.margin(answered[c.name])
                for c in self._problem.constraints
                if c.name in answered
            }
            history = state.history(
                t=found.round,
                seed=self._seed,
                context=context,
                unanswered=found.id,
                kept=self._kept,
            )
            return policy.question(self._problem, history, point, margins)


def _by_place(
    measured: list[Observation], payoffs: Mapping[str, float]
) -> tuple[dict[str, float], dict[str, int]]:
    """For each trial the mean of what was measured at its point, and of how many trials.

    Of several measurements at one point the largest is only the luckiest.
    """
    places: dict[object, list[str]] = {}
    for each in measured:
        key = (tuple(sorted(each.values.items())), tuple(sorted(each.context.items())))
        places.setdefault(key, []).append(each.id)
    worth: dict[str, float] = {}
    count: dict[str, int] = {}
    for ids in places.values():
        mean = sum(payoffs[each] for each in ids) / len(ids)
        worth |= dict.fromkeys(ids, mean)
        count |= dict.fromkeys(ids, len(ids))
    return worth, count
