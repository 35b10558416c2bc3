"""Beside the decision: how far the study is."""

import counsel as cs
from counsel.service.web.activity import progress_of


def test_first_trials_are_counted() -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="v-ucb", initial=5)
    assert progress_of(study).first == (0, 5)
    for x in (0.1, 0.6):
        study.tell({"x": x}, x, actor="ann")
    found = progress_of(study)
    assert found.first == (2, 5)
    assert found.outlook is None  # too early to say
    assert [(trial.value, trial.actor) for trial in found.last] == [(0.1, "ann"), (0.6, "ann")]
    assert found.best == 2
