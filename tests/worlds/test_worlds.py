"""Worlds by name: what holds for every one of them."""

import subprocess
import sys

import numpy as np
import pytest

from counsel import worlds
from counsel.errors import InvalidInput
from counsel.space import Arms, Float, Space
from counsel.worlds.world import Points


@pytest.fixture(autouse=True)
def _no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COUNSEL_DATA", raising=False)


def some_points(space: Space, count: int) -> Points:
    """Seeded random coordinates of a box."""
    boxes = [p for p in space.parameters.values() if isinstance(p, Float)]
    low, high = np.array([p.low for p in boxes]), np.array([p.high for p in boxes])
    return np.random.default_rng(0).uniform(low, high, (count, len(boxes)))


@pytest.mark.parametrize("name", worlds.names(constrained=False))
def test_the_optimum_is_reached_by_every_optimiser(name: str) -> None:
    world = worlds.load(name)
    assert world.optimisers
    for point in world.optimisers:
        assert world.evaluate(point) == pytest.approx(world.optimum, rel=1e-14, abs=1e-14)
        assert world.regret(point) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("name", worlds.names(constrained=False))
def test_nothing_beats_the_optimum(name: str) -> None:
    world = worlds.load(name)
    if isinstance(world.space, Arms):
        values = world.payoffs
    else:
        values = world.function(some_points(world.space, 10_000))
    assert np.all(world.sign * (world.optimum - values) >= 0.0)


@pytest.mark.parametrize("name", worlds.names(constrained=False))
def test_regret_is_the_distance_to_the_optimum(name: str) -> None:
    world = worlds.load(name)
    if isinstance(world.space, Arms):
        points = [world.space[row] for row in range(0, len(world.space), 17)]
    else:
        points = [
            dict(zip(world.space.names, row, strict=True)) for row in some_points(world.space, 20)
        ]
    for point in points:
        assert world.regret(point) == abs(world.optimum - world.evaluate(point)) >= 0.0


def test_options_reach_the_builder() -> None:
    assert worlds.load("ackley", dimensions=5).space.names == ("x1", "x2", "x3", "x4", "x5")
    assert worlds.load("wheel", rho=0.7).name == "wheel-0.7"
    assert worlds.load("cosine", grid=7).payoffs.shape == (49,)


def test_unknown_names_and_options_get_a_sentence() -> None:
    said = r"world: got 'bramin'\. Did you mean 'branin'\? Choose one of ackley, .*branin"
    with pytest.raises(InvalidInput, match=said):
        worlds.load("bramin")
    with pytest.raises(InvalidInput, match=r"'rho'\. Its settings are grid\."):
        worlds.load("cosine", rho=0.5)
    with pytest.raises(InvalidInput, match=r"'dimensions'\. It has no settings\."):
        worlds.load("branin", dimensions=3)


@pytest.mark.parametrize("name", worlds.names(constrained=True))
def test_a_world_with_constraints_by_name(name: str) -> None:
    world = worlds.load(name, seed=1)
    assert isinstance(world, worlds.ConstrainedWorld)
    assert world.safe[world.start]
    assert world.safe[world.best]
    assert world.regrets[world.best] == 0.0
    assert world.regrets.min() >= 0.0
    assert [limit.name for limit in world.records()] == list(world.constraints)


def test_importing_needs_no_jax() -> None:
    script = "import sys, counsel.worlds as p; p.load('branin'); print('jax' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
