"""Output of the command line: JSON for programs, tables for people, sentences for errors."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from counsel.errors import Conflict, CounselError, InvalidInput, shorten
from counsel.facts.cards import LEAST

if TYPE_CHECKING:
    from counsel.facts.problem import Problem
    from counsel.space import AnySpace

__all__ = ["complain", "measures", "outcomes", "say", "sentences", "shown", "table"]

# "`counsel facts`, or study.facts": a command, and what a Python user writes instead.
_PYTHON = re.compile(r"(`counsel [^`]*`), or (?:study\.\w+(?:\([^)]*\))?|create_study),?")


@contextmanager
def sentences(options: Iterable[str] = ()) -> Iterator[None]:
    """End Counsel's own errors, and an interrupt, with one sentence.

    Where it names an argument that is one of the command's `options`, it names the option. Exit
    codes: 2 for an error, 3 for a conflict, 130 after an interrupt.
    """
    try:
        yield
    except CounselError as error:
        complain(f"Error: {_in_words(error, options)}", "red")
        raise typer.Exit(3 if isinstance(error, Conflict) else 2) from None
    except KeyboardInterrupt:
        complain("Interrupted.")
        raise typer.Exit(130) from None


def _in_words(error: CounselError, options: Iterable[str]) -> str:
    """The message in the terminal's language."""
    text = str(error)
    if isinstance(error, InvalidInput):
        text = f"{error.field}: got {_given(error.value)}. {error.remedy}"
    text = _PYTHON.sub(r"\1", text)
    for name in options:
        text = text.replace(f"`{name}`", f"--{name.replace('_', '-')}")
    return text


def _given(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case Mapping() if len(value) <= 8:
            return " ".join(f"{name}={_given(each)}" for name, each in value.items())
        case list() if len(value) <= 8:
            return ", ".join(map(_given, value)) or "nothing"
        case bool():
            return str(value).lower()
        case float():
            return shown(value)
    return shorten(value)


def complain(sentence: str, style: str = "") -> None:
    from rich.console import Console
    from rich.text import Text

    Console(stderr=True).print(Text(sentence, style=style), soft_wrap=True)


def say(as_json: bool, data: Any, text: str) -> None:
    """The data in the codec's form, or the text."""
    if as_json:
        from counsel.facts import codec

        typer.echo(codec.to_text(data, indent=1))
    else:
        typer.echo(text)


def table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Columns of equal width, plain enough for a pipe."""
    lines: list[list[object]] = [list(columns), *(list(row) for row in rows)]
    cells = [[shown(cell) for cell in line] for line in lines]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    joined = [
        "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells
    ]
    return "\n".join(joined)


def shown(value: object) -> str:
    match value:
        case None:
            return ""
        case float():
            return "0" if abs(value) < LEAST else f"{value:.6g}"
        case Mapping():
            return ", ".join(f"{name} {shown(each)}" for name, each in value.items())
    return str(value)


def outcomes(problem: "Problem", values: Mapping[str, float]) -> str:
    """What was measured or answered, as people say it."""
    said = {each.name for each in problem.constraints if each.answer == "yes/no"}
    words = {
        name: ("yes" if value else "no") if name in said else value
        for name, value in values.items()
    }
    return shown(words)


def measures(
    space: "AnySpace", values: Mapping[str, object], context: Mapping[str, object] | None = None
) -> str:
    """Values of parameters, with their units, and the context in which they were or will be."""
    units = ((name, space.unit(name)) for name in values)
    text = ", ".join(
        f"{name} {shown(values[name])}{f' {unit}' if unit else ''}" for name, unit in units
    )
    return f"{text} (given {measures(space, context)})" if context else text
