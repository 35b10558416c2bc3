"""Find the warmest sensor: 46 places in a lab, one world per snapshot of their temperatures.

The real readings (Intel Berkeley Research Lab, as used by the LW-UCB paper) are not part of
Counsel: put them in a folder and name it in $COUNSEL_DATA. Without it a synthetic stand-in takes
their place, and the world's name says so: `sensors-12` is real, `synthetic-sensors-12` is not.
"""

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from counsel.errors import InvalidInput
from counsel.space import Arms
from counsel.worlds.registry import worlds
from counsel.worlds.world import Points, Values, World, over_arms

__all__ = ["SNAPSHOTS", "sensors", "synthetic_sensors"]

SENSORS = 46
SNAPSHOTS = 864  # ten minutes apart: six days; the paper uses the first 500
NOISE = 1e-4
_DAY = 144
_FILES = ("locations_46x2.npy", "temperature_46x864.npy")


@worlds.register(
    "sensors", title="Sensors", sentence="The warmest of 46 sensors in a lab, at one snapshot."
)
def sensors(snapshot: int = 0, folder: str | os.PathLike[str] | None = None) -> World:
    """The lab at one snapshot: coordinates in metres, payoff (temperature - mean) / sd.

    Mean and sd are those of all 46 x 864 readings, so a snapshot's own mean is not 0. The readings
    are looked for in `folder`, else in $COUNSEL_DATA; only where neither is given does
    `synthetic_sensors` answer.
    """
    given = folder if folder is not None else os.environ.get("COUNSEL_DATA") or None
    if given is None:
        return synthetic_sensors(snapshot)
    source = "folder" if folder is not None else "COUNSEL_DATA"
    locations, readings = (_read(source, Path(given), file) for file in _FILES)
    return _snapshot("sensors", locations, readings, snapshot)


@worlds.register(
    "synthetic-sensors",
    title="Synthetic sensors",
    sentence="The stand-in for the readings of the lab.",
)
def synthetic_sensors(snapshot: int = 0) -> World:
    """The stand-in: a smooth field over a 40 m x 30 m lab, with days and nights and one hot spot.

    temperature(x, t) = 22 + (2 + x_1 / 20) sin(2 pi t / 144) + sum_k a_k cos(w_k . x + p_k + q_k t)
                        + (3 + sin(2 pi t / 144 + 1)) exp(-|x - h|^2 / (2 * 5^2)),
    eight waves with seeded coefficients; standardised over all sensors and snapshots as the real
    readings are. The places are the first 46 points of a golden-ratio sequence.
    """
    return _snapshot("synthetic-sensors", *_stand_in(), snapshot)


def _snapshot(family: str, locations: Points, readings: Points, snapshot: int) -> World:
    if not 0 <= snapshot < SNAPSHOTS:
        raise InvalidInput("snapshot", snapshot, f"Give a number from 0 to {SNAPSHOTS - 1}.")
    payoffs = (readings[:, snapshot] - readings.mean()) / readings.std()
    arms = Arms(locations, names=["x", "y"])
    return over_arms(f"{family}-{snapshot}", arms, _Readings(locations, payoffs), noise=NOISE)


def _read(source: str, folder: Path, file: str) -> Points:
    path = folder / "intel_lab_temperature" / file
    shape = (SENSORS, SNAPSHOTS if file.startswith("temperature") else 2)
    remedy = f"It must hold intel_lab_temperature/{file}, numbers of shape {shape}"
    if source == "COUNSEL_DATA":
        remedy += "; correct it, or unset it for the synthetic stand-in"
    try:
        array = np.load(path, allow_pickle=False).astype(np.float64)
    except (OSError, ValueError) as error:
        raise InvalidInput(source, str(folder), f"{remedy}.") from error
    if array.shape != shape or not np.isfinite(array).all():
        raise InvalidInput(source, str(folder), f"{remedy}.")
    return array


@dataclass(frozen=True, eq=False)
class _Readings:
    """A function that is known only at the sensors."""

    locations: Points
    payoffs: Values

    def __call__(self, x: Points) -> Values:
        distances = np.linalg.norm(x[:, None, :] - self.locations, axis=2)
        nearest = distances.argmin(axis=1)
        strays = np.flatnonzero(distances[np.arange(len(x)), nearest] > 1e-6)
        if len(strays):
            raise InvalidInput("points", x[strays[0]].tolist(), "There is no sensor there.")
        return self.payoffs[nearest]


@cache
def _stand_in() -> tuple[Points, Points]:
    locations = _places()
    return locations, _field(locations)


def _places() -> Points:
    """x_k = k (1/g, 1/g^2) mod 1 with g^3 = g + 1, stretched to the lab."""
    step = np.array([0.7548776662466927, 0.5698402909980532])
    return np.arange(1, SENSORS + 1)[:, None] * step % 1.0 * np.array([40.0, 30.0])


def _field(x: Points) -> Points:
    rng = np.random.default_rng(46)
    waves = 8
    amplitude = rng.normal(0.0, 0.4, waves)
    frequency = rng.normal(0.0, 0.15, (2, waves))  # per metre
    phase = rng.uniform(0.0, 2.0 * np.pi, waves)
    drift = rng.normal(0.0, 2.0 * np.pi / (2 * _DAY), waves)
    t = np.arange(SNAPSHOTS)
    day = 2.0 * np.pi * t / _DAY
    smooth = np.cos((x @ frequency + phase)[:, None, :] + np.outer(t, drift)) @ amplitude
    spot = np.exp(-np.sum((x - np.array([30.0, 10.0])) ** 2, axis=1) / (2.0 * 5.0**2))
    daily = (2.0 + x[:, :1] / 20.0) * np.sin(day)
    return 22.0 + daily + smooth + spot[:, None] * (3.0 + np.sin(day + 1.0))
