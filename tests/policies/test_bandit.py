"""Bandits: first points, beliefs and their terms, warm starts, pending trials."""

from collections.abc import Callable

import jax
import numpy as np
import pytest
import scipy.stats

import counsel as cs
from counsel.facts.history import History
from counsel.models import gp
from counsel.models.kernels import SquaredExponential
from counsel.policies.surrogate import Limits, if_they_break, predict_at

ARMS = cs.Arms([{"a": i / 4, "b": j / 4} for i in range(5) for j in range(5)])
BOX = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))
GREEDY = cs.policies.Bandit(cs.acquisition.VUCB(0.0))


def smooth(a: float, b: float) -> float:
    return -((a - 0.25) ** 2) - (b - 0.75) ** 2


def taught(policy: object, space: object = ARMS) -> cs.Study:
    """Nine observations on a coarse grid, told by a person."""
    study = cs.create_study(space, policy=policy, seed=3)  # type: ignore[arg-type]
    names = study.problem.space.names
    for a in (0.0, 0.5, 1.0):
        for b in (0.0, 0.5, 1.0):
            study.tell(dict(zip(names, (a, b), strict=True)), smooth(a, b))
    return study


def modelled(study: cs.Study, rounds: int) -> list[bool]:
    """Which of the next proposals came from beliefs."""
    found = []
    for _ in range(rounds):
        proposal = study.ask()
        found.append(proposal.prediction is not None)
        study.tell(proposal, 1.0)
    return found


@pytest.mark.parametrize(("initial", "first"), [(None, 3), (1, 1), (5, 5)])
def test_first_points_come_before_beliefs(initial: int | None, first: int) -> None:
    policy = cs.policies.Bandit(cs.acquisition.VUCB(), initial=initial)
    assert modelled(cs.create_study(ARMS, policy=policy), 6) == [i >= first for i in range(6)]


def test_first_points_grow_with_the_space() -> None:
    policy = cs.policies.by_name("v-ucb")
    for count, first in [(1, 3), (2, 3), (6, 7), (12, 10)]:
        space = cs.Space(**{f"x{i}": cs.Float(0, 1) for i in range(count)})
        n = first - 1
        made = History(
            *(np.zeros((n, count)), np.zeros(n), np.zeros((0, count)), np.zeros((0, count))),
            *(np.zeros(0), first, 0),
        )
        assert policy.propose(cs.Problem(space), made).mean is None


def test_observations_told_by_a_person_count_as_first_points() -> None:
    assert taught("v-ucb").ask().prediction is not None


@pytest.mark.parametrize("name", ["v-ucb", "gp-ucb", "ei", "lw-ucb"])
def test_goes_where_the_payoff_is(name: str) -> None:
    study = taught(name)
    for _ in range(4):
        proposal = study.ask()
        study.tell(proposal, smooth(*proposal.values.values()))  # type: ignore[arg-type]
    assert study.best is not None
    assert study.best.values == {"a": 0.25, "b": 0.75}


def test_greed_in_a_box_finds_the_peak() -> None:
    proposal = taught(GREEDY, BOX).ask()
    assert proposal.values["x"] == pytest.approx(0.25, abs=0.05)
    assert proposal.values["y"] == pytest.approx(0.75, abs=0.05)


def test_terms_are_named_as_explanations_will_tell_them() -> None:
    names = {
        "v-ucb": {"exploitation", "approximation"},
        "gp-ucb": {"exploitation", "approximation"},
        "ei": {"improvement"},
        "ts": {"draw"},
        "lw-ucb": {"exploitation", "approximation"},
    }
    for name, terms in names.items():
        assert taught(name).ask().terms.keys() == terms


def test_curiosity_weighs_the_standard_deviation() -> None:
    policy = cs.policies.Bandit(cs.acquisition.VUCB(kappa=5.0))
    proposal = taught(policy).ask()
    assert proposal.prediction is not None
    assert proposal.terms["approximation"] == pytest.approx(5.0 * proposal.prediction.sd)
    assert proposal.prediction.sd > 0.0


def test_thompson_sampling_draws_anew_every_round() -> None:
    study = taught("ts")
    draws = {study.ask().terms["draw"] for _ in range(3)}
    assert len(draws) == 3


def test_a_fit_is_the_next_ones_warm_start() -> None:
    study = taught("v-ucb")
    first = study.ask()
    assert first.theta
    study.tell(first, smooth(*first.values.values()))  # type: ignore[arg-type]
    second = study.ask()
    assert second.theta != first.theta
    np.testing.assert_allclose(second.theta, first.theta, atol=2.0)


def test_pending_trials_leave_the_mean_and_lower_the_uncertainty() -> None:
    policy, problem = cs.policies.by_name("v-ucb"), cs.Problem(ARMS)
    x = np.array([[0.0, 0.0], [0.5, 0.5], [1.0, 1.0], [0.0, 1.0]])
    y = np.array([0.0, 1.0, 0.5, 0.25])
    nothing = np.zeros((0, 2))
    free = policy.propose(problem, History(x, y, nothing, nothing, np.zeros(0), 5, 0))
    waiting = free.point[None, :]
    after = policy.propose(problem, History(x, y, waiting, nothing, np.zeros(0), 5, 0))
    assert after.arm != free.arm
    before = policy.predict(
        problem, History(x, y, nothing, nothing, np.zeros(0), 5, 0), after.point[None, :]
    )
    assert before is not None
    assert after.mean == pytest.approx(before[0].mean, abs=1e-6)
    assert after.sd is not None
    assert after.sd < before[0].sd


# ---- nothing is compiled again while data grow inside a bucket ----------------------------------

PROGRAMS: list[str] = []


def _note(event: str, duration: float, **_: object) -> None:
    if event == "/jax/core/compile/backend_compile_duration":
        PROGRAMS.append(event)


jax.monitoring.register_event_duration_secs_listener(_note)


def compiled(call: Callable[[], object]) -> int:
    """How many programs a call compiles (or loads from disk)."""
    before = len(PROGRAMS)
    call()
    return len(PROGRAMS) - before


def test_counting_counts() -> None:
    fresh = jax.jit(lambda x: 3.0 * x + 1.0)
    assert compiled(lambda: fresh(np.ones(7))) >= 1
    assert compiled(lambda: fresh(np.ones(7))) == 0


@pytest.mark.parametrize("space", [ARMS, BOX], ids=["arms", "box"])
def test_asking_compiles_once(space: cs.Arms | cs.Space) -> None:
    study = taught("v-ucb", space)  # 9 observations, and 4 rows for pending trials, of 16
    proposal = study.ask()
    for _ in range(3):
        study.tell(proposal, smooth(*proposal.values.values()))  # type: ignore[arg-type]
        asked: list[cs.Proposal] = []
        assert compiled(lambda: asked.append(study.ask())) == 0  # noqa: B023
        proposal = asked[0]


def test_asking_with_more_pending_compiles_once() -> None:
    study = taught("v-ucb")
    study.ask(2)  # the first with none pending, the second with one
    assert compiled(lambda: study.ask(3)) == 0


def test_looking_at_the_best_compiles_once() -> None:
    study = taught("v-ucb")
    assert study.best is not None
    for _ in range(3):
        study.tell({"a": 0.25, "b": 0.25}, 0.0)
        assert compiled(lambda: study.best) == 0


def test_comparing_more_points_compiles_once() -> None:
    """As advice does: a person's claims add points, one by one."""
    study = taught("v-ucb", BOX)
    believed = study.explaining.jointly()
    points = np.random.default_rng(0).random((5, 2))
    made = [believed(points[:2])]
    for count in (3, 4, 5):
        assert compiled(lambda: made.append(believed(points[:count]))) == 0  # noqa: B023
    mean, covariance = made[-1]
    each = study.predict_many([{"x": x, "y": y} for x, y in points.tolist()])
    np.testing.assert_allclose(mean, [one.mean for one in each], rtol=1e-9)
    np.testing.assert_allclose(np.diagonal(covariance), [one.sd**2 for one in each], rtol=1e-6)
    np.testing.assert_allclose(covariance[:2, :2], made[0][1], rtol=1e-9)


def test_a_wary_trial_is_for_the_case_that_those_under_way_break_a_constraint() -> None:
    x = np.array([[0.1], [0.4], [0.9]])
    kernel = SquaredExponential(np.array([0.3]))
    limits: Limits = {
        number: gp.posterior(kernel, np.asarray(0.01), gp.Data.padded(x, np.array(margins)))
        for number, margins in ((1, [-0.5, 0.2, -0.1]), (2, [2.0, 3.0, 2.5]))
    }
    pending = np.array([[0.45]])
    after = if_they_break(limits, pending)
    mean, sd = (float(each[0]) for each in predict_at(limits[1], pending))
    broken = scipy.stats.truncnorm.mean(-np.inf, -mean / sd, loc=mean, scale=sd)
    likely, unlikely = (np.asarray(after[number].data.y)[3] for number in (1, 2))
    np.testing.assert_allclose(likely, broken, rtol=1e-6)
    np.testing.assert_allclose(unlikely, predict_at(limits[2], pending)[0][0], rtol=1e-9)
    # Where all constraints are shares of yes, there is nothing to condition on.
    assert if_they_break({}, pending) == {}
