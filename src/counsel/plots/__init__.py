"""Figures of a study, the same in a notebook, a report and a web page.

Each function looks at a study and returns a `plotly.graph_objects.Figure`; none changes the study.

    from counsel import plots

    plots.progress(study).show()
    plots.report([plots.progress(study), plots.landscape(study)], "study.html", "My study")
"""

from counsel.plots._attribution import contributions, interactions, waterfall
from counsel.plots._front import front
from counsel.plots._importances import importances
from counsel.plots._landscape import landscape
from counsel.plots._overriding import overriding
from counsel.plots._parallel import parallel
from counsel.plots._paths import paths
from counsel.plots._progress import progress
from counsel.plots._report import report, writable
from counsel.plots._safe_set import safe_set
from counsel.plots._slices import slices
from counsel.plots._validation import validation
from counsel.plots._weight import output_weight

__all__ = [
    "contributions",
    "front",
    "importances",
    "interactions",
    "landscape",
    "output_weight",
    "overriding",
    "parallel",
    "paths",
    "progress",
    "report",
    "safe_set",
    "slices",
    "validation",
    "waterfall",
    "writable",
]
