"""A function is tried by itself: here, in threads, in processes; interrupted and taken up again."""

import math
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import counsel as cs

BOX = cs.Space(x=cs.Float(0, 1), k=cs.Int(1, 9))


def new_study(space: Any = BOX, **options: Any) -> cs.Study:
    return cs.create_study(space, **{"policy": "random", "seed": 3, **options})


def hill(values: dict[str, Any]) -> float:
    return -((values["x"] - 0.3) ** 2) - 0.01 * values["k"]


def test_it_tries_as_many_trials_as_wanted() -> None:
    study = new_study()
    study.optimize(hill, 6)
    assert len(study.observations) == 6
    assert study.pending == () == study.leases
    assert {each.actor for each in study.observations} == {"optimize"}
    assert all(each.outcomes["objective"] == hill(dict(each.values)) for each in study.observations)
    assert study.replay().identical


def test_trials_made_before_count_and_imported_ones_do_not() -> None:
    study = new_study()
    study.tell({"x": 0.5, "k": 2}, 1.0)
    study.optimize(hill, 2)
    study.optimize(hill, 5)
    assert len([each for each in study.observations if each.proposal]) == 5
    study.optimize(hill, 5)
    assert len(study.observations) == 6


def test_the_model_learns_from_the_trials() -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="v-ucb", seed=0)
    study.optimize(lambda values: -((values["x"] - 0.3) ** 2), 12)
    assert study.best is not None
    assert study.best.values["x"] == pytest.approx(0.3, abs=0.05)


def test_the_context_is_given_to_the_function() -> None:
    study = new_study(cs.Space(x=cs.Float(0, 1), context={"rain": cs.Categorical([False, True])}))
    seen: list[dict[str, Any]] = []

    def measure(values: dict[str, Any]) -> float:
        seen.append(values)
        return 1.0

    study.optimize(measure, 2, context={"rain": True})
    assert [set(each) for each in seen] == [{"x", "rain"}] * 2
    assert all(each["rain"] is True for each in seen)


def test_outcomes_are_told_by_name() -> None:
    study = new_study(objective="speed", constraints=[cs.Constraint("jerk", at_most=1.0)])
    study.optimize(lambda values: {"speed": 2.0, "jerk": values["x"]}, 3)
    for each in study.observations:
        assert each.outcomes == {"speed": 2.0, "jerk": each.values["x"]}


def test_callbacks_get_every_fact() -> None:
    study, got = new_study(), []
    study.optimize(hill, 3, callbacks=[lambda told, fact: got.append((told, fact))])
    assert got == [(study, each) for each in study.observations]


def test_a_table_of_arms_that_is_used_up_ends_it() -> None:
    study = new_study(cs.Arms([[0.0], [0.5], [1.0]], names=["x"]))
    for arm in (0.0, 0.5, 1.0):
        study.reject(study.ask(), reason=str(arm))
    study.optimize(lambda values: values["x"], 10)
    assert study.observations == ()


def reasons(study: cs.Study) -> list[str]:
    """Why trials failed, in order."""
    return [each.reason for each in study.failures]


# ---- failures ------------------------------------------------------------------------------------


def odd_fails(values: dict[str, Any]) -> float:
    if values["k"] % 2:
        raise RuntimeError(f"k is {values['k']}")
    return hill(values)


def test_a_failed_trial_is_a_fact_and_the_others_go_on() -> None:
    study = new_study()
    study.optimize(odd_fails, 8)
    assert reasons(study)
    assert len(reasons(study)) + len(study.observations) == 8
    assert all(re.fullmatch("RuntimeError: k is [13579]", each) for each in reasons(study))
    assert study.pending == () == study.leases


@pytest.mark.parametrize("unusable", [math.nan, math.inf])
def test_a_number_that_is_none_is_a_failed_trial(unusable: float) -> None:
    study = new_study()
    study.optimize(lambda values: unusable, 2)
    assert reasons(study) == [f"objective is {unusable}"] * 2


def test_a_function_that_always_fails_is_not_tried_for_ever() -> None:
    study = new_study()

    def broken(values: dict[str, Any]) -> float:
        return values["y"]  # type: ignore[no-any-return]

    with pytest.raises(cs.CounselError, match="4 trials in a row failed, the last with KeyError"):
        study.optimize(broken, 100, most_failures=4)
    assert len(reasons(study)) == 4
    assert study.pending == () == study.leases


@pytest.mark.parametrize("result", ["high", None, [1.0, 2.0], {"height": 1.0}])
def test_what_is_no_outcome_is_refused_and_the_trial_waits(result: object) -> None:
    study = new_study()
    with pytest.raises(cs.InvalidInput):
        study.optimize(lambda values: result, 3)  # type: ignore[arg-type,return-value]
    assert len(study.pending) == 1
    assert study.leases == ()
    study.optimize(hill, 1)
    assert len(study.facts) == 2


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"trials": 0}, "trials"),
        ({"trials": 1.5}, "trials"),
        ({"trials": 3, "workers": 2}, "workers"),
        ({"trials": 3, "executor": "threads"}, "executor"),
        ({"trials": 3, "most_failures": 0}, "most_failures"),
        ({"trials": 3, "actor": ""}, "actor"),
        ({"trials": 3, "function": 3}, "function"),
    ],
)
def test_bad_input_gets_a_sentence(options: dict[str, Any], field: str) -> None:
    study = new_study()
    with pytest.raises(cs.InvalidInput, match=field):
        study.optimize(**{"function": hill, **options})
    assert study.facts == ()


def test_what_people_compare_is_not_optimized_by_a_function() -> None:
    study = new_study(objective="preference")
    with pytest.raises(cs.InvalidInput, match="let them compare"):
        study.optimize(hill, 3)


# ---- executors -----------------------------------------------------------------------------------


def test_threads_are_kept_busy_and_never_given_the_same_point() -> None:
    study = new_study()
    four = threading.Barrier(4, timeout=60)  # breaks unless four trials run at once

    def measure(values: dict[str, Any]) -> float:
        four.wait()
        return hill(values)

    with ThreadPoolExecutor(4) as executor:
        study.optimize(measure, 12, executor=executor)
    assert reasons(study) == []
    assert len(study.observations) == 12
    assert len({tuple(each.values.items()) for each in study.observations}) == 12


def test_pending_trials_are_accounted_for() -> None:
    """A policy with beliefs would propose one point twice if it did not know what is under way."""
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="v-ucb", seed=0)
    gate = threading.Barrier(3, timeout=60)

    def measure(values: dict[str, Any]) -> float:
        gate.wait()
        return -((values["x"] - 0.3) ** 2)

    with ThreadPoolExecutor(3) as executor:
        study.optimize(measure, 9, executor=executor)
    tried = [each.values["x"] for each in study.observations]
    assert len(set(tried)) == 9
    assert study.replay().identical


def test_processes(tmp_path: Path) -> None:
    study = new_study()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        study.optimize(math_module_function, 4, executor=executor)
    assert len(study.observations) == 4


math_module_function = len  # importable by name in any process; the values are a dict of two


def test_a_pool_whose_process_dies_is_not_a_failed_trial() -> None:
    study = new_study()
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor,
        pytest.raises(BrokenExecutor),
    ):
        study.optimize(partial(exec, "import os; os._exit(1)"), 3, executor=executor)  # type: ignore[arg-type]
    assert reasons(study) == []
    assert len(study.pending) == 1
    assert study.leases == ()


def test_an_executor_that_hides_its_size_needs_workers() -> None:
    class Bare:
        def __init__(self, inner: ThreadPoolExecutor) -> None:
            self.submit = inner.submit

    study = new_study()
    with ThreadPoolExecutor(2) as inner:
        with pytest.raises(cs.InvalidInput, match="does not say how many workers"):
            study.optimize(hill, 3, executor=Bare(inner))
        study.optimize(hill, 3, executor=Bare(inner), workers=2)
    assert len(study.observations) == 3


# ---- interrupted ---------------------------------------------------------------------------------


def test_an_interrupted_trial_is_taken_up_again() -> None:
    study = new_study()
    tried: list[float] = []

    def measure(values: dict[str, Any]) -> float:
        tried.append(values["x"])
        if len(tried) == 3:
            raise KeyboardInterrupt
        return hill(values)

    with pytest.raises(KeyboardInterrupt):
        study.optimize(measure, 5)
    assert len(study.observations) == 2
    assert study.leases == ()
    study.optimize(measure, 5)
    assert len(study.observations) == 5
    assert tried[2] == tried[3]
    assert len(study.facts) == 10  # nothing is proposed twice


def test_what_others_hold_or_have_decided_is_left_to_them() -> None:
    study = new_study()
    held, accepted, free = study.ask(3)
    study.hold(held, actor="ann")
    study.accept(accepted, actor="ben")
    study.optimize(hill, 2)
    assert study.observations[0].proposal == free.id
    assert {each.id for each in study.pending} == {held.id, accepted.id}


def test_a_person_who_rejects_what_is_under_way_is_not_overruled() -> None:
    study = new_study()

    def measure(values: dict[str, Any]) -> float:
        if len(study.facts) == 1:
            study.release(study.pending[0], actor="optimize")
            study.reject(study.pending[0], actor="ann", reason="unsafe")
        return 1.0

    study.optimize(measure, 2)
    assert [each.actor for each in study.decisions] == ["ann"]
    assert len(study.observations) == 2


SCRIPT = """
    import signal, sys, time
    from concurrent.futures import ThreadPoolExecutor
    import counsel as cs

    def measure(values):
        time.sleep(float(sys.argv[2]))
        return -(values["x"] - 0.3) ** 2

    if __name__ == "__main__":
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
        study = cs.create_study(
            cs.Space(x=cs.Float(0, 1)), name="run", policy="random", storage=sys.argv[1],
            load_if_exists=True,
        )
        print("begun", flush=True)
        with ThreadPoolExecutor(2) as executor:
            study.optimize(measure, int(sys.argv[3]), executor=executor)
"""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL], ids=["ctrl-c", "killed"])
def test_a_killed_run_goes_on_where_it_was(sent: signal.Signals, tmp_path: Path) -> None:
    script, address = tmp_path / "run.py", f"sqlite:///{tmp_path / 'run.db'}"
    script.write_text(textwrap.dedent(SCRIPT))
    with subprocess.Popen(
        [sys.executable, str(script), address, "0.05", "2000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"begun\n"
        study = cs.load_study("run", address)
        while len(study.observations) < 3:
            assert first.poll() is None
            time.sleep(0.02)
        first.send_signal(sent)
        assert first.wait(timeout=60) != 0
    kept = study.observations
    assert 3 <= len(kept) < 2000
    wanted = len(kept) + 4
    again = [sys.executable, str(script), address, "0", str(wanted)]
    subprocess.run(again, check=True, timeout=120)
    assert len(study.observations) == wanted
    assert study.observations[: len(kept)] == kept
    if sent == signal.SIGINT:
        assert study.leases == ()
        assert study.pending == ()


def test_two_runs_share_the_work(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'shared.db'}"
    options: dict[str, Any] = {"name": "shared", "storage": address, "load_if_exists": True}
    studies = [new_study(**options) for _ in range(2)]
    counts = {"a": 0, "b": 0}

    def run(study: cs.Study, who: str) -> None:
        def measure(values: dict[str, Any]) -> float:
            counts[who] += 1
            time.sleep(0.02)
            return hill(values)

        study.optimize(measure, 10, actor=who)

    threads = [
        threading.Thread(target=run, args=each) for each in zip(studies, counts, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert 10 <= len(studies[0].observations) <= 11  # each may have one under way at the end
    assert all(counts.values())
    assert len({each.proposal for each in studies[0].observations}) == sum(counts.values())


def test_the_bar_shows_how_far_it_is(capfd: pytest.CaptureFixture[str]) -> None:
    new_study().optimize(hill, 3, progress=True)
    assert "3/3" in capfd.readouterr().err
