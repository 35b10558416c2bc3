"""What people and agents may undo, checked where a fact is written and on the facts it follows.

A rejection is a veto: only its author, or an owner of the study, takes it back. An agent changes
nothing but what it wrote itself, whatever its role.
"""

from counsel.errors import CounselError
from counsel.facts.records import AGENT, Decision, Fact, Revision, Withdrawal
from counsel.facts.state import InForce, StudyState
from counsel.storage.ledger import Rule

__all__ = ["NotAllowed", "rule_for"]


class NotAllowed(CounselError):
    """Raised if a person may not, or may no longer, do this."""


def rule_for(*, owner: bool) -> Rule:
    """The rule for facts of somebody with a token, an owner of the study or not."""

    def rule(state: StudyState, fact: Fact) -> None:
        undone = _undone_by(state, fact)
        by = getattr(fact, "actor", None)
        if undone is None or by == undone.actor:
            return
        if str(by).startswith(AGENT):
            raise NotAllowed(
                f"{undone.id!r} is {undone.actor}'s. An agent changes nothing but its own facts: "
                "ask a person to do it."
            )
        if isinstance(undone, Decision) and undone.kind == "reject" and not owner:
            raise NotAllowed(
                f"{undone.actor} rejected proposal {undone.proposal!r}. Only they, or an owner of "
                "the study, can take that back."
            )

    return rule


def _undone_by(state: StudyState, fact: Fact) -> InForce | None:
    """The fact that no longer counts once this one is written."""
    match fact:
        case Withdrawal():
            return state.in_force(fact.fact)
        case Revision():
            return state.observation(fact.fact)
        case Decision():
            first = state.decisions.get(fact.proposal)
            return None if first is None or first.kind == "abandon" else first
    return None
