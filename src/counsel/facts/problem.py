"""What a study is about: its objectives, its constraints and its space."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from counsel.errors import InvalidInput
from counsel.facts.checks import (
    check_name,
    check_whole,
    finite_number,
    measured_number,
    yes_or_no,
)
from counsel.facts.form import Record, SpaceForm
from counsel.space import Arms, Space

Direction = Literal["maximize", "minimize"]
# How several objectives are traded off: by weights that are given, or by weights that are learned
# from comparisons of what was measured.
Tradeoff = Literal["weights", "comparisons"]
AnswerKind = Literal["number", "yes/no", "scale"]
ANSWERS = ("number", "yes/no", "scale")
# An objective of this name is never measured; people compare trials instead.
PREFERENCE = "preference"
# The chance that a trial works at all goes by this name, beside those of constraints.
SUCCESS = "success"
# Columns of a study's table besides parameters and outcomes.
TABLE_COLUMNS = ("proposal", "observation", "status", "predicted", "sd", "actor", "reason")


@dataclass(frozen=True, slots=True)
class Objective(Record):
    """The outcome to maximise or minimise.

    One of several has a `weight`, which is what one unit of it is worth, or a bound that it must
    keep: `at_least` where it is maximised, `at_most` where it is minimised.

    Example:
        >>> import counsel as cs
        >>> cs.Objective("cost", "minimize", at_most=5.0).bound
        5.0
    """

    _late: ClassVar[tuple[str, ...]] = ("weight", "at_least", "at_most")

    name: str = "objective"
    direction: Direction = "maximize"
    weight: float = 1.0
    at_least: float | None = None
    at_most: float | None = None

    def __post_init__(self) -> None:
        check_name("objective", self.name, most=None)  # one that is stored may be longer
        if not isinstance(self.direction, str) or self.direction not in ("maximize", "minimize"):
            raise InvalidInput("direction", self.direction, "Use 'maximize' or 'minimize'.")
        if not finite_number(f"weight of {self.name}", self.weight) > 0.0:
            raise InvalidInput(
                f"weight of {self.name}", self.weight, "Give what one unit is worth, above 0."
            )
        wrong, right = ("at_most", "at_least") if self.sign > 0.0 else ("at_least", "at_most")
        if getattr(self, wrong) is not None:
            raise InvalidInput(
                f"{wrong} of {self.name}", getattr(self, wrong), f"To {self.direction}: {right}."
            )
        if self.bound is not None:
            finite_number(f"{right} of {self.name}", self.bound)
            if self.weight != 1.0:
                raise InvalidInput(
                    f"weight of {self.name}", self.weight, "Give a weight or a bound, not both."
                )
        if self.preferred and self.direction != "maximize":
            raise InvalidInput(
                "direction", self.direction, "Preferences are maximised: use 'maximize'."
            )

    @property
    def sign(self) -> float:
        """+1 or -1: the inside always maximises; signs flip only at the edge."""
        return 1.0 if self.direction == "maximize" else -1.0

    @property
    def bound(self) -> float | None:
        """What it has to reach, where it is kept by a bound instead of being weighed."""
        return self.at_least if self.at_most is None else self.at_most

    @property
    def preferred(self) -> bool:
        """Whether it is learned from comparisons alone."""
        return self.name == PREFERENCE


@dataclass(frozen=True, slots=True)
class Constraint(Record):
    """An outcome that must reach a threshold, `at_least` or `at_most`, or lie between both.

    `answer` says how it is known: measured as a "number", by people who say "yes/no" (told as
    "yes" or "no", True or False, 1 or 0; it holds where yes is the typical answer, and no threshold
    is given), or on a "scale" from 1 to `levels`.
    `cost` is what one answer costs, compared with the other constraints'.

    Example:
        >>> import counsel as cs
        >>> cs.Constraint("jerk", at_most=2.0).margin(0.5)
        1.5
    """

    name: str
    at_least: float | None = None
    at_most: float | None = None
    answer: AnswerKind = "number"
    levels: int | None = None
    cost: float = 1.0

    def __post_init__(self) -> None:
        check_name("constraint", self.name, most=None)
        what = f"constraint {self.name!r}"
        if self.answer not in ANSWERS:
            raise InvalidInput(f"{what} answer", self.answer, f"Use one of {', '.join(ANSWERS)}.")
        given = [t for t in (self.at_least, self.at_most) if t is not None]
        thresholds = {"at_least": self.at_least, "at_most": self.at_most}
        if self.answer == "yes/no":
            if given:
                raise InvalidInput(
                    what, thresholds, "It holds where people say yes: leave both out."
                )
        elif not given:
            raise InvalidInput(what, thresholds, "Give at_least, at_most, or both.")
        for threshold in given:
            finite_number(f"{what} threshold", threshold)
        if len(given) == 2 and not given[0] < given[1]:
            raise InvalidInput(what, thresholds, "Give an at_least below at_most.")
        if self.answer == "scale":
            check_whole(f"{what} levels", self.levels, least=2)
            if len(given) == 2:
                raise InvalidInput(what, thresholds, "On a scale, give either at_least or at_most.")
            least, most = (2, self.levels) if self.at_least is not None else (1, self.levels - 1)  # type: ignore[operator]
            if given[0] != round(given[0]) or not least <= given[0] <= most:  # type: ignore[operator]
                remedy = f"Give a level from {least} to {most}: some levels must pass, some fail."
                raise InvalidInput(f"{what} threshold", given[0], remedy)
        elif self.levels is not None:
            raise InvalidInput(f"{what} levels", self.levels, 'Levels go with answer="scale".')
        if not finite_number(f"{what} cost", self.cost) > 0.0:
            raise InvalidInput(f"{what} cost", self.cost, "Give a number above 0.")

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the most that can be answered."""
        if self.answer == "number":
            return -math.inf, math.inf
        return (0.0, 1.0) if self.answer == "yes/no" else (1.0, float(self.levels or 2))

    def margin(self, value: float) -> float:
        """How far the constraint is from failing: it holds where this is 0 or more.

        Of levels, the threshold lies half a level from those next to it; between two thresholds
        it is the distance to the nearer one.
        """
        if self.answer == "yes/no":
            return value - 0.5
        half = 0.5 if self.answer == "scale" else 0.0
        if self.at_least is not None and self.at_most is not None:
            return min(value - self.at_least, self.at_most - value)
        if self.at_least is not None:
            return value - self.at_least + half
        assert self.at_most is not None
        return self.at_most - value + half

    def outcome(self, margin: float) -> float:
        """The outcome that has this margin: the inverse of `margin`; of two, the smaller one."""
        if self.at_least is not None and self.at_most is not None:
            return self.at_least + margin
        return margin - self.margin(0.0) if self.at_most is None else self.margin(0.0) - margin

    def answered(self, margin: float) -> float:
        """The outcome that has this margin, as people answer: a level that exists, 1 for yes."""
        if self.answer == "number":
            return self.outcome(margin)
        least, most = self.ends
        return min(max(self.outcome(math.floor(margin) + 0.5), least), most)

    def check(self, value: object) -> float:
        """An answer as a number, or a refusal that says which answers there are."""
        what = self.name
        if self.answer == "number":
            return measured_number(what, value)
        least, most = self.ends
        allowed = f"Give a level from 1 to {most:.0f}."
        if self.answer == "yes/no":
            allowed = "Give yes or no (or True or False, 1 or 0)."
            said = yes_or_no(value)
            if said is not None:
                return said
        if isinstance(value, str):
            raise InvalidInput(what, value, allowed)
        number = finite_number(what, value)
        if number != round(number) or not least <= number <= most:
            raise InvalidInput(what, value, allowed)
        return number

    def words(self) -> str:
        """What must hold, in words."""
        if self.at_least is not None and self.at_most is not None:
            return f"{self.name} from {self.at_least:g} to {self.at_most:g}"
        if self.at_least is not None:
            return f"{self.name} at least {self.at_least:g}"
        if self.at_most is not None:
            return f"{self.name} at most {self.at_most:g}"
        return f"{self.name}: yes"


@dataclass(frozen=True, slots=True)
class Problem(Record):
    """A space, an objective and constraints.

    Of several `objectives`, measured together, those with a bound are constraints as well. If one
    is left, it is the objective. If more are left, the objective is what they are worth together:
    the sum of their values times their weights, a minimised one counting negatively. With the
    trade-off "comparisons" the weights are learned; in a study's `problem` they are those of today.
    """

    _late: ClassVar[tuple[str, ...]] = ("objectives", "tradeoff")

    space: SpaceForm
    objective: Objective = field(default_factory=Objective)
    constraints: tuple[Constraint, ...] = ()
    objectives: tuple[Objective, ...] = ()
    tradeoff: Tradeoff = "weights"

    def __post_init__(self) -> None:
        if not isinstance(self.space, Space | Arms):
            raise InvalidInput(
                "space",
                self.space,
                "Give counsel.Space(name=counsel.Float(0, 1)) or counsel.Arms(...).",
            )
        for constraint in self.constraints:
            if not isinstance(constraint, Constraint):
                raise InvalidInput(
                    "constraints",
                    constraint,
                    'Give a list like [counsel.Constraint("comfort", at_least=0.0)].',
                )
        self._take_objectives()
        names = [*self.space.names, *self.space.context_names, *self.outcomes]
        names += [self.objective.name] if self.parts or self.objective.preferred else []
        for name in names:
            if names.count(name) > 1:
                raise InvalidInput(
                    "name", name, "Give every parameter, context and outcome a name of its own."
                )
            if name in TABLE_COLUMNS:
                raise InvalidInput(
                    "name", name, "Reserved for a column of the study's table: choose another name."
                )

    def _take_objectives(self) -> None:
        """Derive objective and constraints from several objectives; a second time changes
        nothing."""
        if self.tradeoff not in ("weights", "comparisons"):
            raise InvalidInput("tradeoff", self.tradeoff, "Use 'weights' or 'comparisons'.")
        for each in self.objectives:
            if not isinstance(each, Objective) or each.preferred:
                raise InvalidInput(
                    "objectives",
                    each,
                    'Give a list like [counsel.Objective("yield"), counsel.Objective("cost", '
                    '"minimize", weight=2.0)].',
                )
        free = [each for each in self.objectives if each.bound is None]
        if self.tradeoff == "comparisons" and len(free) < 2:
            raise InvalidInput(
                "tradeoff", self.tradeoff, "Give two objectives without a bound to compare."
            )
        if not self.objectives:
            return
        if not free:
            raise InvalidInput(
                "objectives",
                [each.name for each in self.objectives],
                "Leave one of them without a bound: it is maximised or minimised.",
            )
        bounds = [
            Constraint(each.name, each.at_least, each.at_most)
            for each in self.objectives
            if each.bound is not None
        ]
        others = [each for each in self.constraints if each not in bounds]
        object.__setattr__(self, "constraints", (*bounds, *others))
        if len(free) == 1:
            object.__setattr__(self, "objective", Objective(free[0].name, free[0].direction))
        elif self.objective.direction != "maximize" or self.objective.preferred:
            raise InvalidInput(
                "objective",
                f"{self.objective.direction} {self.objective.name}",
                "With several objectives, each has its own direction; their worth together is "
                "maximised.",
            )

    @property
    def aim(self) -> str:
        """What is wanted, in words."""
        objective = self.objective
        if objective.preferred:
            return objective.name
        words = f"{objective.direction} {objective.name}"
        for place, each in enumerate(self.parts):
            sign = " =" if place == 0 and each.sign > 0.0 else " = -" if place == 0 else " +"
            sign = " -" if place and each.sign < 0.0 else sign
            words += f"{sign} {'' if each.weight == 1.0 else f'{each.weight:.4g} '}{each.name}"
        return words

    @property
    def parts(self) -> tuple[Objective, ...]:
        """The objectives whose weighted sum the objective is; none if it is measured itself."""
        free = tuple(each for each in self.objectives if each.bound is None)
        return free if len(free) > 1 else ()

    @property
    def measured(self) -> tuple[str, ...]:
        """What is measured for the objective: itself, or its parts; nothing for a preference."""
        if self.objective.preferred:
            return ()
        return tuple(each.name for each in self.parts) or (self.objective.name,)

    @property
    def outcomes(self) -> tuple[str, ...]:
        """Everything that can be told of a trial."""
        return (*self.measured, *(each.name for each in self.constraints))

    def payoff(self, outcomes: Mapping[str, float]) -> float | None:
        """The objective's value, in the user's direction; None where it was not measured."""
        if not self.parts:
            return outcomes.get(self.objective.name)
        if any(each.name not in outcomes for each in self.parts):
            return None
        return sum(each.sign * each.weight * outcomes[each.name] for each in self.parts)

    def payoff_error(self, errors: Mapping[str, float]) -> float | None:
        """The standard error of `payoff`, from those of what was measured."""
        if not self.parts:
            return errors.get(self.objective.name)
        if any(each.name not in errors for each in self.parts):
            return None
        return math.hypot(*(each.weight * errors[each.name] for each in self.parts))


def check_lengths(problem: Problem) -> None:
    """Names that every database can keep and find; what is stored already may have longer ones."""
    for objective in (problem.objective, *problem.objectives):
        check_name("objective", objective.name)
    for constraint in problem.constraints:
        check_name("constraint", constraint.name)
    for name in (*problem.space.names, *problem.space.context):
        check_name("parameter", name)
