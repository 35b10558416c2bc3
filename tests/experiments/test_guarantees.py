"""What the theorems guarantee, as numbers: against independent answers."""

import itertools

import jax
import numpy as np
import pytest

from counsel.experiments.asking import Runs, run_asking
from counsel.experiments.dmcl.guarantees import _pairs, guarantee, information, speaks_from
from counsel.experiments.dmcl.protocol import instances_of
from counsel.models.multitask import Coregion
from counsel.policies.mcl import MCL
from counsel.worlds.constrained import ConstrainedWorld
from counsel.worlds.correlated import correlated


def test_information_is_what_the_chosen_trials_give_and_nearly_the_most() -> None:
    world, model = correlated(3, arms=5, constraints=2)
    between = np.asarray(model.mixing) @ np.asarray(model.mixing).T + np.diag(model.own)
    points = world.arms.points
    K = np.kron(between, np.asarray(model.between_points(points, points)))
    noise = np.asarray(model.noise)

    def gained(arms: tuple[int, ...]) -> float:
        rows = np.concatenate([np.arange(3) * 5 + arm for arm in arms])
        inside = K[np.ix_(rows, rows)] / np.tile(noise, len(arms))[:, None]
        return float(0.5 * np.linalg.slogdet(np.eye(len(rows)) + inside)[1])

    most = max(gained(arms) for arms in itertools.product(range(5), repeat=2))
    found = information(K, noise, 5, 2)[-1]
    assert found <= most + 1e-9
    assert found >= (1.0 - 1.0 / np.e) * most
    first = max(gained((arm,)) for arm in range(5))
    assert information(K, noise, 5, 1) == pytest.approx([first])


def test_the_bound_holds_with_room_to_spare() -> None:
    """Regret is at most rounds x range; the theorem's bound grows with the information."""
    world, model = correlated(3, arms=5, constraints=2)
    found = guarantee(world, model, 50)
    assert np.all(np.diff(found.information) > 0.0)
    assert np.all(np.diff(found.beta) > 0.0)
    t = np.arange(1, 51)
    assert np.all(found.bound > t * np.ptp(world.payoffs[0]))
    assert np.all(found.rooted < found.bound)
    # Srinivas et al.: C_1 = 8 / log(1 + 1 / noise), by hand.
    factor = 8.0 / np.log1p(1.0 / np.asarray(model.noise).min())
    by_hand = np.sqrt(factor * t * found.agnostic * found.information)
    assert found.agnostic_bound == pytest.approx(by_hand)
    assert np.all(found.agnostic > 300.0 * found.information)
    assert np.all(found.agnostic_plain > found.agnostic_bound)
    # Before anything else: beta and the bound of the first round by hand.
    gained = found.information[0]
    beta = found.norm + np.sqrt(2.0 * (gained + 1.0 + np.log(3 / 0.1)))
    assert found.beta[0] == pytest.approx(beta)
    assert found.bound[0] == pytest.approx(beta * np.sqrt(factor * gained))


def test_less_information_gives_a_smaller_bound() -> None:
    world, model = correlated(3, arms=5, constraints=2)
    most = guarantee(world, model, 5)
    asked = guarantee(world, model, 5, gained=0.5 * most.information)
    assert np.all(asked.bound < most.bound)
    assert asked.norm == most.norm


def test_the_bound_speaks_where_it_is_below_the_worst_that_can_happen() -> None:
    world, model = correlated(3, arms=5, constraints=2)
    T = speaks_from(world, model)
    K = _pairs(world, model)
    noise = np.repeat(np.asarray(model.noise), 5)

    def bound(rounds: float) -> float:
        inside = np.eye(15) + rounds / 5 * K / noise[:, None]
        gained = float(0.5 * np.linalg.slogdet(inside)[1])
        norm = guarantee(world, model, 1).norm
        beta = norm + np.sqrt(2.0 * (gained + 1.0 + np.log(30.0)))
        return float(2.0 * beta * np.sqrt(2.0 / np.log1p(1.0 / noise[0]) * rounds * gained))

    worst = float(world.regrets.max())
    assert bound(T) < T * worst
    assert bound(T / 1.06) > T / 1.06 * worst


def test_what_trials_gave_adds_up_to_the_information_of_the_arms() -> None:
    """The loop counts round by round what a determinant says of all rounds at once."""
    world, model = correlated(3, arms=5, constraints=2)
    rows = _played(world, model, MCL(standardise=False, rank=1))
    K = _pairs(world, model)
    pairs = np.concatenate([np.arange(3) * 5 + arm for arm in rows.arm[0]])
    inside = K[np.ix_(pairs, pairs)] / np.tile(np.asarray(model.noise), 6)[:, None]
    whole = 0.5 * np.linalg.slogdet(np.eye(len(pairs)) + inside)[1]
    assert rows.information.sum() == pytest.approx(whole)
    # Before the first trial the error is that of the prior, whose mean is 0.
    sd = np.sqrt(np.diag(K)).reshape(3, 5)
    assert rows.error[0, 0] == pytest.approx(np.max(np.abs(world.payoffs) / sd))
    assert rows.allowed[0, 0] == (world.start == world.best)


def _played(world: ConstrainedWorld, model: Coregion, policy: MCL) -> Runs:
    stacked = jax.tree.map(lambda leaf: np.stack([leaf]), model)
    instances = instances_of([world], 6, range(1))
    return run_asking(policy, stacked, instances, own_models=True)
