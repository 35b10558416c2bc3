"""study.explain and study.what_if: the acquisition that was really maximised, taken apart."""

import math

import jax.numpy as jnp
import numpy as np
import pytest

import counsel as cs
from counsel.acquisition.registry import acquisitions
from counsel.acquisition.terms import joined
from counsel.explain import paths
from counsel.explain.attribution import Attribution

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


@pytest.mark.parametrize("name", NAMES)
def test_contributions_add_up_to_what_was_maximised(name: str) -> None:
    """On a mixed box, with pending points, whatever the policy."""
    study = begun(BOX, name, direction="minimize")
    for proposal in study.ask(2):
        why = study.explain(proposal)
        assert_adds_up(study, why, proposal)
        assert why.proposal == proposal.id
        assert why.parameters == ("dose", "kind", "count")


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


def test_a_warm_what_if_does_not_fit_the_score_again() -> None:
    study = begun(BOX, "v-ucb")
    study.what_if({"dose": 10.0, "kind": "v", "count": 4})
    kept = study.explaining.score_now()
    study.what_if({"dose": 20.0, "kind": "u", "count": 5})
    assert study.explaining.score_now() is kept
    study.tell({"dose": 20.0, "kind": "u", "count": 5}, 1.0)
    assert study.explaining.score_now() is not kept
