"""Several objectives, measured together: weighed, bounded, or compared."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel import plots
from counsel.exchange import export_study, import_study, import_trials, study_from_yaml
from counsel.facts import codec
from counsel.facts.problem import Problem
from counsel.facts.records import PastTrial
from counsel.facts.tradeoff import informative, learn
from doors import CommandLine
from service.conftest import running

SPACE = cs.Space(t=cs.Float(0, 1), c=cs.Float(0, 1))
WEIGHED = [cs.Objective("yield"), cs.Objective("cost", "minimize", weight=4.0)]
COMPARED = [cs.Objective("yield"), cs.Objective("cost", "minimize")]
BOUNDED = [cs.Objective("yield"), cs.Objective("cost", "minimize", at_most=3.0)]


def measured(values: Any) -> dict[str, float]:
    t, c = values["t"], values["c"]
    return {"yield": 80 - 60 * (t - 0.7) ** 2 - 20 * (c - 0.5) ** 2, "cost": 1 + 3 * t + 2 * c}


def play(study: Any, trials: int) -> Any:
    for _ in range(trials):
        proposal = study.ask()
        study.tell(proposal, measured(proposal.values))
    return study


def worth(outcomes: Any) -> float:
    return float(outcomes["yield"] - 4.0 * outcomes["cost"])


# ---- by weights


def test_the_weighted_sum_is_what_is_maximised() -> None:
    study = play(cs.create_study(SPACE, objectives=WEIGHED, objective="profit", policy="ei"), 5)
    assert study.problem.aim == "maximize profit = yield - 4 cost"
    assert study.best.value == pytest.approx(worth(study.best.observation.outcomes))
    assert study.best.value == max(worth(each.outcomes) for each in study.observations)
    plain = cs.create_study(SPACE, objective="profit", policy="ei")
    for one in study.facts[::2]:
        proposal = plain.ask()
        assert proposal.values == one.values
        assert proposal.prediction == one.prediction
        plain.tell(proposal, worth(measured(proposal.values)))
    assert study.replay().identical
    table = study.dataframe()
    assert list(table.columns[3:8]) == ["t", "c", "profit", "yield", "cost"]
    assert np.allclose(table["profit"], table["yield"] - 4.0 * table["cost"])


def test_explanations_of_a_sum_add_up_where_parameters_exist_only_sometimes() -> None:
    space = cs.Space(t=cs.Float(0, 1, when={"hot": True}), hot=cs.Categorical([True, False]))
    study = cs.create_study(space, objectives=WEIGHED, policy="v-ucb", seed=0)
    for t in (0.1, None, 0.5, 0.9):
        point = {"hot": False} if t is None else {"hot": True, "t": t}
        study.tell(point, measured({"t": t or 0.0, "c": 0.5}))
    for point in ({"hot": True, "t": 0.7}, {"hot": False}):
        why = study.explain(point)
        found = why.by_objective()
        np.testing.assert_allclose(found.loc["objective"], why.table().loc["exploitation"])
        assert (abs(found["t"]) < 1e-12).all() == ("t" not in point)


def test_explanations_of_a_sum_add_up() -> None:
    study = play(cs.create_study(SPACE, objectives=WEIGHED, policy="v-ucb", initial=3), 4)
    proposal = study.ask()
    why = study.explain(proposal)
    assert why.base.sum() + why.values.sum() == pytest.approx(sum(proposal.terms.values()))


@pytest.mark.parametrize("policy", [None, "v-ucb"])
def test_what_each_objective_is_expected_to_be_adds_up(policy: str | None) -> None:
    study = play(
        cs.create_study(SPACE, objectives=WEIGHED, objective="profit", policy=policy, initial=3), 5
    )
    point = {"t": 0.6, "c": 0.2}
    for why in (study.explain(study.ask()), study.explain(point, instead_of={"t": 0.1, "c": 0.9})):
        table = why.by_objective()
        assert list(table.index) == ["yield", "cost", "profit"]
        assert list(table.columns) == ["base", "t", "c", "total"]
        assert np.allclose(table[["base", "t", "c"]].sum(axis=1), table["total"])
        assert np.allclose(table.loc["profit"], table.loc["yield"] - 4.0 * table.loc["cost"])
        if policy is not None:  # there the payoff is believed on its own scale
            row = why.terms.index("exploitation")
            assert np.allclose(table.loc["profit", ["t", "c"]], why.values[row], atol=1e-6)
            assert table.loc["profit", "total"] == pytest.approx(why.total[row])
    expected = study.what_if(point).attribution.by_objective()["total"]
    assert expected["cost"] == pytest.approx(measured(point)["cost"], rel=0.2)
    again = codec.read(type(why), codec.write(why))
    assert again.by_objective().equals(why.by_objective())


def test_one_objective_has_no_parts() -> None:
    study = cs.create_study(SPACE, policy="v-ucb")
    for t in (0.1, 0.5, 0.9):
        study.tell({"t": t, "c": 0.5}, t)
    assert study.explain({"t": 0.3, "c": 0.3}).by_objective().empty


def test_parts_may_be_told_one_after_the_other() -> None:
    study = cs.create_study(SPACE, objectives=WEIGHED, policy="random")
    proposal = study.ask()
    study.tell(proposal, {"yield": 70.0})
    assert study.best is None
    with pytest.raises(cs.Conflict, match="already told"):
        study.tell(proposal, {"yield": 71.0}, actor="ben")
    study.tell(proposal, {"cost": 2.0})
    assert study.best.value == 62.0
    assert study.front().trials[0].value == 62.0


def test_a_corrected_part_corrects_the_sum() -> None:
    study = cs.create_study(SPACE, objectives=WEIGHED, policy="random")
    told = study.tell({"t": 0.5, "c": 0.5}, {"yield": 70.0, "cost": 2.0}, sem={"yield": 3.0})
    study.revise(told, {"cost": 3.0})
    assert study.best.value == 58.0
    assert study.observations[0].outcomes == {"yield": 70.0, "cost": 3.0}


def test_standard_errors_of_the_parts_give_that_of_the_sum() -> None:
    problem = Problem(SPACE, objectives=tuple(WEIGHED))
    assert problem.payoff_error({"yield": 3.0, "cost": 1.0}) == 5.0
    assert problem.payoff_error({"yield": 3.0}) is None


# ---- by bounds


def test_a_bounded_objective_is_a_constraint() -> None:
    study = play(cs.create_study(SPACE, objectives=BOUNDED, policy="random"), 6)
    assert study.problem.objective == cs.Objective("yield")
    assert study.problem.constraints == (cs.Constraint("cost", at_most=3.0),)
    assert study.best.observation.outcomes["cost"] <= 3.0
    assert study.front().objectives == ("yield", "cost")
    assert study.replay().identical


# ---- by comparisons


def test_comparisons_of_outcomes_teach_what_they_are_worth() -> None:
    study = cs.create_study(SPACE, objectives=COMPARED, tradeoff="comparisons", policy="random")
    play(study, 25)
    before = study.problem.parts[1].weight
    for _ in range(15):
        one, two = study.front().compare
        if 12.0 * one.outcomes["cost"] - one.outcomes["yield"] > (
            12.0 * two.outcomes["cost"] - two.outcomes["yield"]
        ):
            one, two = two, one
        study.compare(winner=one.proposal, loser=two.proposal)
    after = study.problem.parts[1].weight
    assert abs(np.log(after / 12.0)) < min(0.4, abs(np.log(before / 12.0)))
    assert study.setup.problem.parts[1].weight == 1.0  # what was learned is not a fact
    study.withdraw("c1")
    assert study.problem.parts[1].weight != after


def test_proposals_follow_what_was_learned_and_replay() -> None:
    study = cs.create_study(SPACE, objectives=COMPARED, tradeoff="comparisons", policy="ei")
    play(study, 4)
    one, two = study.front().compare
    study.compare(winner=one, loser=two)
    play(study, 2)
    assert study.replay().identical
    weights = study.front().weights
    best = study.best
    assert best.value == pytest.approx(
        best.observation.outcomes["yield"] - weights["cost"] * best.observation.outcomes["cost"]
    )


def test_only_measured_outcomes_are_compared() -> None:
    study = cs.create_study(SPACE, objectives=COMPARED, tradeoff="comparisons", policy="random")
    first, second = study.ask(2)
    study.tell(first, measured(first.values))
    study.tell(second, {"yield": 3.0})
    with pytest.raises(cs.InvalidInput, match="tell yield, cost of it first"):
        study.compare(winner=first, loser=second)


def test_learned_weights_are_the_mode_of_what_is_believed() -> None:
    rng = np.random.default_rng(4)
    outcomes = rng.normal(size=(12, 2)) * [1.0, 5.0]
    winners, losers = outcomes[:6], outcomes[6:]
    ties = np.array([False, False, True, False, False, False])
    found = learn(outcomes, winners, losers, ties)
    z = (winners - losers) / outcomes.std(axis=0)

    def log_posterior(v: Any) -> float:
        chances = [0.5 * math.erfc(-d / math.sqrt(2.0)) for d in z @ np.exp(v)]
        told = [
            0.5 * math.log(p * (1 - p)) if t else math.log(p)
            for p, t in zip(chances, ties, strict=True)
        ]
        return sum(told) - 0.5 * float(((v - 1.0) ** 2).sum())

    top = log_posterior(found.mode)
    for angle in np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False):
        step = np.array([np.cos(angle), np.sin(angle)])
        assert log_posterior(found.mode + 0.01 * step) < top
        assert log_posterior(found.mode + step) < top


def test_the_question_is_about_what_is_open() -> None:
    outcomes = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 0.99]])
    learned = learn(outcomes, np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0, dtype=bool))
    # The third is beaten by the first whatever the weights are: asking that teaches nothing.
    assert informative(learned, outcomes, [(0, 2), (0, 1)]) == (0, 1)
    assert informative(learned, outcomes, []) is None


# ---- the front


def test_the_front_has_every_trial_that_none_beats() -> None:
    study = cs.create_study(SPACE, objectives=WEIGHED, policy="random", seed=2)
    play(study, 12)
    front = study.front()
    on = {each.observation for each in front.trials}
    for one in study.observations:
        beaten = any(
            two.outcomes["yield"] >= one.outcomes["yield"]
            and two.outcomes["cost"] <= one.outcomes["cost"]
            and two.outcomes != one.outcomes
            for two in study.observations
        )
        assert (one.id in on) == (not beaten)
    yields = [each.outcomes["yield"] for each in front.trials]
    assert yields == sorted(yields, reverse=True)


def test_a_trial_that_breaks_a_constraint_is_not_on_the_front() -> None:
    study = cs.create_study(
        cs.Space(x=cs.Float(0, 1)),
        constraints=[cs.Constraint("noise", at_most=5.0)],
        policy="random",
    )
    study.tell({"x": 0.1}, 3.0, constraints={"noise": 9.0})
    study.tell({"x": 0.2}, 2.0, constraints={"noise": 5.0})
    study.tell({"x": 0.3}, 1.0)  # nobody knows its noise, and it is beaten anyway
    assert [trial.values["x"] for trial in study.front().trials] == [0.2]


def test_the_front_is_drawn() -> None:
    study = play(cs.create_study(SPACE, objectives=BOUNDED, policy="random", seed=2), 6)
    figure = plots.front(study)
    assert list(figure.data[1].x) == sorted(t.outcomes["yield"] for t in study.front().trials)
    assert len(figure.data[0].x) == 6
    assert figure.layout.yaxis.title.text == "cost (minimize)"
    assert figure.layout.shapes[0].y0 == 3.0  # the bound
    with pytest.raises(cs.InvalidInput, match="two of yield, cost"):
        plots.front(study, ["yield", "purity"])


# ---- every door


def test_over_rest_by_file_and_by_table(tmp_path: Path) -> None:
    local = cs.create_study(SPACE, name="two", objectives=WEIGHED, policy="random")
    with running(storage=f"sqlite:///{tmp_path / 'a.db'}") as url, cs.Client(url) as client:
        remote = client.create_study(SPACE, name="two", objectives=WEIGHED, policy="random")
        for study in (local, remote):
            play(study, 2)
            study.tell_many(
                [
                    {"t": 0.1, "c": 0.2, "yield": 50.0, "cost": 2.0},
                    PastTrial({"t": 0.3, "c": 0.2}, {"yield": 55.0, "cost": 2.5}),
                ]
            )
        assert remote.front() == local.front()
        assert remote.problem == local.problem
        assert remote.best.value == local.best.value
        assert remote.dataframe().equals(local.dataframe())
        again = import_study(export_study(remote, tmp_path / "two.json"))
        assert again.front() == local.front()
        assert again.setup.problem == local.setup.problem
    table = tmp_path / "past.csv"
    table.write_text("t,c,yield,cost\n0.4,0.4,60,3\n")
    import_trials(again, table)
    assert again.observations[-1].outcomes == {"yield": 60.0, "cost": 3.0}


def test_on_the_command_line_from_a_file(tmp_path: Path) -> None:
    described = tmp_path / "study.yaml"
    described.write_text(
        "name: two\ntradeoff: comparisons\npolicy: random\n"
        "objectives:\n  yield: {}\n  cost: {direction: minimize}\n"
        "parameters:\n  t: {low: 0, high: 1, type: float}\n  c: {low: 0, high: 1, type: float}\n"
    )
    address = f"sqlite:///{tmp_path / 'b.db'}"
    study_from_yaml(described, address)
    line = CommandLine("two", address, tmp_path)
    line._run("tell", "t=0.1,c=0.2", "yield=50,cost=1.7")
    line._run("tell", "t=0.7,c=0.5", "yield=80,cost=4.1", sem=["yield=1"])
    with pytest.raises(cs.CounselError, match="Write NAME=NUMBER, for one of yield, cost"):
        line._run("tell", "t=0.8,c=0.5", "yield=80,cost=4.1", sem=["1"])
    one, two = line.front().compare
    line._run("compare", "t=0.7,c=0.5", "t=0.1,c=0.2")
    opened = cs.load_study("two", address)
    assert {one.observation, two.observation} == {"o1", "o2"}
    assert line.front() == opened.front()
    assert line.problem == opened.problem
    assert opened.problem.parts[1].weight != 1.0
    assert opened.front().compare == ()


# ---- what is refused, and what stays as it was


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"objectives": [cs.Objective("a", at_least=1.0)]}, "without a bound"),
        ({"objectives": COMPARED, "objective": "yield"}, "name of its own"),
        ({"objectives": COMPARED, "direction": "minimize"}, "its own direction"),
        ({"objectives": BOUNDED, "tradeoff": "comparisons"}, "without a bound to compare"),
        ({"objectives": WEIGHED, "tradeoff": "comparisons"}, "weights are learned"),
        ({"objectives": ["yield"]}, "Give a list like"),
        ({"objectives": COMPARED, "tradeoff": "front"}, "'weights' or 'comparisons'"),
        ({"tradeoff": "comparisons"}, "two objectives"),
    ],
)
def test_problems_that_make_no_sense_are_refused(options: Any, message: str) -> None:
    with pytest.raises(cs.InvalidInput, match=message):
        cs.create_study(SPACE, **options)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (70.0, "Give each by its name"),
        ({"yield": 70.0, "purity": 1.0}, "yield, cost"),
        ({"yield": float("nan"), "cost": 1.0}, "finite"),
        ({"objective": 3.0}, "yield, cost"),
        ({}, "Give"),
    ],
)
def test_outcomes_that_make_no_sense_are_refused(given: Any, message: str) -> None:
    study = cs.create_study(SPACE, objectives=WEIGHED, policy="random")
    with pytest.raises(cs.InvalidInput, match=message):
        study.tell(study.ask(), given)


@pytest.mark.parametrize(
    "options",
    [
        {"weight": 0.0},
        {"at_most": 1.0},
        {"direction": "minimize", "at_least": 1.0},
        {"at_least": 1.0, "weight": 2.0},
    ],
)
def test_objectives_that_make_no_sense_are_refused(options: Any) -> None:
    with pytest.raises(cs.InvalidInput):
        cs.Objective("a", **options)


def test_one_objective_is_written_as_before() -> None:
    written = codec.write(Problem(SPACE, cs.Objective("speed", "minimize")))
    assert written["objective"] == {"name": "speed", "direction": "minimize"}
    assert set(written) == {"space", "objective", "constraints"}
    assert codec.write(Problem(SPACE, objectives=tuple(BOUNDED)))["objectives"] == [
        {"name": "yield", "direction": "maximize"},
        {"name": "cost", "direction": "minimize", "at_most": 3.0},
    ]


def test_a_better_trial_that_is_not_certified_is_named() -> None:
    """Just inside of the bound, one measurement does not make it certain."""
    study = cs.create_study(
        cs.Space(x=cs.Float(0, 1)),
        constraints=[cs.Constraint("cost", at_most=3.0)],
        policy="random",
        seed=1,
    )
    for x, cost in ((0.0, 1.0), (0.3, 1.6), (0.6, 2.4), (1.0, 4.4), (0.8, 2.98)):
        study.tell({"x": x}, 10.0 * x, constraints={"cost": cost})
    best = study.best
    assert best is not None
    assert best.certified
    assert best.value < 8.0
    assert best.note.startswith("o5 was better (8) and kept every constraint")
    assert best.chance is not None
    assert best.chance <= 1.0
