"""The report as Markdown: remarks, tables, how it was made; for docs/results/."""

from counsel.experiments.provenance import Provenance
from counsel.experiments.report import Report, Table

__all__ = ["markdown"]


def markdown(title: str, mirrors: str, report: Report, provenance: Provenance) -> str:
    parts = [f"# {title}", f"{mirrors}. Made with `{provenance.command}`."]
    parts.append("\n".join(f"* {remark}" for remark in report.remarks))
    for chapter in report.chapters:
        if chapter.tables:
            parts.append(f"## {chapter.title}")
        parts += [_table(table) for table in chapter.tables]
    parts.append("## How this was made")
    parts.append("\n".join(f"* {name}: {value}" for name, value in provenance.facts.items()))
    return "\n\n".join(parts) + "\n"


def _table(table: Table) -> str:
    lines = [f"**{table.title}**", "", _line(table.columns), _line(("---",) * len(table.columns))]
    lines += [_line(row) for row in table.rows]
    return "\n".join([*lines, "", table.note] if table.note else lines)


def _line(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
