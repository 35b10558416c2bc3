"""Explanations computed another way: Gaussian processes in NumPy, values over all orders.

A `Case` is a random round of some policy: data, a score as the policy would maximise it, a point,
and next to the score the quantities that its terms are about, in the user's units. Nothing in these
comes from the rooms that are tested.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, ClassVar

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float
from scipy.special import erfcx, log_ndtr, ndtr

import counsel as cs
from counsel.acquisition import terms as acquisition_terms
from counsel.acquisition.feasibility import Feasible
from counsel.acquisition.improvement import EI, AugmentedEI
from counsel.acquisition.output_weighted import WeightedBound
from counsel.acquisition.terms import Ready, Round
from counsel.acquisition.upper_confidence import GPUCB, VUCB, RiskAverse, UncertaintyAware
from counsel.models.density import Mixture, OutputWeight, PrunedWeight
from counsel.models.gp import Data, NoiseModel, Posterior
from counsel.models.kernels import MaternProduct, Numbers, SquaredExponential
from counsel.models.warp import Warp

Quantity = Callable[[np.ndarray], np.ndarray]
CONSTRAINTS = ("calm", "jerk")
# The last one is what a study without constraints does by default: on the scale of log gaps.
POLICIES = (
    "v-ucb", "gp-ucb", "ei", "augmented-ei", "lw-ucb", "pruned-ucb", "risk-averse",
    "uncertainty-aware", "ts", "default",
)  # fmt: skip
BOX = cs.Space(
    a=cs.Float(0, 10, unit="mm"), b=cs.Float(1, 100, log=True), c=cs.Categorical(["u", "v", "w"])
)
CONTEXT = cs.Space(a=cs.Float(0, 10), b=cs.Float(1, 100, log=True), context={"z": cs.Float(0, 1)})
# A parameter that exists only sometimes, and a mixture: points next to each other may not exist.
SOMETIMES = cs.Space(
    a=cs.Float(0, 10, unit="mm"),
    b=cs.Float(1, 100, log=True, when={"c": ["u", "w"]}),
    c=cs.Categorical(["u", "v", "w"]),
)
MIXED = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1), c=cs.Float(0, 1), require=["a + b + c == 1"])
ARMS = cs.Arms(np.random.default_rng(5).uniform(size=(14, 3)).round(3), names=["a", "b", "c"])


class Plain:
    """A Gaussian process by the textbook, with a constant trend and pending trials."""

    def __init__(self, kernel: Any, noise: Any, x: Any, y: Any) -> None:
        self.x, self.kernel_of, self.noise = x, kernel, np.broadcast_to(noise, len(x))
        self.offset, self.scale = y.mean(), y.std()
        standard = (y - self.offset) / self.scale
        inverse = np.linalg.inv(self.k(x, x) + np.diag(self.noise))
        one = np.ones(len(x))
        self.trend = (one @ inverse @ standard) / (one @ inverse @ one + 1.0)
        self.weights = inverse @ (standard - self.trend)
        self.level, self.standard = inverse @ one, standard
        self.seen, self.inverse = x, inverse

    @classmethod
    def of(cls, belief: Any, count: int) -> "Plain":
        """The belief of a posterior, from its hyper-parameters and data; after `count`, pending."""
        real = np.asarray(belief.data.mask) > 0.5
        x, y = np.asarray(belief.data.x)[real], np.asarray(belief.data.y)[real]
        noise = np.asarray(belief.noise) + float(belief.jitter)
        noise = noise[real] if noise.ndim else np.full(len(x), noise)
        found = cls(belief.kernel, noise[:count], x[:count], y[:count])
        return found.expecting(x[count:], noise[count:])

    def expecting(self, x: np.ndarray, noise: np.ndarray) -> "Plain":
        """After trials that turn out as expected: the mean stays, the uncertainty shrinks."""
        self.seen = np.concatenate([self.x, x])
        self.noise = np.concatenate([self.noise, noise])
        self.inverse = np.linalg.inv(self.k(self.seen, self.seen) + np.diag(self.noise))
        return self

    def k(self, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        return kernel(self.kernel_of, u, v)

    def mean(self, x: np.ndarray) -> np.ndarray:
        found: np.ndarray = self.trend + self.k(x, self.x) @ self.weights
        return self.offset + self.scale * found

    def sd(self, x: np.ndarray) -> np.ndarray:
        cross = self.k(x, self.seen)
        left = float(self.kernel_of.amplitude()) - np.einsum(
            "ij,jk,ik->i", cross, self.inverse, cross
        )
        return np.asarray(self.scale * np.sqrt(np.maximum(left, 1e-14)))

    def predict(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.mean(x), self.sd(x)


def kernel(of: Any, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """A squared-exponential kernel, or a product of Matern-5/2 kernels of one parameter each."""
    d = u.shape[1]
    scales = np.asarray(of.lengthscale, dtype=float)
    groups = np.asarray(of.groups if of.groups else range(d))
    if len(scales) != d:
        scales = scales[groups]
    squares = ((u[:, None, :] - v[None, :, :]) / scales) ** 2
    if isinstance(of, SquaredExponential):
        return np.asarray(float(of.variance) * np.exp(-0.5 * squares.sum(axis=2)))
    found = np.full(squares.shape[:2], float(of.variance))
    for group in np.unique(groups):
        r = np.sqrt(5.0 * squares[..., groups == group].sum(axis=2))
        found = found * (1.0 + r + r**2 / 3.0) * np.exp(-r)
    return found


def shapley(
    quantity: Quantity,
    point: np.ndarray,
    background: np.ndarray,
    players: list[list[int]],
    *,
    sometimes: bool = False,
) -> np.ndarray:
    """By the definition: over all orders, what each player adds when it comes in.

    `sometimes`, the points in between are points of that space.
    """
    found = np.zeros(len(players))
    orders = list(permutations(range(len(players))))
    for order in orders:
        mixed = background.copy()
        before = float(quantity(mixed).mean())
        for j in order:
            mixed[:, players[j]] = point[players[j]]
            real = _there(mixed, point, background) if sometimes else mixed
            now = float(quantity(real).mean())
            found[j] += now - before
            before = now
    return found / len(orders)


def _there(mixed: np.ndarray, point: np.ndarray, background: np.ndarray) -> np.ndarray:
    """Without b where c is v; elsewhere b is that of whichever end has one, or of its own side."""
    found = mixed.copy()
    for row, end in zip(found, background, strict=True):
        if row[3] == 1.0:
            row[1] = 0.5
        elif point[3] == 1.0:
            row[1] = end[1]
        elif end[3] == 1.0:
            row[1] = point[1]
    return found


class Sloped(NoiseModel):
    """Noise that grows along the first column."""

    level: Float[Array, ""]

    def variance(self, x: Float[Numbers, "m d"]) -> Float[Array, " m"]:
        return self.level * jnp.exp(2.0 * jnp.asarray(x)[:, 0])


class Eager:
    """A score evaluated step by step, so that a new kind of score compiles nothing of its own."""

    on_host: ClassVar[bool] = True
    whole: ClassVar[bool] = False

    def __init__(self, score: Any) -> None:
        self.score = score

    def terms(self, x: np.ndarray) -> dict[str, np.ndarray]:
        return in_blocks(self.score.terms, x)

    def parts(self, x: np.ndarray) -> dict[str, np.ndarray]:
        return in_blocks(lambda rows: acquisition_terms.parts(self.score, rows), x)

    def log_weights(self, parts: Any) -> dict[str, np.ndarray]:
        given = {name: jnp.asarray(part) for name, part in parts.items()}
        found = acquisition_terms.log_weights(self.score, given)
        return {name: np.asarray(weight) for name, weight in found.items()}


_ROWS = 128


def in_blocks(function: Any, x: np.ndarray) -> dict[str, np.ndarray]:
    """The function of many rows; every call has as many, so that each step is compiled once."""
    blocks = []
    for start in range(0, len(x), _ROWS):
        rows = x[start : start + _ROWS]
        whole = np.concatenate([rows, np.repeat(rows[:1], _ROWS - len(rows), axis=0)])
        found = function(jnp.asarray(whole))
        blocks.append({name: np.asarray(value)[: len(rows)] for name, value in found.items()})
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


@dataclass(frozen=True)
class Part:
    """What one term is about, as a person would measure it.

    `good` is what a unit of it is worth in what is maximised; `log` is the weight of its logarithm
    instead, which is taken of `raised` more.
    """

    quantity: Quantity
    good: float = 0.0
    log: float = 0.0
    raised: float = 0.0


@dataclass(frozen=True)
class Case:
    policy: str
    space: Any
    direction: str
    score: Any  # as the policy maximises it
    parts: dict[str, Part]
    background: np.ndarray  # chosen columns only
    context: dict[str, Any]
    point: dict[str, Any]
    other: dict[str, Any]
    proposed: bool
    above: tuple[float, float, float] | None = None  # floor, unit and weight where chances multiply

    @property
    def mixed(self) -> bool:
        """Whether terms are on different scales."""
        return len(self.parts) > 1 and any(part.log for part in self.parts.values())

    @property
    def players(self) -> list[list[int]]:
        owner = np.asarray(self.space.groups[: self.space.dim])
        return [np.flatnonzero(owner == j).tolist() for j in range(len(self.space.names))]

    def encoded(self, values: dict[str, Any]) -> np.ndarray:
        return np.concatenate([self.space.encode(values), self.space.encode_context(self.context)])

    def around(self) -> np.ndarray:
        given = self.space.encode_context(self.context)
        return np.concatenate([self.background, np.tile(given, (len(self.background), 1))], axis=1)

    def contributions(self, background: np.ndarray | None = None) -> dict[str, np.ndarray]:
        against = self.around() if background is None else background
        point = self.encoded(self.point)
        return {tag: self.shares(part.quantity, point, against) for tag, part in self.parts.items()}

    def shares(self, quantity: Quantity, point: np.ndarray, against: np.ndarray) -> np.ndarray:
        return shapley(quantity, point, against, self.players, sometimes=self.space is SOMETIMES)

    def maximised(self, x: np.ndarray) -> np.ndarray:
        """What the policy maximises, from the quantities, up to what is constant."""
        plain, logs = np.zeros(len(x)), np.zeros(len(x))
        for part in self.parts.values():
            number = part.quantity(x)
            plain += part.good * number
            if part.log:
                weight = part.log if self.above is None else self.above[2]
                logs += weight * np.log(np.maximum(number, 1e-300))
        if self.above is None:
            return plain + logs
        return logs + self.lifted(plain)

    def lifted(self, plain: np.ndarray) -> np.ndarray:
        """The logarithm of how far a bound is above the floor, in units of the scale."""
        assert self.above is not None
        gap = (plain - self.above[0]) / self.above[1]
        return np.where(
            gap > 1e-3, np.log(np.maximum(gap, 1e-3)), np.log(1e-3) + (gap - 1e-3) / 1e-3
        )

    def weighed(self, *, between: bool = False) -> "Case":
        """With the weights of chances, in units of the bound, at the explained point: each of what
        it multiplies. With `between`, those that are right from the average to the point."""
        if self.above is None:
            return self
        floor, unit, weight = self.above
        here, against = self.encoded(self.point)[None, :], self.around()
        own = [part for part in self.parts.values() if not part.log]
        plain = sum(float(p.good * p.quantity(here)[0]) for p in own)
        log = weight * max(plain - floor, 1e-3 * unit)
        if between and own:
            base = sum(float(p.good * p.quantity(against).mean()) for p in own)
            low, high = self.lifted(np.array([base, plain])).tolist()
            if abs(plain - base) > 1e-4 * unit:
                log = weight * (plain - base) / (high - low)
        parts = {
            tag: replace(part, log=log) if part.log else part for tag, part in self.parts.items()
        }
        return replace(self, parts=parts)


def random_case(seed: int, policy: str) -> Case:
    rng = np.random.default_rng([seed, POLICIES.index(policy)])
    space: Any = (BOX, CONTEXT, ARMS, SOMETIMES, MIXED)[rng.integers(5)]
    direction = ("maximize", "minimize")[rng.integers(2)]
    sign = 1.0 if direction == "maximize" else -1.0
    context = {"z": float(rng.uniform())} if space is CONTEXT else {}
    given = space.encode_context(context)
    n = int(rng.integers(4, 12))
    own = _points(space, n, rng)
    x = np.concatenate([own, rng.uniform(size=(n, space.context_dim))], axis=1)
    believe = _Beliefs(space, x, rng)
    # Any unit, and any level: a cost of a million plus or minus one is as good as any other.
    unit = 10.0 ** rng.uniform(-3.0, 3.0)
    level = unit * float(rng.choice([0.0, 1.0, 1e3]))
    noisy = policy in ("risk-averse", "uncertainty-aware")
    pending = None
    if rng.random() < 0.3 and not noisy:
        pending = np.concatenate([_points(space, 2, rng), np.tile(given, (2, 1))], axis=1)
    measured = level + unit * rng.standard_normal(n)
    warp = Warp.of(measured, 0.3) if policy == "default" else None
    belief = believe(measured if warp is None else warp(measured), pending, varying=noisy)
    belief = belief if warp is None else belief.on(warp)
    settings = {name: float(rng.uniform(0.2, 4.0)) for name in ("kappa", "risk", "weight")}
    round = Round(seed, n, 64.0, believe.x, chosen=space.dim, finite=False)
    score, parts = _score(policy, belief, round, settings, sign, rng)
    count = 0 if warp else int(rng.integers(3))
    above = None
    if count:
        form = ("added", "multiplied", "alone")[np.random.default_rng([seed, 7]).integers(3)]
        limits = [believe(rng.uniform(-1.0, 1.0) + rng.standard_normal(n)) for _ in range(count)]
        weight = jnp.asarray(settings["weight"])
        feasible = Feasible(
            Ready(score),
            tuple(limits),
            tuple(range(1, count + 1)),
            weight,
            multiplied=form != "added",
            alone=form == "alone",
        )
        score = feasible.score(belief, round)
        worth = settings["weight"] * (1.0 if "ei" in policy else float(belief.scale))
        if form == "alone":
            parts, worth = {}, settings["weight"]
        elif form == "multiplied" and "ei" not in policy:
            values = [part.good * part.quantity(believe.x) for part in parts.values()]
            above = float(np.min(sum(values))), float(belief.scale), settings["weight"]
        for name, limit in zip(CONSTRAINTS, limits, strict=False):
            parts[f"feasibility:{name}"] = Part(_chance(limit.plain), log=worth)
    background = space.points if space is ARMS else _points(space, 16, rng)
    proposed = bool(rng.random() < 0.5)
    some = _points(space, 48, rng)
    values = [space.decode(each) for each in some[:2]]
    case = Case(
        policy, space, direction, Eager(score), parts, background, context,
        values[0], values[1], proposed, above,
    )  # fmt: skip
    if not proposed:
        return case.weighed()
    found = case.maximised(np.concatenate([some, np.tile(given, (len(some), 1))], axis=1))
    best = space.decode(some[int(np.argmax(found))])
    return replace(case, point=best).weighed()


def _points(space: Any, count: int, rng: np.random.Generator) -> np.ndarray:
    if space is ARMS:
        return np.asarray(space.points[rng.integers(len(space), size=count)])
    return np.asarray(space.sample(count, rng))


class Dense(Posterior):
    """A posterior whose predictions are computed in NumPy: no program for every shape."""

    plain: Any = eqx.field(static=True, default=None)

    @classmethod
    def of(cls, plain: Plain, noise: float, model: NoiseModel | None) -> "Dense":
        n, size = len(plain.x), 16
        root = np.eye(size)
        rows = plain.k(plain.x, plain.x) + noise * np.eye(n)
        root[:n, :n] = np.linalg.inv(np.linalg.cholesky(rows))
        weights = np.concatenate([plain.weights, np.zeros(size - n)])
        y = plain.offset + plain.scale * plain.standard
        numbers = (plain.trend, plain.offset, plain.scale, 0.0, 0.0)
        trend, offset, scale, jitter, evidence = (jnp.asarray(float(each)) for each in numbers)
        return cls(
            plain.kernel_of, jnp.asarray(noise), Data.padded(plain.x, y, size), jnp.asarray(root),
            jnp.asarray(weights), trend, offset, scale, jitter, evidence, model, plain=plain,
        )  # fmt: skip

    def predict(self, x: Float[Numbers, "m d"]) -> tuple[Float[Array, " m"], Float[Array, " m"]]:
        mean, sd = self.plain.predict(np.asarray(x))
        return jnp.asarray(mean), jnp.asarray(sd)

    def mean(self, x: Float[Numbers, "m d"]) -> Float[Array, " m"]:
        return jnp.asarray(self.plain.mean(np.asarray(x)))


class _Beliefs:
    """Beliefs about data at the same points, with hyper-parameters drawn at random."""

    def __init__(self, space: Any, x: np.ndarray, rng: np.random.Generator) -> None:
        self.space, self.x, self.rng = space, x, rng
        self.noise = float(10.0 ** rng.uniform(-4.0, -0.5))

    def __call__(self, y: np.ndarray, pending: Any = None, *, varying: bool = False) -> Dense:
        leveled = self.space is BOX or self.space is SOMETIMES
        groups = tuple(self.space.groups) if leveled else tuple(range(self.x.shape[1]))
        lengths = 10.0 ** self.rng.uniform(-0.8, 0.5, max(groups) + 1)
        kind = (SquaredExponential, MaternProduct)[self.rng.integers(2)]
        of = kind(lengths, float(self.rng.uniform(0.5, 2.0)), groups=groups)
        plain = Plain(of, self.noise, self.x, y)
        if pending is not None:
            plain.expecting(pending, np.full(len(pending), self.noise))
        return Dense.of(plain, self.noise, Sloped(jnp.asarray(self.noise)) if varying else None)


def _mixture(e: int, rng: np.random.Generator) -> Mixture:
    shares = np.log(rng.dirichlet([2.0, 2.0]))
    precise = np.stack([np.diag(rng.uniform(1.0, 6.0, e)) for _ in range(2)])
    return Mixture(jnp.asarray(shares), jnp.asarray(rng.uniform(size=(2, e))), jnp.asarray(precise))


def _density(mixture: Mixture, x: np.ndarray) -> np.ndarray:
    found = np.zeros(len(x))
    for share, mean, root in zip(
        np.exp(mixture.log_share),
        np.asarray(mixture.mean),
        np.asarray(mixture.whitener),
        strict=True,
    ):
        white = (x - mean) @ root.T
        norm = np.linalg.det(root) / (2.0 * math.pi) ** (0.5 * x.shape[1])
        found += share * norm * np.exp(-0.5 * (white**2).sum(axis=1))
    return found


def _score(
    policy: str,
    belief: Dense,
    round: Round,
    settings: dict[str, float],
    sign: float,
    rng: np.random.Generator,
) -> tuple[Any, dict[str, Part]]:
    """A policy's score, and the quantities that its terms are about."""
    kappa, risk, plain = settings["kappa"], settings["risk"], belief.plain
    mean = Part(lambda x: sign * plain.mean(x), sign)
    if policy == "ts":
        drawn = _Drawn(belief, jnp.asarray(rng.uniform(1.0, 5.0, plain.x.shape[1])))
        return drawn, {"draw": Part(lambda x: sign * drawn.function(x), sign)}
    if policy in ("ei", "augmented-ei"):
        made = (EI() if policy == "ei" else AugmentedEI()).score(belief, round)
        seen = belief.plain.mean(plain.x)
        best = float((plain.offset + plain.scale * plain.standard).max())
        best, noise = (best, 0.0) if policy == "ei" else (float(seen.max()), float(belief.noise))
        quantity = _improvement(plain, best, float(plain.scale) * math.sqrt(noise))
        return made, {"improvement": Part(quantity, log=1.0)}
    acquisition: Any = {
        "v-ucb": VUCB(kappa),
        "gp-ucb": GPUCB(),
        "risk-averse": RiskAverse(kappa, risk),
        "uncertainty-aware": UncertaintyAware(kappa, risk, risk, 0.7),
    }.get(policy)
    if belief.warp is not None:
        return VUCB(kappa).score(belief, round), _unwarped(plain, belief.warp, kappa, sign)
    parts = {"exploitation": mean, "approximation": Part(plain.sd, kappa)}
    if policy == "gp-ucb":
        weight = math.sqrt(2.0 * math.log(64.0 * int(round.t) ** 2 * math.pi**2 / 0.6))
        parts["approximation"] = Part(plain.sd, weight)
    if policy in ("lw-ucb", "pruned-ucb"):
        first, second = _mixture(round.chosen, rng), _mixture(round.chosen, rng)
        level = float(rng.normal())
        weight = OutputWeight(first, jnp.asarray(level))
        if policy == "pruned-ucb":
            weight = PrunedWeight(first, second, jnp.asarray(level))

        def rarity(x: np.ndarray) -> np.ndarray:
            own = x[:, : round.chosen]
            w = _density(first, own) / math.exp(level)
            if policy == "pruned-ucb":
                w = np.minimum(w / _density(second, own), 1.0)
            return np.asarray((w - 1.0) * plain.sd(x))

        parts["rarity"] = Part(rarity, kappa)
        return WeightedBound(belief, jnp.asarray(kappa), weight, round.chosen), parts
    if policy in ("risk-averse", "uncertainty-aware"):
        unit = float(plain.scale) * math.sqrt(float(belief.noise))
        parts["aleatoric"] = Part(lambda x: unit * np.exp(x[:, 0]), -risk)
    if policy == "uncertainty-aware":
        parts["model"] = Part(_gap(plain, 0.7), risk)
    return acquisition.score(belief, round), parts


def _unwarped(plain: Plain, warp: Warp, kappa: float, sign: float) -> dict[str, Part]:
    """The expected payoff, and how far beyond it the bound lies: the gap is log-normal."""
    top, unit, floor, *_ = warp

    def expected(x: np.ndarray) -> np.ndarray:
        mean, sd = plain.predict(x)
        return np.asarray(top + unit * (floor - np.exp(0.5 * np.minimum(sd, 2.0) ** 2 - mean)))

    def beyond(x: np.ndarray) -> np.ndarray:
        mean, sd = plain.predict(x)
        bound = top + unit * (floor - np.exp(-mean - kappa * sd))
        return np.asarray(bound - expected(x))

    return {
        "exploitation": Part(lambda x: sign * expected(x), sign),
        "approximation": Part(beyond, 1.0),
    }


class _Drawn(eqx.Module):
    """A function as Thompson sampling draws one: the mean, and a wave as far as it is unknown."""

    posterior: Dense
    wave: Float[Array, " d"]
    whole: ClassVar[bool] = False

    def function(self, x: np.ndarray) -> np.ndarray:
        mean, sd = self.posterior.plain.predict(x)
        return np.asarray(mean + sd * np.sin(x @ np.asarray(self.wave)))

    def terms(self, x: Float[Array, "n d"]) -> dict[str, Array]:
        return {"draw": jnp.asarray(self.function(np.asarray(x)))}


def _gap(plain: Plain, c: float) -> Quantity:
    """How far apart the posterior means of the imprecise prior are (see SCIENCE: eq. 7)."""
    total = plain.level.sum()
    ratio = abs(plain.level @ plain.standard) / total
    spread = 2.0 * c / total
    if ratio > 1.0 + c / total:
        size = abs(plain.level @ plain.standard)
        spread = (size + c) / total - size / (c + total)
    return lambda x: plain.scale * spread * np.abs(1.0 - plain.k(x, plain.x) @ plain.level)


def _chance(margin: Plain) -> Quantity:
    def chance(x: np.ndarray) -> np.ndarray:
        mean, sd = margin.predict(x)
        return np.exp(log_ndtr(mean / sd))

    return chance


def _improvement(plain: Plain, incumbent: float, noise: float) -> Quantity:
    def improvement(x: np.ndarray) -> np.ndarray:
        mean, sd = plain.predict(x)
        z = (mean - incumbent) / sd
        below = np.minimum(z, 0.0)
        density = np.exp(-0.5 * below**2) / math.sqrt(2.0 * math.pi)
        tail = density * (1.0 + below * math.sqrt(0.5 * math.pi) * erfcx(-below / math.sqrt(2.0)))
        near = np.exp(-0.5 * z**2) / math.sqrt(2.0 * math.pi) + z * ndtr(z)
        h = np.where(z > 0.0, near, tail)
        return np.maximum(sd * h * (1.0 - noise / np.hypot(sd, noise)), 1e-300)

    return improvement
