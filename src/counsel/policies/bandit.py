"""Bandits on a Gaussian process: surrogate x acquisition, over arms or a box.

Every round: fit (warm-started), condition, assume that pending points turn out as expected
(GP-BUCB, Desautels et al. 2014: their uncertainty shrinks, the mean stays), score, maximise.

With constraints, each has a Gaussian process of its own, everything is asked about in every trial,
and the probability that it holds is a term of the acquisition (`acquisition.feasibility`).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from counsel.acquisition import maximise
from counsel.acquisition.feasibility import Feasible
from counsel.acquisition.guess import Guess, Guided
from counsel.acquisition.output_weighted import LWUCB, PrunedUCB, WeightedBound, weight_at
from counsel.acquisition.registry import acquisitions
from counsel.acquisition.terms import Acquisition, Ready, Round, Score, Surveying
from counsel.acquisition.upper_confidence import check_weight
from counsel.errors import InvalidInput, NothingToPropose
from counsel.facts.checks import check_whole
from counsel.facts.history import Array, History
from counsel.facts.problem import SUCCESS, Problem
from counsel.facts.records import Prediction
from counsel.facts.terms import named
from counsel.models import gp
from counsel.models.compiling import compiled
from counsel.models.fit import Fit, fit, fitted_posterior, guesses_for, shaped, starts_for, unpack
from counsel.models.kernels import Kernel, Numbers, Prior, SquaredExponential
from counsel.models.margins import breach, kept, scaled
from counsel.models.noise import at_fit, noise_guesses, with_varying_noise
from counsel.models.pending import expecting, room
from counsel.models.success import Success, learn_success
from counsel.models.warp import Warp
from counsel.policies.doubting import other_fits
from counsel.policies.drawing import gaussian_draws
from counsel.policies.protocol import Choice
from counsel.policies.random import (
    EXCLUSION_RADIUS,
    allowed_arms,
    draw,
    excluded,
    reaches,
    taken_points,
)
from counsel.policies.registry import policies
from counsel.policies.scaling import Observed, Scaling
from counsel.space import AnySpace, Arms, Categorical, Parameter

# A box counts as a grid of this many points per dimension where a bound needs |D|.
_GRID = 100.0
# Beyond this, |D| itself would overflow.
_MOST = _GRID**100
_COMPARED = "This policy does not learn from comparisons; policy='preference' does."
# Two trials under way at once should not be the same: a pending point of a box keeps this distance.
_PENDING_RADIUS = 0.01
_WORKS = 0
# No more first trials than this, unless more are asked for.
MOST_FIRST = 10
# With this many rows the ascents of a search run together.
_MANY = 512
# The posterior of each constraint's margin, by number, counted from 1; 0 is whether a trial works.
Limits = Mapping[int, gp.Posterior | Success]


class Believed(NamedTuple):
    """A posterior and its fit; results are read from the device only when needed."""

    posterior: gp.Posterior
    fits: tuple[Float[Numbers, " p"], ...]
    fitted: Fit | None  # None if the fit was given

    @property
    def theta(self) -> tuple[float, ...]:
        return tuple(np.concatenate([np.asarray(part) for part in self.fits]).tolist())

    @property
    def note(self) -> str:
        return "" if self.fitted is None else self.fitted.message


@policies.register(
    "bandit",
    title="Bandit on a Gaussian process",
    sentence="The point where an acquisition of your choice is largest.",
    learns_constraints=True,
)
@dataclass(frozen=True)
class Bandit:
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
    the log probability of each constraint; None multiplies the acquisition by the probabilities
    instead. Trials that failed teach how likely a trial works, as a constraint of its own.
    `scaling` says how many observations are fitted to and conditioned on. With it, data are fitted
    once: proposals asked for before anything new is known share the fit. None, and reported
    standard errors, fit all data again in every round. `guess` is where somebody expects the
    optimum (by keyword, {"heat": 80.0} is enough); the first trial is made there. Once a trial has
    failed, expected improvement counts gains as `least_gain` more, in standard deviations of the
    objective, so that hopeless ones do not outweigh the chance of failing again. A study that names
    its policy gets 0.1.

    A stored policy without one of the last eight settings predates it, and `facts.aliases` keeps
    its behaviour.
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

    def __post_init__(self) -> None:
        if not isinstance(self.acquisition, Acquisition):
            raise InvalidInput(
                "acquisition", self.acquisition, "Give an acquisition from counsel.acquisition."
            )
        check_surrogate(self.kernel, self.prior, self.initial)
        if self.feasibility is not None:
            check_weight("feasibility", self.feasibility)
        if self.least_gain is not None:
            check_weight("least_gain", self.least_gain)
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
        known = self._known(history)
        first_trials = self.first_trials(space)
        if len(history.y) == 0 or len(known) + len(history.pending) < first_trials:
            first = draw(space, history, spread=True, known=known)
            if self.guess is not None and len(known) + len(history.pending) == 0:
                first = replace(first, **_at_guess(self.guess, space, history, first))
            return replace(first, asks=asks, note=self._reason(history))
        believed = self.believe(space, history)
        limits = self._limits(problem, history)
        # Results are read only after everything is dispatched: the host works while the fit runs.
        found = self.choose(space, history, self._expecting(believed, history), limits)
        point = np.asarray(found.point)
        chances = _chances(problem, limits, _joined(point[None, :], history.context))[0]
        mean, sd = believed.posterior.in_units(np.array([found.mean]), np.array([found.sd]))
        compared = _COMPARED if len(history.comparisons) else ""
        return Choice(
            point=point,
            arm=int(found.arm) if space.finite else None,
            mean=float(mean[0]),
            sd=float(sd[0]),
            limit=_limit(believed.posterior),
            terms={named(tag, asks): float(term) for tag, term in found.terms.items()},
            theta=believed.theta,
            note=" ".join(filter(None, (self._reason(history), believed.note, compared))),
            asks=asks,
            chances={name: float(chance) for name, chance in zip(asks, chances, strict=True)}
            | _success(limits, asks, _joined(point[None, :], history.context)),
        )

    def taken(self, problem: Problem, history: History) -> Array:
        return taken_points(problem.space, history, self._known(history))

    def _known(self, history: History) -> Array:
        known = _tried(history) if self.tried else history.x
        return np.concatenate([known, history.failed]) if len(history.failed) else known

    def predict(self, problem: Problem, history: History, points: Array) -> list[Prediction] | None:
        if len(history.y) == 0:
            return None
        belief = self.believe(problem.space, history).posterior
        mean, sd = belief.in_units(*predict_at(belief, points))
        limit = _limit(belief)
        return [Prediction(float(m), float(s), limit) for m, s in zip(mean, sd, strict=True)]

    def _reason(self, history: History) -> str:
        return self.reason if history.t == 1 else ""

    def joint(self, problem: Problem, history: History, points: Array) -> tuple[Array, Array]:
        """Mean and covariance of the objective at encoded points, given pending trials."""
        belief = self._expecting(self.believe(problem.space, history), history)
        mean, covariance = (np.asarray(each) for each in belief.joint(points))
        return (
            (mean, covariance)
            if belief.warp is None
            else belief.warp.joint_moments(mean, covariance)
        )

    def draws(self, problem: Problem, history: History, points: Array, normals: Array) -> Array:
        """Joint draws of the objective; on a scale of its own, the objective is not Gaussian."""
        belief = self._expecting(self.believe(problem.space, history), history)
        mean, covariance = (np.asarray(each) for each in belief.joint(points))
        drawn = gaussian_draws(mean, covariance, normals)
        return drawn if belief.warp is None else belief.warp.from_scale(drawn)

    def left_out(self, problem: Problem, history: History) -> tuple[Array, Array, Array]:
        """Each measurement, and mean and sd of it under all others; the fit is that of all."""
        belief = self.believe(problem.space, history).posterior
        real = np.asarray(belief.data.mask) > 0.5
        precision = (np.asarray(belief.root) ** 2).sum(axis=0)[real]
        scale = float(belief.scale)
        y = np.asarray(belief.data.y)[real]
        mean = y - scale * np.asarray(belief.weights)[real] / precision
        sd = scale / np.sqrt(precision)
        return history.y, *belief.in_units(mean, sd)

    def believe(self, space: AnySpace, history: History, theta: tuple[float, ...] = ()) -> Believed:
        """The fitted posterior, and the fit to warm-start the next round from.

        A known fit, `theta`, is used as is. For an acquisition that uses the noise, the posterior
        has a noise model, whose fit is the last part of theta.
        """
        if self.scaling is not None and not np.isfinite(history.sem).any():
            return self._believe_once(self.scaling, space, history, theta)
        return history.once(
            ("believe", theta),
            lambda: self._believe_anew(space, history, theta),
            "t",
            "seed",
            "theta",
        )

    def _believe_once(
        self, scaling: Scaling, space: AnySpace, history: History, theta: tuple[float, ...]
    ) -> Believed:
        """One fit for these data, and one posterior for that fit."""
        like = shaped(self.kernel, space.groups)
        warp = None if self.floor is None else Warp.of(history.y, self.floor)
        observed = Observed(history.x, history.y if warp is None else warp(history.y))
        size = _size(like)
        varying = self._varying
        full = size + (size - 1 if varying else 0)
        fitted = None
        if not theta and history.fresh and len(history.theta) == full:
            theta = history.theta
        if not theta:
            fitted, theta = history.once(
                "fit", lambda: self._fit(scaling, like, observed, history), "seed", "theta"
            )
        pending = 0 if varying else len(history.pending)

        def condition() -> gp.Posterior:
            belief = scaling.posterior(
                like, np.array(theta[:size]), observed, pending, from_data=self._from_data
            )
            return at_fit(like, belief, np.array(theta[size:])) if varying else belief

        belief = history.once(("posterior", theta, room(pending)), condition)
        return Believed(belief.on(warp), (np.array(theta),), fitted)

    def _fit(
        self, scaling: Scaling, like: Kernel, observed: Observed, history: History
    ) -> tuple[Fit, tuple[float, ...]]:
        some = scaling.fitted(observed)
        size, last = _size(like), history.theta
        guesses = guesses_for(like, (), np.random.default_rng([history.seed, len(observed.y)]))
        guesses[0] = last[:size] if len(last) >= size else guesses[0]
        fitted = fit(
            like, some.padded(), guesses, starts_for(len(some.y)), self.prior, compact=True
        )
        theta = np.asarray(fitted.theta)
        if self._varying:
            belief = scaling.posterior(like, theta, observed, from_data=True)
            warm = noise_guesses(like, last[size:] if len(last) == 2 * size - 1 else ())
            _, rest = with_varying_noise(like, belief, warm, self.prior)
            theta = np.concatenate([theta, np.asarray(rest)])
        return fitted, tuple(theta.tolist())

    @property
    def _varying(self) -> bool:
        return bool(getattr(self.acquisition, "varying_noise", False))

    @property
    def _from_data(self) -> bool:
        return self._varying or bool(getattr(self.acquisition, "reads_data", False))

    def _believe_anew(
        self, space: AnySpace, history: History, theta: tuple[float, ...]
    ) -> Believed:
        """A fit and a posterior of this round alone."""
        like = shaped(self.kernel, space.groups)
        warp = None if self.floor is None else Warp.of(history.y, self.floor)
        data = gp.Data.padded(
            history.x,
            history.y if warp is None else warp(history.y),
            known=_reported_noise(history, warp),
        )
        rng = np.random.default_rng([history.seed, history.t])
        guesses = guesses_for(like, (), rng)
        size = guesses.shape[1]
        varying = self._varying
        if theta:
            posterior = gp.posterior(*unpack(jnp.asarray(theta[:size]), like), data)
            if varying:
                posterior = at_fit(like, posterior, jnp.asarray(theta[size:]))
            return Believed(posterior.on(warp), (np.asarray(theta),), None)
        guesses[0] = history.theta[:size] or guesses[0]
        starts = starts_for(len(history.y))
        posterior, fitted = fitted_posterior(like, data, guesses, starts, self.prior)
        if not varying:
            return Believed(posterior.on(warp), (fitted.theta,), fitted)
        posterior, rest = with_varying_noise(
            like, posterior, noise_guesses(like, history.theta[size:]), self.prior
        )
        return Believed(posterior.on(warp), (fitted.theta, rest), fitted)

    def _expecting(self, believed: Believed, history: History) -> gp.Posterior:
        scaled = self.scaling is not None and not np.isfinite(history.sem).any()
        return _expecting(believed.posterior, history, scaled)

    def score(
        self, problem: Problem, history: History, theta: tuple[float, ...] = ()
    ) -> Score | None:
        """What `propose` maximises in this round; with `theta`, under that fit."""
        if len(history.y) == 0:
            return None
        belief = self._expecting(self.believe(problem.space, history, theta), history)
        return self.scored(problem.space, history, belief, self._limits(problem, history))

    def other_fits(
        self, problem: Problem, history: History, theta: tuple[float, ...], count: int
    ) -> list[tuple[float, ...]]:
        """Other fits to the objective, drawn by how plausible they are."""
        return other_fits(self, problem, history, theta, count, varying=self._varying)

    def score_from(
        self, problem: Problem, history: History, less: History, theta: tuple[float, ...]
    ) -> Score:
        """What is maximised if the objective is believed from `less`, and constraints from all."""
        belief = self._expecting(self.believe(problem.space, less, theta), less)
        return self.scored(problem.space, less, belief, self._limits(problem, history))

    def scored(
        self, space: AnySpace, history: History, belief: gp.Posterior, limits: Limits | None = None
    ) -> Score:
        """What `choose` maximises, with a value at every point."""
        acquisition, feasible = self._weighed(belief, limits or {}, space, history)
        round = self._round(space, history, self._candidates(space, history), feasible)
        return _score(acquisition, belief, round, anywhere=True)

    def chances(self, problem: Problem, history: History, points: Array) -> Array:
        """The probability of each constraint at points (n, N); 1/2 where nobody was asked."""
        return _chances(problem, self._limits(problem, history), points)

    @property
    def weighs(self) -> bool:
        return isinstance(self.acquisition, LWUCB | PrunedUCB)

    def weights(self, problem: Problem, history: History, points: Array) -> Array:
        """The output weight of this round at encoded points, constraints aside."""
        space = problem.space
        belief = self._expecting(self.believe(space, history), history)
        score = self.scored(space, history, belief)
        assert isinstance(score, WeightedBound)
        return np.asarray(weight_at(score, _padded(points)))[: len(points)]

    def _limits(self, problem: Problem, history: History) -> Limits:
        """The constraints with answers, each fitted again: their fits are not recorded."""
        if not problem.constraints and not len(history.failed):
            return {}
        if self.scaling is None:
            return history.once("limits", lambda: self._fit_limits(problem, history), "t", "seed")
        return history.once("limits", lambda: self._fit_limits(problem, history), "seed")

    def _fit_limits(self, problem: Problem, history: History) -> Limits:
        limits: dict[int, gp.Posterior | Success] = {}
        like, scaling = shaped(self.kernel, problem.space.groups), self.scaling
        found = bool(kept(history.outcomes[:, 1:], history.measured[:, 1:]).any())
        for column in range(1, len(problem.constraints) + 1):
            asked = history.measured[:, column]
            if not asked.any():
                continue
            margins = history.outcomes[asked, column]
            if self.refined:
                margins = scaled(margins, found=found)
            observed = Observed(history.points[asked], margins)
            count = len(observed.y)
            number = history.t if scaling is None else count
            guesses = guesses_for(like, (), np.random.default_rng([history.seed, number]))
            if scaling is None:
                limits[column], _ = fitted_posterior(
                    like, observed.padded(), guesses, starts_for(count), self.prior
                )
                continue
            some = scaling.fitted(observed)
            fitted = fit(
                like, some.padded(), guesses, starts_for(len(some.y)), self.prior, compact=True
            )
            limits[column] = scaling.posterior(like, np.asarray(fitted.theta), observed)
        if len(history.failed):
            worked = history.points if len(history.points) else history.x
            limits[_WORKS] = learn_success(worked, history.failed, problem.space.groups)
        return limits

    def _weighed(
        self, belief: gp.Posterior, limits: Limits, space: AnySpace, history: History
    ) -> tuple[Acquisition, Array | None]:
        """The acquisition under the constraints, and their probability at the data."""
        acquisition, feasible = self._constrained(belief, limits)
        if self.guess is None:
            return acquisition, feasible
        centre, precision = self.guess.placed(space)
        weight = jnp.asarray(self.guess.strength / max(1, len(history.y)), dtype=jnp.float64)
        guided = Guided(acquisition, jnp.asarray(centre), jnp.asarray(precision), weight)
        return guided, feasible

    def _constrained(
        self, belief: gp.Posterior, limits: Limits
    ) -> tuple[Acquisition, Array | None]:
        acquisition = self.acquisition
        if isinstance(acquisition, Surveying):
            acquisition = acquisition.surveyed()
        if not limits:
            return acquisition, None
        weight = None if self.feasibility is None else jnp.asarray(float(self.feasibility))
        constrained = Feasible(acquisition, tuple(limits.values()), tuple(limits), weight)
        return constrained, _likely(limits, belief)

    def _round(
        self, space: AnySpace, history: History, candidates: Array, feasible: Array | None
    ) -> Round:
        # A box counts as a grid; beyond 100 parameters the number itself overflows.
        size = float(len(space)) if isinstance(space, Arms) else _GRID ** min(len(space.names), 100)
        survey = None
        if isinstance(self.acquisition, Surveying):
            survey = self.acquisition.survey(space, history.context, history.seed)
        return Round(
            history.seed,
            history.t,
            size,
            _joined(candidates, history.context),
            space.dim,
            finite=space.finite,
            feasible=feasible,
            domain=_domain(space),
            survey=survey,
            least=self.least_gain if len(history.failed) else None,
            steep=self.refined,
        )

    def _candidates(self, space: AnySpace, history: History) -> Array:
        """Points that represent the space in this round: the arms, or where the ascent starts."""
        if isinstance(space, Arms):
            return space.points
        rng = np.random.default_rng([history.seed, history.t])
        x, best = history.x, int(np.argmax(history.y))
        if self.refined and history.measured.shape[1] > 1:
            x, best = history.points, _best_kept(history)
        return maximise.candidates_for(space, x[:, : space.dim], best, rng)

    def choose(
        self, space: AnySpace, history: History, belief: gp.Posterior, limits: Limits | None = None
    ) -> maximise.Found:
        """The allowed point where the acquisition is largest."""
        candidates = self._candidates(space, history)
        acquisition, feasible = self._weighed(belief, limits or {}, space, history)
        round = self._round(space, history, candidates, feasible)
        if isinstance(space, Arms):
            rng = np.random.default_rng([history.seed, history.t])
            return maximise.over_arms(
                acquisition,
                belief,
                round,
                space.points,
                allowed_arms(space, history),
                history.context,
                int(rng.integers(len(space))),
            )
        if round.survey is not None:
            # The search of a box is several programs: a weight is fitted once for all of them.
            acquisition = Ready(_score(acquisition, belief, round))
        pending = history.pending[:, : space.dim]
        # If pending points leave no room (a small discrete space), one may be proposed again.
        for apart in (pending, pending[:0]):
            found = maximise.over_box(
                acquisition,
                belief,
                round,
                space,
                candidates,
                np.concatenate([history.rejected, apart]),
                np.concatenate(
                    [reaches(history, EXCLUSION_RADIUS), np.full(len(apart), _PENDING_RADIUS)]
                ),
                history.context,
                history.held,
                together=self.scaling is not None and len(belief.data.y) >= _MANY,
            )
            if found is not None:
                return found
        raise NothingToPropose(
            "The rejected neighbourhoods cover the space. Withdraw a rejection, or widen it."
        )


def _at_guess(guess: Guess, space: AnySpace, history: History, first: Choice) -> dict[str, Any]:
    """The first trial at a guess; what the guess leaves open is as it was drawn."""
    centre, precision = guess.placed(space)
    if isinstance(space, Arms):
        allowed = np.flatnonzero(allowed_arms(space, history))
        apart = (precision * (space.points[allowed] - centre) ** 2).sum(axis=1)
        arm = int(allowed[np.argmin(apart)])
        return {"point": space.points[arm], "arm": arm}
    point = np.where(precision > 0.0, centre, first.point)
    try:
        space.validate(space.decode(point))
    except InvalidInput:  # what is required of inputs does not hold there
        return {}
    refused = excluded(point[None, :], history)[0]
    return {} if refused else {"point": point}


def _domain(space: AnySpace) -> float:
    """|D|: the number of (alternative, context) pairs, with each number counted as a grid."""
    many = float(len(space)) if isinstance(space, Arms) else _values(space.parameters)
    return min(many * _values(space.context), _MOST)


def _values(parameters: Mapping[str, Parameter]) -> float:
    found = 1.0
    for parameter in parameters.values():
        count = _GRID if parameter.count is None else float(parameter.count)
        found *= count if isinstance(parameter, Categorical) else min(count, _GRID)
        found = min(found, _MOST)
    return found


def _size(like: Kernel) -> int:
    """How many hyper-parameters a fit has: the kernel's and the noise."""
    return sum(np.size(leaf) for leaf in jax.tree.leaves(like)) + 1


def check_surrogate(kernel: object, prior: object, initial: object) -> None:
    if not isinstance(kernel, Kernel):
        raise InvalidInput("kernel", kernel, "Give a kernel from counsel.models.kernels.")
    if not isinstance(prior, Prior):
        raise InvalidInput("prior", prior, "Give a counsel.models.kernels.Prior.")
    if initial is not None:
        check_whole("initial", initial, least=0)


def choices_of(space: AnySpace) -> int:
    """How many parameters have several encoded columns, one for each level."""
    widths = [space.columns(name).stop - space.columns(name).start for name in space.names]
    return sum(width > 1 for width in widths)


def _success(limits: Limits, names: tuple[str, ...], points: Array) -> dict[str, float]:
    """How likely a trial works at a point, where some have failed."""
    if _WORKS not in limits or SUCCESS in names:
        return {}
    mean, sd = predict_at(limits[_WORKS], points)
    return {SUCCESS: 0.5 * math.erfc(-float(mean[0] / sd[0]) / math.sqrt(2.0))}


def _tried(history: History) -> Array:
    """Every point with an objective or an answer about a constraint."""
    if len(history.points) == 0:
        return history.x
    return np.unique(np.concatenate([history.x, history.points]), axis=0)


def _reported_noise(history: History, warp: Warp | None) -> Array | None:
    """The variance of each measurement that came with a standard error, negative elsewhere."""
    if not np.isfinite(history.sem).any():
        return None
    slope = 1.0 if warp is None else warp.slope(history.y)
    return np.where(np.isnan(history.sem), -1.0, (history.sem * slope) ** 2)


def _best_kept(history: History) -> int:
    """The best trial that keeps all constraints; without one, the one that breaks them least."""
    margins, measured = history.outcomes[:, 1:], history.measured[:, 1:]
    good = kept(margins, measured) & history.measured[:, 0]
    if not good.any():
        return int(np.argmin(breach(margins, measured)))
    return int(np.argmax(np.where(good, history.outcomes[:, 0], -np.inf)))


def _limit(belief: gp.Posterior) -> float | None:
    """What the objective is believed not to pass, if it is on a scale of gaps."""
    return None if belief.warp is None else belief.warp.limit


def _expecting(belief: gp.Posterior, history: History, scaled: bool) -> gp.Posterior:
    """The posterior if pending trials turn out as expected."""
    if len(history.pending) == 0:
        return belief
    if scaled and belief.noise_model is None:
        return expecting(belief, history.pending)
    return belief.condition(history.pending, predict_at(belief, history.pending)[0])


@compiled(static=("anywhere",))
def _score(
    acquisition: Acquisition, belief: gp.Posterior, round: Round, *, anywhere: bool = False
) -> Score:
    """The round's score; with `anywhere`, one that has a value between the arms, too."""
    score = acquisition.score(belief, round)
    if anywhere and score.whole:
        return score.continued(jnp.asarray(round.sample))  # type: ignore[attr-defined]
    return score


def _joined(points: Array, context: Array) -> Array:
    return np.concatenate([points, np.tile(context, (len(points), 1))], axis=1)


def predict_at(belief: gp.Posterior | Success, points: Array) -> tuple[Array, Array]:
    """Mean and sd at points, padded like the data: one more point compiles nothing new."""
    mean, sd = maximise.predict_arms(belief, _padded(points), np.zeros(0))
    return np.asarray(mean)[: len(points)], np.asarray(sd)[: len(points)]


def _padded(points: Array) -> Array:
    padded = np.zeros((gp.bucket(len(points)), points.shape[1]))
    padded[: len(points)] = points
    return padded


def _chances(problem: Problem, limits: Limits, points: Array) -> Array:
    chances = np.full((len(points), len(problem.constraints)), 0.5)
    for number, limit in limits.items():
        if number == _WORKS:
            continue
        mean, sd = predict_at(limit, points)
        # SciPy's normal distribution would take longer to import than this takes to run.
        chances[:, number - 1] = [0.5 * math.erfc(-z / math.sqrt(2.0)) for z in mean / sd]
    return chances


def _likely(limits: Limits, belief: gp.Posterior) -> Array:
    """The probability that all constraints hold at each (padded) observation of the objective."""
    mean_sd = [maximise.predict_arms(each, belief.data.x, np.zeros(0)) for each in limits.values()]
    z = np.stack([np.asarray(mean) / np.asarray(sd) for mean, sd in mean_sd])
    return np.prod(0.5 * np.vectorize(math.erfc)(-z / math.sqrt(2.0)), axis=0)
