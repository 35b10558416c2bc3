"""The default policy, chosen for a problem.

Its parts were chosen on instances of public suites that are not reported (`python -m
benchmarks.suites --tuning`):

* *Outputs on the scale of `models.warp`.* Of all settings this one matters most: on functions that
  span decades a plain fit spends its length-scales on the worst values. Not with constraints: the
  best value of all is then usually infeasible, and the scale would be fine in the wrong place. The
  price is paid by replicates that scatter: what is expected is read off the scale at the mean of
  the logarithms, which is nearer to the best reading than the mean is. Where one point measured 0,
  1, 2 and 3, that is 1.08 minimised and 1.92 maximised. The mean of the log-normal with the fitted
  noise would be 1.17: four readings do not tell much noise from little. `floor=None` fits values as
  they are and expects 1.5; `study.best` has the mean of what was measured either way.
* *A product of Matern-5/2 kernels*, one per parameter: better than the squared exponential, which
  is too smooth, as good as one Matern of all parameters, and explanations keep their closed form.
* *Little noise expected*, 1e-5 of the outputs' variance instead of e^-5; data may say otherwise.
* *V-UCB with kappa = 1.5 for numbers in a box.* On that scale it leaves smaller gaps than expected
  improvement, and it says of every parameter what it promises and what it would teach. Kappa = 1
  is a little better with 2 inputs, kappa = 2 with 5.
* *Expected improvement over arms, with choices or whole numbers, and with constraints*: a small
  kappa stays with the first good level and comes back to a point that is known, and a bound times
  a chance goes where the chance is large instead of along the edge of what is feasible.
* *With constraints, first a trial that keeps them*: margins by rank until there is one, then on a
  scale that is learned (`models.margins`), and a search that starts around the best such trial.
* *A length-scale for every level of a choice*, so that data can say which levels are alike: on
  parts of a reaction table better than one for all levels of a parameter, on none worse.
* *First trials by levels*: a choice of five counts as four numbers, because each level has to be
  seen before it can be ruled out; and levels are expected to be more alike than far numbers are,
  which lets one trial teach about all rows that share its levels.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np

from counsel.acquisition.improvement import AugmentedEI
from counsel.acquisition.upper_confidence import VUCB
from counsel.errors import InvalidInput
from counsel.facts.problem import Problem
from counsel.models.kernels import MaternProduct, Prior
from counsel.models.warp import FLOOR
from counsel.policies.bandit import Bandit
from counsel.policies.failing import GAIN_WEIGHT, LEAST_SHARE, LOG_BOUND_WEIGHT
from counsel.policies.first_trials import MOST_FIRST, choices_of
from counsel.policies.protocol import Policy
from counsel.policies.registry import by_name, spelled_out
from counsel.policies.surrogate import EVIDENCE, FIXED
from counsel.space import AnySpace, Arms

KAPPA = 1.5
# Where the scale is chosen by evidence. On worlds in which few points pay much, three families with
# twelve instances each, the mean log10 gap was -3.6 with kappa 1.5, -4.1 with 2 and -3.2 with 3.
EVIDENCE_KAPPA = 2.0
NOISE_MODE = 1e-5
CHOICE_FACTOR = 8.0


def default_policy(problem: Problem, **settings: Any) -> Policy:
    """The policy that `create_study(policy=None)` uses; its first proposal says why."""
    if not isinstance(problem, Problem):
        raise InvalidInput("problem", problem, "Give a counsel.Problem.")
    if problem.objective.preferred:
        return by_name("preference", **settings)
    chosen = _set(_chosen(problem, settings.get("output", FIXED)), settings)
    return replace(chosen, reason=_reason(problem, chosen))


def _set(policy: Bandit, given: Mapping[str, Any]) -> Bandit:
    """The policy with other settings: its own, or those of its acquisition."""
    own = [field.name for field in fields(policy) if field.name not in ("acquisition", "reason")]
    inner = [field.name for field in fields(policy.acquisition)]  # type: ignore[arg-type]
    settings = spelled_out(given, policy.prior)
    for name in settings:
        if name not in own and name not in inner:
            raise InvalidInput(
                f"setting of {policy.name!r}",
                name,
                f"Its settings are {', '.join([*inner, *own, 'noise'])}. No policy was named: this "
                "one fits the problem; name another to use its settings.",
            )
    acquisition = replace(
        policy.acquisition,  # type: ignore[type-var]
        **{name: each for name, each in settings.items() if name in inner},
    )
    rest = {name: each for name, each in settings.items() if name in own}
    return replace(policy, acquisition=acquisition, **rest)


def _chosen(problem: Problem, output: str) -> Bandit:
    kappa = EVIDENCE_KAPPA if output == EVIDENCE else KAPPA
    return Bandit(
        AugmentedEI() if _improving(problem) else VUCB(kappa),
        kernel=MaternProduct(np.ones(1), levels=True),
        prior=Prior(noise_mode=NOISE_MODE, choice_factor=CHOICE_FACTOR),
        initial=first_trials(problem.space),
        floor=None if problem.constraints else FLOOR,
        tried=True,
        refined=bool(problem.constraints),
        feasibility=1.0 if problem.constraints else _working_weight(problem),
        working=_working_weight(problem) if problem.constraints else None,
        least_share=LEAST_SHARE,
        calibrated=True,
        pooled=True,
        at_once=True,
    )


def _working_weight(problem: Problem) -> float:
    """What the chance that a trial works weighs; those of constraints count as they are."""
    return GAIN_WEIGHT if _improving(problem) else LOG_BOUND_WEIGHT


def first_trials(space: AnySpace) -> int:
    """One more than there are numbers and further levels to tell apart: at least 3, at most 10."""
    return min(max(3, space.dim - choices_of(space) + 1), MOST_FIRST)


def _improving(problem: Problem) -> bool:
    space = problem.space
    if problem.constraints or isinstance(space, Arms):
        return True
    return bool(space.discrete_columns.any())


def _reason(problem: Problem, policy: Bandit) -> str:
    space = problem.space
    first = policy.first_trials(space)
    over = "the arms" if space.finite else "the space"
    levels = ", enough to meet the levels of its choices" if choices_of(space) else ""
    fit = "a Matern fit" if isinstance(policy.kernel, MaternProduct) else "a fit"
    if policy.output == EVIDENCE:
        fit += " on the scale that the data speak for"
    elif policy.floor is not None:
        fit += " of the logarithm of the gap to the best trial"
    if problem.constraints:
        fit += ", weighed by the chance that the constraints hold"
    rule = "expected improvement"
    if isinstance(policy.acquisition, VUCB):
        rule = f"V-UCB (kappa {policy.acquisition.kappa:g})"
    return f"No policy was given: after {first} trials spread over {over}{levels}, {rule} on {fit}."
