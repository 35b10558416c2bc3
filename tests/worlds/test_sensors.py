"""Sensors: the real readings where they are, the stand-in where they are not, never a mix-up."""

from pathlib import Path

import numpy as np
import pytest

from counsel.errors import InvalidInput
from counsel.worlds.sensors import SNAPSHOTS, sensors, synthetic_sensors


@pytest.fixture(autouse=True)
def _no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COUNSEL_DATA", raising=False)


def fake_data(folder: Path, snapshots: int = 864) -> Path:
    """A data folder with readings of our own making."""
    inside = folder / "intel_lab_temperature"
    inside.mkdir()
    rng = np.random.default_rng(0)
    np.save(inside / "locations_46x2.npy", rng.uniform(0.0, 40.0, (46, 2)))
    np.save(inside / "temperature_46x864.npy", rng.normal(20.0, 3.0, (46, snapshots)))
    return folder


# ---- the stand-in -------------------------------------------------------------------------------


def test_without_data_the_stand_in_answers_and_says_so() -> None:
    world = sensors(12)
    assert world.name == "synthetic-sensors-12"
    np.testing.assert_array_equal(world.payoffs, synthetic_sensors(12).payoffs)


def test_the_stand_in_is_standardised_over_sensors_and_snapshots() -> None:
    payoffs = np.array([synthetic_sensors(t).payoffs for t in range(SNAPSHOTS)])
    assert payoffs.shape == (864, 46)
    assert abs(payoffs.mean()) < 1e-12
    assert abs(payoffs.std() - 1.0) < 1e-12
    # Days and nights: a snapshot resembles the next day's more than the next night's.
    level = payoffs.mean(axis=1)
    assert np.corrcoef(level[:-144], level[144:])[0, 1] > 0.9
    assert np.corrcoef(level[:-72], level[72:])[0, 1] < -0.9
    # The best sensor is not always the same one, and usually stands out.
    assert len(np.unique(payoffs.argmax(axis=1))) > 1
    assert np.median(payoffs.max(axis=1) - payoffs.mean(axis=1)) > 0.4


def test_the_stand_in_is_smooth_in_space_and_fixed() -> None:
    world = synthetic_sensors(0)
    assert len(world.arms) == 46
    places = np.array([list(arm.values()) for arm in world.arms])
    distances = np.linalg.norm(places[:, None] - places, axis=2)
    gaps = np.abs(world.payoffs[:, None] - world.payoffs)
    assert distances[distances > 0].min() > 1.0
    near = (distances > 0.0) & (distances < 6.0)
    assert gaps[near].mean() < 0.6 * gaps[distances > 15.0].mean()
    np.testing.assert_array_equal(world.payoffs, synthetic_sensors(0).payoffs)


# ---- readings in a folder -----------------------------------------------------------------------


def test_readings_are_standardised_over_all_of_them(tmp_path: Path) -> None:
    folder = fake_data(tmp_path)
    readings = np.load(folder / "intel_lab_temperature" / "temperature_46x864.npy")
    world = sensors(3, folder)
    assert world.name == "sensors-3"
    expected = (readings[:, 3] - readings.mean()) / readings.std()
    np.testing.assert_allclose(world.payoffs, expected, rtol=1e-12)
    assert world.optimum == world.payoffs.max()
    assert (world.noise, world.direction, world.space.names) == (1e-4, "maximize", ("x", "y"))


def test_the_environment_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNSEL_DATA", str(fake_data(tmp_path)))
    assert sensors(0).name == "sensors-0"
    assert synthetic_sensors(0).name == "synthetic-sensors-0"


def test_a_folder_without_the_readings_is_refused_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InvalidInput, match=r"folder: .* must hold intel_lab_temperature/locations"):
        sensors(0, tmp_path)
    monkeypatch.setenv("COUNSEL_DATA", str(tmp_path))
    with pytest.raises(InvalidInput, match=r"COUNSEL_DATA: .* unset it for the synthetic"):
        sensors(0)


def test_readings_of_another_shape_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"shape \(46, 864\)"):
        sensors(0, fake_data(tmp_path, snapshots=3))


@pytest.mark.parametrize("snapshot", [-1, 864])
def test_snapshots_that_do_not_exist_are_refused(snapshot: int) -> None:
    with pytest.raises(InvalidInput, match="from 0 to 863"):
        sensors(snapshot)


def test_there_is_no_reading_between_sensors() -> None:
    with pytest.raises(InvalidInput, match="There is no sensor there"):
        synthetic_sensors(0).function(np.array([[0.123, 0.456]]))


# ---- the lab ------------------------------------------------------------------------------------


def test_the_real_lab(data_folder: Path) -> None:
    world = sensors(0, data_folder)
    assert world.name == "sensors-0"
    assert len(world.arms) == 46
    assert world.arms[0] == {"x": 21.5, "y": 23.0}
    payoffs = np.array([sensors(t, data_folder).payoffs for t in range(SNAPSHOTS)])
    assert abs(payoffs.mean()) < 1e-12
    assert abs(payoffs.std() - 1.0) < 1e-12


def test_the_authors_recorded_pulls_are_pulls_of_our_arms(data_folder: Path) -> None:
    recorded = data_folder / "lwucb_reference_regrets" / "Temperature"
    regrets, places = np.load(recorded / "regrets_LW_LCB.npy"), np.load(recorded / "X_LW_LCB.npy")
    repeated = np.r_[False, np.all(regrets[1:] == regrets[:-1], axis=1)]
    assert repeated.sum() == 1  # a trial of theirs failed, and the one before stands in its place
    for t in range(0, 500, 25):
        if repeated[t]:
            continue
        world = sensors(t, data_folder)
        gap = np.abs(places[t, :, None] - world.arms.points).max(axis=2)
        assert gap.min(axis=1).max() < 1e-6  # recorded in 32 bits
        ours = world.optimum - world.payoffs[gap.argmin(axis=1)]
        assert abs(regrets[t, 0] - ours[:3].min()) < 1e-6
        assert np.abs(regrets[t, 1:] - ours[3:]).max() < 6 * world.noise
