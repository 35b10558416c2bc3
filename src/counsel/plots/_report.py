"""Puts figures into one standalone page: Plotly included, no network needed, any width."""

import html
from collections.abc import Sequence
from pathlib import Path
from string import Template

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from counsel.errors import InvalidInput

_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
body { margin: 0; background: #f3f5f7; color: #24303a;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 1160px; margin: 0 auto; padding: 16px; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 8px 0 12px; overflow-wrap: anywhere;
  letter-spacing: -.02em; }
table { border-collapse: collapse; width: 100%; font-size: .85rem;
  font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 4px 8px; border-bottom: 1px solid #dde2e6;
  overflow-wrap: anywhere; }
tr { break-inside: avoid; } thead { display: table-header-group; }
section { background: white; border: 1px solid #dde2e6; border-radius: 12px; padding: 8px;
  margin-bottom: 16px; overflow: hidden; }
@media print { body { background: white; } section { break-inside: avoid; }
  section.table { break-inside: auto; } }
@media (max-width: 640px) { main { padding: 8px; } section { padding: 4px; } }
</style>
<script>$plotly</script>
</head>
<body>
<main>
<h1>$title</h1>
$summary
$figures
$table
</main>
<script>
// A figure may bring a second arrangement for narrow screens, in its layout's meta.
for (const figure of document.querySelectorAll(".plotly-graph-div")) {
  let now = "wide";
  const arrange = () => {
    const ways = figure.layout.meta;
    const way = figure.clientWidth < 640 ? "narrow" : "wide";
    if (!ways || way === now) return;
    now = way;
    figure.parentElement.style.height = ways[way].height + "px";
    Plotly.relayout(figure, ways[way]);
  };
  new ResizeObserver(arrange).observe(figure);
}
</script>
</body>
</html>
""")


def report(figures: Sequence[go.Figure], path: str | Path, title: str, summary: str = "") -> Path:
    """Write the figures to one HTML file, below `summary`, and return its path."""
    target = writable(path)
    page = report_text(figures, title, summary)
    try:
        target.write_text(page, encoding="utf-8")
    except OSError as error:
        raise InvalidInput("path", str(path), f"Cannot write there: {error.strerror}.") from error
    return target


def report_text(
    figures: Sequence[go.Figure],
    title: str,
    summary: str = "",
    rows: Sequence[Sequence[str]] = (),
) -> str:
    """The figures as one HTML page, below `summary`; then `rows`, the first of them names."""
    if not figures:
        raise InvalidInput("figures", figures, "Give at least one figure.")
    sections = [
        figure.to_html(
            full_html=False,
            include_plotlyjs=False,
            div_id=f"figure-{i}",
            config={"responsive": True, "displaylogo": False, "displayModeBar": False},
        )
        for i, figure in enumerate(figures, 1)
    ]
    return _PAGE.substitute(
        title=html.escape(title),
        summary=f"<p>{html.escape(summary)}</p>" if summary else "",
        plotly=get_plotlyjs(),
        figures="\n".join(f"<section>{section}</section>" for section in sections),
        table=_table(rows),
    )


def _table(rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    head, *body = (
        "<tr>" + "".join(f"<{cell}>{html.escape(text)}</{cell}>" for text in row) + "</tr>"
        for cell, row in zip(["th", *["td"] * (len(rows) - 1)], rows, strict=True)
    )
    whole = f"<thead>{head}</thead><tbody>{''.join(body)}</tbody>"
    return f'<section class="table"><table>{whole}</table></section>'


def writable(path: str | Path) -> Path:
    """Check the path before doing any work that would be lost."""
    target = Path(path)
    if target.is_dir():
        raise InvalidInput("path", str(path), "This is a folder; give the name of a file.")
    if not target.parent.is_dir():
        raise InvalidInput("path", str(path), f"There is no folder {str(target.parent)!r}.")
    return target
