"""What makes a Shapley value, on random Gaussian processes, for every method."""

from collections.abc import Callable
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
import pytest

from counsel.explain import exact, sampled
from counsel.explain.game import Game, at_point, average
from counsel.explain.product import mean_on_points
from explain.random_games import Summed, belief_of, brute_force, dense, game_of


class Found(NamedTuple):
    values: dict[str, np.ndarray]
    error: dict[str, np.ndarray]
    base: dict[str, float]
    total: dict[str, float]


def enumerated(game: Game) -> Found:
    worth = {n: np.asarray(v) for n, v in average(game, exact.coalitions(game.players)).items()}
    values = {n: exact.shapley(v[:, None])[0] for n, v in worth.items()}
    zero = {n: np.zeros(game.players) for n in worth}
    base = {n: float(v[0]) for n, v in worth.items()}
    return Found(values, zero, base, {n: float(v) for n, v in at_point(game).parts.items()})


def by_sampling(game: Game) -> Found:
    """In windows: blocks of all coalitions would see the whole of a small background."""
    found = sampled.sample(game, np.random.default_rng(3), tolerance=0.2, most=2**15, few=3)
    return Found(*(dict(each) for each in found[:4]))


def by_rows(game: Game) -> Found:
    """All coalitions at every point of the background, drawn to the last: nothing is left out."""
    found = sampled.sample(game, np.random.default_rng(3), tolerance=0.0)
    return Found(*(dict(each) for each in found[:4]))


def by_products(game: Game) -> Found:
    belief = (
        game.score.posterior if hasattr(game.score, "posterior") else game.score.inner.posterior
    )  # type: ignore[attr-defined]
    found = mean_on_points(
        belief, jnp.asarray(game.point), jnp.asarray(game.background), owner=game.owner
    )
    name = "exploitation"
    return Found(
        {name: np.asarray(found.values)},
        {name: np.zeros(game.players)},
        {name: float(found.base)},
        {name: float(found.total)},
    )


METHODS = {
    "enumerated": enumerated,
    "sampled": by_sampling,
    "point by point": by_rows,
    "product form": by_products,
}
every_method = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS.keys())
# Each size is compiled for itself: those in between are left to the slow tests.
every_size = pytest.mark.parametrize(
    "p", [1, 2, 3, 5, 8, *(pytest.param(p, marks=pytest.mark.slow) for p in (4, 6, 7))]
)
Method = Callable[[Game], Found]


def slack(found: Found, name: str) -> np.ndarray:
    """Rounding, and five standard errors."""
    return 1e-9 * np.abs(found.values[name]).max() + 5.0 * found.error[name]


@every_method
@every_size
def test_values_are_those_of_the_definition(method: Method, p: int) -> None:
    game = game_of(p)
    found = method(game)
    belief = game.score.posterior  # type: ignore[attr-defined]
    truth = {
        "exploitation": brute_force(lambda x: dense(belief, x)[0], game),
        "approximation": brute_force(lambda x: 2.0 * dense(belief, x)[1], game),
    }
    for name, values in found.values.items():
        assert (np.abs(values - truth[name]) <= slack(found, name)).all()
        assert (found.error[name] > 0.0).any() == (method is by_sampling and p > 3)


@every_method
@every_size
def test_efficiency(method: Method, p: int) -> None:
    found = method(game_of(p, seed=1))
    for name, values in found.values.items():
        unit = abs(found.base[name]) + abs(found.total[name])
        assert abs(found.base[name] + values.sum() - found.total[name]) <= 1e-12 * unit


@every_method
@pytest.mark.parametrize("p", [2, 3, 5, 8])
def test_a_parameter_without_effect_has_no_value(method: Method, p: int) -> None:
    lengths = np.full(p, 0.5)
    lengths[1] = 1e9
    found = method(game_of(p, belief=belief_of(p, 2, lengths)))
    for name, values in found.values.items():
        assert abs(values[1]) <= 5.0 * found.error[name][1] + 1e-9 * np.abs(values).max()


@every_method
@pytest.mark.parametrize("p", [2, 3, 5, 8])
def test_equal_parameters_have_equal_values(method: Method, p: int) -> None:
    """Data, background, point and length-scales that stay the same when the first two swap."""
    rng = np.random.default_rng([p, 4])
    swap = [1, 0, *range(2, p)]
    some, point = rng.uniform(size=(10, p)), rng.uniform(size=p)
    point[1] = point[0]
    belief = belief_of(p, 3, np.full(p, 0.5), swap)
    np.testing.assert_allclose(dense(belief, some), dense(belief, some[:, swap]), rtol=1e-9)
    game = game_of(p, belief=belief, point=point, background=np.concatenate([some, some[:, swap]]))
    found = method(game)
    for name, values in found.values.items():
        close = 1e-9 * np.abs(values).max() + 5.0 * np.hypot(*found.error[name][:2])
        assert abs(values[0] - values[1]) <= close


@pytest.mark.parametrize("method", [enumerated, by_sampling], ids=["enumerated", "sampled"])
@pytest.mark.parametrize("p", [1, 3, 6, 8])
def test_values_of_terms_add_up_to_those_of_their_sum(method: Method, p: int) -> None:
    game = game_of(p, seed=5)
    parts = method(game)
    whole = method(game_of(p, seed=5, score=Summed(game.score)))  # type: ignore[arg-type]
    together = sum(parts.values.values())
    if method is enumerated or p <= 3:  # else the two may have stopped at different times
        np.testing.assert_allclose(whole.values["sum"], together, rtol=1e-10, atol=1e-12)
    else:
        error = whole.error["sum"] + sum(parts.error.values())
        assert (np.abs(whole.values["sum"] - together) <= 5.0 * error).all()
