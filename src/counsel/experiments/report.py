"""The content of a report: remarks, tables, figures."""

from dataclasses import dataclass

import plotly.graph_objects as go

__all__ = ["Chapter", "Report", "Table"]


@dataclass(frozen=True)
class Table:
    """Cells as text; the first column names the row."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Chapter:
    """One world: its tables and figures."""

    title: str
    tables: tuple[Table, ...] = ()
    figures: tuple[go.Figure, ...] = ()


@dataclass(frozen=True)
class Report:
    """`remarks` are sentences: what came out, where it differs from the paper, and why."""

    remarks: tuple[str, ...]
    chapters: tuple[Chapter, ...]
