"""The paper's grids: the arms, the published formulas, and the authors' recorded regrets."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from counsel.errors import InvalidInput
from counsel.worlds import World, standardised
from counsel.worlds.synthetic import cosine, michalewicz, modified_michalewicz

BUILDERS = {
    "Cosine_sys": cosine,
    "Mich_sys": michalewicz,
    "Modi_Mich_sys": modified_michalewicz,
}
builders = pytest.mark.parametrize("build", BUILDERS.values())


@builders
def test_a_grid_of_2500_arms_on_the_unit_square(build: Callable[[], World]) -> None:
    world = build()
    assert len(world.arms) == world.payoffs.shape[0] == 2500
    assert world.arms[0] == {"x1": 0.0, "x2": 0.0}
    assert world.arms[1] == {"x1": 1.0 / 49.0, "x2": 0.0}
    assert world.arms[2499] == {"x1": 1.0, "x2": 1.0}
    assert (world.direction, world.noise) == ("maximize", 1e-4)


@builders
def test_standardised(build: Callable[[], World]) -> None:
    payoffs = standardised(build()).payoffs
    assert abs(payoffs.mean()) < 1e-12
    assert abs(payoffs.std() - 1.0) < 1e-12


@pytest.mark.parametrize(
    ("build", "point", "value"),
    [
        (cosine, (0.3125, 0.3125), 1.6),  # u = 0
        (cosine, (0.0, 0.0), 1.0 - 0.5),  # u = -1/2, where the cosine vanishes
        (michalewicz, (0.5, 0.5), np.sin(np.pi / 4.0) ** 20 + 1.0),
        (michalewicz, (1.0, 0.0), 0.0),
        (modified_michalewicz, (0.5, 0.5), 1.0 + np.sin(0.75 * np.pi) ** 20),
    ],
)
def test_formulas(build: Callable[[], World], point: tuple[float, float], value: float) -> None:
    assert build().function(np.array([point]))[0] == pytest.approx(value, abs=1e-12)


def test_michalewicz_has_its_known_maximum() -> None:
    # 1.8013 at (2.20, 1.57) on [0, pi]^2; the grid comes close.
    world = michalewicz()
    best = np.array([list(world.optimisers[0].values())]) * np.pi
    np.testing.assert_allclose(best, [[2.20, 1.57]], atol=np.pi / 49)
    assert 1.7 < world.optimum <= 1.8013


@pytest.mark.parametrize(("build", "peaks"), [(michalewicz, 2), (modified_michalewicz, 6)])
def test_peaks_are_where_ridges_cross(build: Callable[[], World], peaks: int) -> None:
    z = np.pad(build().payoffs.reshape(50, 50), 1, constant_values=-np.inf)
    around = [np.roll(z, shift, axis) for axis in (0, 1) for shift in (1, -1)]
    assert np.sum(np.all([z > other for other in around], axis=0)) == peaks


def test_a_grid_needs_two_points() -> None:
    with pytest.raises(InvalidInput, match="at least 2"):
        cosine(grid=1)


@pytest.mark.parametrize("folder", BUILDERS)
def test_the_authors_recorded_regrets_are_regrets_of_our_arms(
    folder: str, data_folder: Path
) -> None:
    world = standardised(BUILDERS[folder]())
    regrets = np.sort(world.optimum - world.payoffs)
    files = sorted((data_folder / "lwucb_reference_regrets" / folder).glob("regrets_*.npy"))
    assert files
    for file in files:
        recorded = np.load(file)
        # The first round is recorded without noise: equal to the last digits.
        assert distance_to(regrets, recorded[:, 0]).max() < 1e-12
        # The others carry the noise of 1e-4.
        assert distance_to(regrets, recorded[:, 1:].ravel()).max() < 6 * world.noise
    # The first trial's three arms come from this seed, so the order of the arms agrees too.
    rows = np.random.RandomState(1234).randint(2500, size=3)
    first = np.load(files[0].parent / "regrets_LW_LCB.npy")[0, 0]
    assert world.optimum - world.payoffs[rows].max() == pytest.approx(first, abs=1e-12)


def distance_to(
    known: np.ndarray[tuple[int], np.dtype[np.float64]],
    values: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """From each value to the nearest of the sorted known ones."""
    right = np.searchsorted(known, values).clip(1, len(known) - 1)
    return np.minimum(np.abs(known[right] - values), np.abs(known[right - 1] - values))
