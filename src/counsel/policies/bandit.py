"""Bandits on a Gaussian process: surrogate x acquisition, over arms or a box.

Every round: fit (warm-started), condition, assume that pending points turn out as expected
(GP-BUCB, Desautels et al. 2014: their uncertainty shrinks, the mean stays), score, maximise.

With constraints, each has a Gaussian process of its own, everything is asked about in every trial,
and the probability that it holds is a term of the acquisition (`acquisition.feasibility`).
"""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import jax.numpy as jnp
import numpy as np

from counsel.acquisition import maximise
from counsel.acquisition.added import Added
from counsel.acquisition.advised import Advised
from counsel.acquisition.feasibility import Feasible
from counsel.acquisition.guess import Guess, Guided
from counsel.acquisition.improvement import most_gained
from counsel.acquisition.output_weighted import LWUCB, PrunedUCB, WeightedBound, weight_at
from counsel.acquisition.pool import Pool, by_moves
from counsel.acquisition.registry import acquisitions
from counsel.acquisition.terms import Acquisition, Round, Score, Surveying
from counsel.acquisition.upper_confidence import check_weight
from counsel.errors import InvalidInput
from counsel.facts.history import Array, History
from counsel.facts.problem import Problem
from counsel.facts.terms import named
from counsel.models import gp
from counsel.models.fit import START_NOISE, shaped
from counsel.models.kernels import Kernel, Prior, SquaredExponential
from counsel.models.margins import kept
from counsel.models.warp import Warp
from counsel.policies.batching import (
    Reported,
    chosen_together,
    fits_together,
    recalled,
    trials_of,
)
from counsel.policies.believing import Believing, joined, told_at
from counsel.policies.domain import domain_of, size_of
from counsel.policies.doubting import other_fits
from counsel.policies.first_trials import MOST_FIRST, at_guess, choices_of, fewer_than, tried
from counsel.policies.listening import heard
from counsel.policies.protocol import Choice
from counsel.policies.random import draw, taken_points
from counsel.policies.registry import policies
from counsel.policies.scaling import Scaling
from counsel.policies.searching import candidates_of, pool_for, score_of, search
from counsel.policies.surrogate import (
    EVIDENCE,
    FIXED,
    Limits,
    Surrogate,
    chances_of,
    check_surrogate,
    if_they_break,
    padded,
    success_of,
    together,
)
from counsel.space import AnySpace, Arms

_COMPARED = "This policy does not learn from comparisons; policy='preference' does."


@policies.register(
    "bandit",
    title="Bandit on a Gaussian process",
    sentence="The point where an acquisition of your choice is largest.",
    learns_constraints=True,
)
@dataclass(frozen=True)
class Bandit(Believing):
    """Maximise `acquisition` on a GP with `kernel` and `prior`, after `initial` spread-out trials.

    The kernel's length-scales are set to the prior's mode, one per parameter, and then fitted;
    `initial` defaults to one more than there are numbers and further levels to tell apart, at least
    3 and at most 10.
    `floor` puts the objective on the scale of `models.warp`; then acquisition and terms are on that
    scale, predictions in the objective's units. With `tried`, first trials are counted by levels
    and spread over everything tried, with or without an objective; without it, by parameters and
    what was measured of the objective. A study that names its policy gets it with `tried`.
    `reason` goes into the first proposal's note. `refined` reads margins on a scale of their own
    (`models.margins`), starts the search of a box around the best trial that keeps the constraints,
    and measures its steps by the large values of the acquisition. `feasibility` is the weight of
    the log probability of each constraint. With `multiplied`, probabilities multiply the
    acquisition: the logarithm of how far it is above its least value is what they are added to, and
    the search measures its steps as with `refined`. Until a trial keeps all constraints, they count
    alone. A study with constraints that names its policy gets it. Trials that failed teach how
    likely a trial works, as a constraint of its own; with `working`, that is its weight.
    `scaling` says how many observations are fitted to and conditioned on. With it, data are fitted
    once: proposals asked for before anything new is known share the fit. None, and reported
    standard errors, fit all data again in every round. `guess` is where somebody expects the
    optimum (by keyword, {"heat": 80.0} is enough); the first trial is made there.

    Once a trial has failed, expected improvement counts every gain as `least_share` more: this
    share of the most that a trial of the round can be expected to bring, failing included. Hopeless
    gains do not outweigh the chance of failing again, and those worth having still count when all
    are small. A study that names its policy gets it. `least_gain` is the same in standard
    deviations of the objective, as in studies that began earlier; late in a study it outweighs
    every gain.

    With `in_context`, gains are those over what the trials so far would be worth in the context of
    the round, not over the best in any.

    `output="evidence"` chooses the objective's scale in every round: log gaps, log payoffs or none
    (`models.scales`), with `floor` as their c (0.3 if None).

    With `shares`, a constraint that people answer with yes or no is learned from the share of yes
    around a point (`models.success`); without, its answers are taken for noisy numbers, as levels
    of a scale always are. Certificates take neither for numbers, whatever the policy.

    With `wary`, as long as constraints count alone, a trial is for the case that those under way
    break them; without, a batch stays around the likeliest point. A study with constraints that
    names its policy gets it.

    With `advised`, what people claim of points that nobody has tried is a term of its own
    (`acquisition.advised`). A study whose team is "fused" gets it.

    With `calibrated`, reported beliefs about the objective are as wide as this study's earlier
    forecasts turned out to be wrong (`models.foresight`), and pending trials do not narrow them.
    What is maximised stays the same. The default policy has it. With `forgiving`, errors that are
    noise do not count against forecasts.

    With `pooled`, trials that are proposed from the same data share their candidates, and those
    proposed while others are under way are searched from the best of them (`acquisition.pool`). A
    study that names its policy gets it.

    With `at_once`, those that are `pooled` are chosen by one program, where that can be
    (`policies.batching`). A study that names its policy gets it.

    A stored policy without one of the last twenty settings predates it, and `facts.aliases`
    keeps its behaviour.
    """

    acquisition: Acquisition
    kernel: Kernel = field(default_factory=lambda: SquaredExponential(np.ones(1)))
    prior: Prior = field(default_factory=Prior)
    initial: int | None = None
    floor: float | None = None
    tried: bool = False
    reason: str = ""
    refined: bool = False
    feasibility: float | None = 1.0
    scaling: Scaling | None = field(default_factory=Scaling)
    guess: Guess | None = None
    least_gain: float | None = None
    output: str = FIXED
    multiplied: bool = False
    shares: bool = True
    wary: bool = False
    advised: bool = False
    calibrated: bool = False
    pooled: bool = False
    forgiving: bool = True
    at_once: bool = False
    least_share: float | None = None
    working: float | None = None
    in_context: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.acquisition, Acquisition):
            raise InvalidInput(
                "acquisition", self.acquisition, "Give an acquisition from counsel.acquisition."
            )
        check_surrogate(self.kernel, self.prior, self.initial)
        if self.output not in (FIXED, EVIDENCE):
            raise InvalidInput("output", self.output, f"Use {FIXED!r} or {EVIDENCE!r}.")
        for name in ("feasibility", "working", "least_gain", "least_share"):
            if getattr(self, name) is not None:
                check_weight(name, getattr(self, name))
        if self.scaling is not None:
            if not isinstance(self.scaling, Scaling):
                raise InvalidInput("scaling", self.scaling, "Give a Scaling, or None.")
            self.scaling.check()

    @property
    def name(self) -> str:
        """The acquisition's tag, as `create_study(policy=...)` takes it."""
        acquisition = self.acquisition
        known = acquisitions.of(type(acquisition))
        if known is not None:
            return known.tag
        return str(getattr(acquisition, "name", type(acquisition).__name__))

    def first_trials(self, space: AnySpace) -> int:
        """How many trials are spread over the space before anything is learned from them."""
        if self.initial is not None:
            return self.initial
        counted = space.dim - choices_of(space) if self.tried else len(space.names)
        return min(max(3, counted + 1), MOST_FIRST)

    def check(self, problem: Problem) -> None:
        """Refuse a guess that is not about this problem's space."""
        if self.guess is not None:
            self.guess.check(problem.space)

    def propose(self, problem: Problem, history: History) -> Choice:
        space = problem.space
        asks = tuple(constraint.name for constraint in problem.constraints)
        first_trials = self.first_trials(space) - len(history.pending)
        early = len(history.y) == 0 or fewer_than(history.x, first_trials)
        known = self._known(history) if early else history.x
        if len(history.y) == 0 or len(known) < first_trials:
            first = draw(space, history, spread=True, known=known)
            if self.guess is not None and len(known) + len(history.pending) == 0:
                first = replace(first, **at_guess(self.guess, space, history, first))
            return replace(first, asks=asks, note=self._reason(history))
        before = recalled(history) if self.at_once and self.pooled else None
        if before is not None:
            return before
        limits = self._surrogate.limits(problem, history)
        if self.at_once and self.pooled and len(history.pending):
            together = self._together(problem, history, limits)
            if together is not None:
                return together
        believed = self.believe(space, history)
        # Results are read only after everything is dispatched: the host works while the fit runs.
        expected = self._surrogate.expecting(believed, history)
        found = self.choose(space, history, expected, limits, believed.posterior)
        point = np.asarray(found.point)
        chances = chances_of(problem, limits, joined(point[None, :], history.context))[0]
        telling = self._surrogate.telling(believed, history)
        mean, sd = told_at(telling, history, found, calibrated=self.calibrated)
        compared = _COMPARED if len(history.comparisons) else ""
        return Choice(
            point=point,
            arm=int(found.arm) if space.finite else None,
            mean=mean,
            sd=sd,
            limit=telling.limit,
            terms={named(tag, asks): float(term) for tag, term in found.terms.items()},
            theta=believed.theta,
            note=" ".join(filter(None, (self._reason(history), believed.note, compared))),
            asks=asks,
            chances={name: float(chance) for name, chance in zip(asks, chances, strict=True)}
            | success_of(limits, asks, joined(point[None, :], history.context)),
        )

    def _together(self, problem: Problem, history: History, limits: Limits) -> Choice | None:
        """The next trial of a batch; those after it are kept for the next questions."""
        space = problem.space
        # The posterior of the first trial: the program makes room for those under way.
        believed = self.believe(space, replace(history, pending=history.pending[:0]))
        belief = believed.posterior
        if self._drawn or not fits_together(space, history, belief):
            return None
        acquisition, feasible = self._weighed(belief, limits, space, history)
        candidates = self._candidates(space, history)
        round = self._round(space, history, candidates, feasible, belief, limits)
        if round.survey is not None or (self.wary and self._alone(history)):
            return None
        light = len(belief.data.y) >= 512
        if not isinstance(space, Arms) and space.restricted:
            pool = self._pool(space, history, limits)
            assert pool is not None
            candidates = pool.points
        parts = acquisition, belief, tuple(limits.values()), round, space, history, candidates
        trials = trials_of(*parts, light=light)
        asks = tuple(constraint.name for constraint in problem.constraints)
        compared = _COMPARED if len(history.comparisons) else ""
        note = " ".join(filter(None, (self._reason(history), believed.note, compared)))
        telling = self._surrogate.telling(believed, history)
        told = Reported(telling, tuple(limits), asks, believed.theta, note, self.calibrated)
        return chosen_together(trials, history, told)

    @property
    def _drawn(self) -> bool:
        """Whether other points promise much in each round."""
        return bool(getattr(self.acquisition, "drawn", False))

    def taken(self, problem: Problem, history: History) -> Array:
        return taken_points(problem.space, history, self._known(history))

    def _known(self, history: History) -> Array:
        known = tried(history) if self.tried else history.x
        return np.concatenate([known, history.failed]) if len(history.failed) else known

    def _reason(self, history: History) -> str:
        return self.reason if history.t == 1 else ""

    def on_its_own_scale(self) -> "Bandit":
        """The same policy, with the objective on the scale on which it is measured."""
        if self.floor is None and self.output == FIXED:
            return self
        return replace(self, floor=None, output=FIXED)

    def open_to_noise(self) -> "Bandit | None":
        """The same policy, where usual noise is at most two sds from what is expected of it.

        Proposals are better with little noise expected: what looks like a peak is worth a trial.
        Whoever asks what is left to gain would be told of peaks that are noise.
        """
        prior = self.prior
        needed = 0.5 * math.log(START_NOISE / float(prior.noise_mode))
        if float(prior.noise_sd) >= needed:
            return None
        return replace(self, prior=prior._replace(noise_sd=needed))

    def scale(self, space: AnySpace, history: History) -> Warp | None:
        """The scale that the objective is fitted on; None: its own."""
        return self._surrogate.scale(shaped(self.kernel, space.groups), history)

    @cached_property
    def _surrogate(self) -> Surrogate:
        return Surrogate(
            self.kernel,
            self.prior,
            self.floor,
            self.scaling,
            self.refined,
            self.shares,
            self._varying,
            self._varying or bool(getattr(self.acquisition, "reads_data", False)),
            self.output,
            self.calibrated,
            self.pooled,
            self.forgiving,
        )

    @property
    def _varying(self) -> bool:
        return bool(getattr(self.acquisition, "varying_noise", False))

    def score(
        self, problem: Problem, history: History, theta: tuple[float, ...] = ()
    ) -> Score | None:
        """What `propose` maximises in this round; with `theta`, under that fit."""
        if len(history.y) == 0:
            return None
        before = self.believe(problem.space, history, theta)
        belief = self._surrogate.expecting(before, history)
        limits = self._surrogate.limits(problem, history)
        return self.scored(problem.space, history, belief, limits, before.posterior)

    def other_fits(
        self, problem: Problem, history: History, theta: tuple[float, ...], count: int
    ) -> list[tuple[float, ...]]:
        """Other fits to the objective, drawn by how plausible they are."""
        return other_fits(self, problem, history, theta, count, varying=self._varying)

    def score_from(
        self, problem: Problem, history: History, less: History, theta: tuple[float, ...]
    ) -> Score:
        """What is maximised if the objective is believed from `less`, and constraints from all."""
        before = self.believe(problem.space, less, theta)
        belief = self._surrogate.expecting(before, less)
        limits = self._surrogate.limits(problem, history)
        alone = self._alone(history)
        return self.scored(problem.space, less, belief, limits, before.posterior, alone=alone)

    def scored(
        self,
        space: AnySpace,
        history: History,
        belief: gp.Posterior,
        limits: Limits | None = None,
        before: gp.Posterior | None = None,
        *,
        alone: bool | None = None,
    ) -> Score:
        """What `choose` maximises, with a value at every point.

        `before` is the belief without trials under way, `belief` if None. `alone` says whether
        constraints count alone; None leaves it to the history.
        """
        limits = limits or {}
        acquisition, feasible = self._weighed(belief, limits, space, history, alone)
        candidates = self._candidates(space, history)
        round = self._round(space, history, candidates, feasible, before or belief, limits)
        return score_of(acquisition, belief, round, anywhere=True)

    @property
    def weighs(self) -> bool:
        return isinstance(self.acquisition, LWUCB | PrunedUCB)

    def weights(self, problem: Problem, history: History, points: Array) -> Array:
        """The output weight of this round at encoded points, constraints aside."""
        space = problem.space
        belief = self._surrogate.expecting(self.believe(space, history), history)
        score = self.scored(space, history, belief)
        assert isinstance(score, WeightedBound)
        return np.asarray(weight_at(score, padded(points)))[: len(points)]

    def _weighed(
        self,
        belief: gp.Posterior,
        limits: Limits,
        space: AnySpace,
        history: History,
        alone: bool | None = None,
    ) -> tuple[Acquisition, Array | None]:
        """The acquisition under the constraints, and their probability at the data."""
        first = self._alone(history) if alone is None else alone
        if first and self.wary and len(history.pending):
            limits = if_they_break(limits, history.pending)
        acquisition, feasible = self._constrained(belief, limits, history, first)
        if self.advised and len(history.claims) and not first:
            acquisition = Added(acquisition, Advised(*heard(space, history, belief)))
        if self.guess is None:
            return acquisition, feasible
        centre, precision = self.guess.placed(space)
        weight = jnp.asarray(self.guess.strength / max(1, len(history.y)), dtype=jnp.float64)
        guided = Guided(jnp.asarray(centre), jnp.asarray(precision), weight)
        return Added(acquisition, guided), feasible

    def _alone(self, history: History) -> bool:
        """Whether constraints count alone: trials have been tested for all, and none keeps them."""
        margins, measured = history.outcomes[:, 1:], history.measured[:, 1:]
        if not self.multiplied or margins.shape[1] == 0:
            return False
        return bool(measured.all(axis=1).any() and not kept(margins, measured).any())

    def _constrained(
        self, belief: gp.Posterior, limits: Limits, history: History, alone: bool
    ) -> tuple[Acquisition, Array | None]:
        acquisition = self.acquisition
        if isinstance(acquisition, Surveying):
            acquisition = acquisition.surveyed()
        if not limits:
            return acquisition, None
        weight, working = (
            None if each is None else jnp.asarray(float(each))
            for each in (self.feasibility, self.working)
        )
        parts = tuple(limits.values()), tuple(limits), weight, self.multiplied, alone, working
        constrained = Feasible(acquisition, *parts)
        return constrained, together(limits, self._tried(belief, history))

    def _round(
        self,
        space: AnySpace,
        history: History,
        candidates: Array,
        feasible: Array | None,
        before: gp.Posterior,
        limits: Limits,
    ) -> Round:
        survey = None
        if isinstance(self.acquisition, Surveying):
            survey = self.acquisition.survey(space, history.context, history.seed)
        round = Round(
            history.seed,
            history.t,
            size_of(space),
            joined(candidates, history.context),
            space.dim,
            finite=space.finite,
            feasible=feasible,
            domain=domain_of(space),
            survey=survey,
            least=self.least_gain if len(history.failed) else None,
            steep=self.refined or self.multiplied,
            in_context=self._contextual(history),
        )
        # Whether it counts gains over the best trial so far.
        gaining = getattr(self.acquisition, "gaining", False)
        if self.least_share is None or not len(history.failed) or not gaining:
            return round
        kept = together(limits, self._tried(before, history))
        most = most_gained(before, kept, tuple(limits.values()), round)
        return replace(round, least=self.least_share * most)

    def _contextual(self, history: History) -> bool:
        return self.in_context and len(history.context) > 0

    def _tried(self, belief: gp.Posterior, history: History) -> Array:
        """Where the trials behind a belief count as incumbents, padded."""
        x = np.asarray(belief.data.x)
        if not self._contextual(history):
            return x
        return joined(x[:, : -len(history.context)], history.context)

    def choose(
        self,
        space: AnySpace,
        history: History,
        belief: gp.Posterior,
        limits: Limits | None = None,
        before: gp.Posterior | None = None,
    ) -> maximise.Found:
        """The allowed point where the acquisition is largest; `before` as in `scored`."""
        limits = limits or {}
        candidates = self._candidates(space, history)
        acquisition, feasible = self._weighed(belief, limits, space, history)
        round = self._round(space, history, candidates, feasible, before or belief, limits)
        pool = self._pool(space, history, limits)
        return search(acquisition, belief, round, space, history, candidates, self.scaling, pool)

    def _candidates(self, space: AnySpace, history: History) -> Array:
        return candidates_of(space, history, refined=self.refined, pooled=self.pooled)

    def _pool(self, space: AnySpace, history: History, limits: Limits) -> Pool | None:
        """What a trial is searched from while others are under way, if they share their work."""
        if not self.pooled or self._drawn or isinstance(space, Arms):
            return None
        alone = len(history.pending) == 0
        if alone and (len(history.rejected) or not by_moves(space, history.held)):
            return None
        before = replace(history, pending=history.pending[:0], t=len(history.y) + 1)
        believed = self.believe(space, before)

        def compute() -> Pool:
            belief = believed.posterior
            candidates = self._candidates(space, before)
            acquisition, feasible = self._weighed(belief, limits, space, before)
            round = self._round(space, before, candidates, feasible, belief, limits)
            return pool_for(
                acquisition, belief, round, space, before, candidates, wide=self.at_once
            )

        fields = ("seed", "context", "held", "claims", "claimants", "suggested")
        return history.once(("pool", believed.theta, repr(space)), compute, *fields)
