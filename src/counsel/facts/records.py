"""The facts a study consists of, as frozen records.

A study is an append-only list of facts: `Proposal`, `Decision`, `Observation`, `Failure`,
`Comparison`, `Claim`, `Comment`, `Revision`, `Amendment`, `Archival`, `Withdrawal`. All are frozen.
`Prediction` is what is believed of a point; it is rebuilt, never edited.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from counsel.facts.cards import Card, beside, values
from counsel.facts.form import Moment, Record, Scalar, SpaceForm, freeze

DecisionKind = Literal["accept", "override", "reject", "abandon"]
Scope = Literal["point", "region"]
Value = Scalar
# How the names of agents begin where they act: the history tells them from people's.
AGENT = "agent:"


@dataclass(frozen=True, slots=True)
class Prediction(Record):
    """The belief about the objective at a point, in the user's units and sign.

    `sd` is that of the noise-free payoff; repeated trials may vary by more. A belief on a
    logarithmic scale (`models.warp`) has a `limit` that no payoff is believed to pass: the distance
    to it is log-normal. Without a limit the belief is Gaussian.
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

    def card(self) -> Card:
        predicted, found = "", self.prediction
        if found is not None:
            predicted = f"{beside(found.mean, found.sd)} ± {found.sd:.2g}"
        return Card(
            f"Proposal {self.id} by {self.policy}",
            [
                ("try", values(self.values)),
                ("in", values(self.context)),
                ("predicted", predicted),
                ("worth asking", ", ".join(self.asks)),
                ("maximised", values(self.terms)),  # a cost's terms have the other sign
                ("note", self.note),
            ],
        )


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
    instead of a proposal, which is then `worse_proposal`. No policy takes it for a result. It tells
    how well the person knows the matter (`teams`), and in a study whose team is "fused" what
    proposals expect beyond what was measured.
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

    @property
    def suggests(self) -> bool:
        """Whether it is what they would try instead of a proposal."""
        return self.better_proposal is None and self.worse_proposal is not None


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
    """The study is archived, or brought back: lists leave archived studies out."""

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
