"""Time this version beside an earlier one: `python -m benchmarks.versions COMMIT`.

Every row is one of Counsel's own contestants. The two versions take turns, so that a drift in the
machine's speed hits both. Ratios are of CPU time, which other programs disturb least; the first
call, which compiles, is left out. On a busy machine the fastest repeats say more than the medians.
Each version has its own compile cache, and runs its own form of a case or, where it has none,
today's.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np

from benchmarks.cases import CASES
from benchmarks.cases.case import OURS, Case

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".cache" / "versions"


def checked_out(commit: str) -> Path:
    """A work tree of the commit."""
    folder = FOLDER / commit
    if not folder.exists():
        subprocess.run(
            ["git", "worktree", "add", "--detach", "--quiet", str(folder), commit],
            check=True,
            cwd=ROOT,
        )
    return folder


_RUN = """
import importlib.util, json, sys
from benchmarks.cases import CASES
case, contestant, module = sys.argv[1:]
if case not in CASES:
    spec = importlib.util.spec_from_file_location("of_today", module)
    of_today = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(of_today)
    CASES = {each.name: each for each in of_today.CASES}
print(json.dumps(CASES[case].contestants[contestant]().to_dict()))
"""


def cpu_seconds(tree: Path, case: Case, contestant: str) -> list[float]:
    """CPU seconds of each repeat of a contestant, in the version of that tree."""
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(tree / "src"), str(tree)]),
        "COUNSEL_CACHE": str(FOLDER / f"cache-{tree.name}"),
    }
    module = str(sys.modules[case.checks.__module__].__file__)
    done = subprocess.run(
        [sys.executable, "-P", "-c", _RUN, case.name, contestant, module],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=tree,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{case.name} of {tree.name}: {done.stderr.strip()[-500:]}")
    return json.loads(done.stdout.splitlines()[-1])["cpu"]


def interval(before: list[float], now: list[float]) -> tuple[float, float, float]:
    """The ratio of medians, and its 95% interval by bootstrap."""
    rng = np.random.default_rng(0)
    ratios = [
        np.median(rng.choice(now, len(now))) / np.median(rng.choice(before, len(before)))
        for _ in range(2_000)
    ]
    low, high = np.quantile(ratios, [0.025, 0.975])
    return statistics.median(now) / statistics.median(before), float(low), float(high)


def main() -> None:
    """Print a table of the ratios, now over before."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.versions", description=__doc__)
    parser.add_argument("commit")
    parser.add_argument("--only", action="append", choices=list(CASES), metavar="NAME")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    trees = [checked_out(options.commit), ROOT]
    print("| row | before, CPU ms | now, CPU ms | now / before [95%] | of the fastest repeats |")
    print("|---|---|---|---|---|")
    for case in [CASES[name] for name in options.only or CASES]:
        for contestant in case.contestants:
            if not contestant.startswith(OURS):
                continue
            found: list[list[float]] = [[], []]
            for turn in range(options.turns):
                for side in (0, 1) if turn % 2 == 0 else (1, 0):
                    found[side] += cpu_seconds(trees[side], case, contestant)
            before, now = (1e3 * statistics.median(each) for each in found)
            ratio, low, high = interval(*found)
            row = f"{case.name}: {contestant}" if contestant != OURS else case.name
            fastest = min(found[1]) / min(found[0])
            between = f"{ratio:.2f} [{low:.2f}, {high:.2f}]"
            print(f"| {row} | {before:.3g} | {now:.3g} | {between} | {fastest:.2f} |")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
