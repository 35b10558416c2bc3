"""Records as people see them: small HTML tables in a notebook, aligned text in a terminal."""

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["LEAST", "ROUNDING", "Card", "Table", "beside", "summands", "values"]

# Colours come from the notebook's own theme; only lines and faint text are ours.
_STYLE = "font:14px/1.45 system-ui,sans-serif;border-left:3px solid #0072b2;padding:4px 12px"
_CELL = "padding:2px 10px 2px 0;text-align:left;background:none"

# What underflows in a chance or an improvement is nothing, to a reader.
LEAST = 1e-100
ROUNDING = 1e-11  # of a number's size: a level of a billion does not hide differences of one


def _number(value: object) -> str:
    if isinstance(value, float):
        if 9999.5 <= abs(value) < 1e15:  # what is before the point is always told
            return f"{value:.0f}"
        return "0" if abs(value) < LEAST else f"{value:.4g}"
    return str(value)


def beside(value: float, *gaps: float) -> str:
    """A number with as many digits as show its distances to others, such as its own sd.

    Of a distance that is rounding alone, nothing is shown.
    """
    sizes = [abs(gap) for gap in gaps if abs(gap) > ROUNDING * abs(value)]
    ratio = abs(value) / min(sizes) if sizes else 1.0
    digits = min(max(4, math.ceil(math.log10(max(ratio, 1.0))) + 2), 15)
    return f"{value:.{digits}g}"


def summands(row: Iterable[float]) -> list[float]:
    """Numbers that add up, as a reader sees them: what drowns in the rest's rounding is 0."""
    numbers = [float(each) for each in row]
    least = 1e-9 * max(map(abs, numbers), default=0.0)
    return [each if abs(each) > least else 0.0 for each in numbers]


def values(point: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {_number(each)}" for name, each in point.items())


@dataclass(frozen=True)
class Table:
    """Columns of numbers under their names."""

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]

    def html(self) -> str:
        head = "".join(f'<th style="{_CELL}">{_escaped(each)}</th>' for each in self.columns)
        body = "".join(
            "<tr>"
            + "".join(f'<td style="{_CELL}">{_escaped(_number(cell))}</td>' for cell in row)
            + "</tr>"
            for row in self.rows
        )
        return f'<table style="border-collapse:collapse"><tr>{head}</tr>{body}</table>'

    def text(self) -> str:
        lines = [list(self.columns), *([_number(cell) for cell in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(
                cell.ljust(width) if place == 0 else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        )


@dataclass(frozen=True)
class Card:
    """A title over names with values, then tables and further cards; what is empty is left out."""

    title: str
    rows: Sequence[tuple[str, object]] = ()
    more: Sequence["Table | Card"] = ()

    def html(self) -> str:
        cells = "".join(
            f'<tr><td style="{_CELL};opacity:.7">{_escaped(name)}</td>'
            f'<td style="{_CELL}">{_escaped(_number(each))}</td></tr>'
            for name, each in self._there
        )
        return (
            f'<div class="counsel" style="{_STYLE}"><b>{_escaped(self.title)}</b>'
            f'<table style="border-collapse:collapse">{cells}</table>'
            f"{''.join(each.html() for each in self.more)}</div>"
        )

    def text(self) -> str:
        width = max((len(name) for name, _ in self._there), default=0)
        lines = [self.title]
        lines += [f"  {name.ljust(width)}  {_number(each)}" for name, each in self._there]
        for each in self.more:
            lines += [f"  {line}".rstrip() for line in each.text().splitlines()]
        return "\n".join(lines)

    @property
    def _there(self) -> list[tuple[str, object]]:
        return [(name, each) for name, each in self.rows if each not in (None, "")]


def _escaped(given: object) -> str:
    return html.escape(str(given))
