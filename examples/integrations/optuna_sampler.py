"""Optuna's loop, Counsel's proposals: each trial says why it was tried."""

import optuna

from counsel.integrations.optuna import CounselSampler

optuna.logging.set_verbosity(optuna.logging.WARNING)


def objective(trial: optuna.Trial) -> float:
    kind = trial.suggest_categorical("kind", ["green", "black"])
    minutes = trial.suggest_float("minutes", 1.0, 8.0)
    if kind == "black":  # only some trials have it: sampled independently
        trial.suggest_int("sugar", 0, 3)
    return (minutes - 3.0) ** 2 + (kind == "black")


study = optuna.create_study(sampler=CounselSampler(seed=0))
study.optimize(objective, n_trials=15)
print(study.best_params)
print(study.trials[-1].user_attrs["counsel:why"])
