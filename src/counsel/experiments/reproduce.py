"""`counsel reproduce NAME`: runs an experiment of the papers, or its missing parts, and reports."""

import json
import shlex
from pathlib import Path

from rich.console import Console

from counsel.errors import NotFound
from counsel.experiments.experiment import Experiment
from counsel.experiments.provenance import provenance
from counsel.experiments.registry import experiments
from counsel.experiments.report_page import page
from counsel.experiments.runner import run
from counsel.experiments.store import Store, write_text
from counsel.experiments.summary import markdown

__all__ = ["list_experiments", "reproduce"]


def list_experiments() -> list[tuple[str, str, str]]:
    """(name, title, what it mirrors in the papers) of every experiment."""
    return [(each.tag, each.title, each.sentence) for each in experiments.entries()]


def reproduce(
    name: str,
    *,
    seeds: int | None = None,
    out: str | Path = "results",
    backend: str | None = None,
    jobs: int | None = None,
    address: str | None = None,
    fresh: bool = False,
    console: Console | None = None,
) -> Path:
    """Run what is missing of an experiment and write its report; return the report's path.

    `seeds` defaults to the experiment's own number, `jobs` (blocks at once) to the cores at hand.
    `backend` is local (one block after the other, in this process), loky (one process per core:
    the default), dask or ray; `address` that of a Dask or Ray cluster, without which one is started
    on this machine. `fresh` runs finished blocks again.
    """
    found = experiments.find(name)
    if found is None:
        known = ", ".join(experiments.names())
        raise NotFound(f"There is no experiment {name!r}. Choose one of {known}.")
    return report(found.thing, seeds, Path(out), backend, jobs, address, fresh, console)


def report(
    experiment: Experiment,
    seeds: int | None,
    out: Path,
    backend: str | None,
    jobs: int | None,
    address: str | None,
    fresh: bool,
    console: Console | None,
) -> Path:
    rows = run(
        experiment,
        seeds=seeds,
        out=out,
        backend=backend,
        workers=jobs,
        address=address,
        fresh=fresh,
        console=console,
    )
    folder = Store(experiment, out).folder
    results, timing = (
        json.loads((folder / file).read_text(encoding="utf-8"))
        for file in ("results.json", "timing.json")
    )
    made = provenance(_command(experiment, results["seeds"]), results, timing)
    report = experiment.tell(experiment, rows)
    parts = experiment.title, experiment.mirrors, report, made
    write_text(markdown(*parts), folder / "summary.md")
    write_text(page(*parts), folder / "report.html")
    return folder / "report.html"


def _command(experiment: Experiment, seeds: int) -> str:
    """The shortest command with these results; where it ran does not matter."""
    return shlex.join(["counsel", "reproduce", experiment.name, "--seeds", str(seeds)])
