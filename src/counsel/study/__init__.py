"""Studies: ask, decide, tell."""

from counsel.study.contract.points import NOBODY
from counsel.study.opening import create_study, delete_study, list_studies, load_study
from counsel.study.protocol import StudyLike
from counsel.study.study import Study

__all__ = [
    "NOBODY",
    "Study",
    "StudyLike",
    "create_study",
    "delete_study",
    "list_studies",
    "load_study",
]
