r"""A Gaussian over a finite list of (output, point) pairs, updated one trial at a time.

Over arms, this is all that a policy needs from a model of several outputs: means, covariances, and
their update after an answer. Telling a trial of m outputs is an update of rank m,

$$ C \leftarrow C - G S^{-1} G', \qquad G = C_{\cdot,\text{asked}}, \quad
   S = C_{\text{asked},\text{asked}} + \text{noise} $$

so a round costs (m M)^2 m, however many rounds came before.

Legend: m outputs, M points, A = m M pairs, outputs outermost.
"""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from counsel.models.gp import SMALLEST_VARIANCE, inverse_root
from counsel.models.kernels import Numbers
from counsel.models.multitask import Coregion, prior_joint


class Joint(eqx.Module):
    """Means (m, M) and the covariance (A, A) of all pairs."""

    mean: Float[Array, "m M"]
    covariance: Float[Array, "A A"]
    noise: Float[Array, " m"]

    @property
    def sd(self) -> Float[Array, "m M"]:
        variance = jnp.maximum(jnp.diagonal(self.covariance), SMALLEST_VARIANCE)
        return jnp.sqrt(variance).reshape(self.mean.shape)

    def told(
        self,
        point: Int[Array, ""],
        y: Float[Array, " m"],
        measured: Bool[Array, " m"],
    ) -> "Joint":
        """After a trial at `point` in which the `measured` outputs came out as `y`."""
        outputs, points = self.mean.shape
        asked = jnp.arange(outputs) * points + point
        # Rows, not columns: they are the same and lie together.
        G = jnp.where(measured[:, None], self.covariance[asked], 0.0)
        S = jnp.where(measured[None, :], G[:, asked], 0.0)
        # Unmeasured outputs get unit variance and no connection to the rest.
        S = S + jnp.diag(jnp.where(measured, self.noise, 1.0))
        upper = inverse_root(S)
        white = upper.T @ G
        surprise = jnp.where(measured, y - self.mean[:, point], 0.0) @ upper
        return Joint(
            self.mean + (surprise @ white).reshape(self.mean.shape),
            self.covariance - white.T @ white,
            self.noise,
        )

    def believed(self, point: Int[Array, ""], measured: Bool[Array, " m"]) -> "Joint":
        """After a trial that turned out just as expected: covariances shrink, means stay."""
        return self.told(point, self.mean[:, point], measured)


def prior(model: Coregion, points: Float[Numbers, "M d"]) -> Joint:
    """Before any trial."""
    mean, covariance = prior_joint(model, points)
    shape = (model.outputs, points.shape[0])
    return Joint(mean.reshape(shape), covariance, jnp.asarray(model.noise))
