r"""The game behind an attribution: what a set of parameters is worth.

$$ v(S) = \mathrm{E}_Z\left[\mathrm{term}(\theta_S, Z_{-S})\right] $$   (ShapleyBO section 3)

A "term" is here what `acquisition.terms.parts` has of the score: in the user's units, or a chance.

The players are the parameters as the user named them (a categorical parameter is one player with
several columns); parameters in S keep the explained point's values, the others come from the
background. The context is given and belongs to no player: point and background share it. Where
parameters exist only under a condition, so it is between the two as well (`existing`).

Legend: p players, N background points, d columns with the context's last, T terms.
"""

import math
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, Key

from counsel.acquisition.maximise import in_chunks
from counsel.acquisition.terms import Score, joined, log_weights, parts, raised, total
from counsel.explain.attribution import LEAST
from counsel.explain.existing import Condition, existing
from counsel.explain.product import Component, components, factorises
from counsel.models.compiling import compiled
from counsel.models.gp import Posterior
from counsel.models.kernels import Kernel, Numbers, Prior

# Points scored at once: the kernel matrix between data and points stays near the caches.
CHUNK = 128
_HOST_CHUNK = 2048
# From this many scored points, a second thread gains more than it costs.
_WORTH_A_THREAD = 2**12
# Players per group whose factors are multiplied in advance, for each subset.
_GROUP = 2
# A difference in a logarithm that is none, and how far gains may be from adding up.
_LITTLE, _ADDS_UP = 1e-4, 1e-6


class Game(eqx.Module):
    """A score, the explained point, the background, and which player owns each column."""

    score: Score
    point: Float[Numbers, " d"]
    background: Float[Numbers, "N d"]
    owner: tuple[int, ...] = eqx.field(static=True)
    chosen: int = eqx.field(static=True)  # columns that are chosen; the context's follow
    conditions: tuple[Condition, ...] = eqx.field(static=True, default=())

    @property
    def players(self) -> int:
        return max(self.owner) + 1

    def mixed(
        self,
        chosen: Bool[Numbers, "*c p"],
        background: Float[Numbers, "*m d"],
        xp: Any = jnp,
    ) -> Any:
        """Rows of the background with the chosen parameters of the point: of `xp`'s kind."""
        point = xp.asarray(self.point)
        found = xp.where(chosen[..., np.asarray(self.owner)], point, background)
        return existing(self.conditions, found, point, background, xp)


def each(game: Game, members: Bool[np.ndarray, "c p"]) -> dict[str, Float[np.ndarray, "c N"]]:
    """Every term at every background point, for the coalitions whose members are marked.

    Half of the points go to a second thread, since XLA keeps to one where operations are small;
    other people's scores stay in one thread (two in LAPACK can block each other).
    """
    count = len(game.background)
    if on_host(game.score):
        return _on_host(game, members)
    if count * len(members) < _WORTH_A_THREAD or not _factorising(game.score):
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


def on_host(score: Score) -> bool:
    """Whether a score computes with NumPy, so that nothing of it is compiled."""
    return bool(getattr(score, "on_host", False))


def _on_host(game: Game, members: Bool[np.ndarray, "c p"]) -> dict[str, Float[np.ndarray, "c N"]]:
    mixed = game.mixed(np.asarray(members)[:, None, :], np.asarray(game.background)[None], np)
    flat = mixed.reshape(-1, mixed.shape[2])
    chunks = [
        game.score.parts(flat[i : i + _HOST_CHUNK])  # type: ignore[attr-defined]
        for i in range(0, len(flat), _HOST_CHUNK)
    ]
    return {
        name: np.concatenate([chunk[name] for chunk in chunks]).reshape(mixed.shape[:2])
        for name in chunks[0]
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
            mixed = game.mixed(chosen, background)
            return parts(score_for(chosen, mixed), mixed)

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


Prepared = Callable[[Bool[Array, " p"], Float[Array, "n d"]], Score]


def _prepared(game: Game, background: Float[Array, "n d"]) -> Prepared:
    """The score to use for a coalition on the points that mix it with this background.

    Where a kernel is a product over parameters, its values for a mixed point are products of
    factors that few exponentials give; they are put in the kernel's place. Half of the time of a
    score goes into exponentials otherwise.
    """
    beliefs = _factorising(game.score)
    if not beliefs or game.conditions:
        return lambda chosen, mixed: game.score
    tables = [
        [_tables(part, belief, game, background) for part in components(belief.kernel, width)]
        for belief, width in ((each, background.shape[1]) for each in beliefs)
    ]

    def with_known(chosen: Bool[Array, " p"], mixed: Float[Array, "n d"]) -> Score:
        kernels = []
        for belief, parts_of_it in zip(beliefs, tables, strict=True):
            values = jnp.zeros(())
            for part in parts_of_it:
                product = part[0][_number(chosen[:_GROUP])]
                for g, table in enumerate(part[1:], 1):
                    product = product * table[_number(chosen[g * _GROUP : (g + 1) * _GROUP])]
                values = values + product
            kernels.append(_Known(belief.kernel, values, belief.data.x, mixed))
        return eqx.tree_at(lambda s: [each.kernel for each in _factorising(s)], game.score, kernels)

    return with_known


def _factorising(score: Score) -> list[Posterior]:
    """The posteriors in a score whose kernels are sums of products over columns."""
    leaves = jax.tree.leaves(score, is_leaf=lambda leaf: isinstance(leaf, Posterior))
    return [
        leaf
        for leaf in leaves
        if isinstance(leaf, Posterior)
        and (isinstance(leaf.kernel, _Known) or factorises(leaf.kernel))
    ]


def _number(chosen: Bool[Array, " g"]) -> Int[Array, ""]:
    return jnp.sum(jnp.where(chosen, 2 ** np.arange(chosen.shape[0]), 0))


def _tables(
    part: Component, belief: Posterior, game: Game, background: Float[Array, "n d"]
) -> list[Float[Array, "k N n"]]:
    """For every group of players, the product of its factors for each of its subsets."""
    common, inside, outside = _factors(part, belief, game, background)
    found = []
    for start in range(0, game.players, _GROUP):
        table = [jnp.broadcast_to(common, outside[0].shape)]
        common = jnp.ones((common.shape[0], 1))
        for player in range(start, min(start + _GROUP, game.players)):
            table = [t * outside[player] for t in table] + [t * inside[player] for t in table]
        found.append(jnp.stack(table))
    return found


def _factors(
    part: Component, belief: Posterior, game: Game, background: Float[Array, "n d"]
) -> tuple[Float[Array, "N 1"], list[Float[Array, "N 1"]], list[Float[Array, "N n"]]]:
    """What the kernel has in common, and each player's factor at the point and at background."""
    x, point = jnp.asarray(belief.data.x), jnp.asarray(game.point)[None, :]
    owner, context = np.asarray(game.owner), np.arange(len(game.owner)) >= game.chosen
    common = part.variance * part.factor(x, point, np.flatnonzero(context).tolist())
    columns = [np.flatnonzero((owner == j) & ~context).tolist() for j in range(game.players)]
    inside = [part.factor(x, point, own) for own in columns]
    return common, inside, [part.factor(x, background, own) for own in columns]


class _Known(Kernel):
    """A kernel whose values between the data and the points at hand are known."""

    kernel: Kernel
    values: Float[Array, "N n"]
    data: Float[Numbers, "N d"]
    points: Float[Array, "n d"]

    def matrix(self, a: Float[Numbers, "n d"], b: Float[Numbers, "m d"]) -> Float[Array, "n m"]:
        if a is self.data and b is self.points:
            return self.values
        return self.kernel.matrix(a, b)

    def amplitude(self) -> Float[Array, ""]:
        return self.kernel.amplitude()

    def frequencies(self, key: Key[Array, ""], count: int, d: int) -> Float[Array, "f d"]:
        return self.kernel.frequencies(key, count, d)

    def log_prior(self, prior: Prior) -> Float[Array, ""]:
        return self.kernel.log_prior(prior)

    def bounds(self) -> tuple[Kernel, Kernel]:
        return self.kernel.bounds()


def evaluate(
    game: Game, members: Bool[np.ndarray, "b k p"], rows: Int[np.ndarray, " b"]
) -> dict[str, Float[np.ndarray, "b k"]]:
    """Every term with the marked parameters at the point, the others at one background row each.

    `members` has k coalitions for every row. Half of the rows go to a second thread, as in `each`.
    """
    if on_host(game.score):
        mixed = game.mixed(members, np.asarray(game.background)[rows][:, None], np)
        found = game.score.parts(mixed.reshape(-1, mixed.shape[2]))  # type: ignore[attr-defined]
        return {name: np.asarray(part).reshape(mixed.shape[:2]) for name, part in found.items()}
    if game.conditions or not _factorising(game.score):
        return _numbers(_evaluate_plainly(game, members, rows))
    if members.shape[0] * members.shape[1] < _WORTH_A_THREAD:
        return _numbers(_evaluate(game, members, rows))
    half = -(-len(rows) // 2)
    with ThreadPoolExecutor(1) as other:
        last = members[-half:], rows[-half:]
        later = other.submit(lambda: _numbers(_evaluate(game, *last)))
        first = _numbers(_evaluate(game, members[:half], rows[:half]))
        rest = later.result()
    return {
        name: np.concatenate([part, rest[name][2 * half - len(rows) :]])
        for name, part in first.items()
    }


def _numbers(found: Mapping[str, Array]) -> dict[str, np.ndarray]:
    return {name: np.asarray(part) for name, part in found.items()}


@compiled()
def _evaluate_plainly(
    game: Game, members: Bool[Array, "b k p"], rows: Int[Array, " b"]
) -> dict[str, Float[Array, "b k"]]:
    mixed = game.mixed(members, jnp.asarray(game.background)[rows][:, None, :])
    flat = mixed.reshape(-1, mixed.shape[2])
    found = in_chunks(lambda some: parts(game.score, some), flat, CHUNK)
    return {name: part.reshape(mixed.shape[:2]) for name, part in found.items()}


@compiled()
def _evaluate(
    game: Game, members: Bool[Array, "b k p"], rows: Int[Array, " b"]
) -> dict[str, Float[Array, "b k"]]:
    """As in `_each`, kernel values are products of factors, which all coalitions of a row share."""
    beliefs = _factorising(game.score)
    count, each_row, _ = members.shape
    at_once = max(1, CHUNK // each_row)
    chunks = -(-count // at_once)
    spare = chunks * at_once - count
    background = jnp.asarray(game.background)

    def some(chunk: tuple[Array, Array]) -> dict[str, Float[Array, "a k"]]:
        chosen, at = chunk
        points = background[at]
        mixed = jnp.where(chosen[:, :, np.asarray(game.owner)], game.point, points[:, None, :])
        flat = mixed.reshape(-1, mixed.shape[2])
        kernels = []
        for belief in beliefs:
            values = jnp.zeros(())
            for part in components(belief.kernel, points.shape[1]):
                common, inside, outside = _factors(part, belief, game, points)
                product = common[:, :, None]
                for j in range(game.players):
                    # Selected, not looked up: a gather takes longer than all the rest.
                    own = inside[j][:, :, None], outside[j][:, :, None]
                    product = product * jnp.where(chosen[None, :, :, j], *own)
                values = values + product
            known = values.reshape(values.shape[0], -1)
            kernels.append(_Known(belief.kernel, known, belief.data.x, flat))
        score = eqx.tree_at(lambda s: [b.kernel for b in _factorising(s)], game.score, kernels)
        return {name: part.reshape(at_once, each_row) for name, part in parts(score, flat).items()}

    padded = jnp.concatenate([members, jnp.repeat(members[:1], spare, axis=0)])
    of = jnp.concatenate([rows, jnp.repeat(rows[:1], spare)])
    found = jax.lax.map(
        some, (padded.reshape(chunks, at_once, each_row, -1), of.reshape(chunks, at_once))
    )
    return {name: part.reshape(-1, each_row)[:count] for name, part in found.items()}


class Here(NamedTuple):
    """At the explained point: every part, how much of its logarithm counts, what was maximised.

    `raised` is what is added to some parts before their logarithms are taken.
    """

    parts: dict[str, Any]
    log_weights: dict[str, Any]
    terms: dict[str, Any]
    raised: dict[str, Any]

    def weight(self, name: str, base: float, total: float) -> float:
        """The weight of a part's logarithm that is right between two values of the part.

        For a score of which no more is known than the weights at one point.
        """
        weight, more = float(self.log_weights[name]), float(self.raised.get(name, 0.0))
        if not weight or not more:
            return weight
        low, high = max(base, LEAST), max(total, LEAST)
        plain = math.log(high / low)
        if abs(plain) <= 1e-9:
            return weight * low / (low + more)
        return weight * math.log1p((high - low) / (low + more)) / plain


def weights_between(
    score: Score, here: Here, base: Mapping[str, float], total: Mapping[str, float]
) -> dict[str, float]:
    """The weight of each part's logarithm that is right between two values of every part.

    What a part makes of the whole is looked up by putting it back to its base. Parts that enter as
    they are may be on a scale of their own there: weights are in their units, so that all add up
    to the difference, but for a factor. 0 for them. Where parts multiply, nothing adds up, and the
    weights are those at the point.
    """
    plain = {name: here.weight(name, base[name], total[name]) for name in total}
    logs = [name for name, weight in plain.items() if weight]
    own = [name for name in total if name not in logs]
    if not logs or on_host(score):
        return plain
    low = {n: max(base[n], LEAST) if n in logs else base[n] for n in total}
    high = {n: max(total[n], LEAST) if n in logs else total[n] for n in total}
    # What hardly differs is compared with what differs a little.
    rises = {n: math.log(high[n] / low[n]) for n in logs}
    # In units of what there is between the two: payoffs may be far from 0.
    size = max((abs(high[n] - low[n]) for n in own), default=0.0)
    size = size or _LITTLE * max((abs(high[n]) for n in own), default=0.0)
    rise = sum(high[n] - low[n] for n in own)
    little = {n: high[n] * math.exp(-_LITTLE) for n in logs if abs(rises[n]) < _LITTLE}
    if own and abs(rise) < _LITTLE * size:
        little[own[0]] = high[own[0]] - _LITTLE * size
    rows = [high, low]
    for group in (own, *([n] for n in logs)):
        changed = {n: little[n] for n in group if n in little} or {n: low[n] for n in group}
        rows.append({**high, **changed})
    table = {n: np.array([row[n] for row in rows]) for n in total}
    top, bottom, *each = np.asarray(_joined(score, table)).tolist()
    gained = [top - one for one in each]
    if not np.isfinite([top, bottom, *gained]).all():
        return plain
    unit = 1.0
    if own:
        unit = gained[0] / (_LITTLE * size if own[0] in little else rise) if size else 1.0
    found = dict.fromkeys(total, 0.0)
    for n, one in zip(logs, gained[1:], strict=True):
        found[n] = one / (_LITTLE if n in little else rises[n])
    whole = unit * rise + sum(found[n] * rises[n] for n in logs)
    apart = abs(unit * rise) + sum(abs(found[n] * rises[n]) for n in logs)
    if unit <= 0.0 or abs(whole - (top - bottom)) > _ADDS_UP * (apart + _LITTLE):
        return plain
    return {n: each / unit for n, each in found.items()}


@compiled()
def _joined(score: Score, parts: dict[str, Float[Numbers, " n"]]) -> Float[Array, " n"]:
    return joined(score, {name: jnp.asarray(part) for name, part in parts.items()})


def at_point(game: Game) -> Here:
    """The explained point itself: v of all players."""
    if not on_host(game.score):
        return _at_point(game)
    score: Any = game.score
    point = np.asarray(game.point)[None, :]
    found = score.parts(point)
    one = [
        {name: value[0] for name, value in each.items()}
        for each in (found, score.log_weights(found), score.terms(point))
    ]
    return Here(one[0], one[1], one[2], raised(score))


@compiled()
def _at_point(game: Game) -> Here:
    point = jnp.asarray(game.point)[None, :]
    found = parts(game.score, point)
    weights = log_weights(game.score, found)
    terms = game.score.terms(point)
    one = jax.tree.map(lambda each: each[0], (found, weights, terms))
    return Here(one[0], one[1], one[2], raised(game.score))


def value_at(score: Score, x: Float[np.ndarray, "n d"]) -> Float[Numbers, " n"]:
    """What is maximised, at points with the context's columns."""
    if on_host(score):
        host: Any = score
        return np.sum(list(host.terms(x).values()), axis=0)
    return _value_at(score, x)


@compiled()
def _value_at(score: Score, x: Float[Array, "n d"]) -> Float[Array, " n"]:
    return in_chunks(lambda some: total(score.terms(some)), x, CHUNK)
