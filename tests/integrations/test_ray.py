"""Ray: its cluster as an executor, for experiments, and its tuner's search; one cluster for all.

Starting Ray takes longer than all that is tested here.
"""

import gc
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import counsel as cs
from counsel.experiments import backends
from counsel.integrations.suggesting import Domain, by_position
from experiments.running import by_command, results_of_tiny

pytestmark = pytest.mark.xdist_group("ray")  # starts programs: begun early
TESTS = Path(__file__).resolve().parent.parent
ray = pytest.importorskip("ray", reason="Ray is not installed")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A head node in processes of its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from ray.cluster_utils import Cluster

        before = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join([str(TESTS), *filter(None, [before])])
        head = {"num_cpus": 2, "include_dashboard": False}
        cluster = Cluster(initialize_head=True, head_node_args=head)
        try:
            yield cluster.address
        finally:
            cluster.shutdown()
            del cluster
            gc.collect()  # Ray leaves processes to the collector, which warns of them
            if before is None:
                del os.environ["PYTHONPATH"]
            else:
                os.environ["PYTHONPATH"] = before


@pytest.fixture(scope="module")
def cluster(address: str) -> Iterator[None]:
    """Connected to it, as an experiment is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with backends._ray(2, address):
            yield
    assert not ray.is_initialized()


@pytest.fixture(autouse=True)
def _foreign_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Ray's about its own ports, sockets and deprecations
        yield


def test_without_a_cluster_the_executor_says_so() -> None:
    from counsel.integrations.ray import RayExecutor

    if ray.is_initialized():
        pytest.skip("another test of this process has connected already")
    with pytest.raises(cs.CounselError, match=r"Call ray\.init"):
        RayExecutor()


@pytest.mark.slow  # a cluster of Dask does the same in test_clusters
def test_an_experiment_gives_the_same_numbers_there(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = results_of_tiny(tmp_path / "here", "local", 1, seeds=2)
    assert by_command(tmp_path / "there", monkeypatch, "ray", address) == here
    assert not ray.is_initialized()


def test_an_experiment_without_an_address_starts_a_ray_for_its_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What it asks Ray for; a slow test below has it started."""
    asked: list[dict[str, Any]] = []
    monkeypatch.setattr(ray, "init", lambda **given: asked.append(given))
    monkeypatch.setattr(ray, "shutdown", lambda: asked.append({}))
    monkeypatch.setattr(ray, "cluster_resources", lambda: {"CPU": 3.0})
    with backends._ray(3, None) as (count, options):
        assert (count, options) == (3, {"backend": "ray"})
    (given, end) = asked
    assert (given["address"], given["num_cpus"]) == ("local", 3)
    assert given["include_dashboard"] is False
    assert end == {}


def test_a_function_is_optimized_on_the_cluster(cluster: None) -> None:
    from counsel.integrations.ray import RayExecutor

    def measure(values: dict[str, Any]) -> float:
        if values["x"] > 0.8:
            raise RuntimeError("too hot")
        return -float((values["x"] - 0.3) ** 2)

    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random", seed=0)
    executor = RayExecutor()
    assert executor.max_workers == 2
    study.optimize(measure, 8, executor=executor)
    assert len(study.observations) + len(study.failures) == 8
    assert all(study.proposal(each.proposal).values["x"] > 0.8 for each in study.failures)
    assert all("too hot" in each.reason for each in study.failures)


@pytest.mark.slow
def test_the_tuner_is_given_counsels_proposals(cluster: None, tmp_path: Path) -> None:
    """A whole tuner, whose trials are processes of their own; the test below goes without."""
    pytest.importorskip("tensorboardX", reason="Ray Tune is not installed")
    from ray import tune

    from counsel.integrations.ray_tune import CounselSearch

    def train(config: dict[str, Any]) -> None:
        if config["model"]["layers"] == 3:
            raise RuntimeError("out of memory")
        tune.report({"loss": (config["rate"] - 0.03) ** 2, "size": config["model"]["layers"]})

    search = CounselSearch(
        constraints=(cs.Constraint("size", at_most=2.5),), policy="random", seed=1
    )
    tuner = tune.Tuner(
        train,
        param_space={
            "rate": tune.loguniform(1e-3, 1e-1),
            "model": {"layers": tune.randint(1, 4), "kind": "plain"},
        },
        tune_config=tune.TuneConfig(
            metric="loss",
            mode="min",
            search_alg=search,
            num_samples=6,
            max_concurrent_trials=2,
            reuse_actors=True,  # a process for each trial would take most of the time
        ),
        run_config=tune.RunConfig(storage_path=str(tmp_path), verbose=0),
    )
    results = tuner.fit()
    study = search.study
    assert len(results) == 6
    assert len(study.observations) == 6 - results.num_errors
    assert len(study.failures) == results.num_errors
    tried = {each.metrics["config"]["rate"] for each in results if each.error is None}
    assert tried == {each.values["rate"] for each in study.observations}
    assert {each.metrics["config"]["model"]["kind"] for each in results if not each.error} == {
        "plain"
    }


def test_trials_of_the_tuner_are_counsels_proposals_and_come_back_as_facts() -> None:
    """What a tuner does with its search, in its words; the slow test above has the tuner itself."""
    pytest.importorskip("tensorboardX", reason="Ray Tune is not installed")
    from ray import tune
    from ray.tune.search import ConcurrencyLimiter

    from counsel.integrations.ray_tune import CounselSearch

    search = CounselSearch(
        constraints=(cs.Constraint("size", at_most=2.5),), policy="random", seed=1
    )
    limited = ConcurrencyLimiter(search, max_concurrent=2)
    space = {
        "rate": tune.loguniform(1e-3, 1e-1),
        "model": {"layers": tune.randint(1, 4), "kind": "plain"},
    }
    assert limited.set_search_properties("loss", "min", space)
    found: list[dict[str, Any]] = []
    failed = 0
    for first in (0, 2, 4):
        names = [str(first), str(first + 1)]
        configs = [limited.suggest(name) for name in names]
        assert limited.suggest("too many") is None
        found += configs
        for name, config in zip(names, configs, strict=True):
            if config["model"]["layers"] == 3:
                limited.on_trial_complete(name, error=True)
                failed += 1
            else:
                loss, size = (config["rate"] - 0.03) ** 2, config["model"]["layers"]
                limited.on_trial_complete(name, {"loss": loss, "size": size})
    study = search.study
    assert {config["model"]["kind"] for config in found} == {"plain"}
    assert [config["rate"] for config in found] == [
        study.proposal(f"p{number}").values["rate"] for number in range(1, 7)
    ]
    assert (len(study.observations), len(study.failures)) == (6 - failed, failed)
    assert 0 < failed < 6
    assert all(each.outcomes["size"] == each.values["model/layers"] for each in study.observations)


def test_a_search_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    pytest.importorskip("tensorboardX", reason="Ray Tune is not installed")
    from ray import tune

    from counsel.integrations.ray_tune import CounselSearch

    def new() -> Any:
        search = CounselSearch(policy="random")
        space = {"x": tune.uniform(0, 1), "k": tune.qrandint(0, 10, 5), "c": tune.choice([1, None])}
        assert search.set_search_properties("loss", "min", space)
        return search

    first = new()
    config = first.suggest("a")
    assert config["k"] in (0, 5, 10)
    first.suggest("b")
    first.on_trial_complete("a", {"loss": 0.5})
    first.save(str(tmp_path / "state"))
    second = new()
    second.restore(str(tmp_path / "state"))
    second.on_trial_complete("b", {"loss": 0.25})
    assert [each.outcomes["loss"] for each in second.study.observations] == [0.5, 0.25]
    assert second.suggest("c") == first.suggest("c")


def test_a_checkpoint_with_positions_on_a_grid_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tensorboardX", reason="Ray Tune is not installed")
    from ray import tune

    from counsel.integrations import ray_tune

    def new() -> Any:
        search = ray_tune.CounselSearch(policy="random")
        assert search.set_search_properties("loss", "min", {"k": tune.qrandint(50, 90, 20)})
        return search

    of_today = ray_tune._domain
    monkeypatch.setattr(ray_tune, "_domain", lambda each: by_position(of_today(each)))
    first = new()
    first.suggest("a")
    first.save(str(tmp_path / "state"))
    monkeypatch.undo()
    second = new()
    second.restore(str(tmp_path / "state"))
    suggested = second.suggest("b")
    assert suggested == first.suggest("b")
    assert suggested["k"] in (50, 70, 90)


@pytest.mark.parametrize("space", [{"x": {"grid_search": [1, 2]}}, {"x": 3}])
def test_what_it_cannot_search_is_refused(space: dict[str, Any]) -> None:
    pytest.importorskip("tensorboardX", reason="Ray Tune is not installed")
    from counsel.integrations.ray_tune import CounselSearch

    with pytest.raises(cs.InvalidInput, match="param_space"):
        CounselSearch().set_search_properties("loss", "min", space)


def test_ranges_are_translated() -> None:
    pytest.importorskip("tensorboardX", reason="Ray Tune is not installed")
    from ray import tune

    from counsel.integrations.ray_tune import _domain

    assert _domain(tune.uniform(0, 2)) == Domain(cs.Float(0, 2))
    assert _domain(tune.loguniform(1e-4, 1)) == Domain(cs.Float(1e-4, 1, log=True))
    assert _domain(tune.randint(1, 4)) == Domain(cs.Int(1, 3))
    assert _domain(tune.quniform(0, 1, 0.5)) == Domain(cs.Float(0, 1, step=0.5))
    with pytest.raises(cs.InvalidInput, match="bounded"):
        _domain(tune.randn(0, 1))


@pytest.mark.slow  # last: workers of a cluster that runs beside it die when it ends
def test_an_experiment_gives_the_same_numbers_on_a_ray_of_its_own(tmp_path: Path) -> None:
    here = results_of_tiny(tmp_path / "here", "local", 1)
    assert results_of_tiny(tmp_path / "there", "ray", 2) == here
