"""The study: ask, decide, tell. The only stateful class.

A study appends facts and rebuilds everything else from them. Every method validates first and
appends last, so a refused call leaves the study as it was.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from counsel.errors import Conflict, InvalidInput, NotFound, NothingToExplain
from counsel.facts.ledger import Ledger, digest
from counsel.facts.records import (
    PREFERENCE,
    TABLE_COLUMNS,
    Attribution,
    Best,
    Comparison,
    Constraint,
    Decision,
    DecisionKind,
    Difference,
    Direction,
    Fact,
    Frozen,
    Lease,
    Objective,
    Observation,
    PastTrial,
    Prediction,
    Problem,
    Proposal,
    Replay,
    Revision,
    Shown,
    Value,
    WhatIf,
    Withdrawal,
    check_name,
    check_text,
    check_whole,
    finite_number,
)
from counsel.facts.state import InForce, StudyState
from counsel.policies import Policy, by_name
from counsel.policies.description import Undescribed, describe, make, unregistered
from counsel.policies.protocol import (
    Array,
    Choice,
    Feasibility,
    History,
    Joint,
    Questions,
    SafeSets,
    Scoring,
)
from counsel.policies.registry import check as check_policy
from counsel.space import AnySpace
from counsel.storage import MemoryStorage, Setup, Storage, Summary, Writer, open_storage

if TYPE_CHECKING:
    import pandas as pd

    from counsel.acquisition.terms import Score
    from counsel.teams.alignment import Alignment
    from counsel.teams.overriding import Believed, Overriding

NOBODY = "anonymous"
STATUS = {"accept": "accepted", "override": "overridden", "reject": "rejected"}
Point = Proposal | str | Mapping[str, Value]  # a trial, by name or by values
# How often a proposal may be overtaken by others' facts before it is computed under their lock.
_RACES = 3
_LONGEST_LEASE = 30 * 24 * 3600.0


def create_study(
    space: AnySpace,
    *,
    name: str = "study",
    direction: Direction = "maximize",
    objective: str = "objective",
    constraints: Sequence[Constraint] = (),
    policy: str | Policy | None = None,
    seed: int = 0,
    storage: str | Storage | None = None,
    load_if_exists: bool = False,
) -> "Study":
    """Start a study of `space`, in which `constraints` must hold.

    `policy` is "v-ucb" unless given. The objective "preference" is never measured: people compare
    two proposals at a time (`first, second = study.ask(2)`), and the policy is "preference".

    `storage` is where it is kept: None for this process's memory, "sqlite:///file.db", or
    "postgresql://user:password@host/database" for many people and machines. With
    `load_if_exists` a study of this name is opened instead, if it was created alike.

    Example:
        >>> import counsel as cs
        >>> study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="ei", seed=1)
        >>> proposal = study.ask()
        >>> _ = study.tell(proposal, 0.5)
    """
    check_name("study", name)
    check_whole("seed", seed, least=0, most=2**63 - 1)
    check_name("objective", objective)
    if policy is None:
        policy = "preference" if objective == PREFERENCE else "v-ucb"
    if isinstance(policy, str):
        policy = by_name(policy)
    elif isinstance(policy, type) or not isinstance(policy, Policy):
        raise InvalidInput(
            "policy", policy, "Give a policy's name, or an object with name, propose and predict."
        )
    if isinstance(constraints, str | Mapping) or not isinstance(constraints, Iterable):
        raise InvalidInput("constraints", constraints, "Give a list of counsel.Constraint.")
    problem = Problem(space, Objective(objective, direction), tuple(constraints))
    check_policy(policy, problem)
    store = open_storage(storage)
    setup = Setup(
        name=name,
        problem=problem,
        policy_name=policy.name,
        policy=_described(policy, store),
        seed=int(seed),
        created=_now(),
    )
    try:
        return Study(setup, store, store.create(setup), policy)
    except Conflict:
        if not load_if_exists:
            raise
    number, found = store.find(name)
    _refuse_if_different(found, setup)
    return Study(found, store, number, policy)


def load_study(name: str, storage: str | Storage, *, policy: Policy | None = None) -> "Study":
    """Open a study that was created before, here or elsewhere.

    Its policy is built anew from what was stored; one of a class that is not Counsel's own has to
    be handed over, and has to be the same.
    """
    check_name("study", name)
    store = _existing(storage)
    number, setup = store.find(name)
    if policy is not None and _described(policy, store) not in (
        setup.policy,
        _as_today(setup.policy),
    ):
        raise Conflict(f"Study {name!r} was created with another policy: {setup.policy}.", setup)
    return Study(setup, store, number, policy)


def list_studies(storage: str | Storage) -> list[Summary]:
    """The studies that a storage holds, oldest first."""
    return _existing(storage).summaries()


def delete_study(name: str, storage: str | Storage) -> None:
    """Remove a study with all its facts, for good."""
    _existing(storage).delete(name)


class Study:
    """People and a policy deciding together, one trial at a time.

    Make one with `create_study`, or open one with `load_study`.
    """

    def __init__(
        self, setup: Setup, storage: Storage, number: int, policy: Policy | None = None
    ) -> None:
        self.problem = setup.problem
        self.name = setup.name
        self.seed = setup.seed
        self.setup = setup
        self._policy = policy
        self._ledger = self._lock = Ledger(storage, number, setup.problem)
        self._scored: tuple[object, Score] | None = None  # the last score made, and of what
        # Who chooses, and what is held meanwhile: one proposal at a time. A service may set them.
        # Who holds this lock and the ledger's takes this one first.
        self.choose: Callable[[History], Choice] = self._choose
        self.computing: AbstractContextManager[object] = threading.RLock()

    @property
    def policy(self) -> Policy:
        """Who proposes. Built on first use: looking at facts needs no beliefs."""
        if self._policy is None:
            self._policy = make(self.setup.policy)
        return self._policy

    @property
    def _facts(self) -> list[Fact]:
        return self._ledger.facts

    @property
    def _state(self) -> StudyState:
        return self._ledger.state

    # ---- the loop ------------------------------------------------------------------------------

    @overload
    def ask(
        self,
        n: None = None,
        *,
        context: Mapping[str, Value] | None = None,
        idempotency_key: str | None = None,
    ) -> Proposal: ...
    @overload
    def ask(
        self,
        n: int,
        *,
        context: Mapping[str, Value] | None = None,
        idempotency_key: str | None = None,
    ) -> list[Proposal]: ...
    def ask(
        self,
        n: int | None = None,
        *,
        context: Mapping[str, Value] | None = None,
        idempotency_key: str | None = None,
    ) -> Proposal | list[Proposal]:
        """Propose what to try next; `ask(3)` proposes three trials that go well together."""
        if n is not None:
            check_whole("n", n, least=1)
        given = self.problem.space.validate_context(context)
        key, asked = _checked(idempotency_key), digest("ask", n, given)
        if n is None:
            return self._propose(given, key, asked)
        # Each has a key of its own: repeated after an interruption, the batch is completed.
        keys = [None if key is None else f"{key} #{i + 1}" for i in range(n)]
        with self.computing, self._lock:
            return [self._propose(given, each, asked) for each in keys]

    def accept(
        self,
        proposal: Proposal | str,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Decision:
        """Try what was proposed."""
        return self._decide(proposal, "accept", None, actor, reason, idempotency_key)

    def override(
        self,
        proposal: Proposal | str,
        values: Mapping[str, Value],
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Decision:
        """Try `values` instead; the observation will be theirs."""
        own = self.problem.space.validate(values)
        return self._decide(proposal, "override", own, actor, reason, idempotency_key)

    def reject(
        self,
        proposal: Proposal | str,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Decision:
        """Do not try this. It is not proposed again until the decision is withdrawn."""
        return self._decide(proposal, "reject", None, actor, reason, idempotency_key)

    def tell(
        self,
        proposal: Point,
        value: float | None = None,
        *,
        constraints: Mapping[str, float] | None = None,
        context: Mapping[str, Value] | None = None,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Observation:
        """Record what was measured: of a proposal, or of a point that nobody proposed.

        `value` is the objective's, `constraints` holds the answers about constraints: those of
        `proposal.asks`, fewer or more. What was not measured is left out, and may be told of the
        same proposal later. Telling an undecided proposal counts as accepting it.
        """
        outcomes = self._outcomes(value, constraints)
        check_text("actor", actor)

        def observe(writer: Writer) -> Observation:
            if isinstance(proposal, Mapping):
                values = self.problem.space.validate(proposal)
                given = self.problem.space.validate_context(context)
                source = None
            else:
                found = self._find(proposal)
                if context is not None and context != found.context:
                    raise InvalidInput(
                        "context", context, "A proposal's context was set when it was asked for."
                    )
                self._refuse_if_over(found, "tell", outcomes)
                if self._refuse_if_held(writer, found, actor) is not None:
                    writer.release(found.id)
                decision = self._state.decisions.get(found.id)
                own = decision.values if decision is not None else None
                values, given, source = dict(own or found.values), dict(found.context), found.id
            made = self._state.made[Observation]
            return Observation(f"o{made + 1}", source, values, given, outcomes, actor, _now())

        asked = digest("tell", _named(proposal), outcomes, context, actor)
        return self._ledger.write(observe, _checked(idempotency_key), asked)

    def tell_many(
        self, trials: Iterable[PastTrial], *, idempotency_key: str | None = None
    ) -> list[Observation]:
        """Record many trials that nobody proposed, as from a table of past ones: all or none."""
        space, objective = self.problem.space, self.problem.objective.name
        checked = []
        for i, trial in enumerate(trials):
            check_text("actor", trial.actor)
            others = {name: each for name, each in trial.outcomes.items() if name != objective}
            try:
                outcomes = self._outcomes(trial.outcomes.get(objective), others)
                context = space.validate_context(trial.context or None)
                checked.append((trial, space.validate(trial.values), context, outcomes))
            except InvalidInput as error:
                raise InvalidInput(f"trial {i}, {error.field}", error.value, error.remedy) from None

        def observe(writer: Writer) -> list[Observation]:
            made = self._state.made[Observation]
            return [
                Observation(
                    f"o{made + i}", None, values, given, found, trial.actor, trial.time or _now()
                )
                for i, (trial, values, given, found) in enumerate(checked, 1)
            ]

        key = _checked(idempotency_key)
        keys = [None if key is None else f"{key} #{i + 1}" for i in range(len(checked))]
        asked = digest("tell_many", [[*each[1:], each[0].actor] for each in checked])
        return self._ledger.write_all(observe, keys, asked)

    def compare(
        self,
        *,
        winner: Point,
        loser: Point,
        tie: bool = False,
        context: Mapping[str, Value] | None = None,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Comparison:
        """Record that a person prefers one trial to another; with `tie`, neither.

        Each is a proposal (compared where it was tried, if somebody overrode it), the id of one, or
        a dict of values. Two proposals are compared in the context that they share.
        """
        check_text("actor", actor)
        if not isinstance(tie, bool):
            raise InvalidInput("tie", tie, "Give True or False.")

        def prefer(writer: Writer) -> Comparison:
            first, second = self._trial("winner", winner), self._trial("loser", loser)
            contexts = [p.context for _, p in (first, second) if p is not None]
            if context is not None or not contexts:
                contexts.insert(0, Frozen(self.problem.space.validate_context(context)))
            if contexts[-1] != contexts[0]:
                raise InvalidInput(
                    "context", contexts[-1], f"Compare two trials in one context: {contexts[0]}."
                )
            if first[0] == second[0]:
                raise InvalidInput("loser", first[0], "Compare two different points.")
            names = [None if p is None else p.id for _, p in (first, second)]
            return Comparison(
                id=f"c{self._state.made[Comparison] + 1}",
                winner=first[0],
                loser=second[0],
                tie=tie,
                context=contexts[0],
                winner_proposal=names[0],
                loser_proposal=names[1],
                actor=actor,
                time=_now(),
            )

        asked = digest("compare", _named(winner), _named(loser), tie, context, actor)
        return self._ledger.write(prefer, _checked(idempotency_key), asked)

    def next_question(self, proposal: Proposal | str) -> str | None:
        """The constraint to ask about next where a proposal is tried; None when that is enough.

        For asking one question after the other: tell the objective first, if it is measured, then
        each answer, `tell(proposal, constraints={question: answer})`, and ask again. Every answer
        is taken into account, so there are fewer questions than in `proposal.asks`, which names
        them all beforehand.
        """
        with self._lock:
            found = self._find(proposal)
            decision = self._state.decisions.get(found.id)
            if decision is not None and decision.kind == "reject":
                raise Conflict(f"Proposal {found.id!r} was rejected by {decision.actor}.", decision)
            told = {
                name: outcome
                for observation in self._state.told(found.id)
                for name, outcome in observation.outcomes.items()
            }
            own = decision.values if decision is not None else None
            space = self.problem.space
            context = space.encode_context(found.context)
            point = np.concatenate([space.encode(dict(own or found.values)), context])
            if not isinstance(self.policy, Questions):
                left = [name for name in found.asks if name not in told]
                return left[0] if left else None
            answers = {
                c.name: c.margin(told[c.name]) for c in self.problem.constraints if c.name in told
            }
            history = self._state.history(
                t=found.round, seed=self.seed, context=context, unanswered=found.id
            )
            return self.policy.question(self.problem, history, point, answers)

    def revise(
        self,
        observation: Observation | str,
        value: float | None = None,
        *,
        constraints: Mapping[str, float] | None = None,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Revision:
        """Correct what was measured; outcomes that are not given stay. The history keeps both."""
        check_text("actor", actor)
        check_text("reason", reason)
        if not isinstance(observation, Observation | str):
            raise InvalidInput("observation", observation, "Give an observation, or its id.")
        given = self._outcomes(value, constraints)
        name = observation if isinstance(observation, str) else observation.id

        def correct(writer: Writer) -> Revision:
            found = self._state.observation(name)
            self._refuse_foreign(observation)
            made = self._state.made[Revision]
            outcomes = {**found.outcomes, **given}
            return Revision(f"r{made + 1}", name, outcomes, actor, reason, _now())

        asked = digest("revise", name, given, actor, reason)
        return self._ledger.write(correct, _checked(idempotency_key), asked)

    def withdraw(
        self,
        fact: InForce | str,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Withdrawal:
        """Take back a decision, observation, comparison or revision; the history keeps both."""
        check_text("actor", actor)
        check_text("reason", reason)
        if not isinstance(fact, InForce | str):
            raise InvalidInput(
                "fact", fact, "Give a decision, observation, comparison or revision, or its id."
            )
        fact_id = fact if isinstance(fact, str) else fact.id

        def take_back(writer: Writer) -> Withdrawal:
            self._state.in_force(fact_id)
            self._refuse_foreign(fact)
            made = self._state.made[Withdrawal]
            return Withdrawal(f"w{made + 1}", fact_id, actor, reason, _now())

        asked = digest("withdraw", fact_id, actor, reason)
        return self._ledger.write(take_back, _checked(idempotency_key), asked)

    # ---- who is at it --------------------------------------------------------------------------

    def hold(self, proposal: Proposal | str, *, actor: str, seconds: float = 600.0) -> Lease:
        """Keep a proposal for one person: until the lease lapses, nobody else decides or tells it.

        Holding it again renews the lease.
        """
        check_name("actor", actor)
        if not 0 < finite_number("seconds", seconds) <= _LONGEST_LEASE:
            raise InvalidInput("seconds", seconds, f"Give a number up to {_LONGEST_LEASE}.")

        def take(writer: Writer) -> Lease:
            found = self._find(proposal)
            self._refuse_if_over(found, "hold")
            self._refuse_if_held(writer, found, actor)
            return writer.hold(found.id, actor, float(seconds))

        return self._ledger.change(take)

    def release(self, proposal: Proposal | str, *, actor: str) -> None:
        """Give a proposal back before the lease lapses."""
        check_name("actor", actor)

        def give_back(writer: Writer) -> None:
            found = self._find(proposal)
            self._refuse_if_held(writer, found, actor)
            writer.release(found.id)

        self._ledger.change(give_back)

    @property
    def leases(self) -> tuple[Lease, ...]:
        """Who holds which proposal, and until when."""
        return tuple(self._ledger.storage.leases(self._ledger.study))

    # ---- what is known -------------------------------------------------------------------------

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Everything that happened, in order."""
        with self._lock:
            return tuple(self._facts)

    @property
    def observations(self) -> tuple[Observation, ...]:
        """The observations in force."""
        with self._lock:
            return tuple(self._state.observations.values())

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The comparisons in force."""
        with self._lock:
            return tuple(self._state.comparisons.values())

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions in force."""
        with self._lock:
            return tuple(self._state.decisions.values())

    @property
    def pending(self) -> tuple[Proposal, ...]:
        """Proposals that wait for a decision or an observation."""
        with self._lock:
            return tuple(self._state.pending)

    @property
    def best(self) -> Best | None:
        """The best trial so far, or None.

        With noise the largest value is often the luckiest: the trial is chosen by what is believed
        of its payoff, where the policy has beliefs; `value` is what was measured there. With
        constraints it is the best of the trials where all of them, taken as independent, are more
        likely to hold than not; None if there is no such trial.
        """
        name = self.problem.objective.name
        if self.problem.objective.preferred:
            return self._best_compared()
        with self._lock:
            measured = [o for o in self._state.observations.values() if name in o.outcomes]
            if not measured:
                return None
            history = self._history(np.zeros(self.problem.space.context_dim))
            believed = self.policy.predict(self.problem, history, history.x)
            worth = history.y if believed is None else np.array([p.mean for p in believed])
            if self.problem.constraints:
                likely = self._chances(history).prod(axis=1) > 0.5
                if not likely.any():
                    return None
                worth = np.where(likely, worth, -np.inf)
            chosen = measured[int(np.argmax(worth))]
            source = self._state.proposals.get(chosen.proposal or "")
            return Best(chosen.values, chosen.outcomes[name], chosen, source)

    def _best_compared(self) -> Best | None:
        """The compared trial with the most utility, as far as is believed."""
        with self._lock:
            comparisons = self._state.comparisons.values()
            trials = [(c.winner, c.winner_proposal) for c in comparisons]
            trials += [(c.loser, c.loser_proposal) for c in comparisons]
            history = self._history(np.zeros(self.problem.space.context_dim))
            points = np.concatenate([history.comparisons[:, 0], history.comparisons[:, 1]])
            believed = self.policy.predict(self.problem, history, points) if trials else None
            if believed is None:
                return None
            worth = [p.mean for p in believed]
            values, source = trials[int(np.argmax(worth))]
            return Best(values, max(worth), None, self._state.proposals.get(source or ""))

    def predict(
        self, values: Mapping[str, Value], *, context: Mapping[str, Value] | None = None
    ) -> Prediction | None:
        """What is believed of the objective at a point; None before any observation."""
        believed = self.predict_many([values], context=context)
        return None if believed is None else believed[0]

    def predict_many(
        self, many: Iterable[Mapping[str, Value]], *, context: Mapping[str, Value] | None = None
    ) -> list[Prediction] | None:
        """What is believed at several points, from one posterior."""
        if isinstance(many, str | Mapping) or not isinstance(many, Iterable):
            raise InvalidInput("many", many, "Give a list of dicts of parameter values.")
        space = self.problem.space
        given = space.encode_context(context)
        points = space.encode_many(many)
        with self._lock:
            history = self._history(given)
            joined = np.concatenate([points, np.tile(given, (len(points), 1))], axis=1)
            believed = self.policy.predict(self.problem, history, joined)
        return None if believed is None else [self._signed(p) for p in believed]

    def chances(
        self, values: Mapping[str, Value], *, context: Mapping[str, Value] | None = None
    ) -> dict[str, float]:
        """How likely each constraint holds at a point; empty while nothing is believed of them."""
        space = self.problem.space
        point = np.concatenate([space.encode(values), space.encode_context(context)])
        with self._lock:
            history = self._history(point[space.dim :])
            known = history.measured[:, 1:].any()
            if not known or not isinstance(self.policy, Feasibility):
                return {}
            found = self.policy.chances(self.problem, history, point[None, :])[0]
        names = [constraint.name for constraint in self.problem.constraints]
        return dict(zip(names, found.tolist(), strict=True))

    def safe_sets(self) -> Array:
        """After each trial (n, 2): the share of points known to be safe, and that may be.

        The shares of earlier trials are as one would see them today, with today's model.
        """
        with self._lock:
            history = self._history(np.zeros(self.problem.space.context_dim))
            found = None
            if isinstance(self.policy, SafeSets) and self.problem.constraints:
                found = self.policy.safe_sets(self.problem, history)
        if found is None:
            raise NothingToExplain("No trial, no constraint, or a policy that keeps no safe set.")
        return found

    def explain(
        self,
        proposal: Proposal | str | Mapping[str, Value],
        *,
        context: Mapping[str, Value] | None = None,
        instead_of: Proposal | str | None = None,
        background: Sequence[Mapping[str, Value]] | None = None,
        tolerance: float = 0.01,
        actor: str | None = None,
    ) -> Attribution:
        """Why this proposal, or why one would try these values.

        A proposal is explained under the facts it was derived from: base and contributions add up
        to the terms that were maximised. Values are explained under the facts of today, by what the
        next `ask` would maximise, or, `instead_of` a proposal, by what that one maximised.
        Contributions are relative to `background`, by default the whole space; `tolerance` matters
        only where coalitions are too many to enumerate. With `actor` it is written down that this
        person has seen it (`shown`).
        """
        from counsel.explain.attribute import attribute

        if actor is not None:
            check_name("actor", actor)
        if not isinstance(tolerance, float | int) or not 0.0 < tolerance < 1.0:
            raise InvalidInput("tolerance", tolerance, "Give a share between 0 and 1, as 0.01.")
        with self._lock:
            if isinstance(proposal, Mapping):
                found = None
                values = self.problem.space.validate(proposal)
                if instead_of is None:
                    given = self.problem.space.validate_context(context)
                    score = self.score_now(given)
                else:
                    rival = self._find(instead_of)
                    given, score = dict(rival.context), self.score_of(rival)
            else:
                found = self._find(proposal)
                values, given = dict(found.values), dict(found.context)
                score = self.score_of(found)
            why = attribute(
                score,
                self.problem.space,
                values,
                context=given,
                background=background,
                tolerance=tolerance,
                proposal=None if found is None else found.id,
                objective=self.problem.objective.name,
                direction=self.problem.objective.direction,
            )
        if found is not None:
            _check_same(found, why)
        if actor is not None:
            seen = Shown(actor, _now(), why)
            self._ledger.change(lambda writer: writer.show(seen))
        return why

    @property
    def shown(self) -> tuple[Shown, ...]:
        """The explanations that people have seen, in order."""
        return tuple(self._ledger.storage.shown(self._ledger.study))

    def alignment(self, proposal: Proposal | str, *, actor: str = NOBODY) -> "Alignment | None":
        """How far the machine's reasons for a proposal are from this person's past ones.

        None while the person has overridden nothing.
        """
        from counsel.teams.alignment import alignment

        check_text("actor", actor)
        with self._lock:
            return alignment(self, proposal, actor)

    def overriding(self) -> "tuple[Overriding, ...]":
        """What overriding cost or gained, person by person, as far as is believed today."""
        from counsel.teams.overriding import overriding

        with self._lock:
            return overriding(self, self._jointly())

    def _jointly(self) -> "Believed | None":
        """What is believed of the objective at several points together, where that is known."""
        from counsel.models.gp import Posterior

        if not self._state.observations:
            return None
        if isinstance(self.policy, Joint):
            history = self._history(np.zeros(self.problem.space.context_dim))
            return partial(self.policy.joint, self.problem, history)
        if not isinstance(self.policy, Scoring):
            return None
        belief = getattr(self.score_now(), "posterior", None)
        if not isinstance(belief, Posterior):
            return None
        return lambda points: tuple(np.asarray(each) for each in belief.joint(points))  # type: ignore[return-value]

    def what_if(
        self,
        values: Mapping[str, Value],
        *,
        context: Mapping[str, Value] | None = None,
        instead_of: Proposal | str | None = None,
    ) -> WhatIf:
        """What is believed of a point that nobody proposed, and what speaks for trying it.

        `instead_of` a proposal, both are judged by what that proposal maximised, in its context.
        """
        with self._lock:
            why = self.explain(dict(values), context=context, instead_of=instead_of)
            prediction = self.predict(values, context=why.context or None)
        assert prediction is not None  # there is a score, so there are observations
        return WhatIf(prediction, why)

    def score_now(self, context: Mapping[str, Value] | None = None) -> "Score":
        """What the next `ask` would maximise, as a function of encoded points."""
        given = self.problem.space.validate_context(context)
        with self._lock:
            history = self._history(self.problem.space.encode_context(given))
            return self._score((self._state.count, given), history, ())

    def score_of(self, proposal: Proposal | str) -> "Score":
        """What a proposal maximised, rebuilt from the facts it was derived from."""
        proposal = self.proposal(proposal)
        if not proposal.terms:
            raise NothingToExplain(
                f"Proposal {proposal.id!r} came from no acquisition: it is random, or one of the "
                "first trials, which are spread over the space."
            )
        given = self.problem.space.encode_context(proposal.context)
        with self._lock:
            before = StudyState(self.problem, self._facts[: proposal.seen])
            history = before.history(t=proposal.round, seed=self.seed, context=given)
            return self._score(proposal.id, history, proposal.theta)

    def proposal(self, proposal: Proposal | str) -> Proposal:
        """The proposal of this id."""
        with self._lock:
            return self._find(proposal)

    def dataframe(self) -> "pd.DataFrame":
        """One row per proposal, and per observation that nobody proposed."""
        import pandas as pd

        with self._lock:
            rows = [self._row(p) for p in self._state.proposals.values()]
            free = [o for o in self._state.observations.values() if o.proposal is None]
            rows += [self._free_row(o) for o in free]
        space, before = self.problem.space, TABLE_COLUMNS.index("predicted")
        named = [*space.names, *space.context_names, self.problem.objective.name]
        named += [constraint.name for constraint in self.problem.constraints]
        columns = [*TABLE_COLUMNS[:before], *named, *TABLE_COLUMNS[before:]]
        return pd.DataFrame(rows, columns=columns)

    def replay(self) -> Replay:
        """Derive every proposal anew from the facts before it, and compare bit for bit."""
        with self._lock:
            facts = list(self._facts)
        differences: list[Difference] = []
        state, count = StudyState(self.problem), 0
        for fact in facts:
            if isinstance(fact, Proposal):
                before = (
                    state
                    if fact.seen == state.count
                    else StudyState(self.problem, facts[: fact.seen])
                )
                again = self._derive(*self._basis(before, fact.round, dict(fact.context)))
                differences += _differences(fact, again)
                count += 1
            state.add(fact)
        return Replay(count, tuple(differences))

    # ---- inside --------------------------------------------------------------------------------

    def _propose(self, context: dict[str, Value], key: str | None, asked: str) -> Proposal:
        """The next proposal. It is computed before the storage is locked, and computed anew if
        meanwhile somebody else has changed what it must keep clear of."""
        before = self._ledger.answered(key, asked)
        if isinstance(before, Proposal):
            return before
        for _ in range(_RACES):
            with self.computing:
                with self._ledger.as_known():
                    t = self._state.made[Proposal] + 1
                    basis = self._basis(self._state, t, context)
                proposal = self._derive(*basis)
            try:
                return self._ledger.write(partial(self._current, proposal), key, asked)
            except _Overtaken:  # and what overtook it is known by now
                continue

        def make(_: Writer) -> Proposal:
            t = self._state.made[Proposal] + 1
            return self._derive(*self._basis(self._state, t, context))

        with self.computing:
            return self._ledger.write(make, key, asked)

    def _current(self, proposal: Proposal, writer: Writer) -> Proposal:
        """The proposal itself, unless facts that it has not seen forbid it.

        A measurement more only means that less was known. A proposal, rejection, override or
        withdrawal changes where trials are under way or forbidden.
        """
        for fact in self._facts[proposal.seen :]:
            if isinstance(fact, Proposal | Withdrawal) or (
                isinstance(fact, Decision) and fact.kind != "accept"
            ):
                raise _Overtaken
        return proposal

    def _basis(
        self, state: StudyState, t: int, context: dict[str, Value]
    ) -> tuple[History, int, dict[str, Value]]:
        """What the proposal of round t is derived from."""
        given = self.problem.space.encode_context(context)
        return state.history(t=t, seed=self.seed, context=given), state.count, context

    def _derive(self, history: History, seen: int, context: dict[str, Value]) -> Proposal:
        """The proposal of a round: a function of the facts, the seed and the policy alone."""
        space = self.problem.space
        choice = self.choose(history)
        prediction = None
        if choice.mean is not None and choice.sd is not None:
            prediction = self._signed(Prediction(choice.mean, choice.sd))
        return Proposal(
            id=f"p{history.t}",
            round=history.t,
            values=space.decode(choice.point) if choice.arm is None else space[choice.arm],  # type: ignore[index]
            context=context,
            asks=choice.asks,
            prediction=prediction,
            terms=dict(choice.terms),
            policy=self.setup.policy_name,
            theta=choice.theta,
            seen=seen,
            note=choice.note,
            time=_now(),
            chances=dict(choice.chances),
        )

    def _choose(self, history: History) -> Choice:
        return self.policy.propose(self.problem, history)

    def _decide(
        self,
        proposal: Proposal | str,
        kind: DecisionKind,
        values: dict[str, Value] | None,
        actor: str,
        reason: str,
        key: str | None,
    ) -> Decision:
        check_text("actor", actor)
        check_text("reason", reason)

        def decide(writer: Writer) -> Decision:
            found = self._find(proposal)
            self._refuse_if_over(found, kind)
            first = self._state.decisions.get(found.id)
            if first is not None:
                raise Conflict(
                    f"Proposal {found.id!r} was decided already: {first.kind} by {first.actor}. "
                    "Withdraw that decision to decide anew.",
                    first,
                )
            self._refuse_if_held(writer, found, actor)
            if kind == "reject":
                writer.release(found.id)
            made = self._state.made[Decision]
            return Decision(f"d{made + 1}", found.id, kind, values, actor, reason, _now())

        asked = digest(kind, _named(proposal), values, actor, reason)
        return self._ledger.write(decide, _checked(key), asked)

    def _find(self, proposal: Proposal | str) -> Proposal:
        if not isinstance(proposal, Proposal | str):
            raise InvalidInput(
                "proposal", proposal, "Give a proposal, its id, or a dict of parameter values."
            )
        proposal_id = proposal if isinstance(proposal, str) else proposal.id
        found = self._state.proposals.get(proposal_id)
        if found is None or (isinstance(proposal, Proposal) and proposal != found):
            raise NotFound(
                f"Study {self.name!r} made no proposal {proposal_id!r}. "
                "Give one that this study's ask returned, or its id."
            )
        return found

    def _trial(self, role: str, point: Point) -> tuple[Mapping[str, Value], Proposal | None]:
        """Where a trial was or would be made, and its proposal if it has one."""
        if isinstance(point, Mapping):
            return Frozen(self.problem.space.validate(point)), None
        if not isinstance(point, Proposal | str):
            raise InvalidInput(role, point, "Give a proposal, its id, or a dict of values.")
        found = self._find(point)
        decision = self._state.decisions.get(found.id)
        return (decision.values if decision else None) or found.values, found

    def _outcomes(
        self, value: float | None, constraints: Mapping[str, float] | None
    ) -> dict[str, float]:
        """What was measured, by name; what was not is not there."""
        objective = self.problem.objective
        known = [constraint.name for constraint in self.problem.constraints]
        given = {} if constraints is None else constraints
        if not isinstance(given, Mapping) or not set(given) <= set(known):
            names = ", ".join(known) or "none; leave it out"
            raise InvalidInput("constraints", given, f"This study's constraints: {names}.")
        if objective.preferred and not given:
            raise InvalidInput(
                objective.name, value, "It is not measured: compare(winner=..., loser=...) instead."
            )
        outcomes = {} if value is None else {objective.name: finite_number(objective.name, value)}
        outcomes |= {name: finite_number(name, given[name]) for name in known if name in given}
        if not outcomes:
            remedy = "Give one number, or what was answered about constraints."
            raise InvalidInput(objective.name, value, remedy if known else "Give one number.")
        return outcomes

    def _chances(self, history: History) -> Array:
        """How likely each constraint holds where the objective was measured (n, N).

        Without a policy's beliefs, the answers decide: 1 where they hold on average at that very
        point, 0 where they do not or nobody was asked.
        """
        if isinstance(self.policy, Feasibility):
            return self.policy.chances(self.problem, history, history.x)
        same = (history.x[:, None, :] == history.points[None, :, :]).all(axis=2)
        asked = history.measured[:, 1:].astype(np.float64)
        total = same @ (history.outcomes[:, 1:] * asked)
        return ((total >= 0.0) & (same @ asked > 0.0)).astype(np.float64)

    def _refuse_foreign(self, fact: InForce | str) -> None:
        if not isinstance(fact, str) and not self._state.knows(fact):
            raise NotFound(f"Fact {fact.id!r} is another study's. Give one of {self.name!r}.")

    def _refuse_if_over(
        self, proposal: Proposal, verb: str, outcomes: Iterable[str] | None = None
    ) -> None:
        observed = self._state.observed.get(proposal.id)
        if outcomes is not None:  # a part that was not told yet is welcome
            told = self._state.told(proposal.id)
            again = [each for each in told if set(outcomes) & set(each.outcomes)]
            observed = again[0] if again else None
        if observed is not None:
            raise Conflict(
                f"Cannot {verb} proposal {proposal.id!r}: it was told already (observation "
                f"{observed.id!r}). Revise or withdraw that observation to correct it.",
                observed,
            )
        decision = self._state.decisions.get(proposal.id)
        if verb == "tell" and decision is not None and decision.kind == "reject":
            raise Conflict(
                f"Cannot tell proposal {proposal.id!r}: {decision.actor} rejected it. Withdraw "
                "the rejection, or tell the point itself as a dict of values.",
                decision,
            )

    def _refuse_if_held(self, writer: Writer, proposal: Proposal, actor: str) -> Lease | None:
        """The actor's own lease, if there is one; Conflict if somebody else has it."""
        lease = writer.lease(proposal.id)
        if lease is not None and lease.actor != actor:
            raise Conflict(
                f"{lease.actor} holds proposal {proposal.id!r} until {lease.until:%H:%M:%S} UTC. "
                "Wait for that, or ask for it to be released.",
                lease,
            )
        return lease

    def _history(self, context: Array) -> History:
        t = self._state.made[Proposal] + 1
        return self._state.history(t=t, seed=self.seed, context=context)

    def _score(self, of: object, history: History, theta: tuple[float, ...]) -> "Score":
        if self._scored is not None and self._scored[0] == of:
            return self._scored[1]
        score = None
        if isinstance(self.policy, Scoring):
            score = self.policy.score(self.problem, history, theta)
        if score is None:
            nothing = (
                "Nothing was measured yet, so there is nothing to explain. Tell a trial first."
                if isinstance(self.policy, Scoring)
                else f"The policy {self.policy.name!r} maximises no acquisition."
            )
            raise NothingToExplain(nothing)
        self._scored = (of, score)  # type: ignore[assignment]
        return score  # type: ignore[return-value]

    def _signed(self, prediction: Prediction) -> Prediction:
        return Prediction(self.problem.objective.sign * prediction.mean, prediction.sd)

    def _row(self, proposal: Proposal) -> dict[str, object]:
        decision = self._state.decisions.get(proposal.id)
        told = self._state.told(proposal.id)
        observed = told[0] if told else None
        outcomes = {name: value for each in told for name, value in each.outcomes.items()}
        own = decision.values if decision is not None else None
        if decision is not None:
            status = {"accept": "accepted", "override": "overridden", "reject": "rejected"}[
                decision.kind
            ]
        else:
            status = "accepted" if observed is not None else "proposed"
            if observed is None and proposal.id in self._state.compared:
                status = "compared"
        prediction = proposal.prediction
        return {
            "proposal": proposal.id,
            "observation": observed.id if observed else None,
            "status": status,
            **(own or proposal.values),
            **proposal.context,
            **outcomes,
            "predicted": prediction.mean if prediction else None,
            "sd": prediction.sd if prediction else None,
            "actor": decision.actor if decision else observed.actor if observed else None,
            "reason": decision.reason if decision else None,
        }

    def _free_row(self, observation: Observation) -> dict[str, object]:
        return {
            "observation": observation.id,
            "status": "told",
            **observation.values,
            **observation.context,
            **observation.outcomes,
            "actor": observation.actor,
        }


class _Overtaken(Exception):
    """Facts that a proposal has not seen have changed where it may be."""


def _now() -> datetime:
    return datetime.now(UTC)


def _checked(key: str | None) -> str | None:
    if key is not None:
        check_name("idempotency key", key)
    return key


def _named(point: object) -> object:
    """How a request names a proposal: by its id, whatever form it was given in."""
    return point.id if isinstance(point, Proposal) else point


def _existing(storage: str | Storage) -> Storage:
    """A storage that holds studies already: nothing is created on the way to look."""
    if storage is None:
        raise InvalidInput("storage", storage, "Give the storage that the study was created in.")
    return open_storage(storage, create=False)


def _described(policy: Policy, storage: Storage) -> dict[str, Any]:
    """The policy as data. Memory keeps the object itself and can do without."""
    try:
        return describe(policy)
    except Undescribed as part:
        if isinstance(storage, MemoryStorage):
            return unregistered(policy)
        raise InvalidInput(
            "policy",
            policy,
            f"{part} cannot be stored. Make it a dataclass of numbers, texts, arrays and other "
            "such objects, or use storage=None.",
        ) from None


def _refuse_if_different(found: Setup, wanted: Setup) -> None:
    for field in ("problem", "policy", "seed"):
        there, here = getattr(found, field), getattr(wanted, field)
        if there != here and not (field == "policy" and _as_today(there) == here):
            raise Conflict(
                f"Study {found.name!r} exists and was created with another {field}: {there}, not "
                f"{here}. Give the same one, or another name.",
                found,
            )


def _as_today(policy: Mapping[str, Any]) -> Mapping[str, Any]:
    """A stored description as it would be written now: classes may have got fields since."""
    try:
        return describe(make(policy))
    except (InvalidInput, Undescribed, TypeError):
        return policy


def _check_same(proposal: Proposal, why: Attribution) -> None:
    """Refuse to explain what the facts do not lead to (another policy, another version)."""
    recorded = [proposal.terms.get(term, np.nan) for term in why.terms]
    unit = max(1e-300, float(np.abs(why.total).max()), float(np.abs(why.base).max()))
    if not np.allclose(recorded, why.total, rtol=0.0, atol=1e-6 * unit):
        raise NothingToExplain(
            f"Proposal {proposal.id!r} cannot be rebuilt: policy {proposal.policy!r} recorded "
            f"{dict(proposal.terms)}, and the facts lead to {why.total.tolist()} now."
        )


def _differences(recorded: Proposal, replayed: Proposal) -> list[Difference]:
    compared = ("values", "asks", "chances", "prediction", "terms", "policy", "theta", "note")
    return [
        Difference(recorded.id, field, getattr(recorded, field), getattr(replayed, field))
        for field in compared
        if getattr(recorded, field) != getattr(replayed, field)
    ]
