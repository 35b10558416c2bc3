"""Timing through the front door: warm asks compile nothing."""

from dataclasses import replace

import pytest

from counsel.experiments import seconds
from counsel.models.fit import fitted_posterior
from experiments.tiny import TINY


def test_timed_asks_compile_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seconds, "OBSERVED", (5, 20))
    monkeypatch.setattr(fitted_posterior, "_programs", {})  # other tests may have made them
    timed = replace(TINY, measure=seconds.time_asks)
    rows = timed.run("Cosine", TINY.methods[1].label, range(3))
    assert list(rows["observed"]) == [5, 5, 5, 20, 20, 20]
    assert (rows["seconds"] > 0.0).all()
    assert (rows["compiled_timed"] == 0).all()
    assert (rows["compiled_before"] > 0).all()
