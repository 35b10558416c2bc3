"""BoTorch: `SingleTaskGP` with its default priors, fitted from a cold start at every ask."""

import warnings
from dataclasses import dataclass, field

import numpy as np
import torch
from botorch.acquisition import UpperConfidenceBound
from botorch.exceptions import BotorchWarning, ModelFittingError
from botorch.fit import fit_gpytorch_mll
from botorch.models import SingleTaskGP
from botorch.optim import optimize_acqf
from gpytorch.mlls import ExactMarginalLogLikelihood
from linear_operator.utils.warnings import NumericalWarning

from benchmarks.contestants import KAPPA
from benchmarks.functions import Points

warnings.simplefilter("ignore", BotorchWarning)
warnings.simplefilter("ignore", NumericalWarning)
torch.set_default_dtype(torch.double)

ARMS_AT_ONCE = 2500
"""Batch of arms per call of the acquisition: bounds memory when there are many observations."""


@dataclass
class BotorchAsker:
    """UCB over a list of arms, or over the unit cube when there are none."""

    arms: Points | None = None
    x: list[Points] = field(default_factory=list)
    y: list[float] = field(default_factory=list)

    def tell(self, x: Points, y: float) -> None:
        """Add one observation."""
        self.x.append(x)
        self.y.append(y)

    def ask(self) -> Points:
        """Fit the model, then maximise mean + kappa sd."""
        bound = UpperConfidenceBound(self._fit(), beta=KAPPA**2)
        if self.arms is None:
            return _best_in_cube(bound, len(self.x[0]))
        with torch.no_grad():
            batches = torch.from_numpy(self.arms).unsqueeze(1).split(ARMS_AT_ONCE)
            values = torch.cat([bound(batch) for batch in batches])
        return self.arms[int(values.argmax())]

    def _fit(self) -> SingleTaskGP:
        x = torch.from_numpy(np.stack(self.x))
        y = torch.tensor(self.y).unsqueeze(-1)
        model = SingleTaskGP(x, y)
        try:
            fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        except ModelFittingError:
            model.eval()  # go on with the initial hyper-parameters, as a careful user would
        return model


def _best_in_cube(bound: UpperConfidenceBound, dimensions: int) -> Points:
    corners = torch.stack([torch.zeros(dimensions), torch.ones(dimensions)])
    best, _ = optimize_acqf(bound, bounds=corners, q=1, num_restarts=10, raw_samples=512)
    return best[0].numpy()


def predict(
    x: Points,
    y: Points,
    arms: Points,
    *,
    lengthscale: float,
    noise: float,
    chunk: int,
    joint: bool,
) -> tuple[Points, Points]:
    """Posterior mean and sd at fixed hyper-parameters, in chunks.

    A chunk is a batch of single points, as acquisition functions pass it, or one joint set of
    points of which only the diagonal is read. BoTorch keeps the factor of K between chunks.
    """
    model = SingleTaskGP(torch.from_numpy(x), torch.from_numpy(y)[:, None], outcome_transform=None)
    model.covar_module.lengthscale = lengthscale
    model.likelihood.noise = noise
    model.mean_module.constant.data.zero_()
    model.eval()
    means: list[torch.Tensor] = []
    deviations: list[torch.Tensor] = []
    with torch.no_grad():
        for part in torch.from_numpy(arms).split(chunk):
            posterior = model.posterior(part if joint else part.unsqueeze(1))
            means.append(posterior.mean.flatten())
            deviations.append(posterior.variance.sqrt().flatten())
    return torch.cat(means).numpy(), torch.cat(deviations).numpy()
