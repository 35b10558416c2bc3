r"""Finds the arms known to be safe, and those worth learning about.

$$ S = \{x : l_i(x) \ge 0 \;\forall i\} \cup \text{given}, \qquad
   U = \{x \notin S : u_i(x) \ge 0 \;\forall i,\; u_0(x) \ge \max_S l_0\} $$

The paper's S_t (10) starts empty and grows from itself alone, so it is all or nothing; ours is what
the bounds say, plus arms known in advance to be safe. An arm of U may be safe and may be better
than the best safe one. A pair (i, x) with x in U and l_i(x) < 0 <= u_i(x) is *ambiguous*.
"""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from counsel.constraints.running_bounds import Bounds


class Sets(eqx.Module):
    safe: Bool[Array, " M"]
    uncertain: Bool[Array, " M"]
    ambiguous: Bool[Array, "k M"]

    def widest(self, bounds: Bounds) -> Float[Array, " M"]:
        """The width of each arm's widest ambiguous bound; 0 if there is none."""
        return jnp.max(jnp.where(self.ambiguous, bounds.width[1:], 0.0), axis=0, initial=0.0)


def sets(bounds: Bounds, given: Bool[Array, " M"]) -> Sets:
    """S with the arms `given` as safe, U, and the ambiguous pairs."""
    lower, upper = bounds.lower[1:], bounds.upper[1:]
    safe = jnp.all(lower >= 0.0, axis=0) | given
    best = jnp.max(jnp.where(safe, bounds.lower[0], -jnp.inf))
    possible = jnp.all(upper >= 0.0, axis=0)
    uncertain = possible & ~safe & (bounds.upper[0] >= best)
    return Sets(safe, uncertain, (lower < 0.0) & (upper >= 0.0) & uncertain[None, :])
