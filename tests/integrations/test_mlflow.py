"""A study's trials, decisions and reasons as MLflow runs, in a store on disk."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import counsel as cs

mlflow = pytest.importorskip("mlflow", reason="MLflow is not installed")

from counsel.exchange import import_study  # noqa: E402
from counsel.integrations.mlflow import MLflowLogger  # noqa: E402


@pytest.fixture(autouse=True)
def _foreign_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # MLflow's and its database's are not ours to mend
        yield


def runs(address: str, experiment: str) -> list[Any]:
    client = mlflow.MlflowClient(address)
    found = client.get_experiment_by_name(experiment)
    return list(client.search_runs([found.experiment_id], order_by=["attributes.start_time"]))


def measure(values: dict[str, Any]) -> float:
    if values["x"] > 0.9:
        raise RuntimeError("boiled over")
    return -float((values["x"] - 0.3) ** 2)


def test_each_trial_is_a_run(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'mlflow.db'}"
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), name="Ann's tea", policy="v-ucb", seed=0)
    logger = MLflowLogger(tracking_uri=address)
    study.optimize(measure, 5, callbacks=[logger])
    proposal = study.ask()
    study.override(proposal, {"x": 0.31}, actor="ann", reason="I have an idea")
    study.tell(proposal, -0.0001, actor="ann")
    study.reject(study.ask(), actor="ann", reason="too bitter")
    logger(study)
    logger(study)  # nothing is written twice
    MLflowLogger(tracking_uri=address)(study)  # nor by another process

    found = {run.data.tags["counsel.fact"]: run for run in runs(address, "Ann's tea")}
    ends = [*study.observations, *study.failures]
    assert {each.id for each in ends} < set(found)
    assert len(found) == len(ends) + 1  # and the rejection
    for told in study.observations:
        run = found[told.id]
        assert float(run.data.params["x"]) == told.values["x"]
        assert run.data.metrics["objective"] == told.outcomes["objective"]
        assert run.info.status == "FINISHED"
    mine = found[study.observations[-1].id].data
    assert mine.tags["counsel.decision"] == "override"
    assert mine.tags["counsel.decided_by"] == "ann"
    assert mine.tags["counsel.reason"] == "I have an idea"
    assert mine.tags["counsel.why"].endswith(".")
    assert "predicted_mean" in mine.metrics
    statuses = sorted(run.info.status for run in found.values())
    assert statuses.count("FAILED") == len(study.failures)
    assert statuses.count("KILLED") == 1


def test_the_whole_study_is_kept_as_a_file(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'mlflow.db'}"
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), name="tea", policy="random")
    study.optimize(measure, 2)
    client = mlflow.MlflowClient(address)
    experiment = client.create_experiment("files", artifact_location=str(tmp_path / "files"))
    run = client.create_run(experiment)
    MLflowLogger(tracking_uri=address).log_facts(study, run.info.run_id)
    (file,) = (tmp_path / "files").rglob("study.json")
    assert import_study(file).facts == study.facts
