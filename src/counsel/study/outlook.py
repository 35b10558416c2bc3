r"""When to stop: how much is still to be gained, and whether the model can be believed.

The gain is the expected simple regret under the posterior, E[max f] - E[f(best)], with the maximum
over points that stand for the space, from joint draws; best is the trial that is believed to be.
Only points count that more likely than not keep all constraints, if there are any, and work, if a
trial has failed. A few hundred points anywhere would miss the peak beside the best trial: of many,
most of them anywhere and some around the best, those are drawn that may pay most, and some of the
rest. The check is leave-one-out, in closed form: with K the covariance of the measurements and
a = K^-1 (y - trend), the measurement i that is left out is expected at y_i - a_i / [K^-1]_ii with
variance 1 / [K^-1]_ii (Rasmussen & Williams 2006, 5.4.2), at the hyper-parameters of the whole.

A policy that expects next to no noise, as the default does, takes the scatter of noisy trials for
peaks between them, and would promise those. So an outlook has a fit of its own, in which the data
say how noisy they are (`open_to_noise`). Proposals do not know of it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from counsel.errors import NothingToExplain
from counsel.facts.checks import finite_number
from counsel.facts.history import Array, History, Mask
from counsel.facts.kept import Kept
from counsel.facts.problem import Problem
from counsel.facts.records import Proposal, Value
from counsel.facts.summaries import LeftOut, Outlook, Setup
from counsel.policies.drawing import joint_draws
from counsel.policies.protocol import Checking, Joint, OpenToNoise, Policy
from counsel.space import Arms
from counsel.storage.ledger import Ledger
from counsel.study.keeping import keeping

__all__ = ["outlook_of"]

Rows: TypeAlias = NDArray[np.intp]
_POINTS, _MOST_HOPEFUL = 384, 256
_SCREENED = 1024  # as many as a search has candidates
_DRAWS = 512
_FEW = 4
_STREAM = 21


def outlook_of(
    setup: Setup,
    ledger: Ledger,
    policy: Callable[[], Policy],
    worth: float | None,
    context: Mapping[str, Value] | None,
    kept: Kept,
) -> Outlook:
    """The outlook of today's facts; `kept` has the beliefs that others have computed for them."""
    if worth is not None:
        finite_number("worth", worth)
    with ledger.current() as state:
        problem = state.problem
        given = problem.space.encode_context(context)
        names = list(state.payoffs())
        t, count = state.made[Proposal] + 1, state.count
        history = state.history(t=t, seed=setup.seed, context=given, kept=kept)
    key = ("outlook", count, worth, given.tobytes())
    return kept.get(key, lambda: _outlook(setup, policy(), problem, history, names, count, worth))


def _outlook(
    setup: Setup,
    own: Policy,
    problem: Problem,
    history: History,
    names: list[str],
    count: int,
    worth: float | None,
) -> Outlook:
    if problem.objective.preferred:
        raise NothingToExplain(
            "Comparisons have no outlook: a preference has no unit to give a gain in."
        )
    if not (isinstance(own, Joint) and isinstance(own, Checking)):
        raise NothingToExplain(
            f"The policy {own.name!r} has no outlook: it has no beliefs about the "
            "objective everywhere, as v-ucb has."
        )
    if len(history.y) < 2:
        raise NothingToExplain("An outlook needs two measurements of the objective.")
    believing, known = _open_to_noise(own, history)
    assert isinstance(believing, Joint)
    assert isinstance(believing, Checking)
    keeps_at = partial(_keeps, own, problem, history)
    points, tried = _standing_for(believing, problem, known, keeps_at)
    keeps = keeps_at(points)
    mean, _ = believing.joint(problem, known, points)
    rng = np.random.default_rng([setup.seed, count, _STREAM])
    normals = rng.standard_normal((_DRAWS, len(points)))
    draws = joint_draws(believing, problem, known, points, normals)
    trials = np.where(keeps[:tried], mean[:tried], -np.inf)
    # Without a trial that keeps the constraints, the likeliest best is what the search starts from.
    best = int(np.argmax(trials if keeps[:tried].any() else np.where(keeps, mean, -np.inf)))
    gains = np.maximum(draws[:, keeps].max(axis=1) - draws[:, best], 0.0)
    least = worth if worth is not None else 0.05 * float(np.ptp(history.y))
    y, expected, sd = believing.left_out(problem, known)
    sign = problem.objective.sign
    checked = np.flatnonzero(~np.isnan(sd))
    if len(checked) == 0:
        raise NothingToExplain("The model makes no finite prediction from these measurements.")
    y, expected, sd = y[checked], expected[checked], sd[checked]
    called = [names[row] for row in checked]
    left_out = tuple(
        LeftOut(name, float(sign * value), float(sign * mean), float(spread))
        for name, value, mean, spread in zip(called, y, expected, sd, strict=True)
    )
    judged = _judged(float(gains.mean()), float((gains > least).mean()), least, y, expected, sd)
    return replace(judged, left_out=left_out)


def _open_to_noise(own: Policy, history: History) -> tuple[Policy, History]:
    """A policy that leaves to the data how noisy they are, and a history without its own fits."""
    found = own.open_to_noise() if isinstance(own, OpenToNoise) else None
    if found is None:
        return own, history
    return found, replace(history, theta=(), fresh=False, kept=Kept())


def _keeps(policy: Policy, problem: Problem, history: History, points: Array) -> Mask:
    """Which points more likely than not keep all constraints and work; all, if none does."""
    kept: Mask = keeping(policy, problem, history, points).chance > 0.5
    return kept if kept.any() else np.ones(len(points), dtype=bool)


def _standing_for(
    policy: Policy, problem: Problem, history: History, keeps_at: Callable[[Array], Mask]
) -> tuple[Array, int]:
    """What was tried first, then points that stand for the space; and how many were tried.

    Of very many trials, those that paid most: the best is among them, and others add little.
    """
    space = problem.space
    hopes = partial(_hopes, policy, problem, history, keeps_at)
    rng = np.random.default_rng([history.seed, _STREAM])
    tried, places = np.unique(history.x[:, : space.dim], axis=0, return_inverse=True)
    if len(tried) > _POINTS:
        tried = tried[_paid_most(history, places.ravel(), len(tried))]
    if isinstance(space, Arms):
        others = space.points[rng.permutation(len(space))[:_SCREENED]]
    else:
        from counsel.acquisition.maximise import candidates_for  # JAX, as below

        best = int(np.argmax(hopes(tried, 0.0)))
        others = candidates_for(space, tried, best, rng)
    if len(others) > _POINTS:
        order = np.argsort(-hopes(others, 2.0), kind="stable")
        some = np.linspace(_MOST_HOPEFUL, len(order) - 1, _POINTS - _MOST_HOPEFUL).astype(int)
        others = others[np.concatenate([order[:_MOST_HOPEFUL], order[some]])]
    return _given(np.concatenate([tried, others]), history), len(tried)


def _hopes(
    policy: Policy,
    problem: Problem,
    history: History,
    keeps_at: Callable[[Array], Mask],
    points: Array,
    sds: float,
) -> Array:
    """What points may pay, `sds` standard deviations up; -inf where they break or fail."""
    whole = _given(points, history)
    believed = policy.predict(problem, history, whole) or []
    pay = np.array([each.mean + sds * each.sd for each in believed])
    return np.where(keeps_at(whole), pay, -np.inf)


def _given(points: Array, history: History) -> Array:
    return np.concatenate([points, np.tile(history.context, (len(points), 1))], axis=1)


def _paid_most(history: History, places: Rows, count: int) -> Rows:
    """Which of `count` places paid most, those first that are known to keep all constraints."""
    from counsel.models.margins import kept  # JAX, which a study without beliefs does not need

    keeping = kept(history.outcomes[:, 1:], history.measured[:, 1:])
    keeping = keeping[history.measured[:, 0]]
    payoff, keeps = np.full(count, -np.inf), np.zeros(count, dtype=bool)
    np.maximum.at(payoff, places, history.y)
    np.logical_or.at(keeps, places, keeping)
    return np.sort(np.lexsort((-payoff, ~keeps))[:_POINTS])


def _judged(
    gain: float, chance: float, worth: float, y: Array, expected: Array, sd: Array
) -> Outlook:
    error = float(np.abs(y - expected).mean())
    varied = bool(np.ptp(y) > 0.0)
    spread = float(((y - y.mean()) ** 2).sum())
    explained = 1.0 - float(((y - expected) ** 2).sum()) / spread if varied else 0.0
    coverage = float((np.abs(y - expected) <= 1.96 * sd).mean())
    warning = ""
    if not varied:
        warning = f"All {len(y)} trials measured the same: nothing can be said of what is left."
    elif len(y) < _FEW:
        warning = f"{len(y)} trials are too few to check the model with."
    elif explained < 0.0:
        warning = "Left out, trials are predicted worse than by their mean: do not trust the model."
    elif coverage < 0.8:
        warning = "Trials left out lie outside of their intervals too often: the model is too sure."
    return Outlook(gain, chance, worth, error, explained, coverage, len(y), warning)
