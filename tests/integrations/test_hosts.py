"""The systems that drive our adapters, as installed: `make test-integrations` has all of them.

libEnsemble, Optuna, Ray Tune, scikit-learn and MLflow are in the other files: they are in the
environment of all tests.
"""

import inspect
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

pytest.importorskip("gest_api", reason="gest-api is not installed")

from gest_api.vocs import VOCS

from counsel.integrations.gest import CounselGenerator
from counsel.integrations.ivoryos import CounselOptimizer

PACKAGES = Path(__file__).resolve().parents[2] / "packaging" / "optunahub" / "package"
BOTH = VOCS(
    variables={"x": [0.0, 1.0], "k": {1, 2, 3}},
    objectives={"f": "MINIMIZE"},
    constraints={"c": ["GREATER_THAN", 0.2]},
)


def needed(name: str) -> Any:
    return pytest.importorskip(name, reason=f"{name} is not installed: make test-integrations")


def simulate(point: dict[str, Any]) -> dict[str, float]:
    return {"f": (point["x"] - 0.3) ** 2 + 0.1 * point["k"], "c": point["x"]}


def test_xopt_steps_and_evaluates() -> None:
    xopt = needed("xopt")
    generator = CounselGenerator(BOTH, policy="random")
    before = pd.DataFrame([{"x": 0.5, "k": 2, "f": 0.24, "c": 0.5}])
    run = xopt.Xopt(generator=generator, evaluator=xopt.Evaluator(function=simulate), data=before)
    for _ in range(3):
        run.step()
    run.evaluate_data(pd.DataFrame([{"x": 0.9, "k": 1}]))
    assert run.generator is generator  # Xopt copies what it is given; a study is not copied
    assert [each.proposal for each in generator.study.observations] == [
        None,
        "p1",
        "p2",
        "p3",
        None,
    ]
    assert generator.study.pending == ()
    assert len(run.data) == 5
    assert "CounselGenerator" in run.yaml()


def test_xopt_tells_of_simulations_that_fail() -> None:
    xopt = needed("xopt")

    def broken(point: dict[str, Any]) -> dict[str, float]:
        raise RuntimeError("it diverged")

    generator = CounselGenerator(BOTH, policy="random")
    run = xopt.Xopt(generator=generator, evaluator=xopt.Evaluator(function=broken), strict=False)
    run.step()
    assert len(generator.study.failures) == 1


@pytest.mark.filterwarnings("ignore:Pydantic V1 style:DeprecationWarning")  # in optimas itself
def test_optimas_explores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needed("optimas")
    from optimas.evaluators import FunctionEvaluator
    from optimas.explorations import Exploration
    from optimas.generators import ExternalGenerator

    def evaluate(inputs: dict[str, Any], outputs: dict[str, Any]) -> None:
        outputs["f"] = (inputs["x"] - 0.3) ** 2

    monkeypatch.chdir(tmp_path)
    vocs = VOCS(variables={"x": [0.0, 1.0]}, objectives={"f": "MINIMIZE"})
    generator = CounselGenerator(vocs, policy="random")
    Exploration(
        generator=ExternalGenerator(ext_gen=generator, vocs=vocs),
        evaluator=FunctionEvaluator(function=evaluate),
        max_evals=6,
        sim_workers=2,
        libe_comms="threads",
    ).run()
    told = generator.study.observations
    assert [each.proposal for each in told] == [f"p{i}" for i in range(1, 7)]
    assert all(each.outcomes["f"] == (each.values["x"] - 0.3) ** 2 for each in told)


class Knob:
    """What Bluesky moves, without a beamline."""

    parent = None

    def __init__(self, name: str) -> None:
        self.name = name
        self.position = 0.0

    def set(self, value: float) -> Any:
        self.position = value
        return Done()


class Done:
    """A move that is over."""

    done = success = True

    def add_callback(self, call: Any) -> None:
        call(self)

    def exception(self, timeout: float | None = 0.0) -> None:
        return None


def test_blop_optimizes_on_a_run_engine() -> None:
    """Its plans, Bluesky's engine: outcomes come by their id alone, without the point."""
    needed("blop")
    from blop.plans import optimize
    from blop.protocols import OptimizationProblem
    from bluesky import RunEngine
    from bluesky.plan_stubs import mv

    vocs = VOCS(variables={"x": [0.0, 1.0], "y": [0.0, 1.0]}, objectives={"f": "MINIMIZE"})
    generator = CounselGenerator(vocs, policy="random")
    knobs = [Knob("x"), Knob("y")]
    seen: dict[Any, float] = {}

    def acquire(suggestions: Any, actuators: Any, sensors: Any = None, md: Any = None) -> Any:
        for point in suggestions:
            for knob in actuators:
                yield from mv(knob, point[knob.name])
            seen[point["_id"]] = (knobs[0].position - 0.3) ** 2 + knobs[1].position
        return "run"

    def evaluate(uid: str, suggestions: Any) -> Any:
        return [{"_id": point["_id"], "f": seen[point["_id"]]} for point in suggestions]

    problem = OptimizationProblem(generator, knobs, [], evaluate, acquire)
    RunEngine()(optimize(problem, iterations=3, n_points=2))
    told = generator.study.observations
    assert [each.proposal for each in told] == [f"p{i}" for i in range(1, 7)]
    assert all(
        each.outcomes["f"] == (each.values["x"] - 0.3) ** 2 + each.values["y"] for each in told
    )
    (best,) = generator.get_best_points()
    assert best[2]["f"] == min(seen.values())


def test_blop_registers_what_failed() -> None:
    needed("blop")
    from blop.plans import optimize
    from blop.protocols import OptimizationProblem
    from bluesky import RunEngine

    def acquire(suggestions: Any, actuators: Any, sensors: Any = None, md: Any = None) -> Any:
        yield from ()
        raise RuntimeError("the beam was lost")

    generator = CounselGenerator(BOTH, policy="random")
    problem = OptimizationProblem(generator, [], [], lambda uid, points: [], acquire)
    with pytest.raises(RuntimeError, match="the beam was lost"):
        RunEngine()(optimize(problem))
    assert len(generator.study.failures) == 1


SPACE = [{"name": "volume", "type": "range", "bounds": [1.0, 2.0], "value_type": "float"}]


def test_ivoryos_takes_it_into_its_registry() -> None:
    registry = needed("ivoryos.optimizer.registry").OPTIMIZER_REGISTRY
    from ivoryos.optimizer.base_optimizer import OptimizerBase

    ours = inspect.signature(CounselOptimizer.__init__).parameters
    assert list(ours) == list(inspect.signature(OptimizerBase.__init__).parameters)
    assert OptimizerBase.__abstractmethods__ <= set(dir(CounselOptimizer))
    registry["counsel"] = CounselOptimizer
    schema = json.loads(json.dumps(registry["counsel"].get_schema()))
    assert set(OptimizerBase.get_schema()) <= set(schema)
    optimizer = registry["counsel"](
        experiment_name="run",
        parameter_space=SPACE,
        objective_config=[{"name": "waste", "minimize": True, "weight": 1}],
        optimizer_config={"step_1": {"model": ""}, "step_2": {"model": "random"}},
        parameter_constraints=[],
        datapath="",
        additional_params={},
    )
    assert list(optimizer.get_plots("all")) == ["error"]
    points = optimizer.suggest(n=2)
    optimizer.observe([{**point, "waste": point["volume"]} for point in points])
    assert "Progress" in json.loads(json.dumps(optimizer.get_plots("all")))
    assert len(optimizer.study.observations) == 2


def test_optunahubs_loader_finds_the_sampler() -> None:
    optunahub = needed("optunahub")
    optuna = needed("optuna")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    module = optunahub.load_local_module("samplers/counsel", registry_root=str(PACKAGES))
    study = optuna.create_study(sampler=module.CounselSampler(seed=0, policy="random"))
    study.optimize(lambda trial: trial.suggest_float("x", -1, 1) ** 2, n_trials=3)
    assert isinstance(study.sampler, optuna.samplers.BaseSampler)
    assert len(study.trials) == 3
