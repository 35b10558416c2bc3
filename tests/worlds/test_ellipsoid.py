"""The ShapleyBO paper's ellipsoids, and the noise of its risk tables."""

import numpy as np
import pytest

from counsel import worlds
from counsel.errors import InvalidInput
from counsel.worlds.ellipsoid import ellipsoid, noise_variance


def test_the_formula_and_its_noise() -> None:
    world = ellipsoid(3)
    assert world.evaluate({"x1": 1.0, "x2": 2.0, "x3": -1.0}) == pytest.approx(1 + 8 + 3)
    points = np.random.default_rng(0).uniform(-5.12, 5.12, size=(200_000, 3))
    assert world.noise == pytest.approx(0.05 * world.function(points).std(), rel=0.01)
    with pytest.raises(InvalidInput, match="dimensions"):
        ellipsoid(0)


def test_the_noise_falls_with_x1() -> None:
    np.testing.assert_allclose(
        noise_variance(np.array([[15.0, 15.0], [-15.0, 15.0], [0.0, 0.0]])), [0.0, 360.0, 186.0]
    )


def test_loaded_by_name() -> None:
    assert worlds.load("ellipsoid", dimensions=2, bound=15.0).space.names == ("x1", "x2")
