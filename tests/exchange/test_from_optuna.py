"""An Optuna study as one of Counsel's."""

from pathlib import Path
from typing import Any

import pytest

import counsel as cs
from counsel.exchange import import_optuna

optuna: Any = pytest.importorskip("optuna")
optuna.logging.set_verbosity(optuna.logging.ERROR)


def objective(trial: Any) -> float:
    rate = trial.suggest_float("rate", 1e-4, 1.0, log=True)
    depth = trial.suggest_int("depth", 1, 9)
    kind = trial.suggest_categorical("kind", ["u", "v"])
    trial.suggest_int("fixed", 3, 3)
    if trial.number == 2:
        raise optuna.TrialPruned
    if trial.number == 3:
        return float("nan")
    return float(rate * depth + (kind == "u"))


def of(function: Any, trials: int = 8, **given: Any) -> Any:
    sampler = optuna.samplers.RandomSampler(seed=1)
    study = optuna.create_study(study_name="theirs", sampler=sampler, **given)
    study.optimize(function, n_trials=trials)
    return study


def test_trials_become_observations(tmp_path: Path) -> None:
    theirs = of(objective)
    url = f"sqlite:///{tmp_path / 'study.db'}"
    found = import_optuna(theirs, storage=url, policy="random", seed=4)
    ours = cs.load_study("theirs", url)
    assert found.study.facts == ours.facts
    assert ours.problem.objective.direction == "minimize"
    assert ours.problem.space == cs.Space(
        rate=cs.Float(1e-4, 1.0, log=True),
        depth=cs.Int(1, 9),
        kind=cs.Categorical(["u", "v"]),
    )
    done = [t for t in theirs.trials if t.state.name == "COMPLETE"]
    assert len(done) == 6
    for observation, trial in zip(ours.observations, done, strict=True):
        assert {**observation.values, "fixed": 3} == trial.params
        assert observation.outcomes == {"objective": trial.value}
        assert observation.actor == "optuna"
        assert observation.time == trial.datetime_complete.astimezone()
    assert ours.best is not None
    assert ours.best.value == theirs.best_value
    assert any("2 trials" in note for note in found.notes)
    assert any("'fixed'" in note for note in found.notes)
    assert ours.ask().round == 1


@pytest.mark.filterwarnings("ignore::Warning")  # of Optuna's own storage
def test_by_name_from_its_storage(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'optuna.db'}"
    of(lambda t: t.suggest_float("x", 0, 1), storage=address, direction="maximize")
    found = import_optuna("theirs", optuna_storage=address, name="ours", policy="random")
    assert (found.study.name, len(found.study.observations)) == ("ours", 8)
    assert found.study.problem.objective.direction == "maximize"
    with pytest.raises(cs.NotFound, match="'nothing'"):
        import_optuna("nothing", optuna_storage=address)
    with pytest.raises(cs.InvalidInput, match="optuna_storage"):
        import_optuna("theirs")


def test_a_step_is_named() -> None:
    found = import_optuna(of(lambda t: t.suggest_float("x", 0, 1, step=0.25)), policy="random")
    assert any("0.25" in note for note in found.notes)


def test_what_has_no_counterpart_is_refused() -> None:
    several = of(lambda t: (t.suggest_float("x", 0, 1), 1.0), directions=["minimize", "maximize"])
    with pytest.raises(cs.InvalidInput, match="several objectives"):
        import_optuna(several)

    def conditional(trial: Any) -> float:
        return float(trial.suggest_float("x" if trial.number % 2 else "y", 0, 1))

    with pytest.raises(cs.InvalidInput, match="conditional"):
        import_optuna(of(conditional))
    with pytest.raises(cs.InvalidInput, match="no finished trial"):
        import_optuna(of(lambda t: float("nan"), 2))
    with pytest.raises(cs.InvalidInput, match="ever varied"):
        import_optuna(of(lambda t: t.suggest_float("x", 1, 1)))
