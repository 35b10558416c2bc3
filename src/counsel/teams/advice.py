r"""Advice for one decision: should the person step in, and on what grounds?

The joint belief about both points says f(mine) - f(proposal) ~ N(gain, sd^2). It knows nothing of
the person. Their record does: somebody who knows more than the model chooses points that turn out
better than it expected, by c of its sds on average. The belief about c,

    c | z ~ N(c_n, v_n),   z_i = (y_i - mean_i) / sqrt(sd_i^2 + noise^2),   prior N(c_0, doubt^2),

counts every surprise z_i by the share of its variance that is not noise, and by how far its round
was about the same parameters. So with s the sd at the person's point

    gain + c_n s,   sd^2 + v_n s^2

is what is expected all in all, and the chance that mine is better follows. All of this holds on the
scale on which the belief is Gaussian: where payoffs have a limit, that is the logarithm of the
distance to it, and gains are converted back. Where there are constraints, the better of two points
also has to keep them: a point that breaks one is worth less than a point that keeps them all. Once
trials have failed, that a trial works is one more constraint.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from jaxtyping import Float

from counsel.facts.cards import Card, values
from counsel.facts.form import Record, freeze
from counsel.facts.records import Value
from counsel.teams.alignment import Alignment

__all__ = [
    "ALIGNED",
    "DOUBT",
    "TRUST",
    "Advice",
    "ParameterCredit",
    "Past",
    "Recommendation",
    "Sides",
    "TrackRecord",
    "advise",
    "gaussian",
    "track_record",
    "updated",
]

Recommendation = Literal["go ahead", "your call", "step in"]
# The prior's sd of a person's credit, and its mean after forecasts that were all right.
DOUBT, TRUST = 0.7, 3.0
# Above the first chance a person is told to step in, below the second to leave it to the machine.
SURE, HOPELESS = 0.7, 0.3
# Reasons that differ by a larger factor are not the person's own, as in (11).
ALIGNED = 2.0
# A trial teaches more than another if its outcome is this much less certain.
TEACHES = 1.25
# Below this chance of either point a gain is told with what it takes for granted.
LIKELY = 0.95
# A point whose chance to keep the constraints is less than this share of the other's is worse
# because of that, rather than in spite of what it is expected to gain.
LESS_LIKELY = 0.8
_DRAWS = 32_768


@dataclass(frozen=True, slots=True)
class ParameterCredit(Record):
    """Credit in choices that were about one parameter."""

    parameter: str
    mean: float
    sd: float


@dataclass(frozen=True, slots=True)
class TrackRecord(Record):
    """What a person's advice was worth, in sds of what the model expected at the time.

    mean, sd      the belief about their credit in this decision; 0 is no better than the model
    trials        how many of their choices were tried and measured
    forecasts     how many of their forecasts have been decided, `right` of them as they said
    parameters    the same belief for choices about one parameter alone
    """

    mean: float
    sd: float
    trials: int
    forecasts: int
    right: int
    parameters: tuple[ParameterCredit, ...]

    def words(self) -> str:
        """How their choices turned out; empty if that says nothing yet."""
        if self.trials == 0 or abs(self.mean) < self.sd:
            return ""
        many = "your past choice" if self.trials == 1 else f"your {self.trials} past choices"
        way = "better" if self.mean > 0.0 else "worse"
        return f"{many} turned out {way} than the model expected"

    def sentence(self) -> str:
        """The credit in numbers, and what it rests on."""
        if not self.trials and not self.forecasts:
            return "Nothing is known yet of what your advice is worth."
        rests = []
        if self.trials:
            rests.append(f"{self.trials} measured choice{'s' * (self.trials > 1)}")
        if self.forecasts:
            many = f"{self.forecasts} forecast{'s' * (self.forecasts > 1)}"
            rests.append(f"{self.right} of {many} right")
        text = f"Your credit is {_short(self.mean)} ± {self.sd:.2f} sds, from {' and '.join(rests)}"
        if self.trials and len(self.parameters) > 1:
            own = self.parameters
            each = (f"{one.parameter} {_short(one.mean)} ± {one.sd:.2f}" for one in own)
            text += f"; by parameter {', '.join(each)}"
        return f"{text}."


@dataclass(frozen=True, slots=True)
class Advice(Record):
    """Whether to step in: leave it to the machine ("go ahead"), "your call", or "step in".

    chance      the probability that `mine` is better than what was proposed, constraints included:
                if one of the two keeps them, as neither is better if none does
    gain, sd    what `mine` is expected to be worth more, in the objective's units and above 0 if it
                is better; the person's credit is part of it, constraints and failures are not
    low, high   the 95% interval of the gain
    credit      what the person's advice was worth so far
    alignment   how far the proposal's reasons are from theirs; None before their first choice
    rule        the rule that decides in this study, if it has one
    third       what the rule tries instead of both, if it does
    provided    what both have to do for the gain, such as "keep the constraints and work", where
                that is not likely of both
    why         one sentence

    Without `mine`, or while nothing is known, there is neither a chance nor a gain.
    """

    _derived: ClassVar[tuple[str, ...]] = ("interval",)
    _late: ClassVar[tuple[str, ...]] = ("provided",)

    proposal: str
    actor: str
    mine: Mapping[str, Value] | None
    recommendation: Recommendation
    why: str
    chance: float | None
    gain: float | None
    sd: float | None
    credit: TrackRecord
    alignment: Alignment | None
    rule: str | None = None
    low: float | None = None
    high: float | None = None
    third: Mapping[str, Value] | None = None
    provided: str = ""

    def __post_init__(self) -> None:
        freeze(self, "mine", "third")

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95% interval of the gain."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    def card(self) -> Card:
        rests = [("" if number else "rests on", each) for number, each in enumerate(self.numbers())]
        return Card(f"{self.recommendation.capitalize()}. {self.why}", rests)

    def numbers(self) -> tuple[str, ...]:
        """What the recommendation rests on, a sentence each."""
        told = [self.credit.sentence()]
        if self.gain is not None and self.interval is not None:
            low, high = self.interval
            gain = f"Expected gain {self.gain:.3g}"
            gain += f" if both {self.provided}" if self.provided else ""
            told.insert(0, f"{gain}, with 95% from {low:.3g} to {high:.3g}.")
        if self.alignment is not None and self.alignment.sentence()[:-1] not in self.why:
            told.append(self.alignment.sentence())
        return tuple(told)


class Sides(NamedTuple):
    """The machine's and the person's point under the model: the joint belief, maximised.

    mean (2,), covariance (2, 2)   the objective at the proposal and at mine
    keeps (2,)                     the probability that all constraints hold and a trial works
    kind (p,)                      the parameters that make the difference, as shares of 1
    limit                          the distance to it is log-normal; None if beliefs are Gaussian
    what                           what `keeps` is the probability of; empty where nothing is known
    """

    mean: Float[np.ndarray, " 2"]
    covariance: Float[np.ndarray, "2 2"]
    keeps: Float[np.ndarray, " 2"]
    kind: Float[np.ndarray, " p"]
    limit: float | None = None
    what: str = "keep the constraints"

    @property
    def gaussian(self) -> tuple[Float[np.ndarray, " 2"], Float[np.ndarray, "2 2"]]:
        """Mean and covariance on the scale on which the belief is Gaussian."""
        return gaussian(self.mean, self.covariance, self.limit)

    def in_units(
        self, mean: Float[np.ndarray, " 2"], covariance: Float[np.ndarray, "2 2"]
    ) -> tuple[Float[np.ndarray, " 2"], Float[np.ndarray, "2 2"]]:
        """Undo `gaussian`."""
        if self.limit is None:
            return mean, covariance
        side = _side(self.mean, self.limit)
        gaps = np.exp(0.5 * np.diagonal(covariance) - side * mean)
        return self.limit - side * gaps, np.outer(gaps, gaps) * np.expm1(covariance)

    def interval(
        self, mean: Float[np.ndarray, " 2"], covariance: Float[np.ndarray, "2 2"]
    ) -> tuple[float, float]:
        """The 95% interval of the gain, from mean and covariance on the Gaussian scale."""
        if self.limit is None:
            gain, sd = _contrast(mean, covariance)
            return gain - 1.96 * sd, gain + 1.96 * sd
        values, vectors = np.linalg.eigh(covariance)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        # The difference of two log-normal gaps has no closed form.
        drawn = mean + np.random.default_rng(0).standard_normal((_DRAWS, 2)) @ root.T
        side = _side(self.mean, self.limit)
        gains = side * (np.exp(-side * drawn[:, 0]) - np.exp(-side * drawn[:, 1]))
        low, high = np.quantile(gains, [0.025, 0.975])
        return float(low), float(high)

    @property
    def sds(self) -> Float[np.ndarray, " 2"]:
        return np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))

    @property
    def features(self) -> tuple[float, ...]:
        """What a learned rule looks at: how far mine leads, how unknown it is, and the kind."""
        lead, (ours, own) = float(self.mean[1] - self.mean[0]), self.sds
        scale = float(ours + own) or 1.0
        return lead / scale, float(own) / scale, *self.kind.tolist()


def gaussian(
    mean: Float[np.ndarray, " m"], covariance: Float[np.ndarray, "m m"], limit: float | None
) -> tuple[Float[np.ndarray, " m"], Float[np.ndarray, "m m"]]:
    """Mean and covariance on the scale on which a belief is Gaussian.

    With a limit, that is the logarithm of the distance to it, with the sign that keeps the order.
    """
    if limit is None:
        return mean, covariance
    side = _side(mean, limit)
    gaps = np.maximum(side * (limit - mean), 1e-300)
    logs = np.log1p(covariance / np.outer(gaps, gaps))
    return side * (0.5 * np.diagonal(logs) - np.log(gaps)), logs


def _side(mean: Float[np.ndarray, " m"], limit: float) -> float:
    """1 if the limit is above what is expected, -1 if it is below."""
    return -1.0 if bool(np.all(mean > limit)) else 1.0


class Past(NamedTuple):
    """A choice of the person that was tried and measured.

    surprise   how many sds it came out above what was expected at the time
    weight     the share of that variance that is not noise
    kind (p,)  the parameters in which it differed from what was proposed, as shares of 1
    gain       how much more was measured than was expected of the proposal
    features   `Sides.features` at the time
    """

    surprise: float
    weight: float
    kind: Float[np.ndarray, " p"]
    gain: float = 0.0
    features: tuple[float, ...] = ()


def updated(weight: Any, surprise: Any, prior_mean: Any, doubt: Any) -> tuple[Any, Any]:
    """Mean and sd of credit after weighted surprises; of NumPy or JAX arrays."""
    precision = 1.0 / doubt**2 + weight.sum()
    mean = (prior_mean / doubt**2 + (weight * surprise).sum()) / precision
    return mean, precision**-0.5


def track_record(
    parameters: Sequence[str],
    past: Sequence[Past],
    kind: Float[np.ndarray, " p"] | None,
    forecasts: int = 0,
    right: int = 0,
) -> TrackRecord:
    """Credit for a decision of this kind; of any kind, if it is None."""
    tau = 2.0 * right / forecasts - 1.0 if forecasts else 0.0
    # A forecast of two trials is weak evidence: ten pairs, those of five trials, count in full.
    start = TRUST * tau * min(1.0, forecasts / 10.0)
    surprise = np.array([each.surprise for each in past])
    weight = np.array([each.weight for each in past])
    kinds = np.array([each.kind for each in past]).reshape(len(past), len(parameters))
    alike = np.ones(len(past)) if kind is None else np.minimum(kinds, kind).sum(axis=1)
    mean, sd = updated(weight * alike, surprise, start, DOUBT)
    each = [updated(weight * share, surprise, start, DOUBT) for share in kinds.T]
    found = (
        ParameterCredit(n, float(m), float(s)) for n, (m, s) in zip(parameters, each, strict=True)
    )
    return TrackRecord(float(mean), float(sd), len(past), forecasts, right, tuple(found))


def advise(
    proposal: str,
    actor: str,
    mine: Mapping[str, Value] | None,
    sides: Sides | None,
    record: TrackRecord,
    aligned: Alignment | None,
    *,
    same: bool = False,
    over: bool = False,
    nothing: str = "",
    rule: str | None = None,
    follows: bool | Mapping[str, Value] | None = None,
    because: str = "",
) -> Advice:
    """`sides` is None while nothing is known or nothing was said; `same` if both points are one,
    `over` if the proposal is no longer to be decided; `nothing` says why nothing is known.

    `follows` is what the team's rule makes of it, where it has decided: whether mine is tried, or
    what else is; and `because` says why.
    """
    third = follows if isinstance(follows, Mapping) else None
    if sides is None or same:
        untold = nothing if mine is not None else ""
        recommendation, why = _before(record, aligned, same=same, over=over, nothing=untold)
        recommendation, why = _ruled(recommendation, why, rule, follows, because)
        none = (None, None, None, record, aligned, rule, None, None, third)
        return Advice(proposal, actor, mine, recommendation, why, *none)
    mean, covariance = sides.gaussian
    own = math.sqrt(max(float(covariance[1, 1]), 0.0))
    mean = mean + np.array([0.0, record.mean * own])
    covariance = covariance + np.diag([0.0, (record.sd * own) ** 2])
    lead, spread = _contrast(mean, covariance)
    ahead = _normal(lead / spread) if spread > 0.0 else float(lead > 0.0)
    gain, sd = _contrast(*sides.in_units(mean, covariance))
    theirs, yours = (float(each) for each in sides.keeps)
    # Both keep the constraints and mine pays more, or mine alone keeps them; where neither does,
    # neither is better, and that says nothing of which to try.
    either = yours + theirs - yours * theirs
    chance = (yours * theirs * ahead + yours * (1.0 - theirs)) / either if either > 0.0 else 0.5
    recommendation = "your call"
    if not HOPELESS < chance < SURE:
        recommendation = "step in" if chance >= SURE else "go ahead"
    why = _compared(chance, gain, sides, record)
    recommendation, why = _ruled(recommendation, why, rule, follows, because)
    low, high = sides.interval(mean, covariance)
    provided = sides.what if min(theirs, yours) < LIKELY else ""
    numbers = (chance, gain, sd, record, aligned, rule, low, high, third, provided)
    return Advice(proposal, actor, mine, recommendation, why, *numbers)


def _contrast(
    mean: Float[np.ndarray, " 2"], covariance: Float[np.ndarray, "2 2"]
) -> tuple[float, float]:
    """Mean and sd of the second less the first."""
    variance = covariance[0, 0] + covariance[1, 1] - 2.0 * covariance[0, 1]
    return float(mean[1] - mean[0]), math.sqrt(max(float(variance), 0.0))


def _ruled(
    recommendation: Recommendation,
    why: str,
    rule: str | None,
    follows: bool | Mapping[str, Value] | None,
    because: str,
) -> tuple[Recommendation, str]:
    """In a team, its rule says what to do, and the sentence says that it does, and why."""
    if rule is None or follows is None:
        return recommendation, why
    end = f", {because}." if because else "."
    if isinstance(follows, Mapping):  # neither is better than what the rule would try
        third = f"a third point, {values(follows)}"
        return "your call", f"{why[:-1]}; the rule “{rule}” takes {third}{end}"
    ruled: Recommendation = "step in" if follows else "go ahead"
    joined = ";" if recommendation in (ruled, "your call") else ", but"
    tried = "yours" if follows else "the machine's"
    return ruled, f"{why[:-1]}{joined} the rule “{rule}” takes {tried}{end}"


def _before(
    record: TrackRecord,
    aligned: Alignment | None,
    *,
    same: bool,
    over: bool,
    nothing: str,
) -> tuple[Recommendation, str]:
    """Advice without two points to compare."""
    if over:
        return "your call", "This proposal is over: there is nothing left to decide."
    if same:
        return "go ahead", "This is what was proposed."
    if nothing:
        return "your call", f"{nothing}: it cannot tell the two apart."
    if aligned is None:
        return "your call", "Say what you would try, and it is compared with the proposal."
    words = record.words()
    if words and record.mean < 0.0:
        return "go ahead", f"{words[0].upper()}{words[1:]}."
    differs = aligned.factor > ALIGNED
    if not differs:
        return "go ahead", aligned.sentence()
    if words:
        return "step in", f"{aligned.sentence()[:-1]}, and {words}."
    return "your call", aligned.sentence()


def _compared(chance: float, gain: float, sides: Sides, record: TrackRecord) -> str:
    """One sentence on which of the two is better."""
    theirs, yours = (float(each) for each in sides.keeps)
    does = re.sub("(keep|work)", r"\1s", sides.what)
    keeps = f"{does} with a chance of"
    if chance >= SURE:
        text = f"Yours is better with a chance of {_percent(chance)}"
        if yours - theirs > 0.2 or (gain <= 0.0 and theirs < LESS_LIKELY * yours):
            text += f": it {keeps} {_percent(yours)}, the machine's {_percent(theirs)}"
        elif gain > 0.0:
            text += f" and expected to gain {gain:.3g}"
        else:
            text += f", though it is expected to be {-gain:.3g} worse"
    elif chance <= HOPELESS:
        text = f"The machine's is better with a chance of {_percent(1.0 - chance)}"
        if theirs - yours > 0.2 or (gain >= 0.0 and yours < LESS_LIKELY * theirs):
            text += f": it {keeps} {_percent(theirs)}, yours {_percent(yours)}"
        elif gain < 0.0:
            text += f"; yours is expected to lose {-gain:.3g}"
        else:
            text += f", though yours is expected to be {gain:.3g} better"
    else:
        text = f"They can hardly be told apart: yours is better with a chance of {_percent(chance)}"
    either = yours + theirs - yours * theirs
    if either < 0.5:
        text = (
            f"Neither is likely to {sides.what}, at least one with a chance of "
            f"{_percent(either)}; if one does, {text[0].lower()}{text[1:]}"
        )
    words = record.words()
    if words and (record.mean > 0.0) == (chance > 0.5):
        text += f"; {words}"
    if chance > HOPELESS and sides.sds[0] > TEACHES * sides.sds[1]:
        text += "; the machine's would teach more"
    return f"{text}."


def _short(value: float) -> str:
    """Two decimals, and no minus before a zero."""
    return f"{round(value, 2) + 0.0:.2f}"


def _percent(chance: float) -> str:
    """A chance in whole per cent; 0% and 100% are for what is certain."""
    return f"{min(max(chance, 0.01), 0.99):.0%}"


def _normal(z: float) -> float:
    return 0.5 * math.erfc(-z / math.sqrt(2.0))
