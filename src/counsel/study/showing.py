"""How a study is shown in a console; `cards` has the one for notebooks."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counsel.study.protocol import StudyLike

__all__ = ["described"]


def _counts(study: "StudyLike") -> str:
    parts = [_many(len(study.observations), "observation"), f"{len(study.pending)} pending"]
    failures = study.failures
    parts += [_many(len(failures), "failure")] if failures else []
    return ", ".join(parts)


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def described(study: "StudyLike") -> str:
    """One line; it computes nothing."""
    aim = study.problem.aim
    over = ", ".join(study.problem.space.names)
    return (
        f"<Study {study.name!r}: {aim} over {over} by {study.setup.policy_name}; {_counts(study)}>"
    )
