"""The command line. It parses and calls; everything it does is also available from Python.

Heavy imports happen in the commands that need them, so that `counsel --help` answers at once.
"""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.core
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from counsel import __version__
from counsel.cli import agents, beliefs, corrections, history, loop, optimizing, studies
from counsel.cli.options import register
from counsel.cli.output import sentences, table
from counsel.cli.service import register as register_service
from counsel.cli.upkeep import register as register_upkeep

_EXAMPLES = """\
[bold]Examples[/bold]

  counsel demo                        ready studies, in your browser
  counsel demo --terminal             a complete small study, in seconds
  counsel serve                       your own studies, as pages and over HTTP
  counsel reproduce --list            the papers' experiments

  counsel new study.yaml              a study on disk, described in a file
  counsel ask                         what to try next
  counsel tell p1 1.8                 what was measured
  counsel best                        the best trial so far"""

# What other tools call a command, where a similar spelling would suggest another one.
_MEANT = {"create": "new", "init": "new", "add": "tell", "show": "setup", "suggest": "ask"}


class _Commands(typer.core.TyperGroup):
    """Commands that know what other tools call them, with examples below the help."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        super().format_help(ctx, formatter)
        # Not an epilog: before typer 0.28 its lines are joined into a paragraph.
        Console(highlight=False).print(Padding(Text.from_markup(_EXAMPLES), 1))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        meant = _MEANT.get(args[0]) if args and args[0] not in self.commands else None
        if meant is not None:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {meant!r}?")
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_Commands,
    help="An optimizer that proposes what to try next, says why, and takes your counsel.",
    add_completion=True,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """The entry point `counsel`."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal may lack a character
            stream.reconfigure(errors="replace")
    app()


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"counsel {__version__}")
        raise typer.Exit


@app.callback()
def counsel(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_version, is_eager=True),
    ] = False,
) -> None:
    pass


@app.command(epilog="Example:  counsel reproduce lw-ucb/synthetic --seeds 20")
def reproduce(
    name: Annotated[str | None, typer.Argument(help="Which experiment; see --list.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="Show the experiments.")] = False,
    seeds: Annotated[int | None, typer.Option(min=1, help="How many seeds.")] = None,
    out: Annotated[Path, typer.Option(help="Where results go.")] = Path("results"),
    backend: Annotated[
        str | None, typer.Option(help="local, loky (default on several cores), dask or ray.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="How many blocks to run at once.")] = None,
    address: Annotated[str | None, typer.Option(help="Address of a Dask or Ray cluster.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Run finished blocks again.")] = False,
) -> None:
    """Run an experiment of the papers, or its missing parts, and write its report."""
    with sentences():
        from counsel.experiments import reproduce as experiments

        if list_ or name is None:
            columns = ["experiment", "what it shows", "in the paper"]
            typer.echo(table(columns, experiments.list_experiments()))
            return
        report = experiments.reproduce(
            name, seeds=seeds, out=out, backend=backend, jobs=jobs, address=address, fresh=fresh
        )
        typer.echo(f"Report: {report}")


register_service(app)
# In the order in which a study needs them.
for part in (studies, loop, corrections, optimizing, beliefs, history, agents):
    register(app, part.COMMANDS)
register_upkeep(app)
