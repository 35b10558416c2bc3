"""What the Decide page reads from the facts: what waits, what was decided, who holds what.

Nothing is computed for it, so that it is there at once.
"""

from typing import NamedTuple

from counsel.facts.records import (
    Comment,
    Decision,
    Fact,
    Lease,
    Prediction,
    Proposal,
    Withdrawal,
)
from counsel.service.web.forecasts import to_forecast
from counsel.study import Study

__all__ = ["Waiting", "known", "look", "trials_told"]


class Waiting(NamedTuple):
    pending: tuple[Proposal, ...]
    decisions: dict[str, Decision]
    leases: dict[str, Lease]
    trials: int
    facts: int
    last: Fact | None
    to_forecast: tuple[Proposal, ...]


def look(study: Study, actor: str | None) -> Waiting:
    """A study as it is; without an actor nobody is asked for forecasts."""
    facts = study.facts
    gone = {fact.fact for fact in facts if isinstance(fact, Withdrawal)}
    decisions = {f.proposal: f for f in facts if isinstance(f, Decision) and f.id not in gone}
    leases = {lease.proposal: lease for lease in study.leases}
    last = facts[-1] if facts else None
    asked = to_forecast(study, actor) if actor is not None else ()
    trials = trials_told(study)
    return Waiting(study.pending, decisions, leases, trials, len(facts), last, asked)


def trials_told(study: Study) -> int:
    """How many trials something was told of; parts of one are one."""
    return len({each.proposal or each.id for each in study.observations})


def known(study: Study, proposal: Proposal) -> Prediction | None:
    """What was expected when this was proposed, if nothing has been learned since."""
    later = study.facts[proposal.seen :]
    same = all(isinstance(fact, Proposal | Decision | Comment) for fact in later)
    return proposal.prediction if same else None
