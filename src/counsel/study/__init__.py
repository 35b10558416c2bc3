"""Studies: ask, decide, tell."""

from counsel.study.study import NOBODY, Study, create_study, delete_study, list_studies, load_study

__all__ = ["NOBODY", "Study", "create_study", "delete_study", "list_studies", "load_study"]
