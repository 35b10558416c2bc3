"""What contributions are worth, where what is maximised is on a scale of its own."""

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import counsel as cs
from counsel.acquisition.terms import total

BOX = cs.Space(x=cs.Float(0, 10), y=cs.Float(0, 1))


def failing(unit: float) -> cs.Study:
    """Yields in some unit; hot trials fail."""
    study = cs.create_study(BOX, objective="yield", seed=1)
    for _ in range(14):
        proposal = study.ask()
        x, y = float(proposal.values["x"]), float(proposal.values["y"])
        if x + 6.0 * y > 11.0:
            study.fail(proposal)
        else:
            study.tell(proposal, unit * (50.0 - (x - 7.0) ** 2 - 20.0 * (y - 0.6) ** 2))
    assert study.failures
    return study


def maximised(study: cs.Study, proposal: cs.Proposal, point: dict[str, Any]) -> float:
    score: Any = study.explaining.score_of(proposal)
    at = jnp.asarray(study.problem.space.encode(point))[None, :]
    return float(total(score.terms(at))[0])


def test_reasons_do_not_depend_on_the_unit_of_the_objective() -> None:
    """The gap to the best counts by its logarithm, and so does the chance that a trial works."""
    told = []
    for unit in (1.0, 1000.0, 0.001):
        study = failing(unit)
        proposal = study.ask()
        whys = study.explain(proposal), study.explain({"x": 9.0, "y": 0.9})
        told.append(
            [(why.sentence().split(" Apart")[0], (why.gains / unit).tolist()) for why in whys]
        )
    for other in told[1:]:
        for (sentence, gains), (expected, as_expected) in zip(other, told[0], strict=True):
            assert sentence == expected
            np.testing.assert_allclose(gains, as_expected, rtol=1e-5)


def test_where_payoffs_have_a_scale_gains_are_as_much_as_what_was_maximised_in_their_units() -> (
    None
):
    study = failing(1.0)
    proposal = study.ask()
    best = maximised(study, proposal, dict(proposal.values))
    score: Any = study.explaining.score_of(proposal)
    unit = float(score.unit)
    for x, y in ((2.0, 0.2), (9.0, 0.9), (6.0, 0.5), (7.5, 0.3)):
        why = study.explain({"x": x, "y": y}, instead_of=proposal)
        gap = maximised(study, proposal, {"x": x, "y": y}) - best
        assert np.sign(why.gains.sum()) == np.sign(gap)
        # The same factor for every term: that of the chance is known.
        chance = why.terms.index("feasibility:success")
        (weight,) = why.log_weights[[chance]]
        assert why.gains.sum() / weight == pytest.approx(gap / unit, rel=1e-6)


def test_improvements_on_a_scale_add_up_to_what_was_maximised() -> None:
    arms = cs.Arms(np.random.default_rng(0).uniform(size=(60, 2)), names=["a", "b"])
    study = cs.create_study(arms, objective="y", seed=0)
    for i in range(9):
        proposal = study.ask()
        values = {name: float(each) for name, each in proposal.values.items()}
        if i in (3, 5):
            study.fail(proposal)
        else:
            study.tell(proposal, float(np.sin(5.0 * values["a"]) + values["b"]))
    proposal = study.ask()
    best = maximised(study, proposal, dict(proposal.values))
    for row in (7, 20, 41):
        other = arms[row]
        why = study.explain(other, instead_of=proposal)
        assert why.gains.sum() == pytest.approx(maximised(study, proposal, other) - best, rel=1e-9)
