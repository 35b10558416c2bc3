"""CounselGenerator by the standard's own rules, and in Blop; test_examples.py has libEnsemble."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel as cs

pytest.importorskip("gest_api", reason="gest-api is not installed")

from gest_api import Generator
from gest_api.vocs import VOCS

from counsel.integrations.gest import CounselGenerator

SIMPLE = VOCS(variables={"x": [0.0, 1.0], "k": {1, 2, 3}}, objectives={"f": "MINIMIZE"})


def played(generator: CounselGenerator, rounds: int, batch: int = 2) -> list[dict[str, Any]]:
    told = []
    for _ in range(rounds):
        points = [
            {**point, "f": (point["x"] - 0.3) ** 2 + 0.1 * point["k"]}
            for point in generator.suggest(batch)
        ]
        generator.ingest(points)
        told += points
    return told


def test_it_is_a_generator_that_gives_ids() -> None:
    generator = CounselGenerator(SIMPLE, policy="random")
    assert isinstance(generator, Generator)
    assert generator.returns_id
    (point,) = generator.suggest()
    assert set(point) == {"x", "k", "_id"}
    assert len(generator.suggest(3)) == 3


def test_it_learns() -> None:
    generator = CounselGenerator(SIMPLE, seed=0)
    told = played(generator, 8)
    assert min(point["f"] for point in told) < 0.11
    assert len(generator.study.observations) == 16
    assert generator.study.pending == ()
    assert generator.get_best_points()[0][2]["f"] == min(point["f"] for point in told)


def test_results_without_an_id_are_matched_by_their_point_or_told_as_they_are() -> None:
    generator = CounselGenerator(SIMPLE, policy="random")
    (point,) = generator.suggest(1)
    del point["_id"]
    generator.ingest([{**point, "f": 1.0}, {"x": np.float64(0.5), "k": np.int64(2), "f": 2.0}])
    assert [each.proposal for each in generator.study.observations] == ["p1", None]


def test_a_simulation_that_gave_nothing_is_a_failure() -> None:
    generator = CounselGenerator(SIMPLE, policy="random")
    (point,) = generator.suggest(1)
    generator.ingest([{**point, "f": math.nan}])
    assert len(generator.study.failures) == 1


def test_constraints_constants_and_choices() -> None:
    vocs = VOCS(
        variables={"x": [0.0, 1.0], "lens": {"short", "long"}, "gain": {7}},
        objectives={"f": "MAXIMIZE"},
        constraints={
            "loss": ["LESS_THAN", 0.5],
            "flux": ["GREATER_THAN", 1.0],
            "tilt": ["BOUNDS", -1.0, 1.0],
        },
        constants={"run": 3},
    )
    generator = CounselGenerator(vocs, policy="random")
    (point,) = generator.suggest(1)
    assert (point["gain"], point["run"]) == (7, 3)
    assert point["lens"] in ("short", "long")
    generator.ingest([{**point, "f": 1.0, "loss": 0.2, "flux": 2.0, "tilt": 0.0}])
    assert generator.study.observations[0].outcomes == {
        "f": 1.0,
        "loss": 0.2,
        "flux": 2.0,
        "tilt from below": 0.0,
        "tilt from above": 0.0,
    }


@pytest.mark.parametrize(
    ("vocs", "field"),
    [
        (
            VOCS(variables={"x": [0, 1]}, objectives={"f": "MINIMIZE", "g": "MINIMIZE"}),
            "objectives",
        ),
        (VOCS(variables={"x": [0, 1]}, objectives={"f": "EXPLORE"}), "objectives"),
        (VOCS(variables={"x": {1}}, objectives={"f": "MINIMIZE"}), "variables"),
    ],
)
def test_what_it_cannot_do_is_refused(vocs: VOCS, field: str) -> None:
    with pytest.raises(ValueError, match=field):
        CounselGenerator(vocs)


def test_kept_in_a_storage_it_goes_on(tmp_path: Path) -> None:
    options: dict[str, Any] = {"storage": f"sqlite:///{tmp_path / 'run.db'}", "policy": "random"}
    (point,) = CounselGenerator(SIMPLE, **options).suggest(1)
    again = CounselGenerator(SIMPLE, **options)
    again.ingest([{**point, "f": 1.0}])
    assert point["_id"] == 1
    assert [each.proposal for each in again.study.observations] == ["p1"]


def test_blop_takes_it_for_an_optimizer() -> None:
    protocols = pytest.importorskip("blop.protocols", reason="Blop is not installed")
    generator = CounselGenerator(SIMPLE, policy="random")
    assert isinstance(generator, protocols.Optimizer)
    assert isinstance(generator, protocols.CanRegisterSuggestions)
    assert isinstance(generator, protocols.TrialFaultAware)
    (mine,) = generator.register_suggestions([{"x": 0.25, "k": 2}])
    (other,) = generator.suggest(1)
    generator.ingest([{**mine, "f": 1.0}])
    generator.register_failures([other])
    assert generator.study.observations[0].values == {"x": 0.25, "k": 2}
    assert [each.proposal for each in generator.study.failures] == [f"p{other['_id']}"]


def test_names_that_are_taken_here_are_still_theirs() -> None:
    vocs = VOCS(variables={"status": [0.0, 1.0]}, objectives={"f": "MINIMIZE"})
    generator = CounselGenerator(vocs, policy="random")
    (point,) = generator.suggest(1)
    generator.ingest([{**point, "f": 1.0}])
    assert list(generator.get_best_points()[0][1]) == ["status"]
    assert isinstance(generator.study, cs.Study)
