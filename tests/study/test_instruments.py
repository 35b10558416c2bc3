"""Studies of spaces as instruments have them: proposals hold what must hold, and replay."""

from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel import plots as figures
from counsel.space import widened

MIXTURE = cs.Space(
    a=cs.Float(0, 100),
    b=cs.Float(10, 60),
    c=cs.Float(0, 100, step=5),
    require=["a + b + c == 100", "a <= 2 * b"],
)
CONDITIONAL = cs.Space(
    solvent=cs.Categorical(["DMF", "THF", "water"]),
    base=cs.Float(1, 5, when={"solvent": ["DMF", "THF"]}),
    t=cs.Int(20, 100, step=10),
)


def of_mixture(values: Any) -> float:
    return -((values["a"] - 38) ** 2 + (values["b"] - 27) ** 2) / 100


def of_conditional(values: Any) -> float:
    base = values.get("base", 2.0)
    kind = {"DMF": 1.0, "THF": 0.4, "water": 0.0}[values["solvent"]]
    return float(kind - (base - 3) ** 2 / 4 - (values["t"] - 60) ** 2 / 2000)


@pytest.mark.parametrize(
    ("space", "payoff", "policy", "best"),
    [
        (MIXTURE, of_mixture, "v-ucb", -0.2),
        (MIXTURE, of_mixture, None, -0.2),
        (CONDITIONAL, of_conditional, None, 0.9),
    ],
)
def test_every_proposal_is_allowed_and_the_best_is_found(
    space: cs.Space, payoff: Any, policy: str | None, best: float
) -> None:
    study = cs.create_study(space, policy=policy, seed=1)
    for _ in range(10):
        proposal = study.ask()
        assert space.validate(proposal.values) == dict(proposal.values)
        study.tell(proposal, payoff(proposal.values))
    assert study.best is not None
    assert study.best.value > best
    last = study.ask()
    why = study.explain(last)
    assert np.allclose(why.base + why.values.sum(axis=1), why.total)
    assert "allowed" in why.background
    assert study.replay().identical
    assert len(study.dataframe()) == 11


def test_trials_under_way_share_what_is_hard_to_change() -> None:
    space = cs.Space(t=cs.Float(20, 120, shared=True), x=cs.Float(0, 1), y=cs.Float(0, 1))
    study = cs.create_study(space, policy="v-ucb", seed=2)
    temperatures = []
    for _ in range(2):
        batch = study.ask(8)
        assert len({proposal.values["t"] for proposal in batch}) == 1
        assert len({proposal.values["x"] for proposal in batch}) == 8
        temperatures.append(batch[0].values["t"])
        for proposal in batch:
            v = proposal.values
            study.tell(proposal, -(((v["t"] - 80) / 50) ** 2) - (v["x"] - 0.3) ** 2 - v["y"])
    assert temperatures[0] != temperatures[1]
    assert study.replay().identical


def test_an_arm_is_tried_once() -> None:
    arms = cs.Arms([{"x": float(i), "id": f"C{i}"} for i in range(6)], label="id", once=True)
    study = cs.create_study(arms, seed=0)
    for i in range(6):
        proposal = study.ask()
        assert proposal.values["id"].startswith("C")
        if i == 2:
            study.fail(proposal)
        else:
            study.tell(proposal, -((proposal.values["x"] - 4.0) ** 2))
    assert len({p.values["id"] for p in study.facts if isinstance(p, cs.Proposal)}) == 6
    with pytest.raises(cs.NothingToPropose, match="once"):
        study.ask()
    study.tell({"id": "C3"}, -1.0)
    assert study.explain({"id": "C3"}).parameters == ("x",)


def test_a_batch_of_more_arms_than_are_left_is_refused_as_a_whole() -> None:
    study = cs.create_study(cs.Arms([{"x": float(i)} for i in range(6)], once=True), seed=0)
    study.tell({"x": 2.0}, 1.0)
    study.reject(study.ask())
    count = len(study.facts)
    with pytest.raises(cs.InvalidInput, match="4 are left: ask for 4"):
        study.ask(5)
    assert len(study.facts) == count
    batch = study.ask(4, idempotency_key="plate")
    assert study.ask(4, idempotency_key="plate") == batch
    with pytest.raises(cs.NothingToPropose, match="rejected, tried or under way"):
        study.ask(2)
    study.withdraw(next(iter(study.decisions)))
    with pytest.raises(cs.NothingToPropose, match="tried or is under way"):
        study.ask()


def test_a_log_column_of_arms_is_learned_by_its_logarithm() -> None:
    conc = 10.0 ** np.linspace(-6, 0, 61)
    arms: dict[bool, Any] = {
        log: cs.Arms(conc[:, None], names=["conc"], log=["conc"] if log else ())
        for log in (True, False)
    }
    gaps = {}
    for log, space in arms.items():
        study = cs.create_study(space, seed=0)
        for _ in range(12):
            proposal = study.ask()
            study.tell(proposal, -((np.log10(proposal.values["conc"]) + 4.3) ** 2))
        assert study.best is not None
        gaps[log] = -study.best.value
    assert gaps[True] < 0.02
    assert gaps[True] < gaps[False]


def test_the_space_is_amended_by_a_fact_that_replays(tmp_path: Any) -> None:
    address = f"sqlite:///{tmp_path / 'study.db'}"
    space = cs.Space(t=cs.Float(20, 80), solvent=cs.Categorical(["DMF", "THF"]))
    study = cs.create_study(space, policy="v-ucb", seed=3, storage=address, name="s")
    for _ in range(6):
        proposal = study.ask()
        study.tell(proposal, proposal.values["t"] / 100)
    study.amend({"t": cs.Float(20, 120)}, actor="ann", reason="a better oven")
    wider = cs.Categorical(["DMF", "THF", "water"])
    study.amend({"solvent": wider}, actor="ann")
    assert study.problem.space == cs.Space(t=cs.Float(20, 120), solvent=wider)
    assert study.setup.problem.space == space
    later = [study.ask() for _ in range(5)]
    assert max(p.values["t"] for p in later) > 80
    study.tell({"t": 119, "solvent": "water"}, 2.0)
    assert study.explain(later[0]).proposal == later[0].id
    first = next(p for p in study.facts if isinstance(p, cs.Proposal) and p.terms)
    assert study.explain(first).proposal == first.id
    again = cs.load_study("s", address)
    assert again.problem == study.problem
    assert again.replay().identical
    with pytest.raises(cs.InvalidInput, match="keep it inside"):
        study.amend({"t": cs.Float(20, 100)})
    with pytest.raises(cs.InvalidInput, match="Keep the names"):
        study.amend(cs.Space(t=cs.Float(0, 1)))
    with pytest.raises(cs.InvalidInput, match="changes nothing"):
        study.amend({"t": cs.Float(20, 120)})


def test_a_measurement_counts_as_noisy_as_it_is() -> None:
    """Two readings at one point: the belief is nearer to the exact one."""
    space = cs.Space(x=cs.Float(0, 1))
    for exact, rough in ((1.0, 0.0), (0.0, 1.0)):
        study = cs.create_study(space, policy="v-ucb", seed=0)
        for x in (0.0, 0.3, 0.7, 1.0):
            study.tell({"x": x}, x, sem=0.05)
        study.tell({"x": 0.5}, exact, sem=0.02)
        study.tell({"x": 0.5}, rough, sem=1.0)
        believed = study.predict({"x": 0.5})
        assert believed is not None
        assert abs(believed.mean - exact) < 0.25


def test_repeated_measurements_of_a_proposal_both_count() -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="v-ucb", seed=0)
    proposal = study.ask()
    study.tell(proposal, 1.0)
    with pytest.raises(cs.Conflict, match=r"already told.*or say repeat for one more measurement"):
        study.tell(proposal, 2.0)
    study.tell(proposal, 2.0, repeat=True)
    assert [o.outcomes["objective"] for o in study.observations] == [1.0, 2.0]
    assert study.dataframe()["objective"].tolist() == [1.5]
    with pytest.raises(cs.InvalidInput, match="sem"):
        study.tell(proposal, 2.0, repeat=True, sem=-1.0)


@pytest.mark.parametrize("policy", ["dmcl", "acol", "v-ucb"])
def test_constraint_learners_keep_to_the_space_too(policy: str) -> None:
    """What is required of inputs holds, and trials under way share what is hard to change."""
    space = cs.Space(
        a=cs.Float(0, 100),
        b=cs.Float(10, 60),
        t=cs.Float(20, 100, step=10, shared=True),
        require=["a <= 2 * b", "t < 95 or a < 50"],
    )
    study = cs.create_study(
        space, policy=policy, constraints=[cs.Constraint("g", at_least=0.0, at_most=5.0)], seed=1
    )
    for _ in range(3):
        batch = study.ask(3)
        assert len({proposal.values["t"] for proposal in batch}) == 1
        for proposal in batch:
            assert space.validate(proposal.values) == dict(proposal.values)
            values = proposal.values
            study.tell(proposal, -values["a"] / 100, constraints={"g": values["b"] / 20 - 1})
    found = study.safe_set()
    for point in found.points:
        space.validate(point.values)
    assert study.replay().identical


@pytest.mark.parametrize("policy", ["dmcl", "acol"])
def test_constraint_learners_try_an_arm_once(policy: str) -> None:
    arms = cs.Arms([{"x": float(i)} for i in range(4)], once=True)
    limits = [cs.Constraint("g", at_least=0.0)]
    study = cs.create_study(arms, policy=policy, constraints=limits, seed=0)
    for _ in range(4):
        proposal = study.ask()
        study.tell(proposal, proposal.values["x"], constraints={"g": 1.0})
    assert len({each.values["x"] for each in study.observations}) == 4
    with pytest.raises(cs.NothingToPropose):
        study.ask()


def test_a_safe_set_counts_no_point_twice() -> None:
    space = cs.Space(x=cs.Int(0, 3), y=cs.Float(0, 1, step=0.25))
    study = cs.create_study(space, constraints=[cs.Constraint("g", at_least=0.0)], policy="dmcl")
    for _ in range(3):
        proposal = study.ask()
        study.tell(proposal, 1.0, constraints={"g": 1.0})
    assert study.safe_set().considered == 20


def test_a_context_gets_another_level() -> None:
    """One more subject, in the middle of a study."""
    subjects = cs.Categorical(["S1", "S2"])
    study = cs.create_study(
        cs.Space(x=cs.Float(0, 1), context={"subject": subjects}), policy="v-ucb", seed=0
    )
    for subject in ("S1", "S2", "S1", "S2"):
        proposal = study.ask(context={"subject": subject})
        study.tell(proposal, -((proposal.values["x"] - 0.4) ** 2))
    study.amend({"subject": cs.Categorical(["S1", "S2", "S3"])}, actor="ann")
    proposal = study.ask(context={"subject": "S3"})
    study.tell(proposal, 0.0)
    assert study.observations[-1].context["subject"] == "S3"
    assert study.replay().identical
    assert widened(study.problem.space, "subject", None, None, ["S4"]).context["subject"] == (
        cs.Categorical(["S1", "S2", "S3", "S4"])
    )


def test_reasons_give_no_credit_to_a_parameter_that_does_not_exist() -> None:
    study = cs.create_study(CONDITIONAL, seed=1)
    for _ in range(8):
        proposal = study.ask()
        study.tell(proposal, -proposal.values.get("base", 0.0))
    without, with_base = {"solvent": "water", "t": 60}, {"solvent": "DMF", "base": 4.0, "t": 60}
    why = study.explain(without)
    assert "solvent water" in why.sentence()
    assert "base" not in why.sentence()
    assert why._repr_html_()
    assert study.what_if(without).sentence()
    assert figures.contributions(why).data
    assert figures.interactions(why).data
    for here, there in ((without, with_base), (with_base, without)):
        assert "The alternative's" in study.explain(here, instead_of=there).sentence()


def test_one_more_level_after_measurements_with_standard_errors() -> None:
    space = cs.Space(x=cs.Float(0, 1), solvent=cs.Categorical(["water", "DMF"]))
    study = cs.create_study(space, seed=0, initial=2)
    for i in range(3):
        study.tell(study.ask(), float(i), sem=0.1)
    study.amend({"solvent": cs.Categorical(["water", "DMF", "MeCN"])})
    study.tell(study.ask(), 0.5, sem=0.1)
    assert study.best is not None
    assert study.replay().identical
