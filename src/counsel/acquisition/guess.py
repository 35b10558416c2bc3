r"""A guess of where the optimum is, as a term of its own that fades.

$$ a(x) + \frac{\text{strength}}{n}\, u \log \pi(x), \qquad
   \pi(x) = \frac{1}{1 + d(x)^2 / 2} $$

after n measurements, with d the distance from the guess in units of its `width`, and u the scale of
the objective (1 if the acquisition is a logarithm). This is piBO (Hvarfner et al. 2022) with a
density whose tails are heavy: a wrong guess costs trials and excludes nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from counsel.acquisition.added import Addition
from counsel.errors import InvalidInput
from counsel.models.gp import Posterior
from counsel.registry import parts
from counsel.space import AnySpace, Arms

__all__ = ["Guess", "Guided"]


@parts.register("guess", title="Guess", sentence="Where somebody expects the optimum.")
@dataclass(frozen=True)
class Guess:
    """Where the optimum is expected: values of some or all parameters.

    `width` is how far from there it may well be, as a share of every range. `strength` is how much
    the guess weighs against the first measurement. With 2, near guesses halve the gap of the first
    trials on two functions of two inputs, and wrong ones cost little; with 10, wrong ones cost half
    of 16 trials.
    """

    at: dict[str, Any]
    width: float = 0.2
    strength: float = 2.0

    def __post_init__(self) -> None:
        if not isinstance(self.at, Mapping) or not self.at:
            raise InvalidInput("guess", self.at, "Give values by parameter: {'heat': 80.0}.")
        object.__setattr__(self, "at", dict(self.at))
        for field in ("width", "strength"):
            value = getattr(self, field)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise InvalidInput(f"{field} of the guess", value, "Give a number.")
            if not 0.0 < value < float("inf"):
                raise InvalidInput(f"{field} of the guess", value, "Give a number above 0.")

    @classmethod
    def of(cls, given: Any) -> "Guess | None":
        """A guess, given as one, as its settings, or as the values of parameters."""
        if given is None or isinstance(given, Guess):
            return given
        if isinstance(given, Mapping) and "at" in given and isinstance(given["at"], Mapping):
            unknown = set(given) - {"at", "width", "strength"}
            if unknown:
                raise InvalidInput("guess", sorted(unknown), "Use the keys at, width and strength.")
            return cls(**given)
        if not isinstance(given, Mapping):
            raise InvalidInput("guess", given, "Give values by parameter: {'heat': 80.0}.")
        return cls(dict(given))

    def check(self, space: AnySpace) -> None:
        """Refuse a guess that is not about this space."""
        self.placed(space)

    def leads_to(self, space: AnySpace, values: Mapping[str, Any]) -> bool:
        """Whether a first trial with these values is the one that the guess asks for."""
        if isinstance(space, Arms):  # the nearest that may be tried
            return True
        centre, precision = self.placed(space)
        asked = space.decode(np.where(precision > 0.0, centre, space.encode(values)))
        return all(asked.get(name) == values.get(name) for name in self.at)

    def placed(self, space: AnySpace) -> "Placed":
        """The guess in encoded columns."""
        centre, named = np.zeros(space.dim), np.zeros(space.dim)
        for name, value in self.at.items():
            if name not in space.names:
                raise InvalidInput("guess", name, f"Give values of {', '.join(space.names)}.")
            columns = space.columns(name)
            centre[columns] = space.encode_part(name, value)
            # A choice has a column per level: another level is one range away.
            named[columns] = 1.0 if columns.stop - columns.start == 1 else 0.5
        return Placed(centre, named / self.width**2)


class Placed(NamedTuple):
    """A guess in encoded columns: where, and what a squared distance counts in each."""

    centre: Float[np.ndarray, " e"]
    precision: Float[np.ndarray, " e"]


class Guided(Addition):
    """`weight` times the logarithm of a guess's density."""

    tag: ClassVar[str] = "guess"
    payoff: ClassVar[bool] = False

    centre: Float[Array, " e"]
    precision: Float[Array, " e"]
    weight: Float[Array, ""]

    def at(
        self, x: Float[Array, "n d"], belief: Posterior, unit: Float[Array, ""]
    ) -> Float[Array, " n"]:
        apart = x[:, : self.centre.shape[0]] - self.centre
        return -(self.weight * unit) * jnp.log1p(0.5 * (self.precision * apart**2).sum(axis=1))
