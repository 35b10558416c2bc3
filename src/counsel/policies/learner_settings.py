"""Checks of the settings of policies that learn constraints."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from counsel.errors import InvalidInput
from counsel.facts.checks import check_whole, finite_number

if TYPE_CHECKING:
    from counsel.policies.constraint_learner import ConstraintLearner

__all__ = ["CERTIFICATES", "check", "check_share", "hashable"]

# How points are certified: by their posterior chance, or by bounds that hold for all pairs of
# points and outcomes in all rounds.
CERTIFICATES = ("posterior", "union")


def hashable(point: object) -> tuple[tuple[str, Any], ...] | None:
    """A point as a hashable tuple, so that compiled functions can be cached by it."""
    if point is None or isinstance(point, tuple):
        return point
    if not isinstance(point, Mapping):
        raise InvalidInput("safe", point, "Give a dict of parameter values, or None.")
    return tuple(point.items())


def check(policy: "ConstraintLearner") -> None:
    """Refuse settings out of range."""
    tolerance = getattr(policy, "tolerance", 0.0)
    if isinstance(tolerance, int | float) and not 0.0 <= tolerance < np.inf:
        raise InvalidInput("tolerance", tolerance, "Give a finite number that is zero or more.")
    if policy.budget is not None:
        check_whole("budget", policy.budget, least=0)
    check_whole("rank", policy.rank, least=0)
    if policy.certificate not in CERTIFICATES:
        known = " or ".join(repr(each) for each in CERTIFICATES)
        raise InvalidInput("certificate", policy.certificate, f"Use {known}.")
    if not 0.5 < finite_number("certainty", policy.certainty) < 1.0:
        remedy = "Give a probability between 0.5 and 1, such as 0.98."
        raise InvalidInput("certainty", policy.certainty, remedy)
    if (
        policy.risk_limit is not None
        and not 0.0 < finite_number("risk_limit", policy.risk_limit) < 1.0
    ):
        raise InvalidInput("risk_limit", policy.risk_limit, "Give a probability between 0 and 1.")
    if policy.hope is not None and finite_number("hope", policy.hope) < 0.0:
        raise InvalidInput("hope", policy.hope, "Give a number that is zero or more, or None.")
    if finite_number("unasked", policy.unasked) < 1.0:
        raise InvalidInput("unasked", policy.unasked, "Give a number of 1 or more.")
    if not 0.5 <= finite_number("optimism", policy.optimism) < 1.0:
        remedy = "Give a probability of 0.5 or more that is less than 1, such as 0.995."
        raise InvalidInput("optimism", policy.optimism, remedy)


def check_share(field: str, value: object) -> None:
    if isinstance(value, int | float) and not 0.0 <= value <= 1.0:
        raise InvalidInput(field, value, "Give a share between 0 and 1.")
