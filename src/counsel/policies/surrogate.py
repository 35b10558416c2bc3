"""What a bandit believes: the objective's posterior and its fit, and those of the constraints."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array as Computed
from jaxtyping import Float

from counsel.acquisition import maximise
from counsel.errors import InvalidInput
from counsel.facts.checks import check_whole
from counsel.facts.history import Array, History
from counsel.facts.problem import SUCCESS, Problem
from counsel.facts.records import Prediction
from counsel.models import gp
from counsel.models.compiling import compiled
from counsel.models.fit import Fit, fitted_posterior, guesses_for, shaped, starts_for, unpack
from counsel.models.foresight import Stretch, stretch_after
from counsel.models.kernels import Kernel, Numbers, Prior
from counsel.models.margins import kept, scaled
from counsel.models.mixture import Fits, Mixture, by_fit
from counsel.models.noise import at_fit, noise_guesses, with_varying_noise
from counsel.models.pending import expecting
from counsel.models.scales import by_evidence
from counsel.models.success import Success, learn_success
from counsel.models.warp import FLOOR, Told, Warp
from counsel.policies.drawing import gaussian_draws
from counsel.policies.scaling import Observed, Scaling
from counsel.space import AnySpace

__all__ = [
    "EVIDENCE",
    "FIXED",
    "Believed",
    "Limits",
    "Surrogate",
    "Telling",
    "chances_by",
    "chances_of",
    "check_surrogate",
    "if_they_break",
    "joint_at",
    "noise_at",
    "padded",
    "predict_at",
    "success_of",
    "together",
    "working_of",
]

# Whether the objective's scale is as set, or chosen in every round.
FIXED, EVIDENCE = "fixed", "evidence"
_WORKS = 0
# The posterior of each constraint's margin, by number, counted from 1; 0 is whether a trial works.
Limits = Mapping[int, gp.Posterior | Success]


class Telling(NamedTuple):
    """How a belief is reported in the objective's units: widened, or as it is without a stretch."""

    belief: gp.Posterior
    stretch: Stretch | None

    @property
    def _told(self) -> Told | None:
        warp = self.belief.warp
        return None if warp is None or self.stretch is None else warp.told(self.stretch)

    @property
    def limit(self) -> float | None:
        """The value that the objective is not expected to pass, if it is on a logarithmic scale."""
        if self._told is not None:
            return self._told.limit
        return None if self.belief.warp is None else self.belief.warp.limit

    def moments(self, mean: Array, sd: Array) -> tuple[Array, Array]:
        """Expectation and sd of the objective, from those on the belief's scale."""
        if self._told is not None:
            return self._told.moments(mean, sd)
        # Calling a module's method makes a module, and moments are asked for at every ask.
        if self.belief.warp is not None:
            mean, sd = self.belief.warp.moments(mean, sd)
        return mean, sd if self.stretch is None else self.stretch.wider(sd)

    def joint_moments(self, mean: Array, covariance: Array) -> tuple[Array, Array]:
        """The same of several points together."""
        if self._told is not None:
            return self._told.joint_moments(mean, covariance)
        if self.belief.warp is not None:
            return self.belief.warp.joint_moments(mean, covariance)
        if self.stretch is None:
            return mean, covariance
        sd = np.maximum(np.sqrt(np.maximum(np.diagonal(covariance), 0.0)), 1e-300)
        rate = self.stretch.wider(sd) / sd
        return mean, covariance * rate[:, None] * rate[None, :]

    def draws(self, mean: Array, covariance: Array, normals: Array) -> Array:
        """Joint draws of the objective, one for each row of normals."""
        told = self._told
        if told is not None:
            gaps, logs = told.logs(mean, covariance)
            drawn = gaussian_draws(-0.5 * np.diagonal(logs), logs, normals)
            return told.limit - told.sign * gaps * np.exp(drawn)
        if self.belief.warp is None:
            return gaussian_draws(*self.joint_moments(mean, covariance), normals)
        return self.belief.warp.from_scale(gaussian_draws(mean, covariance, normals))


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


@dataclass(frozen=True)
class Surrogate:
    """How beliefs are formed: settings of `policies.bandit.Bandit`, and what its rule needs.

    `varying` asks for a noise model, `from_data` for a posterior that keeps its data.
    """

    kernel: Kernel
    prior: Prior
    floor: float | None
    scaling: Scaling | None
    refined: bool
    shares: bool
    varying: bool
    from_data: bool
    output: str = FIXED
    calibrated: bool = False
    pooled: bool = False
    forgiving: bool = True

    def believe(self, space: AnySpace, history: History, theta: tuple[float, ...] = ()) -> Believed:
        """The fitted posterior, and the fit to warm-start the next round from.

        A known fit, `theta`, is used as is. For an acquisition that uses the noise, the posterior
        has a noise model, whose fit is the last part of theta.
        """
        if self.scaling is not None and not np.isfinite(history.sem).any():
            return self._believe_once(self.scaling, space, history, theta)
        if self.pooled and not theta and history.fresh:
            theta = history.theta  # the trials of a batch share their fit
        return history.once(
            ("believe", theta),
            lambda: self._believe_anew(space, history, theta),
            "t",
            "seed",
            "theta",
        )

    def believe_exactly(self, space: AnySpace, history: History) -> tuple[Believed, np.ndarray]:
        """The same as an exact posterior, and the measurements that it is conditioned on.

        Where all of them are seen through a few, it is that of some of them, under the same fit.
        """
        believed = self.believe(space, history)
        if self.scaling is None or np.isfinite(history.sem).any():
            return believed, np.arange(len(history.y))
        like = shaped(self.kernel, space.groups)
        warp = self.scale(like, history)
        observed = Observed(history.x, history.y if warp is None else warp(history.y))
        theta = np.array(believed.theta[: _size(like)])
        rows = self.scaling.exactly(like, theta, observed, from_data=self.from_data)
        if rows is not None:
            return believed, rows
        rows = self.scaling.exactly(like, theta, observed, from_data=True)
        assert rows is not None
        return replace(self, from_data=True).believe(space, history, believed.theta), rows

    def scale(self, like: Kernel, history: History) -> Warp | None:
        """The scale that the objective is fitted on; None: its own."""
        if self.output == EVIDENCE:
            floor = FLOOR if self.floor is None else self.floor
            found = history.once(
                "scale", lambda: by_evidence(like, self.prior, history.x, history.y, floor)
            )
        else:
            found = None if self.floor is None else Warp.of(history.y, self.floor)
        return found if found is None or not self.calibrated else found._replace(skewed=0.0)

    def telling(self, believed: Believed, history: History) -> Telling:
        """How beliefs are reported: as they are, or as wide as forecasts turned out to be wrong."""
        return Telling(believed.posterior, self._stretch(believed, history))

    def _stretch(self, believed: Believed, history: History) -> Stretch | None:
        if not self.calibrated:
            return None

        def compute() -> Stretch:
            known = np.all(np.isfinite(history.foretold[:, [0, 1, 3, 4]]), axis=1)
            rows = history.foretold[known]
            said = [
                Prediction(mean, sd, None if np.isnan(limit) else limit)
                for mean, sd, limit in rows[:, :3].tolist()
            ]
            y = history.y[known] if len(known) else np.zeros(0)
            noise = noise_at(believed.posterior, rows[:, 0])
            if len(history.sem) and len(known):
                noise = np.hypot(noise, np.nan_to_num(history.sem[known]))
            usual = _spreads(history.y)
            before = usual[:-1][known] if len(known) else np.zeros(0)
            return stretch_after(
                y,
                said,
                noise,
                rows[:, 3],
                rows[:, 4],
                before,
                float(usual[-1]),
                forgiving=self.forgiving,
            )

        return history.once(("stretch", believed.theta), compute, "foretold")

    def _believe_once(
        self, scaling: Scaling, space: AnySpace, history: History, theta: tuple[float, ...]
    ) -> Believed:
        """One fit for these data, and one posterior for that fit."""
        like, size = self._shape(space.groups)
        varying = self.varying
        full = size + (size - 1 if varying else 0)
        fitted = None

        def observed() -> tuple[Observed, Warp | None]:
            warp = self.scale(like, history)
            return Observed(history.x, history.y if warp is None else warp(history.y)), warp

        if not theta and history.fresh and len(history.theta) == full:
            theta = history.theta
        if not theta:
            fitted, theta = history.once(
                "fit", lambda: self._fit(scaling, like, observed()[0], history), "seed", "theta"
            )
        pending = 0 if varying else len(history.pending)

        def condition() -> gp.Posterior:
            known, warp = observed()
            belief = scaling.posterior(
                like, np.array(theta[:size]), known, pending, from_data=self.from_data
            )
            if varying:
                belief = at_fit(like, belief, np.array(theta[size:]))
            return belief if warp is None else belief.on(warp)

        space_left = scaling.room(len(history.y), pending)
        key = ("posterior", theta, space_left, self.from_data, self.floor, self.output)
        return Believed(history.once(key, condition), (np.array(theta),), fitted)

    def _shape(self, groups: tuple[int, ...]) -> tuple[Kernel, int]:
        """The kernel for these columns, and how many hyper-parameters a fit has."""
        if groups not in self._shapes:
            like = shaped(self.kernel, groups)
            self._shapes[groups] = like, _size(like)
        return self._shapes[groups]

    @cached_property
    def _shapes(self) -> dict[tuple[int, ...], tuple[Kernel, int]]:
        return {}

    def _fit(
        self, scaling: Scaling, like: Kernel, observed: Observed, history: History
    ) -> tuple[Fit, tuple[float, ...]]:
        size, last = _size(like), history.theta
        guesses = guesses_for(like, (), np.random.default_rng([history.seed, len(observed.y)]))
        guesses[0] = last[:size] if len(last) >= size else guesses[0]
        fitted = scaling.fit(like, observed, guesses, self.prior)
        theta = np.asarray(fitted.theta)
        if self.varying:
            belief = scaling.posterior(like, theta, observed, from_data=True)
            warm = noise_guesses(like, last[size:] if len(last) == 2 * size - 1 else ())
            _, rest = with_varying_noise(like, belief, warm, self.prior)
            theta = np.concatenate([theta, np.asarray(rest)])
        return fitted, tuple(theta.tolist())

    def _believe_anew(
        self, space: AnySpace, history: History, theta: tuple[float, ...]
    ) -> Believed:
        """A fit and a posterior of this round alone."""
        like = shaped(self.kernel, space.groups)
        warp = self.scale(like, history)
        data = gp.Data.padded(
            history.x,
            history.y if warp is None else warp(history.y),
            known=_reported_noise(history, warp),
        )
        rng = np.random.default_rng([history.seed, history.t])
        guesses = guesses_for(like, (), rng)
        size = guesses.shape[1]
        varying = self.varying
        if theta:
            posterior = gp.posterior(*unpack(jnp.asarray(theta[:size]), like), data)
            if varying:
                posterior = at_fit(like, posterior, jnp.asarray(theta[size:]))
            return Believed(posterior.on(warp), (np.asarray(theta),), None)
        last = history.theta  # shorter where a choice has got one more level since
        guesses[0] = last[:size] if len(last) >= size else guesses[0]
        starts = starts_for(len(history.y))
        posterior, fitted = fitted_posterior(like, data, guesses, starts, self.prior)
        if not varying:
            return Believed(posterior.on(warp), (fitted.theta,), fitted)
        posterior, rest = with_varying_noise(
            like,
            posterior,
            noise_guesses(like, last[size:] if len(last) == 2 * size - 1 else ()),
            self.prior,
        )
        return Believed(posterior.on(warp), (fitted.theta, rest), fitted)

    def expecting(self, believed: Believed, history: History) -> gp.Posterior:
        """The posterior if pending trials turn out as expected."""
        shared = self.scaling is not None and not np.isfinite(history.sem).any()
        belief = believed.posterior
        if len(history.pending) == 0:
            return belief
        if shared and belief.noise_model is None:
            return expecting(belief, history.pending)
        return belief.condition(history.pending, predict_at(belief, history.pending)[0])

    def by_fit(
        self, space: AnySpace, history: History, points: Array, fits: Fits
    ) -> tuple[Telling, Mixture]:
        """What several fits believe about points, as wide as the best one is reported.

        Pending trials count for nothing, and noise is the same everywhere.
        """
        believed = self.believe(space, history)
        like = shaped(self.kernel, space.groups)
        warp = self.scale(like, history)
        y = history.y if warp is None else warp(history.y)
        data = gp.Data.padded(history.x, y, known=_reported_noise(history, warp))
        theta, count = np.array(believed.theta[: _size(like)]), len(points)
        found = by_fit(like, theta, data, padded(points), fits)
        means, covariances, logs = (np.asarray(each) for each in found)
        some = Mixture(means[:, :count], covariances[:, :count, :count], logs)
        return self.telling(believed, history), some

    def limits(self, problem: Problem, history: History) -> Limits:
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
            if self.shares and problem.constraints[column - 1].answer == "yes/no":
                places, groups = history.points[asked], problem.space.groups
                passed = margins >= 0.0
                limits[column] = learn_success(places[passed], places[~passed], groups)
                continue
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
            fitted = scaling.fit(like, observed, guesses, self.prior)
            limits[column] = scaling.posterior(like, np.asarray(fitted.theta), observed)
        if len(history.failed):
            worked = history.points if len(history.points) else history.x
            limits[_WORKS] = learn_success(worked, history.failed, problem.space.groups)
        return limits


def _spreads(y: Array) -> Array:
    """The sd of the first 0, 1, ... of some values.

    In units of the largest, whose squares neither overflow nor vanish.
    """
    unit = float(np.abs(y).max(initial=0.0)) or 1.0
    apart = (y - y[:1]) / unit
    count = np.arange(1, len(y) + 1)
    variance = np.cumsum(apart**2) / count - (np.cumsum(apart) / count) ** 2
    return unit * np.sqrt(np.concatenate([[0.0], np.maximum(variance, 0.0)]))


def check_surrogate(kernel: object, prior: object, initial: object) -> None:
    if not isinstance(kernel, Kernel):
        raise InvalidInput("kernel", kernel, "Give a kernel from counsel.models.kernels.")
    if not isinstance(prior, Prior):
        raise InvalidInput("prior", prior, "Give a counsel.models.kernels.Prior.")
    if initial is not None:
        check_whole("initial", initial, least=0)


def _size(like: Kernel) -> int:
    """How many hyper-parameters a fit has: the kernel's and the noise."""
    return sum(np.size(leaf) for leaf in jax.tree.leaves(like)) + 1


def success_of(limits: Limits, names: tuple[str, ...], points: Array) -> dict[str, float]:
    """How likely a trial works at a point, where some have failed."""
    works = working_of(limits, names, points)
    return {} if works is None else {SUCCESS: float(works[0])}


def working_of(limits: Limits, names: tuple[str, ...], points: Array) -> Array | None:
    """The same of many points; None where none has failed, or a constraint has the name."""
    if _WORKS not in limits or SUCCESS in names:
        return None
    mean, sd = predict_at(limits[_WORKS], points)
    return np.array([0.5 * math.erfc(-z / math.sqrt(2.0)) for z in mean / sd])


def chances_by(
    moments: Mapping[int, tuple[float, float]], names: tuple[str, ...]
) -> dict[str, float]:
    """The chance of each constraint where its margin has this mean and sd, and of working."""
    found = dict.fromkeys(names, 0.5)
    for number, (mean, sd) in moments.items():
        if number != _WORKS or SUCCESS not in names:
            name = SUCCESS if number == _WORKS else names[number - 1]
            found[name] = 0.5 * math.erfc(-(mean / sd) / math.sqrt(2.0))
    return found


def chances_of(problem: Problem, limits: Limits, points: Array) -> Array:
    chances = np.full((len(points), len(problem.constraints)), 0.5)
    for number, limit in limits.items():
        if number == _WORKS:
            continue
        mean, sd = predict_at(limit, points)
        # SciPy's normal distribution would take longer to import than this takes to run.
        chances[:, number - 1] = [0.5 * math.erfc(-z / math.sqrt(2.0)) for z in mean / sd]
    return chances


def if_they_break(limits: Limits, pending: Array) -> Limits:
    """What is believed of constraints if each trial under way breaks the one it is likeliest to.

    That one's margin is then as expected below 0, the others' as expected. Constraints that are
    learned as shares of trials stay as they are.
    """
    from scipy.special import log_ndtr  # takes longer to import than most rounds take

    known = {n: each for n, each in limits.items() if isinstance(each, gp.Posterior)}
    if not known:
        return limits
    means, sds = map(
        np.stack, zip(*(predict_at(each, pending) for each in known.values()), strict=True)
    )
    z = means / sds
    # phi(z) / Phi(-z), far out too
    hazard = np.exp(-0.5 * z**2 - log_ndtr(-z)) / math.sqrt(2.0 * math.pi)
    below = means - sds * hazard
    broken = np.arange(len(z))[:, None] == z.argmin(axis=0)
    told = np.where(broken, below, means)
    conditioned = {
        number: limit.condition(pending, told[place])
        for place, (number, limit) in enumerate(known.items())
    }
    return {**limits, **conditioned}


def together(limits: Limits, points: Array) -> Array:
    """The probability that all constraints hold at each (padded) point."""
    mean_sd = [maximise.predict_arms(each, points, np.zeros(0)) for each in limits.values()]
    z = np.stack([np.asarray(mean) / np.asarray(sd) for mean, sd in mean_sd])
    return np.prod(0.5 * np.vectorize(math.erfc)(-z / math.sqrt(2.0)), axis=0)


def _reported_noise(history: History, warp: Warp | None) -> Array | None:
    """The variance of each measurement that came with a standard error, negative elsewhere."""
    if not np.isfinite(history.sem).any():
        return None
    slope = 1.0 if warp is None else warp.slope(history.y)
    return np.where(np.isnan(history.sem), -1.0, (history.sem * slope) ** 2)


def noise_at(belief: gp.Posterior, payoffs: Array, points: Array | None = None) -> Array:
    """The sd of repeated trials where they pay so much.

    Noise that varies over the space is known at `points`; without these it counts as 0.
    """
    if np.ndim(belief.noise) == 0:
        variance = np.full(len(payoffs), float(belief.noise))
    elif belief.noise_model is None or points is None:
        return np.zeros(len(payoffs))
    else:
        variance = np.asarray(belief.noise_model.variance(padded(points)))[: len(points)]
    noise = float(belief.scale) * np.sqrt(variance)
    if belief.warp is None:
        return noise
    on_host = Warp(*(float(each) for each in belief.warp))
    return np.asarray(noise / on_host.slope(on_host.inside(payoffs)))


def predict_at(belief: gp.Posterior | Success, points: Array) -> tuple[Array, Array]:
    """Mean and sd at points, padded like the data: one more point compiles nothing new."""
    mean, sd = maximise.predict_arms(belief, padded(points), np.zeros(0))
    return np.asarray(mean)[: len(points)], np.asarray(sd)[: len(points)]


def joint_at(belief: gp.Posterior, points: Array) -> tuple[Array, Array]:
    """Mean and covariance at points, padded in the same way."""
    mean, covariance = _joint(belief, padded(points))
    count = len(points)
    return np.asarray(mean)[:count], np.asarray(covariance)[:count, :count]


@compiled(rows=lambda belief, points: max(len(belief.data.y), len(points)))
def _joint(
    belief: gp.Posterior, points: Float[Numbers, "m d"]
) -> tuple[Float[Computed, " m"], Float[Computed, "m m"]]:
    return belief.joint(points)


def padded(points: Array) -> Array:
    filled = np.zeros((gp.bucket(len(points)), points.shape[1]))
    filled[: len(points)] = points
    return filled
