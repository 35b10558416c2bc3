"""Thompson sampling: draws repeat with (seed, t), and arms win as often as they should."""

from collections.abc import Callable

import jax
import numpy as np
import pytest

from counsel.acquisition import TS, Round
from counsel.acquisition.thompson import FunctionDraw, JointDraw
from counsel.models.gp import Posterior

ARMS = np.array([[0.1, 0.2], [0.15, 0.25], [0.5, 0.9], [0.8, 0.3], [0.95, 0.95]])
JOINT, FUNCTION = TS(), TS(exact=0, features=256)
both = pytest.mark.parametrize("rule", [JOINT, FUNCTION], ids=["joint", "function"])


@jax.jit
def drawn(rule: TS, belief: Posterior, round: Round, arms: jax.Array) -> jax.Array:
    return rule.score(belief, round).terms(arms)["draw"]


joint = jax.jit(lambda belief, x: belief.joint(x))


@both
def test_a_draw_repeats_with_seed_and_round_and_changes_with_either(
    rule: TS, believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief = believe(2, 0)

    def draw(seed: int, t: int) -> tuple[float, ...]:
        return tuple(np.asarray(drawn(rule, belief, a_round(ARMS, seed=seed, t=t), ARMS)).tolist())

    assert draw(3, 4) == draw(3, 4)
    assert len({draw(seed, t) for seed in range(3) for t in range(3)}) == 9


@both
def test_arms_win_as_often_as_in_brute_force(
    rule: TS, believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief, count = believe(2, 1, length=0.15), 1000
    winners = [
        int(np.argmax(drawn(rule, belief, a_round(ARMS, seed=5, t=t), ARMS))) for t in range(count)
    ]
    wins = np.bincount(winners, minlength=5) / count
    mean, cov = (np.asarray(part) for part in joint(belief, ARMS))
    sample = np.random.default_rng(6).multivariate_normal(mean, cov, size=400_000)
    expected = np.bincount(np.argmax(sample, axis=1), minlength=5) / len(sample)
    error = np.sqrt(expected * (1.0 - expected) * (1.0 / count + 1.0 / len(sample)))
    often = expected * count >= 20.0  # where counts are near enough to normal
    assert often.sum() >= 4
    assert np.all(np.abs(wins - expected)[often] <= 4.0 * error[often])


def test_few_arms_are_drawn_jointly_and_many_or_a_box_by_a_function(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    def kind(rule: TS, **settings: object) -> type:
        kinds: list[type] = []

        def score(belief: Posterior) -> int:
            made = rule.score(belief, a_round(ARMS, **settings))
            kinds.append(type(made))
            assert made.whole == isinstance(made, JointDraw)
            return 0

        jax.eval_shape(score, believe(2, 0))
        return kinds[0]

    assert kind(TS(exact=5)) is JointDraw
    assert kind(TS(exact=4)) is FunctionDraw
    assert kind(TS(exact=5), finite=False) is FunctionDraw


def test_a_function_draw_does_not_depend_on_the_order_of_the_points(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief = believe(2, 0)
    values = drawn(FUNCTION, belief, a_round(ARMS), ARMS)
    turned = drawn(FUNCTION, belief, a_round(ARMS), ARMS[::-1].copy())
    np.testing.assert_allclose(turned[::-1], values, rtol=1e-9)
