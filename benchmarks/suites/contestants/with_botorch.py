"""BoTorch: `SingleTaskGP` with its default priors and the acquisition its documentation advises.

LogEI where nothing is noisy, `qLogNoisyExpectedImprovement` where it is, with constraints as models
of their own (`ModelListGP` and the acquisition's `constraints`), and UCB with beta = 4 for
comparison. Whole numbers are rounded, choices are one-hot; mixed spaces are searched with
`optimize_acqf_mixed_alternating`'s simpler relative: the relaxed optimum, decoded.
"""

import warnings

import numpy as np
import torch
from botorch.acquisition import LogExpectedImprovement, UpperConfidenceBound
from botorch.acquisition.logei import (
    qLogExpectedImprovement,
    qLogNoisyExpectedImprovement,
)
from botorch.acquisition.objective import GenericMCObjective
from botorch.exceptions import BotorchWarning, ModelFittingError
from botorch.fit import fit_gpytorch_mll
from botorch.models import ModelListGP, SingleTaskGP
from botorch.optim import optimize_acqf
from gpytorch.mlls import ExactMarginalLogLikelihood
from linear_operator.utils.warnings import NumericalWarning

from benchmarks.suites.setting import Point, Points, Setting

warnings.simplefilter("ignore", BotorchWarning)
warnings.simplefilter("ignore", NumericalWarning)
torch.set_default_dtype(torch.double)
torch.set_num_threads(1)

ARMS_AT_ONCE = 2500


class _Botorch:
    """Fits anew at every ask; maximises minus the value."""

    def __init__(self, setting: Setting, seed: int) -> None:
        torch.manual_seed(seed)
        self.setting = setting
        self.rows = None
        if setting.rows is not None:
            self.rows = np.stack([setting.encode(i) for i in range(len(setting.rows))])
        self.seen: set[int] = set()
        self.x: list[Points] = []
        self.y: list[float] = []
        self.margins: list[list[float]] = []

    def tell(self, point: Point, value: float, margins: list[float]) -> None:
        if isinstance(point, int):
            self.seen.add(point)
        self.x.append(self.setting.encode(point))
        self.y.append(-value)
        self.margins.append(margins)

    def ask(self, count: int) -> list[Point]:
        x = torch.from_numpy(np.stack(self.x))
        y = torch.tensor(self.y).unsqueeze(-1)
        model = _fitted(x, y)
        if self.setting.constraints:
            return self._decoded(self._constrained(model, x, y, count))
        acquisition = self.acquisition(model, x, y, count)
        if self.rows is not None:
            return self._best_rows(acquisition, count)
        return self._decoded(_in_cube(acquisition, self.setting.width, count))

    def acquisition(self, model, x, y, count):  # type: ignore[no-untyped-def]
        raise NotImplementedError

    def _constrained(self, model, x, y, count):  # type: ignore[no-untyped-def]
        """qLogNEI with the constraints as further outputs, negative where they hold."""
        margins = torch.tensor(self.margins)
        models = [model] + [_fitted(x, margins[:, [i]]) for i in range(margins.shape[1])]
        several = ModelListGP(*models)
        acquisition = qLogNoisyExpectedImprovement(
            several,
            X_baseline=x,
            prune_baseline=True,
            objective=GenericMCObjective(lambda z, X=None: z[..., 0]),
            constraints=[lambda z, i=i: -z[..., 1 + i] for i in range(margins.shape[1])],
        )
        return _in_cube(acquisition, self.setting.width, count)

    def _best_rows(self, acquisition, count):  # type: ignore[no-untyped-def]
        left = np.setdiff1d(np.arange(len(self.rows)), list(self.seen))
        with torch.no_grad():
            batches = torch.from_numpy(self.rows[left]).unsqueeze(1).split(ARMS_AT_ONCE)
            values = torch.cat([acquisition(batch) for batch in batches])
        return [int(left[int(i)]) for i in torch.topk(values, count).indices]

    def _decoded(self, found: torch.Tensor) -> list[Point]:
        return [self.setting.decode(vector) for vector in found.numpy()]


class LogEI(_Botorch):
    def acquisition(self, model, x, y, count):  # type: ignore[no-untyped-def]
        if count > 1:
            return qLogExpectedImprovement(model, best_f=y.max())
        return LogExpectedImprovement(model, best_f=y.max())


class LogNEI(_Botorch):
    def acquisition(self, model, x, y, count):  # type: ignore[no-untyped-def]
        return qLogNoisyExpectedImprovement(model, X_baseline=x, prune_baseline=True)


class UCB(_Botorch):
    def acquisition(self, model, x, y, count):  # type: ignore[no-untyped-def]
        return UpperConfidenceBound(model, beta=4.0)


def _fitted(x: torch.Tensor, y: torch.Tensor) -> SingleTaskGP:
    model = SingleTaskGP(x, y)
    try:
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
    except ModelFittingError:
        model.eval()  # go on with the initial hyper-parameters, as a careful user would
    return model


def _in_cube(acquisition, width: int, count: int) -> torch.Tensor:  # type: ignore[no-untyped-def]
    corners = torch.stack([torch.zeros(width), torch.ones(width)])
    found, _ = optimize_acqf(
        acquisition, bounds=corners, q=count, num_restarts=10, raw_samples=512, sequential=count > 1
    )
    return found
