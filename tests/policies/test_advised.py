"""What people claim as a term of a proposal: its value, its sign, and that bad advice is muted."""

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import expit

import counsel as cs
from counsel.facts.aliases import modern
from counsel.models.said import KINDS, SPREADS
from counsel.policies.listening import HEARING, heard

SPACE = cs.Space(heat=cs.Float(0, 1), time=cs.Float(0, 1))
MIDDLE = [(0.4, 0.5), (0.6, 0.4), (0.5, 0.6), (0.45, 0.35)]
TOP = {"heat": 0.9, "time": 0.8}


def payoff(values: Any) -> float:
    return float(-4 * (values["heat"] - 0.9) ** 2 - 2 * (values["time"] - 0.8) ** 2)


def begun(sign: float = 1.0, **settings: Any) -> Any:
    study = cs.create_study(SPACE, objective="taste", seed=1, **settings)
    for heat, time in MIDDLE:
        values = {"heat": heat, "time": time}
        study.tell(values, sign * payoff(values))
    return study


@pytest.fixture(scope="module", params=[None, "v-ucb", "ei"])
def claimed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    address = f"sqlite:///{tmp_path_factory.mktemp('advised') / 's.db'}"
    study = begun(policy=request.param, team="fused", storage=address)
    first = study.ask()
    study.decide(first, TOP, actor="ann")
    study.tell(first, payoff(study.proposal(first.id).values))
    study.claim(better={"heat": 1.0, "time": 0.9}, worse={"heat": 0.0, "time": 0.1}, actor="ann")
    study.ask()
    return study


def test_only_the_team_that_takes_advice_as_data_takes_it() -> None:
    for team in (None, "never", "credit"):
        made = begun(team=team)
        assert not made.policy.advised
        made.claim(better=TOP, worse={"heat": 0.1, "time": 0.1}, actor="ann")
        assert "advice" not in made.ask().terms
    assert "advice" not in begun(team="fused").ask().terms  # nobody has said anything
    kept = modern({"tag": "bandit", "settings": {"acquisition": None}})
    assert kept["settings"]["advised"] is False


def test_it_is_explained_adds_up_and_replays(claimed: Any) -> None:
    proposal = claimed.pending[-1]
    assert "advice" in proposal.terms
    why = claimed.explain(proposal)
    row = why.terms.index("advice")
    assert why.base[row] + why.values[row].sum() == pytest.approx(why.total[row], rel=1e-6)
    again = cs.load_study(claimed.name, claimed._ledger.storage)
    assert again.policy.advised
    assert again.replay().identical


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_what_is_said_to_be_better_looks_better(direction: str) -> None:
    sign = 1.0 if direction == "maximize" else -1.0
    made = begun(sign, policy="v-ucb", team="fused", direction=direction)
    made.claim(better=TOP, worse={"heat": 0.1, "time": 0.2}, actor="ann")
    score = made.explaining.score_now()
    terms = score.terms(jnp.array([[0.9, 0.8], [0.1, 0.2], *MIDDLE]))
    better, worse, *known = np.asarray(terms["advice"]).tolist()
    assert better > 0.0 > worse
    assert np.abs(known).max() < 0.2 * better  # what was measured nobody can talk away


def test_the_shift_is_that_of_weighted_samples() -> None:
    """Kind, spread and payoffs drawn from their priors, and weighted by two people's forecasts."""
    made = begun(policy="v-ucb", team="fused")
    pairs = [(TOP, {"heat": 0.1, "time": 0.2}), ({"heat": 0.1, "time": 0.9}, TOP)]
    for actor, (better, worse) in zip(("ann", "bob"), pairs, strict=True):
        made.claim(better=better, worse=worse, actor=actor)
    history = made._beliefs.history(made._ledger.state)
    belief = made.policy.believe(SPACE, history).posterior
    found = heard(SPACE, history, belief)
    points = np.array([[0.9, 0.8], [0.1, 0.2], [0.1, 0.9]])
    ours = float(belief.scale) * np.asarray(belief.between(points, found[0])) @ found[1]
    mean, covariance = (np.asarray(each) for each in belief.joint(points))
    rng = np.random.default_rng(0)
    many = 200_000
    f = rng.multivariate_normal(mean, covariance, many)
    unit, prior = history.y.std(), np.asarray(HEARING.prior)
    tells = dict(zip(KINDS, (1.0, 0.0, -1.0, 1.0), strict=True))
    weight = np.ones(many)
    for better, worse in ((0, 1), (2, 0)):
        gap = (f[:, better] - f[:, worse]) / unit
        chances = [
            p * np.mean([expit(tells[kind] * gap / s) ** 0.4 for s in SPREADS], axis=0)
            for kind, p in zip(KINDS, prior, strict=True)
        ]
        weight *= np.sum(chances, axis=0)
    expected = weight @ f / weight.sum() - mean
    np.testing.assert_allclose(ours, expected, atol=0.25 * np.sqrt(np.diagonal(covariance)).max())
    assert (np.sign(ours) == np.sign(expected))[np.abs(expected) > 0.05].all()


def test_people_who_agree_are_not_taken_for_contrary() -> None:
    """Each says of one more proposal that a point that nobody has tried is better."""
    space = cs.Space(a=cs.Float(0, 10), b=cs.Float(0, 10))
    made = cs.create_study(space, objective="y", seed=5, team="fused")
    for a, b, y in ((1, 1, 1.0), (9, 1, 2.0), (5, 5, 1.5), (8, 8, 2.2), (2, 4, 1.2)):
        made.tell({"a": a, "b": b}, y)
    theirs = {"a": 3, "b": 8}
    for actor in ("ann", "ben", "cy", "di"):
        made.claim(better=theirs, worse=made.ask(), actor=actor)
        why = made.explain(theirs)
        assert why.total[why.terms.index("advice")] > 0.0


def test_who_was_wrong_is_heard_less() -> None:
    """The same claim, by one whose suggestions came out well and by one whose came out badly."""
    felt = []
    for past in ([(0.8, 0.7), (0.75, 0.75), (0.85, 0.7)], [(0.1, 0.1), (0.15, 0.1), (0.1, 0.2)]):
        made = begun(policy="v-ucb", team="fused")
        for heat, time in past:
            proposal, mine = made.ask(), {"heat": heat, "time": time}
            made.claim(better=mine, worse=proposal, actor="ann")
            made.override(proposal, mine, actor="ann")
            made.tell(proposal, payoff(mine))
        made.claim(better={"heat": 1.0, "time": 0.0}, worse=made.ask(), actor="ann")
        terms = made.explaining.score_now().terms(jnp.array([[1.0, 0.0]]))
        felt.append(float(terms["advice"][0]))
    assert felt[0] > 0.0
    assert felt[0] > 2.0 * felt[1]
