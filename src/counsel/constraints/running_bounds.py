r"""Confidence bounds that are kept from round to round.

$$ l_t = \max(l_{t-1}, \mu - \beta_t \sigma), \qquad u_t = \min(u_{t-1}, \mu + \beta_t \sigma) $$
"""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, Int


class Bounds(eqx.Module):
    """Bounds on every output at every arm, jointly with probability 1 - delta."""

    lower: Float[Array, "m M"]
    upper: Float[Array, "m M"]

    @property
    def width(self) -> Float[Array, "m M"]:
        return self.upper - self.lower


def bayesian_beta(
    pairs: int, t: int | Int[Array, ""], delta: float | Float[Array, ""]
) -> Float[Array, ""]:
    r"""beta_t = sqrt(2 log(pairs pi^2 t^2 / (6 delta))), pairs = arms x outputs.

    By a union over pairs and rounds all bounds hold together with probability 1 - delta, if the
    model is right. The paper's (15) is about 1e7 and never certifies anything.
    """
    t = jnp.maximum(jnp.asarray(t, dtype=jnp.float64), 1.0)
    return jnp.sqrt(2.0 * jnp.log(pairs * jnp.pi**2 * t**2 / (6.0 * delta)))


def interval(
    mean: Float[Array, "m M"], sd: Float[Array, "m M"], beta: float | Float[Array, ""]
) -> Bounds:
    """This round's bounds alone."""
    return Bounds(mean - beta * sd, mean + beta * sd)


def running(before: Bounds, now: Bounds) -> Bounds:
    """The intersection of both; where they contradict each other, restart from the later one."""
    lower = jnp.maximum(before.lower, now.lower)
    upper = jnp.minimum(before.upper, now.upper)
    crossed = lower > upper
    return Bounds(jnp.where(crossed, now.lower, lower), jnp.where(crossed, now.upper, upper))
