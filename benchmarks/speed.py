"""Time Counsel beside BoTorch, scikit-learn and Optuna: `python -m benchmarks.speed`."""

import argparse
import os
from pathlib import Path

from rich.console import Console

from benchmarks.cases import CASES
from benchmarks.cases.case import Case
from benchmarks.measure import Measurement
from benchmarks.report import CaseReport, machine, markdown, show
from benchmarks.worker import WorkerError, measure

BUSY = 0.7
"""Load average above which a run says that it cannot be trusted."""


def run_case(console: Console, case: Case, *, peers_only: bool = False) -> CaseReport:
    """Measure the contestants of a case in turn; a failure becomes part of the report."""
    results: dict[str, Measurement] = {}
    failures: dict[str, str] = {}
    names = case.peers() if peers_only else list(case.contestants)
    for i, name in enumerate(names * case.turns, start=1):
        if name in failures:
            continue
        with console.status(f"{case.name}: {name} ({i} of {len(names) * case.turns})"):
            try:
                found = measure(case.name, name)
                results[name] = results[name].joined(found) if name in results else found
            except WorkerError as error:
                failures[name] = str(error)
    return CaseReport(case, results, failures)


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument(
        "--only", action="append", choices=list(CASES), metavar="NAME", help="one case; repeatable"
    )
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    parser.add_argument("--peers-only", action="store_true", help="leave Counsel out")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables there too")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    """Run the chosen cases and print their tables."""
    options = parse(arguments)
    console = Console()
    if options.list:
        for case in CASES.values():
            console.print(f"{case.name:<16} {case.title}", highlight=False)
        return
    for line in machine():
        console.print(line, highlight=False, soft_wrap=True)
    if os.getloadavg()[0] > BUSY:
        console.print("[yellow]The machine is busy with other work: ratios will be rough.[/]")
    console.print()
    reports: list[CaseReport] = []
    for name in options.only or CASES:
        reports.append(run_case(console, CASES[name], peers_only=options.peers_only))
        show(console, reports[-1])
    if options.markdown:
        options.markdown.write_text(markdown(reports), encoding="utf-8")
        console.print(f"Wrote {options.markdown}")


if __name__ == "__main__":
    main()
