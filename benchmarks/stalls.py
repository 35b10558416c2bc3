"""How long a person waits on a machine where nothing is compiled yet.

A trial every few seconds, as a person makes them; each study in a process of its own with an empty
cache. Between two proposals the next programs are compiled in the background.

    python -m benchmarks.stalls                 all studies
    python -m benchmarks.stalls mixed --pace 5  one of them, more slowly
    python -m benchmarks.stalls --told 490 --arms 100000 --pace 0 --trials 6

With `--told`, that many trials (or comparisons) are there before the first question, and programs
are kept as usual: the first question may compile, the later ones are those of a warm process.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

import numpy as np

from benchmarks.cases.first_ask import CACHE_VARIABLE

STUDIES = ("box", "mixed", "arms", "constraint", "comparisons", "both", "batch")
BATCH = 4


def _created(kind: str, arms: int) -> Any:
    import counsel as cs

    space: Any = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1), c=cs.Float(0, 1))
    match kind:
        case "mixed":
            choice = cs.Categorical(["x", "y", "z"])
            return cs.create_study(cs.Space(a=cs.Float(0, 1), b=cs.Int(1, 9), c=choice))
        case "arms":
            points = np.random.default_rng(0).uniform(size=(arms, 3))
            return cs.create_study(cs.Arms(points, names=["a", "b", "c"]))
        case "constraint":
            return cs.create_study(space, constraints=[cs.Constraint("g", at_most=1.0)])
        case "comparisons":
            return cs.create_study(space, objective="preference")
        case "both":  # each trial is measured, and compared with the one before
            return cs.create_study(space, policy="preference")
    return cs.create_study(space)


def _worth(values: Any) -> float:
    a, b = float(values["a"]), float(values["b"])
    c = values["c"]
    third = {"x": 0.0, "y": 0.5, "z": 1.0}[c] if isinstance(c, str) else float(c)
    return math.sin(4.0 * a) - (b / 9.0 if b > 1.0 else b) ** 2 + 0.3 * third


def _begin(study: Any, kind: str, told: int) -> None:
    """Trials anywhere in the space, as if they had been made elsewhere."""
    if told == 0:
        return
    space, rng = study.problem.space, np.random.default_rng(1)
    if kind == "arms":
        points = space.points[rng.choice(len(space), told, replace=False)]
    else:
        points = space.snap(rng.uniform(size=(2 * told, space.dim)))
    values = [space.decode(point) for point in points]
    if kind == "comparisons":
        for pair in zip(values[::2], values[1::2], strict=True):
            worse, better = sorted(pair, key=_worth)
            study.compare(winner=better, loser=worse)
        return
    outcomes = {"constraint": lambda each: {"g": each["a"] + each["b"]}}.get(kind, lambda _: {})
    name = study.problem.objective.name
    study.tell_many([{**each, name: _worth(each), **outcomes(each)} for each in values[:told]])


def _play(kind: str, trials: int, pace: float, told: int, arms: int) -> list[float]:
    """Seconds of every question; a pair to compare, and a batch, is one."""
    study = _created(kind, arms)
    _begin(study, kind, told)
    seconds, last = [], None
    at_once = {"comparisons": 2, "batch": BATCH}.get(kind, 1)
    for _ in range(trials // BATCH if kind == "batch" else trials):
        start = time.perf_counter()
        asked = study.ask(at_once)
        seconds.append(time.perf_counter() - start)
        time.sleep(pace)
        if kind == "comparisons":
            worse, better = sorted(asked, key=lambda each: _worth(each.values))
            study.compare(winner=better, loser=worse)
            continue
        if kind == "batch":
            for each in asked:
                study.tell(each, _worth(each.values))
            continue
        values = asked[0].values
        answers = {"g": float(values["a"]) + float(values["b"])} if kind == "constraint" else None
        study.tell(asked[0], _worth(values), constraints=answers)
        if kind == "both" and last is not None and last.values != values:
            worse, better = sorted((last, asked[0]), key=lambda each: _worth(each.values))
            study.compare(winner=better, loser=worse)
        last = asked[0]
    return seconds


def _measured(kind: str, trials: int, pace: float, told: int, arms: int) -> list[float]:
    """The same in a new process, with an empty cache if it begins with nothing."""
    command = [sys.executable, "-m", "benchmarks.stalls", kind, "--here"]
    command += ["--trials", str(trials), "--pace", str(pace)]
    command += ["--told", str(told), "--arms", str(arms)]
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, **({} if told else {CACHE_VARIABLE: cache})}
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    found: list[float] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("studies", nargs="*", default=STUDIES, help="Which; all by default.")
    parser.add_argument("--trials", type=int, default=30)
    parser.add_argument("--pace", type=float, default=3.0, help="Seconds between two questions.")
    parser.add_argument("--told", type=int, default=0, help="Trials before the first question.")
    parser.add_argument("--arms", type=int, default=1000)
    parser.add_argument("--over", type=float, default=1.0, help="Waits to list, in seconds.")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    settings = given.trials, given.pace, given.told, given.arms
    if given.here:
        print(json.dumps(_play(given.studies[0], *settings)))
        return
    after = f", {given.told} before" if given.told else ""
    print(f"a trial every {given.pace:g} s{after}: seconds of the first question, and later")
    for kind in given.studies:
        seconds = _measured(kind, *settings)
        later = seconds[1:]
        slow = [f"{wait:.2f} at {i}" for i, wait in enumerate(later, 2) if wait > given.over]
        print(
            f"{kind:12} first {seconds[0]:.2f}, longest {max(later):.2f}, "
            f"median {np.median(later):.2f}; over {given.over:g} s: {', '.join(slow) or 'none'}",
            flush=True,
        )


if __name__ == "__main__":
    main()
