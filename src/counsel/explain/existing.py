"""Points between two others, where some parameters exist only under a condition.

A point made of two may have a parameter that the condition rules out, or lack one that it asks for.
Here it has what the condition says, with the value of whichever of the two has one. So a parameter
that one of them does not have makes no difference by itself: what it does is owed to the parameter
that brings it into being.
"""

from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float

from counsel.models.kernels import Numbers
from counsel.space import AnySpace, Arms
from counsel.space.box import ABSENT

__all__ = ["Condition", "conditions_of", "existing"]

_SAME = 1e-9
Code = tuple[float, ...]


class Condition(NamedTuple):
    """Columns that mean something only where all other columns have one of these codes."""

    columns: tuple[int, ...]
    others: tuple[tuple[tuple[int, ...], tuple[Code, ...]], ...]

    def holds(self, rows: Float[Numbers, "*n d"], xp: Any = jnp) -> Bool[Numbers, "*n"]:
        found = xp.ones(rows.shape[:-1], dtype=bool)
        for columns, codes in self.others:
            own = rows[..., np.array(columns)]
            fits = [xp.all(xp.abs(own - np.array(code)) < _SAME, axis=-1) for code in codes]
            found = found & xp.any(xp.stack(fits), axis=0)
        return found


def conditions_of(space: AnySpace) -> tuple[Condition, ...]:
    """The conditions of a space, about its encoded columns."""
    if isinstance(space, Arms) or not space.conditional:
        return ()
    columns = {
        name: tuple(np.arange(space.dim)[space.columns(name)].tolist()) for name in space.names
    }

    def codes(name: str, labels: Any) -> tuple[Code, ...]:
        encode = space.parameters[name].encode
        return tuple(tuple(encode(label).tolist()) for label in labels)

    return tuple(
        Condition(
            columns[name],
            tuple((columns[o], codes(o, labels)) for o, labels in parameter.when.items()),
        )
        for name, parameter in space.parameters.items()
        if parameter.when is not None
    )


def existing(
    conditions: tuple[Condition, ...],
    mixed: Float[Numbers, "*n d"],
    point: Float[Numbers, " d"],
    background: Float[Numbers, "*m d"],
    xp: Any = jnp,
) -> Float[Numbers, "*n d"]:
    """The points that are meant by these, mixed of one point and rows of a background."""
    for each in conditions:
        here, there = each.holds(point[None, :], xp), each.holds(background, xp)[..., None]
        value = xp.where(here & there, mixed, xp.where(here, point, background))
        value = xp.where(each.holds(mixed, xp)[..., None], value, ABSENT)
        own = np.isin(np.arange(mixed.shape[-1]), each.columns)
        mixed = xp.where(own, value, mixed)
    return mixed
