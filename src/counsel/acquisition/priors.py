"""A prior over inputs: how likely each point of a space is to occur, or to matter.

It is plain data, so that a study can store it:

    [3.0, 1.0, 1.0]                              a weight for each arm
    {"dose": Beta(2, 8), "kind": {"a": 3, "b": 1}}   a product; unnamed parameters are uniform

or a function of encoded points (n, d), context columns last, which cannot be stored in a database.
All are up to a constant factor. A factor of a context variable is the same for all points of a
round and cancels.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counsel.errors import InvalidInput
from counsel.registry import parts
from counsel.space import AnySpace, Arms, Categorical

__all__ = ["Beta", "InputPrior", "as_prior", "prior_at"]

Points = NDArray[np.float64]
_FORMS = (
    "Give a weight for each arm, a mapping from names to Beta(a, b) or to weights by label, or a "
    "function of encoded points."
)
_WEIGHTS = "Give finite weights that are zero or more, not all of them zero."


@parts.register("beta", title="Beta density", sentence="How likely each value of a number is.")
@dataclass(frozen=True)
class Beta:
    """A Beta density over a number, on the scale that is searched, from 0 (low) to 1 (high).

    With `log=True` that is the logarithm's scale. a and b are 1 or more: below, the density is
    infinite at a border.
    """

    a: float
    b: float

    def __post_init__(self) -> None:
        for field in ("a", "b"):
            value = getattr(self, field)
            if not isinstance(value, int | float | np.number) or not 1.0 <= value < float("inf"):
                raise InvalidInput(field, value, "Give a finite number that is 1 or more.")

    def density(self, u: Points) -> Points:
        """Up to a constant; its largest value is 1."""
        top = np.array([(self.a - 1.0) / max(self.a + self.b - 2.0, 1e-300)])
        found: Points = np.exp(self._log(np.clip(u, 0.0, 1.0)) - self._log(top))
        return found

    def _log(self, u: Points) -> Points:
        # x^0 is 1 at 0, too.
        with np.errstate(divide="ignore"):
            low = (self.a - 1.0) * np.log(u) if self.a > 1.0 else np.zeros_like(u)
            high = (self.b - 1.0) * np.log1p(-u) if self.b > 1.0 else np.zeros_like(u)
        found: Points = low + high
        return found


Factor = Beta | dict[str, float]
InputPrior = NDArray[np.float64] | dict[str, Factor] | Callable[[Points], Points]


def as_prior(given: Any) -> Any:
    """Check a prior in one of its three forms, as far as possible without a space."""
    if given is None or callable(given):
        return given
    if isinstance(given, Mapping):
        return {_name(name): _factor(name, factor) for name, factor in given.items()}
    if isinstance(given, str) or not (isinstance(given, Sequence) or hasattr(given, "__array__")):
        raise InvalidInput("prior", given, _FORMS)
    try:
        weights = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidInput("prior", given, _FORMS) from None
    if weights.ndim != 1:
        raise InvalidInput("prior", given, _FORMS)
    _check_weights("prior", given, weights)
    weights.flags.writeable = False
    return weights


def prior_at(prior: InputPrior, space: AnySpace, points: Points) -> Points:
    """p_x at encoded points (n, d) of a space, context columns last, up to a constant."""
    if callable(prior):
        found = np.asarray(prior(points), dtype=np.float64)
        if found.shape != (len(points),):
            raise InvalidInput("prior", found.shape, f"Return {len(points)} densities: one each.")
        _check_weights("prior", found, found)
        return found
    if isinstance(prior, Mapping):
        density = np.ones(len(points))
        for name, factor in prior.items():
            density = density * _factor_at(name, factor, space, points)
        _check_weights("prior", prior, density)
        return density
    if not isinstance(space, Arms):
        raise InvalidInput(
            "prior", f"{len(prior)} weights", "A box has no arms: give a mapping from names."
        )
    if len(prior) != len(space):
        raise InvalidInput("prior", f"{len(prior)} weights", f"Give {len(space)}: one per arm.")
    return prior


def _factor_at(name: str, factor: Factor, space: AnySpace, points: Points) -> Points:
    columns = space.columns(name)
    labels = _labels(name, space)
    if isinstance(factor, Beta):
        if labels is not None:
            raise InvalidInput(f"prior of {name}", factor, "It is a choice: give weights by label.")
        return factor.density(points[:, columns.start])
    if labels is None:
        raise InvalidInput(f"prior of {name}", factor, "It is a number: give Beta(a, b).")
    if set(factor) != {str(label) for label in labels}:
        known = ", ".join(repr(str(label)) for label in labels)
        raise InvalidInput(f"prior of {name}", factor, f"Give a weight for each of: {known}.")
    found: Points = points[:, columns] @ np.array([factor[str(label)] for label in labels])
    return found


def _labels(name: str, space: AnySpace) -> tuple[Any, ...] | None:
    """The labels of a choice, in the order of its columns; None for a number."""
    if name in space.context:
        parameter = space.context[name]
    elif isinstance(space, Arms):
        return space.labels(name)
    else:
        parameter = space.parameters[name]
    return tuple(parameter.choices) if isinstance(parameter, Categorical) else None


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise InvalidInput("prior", name, "Give every name as a string.")
    return name


def _factor(name: object, factor: object) -> Factor:
    if isinstance(factor, Beta):
        return factor
    if not isinstance(factor, Mapping):
        raise InvalidInput(f"prior of {name}", factor, "Give Beta(a, b), or weights by label.")
    try:
        weights = {str(label): float(weight) for label, weight in factor.items()}
    except (TypeError, ValueError):
        raise InvalidInput(f"prior of {name}", factor, _WEIGHTS) from None
    _check_weights(f"prior of {name}", factor, np.array(list(weights.values())))
    return weights


def _check_weights(field: str, given: object, weights: Points) -> None:
    if not (np.isfinite(weights).all() and (weights >= 0.0).all() and (weights > 0.0).any()):
        raise InvalidInput(field, given, _WEIGHTS)
