r"""What theorems about Gaussian process bandits guarantee of a known model, as numbers.

$$ \gamma_T = \max_{x_1 .. x_T} \tfrac12 \log\det(I + \Sigma^{-1} K), \qquad
   \beta_T = B + \sqrt{2(\gamma_T + 1 + \log((N + 1) / \delta))} $$

gamma_T is the information that T trials can give about all outputs together, found greedily (within
a factor 1 - 1/e of the largest, and the trials that it picks are real ones). B bounds the norm of
the truth in the model's space, known here because the truth is. Then with probability 1 - delta
every f_i(x) is within beta_T sd of its mean, and

$$ R_T \le 2 \beta_T \sqrt{C T \gamma_T}, \qquad C = 2 / \log(1 + \sigma^{-2}) $$

bounds the regret, and the violation of each constraint, of a rule that pulls arms whose upper
bounds allow it. The DMCL paper's Theorems 1 and 2 are of this kind. Their proof takes the square
root of beta_T where Lemma 1 multiplies by beta_T itself: `rooted` is what that would claim.

What is computed, and what is not: gamma_T, B and the bounds above have the usual constants. The
text of the paper's (15) to (17) and (21) was not available, so their own constants are not
computed. Of (15) it is known that it is about 1e7 and enters by its square root in one place and
not in the other. That fits the form of Srinivas et al. (2010, Theorem 3),

$$ \beta_T = 2 B^2 + 300\, \gamma_T \ln^3(T / \delta), \qquad
   R_T \le \sqrt{C_1 T \beta_T \gamma_T}, \quad C_1 = 8 / \log(1 + \sigma^{-2}) $$

which `agnostic`, `agnostic_bound` (with the root, as the proof has it) and `agnostic_plain`
(without, as Lemma 1 has it) are: an inference from its size, and not a quotation.

Legend: m outputs (N = m - 1 constraints), M arms, T rounds.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from counsel.models.multitask import Coregion
from counsel.worlds.constrained import ConstrainedWorld

__all__ = ["Guarantee", "guarantee", "information"]


class Guarantee(NamedTuple):
    information: float  # gamma_T
    norm: float  # B
    beta: float
    bound: float  # on regret, and on each constraint's violation
    rooted: float  # the same with the square root of beta
    agnostic: float  # beta in the form of Srinivas et al.
    agnostic_bound: float
    agnostic_plain: float


def guarantee(
    world: ConstrainedWorld, model: Coregion, rounds: int, delta: float = 0.1
) -> Guarantee:
    between = np.asarray(model.mixing) @ np.asarray(model.mixing).T + np.diag(model.own)
    points = world.arms.points
    K = np.kron(between, np.asarray(model.between_points(points, points)))
    noise = np.asarray(model.noise)
    outputs, arms = len(between), len(points)
    gained = information(K, noise, arms, rounds)
    truth = world.payoffs.reshape(-1)
    norm = float(np.sqrt(truth @ np.linalg.solve(K + 1e-8 * np.eye(len(K)), truth)))
    beta = norm + float(np.sqrt(2.0 * (gained + 1.0 + np.log(outputs / delta))))
    reach = float(2.0 * np.sqrt(2.0 / np.log1p(1.0 / noise.min()) * rounds * gained))
    agnostic = 2.0 * norm**2 + 300.0 * gained * float(np.log(rounds / delta)) ** 3
    return Guarantee(
        information=gained,
        norm=norm,
        beta=beta,
        bound=beta * reach,
        rooted=float(np.sqrt(beta)) * reach,
        agnostic=agnostic,
        agnostic_bound=float(np.sqrt(agnostic)) * reach,
        agnostic_plain=agnostic * reach,
    )


def information(
    K: Float[np.ndarray, "A A"], noise: Float[np.ndarray, " m"], arms: int, rounds: int
) -> float:
    """gamma_T in nats, all outputs measured in each trial, arms chosen greedily."""
    outputs = len(noise)
    own = np.arange(outputs)[None, :] * arms + np.arange(arms)[:, None]
    covariance, total = K.copy(), 0.0
    for _ in range(rounds):
        blocks = covariance[own[:, :, None], own[:, None, :]]
        gains = 0.5 * np.linalg.slogdet(np.eye(outputs) + blocks / noise[None, :, None])[1]
        best = int(np.argmax(gains))
        total += float(gains[best])
        rows = covariance[own[best]]
        spread = rows[:, own[best]] + np.diag(noise)
        covariance = covariance - rows.T @ np.linalg.solve(spread, rows)
    return total
