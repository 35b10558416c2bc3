"""The wheel: five regions, five rewards."""

from pathlib import Path

import numpy as np
import pytest

from counsel.errors import InvalidInput
from counsel.worlds.wheel import wheel


@pytest.mark.parametrize("rho", [0.5, 0.7, 0.9])
def test_rewards_by_region(rho: float) -> None:
    world = wheel(rho)
    rim = (1.0 + rho) / 2.0 / np.sqrt(2.0)
    points = np.array([[rim, rim], [rim, -rim], [-rim, rim], [-rim, -rim], [0.0, 0.0], [rho, 0.0]])
    np.testing.assert_array_equal(world.function(points), [1.0, 0.1, 0.05, 0.0, 0.2, 0.2])
    assert set(world.payoffs) == {1.0, 0.1, 0.05, 0.0, 0.2}
    assert (world.optimum, world.noise, world.direction) == (1.0, 1e-3, "maximize")
    assert world.name == f"wheel-{rho}"


def test_every_arm_of_the_upper_right_rim_is_an_optimiser() -> None:
    world = wheel(0.5)
    assert len(world.optimisers) == int(np.sum(world.payoffs == 1.0)) > 100
    assert all(arm["x1"] > 0 and arm["x2"] > 0 for arm in world.optimisers)


@pytest.mark.parametrize(("grid", "arms"), [(70, 3720), (60, 2724)])
def test_arms_are_the_grid_points_in_the_disk(grid: int, arms: int) -> None:
    axis = np.linspace(-1.0, 1.0, grid)
    inside = sum(1 for x in axis for y in axis if x * x + y * y <= 1.0)
    assert len(wheel(0.7, grid).arms) == inside == arms


def test_a_larger_hub_is_harder() -> None:
    shares = [len(wheel(rho).optimisers) for rho in (0.5, 0.7, 0.9)]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize("rho", [0.0, 1.0, -0.5, np.nan])
def test_impossible_hubs_are_refused(rho: float) -> None:
    with pytest.raises(InvalidInput, match="rho"):
        wheel(rho)


def test_a_grid_that_misses_the_disk_is_refused() -> None:
    with pytest.raises(InvalidInput, match="finer grid"):
        wheel(0.5, grid=2)


@pytest.mark.parametrize(
    ("folder", "rho"), [("wheel_05", 0.5), ("wheel_07", 0.7), ("wheel_09", 0.9)]
)
def test_the_authors_recorded_regrets_are_regrets_of_our_regions(
    folder: str, rho: float, data_folder: Path
) -> None:
    world = wheel(rho, grid=60)
    regrets = world.optimum - np.unique(world.payoffs)
    files = sorted((data_folder / "lwucb_reference_regrets" / folder).glob("regrets_*.npy"))
    assert files
    for file in files:
        recorded = np.load(file)
        assert np.abs(recorded[..., None] - regrets).min(axis=-1).max() < 6 * world.noise
