"""CounselOptimizer in the form that ivoryOS gives its optimizers."""

import pandas as pd
import pytest

import counsel as cs
from counsel.integrations.ivoryos import CounselOptimizer

SPACE = [
    {"name": "volume", "type": "range", "bounds": [1.0, 2.0], "value_type": "float"},
    {"name": "drops", "type": "range", "bounds": [0, 10, 5], "value_type": "int"},
    {"name": "solvent", "type": "choice", "bounds": ["a", "b"], "value_type": "str"},
]
LEAST = [{"name": "waste", "minimize": True, "weight": 1}]
RANDOM = {"step_2": {"model": "random"}}


def test_a_batch_is_suggested_and_observed() -> None:
    optimizer = CounselOptimizer("run", SPACE, LEAST, RANDOM)
    points = optimizer.suggest(3)
    assert all(point["drops"] in (0, 5, 10) for point in points)
    optimizer.observe([{"waste": 1.0}, {"waste": None}, {**points[2], "waste": 3.0}])
    assert [each.proposal for each in optimizer.study.observations] == ["p1", "p3"]
    assert [each.proposal for each in optimizer.study.failures] == ["p2"]
    assert optimizer.study.best is not None
    assert optimizer.study.best.value == 1.0


def test_what_was_measured_before_is_told() -> None:
    optimizer = CounselOptimizer("run", SPACE, LEAST, RANDOM)
    before = {"volume": [1.5], "drops": [5], "solvent": ["b"], "waste": [0.5]}
    optimizer.append_existing_data(pd.DataFrame(before))
    assert optimizer.study.observations[0].outcomes == {"waste": 0.5}
    assert list(optimizer.get_plots()) == ["Progress"]
    assert CounselOptimizer.get_schema()["parameter_types"] == ["range", "choice"]


def test_several_objectives_are_weighed() -> None:
    most = {"name": "yield", "minimize": False, "weight": 2}
    optimizer = CounselOptimizer("run", SPACE, [most, *LEAST], RANDOM)
    optimizer.suggest(2)
    optimizer.observe([{"yield": 5.0, "waste": 4.0}, {"yield": 4.0, "waste": 1.0}])
    assert optimizer.study.best is not None
    assert optimizer.study.best.value == 7.0  # 2 * 4 - 1


def test_what_it_cannot_do_is_refused() -> None:
    with pytest.raises(cs.InvalidInput, match="at least one objective"):
        CounselOptimizer("run", SPACE, [])
    with pytest.raises(cs.InvalidInput, match="range or choice"):
        CounselOptimizer("run", [{"name": "x", "type": "substance", "bounds": []}], LEAST)
