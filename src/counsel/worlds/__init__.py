"""Worlds: functions to optimise with a known best. `load("branin")`, `load("wheel", rho=.7)`.

They know nothing of policies. A new world is a registered builder in one file.
"""

from typing import Any

from counsel.worlds.constrained import ConstrainedWorld
from counsel.worlds.registry import worlds
from counsel.worlds.world import World, over_arms, standardised, with_noise

__all__ = [
    "ConstrainedWorld",
    "World",
    "load",
    "names",
    "over_arms",
    "standardised",
    "with_noise",
]


def names(*, constrained: bool | None = None) -> tuple[str, ...]:
    """The names that `load` takes: all, or those of worlds with constraints or without."""
    wanted = (True, False) if constrained is None else (constrained,)
    return tuple(entry.tag for entry in worlds.entries() if entry.constrained in wanted)


def load(name: str, **settings: Any) -> World | ConstrainedWorld:
    """The world of that name; settings are its builder's (`grid`, `rho`, `snapshot`, ...).

    Example:
        >>> from counsel import worlds
        >>> branin = worlds.load("branin")
        >>> round(branin.optimum, 4)
        0.3979
        >>> branin.regret({"x1": 0.0, "x2": 0.0}) > 0
        True
    """
    made: World | ConstrainedWorld = worlds.get(name).make(settings)
    return made
