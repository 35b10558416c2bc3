"""Bounds, sets, gains and what to ask: their laws."""

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from counsel.constraints import (
    Bounds,
    batch,
    bayesian_beta,
    begin,
    course,
    fold,
    gains,
    normalised,
    paper_weights,
    question,
    running,
    sets,
    tell,
)
from counsel.constraints.exploring import explore_or_exploit
from counsel.constraints.learned import Confidence
from counsel.models import joint
from counsel.models import multitask as mt

M, K = 5, 3
POINTS = np.random.default_rng(3).uniform(size=(M, 2))
NONE = np.zeros(M, dtype=bool)


def model(rank: int = 2) -> mt.Coregion:
    like = mt.default(1 + K, 2, rank=rank, noise=0.01)
    return mt.Coregion(3.0 * like.mixing, like.own, like.noise, like.lengthscale, like.context)


def truth(seed: int) -> np.ndarray:
    """A draw from the model itself, so that its bounds are valid."""
    _, cov = mt.prior_joint(model(), POINTS)
    root = np.linalg.cholesky(np.asarray(cov) + 1e-9 * np.eye(len(cov)))
    return (root @ np.random.default_rng(seed).standard_normal(len(cov))).reshape(1 + K, M)


def run(seed: int, rounds: int, share: float = 0.6) -> tuple[np.ndarray, list]:
    """Trials of a random policy, and what was learned after each."""
    rng, values = np.random.default_rng(seed), truth(seed)
    learned = begin(joint.prior(model(), POINTS), jnp.asarray(NONE), Confidence())
    kept = [learned]
    step = jax.jit(tell)
    for _ in range(rounds):
        arm = int(rng.integers(M))
        y = values[:, arm] + 0.1 * rng.standard_normal(1 + K)
        learned = step(
            learned, jnp.asarray(arm), jnp.asarray(y),
            jnp.asarray(rng.uniform(size=1 + K) < share), Confidence(),
        )  # fmt: skip
        kept.append(learned)
    return values, kept


def test_beta_is_the_union_bound() -> None:
    beta = float(bayesian_beta(90, 3, 0.1))
    np.testing.assert_allclose(beta, np.sqrt(2 * np.log(90 * np.pi**2 * 9 / 0.6)))
    assert bayesian_beta(90, 4, 0.1) > beta
    assert float(Confidence(constant=3.0).beta(90, 7)) == 3.0


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_running_bounds_only_shrink_unless_they_cross(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = (Bounds(*jnp.sort(jnp.asarray(rng.normal(size=(2, 2, M))), axis=0)) for _ in range(2))
    both = running(a, b)
    crossed = np.maximum(a.lower, b.lower) > np.minimum(a.upper, b.upper)
    assert (both.lower <= both.upper).all()
    assert (np.asarray(both.width)[~crossed] <= np.asarray(a.width)[~crossed]).all()
    np.testing.assert_array_equal(np.asarray(both.lower)[crossed], np.asarray(b.lower)[crossed])


@settings(max_examples=10)
@given(st.integers(0, 500))
def test_with_valid_bounds_a_safe_set_never_shrinks_and_holds_no_unsafe_arm(seed: int) -> None:
    values, kept = run(seed, 12)
    valid = all(bool(((l.bounds.lower <= values) & (values <= l.bounds.upper)).all()) for l in kept)
    if not valid:  # by design one run in ten at most; such a run promises nothing
        return
    really = (values[1:] >= 0.0).all(axis=0)
    before = np.zeros(M, dtype=bool)
    for learned in kept:
        safe = np.asarray(learned.sets.safe)
        assert not (before & ~safe).any()
        assert not (safe & ~really).any()
        assert not (safe & np.asarray(learned.sets.uncertain)).any()
        before = safe


def test_bounds_cover_as_often_as_they_promise() -> None:
    held = []
    for seed in range(40):
        values, kept = run(1000 + seed, 8)
        held.append(
            all(bool(((l.bounds.lower <= values) & (values <= l.bounds.upper)).all()) for l in kept)
        )
    assert np.mean(held) >= 0.9


def test_sets_by_hand() -> None:
    lower = jnp.array([[1.0, 0.0, 0.0, -2.0, 0.0], [0.1, -0.1, -0.1, -0.1, -2.0]])
    upper = jnp.array([[1.5, 2.0, 0.5, 2.0, 2.0], [1.0, 1.0, 1.0, 1.0, -1.0]])
    found = sets(Bounds(lower, upper), jnp.asarray(NONE))
    np.testing.assert_array_equal(found.safe, [True, False, False, False, False])
    # Arm 2 cannot beat the safe one, arm 4 cannot be safe.
    np.testing.assert_array_equal(found.uncertain, [False, True, False, True, False])
    np.testing.assert_array_equal(found.ambiguous, [[False, True, False, True, False]])
    np.testing.assert_allclose(found.widest(Bounds(lower, upper)), [0.0, 1.1, 0.0, 1.1, 0.0])
    given = sets(Bounds(lower, upper), jnp.asarray([False, False, False, False, True]))
    assert bool(given.safe[4])


def test_gain_is_the_share_of_variance_that_an_answer_removes() -> None:
    belief = joint.prior(model(), POINTS)
    ambiguous = jnp.zeros((K, M), dtype=bool).at[1, 3].set(True)
    found = gains(belief, jnp.asarray(0), ambiguous)
    for i in range(K):
        asked = jnp.arange(1 + K) == 1 + i
        after = belief.believed(jnp.asarray(0), asked)
        removed = 1.0 - after.sd[2, 3] ** 2 / belief.sd[2, 3] ** 2
        np.testing.assert_allclose(found[i], removed, rtol=1e-9)


@settings(max_examples=15)
@given(st.integers(0, 300), st.floats(0.01, 1.0))
def test_a_batch_obeys_its_threshold(seed: int, ask_threshold: float) -> None:
    _, kept = run(seed, 4)
    learned, arm = kept[-1], jnp.asarray(seed % M)
    ambiguous = learned.sets.ambiguous
    asked = np.asarray(batch(learned.belief, arm, ambiguous, ask_threshold))
    if not bool(ambiguous.any()):
        assert not asked.any()
        return
    # Played again by hand: the largest gain first, each against the first.
    believed = learned.belief.believed(arm, jnp.arange(1 + K) == 0)
    first, mine = None, np.zeros(K, dtype=bool)
    for _ in range(K):
        left = np.where(mine, -1.0, gains(believed, arm, ambiguous))
        first = left.max() if first is None else first
        if left.max() < ask_threshold * first or left.max() <= 1e-9:
            break
        mine[left.argmax()] = True
        believed = believed.believed(arm, jnp.arange(1 + K) == 1 + left.argmax())
    np.testing.assert_array_equal(asked, mine)
    assert asked.any()


def test_threshold_zero_asks_everything_and_a_higher_one_never_more() -> None:
    for seed in range(8):
        _, kept = run(seed, 3)
        learned, arm = kept[-1], jnp.asarray(1)
        counts = [
            int(batch(learned.belief, arm, learned.sets.ambiguous, level).sum())
            for level in (0.0, 0.1, 0.5, 1.0)
        ]
        assert counts[0] == K
        assert counts == sorted(counts, reverse=True)
        best, _ = question(
            learned.belief, arm, learned.sets.ambiguous, jnp.zeros(K, dtype=bool),
            jnp.asarray(0.0), 0.0,
        )  # fmt: skip
        assert int(best) >= 0


def test_questions_end_where_nothing_is_ambiguous() -> None:
    belief = joint.prior(model(), POINTS)
    nothing = jnp.zeros((K, M), dtype=bool)
    elsewhere = nothing.at[0, 4].set(True)
    for ambiguous in (nothing, elsewhere):
        best, _ = question(
            belief, jnp.asarray(0), ambiguous, jnp.zeros(K, dtype=bool), jnp.asarray(0.1), 0.3
        )
        assert int(best) == -1


def test_the_papers_weights() -> None:
    B = jnp.asarray([[4.0, -2.0, 0.0], [-2.0, 4.0, 0.0], [0.0, 0.0, 1.0]])
    weights = paper_weights(B, jnp.asarray([2.0, 0.0]), jnp.asarray([3.0, 0.0]), 0.5)
    np.testing.assert_allclose(weights, [0.5 * 0.5 + 0.5 * 0.5, 0.0])


def test_a_fold_is_tell_after_tell_and_padding_changes_nothing() -> None:
    rng = np.random.default_rng(0)
    arms, y = rng.integers(M, size=6), rng.standard_normal((6, 1 + K))
    measured = rng.uniform(size=(6, 1 + K)) < 0.7
    learned = begin(joint.prior(model(), POINTS), jnp.asarray(NONE), Confidence())
    sets = []
    for row in zip(arms, y, measured, strict=True):
        learned = tell(learned, *(jnp.asarray(each) for each in row), Confidence())
        sets.append(learned.sets)
    trials = (
        model(), POINTS, NONE, np.append(arms, [4, 4]), np.concatenate([y, np.ones((2, 1 + K))]),
        np.concatenate([measured, np.ones((2, 1 + K), dtype=bool)]),
    )  # fmt: skip
    at_once = fold(*trials, np.asarray(6), Confidence())
    safe, uncertain = course(*trials, Confidence())
    np.testing.assert_array_equal(safe[:6], [each.safe for each in sets])
    np.testing.assert_array_equal(uncertain[:6], [each.uncertain for each in sets])
    for a, b in zip(jax.tree.leaves(learned), jax.tree.leaves(at_once), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-10)


def test_imputing_what_was_not_asked_is_false_confidence() -> None:
    start = begin(joint.prior(model(rank=0), POINTS), jnp.asarray(NONE), Confidence())
    only = jnp.arange(1 + K) == 0
    seen = jnp.zeros(1 + K)
    honest, imputed = (
        tell(start, jnp.asarray(0), seen, only, Confidence(), impute=impute)
        for impute in (False, True)
    )
    np.testing.assert_allclose(honest.belief.sd[1:, 0], start.belief.sd[1:, 0])
    np.testing.assert_allclose(imputed.belief.mean[1:], start.belief.mean[1:])
    assert (imputed.belief.sd[1:, 0] < 0.15 * start.belief.sd[1:, 0]).all()


def test_exploration_goes_to_the_widest_and_ends_with_the_budget() -> None:
    start = begin(joint.prior(model(), POINTS), jnp.asarray(NONE), Confidence())
    everything = jnp.ones(M, dtype=bool)
    move = explore_or_exploit(start, everything, 0.1, 3)
    assert bool(move.exploring)
    assert not bool(explore_or_exploit(start, everything, 1e3, 3).exploring)
    assert not bool(explore_or_exploit(start, everything, 0.1, 0).exploring)
    none_safe = explore_or_exploit(start, everything, 0.1, 0)
    assert not bool(none_safe.known_safe)
    only = jnp.arange(M) == 2
    assert int(explore_or_exploit(start, only, 0.1, 3).arm) == 2


def test_the_papers_weights_are_relative_to_the_largest() -> None:
    found = np.asarray(normalised(jnp.asarray([0.1, 0.4, 0.0])))
    np.testing.assert_allclose(found, [0.25, 1.0, 0.0])
    np.testing.assert_allclose(np.asarray(normalised(jnp.zeros(2))), [1.0, 1.0])
