"""Import and export: whole studies as files, descriptions of new studies, trials made elsewhere.

document.py      a whole study as JSON, and checks of its facts
format_1.py      files of the previous version
table.py         a whole study as one table: CSV, Parquet
files.py         export, import and copy of whole studies
schema.py        the JSON Schema of a study file and of every record
description.py   a new study, described by plain data
yaml_file.py     the same in a YAML file
cells.py         strings from a spreadsheet or a terminal, as values
spreadsheet.py   CSV, Excel and Parquet files as tables
trials.py        past trials from a spreadsheet
from_optuna.py   an Optuna study
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
