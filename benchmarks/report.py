"""Results as tables in the terminal and as markdown, with the machine they came from."""

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.cases.case import Case, Check
from benchmarks.measure import Measurement

PACKAGES = (
    "counsel",
    "jax",
    "numpy",
    "scipy",
    "torch",
    "botorch",
    "scikit-learn",
    "optuna",
    "shap",
    "shapiq",
)
HEADER = ["contestant", "wall", "CPU", "first", "peak memory", "ratio"]


@dataclass(frozen=True)
class CaseReport:
    """One case: what was measured, and what failed with its reason."""

    case: Case
    results: Mapping[str, Measurement]
    failures: Mapping[str, str] = field(default_factory=dict)

    def rows(self) -> list[list[str]]:
        """One row of text per contestant, in the order of the case."""
        reference = self.results.get(self.case.baseline)
        return [
            _row(name, self.results[name], reference)
            if name in self.results
            else [name, f"failed: {self.failures[name]}", "", "", "", ""]
            for name in self.case.contestants
            if name in self.results or name in self.failures
        ]

    def checks(self) -> list[Check]:
        """The goals and how they came out."""
        return self.case.checks(self.results)


def _row(name: str, result: Measurement, reference: Measurement | None) -> list[str]:
    return [
        name,
        seconds(result.seconds),
        seconds(result.cpu_seconds),
        "" if result.first is None else seconds(result.first),
        "" if result.peak_mb is None else f"{result.peak_mb:.0f} MB",
        "" if reference is None else f"{result.seconds / reference.seconds:.2f}",
    ]


def seconds(value: float) -> str:
    """A duration for people."""
    return f"{1e3 * value:.1f} ms" if value < 1.0 else f"{value:.2f} s"


def mark(check: Check) -> str:
    """Whether a goal was met, in one word."""
    return {True: "yes", False: "NO", None: "--"}[check.met]


def show(console: Console, report: CaseReport) -> None:
    """Print one case."""
    print_table(console, report.case.title, HEADER, report.rows())
    for check in report.checks():
        colour = {True: "green", False: "red", None: "cyan"}[check.met]
        console.print(f"  [{colour}]{mark(check):>3}[/]  {check.text}", highlight=False)
    console.print()


def print_table(console: Console, title: str, header: list[str], rows: list[list[str]]) -> None:
    """Print a table: the first column is a name, the others are figures."""
    table = Table(title=title, title_justify="left", title_style="bold")
    for i, name in enumerate(header):
        table.add_column(name, justify="left" if i == 0 else "right")
    for row in rows:
        table.add_row(*row)
    console.print(table)


def machine() -> list[str]:
    """Date, processor, cores and versions, one line each."""
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return [
        f"Date: {datetime.now(UTC):%Y-%m-%d}",
        f"Machine: {_cpu_model()}, {os.cpu_count()} cores, {platform.system()}",
        f"Versions: Python {platform.python_version()}, {versions}",
    ]


def version(package: str) -> str:
    """Version of an installed package, or a dash."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "-"


def _cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def markdown_table(header: list[str], rows: list[list[str]]) -> list[str]:
    """A table in markdown; the first column is left-aligned."""
    ruler = ["---", *["---:"] * (len(header) - 1)]
    return ["| " + " | ".join(cells) + " |" for cells in (header, ruler, *rows)]


def markdown(reports: list[CaseReport]) -> str:
    """The whole page of a run of `benchmarks.speed`."""
    lines = [
        "# Benchmarks",
        "",
        "Wall and CPU time are medians over repeats in a warm process; *first* is the first call "
        "in that process; *ratio* is the wall time over that of the row with 1.00. "
        "Every contestant runs in a process of its own, one after the other. "
        "Written by `python -m benchmarks.speed --markdown FILE`.",
        "",
        *(f"* {line}" for line in machine()),
    ]
    for report in reports:
        lines += ["", f"## {report.case.title}", ""]
        lines += markdown_table(HEADER, report.rows())
        lines += ["", *(f"* {check.text}: {mark(check)}" for check in report.checks())]
    return "\n".join(lines).rstrip() + "\n"
