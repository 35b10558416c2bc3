r"""Thompson sampling: act greedily on one draw from the posterior (LW-UCB eq. 12).

Over at most `exact` arms the draw is one exact joint Gaussian over all of them. Over more arms,
or a box, it is a function: a prior draw from random features with the exact pathwise update.
"""

from typing import ClassVar

import equinox as eqx
from jaxtyping import Array, Float, Key

from counsel.acquisition.registry import acquisitions
from counsel.acquisition.terms import Round, Terms
from counsel.facts.checks import check_whole
from counsel.models.gp import Posterior
from counsel.models.pathwise import PathwiseDraw, pathwise_draw


class FunctionDraw(eqx.Module):
    """One posterior function, evaluated wherever asked."""

    function: PathwiseDraw
    whole: ClassVar[bool] = False

    @property
    def posterior(self) -> Posterior:
        return self.function.posterior

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        return {"draw": self.function(x)}


class JointDraw(eqx.Module):
    """One exact joint draw over all the points of a call."""

    posterior: Posterior
    key: Key[Array, ""]
    whole: ClassVar[bool] = True

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        return {"draw": self.posterior.draw(self.key, x)}

    def continued(self, points: Float[Array, "m d"]) -> "ContinuedDraw":
        """The draw over these points as a function: elsewhere, what is expected given the draw."""
        return ContinuedDraw(self.posterior, points, self.posterior.draw_weights(self.key, points))


class ContinuedDraw(eqx.Module):
    """A joint draw over points, continued to all others by the posterior."""

    posterior: Posterior
    points: Float[Array, "m d"]
    weights: Float[Array, " m"]
    whole: ClassVar[bool] = False

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        return {"draw": self.posterior.continued(self.weights, self.points, x)}


@acquisitions.register(
    "ts",
    title="Thompson sampling",
    sentence="The best point of one function drawn from what is believed.",
)
class TS(eqx.Module):
    """Thompson sampling: exact over up to `exact` arms, else with `features` random features."""

    reads_data: ClassVar[bool] = True
    drawn: ClassVar[bool] = True
    exact: int = eqx.field(static=True, default=1024)
    features: int = eqx.field(static=True, default=1024)

    def __check_init__(self) -> None:
        check_whole("exact", self.exact, least=0)
        check_whole("features", self.features, least=1)

    def score(self, posterior: Posterior, round: Round) -> FunctionDraw | JointDraw:
        if round.finite and round.sample.shape[0] <= self.exact:
            return JointDraw(posterior, round.key())
        return FunctionDraw(pathwise_draw(posterior, round.key(), self.features))
