"""A study at a glance."""

from counsel.facts.cards import Card, values
from counsel.study.protocol import StudyLike

__all__ = ["card"]


def card(study: StudyLike) -> Card:
    """What there is to see of a study at a glance."""
    problem, best = study.problem, study.best
    rows = [
        ("objective", problem.aim),
        ("constraints", ", ".join(each.name for each in problem.constraints)),
        ("parameters", ", ".join(problem.space.names)),
        ("policy", study.setup.policy_name),
        ("observations", len(study.observations)),
        ("waiting", ", ".join(each.id for each in study.pending)),
        ("best", "" if best is None else f"{best.value:.4g} at {values(best.values)}"),
    ]
    return Card(f"Study {study.name}", rows)
