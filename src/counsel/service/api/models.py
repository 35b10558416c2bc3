"""What requests and answers look like. Answers mirror `counsel.facts.records`, field by field."""

import dataclasses
import math
from datetime import datetime
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

from counsel.exchange.document import fact_to_dict
from counsel.explain.attribution import Attribution
from counsel.facts.records import Best, Fact, Lease, Prediction, Proposal, Setup, Summary
from counsel.teams.alignment import Alignment
from counsel.teams.overriding import Overriding

# Strict, or a text "1" would be taken for the number.
Value = StrictBool | StrictInt | StrictFloat | StrictStr
Values = dict[str, Value]
Number = StrictInt | StrictFloat
Text = Annotated[str, Field(max_length=2000)]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class _Given(BaseModel):
    """A request: what it does not know it refuses."""

    model_config = ConfigDict(extra="forbid")


# ---- requests -----------------------------------------------------------------------------------


class ParameterGiven(_Given):
    name: Name
    type: Literal["float", "int", "categorical"] = "float"
    low: Number | None = None
    high: Number | None = None
    log: bool | None = None
    choices: list[Value] | None = Field(None, max_length=1000)


class ConstraintGiven(_Given):
    name: Name
    at_least: Number | None = None
    at_most: Number | None = None


class StudyGiven(_Given):
    """A new study: of parameters (a box), or of arms (a list of candidates)."""

    name: Name
    parameters: list[ParameterGiven] | None = Field(None, max_length=500)
    arms: list[Values] | None = Field(None, max_length=100_000)
    context: list[ParameterGiven] = Field(default_factory=list, max_length=100)
    objective: Name = "objective"
    direction: Literal["maximize", "minimize"] = "maximize"
    constraints: list[ConstraintGiven] = Field(default_factory=list, max_length=100)
    policy: Name | None = None
    seed: int = 0


class AskGiven(_Given):
    n: int | None = Field(None, ge=1, le=100)
    context: Values | None = None


class DecisionGiven(_Given):
    decision: Literal["accept", "override", "reject"]
    values: Values | None = None
    reason: Text = ""
    actor: Name | None = None


class OutcomesGiven(_Given):
    value: Number | None = None
    constraints: dict[str, Number] = Field(default_factory=dict)
    actor: Name | None = None


class ObservationGiven(OutcomesGiven):
    values: Values
    context: Values | None = None


class RevisionGiven(OutcomesGiven):
    reason: Text = ""


class ComparisonGiven(_Given):
    """Each side is the id of a proposal, or values."""

    winner: Name | Values
    loser: Name | Values
    tie: bool = False
    context: Values | None = None
    actor: Name | None = None


class WithdrawalGiven(_Given):
    fact: Name
    reason: Text = ""
    actor: Name | None = None


class LeaseGiven(_Given):
    seconds: Number = 600
    actor: Name | None = None


class PlaceGiven(_Given):
    values: Values
    context: Values | None = None


class PointGiven(PlaceGiven):
    """A point; `instead_of` a proposal, it is judged by what that proposal maximised."""

    instead_of: Annotated[str, Field(pattern=r"^p[0-9]{1,12}$")] | None = None


class PointsGiven(_Given):
    points: list[Values] = Field(max_length=10_000)
    context: Values | None = None


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


class PredictionShown(BaseModel):
    mean: float
    sd: float


class ProposalShown(BaseModel):
    kind: Literal["proposal"]
    id: str
    round: int
    values: Values
    context: Values
    asks: list[str]
    prediction: PredictionShown | None
    chances: dict[str, float] = {}
    terms: dict[str, float]
    policy: str
    theta: list[float]
    seen: int
    note: str
    time: datetime


class DecisionShown(BaseModel):
    kind: Literal["decision"]
    id: str
    proposal: str
    decision: Literal["accept", "override", "reject"]
    values: Values | None
    actor: str
    reason: str
    time: datetime


class ObservationShown(BaseModel):
    kind: Literal["observation"]
    id: str
    proposal: str | None
    values: Values
    context: Values
    outcomes: dict[str, float]
    actor: str
    time: datetime


class ComparisonShown(BaseModel):
    kind: Literal["comparison"]
    id: str
    winner: Values
    loser: Values
    tie: bool
    context: Values
    winner_proposal: str | None
    loser_proposal: str | None
    actor: str
    time: datetime


class RevisionShown(BaseModel):
    kind: Literal["revision"]
    id: str
    fact: str
    outcomes: dict[str, float]
    actor: str
    reason: str
    time: datetime


class WithdrawalShown(BaseModel):
    kind: Literal["withdrawal"]
    id: str
    fact: str
    actor: str
    reason: str
    time: datetime


FactShown = Annotated[
    ProposalShown
    | DecisionShown
    | ObservationShown
    | ComparisonShown
    | RevisionShown
    | WithdrawalShown,
    Field(discriminator="kind"),
]


class FactsShown(BaseModel):
    """A page of facts; `next` is the `after` of the following page, if there is one."""

    facts: list[FactShown]
    count: int
    next: int | None


class SummaryShown(BaseModel):
    name: str
    objective: str
    policy: str
    facts: int
    created: datetime


class StudyShown(BaseModel):
    name: str
    objective: str
    direction: Literal["maximize", "minimize"]
    constraints: list[dict[str, Any]]
    space: dict[str, Any]
    policy: str
    seed: int
    created: datetime
    facts: int
    observations: int
    pending: list[str]


class BestShown(BaseModel):
    values: Values
    value: float
    observation: str | None
    proposal: str | None


class LeaseShown(BaseModel):
    proposal: str
    actor: str
    until: datetime


class AttributionShown(BaseModel):
    terms: list[str]
    parameters: list[str]
    values: list[list[float]]
    base: list[float]
    total: list[float]
    error: list[list[float]]
    methods: list[str]
    background: str
    evaluations: int
    point: Values
    context: Values
    proposal: str | None
    objective: str
    direction: Literal["maximize", "minimize"]
    note: str
    exact: bool
    sentence: str


class WhatIfShown(BaseModel):
    prediction: PredictionShown
    attribution: AttributionShown


class AlignmentShown(BaseModel):
    """`factor` is null where it is infinite: a parameter speaks for one and against the other."""

    proposal: str
    actor: str
    parameters: list[str]
    machine: list[float]
    person: list[float]
    factor: float | None
    choices: int
    sentence: str


class OneOverrideShown(BaseModel):
    proposal: str
    gain: float
    sd: float


class OverridingShown(BaseModel):
    actor: str
    gain: float
    sd: float
    each: list[OneOverrideShown]


class QuestionShown(BaseModel):
    """The constraint to ask about next; null when that is enough."""

    question: str | None


class ReplayShown(BaseModel):
    proposals: int
    identical: bool
    differences: list[dict[str, Any]]


class HealthShown(BaseModel):
    status: Literal["ok"]
    version: str
    studies: int


# ---- from records to answers --------------------------------------------------------------------


def fact_shown(fact: Fact) -> dict[str, Any]:
    shown = fact_to_dict(fact)
    if isinstance(fact, Proposal):
        shown["prediction"] = prediction_shown(fact.prediction)
    return shown


def prediction_shown(prediction: Prediction | None) -> dict[str, float] | None:
    return None if prediction is None else {"mean": prediction.mean, "sd": prediction.sd}


def summary_shown(summary: Summary) -> dict[str, Any]:
    names = ("name", "objective", "policy", "facts", "created")
    return {name: getattr(summary, name) for name in names}


def setup_shown(setup: Setup) -> dict[str, Any]:
    problem = setup.problem
    bounds = [
        {"name": c.name, "at_least": c.at_least, "at_most": c.at_most} for c in problem.constraints
    ]
    return {
        "name": setup.name,
        "objective": problem.objective.name,
        "direction": problem.objective.direction,
        "constraints": bounds,
        "space": problem.space.to_dict(),
        "policy": setup.policy_name,
        "seed": setup.seed,
        "created": setup.created,
    }


def best_shown(best: Best | None) -> dict[str, Any] | None:
    if best is None:
        return None
    source = best.proposal.id if best.proposal is not None else None
    measured = best.observation.id if best.observation is not None else None
    return {
        "values": dict(best.values),
        "value": best.value,
        "observation": measured,
        "proposal": source,
    }


def lease_shown(lease: Lease) -> dict[str, Any]:
    return {"proposal": lease.proposal, "actor": lease.actor, "until": lease.until}


def alignment_shown(found: Alignment) -> dict[str, Any]:
    shown = {**dataclasses.asdict(found), "sentence": found.sentence()}
    return shown | {"factor": found.factor if math.isfinite(found.factor) else None}


def overriding_shown(found: Overriding) -> dict[str, Any]:
    each = [{"proposal": p, "gain": gain, "sd": sd} for p, gain, sd in found.each]
    return {"actor": found.actor, "gain": found.gain, "sd": found.sd, "each": each}


def attribution_shown(why: Attribution) -> dict[str, Any]:
    plain = ("terms", "parameters", "methods", "background", "evaluations", "proposal",
             "objective", "direction", "note", "exact")  # fmt: skip
    arrays = ("values", "base", "total", "error")
    return {
        **{name: getattr(why, name) for name in plain},
        **{name: np.asarray(getattr(why, name)).tolist() for name in arrays},
        "point": dict(why.point),
        "context": dict(why.context),
        "sentence": why.sentence(),
    }
