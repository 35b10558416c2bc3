"""Priors over inputs: densities against SciPy, every form, every slip in a sentence."""

import json
from typing import Any

import numpy as np
import pytest
import scipy.stats

import counsel as cs
from counsel.acquisition import LWUCB, Beta
from counsel.acquisition.priors import as_prior, prior_at
from counsel.policies import Bandit
from counsel.policies.description import Undescribed, describe, make

BOX = cs.Space(
    x=cs.Float(0, 10),
    kind=cs.Categorical(["a", "b"]),
    context={"z": cs.Float(0, 1), "site": cs.Categorical(["p", "q"])},
)
ARMS = cs.Arms([{"dose": float(i), "kind": k} for i in range(3) for k in "ab"])


@pytest.mark.parametrize(("a", "b"), [(2, 8), (1, 1), (1, 3.5), (5, 1), (30, 2)])
def test_the_density_is_scipys(a: float, b: float) -> None:
    u = np.linspace(0.0, 1.0, 101)
    theirs = scipy.stats.beta(a, b).pdf(u)
    ours = Beta(a, b).density(u)
    np.testing.assert_allclose(ours, theirs / theirs[np.argmax(ours)] * ours.max(), atol=1e-9)
    assert ours.max() <= 1.0 + 1e-12


def test_a_product_over_a_box() -> None:
    points = np.array([[0.2, 1, 0, 0.5, 1, 0], [0.7, 0, 1, 0.5, 1, 0]])
    prior = as_prior({"x": Beta(2, 8), "kind": {"a": 3, "b": 1}})
    found = prior_at(prior, BOX, points)
    expected = scipy.stats.beta(2, 8).pdf([0.2, 0.7]) * [3, 1]
    np.testing.assert_allclose(found / found.sum(), expected / expected.sum(), rtol=1e-12)


def test_a_context_is_a_factor_that_all_points_share() -> None:
    points = np.array([[0.2, 1, 0, 0.5, 1, 0], [0.7, 0, 1, 0.5, 1, 0]])
    chosen: dict[str, Any] = {"x": Beta(2, 8)}
    both = {**chosen, "z": Beta(2, 2), "site": {"p": 1, "q": 5}}
    without, with_it = (prior_at(as_prior(prior), BOX, points) for prior in (chosen, both))
    np.testing.assert_allclose(with_it / with_it.sum(), without / without.sum(), rtol=1e-12)


def test_over_arms_by_arm_or_by_name() -> None:
    weights = [1.0, 2.0, 0.0, 4.0, 5.0, 6.0]
    np.testing.assert_array_equal(prior_at(as_prior(weights), ARMS, ARMS.points), weights)
    found = prior_at(as_prior({"kind": {"a": 1, "b": 2}}), ARMS, ARMS.points)
    np.testing.assert_allclose(found, [1, 2, 1, 2, 1, 2])


def test_a_function_of_encoded_points() -> None:
    found = prior_at(as_prior(lambda points: points[:, 0] + 1), ARMS, ARMS.points)
    np.testing.assert_allclose(found, ARMS.points[:, 0] + 1)


@pytest.mark.parametrize(
    ("prior", "words"),
    [
        ("uniform", "weight for each arm"),
        (3.0, "weight for each arm"),
        ([[1.0]], "weight for each arm"),
        ([1.0, -1.0], "zero or more"),
        ([0.0, 0.0], "not all of them zero"),
        ([1.0, float("nan")], "finite"),
        ({"x": 3.0}, r"prior of x.*Beta\(a, b\)"),
        ({"x": {"a": -1.0}}, "zero or more"),
        ({"x": {"a": "much"}}, "zero or more"),
        ({3: Beta(1, 2)}, "string"),
    ],
)
def test_what_is_not_a_prior_is_refused_at_once(prior: Any, words: str) -> None:
    with pytest.raises(cs.InvalidInput, match=words):
        LWUCB(prior=prior)


@pytest.mark.parametrize(("a", "b"), [(0.5, 2), (2, float("inf")), (float("nan"), 3)])
def test_a_beta_that_is_none(a: Any, b: Any) -> None:
    with pytest.raises(cs.InvalidInput, match="1 or more"):
        Beta(a, b)


@pytest.mark.parametrize(
    ("space", "prior", "words"),
    [
        (BOX, [1.0, 2.0], "A box has no arms"),
        (ARMS, [1.0, 2.0], "Give 6: one per arm"),
        (BOX, {"y": Beta(1, 2)}, "'x'"),
        (BOX, {"kind": Beta(1, 2)}, "weights by label"),
        (BOX, {"x": {"a": 1}}, "It is a number"),
        (BOX, {"kind": {"a": 1}}, "each of: 'a', 'b'"),
        (ARMS, lambda points: points, "one each"),
        (ARMS, lambda points: -points[:, 0], "zero or more"),
    ],
)
def test_what_does_not_fit_the_space_is_refused(space: Any, prior: Any, words: str) -> None:
    points = np.zeros((6, space.dim + space.context_dim))
    with pytest.raises(cs.InvalidInput, match=words):
        prior_at(as_prior(prior), space, points)


@pytest.mark.parametrize("prior", [[1.0, 2.5], {"x": Beta(2, 8), "kind": {"a": 3, "b": 1}}])
def test_a_prior_is_kept_with_its_study(prior: Any) -> None:
    policy = Bandit(LWUCB(prior=prior))
    written = json.loads(json.dumps(describe(policy), allow_nan=False))
    again = make(written)
    assert describe(again) == describe(policy)
    assert again == policy


def test_a_function_cannot_be_kept() -> None:
    with pytest.raises(Undescribed, match="prior"):
        describe(Bandit(LWUCB(prior=lambda points: points[:, 0])))
