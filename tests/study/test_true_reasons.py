"""Explanations are true: each claim is compared with a brute-force answer in plain NumPy.

One test for every way in which an explanation has been found to be false, silent or useless. That
pages and REST record who was shown one is in `tests/service` (`test_a_client_with_a_token`, and
the first test of the Decide page), where a service is up.
"""

import math
from dataclasses import replace
from typing import Any, ClassVar

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import pytest

import counsel as cs
from counsel import plots
from counsel.explain.background import background_for
from counsel.explain.game import Game, on_host
from counsel.explain.sampled import sample
from counsel.teams.alignment import Alignment, factor
from explain.claims import check_efficiency
from explain.oracle import SOMETIMES, Plain, shapley

UNIT = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1))
ARMS = cs.Arms(np.random.default_rng(0).uniform(size=(12, 2)), names=["a", "b"])
CONSTRAINTS = [cs.Constraint("calm", at_least=0.0), cs.Constraint("jerk", at_most=1.0)]


def yield_and_purity(policy: Any) -> cs.Study:
    """The yield depends on a alone, the purity on b alone."""
    study = cs.create_study(
        UNIT,
        objective="yield",
        constraints=[cs.Constraint("purity", at_least=0.5)],
        policy=policy,
        seed=1,
    )
    for i in range(4):
        for j in range(4):
            a, b = i / 3, j / 3
            study.tell({"a": a, "b": b}, math.sin(2.0 * a), constraints={"purity": b})
    return study


def test_a_parameter_is_not_credited_with_what_a_constraint_owes_to_it() -> None:
    study = yield_and_purity("v-ucb")
    why = study.explain(study.ask())
    exploitation, feasibility = (why.terms.index(t) for t in ("exploitation", "feasibility:purity"))
    assert abs(why.values[exploitation, 1]) < 0.1 * abs(why.values[exploitation, 0])
    assert abs(why.values[feasibility, 0]) < 0.1 * abs(why.values[feasibility, 1])
    assert "b=" not in why.sentence().split("expected yield")[0] or "purity" in why.sentence()


def test_until_a_trial_keeps_the_constraints_nothing_else_is_a_reason() -> None:
    """Then the recorded terms add up to a bound times the chance, of which the bound is one."""
    study = cs.create_study(
        UNIT,
        objective="yield",
        constraints=[cs.Constraint("purity", at_least=0.5)],
        policy="v-ucb",
        seed=1,
    )
    for i in range(4):
        for j in range(4):
            study.tell({"a": i / 3, "b": j / 3}, i / 3, constraints={"purity": min(j / 3, 0.49)})
    first = study.ask()
    assert set(first.terms) == {"feasibility:purity"}
    why = study.explain(first)
    assert why.terms == ("feasibility:purity",)
    assert "the chance that purity is as required" in why.sentence()
    study.tell(first, 0.2, constraints={"purity": 0.6})
    second = study.ask()
    assert set(second.terms) == {"bound", "feasibility:purity"}
    assert set(study.explain(second).terms) == {
        "exploitation", "approximation", "feasibility:purity",
    }  # fmt: skip
    score: Any = study.explaining.score_of(second)
    chance = math.exp(second.terms["feasibility:purity"])
    assert chance == pytest.approx(second.chances["purity"], rel=1e-6)
    told = study.explain(second)
    bound = sum(told.total[told.terms.index(tag)] for tag in ("exploitation", "approximation"))
    above = (bound - float(score.floor)) / float(score.scale)
    assert second.terms["bound"] == pytest.approx(math.log(above), rel=1e-9)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_best_trial_so_far_is_that_of_the_study_not_the_luckiest(sign: float) -> None:
    """Of trials along a slope, one in the middle was measured by far too high."""
    study = cs.create_study(
        cs.Space(x=cs.Float(0, 1)),
        direction="maximize" if sign > 0.0 else "minimize",
        policy="v-ucb",
        seed=0,
    )
    for i in range(11):
        sem = 5.0 if i == 5 else 0.01
        study.tell({"x": i / 10}, sign * (8.0 if i == 5 else i / 10), sem=sem)
    best = study.best
    assert best is not None
    assert best.value == sign * 1.0
    found = study.what_if({"x": 0.5})
    assert found.best == best.value
    assert f"than the best trial so far ({best.value:g})" in found.sentence()


def test_a_point_that_is_only_sure_to_work_is_not_recommended_by_that() -> None:
    """It is rated above average for its purity alone: what to expect of the yield is said, too."""
    study = yield_and_purity("v-ucb")
    middling = {"a": 0.3, "b": 1.0}
    found = study.what_if(middling)
    gains = dict(zip(found.attribution.terms, found.attribution.gains.tolist(), strict=True))
    assert gains["exploitation"] + gains["approximation"] < 0.0 < sum(gains.values())
    row = found.attribution.terms.index("exploitation")
    below = found.attribution.base[row] - found.attribution.total[row]
    apart = (
        "Apart from the chance that purity is as required, it is rated below average: "
        "the expected yield is "
        f"{below:.3g} lower than an average one."
    )
    assert study.explain(middling).sentence().endswith(apart)
    best = max(math.sin(2.0 * i / 3) for i in range(4))  # purity holds for b = 2/3 and 1
    assert found.best == pytest.approx(best)
    mean = found.prediction.mean
    assert found.sentence().startswith(
        f"The expected yield is {mean:.4g}, {best - mean:.3g} lower than the best trial so far "
        f"({best:.4g}). "
    )
    assert found.sentence().endswith(apart)
    good = study.what_if({"a": 0.75, "b": 1.0}).sentence()
    assert "Apart from" not in good


def test_a_contrast_tells_of_chances_beside_a_hopeless_improvement() -> None:
    """Where nothing is to be gained at one of the points, its logarithm is all that would count."""
    study = yield_and_purity("ei")
    known, other = {"a": 0.0, "b": 1.0}, {"a": 0.9, "b": 0.5}
    chances = [study.chances(point)["purity"] for point in (known, other)]
    assert chances[0] - chances[1] > 0.2
    for here, there in ((known, other), (other, known)):
        said = study.explain(here, instead_of=there).sentence()
        assert "improvement on the best so far is" in said
        assert "chance that purity is as required is" in said


def test_an_improvement_is_explained_in_the_objectives_units() -> None:
    study = yield_and_purity("ei")
    proposal = study.ask()
    why = study.explain(proposal)
    row = why.terms.index("improvement")
    score: Any = study.explaining.score_of(proposal)
    plain, best = Plain.of(score.score.posterior, 16), float(score.score.incumbent)

    def improvement(x: Any) -> Any:
        mean, sd = plain.predict(x)
        z = (mean - best) / sd
        cdf = 0.5 * np.vectorize(math.erfc)(-z / math.sqrt(2.0))
        return sd * (np.exp(-0.5 * z**2) / math.sqrt(2.0 * math.pi) + z * cdf)

    background = background_for(UNIT).points
    point = UNIT.encode(proposal.values)
    np.testing.assert_allclose(
        why.values[row], shapley(improvement, point, background, [[0], [1]]), rtol=1e-6, atol=1e-12
    )
    assert 0.0 < why.base[row] < 1.0
    np.testing.assert_allclose(why.total[row], math.exp(proposal.terms["improvement"]), rtol=1e-9)


@pytest.mark.parametrize("policy", ["dmcl", "mcl", "acl", "acol", "ts", "preference"])
def test_no_policy_is_silent(policy: str) -> None:
    """And what it says adds up, to the terms that were recorded where there are any."""
    constrained = policy in ("dmcl", "mcl", "acl", "acol")
    study = cs.create_study(
        ARMS, policy=policy, seed=1, constraints=CONSTRAINTS if constrained else []
    )
    for i in range(5):
        a, b = (float(v) for v in ARMS.points[i])
        answers = {"calm": b - 0.3, "jerk": 2 * a * b} if constrained else None
        study.tell(ARMS[i], math.sin(3.0 * a), constraints=answers)
    proposal = study.ask()
    why = study.explain(proposal)
    check_efficiency(why)
    score: Any = study.explaining.score_of(proposal)
    point = ARMS.encode(proposal.values)[None, :]
    point = point if on_host(score) else jnp.asarray(point)
    maximised = {tag: float(np.asarray(each)[0]) for tag, each in score.terms(point).items()}
    if proposal.terms:
        assert sum(maximised.values()) == pytest.approx(sum(proposal.terms.values()), rel=1e-9)
    assert why.sentence()


def test_reasons_that_are_all_turned_round_have_the_same_ratios() -> None:
    machine, person = (0.92, 0.08), (-0.91, -0.09)
    assert factor(np.array(machine), np.array([person])) == pytest.approx((0.92 / 0.08) / (91 / 9))
    found = Alignment("p1", "ann", ("lifting", "lowering"), machine, person, 1.1, 1)
    assert found.sentence() == (
        "This proposal is driven by lifting, as your past choices were, but here for the better "
        "and there for the worse."
    )


def test_a_cost_reads_as_a_cost_and_a_rejected_proposal_as_proposed() -> None:
    study = cs.create_study(UNIT, objective="cost", direction="minimize", policy="v-ucb", seed=1)
    for i in range(4):
        study.tell({"a": i / 3, "b": (i * 2 % 3) / 2}, 332.0 + 10.0 * i)
    proposal = study.ask()
    study.reject(proposal, actor="ann")
    why = study.explain(proposal)
    table = why.table()
    assert table.loc["exploitation", "base"] > 300.0
    assert table.loc["exploitation", "total"] == pytest.approx(proposal.prediction.mean)  # type: ignore[union-attr]
    assert why.sentence().startswith("Proposed")
    (steps,) = plots.waterfall(why, "exploitation").data
    assert steps.x[0] == pytest.approx(why.base[0])
    assert steps.x[-1] == pytest.approx(proposal.prediction.mean)  # type: ignore[union-attr]
    assert "smaller is better" in plots.waterfall(why).layout.xaxis.title.text
    good, bad = steps.decreasing.marker.color, steps.increasing.marker.color
    rising = plots.waterfall(replace(why, direction="maximize"), "exploitation").data[0]
    assert (rising.increasing.marker.color, rising.decreasing.marker.color) == (good, bad)
    worst = study.explain({"a": 1.0, "b": 0.0})  # measured, and the dearest of all
    assert worst.worth.sum() < 0.0
    assert worst.sentence().startswith("Rated below an average point, ")
    assert "because a 1 raises the expected cost" in worst.sentence()


def test_a_high_level_hides_no_reason() -> None:
    """A billion and one is not the same as a billion, if that is what trials differ by."""
    said = []
    for level in (0.0, 1e9):
        study = cs.create_study(UNIT, policy="v-ucb", seed=1)
        for i in range(8):
            a, b = i / 7, (3 * i % 8) / 7
            study.tell({"a": a, "b": b}, level + math.sin(3.0 * a) + 0.2 * b)
        proposal, mine = study.ask(), {"a": 0.2, "b": 0.9}
        said.append(study.explain(mine).sentence())
        said.append(study.explain(proposal, instead_of=mine).sentence())
        told = study.what_if(mine, instead_of=proposal)
        gap = float(told.prediction.mean - told.proposed.mean)  # type: ignore[union-attr]
        assert f"{abs(gap):.3g} {'lower' if gap < 0.0 else 'higher'} than that of p1" in (
            told.sentence()
        )
        expected = float(told.sentence().removeprefix("The expected payoff is ").split(", ")[0])
        assert expected == pytest.approx(told.prediction.mean, abs=0.1 * abs(gap), rel=0.0)
    assert said[0] == said[2]
    assert "stands out" not in said[0]
    assert said[1] == said[3]


def test_nothing_is_not_less_than_nothing() -> None:
    """Of a cost that was 0 everywhere, 0 is expected and not -0."""
    study = cs.create_study(UNIT, objective="cost", direction="minimize", policy="v-ucb", seed=1)
    for i in range(4):
        study.tell({"a": i / 3, "b": 0.5}, 0.0)
    found = study.what_if({"a": 0.2, "b": 0.2}, instead_of=study.ask())
    assert found.sentence().startswith("The expected cost is 0, the same as that of p1 (0), ")
    row = found.attribution.terms.index("exploitation")
    for each in (found.attribution.base, found.attribution.total):
        assert not np.signbit(each[row])


def test_a_point_among_the_trials_is_not_called_uncertain() -> None:
    """Where the sd is below average, no parameter is said to make the outcome less certain."""
    study = cs.create_study(UNIT, policy=cs.policies.by_name("v-ucb", kappa=20.0), seed=1)
    for a in (0.4, 0.5, 0.6):
        for b in (0.4, 0.5, 0.6):
            study.tell({"a": a, "b": b}, a + b)
    why = study.explain({"a": 0.5, "b": 0.5})
    row = why.terms.index("approximation")
    assert why.total[row] < why.base[row]
    assert "more certain" in why.sentence()
    assert "less certain" not in why.sentence()


def test_what_overriding_gained_is_known_with_contexts() -> None:
    space = cs.Space(x=cs.Float(0, 1), context={"wet": cs.Categorical(["yes", "no"])})
    study = cs.create_study(space, policy="v-ucb", seed=0)
    for i in range(5):
        proposal = study.ask(context={"wet": "yes" if i % 2 else "no"})
        if i == 3:
            study.override(proposal, {"x": 0.3}, actor="ann")
        study.tell(proposal, float(i))
    (found,) = study.overriding()
    assert found.actor == "ann"


def test_a_contrast_adds_up_to_the_difference() -> None:
    study = yield_and_purity("v-ucb")
    proposal, mine = study.ask(), {"a": 0.1, "b": 0.2}
    why = study.explain(proposal, instead_of=mine, actor="ann")
    check_efficiency(why)
    other = study.explain(mine, instead_of=proposal)
    np.testing.assert_allclose(other.values, -why.values, atol=1e-9)
    assert other.sentence() == why.sentence()
    assert "chance that purity is as required" in why.sentence()
    assert why.sentence().startswith("The alternative's ")
    assert [shown.actor for shown in study.shown] == ["ann"]
    assert dict(study.shown[0].attribution.instead_of or {}) == mine
    with pytest.raises(cs.InvalidInput, match="background"):
        study.explain(proposal, instead_of=mine, background=[mine])
    with pytest.raises(cs.InvalidInput, match="until"):
        study.explain(proposal, until="never")  # type: ignore[arg-type]


class Uneven(eqx.Module):
    """A large term in which parameters hardly act together, and a small one in which they do."""

    whole: ClassVar[bool] = False

    def terms(self, x: Any) -> Any:
        return {
            "exploitation": 1e6 * (x.sum(axis=1) + 0.01 * jnp.prod(1.0 + x, axis=1)),
            "approximation": jnp.sin(3.0 * x.sum(axis=1)),
        }


def test_the_tolerance_of_a_sampled_term_is_a_share_of_its_own_largest_value() -> None:
    rng = np.random.default_rng(0)
    game = Game(Uneven(), rng.uniform(size=6), rng.uniform(size=(64, 6)), tuple(range(6)), 6)
    for tolerance in (0.2, 0.02):
        found = sample(game, np.random.default_rng(1), tolerance=tolerance, few=3)
        assert found.settled
        for tag in ("exploitation", "approximation"):
            own = float(np.abs(found.values[tag]).max())
            assert 0.0 < 1.96 * float(found.error[tag].max()) <= tolerance * own


def test_points_drawn_in_a_restricted_space_have_an_error() -> None:
    space = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1), require=["a + b <= 1.2"])
    study = cs.create_study(space, policy="v-ucb", seed=1)
    for a in (0.1, 0.4, 0.8):
        study.tell({"a": a, "b": 0.3}, math.sin(3.0 * a))
    why = study.explain({"a": 0.5, "b": 0.6})
    assert why.error.all()
    assert not why.exact


def test_errors_include_that_of_the_background() -> None:
    """The mean has a closed form; the sd's error is that of points that stand for the box."""
    study = yield_and_purity("v-ucb")
    why = study.explain(study.ask())
    rows = {tag: i for i, tag in enumerate(why.terms)}
    assert why.methods[rows["exploitation"]] == "closed form"
    assert not why.error[rows["exploitation"]].any()
    assert why.error[rows["approximation"]].all()
    assert why.error[rows["feasibility:purity"]].all()
    assert not why.exact
    given = study.explain(why.point, background=[{"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 0.5}])
    assert given.exact


def test_a_parameter_that_is_not_there_is_no_reason() -> None:
    """All points in between exist, too: without b there is none to credit, nor one to invent."""
    study = cs.create_study(SOMETIMES, policy="v-ucb", seed=1)
    rng = np.random.default_rng(0)
    for each in map(SOMETIMES.decode, SOMETIMES.sample(9, rng)):
        study.tell(each, 3.0 * math.log(each.get("b", 1.0)) + each["a"] + (each["c"] == "v"))
    without, there = {"a": 3.0, "c": "v"}, {"a": 8.0, "b": 70.0, "c": "u"}
    some = [SOMETIMES.decode(each) for each in SOMETIMES.sample(8, rng)]
    score: Any = study.explaining.score_now()
    plain = Plain.of(score.posterior, 9)
    for point in (without, there):
        for background in (some, None):
            why = study.explain(point, background=background)
            assert (np.abs(why.values[:, 1]).max() < 1e-12) == ("b" not in point)
            assert "no b" not in why.sentence()
            check_efficiency(why)
        why = study.explain(point, background=some)
        told = shapley(
            plain.mean,
            SOMETIMES.encode(point),
            SOMETIMES.encode_many(some),
            [[0], [1], [2, 3, 4]],
            sometimes=True,
        )
        np.testing.assert_allclose(why.values[0], told, rtol=1e-6, atol=1e-6)
    contrast = study.explain(there, instead_of=without)
    np.testing.assert_allclose(
        contrast.values, -study.explain(without, instead_of=there).values, atol=1e-9
    )
    assert np.abs(contrast.values[:, 1]).max() < 1e-12


def test_what_takes_the_place_of_a_proposal_is_compared_with_it() -> None:
    study = cs.create_study(UNIT, policy="v-ucb", objective="cost", direction="minimize", seed=1)
    for i in range(4):
        study.tell({"a": i / 3, "b": 0.5}, i / 3)
    proposal = study.ask()
    mine = {"a": 0.9, "b": 0.5}
    found, alone = study.what_if(mine, instead_of=proposal), study.what_if(mine)
    assert (found.proposal, alone.proposal) == (proposal.id, None)
    assert found.proposed == study.predict(proposal.values)
    assert found.proposed is not None
    theirs, ours = found.proposed.mean, found.prediction.mean
    assert theirs < ours
    assert found.sentence().startswith(
        f"The expected cost is {ours:.4g}, {ours - theirs:.3g} higher (worse) than that of "
        f"{proposal.id} ({theirs:.4g}), {ours:.3g} higher (worse) than the best trial so far (0). "
    )
    assert "that of" not in alone.sentence()
