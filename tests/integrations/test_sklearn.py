"""CounselSearchCV beside scikit-learn's own searches."""

import numpy as np
import pytest

import counsel as cs

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

from sklearn.base import clone
from sklearn.linear_model import Ridge

from counsel.integrations.sklearn import CounselSearchCV

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 5))
Y = X @ np.array([1.0, 0.5, 0.0, 0.0, -1.0]) + 0.5 * RNG.normal(size=60)
SPACE = {"alpha": cs.Float(1e-3, 1e3, log=True), "fit_intercept": cs.Categorical([True, False])}


def test_it_finds_what_a_fine_grid_finds() -> None:
    search = CounselSearchCV(Ridge(), SPACE, n_iter=14).fit(X, Y)
    from sklearn.model_selection import GridSearchCV

    grid = {"alpha": np.logspace(-3, 3, 60), "fit_intercept": [True, False]}
    best = GridSearchCV(Ridge(), grid).fit(X, Y).best_score_
    assert search.best_score_ > best - 0.005
    assert len(search.cv_results_["mean_test_score"]) == 14
    assert search.predict(X).shape == (60,)
    assert len(search.study_.observations) == 14
    assert search.study_.replay().identical


def test_it_is_an_estimator_like_others() -> None:
    search = CounselSearchCV(Ridge(), SPACE, n_iter=3, batch=2, policy="random")
    copied = clone(search)
    assert copied.get_params()["n_iter"] == 3
    first, second = (each.fit(X, Y).cv_results_["param_alpha"] for each in (search, copied))
    assert list(first) == list(second)
    assert len(first) == 3


def test_a_fit_that_fails_is_a_failed_trial() -> None:
    space = {"alpha": cs.Categorical([1.0, -1.0])}  # a negative one is refused by Ridge
    search = CounselSearchCV(Ridge(), space, n_iter=6, policy="random").fit(X, Y)
    failed = [
        search.study_.proposal(each.proposal).values["alpha"] for each in search.study_.failures
    ]
    assert set(failed) == {-1.0}
    assert len(search.cv_results_["mean_test_score"]) == 6 - len(failed)
    with pytest.raises(ValueError, match="fits failed"):
        search.set_params(space={"alpha": cs.Float(-2, -1)}).fit(X, Y)


def test_several_scores_need_one_that_is_maximised() -> None:
    scoring = ["r2", "neg_mean_absolute_error"]
    search = CounselSearchCV(Ridge(), SPACE, n_iter=2, policy="random", scoring=scoring)
    with pytest.raises(cs.InvalidInput, match="refit"):
        search.set_params(refit=False).fit(X, Y)
    assert search.set_params(refit="r2").fit(X, Y).best_index_ in (0, 1)
