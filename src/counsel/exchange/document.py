"""A study as plain data: what it was created with, and its facts in order. Nothing is left out.

Leases and idempotency keys are not part of it: they belong to the storage, not to the study.
"""

import dataclasses
import json
import typing
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from counsel.errors import InvalidInput
from counsel.facts.records import (
    Constraint,
    Fact,
    Objective,
    Prediction,
    Problem,
    Proposal,
    check_name,
)
from counsel.facts.state import StudyState
from counsel.policies.description import make
from counsel.space import space_from_dict
from counsel.storage import Setup

__all__ = [
    "FORMAT",
    "check",
    "fact_from_dict",
    "fact_to_dict",
    "from_json",
    "setup_from_dict",
    "setup_to_dict",
    "to_json",
]

FORMAT = 1
_KINDS: dict[str, Any] = {kind.__name__.lower(): kind for kind in typing.get_args(Fact)}


def setup_to_dict(setup: Setup) -> dict[str, Any]:
    problem = setup.problem
    return {
        "name": setup.name,
        "objective": problem.objective.name,
        "direction": problem.objective.direction,
        "constraints": [dataclasses.asdict(c) for c in problem.constraints],
        "space": problem.space.to_dict(),
        "policy_name": setup.policy_name,
        "policy": dict(setup.policy),
        "seed": setup.seed,
        "created": setup.created.isoformat(),
    }


def setup_from_dict(data: Mapping[str, Any]) -> Setup:
    with _reading("study", data):
        check_name("study", data["name"])
        return Setup(
            name=data["name"],
            problem=Problem(
                space_from_dict(data["space"]),
                Objective(data["objective"], data["direction"]),
                tuple(Constraint(**each) for each in data["constraints"]),
            ),
            policy_name=data["policy_name"],
            policy=dict(data["policy"]),
            seed=int(data["seed"]),
            created=_moment(data["created"]),
        )


def _moment(text: str) -> datetime:
    """A time; ValueError for one that no database can hold."""
    found = datetime.fromisoformat(text)
    try:
        found.astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{text} is not a time that can be kept") from None
    return found


def fact_to_dict(fact: Fact) -> dict[str, Any]:
    fields = {field.name: getattr(fact, field.name) for field in dataclasses.fields(fact)}
    if isinstance(fact, Proposal):
        believed = fact.prediction
        fields["prediction"] = None if believed is None else [believed.mean, believed.sd]
    named = {"decision": fields.pop("kind")} if "kind" in fields else {}
    plain = {
        name: dict(value) if isinstance(value, Mapping) else value for name, value in fields.items()
    }
    return {"kind": type(fact).__name__.lower(), **plain, **named, "time": fact.time.isoformat()}


def fact_from_dict(data: Mapping[str, Any]) -> Fact:
    with _reading("fact", data):
        fields = dict(data)
        kind = _KINDS[fields.pop("kind")]
        fields["time"] = _moment(fields["time"])
        if "decision" in fields:
            fields["kind"] = fields.pop("decision")
        if kind is Proposal:
            believed = fields["prediction"]
            fields["prediction"] = None if believed is None else Prediction(*believed)
            fields["asks"], fields["theta"] = tuple(fields["asks"]), tuple(fields["theta"])
        fact: Fact = kind(**fields)
        return fact


def to_json(setup: Setup, facts: Iterable[Fact]) -> str:
    written = [fact_to_dict(fact) for fact in facts]
    data = {"counsel": FORMAT, "study": setup_to_dict(setup), "facts": written}
    return json.dumps(data, indent=1) + "\n"


def from_json(text: str) -> tuple[Setup, list[Fact]]:
    try:
        data = json.loads(text)
    except ValueError as error:
        raise InvalidInput("file", text, f"It is no JSON: {error}.") from None
    if not isinstance(data, dict) or data.get("counsel") != FORMAT:
        found = data.get("counsel") if isinstance(data, dict) else data
        raise InvalidInput(
            "file", found, f"Give a file that Counsel has exported (format {FORMAT})."
        )
    with _reading("file", data):
        return setup_from_dict(data["study"]), [fact_from_dict(each) for each in data["facts"]]


def check(setup: Setup, facts: Iterable[Fact]) -> None:
    """Refuse what no study can have come to: it would break later.

    The policy is built, where it is Counsel's own; one of somebody else's is handed over later.
    """
    if str(setup.policy.get("type", "")).startswith("counsel."):
        with _reading("policy", dict(setup.policy)):
            make(setup.policy)
    state = StudyState(setup.problem)
    seen: set[str] = set()
    for fact in facts:
        first = type(fact).__name__[0].lower()
        expected = f"{first}{state.made[type(fact)] + 1}"
        if fact.id != expected or fact.id in seen:
            raise InvalidInput("fact", fact.id, f"Here {expected!r} was expected.")
        if isinstance(fact, Proposal) and fact.seen > state.count:
            raise InvalidInput("fact", fact.id, f"It cannot have seen {fact.seen} facts.")
        with _reading("fact", fact_to_dict(fact)):
            state.add(fact)
        seen.add(fact.id)


class _reading:
    """Turns what is missing or misshapen in a file into a sentence."""

    def __init__(self, what: str, data: Any) -> None:
        self._what, self._data = what, data

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, KeyError | TypeError | AttributeError | ValueError) and not isinstance(
            error, InvalidInput
        ):
            known = isinstance(self._data, Mapping) and self._data.get("id")
            raise InvalidInput(
                f"{self._what} {known!r}" if known else self._what,
                self._data,
                f"It is incomplete or was changed by hand ({error!r}). Export it anew.",
            ) from error
