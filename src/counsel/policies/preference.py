"""Learns what people prefer, from comparisons, measurements, or both.

`ask(2)` gives a pair to choose from: a champion, and the challenger that makes the better of the
two best in expectation (`acquisition.duel`). The second of a pair is recognised by the first, which
is still pending. If people only compare, the champion is the best point shown so far: everything is
compared with it sooner or later, which beat asking about two new points in our trials. If points
are measured too, it is where mean + kappa sd is largest, and `ask()` alone gives it.
"""

from dataclasses import dataclass, field, replace

import jax.numpy as jnp
import numpy as np

from counsel.acquisition.duel import Challenger, Champion
from counsel.acquisition.terms import Acquisition, Score
from counsel.acquisition.upper_confidence import VUCB, check_weight
from counsel.facts.history import Array, History
from counsel.facts.problem import Problem
from counsel.facts.records import Prediction
from counsel.models import gp
from counsel.models.fit import shaped, starts_for
from counsel.models.judgements import Judged, Judgements
from counsel.models.kernels import Kernel, Prior, SquaredExponential
from counsel.models.preference import PRIOR, fit, guesses_for, posterior, unpack
from counsel.policies.bandit import Bandit
from counsel.policies.protocol import Choice
from counsel.policies.random import draw, excluded, taken_points
from counsel.policies.registry import policies
from counsel.policies.surrogate import check_surrogate, predict_at
from counsel.space import AnySpace, Arms


@policies.register(
    "preference",
    title="Preference learning",
    sentence="Pairs to compare, learned from together with whatever is measured.",
    learns_comparisons=True,
)
@dataclass(frozen=True)
class Preference:
    """A champion and a challenger on a preference model, after `initial` spread-out judgements.

    With `lean`, programs leave out the rule of ties until there is one. Answers differ by rounding:
    a stored policy without it predates it, and goes on with the rule.
    """

    kappa: float = 2.0
    kernel: Kernel = field(default_factory=lambda: SquaredExponential(np.ones(1)))
    prior: Prior = PRIOR
    initial: int | None = None
    name: str = "preference"
    lean: bool = True

    def __post_init__(self) -> None:
        check_weight("kappa", self.kappa)
        check_surrogate(self.kernel, self.prior, self.initial)

    def propose(self, problem: Problem, history: History) -> Choice:
        space = problem.space
        initial = self.initial
        if initial is None:
            initial = min(max(3, len(space.names) + 1), 10)
        judged = len(history.comparisons) + len(history.y)
        # A pending pair is one judgement to come.
        if judged == 0 or judged + len(history.pending) // 2 < initial:
            return draw(space, replace(history, x=_points(history)), spread=True)
        belief, theta, note = self.believe(space, history)
        points = _points(history)
        known = replace(history, x=points, y=predict_at(belief, points)[0])
        acquisition = self._rule(problem, history)
        if acquisition is None:
            shown = _champion(space, known, belief)
            if shown is not None:
                return replace(shown, theta=theta, note=note)
        found = Bandit(acquisition or VUCB(self.kappa)).choose(space, known, belief)
        return Choice(
            point=np.asarray(found.point),
            arm=int(found.arm) if space.finite else None,
            mean=float(found.mean),
            sd=float(found.sd),
            terms={name: float(term) for name, term in found.terms.items()},
            theta=theta,
            note=note,
        )

    def taken(self, problem: Problem, history: History) -> Array:
        return taken_points(problem.space, history, _points(history))

    def score(
        self, problem: Problem, history: History, theta: tuple[float, ...] = ()
    ) -> Score | None:
        """What `propose` maximises in this round; with `theta`, under that fit."""
        if len(history.comparisons) + len(history.y) == 0:
            return None
        space = problem.space
        belief, _, _ = self.believe(space, history, theta)
        points = _points(history)
        known = replace(history, x=points, y=predict_at(belief, points)[0])
        acquisition: Acquisition | None = self._rule(problem, history)
        if acquisition is None:
            # The champion is the best of what was shown, unless all of that is taken.
            shown = _champion(space, known, belief)
            acquisition = VUCB(self.kappa) if shown is None else Champion()
        return Bandit(acquisition).scored(space, known, belief)

    def _rule(self, problem: Problem, history: History) -> VUCB | Challenger | None:
        """What is maximised over the space; None where it is the best point shown so far."""
        if len(history.pending) % 2:
            return Challenger(history.pending[-1])
        return None if problem.objective.preferred else VUCB(self.kappa)

    def predict(self, problem: Problem, history: History, points: Array) -> list[Prediction] | None:
        if len(history.comparisons) + len(history.y) == 0:
            return None
        belief, _, _ = self.believe(problem.space, history)
        mean, sd = predict_at(belief, points)
        return [Prediction(float(m), float(s)) for m, s in zip(mean, sd, strict=True)]

    def believe(
        self, space: AnySpace, history: History, theta: tuple[float, ...] = ()
    ) -> tuple[gp.Posterior, tuple[float, ...], str]:
        """The fitted posterior, the fit to warm-start the next round from, and what went wrong.

        A fit that is known, `theta`, is taken as it is.
        """
        like = Judged(shaped(self.kernel, space.groups), len(space.groups))
        judged = Judgements.padded(
            _pairs(history), history.ties, history.x, history.y, lean=self.lean
        )
        if theta:
            return posterior(*unpack(jnp.asarray(theta), like), judged), theta, ""
        rng = np.random.default_rng([history.seed, history.t])
        guesses = guesses_for(like, history.theta, rng)
        count = len(history.comparisons) + len(history.y)
        fitted = fit(like, judged, guesses, starts_for(count), self.prior)
        belief = posterior(fitted.kernel, fitted.manner, judged)
        return belief, tuple(np.asarray(fitted.theta).tolist()), fitted.message


def _champion(space: AnySpace, known: History, belief: gp.Posterior) -> Choice | None:
    """The best point shown so far in this context that is neither rejected nor pending."""
    shown = known.x[:, : space.dim]
    out = excluded(shown, known)
    for point in known.pending[:, : space.dim]:
        out |= (shown == point).all(axis=1)
    if out.all():
        return None
    point = shown[int(np.argmax(np.where(out, -np.inf, known.y)))]
    mean, sd = predict_at(belief, np.concatenate([point, known.context])[None, :])
    arm = int(np.argmax((space.points == point).all(axis=1))) if isinstance(space, Arms) else None
    return Choice(point, arm, float(mean[0]), float(sd[0]), terms={"exploitation": float(mean[0])})


def _points(history: History) -> Array:
    """Every point that was measured or compared."""
    return np.concatenate([history.x, *_pairs(history).swapaxes(0, 1)])


def _pairs(history: History) -> Array:
    """The comparisons; an empty array has the right width, too."""
    return history.comparisons.reshape(-1, 2, history.x.shape[1])
