"""The standard functions against their published optima and values."""

import numpy as np
import pytest

from counsel.errors import InvalidInput
from counsel.space import Space
from counsel.worlds import load, standard

# Published minima (Surjanovic & Bingham, Virtual Library of Simulation Experiments).
MINIMA = {
    "branin": 0.397887,
    "hartmann3": -3.86278,
    "hartmann6": -3.32237,
    "six-hump-camel": -1.0316,
    "goldstein-price": 3.0,
    "beale": 0.0,
    "forrester": -6.02074,
    "eggholder": -959.6407,
    "ackley": 0.0,
    "rosenbrock": 0.0,
    "rastrigin": 0.0,
    "levy": 0.0,
    "griewank": 0.0,
    "styblinski-tang": -39.16617 * 2,
}


def test_the_list_is_the_one_people_expect() -> None:
    assert set(standard.FIXED) | set(standard.SCALABLE) == set(MINIMA)


@pytest.mark.parametrize("name", MINIMA)
def test_published_minima(name: str) -> None:
    world = load(name)
    assert world.optimum == pytest.approx(MINIMA[name], abs=5e-5)
    assert (world.direction, world.noise) == ("minimize", 0.0)
    assert isinstance(world.space, Space)


@pytest.mark.parametrize(
    ("name", "point", "value"),
    [
        ("branin", (0.0, 0.0), 36.0 + 20.0 - 10.0 / (8.0 * np.pi)),
        ("six-hump-camel", (1.0, 1.0), 4.0 - 2.1 + 1.0 / 3.0 + 1.0),
        ("goldstein-price", (0.0, 0.0), (1.0 + 19.0) * 30.0),
        ("beale", (0.0, 0.0), 1.5**2 + 2.25**2 + 2.625**2),
        ("forrester", (1.0,), 16.0 * np.sin(8.0)),
        ("eggholder", (0.0, 0.0), -47.0 * np.sin(np.sqrt(47.0))),
        ("ackley", (1.0, 1.0), 20.0 - 20.0 * np.exp(-0.2)),
        ("rosenbrock", (0.0, 0.0), 1.0),
        ("rosenbrock", (-1.0, 2.0), 104.0),
        ("rastrigin", (1.0, 0.5), 1.0 + 20.25),
        ("levy", (-3.0, 1.0), 1.0 + 10.0 * np.sin(1.0) ** 2),
        ("griewank", (np.pi, 0.0), 2.0 + np.pi**2 / 4000.0),
        ("styblinski-tang", (1.0, 0.0), -5.0),
    ],
)
def test_values_by_hand(name: str, point: tuple[float, ...], value: float) -> None:
    assert load(name).function(np.array([point]))[0] == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("name", ["hartmann3", "hartmann6", "six-hump-camel", "forrester"])
def test_numerical_optimisers_are_stationary(name: str) -> None:
    world = load(name)
    step = 1e-5
    for optimiser in world.optimisers:
        x = np.array(list(optimiser.values()))
        shifts = step * np.eye(len(x))
        slope = (world.function(x + shifts) - world.function(x - shifts)) / (2.0 * step)
        assert np.abs(slope).max() < 1e-6


@pytest.mark.parametrize("name", standard.SCALABLE)
@pytest.mark.parametrize("dimensions", [2, 3, 10])
def test_any_number_of_dimensions(name: str, dimensions: int) -> None:
    world = load(name, dimensions=dimensions)
    assert len(world.space.names) == dimensions
    assert world.name == f"{name}-{dimensions}"
    scale = dimensions / 2 if name == "styblinski-tang" else 1
    assert world.optimum == pytest.approx(MINIMA[name] * scale, abs=5e-4)
    assert world.regret(world.optimisers[0]) == 0.0


def test_too_few_dimensions_are_refused() -> None:
    with pytest.raises(InvalidInput, match="rosenbrock needs at least 2"):
        load("rosenbrock", dimensions=1)
    with pytest.raises(InvalidInput, match="ackley needs at least 1"):
        load("ackley", dimensions=0)
