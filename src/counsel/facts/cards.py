"""Records as a notebook shows them: small HTML tables, readable on any background."""

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counsel.facts.records import Proposal
    from counsel.facts.summaries import Best

__all__ = ["LEAST", "best", "card", "proposal", "summands", "table", "values"]

# Colours come from the notebook's own theme; only lines and faint text are ours.
_STYLE = "font:14px/1.45 system-ui,sans-serif;border-left:3px solid #0072b2;padding:4px 12px"
_CELL = "padding:2px 10px 2px 0;text-align:left;background:none"


# What underflows in a chance or an improvement is nothing, to a reader.
LEAST = 1e-100


def _number(value: object) -> str:
    if isinstance(value, float):
        return "0" if abs(value) < LEAST else f"{value:.4g}"
    return str(value)


def summands(row: Iterable[float]) -> list[float]:
    """Numbers that add up, as a reader sees them: what drowns in the rest's rounding is 0."""
    numbers = [float(each) for each in row]
    least = 1e-9 * max(map(abs, numbers), default=0.0)
    return [each if abs(each) > least else 0.0 for each in numbers]


def values(point: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {_number(each)}" for name, each in point.items())


def card(title: str, rows: Iterable[tuple[str, object]], more: str = "") -> str:
    """A title over a table of names and values; `more` is HTML and goes below."""
    cells = "".join(
        f'<tr><td style="{_CELL};opacity:.7">{_text(name)}</td>'
        f'<td style="{_CELL}">{_text(_number(each))}</td></tr>'
        for name, each in rows
        if each not in (None, "")
    )
    return (
        f'<div class="counsel" style="{_STYLE}"><b>{_text(title)}</b>'
        f'<table style="border-collapse:collapse">{cells}</table>{more}</div>'
    )


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Columns of numbers under their names."""
    head = "".join(f'<th style="{_CELL}">{_text(each)}</th>' for each in columns)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}">{_text(_number(c))}</td>' for c in row) + "</tr>"
        for row in rows
    )
    return f'<table style="border-collapse:collapse"><tr>{head}</tr>{body}</table>'


def proposal(shown: "Proposal") -> str:
    believed = shown.prediction
    rows = [
        ("try", values(shown.values)),
        ("in", values(shown.context)),
        ("predicted", f"{believed.mean:.4g} ± {believed.sd:.2g}" if believed else ""),
        ("worth asking", ", ".join(shown.asks)),
        ("because of", values(shown.terms)),
        ("note", shown.note),
    ]
    return card(f"Proposal {shown.id} by {shown.policy}", rows)


def best(shown: "Best") -> str:
    told = shown.observation
    rows = [
        (f"mean of {shown.measurements}" if shown.measurements > 1 else "value", shown.value),
        ("at", values(shown.values)),
        ("proposal", None if shown.proposal is None else shown.proposal.id),
        ("observation", None if told is None else f"{told.id} by {told.actor}"),
    ]
    return card("Best trial so far", rows)


def _text(given: object) -> str:
    return html.escape(str(given))
