"""More observations than are conditioned on exactly: close to exact, with and without noise."""

import numpy as np
import pytest

from counsel.facts.aliases import modern
from counsel.models.fit import pack
from counsel.models.gp import Posterior
from counsel.models.kernels import MaternProduct, Product, Sum
from counsel.models.sparse import rows_around_best
from counsel.policies import scaling as module
from counsel.policies.scaling import Observed, Scaling

RNG = np.random.default_rng(3)
COUNT = 600
SCALES = np.array([0.3, 0.5])
KERNEL = MaternProduct(SCALES, np.asarray(1.2))
BEST = np.array([0.3, 0.6])
# As a search leaves them: half of the trials are near the best.
X = np.clip(
    np.where(
        RNG.uniform(size=(COUNT, 1)) < 0.5,
        RNG.uniform(size=(COUNT, 2)),
        BEST + 0.1 * RNG.normal(size=(COUNT, 2)),
    ),
    0.0,
    1.0,
)
NEAR = BEST + 0.02 * RNG.normal(size=(100, 2))
FEW = Scaling(fit_rows=64, exact_rows=160, inducing=80)
ALL = Scaling(fit_rows=64, exact_rows=10_000)


def posterior(scaling: Scaling, noise: float) -> Posterior:
    y = -np.sum(np.abs(X - BEST) ** 1.5, axis=1)
    y = y + np.sqrt(noise) * y.std() * np.random.default_rng(4).normal(size=COUNT)
    theta = np.asarray(pack(KERNEL, np.asarray(noise)))
    return scaling.posterior(KERNEL, theta, Observed(X, y))


def error_near_the_best(scaling: Scaling, noise: float) -> tuple[float, float]:
    """Root mean square of the mean's error in exact sds; the largest ratio of the sds."""
    (mean, sd), (exact, exact_sd) = (
        [np.asarray(each) for each in posterior(one, noise).predict(NEAR)] for one in (scaling, ALL)
    )
    return float(np.sqrt(np.mean(((mean - exact) / exact_sd) ** 2))), float((sd / exact_sd).max())


def test_without_noise_the_surroundings_of_the_best_are_closer_to_exact() -> None:
    ours = error_near_the_best(FEW, 1e-6)
    through = error_near_the_best(FEW._replace(quiet=None), 1e-6)
    assert ours[0] < 1.0
    assert ours[0] < 0.75 * through[0]
    assert ours[1] < 0.25 * through[1]


def test_with_noise_all_observations_are_averaged() -> None:
    ours = error_near_the_best(FEW, 0.05)
    in_part = error_near_the_best(FEW._replace(quiet=1.0), 0.05)
    assert ours[0] < 0.3
    assert ours[1] < 1.1
    assert in_part[0] > 2.0 * ours[0]


def test_up_to_the_limit_nothing_is_left_out() -> None:
    limit = Scaling(fit_rows=64, exact_rows=COUNT, inducing=80)
    for noise in (1e-5, 0.05):
        ours, exact = posterior(limit, noise), posterior(ALL, noise)
        np.testing.assert_array_equal(ours.predict(NEAR)[0], exact.predict(NEAR)[0])


def test_rows_around_the_best_are_the_nearest_and_then_the_farthest() -> None:
    y = -np.sum((X - BEST) ** 2, axis=1)
    rows = rows_around_best(X, y, SCALES, 80)
    assert len(set(rows.tolist())) == 80
    apart = (((X - X[np.argmax(y)]) / SCALES) ** 2).sum(axis=1)
    assert set(np.argsort(apart)[:40].tolist()) <= set(rows.tolist())
    gaps = np.linalg.norm((X[:, None] - X[rows][None]) / SCALES, axis=2).min(axis=1)
    nearest = np.argsort(apart)[:80]
    alone = np.linalg.norm((X[:, None] - X[nearest][None]) / SCALES, axis=2).min(axis=1)
    assert gaps.max() < 0.3 * alone.max()


def test_the_functions_own_variance_is_that_of_the_kernel() -> None:
    other = MaternProduct(SCALES, np.asarray(0.5))
    for kernel in (KERNEL, Sum(KERNEL, other), Product(KERNEL, Sum(other, other))):
        assert module._amplitude(kernel) == pytest.approx(float(kernel.amplitude()), rel=1e-12)


def test_a_policy_stored_before_there_was_a_choice_goes_through_the_inducing_ones() -> None:
    stored = {"tag": "scaling", "settings": {"fit_rows": 64, "exact_rows": 160, "inducing": 80}}
    old = Scaling(**modern(stored)["settings"])
    assert old.quiet is None
    belief = posterior(old, 1e-5)
    assert int(np.sum(belief.data.mask)) == 80
    assert int(np.sum(posterior(FEW, 1e-5).data.mask)) == 160
