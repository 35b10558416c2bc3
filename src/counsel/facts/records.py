"""The frozen records: what a study is about, and the facts it consists of.

A study is an append-only list of facts: `Proposal`, `Decision`, `Observation`, `Failure`,
`Comparison`, `Claim`, `Comment`, `Revision`, `Amendment`, `Archival`, `Withdrawal`. All are frozen.
`Prediction` is what is believed of a point; it is rebuilt, never edited.
"""

import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, NoReturn

import numpy as np

from counsel.errors import InvalidInput
from counsel.facts import cards
from counsel.facts.aliases import modern
from counsel.facts.form import FirstOf, Moment, Record, Scalar, SpaceForm
from counsel.space import Arms, Space

Direction = Literal["maximize", "minimize"]
# How several objectives are traded off: by weights that are given, or by weights that are learned
# from comparisons of what was measured.
Tradeoff = Literal["weights", "comparisons"]
AnswerKind = Literal["number", "yes/no", "scale"]
ANSWERS = ("number", "yes/no", "scale")
DecisionKind = Literal["accept", "override", "reject", "abandon"]
Scope = Literal["point", "region"]
Value = Scalar
# An objective of this name is never measured; people compare trials instead.
PREFERENCE = "preference"
# The chance that a trial works at all goes by this name, beside those of constraints.
SUCCESS = "success"
# How the names of agents begin where they act: the history tells them from people's.
AGENT = "agent:"
LONGEST_NAME = 200  # characters: more than any person types, and every database finds it by index
# Columns of a study's table besides parameters and outcomes.
TABLE_COLUMNS = ("proposal", "observation", "status", "predicted", "sd", "actor", "reason")


class Frozen(dict[str, Any]):
    """A read-only dict that can be pickled, copied and written as JSON.

    Python's own read-only view, MappingProxyType, supports none of the three.
    """

    def _refuse(self, *args: object, **kwargs: object) -> NoReturn:
        raise TypeError("Facts are read-only. Copy the mapping with dict(...) to change it.")

    __setitem__ = __delitem__ = update = setdefault = pop = popitem = clear = __ior__ = _refuse

    def __reduce__(self) -> tuple[type, tuple[dict[str, Any]]]:
        return type(self), (dict(self),)


def freeze(record: object, *names: str) -> None:
    """Make the named mappings of a frozen record read-only as well."""
    for name in names:
        value = getattr(record, name)
        if value is not None:
            object.__setattr__(record, name, Frozen(value))


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

    `answer` says how it is known: measured as a "number", by people who say "yes/no" (1 or 0; yes
    must be the typical answer, and no threshold is given), or on a "scale" from 1 to `levels`.
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
                raise InvalidInput(what, thresholds, "It holds where people say yes: give neither.")
        elif not given:
            raise InvalidInput(what, thresholds, "Give at_least, at_most, or both.")
        for threshold in given:
            finite_number(f"{what} threshold", threshold)
        if len(given) == 2 and not given[0] < given[1]:
            raise InvalidInput(what, thresholds, "Give an at_least below at_most.")
        if self.answer == "scale":
            check_whole(f"{what} levels", self.levels, least=2)
            if len(given) == 2:
                raise InvalidInput(what, thresholds, "Of levels, give at_least or at_most.")
            least, most = (2, self.levels) if self.at_least is not None else (1, self.levels - 1)  # type: ignore[operator]
            if given[0] != round(given[0]) or not least <= given[0] <= most:  # type: ignore[operator]
                remedy = f"Give a level from {least} to {most}: some levels must pass, some fail."
                raise InvalidInput(f"{what} threshold", given[0], remedy)
        elif self.levels is not None:
            raise InvalidInput(f"{what} levels", self.levels, 'Give it with answer="scale".')
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

    def check(self, value: object) -> float:
        """An answer as a number, or a refusal that says which answers there are."""
        what = self.name
        if self.answer == "number":
            return finite_number(what, value)
        least, most = self.ends
        number = float(value) if isinstance(value, bool) else finite_number(what, value)
        if number != round(number) or not least <= number <= most:
            allowed = (
                "1 (yes) or 0 (no)" if self.answer == "yes/no" else f"a level from 1 to {most:.0f}"
            )
            raise InvalidInput(what, value, f"Give {allowed}.")
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
                "Of several objectives each has its own direction; what they are worth together is "
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
        """What is measured of the objective: itself, or its parts; nothing of a preference."""
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


@dataclass(frozen=True, slots=True)
class Prediction(Record):
    """The belief about the objective at a point, in the user's units and sign.

    `sd` is that of the noise-free payoff; repeated trials may vary by more. A belief on the scale
    of gaps to the best has a `limit` that no payoff is believed to pass: the gap to it is
    log-normal. Without a limit the belief is Gaussian.
    """

    mean: float
    sd: float
    limit: float | None = None

    def interval(self, z: float = 1.96) -> tuple[float, float]:
        """The payoff's quantiles at z sds below and above the median of a Gaussian."""
        if self._skew is None or self.limit is None:
            return self.mean - z * self.sd, self.mean + z * self.sd
        median, spread = self._skew
        ends = [self.limit - median * math.exp(each * spread) for each in (-z, z)]
        return min(ends), max(ends)

    def surprise(self, value: float) -> float:
        """How many sds a payoff lies above what is expected, as a quantile of a Gaussian."""
        if self.sd <= 0.0:
            return math.copysign(math.inf, value - self.mean) if value != self.mean else 0.0
        if self._skew is None or self.limit is None:
            return (value - self.mean) / self.sd
        median, spread = self._skew
        share = (self.limit - value) / median
        above = math.inf if share <= 0.0 else -math.log(share) / spread
        return above if median > 0.0 else -above

    @property
    def _skew(self) -> tuple[float, float] | None:
        """The median of the gap to the limit, and the sd of its logarithm."""
        gap = 0.0 if self.limit is None else self.limit - self.mean
        if gap == 0.0 or self.sd <= 0.0:
            return None
        spread = math.sqrt(math.log1p((self.sd / gap) ** 2))
        return gap * math.exp(-0.5 * spread**2), spread


@dataclass(frozen=True, slots=True)
class Proposal(Record):
    """What the policy proposed in round `round`.

    `terms` holds the acquisition's named terms at the point (maximised units). `theta` holds the
    logs of the fitted hyper-parameters, where the next round's fit starts; it is recorded because
    beliefs are rebuilt from facts alone. `seen` counts the facts that the proposal was derived
    from. `asks` names the constraints worth asking about here, `chances` the probability that each
    constraint holds here.
    """

    _tag: ClassVar[str] = "proposal"

    id: str
    round: int
    values: Mapping[str, Value]
    context: Mapping[str, Value]
    asks: tuple[str, ...]
    prediction: Prediction | None
    terms: Mapping[str, float]
    policy: str
    theta: tuple[float, ...]
    seen: int
    note: str
    time: Moment
    chances: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        freeze(self, "values", "context", "terms", "chances")

    def _repr_html_(self) -> str:
        return cards.proposal(self)


@dataclass(frozen=True, slots=True)
class Decision(Record):
    """What a person (or rule) made of a proposal. `values` are set by an override only.

    A rejection forbids what lies within `radius` of the proposal in every encoded coordinate, as a
    share of its range; None is what it was before rejections had one (`policies.random`). What is
    abandoned is no longer waited for, and nothing follows from it. A later decision on the same
    proposal takes the place of an earlier one.
    """

    _tag: ClassVar[str] = "decision"
    _renamed: ClassVar[Mapping[str, str]] = {"kind": "decision"}  # `kind` is the fact's tag

    id: str
    proposal: str
    kind: DecisionKind
    values: Mapping[str, Value] | None
    actor: str
    reason: str
    time: Moment
    radius: float | None = None

    def __post_init__(self) -> None:
        freeze(self, "values")


@dataclass(frozen=True, slots=True)
class Observation(Record):
    """What was measured at a point: the outcomes asked and answered, and no others.

    `sem` has the standard error of each outcome that was reported with one, `label` what the
    trial is called elsewhere: an imported row is recognised by it.
    """

    _tag: ClassVar[str] = "observation"

    id: str
    proposal: str | None
    values: Mapping[str, Value]
    context: Mapping[str, Value]
    outcomes: Mapping[str, float]
    actor: str
    time: Moment
    sem: Mapping[str, float] = field(default_factory=dict)
    label: str = ""

    def __post_init__(self) -> None:
        freeze(self, "values", "context", "outcomes", "sem")


@dataclass(frozen=True, slots=True)
class Failure(Record):
    """A trial that was made and of which nothing could be measured, for a reason that may lie in
    the point itself: how likely a trial works is learned from it."""

    _tag: ClassVar[str] = "failure"

    id: str
    proposal: str | None
    values: Mapping[str, Value]
    context: Mapping[str, Value]
    actor: str
    reason: str
    time: Moment

    def __post_init__(self) -> None:
        freeze(self, "values", "context")


@dataclass(frozen=True, slots=True)
class Comparison(Record):
    """Which of two points in one context a person prefers; with `tie`, neither.

    The proposals are named if the points were proposed.
    """

    _tag: ClassVar[str] = "comparison"

    id: str
    winner: Mapping[str, Value]
    loser: Mapping[str, Value]
    tie: bool
    context: Mapping[str, Value]
    winner_proposal: str | None
    loser_proposal: str | None
    actor: str
    time: Moment

    def __post_init__(self) -> None:
        freeze(self, "winner", "loser", "context")


@dataclass(frozen=True, slots=True)
class Claim(Record):
    """What a person expects before it is known: that one point is better than another.

    They say so of first trials whose results they have not seen, and of a point of their own
    instead of a proposal, which is then `worse_proposal`. No policy takes it for a result; it tells
    how well the person knows the matter (`teams`).
    """

    _tag: ClassVar[str] = "claim"

    id: str
    better: Mapping[str, Value]
    worse: Mapping[str, Value]
    context: Mapping[str, Value]
    better_proposal: str | None
    worse_proposal: str | None
    actor: str
    time: Moment

    def __post_init__(self) -> None:
        freeze(self, "better", "worse", "context")


@dataclass(frozen=True, slots=True)
class Comment(Record):
    """What a person has to say about another fact, which is named. Nothing is concluded from it."""

    _tag: ClassVar[str] = "comment"

    id: str
    fact: str
    text: str
    actor: str
    time: Moment


@dataclass(frozen=True, slots=True)
class Revision(Record):
    """Corrects observation `fact`: from now on it has these outcomes. The history keeps both."""

    _tag: ClassVar[str] = "revision"

    id: str
    fact: str
    outcomes: Mapping[str, float]
    actor: str
    reason: str
    time: Moment

    def __post_init__(self) -> None:
        freeze(self, "outcomes")


@dataclass(frozen=True, slots=True)
class Amendment(Record):
    """From now on the space is this one: bounds were widened, levels added. Both are kept."""

    _tag: ClassVar[str] = "amendment"

    id: str
    space: SpaceForm
    actor: str
    reason: str
    time: Moment


@dataclass(frozen=True, slots=True)
class Archival(Record):
    """The study is put away, or brought back: lists leave out those that are put away."""

    _tag: ClassVar[str] = "archival"

    id: str
    archived: bool
    actor: str
    reason: str
    time: Moment


@dataclass(frozen=True, slots=True)
class Withdrawal(Record):
    """Takes back an earlier decision, observation, failure, comparison, claim, comment or revision;
    both are kept."""

    _tag: ClassVar[str] = "withdrawal"

    id: str
    fact: str
    actor: str
    reason: str
    time: Moment


Fact = (
    Proposal
    | Decision
    | Observation
    | Comparison
    | Revision
    | Withdrawal
    | Failure
    | Amendment
    | Claim
    | Comment
    | Archival
)


@dataclass(frozen=True, slots=True)
class PastTrial(Record):
    """A trial made outside the study: its point and what was measured."""

    values: Mapping[str, Value]
    outcomes: Mapping[str, float]
    context: Mapping[str, Value] | None = None
    actor: str = "anonymous"
    time: Moment | None = None
    sem: Mapping[str, float] = field(default_factory=dict)
    label: str = ""


@dataclass(frozen=True, slots=True)
class Lease(Record):
    """A hold on a proposal: until it expires, only `actor` may decide or tell."""

    proposal: str
    actor: str
    until: Moment


@dataclass(frozen=True, slots=True)
class Best(Record):
    """The best trial so far, by its believed noise-free payoff.

    If people only compare, there is no observation, and `value` is the believed utility. With
    constraints it is the certified trial whose payoff has the largest lower bound, and `chance` is
    the probability that all constraints hold there. A trial that a person declared safe may be
    the best without being certified: `declared` is then True, and `note` says so. If no trial is
    certified or declared, it is the trial where they most likely hold, and `note` says that.
    Without constraints `certified` and `chance` are None.
    """

    values: Mapping[str, Value]
    value: float
    observation: Observation | None
    proposal: Proposal | None
    certified: bool | None = None
    chance: float | None = None
    note: str = ""
    declared: bool = False

    def _repr_html_(self) -> str:
        return cards.best(self)


@dataclass(frozen=True, slots=True)
class LeftOut(Record):
    """A measurement, and what all others say of it: mean and sd, in the user's units."""

    observation: str
    value: float
    mean: float
    sd: float


@dataclass(frozen=True, slots=True)
class Outlook(Record):
    """How much is still to be gained, and whether the model that says so can be believed.

    gain        what the best point of all is expected to have over the best known, in the
                objective's units and 0 or more; `chance` is that it has more than `worth`
    error       how far a trial was from what the others say of it, on average
    explained   the share of the trials' variance that the others predict: 1 is all, 0 is none
    coverage    the share of trials within the 95% interval that the others give
    warning     why the model should not be trusted, if it should not
    left_out    the check in detail, measurement by measurement
    """

    gain: float
    chance: float
    worth: float
    error: float
    explained: float
    coverage: float
    trials: int
    warning: str = ""
    left_out: tuple[LeftOut, ...] = ()

    def sentence(self) -> str:
        """What it says, in a line or two."""
        still = f"About {self.gain:.3g} is still to be gained; the chance of more than "
        still += f"{self.worth:.3g} is {self.chance:.0%}."
        check = f"Leaving each of {self.trials} trials out, the others predict it to within "
        share = f"{self.explained:.0%}" if self.explained > 0.0 else "none"
        check += f"{self.error:.3g} ({share} of the variance)."
        return " ".join(filter(None, (still, check, self.warning)))


@dataclass(frozen=True, slots=True)
class FrontTrial(Record):
    """A trial that no other one beats in every objective.

    `value` is the objective's: what the outcomes are worth together. Of repeated measurements the
    mean counts.
    """

    values: Mapping[str, Value]
    context: Mapping[str, Value]
    outcomes: Mapping[str, float]
    value: float | None
    observation: str
    proposal: str | None


@dataclass(frozen=True, slots=True)
class Front(Record):
    """The trials that no other one beats in every objective, best first in the first objective.

    `weights` has what one unit of each weighed objective is worth, as given or as learned by now.
    Where weights are learned, `compare` has the two trials whose comparison would teach most.
    """

    objectives: tuple[str, ...]
    trials: tuple[FrontTrial, ...]
    weights: Mapping[str, float]
    compare: tuple[FrontTrial, ...] = ()


# The value of a proposal's field.
Part = Annotated[Prediction | Mapping[str, Value] | tuple[Value, ...] | str | None, FirstOf()]


@dataclass(frozen=True, slots=True)
class Difference(Record):
    """A field of a proposal that replaying the facts did not reproduce."""

    proposal: str
    field: str
    recorded: Part
    replayed: Part


@dataclass(frozen=True, slots=True)
class Replay(Record):
    """The result of deriving every proposal again from the facts before it."""

    _derived: ClassVar[tuple[str, ...]] = ("identical",)

    proposals: int
    differences: tuple[Difference, ...]

    @property
    def identical(self) -> bool:
        return not self.differences


@dataclass(frozen=True, slots=True)
class Setup(Record):
    """What a study was created with. `policy` has the form of `policies.description`.

    `team` names the rule that decides between a proposal and what a person would try instead.

    Forms written by earlier versions are brought up to date here, wherever they are read from.
    """

    name: str
    problem: Problem
    policy_name: str
    policy: Mapping[str, Any]
    seed: int
    created: Moment
    team: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "policy", modern(self.policy))


@dataclass(frozen=True, slots=True)
class Summary(Record):
    """A study's entry in a list of studies."""

    _late: ClassVar[tuple[str, ...]] = ("archived",)

    name: str
    objective: str
    policy: str
    facts: int
    created: Moment
    archived: bool = False


def check_name(what: str, name: object, *, most: int | None = LONGEST_NAME) -> None:
    if not isinstance(name, str) or not name.strip():
        raise InvalidInput(f"{what} name", name, "Give a name that is not empty.")
    check_text(f"{what} name", name, most=most)


def check_lengths(problem: Problem) -> None:
    """Names that every database can keep and find; what is stored already may have longer ones."""
    for objective in (problem.objective, *problem.objectives):
        check_name("objective", objective.name)
    for constraint in problem.constraints:
        check_name("constraint", constraint.name)
    for name in (*problem.space.names, *problem.space.context):
        check_name("parameter", name)


def check_whole(what: str, value: object, *, least: int, most: int | None = None) -> None:
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not whole or int(value) < least or (most is not None and int(value) > most):  # type: ignore[call-overload]
        span = f"{least} or more" if most is None else f"from {least} to {most}"
        raise InvalidInput(what, value, f"Give a whole number, {span}.")


def check_text(what: str, value: object, *, most: int | None = None) -> None:
    if not isinstance(value, str):
        raise InvalidInput(what, value, "Give a string.")
    if most is not None and len(value) > most:
        raise InvalidInput(what, value, f"Give at most {most} characters, not {len(value)}.")
    # Databases keep neither a NUL nor half of a surrogate pair.
    if "\0" in value or any("\ud800" <= sign <= "\udfff" for sign in value):
        raise InvalidInput(what, value, "Give a string without NUL or broken characters.")


def finite_number(what: str, value: object) -> float:
    """Check that a value is one finite number; `what` names it in the error."""
    scalar = isinstance(value, np.generic | np.ndarray) and value.ndim == 0
    number = value.item() if scalar else value  # type: ignore[attr-defined]
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise InvalidInput(what, value, "Give one number.")
    try:
        result = float(number)
    except OverflowError:
        result = math.inf
    if not math.isfinite(result):
        raise InvalidInput(
            what, value, "Give a finite number; leave out what could not be measured."
        )
    return result + 0.0  # a single zero: SQLite does not keep -0.0
