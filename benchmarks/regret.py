"""Cumulative regret of Counsel and BoTorch on three grids: `python -m benchmarks.regret`.

Protocol of the LW-UCB paper: 50x50 arms, payoffs standardised over all arms, noise sd 1e-4, three
random first pulls, T = 150 rounds. The first pulls are one round, with the regret of their best;
149 asks follow. Regret is that of the noise-free payoff. BoTorch's UCB and Counsel's V-UCB are mean
+ 2 sd, LW-UCB weighs that sd. A seed gives all the same first pulls and noise: comparisons are
paired.
"""

import argparse
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn

from benchmarks.cache import RegretCache, Run, Task
from benchmarks.contestants import Asker, tell_all
from benchmarks.functions import GRIDS, NOISE_SD, Points
from benchmarks.report import machine, markdown_table, print_table

PULLS_BEFORE = 3
PEER = "botorch"
OURS = ("v-ucb", "lw-ucb")
RESAMPLES = 10_000
HEADER = ["grid", "policy", "seeds", "botorch", "counsel", "difference", "95% interval", "no worse"]

# One thread per process: two processes share the machine, and the results do not depend on it.
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NPROC": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


def regrets(task: Task) -> list[float]:
    """Play one contestant for one seed: the regret of each round."""
    grid = GRIDS[task.grid]
    rng = np.random.default_rng(task.seed)
    first = rng.choice(len(grid.arms), PULLS_BEFORE, replace=False)
    noise = rng.normal(0.0, NOISE_SD, PULLS_BEFORE + task.rounds)
    best = float(grid.payoffs.max())
    asker = _asker(task, grid.arms)
    tell_all(asker, grid.arms[first], grid.payoffs[first] + noise[:PULLS_BEFORE])
    history = [best - float(grid.payoffs[first].max())]
    for error in noise[PULLS_BEFORE + 1 :]:
        proposal = asker.ask()
        payoff = grid.payoff(proposal)
        asker.tell(proposal, payoff + float(error))
        history.append(best - payoff)
    return history


def _asker(task: Task, arms: Points) -> Asker:
    if task.contestant == PEER:
        from benchmarks.contestants.with_botorch import BotorchAsker

        return BotorchAsker(arms)
    from benchmarks.contestants.with_counsel import CounselAsker

    return CounselAsker(arms, policy=task.contestant, seed=task.seed)


def play(tasks: list[Task], processes: int) -> Iterator[Run]:
    """Play tasks in parallel; runs come back as they finish."""
    os.environ.update(ONE_THREAD)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(regrets, task): task for task in tasks}
        for future in as_completed(futures):
            yield Run(futures[future], future.result())


@dataclass(frozen=True)
class Comparison:
    """Total regrets of the peer and of one of our policies on one grid, one entry per seed."""

    grid: str
    policy: str
    peer: Points
    ours: Points

    def interval(self) -> tuple[float, float, float]:
        """Median of the paired differences, ours - peer, with its bootstrap 95% interval."""
        difference = self.ours - self.peer
        rng = np.random.default_rng(0)
        rows = rng.integers(len(difference), size=(RESAMPLES, len(difference)))
        low, high = np.quantile(np.median(difference[rows], axis=1), [0.025, 0.975])
        return float(np.median(difference)), float(low), float(high)

    def row(self) -> list[str]:
        """Cells of the table."""
        seeds = max(len(self.peer), len(self.ours))
        cells = [self.grid, self.policy, f"{seeds}", _median(self.peer)]
        if len(self.ours) == 0 or len(self.peer) == 0:
            return [*cells, _median(self.ours), "", "", ""]
        middle, low, high = self.interval()
        not_worse = np.median(self.ours) <= np.median(self.peer)
        verdict = "yes" if not_worse else "NO"
        return [
            *cells,
            _median(self.ours),
            f"{middle:+.2f}",
            f"{low:+.2f} to {high:+.2f}",
            verdict,
        ]


def _median(totals: Points) -> str:
    return f"{np.median(totals):.2f}" if len(totals) else ""


def compare(runs: Iterable[Run]) -> list[Comparison]:
    """Pair the runs by grid and seed."""
    totals = {(r.task.grid, r.task.contestant, r.task.seed): sum(r.regrets) for r in runs}

    def column(grid: str, contestant: str) -> Points:
        seeds = sorted(s for g, c, s in totals if (g, c) == (grid, contestant))
        return np.array([totals[grid, contestant, seed] for seed in seeds])

    return [
        Comparison(grid, policy, column(grid, PEER), column(grid, policy))
        for grid in GRIDS
        for policy in OURS
    ]


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.regret")
    parser.add_argument("--seeds", type=int, default=20, help="number of paired seeds")
    parser.add_argument("--rounds", type=int, default=150, help="rounds T")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", choices=list(GRIDS), help="one grid")
    parser.add_argument("--peers-only", action="store_true", help="leave Counsel out")
    parser.add_argument("--fresh", action="store_true", help="play the peer again, too")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="append the table to a page")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    """Play what is not yet in the cache, then print the comparison."""
    options = parse(arguments)
    console = Console()
    cache = RegretCache.open()
    tasks = [
        Task(contestant, grid, seed, options.rounds)
        for seed in range(options.seeds)
        for grid in ([options.only] if options.only else GRIDS)
        for contestant in (PEER, *(() if options.peers_only else OURS))
    ]
    runs = [] if options.fresh else [run for task in tasks if (run := cache.find(task))]
    known = {run.task for run in runs}
    todo = [task for task in tasks if task not in known]
    columns = (*Progress.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("regret", total=len(tasks), completed=len(runs))
        for run in play(todo, options.processes):
            cache.add(run)
            runs.append(run)
            progress.advance(bar)
    rows = [comparison.row() for comparison in compare(runs) if len(comparison.peer)]
    title = f"Median cumulative regret after {options.rounds} rounds, in standardised units"
    print_table(console, title, HEADER, rows)
    if options.markdown:
        _append(options.markdown, title, rows)
        console.print(f"Appended to {options.markdown}")


def _append(page: Path, title: str, rows: list[list[str]]) -> None:
    lines = ["", f"## {title}", "", *markdown_table(HEADER, rows), ""]
    lines += [*(f"* {line}" for line in machine()), ""]
    with page.open("a", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main()
