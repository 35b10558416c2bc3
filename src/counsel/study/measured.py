"""What was measured in a trial: outcomes and their standard errors, by name and checked."""

from collections.abc import Mapping

from counsel.errors import InvalidInput
from counsel.facts.checks import measured_number
from counsel.facts.problem import Problem

__all__ = ["errors_of", "outcomes_of"]


def outcomes_of(
    problem: Problem,
    value: float | Mapping[str, float | str] | None,
    constraints: Mapping[str, float | str] | None,
) -> dict[str, float]:
    """What was measured, by name, in the problem's order."""
    objective, limits = problem.objective, {each.name: each for each in problem.constraints}
    given = {} if constraints is None else constraints
    if not isinstance(given, Mapping) or not set(given) <= set(limits):
        names = ", ".join(limits) or "none; leave it out"
        raise InvalidInput("constraints", given, f"This study's constraints: {names}.")
    by_name = isinstance(value, Mapping)
    if objective.preferred and not by_name and (value is not None or not given):
        raise InvalidInput(
            objective.name,
            value,
            "This objective is not measured: use compare(winner=..., loser=...) instead.",
        )
    if isinstance(value, Mapping):
        for name in value:
            if name not in problem.outcomes or name in given:
                known = ", ".join(problem.outcomes)
                raise InvalidInput("value", name, f"Give each of these once: {known}.")
        given = {**value, **given}
    elif value is not None:
        if problem.parts:
            form = ", ".join(f"{name!r}: ..." for name in problem.measured)
            raise InvalidInput(objective.name, value, f"Give each by its name: {{{form}}}.")
        given = {objective.name: value, **given}
    outcomes = {
        name: limits[name].check(given[name])
        if name in limits
        else measured_number(name, given[name])
        for name in problem.outcomes
        if name in given
    }
    if not outcomes:
        remedy = "Give one number, or answers about constraints."
        raise InvalidInput(objective.name, value, remedy if limits else "Give one number.")
    return outcomes


def errors_of(
    sem: float | Mapping[str, float] | None,
    outcomes: Mapping[str, float],
    measured: tuple[str, ...],
) -> dict[str, float]:
    """The standard errors by outcome; a number is that of the one thing that is measured."""
    if sem is None:
        return {}
    if not isinstance(sem, Mapping) and len(measured) != 1:
        raise InvalidInput("sem", sem, f"Give it by name: {', '.join(outcomes)}.")
    given = sem if isinstance(sem, Mapping) else {measured[0]: sem}
    for name, each in given.items():
        if name not in outcomes:
            raise InvalidInput(
                "sem", name, f"Give it for an outcome that is told here: {', '.join(outcomes)}."
            )
        if measured_number(f"sem of {name}", each) <= 0.0:
            raise InvalidInput(f"sem of {name}", each, "Give a number above 0, or leave it out.")
    return {name: float(each) for name, each in given.items()}
