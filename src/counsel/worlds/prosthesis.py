"""Metabolic cost against step frequency, nine people (Kim et al. 2017, CC BY 4.0).

Each person walked at nine step frequencies, given in per cent off the preferred one. The world is
the cubic through a person's measurements in the least-squares sense; its noise is theirs about it.
The measurements are not part of Counsel: put them in a folder and name it in $COUNSEL_DATA. Without
it a stand-in takes their place, and the world's name says so.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from counsel.errors import InvalidInput
from counsel.space import Float, Space
from counsel.worlds.registry import worlds
from counsel.worlds.world import Points, Values, World

__all__ = ["SUBJECTS", "prosthesis"]

SUBJECTS = 9
RANGE = 25.0
_FILE = Path("metabolic_cost_kim2017") / "discrete_sweep_tidy.csv"
# Of the stand-in: a parabola with its least cost a little above the preferred frequency.
_STAND_IN, _STAND_IN_NOISE = (0.0, 0.12, -0.4, 300.0), 8.0


@worlds.register(
    "prosthesis",
    title="Cost of walking",
    sentence="Metabolic cost against step frequency, of one of nine people.",
)
def prosthesis(subject: int = 1, folder: str | os.PathLike[str] | None = None) -> World:
    """The cost of walking for one person; `frequency` in per cent off the preferred one."""
    if not 1 <= subject <= SUBJECTS:
        raise InvalidInput("subject", subject, f"Give a number from 1 to {SUBJECTS}.")
    given = folder if folder is not None else os.environ.get("COUNSEL_DATA") or None
    if given is None:
        return _world("synthetic-prosthesis", _STAND_IN, _STAND_IN_NOISE)
    source = "folder" if folder is not None else "COUNSEL_DATA"
    try:
        import pandas as pd  # a quarter of a second, which only this world needs

        sweep = pd.read_csv(Path(given) / _FILE)
    except OSError as error:
        remedy = f"It must hold {_FILE.as_posix()}; correct it, or unset it for the stand-in."
        raise InvalidInput(source, str(given), remedy) from error
    mine = sweep[sweep["subject"] == subject]
    at, cost = mine["measured_pct"].to_numpy(), mine["metabolic_cost"].to_numpy()
    cubic = np.polyfit(at, cost, 3)
    noise = float(np.sqrt(np.sum((cost - np.polyval(cubic, at)) ** 2) / (len(at) - 4)))
    return _world(f"prosthesis-{subject}", tuple(cubic.tolist()), noise)


def _world(name: str, cubic: tuple[float, ...], noise: float) -> World:
    flat = np.roots(np.polyder(np.array(cubic)))
    inside = [float(r.real) for r in flat if abs(r.imag) < 1e-12 and abs(r.real) < RANGE]
    costs = {at: float(np.polyval(cubic, at)) for at in (-RANGE, *inside, RANGE)}
    best = min(costs, key=lambda at: costs[at])
    space = Space(frequency=Float(-RANGE, RANGE))
    return World(name, space, _Cubic(cubic), "minimize", noise, costs[best], ({"frequency": best},))


@dataclass(frozen=True)
class _Cubic:
    coefficients: tuple[float, ...]

    def __call__(self, x: Points) -> Values:
        return np.polyval(np.array(self.coefficients), x[:, 0])
