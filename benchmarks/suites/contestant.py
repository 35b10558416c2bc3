"""A contestant's process: `python -m benchmarks.suites.contestant NAME`, spoken to in JSON lines.

    {"start": setting, "seed": n}      a new cell
    {"past": [[point, value, margins], ...]}    trials of another task
    {"tell": [[point, value, margins], ...]}
    {"ask": count}                     answered by {"points": [...], "cpu": s, "wall": s}
    {"version": true}                  answered by {"version": "..."}

The seconds of an answer are those of the tells before it, too: some refit when they are told.
A contestant is a class with `tell` and `ask` in `contestants/with_*.py`, and with `past` if it can
learn from another task; without it, such trials are lost on it. `NAME` may carry a variant after a
colon, as in `counsel:ei`. Whatever a library prints goes to the standard error output.
"""

import json
import os
import sys
import time
from typing import Any, Protocol

from benchmarks.suites.contestants import make, version
from benchmarks.suites.setting import Point, Setting


class Contestant(Protocol):
    """What every contestant keeps."""

    def tell(self, point: Point, value: float, margins: list[float]) -> None: ...

    def ask(self, count: int) -> list[Point]: ...


def main(name: str) -> None:
    """Answer until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    contestant: Any = None
    wall = cpu = 0.0
    for line in sys.stdin:
        match json.loads(line):
            case {"version": _}:
                answer: dict[str, Any] = {"version": version(name)}
            case {"start": setting, "seed": seed}:
                contestant = make(name, Setting.from_dict(setting), seed)
                wall = cpu = 0.0
                continue
            case {"past": told}:
                for point, value, margins in told if hasattr(contestant, "past") else ():
                    contestant.past(point, value, margins)
                continue
            case {"tell": told}:
                start, used = time.perf_counter(), time.process_time()
                for point, value, margins in told:
                    contestant.tell(point, value, margins)
                wall, cpu = time.perf_counter() - start, time.process_time() - used
                continue
            case {"ask": count}:
                start, used = time.perf_counter(), time.process_time()
                points = contestant.ask(count)
                wall += time.perf_counter() - start
                cpu += time.process_time() - used
                answer = {"points": points, "cpu": cpu, "wall": wall}
                wall = cpu = 0.0
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1])
