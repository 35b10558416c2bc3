r"""What theorems about Gaussian process bandits guarantee of a known model, as numbers.

$$ \gamma_t = \max_{x_1 .. x_t} \tfrac12 \log\det(I + \Sigma^{-1} K), \qquad
   \beta_t = B + \sqrt{2(\gamma_t + 1 + \log((N + 1) / \delta))} $$

gamma_t is the information that t trials can give about all outputs together, K being the kernel of
all outputs at all arms (B_ICM times that of the points); it is found greedily (within a factor
1 - 1/e of the largest, and the trials that it picks are real ones). B bounds the norm of the truth
in the model's space, known here because the truth is. Then with probability 1 - delta every f_i(x)
is within beta_t sd of its mean, an arm that the upper bounds allow misses by at most the width
2 beta_t sd, and since the sds of t trials add up to at most sqrt(C t gamma_t),

$$ R_t \le 2 \beta_t \sqrt{C t \gamma_t}, \qquad C = 2 / \log(1 + \sigma^{-2}) $$

bounds the regret, and the violation of each constraint; N times that bounds their sum (3). The DMCL
paper's Theorems 1 and 2 are of this kind. Their proof takes the square root of beta_t where Lemma 1
multiplies by beta_t itself: `rooted` is what that would claim.

The text of the paper's (15) to (17) and (21) cannot be had, so these are standard constants and not
the paper's. Of (15), the paper's beta_t, it is known that it is about 1e7 and enters by its square
root in one place and not in the other. That fits the form of Srinivas et al. (2010, Theorem 3),

$$ \beta_t = 2 B^2 + 300\, \gamma_t \ln^3(t / \delta), \qquad
   R_t \le \sqrt{C_1 t \beta_t \gamma_t}, \quad C_1 = 8 / \log(1 + \sigma^{-2}) $$

which `agnostic`, `agnostic_bound` (with the root, as the proof has it) and `agnostic_plain`
(without, as Lemma 1 has it) are: an inference from its size, and not a quotation.

Legend: m outputs (N = m - 1 constraints), M arms, T rounds.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from counsel.models.multitask import Coregion
from counsel.worlds.constrained import ConstrainedWorld

__all__ = ["Guarantee", "guarantee", "information", "speaks_from"]

Curve = Float[np.ndarray, " T"]


class Guarantee(NamedTuple):
    """Round by round, but for `norm`."""

    information: Curve  # gamma_t
    norm: float  # B
    beta: Curve
    bound: Curve  # on regret, and on each constraint's violation
    rooted: Curve  # the same with the square root of beta
    agnostic: Curve  # beta in the form of Srinivas et al.
    agnostic_bound: Curve
    agnostic_plain: Curve


def guarantee(
    world: ConstrainedWorld,
    model: Coregion,
    rounds: int,
    delta: float = 0.1,
    gained: Curve | None = None,
) -> Guarantee:
    """The bounds of rounds 1 to T; `gained` is what trials really gave, instead of gamma_t.

    With it only the bound on regret is one: the objective is measured in every trial, and what
    nobody asked about gave nothing.
    """
    K, noise = _pairs(world, model), np.asarray(model.noise)
    if gained is None:
        gained = information(K, noise, len(world.arms.points), rounds)
    t = np.arange(1, rounds + 1)
    norm = _norm(world, K)
    beta = _beta(norm, gained, len(noise), delta)
    reach = _reach(noise, t, gained)
    agnostic = 2.0 * norm**2 + 300.0 * gained * np.log(t / delta) ** 3
    return Guarantee(
        information=gained,
        norm=norm,
        beta=beta,
        bound=beta * reach,
        rooted=np.sqrt(beta) * reach,
        agnostic=agnostic,
        agnostic_bound=np.sqrt(agnostic) * reach,
        agnostic_plain=agnostic * reach,
    )


def information(
    K: Float[np.ndarray, "A A"], noise: Float[np.ndarray, " m"], arms: int, rounds: int
) -> Curve:
    """gamma_t in nats, all outputs measured in each trial, arms chosen greedily."""
    outputs = len(noise)
    own = np.arange(outputs)[None, :] * arms + np.arange(arms)[:, None]
    covariance, gained = K.copy(), np.zeros(rounds)
    for t in range(rounds):
        blocks = covariance[own[:, :, None], own[:, None, :]]
        gains = 0.5 * np.linalg.slogdet(np.eye(outputs) + blocks / noise[None, :, None])[1]
        best = int(np.argmax(gains))
        gained[t] = gains[best]
        rows = covariance[own[best]]
        spread = rows[:, own[best]] + np.diag(noise)
        covariance = covariance - rows.T @ np.linalg.solve(spread, rows)
    return np.cumsum(gained)


def speaks_from(world: ConstrainedWorld, model: Coregion, delta: float = 0.1) -> float:
    """The T from which the bound is below the regret of the worst arm in every round.

    Within 5%; gamma_T is taken as the information of trials spread evenly over the arms.
    """
    K, noise = _pairs(world, model), np.asarray(model.noise)
    arms = len(world.arms.points)
    signal = np.linalg.eigvalsh(K / np.sqrt(np.outer(*[np.repeat(noise, arms)] * 2)))
    norm, worst = _norm(world, K), float(world.regrets.max())
    T = 1.0
    while True:
        gained = 0.5 * np.log1p(T / arms * np.maximum(signal, 0.0)).sum()
        if _beta(norm, gained, len(noise), delta) * _reach(noise, T, gained) < T * worst:
            return T
        T *= 1.05


def _pairs(world: ConstrainedWorld, model: Coregion) -> Float[np.ndarray, "A A"]:
    between = np.asarray(model.mixing) @ np.asarray(model.mixing).T + np.diag(model.own)
    points = world.arms.points
    return np.kron(between, np.asarray(model.between_points(points, points)))


def _norm(world: ConstrainedWorld, K: Float[np.ndarray, "A A"]) -> float:
    truth = world.payoffs.reshape(-1)
    return float(np.sqrt(truth @ np.linalg.solve(K + 1e-8 * np.eye(len(K)), truth)))


def _beta(norm: float, gained: Curve, outputs: int, delta: float) -> Curve:
    return norm + np.sqrt(2.0 * (gained + 1.0 + np.log(outputs / delta)))


def _reach(noise: Float[np.ndarray, " m"], t: Curve | float, gained: Curve) -> Curve:
    return 2.0 * np.sqrt(2.0 / np.log1p(1.0 / noise.min()) * t * gained)
