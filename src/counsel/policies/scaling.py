"""How a surrogate of one output is conditioned on few and on many observations.

Hyper-parameters are fitted to at most `fit_rows` observations: more of them hardly move the fit,
and each evaluation costs the cube of their number. Up to `exact_rows` observations the posterior is
exact. Beyond, it depends on the noise. With noise, many observations have to be averaged: the
posterior goes through `inducing` of them (`models.sparse`). Without, each says nearly everything
about its surroundings, and one that is left out of the inducing ones is lost: the posterior is that
of `exact_rows` of them, half of them around the best. For an acquisition that reads the data behind
a posterior, it is that of `exact_rows` of them, too.

From `light_rows` observations on, a fit stops sooner and a batch is searched with less effort: each
step then costs a tenth of a second, and hardly moves the proposal.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from counsel.acquisition.maximise import LIGHT, PLAIN, TOGETHER, Effort
from counsel.acquisition.upper_confidence import check_weight
from counsel.facts.checks import check_whole
from counsel.facts.history import Array
from counsel.models import gp, sparse
from counsel.models.fit import Fit, fit, posterior_at, starts_for, units_of, unpack_on_host
from counsel.models.kernels import (
    Kernel,
    Matern,
    MaternProduct,
    Numbers,
    Prior,
    Product,
    SquaredExponential,
    Sum,
)
from counsel.models.pending import room
from counsel.registry import parts

# Trials under way that one posterior of many observations has room for.
_BATCH = 16
_TOLERANCE = 3e-5
# With this many rows the ascents of a search run together.
_MANY = 512


class Observed(NamedTuple):
    """Observations of one output, as many as there are."""

    x: Float[np.ndarray, "n d"]
    y: Float[np.ndarray, " n"]

    def some(self, rows: np.ndarray) -> "Observed":
        return Observed(self.x[rows], self.y[rows])

    def padded(self, more: int = 0) -> gp.Data:
        """With at least `more` rows of padding."""
        return gp.Data.padded(self.x, self.y, gp.bucket(len(self.y) + more))


@parts.register(
    "scaling", title="Scaling", sentence="How a surrogate deals with many observations."
)
class Scaling(NamedTuple):
    """Observations to fit to, to condition on exactly, to stand for more, and to save effort from.

    There is no noise to speak of where its variance is below `quiet` of the function's own. In
    seven sets of 3,000 trials of four functions, errors were smaller through inducing observations
    where that share was 1e-2, and around the best where it was 1e-5.

    A stored policy without `light_rows` or `quiet` predates it: None, and it never saves effort, or
    always goes through the inducing ones.
    """

    fit_rows: int = 1024
    exact_rows: int = 2048
    inducing: int = 1024
    light_rows: int | None = 512
    quiet: float | None = 1e-3

    def check(self) -> None:
        for name in ("fit_rows", "exact_rows", "inducing"):
            check_whole(name, getattr(self, name), least=16)
        if self.light_rows is not None:
            check_whole("light_rows", self.light_rows, least=16)
        if self.quiet is not None:
            check_weight("quiet", self.quiet)

    def light(self, count: int) -> bool:
        """Whether so many observations are reason to save effort."""
        return self.light_rows is not None and count >= self.light_rows

    def stopping(self, count: int) -> dict[str, float]:
        """When a fit stops: with many observations at a few hundredths of a log likelihood."""
        return {"tolerance": _TOLERANCE} if self.light(count) else {}

    def effort(self, belief: gp.Posterior, count: int, pending: int) -> Effort:
        """How a box is searched."""
        if len(belief.data.y) < _MANY:
            return PLAIN
        return LIGHT if pending and self.light(count) else TOGETHER

    def room(self, count: int, pending: int) -> int:
        """Rows of padding for trials under way; with many observations a batch shares them."""
        return room(max(pending, _BATCH) if self.light(count) else pending)

    def fitted(self, observed: Observed) -> Observed:
        """The observations that hyper-parameters are fitted to: all, or some from every time."""
        count = len(observed.y)
        if count <= self.fit_rows:
            return observed
        return observed.some(np.linspace(0, count - 1, self.fit_rows).astype(int))

    def fit(
        self, like: Kernel, observed: Observed, guesses: Float[Array, "s p"], prior: Prior
    ) -> Fit:
        """The hyper-parameters for these observations, from the first of the guesses or more."""
        some = self.fitted(observed)
        return fit(
            like,
            some.padded(),
            guesses,
            starts_for(len(some.y)),
            prior,
            compact=True,
            **self.stopping(len(observed.y)),
        )

    def posterior(
        self,
        like: Kernel,
        theta: Float[Numbers, " p"],
        observed: Observed,
        pending: int = 0,
        *,
        from_data: bool = False,
    ) -> gp.Posterior:
        """What is believed under the fit `theta`, with room for `pending` trials.

        `from_data` keeps the rows of the posterior observations, as an acquisition needs them that
        reads data.
        """
        count = len(observed.y)
        more = self.room(count, pending)
        if count <= self.fit_rows:
            return posterior_at(like, theta, observed.padded(more))
        units = units_of(self.fitted(observed).padded())
        rows = self.exactly(like, theta, observed, from_data=from_data)
        if rows is None:
            kernel, _ = unpack_on_host(theta, like)
            scales = _column_scales(kernel, observed.x.shape[1])
            rows = sparse.inducing_rows(*observed, scales, self.inducing)
            return self._sparse(like, theta, observed, rows, more, units)
        return posterior_at(like, theta, observed.some(rows).padded(more), units=units)

    def exactly(
        self,
        like: Kernel,
        theta: Float[Numbers, " p"],
        observed: Observed,
        *,
        from_data: bool = False,
    ) -> np.ndarray | None:
        """The rows that `posterior` is the exact one of; None: all, but through inducing ones."""
        if len(observed.y) <= self.exact_rows:
            return np.arange(len(observed.y))
        kernel, noise = unpack_on_host(theta, like)
        scales = _column_scales(kernel, observed.x.shape[1])
        if from_data:
            return sparse.inducing_rows(*observed, scales, self.exact_rows)
        if self.quiet is not None and noise < self.quiet * _amplitude(kernel):
            return sparse.rows_around_best(*observed, scales, self.exact_rows)
        return None

    def _sparse(
        self,
        like: Kernel,
        theta: Float[Numbers, " p"],
        observed: Observed,
        rows: np.ndarray,
        more: int,
        units: tuple[Float[Numbers, ""], Float[Numbers, ""]],
    ) -> gp.Posterior:
        count = len(observed.y)
        x = np.zeros((sparse.padded_rows(count), observed.x.shape[1]))
        y = np.zeros(len(x))
        x[:count], y[:count] = observed
        few = observed.some(rows).padded(more)
        return sparse.sparse_posterior(like, theta, few, x, y, np.asarray(count), units)


def _amplitude(kernel: Kernel) -> float:
    """The function's own variance, without JAX: there, every operation would be a program."""
    if isinstance(kernel, Sum):
        return _amplitude(kernel.first) + _amplitude(kernel.second)
    if isinstance(kernel, Product):
        return _amplitude(kernel.first) * _amplitude(kernel.second)
    assert isinstance(kernel, SquaredExponential | Matern | MaternProduct)
    return float(kernel.variance)


def _column_scales(kernel: Kernel, columns: int) -> Array:
    """The length-scale of each column, of several kernels the shortest."""
    if isinstance(kernel, Sum | Product):
        parts = (_column_scales(each, columns) for each in (kernel.first, kernel.second))
        return np.minimum(*parts)
    assert isinstance(kernel, SquaredExponential | Matern | MaternProduct)
    lengths = np.asarray(kernel.lengthscale)
    if kernel.groups is None:
        return np.broadcast_to(lengths, columns)
    return np.asarray(lengths[np.asarray(kernel.groups)])
