"""Figures of spaces with choices, and of trials that failed."""

from typing import Any

import pytest

import counsel as cs
from counsel import plots

SPACE = cs.Space(
    t=cs.Float(0, 1), kind=cs.Categorical(["b", "a", "c"]), wet=cs.Categorical([True, False])
)


@pytest.fixture(scope="module")
def study() -> Any:
    study = cs.create_study(SPACE, policy="v-ucb", initial=2, seed=1)
    for t, kind, wet in ((0.2, "a", True), (0.8, "b", False), (0.5, "c", True)):
        study.tell({"t": t, "kind": kind, "wet": wet}, t + (kind == "b"))
    study.ask()
    return study


@pytest.mark.parametrize(
    "names", [None, ["t"], ["kind"], ["wet"], ["t", "kind"], ["kind", "t"], ["kind", "wet"]]
)
def test_beliefs_are_drawn_along_choices(study: Any, names: Any) -> None:
    figure = plots.landscape(study, names)
    drawn = names or ["t", "kind"]
    for name, axis in zip(drawn, (figure.layout.xaxis, figure.layout.yaxis), strict=False):
        if name == "kind":
            assert axis.type == "category"
            assert list(axis.categoryarray) == ["b", "a", "c"]
    if drawn == ["kind"]:
        levels = figure.data[0]
        assert list(levels.x) == ["b", "a", "c"]
        best = study.best.values
        for level, mean in zip(levels.x, levels.y, strict=True):
            assert study.predict({**best, "kind": level}).mean == pytest.approx(mean)
    assert figure.to_json()


@pytest.mark.parametrize("names", [None, ["kind"], ["t", "kind"]])
def test_what_a_proposal_saw_is_drawn_along_choices(study: Any, names: Any) -> None:
    proposal = study.pending[-1]
    figure = plots.slices(study, proposal, names)
    mark = next(trace for trace in figure.data if trace.name == "the proposal")
    at = mark.x[0] if names == ["kind"] else mark.y[0]
    assert at == proposal.values["kind"]


def test_trials_that_failed_or_were_given_up_are_seen() -> None:
    study = cs.create_study(SPACE, policy="random")
    study.fail(study.ask(), reason="it clotted")
    study.abandon(study.ask())
    study.tell(study.ask(), 1.0)
    for figure in (plots.progress(study), plots.landscape(study, ["t"])):
        assert {"failed", "abandoned"} <= {trace.name for trace in figure.data}
