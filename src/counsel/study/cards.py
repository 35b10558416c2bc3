"""A study as a notebook shows it."""

from counsel.facts import cards
from counsel.study.protocol import StudyLike

__all__ = ["card"]


def card(study: StudyLike) -> str:
    """A study as a notebook shows it."""
    problem, best = study.problem, study.best
    rows = [
        ("objective", problem.aim),
        ("constraints", ", ".join(each.name for each in problem.constraints)),
        ("parameters", ", ".join(problem.space.names)),
        ("policy", study.setup.policy_name),
        ("observations", len(study.observations)),
        ("waiting", ", ".join(each.id for each in study.pending)),
        ("best", "" if best is None else f"{best.value:.4g} at {cards.values(best.values)}"),
    ]
    return cards.card(f"Study {study.name}", rows)
