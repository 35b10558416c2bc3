"""What the theorems guarantee, as numbers: against independent answers."""

import itertools

import numpy as np
import pytest

from counsel.experiments.dmcl.guarantees import guarantee, information
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
    found = information(K, noise, 5, 2)
    assert found <= most + 1e-9
    assert found >= (1.0 - 1.0 / np.e) * most
    first = max(gained((arm,)) for arm in range(5))
    assert information(K, noise, 5, 1) == pytest.approx(first)


def test_the_bound_holds_with_room_to_spare() -> None:
    """Regret is at most rounds x range; the theorem's bound grows with the information."""
    world, model = correlated(3, arms=5, constraints=2)
    short, long = (guarantee(world, model, rounds) for rounds in (5, 50))
    assert 0.0 < short.information < long.information
    assert short.beta < long.beta
    worst = 50 * float(np.ptp(world.payoffs[0]))
    assert long.bound > worst
    assert long.rooted < long.bound
    # Srinivas et al.: C_1 = 8 / log(1 + 1 / noise), by hand.
    factor = 8.0 / np.log1p(1.0 / np.asarray(model.noise).min())
    by_hand = np.sqrt(factor * 50 * long.agnostic * long.information)
    assert long.agnostic_bound == pytest.approx(by_hand)
    assert long.agnostic > 300.0 * long.information
    assert long.agnostic_plain > long.agnostic_bound
