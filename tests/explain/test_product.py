"""Products without enumeration, on points and in closed form."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import counsel as cs
from counsel.acquisition.upper_confidence import Bound
from counsel.explain import exact
from counsel.explain.background import levels_of
from counsel.explain.closed import matern_area, matern_overlap, mean_uniform, variance_uniform
from counsel.explain.game import Game, average
from counsel.explain.product import factorises, mean_on_points
from counsel.models.gp import Data, Posterior, posterior
from counsel.models.kernels import Kernel, Matern, MaternProduct, SquaredExponential

MIXED = cs.Space(
    a=cs.Float(0, 2),
    k=cs.Float(1, 4, step=1.0),
    c=cs.Categorical(["u", "v", "w"]),
    i=cs.Int(1, 64, log=True),
    context={"load": cs.Float(0, 10)},
)
predict = jax.jit(lambda belief, x: belief.predict(x))


def belief_over(space: cs.Space, kernel: Kernel | None = None, n: int = 10) -> Posterior:
    rng = np.random.default_rng(0)
    chosen = space.snap(rng.uniform(size=(n, space.dim)))
    x = np.concatenate([chosen, rng.uniform(size=(n, space.context_dim))], axis=1)
    count = max(space.groups) + 1
    if kernel is None:
        kernel = SquaredExponential(rng.uniform(0.3, 0.9, count), groups=space.groups)
    return posterior(kernel, jnp.asarray(1e-2), Data.padded(x, np.cos(4.0 * x.sum(axis=1))))


def quadrature(space: cs.Space, nodes: int = 24) -> tuple[np.ndarray, np.ndarray]:
    """Every level of what is discrete, Gauss-Legendre nodes of what is not; weights sum to 1."""
    axes = []
    for parameter in space.parameters.values():
        if parameter.count is None:
            at, share = np.polynomial.legendre.leggauss(nodes)
            axes.append((0.5 * (at[:, None] + 1.0), 0.5 * share))
        else:
            axes.append(levels_of(parameter))
    points, weights = np.zeros((1, 0)), np.ones(1)
    for level, share in axes:
        points = np.concatenate(
            [np.repeat(points, len(level), axis=0), np.tile(level, (len(points), 1))], axis=1
        )
        weights = np.outer(weights, share).ravel()
    return points, weights


def integrated(space: cs.Space, belief: Posterior, point: np.ndarray, power: int) -> np.ndarray:
    """Shapley values of the mean (power 1) or the variance (2) over the quadrature."""
    points, weights = quadrature(space)
    given = np.tile(point[space.dim :], (len(points), 1))
    background = np.concatenate([points, given], axis=1)
    owner = np.asarray(space.groups[: space.dim] + (0,) * space.context_dim)
    worth = []
    for members in exact.coalitions(len(space.names)):
        mixed = np.where(members[owner], point, background)
        mean, sd = predict(belief, mixed)
        worth.append(weights @ np.asarray(mean if power == 1 else sd**2))
    return exact.shapley(np.array(worth)[:, None])[0]


@pytest.mark.parametrize("which", ["mean", "variance"])
@pytest.mark.parametrize("kind", [SquaredExponential, MaternProduct])
def test_closed_forms_agree_with_quadrature_on_a_mixed_space(which: str, kind: Any) -> None:
    lengths = np.random.default_rng(4).uniform(0.3, 0.9, max(MIXED.groups) + 1)
    belief = belief_over(MIXED, kind(lengths, groups=MIXED.groups))
    point = np.concatenate([MIXED.encode({"a": 0.3, "k": 2, "c": "v", "i": 7}), [0.4]])
    closed = mean_uniform if which == "mean" else variance_uniform
    found = closed(belief, MIXED, point)
    truth = integrated(MIXED, belief, point, 1 if which == "mean" else 2)
    # A Matern factor is smooth only between data points: its quadrature is the less exact one.
    near = 1e-9 if kind is SquaredExponential else 1e-6
    np.testing.assert_allclose(found.values, truth, rtol=near, atol=near)
    assert abs(float(found.base + found.values.sum() - found.total)) < 1e-10


@pytest.mark.parametrize("rate", [0.3, 4.0, 60.0])
def test_the_integral_of_a_matern_factor_is_that_of_quadrature(rate: float) -> None:
    """On either side of its peak the factor is smooth, so that Gauss and Legendre are exact."""
    nodes, shares = np.polynomial.legendre.leggauss(200)
    for x in (0.0, 0.2, 0.7, 1.0):
        truth = 0.0
        for low, high in ((0.0, x), (x, 1.0)):
            s = rate * np.abs(low + 0.5 * (high - low) * (nodes + 1.0) - x)
            truth += 0.5 * (high - low) * (shares @ ((1.0 + s + s**2 / 3.0) * np.exp(-s)))
        assert matern_area(rate, np.array([x]))[0] == pytest.approx(truth, rel=1e-12)


@pytest.mark.parametrize("rate", [0.03, 2.0, 40.0])
def test_the_integral_of_two_matern_factors_is_that_of_quadrature(rate: float) -> None:
    nodes, shares = np.polynomial.legendre.leggauss(200)
    for x, y in ((0.0, 1.0), (0.2, 0.2), (0.7, 0.1), (0.35, 0.36)):
        truth = 0.0
        for low, high in ((0.0, min(x, y)), (min(x, y), max(x, y)), (max(x, y), 1.0)):
            z = low + 0.5 * (high - low) * (nodes + 1.0)
            factors = [(1.0 + s + s**2 / 3.0) * np.exp(-s) for s in rate * np.abs([z - x, z - y])]
            truth += 0.5 * (high - low) * (shares @ (factors[0] * factors[1]))
        found = matern_overlap(rate, np.array([x]), np.array([y]))[0]
        assert found == pytest.approx(truth, rel=1e-12, abs=1e-14)


def test_sums_and_products_of_squared_exponentials_are_sums_of_products() -> None:
    one, two = SquaredExponential(np.array([0.4, 0.9])), SquaredExponential(np.array([0.7, 0.2]))
    space = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1))
    point = np.array([0.2, 0.7])
    background = np.random.default_rng(1).uniform(size=(15, 2))
    for kernel in (one + two, one * two, (one + two) * one):
        belief = belief_over(space, kernel)
        game = Game(Bound(belief, jnp.asarray(1.0)), point, background, (0, 1), 2)
        worth = np.asarray(average(game, exact.coalitions(2))["exploitation"])
        found = mean_on_points(belief, jnp.asarray(point), jnp.asarray(background), owner=(0, 1))
        np.testing.assert_allclose(found.values, exact.shapley(worth[:, None])[0], rtol=1e-9)
        closed = variance_uniform(belief, space, point)
        np.testing.assert_allclose(closed.values, integrated(space, belief, point, 2), rtol=1e-7)


def test_a_matern_is_no_product() -> None:
    assert not factorises(Matern(np.ones(2)))
    assert not factorises(Matern(np.ones(2)) + SquaredExponential(np.ones(2)))
    space = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1))
    with pytest.raises(cs.InvalidInput, match="squared-exponential"):
        mean_uniform(belief_over(space, Matern(np.ones(2))), space, np.zeros(2))


def test_arms_are_no_product() -> None:
    arms = cs.Arms([[0.0, 0.0], [1.0, 0.5], [0.5, 1.0]])
    belief = belief_over(cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1)))
    with pytest.raises(cs.InvalidInput, match="box"):
        mean_uniform(belief, arms, np.zeros(2))


@pytest.mark.parametrize("form", ["alone", "by level", "combined"])
def test_a_matern_product_has_the_values_of_enumeration(form: str) -> None:
    """With a choice, whole numbers and a context; alone, and times a squared exponential."""
    lengths = np.array([0.5, 0.7, 1.3, 0.4, 0.8])
    kernel: Kernel = MaternProduct(lengths, 1.4, groups=MIXED.groups)
    if form == "by level":
        each = np.linspace(0.4, 1.6, len(MIXED.groups))
        kernel = MaternProduct(each, 1.4, groups=MIXED.groups, levels=True)
    if form == "combined":
        kernel = kernel * SquaredExponential(lengths[::-1].copy(), groups=MIXED.groups)
    belief = belief_over(MIXED, kernel)
    rng = np.random.default_rng(3)
    chosen = MIXED.snap(rng.uniform(size=(9, MIXED.dim)))
    background = np.concatenate([chosen, np.full((9, 1), 0.3)], axis=1)
    point = background[0].copy()
    owner = MIXED.groups[: MIXED.dim]
    assert factorises(kernel)
    quick = mean_on_points(belief, jnp.asarray(point), jnp.asarray(background), owner=owner)
    mean = jax.jit(lambda x: belief.mean(x).mean())
    worth = []
    for members in exact.coalitions(len(MIXED.names)):
        kept = np.append(members[np.asarray(owner)], True)
        worth.append(float(mean(np.where(kept, point, background))))
    np.testing.assert_allclose(quick.values, exact.shapley(np.array(worth)[:, None])[0], atol=1e-12)
    game = Game(Bound(belief, jnp.asarray(2.0)), point, background, (*owner, 0), MIXED.dim)
    found = average(game, exact.coalitions(len(MIXED.names)))["exploitation"]
    np.testing.assert_allclose(found, worth, atol=1e-12)
