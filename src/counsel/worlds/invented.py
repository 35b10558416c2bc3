"""Three worlds with four constraints each, apart from the papers' own.

    kitchen   recipes: crisp, but neither burnt, dry, salty nor raw; smooth
    room      how to run a heater: little energy, but warm, calm, dry and quiet; steep sides
    mill      how to cut metal: much an hour, but smooth, cool, without chatter; a resonance that no
              smooth model expects

An instance is thirty points drawn at random and coefficients of its own. At least three points are
safe; at least three that pay more than the best of them are not.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from counsel.errors import InvalidInput
from counsel.facts.checks import check_whole
from counsel.space import Arms
from counsel.worlds.constrained import ConstrainedWorld
from counsel.worlds.registry import worlds

__all__ = ["INVENTED", "kitchen", "mill", "room"]

Points = Float[np.ndarray, "n 3"]
Outcomes = Float[np.ndarray, "5 n"]
_POOL, _MARGIN, _GAP, _SAFE, _AHEAD = 400, 0.1, 0.05, 3, 3
_NOISE = 0.1


def _recipes(x: Points, rng: np.random.Generator) -> Outcomes:
    heat, time, salt = x.T
    a, b, c = rng.uniform(0.7, 1.3, size=3)
    done = a * heat + b * time
    return np.stack(
        [
            1.5 * heat * time + 0.5 * salt - 0.3 * (salt - 0.8) ** 2,
            1.25 - done * c,
            0.9 - (0.4 * heat**2 + 0.8 * b * time**2),
            0.75 - salt * (0.8 + 0.4 * time),
            done - 0.45 * c,
        ]
    )


def _heaters(x: Points, rng: np.random.Generator) -> Outcomes:
    power, fan, window = x.T
    a, b, c = rng.uniform(0.8, 1.2, size=3)
    warmth = a * power * (1.0 + 0.3 * fan) - 0.7 * b * window
    return np.stack(
        [
            -power - 0.4 * fan + 0.2 * window,
            np.tanh(4.0 * (warmth - 0.15)),
            np.tanh(5.0 * (0.65 * c - fan * (0.6 + 0.5 * window))),
            np.tanh(4.0 * (window + 0.3 * fan - 0.35 * b)),
            np.tanh(6.0 * (0.8 - fan**2 - 0.2 * power)),
        ]
    )


def _cuts(x: Points, rng: np.random.Generator) -> Outcomes:
    speed, feed, depth = x.T
    a, b, c = rng.uniform(0.8, 1.2, size=3)
    chatter = np.exp(-((speed - rng.uniform(0.35, 0.65)) ** 2) / 0.01) * depth
    return np.stack(
        [
            speed * feed + 0.6 * feed * depth + 0.3 * depth,
            0.8 * a - 1.2 * feed + 0.3 * speed,
            0.9 * b - speed * (0.5 + depth),
            0.35 * c - chatter,
            1.1 - 0.5 * speed - 0.6 * feed - 0.5 * depth,
        ]
    )


def _drawn(
    name: str,
    names: list[str],
    constraints: tuple[str, ...],
    outcomes: Callable[[Points, np.random.Generator], Outcomes],
    seed: int,
    arms: int,
    noise: float,
) -> ConstrainedWorld:
    """An instance: outcomes in units of their sd over many points, drawn until it is hard."""
    check_whole("arms", arms, least=10)
    rng = np.random.default_rng([seed, 41])
    for _ in range(1000):
        pool = rng.uniform(size=(_POOL, 3))
        found = outcomes(pool, rng)
        found[0] -= found[0].mean()
        found /= found.std(axis=1, keepdims=True)
        chosen = rng.choice(_POOL, arms, replace=False)
        part = found[:, chosen]
        least = part[1:].min(axis=0)
        safe = least >= _MARGIN
        near = (least >= 0.0) & ~safe
        if safe.sum() < _SAFE or near.any():
            continue
        ranked = np.sort(part[0, safe])[::-1]
        ahead = int((part[0, ~safe] > ranked[0]).sum())
        if ranked[0] - ranked[1] >= _GAP and ahead >= _AHEAD:
            start = int(np.flatnonzero(safe)[np.argmin(part[0, safe])])
            space = Arms(pool[chosen], names=names)
            return ConstrainedWorld(f"{name}-{seed}", space, part, constraints, noise, start)
    raise InvalidInput("arms", arms, "No such instance was found; ask for another number.")


@worlds.register(
    "kitchen",
    title="Kitchen",
    sentence="Recipes that must not be burnt, dry, salty or raw.",
    constrained=True,
)
def kitchen(seed: int = 0, arms: int = 30, noise: float = _NOISE) -> ConstrainedWorld:
    constraints = ("not burnt", "juicy", "not salty", "done")
    return _drawn("kitchen", ["heat", "time", "salt"], constraints, _recipes, seed, arms, noise)


@worlds.register(
    "room",
    title="Room",
    sentence="A heater that must keep a room warm, calm, dry and quiet.",
    constrained=True,
)
def room(seed: int = 0, arms: int = 30, noise: float = _NOISE) -> ConstrainedWorld:
    constraints = ("warm", "no draught", "dry", "quiet")
    return _drawn("room", ["power", "fan", "window"], constraints, _heaters, seed, arms, noise)


@worlds.register(
    "mill",
    title="Mill",
    sentence="Cuts that must be smooth and cool and must not chatter.",
    constrained=True,
)
def mill(seed: int = 0, arms: int = 30, noise: float = _NOISE) -> ConstrainedWorld:
    constraints = ("smooth", "cool", "no chatter", "tool life")
    return _drawn("mill", ["speed", "feed", "depth"], constraints, _cuts, seed, arms, noise)


INVENTED = {"Kitchen": kitchen, "Room": room, "Mill": mill}
