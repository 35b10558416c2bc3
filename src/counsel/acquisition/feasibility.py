r"""Weights any acquisition by the probability that all constraints hold.

$$ a_c(x) = (a(x) - \text{floor}) \prod_i P(c_i(x) \ge 0), \qquad
   \log \mathrm{EI}_c(x) = \log \mathrm{EI}(x) + \sum_i \log P(c_i(x) \ge 0) $$

The floor is the least value over the round's sample: a product would reward a small chance where
the value is negative. Every term is weighted alike, so the terms still add up to the acquisition.
An acquisition in log space gets one more term, `feasibility` (Gardner et al. 2014).

Each constraint has a Gaussian process of its own. These policies ask about everything in every
trial, and then correlated models predict hardly better; asking less is what `policies.dmcl` is for.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from counsel.acquisition.terms import Acquisition, Round, Score, Terms, total
from counsel.models.gp import Posterior


class FeasibleScore(eqx.Module):
    score: Score
    constraints: tuple[Posterior, ...]
    floor: Float[Array, ""]

    @property
    def whole(self) -> bool:
        return self.score.whole

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        terms = self.score.terms(x)
        logs = log_chance(self.constraints, x)
        if in_logs(self.score):
            return {**terms, "feasibility": logs}
        chance = jnp.exp(logs)
        first = next(iter(terms))
        lifted = {**terms, first: terms[first] - self.floor}
        return {name: chance * term for name, term in lifted.items()}


class Feasible(eqx.Module):
    """`acquisition` under `constraints`: posteriors of margins that must be 0 or more."""

    acquisition: Acquisition
    constraints: tuple[Posterior, ...]

    def score(self, posterior: Posterior, round: Round) -> FeasibleScore:
        score = self.acquisition.score(posterior, round)
        floor = jnp.zeros(())
        if not in_logs(score):
            floor = jnp.min(total(score.terms(jnp.asarray(round.sample))))
        return FeasibleScore(score, self.constraints, floor)


def in_logs(score: Score) -> bool:
    """Whether a score is a logarithm, so that factors become terms."""
    return bool(getattr(score, "logarithmic", False))


def log_chance(constraints: tuple[Posterior, ...], x: Float[Array, "n d"]) -> Float[Array, " n"]:
    """Log of the probability that all constraints hold, taken as independent."""
    logs = jnp.zeros(x.shape[0])
    for posterior in constraints:
        mean, sd = posterior.predict(x)
        logs = logs + jax.scipy.special.log_ndtr(mean / sd)
    return logs
