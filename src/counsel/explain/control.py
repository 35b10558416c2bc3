r"""Sharpens the sd's values against a whole box by the closed form of the variance.

The standard deviation has no closed form, so points stand for the box, and their mean errs. The
variance errs on the same points almost in proportion, and its true values are known
(`closed.variance_uniform`). So

$$ \hat\phi(\mathrm{sd}) = \bar\phi(\mathrm{sd}) +
   b\,\left(\phi(\mathrm{var}) - \bar\phi(\mathrm{var})\right), $$

with bars for means over the points and b the slope of the sd's values on the variance's, point by
point: a control variate. What adds up before adds up after. The error that is left is that of
sd - b var.

Legend: c coalitions but the full one, N background points, p players.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from counsel.explain import exact
from counsel.explain.closed import has_closed_variance, pairs_of, variance_at, variance_uniform
from counsel.explain.game import Game
from counsel.explain.sampled import background_error
from counsel.facts.kept import Kept
from counsel.models.gp import Posterior
from counsel.space import AnySpace

SD = "approximation"
# The closed form is a sum over pairs of observations: beyond this many, points are cheaper.
MOST_ROWS = 256
_LOOKED_AT = 8  # points at which a term has to be the same multiple of the sd
_SAME = 1e-6


class Sharpened(NamedTuple):
    values: Float[np.ndarray, " p"]
    base: float
    error: Float[np.ndarray, " p"]


def sharpened(
    game: Game, space: AnySpace, worth: Float[np.ndarray, "c N"], total: float, kept: Kept
) -> Sharpened | None:
    """The values of a term that is a multiple of the posterior sd; None if it is not one.

    `worth` has the term for every coalition and background point, `total` at the explained point.
    `kept` has what was computed from this posterior before: a person who drags asks about one point
    after the other.
    """
    posterior = getattr(game.score, "posterior", None)
    if not isinstance(posterior, Posterior) or posterior.warp is not None:
        return None
    if not has_closed_variance(posterior.kernel, space):
        return None
    if float(np.sum(posterior.data.mask)) > MOST_ROWS:
        return None
    point, some = np.asarray(game.point), np.asarray(game.background)[:_LOOKED_AT]
    known = variance_at(posterior, space, np.concatenate([point[None, :], some]))
    seen = np.concatenate([[total], worth[0, :_LOOKED_AT]]) ** 2
    if known.min() <= 0.0:
        return None
    weight = float(seen.sum() / known.sum())
    if weight <= 0.0 or np.abs(seen - weight * known).max() > _SAME * float(seen.max()):
        return None
    pairs = kept.get("pairs", lambda: pairs_of(posterior, space))
    closed = variance_uniform(posterior, space, point, pairs)
    sd, variance = _rows(worth, total), _rows(worth**2 / weight, total**2 / weight)
    apart = variance - variance.mean(axis=0)
    spread = float((apart**2).sum())
    if spread <= 0.0:
        return None
    slope = float((apart * (sd - sd.mean(axis=0))).sum()) / spread
    base = float(worth[0].mean())
    return Sharpened(
        sd.mean(axis=0) + slope * (np.asarray(closed.values) - variance.mean(axis=0)),
        base + slope * (float(closed.base) - float((worth[0] ** 2).mean()) / weight),
        background_error(sd - slope * variance),
    )


def _rows(worth: Float[np.ndarray, "c N"], total: float) -> Float[np.ndarray, "N p"]:
    """The Shapley values against every background point by itself."""
    weights = exact.weights(len(worth).bit_length())
    return (weights[:, :-1] @ worth + weights[:, -1:] * total).T
