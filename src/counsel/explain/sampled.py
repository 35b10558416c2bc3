r"""Shapley values by sampling, for too many coalitions to enumerate.

Sorted by the size s of coalitions,

$$ \phi_j = \frac{v(P) - v(\emptyset)}{p} + \frac1p \sum_{s=1}^{p-1} D_j^s, \qquad
   D_j^s = \mathrm{E}[v(S) \mid j \in S, |S| = s] - \mathrm{E}[v(S) \mid j \notin S, |S| = s]. $$

Sizes 1 and p - 1 are few: they are computed in full, on the whole background. The sizes between
are sampled in *blocks*, each with a background point of its own:

* with few parameters, all coalitions at that point. Points are drawn without replacement,
  and which ones are drawn is all that is left to chance;
* with more, a random permutation of the players round a circle, and all p windows of every size on
  it. A window's complement is a window too, so permutations come in antithetic pairs, and every
  player is in equally many windows of a size.

Either way the values add up to v(P) - v(empty) exactly, whatever the sample.

From every sampled worth the block subtracts that of a game whose values are known,

$$ u(S) = v(\emptyset) + \sum_{j \in S} m_j(|S|), $$

with m linear in the size and such that u agrees with v for sizes 1 and p - 1 (at that background
point). Games without interactions of three and more parameters then have no sampling error on
average over permutations, and others little. What is left is regressed on what is known at every
point, with its mean over all of them: what sizes 1 and p - 1 give there, the point's coordinates,
their squares and products. Interactions of three and more parameters are smooth in them: with 8
parameters, a fifth of the points is enough.

The same blocks serve all terms, so attributions of terms add up to that of the sum.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple

import equinox as eqx
import numpy as np
from jaxtyping import Bool, Float, Int

from counsel.explain import exact
from counsel.explain.game import Game, at_point, each, evaluate
from counsel.explain.product import Values

# Points scored at a time, in whole blocks: the first batch already gives a standard error.
_AT_ONCE = 2**14
# All coalitions of this many parameters are scored at a time: their kernel values are products of
# few factors, which makes such a point cheaper than one of its own. Beyond, they are too many.
_FEW = 9
_ROWS_AT_ONCE = 2**15
# No more regressors than this: each wants some points to itself.
_MOST_KNOWN = 128
_SAME = 1e-8
_RIDGE = 1e-9
Until = Literal["tolerance", "ranking"]
_Z = 1.96


class Estimate(NamedTuple):
    """Values with standard errors, by term; `evaluations` counts scored points.

    `known` are the terms whose values were given and are exact. `background` is the error of the
    background's points where they stand for more, estimated from the coalitions of border sizes.
    """

    values: Mapping[str, Float[np.ndarray, " p"]]
    error: Mapping[str, Float[np.ndarray, " p"]]
    base: Mapping[str, float]
    total: Mapping[str, float]
    evaluations: int
    settled: bool
    known: frozenset[str] = frozenset()
    background: Mapping[str, Float[np.ndarray, " p"]] = {}
    pairs: Mapping[str, Float[np.ndarray, "p p"]] | None = None  # halves of the interactions


_BATCHES = 8


def background_error(rows: Float[np.ndarray, "N p"]) -> Float[np.ndarray, " p"]:
    """The standard error of the mean over rows, one for each background point, from batches."""
    count = min(_BATCHES, len(rows))
    if count < 2:
        return np.zeros(rows.shape[1])
    batches = np.stack([part.mean(axis=0) for part in np.array_split(rows, count)])
    found: Float[np.ndarray, " p"] = batches.std(axis=0, ddof=1) / np.sqrt(count)
    return found


def sample(
    game: Game,
    rng: np.random.Generator,
    *,
    tolerance: float = 0.01,
    most: int = 2**19,
    until: Until = "tolerance",
    given: Callable[[], Mapping[str, Values]] = dict,
    few: int = _FEW,
) -> Estimate:
    """Estimate the values of every term, until they are as accurate as wanted.

    `tolerance` bounds the half-width of every value's 95% interval, as a share of its term's
    largest value. With `until="ranking"` it is enough that intervals are smaller than the
    least gap between two parameters' values: the purpose of the paper's Algorithm 4 (see
    `check_sample_size`), whose own criterion, the efficiency error, is always zero here.
    `most` bounds the points scored beyond the border sizes; `settled` says whether it was enough.
    `given` supplies, once the border is known, values computed another way. They are used instead
    of sampling if their values for no player and for all players agree with the game. With up to
    `few` parameters, blocks are all coalitions at a point.
    """
    border = Border(game)
    p = game.players
    told = {name: each for name, each in given().items() if border.agrees(name, each)}
    known = frozenset(told)
    values = {name: each.mean(axis=0) for name, each in border.values.items()}
    values |= {name: np.asarray(each.values) for name, each in told.items()}
    error = {name: np.zeros(p) for name in border.names}
    around = {name: background_error(rows) for name, rows in border.values.items()}
    found = Estimate(
        values, error, border.base, border.total, border.evaluations, True, known, around
    )
    unknown = [name for name in border.names if name not in known]
    if p <= 3 or not unknown:
        return found
    draw = _rows_in_full(game, border, rng) if p <= few else _windows_of_rows(game, border, rng)
    points = np.asarray(game.background)[:, : game.chosen]
    # Between windows it is mostly chance that differs, and nothing that is known tells about it.
    smooth = _smooth(points, 2 * p + 1) if p <= few else np.zeros((0, len(points)))
    drawn = {
        name: _Corrections(np.concatenate([border.worth[name], smooth]), p) for name in unknown
    }
    evaluations = 0
    for corrections, scored, left, rows in draw:
        evaluations += scored
        for name in unknown:
            drawn[name].add(corrections[name], rows)
            mean, sd = drawn[name].mean_and_sd()
            values[name] = border.values[name].mean(axis=0) + mean
            error[name] = sd * np.sqrt(left / drawn[name].count)
        settled = _settled(values, error, tolerance, until)
        if settled or evaluations + scored > most:
            break
    return found._replace(evaluations=border.evaluations + evaluations, settled=settled)


def check_sample_size(values: Float[np.ndarray, " p"], difference: float) -> bool:
    """The paper's Algorithm 4: is the efficiency error below the least gap between two values?

    `difference` is the explained value less the base, which the values should add up to.
    """
    return bool(abs(values.sum() - difference) < _least_gap(values))


def _settled(
    values: Mapping[str, Float[np.ndarray, " p"]],
    error: Mapping[str, Float[np.ndarray, " p"]],
    tolerance: float,
    until: Until,
) -> bool:
    if until == "ranking":
        return all(_Z * float(np.max(error[n])) < _least_gap(values[n]) for n in values)
    return all(
        _Z * float(np.max(error[n])) <= tolerance * float(np.max(np.abs(values[n]))) for n in values
    )


def _least_gap(values: Float[np.ndarray, " p"]) -> float:
    return float(np.min(np.diff(np.sort(values)), initial=np.inf))


class Border:
    """The coalitions of sizes 0, 1, p - 1 and p, on every background point."""

    def __init__(self, game: Game) -> None:
        p, count = game.players, len(game.background)
        eye = np.eye(p, dtype=bool)
        self.members = np.concatenate([np.zeros((1, p), dtype=bool), eye, ~eye])
        if p == 1:
            self.members = self.members[:1]
        elif p == 2:
            self.members = self.members[:3]
        found = each(game, self.members)
        self.p = p
        self.names = tuple(found)
        # (coalitions, background points) of every term
        self.worth = found
        self.total = {n: float(v) for n, v in at_point(game).parts.items()}
        self.base = {n: float(v[0].mean()) for n, v in self.worth.items()}
        self.evaluations = len(self.members) * count
        self.values = {n: self._rows(n) for n in self.names}

    def agrees(self, name: str, given: Values) -> bool:
        """Whether given values belong to this term: both ends must agree, to scale."""
        if name not in self.names:
            return False
        unit = float(np.ptp(self.worth[name])) + abs(self.total[name])
        ends = float(given.base) - self.base[name], float(given.total) - self.total[name]
        return max(map(abs, ends)) <= _SAME * unit

    def _rows(self, name: str) -> Float[np.ndarray, "N p"]:
        """What the border alone gives at each point: exact up to three players, else that of u."""
        p, worth = self.p, self.worth[name].T
        equal = np.repeat((self.total[name] - worth[:, :1]) / p, p, axis=1)
        if p == 1:
            return equal
        first = _contrast(worth[:, 1 : p + 1])
        last = first if p == 2 else -_contrast(worth[:, p + 1 :])
        sizes = {2: first, 3: first + last}.get(p, 0.5 * (p - 1) * (first + last))
        return equal + sizes / p

    def surrogate(self, name: str, rows: Int[np.ndarray, " b"]) -> Float[np.ndarray, "b 2 p"]:
        """m_j(1) and m_j(p - 1) at background rows: u is linear in the size between them."""
        worth, p = self.worth[name][:, rows].T, self.p
        ones = worth[:, 1 : p + 1] - worth[:, :1]
        without = worth[:, p + 1 :] - worth[:, :1]
        whole = without.sum(axis=1, keepdims=True) / (p - 1)
        return np.stack([ones, whole - without], axis=1)


def _contrast(worth: Float[np.ndarray, "N p"]) -> Float[np.ndarray, "N p"]:
    """D_j of size 1 from {j}, and minus D_j of size p - 1 from all but j: member less outsiders."""
    others = (worth.sum(axis=1, keepdims=True) - worth) / (worth.shape[1] - 1)
    return worth - others


class _Batch(NamedTuple):
    """What v - u adds to the values, block by block; points scored; the share of rows not seen."""

    corrections: Mapping[str, Float[np.ndarray, "b p"]]
    scored: int
    left: float
    rows: Int[np.ndarray, " b"]  # the background point of every block


class _Corrections:
    """What was drawn at some background points, and its mean over all of them.

    Corrections are regressed on what is known at every point. That is linear, so what adds up to
    zero at every point does so in the mean. Slopes that are fitted to few points make what is left
    at those points look small, so each point counts with what the others would have made of it.
    """

    def __init__(self, known: Float[np.ndarray, "k N"], players: int) -> None:
        apart = known - known.mean(axis=1, keepdims=True)
        spread = apart.std(axis=1, keepdims=True)
        kept = spread[:, 0] > 0.0
        self._known = (apart[kept] / spread[kept]).T
        self._drawn = np.zeros((0, players))
        self._rows = np.zeros(0, dtype=np.int64)

    @property
    def count(self) -> int:
        return len(self._rows)

    def add(self, drawn: Float[np.ndarray, "b p"], rows: Int[np.ndarray, " b"]) -> None:
        self._drawn = np.concatenate([self._drawn, drawn])
        self._rows = np.concatenate([self._rows, rows])

    def mean_and_sd(self) -> tuple[Float[np.ndarray, " p"], Float[np.ndarray, " p"]]:
        """The mean, and the sd of what is left of a correction by itself."""
        k, mean = self._known.shape[1], self._drawn.mean(axis=0)
        left = self._drawn - mean
        if self.count < 3 * k:
            return mean, np.sqrt((left**2).sum(axis=0) / (self.count - 1))
        known = self._known[self._rows]
        here = known.mean(axis=0)
        # Sums by einsum and not by BLAS, whose threads would cost more than so small products. The
        # ridge is for what is known twice.
        spread = np.einsum("bi,bj->ij", known - here, known - here)
        inverse = np.linalg.inv(spread + _RIDGE * self.count * np.eye(k))
        slopes = np.einsum("ij,jp->ip", inverse, np.einsum("bi,bp->ip", known - here, left))
        along = np.einsum("bi,ij->bj", known - here, inverse)
        share = 1.0 / self.count + np.einsum("bj,bj->b", along, known - here)
        left = (left - np.einsum("bi,ip->bp", known - here, slopes)) / (1.0 - share)[:, None]
        return mean - np.einsum("i,ip->p", here, slopes), np.sqrt((left**2).mean(axis=0))


def _smooth(points: Float[np.ndarray, "N e"], others: int) -> Float[np.ndarray, "k N"]:
    """The points' coordinates, squares and products, as far as there is room beside `others`."""
    moving = points[:, np.ptp(points, axis=0) > 0.0]
    centred = (moving - moving.mean(axis=0)).T
    one, other = np.triu_indices(len(centred))
    for found in (np.concatenate([centred, centred[one] * centred[other]]), centred):
        if others + len(found) <= _MOST_KNOWN:
            return found
    return centred[:0]


def _rows_in_full(game: Game, border: Border, rng: np.random.Generator) -> Iterator[_Batch]:
    """Blocks of all coalitions at a background point, until every point has been seen."""
    p, count = game.players, len(game.background)
    members, weights = exact.coalitions(p), exact.weights(p)
    at_once = min(count, max(64, _ROWS_AT_ONCE >> p))
    order = rng.permutation(count)
    for start in range(0, count, at_once):
        # A last batch of the same size, for the compiled code, of which only the new rows count.
        rows = order[max(0, min(start, count - at_once)) :][:at_once]
        new = slice(at_once - min(at_once, count - start), None)
        scored = each(eqx.tree_at(lambda g: g.background, game, game.background[rows]), members)
        corrections = {}
        for name in border.names:
            worth = scored[name]
            values = (weights[:, :-1] @ worth[:-1] + weights[:, -1:] * border.total[name]).T
            corrections[name] = (values - border.values[name][rows])[new]
        seen = min(count, start + at_once)
        yield _Batch(corrections, len(members) * at_once, 1.0 - seen / count, rows[new])


def _windows_of_rows(game: Game, border: Border, rng: np.random.Generator) -> Iterator[_Batch]:
    """Blocks of windows, without end."""
    p = game.players
    blocks = max(32, _AT_ONCE // (p * (p - 3)))
    while True:
        rows = rng.integers(0, len(game.background), blocks)
        found = _windowed(game, border, rng, rows)
        yield _Batch(found, blocks * p * (p - 3), 1.0, rows)


def _windowed(
    game: Game, border: Border, rng: np.random.Generator, rows: Int[np.ndarray, " b"]
) -> dict[str, Float[np.ndarray, "b p"]]:
    p, blocks = game.players, len(rows)
    circle = np.argsort(rng.random((blocks, p)), axis=1)
    sizes = np.arange(2, p - 1)
    members = _windows(circle, sizes)  # (b, sizes, starts, p)
    scored = evaluate(game, members.reshape(blocks, -1, p), rows)
    share = (sizes - 1.0) / (p - 2.0)  # where a size lies between 1 and p - 1
    found = {}
    for name in border.names:
        worth = scored[name].reshape(blocks, len(sizes), p)
        ends = border.surrogate(name, rows)
        m = (1.0 - share)[:, None] * ends[:, None, 0] + share[:, None] * ends[:, None, 1]
        known = np.einsum("bskp,bsp->bsk", members, m) + border.worth[name][0, rows][:, None, None]
        rest = worth - known
        # Every player is in s of the p windows of a size.
        inside = np.einsum("bsk,bskp->bsp", rest, members) / sizes[:, None]
        outside = (rest.sum(axis=2, keepdims=True) - inside * sizes[:, None]) / (p - sizes)[:, None]
        found[name] = (inside - outside).sum(axis=1) / p
    return found


def _windows(
    circle: Int[np.ndarray, "b p"], sizes: Int[np.ndarray, " s"]
) -> Bool[np.ndarray, "b s p p"]:
    """Who is in the window of each size that starts at each place of the circle."""
    p = circle.shape[1]
    place = np.argsort(circle, axis=1)
    after = (place[:, None, :] - np.arange(p)[None, :, None]) % p
    return after[:, None, :, :] < sizes[None, :, None, None]


__all__ = ["Estimate", "check_sample_size", "sample"]
