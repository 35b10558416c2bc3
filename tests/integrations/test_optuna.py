"""CounselSampler in Optuna's own loops."""

import math
import re
import warnings
from pathlib import Path
from typing import Any

import pytest

optuna = pytest.importorskip("optuna", reason="Optuna is not installed")

from counsel.integrations.optuna import CounselSampler  # noqa: E402

optuna.logging.set_verbosity(optuna.logging.WARNING)


def run(objective: Any, n_trials: int, sampler: Any = None, **options: Any) -> Any:
    study = optuna.create_study(sampler=sampler or CounselSampler(seed=1), **options)
    study.optimize(objective, n_trials=n_trials)
    return study


def bowl(trial: Any) -> float:
    x = trial.suggest_float("x", -1.0, 1.0)
    k = trial.suggest_int("k", 1, 32, log=True)
    c = trial.suggest_categorical("c", ["u", None, 3])
    return float((x - 0.4) ** 2 + 0.01 * k + (0.0 if c is None else 0.5))


def test_a_mixed_space_is_searched_and_reasons_are_kept() -> None:
    study = run(bowl, 20)
    assert study.best_params["c"] is None
    assert study.best_value < 0.2
    last = study.trials[-1].user_attrs
    assert last["counsel:why"].endswith(".")
    assert last["counsel:prediction"][1] > 0


def test_it_beats_random_search_on_what_is_smooth() -> None:
    def smooth(trial: Any) -> float:
        return sum((trial.suggest_float(name, 0, 1) - 0.3) ** 2 for name in ("x", "y"))

    own = run(smooth, 15, CounselSampler(seed=2)).best_value
    rivals = [run(smooth, 15, optuna.samplers.RandomSampler(seed)).best_value for seed in range(5)]
    assert own < min(rivals)


def test_the_same_seed_gives_the_same_trials() -> None:
    first, second = (run(bowl, 6, CounselSampler(seed=4)) for _ in range(2))
    assert [each.params for each in first.trials] == [each.params for each in second.trials]


def test_steps_conditions_and_reserved_names() -> None:
    def objective(trial: Any) -> float:
        status = trial.suggest_float("status", 0.0, 1.0, step=0.25)
        if status > 0.3:
            trial.suggest_int("depth", 2, 10, step=4)
        return status

    study = run(objective, 12)
    assert {each.params["status"] for each in study.trials} <= {0.0, 0.25, 0.5, 0.75, 1.0}
    assert {each.params.get("depth") for each in study.trials} <= {None, 2, 6, 10}
    assert study.best_value == 0.0


def test_reasons_name_the_values_on_a_grid() -> None:
    def objective(trial: Any) -> float:
        x = trial.suggest_float("x", 0, 4, step=2)
        return float(-trial.suggest_int("n", 0, 10, step=5) - x)

    reasons = [
        (each.params, each.user_attrs.get("counsel:why", "")) for each in run(objective, 8).trials
    ]
    assert any("n 10" in why for _, why in reasons)
    for params, why in reasons:
        assert all(f"n {n}" not in why for n in (0, 5, 10) if n != params["n"]), why
        assert not re.search(r"\bn [12]\b|\bx 1\b", why), why


def test_a_given_space_is_used_from_the_first_trial() -> None:
    space = {"x": optuna.distributions.FloatDistribution(0.0, 1.0)}
    study = run(lambda trial: trial.suggest_float("x", 0, 1), 2, CounselSampler(search_space=space))
    assert all("counsel:why" in each.user_attrs for each in study.trials)


def test_failed_and_pruned_trials_do_not_stop_it() -> None:
    def objective(trial: Any) -> float:
        x = trial.suggest_float("x", 0, 1)
        if trial.number % 4 == 1:
            return math.nan
        if trial.number % 4 == 2:
            raise optuna.TrialPruned
        return float(x)

    study = run(objective, 12)
    states = [each.state.name for each in study.trials]
    assert states.count("COMPLETE") == 6
    assert study.best_value < 0.3


def test_constraints_are_learned() -> None:
    def constraint(trial: Any) -> tuple[float]:
        return (0.6 - trial.params["x"],)

    sampler = CounselSampler(seed=0, constraints_func=constraint)
    study = run(lambda trial: trial.suggest_float("x", 0, 1), 18, sampler)
    # The smallest feasible x is at the edge: the best trial is there, not at 0.
    assert 0.6 <= study.best_trial.params["x"] < 0.65


def test_several_objectives_are_refused() -> None:
    study = optuna.create_study(
        directions=["minimize", "minimize"],
        sampler=CounselSampler(search_space={"x": optuna.distributions.FloatDistribution(0, 1)}),
    )
    with pytest.raises(ValueError, match="multi-objective"):
        study.optimize(lambda trial: (trial.suggest_float("x", 0, 1), 0.0), n_trials=1)


def test_two_samplers_share_a_storage(tmp_path: Path) -> None:
    """As in two processes: each keeps clear of what the other has under way."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        address = f"sqlite:///{tmp_path / 'optuna.db'}"
        space = {"x": optuna.distributions.FloatDistribution(0.0, 1.0)}
        studies = [
            optuna.create_study(
                study_name="shared",
                storage=address,
                load_if_exists=True,
                sampler=CounselSampler(seed=seed, search_space=space, policy="v-ucb"),
            )
            for seed in (0, 0)
        ]
        for value in (0.1, 0.5, 0.9):
            trial = studies[0].ask()
            studies[0].tell(trial, (trial.suggest_float("x", 0, 1) - value) ** 2)
        first = studies[0].ask().suggest_float("x", 0, 1)
        second = studies[1].ask().suggest_float("x", 0, 1)
    assert abs(first - second) > 1e-6


def test_the_package_for_optunahub_has_the_sampler() -> None:
    import runpy

    folder = Path(__file__).resolve().parents[2] / "packaging/optunahub/package/samplers/counsel"
    assert runpy.run_path(str(folder / "__init__.py"))["CounselSampler"] is CounselSampler
    example = Path(__file__).resolve().parents[2] / "examples/integrations/optuna_sampler.py"
    assert (folder / "example.py").read_text() == example.read_text()
    assert {"README.md", "LICENSE"} <= {each.name for each in folder.iterdir()}
