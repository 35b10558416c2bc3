"""Runs the small experiment; apart from it, because workers import what they run."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console
from typer.testing import CliRunner

from counsel.cli import app
from counsel.experiments import reproduce
from counsel.experiments.runner import run
from experiments.tiny import TINY


def results_of_tiny(out: Path, backend: str, workers: int, seeds: int = 3) -> tuple[bytes, bytes]:
    """What the experiment writes, run there."""
    quiet = Console(quiet=True)
    run(TINY, seeds=seeds, out=out, backend=backend, workers=workers, console=quiet)
    return _written(out)


def by_command(
    out: Path, monkeypatch: pytest.MonkeyPatch, backend: str, address: str
) -> tuple[bytes, bytes]:
    """What `counsel reproduce` writes, of two seeds on the cluster at an address."""
    registry = SimpleNamespace(find=lambda name: SimpleNamespace(thing=TINY))
    monkeypatch.setattr(reproduce, "experiments", registry)
    words = ["tiny", "--seeds", "2", "--out", str(out), "--backend", backend, "--address", address]
    done = CliRunner().invoke(app, ["reproduce", *words])
    assert done.exit_code == 0, done.output
    return _written(out)


def _written(out: Path) -> tuple[bytes, bytes]:
    folder = out / TINY.name
    return (folder / "results.parquet").read_bytes(), (folder / "results.json").read_bytes()
