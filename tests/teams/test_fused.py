"""Advice as data: the fused belief against sampling, and that bad advice mutes itself."""

import numpy as np
import pytest

from counsel.teams.fused import PRIOR, SPREADS, Settings, decided, follows, fuse, padded

RNG = np.random.default_rng(0)
MEAN = np.array([0.2, 0.0, 0.1, -0.1, 0.3])
ROOT = 0.5 * RNG.normal(size=(5, 5))
COVARIANCE = ROOT @ ROOT.T + 0.05 * np.eye(5)


def test_the_fused_belief_is_that_of_weighted_samples() -> None:
    """Importance sampling from the belief without claims, with the spread drawn from its prior."""
    claims = [(1, 0), (2, 3), (4, 1)]
    found = fuse(MEAN, COVARIANCE, padded(claims, 4), np.asarray(1.0))
    f = RNG.multivariate_normal(MEAN, COVARIANCE, 400_000)
    spread = np.array([*SPREADS, np.inf])[RNG.choice(len(PRIOR), len(f), p=PRIOR)]
    weight = np.ones(len(f))
    from scipy.special import ndtr

    for better, worse in claims:
        weight *= ndtr((f[:, better] - f[:, worse]) / spread)
    weight /= weight.sum()
    mean = weight @ f[:, :2]
    apart = f[:, :2] - mean
    np.testing.assert_allclose(found.mean, mean, atol=0.05)
    np.testing.assert_allclose(found.covariance, (apart.T * weight) @ apart, atol=0.07)
    ours = [float(weight[spread == each].sum()) for each in (*SPREADS, np.inf)]
    np.testing.assert_allclose(found.weights, ours, atol=0.03)


def test_padding_and_no_claims_change_nothing() -> None:
    none = fuse(MEAN, COVARIANCE, padded([], 4), np.asarray(1.0))
    np.testing.assert_allclose(none.mean, MEAN[:2])
    np.testing.assert_allclose(none.covariance, COVARIANCE[:2, :2], atol=1e-12)
    np.testing.assert_allclose(none.weights, PRIOR, atol=1e-12)
    few = fuse(MEAN, COVARIANCE, padded([(1, 0)], 4), np.asarray(1.0))
    more = fuse(MEAN, COVARIANCE, padded([(1, 0)], 8), np.asarray(1.0))
    np.testing.assert_allclose(few.mean, more.mean, atol=1e-9)


def known(*values: float) -> tuple[np.ndarray, np.ndarray]:
    """The first two points are unknown, the others have been measured."""
    mean = np.array([0.0, 0.0, *values])
    return mean, np.diag([1.0, 1.0, *[1e-4] * len(values)])


def weights_after(claims: list[tuple[int, int]]) -> np.ndarray:
    mean, covariance = known(1.0, 0.5, 0.0, -0.5, -1.0)
    return np.asarray(fuse(mean, covariance, padded(claims, 16), np.asarray(1.0)).weights)


def test_claims_that_came_out_right_are_believed_and_contradicted_ones_mute_themselves() -> None:
    right = [(i, j) for i in range(2, 7) for j in range(i + 1, 7)]
    wrong = [(j, i) for i, j in right]
    assert weights_after(right)[-1] < 0.01
    assert weights_after(wrong)[-1] > 0.9
    assert weights_after(right[:2])[-1] < PRIOR[-1] < weights_after(wrong[:2])[-1]
    # One plain contradiction outweighs what was right before.
    assert weights_after([*right, (6, 2)])[-1] > weights_after(right)[-1]


@pytest.mark.parametrize(("record", "listens"), [("right", True), ("wrong", False)])
def test_a_new_claim_counts_by_what_came_of_the_old_ones(record: str, listens: bool) -> None:
    mean, covariance = known(1.0, 0.5, 0.0, -0.5, -1.0)
    right = [(i, j) for i in range(2, 7) for j in range(i + 1, 7)]
    past = right if record == "right" else [(j, i) for i, j in right]
    found = decided(
        mean, covariance, [*past, (1, 0)], unit=1.0, harm=0.0, spent=1.0, keeps=np.ones(2)
    )
    assert found is listens


def test_a_spent_budget_and_a_broken_constraint_leave_it_to_the_machine() -> None:
    mean, covariance = known(1.0, 0.5, 0.0, -0.5, -1.0)
    claims = [(i, j) for i in range(2, 7) for j in range(i + 1, 7)] + [(1, 0)]
    numbers = {"unit": 1.0, "spent": 1.0}
    assert decided(mean, covariance, claims, harm=0.0, keeps=np.ones(2), **numbers)
    assert not decided(mean, covariance, claims, harm=50.0, keeps=np.ones(2), **numbers)
    assert not decided(mean, covariance, claims, harm=0.0, keeps=np.array([1.0, 0.1]), **numbers)


def test_who_cost_nothing_needs_no_budget() -> None:
    found = fuse(MEAN, COVARIANCE, padded([(1, 0)], 4), np.asarray(1.0))
    broke = Settings(np.asarray(0.0), np.asarray(1.0), np.asarray(0.0), np.asarray(0.0))
    zero, one = np.asarray(0.0), np.asarray(1.0)
    assert follows(found, zero, zero, one, broke)
    assert not follows(found, np.asarray(0.1), zero, one, broke)
