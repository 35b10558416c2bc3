"""The report as one standalone page: remarks, figures, tables; no network needed, any width."""

import html
from pathlib import Path
from string import Template

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from counsel.experiments.provenance import Provenance
from counsel.experiments.report import Chapter, Report, Table

__all__ = ["page"]

_PAGE = Template((Path(__file__).parent / "page.html").read_text(encoding="utf-8"))


def page(title: str, mirrors: str, report: Report, provenance: Provenance) -> str:
    chapters = [_chapter(number, chapter) for number, chapter in enumerate(report.chapters)]
    return _PAGE.substitute(
        title=html.escape(title),
        mirrors=html.escape(mirrors),
        plotly=get_plotlyjs(),
        remarks="\n".join(f"<li>{html.escape(remark)}</li>" for remark in report.remarks),
        chapters="\n".join(chapters),
        command=html.escape(provenance.command),
        facts="\n".join(
            f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>"
            for name, value in provenance.facts.items()
        ),
    )


def _chapter(number: int, chapter: Chapter) -> str:
    figures = [_figure(figure, f"figure-{number}-{i}") for i, figure in enumerate(chapter.figures)]
    tables = [_table(table) for table in chapter.tables]
    return (
        f"<h2>{html.escape(chapter.title)}</h2>\n"
        f'<div class="figures">{"".join(figures)}</div>\n' + "\n".join(tables)
    )


def _figure(figure: go.Figure, name: str) -> str:
    inside = figure.to_html(
        full_html=False,
        include_plotlyjs=False,
        div_id=name,
        config={"responsive": True, "displaylogo": False, "displayModeBar": False},
    )
    return f"<section>{inside}</section>"


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{html.escape(column)}</th>' for column in table.columns)
    body = "\n".join(
        f'<tr><th scope="row">{html.escape(row[0])}</th>'
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in table.rows
    )
    note = f"<p>{html.escape(table.note)}</p>" if table.note else ""
    return (
        f"<section><h3>{html.escape(table.title)}</h3>"
        f'<div class="scroll" tabindex="0"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>{note}</section>"
    )
