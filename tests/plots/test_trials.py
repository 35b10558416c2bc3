"""Which of many trials a figure draws."""

import numpy as np
import pytest

import counsel as cs
from counsel import plots
from counsel.facts.records import PastTrial
from counsel.plots._trials import drawn


def test_few_trials_are_all_drawn() -> None:
    assert drawn([1.0, None, 3.0]) == [0, 1, 2]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_of_many_trials_every_best_so_far_and_the_last_ones_are_drawn(sign: float) -> None:
    values = sign * np.random.default_rng(0).normal(size=3000)
    chosen = drawn([None if i % 7 == 0 else float(v) for i, v in enumerate(values)])
    known = [i for i in range(3000) if i % 7]
    best = [i for i in known if values[i] == max(values[j] for j in known if j <= i)]
    assert set(best) <= set(chosen)
    assert set(range(2900, 3000)) <= set(chosen)
    assert len(chosen) <= 400
    assert chosen == sorted(set(chosen))
    assert max(np.diff(chosen)) < 20  # the others are spread evenly


def test_a_figure_says_how_many_trials_it_draws() -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random")
    study.tell_many(PastTrial({"x": i / 999}, {"objective": float(i)}) for i in range(1000))
    figure = plots.progress(study)
    marks = sum(len(trace.x) for trace in figure.data if trace.mode == "markers")
    # Each was the best so far: none of these may be left out.
    assert marks == 1000
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random")
    study.tell_many(PastTrial({"x": i / 999}, {"objective": float(i % 10)}) for i in range(1000))
    figure = plots.progress(study)
    marks = sum(len(trace.x) for trace in figure.data if trace.mode == "markers")
    assert marks < 450
    assert figure.layout.title.subtitle.text == f"{marks} of 1,000 trials are drawn."
