"""The scale of the outputs, chosen by the evidence of the data."""

import numpy as np
import pytest

from counsel.models.fit import shaped
from counsel.models.kernels import MaternProduct, Prior
from counsel.models.scales import by_evidence, log_evidence, scales_for
from counsel.models.warp import Warp

LIKE = shaped(MaternProduct(np.ones(1)), (0, 1))
PRIOR = Prior(noise_mode=1e-5)
X = np.random.default_rng(0).uniform(size=(40, 2))


def field(seed: int) -> np.ndarray:
    """A draw from the kernel with shorter length-scales than the prior's mode."""
    short = MaternProduct(0.5 * np.asarray(LIKE.lengthscale))  # type: ignore[attr-defined]
    K = np.asarray(short.matrix(X, X)) + 1e-8 * np.eye(len(X))
    return np.asarray(np.linalg.cholesky(K) @ np.random.default_rng(seed).standard_normal(len(X)))


def test_gaussian_fields_speak_for_outputs_as_they_are() -> None:
    found = [log_evidence(LIKE, PRIOR, X, y, scales_for(y)) for y in map(field, range(6))]
    total = np.sum(found, axis=0)
    assert scales_for(field(0))[int(np.argmax(total))] is None


@pytest.mark.parametrize("seed", range(3))
def test_a_log_normal_field_is_fitted_by_its_logarithm(seed: int) -> None:
    scale = by_evidence(LIKE, PRIOR, X, np.exp(2.0 * field(seed)))
    assert scale is not None
    assert scale.sign == -1.0


@pytest.mark.parametrize("seed", range(3))
def test_gaps_that_span_decades_are_fitted_by_their_logarithm(seed: int) -> None:
    scale = by_evidence(LIKE, PRIOR, X, -np.exp(2.0 * field(seed)))
    assert scale is not None
    assert scale.sign == 1.0


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_scale_that_is_nearly_straight_has_the_evidence_of_none(sign: float) -> None:
    y = field(0)
    straight = Warp.of(y, 1e6, sign)
    found = log_evidence(LIKE, PRIOR, X, y, (straight, None))
    assert found[0] == pytest.approx(found[1], abs=1e-2)


def test_units_and_origin_change_the_evidence_of_all_scales_alike() -> None:
    y = np.exp(field(1))
    here = log_evidence(LIKE, PRIOR, X, y, scales_for(y))
    moved = 40.0 * y - 7.0
    there = log_evidence(LIKE, PRIOR, X, moved, scales_for(moved))
    np.testing.assert_allclose(here - here[0], there - there[0], atol=1e-6)
    # A density of y / 40 is 40 times as large at every observation.
    np.testing.assert_allclose(here - there, len(y) * np.log(40.0), atol=1e-6)


@pytest.mark.parametrize("y", [[1.0, 2.0, 9.0], [3.0] * 8, [0.0] * 7 + [1e300]])
def test_few_equal_and_enormous_outputs_have_a_scale(y: list[float]) -> None:
    values = np.array(y)
    scale = by_evidence(LIKE, PRIOR, X[: len(y)], values)
    read = values if scale is None else scale(values)
    assert np.isfinite(read).all()


def test_many_observations_are_judged_by_some_of_them() -> None:
    rng = np.random.default_rng(3)
    x = rng.uniform(size=(400, 2))
    y = np.exp(4.0 * np.sin(5.0 * x[:, 0]) * x[:, 1])
    scale = by_evidence(LIKE, PRIOR, x, y)
    assert scale in scales_for(y)  # from the extremes of all of them
    assert scale is not None
    assert scale.sign == -1.0
