"""What an acquisition is: a sum of named terms over points, prepared once per round.

    value(x) = sum of terms(x)

The names are few and shared, because explanations are told in them: `exploitation` (posterior
mean), `approximation` (posterior sd), `model` (imprecise prior), `aleatoric` (noise). Acquisitions
that do not add up from parts have one term of their own name.
"""

from typing import Protocol, runtime_checkable

import equinox as eqx
import jax
from jaxtyping import Array, Float, Int, Key

from counsel.models.gp import Posterior
from counsel.models.kernels import Numbers

# Each entry has one value per point.
Terms = dict[str, Array]


class Round(eqx.Module):
    """What a round knows besides its posterior.

    `sample` holds points that stand for the whole space: the arms themselves, or a space-filling
    sample of the box; `prior` is how likely each is to matter (None: equally). `chosen` counts the
    columns that are chosen; the context's follow. `size` is the number of alternatives |D| (for a
    box, of a fine grid). `feasible` is how likely constraints hold at each (padded) observation.
    """

    seed: int | Int[Array, ""]
    t: int | Int[Array, ""]
    size: float | Float[Array, ""]
    sample: Float[Numbers, "s d"]
    chosen: int = eqx.field(static=True)
    finite: bool = eqx.field(static=True)
    prior: Float[Numbers, " s"] | None = None
    feasible: Float[Numbers, " N"] | None = None

    def key(self) -> Key[Array, ""]:
        """The round's randomness: a function of (study seed, t) alone."""
        return jax.random.fold_in(jax.random.key(self.seed), self.t)


@runtime_checkable
class Score(Protocol):
    """An acquisition made ready for one round: a function of points alone.

    `whole` says that the points must be scored in one call, not in chunks (a joint draw).
    """

    @property
    def whole(self) -> bool: ...

    def terms(self, x: Float[Array, "n d"]) -> Terms: ...


@runtime_checkable
class Acquisition(Protocol):
    """A rule that turns a posterior into a score."""

    def score(self, posterior: Posterior, round: Round) -> Score: ...


def total(terms: Terms) -> Float[Array, " n"]:
    """The acquisition's value: the sum of its terms."""
    first, *rest = terms.values()
    for term in rest:
        first = first + term
    return first
