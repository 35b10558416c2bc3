"""The sd's values are sharpened by the closed form of the variance."""

import jax.numpy as jnp
import numpy as np
import pytest

import counsel as cs
from counsel.acquisition.terms import Score
from counsel.acquisition.upper_confidence import Bound
from counsel.explain.background import Background, background_for, spread
from counsel.explain.methods import SHARPENED, attribute
from counsel.models.gp import Data, posterior
from counsel.models.kernels import Kernel, MaternProduct, SquaredExponential

BOX = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1), c=cs.Int(1, 5))
POINT = {"a": 0.9, "b": 0.15, "c": 2}


def bound(kernel: Kernel) -> Bound:
    x = BOX.snap(np.random.default_rng(0).uniform(size=(12, 3)))
    data = Data.padded(x, np.cos(4.0 * x.sum(axis=1)))
    return Bound(posterior(kernel, jnp.asarray(1e-3), data), jnp.asarray(1.5))


@pytest.mark.parametrize("kind", [SquaredExponential, MaternProduct])
def test_the_closed_form_of_the_variance_takes_most_of_the_error_of_the_points(
    kind: type[SquaredExponential | MaternProduct],
) -> None:
    score = bound(kind(np.array([0.3, 0.5, 0.8]), groups=(0, 1, 2)))
    better = attribute(score, BOX, POINT)
    plain = attribute(
        score, BOX, POINT, background=Background(background_for(BOX).points, "points", sample=True)
    )
    truth = attribute(score, BOX, POINT, background=Background(spread(BOX, 2**16), "many"))
    row = better.terms.index("approximation")
    assert better.methods[row] == SHARPENED
    assert plain.methods[row] == "enumerated"
    left, before = (np.abs(each.values[row] - truth.values[row]).max() for each in (better, plain))
    assert left < 0.35 * before
    assert (better.error[row] < 0.7 * plain.error[row]).all()
    assert (np.abs(better.values[row] - truth.values[row]) < 3.0 * better.error[row]).all()
    np.testing.assert_allclose(better.base + better.values.sum(axis=1), better.total, atol=1e-12)


class Squared(Bound):
    """A term of the sd's name that is not a multiple of it."""

    def terms(self, x: jnp.ndarray) -> dict[str, jnp.ndarray]:
        _, sd = self.posterior.predict(x)
        return {"approximation": sd**2}


def test_a_term_that_is_not_a_multiple_of_the_sd_is_left_alone() -> None:
    plain = bound(SquaredExponential(np.array([0.3, 0.5, 0.8]), groups=(0, 1, 2)))
    score: Score = Squared(plain.posterior, plain.weight)
    assert attribute(score, BOX, POINT).methods == ("enumerated",)
