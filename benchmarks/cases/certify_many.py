"""A thousand arms and five constraints: the ask after 100 trials, and the next question.

Each has a trial before it that nothing is known of yet: what is timed is a round, warm. The rounds
are those of a study that goes on, one after the other.
"""

import numpy as np

from benchmarks.cases.case import OURS, Case, Check, Results
from benchmarks.measure import Measurement, timed

ARMS, CONSTRAINTS, TRIALS, ROUNDS = 1000, 5, 100, 8
_QUESTION = f"{OURS}-question"
_GOAL = 0.3


def _rounds() -> tuple[Measurement, Measurement]:
    """The asks and the questions of some rounds; the first of each is shown apart."""
    import counsel as cs

    rng = np.random.default_rng(0)
    points = rng.uniform(size=(ARMS, 4))
    truth = np.sin(3.0 * points @ rng.standard_normal((4, 1 + CONSTRAINTS)))
    names = [f"c{i}" for i in range(CONSTRAINTS)]
    space = cs.Arms(points)
    limits = [cs.Constraint(name, at_least=-0.5) for name in names]
    study = cs.create_study(space, constraints=limits, policy="dmcl", seed=0)

    def outcome(arm: int) -> tuple[float, dict[str, float]]:
        seen = truth[arm] + 0.05 * rng.standard_normal(1 + CONSTRAINTS)
        return float(seen[0]), dict(zip(names, seen[1:].tolist(), strict=True))

    for arm in rng.integers(ARMS, size=TRIALS):
        payoff, answers = outcome(int(arm))
        kept = {name: answers[name] for name in names if rng.uniform() < 0.5}
        study.tell(space[int(arm)], payoff, constraints=kept)
    asks, questions = [], []
    for _ in range(1 + ROUNDS):
        proposal, wall, cpu = timed(study.ask)
        asks.append((wall, cpu))
        payoff, answers = outcome(space.index(proposal.values))
        study.tell(proposal, payoff)
        question, wall, cpu = timed(lambda proposal=proposal: study.next_question(proposal))
        questions.append((wall, cpu))
        if question is not None:
            study.tell(proposal, constraints={question: answers[question]})
    return _measured(asks), _measured(questions)


def _measured(both: list[tuple[float, float]]) -> Measurement:
    first, *rest = both
    return Measurement(wall=[w for w, _ in rest], cpu=[c for _, c in rest], first=first[0])


def _ask() -> Measurement:
    return _rounds()[0]


def _question() -> Measurement:
    return _rounds()[1]


def _checks(results: Results) -> list[Check]:
    found = []
    for name, what in ((OURS, "an ask takes"), (_QUESTION, "the next question takes")):
        if name in results:
            taken = results[name].seconds
            found.append(Check(f"{what} {taken:.2f} s (goal {_GOAL} s)", taken < _GOAL))
    return found


CASE = Case(
    name="certify-many",
    title=f"Constraints over {ARMS:,} arms: {CONSTRAINTS} of them, {TRIALS} trials, half answered",
    contestants={OURS: _ask, _QUESTION: _question},
    checks=_checks,
)
