"""What an audit of constraint learning found, a test for each finding.

Everything goes through the public API, on problems that the package's rules were not chosen on.
"""

from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.constraints import certificate
from counsel.experiments.dmcl.results import RESULTS
from counsel.policies import certified as rounds
from counsel.service.web import words
from counsel.worlds.driving import driving
from counsel.worlds.invented import INVENTED
from ten_arms import ARMS, LIMITS, play, truth


@pytest.mark.parametrize("world", ["Kitchen", "Mill"])
def test_best_is_certified_in_the_safe_set_and_safe(world: str) -> None:
    """Thirty arms, four constraints: what is returned after every trial."""
    instance = INVENTED[world](31)
    policy = cs.policies.DMCL(safe=tuple(instance.space[instance.start].items()))
    study = cs.create_study(instance.space, constraints=instance.records(), policy=policy, seed=31)
    rng, certified = np.random.default_rng(31), 0
    for _ in range(8):
        proposal = study.ask()
        seen = instance.observe(instance.space.index(proposal.values), rng)
        payoff = seen.pop("objective")
        study.tell(proposal, payoff, constraints={name: seen[name] for name in proposal.asks})
        best, safe = study.best, [point.values for point in study.safe_set().points]
        assert best is not None
        assert best.values == safe[0]
        assert instance.safe[[instance.space.index(values) for values in safe]].all()
        certified += bool(best.certified)
    assert certified >= 3


def test_answers_told_in_turns_to_two_trials_are_two_trials() -> None:
    study = cs.create_study(ARMS, constraints=LIMITS, policy="dmcl", seed=0)
    first, second = study.ask(2)
    for name in ("calm", "heat"):
        for proposal in (first, second):
            study.tell(proposal, constraints={name: truth(proposal.values["a"])[name]})
    for proposal in (second, first):
        study.tell(proposal, proposal.values["a"])
    history = study._beliefs.history(study._ledger.state)
    assert len(history.points) == 6
    assert len(set(history.trials.tolist())) == 2
    found = certificate.certify(study.problem, history, ARMS.points)
    assert rounds._explored(history, ARMS.points, found) <= 2


def test_a_seed_that_the_answers_contradict_loses_its_status() -> None:
    policy = cs.policies.DMCL(safe={"a": 1.0}, budget=6)
    study = cs.create_study(ARMS, constraints=LIMITS, policy=policy, seed=0)
    made = play(study, 12)
    assert made[0].values == {"a": 1.0}
    assert sum(p.values == {"a": 1.0} for p in made) <= 3
    assert rounds.REVOKED in made[-1].note
    assert {"a": 1.0} not in [point.values for point in study.safe_set().points]
    assert "contradict" in study.safe_set().note
    assert study.replay().identical


def test_yes_no_answers_certify_nothing_unsafe() -> None:
    limits = [cs.Constraint(name, answer="yes/no") for name in ("calm", "heat")]
    for seed in range(3):
        policy = cs.policies.DMCL(safe={"a": 0.0})
        study = cs.create_study(ARMS, constraints=limits, policy=policy, seed=seed)
        rng = np.random.default_rng(seed)
        for _ in range(12):
            proposal = study.ask()
            felt = truth(proposal.values["a"])
            noise = 0.1 * rng.standard_normal(2)
            # As comparisons of NumPy are: a yes is a yes.
            answers = {"calm": felt["calm"] + noise[0] >= 0, "heat": felt["heat"] + noise[1] <= 1}
            given = {name: answers[name] for name in proposal.asks}
            study.tell(proposal, felt["objective"], constraints=given)
            assert all(point.values["a"] < 0.5 for point in study.safe_set().points)
        assert study.best is not None
        assert study.best.values["a"] >= 2 / 9


def test_two_who_say_yes_are_no_certificate() -> None:
    """As numbers without much noise, they were one."""
    study = cs.create_study(ARMS, constraints=[cs.Constraint("calm", answer="yes/no")], seed=0)
    for _ in range(2):
        study.tell({"a": 5 / 9}, 0.5, constraints={"calm": "yes"})
    assert study.safe_set().points == ()
    assert 0.8 < study.chances({"a": 5 / 9})["calm"] < 0.98


def test_yes_and_no_alone_certify_something() -> None:
    """Nobody vouches for anything, and a yes says less than a number."""
    limits = [cs.Constraint(name, answer="yes/no") for name in ("calm", "heat")]
    study = cs.create_study(ARMS, constraints=limits, policy="dmcl", seed=0)
    for _ in range(20):
        proposal = study.ask()
        felt = truth(proposal.values["a"])
        says = {"calm": felt["calm"] >= 0, "heat": felt["heat"] <= 1}
        study.tell(proposal, felt["objective"])
        while (question := study.next_question(proposal)) is not None:
            study.tell(proposal, constraints={question: "yes" if says[question] else "no"})
        assert study.best is not None
        if study.best.certified:
            break
        assert "No trial is certified" in study.best.note
    assert study.best is not None
    assert study.best.certified
    assert study.best.values["a"] < 0.5


def test_the_default_settings_are_those_that_are_measured() -> None:
    shipped = cs.create_study(ARMS, constraints=LIMITS, policy="dmcl").policy
    assert isinstance(shipped, cs.policies.DMCL)
    assert shipped.standardise
    for world in RESULTS.worlds:
        assert RESULTS.methods[0].acquisition_in(world).policy == shipped


def test_an_unsafe_arm_that_is_settled_is_not_tried_again() -> None:
    policy = cs.policies.DMCL(safe={"a": 0.0})
    study = cs.create_study(ARMS, constraints=LIMITS, policy=policy, seed=1)
    made = play(study, 25)
    unsafe = [p.values["a"] for p in made if p.values["a"] > 0.5]
    assert len(unsafe) <= 8
    assert max((unsafe.count(a) for a in set(unsafe)), default=0) <= 4
    assert all(p.values["a"] < 0.5 for p in made[-5:])


def test_an_answer_changes_the_belief_about_its_own_outcome_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The history is not gone through again for every question."""
    made: list[int] = []
    believe = certificate.believe

    def counted(answers: Any, *settings: Any, **more: Any) -> Any:
        made.append(len(answers))
        return believe(answers, *settings, **more)

    monkeypatch.setattr(certificate, "believe", counted)
    limits = [cs.Constraint(f"c{i}", at_least=0.0) for i in range(5)]
    study = cs.create_study(ARMS, constraints=limits, policy="dmcl", seed=0)
    for i, arm in enumerate(list(ARMS)[:4]):
        study.tell(arm, arm["a"], constraints={f"c{j}": 0.01 * (i + j + 1) for j in range(5)})
    proposal = study.ask()
    study.tell(proposal, 0.5)
    question = study.next_question(proposal)
    assert question is not None
    made.clear()
    study.tell(proposal, constraints={question: 0.02})
    study.next_question(proposal)
    assert len(made) == 1


def test_a_thousand_arms_and_five_constraints_are_no_limit() -> None:
    points = np.random.default_rng(0).uniform(size=(1000, 3))
    limits = [cs.Constraint(f"c{i}", at_least=0.0) for i in range(5)]
    study = cs.create_study(cs.Arms(points), constraints=limits, policy="dmcl", seed=0)
    for arm in range(3):
        answers = {f"c{i}": float(points[arm, 0] - 0.1 * i) for i in range(5)}
        study.tell(study.problem.space[arm], float(points[arm].sum()), constraints=answers)
    proposal = study.ask()
    study.tell(proposal, 9.0)
    assert study.next_question(proposal) in {limit.name for limit in limits}


def test_too_many_arms_for_joint_bounds_are_refused_at_creation() -> None:
    points = np.random.default_rng(0).uniform(size=(1000, 3))
    limits = [cs.Constraint(f"c{i}", at_least=0.0) for i in range(5)]
    policy = cs.policies.DMCL(certificate="union")
    with pytest.raises(cs.InvalidInput, match="4096 pairs"):
        cs.create_study(cs.Arms(points), constraints=limits, policy=policy)


@pytest.mark.parametrize("policy", ["acl", "acol"])
def test_an_overall_answer_needs_all_answers_unless_it_is_the_constraint(policy: str) -> None:
    """They learn the mean of all answers; who wants to give one answer has one constraint."""
    two = cs.create_study(ARMS, constraints=LIMITS, policy=policy, seed=0)
    for _ in range(3):  # of a first trial every policy asks everything
        proposal = two.ask()
        assert set(proposal.asks) == {"calm", "heat"}
        felt = truth(proposal.values["a"])
        two.tell(proposal, felt.pop("objective"), constraints=felt)
    one = [cs.Constraint("overall", at_least=0.0)]
    study = cs.create_study(ARMS, constraints=one, policy=policy, seed=0)
    proposal = study.ask()
    assert proposal.asks == ("overall",)
    study.tell(proposal, 0.3, constraints={"overall": 0.5})
    assert study.ask().asks == ("overall",)


def test_a_used_up_budget_is_said() -> None:
    policy = cs.policies.DMCL(safe={"a": 0.0}, budget=1)
    study = cs.create_study(ARMS, constraints=LIMITS, policy=policy, seed=0)
    made = play(study, 5)
    assert "budget for exploring is used up" in made[-1].note
    assert "undecided" in made[-1].note


def test_what_is_known_is_not_asked_while_something_is_in_doubt() -> None:
    world = driving(1000)
    policy = cs.policies.DMCL(safe=tuple(world.space[world.start].items()))
    study = cs.create_study(world.space, constraints=world.records(), policy=policy, seed=0)
    rng = np.random.default_rng(0)
    for _ in range(6):
        proposal = study.ask()
        seen = world.observe(world.space.index(proposal.values), rng)
        chances = proposal.chances
        if chances and proposal.asks:  # all asked are likelier to fail than all that are not
            asked = [chances[name] for name in proposal.asks]
            rest = [chances[name] for name in world.constraints if name not in proposal.asks]
            assert asked == sorted(asked)
            assert max(asked) <= min(rest, default=1.0)
        study.tell(proposal, seen["objective"])
        answered: set[str] = set()
        while (question := study.next_question(proposal)) is not None:
            if chances:  # of a first trial everything is asked
                known = 1.0 - 0.02 / (2 * len(world.constraints))
                now = study.chances(proposal.values)
                assert now[question] < known
                left = [now[name] for name in world.constraints if name not in answered]
                assert now[question] <= min(left) + 0.1  # about the likeliest to fail
            study.tell(proposal, constraints={question: seen[question]})
            answered.add(question)


def test_what_is_known_is_not_asked_however_cheap_it_is() -> None:
    arms = cs.Arms([{"a": i / 9} for i in range(10)])
    limits = [
        cs.Constraint("known", at_least=0.0, cost=1e-9),
        cs.Constraint("doubtful", at_least=0.0, cost=1.0),
    ]
    study = cs.create_study(arms, constraints=limits, policy="dmcl", seed=0)
    for i in range(10):
        study.tell(arms[i], i / 9, constraints={"known": 5.0})
    for i in (0, 5):
        study.tell(arms[i], i / 9, constraints={"doubtful": 0.5 - i / 9})
    asked = []
    for _ in range(4):
        proposal = study.ask()
        study.tell(proposal, proposal.values["a"])
        while (question := study.next_question(proposal)) is not None:
            asked.append(question)
            study.tell(proposal, constraints={question: 0.5 - proposal.values["a"]})
    assert set(asked) == {"doubtful"}


def test_the_page_says_why_a_question_is_asked() -> None:
    assert words.asked(0.54) == "54%: the answer decides whether this stays in"
    assert words.asked(0.3).endswith("and then this is out")
    assert words.asked(0.97) == "97%: one more answer may certify this"
