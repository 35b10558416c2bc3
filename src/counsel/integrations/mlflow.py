"""MLflow: a study's trials, decisions and reasons as runs.

study.optimize(train, 50, callbacks=[MLflowLogger(experiment="exosuit")])
"""

from collections.abc import Mapping
from typing import Any

from counsel.errors import CounselError, NothingToExplain, install
from counsel.exchange.document import to_json
from counsel.facts.records import Decision, Fact, Failure, Observation, Proposal
from counsel.study.protocol import StudyLike

try:
    from mlflow import MlflowClient
except ImportError:
    raise CounselError(f"MLflowLogger needs MLflow: {install('mlflow')}.") from None

__all__ = ["MLflowLogger"]

_End = Observation | Failure | Decision  # how a trial may end
_LONGEST = 500  # characters of a parameter or tag that every MLflow store takes


class MLflowLogger:
    """Writes each trial as one run: parameters, outcomes, who decided what, and why.

    Call it with the study, by hand or as a callback of `study.optimize`; trials that are there
    already, from this process or an earlier one, are not written again.
    """

    def __init__(
        self,
        *,
        experiment: str | None = None,
        tracking_uri: str | None = None,
        explain: bool = True,
    ) -> None:
        self._client = MlflowClient(tracking_uri)
        self._experiment = experiment
        self._explain = explain
        self._written: dict[str, set[str]] = {}  # facts, by experiment

    def __call__(self, study: StudyLike, fact: Fact | None = None) -> None:
        experiment = self._experiment_id(self._experiment or study.name)
        written = self._written.setdefault(experiment, self._before(experiment, study.name))
        decisions = {each.proposal: each for each in study.decisions}
        told = {each.proposal for each in study.observations}
        rejected = [
            each
            for each in decisions.values()
            if each.kind == "reject" and each.proposal not in told
        ]
        ends: list[_End] = [*study.observations, *study.failures, *rejected]
        for end in ends:
            if end.id not in written:
                self._write(study, experiment, end, decisions.get(end.proposal or ""))
                written.add(end.id)

    def _experiment_id(self, name: str) -> str:
        found = self._client.get_experiment_by_name(name)
        return str(
            found.experiment_id if found is not None else self._client.create_experiment(name)
        )

    def _before(self, experiment: str, study: str) -> set[str]:
        found, token = set(), None
        while True:
            page = self._client.search_runs([experiment], page_token=token)
            tags = [run.data.tags for run in page]  # no filter: names may have quotes in them
            found |= {each["counsel.fact"] for each in tags if each.get("counsel.study") == study}
            token = page.token
            if not token:
                return found

    def _write(
        self,
        study: StudyLike,
        experiment: str,
        end: _End,
        decision: Decision | None,
    ) -> None:
        proposal = None if end.proposal is None else study.proposal(end.proposal)
        values: Mapping[str, Any] = {}
        if not isinstance(end, Decision):
            values = {**end.values, **end.context}
        elif proposal is not None:
            values = {**proposal.values, **proposal.context}
        tags = {"counsel.study": study.name, "counsel.fact": end.id, "counsel.actor": end.actor}
        if decision is not None:
            tags |= {"counsel.decision": decision.kind, "counsel.decided_by": decision.actor}
            tags |= {"counsel.reason": decision.reason} if decision.reason else {}
        if proposal is not None:
            tags["counsel.proposal"] = proposal.id
            tags |= self._why(study, proposal)
        started = int(1000 * (end if proposal is None else proposal).time.timestamp())
        run = self._client.create_run(
            experiment, start_time=started, run_name=f"{study.name} {end.id}"
        )
        name = run.info.run_id
        for key, value in tags.items():
            self._client.set_tag(name, key, value[:_LONGEST])
        for key, value in values.items():
            self._client.log_param(name, _key(key), str(value)[:_LONGEST])
        if proposal is not None and proposal.prediction is not None:
            self._client.log_metric(name, "predicted_mean", proposal.prediction.mean)
            self._client.log_metric(name, "predicted_sd", proposal.prediction.sd)
        if isinstance(end, Observation):
            for key, outcome in end.outcomes.items():
                self._client.log_metric(name, _key(key), outcome)
        status = "FINISHED"
        if isinstance(end, Decision):
            status = "KILLED"
        elif isinstance(end, Failure):
            status = "FAILED"
            self._client.set_tag(name, "counsel.reason", end.reason[:_LONGEST])
        self._client.set_terminated(name, status, int(1000 * end.time.timestamp()))

    def _why(self, study: StudyLike, proposal: Proposal) -> dict[str, str]:
        if not self._explain:
            return {}
        try:
            return {"counsel.why": study.explain(proposal).sentence()}
        except NothingToExplain:
            return {}  # a random first trial has no reasons

    def log_facts(self, study: StudyLike, run_id: str) -> None:
        """Keep the whole study, as a file that `counsel import` reads, with a run."""
        self._client.log_text(run_id, to_json(study.setup, study.facts), "study.json")


def _key(name: str) -> str:
    """A name that MLflow takes: letters, digits, and _-./ or spaces."""
    return "".join(each if each.isalnum() or each in "_-./ " else "_" for each in name)
