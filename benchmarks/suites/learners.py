"""Tuning models of scikit-learn on its own data sets: mixed spaces, cross-validated errors.

The gap is the error itself, which nobody brings to 0. Tuning and report split the data otherwise.
"""

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.suites.setting import Parameter, Point, Setting
from benchmarks.suites.world import Reading, World

FIRST, TRIALS = 8, 40
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
    from sklearn import datasets
    from sklearn.linear_model import SGDClassifier
    from sklearn.svm import SVC as Machine
    from sklearn.tree import DecisionTreeClassifier as Tree

    def linear(**settings: Any) -> Any:
        return SGDClassifier(penalty="elasticnet", random_state=0, max_iter=200, **settings)

    def tree(**settings: Any) -> Any:
        return Tree(random_state=0, **settings)

    for name, parameters, model, data in (
        ("svc-cancer", SVC, Machine, datasets.load_breast_cancer),
        ("tree-digits", TREES, tree, datasets.load_digits),
        ("sgd-wine", LINEAR, linear, datasets.load_wine),
    ):
        yield World(
            name=f"learner-{name}",
            group="learners",
            setting=Setting(parameters),
            open=lambda seed, m=model, d=data, p=parameters: _evaluator(m, d, p, tuning),
            gap=lambda error: max(error, 1e-4),
            first=FIRST,
            trials=TRIALS,
        )


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
