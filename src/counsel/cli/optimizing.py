"""Optimizes your own function from the terminal."""

import runpy
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from counsel.cli.options import DEFAULT, Address, Context, Json, Name, context_of, open_study
from counsel.cli.output import measures, say, shown

if TYPE_CHECKING:
    from counsel.study.optimizing import Function

__all__ = ["COMMANDS"]


def optimize(
    function: Annotated[
        str,
        typer.Argument(
            metavar="FILE:FUNCTION", help="A function of one dict of values, in a Python file."
        ),
    ],
    trials: Annotated[int, typer.Option(help="How many trials in all; earlier ones count.")],
    workers: Annotated[int, typer.Option(min=1, help="Trials at once, in threads.")] = 1,
    context: Context = None,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Annotated[str, typer.Option(envvar="COUNSEL_ACTOR", help="Who acts.")] = "optimize",
    most_failures: Annotated[
        int, typer.Option(help="Stop after this many failed trials in a row.")
    ] = 10,
    as_json: Json = False,
) -> None:
    """Run a function of yours until the study has a given number of trials."""
    from concurrent.futures import ThreadPoolExecutor

    opened = open_study(study, storage)
    found = _function(function)
    with ThreadPoolExecutor(workers) if workers > 1 else nullcontext() as executor:
        opened.optimize(
            found,
            trials,
            executor=executor,
            context=context_of(opened, context),
            actor=actor,
            most_failures=most_failures,
            progress=False if as_json else None,
        )
    best = opened.best
    text = "There is no best trial yet."
    if best is not None:
        text = f"best {shown(best.value)} at {measures(opened.problem.space, best.values)}"
    say(as_json, best, text)


def _function(name: str) -> "Function":
    from counsel.errors import InvalidInput

    file, colon, attribute = name.rpartition(":")
    if not colon or not Path(file).is_file():
        raise InvalidInput("function", name, "Write FILE:FUNCTION, as in experiment.py:measure.")
    found: Any = runpy.run_path(file).get(attribute)
    if not callable(found):
        raise InvalidInput("function", name, f"{file} has no function {attribute!r}.")
    return found


COMMANDS = [(optimize, "optimize", "counsel optimize experiment.py:measure --trials 30")]
