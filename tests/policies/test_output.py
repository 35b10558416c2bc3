"""The objective's scale chosen by evidence: everything that people see is in their units."""

import numpy as np
import pytest

import counsel as cs
from counsel.facts.aliases import modern
from counsel.policies.bandit import Bandit
from counsel.policies.description import describe

POINTS = np.random.default_rng(1).uniform(size=(14, 2))
MINE = {"x": 0.2, "y": 0.7}


def payoff(x: float, y: float) -> float:
    """Spans three decades."""
    return float(np.exp(4.0 * np.sin(4.0 * x) * np.cos(3.0 * y)))


def study(direction: str, sign: float = 1.0, shift: float = 0.0) -> cs.Study:
    found = cs.create_study(
        cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1)),
        direction=direction,  # type: ignore[arg-type]
        policy="v-ucb",
        output="evidence",
        initial=3,
    )
    for x, y in POINTS:
        found.tell({"x": float(x), "y": float(y)}, sign * payoff(x, y) + shift)
    return found


@pytest.mark.parametrize(
    ("direction", "sign"), [("maximize", 1.0), ("minimize", 1.0), ("maximize", -1.0)]
)
def test_payoffs_that_span_decades_are_believed_to_stay_on_their_side(
    direction: str, sign: float
) -> None:
    found = study(direction, sign, shift=50.0).what_if(MINE).prediction
    assert found is not None
    assert found.limit is not None
    worst = sign * min(payoff(x, y) for x, y in POINTS) + 50.0
    # The limit is a little beyond the smallest payoff, and no interval crosses it.
    assert sign * (found.limit - worst) < 0.0
    low, high = found.interval(3.0)
    assert low < found.mean < high
    assert (sign * (np.array([low, high]) - found.limit) > 0.0).all()


def test_what_was_measured_is_predicted_in_its_own_units() -> None:
    own = study("maximize")
    for x, y in POINTS[:4]:
        found = own.what_if({"x": float(x), "y": float(y)}).prediction
        assert found is not None
        assert found.mean == pytest.approx(payoff(x, y), rel=0.1)


def test_explanations_add_up_and_replays_are_identical() -> None:
    own = study("maximize")
    proposal = own.ask()
    why = own.explain(proposal)
    np.testing.assert_allclose(why.base + why.values.sum(axis=1), why.total, rtol=1e-8)
    bound = float(np.sum(why.total))
    assert proposal.prediction is not None
    assert bound > proposal.prediction.mean
    assert own.advise(proposal, mine=MINE, actor="ann") is not None
    own.tell(proposal, payoff(**proposal.values))
    own.ask()
    assert own.replay().identical


def test_the_units_of_the_objective_do_not_matter() -> None:
    plain = study("maximize").ask()
    moved = study("maximize", shift=-300.0).ask()
    np.testing.assert_allclose(list(plain.values.values()), list(moved.values.values()), atol=1e-4)


def test_another_word_is_refused() -> None:
    with pytest.raises(cs.InvalidInput, match="Use 'fixed' or 'evidence'"):
        cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="v-ucb", output="log")


def test_a_stored_policy_without_the_setting_keeps_its_scale() -> None:
    written = describe(Bandit(cs.acquisition.VUCB()))
    del written["settings"]["output"]
    assert modern(written)["settings"]["output"] == "fixed"


def test_a_payoff_near_zero_does_not_make_expectations_run_away() -> None:
    """Where little is known, the median of a log-normal belief is expected, not its mean."""
    own = cs.create_study(cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1)), output="evidence", seed=0)
    largest, most = 0.0, 0.0
    for trial in range(10):
        proposal = own.ask()
        if proposal.prediction is not None:
            most = max(most, proposal.prediction.mean / largest)
        a, b = (float(proposal.values[name]) for name in "ab")
        value = 10.0 ** (6.0 * np.exp(-4.0 * ((a - 0.7) ** 2 + (b - 0.3) ** 2)))
        value = 1e-3 if trial == 6 else value
        own.tell(proposal, value)
        largest = max(largest, value)
    # With the mean it was 5.4.
    assert 0.5 < most < 1.5
