"""Plain NumPy and SciPy: what the same algebra costs with nothing around it."""

import numpy as np
from scipy.linalg import cho_solve, cholesky, solve_triangular
from scipy.spatial.distance import cdist

from benchmarks.functions import Points


def predict(
    x: Points, y: Points, arms: Points, *, lengthscale: float, noise: float, chunk: int
) -> tuple[Points, Points]:
    """Posterior mean and sd at fixed hyper-parameters, in chunks, with no copies."""
    x = x / lengthscale
    gram = np.exp(-0.5 * cdist(x, x, "sqeuclidean"))
    factor = cholesky(gram + noise * np.eye(len(x)), lower=True)
    weights = cho_solve((factor, True), y)
    means = np.empty(len(arms))
    deviations = np.empty(len(arms))
    for start in range(0, len(arms), chunk):
        rows = slice(start, start + chunk)
        cross = cdist(arms[rows] / lengthscale, x, "sqeuclidean")
        np.exp(np.multiply(cross, -0.5, out=cross), out=cross)
        means[rows] = cross @ weights
        # The transpose is in Fortran order, so LAPACK solves in place.
        solved = solve_triangular(factor, cross.T, lower=True, overwrite_b=True, check_finite=False)
        deviations[rows] = np.sqrt(1.0 - np.einsum("ij,ij->j", solved, solved))
    return means, deviations
