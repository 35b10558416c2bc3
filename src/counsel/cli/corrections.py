"""Commands that change a study afterwards: its numbers, its space, what is said of its facts."""

from typing import Annotated

import typer

from counsel.cli.options import (
    DEFAULT,
    Actor,
    Address,
    Answers,
    Json,
    Key,
    Measured,
    Name,
    Reason,
    answers_of,
    open_study,
    value_of,
    who,
)
from counsel.cli.output import outcomes, say

__all__ = ["COMMANDS"]


def revise(
    observation: Annotated[str, typer.Argument(help="Its id, as in o3.")],
    value: Measured = None,
    constraint: Answers = None,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    reason: Reason = "",
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Correct what was measured; the history keeps both."""
    opened = open_study(study, storage)
    fact = opened.revise(
        observation,
        value_of(value),
        constraints=answers_of(constraint),
        actor=who(actor),
        reason=reason,
        idempotency_key=key,
    )
    say(as_json, fact, f"{fact.id}  {observation} is {outcomes(opened.problem, fact.outcomes)}.")


def withdraw(
    fact: Annotated[
        str, typer.Argument(help="A decision, observation, failure, comparison or revision.")
    ],
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    reason: Reason = "",
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Take something back; the history keeps both."""
    made = open_study(study, storage).withdraw(
        fact, actor=who(actor), reason=reason, idempotency_key=key
    )
    say(as_json, made, f"{made.id}  {made.actor} takes {fact} back.")


def amend(
    parameter: Annotated[
        str, typer.Argument(help="A parameter's name, or the whole space as a JSON object.")
    ],
    low: Annotated[float | None, typer.Option(help="Its new lower bound.")] = None,
    high: Annotated[float | None, typer.Option(help="Its new upper bound.")] = None,
    add: Annotated[list[str] | None, typer.Option(help="A level to add.")] = None,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    reason: Reason = "",
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Change the space from now on: wider bounds, more levels."""
    from counsel.facts import codec
    from counsel.facts.lines import change_words
    from counsel.space import space_from_dict, widened

    opened = open_study(study, storage)
    if parameter.lstrip().startswith("{"):
        space = space_from_dict(codec.from_text("space", parameter))
    else:
        space = widened(opened.problem.space, parameter, low, high, add or [])
    before = opened.problem.space
    fact = opened.amend(space, actor=who(actor), reason=reason, idempotency_key=key)
    say(as_json, fact, f"{fact.id}  {fact.actor} changed {change_words(before, fact.space)}.")


def comment(
    fact: Annotated[str, typer.Argument(help="What it is about: a fact's id, as in p3 or o3.")],
    text: Annotated[str, typer.Argument(help="What you have to say.")],
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Say something about a proposal, a trial or any other fact; beliefs stay as they are."""
    made = open_study(study, storage).comment(fact, text, actor=who(actor), idempotency_key=key)
    say(as_json, made, f"{made.id}  {made.actor} on {made.fact}: {made.text}")


def archive(
    back: Annotated[bool, typer.Option("--back", help="Bring it back.")] = False,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    reason: Reason = "",
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Archive a study, so that lists leave it out; --back brings it back."""
    opened = open_study(study, storage, archived=back)
    made = opened.archive(not back, actor=who(actor), reason=reason, idempotency_key=key)
    where = "is archived; counsel list --archived shows it" if made.archived else "is back"
    say(as_json, made, f"{made.id}  {opened.name!r} {where}.")


COMMANDS = [
    (revise, "revise", "counsel revise o3 1.9 --reason 'read the wrong line'"),
    (withdraw, "withdraw", "counsel withdraw d2 --reason 'a mistake'"),
    (amend, "amend", "counsel amend temperature --high 120   or   counsel amend solvent --add DMF"),
    (comment, "comment", "counsel comment o3 'the bottle was open over night'"),
    (archive, "archive", "counsel archive --study exosuit-07   or   counsel archive --back"),
]
