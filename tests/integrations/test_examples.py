"""The examples of integrations run, against the package that each is about."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("examples")  # starts programs: begun early
FOLDER = Path(__file__).resolve().parents[2] / "examples" / "integrations"
# What each needs, and prints.
EXAMPLES = {
    "agent": ("mcp", "'best'"),
    "blop_run": ("blop", "best"),
    "dask_cluster": ("distributed", "best"),
    "gest_generator": ("gest_api", "smallest"),
    "ivoryos_optimizer": ("ivoryos", "best"),
    "libensemble_run": ("libensemble", "8 simulations"),
    "mlflow_runs": ("mlflow", "FINISHED"),
    "notebook_widget": ("anywidget", "mine"),
    "optimas_run": ("optimas", "best"),
    "optuna_sampler": ("optuna", "minutes"),
    "processes": ("counsel", "best"),
    "ray_cluster": ("ray", "best"),
    "ray_tune_search": ("ray", "best"),
    "shap_values": ("shap", "exploitation"),
    "sklearn_search": ("sklearn", "best"),
    "xopt_run": ("xopt", "smallest"),
}


def test_every_example_is_listed() -> None:
    assert sorted(each.stem for each in FOLDER.glob("*.py")) == sorted(EXAMPLES)


# Starting Ray takes as long as all others together, and test_ray.py uses both anyway.
_SLOW = {"ray_cluster", "ray_tune_search"}
# A cluster of its own: Ray would join one that another test is about to end.
RAY = {"RAY_ADDRESS": "local", "RAY_USAGE_STATS_ENABLED": "0", "RAY_AIR_NEW_OUTPUT": "0"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in _SLOW else [])
        for name in sorted(EXAMPLES)
    ],
)
def test_the_example_runs(name: str, tmp_path: Path) -> None:
    package, printed = EXAMPLES[name]
    pytest.importorskip(package, reason=f"{package} is not installed: make test-integrations")
    file = FOLDER / f"{name}.py"
    assert len(file.read_text(encoding="utf-8").splitlines()) < 30
    done = subprocess.run(
        [sys.executable, str(file)],
        cwd=tmp_path,
        env={**os.environ, **RAY},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert printed in done.stdout
