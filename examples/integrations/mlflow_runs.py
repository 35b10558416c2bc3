"""Trials, decisions and reasons as MLflow runs, in a file on this machine."""

from mlflow import MlflowClient

import counsel as cs
from counsel.integrations.mlflow import MLflowLogger

study = cs.create_study(cs.Space(x=cs.Float(0, 1)), name="tea", policy="v-ucb", seed=0)
logger = MLflowLogger(tracking_uri="sqlite:///mlflow.db")
study.optimize(lambda values: -((values["x"] - 0.3) ** 2), 8, callbacks=[logger])

study.reject(study.ask(), actor="ann", reason="too bitter")
logger(study)

client = MlflowClient("sqlite:///mlflow.db")
experiment = client.get_experiment_by_name("tea")
for run in client.search_runs([experiment.experiment_id], max_results=3):
    print(run.info.status, run.data.params, run.data.tags.get("counsel.why", ""))
