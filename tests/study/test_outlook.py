"""When to stop, how a study is shown, and how it travels."""

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.facts import checks
from counsel.facts.kept import Kept
from counsel.models import gp
from counsel.policies.bandit import Bandit
from counsel.policies.constraint_learner import ConstraintLearner
from counsel.policies.registry import policies
from counsel.policies.scaling import Scaling

SPACE = cs.Space(x=cs.Float(0, 1))


def told(trials: int, payoff: Any, **options: Any) -> cs.Study:
    study = cs.create_study(SPACE, policy="v-ucb", seed=1, **options)
    for x in np.linspace(0, 1, trials):
        study.tell({"x": float(x)}, payoff(float(x)))
    return study


def smooth(x: float) -> float:
    return -((x - 0.37) ** 2)


def test_less_is_left_to_gain_the_more_is_known() -> None:
    few, many = (told(n, smooth).outlook(worth=0.01) for n in (3, 12))
    assert many.gain < few.gain
    assert many.gain < 0.01
    assert many.chance <= few.chance
    assert many.explained > 0.9
    assert many.warning == ""
    assert "still to be gained" in many.sentence()
    assert "is under 1%." in replace(many, chance=0.0).sentence()
    assert "is over 99%." in replace(many, chance=1.0).sentence()


def test_the_default_does_not_promise_more_than_its_own_scale_allows() -> None:
    """On the scale of gaps, the far and unknown is believed to be bad, in spite of a wide sd."""
    study = cs.create_study(SPACE, direction="minimize", seed=1)
    for x in (0.0, 0.2, 0.3, 0.36, 0.37, 0.38, 0.45):
        study.tell({"x": x}, 100.0 * (x - 0.37) ** 2)
    found = study.outlook(worth=0.5)
    assert found.gain < 0.5
    assert found.chance < 0.1


def test_with_constraints_only_what_may_keep_them_is_to_be_gained() -> None:
    """The payoff is best where the constraint breaks, which is nobody's gain."""
    study = cs.create_study(SPACE, constraints=[cs.Constraint("calm", at_least=0.0)], policy="ei")
    for x in np.linspace(0, 1, 9):
        study.tell({"x": float(x)}, 10.0 * x, constraints={"calm": float(0.55 - x)})
    assert study.outlook(worth=1.0).gain < 1.5  # up to 0.55 from 0.5, and not up to 1
    assert study.outlook(worth=1.0).gain > 0.05


def test_the_peak_beside_the_best_trial_is_not_missed() -> None:
    """A mixture with a constraint: the gain is that of many more points and draws."""
    space = cs.Space(**{n: cs.Float(0, 100) for n in "abc"}, require="a + b + c == 100")
    study = cs.create_study(space, constraints=[cs.Constraint("thin", at_least=0)], seed=1)
    for x in space.sample(9, np.random.default_rng(2)):
        a, b, c = (float(v) / 100 for v in space.decode(x).values())
        pays = 30 * a * b + 20 * b * c - 10 * a * c
        study.tell(space.decode(x), pays, constraints={"thin": c - 0.2 - 0.3 * a})
    history = study._ledger.state.history(t=1, seed=1, context=np.zeros(0))
    rng, policy, problem = np.random.default_rng(3), study.policy, study.problem
    assert isinstance(policy, Bandit)
    kept = policy.chances(problem, history, history.x)[:, 0] > 0.5
    best = history.x[np.argmax(np.where(kept, history.y, -np.inf))]
    near = best + 10.0 ** rng.uniform(-3, -0.5, (600, 1)) * rng.standard_normal((600, 3))
    points = np.concatenate([best[None], space.snap(near), space.sample(600, rng)])
    points = points[policy.chances(problem, history, points)[:, 0] > 0.5]
    draws = policy.draws(problem, history, points, rng.standard_normal((500, len(points))))
    gain = float(np.maximum(draws.max(axis=1) - draws[:, 0], 0.0).mean())
    assert study.outlook().gain == pytest.approx(gain, rel=0.3)


def test_of_a_constant_nothing_is_said() -> None:
    said = told(6, lambda x: 0.1).outlook().sentence()
    assert said == "All 6 trials measured the same: nothing can be said of what is left."


def test_a_model_that_does_not_predict_is_warned_of() -> None:
    """Neighbours that say the opposite: nothing can be predicted from them."""
    contrary = told(14, lambda x: float((-1) ** round(13 * x))).outlook()
    assert contrary.explained < 0.0
    assert "do not trust" in contrary.warning
    assert told(3, smooth).outlook().warning.startswith("3 trials are too few")


def test_leaving_one_out_is_what_a_study_without_it_predicts() -> None:
    """At the same hyper-parameters: the closed form against taking the trial away."""
    study = told(8, smooth)
    policy: Any = study.policy
    history = study._ledger.state.history(t=1, seed=1, context=np.zeros(0))
    y, mean, sd = policy.left_out(study.problem, history)
    belief = policy.believe(study.problem.space, history).posterior
    kept = np.arange(8) != 3
    without = gp.posterior(
        belief.kernel,
        belief.noise,
        gp.Data.padded(history.x[kept], history.y[kept]),
        units=(belief.offset, belief.scale),
        fixed_trend=float(belief.trend),
    )
    here, spread = (np.asarray(each) for each in without.predict(history.x[[3]]))
    assert mean[3] == pytest.approx(here[0], abs=1e-6)
    noise = float(belief.noise) * float(belief.scale) ** 2
    assert sd[3] == pytest.approx(np.sqrt(spread[0] ** 2 + noise), rel=1e-3)
    assert np.array_equal(y, history.y)


def test_an_outlook_in_the_direction_that_is_wanted() -> None:
    study = cs.create_study(SPACE, direction="minimize", policy="v-ucb", seed=1)
    for x in np.linspace(0, 1, 9):
        study.tell({"x": float(x)}, (float(x) - 0.37) ** 2)
    assert 0.0 <= study.outlook().gain < 0.05


def test_there_is_no_outlook_without_beliefs() -> None:
    with pytest.raises(cs.NothingToExplain, match="two measurements"):
        cs.create_study(SPACE).outlook()
    study = cs.create_study(SPACE, policy="random")
    study.tell({"x": 0.1}, 1.0)
    study.tell({"x": 0.2}, 1.0)
    with pytest.raises(cs.NothingToExplain, match="v-ucb"):
        study.outlook()


def test_a_study_shows_itself() -> None:
    study = told(2, smooth, name="<oven>")
    study.ask()
    assert repr(study) == (
        "<Study '<oven>': maximize objective over x by v-ucb; 2 observations, 1 pending>"
    )


@pytest.mark.parametrize("storage", [None, "sqlite"])
def test_a_study_travels(storage: str | None, tmp_path: Path) -> None:
    address = None if storage is None else f"sqlite:///{tmp_path / 'study.db'}"
    study = told(4, smooth, storage=address)
    study.ask()
    again = pickle.loads(pickle.dumps(study))
    assert again.facts == study.facts
    assert again.ask().values == study.ask().values if storage is None else True
    assert again.replay().identical


@pytest.mark.parametrize("quiet", [None, 1e-3])
def test_of_more_trials_than_the_model_holds_those_it_holds_are_checked(
    quiet: float | None,
) -> None:
    """Each by its own name, and as the others of them say at the same hyper-parameters."""
    small = Scaling(fit_rows=32, exact_rows=48, inducing=32, quiet=quiet)
    policy = replace(Bandit(cs.acquisition.VUCB()), scaling=small)
    study = cs.create_study(SPACE, policy=policy, seed=1)
    rng = np.random.default_rng(0)
    noises = rng.normal(0.0, 0.0 if quiet else 0.05, 60)
    places = rng.uniform(size=60).tolist()
    pairs = zip(places, noises.tolist(), strict=True)
    study.tell_many([{"x": x, "objective": smooth(x) + noise} for x, noise in pairs])
    found = study.outlook()
    assert found.trials == len(found.left_out) == 48
    values = {o.id: o.outcomes["objective"] for o in study.observations}
    assert all(each.value == values[each.observation] for each in found.left_out)
    history = study._ledger.state.history(t=1, seed=1, context=np.zeros(0))
    _, mean, sd = policy.left_out(study.problem, history)
    rows = np.flatnonzero(np.isfinite(sd))
    assert len(rows) == 48
    belief = policy._surrogate.believe_exactly(SPACE, history)[0].posterior
    for out in rows[::16]:
        kept = rows[rows != out]
        without = gp.posterior(
            belief.kernel,
            belief.noise,
            gp.Data.padded(history.x[kept], history.y[kept]),
            units=(belief.offset, belief.scale),
            fixed_trend=float(belief.trend),
        )
        here, spread = (np.asarray(each) for each in without.predict(history.x[[out]]))
        noise = float(belief.noise) * float(belief.scale) ** 2
        assert mean[out] == pytest.approx(here[0], abs=1e-4)
        assert sd[out] == pytest.approx(np.sqrt(spread[0] ** 2 + noise), rel=1e-2)


def test_the_best_of_very_many_trials_is_what_gains_are_measured_from() -> None:
    """The best trials are the first of all by place, where a part of them must not be lost."""
    study = cs.create_study(SPACE, policy="v-ucb", seed=1)
    study.tell_many([{"x": float(x), "objective": -float(x)} for x in np.linspace(0, 1, 500)])
    assert study.outlook().gain < 0.01


def test_measurements_beyond_all_numbers_are_not_blamed_on_rejections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checks, "LARGEST", np.inf)  # as in studies from before there was a limit
    study = cs.create_study(SPACE, seed=1)
    with np.errstate(over="ignore", invalid="ignore"):
        for x, value in ((0.1, 1e308), (0.3, -1e308), (0.5, 0.0), (0.7, 1.0), (0.9, 2.0)):
            study.tell({"x": x}, value)
        with pytest.raises(cs.NothingToPropose, match="not finite"):
            study.ask()


LEARNERS = [
    each.tag
    for each in policies.entries()
    if each.ready and isinstance(each.make({}), ConstraintLearner)
]


@pytest.mark.parametrize("policy", LEARNERS)
def test_learners_of_constraints_say_whether_to_go_on(policy: str) -> None:
    arms = cs.Arms(np.linspace(0, 1, 12)[:, None])
    study = cs.create_study(arms, policy=policy, constraints=[cs.Constraint("calm", at_least=0.0)])
    few: float | None = None
    for i in (0, 4, 8, 2, 6, 5, 5):
        x = i / 11
        study.tell(arms[i], smooth(x), constraints={"calm": 0.9 - x})
        if i == 8:
            few = study.outlook(worth=0.01).gain
    found = study.outlook(worth=0.01)
    assert few is not None
    assert found.gain < few
    assert found.trials == 7
    assert found.coverage == 1.0
    assert found.explained > 0.5  # each from the others


@pytest.mark.parametrize("policy", ["dmcl", "mcl", "acl"])
@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_constraint_learners_have_an_outlook(policy: str, direction: Any) -> None:
    sign = 1.0 if direction == "maximize" else -1.0
    study = cs.create_study(
        cs.Arms([{"x": i / 6, "y": j / 2} for i in range(7) for j in range(5)]),
        direction=direction,
        constraints=[cs.Constraint("comfort", at_least=0.0)],
        policy=policy,
        seed=0,
    )
    for x, y in [(1, 0), (2, 4), (3, 1), (4, 3), (5, 1), (1, 3), (4, 2)]:
        values = {"x": x / 6, "y": y / 2}
        payoff = sign * (values["x"] - 0.3 * (values["y"] - 1.0) ** 2)
        study.tell(values, payoff, constraints={"comfort": 0.7 - values["x"]})
    found = study.outlook(worth=0.2)
    assert 0.0 <= found.gain < 0.1  # the best of all that keeps the constraint was tried
    assert found.chance < 0.2
    assert found.trials == len(found.left_out) == 7
    assert found.explained > 0.3
    told = {each.id: each.outcomes["objective"] for each in study.observations}
    for each in found.left_out:
        assert each.value == told[each.observation]
        assert abs(each.mean - each.value) < 4.0 * each.sd


def test_what_has_no_outlook_says_why() -> None:
    space = cs.Space(x=cs.Float(0, 1))
    for study, why in (
        (cs.create_study(space, objective="preference"), "Comparisons have no outlook"),
        (cs.create_study(space, policy="random"), "The policy 'random' has no outlook"),
        (cs.create_study(space, policy="v-ucb"), "needs two measurements"),
    ):
        with pytest.raises(cs.NothingToExplain, match=why):
            study.outlook()


def test_a_learner_of_a_drifting_world_without_constraints_goes_on() -> None:
    arms = cs.Arms([{"x": float(i)} for i in range(4)])
    study = cs.create_study(arms, policy=cs.policies.DMCL(drifting=True), seed=0)
    for _ in range(4):
        proposal = study.ask()
        study.tell(proposal, proposal.values["x"])
    assert study.ask().asks == ()


def noisy_batches(count: int, noise: float) -> cs.Study:
    """Batches of 8 of two hills, by the default policy, told without standard errors."""
    space = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1))
    study, rng = cs.create_study(space, seed=8), np.random.default_rng(7)
    for _ in range(count):
        for each in study.ask(8):
            a, b = float(each.values["a"]), float(each.values["b"])
            hills = np.exp(-8 * ((a - 0.3) ** 2 + (b - 0.6) ** 2))
            hills += 0.6 * np.exp(-12 * ((a - 0.8) ** 2 + (b - 0.2) ** 2))
            study.tell(each, float(hills + noise * rng.standard_normal()))
    return study


def test_scatter_is_not_taken_for_peaks_that_are_still_to_be_found() -> None:
    """The fit that proposes has a length-scale of 0.005 here, and no noise: 0.52 was promised."""
    study = noisy_batches(4, 0.1)
    own, space = study._the_policy(), study.problem.space
    assert isinstance(own, Bandit)
    doubtful = own.open_to_noise()
    assert doubtful is not None
    assert doubtful.open_to_noise() is None
    before = study._ledger.state.history(t=99, seed=1, context=np.zeros(0))
    anew = replace(before, theta=(), fresh=False, kept=Kept())
    assert np.exp(own.believe(space, before).theta[-1]) < 1e-4
    assert np.exp(doubtful.believe(space, anew).theta[-1]) > 0.05  # of the variance
    found = study.outlook(worth=0.2)
    assert found.gain < 0.25
    assert found.chance < 0.5
    assert np.exp(own.believe(space, before).theta[-1]) < 1e-4  # as before: proposals know nothing
    assert study.replay().identical


@pytest.mark.parametrize("noise", [None, 0.01])
def test_a_policy_that_expects_usual_noise_is_asked_itself(noise: float | None) -> None:
    settings: dict[str, Any] = {} if noise is None else {"noise": noise}
    study = cs.create_study(SPACE, policy="v-ucb", **settings)
    own = study._the_policy()
    assert isinstance(own, Bandit)
    assert own.open_to_noise() is None
