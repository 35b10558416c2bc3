"""Rules: what each looks at, and that one number picks the right one."""

import jax.numpy as jnp
import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from counsel.teams.alignment import factor
from counsel.teams.credit import Side, Track
from counsel.teams.fused import Fused
from counsel.teams.rules import (
    FEATURES,
    NO_TREE,
    RULES,
    TREE_DEPTH,
    Moment,
    Settings,
    Tree,
    _predicted,
    features,
    listens,
    misalignment,
    ratios,
)


def moment(**changes: object) -> Moment:
    side = Side(jnp.asarray(0.0), jnp.asarray(1.0), jnp.array([1.0, 2.0]))
    whole = Moment(
        t=jnp.asarray(4),
        machine=side,
        person=side,
        values=jnp.array([[0.2, 0.4], [0.5, 0.5]]),
        usual=ratios(jnp.array([0.2, 0.4])),
        reasons=jnp.array([1.0, 2.0]),
        own_reasons=ratios(jnp.array([1.0, 2.0])),
        best=jnp.asarray(0.0),
        track=Track(jnp.zeros(5), jnp.zeros(5), jnp.zeros((5, 2))),
        tau=jnp.asarray(0.0),
        left=jnp.asarray(3.0),
        chance=jnp.asarray(0.4),
        fused=Fused(jnp.array([1.0, 0.0, 0.0, 0.0]), jnp.zeros(2), jnp.zeros(2)),
        unit=jnp.asarray(1.0),
        truth=jnp.array([1.0, 0.0]),
    )
    return whole._replace(**changes)


def says(rule: str, **changes: object) -> bool:
    code = jnp.asarray(list(RULES).index(rule))
    return bool(listens(code, moment(**changes), Settings()))


def test_the_simple_ones() -> None:
    assert not says("A0")
    assert says("A1")
    assert [says("A3", t=jnp.asarray(t)) for t in (1, 2, 3, 4, 6)] == [0, 1, 0, 1, 1]
    assert says("random")
    assert not says("random", chance=jnp.asarray(0.6))
    assert not says("oracle")
    assert says("oracle", truth=jnp.array([0.0, 1.0]))


@pytest.mark.parametrize(("rule", "field"), [("A2", "usual"), ("A4", "own_reasons")])
def test_ratios_within_the_tolerated_factor_pass(rule: str, field: str) -> None:
    """(11) and (12): the machine's ratio is 1 to 2, the person's may be from 1 to 4 to 1 to 1."""
    assert not says(rule)
    for other, off in (((1.0, 3.9), False), ((1.0, 4.1), True), ((1.0, 0.9), True)):
        assert says(rule, **{field: ratios(jnp.array(other))}) is off
    assert says(rule, **{field: ratios(jnp.array([-1.0, 2.0]))})


def test_misalignment_is_the_ratio_of_ratios_that_a_study_has_too() -> None:
    """Averages of ratios, with signs; the live form is `teams.alignment`."""
    rng = np.random.default_rng(0)
    for p in (2, 3):
        for _ in range(20):
            ours, theirs = rng.normal(size=p) + 1.0, rng.normal(size=(4, p)) + 1.0
            usual = jnp.mean(jnp.stack([ratios(jnp.asarray(each)) for each in theirs]), axis=0)
            found = float(misalignment(jnp.asarray(ours), usual))
            assert found == pytest.approx(factor(ours, theirs), rel=1e-6)
    # Both against: two negative contributions are as much agreement as two positive ones.
    assert factor(np.array([-1.0, -2.0]), np.array([[-2.0, -4.0]])) == 1.0


def test_a_learned_rule_walks_its_tree() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, len(FEATURES)))
    y = np.where(x[:, 3] > 0.2, 1.0, -1.0) * (x[:, 0] < 1.0)
    fitted = DecisionTreeRegressor(max_depth=TREE_DEPTH, random_state=0).fit(x, y)
    arrays = Tree(*(each.copy() for each in NO_TREE))
    found = fitted.tree_
    arrays.feature[: found.node_count] = np.maximum(found.feature, -1)
    arrays.threshold[: found.node_count] = found.threshold
    arrays.left[: found.node_count] = found.children_left
    arrays.right[: found.node_count] = found.children_right
    arrays.value[: found.node_count] = found.value[:, 0, 0]
    ours = [float(_predicted(arrays, jnp.asarray(row))) for row in x[:30]]
    np.testing.assert_allclose(ours, fitted.predict(x[:30]))
    assert not says("A5")


def test_features_are_finite_and_named() -> None:
    found = features(moment(own_reasons=ratios(jnp.array([-1.0, 0.0])), usual=jnp.zeros((2, 2))))
    assert found.shape == (len(FEATURES),)
    assert np.isfinite(found).all()
