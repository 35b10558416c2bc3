"""The commands of the loop: ask, decide, tell, compare."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from counsel.cli.options import (
    DEFAULT,
    Actor,
    Address,
    Answers,
    Context,
    Json,
    Key,
    Name,
    Pairs,
    Proposed,
    Reason,
    Told,
    Trial,
    answers_of,
    context_of,
    numbers_of,
    open_study,
    trial_and_value,
    trial_of,
    value_of,
    values_of,
    who,
)
from counsel.cli.output import measures, outcomes, say

if TYPE_CHECKING:
    from counsel.study import Study

__all__ = ["COMMANDS"]

Replace = Annotated[bool, typer.Option("--replace", help="Change a decision that was made before.")]


def ask(
    count: Annotated[
        int | None, typer.Argument(metavar="[N]", help="How many trials; one by default.")
    ] = None,
    n: Annotated[int | None, typer.Option("-n", help="The same as an option.")] = None,
    context: Context = None,
    study: Name = None,
    storage: Address = DEFAULT,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Propose what to try next."""
    from counsel.errors import InvalidInput

    if None not in (count, n) and count != n:
        raise InvalidInput("n", n, f"{count} was given as well: give one number.")
    n = count if n is None else n
    opened = open_study(study, storage)
    given = context_of(opened, context)
    if n is None:
        found = [opened.ask(context=given, idempotency_key=key)]
    else:
        found = opened.ask(n, context=given, idempotency_key=key)
    lines = []
    for proposal in found:
        believed = proposal.prediction
        line = f"{proposal.id}  {measures(opened.problem.space, proposal.values, proposal.context)}"
        line += f"; predicted {believed.mean:.4g} ± {believed.sd:.2g}" if believed else ""
        line += f"; asks {', '.join(proposal.asks)}" if proposal.asks else ""
        lines += [line, *([f"    {proposal.note}"] if proposal.note else [])]
    say(as_json, found, "\n".join(lines))


def accept(
    proposal: Proposed,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    reason: Reason = "",
    replace: Replace = False,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Try what was proposed."""
    fact = open_study(study, storage).accept(
        proposal, actor=who(actor), reason=reason, replace=replace, idempotency_key=key
    )
    say(as_json, fact, f"{fact.id}  {fact.actor} accepts {proposal}.")


def override(
    proposal: Proposed,
    values: Pairs = None,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    reason: Reason = "",
    replace: Replace = False,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Try other values instead of what was proposed."""
    opened = open_study(study, storage)
    own = values_of(opened, values or [])
    fact = opened.override(
        proposal, own, actor=who(actor), reason=reason, replace=replace, idempotency_key=key
    )
    tried = measures(opened.problem.space, fact.values or {})
    say(as_json, fact, f"{fact.id}  {fact.actor} overrides {proposal}: {tried}.")


def reject(
    proposal: Proposed,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    reason: Reason = "",
    replace: Replace = False,
    scope: Annotated[
        str | None, typer.Option(help="'point' or 'region'; by default what fits the space.")
    ] = None,
    radius: Annotated[
        float | None, typer.Option(help="How far a region reaches, as a share of every range.")
    ] = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Do not try this, and do not propose it or what is close to it again.

    Close is within 0.05 of every range; among arms, the arm alone.
    """
    from counsel.facts.lines import reach

    fact = open_study(study, storage).reject(
        proposal,
        scope=scope,  # type: ignore[arg-type]  # what is not a scope is refused there
        radius=radius,
        actor=who(actor),
        reason=reason,
        replace=replace,
        idempotency_key=key,
    )
    say(as_json, fact, f"{fact.id}  {fact.actor} rejects {proposal}{reach(fact)}.")


def abandon(
    proposal: Proposed,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    reason: Reason = "",
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Stop waiting for a proposal, and conclude nothing from that."""
    fact = open_study(study, storage).abandon(
        proposal, actor=who(actor), reason=reason, idempotency_key=key
    )
    say(as_json, fact, f"{fact.id}  {fact.actor} abandons {proposal}.")


def fail(
    trial: Trial,
    context: Context = None,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    reason: Reason = "",
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Record that a trial was made and nothing could be measured, because of its settings."""
    opened = open_study(study, storage)
    fact = opened.fail(
        trial_of(opened, trial),
        context=context_of(opened, context),
        actor=who(actor),
        reason=reason,
        idempotency_key=key,
    )
    say(as_json, fact, f"{fact.id}  {measures(opened.problem.space, fact.values)} failed.")


def hold(
    proposal: Proposed,
    seconds: Annotated[float, typer.Option(help="For how long.")] = 600.0,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    as_json: Json = False,
) -> None:
    """Reserve a proposal for yourself for a while; holding it again renews the lease."""
    lease = open_study(study, storage).hold(proposal, actor=who(actor), seconds=seconds)
    say(as_json, lease, f"{lease.actor} holds {proposal} until {lease.until:%H:%M:%S} (UTC).")


def release(
    proposal: Proposed,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    as_json: Json = False,
) -> None:
    """Release a proposal before the lease expires."""
    open_study(study, storage).release(proposal, actor=who(actor))
    say(as_json, None, f"{proposal} is free.")


def tell(
    words: Told,
    constraint: Answers = None,
    context: Context = None,
    sem: Annotated[
        list[str] | None,
        typer.Option(help="Standard error: NUMBER of the objective, or NAME=NUMBER."),
    ] = None,
    repeat: Annotated[
        bool, typer.Option("--repeat", help="One more measurement of what was told before.")
    ] = False,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Record what was measured at a proposal or at a point that nobody proposed."""
    opened = open_study(study, storage)
    trial, value = trial_and_value(opened, words)
    fact = opened.tell(
        trial_of(opened, trial),
        value_of(value),
        constraints=answers_of(constraint),
        context=context_of(opened, context),
        sem=_errors_of(opened, sem),
        repeat=repeat,
        actor=who(actor),
        idempotency_key=key,
    )
    where = measures(opened.problem.space, fact.values, fact.context)
    say(as_json, fact, f"{fact.id}  {where}: {outcomes(opened.problem, fact.outcomes)}.")


def tell_many(
    file: Annotated[
        Path,
        typer.Argument(
            help="A JSON list of objects with parameters and outcomes by name, or of records as "
            "`counsel schema PastTrial` has them."
        ),
    ],
    study: Name = None,
    storage: Address = DEFAULT,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Record many trials that nobody proposed: all of them, or none.

    For a spreadsheet, use `counsel import past.csv --trials`.
    """
    from counsel.errors import InvalidInput
    from counsel.facts import codec
    from counsel.facts.records import PastTrial

    if not file.is_file():
        raise InvalidInput("file", str(file), "There is no such file.")
    given = codec.from_text("file", file.read_bytes())
    if not isinstance(given, list):
        raise InvalidInput("file", given, "Give a JSON list of past trials.")
    trials = [
        codec.read(PastTrial, each)
        if isinstance(each, dict) and isinstance(each.get("values"), dict)
        else each
        for each in given
    ]
    found = open_study(study, storage).tell_many(trials, idempotency_key=key)
    say(as_json, found, f"Recorded {len(found)} trial{'s' if len(found) != 1 else ''}.")


def question(
    proposal: Proposed, study: Name = None, storage: Address = DEFAULT, as_json: Json = False
) -> None:
    """Show which constraint to ask about next for a proposal."""
    found = open_study(study, storage).next_question(proposal)
    text = "Nothing more is worth asking." if found is None else f"Ask about {found}."
    say(as_json, {"question": found}, text)


def compare(
    winner: Annotated[str, typer.Argument(metavar="WINNER", help="p3, or name=value,...")],
    loser: Annotated[str, typer.Argument(metavar="LOSER", help="p1, or name=value,...")],
    tie: Annotated[bool, typer.Option("--tie", help="Neither is better.")] = False,
    context: Context = None,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Record that one trial is preferred to another."""
    opened = open_study(study, storage)
    fact = opened.compare(
        winner=trial_of(opened, winner),
        loser=trial_of(opened, loser),
        tie=tie,
        context=context_of(opened, context),
        actor=who(actor),
        idempotency_key=key,
    )
    verb = "is as good as" if tie else "is better than"
    say(as_json, fact, f"{fact.id}  {winner} {verb} {loser}, says {fact.actor}.")


def claim(
    better: Annotated[str, typer.Argument(metavar="BETTER", help="p3, or name=value,...")],
    worse: Annotated[str, typer.Argument(metavar="WORSE", help="p1, or name=value,...")],
    context: Context = None,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Record which of two trials you expect to be better, before that is known."""
    opened = open_study(study, storage)
    fact = opened.claim(
        better=trial_of(opened, better),
        worse=trial_of(opened, worse),
        context=context_of(opened, context),
        actor=who(actor),
        idempotency_key=key,
    )
    say(as_json, fact, f"{fact.id}  {fact.actor} expects {better} to be better than {worse}.")


def decide(
    proposal: Proposed,
    values: Pairs = None,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Let the team's rule decide between a proposal and what you would try instead."""
    opened = open_study(study, storage)
    mine = values_of(opened, values or [])
    fact = opened.decide(proposal, mine, actor=who(actor), idempotency_key=key)
    say(as_json, fact, f"{fact.id}  {fact.kind} {fact.proposal}. {fact.reason}")


def _errors_of(study: "Study", words: list[str] | None) -> dict[str, float] | None:
    from counsel.errors import InvalidInput

    measured = study.problem.measured
    for word in words or []:
        if "=" not in word and len(measured) != 1:
            names = ", ".join(study.problem.outcomes)
            raise InvalidInput("sem", word, f"Write NAME=NUMBER, for one of {names}.")
    return numbers_of([word if "=" in word else f"{measured[0]}={word}" for word in words or []])


COMMANDS = [
    (ask, "ask", "counsel ask 3 --json"),
    (accept, "accept", "counsel accept p3 --actor ann"),
    (override, "override", "counsel override p3 lifting=20 lowering=5 --reason 'too stiff'"),
    (reject, "reject", "counsel reject p3 --reason unsafe --radius 0.1"),
    (abandon, "abandon", "counsel abandon p3 --reason 'the power went'"),
    (fail, "fail", "counsel fail p3 --reason 'it clotted'   or   counsel fail t=90,x=2"),
    (claim, "claim", "counsel claim p1 p2 --actor ann"),
    (decide, "decide", "counsel decide p3 lifting=20 lowering=5 --actor ann"),
    (hold, "hold", "counsel hold p3 --seconds 120"),
    (release, "release", "counsel release p3"),
    (
        tell,
        "tell",
        "counsel tell p3 1.8   or   counsel tell p3 0.7 --constraint comfort=0.4 --constraint "
        "jerk=1.1   or   counsel tell lifting=20,lowering=5 1.8   or   counsel tell p3 "
        "yield=81,cost=3.2",
    ),
    (tell_many, "tell-many", "counsel tell-many past.json"),
    (question, "question", "counsel question p3, then counsel tell p3 --constraint comfort=0.4"),
    (compare, "compare", "counsel compare p3 p1"),
]
