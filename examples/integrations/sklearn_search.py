"""A scikit-learn search that can say why it tried what it tried."""

from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import counsel as cs
from counsel.integrations.sklearn import CounselSearchCV

X, y = load_iris(return_X_y=True)
search = CounselSearchCV(
    make_pipeline(StandardScaler(), SVC()),
    {
        "svc__C": cs.Float(0.01, 100.0, log=True),
        "svc__kernel": cs.Categorical(["linear", "rbf"]),
    },
    n_iter=10,
)
search.fit(X, y)
print("best", search.best_params_, f"{search.best_score_:.3f}")
print(search.study_.explain(search.study_.ask()).sentence())
