"""Sampling: what is exact without it, honest errors, when it stops."""

from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import pytest

from counsel.acquisition.terms import Terms
from counsel.explain import exact, sampled
from counsel.explain.game import Game, average
from counsel.explain.product import mean_on_points
from counsel.explain.sampled import check_sample_size, sample
from explain.random_games import game_of


class Polynomial(eqx.Module):
    """Sum of products of `order` neighbouring coordinates."""

    order: int = eqx.field(static=True)
    whole: bool = eqx.field(static=True, default=False)

    def terms(self, x: Any) -> Terms:
        rolled = [jnp.roll(x, -k, axis=1) for k in range(self.order)]
        return {"value": jnp.sum(jnp.prod(jnp.stack(rolled), axis=0), axis=1)}


def polynomial_game(order: int, p: int = 7, points: int = 50) -> Game:
    rng = np.random.default_rng(order)
    return Game(
        Polynomial(order), rng.uniform(size=p), rng.uniform(size=(points, p)), tuple(range(p)), p
    )


def exactly(game: Game) -> np.ndarray:
    worth = average(game, exact.coalitions(game.players))
    return exact.shapley(np.stack([np.asarray(v) for v in worth.values()], axis=1))


# Windows, and all coalitions at points of which there are too many to see all.
WAYS = {"windows": (50, 3), "points": (1500, 12)}
both_ways = pytest.mark.parametrize(("points", "few"), WAYS.values(), ids=WAYS.keys())


@both_ways
def test_an_additive_game_has_no_sampling_error(points: int, few: int) -> None:
    game = polynomial_game(1, points=points)
    found = sample(game, np.random.default_rng(0), few=few)
    np.testing.assert_allclose(found.values["value"], exactly(game)[0], rtol=1e-10)
    assert found.error["value"].max() < 1e-12


@both_ways
def test_standard_errors_are_honest(points: int, few: int) -> None:
    """Over many samples, the error measured is the error stated."""
    game = polynomial_game(4, points=points)
    truth = exactly(game)[0]
    off = []
    for seed in range(60):
        found = sample(game, np.random.default_rng(seed), tolerance=0.9, few=few)
        off.append((found.values["value"] - truth) / found.error["value"])
    spread = np.sqrt(np.mean(np.square(off)))
    assert 0.8 < spread < 1.2


@both_ways
def test_the_tolerance_is_met_or_it_says_so(points: int, few: int) -> None:
    background = np.random.default_rng(1).uniform(size=(points, 7))
    game = game_of(7, background=background)
    fine = sample(game, np.random.default_rng(0), tolerance=0.05, most=2**20, few=few)
    assert fine.settled
    largest = max(np.abs(v).max() for v in fine.values.values())
    assert 1.96 * max(e.max() for e in fine.error.values()) <= 0.05 * largest
    short = sample(game, np.random.default_rng(0), tolerance=1e-6, most=2**14, few=few)
    assert not short.settled
    assert short.evaluations < fine.evaluations + 2**15


def test_values_that_are_given_are_taken_if_they_belong_to_the_game() -> None:
    background = np.random.default_rng(1).uniform(size=(1500, 7))
    game = game_of(7, background=background)
    mean = mean_on_points(
        game.score.posterior,  # type: ignore[attr-defined]
        jnp.asarray(game.point),
        jnp.asarray(background),
        owner=game.owner,
    )
    rng = np.random.default_rng(0)
    found = sample(game, rng, given=lambda: {"exploitation": mean})
    assert found.known == {"exploitation"}
    assert not found.error["exploitation"].any()
    assert found.error["approximation"].all()
    np.testing.assert_array_equal(found.values["exploitation"], mean.values)
    other = mean._replace(base=mean.base + 1e-3)
    assert not sample(game, rng, given=lambda: {"exploitation": other}).known
    assert not sample(game, rng, given=lambda: {"no such term": mean}).known


def test_sampling_until_the_ranking_is_clear() -> None:
    found = sample(polynomial_game(3), np.random.default_rng(0), until="ranking", most=2**20)
    gaps = np.diff(np.sort(found.values["value"]))
    assert found.settled == bool(1.96 * found.error["value"].max() < gaps.min())


def test_algorithm_4_compares_the_efficiency_error_with_the_least_gap() -> None:
    values = np.array([1.0, 1.5, 4.0])
    assert check_sample_size(values, 6.6)
    assert not check_sample_size(values, 7.0)
    assert check_sample_size(values[:1], 1.2)  # one parameter has no rival


def test_what_is_smooth_in_the_background_takes_fewer_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same tolerance, with and without coordinates, squares and products to regress on."""
    background = np.random.default_rng(1).uniform(size=(4000, 7))
    game = game_of(7, background=background)
    truth = exactly(game)
    border = (2 * 7 + 1) * len(background)
    scored = []
    for most in (sampled._MOST_KNOWN, 0):
        monkeypatch.setattr(sampled, "_MOST_KNOWN", most)
        found = sample(game, np.random.default_rng(0), tolerance=0.01)
        assert found.settled
        for name, value in zip(found.values, truth, strict=True):
            off = np.abs(found.values[name] - value) / np.abs(value).max()
            assert off.max() < 0.02  # four standard errors
        scored.append(found.evaluations - border)
    assert scored[0] <= 0.5 * scored[1]
