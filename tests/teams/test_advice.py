"""Should I step in? Advice for one decision, in every kind of study."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.study import advising
from counsel.teams.advice import Past, Sides, advise, track_record
from counsel.teams.deciding import Ruling, Situation, teams

GRID = [{"lifting": i / 6, "lowering": j / 6} for i in range(7) for j in range(7)]
TOP, BOTTOM = {"lifting": 1.0, "lowering": 1.0}, {"lifting": 0.0, "lowering": 0.0}
NEAR = {"lifting": 5 / 6, "lowering": 0.5}
NAMES = ("lifting", "lowering")


def payoff(values: Any) -> float:
    return float(2.0 * values["lifting"] + 0.2 * values["lowering"])


def begun(**options: Any) -> cs.Study:
    made = cs.create_study(cs.Arms(GRID), policy="v-ucb", seed=2, **options)
    for values in GRID[::5]:
        made.tell(values, payoff(values))
    return made


@pytest.fixture(scope="module")
def study() -> Any:
    made = begun()
    for actor, values in (("ann", TOP), ("bob", BOTTOM)):
        proposal = made.ask()
        made.override(proposal, values, actor=actor)
        made.tell(proposal, payoff(values))
    made.ask()
    return made


# ---- the arithmetic -----------------------------------------------------------------------------


def sides(mean: Any, sds: Any, keeps: Any = (1.0, 1.0)) -> Sides:
    return Sides(
        np.asarray(mean, dtype=float),
        np.diag(np.square(np.asarray(sds, dtype=float))),
        np.asarray(keeps, dtype=float),
        np.array([1.0, 0.0]),
    )


def said(given: Sides, *past: Past, **options: Any) -> Any:
    record = track_record(NAMES, past, given.kind)
    return advise("p1", "ann", TOP, given, record, None, **options)


def test_the_chance_is_the_probability_of_a_draw() -> None:
    rng = np.random.default_rng(0)
    given = sides((0.0, 0.4), (0.3, 0.5), (0.9, 0.6))
    found = said(given)
    draws = rng.multivariate_normal(given.mean, given.covariance, 200_000)
    credit = found.credit.mean + found.credit.sd * rng.standard_normal(len(draws))
    own = draws[:, 1] + credit * 0.5
    keeps = rng.uniform(size=draws.shape) < given.keeps
    better = keeps[:, 1] & (~keeps[:, 0] | (own > draws[:, 0]))
    neither = ~keeps.any(axis=1)
    assert found.chance == pytest.approx(better[~neither].mean(), abs=0.005)
    assert found.gain == pytest.approx((own - draws[:, 0]).mean(), abs=0.005)
    assert found.sd == pytest.approx((own - draws[:, 0]).std(), abs=0.005)
    low, high = found.interval
    assert np.mean((own - draws[:, 0] > low) & (own - draws[:, 0] < high)) == pytest.approx(
        0.95, abs=0.005
    )


def test_below_a_limit_the_chance_is_that_of_the_gaps() -> None:
    """A far point with a wide log-normal gap is not half as good as a Gaussian would have it."""
    log_gaps = np.random.default_rng(0).multivariate_normal(
        [0.0, 2.0], [[0.09, 0.03], [0.03, 1.2]], size=400_000
    )
    payoffs = 5.0 - np.exp(log_gaps)
    mean, covariance = payoffs.mean(axis=0), np.cov(payoffs.T)
    given = Sides(mean, covariance, np.ones(2), np.array([1.0, 0.0]), limit=5.0)
    assert given.in_units(*given.gaussian)[0] == pytest.approx(mean)
    assert given.in_units(*given.gaussian)[1] == pytest.approx(covariance)
    rng = np.random.default_rng(1)
    # Nothing is known of the person, who may be better or worse than the model by 0.7 sds.
    credit = 0.7 * np.sqrt(1.2) * rng.standard_normal(len(log_gaps))
    better = float((log_gaps[:, 1] - credit < log_gaps[:, 0]).mean())
    found = said(given)
    assert found.chance == pytest.approx(better, abs=0.01)
    gains = np.exp(log_gaps[:, 0]) - np.exp(log_gaps[:, 1] - credit)
    assert found.interval == pytest.approx(np.quantile(gains, [0.025, 0.975]), rel=0.1)
    assert found.interval[1] < np.exp(2.0)  # nothing lies beyond the limit


def test_a_record_counts_as_surprises_and_only_in_their_parameters() -> None:
    here, there = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    lucky = [Past(2.0, 1.0, here)] * 3
    about = track_record(NAMES, lucky, here)
    other = track_record(NAMES, lucky, there)
    assert about.mean == pytest.approx(6.0 / (1 / 0.49 + 3.0))
    assert about.sd == pytest.approx((1 / 0.49 + 3.0) ** -0.5)
    assert (other.mean, other.sd) == pytest.approx((0.0, 0.7))
    first, second = about.parameters
    assert (first.mean, first.sd) == (about.mean, about.sd)
    assert (second.mean, second.sd) == (other.mean, other.sd)
    noisy = track_record(NAMES, [Past(2.0, 0.1, here)] * 3, here)
    assert 0.0 < noisy.mean < about.mean


def test_a_record_of_good_choices_turns_the_advice_and_bad_ones_turn_it_back() -> None:
    near = sides((0.0, -0.1), (0.2, 0.5))
    here = np.array([1.0, 0.0])
    assert said(near).recommendation == "your call"
    assert said(near, *[Past(2.0, 1.0, here)] * 4).recommendation == "step in"
    assert said(near, *[Past(-2.0, 1.0, here)] * 4).recommendation == "go ahead"


@pytest.mark.parametrize(
    ("given", "recommendation", "words"),
    [
        (sides((0.0, 2.0), (0.2, 0.5)), "step in", "expected to gain 2"),
        (sides((2.0, 0.0), (0.2, 0.5)), "go ahead", "expected to lose 2"),
        (sides((0.0, 0.0), (0.2, 0.2)), "your call", "hardly be told apart"),
        (
            sides((0.0, 2.0), (0.2, 0.5), (0.9, 0.1)),
            "go ahead",
            "it keeps the constraints with a chance of 90%",
        ),
        (
            sides((1.0, 0.0), (0.2, 0.5), (0.1, 0.9)),
            "step in",
            "it keeps the constraints with a chance of 90%",
        ),
        (
            sides((0.81, 0.0), (0.2, 0.2), (0.12, 0.0)),  # not half a coin: yours never keeps them
            "go ahead",
            "Neither is likely to keep the constraints, at least one with a chance of 12%; if one "
            "does, the machine's is better with a chance of 99%",
        ),
        (
            sides((0.0, 2.0), (0.2, 0.5), (0.2, 0.04)),  # better if it works, which is the point
            "go ahead",
            "with a chance of 83%: it keeps the constraints with a chance of 20%, yours 4%",
        ),
        (
            sides((0.0, 2.0), (0.2, 0.5), (0.9, 0.1))._replace(
                what="keep the constraints and work"
            ),
            "go ahead",
            ": it keeps the constraints and works with a chance of 90%, yours 10%",
        ),
        (sides((0.0, 0.2), (0.5, 0.2)), "your call", "the machine's would teach more"),
    ],
)
def test_the_sentence_says_what_the_numbers_say(
    given: Sides, recommendation: str, words: str
) -> None:
    found = said(given)
    assert found.recommendation == recommendation
    assert words in found.why
    assert found.why.endswith(".")


def test_the_numbers_are_those_of_the_advice() -> None:
    here = np.array([1.0, 0.0])
    found = said(sides((0.0, 2.0), (0.2, 0.5)))
    gain, credit = found.numbers()
    low, high = found.interval
    assert gain == f"Expected gain 2, with 95% from {low:.3g} to {high:.3g}."
    assert credit == "Nothing is known yet of what your advice is worth."
    record = track_record(NAMES, [Past(2.0, 1.0, here)] * 3, here, forecasts=2, right=1)
    first, second = record.parameters
    assert record.sentence() == (
        f"Your credit is {record.mean:.2f} ± {record.sd:.2f} sds, from 3 measured choices and "
        f"1 of 2 forecasts right; by parameter lifting {first.mean:.2f} ± {first.sd:.2f}, "
        f"lowering {second.mean:.2f} ± {second.sd:.2f}."
    )


def test_certain_is_not_said_of_what_is_not() -> None:
    assert "99%" in said(sides((0.0, 50.0), (0.1, 0.1))).why


# ---- in a study ---------------------------------------------------------------------------------


def test_a_better_point_is_called_better_and_a_worse_one_worse(study: Any) -> None:
    pending = study.pending[-1]
    assert pending.values == TOP
    middle = {"lifting": 0.5, "lowering": 0.5}
    up = study.advise(pending, NEAR, actor="cid")
    down = study.advise(pending, BOTTOM, actor="cid")
    assert down.recommendation == "go ahead"
    assert up.chance > down.chance
    assert up.gain > study.advise(pending, middle, actor="cid").gain > down.gain
    assert down.gain == pytest.approx(payoff(BOTTOM) - payoff(pending.values), abs=0.3)
    assert study.advise(pending, dict(pending.values)).why == "This is what was proposed."


def test_the_proposal_is_as_uncertain_as_it_was_when_proposed(study: Any) -> None:
    """A trial under way has not come out, and its own uncertainty is part of the comparison."""
    pending = study.pending[-1]
    found = study.advise(pending, NEAR, actor="cid")
    mean, covariance = study.explaining.jointly(expecting=False)(
        np.array([[*pending.values.values()], [*NEAR.values()]], dtype=float)
    )
    apart = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert found.gain == pytest.approx(mean[1] - mean[0])
    assert found.sd**2 == pytest.approx(apart + 0.49 * covariance[1, 1])


def test_each_person_has_their_own_record(study: Any) -> None:
    pending = study.pending[-1]
    ann, bob, cid = (study.advise(pending, NEAR, actor=who) for who in ("ann", "bob", "cid"))
    assert (ann.credit.trials, bob.credit.trials, cid.credit.trials) == (1, 1, 0)
    assert (cid.credit.mean, cid.credit.sd) == (0.0, 0.7)
    assert ann.alignment is not None
    assert cid.alignment is None
    assert [each.parameter for each in ann.credit.parameters] == list(NAMES)


def test_a_surprise_is_measured_against_what_was_believed_before() -> None:
    made = begun()
    proposal = made.ask()
    expected = made.predict(TOP)
    made.override(proposal, TOP, actor="ann")
    assert made.advise(proposal, TOP, actor="ann").credit.trials == 0
    made.tell(proposal, expected.mean + 5.0)
    after = made.ask()
    found = made.advise(after, TOP, actor="ann").credit
    assert found.trials == 1
    assert made.advise(after, actor="ann").credit.mean > 0.5
    made.withdraw(made.observations[-1])
    assert made.advise(after, actor="ann").credit.trials == 0


def test_minimising_turns_the_sign_but_not_the_sense() -> None:
    made = begun(direction="minimize")
    proposal = made.ask()
    assert made.advise(proposal, TOP).gain < 0.0
    assert made.advise(proposal, TOP).recommendation == "go ahead"


def test_nothing_is_known_before_anything_is_measured() -> None:
    made = cs.create_study(cs.Arms(GRID), seed=2)
    proposal = made.ask()
    found = made.advise(proposal, TOP, actor="ann")
    assert (found.recommendation, found.chance, found.gain, found.interval) == (
        "your call",
        None,
        None,
        None,
    )
    assert "Nothing has been measured yet" in found.why
    assert "compared" in made.advise(proposal).why


def test_a_policy_that_expects_nothing_says_so() -> None:
    """Something was measured, and it is no use to it."""
    made = cs.create_study(cs.Arms(GRID), policy="random", seed=2, team="always")
    for values in GRID[::5]:
        made.tell(values, payoff(values))
    found = made.advise(made.ask(), TOP, actor="ann")
    assert found.chance is None
    assert "Nothing has been measured" not in found.why
    assert found.why.startswith("The policy expects nothing of either")
    assert found.recommendation == "step in"  # the rule needs no expectations


def test_there_is_no_advice_on_what_is_over() -> None:
    made = begun(team="always")
    told, rejected = made.ask(2)
    assert made.advise(told, BOTTOM, actor="ann").recommendation == "step in"
    made.tell(told, 1.0)
    made.reject(rejected, actor="ann", reason="no", scope="point")
    for proposal in (told, rejected):
        found = made.advise(proposal, BOTTOM, actor="ann")
        assert (found.recommendation, found.chance, found.third) == ("your call", None, None)
        assert found.why == "This proposal is over: there is nothing left to decide."
    with pytest.raises(cs.Conflict, match="already told"):
        made.decide(told, BOTTOM, actor="ann")


def test_no_credit_is_not_negative() -> None:
    record = track_record(NAMES, [Past(-0.001, 1.0, np.array([1.0, 0.0]))], None)
    assert record.mean < 0.0
    assert "0.00 ± " in record.sentence()
    assert "-0.00" not in record.sentence()


def test_comparisons_alone_are_enough() -> None:
    made = cs.create_study(cs.Arms(GRID), objective="preference", seed=2)
    untold = made.advise(made.ask(), TOP, actor="ann")
    assert "Nothing has been compared yet" in untold.why
    for low, high in ((0, 48), (8, 40), (16, 32)):
        made.compare(winner=GRID[high], loser=GRID[low], actor="ann")
    first, _ = made.ask(2)
    found = made.advise(first, BOTTOM, actor="ann")
    assert found.chance is not None
    assert found.chance < 0.5


def test_a_point_that_breaks_a_constraint_is_not_better() -> None:
    made = cs.create_study(
        cs.Arms(GRID), policy="v-ucb", constraints=[cs.Constraint("calm", at_least=0.0)], seed=2
    )
    for values in GRID[::4]:
        made.tell(values, payoff(values), constraints={"calm": 0.6 - values["lifting"]})
    proposal = made.ask()
    found = made.advise(proposal, TOP)
    assert found.recommendation == "go ahead"
    assert "keeps the constraints" in found.why


def test_a_context_is_the_proposals() -> None:
    space = cs.Space(x=cs.Float(0, 1), context={"rain": cs.Categorical(["no", "yes"])})
    made = cs.create_study(space, policy="v-ucb", seed=1)
    for x in (0.0, 0.3, 0.6, 0.9):
        made.tell({"x": x}, x, context={"rain": "no"})
        made.tell({"x": x}, -x, context={"rain": "yes"})
    dry, wet = made.ask(context={"rain": "no"}), made.ask(context={"rain": "yes"})
    low = {"x": 0.05}
    assert made.advise(dry, low).chance < made.advise(wet, low).chance


def test_the_best_so_far_is_what_is_expected_of_it_in_the_context(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[Situation] = []
    entry = teams.get("never")
    rule = replace(entry, thing=lambda each: seen.append(each) or Ruling(False))
    monkeypatch.setattr(advising.teams, "get", lambda _: rule)
    space = cs.Space(x=cs.Float(0, 1), context={"rain": cs.Categorical(["no", "yes"])})
    made = cs.create_study(space, policy="v-ucb", team="never", seed=1)
    for x in (0.0, 0.3, 0.6, 0.9):
        made.tell({"x": x}, 10.0 * x, context={"rain": "no"})
        made.tell({"x": x}, x, context={"rain": "yes"})
    for rain in ("no", "yes"):
        made.advise(made.ask(context={"rain": rain}), {"x": 0.05})
    dry, wet = (each.best for each in seen)
    assert dry > 7.0
    assert wet < 3.0


def test_bad_input_is_refused() -> None:
    made = begun()
    proposal = made.ask()
    with pytest.raises(cs.InvalidInput, match="lifting"):
        made.advise(proposal, {"lifting": 0.5})
    with pytest.raises(cs.NotFound):
        made.advise("p99", TOP)
    with pytest.raises(cs.InvalidInput, match="actor"):
        made.advise(proposal, TOP, actor=3)  # type: ignore[arg-type]
