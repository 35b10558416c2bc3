"""What came of a trial: predicted and measured, a new best or not, and what was learned from it."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from counsel.errors import CounselError
from counsel.facts.records import Observation, Prediction, Proposal, Value
from counsel.facts.summaries import Best
from counsel.plots._importances import shares_of
from counsel.service.web import picture, words
from counsel.space import Arms
from counsel.study import Study

__all__ = ["Expectations", "Outcome", "come_of", "expectations"]

_POINTS = 128
_MOST = 8  # parameters
_SURPRISE = 3.0  # sds: noise, which they include, seldom reaches so far


class Expectations(NamedTuple):
    """What a trial is expected to measure, what is believed at points spread over the space, and
    the best so far; `seen` is the picture of it."""

    here: Prediction | None
    points: list[dict[str, Value]]
    beliefs: list[Prediction] | None
    best: Best | None
    seen: picture.Sight | None


class Outcome(NamedTuple):
    """In words, and as pictures of what was believed before and is now; None without beliefs."""

    sentence: str
    learned: str
    pictures: tuple[picture.Sight, picture.Sight] | None = None


def expectations(study: Study, proposal: Proposal, values: Mapping[str, Value]) -> Expectations:
    """What is expected if these values are tried for a proposal."""
    context = dict(proposal.context) or None
    here = _beliefs(study, [dict(values)], context, noise=True)
    space, rng = study.problem.space, np.random.default_rng(0)
    if isinstance(space, Arms):
        rows = rng.permutation(len(space))[:_POINTS]
        points = [space[int(row)] for row in rows]
    else:
        points = [space.decode(x) for x in space.sample(_POINTS, rng)]
    beliefs = _beliefs(study, points, context)
    seen = None if beliefs is None else picture.of_trial(study, proposal, values)
    return Expectations(here[0] if here else None, points, beliefs, study.best, seen)


def come_of(study: Study, proposal: Proposal, made: Observation, earlier: Expectations) -> Outcome:
    """Compare what was measured with what had been believed."""
    before = earlier.here
    got, best = study.problem.payoff(made.outcomes), study.best
    if got is None:
        return Outcome(f"Recorded: {words.spoken(study.problem)(made.outcomes)}.", "")
    news = _news(study, made, before, earlier.best, best)
    predicted = ""
    if before is not None:
        predicted = f"Predicted {words.believed(before, '95% of measurements')}, "
    others = {
        name: value for name, value in made.outcomes.items() if name not in study.problem.measured
    }
    also = f" with {words.spoken(study.problem)(others)}" if others else ""
    sentence = f"{predicted}got {words.number(got)}{also}: {news}."
    pictures = None
    if earlier.seen is not None:
        now = picture.of_trial(study, proposal, made.values)
        pictures = picture.on_one_scale(earlier.seen, now)
    return Outcome(sentence[0].upper() + sentence[1:], _learned(study, made, earlier), pictures)


def _news(
    study: Study,
    made: Observation,
    before: Prediction | None,
    was: Best | None,
    best: Best | None,
) -> str:
    got = study.problem.payoff(made.outcomes)
    parts = []
    broken = [
        c.name
        for c in study.problem.constraints
        if c.name in made.outcomes and c.margin(made.outcomes[c.name]) < 0.0
    ]
    if broken:
        parts.append(f"{', '.join(broken)} did not hold")
    elif best is not None and dict(best.values) == dict(made.values):
        again = was is not None and dict(was.values) == dict(made.values)
        parts.append("still the best" if again else "a new best" if was else "the first")
    if before is not None and before.sd > 0.0 and got is not None:
        away = abs(before.surprise(got))
        if away > _SURPRISE:
            parts.append("a surprise")
        elif away > 1.96:
            parts.append("outside of the interval")
        else:
            parts.append("as expected")
    return ", and ".join(parts) or "recorded"


def _learned(study: Study, made: Observation, earlier: Expectations) -> str:
    """Where the expectation changed most, and which parameter moves it most."""
    context = dict(made.context) or None
    now = _beliefs(study, earlier.points, context)
    if now is None:
        return ""
    if earlier.beliefs is None:
        return "The machine has its first beliefs."
    moves = np.array([b.mean - a.mean for a, b in zip(earlier.beliefs, now, strict=True)])
    most = int(np.argmax(np.abs(moves)))
    text = (
        f"What is expected changed most near {words.point(earlier.points[most])}: "
        f"{words.number(earlier.beliefs[most].mean)} → {words.number(now[most].mean)}."
    )
    return " ".join(filter(None, (text, _matters(study, context))))


def _matters(study: Study, context: Mapping[str, Value] | None) -> str:
    """The parameter that the expected outcome depends on most."""
    if not 2 <= len(study.problem.space.names) <= _MOST:
        return ""
    shares = shares_of(study, context=context)
    if not shares:
        return ""
    first = max(shares, key=lambda name: shares[name])
    return f"It depends most on {first} ({shares[first]:.0%} of what varies)."


def _beliefs(
    study: Study,
    points: list[dict[str, Value]],
    context: Mapping[str, Value] | None,
    *,
    noise: bool = False,
) -> list[Prediction] | None:
    try:
        return study.predict_many(points, context=context, noise=noise)
    except CounselError:  # a policy without beliefs
        return None
