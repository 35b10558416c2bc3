"""study.explain and study.what_if: the acquisition that was really maximised, taken apart."""

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import counsel as cs
from counsel.acquisition.registry import acquisitions
from counsel.acquisition.terms import joined
from counsel.explain import control, paths
from counsel.explain.attribution import Attribution
from explain.oracle import Plain

BOX = cs.Space(
    dose=cs.Float(1, 100, log=True), kind=cs.Categorical(["u", "v", "w"]), count=cs.Int(1, 9)
)
ARMS = cs.Arms(np.random.default_rng(0).uniform(size=(40, 3)), names=["a", "b", "c"])
# Those that maximise an acquisition; the policies that learn constraints go by phases and bounds.
NAMES = acquisitions.names()


def payoff(values: dict[str, object]) -> float:
    return sum(
        math.sin(i + len(str(v))) + (v if isinstance(v, float) else 0.0) / 50
        for i, v in enumerate(values.values())
    )


def begun(space: object, policy: object, trials: int = 8, **options: object) -> cs.Study:
    study = cs.create_study(space, policy=policy, seed=1, **options)  # type: ignore[arg-type]
    for _ in range(trials):
        proposal = study.ask()
        study.tell(proposal, payoff(dict(proposal.values)))
    return study


def assert_adds_up(study: cs.Study, why: Attribution, proposal: cs.Proposal) -> None:
    """Contributions add up to each part, and the parts give what was maximised."""
    unit = np.maximum(np.abs(why.total), np.abs(why.base))
    np.testing.assert_allclose(why.base + why.values.sum(axis=1), why.total, atol=1e-9 * unit.max())
    numbers = {c.name: str(i) for i, c in enumerate(study.problem.constraints, start=1)}
    parts = {}
    for tag, total in zip(why.terms, why.signs * why.total, strict=True):
        kind, _, name = tag.partition(":")
        parts[f"{kind}:{numbers[name]}" if name else kind] = jnp.atleast_1d(total)
    value = float(joined(study.explaining.score_of(proposal), parts)[0])
    recorded = sum(proposal.terms.values())
    assert value == pytest.approx(recorded, rel=1e-9, abs=1e-9)


def told(study: cs.Study, proposal: cs.Proposal) -> None:
    """Some outcome of a trial, and of the constraint if there is one."""
    value = payoff(dict(proposal.values))
    margins = {"calm": math.cos(value) + 0.2} if study.problem.constraints else None
    study.tell(proposal, value, constraints=margins)


@pytest.mark.parametrize("name", [*NAMES, None])
def test_contributions_add_up_to_what_was_maximised(name: str | None) -> None:
    """Of a minimised cost, with a choice, a constraint, a context, and a trial under way.

    A Gaussian process in NumPy, with the same hyper-parameters, has the same parts. Without a
    name, it is the default policy, on the scale of log gaps.
    """
    space = cs.Space(
        dose=cs.Float(1, 100, log=True),
        kind=cs.Categorical(["u", "v", "w"]),
        context={"load": cs.Float(0, 1)},
    )
    constraints = [cs.Constraint("calm", at_least=0.0)] if name else []
    study = cs.create_study(
        space, policy=name, seed=1, direction="minimize", constraints=constraints
    )
    for load in np.linspace(0.0, 1.0, 7):
        told(study, study.ask(context={"load": float(load)}))
    for proposal in study.ask(2, context={"load": 0.4}):
        why = study.explain(proposal)
        assert_adds_up(study, why, proposal)
        assert why.proposal == proposal.id
        assert why.parameters == ("dose", "kind")
    score: Any = study.explaining.score_of(proposal)  # the second, with the first under way
    x = np.concatenate([space.encode(proposal.values), space.encode_context(proposal.context)])
    inner = getattr(score, "score", score)
    mean, sd = (float(each[0]) for each in Plain.of(inner.posterior, 7).predict(x[None, :]))
    parts = dict(zip(why.terms, why.signs * why.total, strict=True))
    if name is None:
        mean = float(inner.posterior.warp.from_scale(np.array([mean]))[0])
        assert -mean == pytest.approx(proposal.prediction.mean, rel=1e-6)  # type: ignore[union-attr]
    if "exploitation" in parts:
        assert parts["exploitation"] == pytest.approx(mean, rel=1e-7)
    if "approximation" in parts and name:
        weight = float(getattr(inner, "weight" if name in ("v-ucb", "gp-ucb") else "kappa"))
        assert parts["approximation"] == pytest.approx(weight * sd, rel=1e-6)
    if name:
        margin = [float(e[0]) for e in Plain.of(score.constraints[0], 7).predict(x[None, :])]
        chance = 0.5 * math.erfc(-margin[0] / margin[1] / math.sqrt(2.0))
        assert parts["feasibility:calm"] == pytest.approx(chance, rel=1e-7)


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
@pytest.mark.parametrize("name", ["dmcl", "mcl", "acl", "acol"])
def test_so_do_those_of_policies_that_learn_constraints(name: str, direction: Any) -> None:
    """In every phase that they come through; what they record is what the parts lead to."""
    arms = cs.Arms(np.random.default_rng(3).uniform(size=(10, 2)), names=["a", "b"])
    study = cs.create_study(
        arms,
        policy=name,
        seed=2,
        direction=direction,
        constraints=[cs.Constraint("calm", at_least=0.0), cs.Constraint("jerk", at_most=1.0)],
    )
    for i in (0, 3, 5, 7):
        a, b = (float(each) for each in arms.points[i])
        study.tell(arms[i], a - b, constraints={"calm": 0.9 - a, "jerk": 1.5 * b})
    phases = set()
    for _ in range(4):
        proposal = study.ask()
        why = study.explain(proposal)
        unit = float(np.maximum(np.abs(why.total), np.abs(why.base)).max())
        np.testing.assert_allclose(why.base + why.values.sum(axis=1), why.total, atol=1e-9 * unit)
        score: Any = study.explaining.score_of(proposal)
        phases.add(score.phase)
        numbers = {"calm": "1", "jerk": "2"}
        parts = {}
        for tag, total in zip(why.terms, why.signs * why.total, strict=True):
            kind, _, constraint = tag.partition(":")
            given = numbers.get(constraint, constraint)
            parts[f"{kind}:{given}" if given else kind] = jnp.atleast_1d(total)
        value = float(np.asarray(joined(score, parts))[0])
        if score.phase == "exploring" and proposal.terms:
            logs = name in ("dmcl", "mcl", "acl")
            recorded = sum(proposal.terms.values())
            assert value == pytest.approx(math.log(recorded) if logs else recorded, rel=1e-9)
        elif score.phase == "optimising" and proposal.terms:
            assert value == pytest.approx(sum(proposal.terms.values()), rel=1e-9)
        a, b = (float(proposal.values[each]) for each in ("a", "b"))  # type: ignore[arg-type]
        study.tell(proposal, a - b, constraints={"calm": 0.9 - a, "jerk": 1.5 * b})
    assert phases


def test_arms_are_explained_against_the_arms() -> None:
    study = begun(ARMS, "lw-ucb")
    proposal = study.ask()
    why = study.explain(proposal.id)
    assert_adds_up(study, why, proposal)
    assert why.background == "all 40 arms"
    belief = study.explaining.score_of(proposal).posterior  # type: ignore[attr-defined]
    assert why.base[0] == pytest.approx(float(np.mean(belief.mean(ARMS.points))), rel=1e-9)


def test_a_proposal_keeps_its_explanation_as_the_study_goes_on() -> None:
    study = begun(BOX, "v-ucb")
    proposal = study.ask()
    before = study.explain(proposal)
    study.tell(proposal, 100.0)
    study.tell(study.ask(), -5.0)
    after = study.explain(proposal)
    np.testing.assert_allclose(after.values, before.values, rtol=1e-9)
    now = study.explain(dict(proposal.values))
    assert now.proposal is None
    assert not np.allclose(now.values, before.values, rtol=1e-3)


def test_contexts_are_given_and_not_explained() -> None:
    space = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1), context={"load": cs.Float(0, 10)})
    study = cs.create_study(space, seed=2)
    for load in (1.0, 9.0, 4.0, 6.0, 2.0):
        proposal = study.ask(context={"load": load})
        study.tell(proposal, math.sin(5 * proposal.values["x"]) + load * proposal.values["y"])  # type: ignore[operator]
    proposal = study.ask(context={"load": 5.0})
    why = study.explain(proposal)
    assert_adds_up(study, why, proposal)
    assert why.parameters == ("x", "y")
    assert dict(why.context) == {"load": 5.0}
    other = study.what_if({"x": 0.5, "y": 0.5}, context={"load": 9.0})
    assert other.prediction == study.predict({"x": 0.5, "y": 0.5}, context={"load": 9.0})
    with pytest.raises(cs.InvalidInput, match="load"):
        study.what_if({"x": 0.5, "y": 0.5})


def test_what_if_is_prediction_and_attribution_of_today() -> None:
    study = begun(BOX, "v-ucb")
    values = {"dose": 10.0, "kind": "v", "count": 4}
    found = study.what_if(values)
    assert found.prediction == study.predict(values)
    terms = dict(zip(found.attribution.terms, found.attribution.total, strict=True))
    assert terms["exploitation"] == pytest.approx(found.prediction.mean, rel=1e-9)
    assert terms["approximation"] == pytest.approx(2.0 * found.prediction.sd, rel=1e-6)
    assert dict(found.attribution.point) == values
    assert len(study.facts) == 16  # looking changes nothing


def test_of_the_default_policy_all_say_the_same_whatever_is_under_way() -> None:
    """Prediction, table and sentence of a point, and what a proposal was foretold with."""
    study = begun(cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1)), None, trials=7)
    proposals = study.ask(3)
    for each in proposals:
        told, now = each.prediction, study.predict(each.values)
        assert told is not None
        assert (told.mean, told.sd) == pytest.approx((now.mean, now.sd), rel=1e-9)
        assert told.limit == pytest.approx(now.limit)
        why = study.explain(each)
        assert why.total[list(why.terms).index("exploitation")] == pytest.approx(
            told.mean, rel=1e-9
        )
    found = study.what_if({"a": 0.3, "b": 0.9})
    terms = dict(zip(found.attribution.terms, found.attribution.total, strict=True))
    assert terms["exploitation"] == pytest.approx(found.prediction.mean, rel=1e-9)
    assert f"is {found.prediction.mean:.4g}" in found.sentence()
    assert study.replay().identical


def test_beyond_the_budget_it_samples_and_says_so() -> None:
    space = cs.Space(**{f"x{i}": cs.Float(0, 1) for i in range(10)})  # type: ignore[arg-type]
    study = begun(space, "v-ucb", trials=14)
    proposal = study.ask()
    why = study.explain(proposal, tolerance=0.3)
    assert_adds_up(study, why, proposal)
    assert why.method == "exploitation: closed form, approximation: sampled"
    assert not why.exact
    assert not why.error[0].any()
    assert why.error[1].all()
    few = study.explain(proposal, background=[dict(o.values) for o in study.observations])
    assert few.method == "enumerated"
    assert few.background == "14 given points"


def test_a_first_trial_that_a_person_named_was_not_drawn_at_random() -> None:
    space = cs.Space(dose=cs.Float(0, 50), count=cs.Int(1, 9, step=2))
    guessed = cs.create_study(space, guess={"dose": 31.7, "count": 4}, seed=0)
    arms = cs.Arms([{"x": float(x)} for x in range(5)])
    nearest = cs.create_study(arms, guess={"x": 3.0}, seed=0)
    for study in (guessed, nearest):
        with pytest.raises(cs.NothingToExplain, match="where somebody expects the optimum"):
            study.explain(study.ask())
        assert "leads away" in study.explain(study.ask()).sentence()
    for policy in (cs.policies.DMCL, cs.policies.ACOL):
        vouched = cs.create_study(
            arms,
            constraints=[cs.Constraint("c", at_least=0.0)],
            policy=policy(safe={"x": 2.0}),
            seed=0,
        )
        vouched.tell({"x": 4.0}, 1.0, constraints={"c": 0.1})
        with pytest.raises(cs.NothingToExplain, match="somebody vouches for"):
            vouched.explain(vouched.ask())


def test_what_has_no_acquisition_is_not_explained() -> None:
    study = cs.create_study(BOX, seed=1)
    first = study.ask()
    with pytest.raises(cs.NothingToExplain, match="drawn at random"):
        study.explain(first)
    with pytest.raises(cs.NothingToExplain, match="Nothing has been measured"):
        study.what_if(dict(first.values))
    chance = begun(BOX, "random", trials=2)
    with pytest.raises(cs.NothingToExplain, match="does not maximise an acquisition"):
        chance.explain({"dose": 10.0, "kind": "v", "count": 4})


def test_a_proposal_of_another_policy_is_refused() -> None:
    study = begun(BOX, "v-ucb")
    proposal = study.ask()
    study._policy = cs.policies.by_name("gp-ucb")
    with pytest.raises(cs.NothingToExplain, match="cannot be rebuilt"):
        study.explain(proposal)


def test_instead_of_a_proposal_its_own_point_has_its_own_reasons() -> None:
    """The next ask would shun a pending point; judged as the proposal was, it has its terms."""
    study = begun(BOX, "v-ucb")
    proposal = study.ask()
    why = study.explain(proposal)
    same = study.what_if(proposal.values, instead_of=proposal).attribution
    np.testing.assert_allclose(same.values, why.values, rtol=1e-12)
    after = study.what_if(proposal.values).attribution
    assert after.total[1] < why.total[1]  # the pending trial is expected to be made
    with pytest.raises(cs.NotFound, match="p99"):
        study.what_if(proposal.values, instead_of="p99")


def test_bad_input_is_refused() -> None:
    study = begun(BOX, "v-ucb", trials=5)
    with pytest.raises(cs.NotFound, match="p99"):
        study.explain("p99")
    with pytest.raises(cs.InvalidInput, match="dose"):
        study.explain({"dose": 1000.0, "kind": "v", "count": 4})
    for tolerance in (0.0, 1.0, -1, math.nan, "fine"):
        with pytest.raises(cs.InvalidInput, match="tolerance"):
            study.explain(study.ask(), tolerance=tolerance)  # type: ignore[arg-type]


def test_the_table_has_it_all() -> None:
    study = begun(BOX, "v-ucb")
    why = study.explain(study.ask())
    table = why.table()
    assert list(table.columns) == ["base", "dose", "kind", "count", "total"]
    assert list(table.index) == ["exploitation", "approximation", "sum"]
    np.testing.assert_allclose(table.drop(columns="total").sum(axis=1), table["total"])
    with pytest.raises(ValueError, match="read-only"):
        why.values[0, 0] = 1.0


def test_paths_follow_the_rounds() -> None:
    study = begun(BOX, "v-ucb")
    found = paths(study)
    assert list(found["round"].unique()) == [6, 7, 8]  # after five first trials
    last = study.explain("p8")
    row = found[(found["proposal"] == "p8") & (found["term"] == "approximation")]
    np.testing.assert_allclose(row["value"], last.values[1])
    assert len(paths(study, ["p6"])) == 6


def test_a_warm_what_if_computes_only_what_the_point_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sums: list[object] = []
    counted = control.pairs_of
    monkeypatch.setattr(control, "pairs_of", lambda *of: sums.append(of) or counted(*of))
    study = begun(BOX, "v-ucb")
    study.what_if({"dose": 10.0, "kind": "v", "count": 4})
    kept = study.explaining.score_now()
    study.what_if({"dose": 20.0, "kind": "u", "count": 5})
    assert study.explaining.score_now() is kept
    assert len(sums) == 1
    study.tell({"dose": 20.0, "kind": "u", "count": 5}, 1.0)
    study.what_if({"dose": 20.0, "kind": "u", "count": 5})
    assert study.explaining.score_now() is not kept
    assert len(sums) == 2
