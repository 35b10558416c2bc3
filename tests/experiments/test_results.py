"""The table of promises: which runs it has, how it judges them, that it can be told."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from rich.console import Console
from scipy.stats import binomtest

from counsel.experiments.dmcl.answers import Outcome
from counsel.experiments.dmcl.driving import instance
from counsel.experiments.dmcl.results import RESULTS, lines, share
from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.job import jobs, settings
from counsel.experiments.reproduce import report
from counsel.policies.dmcl import DMCL
from counsel.worlds.invented import INVENTED


def test_what_ships_is_what_is_measured() -> None:
    ours = RESULTS.methods[0]
    for world in RESULTS.worlds:
        played = ours.acquisition_in(world)
        assert played.policy == DMCL()
        assert played.answer == ("yes/no" if "yes or no" in world else "number")


def test_yardsticks_run_only_where_a_line_compares_with_them() -> None:
    made = jobs(RESULTS, 100)
    seeds = dict.fromkeys(RESULTS.worlds, 0)
    for job in made:
        if job.method == RESULTS.methods[0].label:
            seeds[job.world] += job.size
    assert seeds["Driving"] == seeds["Driving, yes or no"] == seeds["Robot arm"] == 100
    assert seeds["Mill"] == 20
    assert {job.method for job in made if job.world == "Robot arm"} == {RESULTS.methods[0].label}
    assert len({job.method for job in made if job.world == "Driving"}) == 3


def test_a_world_has_its_own_number_of_rounds() -> None:
    small = replace(RESULTS, worlds=dict.fromkeys(RESULTS.worlds, instance))
    rounds = {job.world: settings(small, job)["rounds"] for job in jobs(small, 1)}
    assert rounds["Driving"] == rounds["Robot arm"] == 100
    assert rounds["Kitchen"] == 45


@pytest.mark.parametrize("hits", [0, 3, 40])
def test_shares_have_wilsons_interval(hits: int) -> None:
    found = share(np.arange(40) < hits)
    wanted = binomtest(hits, 40).proportion_ci(method="wilson")
    assert found == pytest.approx((hits / 40, wanted.low, wanted.high), abs=1e-9)


def _outcome(regret: float, unsafe: float, found: float = 1.0) -> Outcome:
    """Forty runs alike."""
    same = np.full(40, 1.0)
    return Outcome(
        curves=regret * same[:, None],
        answers=30.0 * same,
        answers_exploring=30.0 * same,
        explored=10.0 * same,
        unsafe_exploring=unsafe * same,
        unsafe_optimising=0.0 * same,
        found=found * same,
        covered=same,
        settled=same,
        converged=same,
        optimising=same,
        violations=same,
        wrong=0.0 * same,
    )


def test_a_promise_that_is_broken_is_said_to_be() -> None:
    ours, _, mcl = (method.name for method in RESULTS.methods)
    union = RESULTS.methods[1].name
    worlds = {
        "Driving": {
            ours: _outcome(5.5, 5.0),
            mcl: replace_answers(_outcome(9.0, 12.0), 150.0),
        },
        "Driving, yes or no": {ours: _outcome(5.0, 5.0)},
        "Robot arm": {ours: _outcome(5.0, 5.0, found=0.0)},
        **{w: {ours: _outcome(5.0, 5.0), union: _outcome(5.0, 20.0)} for w in INVENTED},
    }
    found = {line.what: line.verdict for line in lines(worlds)}
    assert found["driving: regret"] == "no"
    assert found["driving: unsafe trials while exploring"] == "yes"
    assert found["driving: of the answers of MCL"] == "yes"
    assert found["robot arm: best safe arm"] == "no"
    assert found["kitchen: of the unsafe trials of the union bound"] == "yes"
    # Forty of forty runs do not show that 99 in a hundred do.
    assert found["driving: best safe arm"] == "yes, but not its whole interval"


def replace_answers(outcome: Outcome, answers: float) -> Outcome:
    return outcome._replace(answers_exploring=np.full(40, answers))


def _made_up(experiment: Experiment, world: str, method: Method, seeds: range) -> pd.DataFrame:
    rounds = 4
    rows = [
        {
            "seed": seed, "round": t + 1, "arm": 0, "exploring": t == 1, "asked": 3,
            "regret": 1.0, "unsafe": t == 1, "violation": 0.1, "advised": 0, "found": True,
            "covered": True, "wrong": False,
        }
        for seed in seeds
        for t in range(rounds)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_the_table_can_be_told(tmp_path: Path) -> None:
    worlds = dict.fromkeys(RESULTS.worlds, instance)
    small = replace(RESULTS, name="tests/results", measure=_made_up, worlds=worlds, block=2)
    path = report(small, 2, tmp_path, "local", 1, None, False, Console(quiet=True))
    summary = (path.parent / "summary.md").read_text(encoding="utf-8")
    assert "Not played" not in summary
    assert "| driving: regret | at most 5 | 4 [4, 4] | 2 | yes |" in summary
    assert (
        "of the unsafe trials of the union bound | at most 0.333 | 1 [1, 1] | 2 | no |" in summary
    )


def test_a_world_that_was_not_played_is_named() -> None:
    drawn = _made_up(RESULTS, "Driving", RESULTS.methods[0], range(2))
    rows = pd.concat(
        [drawn.assign(world="Driving", method=method.label) for method in RESULTS.methods]
    )
    told = RESULTS.tell(RESULTS, rows)
    assert told.remarks[-1].startswith("Not played: Driving, yes or no, Robot arm, Kitchen")
    assert "Unsafe trials of 45" not in " ".join(told.remarks)
