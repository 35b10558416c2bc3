"""Summaries of a study: best trial, outlook, front, replay, entry in a list."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from counsel.facts.aliases import modern
from counsel.facts.cards import Card, values
from counsel.facts.form import FirstOf, Moment, Record
from counsel.facts.problem import Problem
from counsel.facts.records import Observation, Prediction, Proposal, Value

NOTHING_CERTIFIED = (
    "No trial is certified to be safe. By the model that certifies, this is the one where all "
    "constraints most likely hold."
)


@dataclass(frozen=True, slots=True)
class Best(Record):
    """The best trial so far, by its believed noise-free payoff.

    `value` is what was measured there; where a point was measured several times, the mean of these
    `measurements`. If people only compare, there is no observation, and `value` is the believed
    utility. With constraints it is the certified trial whose payoff has the largest lower bound,
    and `chance` is the probability that all constraints hold there. A trial that a person declared
    safe may be the best without being certified: `declared` is then True, and `note` says so. If no
    trial is certified or declared, it is the trial where they most likely hold, and `note` says
    that. Without constraints `certified` and `chance` are None.
    """

    values: Mapping[str, Value]
    value: float
    observation: Observation | None
    proposal: Proposal | None
    certified: bool | None = None
    chance: float | None = None
    note: str = ""
    declared: bool = False
    measurements: int = 1

    def card(self) -> Card:
        told, count = self.observation, self.measurements
        chance = "" if self.chance is None else f"{self.chance:.1%}"
        return Card(
            "Best trial so far",
            [
                (f"mean of {count}" if count > 1 else "value", self.value),
                ("at", values(self.values)),
                ("in", "" if told is None else values(told.context)),
                ("proposal", None if self.proposal is None else self.proposal.id),
                ("observation", None if told is None else f"{told.id} by {told.actor}"),
                ("certified", {True: "yes", False: "no", None: ""}[self.certified]),
                ("keeps all constraints", chance),
                ("note", self.note),
            ],
        )


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
    trials      how many were left out, one at a time: of thousands, those that the model holds
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

    def card(self) -> Card:
        return Card(self.sentence())

    def sentence(self) -> str:
        """What it says, in a line or two."""
        if len({each.value for each in self.left_out}) == 1:
            return self.warning
        still = f"About {self.gain:.3g} is still to be gained; the chance of more than "
        still += f"{self.worth:.3g} is {_percent(self.chance)}."
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

    `team` names the rule that decides between a proposal and what a person would try instead. A
    rule that was improved keeps its name: `team_version` says which form of it the study has.

    Forms written by earlier versions are brought up to date here, wherever they are read from.
    """

    _late: ClassVar[tuple[str, ...]] = ("team_version",)

    name: str
    problem: Problem
    policy_name: str
    policy: Mapping[str, Any]
    seed: int
    created: Moment
    team: str | None = None
    team_version: int = 1

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


def _percent(chance: float) -> str:
    """A chance that was counted: none or all of the draws are no certainty."""
    if chance > 0.995:
        return "over 99%"
    return "under 1%" if chance < 0.005 else f"{chance:.0%}"


def vouched(chance: float) -> str:
    """The note on a trial that is safe because a person said so."""
    if chance < 0.5:
        return (
            "It counts as safe because it was declared so, although by the answers alone the "
            f"chance that all constraints hold is {chance:.0%}."
        )
    return (
        "It counts as safe because it was declared so; the answers do not contradict that, nor "
        "would they certify it by themselves."
    )
