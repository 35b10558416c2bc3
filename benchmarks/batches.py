"""What a batch of 8 costs beside one question, in CPU time and in wall time.

A study of 30 trials, asked once and told, then asked for a batch. *Conditioning* is the time of the
program that only takes eight trials for done, and chooses none. *Before* is a program for each
trial.

    python -m benchmarks.batches                    all spaces
    python -m benchmarks.batches box oven           two of them
    python -m benchmarks.batches box --trials 300
"""

import argparse
import dataclasses
import math
import statistics
import time
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

BATCH = 8
NUMBERS = ("a", "b", "c")


def _space(kind: str) -> Any:
    import counsel as cs

    box = {name: cs.Float(0, 1) for name in NUMBERS}
    percent = {name: cs.Float(0, 100) for name in NUMBERS}
    match kind:
        case "six":
            return cs.Space(**{name: cs.Float(0, 1) for name in "abcdef"})
        case "mixed":
            choice = cs.Categorical(["x", "y", "z"])
            return cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1), n=cs.Int(1, 9), s=choice)
        case "mixture":
            return cs.Space(**percent, require="a + b + c == 100")
        case "formula":
            rest = {"d": cs.Float(0, 100), "heat": cs.Float(0, 1)}
            return cs.Space(**percent, **rest, require="a + b + c + d == 100")
        case "oven":
            return cs.Space(**{**box, "c": cs.Float(0, 1, shared=True)})
        case "arms":
            points = np.random.default_rng(0).uniform(size=(500, 3))
            return cs.Arms(points, names=list(NUMBERS))
    return cs.Space(**box)


SPACES = ("box", "six", "mixed", "constraint", "mixture", "formula", "oven", "arms")


def _worth(values: Any) -> float:
    levels = {"x": 0.0, "y": 0.5, "z": 1.0}
    x = np.array([levels[v] if isinstance(v, str) else float(v) for v in values.values()])
    x = x / 100.0 if x.max() > 9.5 else x
    return math.sin(4.0 * x[0]) - (x[1] - 0.3) ** 2 + 0.3 * math.cos(3.0 * x[-1])


def _begun(kind: str, seed: int, trials: int, *, at_once: bool) -> Any:
    """A study that has been asked once; the fit that follows starts from the last one."""
    import counsel as cs

    constraints = [cs.Constraint("g", at_most=1.2)] if kind == "constraint" else []
    space = _space(kind)
    policy: Any = cs.create_study(space, constraints=constraints).policy
    policy = dataclasses.replace(policy, at_once=at_once)
    study = cs.create_study(space, seed=seed, constraints=constraints, policy=policy)
    rng = np.random.default_rng(seed)
    if kind == "arms":
        points = [space[int(arm)] for arm in rng.permutation(len(space))[:trials]]
    else:
        points = [space.decode(x) for x in space.sample(trials, rng)]
    study.tell_many([{**v, "objective": _worth(v), **_answers(kind, v)} for v in points])
    _tell(study, kind, study.ask())
    return study


def _answers(kind: str, values: Any) -> dict[str, float]:
    return {"g": values["a"] + values["b"]} if kind == "constraint" else {}


def _tell(study: Any, kind: str, proposal: Any) -> None:
    values = proposal.values
    study.tell(proposal, _worth(values), constraints=_answers(kind, values) or None)


def _timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    found = work()
    return found, time.process_time() - cpu, time.perf_counter() - wall


def _measured(kind: str, trials: int, turns: int, *, at_once: bool) -> list[float]:
    """CPU and wall time of a question and of a batch, each the median in milliseconds."""
    rows = []
    for turn in range(turns + 2):
        study = _begun(kind, turn, trials - 2, at_once=at_once)
        proposal, *one = _timed(study.ask)
        _tell(study, kind, proposal)
        _, *many = _timed(lambda study=study: study.ask(BATCH))
        rows.append([*one, *many])
    return [1e3 * statistics.median(column) for column in zip(*rows[2:], strict=True)]


def _conditioning(kind: str, trials: int) -> float:
    """CPU time of taking a batch for done, in milliseconds."""
    from counsel.policies import batching

    program, last = batching.together, []

    def noted(*args: Any, **options: Any) -> Any:
        last[:] = [(args, options)]
        return program(*args, **options)

    batching.together = noted  # type: ignore[assignment]
    try:
        _begun(kind, 0, trials - 2, at_once=True).ask(BATCH)
    finally:
        batching.together = program
    (*parts, start), options = last[0]
    rows = np.resize(start.given[: int(start.done)], start.given.shape)

    def cost(count: int) -> float:
        given = start._replace(given=rows, done=np.asarray(count), wanted=np.asarray(0))
        run = lambda: jax.block_until_ready(program(*parts, given, **options))  # noqa: E731
        return statistics.median(_timed(run)[1] for _ in range(30))

    return 1e3 * max(0.0, cost(BATCH) - cost(1)) * BATCH / (BATCH - 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("spaces", nargs="*", default=SPACES, help="Which; all by default.")
    parser.add_argument("--trials", type=int, default=30)
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--before", action="store_true", help="A program for each trial, too.")
    given = parser.parse_args()
    print(f"{given.trials} trials; ms of CPU (wall)")
    for kind in given.spaces:
        one, one_wall, many, many_wall = _measured(kind, given.trials, given.turns, at_once=True)
        conditioning = _conditioning(kind, given.trials)
        text = f"{kind:10} one {one:.1f} ({one_wall:.1f}), batch {many:.1f} ({many_wall:.1f}), "
        text += f"conditioning {conditioning:.1f}: {(many - conditioning) / one:.2f} questions"
        if given.before:
            before = _measured(kind, given.trials, given.turns, at_once=False)
            text += f"; before {before[2]:.1f}: {before[2] / before[0]:.2f}"
        print(text, flush=True)


if __name__ == "__main__":
    main()
