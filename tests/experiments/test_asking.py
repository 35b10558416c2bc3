"""The compiled loop that asks: it does what a study does, pairs its runs, and tells the truth."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import counsel as cs
from counsel.experiments.asking import Instances, run_asking
from counsel.experiments.dmcl.answers import outcomes, ratio
from counsel.experiments.dmcl.driving import DRIVING
from counsel.experiments.dmcl.linear import run_linear
from counsel.experiments.dmcl.protocol import instances_of
from counsel.experiments.reproduce import report
from counsel.models.multitask import default
from counsel.policies import union
from counsel.policies.acol import ACOL
from counsel.policies.dmcl import DMCL
from counsel.policies.mcl import MCL
from counsel.policies.union import refit_due
from counsel.worlds.driving import driving

ROUNDS = 16
WORLDS = [driving(seed) for seed in (900, 901)]
MODEL = default(9, 4, rank=2, noise=0.05**2)


@pytest.fixture(scope="module")
def instances() -> Instances:
    return instances_of(WORLDS, ROUNDS, range(2))


def test_a_study_makes_the_same_trials(instances: Instances) -> None:
    """Without refits: same arms, same questions, from the same answers."""
    policy = DMCL(certificate="union", standardise=False)
    runs = run_asking(policy, MODEL, instances, fitted=False)
    world = WORLDS[0]
    names = ("objective", *world.constraints)
    fixed = Fixed(policy, world)
    study = cs.create_study(world.space, constraints=world.records(), policy=fixed, seed=0)
    for n in range(ROUNDS):
        proposal = study.ask()
        arm = world.space.index(proposal.values)
        assert arm == runs.arm[0, n]
        assert len(proposal.asks) == runs.asked[0, n]
        seen = dict(zip(names, world.payoffs[:, arm] + instances.noise[0, n], strict=True))
        study.tell(
            proposal, seen["objective"], constraints={name: seen[name] for name in proposal.asks}
        )


class Fixed:
    """DMCL in a study, with the loop's hyper-parameters instead of a fit."""

    def __init__(self, policy: DMCL, world: object) -> None:
        self.policy = DMCL(certificate="union", standardise=False, safe=world.space[world.start])  # type: ignore[attr-defined]
        self.name = "fixed"

    def propose(self, problem: object, history: object) -> object:

        before = union.fitted
        union.fitted = lambda *args: (MODEL, (), "")
        try:
            return self.policy.propose(problem, history)  # type: ignore[arg-type]
        finally:
            union.fitted = before

    def predict(self, problem: object, history: object, points: object) -> None:
        return None


def test_asking_one_by_one_asks_less_and_finds_the_same(instances: Instances) -> None:
    policy = DMCL(certificate="union", standardise=False)
    batch = run_asking(policy, MODEL, instances, fitted=False)
    single = run_asking(policy, MODEL, instances, fitted=False, sequential=True)
    every = run_asking(
        MCL(standardise=False), default(9, 4, rank=0, noise=0.05**2), instances, fitted=False
    )
    assert (every.asked == 8).all()
    for runs in (batch, single, every):
        np.testing.assert_array_equal(runs.arm[:, 0], instances.start)
        assert (runs.asked[:, 0] == 8).all()
        assert not runs.exploring[:, 0].any()
    assert single.asked.sum() < batch.asked.sum() < every.asked.sum()
    again = run_asking(policy, MODEL, instances, fitted=False)
    np.testing.assert_array_equal(again.arm, batch.arm)


def test_acol_certifies_nothing_unsafe_with_a_clear_threshold(instances: Instances) -> None:
    overall = instances._replace(
        truth=np.stack([instances.truth[:, 0], instances.truth[:, 1:].min(axis=1)], axis=1),
        noise=instances.noise[:, :, :2],
        drift=instances.drift[:, :2],
    )
    runs = run_linear(ACOL(), overall, instances.truth[:, 0])
    assert runs.arm.shape == (2, ROUNDS)
    assert (runs.asked == 1).all()
    assert (runs.certified >= 1).all()


def test_refits_are_due_as_in_a_study() -> None:
    from counsel.experiments.asking import _due

    assert [bool(_due(np.asarray(n))) for n in range(70)] == [refit_due(n) for n in range(70)]


def test_a_whole_experiment_is_told(tmp_path: Path) -> None:
    small = replace(DRIVING, name="tests/driving", rounds=ROUNDS, block=2)
    assert small.methods[0].acquisition.policy == cs.policies.DMCL()  # as shipped, in a study
    path = report(small, 2, tmp_path, "local", 1, None, False, Console(quiet=True))
    summary = (path.parent / "summary.md").read_text(encoding="utf-8")
    assert "at most 35 answers" in summary
    assert "ACOL, safe threshold" in summary
    page = path.read_text(encoding="utf-8")
    assert "the other car" in page


def test_ratio_of_means_resamples_pairs() -> None:
    first = np.array([1.0, 2.0, 3.0, 4.0])
    found = ratio(first, 2.0 * first)
    assert found == pytest.approx((0.5, 0.5, 0.5))


def test_outcomes_by_hand() -> None:
    import pandas as pd

    label = DRIVING.methods[0].label
    rows = pd.DataFrame(
        {
            "world": "Driving",
            "method": label,
            "seed": 0,
            "round": [1, 2, 3, 4],
            "advised": [3, 1, 2, 2],
            "exploring": [False, True, True, False],
            "asked": [8, 2, 1, 0],
            "regret": [1.0, 2.0, 0.5, 0.5],
            "unsafe": [False, True, False, False],
            "violation": [0.0, 0.7, 0.0, 0.1],
            "found": [False, False, True, True],
            "covered": [True, True, True, False],
        }
    )
    experiment = replace(DRIVING, methods=DRIVING.methods[:1])
    one = outcomes(experiment, rows, "Driving")[DRIVING.methods[0].name]
    assert one.regret.tolist() == [4.0]
    assert one.optimising.tolist() == [1.5]
    assert one.violations.tolist() == pytest.approx([0.8])
    assert one.answers_exploring.tolist() == [3.0]
    assert one.answers.tolist() == [11.0]
    assert one.unsafe_exploring.tolist() == [1.0]
    assert one.unsafe_optimising.tolist() == [0.0]
    assert one.settled.tolist() == [3.0]
    assert one.converged.tolist() == [3.0]
    assert one.found.tolist() == [1.0]
    assert one.covered.tolist() == [0.0]
