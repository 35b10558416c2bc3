"""What a person may rely on: what is certified, tried, asked and said."""

from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.constraints.seeking import HOPE, LESS_OPTIMISM, OPTIMISM
from counsel.experiments.dmcl import robot_arm
from counsel.experiments.dmcl.studies import Played
from counsel.experiments.dmcl.studies import play as plays
from counsel.service.web import words
from counsel.worlds.driving import driving
from counsel.worlds.invented import INVENTED
from ten_arms import ARMS, LIMITS, play, truth


@pytest.fixture(scope="module")
def played() -> tuple[cs.Study, list[cs.Proposal]]:
    policy = cs.policies.DMCL(safe={"a": 0.0})
    study = cs.create_study(ARMS, constraints=LIMITS, policy=policy, seed=1)
    return study, play(study, 25)


# ---- what is certified is what is returned ------------------------------------------------------


def test_the_best_trial_is_certified_and_in_the_safe_set(played: Any) -> None:
    study, _ = played
    best, safe = study.best, study.safe_set()
    assert best.certified is True
    assert best.chance >= safe.certainty
    assert best.values == safe.points[0].values
    assert best.values["a"] == pytest.approx(4 / 9)
    lower = [point.lower["objective"] for point in safe.points]
    assert lower == sorted(lower, reverse=True)
    assert all(point.values["a"] < 0.5 for point in safe.points)


def test_the_safe_set_has_bounds_that_hold(played: Any) -> None:
    study, _ = played
    for point in study.safe_set().points:
        for name, value in truth(point.values["a"]).items():
            assert point.lower[name] <= value <= point.upper[name]
        assert point.lower["heat"] < point.upper["heat"] <= 1.0 or point.declared


@pytest.mark.parametrize("policy", ["v-ucb", "random", "acol", None])
def test_the_best_trial_is_certified_whatever_policy_proposes(policy: str | None) -> None:
    study = cs.create_study(ARMS, constraints=LIMITS, policy=policy, seed=0)
    for arm in list(ARMS)[::2] * 2:
        seen = truth(arm["a"])
        study.tell(arm, seen.pop("objective"), constraints=seen)
    assert study.best is not None
    assert study.best.certified
    assert study.best.values["a"] == pytest.approx(4 / 9)
    assert study.best.values in [point.values for point in study.safe_set().points]


def test_nothing_certified_is_said_and_the_likeliest_is_offered() -> None:
    study = cs.create_study(ARMS, constraints=LIMITS, policy="dmcl")
    for arm in list(ARMS)[5:]:
        seen = truth(arm["a"])
        study.tell(arm, seen.pop("objective"), constraints=seen)
    best = study.best
    assert best is not None
    assert best.certified is False
    assert best.chance is not None
    assert best.chance < 0.5
    assert "certified" in best.note
    assert best.values["a"] == pytest.approx(5 / 9)
    assert study.safe_set().points == ()
    assert "No point is certified" in study.safe_set().note


def test_without_constraints_nothing_is_certified() -> None:
    study = cs.create_study(ARMS, policy="v-ucb")
    study.tell(study.ask(), 1.0)
    assert study.best is not None
    assert study.best.certified is None
    with pytest.raises(cs.NothingToExplain):
        study.safe_set()
    unanswered = cs.create_study(ARMS, constraints=LIMITS, policy="dmcl")
    with pytest.raises(cs.NothingToExplain):
        unanswered.safe_set()


def test_a_box_says_where_it_is_safe() -> None:
    box = cs.Space(a=cs.Float(0, 1))
    study = cs.create_study(box, constraints=LIMITS, policy="dmcl", seed=3)
    play(study, 14, sequential=False)
    safe = study.safe_set()
    assert safe.points
    assert all(point.values["a"] < 0.5 for point in safe.points)
    assert 0.2 < safe.share < 0.57  # half of the box, from a sample of 512
    assert "a from" in safe.note
    assert safe.certified > len(safe.points) == 200  # what is listed, and what there is
    assert study.best is not None
    assert study.best.certified
    assert study.best.values["a"] > 0.35


def test_whole_numbers_say_where_they_are_safe() -> None:
    dose = cs.Space(a=cs.Int(0, 9))
    study = cs.create_study(dose, constraints=[cs.Constraint("calm", at_least=0.0)], policy="dmcl")
    for a in (0, 2, 4, 5, 7, 9):
        study.tell({"a": a}, float(a), constraints={"calm": 4.5 - a})
    assert "a from 0 to" in study.safe_set().note
    assert study.safe_set().considered == 10


# ---- trials -------------------------------------------------------------------------------------


@pytest.mark.parametrize("attentive", [True, False])
def test_a_seed_is_contradicted_by_what_its_answers_say_together(attentive: bool) -> None:
    """Each of the three answers leaves it a chance, and all of them none."""
    policy = cs.policies.DMCL(safe={"a": 1.0}, attentive=attentive)
    limits = [cs.Constraint(name, at_least=0.0) for name in ("x", "y", "z", "never asked")]
    study = cs.create_study(ARMS, constraints=limits, policy=policy, seed=0)
    proposal = study.ask()
    study.tell(proposal, 1.0, constraints={"x": -1.0})
    assert [point.declared for point in study.safe_set().points] == [True]
    study.tell(proposal, constraints={"y": -1.0, "z": -1.0})
    assert study.best is not None
    assert study.best.declared is not attentive
    assert len(study.safe_set().points) == (0 if attentive else 1)
    word = "No trial is certified" if attentive else "although by the answers alone"
    assert word in study.best.note


def test_while_nothing_is_certified_every_proposal_says_so() -> None:
    study = cs.create_study(ARMS, constraints=LIMITS, policy="dmcl", seed=0)
    study.tell(study.ask(), 1.0, constraints={"calm": -0.5, "heat": 0.9})
    proposal = study.ask()
    together = np.prod(list(proposal.chances.values()))
    assert (
        proposal.note
        == f"Nothing is certified yet. All constraints hold here with a chance of {together:.0%}."
    )


def test_a_seed_that_nothing_contradicts_is_kept() -> None:
    policy = cs.policies.DMCL(safe={"a": 0.0})
    study = cs.create_study(ARMS, constraints=LIMITS, policy=policy, seed=0)
    proposal = study.ask()
    study.tell(proposal, 0.0, constraints={"calm": 0.01})
    (only,) = study.safe_set().points
    assert only.values == {"a": 0.0}
    assert only.declared
    assert only.chance < 0.98
    best = study.best
    assert best is not None
    assert (best.values, best.declared, best.certified) == ({"a": 0.0}, True, False)
    assert "Only what was declared safe" in study.safe_set().note
    study.tell({"a": 1.0}, 9.0, constraints={"calm": 0.01, "heat": 0.99})
    assert study.best is not None
    assert study.best.declared
    assert "declared so" in study.best.note  # and so it is said, whatever else is
    assert "was better (9)" in study.best.note


def test_a_range_of_certified_points_is_not_that_of_declared_ones() -> None:
    policy = cs.policies.DMCL(safe={"a": 0.0})
    limits = [cs.Constraint("calm", at_least=0.0)]
    study = cs.create_study(cs.Space(a=cs.Float(0, 1)), constraints=limits, policy=policy)
    study.tell(study.ask(), 0.0, constraints={"calm": 0.01})
    assert [point.declared for point in study.safe_set().points] == [True]
    assert "lie within" not in study.safe_set().note


def test_what_trials_leave_in_doubt_is_given_up() -> None:
    """Of an instance with an arm at the very edge, which pays more than all that is safe."""
    world = driving(20022)
    assert np.abs(world.payoffs[1:, 2]).min() < 0.01
    assert world.payoffs[0, 2] > world.payoffs[0, world.best]
    runs = {
        gentle: plays(Played(cs.policies.DMCL(gentle=gentle, choosy=False)), world, 22, 20022)
        for gentle in (False, True)
    }
    tried = {gentle: int((run["arm"] == 2).sum()) for gentle, run in runs.items()}
    assert tried[True] <= 8 < tried[False]
    assert runs[True]["asked"].sum() < runs[False]["asked"].sum()
    assert bool(runs[True]["found"].iloc[-1])


def test_only_a_gentle_search_is_choosy() -> None:
    world = driving(1003)
    made = [
        plays(Played(cs.policies.DMCL(gentle=False, choosy=choosy, unasked=1.0)), world, 6, 1003)
        for choosy in (False, True)
    ]
    assert made[0].equals(made[1])


def test_a_risky_trial_has_to_promise_more() -> None:
    """Of two that pay alike: the one that hardly pays more is tried if it is nearly surely safe."""
    world, told = INVENTED["Kitchen"](1014), []
    for choosy in (False, True):
        run = plays(Played(cs.policies.DMCL(choosy=choosy)), world, 40, 1014)
        unsafe = run[run["exploring"] & run["unsafe"]]
        told.append(len(unsafe))
        assert bool(run["found"].iloc[-1])
    assert told[1] < told[0]


def test_a_choosy_search_finds_what_answers_about_others_ruled_out() -> None:
    """Of the instances where a model that nobody corrected was wrong about the best arm."""
    for seed in (1014, 1055):
        world = driving(seed)
        runs = {
            choosy: plays(Played(cs.policies.DMCL(choosy=choosy, hope=None)), world, 20, seed)
            for choosy in (False, True)
        }
        assert world.best not in set(runs[False]["arm"])
        assert bool(runs[True]["found"].iloc[-1])


def test_an_arm_unlike_its_neighbours_is_found() -> None:
    """Of an instance whose best arm nobody tries who does without hope."""
    seed = 1144
    world = robot_arm.instance(seed)
    runs = {
        hope: plays(Played(cs.policies.DMCL(hope=hope)), world, 60, seed) for hope in (None, HOPE)
    }
    assert world.best not in set(runs[None]["arm"])
    assert bool(runs[HOPE]["found"].iloc[-1])


def test_arms_that_pay_nearly_the_same_are_all_tried() -> None:
    """One unlucky measurement of the better one does not end its trials."""
    arms = cs.Arms([[0.0], [0.45], [0.55], [1.0]], names=["a"])
    payoffs, tried = {0.0: 0.0, 0.45: 1.0, 0.55: 1.02, 1.0: 0.0}, {}
    for optimism in (LESS_OPTIMISM, OPTIMISM):
        policy = cs.policies.DMCL(safe={"a": 0.45}, optimism=optimism)
        limit = cs.Constraint("calm", at_least=0.0)
        study = cs.create_study(arms, constraints=[limit], policy=policy, seed=0)
        rng, count = np.random.default_rng(4), dict.fromkeys(payoffs, 0)
        for _ in range(30):
            proposal = study.ask()
            a = proposal.values["a"]
            noise = -0.1 if a == 0.55 and not count[a] else 0.05 * rng.standard_normal()
            count[a] += 1
            answers = dict.fromkeys(proposal.asks, 1.0)
            study.tell(proposal, payoffs[a] + noise, constraints=answers)
        assert study.replay().identical
        tried[optimism] = min(count[0.45], count[0.55])
    assert tried[OPTIMISM] > tried[LESS_OPTIMISM]


def test_a_box_is_optimised_over_no_more_boldly() -> None:
    made = []
    for optimism in (LESS_OPTIMISM, OPTIMISM):
        policy = cs.policies.DMCL(safe={"a": 0.0}, optimism=optimism)
        study = cs.create_study(
            cs.Space(a=cs.Float(0, 1)), constraints=LIMITS, policy=policy, seed=0
        )
        made.append([(p.values, p.terms) for p in play(study, 8)])
    assert made[0] == made[1]


def test_what_is_relied_on_was_asked_about() -> None:
    """Of an instance whose unsafe arm was certified by what other arms are like."""
    world = driving(1064)
    runs = {
        unasked: plays(Played(cs.policies.DMCL(unasked=unasked)), world, 14, 1064)
        for unasked in (1.0, 3.0)
    }
    assert runs[1.0]["wrong"].any()
    assert not runs[3.0]["wrong"].any()
    assert bool(runs[3.0]["found"].iloc[-1])


def test_a_point_in_doubt_again_does_not_use_up_the_budget() -> None:
    """An arm that was optimised over for long loses its certificate: it can still be settled."""
    world = driving(1017)
    run = plays(Played(cs.policies.DMCL(unasked=1.0)), world, 100, 1017)
    assert bool(run["found"].iloc[-1])


def test_what_nobody_tried_is_not_given_up_while_it_promises_enough() -> None:
    """Of an instance whose best arm is believed to fail, from answers about others alone."""
    world = driving(1021)
    runs = {
        hope: plays(Played(cs.policies.DMCL(hope=hope, choosy=False)), world, 14, 1021)
        for hope in (None, 0.03)
    }
    assert world.best not in set(runs[None]["arm"])
    assert bool(runs[0.03]["found"].iloc[-1])
    first = runs[0.03][runs[0.03]["arm"] == world.best].iloc[0]
    assert first["asked"] == 8  # its payoff does not end the questions, only an answer does


def test_what_is_worth_trying_again_is_worth_asking_about() -> None:
    run = plays(Played(cs.policies.DMCL()), INVENTED["Kitchen"](20005), 20, 20005)
    in_vain = run[run["exploring"] & (run["asked"] == 0)]
    assert not in_vain["arm"].duplicated().any()


def test_a_model_that_does_not_cover_is_said() -> None:
    arms = cs.Arms([{"a": i / 39} for i in range(40)])
    study = cs.create_study(arms, constraints=LIMITS[:1], policy="dmcl", seed=0)
    for i, arm in enumerate(arms):
        for _ in range(4):  # repeated answers agree with each other, and neighbours but for one
            study.tell(arm, 0.0, constraints={"calm": 0.5 - arm["a"] + (i == 20)})
    assert "does not expect" in study.safe_set().note
    assert "calm" in study.safe_set().note


# ---- risk ---------------------------------------------------------------------------------------


def test_under_a_risk_limit_no_trial_is_likely_to_violate() -> None:
    policy = cs.policies.DMCL(safe={"a": 0.0}, risk_limit=0.2)
    study = cs.create_study(ARMS, constraints=LIMITS, policy=policy, seed=0)
    made = play(study, 25)
    chances = [np.prod(list(p.chances.values())) for p in made if p.chances]
    certified = {point.values["a"] for point in study.safe_set().points}
    later = [p for p in made if p.chances]
    assert all(
        chance >= 0.8 or p.values["a"] in certified
        for chance, p in zip(chances, later, strict=True)
    )
    assert sum(p.values["a"] > 0.5 for p in made) <= 1
    assert study.best is not None
    assert study.best.values["a"] >= 3 / 9  # it grew from the seed


def test_nothing_left_under_the_risk_limit_is_said() -> None:
    policy = cs.policies.DMCL(safe={"a": 0.0}, risk_limit=1e-6)
    study = cs.create_study(ARMS, constraints=LIMITS, policy=policy, seed=0)
    made = play(study, 20)
    assert any("risk limit of 1e-06" in p.note for p in made)


GRID = cs.Arms([{"dose": i / 6, "speed": j / 5} for i in range(7) for j in range(6)])


def felt(values: Any) -> dict[str, float]:
    d, s = values["dose"], values["speed"]
    return {"comfort": 0.8 - 1.1 * d - 0.1 * s, "ease": 0.6 - 0.9 * s + 0.2 * d, "jerk": d * s}


def expanded(limit: float, rounds: int, **settings: Any) -> tuple[cs.Study, list[cs.Proposal]]:
    """A grid from its harmless corner, under a risk limit."""
    limits = [cs.Constraint("comfort", at_least=0.0), cs.Constraint("ease", at_least=0.0)]
    limits.append(cs.Constraint("jerk", at_most=0.4))
    policy = cs.policies.DMCL(safe=GRID[0], risk_limit=limit, **settings)
    study = cs.create_study(GRID, constraints=limits, policy=policy, seed=0)
    rng, made = np.random.default_rng(2), []
    for _ in range(rounds):
        proposal = study.ask()
        made.append(proposal)
        pays = 3 * proposal.values["dose"] + 2 * proposal.values["speed"]
        study.tell(proposal, pays + 0.05 * rng.standard_normal())
        truth = felt(proposal.values)
        while (question := study.next_question(proposal)) is not None:
            answer = truth[question] + 0.05 * rng.standard_normal()
            study.tell(proposal, constraints={question: answer})
    return study, made


@pytest.mark.parametrize("limit", [0.1, 0.2])
def test_under_a_risk_limit_no_trial_is_made_for_nothing(limit: float) -> None:
    """A trial that learns about points beyond the limit is asked about, and nothing is silent."""
    study, made = expanded(limit, 12)
    said = [p for p in made if f"risk limit of {limit:g}" in p.note]
    assert said
    assert all(p.asks for p in said if "to learn about" in p.note)
    before, early = expanded(limit, 12, attentive=False)
    assert sum(not p.asks and not p.note for p in made) == 0
    assert len(study.safe_set().points) >= len(before.safe_set().points)
    if limit == 0.1:  # it stood at its first point, and said nothing
        assert sum(not p.asks and not p.note for p in early) >= 5
        assert "tell answers about" in made[-1].note
    else:
        assert len(study.safe_set().points) > len(before.safe_set().points)
    assert study.replay().identical


def test_the_first_trial_anywhere_cannot_keep_a_risk_limit() -> None:
    policy = cs.policies.DMCL(risk_limit=0.1)
    study = cs.create_study(ARMS, constraints=LIMITS, policy=policy, seed=0)
    assert "risk limit of 0.1 cannot be promised" in study.ask().note
    seeded = cs.policies.DMCL(risk_limit=0.1, safe={"a": 0.0})
    study = cs.create_study(ARMS, constraints=LIMITS, policy=seeded, seed=0)
    first, second = study.ask(2)
    assert not first.note
    assert "cannot be promised" in second.note


# ---- questions ----------------------------------------------------------------------------------


def test_a_costly_question_is_asked_later() -> None:
    """Two constraints that are equally in doubt: the cheap one is asked first."""
    for cost, first in ((5.0, "right"), (0.2, "left")):
        limits = [
            cs.Constraint("left", at_least=0.0, cost=cost),
            cs.Constraint("right", at_least=0.0),
        ]
        study = cs.create_study(ARMS, constraints=limits, policy="dmcl", seed=0)
        study.tell(ARMS[0], 0.0, constraints={"left": 0.1, "right": 0.1})
        proposal = study.ask()
        study.tell(proposal, 1.0)
        assert study.next_question(proposal) == first


CHAIR = cs.Space(height=cs.Float(40, 60), tilt=cs.Float(0, 20))
FELT = [
    cs.Constraint("comfort", answer="yes/no"),
    cs.Constraint("pain", answer="scale", levels=5, at_most=2, cost=2.0),
]


def feel(question: str, values: Any) -> float:
    if question == "comfort":
        return float(44 < values["height"] < 54)
    return 1.0 + round(values["tilt"] / 5)


@pytest.mark.parametrize("value_first", [True, False])
def test_while_nothing_is_certified_every_trial_is_asked_about(value_first: bool) -> None:
    """Most of the space is bad, and nobody vouches for a point: only answers lead out of it."""
    study = cs.create_study(CHAIR, constraints=FELT, policy="dmcl", seed=0)
    failed: list[Any] = []
    for trial in range(18):
        known = trial > 0 and study.safe_set().points
        proposal = study.ask()
        value = proposal.values["height"] / 10 + proposal.values["tilt"] / 20
        if value_first:
            study.tell(proposal, value)
        answers: dict[str, float] = {}
        while (question := study.next_question(proposal)) is not None:
            answers[question] = feel(question, proposal.values)
            study.tell(proposal, constraints={question: answers[question]})
        if not value_first:
            study.tell(proposal, value)
        if not known:
            assert proposal.asks
            assert answers
            assert proposal.values not in failed
        if answers.get("comfort") == 0.0 or answers.get("pain", 0.0) > 2.0:
            failed.append(proposal.values)
    best = study.best
    assert best is not None
    assert best.certified
    assert feel("comfort", best.values) == 1.0
    assert feel("pain", best.values) <= 2.0


def test_a_payoff_does_not_end_the_questions_while_nothing_is_certified() -> None:
    study = cs.create_study(CHAIR, constraints=FELT, policy="dmcl", seed=0)
    study.tell(study.ask(), 6.3, constraints={"comfort": 0.0, "pain": 3.0})
    proposal = study.ask()
    assert study.next_question(proposal) in proposal.asks
    study.tell(proposal, 4.1)
    assert study.next_question(proposal) in proposal.asks
    study.ask()
    assert study.next_question(proposal) in proposal.asks
    study.tell(proposal, constraints={"comfort": 0.0})
    assert study.next_question(proposal) is None  # one failure settles it


@pytest.mark.parametrize("safe", [0.0, 1.0])
def test_who_vouches_for_a_point_is_asked_as_before(safe: float) -> None:
    """Also where the answers contradict it."""
    made = []
    for persistent in (False, True):
        policy = cs.policies.DMCL(safe={"a": safe}, persistent=persistent)
        study = cs.create_study(ARMS, constraints=LIMITS, policy=policy, seed=0)
        made.append([(p.values, p.asks, p.terms) for p in play(study, 10)])
    assert made[0] == made[1]


# ---- settings -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"certificate": "luck"}, "certificate"),
        ({"certainty": 1.0}, "certainty"),
        ({"certainty": 0.5}, "certainty"),
        ({"risk_limit": 0.0}, "risk_limit"),
        ({"risk_limit": float("nan")}, "risk_limit"),
        ({"hope": -0.1}, "hope"),
        ({"hope": float("nan")}, "hope"),
        ({"unasked": 0.5}, "unasked"),
        ({"unasked": float("inf")}, "unasked"),
        ({"optimism": 0.4}, "optimism"),
        ({"optimism": 1.0}, "optimism"),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(cs.InvalidInput) as error:
        cs.policies.DMCL(**settings)
    assert error.value.field == field


def test_a_point_declared_safe_is_not_called_certified_by_the_answers() -> None:
    arms = cs.Arms([[i / 4.0] for i in range(5)], names=["a"])
    study = cs.create_study(
        arms,
        constraints=[cs.Constraint("calm", at_least=0.0)],
        policy=cs.policies.DMCL(safe={"a": 0.0}),
        seed=1,
    )
    study.tell(arms[0], 1.0, constraints={"calm": 0.3})
    best = study.best
    assert best is not None
    assert (best.declared, best.certified) == (True, False)
    assert best.chance is not None
    assert best.chance < 0.98
    assert "declared" in best.note
    assert "Declared safe: by the answers alone" in words.best(best, "payoff")
    assert "Certified safe" not in words.best(best, "payoff")
