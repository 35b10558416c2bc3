"""Ray Tune's trials, Counsel's proposals."""

from ray import tune

from counsel.integrations.ray_tune import CounselSearch


def train(config: dict) -> None:
    tune.report({"loss": (config["rate"] - 0.03) ** 2 + 0.1 * config["layers"]})


search = CounselSearch(seed=0)
tuner = tune.Tuner(
    train,
    param_space={"rate": tune.uniform(0.0, 0.1), "layers": tune.randint(1, 4)},
    tune_config=tune.TuneConfig(
        metric="loss", mode="min", search_alg=search, num_samples=6, max_concurrent_trials=2
    ),
)
print("best", tuner.fit().get_best_result().config)
print(search.study.best)
