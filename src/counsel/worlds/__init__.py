"""The worlds: functions to optimise whose best is known. `load("branin")`, `load("wheel", rho=.7)`.

They know nothing of policies. A new world is a builder in one file and a line in `_BUILDERS`.
"""

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from counsel.errors import InvalidInput
from counsel.worlds.constrained import ConstrainedWorld
from counsel.worlds.driving import driving
from counsel.worlds.ellipsoid import ellipsoid
from counsel.worlds.exosuit import exosuit, synthetic_exosuit
from counsel.worlds.prosthesis import prosthesis
from counsel.worlds.sensors import sensors, synthetic_sensors
from counsel.worlds.standard import FIXED, SCALABLE, fixed, scalable
from counsel.worlds.synthetic import cosine, michalewicz, modified_michalewicz
from counsel.worlds.wheel import wheel
from counsel.worlds.world import World, over_arms, standardised, with_noise

__all__ = [
    "ConstrainedWorld",
    "World",
    "cosine",
    "driving",
    "ellipsoid",
    "exosuit",
    "load",
    "michalewicz",
    "modified_michalewicz",
    "names",
    "over_arms",
    "prosthesis",
    "sensors",
    "standardised",
    "synthetic_exosuit",
    "synthetic_sensors",
    "wheel",
    "with_noise",
]

_BUILDERS: dict[str, Callable[..., World]] = {
    "cosine": cosine,
    "michalewicz": michalewicz,
    "modified-michalewicz": modified_michalewicz,
    "wheel": wheel,
    "sensors": sensors,
    "synthetic-sensors": synthetic_sensors,
    "ellipsoid": ellipsoid,
    "prosthesis": prosthesis,
    "exosuit": exosuit,
    "synthetic-exosuit": synthetic_exosuit,
    **{name: partial(fixed, name) for name in FIXED},
    **{name: partial(scalable, name) for name in SCALABLE},
}


def names() -> tuple[str, ...]:
    """The names that `load` takes."""
    return tuple(_BUILDERS)


def load(name: str, **options: Any) -> World:
    """The world of that name; options are its builder's (`grid`, `rho`, `snapshot`, ...)."""
    if name not in _BUILDERS:
        raise InvalidInput("world", name, f"Choose one of {', '.join(_BUILDERS)}.")
    builder = _BUILDERS[name]
    known = tuple(inspect.signature(builder).parameters)
    unknown = [option for option in options if option not in known]
    if unknown:
        remedy = f"Its options are {', '.join(known)}." if known else "It has no options."
        raise InvalidInput(f"options of {name!r}", unknown[0], remedy)
    return builder(**options)
