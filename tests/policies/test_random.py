"""Random search, and the first points of every other policy."""

import numpy as np
import pytest

import counsel as cs
from counsel.facts.history import History
from counsel.policies.random import EXCLUSION_RADIUS, allowed_arms, draw, excluded

ARMS = cs.Arms([{"a": i / 4, "b": j / 4} for i in range(5) for j in range(5)])
BOX = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))
MIXED = cs.Space(x=cs.Float(0, 1), k=cs.Int(0, 3), c=cs.Categorical(["u", "v", "w"]))
NOTHING = np.zeros((0, 2))


def history(
    t: int = 1,
    *,
    seed: int = 0,
    x: object = NOTHING,
    pending: object = NOTHING,
    rejected: object = NOTHING,
) -> History:
    points = np.array(x, dtype=float)
    waiting, refused = np.array(pending, dtype=float), np.array(rejected, dtype=float)
    return History(points, np.zeros(len(points)), waiting, refused, np.zeros(0), t, seed)


def test_uniform_over_arms() -> None:
    counts = np.zeros(len(ARMS))
    for t in range(1000):
        arm = draw(ARMS, history(t + 1), spread=False).arm
        assert arm is not None
        counts[arm] += 1
    # Chi-squared with 24 degrees of freedom: 51 is its 0.999 quantile.
    assert ((counts - 40.0) ** 2 / 40.0).sum() < 51.2


def test_uniform_over_a_box() -> None:
    points = np.array([draw(BOX, history(t + 1), spread=False).point for t in range(1000)])
    assert points.mean(axis=0) == pytest.approx([0.5, 0.5], abs=0.04)
    assert points.var(axis=0) == pytest.approx([1 / 12, 1 / 12], abs=0.01)
    assert abs(np.corrcoef(points.T)[0, 1]) < 0.1


def test_uniform_over_discrete_parameters() -> None:
    values = [MIXED.decode(draw(MIXED, history(t + 1), spread=False).point) for t in range(150)]
    kinds = [sum(v["c"] == kind for v in values) for kind in ("u", "v", "w")]
    assert min(kinds) > 35
    assert {v["k"] for v in values} == {0, 1, 2, 3}


def test_the_round_and_the_seed_make_the_point() -> None:
    same, again = (draw(BOX, history(3, seed=4), spread=False).point for _ in range(2))
    np.testing.assert_array_equal(same, again)
    for other in (history(4, seed=4), history(3, seed=5), history(4, seed=3)):
        assert not np.array_equal(draw(BOX, other, spread=False).point, same)


@pytest.mark.parametrize("space", [ARMS, BOX], ids=["arms", "box"])
def test_first_points_spread_out(space: cs.Arms | cs.Space) -> None:
    """The smallest distance within eight first points beats that of eight random ones."""

    def smallest_gap(seed: int, spread: bool) -> float:
        points = NOTHING
        for t in range(8):
            made = history(t + 1, seed=seed, x=points)
            points = np.vstack([points, draw(space, made, spread=spread).point])
        gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
        return float(gaps[np.triu_indices(8, 1)].min())

    spread = [smallest_gap(seed, True) for seed in range(10)]
    plain = [smallest_gap(seed, False) for seed in range(10)]
    assert min(spread) > 0.24
    assert np.median(spread) > 2.0 * np.median(plain)


def test_first_points_spread_from_pending_ones_too() -> None:
    corner = draw(BOX, history(2, pending=[[0.0, 0.0]]), spread=True).point
    assert np.linalg.norm(corner) > 1.0


def test_arms_that_may_be_proposed() -> None:
    assert allowed_arms(ARMS, history()).all()
    made = history(rejected=[[0.0, 0.25]], pending=[[1.0, 1.0], [0.5, 0.5]])
    allowed = allowed_arms(ARMS, made)
    assert np.flatnonzero(~allowed).tolist() == [1, 12, 24]


def test_a_pending_arm_may_be_proposed_when_no_other_is_left() -> None:
    others = np.delete(ARMS.points, [3, 7], axis=0)
    made = history(rejected=others, pending=ARMS.points[[3, 7]])
    assert np.flatnonzero(allowed_arms(ARMS, made)).tolist() == [3, 7]


def test_no_arm_is_left() -> None:
    with pytest.raises(cs.NothingToPropose, match=r"Every arm is rejected\. Withdraw"):
        allowed_arms(ARMS, history(rejected=ARMS.points))


def test_the_neighbourhood_of_a_rejected_point() -> None:
    r = EXCLUSION_RADIUS
    assert r == 0.05
    points = np.array([[0.5, 0.5], [0.5 + 0.9 * r, 0.5 - 0.9 * r], [0.5 + 1.1 * r, 0.5]])
    assert excluded(points, history(rejected=np.array([[0.5, 0.5]]))).tolist() == [
        True,
        True,
        False,
    ]
    others = history(rejected=np.array([[0.0, 0.0], [0.6, 0.5]]))
    assert excluded(points, others).tolist() == [False, False, True]
    assert excluded(points, history()).tolist() == [False] * 3


def test_a_box_with_little_room_left() -> None:
    """All but a strip of a tenth is rejected: the strip is found."""
    axis = np.arange(0.0, 0.9, 0.08)
    down = np.arange(0.0, 1.05, 0.08)
    everything = np.stack(np.meshgrid(axis, down), axis=-1).reshape(-1, 2)
    for t in range(20):
        point = draw(BOX, history(t + 1, rejected=everything), spread=False).point
        assert point[0] >= axis[-1] + 0.05


def test_a_box_without_room() -> None:
    space = cs.Space(k=cs.Int(0, 1), c=cs.Categorical(["u", "v"]))
    every = [[k, c, 1 - c] for k in (0, 1) for c in (0, 1)]
    empty = np.zeros((0, 3))
    last = draw(space, history(x=empty, pending=empty, rejected=every[:3]), spread=True)
    assert space.decode(last.point) == {"k": 1, "c": "u"}
    with pytest.raises(cs.NothingToPropose, match="Every point of the space is rejected"):
        draw(space, history(x=empty, pending=empty, rejected=every), spread=True)
