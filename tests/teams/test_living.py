"""In a study: how reasons compare, and what overriding was worth."""

import math
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.teams.alignment import Alignment, factor

GRID = [{"lifting": i / 6, "lowering": j / 6} for i in range(7) for j in range(7)]


def payoff(values: Any) -> float:
    return float(2.0 * values["lifting"] + 0.2 * values["lowering"])


@pytest.fixture(scope="module")
def study() -> Any:
    made = cs.create_study(cs.Arms(GRID), name="suit", policy="v-ucb", seed=2)
    for values in GRID[::5]:
        made.tell(values, payoff(values))
    better, worse = {"lifting": 1.0, "lowering": 1.0}, {"lifting": 0.0, "lowering": 0.0}
    for actor, values in (("ann", better), ("bob", worse), ("ann", better)):
        proposal = made.ask()
        made.override(proposal, values, actor=actor)
        made.tell(proposal, payoff(values))
    made.ask()
    return made


def test_overriding_is_the_difference_of_what_is_believed(study: Any) -> None:
    found = {each.actor: each for each in study.overriding()}
    assert set(found) == {"ann", "bob"}
    assert [each.proposal for each in found["ann"].each] == ["p1", "p3"]
    bob = found["bob"]
    only, *none = bob.each
    name, gain, sd = only.proposal, only.gain, only.sd
    assert not none
    proposed = study.proposal(name).values
    own, theirs = study.predict_many([{"lifting": 0.0, "lowering": 0.0}, proposed])
    assert gain == pytest.approx(own.mean - theirs.mean, abs=1e-9)
    assert bob.gain == pytest.approx(gain)
    assert bob.sd == pytest.approx(sd)
    assert bob.interval[0] <= bob.gain <= bob.interval[1]
    truth = payoff({"lifting": 0.0, "lowering": 0.0}) - payoff(proposed)
    assert truth < 0.0
    assert bob.gain == pytest.approx(truth, abs=0.3)
    # The same point against two: neighbours share their uncertainty, which a sum would not see.
    ann = found["ann"]
    assert ann.gain == pytest.approx(sum(each.gain for each in ann.each))


def test_minimising_turns_the_sign_but_not_the_sense() -> None:
    made = cs.create_study(cs.Arms(GRID), direction="minimize", seed=2)
    for values in GRID[::5]:
        made.tell(values, payoff(values))
    proposal = made.ask()
    made.override(proposal, {"lifting": 1.0, "lowering": 1.0}, actor="eve")
    (found,) = made.overriding()
    assert found.gain < 0.0


def test_nothing_to_report_without_overrides() -> None:
    made = cs.create_study(cs.Arms(GRID), seed=2)
    assert made.overriding() == ()
    assert made.alignment(made.ask()) is None


def test_alignment_compares_with_the_persons_own_choices(study: Any) -> None:
    pending = study.pending[-1]
    with_ann, with_bob = (study.alignment(pending, actor=who) for who in ("ann", "bob"))
    assert study.alignment(pending, actor="nobody") is None
    assert (with_ann.choices, with_bob.choices) == (2, 1)
    assert with_ann.parameters == ("lifting", "lowering")
    assert sum(map(abs, with_ann.person)) == pytest.approx(1.0)
    # Lifting makes nearly all of the payoff: for whoever goes up, against whoever goes down.
    assert with_ann.person[0] > 0.7
    assert with_bob.person[0] < -0.7
    why = study.explain(pending)
    ours = np.asarray(why.values)[why.terms.index("exploitation")]
    np.testing.assert_allclose(with_ann.machine, ours / np.abs(ours).sum())


def test_the_factor_and_the_sentence() -> None:
    assert factor(np.array([1.0, 2.0]), np.array([[2.0, 1.0]])) == pytest.approx(4.0)
    assert math.isinf(factor(np.array([1.0, -2.0]), np.array([[2.0, 1.0]])))
    names = ("lifting", "lowering")
    apart = Alignment("p1", "ann", names, (0.2, 0.8), (0.7, -0.3), 9.0, 3)
    assert apart.sentence() == "Your past choices were driven by lifting; this one by lowering."
    alike = Alignment("p1", "ann", names, (0.8, 0.2), (0.7, 0.3), 1.7, 3)
    assert alike.sentence() == "This proposal is driven by lifting, as your past choices were."
