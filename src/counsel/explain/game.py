r"""The game behind an attribution: what a set of parameters is worth.

$$ v(S) = \mathrm{E}_Z\left[\mathrm{term}(\theta_S, Z_{-S})\right] $$   (ShapleyBO section 3)

The players are the parameters as the user named them (a categorical parameter is one player with
several columns); parameters in S keep the explained point's values, the others come from the
background. The context is given and belongs to no player: point and background share it.

Legend: p players, N background points, d columns with the context's last, T terms.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, Key

from counsel.acquisition.maximise import in_chunks
from counsel.acquisition.terms import Score
from counsel.explain.product import Component, components, factorises
from counsel.models.compiling import compiled
from counsel.models.gp import Posterior
from counsel.models.kernels import Kernel, Numbers, Prior

# Points scored at once: the kernel matrix between data and points stays near the caches.
CHUNK = 128
# From this many scored points, a second thread gains more than it costs.
_WORTH_A_THREAD = 2**12
# Players per group whose factors are multiplied in advance, for each subset.
_GROUP = 2


class Game(eqx.Module):
    """A score, the explained point, the background, and which player owns each column."""

    score: Score
    point: Float[Numbers, " d"]
    background: Float[Numbers, "N d"]
    owner: tuple[int, ...] = eqx.field(static=True)
    chosen: int = eqx.field(static=True)  # columns that are chosen; the context's follow

    @property
    def players(self) -> int:
        return max(self.owner) + 1


def each(game: Game, members: Bool[np.ndarray, "c p"]) -> dict[str, Float[np.ndarray, "c N"]]:
    """Every term at every background point, for the coalitions whose members are marked.

    Half of the points go to a second thread, since XLA keeps to one where operations are small;
    other people's scores stay in one thread (two in LAPACK can block each other).
    """
    count = len(game.background)
    if count * len(members) < _WORTH_A_THREAD or not _factorises(game.score):
        return {name: np.asarray(term) for name, term in _each(game, members).items()}
    half = -(-count // 2)  # with an odd number, both have the middle point
    first, second = (
        eqx.tree_at(lambda g: g.background, game, part)
        for part in (game.background[:half], game.background[count - half :])
    )
    with ThreadPoolExecutor(1) as other:
        later = other.submit(lambda: {n: np.asarray(t) for n, t in _each(second, members).items()})
        found = {name: np.asarray(term) for name, term in _each(first, members).items()}
        rest = later.result()
    return {
        name: np.concatenate([term, rest[name][:, 2 * half - count :]], axis=1)
        for name, term in found.items()
    }


@compiled()
def _each(game: Game, members: Bool[Array, "c p"]) -> dict[str, Float[Array, "c N"]]:
    points = jnp.asarray(game.background)
    count, width = points.shape
    chunk = min(CHUNK, count)
    chunks = -(-count // chunk)
    padded = jnp.concatenate([points, jnp.zeros((chunks * chunk - count, width))])

    def some(background: Float[Array, "n d"]) -> dict[str, Float[Array, "c n"]]:
        score_for = _prepared(game, background)

        def one(chosen: Bool[Array, " p"]) -> dict[str, Float[Array, " n"]]:
            kept = chosen[np.asarray(game.owner)]
            return score_for(chosen).terms(jnp.where(kept, game.point, background))

        return jax.lax.map(one, members)

    found = jax.lax.map(some, padded.reshape(chunks, chunk, width))
    return {
        name: jnp.swapaxes(term, 0, 1).reshape(members.shape[0], -1)[:, :count]
        for name, term in found.items()
    }


def average(game: Game, members: Bool[Numbers, "c p"]) -> dict[str, Float[np.ndarray, " c"]]:
    """v(S) of every term, for the coalitions whose members are marked: means over the background.

    In NumPy, whose sums do not depend on the number of coalitions.
    """
    return {name: term.mean(axis=1) for name, term in each(game, np.asarray(members)).items()}


def _prepared(game: Game, background: Float[Array, "n d"]) -> Callable[[Bool[Array, " p"]], Score]:
    """The score to use for a coalition on these background points.

    Where the kernel is a product over parameters, its values for a mixed point are products of
    factors that few exponentials give; they are put in the kernel's place. Half of the time of a
    score goes into exponentials otherwise.
    """
    score = game.score
    if not _factorises(score):
        return lambda chosen: score
    belief: Posterior = score.posterior  # type: ignore[attr-defined]
    parts = components(belief.kernel, background.shape[1])
    tables = [_tables(part, game, background) for part in parts]

    def with_known(chosen: Bool[Array, " p"]) -> Score:
        known = jnp.zeros(())
        for part in tables:
            product = part[0][_number(chosen[:_GROUP])]
            for g, table in enumerate(part[1:], 1):
                product = product * table[_number(chosen[g * _GROUP : (g + 1) * _GROUP])]
            known = known + product
        kernel = _Known(known, belief.kernel.amplitude())
        return eqx.tree_at(lambda s: s.posterior.kernel, score, kernel)

    return with_known


def _factorises(score: Any) -> bool:
    """Whether the score's posterior has a kernel that is a sum of products over columns."""
    named = is_dataclass(score) and any(field.name == "posterior" for field in fields(score))
    return named and isinstance(score.posterior, Posterior) and factorises(score.posterior.kernel)


def _number(chosen: Bool[Array, " g"]) -> Int[Array, ""]:
    return jnp.sum(jnp.where(chosen, 2 ** np.arange(chosen.shape[0]), 0))


def _tables(
    part: Component, game: Game, background: Float[Array, "n d"]
) -> list[Float[Array, "k N n"]]:
    """For every group of players, the product of its factors for each of its subsets."""
    x = jnp.asarray(game.score.posterior.data.x)  # type: ignore[attr-defined]
    owner, context = np.asarray(game.owner), np.arange(len(game.owner)) >= game.chosen
    point = jnp.asarray(game.point)

    common = part.variance * part.factor(x, point[None, :], np.flatnonzero(context).tolist())
    found = []
    for start in range(0, game.players, _GROUP):
        table = [jnp.broadcast_to(common, (x.shape[0], background.shape[0]))]
        common = jnp.ones((x.shape[0], 1))
        for player in range(start, min(start + _GROUP, game.players)):
            columns = np.flatnonzero((owner == player) & ~context).tolist()
            outside = part.factor(x, background, columns)
            inside = part.factor(x, point[None, :], columns)
            table = [t * outside for t in table] + [t * inside for t in table]
        found.append(jnp.stack(table))
    return found


class _Known(Kernel):
    """A kernel with known values for the points at hand."""

    values: Float[Array, "N n"]
    level: Float[Array, ""]

    def matrix(self, a: Float[Numbers, "n d"], b: Float[Numbers, "m d"]) -> Float[Array, "n m"]:
        return self.values

    def amplitude(self) -> Float[Array, ""]:
        return self.level

    def frequencies(self, key: Key[Array, ""], count: int, d: int) -> Float[Array, "f d"]:
        raise NotImplementedError

    def log_prior(self, prior: Prior) -> Float[Array, ""]:
        raise NotImplementedError

    def bounds(self) -> tuple[Kernel, Kernel]:
        raise NotImplementedError


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
