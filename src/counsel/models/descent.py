"""Box-constrained quasi-Newton descent in a few dimensions, compiled and batched.

Written here because no maintained JAX library offers one: SciPy's L-BFGS-B cannot run under
`vmap` or inside a compiled loop, Optax's and Optimistix's have no bounds, and their nested line
searches take seconds to compile. Here every turn of one flat loop makes exactly one evaluation,
for all starts at once: either a step is accepted and a new direction chosen, or it is shortened.
A dense inverse Hessian replaces the limited memory of L-BFGS: our vectors have tens of entries.
"""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

ARMIJO = 1e-4


class Minimum(NamedTuple):
    x: Float[Array, " p"]
    value: Float[Array, ""]
    evaluations: Int[Array, ""]
    converged: Bool[Array, ""]


class _State(NamedTuple):
    x: Float[Array, " p"]
    value: Float[Array, ""]
    slope: Float[Array, " p"]
    inverse: Float[Array, "p p"]
    direction: Float[Array, " p"]
    step: Float[Array, ""]
    first: Bool[Array, ""]
    evaluations: Int[Array, ""]
    done: Bool[Array, ""]


def minimise(
    function: Callable[[Float[Array, " p"]], Float[Array, ""]],
    start: Float[Array, " p"],
    lower: Float[Array, " p"],
    upper: Float[Array, " p"],
    *,
    evaluations: int = 60,
    slope_tolerance: float = 1e-4,
    value_tolerance: float = 1e-7,
    largest_step: float = 1.0,
    first_scale: float | Float[Array, ""] = 1.0,
) -> Minimum:
    """Projected BFGS from one start; `vmap` it over starts.

    A non-finite value counts as too long a step. Stops when the projected slope is below its
    tolerance, or a decrease relative to max(1, |value|): the last one, or, once curvature was
    learned, the one that the next step promises. `first_scale` is a guess of 1/curvature: the first
    step is that times the slope.
    """
    evaluate = jax.value_and_grad(function)
    p = start.shape[0]
    eye = jnp.eye(p)

    def free(x: Array, slope: Array) -> Array:
        return ~(((x <= lower) & (slope > 0.0)) | ((x >= upper) & (slope < 0.0)))

    def heading(x: Array, slope: Array, inverse: Array) -> Array:
        loose = free(x, slope)
        downhill = jnp.where(loose, slope, 0.0)
        newton = -jnp.where(loose, inverse @ downhill, 0.0)
        good = newton @ slope < -1e-12 * (downhill @ downhill)
        direction = jnp.where(good, newton, -downhill)
        longest = jnp.max(jnp.abs(direction))
        return direction * jnp.minimum(1.0, largest_step / jnp.maximum(longest, 1e-300))

    def turn(s: _State) -> _State:
        x = jnp.clip(s.x + s.step * s.direction, lower, upper)
        value, slope = evaluate(x)
        descent = s.slope @ (x - s.x)
        finite = jnp.isfinite(value + jnp.sum(slope))
        accept = finite & (value <= s.value + ARMIJO * descent)

        # Curvature is learned among the variables that are off their bounds, before and after:
        # what a bound holds back would only distort it.
        loose = free(s.x, s.slope) & free(x, slope)
        pair = jnp.where(loose, jnp.stack([x - s.x, slope - s.slope]), 0.0)
        products = pair @ pair.T
        curvature = products[0, 1]
        usable = curvature > 1e-10 * jnp.sqrt(products[0, 0] * products[1, 1])
        safe = jnp.where(usable, curvature, 1.0)
        first = eye * safe / jnp.maximum(products[1, 1], 1e-300)
        base = jnp.where(s.first, first, s.inverse)
        # BFGS: (I - s y'/sy) H (I - y s'/sy) + s s'/sy, written out.
        moved, change = pair[0] / safe, pair[1]
        pulled = base @ change
        crossed = moved[:, None] * pulled[None, :]
        again = (safe + change @ pulled) * moved[:, None] * moved[None, :]
        inverse = jnp.where(usable, base - crossed - crossed.T + again, s.inverse)

        still = jnp.max(jnp.abs(jnp.where(free(x, slope), slope, 0.0))) < slope_tolerance
        toward = heading(x, slope, inverse)
        promised = jnp.where(s.first, jnp.inf, -0.5 * (toward @ slope))
        least = value_tolerance * jnp.maximum(1.0, jnp.abs(value))
        small = (s.value - value < least) | (promised < least)
        # A shortened step goes to the minimum of the parabola through what is known.
        parabola = -0.5 * descent / jnp.maximum(value - s.value - descent, 1e-300)
        shorter = s.step * jnp.where(finite, jnp.clip(parabola, 0.1, 0.5), 0.2)
        return _State(
            x=jnp.where(accept, x, s.x),
            value=jnp.where(accept, value, s.value),
            slope=jnp.where(accept, slope, s.slope),
            inverse=jnp.where(accept, inverse, s.inverse),
            direction=jnp.where(accept, toward, s.direction),
            step=jnp.where(accept, 1.0, shorter),
            first=s.first & ~(accept & usable),
            evaluations=s.evaluations + 1,
            done=jnp.where(accept, still | small, shorter < 1e-8),
        )

    def going(s: _State) -> Array:
        return ~s.done & (s.evaluations < evaluations)

    # The first turn evaluates the start itself: a zero step "accepted" from an infinite value,
    # which makes the loop's body the only place where the function is compiled.
    inside = jnp.clip(start, lower, upper)
    begin = _State(
        x=inside,
        value=jnp.asarray(jnp.inf),
        slope=jnp.zeros(p),
        inverse=eye * first_scale,
        direction=jnp.zeros(p),
        step=jnp.asarray(1.0),
        first=jnp.asarray(True),
        evaluations=jnp.asarray(0),
        done=jnp.asarray(False),
    )
    end = jax.lax.while_loop(going, turn, begin)
    return Minimum(end.x, end.value, end.evaluations, end.done & jnp.isfinite(end.value))


def best_of_starts(
    function: Callable[[Float[Array, " p"]], Float[Array, ""]],
    guesses: Float[Array, "s p"],
    starts: Int[Array, ""],
    lower: Float[Array, " p"],
    upper: Float[Array, " p"],
    first_scale: Float[Array, ""],
    value_tolerance: float = 1e-6,
) -> Minimum:
    """The best minimum from the first `starts` guesses, one after the other.

    A batch would wait for its slowest member. The number of starts is not a shape: one compiled
    program serves them all.
    """

    def attempt(i: Array, best: Minimum) -> Minimum:
        found = minimise(
            function,
            guesses[i],
            lower,
            upper,
            largest_step=2.0,
            value_tolerance=value_tolerance,
            first_scale=first_scale,
        )
        better = found.value < best.value
        chosen = jax.tree.map(lambda a, b: jnp.where(better, a, b), found, best)
        return chosen._replace(evaluations=found.evaluations + best.evaluations)

    nothing = Minimum(
        jnp.clip(guesses[0], lower, upper), jnp.asarray(jnp.inf), jnp.asarray(0), jnp.asarray(False)
    )
    return jax.lax.fori_loop(0, starts, attempt, nothing)
