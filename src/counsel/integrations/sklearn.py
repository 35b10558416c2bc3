"""scikit-learn: a search over an estimator's parameters, with the manners of its own searches.

search = CounselSearchCV(SVC(), {"C": cs.Float(0.01, 100, log=True)}, n_iter=20)
search.fit(X, y).best_params_
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from counsel.errors import CounselError, InvalidInput, install
from counsel.integrations.suggesting import measured
from counsel.policies import Policy
from counsel.space import Parameter, Space
from counsel.study import create_study

try:
    from sklearn.model_selection._search import BaseSearchCV
except ImportError:
    raise CounselError(f"CounselSearchCV needs scikit-learn: {install('trees')}.") from None

__all__ = ["CounselSearchCV"]


class CounselSearchCV(BaseSearchCV):
    """Cross-validated search, `n_iter` candidates in all and `batch` at a time.

    `space` has a `Float`, `Int` or `Categorical` for each parameter, as in "svc__C". After `fit`,
    `study_` is the study behind it: explain its proposals, plot it, or keep it.
    """

    def __init__(
        self,
        estimator: Any,
        space: Mapping[str, Parameter],
        *,
        n_iter: int = 20,
        batch: int = 1,
        policy: str | Policy | None = None,
        random_state: int = 0,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: bool | str | Callable[..., Any] = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: Any = "2*n_jobs",
        error_score: Any = np.nan,
        return_train_score: bool = False,
    ) -> None:
        super().__init__(
            estimator=estimator,
            scoring=scoring,
            n_jobs=n_jobs,
            refit=refit,
            cv=cv,
            verbose=verbose,
            pre_dispatch=pre_dispatch,
            error_score=error_score,
            return_train_score=return_train_score,
        )
        self.space = space
        self.n_iter = n_iter
        self.batch = batch
        self.policy = policy
        self.random_state = random_state

    def _run_search(self, evaluate_candidates: Callable[..., Any], **_: Any) -> None:
        if callable(self.refit):
            raise InvalidInput("refit", self.refit, "Name the score to maximise.")
        score = f"mean_test_{self.refit if isinstance(self.refit, str) else 'score'}"
        self.study_ = create_study(
            Space(**self.space),  # type: ignore[arg-type]
            objective=score,
            policy=self.policy,
            seed=self.random_state,
        )
        asked = kept = 0
        error: ValueError | None = None
        while asked < self.n_iter:
            proposals = self.study_.ask(min(self.batch, self.n_iter - asked))
            asked += len(proposals)
            try:
                found = evaluate_candidates([dict(each.values) for each in proposals])
            except ValueError as raised:  # no fit of these candidates worked; others may
                if self.error_score == "raise" or "fits failed" not in str(raised):
                    raise
                error, scores = raised, [np.nan] * len(proposals)
            else:
                if score not in found:
                    raise InvalidInput("refit", self.refit, "Name one of the scores to maximise.")
                scores = found[score][kept:]
                kept += len(proposals)
            for proposal, each in zip(proposals, scores, strict=True):
                if measured(each):
                    self.study_.tell(proposal, float(each), actor="sklearn")
                else:
                    self.study_.fail(proposal, actor="sklearn", reason="the fit failed")
        if error is not None and not kept:
            raise error
