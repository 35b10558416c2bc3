"""Models of requests, and of the few answers that are not records.

Records are answered in the codec's form: see `counsel.facts.codec`.
"""

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    WithJsonSchema,
)

from counsel.facts.checks import MOST_PROPOSALS
from counsel.facts.codec import AnyFact
from counsel.facts.problem import Constraint, Objective
from counsel.facts.records import PastTrial

# Strict: otherwise the string "1" would be accepted as a number.
Value = StrictBool | StrictInt | StrictFloat | StrictStr
Values = dict[str, Value]
Number = StrictInt | StrictFloat
Text = Annotated[str, Field(max_length=2000)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
_WHOLE = {"type": "integer", "minimum": 1}
Proposed = Annotated[str, Field(pattern=r"^p[0-9]{1,12}$")]


class _Given(BaseModel):
    """A request; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


# ---- requests -----------------------------------------------------------------------------------


class ParameterGiven(_Given):
    name: Name
    type: Literal["float", "int", "categorical"] = "float"
    low: Number | None = None
    high: Number | None = None
    log: bool | None = None
    step: Number | None = None
    choices: list[Value] | None = Field(None, max_length=1000)
    ordered: bool | None = None
    descriptors: dict[str, list[Number]] | None = Field(None, max_length=100)
    when: dict[str, Value | list[Value]] | None = Field(None, max_length=100)
    shared: bool | None = None
    unit: Annotated[str, Field(max_length=40)] | None = None
    description: Annotated[str, Field(max_length=500)] | None = None


class PolicyGiven(_Given):
    """A policy with settings."""

    name: Name
    settings: dict[str, Any] = Field(default_factory=dict, max_length=100)


class StudyGiven(_Given):
    """A new study: of parameters (a box), or of arms (a list of candidates)."""

    name: Name
    parameters: list[ParameterGiven] | None = Field(None, max_length=500)
    require: list[Text] = Field(default_factory=list, max_length=100)
    arms: list[Values] | None = Field(None, max_length=100_000)
    log: list[Name] = Field(default_factory=list, max_length=500)
    label: Name | None = None
    once: bool = False
    context: list[ParameterGiven] = Field(default_factory=list, max_length=100)
    objective: Name = "objective"
    objectives: list[Objective] = Field(default_factory=list, max_length=100)
    tradeoff: Literal["weights", "comparisons"] = "weights"
    direction: Literal["maximize", "minimize"] = "maximize"
    constraints: list[Constraint] = Field(default_factory=list, max_length=100)
    policy: Name | PolicyGiven | None = None
    settings: dict[str, Any] = Field(default_factory=dict, max_length=100)
    seed: int = 0
    team: Name | None = None
    load_if_exists: bool = False


class AskGiven(_Given):
    """How many trials is checked by the study, as through every door."""

    n: Annotated[int, WithJsonSchema({**_WHOLE, "maximum": MOST_PROPOSALS})] | None = None
    context: Values | None = None


class ContextGiven(_Given):
    context: Values | None = None


class DecisionGiven(_Given):
    decision: Literal["accept", "override", "reject", "abandon"]
    values: Values | None = None
    scope: Literal["point", "region"] | None = None
    radius: Number | None = None
    replace: bool = False
    reason: Text = ""
    actor: Name | None = None


class FailureGiven(_Given):
    """The trial is the id of a proposal, or values."""

    trial: Name | Values
    context: Values | None = None
    reason: Text = ""
    actor: Name | None = None


class AmendmentGiven(_Given):
    space: dict[str, Any]
    reason: Text = ""
    actor: Name | None = None


class OutcomesGiven(_Given):
    """`value` is a number, or several objectives (and constraints, if you like) by name.

    Of a constraint with yes/no answers, "yes" and true are 1, "no" and false are 0.
    """

    value: Number | dict[str, Value] | None = None
    constraints: dict[str, Value] = Field(default_factory=dict)
    actor: Name | None = None


class TellGiven(OutcomesGiven):
    """What was measured at a proposal; a context, if given, must be the proposal's own."""

    context: Values | None = None
    sem: Number | dict[str, Number] | None = None
    repeat: bool = False


class ObservationGiven(TellGiven):
    values: Values


class RevisionGiven(OutcomesGiven):
    reason: Text = ""


class ComparisonGiven(_Given):
    """Each side is the id of a proposal, or values."""

    winner: Name | Values
    loser: Name | Values
    tie: bool = False
    context: Values | None = None
    actor: Name | None = None


class ClaimGiven(_Given):
    """Each side is the id of a proposal, or values."""

    better: Name | Values
    worse: Name | Values
    context: Values | None = None
    actor: Name | None = None


class TeamDecisionGiven(_Given):
    """What this person would try instead of the proposal."""

    mine: Values
    actor: Name | None = None


class WithdrawalGiven(_Given):
    fact: Name
    reason: Text = ""
    actor: Name | None = None


class CommentGiven(_Given):
    """`fact` is the id of what it is about."""

    fact: Name
    text: Annotated[str, Field(min_length=1, max_length=2000)]
    actor: Name | None = None


class ArchivalGiven(_Given):
    archived: bool = True
    reason: Text = ""
    actor: Name | None = None


class LeaseGiven(_Given):
    seconds: Number = 600
    actor: Name | None = None


class PlaceGiven(_Given):
    values: Values
    context: Values | None = None


class PointGiven(PlaceGiven):
    """A point; with `instead_of` a proposal, it is judged by what that proposal maximised."""

    instead_of: Proposed | None = None


class AdviceGiven(_Given):
    """What this person would try instead, if they said so."""

    mine: Values | None = None
    actor: Name | None = None


class OutlookGiven(_Given):
    worth: Number | None = None
    context: Values | None = None


class PointsGiven(_Given):
    points: list[Values] = Field(max_length=10_000)
    context: Values | None = None


class PredictionsGiven(PointsGiven):
    """Points; with `noise`, what one measurement at each would give."""

    noise: bool = False


class ExplanationGiven(_Given):
    """A proposal, or values; `actor` is recorded as having seen the explanation."""

    proposal: Proposed | None = None
    values: Values | None = None
    context: Values | None = None
    instead_of: Proposed | Values | None = None
    until: Literal["tolerance", "ranking"] = "tolerance"
    background: list[Values] | None = Field(None, max_length=10_000)
    tolerance: Number = 0.01
    actor: Name | None = None


class TrialsGiven(_Given):
    """Trials that nobody proposed: all are recorded, or none."""

    trials: list[PastTrial] = Field(max_length=10_000)


# ---- answers ------------------------------------------------------------------------------------


class ProblemDetails(BaseModel):
    """RFC 9457: what was refused, and what to do."""

    type: str
    title: str
    status: int
    detail: str
    field: str | None = None
    value: Any = None
    remedy: str | None = None
    fact: dict[str, Any] | None = None
    errors: list[dict[str, Any]] | None = None


class FactsShown(BaseModel):
    """A page of facts; `next` is the `after` of the following page, if there is one."""

    facts: list[AnyFact]
    count: int
    next: int | None


class QuestionShown(BaseModel):
    """The constraint to ask about next; null when no more are needed."""

    question: str | None


class HealthShown(BaseModel):
    status: Literal["ok"]
    version: str
    studies: int
