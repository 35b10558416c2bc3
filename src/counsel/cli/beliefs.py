"""Commands that show beliefs and explanations."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from counsel.cli.options import (
    DEFAULT,
    Actor,
    Address,
    Context,
    Json,
    Name,
    Pairs,
    Proposed,
    Trial,
    context_of,
    open_study,
    point_of,
    points_of,
    trial_of,
    values_of,
    who,
)
from counsel.cli.output import measures, say, shown, table
from counsel.facts.cards import summands

if TYPE_CHECKING:
    from counsel.explain.attribution import Attribution
    from counsel.facts.safety import SafePoint
    from counsel.study import Study

__all__ = ["COMMANDS"]

InsteadOf = Annotated[
    str | None,
    typer.Option("--instead-of", help="Judge values by what this proposal maximised: p3."),
]
Points = Annotated[
    list[str],
    typer.Argument(metavar="POINT...", help="x=1 y=2; several as x=1,y=2 x=3,y=4; or JSON."),
]


def best(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Show the best trial so far."""
    opened = open_study(study, storage)
    found = opened.best
    if found is None:
        say(as_json, None, "There is no best trial yet.")
        return
    where = found.observation.id if found.observation is not None else "compared, not measured"
    where += f", mean of {found.measurements}" if found.measurements > 1 else ""
    trial = found.observation or found.proposal
    context = None if trial is None else trial.context
    values = measures(opened.problem.space, found.values, context)
    text = f"{shown(found.value)} at {values} ({where})"
    if found.certified is not None:
        status = "declared safe, not certified" if found.declared else "not certified"
        text += f", {'certified' if found.certified else status}: all constraints hold "
        text += f"with a chance of {found.chance:.1%}. {found.note}".rstrip()
    say(as_json, found, text)


def predict(
    points: Points,
    context: Context = None,
    noise: Annotated[
        bool, typer.Option("--noise", help="Of one measurement: repeated trials differ.")
    ] = False,
    study: Name = None,
    storage: Address = DEFAULT,
    as_json: Json = False,
) -> None:
    """Show the belief about the objective at one or more points."""
    opened = open_study(study, storage)
    columns = {"mean": lambda believed: believed.mean, "sd": lambda believed: believed.sd}
    ask = partial(opened.predict_many, noise=noise)
    _at_points(opened, points, context, as_json, ask, columns)


def weights(
    points: Points,
    context: Context = None,
    study: Name = None,
    storage: Address = DEFAULT,
    as_json: Json = False,
) -> None:
    """Show how rare the predicted payoff is at one or more points: the output weight of lw-ucb."""
    opened = open_study(study, storage)
    _at_points(opened, points, context, as_json, opened.weights, {"weight": float})


def _at_points(
    study: "Study",
    words: list[str],
    context: list[str] | None,
    as_json: bool,
    ask: Callable[..., Sequence[Any] | None],
    columns: Mapping[str, Callable[[Any], float]],
) -> None:
    """What is believed at each point, in columns."""
    points = points_of(words)
    asked = [point_of(study, point) for point in points]
    found = ask(asked, context=context_of(study, context))
    if found is None:
        say(as_json, None, "Nothing has been measured yet.")
        return
    rows = [
        [point, *(column(each) for column in columns.values())]
        for point, each in zip(points, found, strict=True)
    ]
    say(as_json, found, table(["point", *columns], rows))


def chances(
    values: Pairs = None,
    context: Context = None,
    study: Name = None,
    storage: Address = DEFAULT,
    as_json: Json = False,
) -> None:
    """Show the probability that each constraint holds at a point, and that a trial works."""
    opened = open_study(study, storage)
    own = values_of(opened, values or [])
    found = opened.chances(own, context=context_of(opened, context))
    text = table(["", "chance"], list(found.items()))
    say(as_json, found, text if found else "Nothing is known about constraints or failures yet.")


def safe_set(
    context: Context = None, study: Name = None, storage: Address = DEFAULT, as_json: Json = False
) -> None:
    """List the points where all constraints are certified to hold, with their bounds."""
    opened = open_study(study, storage)
    found = opened.safe_set(context=context_of(opened, context))
    names = [opened.problem.objective.name, *(each.name for each in opened.problem.constraints)]
    rows = [
        [measures(opened.problem.space, each.values), _held(each), each.trials]
        + [f"{shown(each.lower[name])} to {shown(each.upper[name])}" for name in names]
        for each in found.points
    ]
    text = table(["point", "chance", "trials", *names], rows)
    say(as_json, found, "\n\n".join(filter(None, (text if rows else "", found.note))))


def _held(point: "SafePoint") -> str:
    return f"{shown(point.chance)}{' (declared)' if point.declared else ''}"


def safe_sets(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Show the shares of points that are known to be safe and may be safe, after each trial."""
    found = open_study(study, storage).safe_sets().tolist()
    rows = [[trial, *shares] for trial, shares in enumerate(found, 1)]
    say(as_json, found, table(["trial", "known safe", "may be safe"], rows))


def explain(
    trial: Trial,
    context: Context = None,
    instead_of: Annotated[
        str | None,
        typer.Option("--instead-of", help="Why this and not that: a proposal (p3) or x=1,y=2."),
    ] = None,
    background: Annotated[
        list[str] | None,
        typer.Option("--background", help="A point to compare with, x=1,y=2; repeat it."),
    ] = None,
    tolerance: Annotated[float, typer.Option(help="Accuracy of sampled values.")] = 0.01,
    until: Annotated[
        str, typer.Option(help="When sampling may stop: tolerance, or ranking.")
    ] = "tolerance",
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    as_json: Json = False,
) -> None:
    """Explain why a trial was, or would be, proposed. Who has seen it is recorded."""
    opened = open_study(study, storage)
    points = [trial_of(opened, each) for each in background] if background else None
    why = opened.explain(
        trial_of(opened, trial),
        context=context_of(opened, context),
        instead_of=None if instead_of is None else trial_of(opened, instead_of),
        background=points,
        tolerance=tolerance,
        until=until,  # type: ignore[arg-type]
        actor=who(actor),
    )
    say(as_json, why, _reasons(why))


def what_if(
    values: Pairs = None,
    context: Context = None,
    instead_of: InsteadOf = None,
    study: Name = None,
    storage: Address = DEFAULT,
    as_json: Json = False,
) -> None:
    """Show the belief about a point that nobody proposed, and the reasons for trying it."""
    opened = open_study(study, storage)
    found = opened.what_if(
        values_of(opened, values or []),
        context=context_of(opened, context),
        instead_of=instead_of,
    )
    believed = f"predicted {found.prediction.mean:.4g} ± {found.prediction.sd:.2g}"
    say(as_json, found, f"{believed}\n{_reasons(found.attribution, found.sentence())}")


def shown_(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Show the explanations that people have seen, in order."""
    opened = open_study(study, storage)
    found = opened.shown
    rows = [
        [
            f"{each.time:%Y-%m-%dT%H:%M:%S}",
            each.actor,
            each.attribution.proposal or measures(opened.problem.space, each.attribution.point),
            each.attribution.sentence(),
        ]
        for each in found
    ]
    say(as_json, found, table(["time (UTC)", "actor", "trial", "explanation"], rows))


def advise(
    proposal: Proposed,
    values: Pairs = None,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    as_json: Json = False,
) -> None:
    """Say whether to step in, given what you would try instead."""
    opened = open_study(study, storage)
    mine = values_of(opened, values) if values else None
    found = opened.advise(proposal, mine, actor=who(actor))
    first = f"{found.recommendation.capitalize()}. {found.why}"
    say(as_json, found, "\n".join([first, *found.numbers()]))


def grounds(
    proposal: Proposed, study: Name = None, storage: Address = DEFAULT, as_json: Json = False
) -> None:
    """Show what the reasons for a proposal rest on: other fits, and whose trials."""
    found = open_study(study, storage).grounds(proposal)
    rows: list[list[object]] = [
        [each.observation, each.actor, each.change] for each in found.trials
    ]
    rows += [["all", each.actor, each.change] for each in found.people]
    text = f"{found.sentence()} {found.note}".rstrip()
    say(as_json, found, f"{text}\n\n{table(['trial', 'actor', 'change'], rows)}" if rows else text)


def alignment(
    proposal: Proposed,
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    as_json: Json = False,
) -> None:
    """Show how far the reasons for a proposal are from a person's past ones."""
    found = open_study(study, storage).alignment(proposal, actor=who(actor))
    text = "No choices to compare with yet." if found is None else found.sentence()
    say(as_json, found, text)


def overriding(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Show what overriding cost or gained each person, as believed today."""
    found = open_study(study, storage).overriding()
    rows = [[each.actor, len(each.each), each.gain, each.sd] for each in found]
    say(as_json, found, table(["actor", "overrides", "gain", "sd"], rows))


def outlook(
    worth: Annotated[
        float | None, typer.Option(help="A gain that another trial would be worth.")
    ] = None,
    context: Context = None,
    study: Name = None,
    storage: Address = DEFAULT,
    as_json: Json = False,
) -> None:
    """Say how much is still to be gained, and whether the model can be believed."""
    opened = open_study(study, storage)
    found = opened.outlook(worth=worth, context=context_of(opened, context))
    say(as_json, found, found.sentence())


def front(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """List the trials that no other one beats in every objective."""
    opened = open_study(study, storage)
    found = opened.front()
    rows: list[list[object]] = [
        [
            each.proposal or each.observation,
            measures(opened.problem.space, each.values),
            *(each.outcomes[name] for name in found.objectives),
            each.value,
        ]
        for each in found.trials
    ]
    text = table(["trial", "values", *found.objectives, "worth"], rows)
    if found.weights:
        text += f"\n\nWorth of one unit: {shown(found.weights)}."
    if found.compare:
        one, two = (shown(each.outcomes) for each in found.compare)
        sides = " ".join(each.proposal or _written(each.values) for each in found.compare)
        text += f"\nWhich would you rather have: {one}, or {two}?  counsel compare {sides}"
    say(as_json, found, text if rows else "Nothing was measured in every objective yet.")


COMMANDS = [
    (front, "front", "counsel front"),
    (outlook, "outlook", "counsel outlook --worth 0.5"),
    (best, "best", "counsel best --json"),
    (
        predict,
        "predict",
        "counsel predict lifting=20 lowering=5   or   counsel predict lifting=20,lowering=5 "
        "lifting=30,lowering=5",
    ),
    (weights, "weights", "counsel weights lifting=20,lowering=5"),
    (chances, "chances", "counsel chances lifting=20 lowering=5"),
    (safe_set, "safe-set", "counsel safe-set --json"),
    (safe_sets, "safe-sets", "counsel safe-sets --json"),
    (explain, "explain", "counsel explain p3   or   counsel explain lifting=20,lowering=5"),
    (what_if, "what-if", "counsel what-if lifting=20 lowering=5 --instead-of p3"),
    (shown_, "shown", "counsel shown"),
    (advise, "advise", "counsel advise p3 lifting=20 lowering=5 --actor ann"),
    (grounds, "grounds", "counsel grounds p3"),
    (alignment, "alignment", "counsel alignment p3 --actor ann"),
    (overriding, "overriding", "counsel overriding --json"),
]


def _written(values: Mapping[str, object]) -> str:
    """Values as the command line takes them."""
    return ",".join(f"{name}={each}" for name, each in values.items())


def _reasons(why: "Attribution", sentence: str | None = None) -> str:
    frame = why.table()
    rows = [[name, *summands(row)] for name, row in zip(frame.index, frame.values, strict=True)]
    text = why.sentence() if sentence is None else sentence
    text = f"{text}\n\n{table(['term', *map(str, frame.columns)], rows)}"
    if why.objectives:
        parts = why.by_objective()
        lines = [
            [name, *summands(row)] for name, row in zip(parts.index, parts.values, strict=True)
        ]
        text += f"\n\n{table(['expected', *map(str, parts.columns)], lines)}"
    return text
