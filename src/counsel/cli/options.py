"""Options that the commands share, and the parsing of their arguments.

Every command names its storage (`--storage` or $COUNSEL_STORAGE) and, where there are several, its
study (`--study` or $COUNSEL_STUDY). A trial is a proposal's id (p3), values (lifting=20,mode=soft)
or a JSON object. Values may be separated by commas or spaces wherever a command takes only values.
"""

import functools
import getpass
import inspect
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
import typer.core

from counsel.cli.output import sentences

if TYPE_CHECKING:
    from counsel.study import Study

__all__ = [
    "DEFAULT",
    "Actor",
    "Address",
    "Answers",
    "Context",
    "Json",
    "Key",
    "Measured",
    "Name",
    "Pairs",
    "Proposed",
    "Reason",
    "Told",
    "Trial",
    "answers_of",
    "context_of",
    "masked",
    "numbers_of",
    "open_study",
    "point_of",
    "points_of",
    "register",
    "trial_and_value",
    "trial_of",
    "value_of",
    "values_of",
    "who",
]

DEFAULT = "sqlite:///counsel.db"
_NEGATIVE = re.compile(r"-[.,]?\d")
_Read = TypeVar("_Read")

Address = Annotated[
    str,
    typer.Option(
        "--storage",
        envvar="COUNSEL_STORAGE",
        help="Where studies are kept: sqlite:///file.db or postgresql://...",
    ),
]
Name = Annotated[
    str | None,
    typer.Option(
        "--study", "-s", envvar="COUNSEL_STUDY", help="Which study; the only one if there is one."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Actor = Annotated[
    str | None,
    typer.Option("--actor", envvar="COUNSEL_ACTOR", help="Who acts; you, by default."),
]
Reason = Annotated[str, typer.Option("--reason", help="Why.")]
Key = Annotated[
    str | None, typer.Option("--key", help="Idempotency key: a repeated command counts once.")
]
Proposed = Annotated[str, typer.Argument(metavar="PROPOSAL", help="Its id, as in p3.")]
Trial = Annotated[
    str, typer.Argument(metavar="TRIAL", help="A proposal (p3), values (x=1,y=2), or JSON.")
]
Pairs = Annotated[
    list[str] | None,
    typer.Argument(metavar="[NAME=VALUE]...", help="Parameter values, or a JSON object."),
]
Context = Annotated[
    list[str] | None, typer.Option("--context", "-c", help="A context variable: NAME=VALUE.")
]
Answers = Annotated[
    list[str] | None,
    typer.Option("--constraint", help="An answer about a constraint: NAME=NUMBER or NAME=yes."),
]
Measured = Annotated[
    str | None,
    typer.Argument(
        metavar="[VALUE]",
        help="What was measured: NUMBER, or NAME=NUMBER,... of several objectives. Leave it out to "
        "give answers only.",
    ),
]
Told = Annotated[
    list[str],
    typer.Argument(
        metavar="TRIAL [VALUE]",
        help="A proposal (p3), values (x=1,y=2 or x=1 y=2) or JSON, and what was measured: NUMBER, "
        "or NAME=NUMBER,... of several objectives. Leave the value out to give answers only.",
    ),
]


class _Command(typer.core.TyperCommand):
    """A command to which -0.5 is a number and not an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.ignore_unknown_options = any(_NEGATIVE.match(word) for word in args)
        return super().parse_args(ctx, args)


def register(app: typer.Typer, commands: Sequence[tuple[Callable[..., None], str, str]]) -> None:
    """Put functions on the command line, each by a name and with an example.

    Counsel's own errors end the command with one sentence.
    """
    for function, name, example in commands:
        app.command(name, cls=_Command, epilog=f"Example:  {example}")(_in_sentences(function))


def _in_sentences(function: Callable[..., None]) -> Callable[..., None]:
    names = tuple(inspect.signature(function).parameters)

    @functools.wraps(function)
    def run(*args: Any, **options: Any) -> None:
        with sentences(names):
            function(*args, **options)

    return run


def open_study(name: str | None, storage: str, *, archived: bool = False) -> "Study":
    """The study of that name, or the only one; with `archived`, the only archived one."""
    from counsel.errors import NotFound
    from counsel.storage import open_storage
    from counsel.study import load_study

    opened = open_storage(storage, create=False)
    if name is None:
        known = opened.summaries()
        names = [each.name for each in known if each.archived == archived]
        if len(names) != 1:
            raise NotFound(_which(names, [each.name for each in known], storage, archived))
        name = names[0]
    return load_study(name, opened)


def _which(names: list[str], known: list[str], storage: str, archived: bool) -> str:
    """Why no study was chosen, and what to do."""
    if names:
        return f"There are several studies here: {', '.join(names)}. Choose one with --study."
    if known:
        listed = ", ".join(known)
        if archived:
            return f"No study here is archived: {listed}."
        return (
            f"All studies here are archived: {listed}. Bring one back with counsel archive --back, "
            "or name it with --study."
        )
    return f"There is no study in {masked(storage)} yet. Create one: counsel new FILE"


def masked(address: str) -> str:
    """An address without its password."""
    from counsel.storage.engine import parse, shown

    return shown(parse(address))


def who(actor: str | None) -> str:
    if actor is not None:
        return actor
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        return "anonymous"


def values_of(study: "Study", words: Sequence[str]) -> dict[str, Any]:
    """`["lifting=20", "mode=soft"]`, or one JSON object, as values."""
    from counsel.errors import InvalidInput
    from counsel.exchange.cells import parse_pairs
    from counsel.facts import codec

    if len(words) == 1 and words[0].lstrip().startswith("{"):
        found = codec.from_text("values", words[0])
        if isinstance(found, dict):
            return found
        raise InvalidInput("values", words[0], "Give a JSON object.")
    return parse_pairs(study.problem.space, [pair for word in words for pair in _pairs_in(word)])


def _pairs_in(word: str) -> list[str]:
    """The parts of `lifting=20,mode=soft`. A comma that no name follows is part of a value."""
    return [pair for pair in re.split(r",(?=[^,=]+=)", word.strip(", ")) if pair]


def trial_of(study: "Study", word: str) -> Any:
    """A proposal's id, or values."""
    return values_of(study, [word]) if "=" in word or word.lstrip().startswith("{") else word


def trial_and_value(study: "Study", words: Sequence[str]) -> tuple[str, str | None]:
    """A trial, as `trial_of` reads it, and what was measured there; `x=1 y=2` is one trial."""
    from counsel.errors import InvalidInput

    space = study.problem.space
    names = {*space.names, *space.context_names}
    trial, *rest = words
    while rest and "=" in trial and not trial.lstrip().startswith("{"):
        if not {pair.partition("=")[0].strip() for pair in _pairs_in(rest[0])} <= names:
            break
        trial += f",{rest.pop(0)}"
    if len(rest) > 1:
        remedy = "Give one value after the trial, or NAME=NUMBER,NAME=NUMBER."
        raise InvalidInput("value", " ".join(rest), remedy)
    return trial, rest[0] if rest else None


def point_of(study: "Study", word: str) -> dict[str, Any]:
    """Values, where a proposal's id will not do."""
    from counsel.errors import InvalidInput

    if "=" in word or word.lstrip().startswith("{"):
        return values_of(study, [word])
    names = study.problem.space.names
    example = ",".join(f"{name}=..." for name in names[:4])
    raise InvalidInput("point", word, f"Name the parameters: {example}.")


def points_of(words: Sequence[str]) -> list[str]:
    """Words grouped into points, each of which `trial_of` reads.

    `x=1 y=2` is one point; `x=1,y=2 x=3,y=4` and `x=1 y=2 x=3 y=4` are two: a point ends where a
    name is repeated.
    """
    points: list[str] = []
    names: set[str] = set()  # of the last point, if it can go on
    for word in words:
        complete = "=" not in word or word.lstrip().startswith("{")  # an id, or JSON
        here = set() if complete else {pair.partition("=")[0].strip() for pair in _pairs_in(word)}
        if here and names and not names & here:
            points[-1] += f",{word}"
            names |= here
        else:
            points.append(word)
            names = here
    return points


def context_of(study: "Study", words: list[str] | None) -> Any:
    return values_of(study, words) if words else None


def answers_of(words: list[str] | None) -> dict[str, float | str] | None:
    """`["comfort=0.4", "calm=yes"]` as answers by constraint; the study checks them."""
    from counsel.facts.checks import yes_or_no

    def answer(text: str) -> float | str:
        return text if yes_or_no(text) is not None else _number(text)

    return _by_name(words, answer, "Write NAME=NUMBER, NAME=yes or NAME=no, as in comfort=0.4.")


def numbers_of(words: list[str] | None) -> dict[str, float] | None:
    """`["comfort=0.4"]` as numbers by name; the study checks the names."""
    return _by_name(words, _number, "Write NAME=NUMBER, as in comfort=0.4.")


def _number(text: str) -> float:
    from counsel.space.spelling import tidied

    return float(tidied(text))


def _by_name(
    words: list[str] | None, read: Callable[[str], _Read], remedy: str
) -> dict[str, _Read] | None:
    from counsel.errors import InvalidInput

    found: dict[str, _Read] = {}
    for word in words or []:
        name, _, text = word.rpartition("=")
        try:
            given = read(text)
        except ValueError:
            name = ""
        if not name.strip():
            raise InvalidInput("constraint", word, remedy)
        if name.strip() in found:
            raise InvalidInput("constraint", word, f"{name.strip()!r} is given twice.")
        found[name.strip()] = given
    return found or None


def value_of(word: str | None) -> float | dict[str, float | str] | None:
    """A number, or numbers and answers by name."""
    from counsel.errors import InvalidInput
    from counsel.exchange.cells import decimal_comma
    from counsel.space.spelling import tidied

    if word is None:
        return None
    if "=" in word:
        return answers_of(word.split(","))
    try:
        return float(tidied(word))
    except ValueError:
        remedy = "Write one number, such as 9.5, or NAME=NUMBER,NAME=NUMBER."
        raise InvalidInput("value", word, decimal_comma(word) or remedy) from None
