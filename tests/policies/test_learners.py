"""DMCL and its rivals in a study: what they ask, what they certify, what a person can do."""

from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel import plots
from counsel.acquisition.registry import acquisitions
from counsel.constraints.learned import Confidence
from counsel.policies.candidates import NONE_SAFE, trials_of
from counsel.policies.union import refit_due

ARMS = cs.Arms([{"a": i / 5} for i in range(6)])
BOX = cs.Space(a=cs.Float(0, 1))
LIMITS = [cs.Constraint("calm", at_least=0.2), cs.Constraint("heat", at_most=1.5)]


def measured(values: Any) -> dict[str, float]:
    """Payoff grows with a, calm ends at 0.5, heat stays in bounds: the best safe arm is 0.4."""
    a = float(values["a"])
    return {"objective": a, "calm": 1.2 - 2.0 * a, "heat": 0.5 + 0.1 * a}


def tell(study: cs.Study, proposal: cs.Proposal, names: Any = None) -> None:
    seen = measured(proposal.values)
    asked = proposal.asks if names is None else names
    study.tell(proposal, seen["objective"], constraints={name: seen[name] for name in asked})


def run(policy: Any, rounds: int, space: Any = ARMS) -> tuple[cs.Study, list[cs.Proposal]]:
    study = cs.create_study(space, constraints=LIMITS, policy=policy, seed=2)
    made = []
    for _ in range(rounds):
        made.append(study.ask())
        tell(study, made[-1])
    return study, made


@pytest.fixture(scope="module")
def dmcl() -> tuple[cs.Study, list[cs.Proposal]]:
    return run(cs.policies.DMCL(confidence=Confidence(constant=3.0)), 14)


def test_finds_the_best_safe_arm_and_stays(dmcl: Any) -> None:
    study, made = dmcl
    assert study.best.values == {"a": 0.4}
    assert [p.values["a"] for p in made[-3:]] == [0.4] * 3
    assert made[-1].chances["calm"] > 0.99
    assert made[-1].prediction is not None
    assert study.predict({"a": 0.4}).mean == pytest.approx(0.4, abs=0.15)


def test_asks_everything_at_first_and_nothing_in_the_end(dmcl: Any) -> None:
    study, made = dmcl
    assert made[0].asks == ("calm", "heat")
    assert made[-1].asks == ()
    assert study.dataframe().calm.isna().any()


def test_the_safe_set_holds_the_best_safe_arm_and_nothing_unsafe(dmcl: Any) -> None:
    """Six arms of which three are safe; what cannot be the best need not be certified."""
    study, made = dmcl
    safe, uncertain = study.safe_sets().T
    assert len(safe) == len(made)
    assert 1 / 6 <= safe[-1] <= 0.5
    assert uncertain[-1] == 0.0
    certified = [point.values["a"] for point in study.safe_set().points]
    assert 0.4 in certified
    assert max(certified) < 0.5
    figure = plots.safe_set(study)
    np.testing.assert_allclose(sum(np.array(bar.y) for bar in figure.data), 100.0)
    with pytest.raises(cs.NothingToExplain):
        cs.create_study(ARMS, constraints=LIMITS, policy="dmcl").safe_sets()
    with pytest.raises(cs.NothingToExplain):
        cs.create_study(ARMS, policy="v-ucb").safe_sets()


def test_chances_anywhere(dmcl: Any) -> None:
    study, _ = dmcl
    for values, calm in (({"a": 0.2}, True), ({"a": 1.0}, False)):
        chances = study.chances(values)
        assert (chances["calm"] > 0.5) == calm
        assert chances["heat"] > 0.5
    assert cs.create_study(ARMS, constraints=LIMITS, policy="dmcl").chances({"a": 0.2}) == {}
    with pytest.raises(cs.InvalidInput):
        study.chances({"a": 0.33})


def test_what_overriding_gained_where_constraints_are_learned() -> None:
    study, _ = run("dmcl", 4)
    proposal = study.ask()
    study.override(proposal, {"a": 0.0}, actor="ann")
    study.tell(proposal, 0.0)
    (ann,) = study.overriding()
    own, theirs = study.predict_many([{"a": 0.0}, proposal.values])
    assert ann.gain == pytest.approx(own.mean - theirs.mean, abs=1e-9)
    assert ann.sd <= own.sd + theirs.sd


def test_replays(dmcl: Any) -> None:
    assert dmcl[0].replay().identical


def test_volunteering_more_is_welcome_and_less_is_no_error() -> None:
    study, _ = run("dmcl", 1)
    proposal = study.ask()
    tell(study, proposal, ("calm", "heat"))
    tell(study, study.ask(), ())
    assert study.ask().values["a"] >= 0.0


def test_everything_is_asked_at_threshold_zero() -> None:
    _, made = run(cs.policies.DMCL(ask_threshold=0.0), 5)
    assert all(p.asks == ("calm", "heat") for p in made)


@pytest.mark.parametrize("name", ["mcl", "acl", "acol"])
def test_the_others_ask_everything(name: str) -> None:
    study, made = run(name, 8)
    assert all(p.asks == ("calm", "heat") for p in made)
    assert study.replay().identical
    assert study.best is not None
    # Whatever an overall answer says: what is returned is certified for each constraint.
    assert study.best.values["a"] <= 0.4


def test_one_question_after_the_other() -> None:
    study = cs.create_study(
        ARMS, constraints=LIMITS, policy=cs.policies.DMCL(safe={"a": 0.0}), seed=2
    )
    first = study.ask()
    assert first.values == {"a": 0.0}
    seen = measured(first.values)
    study.tell(first, seen["objective"])
    asked = []
    while (question := study.next_question(first)) is not None:
        asked.append(question)
        study.tell(first, constraints={question: seen[question]})
    assert sorted(asked) == ["calm", "heat"]
    second = study.ask()
    study.tell(second, measured(second.values)["objective"])
    question = study.next_question(second)
    assert question in ("calm", "heat")
    # An answer far below the threshold settles the arm: nothing more is asked about it.
    value = {"calm": -9.0, "heat": 9.0}[question]
    study.tell(second, constraints={question: value})
    assert study.next_question(second) is None
    assert study.replay().identical


def test_trials_told_in_parts_are_one_trial() -> None:
    study = cs.create_study(ARMS, constraints=LIMITS, policy="dmcl")
    proposal = study.ask()
    study.tell(proposal, 1.0)
    study.tell(proposal, constraints={"calm": 0.5})
    study.tell({"a": 0.2}, 2.0)
    history = study._beliefs.history(study._ledger.state)
    points, outcomes, known = trials_of(history)
    assert len(points) == 2
    np.testing.assert_allclose(outcomes[0], [1.0, 0.3, 0.0])
    np.testing.assert_array_equal(known, [[True, True, False], [True, False, False]])


def test_the_papers_questions_are_those_of_its_rule_even_one_by_one() -> None:
    """Weights are relative to the largest, so some constraint reaches any threshold."""
    policy = cs.policies.DMCL(paper=True, ask_threshold=1.0, confidence=Confidence(constant=2.0))
    study, _ = run(policy, 3)
    proposal = study.ask()
    seen = measured(proposal.values)
    study.tell(proposal, seen["objective"])
    asked = []
    while (question := study.next_question(proposal)) is not None:
        asked.append(question)
        study.tell(proposal, constraints={question: seen[question]})
    assert 1 <= len(asked) <= 2
    assert len(proposal.asks) >= 1
    assert len(set(asked)) == len(asked)
    assert study.replay().identical


def test_no_safe_arm_is_an_answer() -> None:
    never = [cs.Constraint("calm", at_least=0.0)]
    study = cs.create_study(ARMS, constraints=never, policy=cs.policies.DMCL(budget=0), seed=2)
    for arm in ARMS:
        study.tell(arm, 1.0, constraints={"calm": -1.0})
    proposal = study.ask()
    assert NONE_SAFE in proposal.note
    assert study.best is not None
    assert not study.best.certified
    study.accept(proposal)


def test_a_box_works_too() -> None:
    study, _ = run("dmcl", 9, BOX)
    best = study.best
    assert best is not None
    assert best.values["a"] <= 0.5
    assert study.replay().identical
    proposal = study.ask()
    study.override(proposal, {"a": 0.123}, actor="ann")
    study.tell(proposal, 0.123, constraints={"calm": 0.95})
    study.ask()


def test_rejected_and_pending_arms() -> None:
    study, _ = run("dmcl", 3)
    refused = study.ask()
    study.reject(refused)
    others = study.ask(2)
    assert all(p.values != refused.values for p in others)
    assert others[0].values != others[1].values


def test_preferences_that_drift() -> None:
    study, made = run(cs.policies.DMCL(drifting=True, confidence=Confidence(constant=3.0)), 6)
    assert len({p.values["a"] for p in made}) > 1
    assert study.replay().identical


def test_contexts() -> None:
    space = cs.Arms([{"a": i / 5} for i in range(6)], context={"day": cs.Float(0, 1)})
    study = cs.create_study(space, constraints=LIMITS, policy="dmcl", seed=1)
    for day in (0.0, 1.0, 0.0, 1.0):
        tell(study, study.ask(context={"day": day}))
    assert study.replay().identical


@pytest.mark.parametrize("name", acquisitions.names())
def test_every_bandit_weighs_feasibility(name: str) -> None:
    study, made = run(name, 12)
    assert all(p.asks == ("calm", "heat") for p in made)
    assert study.best is not None
    assert study.best.values["a"] <= 0.5
    late = [p.values["a"] for p in made[6:]]
    assert np.mean([a <= 0.41 for a in late]) >= 0.5
    assert set(made[-1].chances) == {"calm", "heat"}
    own = {tag for tag in made[-1].terms if tag.startswith("feasibility")}
    assert own == {"feasibility:calm", "feasibility:heat"}


def test_bandits_weigh_feasibility_on_a_box() -> None:
    study, made = run("v-ucb", 8, BOX)
    assert study.best is not None
    assert made[-1].values["a"] <= 0.6
    assert study.replay().identical


@pytest.mark.parametrize(
    ("policy", "field"),
    [
        ({"ask_threshold": 1.5}, "ask_threshold"),
        ({"tolerance": -1.0}, "tolerance"),
        ({"budget": -1}, "budget"),
        ({"rank": -1}, "rank"),
        ({"safe": 3}, "safe"),
    ],
)
def test_settings_that_are_refused(policy: dict[str, Any], field: str) -> None:
    with pytest.raises(cs.InvalidInput) as caught:
        cs.policies.DMCL(**policy)
    assert caught.value.field == field


def test_too_many_arms_are_refused_with_a_remedy() -> None:
    many = cs.Arms(np.random.default_rng(0).uniform(size=(2000, 2)))
    with pytest.raises(cs.InvalidInput, match="fewer arms"):
        cs.create_study(many, constraints=LIMITS, policy=cs.policies.DMCL(certificate="union"))
    assert cs.create_study(many, constraints=LIMITS, policy="acl").ask().asks


def test_refits_become_rare() -> None:
    assert [n for n in range(40) if refit_due(n)] == [2, 3, 4, 6, 8, 12, 16, 24, 32]
