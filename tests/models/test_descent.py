"""Descent: SciPy's minima, closed forms at the bounds, and no fall into what is not a number."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from counsel.models.descent import Minimum, minimise

TIGHT = {"evaluations": 1000, "slope_tolerance": 1e-8, "value_tolerance": 0.0}


def rosenbrock(x: jax.Array) -> jax.Array:
    return jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


@jax.jit
def _rosenbrock_minimum(start: jax.Array, lower: jax.Array, upper: jax.Array) -> Minimum:
    return minimise(rosenbrock, start, lower, upper, **TIGHT)


def rosenbrock_minimum(start: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> Minimum:
    return jax.device_get(_rosenbrock_minimum(start, lower, upper))


# The first box holds the valley's end at (1, 1, 1); the others cut the valley off.
BOXES = [
    ([-2.0, -2.0, -2.0], [2.0, 2.0, 2.0]),
    ([-2.0, -2.0, -2.0], [0.6, 2.0, 2.0]),
    ([0.0, 0.5, -2.0], [2.0, 2.0, 0.1]),
]


@pytest.mark.parametrize(("low", "high"), BOXES)
def test_rosenbrock_in_a_box_equals_scipys_answer(low: list[float], high: list[float]) -> None:
    for start in ([-1.2, 1.0, 0.3], [0.0, 0.0, 0.0], [0.5, 1.5, -1.0]):
        found = rosenbrock_minimum(np.array(start), np.array(low), np.array(high))
        theirs = scipy.optimize.minimize(
            scipy.optimize.rosen,
            np.clip(start, low, high),
            jac=scipy.optimize.rosen_der,
            method="L-BFGS-B",
            bounds=list(zip(low, high, strict=True)),
            options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 10_000},
        )
        assert found.converged
        np.testing.assert_allclose(found.x, theirs.x, rtol=0, atol=1e-6)
        np.testing.assert_allclose(found.value, theirs.fun, rtol=1e-9, atol=1e-12)
        # Neither is the better by far: an active bound must not spoil the curvature.
        assert found.evaluations <= 2 * theirs.nfev + 10


vector = arrays(np.float64, 4, elements=st.floats(-3.0, 3.0))


@jax.jit
def separable_minimum(centre: jax.Array, start: jax.Array) -> Minimum:
    curvature = jnp.array([0.5, 1.0, 4.0, 20.0])
    low, high = jnp.full(4, -1.0), jnp.full(4, 1.0)
    return minimise(lambda x: jnp.sum(curvature * (x - centre) ** 2), start, low, high, **TIGHT)


@settings(max_examples=50)
@given(vector, vector)
def test_a_separable_bowl_ends_at_the_clipped_centre(centre: np.ndarray, start: np.ndarray) -> None:
    found = separable_minimum(centre, start)
    np.testing.assert_allclose(found.x, np.clip(centre, -1.0, 1.0), rtol=0, atol=1e-8)
    outside = np.abs(centre) > 1.0 + 1e-8
    np.testing.assert_array_equal(np.asarray(found.x)[outside], np.sign(centre[outside]))


def test_a_tilted_bowl_meets_its_active_bound_in_closed_form() -> None:
    # x'Ax/2 - b'x with x1 held at its bound leaves A22 x2 = b2 - A21 x1.
    A, b = np.array([[3.0, 1.2], [1.2, 1.0]]), np.array([5.0, 1.0])
    found = jax.jit(
        lambda start: minimise(
            lambda x: 0.5 * x @ A @ x - b @ x, start, jnp.full(2, -4.0), jnp.full(2, 1.0), **TIGHT
        )
    )(np.array([-3.0, -3.0]))
    np.testing.assert_allclose(found.x, [1.0, 1.0 - 1.2], rtol=0, atol=1e-8)


@jax.jit
def of_form(number: jax.Array, start: jax.Array) -> Minimum:
    """One compiled program for several one-dimensional functions on [-2, 2]."""
    branches = [
        lambda x: 2.0 * x[0] - 0.2 * jnp.log(x[0] + 1.0),  # not a number below -1
        lambda x: jnp.where(x[0] > 0.5, jnp.inf, (x[0] - 0.4) ** 2),  # a wall near the minimum
        lambda x: x[0] + jnp.nan,
        lambda x: 0.0 * x[0],
    ]
    return minimise(
        lambda x: jax.lax.switch(number, branches, x), start, jnp.full(1, -2.0), jnp.full(1, 2.0)
    )


def test_a_value_that_is_not_finite_is_a_step_too_long() -> None:
    for number, start, minimum in ((0, -0.05, -0.9), (1, -1.0, 0.4)):
        found = of_form(number, np.array([start]))
        assert found.converged
        np.testing.assert_allclose(found.x, minimum, atol=1e-3)


def test_a_start_that_cannot_be_evaluated_is_handed_back_unconverged() -> None:
    for number, start in ((0, -1.5), (2, 0.3)):
        found = of_form(number, np.array([start]))
        assert not found.converged
        assert found.value == np.inf
        np.testing.assert_array_equal(found.x, [start])


def test_a_flat_function_converges_where_it_starts() -> None:
    found = of_form(3, np.array([0.3]))
    assert found.converged
    assert found.evaluations <= 2
    np.testing.assert_array_equal(found.x, [0.3])


def test_a_start_outside_is_moved_inside() -> None:
    found = of_form(3, np.array([7.0]))
    np.testing.assert_array_equal(found.x, [2.0])


def test_the_evaluations_are_counted_and_limited() -> None:
    seen: list[float] = []

    def noted(x: jax.Array) -> jax.Array:
        jax.debug.callback(lambda first: seen.append(float(first)), x[0])
        return rosenbrock(x)

    start, low, high = np.array([-1.2, 1.0]), jnp.full(2, -2.0), jnp.full(2, 2.0)
    found = jax.jit(lambda s: minimise(noted, s, low, high, evaluations=7))(start)
    jax.effects_barrier()
    assert found.evaluations == 7 == len(seen)
    assert not found.converged
    assert found.value < scipy.optimize.rosen(start)


def test_a_batch_of_starts_equals_a_loop_over_them() -> None:
    starts = np.random.default_rng(1).uniform(-2.0, 2.0, size=(5, 3))
    low, high = np.full(3, -2.0), np.array([2.0, 2.0, 0.5])
    batched = jax.jit(jax.vmap(_rosenbrock_minimum, in_axes=(0, None, None)))
    together = jax.device_get(batched(starts, low, high))
    for i, start in enumerate(starts):
        alone = rosenbrock_minimum(start, low, high)
        np.testing.assert_allclose(together.x[i], alone.x, rtol=0, atol=1e-7)
        np.testing.assert_allclose(together.value[i], alone.value, rtol=1e-10, atol=1e-14)
        assert together.converged[i] == alone.converged
