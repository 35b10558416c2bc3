"""What overriding gained, drawn as the study tells it."""

import pytest

import counsel as cs
from counsel import plots


def test_every_person_with_their_interval() -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), seed=1)
    for x in (0.0, 0.3, 0.6, 0.9):
        study.tell({"x": x}, -((x - 0.4) ** 2))
    with pytest.raises(cs.NothingToExplain):
        plots.overriding(study)
    for actor in ("ann", "<b>"):
        study.override(study.ask(), {"x": 0.9}, actor=actor)
    (drawn,) = plots.overriding(study).data
    found = study.overriding()
    assert list(drawn.y) == ["ann (1)", "&lt;b&gt; (1)"]
    assert list(drawn.x) == [each.gain for each in found]
    assert list(drawn.error_x.array) == [1.96 * each.sd for each in found]
