"""The output weight in studies: over boxes, choices, contexts and with priors."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats.qmc

import counsel as cs
from counsel.acquisition import GPUCB, LWUCB, Beta, PrunedUCB, Round
from counsel.acquisition.output_weighted import WeightedBound
from counsel.acquisition.survey import fill
from counsel.facts.history import History
from counsel.models.density import output_weight
from counsel.models.gp import Data, posterior
from counsel.models.kernels import SquaredExponential
from counsel.policies import Bandit

BOX = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))
MIXED = cs.Space(x=cs.Float(0, 1), n=cs.Int(0, 6), kind=cs.Categorical(["a", "b", "c"]))
GIVEN = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1), context={"z": cs.Float(0, 1)})
TABLE = cs.Arms([{"a": a, "b": b, "c": c} for a in "pqrs" for b in "tuvw" for c in "xyz"])


def history(space: Any, seed: int = 0, t: int = 13, n: int = 12, z: float = 0.5) -> History:
    """Trials of a hill on a slope, in random places; the hill moves with the context."""
    rng = np.random.default_rng([seed, 5])
    if isinstance(space, cs.Arms):
        chosen = space.points[rng.integers(len(space), size=n)]
    else:
        chosen = fill(space, n, rng)
    given = rng.uniform(size=(n, space.context_dim))
    centre = 0.3 + 0.4 * given.sum(axis=1)
    y = np.exp(-4 * (chosen[:, 0] - centre) ** 2) + 0.3 * chosen.sum(axis=1)
    nothing = np.zeros((0, space.dim + space.context_dim))
    context = np.full(space.context_dim, z)
    return History(
        np.concatenate([chosen, given], axis=1),
        y,
        nothing,
        nothing[:, : space.dim],
        context,
        t,
        seed,
    )


def weight_of(rule: Any, space: Any, facts: History) -> Any:
    """The round's weight, as a function of chosen columns."""
    score = Bandit(rule).score(cs.Problem(space), facts)
    assert isinstance(score, WeightedBound)
    at = jax.jit(lambda s, x: s.weight(x))
    return lambda points: np.asarray(at(score, jnp.asarray(points)))


def uniform(space: cs.Space, count: int = 20_000) -> np.ndarray:
    return fill(space, count, np.random.default_rng(99))


# ---- over boxes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_the_weight_averages_one_over_a_box(seed: int) -> None:
    weight = weight_of(LWUCB(), BOX, history(BOX, seed))
    assert weight(uniform(BOX)).mean() == pytest.approx(1.0, abs=0.03)


def test_the_weight_is_the_mixtures_density_relative_to_the_uniform_one() -> None:
    facts = history(BOX)
    score: Any = Bandit(LWUCB()).score(cs.Problem(BOX), facts)
    points = uniform(BOX)
    density = np.exp(np.asarray(score.weight.mixture.log_density(jnp.asarray(points))))
    weight = np.asarray(score.weight(jnp.asarray(points)))
    np.testing.assert_allclose(weight / density, weight[0] / density[0], rtol=1e-9)
    # The density of what is inside, where the uniform one is 1.
    np.testing.assert_allclose(weight, density / density.mean(), rtol=0.03)


def test_the_weight_averages_one_over_numbers_and_choices() -> None:
    weight = weight_of(LWUCB(), MIXED, history(MIXED))
    assert weight(uniform(MIXED)).mean() == pytest.approx(1.0, abs=0.1)


def test_the_weight_has_nothing_to_do_with_the_search() -> None:
    """Another round has other candidates, and the same belief the same weight."""
    points = uniform(BOX, 200)
    weights = [weight_of(LWUCB(), BOX, history(BOX, t=t))(points) for t in (13, 14)]
    np.testing.assert_allclose(*weights, rtol=1e-4)  # each round fits anew, from other starts
    biased = [weight_of(LWUCB(density="search"), BOX, history(BOX, t=t))(points) for t in (13, 14)]
    assert np.abs(biased[0] / biased[1] - 1.0).max() > 1e-2


def test_the_weight_is_that_of_any_sample_that_fills_the_space() -> None:
    """Another sample, of another kind and ten times as large, tells nearly the same."""
    facts = history(BOX)
    belief = Bandit(LWUCB()).believe(BOX, facts).posterior
    sobol = scipy.stats.qmc.Sobol(2, seed=1).random(8192)
    means = (np.asarray(belief.mean(sobol)) - float(belief.offset)) / float(belief.scale)
    other = jax.jit(output_weight, static_argnums=(3, 4))(means, sobol, None, 4, ())
    points = np.concatenate([facts.x[[np.argmax(facts.y)]], uniform(BOX, 200)])
    expected = np.asarray(other(jnp.asarray(points)))
    found = weight_of(LWUCB(), BOX, facts)(points)
    assert np.abs(found - expected).mean() < 0.15
    assert found[0] == pytest.approx(expected[0], rel=0.3)
    biased = weight_of(LWUCB(density="search"), BOX, facts)(points)
    assert np.abs(biased - expected).mean() > 2 * np.abs(found - expected).mean()


# ---- over arms with choices ---------------------------------------------------------------------


@pytest.mark.parametrize("rule", [LWUCB(), PrunedUCB()], ids=lambda rule: type(rule).__name__)
def test_choices_are_weighed_within_reason(rule: Any) -> None:
    """Weights of arms are not as far apart as Gaussians on one-hot columns put them."""
    weight, earlier = (
        weight_of(each, TABLE, history(TABLE))(TABLE.points)
        for each in (rule, type(rule)(density="search"))
    )
    assert weight.max() / weight.min() < 0.5 * earlier.max() / earlier.min()
    if isinstance(rule, LWUCB):
        assert weight.mean() == pytest.approx(1.0, rel=1e-9)


# ---- contexts -----------------------------------------------------------------------------------


def test_in_a_context_the_weight_is_of_the_payoffs_there() -> None:
    points = uniform(cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1)))
    low, high = (weight_of(LWUCB(), GIVEN, history(GIVEN, n=24, z=z))(points) for z in (0.05, 0.95))
    for weight in (low, high):
        assert weight.mean() == pytest.approx(1.0, abs=0.05)
    assert np.abs(low - high).mean() > 0.1


def rounds(policy: Bandit, space: Any) -> Round:
    facts = history(space)
    believed = posterior(
        SquaredExponential(np.ones(1)), np.asarray(0.1), Data.padded(np.zeros((1, 1)), np.zeros(1))
    )
    return policy._round(space, facts, np.zeros((1, space.dim)), None, believed, {})


@pytest.mark.parametrize(
    ("space", "size"),
    [
        (TABLE, 48),
        (BOX, 100**2),
        (MIXED, 100 * 7 * 3),
        (GIVEN, 100**3),
        (cs.Arms([[0.0], [1.0], [2.0]], context={"who": cs.Categorical(["a", "b"])}), 3 * 2),
        (cs.Space(n=cs.Int(1, 10**6), context={"day": cs.Int(1, 7)}), 100 * 7),
        (cs.Space(**{f"x{i}": cs.Float(0, 1) for i in range(150)}), 1e200),
    ],
)
def test_gp_ucb_counts_every_alternative_in_every_context(space: Any, size: float) -> None:
    round = rounds(Bandit(GPUCB()), space)
    assert round.domain == pytest.approx(size)
    t, d = 13, space.dim + space.context_dim
    belief = Bandit(GPUCB()).believe(space, history(space)).posterior if d < 100 else None
    if belief is not None:
        score: Any = GPUCB(0.2).score(belief, round)
        beta = 2 * np.log(size * t**2 * np.pi**2 / (6 * 0.2))
        assert float(score.weight) == pytest.approx(np.sqrt(beta), rel=1e-12)


# ---- priors -------------------------------------------------------------------------------------


def test_a_prior_over_a_box_enters_twice() -> None:
    """The weight is the mixture of p_x / p_mu, with p_mu the push-forward of p_x."""
    facts, prior = history(BOX), {"x": Beta(2, 8)}
    survey = LWUCB(prior=prior).survey(BOX, np.zeros(0), facts.seed)
    assert survey is not None
    points = np.asarray(survey.points)
    belief = Bandit(LWUCB()).believe(BOX, facts).posterior
    means = (np.asarray(belief.mean(points)) - float(belief.offset)) / float(belief.scale)
    density = scipy.stats.beta(2, 8).pdf(points[:, 0])
    weigh = jax.jit(output_weight, static_argnums=(3, 4), static_argnames=("cube",))
    expected = np.asarray(weigh(means, points, density, 4, (), cube=True)(jnp.asarray(points)))
    found = weight_of(LWUCB(prior=prior), BOX, facts)(points)
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-6)
    without = weight_of(LWUCB(), BOX, facts)(points)
    assert np.abs(found - without).mean() > 0.1


def test_a_prior_of_ones_is_none() -> None:
    points = uniform(BOX, 100)
    for space, prior in ((BOX, {"x": Beta(1, 1)}), (TABLE, np.ones(48))):
        where = points if space is BOX else TABLE.points
        some, none = (
            weight_of(LWUCB(prior=given), space, history(space))(where) for given in (prior, None)
        )
        np.testing.assert_allclose(some, none, rtol=1e-6)


def test_a_prior_over_arms_leaves_out_what_never_occurs() -> None:
    never = np.array([arm["a"] == "p" for arm in TABLE])
    weight = weight_of(LWUCB(prior=np.where(never, 0.0, 1.0)), TABLE, history(TABLE))
    found = weight(TABLE.points)
    assert found[never].mean() < 0.5 * found[~never].mean()
    assert found.mean() == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize(
    ("space", "prior"),
    [
        (TABLE, {"a": {"p": 5, "q": 1, "r": 1, "s": 1}}),
        (MIXED, {"x": Beta(2, 8), "n": Beta(2, 2), "kind": {"a": 1, "b": 0, "c": 2}}),
        (GIVEN, {"y": Beta(8, 2), "z": Beta(2, 2)}),
    ],
    ids=["arms", "box", "contexts"],
)
def test_a_study_with_a_prior(space: Any, prior: Any) -> None:
    study = cs.create_study(space, policy=Bandit(LWUCB(prior=prior), initial=3), seed=1)
    context = {"z": 0.4} if space.context else None
    for i in range(5):
        study.tell(study.ask(context=context), float(i % 3))
    assert study.ask(context=context).terms.keys() == {"exploitation", "approximation"}
    assert study.replay().identical
