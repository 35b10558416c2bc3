"""scikit-learn: maximum likelihood with ten restarts, then mean + kappa sd over the arms."""

import warnings
from dataclasses import dataclass, field

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from benchmarks.contestants import KAPPA
from benchmarks.functions import Points

warnings.simplefilter("ignore", ConvergenceWarning)


@dataclass
class SklearnAsker:
    """UCB over a list of arms."""

    arms: Points
    x: list[Points] = field(default_factory=list)
    y: list[float] = field(default_factory=list)

    def tell(self, x: Points, y: float) -> None:
        """Add one observation."""
        self.x.append(x)
        self.y.append(y)

    def ask(self) -> Points:
        """Fit the regressor, then take the best arm."""
        kernel = ConstantKernel() * RBF(np.ones(self.arms.shape[1])) + WhiteKernel()
        model = GaussianProcessRegressor(
            kernel, n_restarts_optimizer=10, normalize_y=True, random_state=0
        )
        model.fit(np.stack(self.x), np.array(self.y))
        mean, deviation = model.predict(self.arms, return_std=True)
        best: Points = self.arms[int(np.argmax(mean + KAPPA * deviation))]
        return best
