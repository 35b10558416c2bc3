r"""The game behind an attribution: what a set of parameters is worth.

$$ v(S) = \mathrm{E}_Z\left[\mathrm{term}(\theta_S, Z_{-S})\right] $$   (ShapleyBO section 3)

The players are the parameters as the user named them (a categorical parameter is one player with
several columns); parameters in S keep the explained point's values, the others come from the
background. The context is given and belongs to no player: point and background share it.

Legend: p players, N background points, d columns with the context's last, T terms.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from counsel.acquisition.maximise import in_chunks
from counsel.acquisition.terms import Score
from counsel.models.compiling import compiled
from counsel.models.kernels import Numbers

# Points scored at once: the kernel matrix between data and points stays near the caches.
CHUNK = 1024


class Game(eqx.Module):
    """A score, the explained point, the background, and which player owns each column."""

    score: Score
    point: Float[Numbers, " d"]
    background: Float[Numbers, "N d"]
    owner: tuple[int, ...] = eqx.field(static=True)

    @property
    def players(self) -> int:
        return max(self.owner) + 1


@compiled()
def average(game: Game, members: Bool[Array, "c p"]) -> dict[str, Float[Array, " c"]]:
    """v(S) of every term, for the coalitions whose members are marked: means over the background.

    One coalition after the other: memory is that of one chunk, however many there are.
    """

    def one(chosen: Bool[Array, " p"]) -> dict[str, Float[Array, ""]]:
        kept = chosen[np.asarray(game.owner)]

        def values(some: Float[Array, "n d"]) -> dict[str, Float[Array, " n"]]:
            return game.score.terms(jnp.where(kept, game.point, some))

        terms = in_chunks(values, jnp.asarray(game.background), CHUNK)
        return {name: jnp.mean(term) for name, term in terms.items()}

    return jax.lax.map(one, members)


@compiled()
def evaluate(
    game: Game, members: Bool[Array, "m p"], rows: Int[Array, " m"]
) -> dict[str, Float[Array, " m"]]:
    """Every term with the marked parameters at the point, the others at one background row."""
    kept = members[:, np.asarray(game.owner)]
    mixed = jnp.where(kept, game.point, jnp.asarray(game.background)[rows])
    return in_chunks(game.score.terms, mixed, CHUNK)


@compiled()
def at_point(game: Game) -> dict[str, Float[Array, ""]]:
    """Every term at the explained point itself: v of all players."""
    terms = game.score.terms(jnp.asarray(game.point)[None, :])
    return {name: term[0] for name, term in terms.items()}


@compiled()
def terms_at(score: Score, x: Float[Array, "n d"]) -> dict[str, Float[Array, " n"]]:
    """Every term of a score at points, the context's columns included."""
    return in_chunks(score.terms, x, x.shape[0] if score.whole else CHUNK)
