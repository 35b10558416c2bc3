"""Studies in and out: whole ones as JSON, CSV or Parquet, and trials made elsewhere.

document.py   a study as plain data, and as JSON
table.py      the same as one table: CSV, Parquet
whole.py      export, import and copy of whole studies
cells.py      texts from a spreadsheet or a terminal, as values
trials.py     past trials from a spreadsheet
from_optuna.py  an Optuna study
yaml_file.py  a new study, described in a file
"""

from counsel.exchange.files import copy_study, export_study, import_study
from counsel.exchange.from_optuna import import_optuna
from counsel.exchange.trials import Imported, import_trials
from counsel.exchange.yaml_file import study_from_yaml

__all__ = [
    "Imported",
    "copy_study",
    "export_study",
    "import_optuna",
    "import_study",
    "import_trials",
    "study_from_yaml",
]
