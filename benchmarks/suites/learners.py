"""Tuning models of scikit-learn on its own data sets: mixed spaces, cross-validated errors.

The gap is the error itself, which nobody brings to 0. Tuning and report split the data otherwise.
`after_another` gives the contestants 50 random trials on another data set beforehand.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.suites.setting import Parameter, Point, Setting
from benchmarks.suites.world import Past, Reading, World

FIRST, TRIALS = 8, 40
PAST, FIRST_AFTER, TRIALS_AFTER = 50, 1, 20
SVC = (
    Parameter("C", "real", 1e-3, 1e3, log=True),
    Parameter("gamma", "real", 1e-6, 1e1, log=True),
    Parameter("kernel", "choice", choices=("rbf", "poly", "sigmoid", "linear")),
    Parameter("degree", "whole", 2, 5),
)
TREES = (
    Parameter("max_depth", "whole", 1, 12),
    Parameter("min_samples_leaf", "whole", 1, 30),
    Parameter("max_features", "real", 0.05, 1.0),
    Parameter("criterion", "choice", choices=("gini", "entropy", "log_loss")),
    Parameter("splitter", "choice", choices=("best", "random")),
)
LINEAR = (
    Parameter("alpha", "real", 1e-7, 1e1, log=True),
    Parameter("eta0", "real", 1e-5, 1e0, log=True),
    Parameter("l1_ratio", "real", 0.0, 1.0),
    Parameter("loss", "choice", choices=("hinge", "log_loss", "modified_huber", "perceptron")),
    Parameter("learning_rate", "choice", choices=("constant", "optimal", "invscaling", "adaptive")),
)


def worlds(repeats: int, tuning: bool) -> Iterator[World]:
    """Three models on three data sets; repeats are seeds."""
    for name, parameters, model, data, _ in _tasks():
        yield World(
            name=f"learner-{name}",
            group="learners",
            setting=Setting(parameters),
            open=lambda seed, m=model, d=data, p=parameters: _evaluator(m, d, p, tuning),
            gap=lambda error: max(error, 1e-4),
            first=FIRST,
            trials=TRIALS,
        )


def after_another(repeats: int, tuning: bool) -> Iterator[World]:
    """The same models, after random trials of each on the data set of the next."""
    for name, parameters, model, data, other in _tasks():

        def past(seed: int, p: Any = parameters, m: Any = model, o: Any = other) -> Past:
            evaluate = _evaluator(m, o, p, tuning)
            points = Setting(p).draw(np.random.default_rng([seed, PAST]), PAST)
            return [(point, evaluate(point).value, ()) for point in points]

        yield World(
            name=f"learner-{name}-after-another",
            group="learners",
            setting=Setting(parameters),
            open=lambda seed, m=model, d=data, p=parameters: _evaluator(m, d, p, tuning),
            gap=lambda error: max(error, 1e-4),
            first=FIRST_AFTER,
            trials=TRIALS_AFTER,
            past=past,
        )


def _tasks() -> Iterator[tuple[str, tuple[Parameter, ...], Any, Any, Any]]:
    """Name, parameters, model, data, and the data of another task."""
    from sklearn import datasets
    from sklearn.linear_model import SGDClassifier
    from sklearn.svm import SVC as Machine
    from sklearn.tree import DecisionTreeClassifier as Tree

    def linear(**settings: Any) -> Any:
        return SGDClassifier(penalty="elasticnet", random_state=0, max_iter=200, **settings)

    def tree(**settings: Any) -> Any:
        return Tree(random_state=0, **settings)

    cancer, digits, wine = datasets.load_breast_cancer, datasets.load_digits, datasets.load_wine
    yield "svc-cancer", SVC, Machine, cancer, wine
    yield "tree-digits", TREES, tree, digits, cancer
    yield "sgd-wine", LINEAR, linear, wine, cancer


def _evaluator(model: Any, data: Any, parameters: Any, tuning: bool) -> Callable[[Point], Reading]:
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    x, y = data(return_X_y=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=1 if tuning else 0)

    def evaluate(point: Point) -> Reading:
        assert not isinstance(point, int)
        settings = {p.name: value for p, value in zip(parameters, point, strict=True)}
        made = make_pipeline(StandardScaler(), model(**settings))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return Reading(1.0 - float(cross_val_score(made, x, y, cv=folds).mean()))

    return evaluate
