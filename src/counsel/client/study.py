"""One study of a service: every verb of `StudyLike`, sent as a request.

The verbs are documented in `counsel.study.contract`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

import numpy as np

from counsel.client.connection import Connection
from counsel.explain.attribution import Attribution, Shown, WhatIf
from counsel.explain.grounds import Grounds
from counsel.facts import codec
from counsel.facts.history import Array
from counsel.facts.problem import Problem
from counsel.facts.records import (
    Amendment,
    Archival,
    Claim,
    Comment,
    Comparison,
    Decision,
    DecisionKind,
    Fact,
    Failure,
    Lease,
    Observation,
    Prediction,
    Proposal,
    Revision,
    Scope,
    Value,
    Withdrawal,
)
from counsel.facts.safety import SafeSet
from counsel.facts.state import InForce, StudyState
from counsel.facts.summaries import Best, Front, Outlook, Replay, Setup
from counsel.space import AnySpace, Parameter, amended
from counsel.study.cards import card
from counsel.study.contract.points import NOBODY, Compared, Point, Trials, Until, compared
from counsel.study.protocol import StudyLike
from counsel.study.showing import described
from counsel.study.tables import dataframe, past_trials
from counsel.teams.advice import Advice
from counsel.teams.alignment import Alignment
from counsel.teams.overriding import Overriding

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RemoteStudy"]

T = TypeVar("T")


class RemoteStudy(StudyLike):
    """A study of a service. Make it with `Client.create_study` or `Client.load_study`."""

    def __init__(self, connection: Connection, setup: Setup) -> None:
        self._connection = connection
        self._setup = setup

    def __repr__(self) -> str:
        return described(self)

    @property
    def setup(self) -> Setup:
        return self._setup

    @property
    def problem(self) -> Problem:
        return codec.read(Problem, self._get("problem"))

    # ---- the loop ------------------------------------------------------------------------------

    def _ask(
        self, n: int | None, context: Mapping[str, Value] | None, key: str | None
    ) -> list[Proposal]:
        return _all(Proposal, self._write("proposals", {"n": n, "context": context}, key))

    def _decide(
        self,
        proposal: Proposal | str,
        kind: DecisionKind,
        values: Mapping[str, Value] | None,
        actor: str,
        reason: str,
        key: str | None,
        *,
        replace: bool = False,
        scope: Scope | None = None,
        radius: float | None = None,
    ) -> Decision:
        body: dict[str, Any] = {"decision": kind, "actor": actor, "reason": reason}
        body |= {"replace": replace and kind != "abandon", "scope": scope, "radius": radius}
        if values is not None:
            body["values"] = values
        path = f"proposals/{_quoted(proposal)}/decision"
        return codec.read(Decision, self._write(path, body, key))

    def fail(
        self,
        proposal: Point,
        *,
        context: Mapping[str, Value] | None = None,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Failure:
        body = {"trial": _trial(proposal), "context": context, "actor": actor, "reason": reason}
        return codec.read(Failure, self._write("failures", body, idempotency_key))

    def tell(
        self,
        proposal: Point,
        value: float | Mapping[str, float | str] | None = None,
        *,
        constraints: Mapping[str, float | str] | None = None,
        context: Mapping[str, Value] | None = None,
        sem: float | Mapping[str, float] | None = None,
        repeat: bool = False,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Observation:
        body = {
            "value": value,
            "constraints": constraints or {},
            "context": context,
            "sem": sem,
            "repeat": repeat,
            "actor": actor,
        }
        path = "observations"
        if isinstance(proposal, Mapping):
            body["values"] = proposal
        else:
            path = f"proposals/{_quoted(proposal)}/observation"
        return codec.read(Observation, self._write(path, body, idempotency_key))

    def tell_many(self, trials: Trials, *, idempotency_key: str | None = None) -> list[Observation]:
        body = {"trials": past_trials(self.problem, trials)}
        return _all(Observation, self._write("trials", body, idempotency_key))

    def compare(
        self,
        winner: Compared,
        loser: Compared,
        *,
        tie: bool = False,
        context: Mapping[str, Value] | None = None,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Comparison:
        one, two, where = compared(winner, loser, context)
        sides = {"winner": _trial(one), "loser": _trial(two)}
        body = {**sides, "tie": tie, "context": where, "actor": actor}
        return codec.read(Comparison, self._write("comparisons", body, idempotency_key))

    def claim(
        self,
        better: Point,
        worse: Point,
        *,
        context: Mapping[str, Value] | None = None,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Claim:
        body = {
            "better": _trial(better),
            "worse": _trial(worse),
            "context": context,
            "actor": actor,
        }
        return codec.read(Claim, self._write("claims", body, idempotency_key))

    def decide(
        self,
        proposal: Proposal | str,
        mine: Mapping[str, Value],
        *,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Decision:
        path = f"proposals/{_quoted(proposal)}/team-decision"
        body = {"mine": mine, "actor": actor}
        return codec.read(Decision, self._write(path, body, idempotency_key))

    def next_question(self, proposal: Proposal | str) -> str | None:
        found: str | None = self._get(f"proposals/{_quoted(proposal)}/question")["question"]
        return found

    def revise(
        self,
        observation: Observation | str,
        value: float | Mapping[str, float | str] | None = None,
        *,
        constraints: Mapping[str, float | str] | None = None,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Revision:
        body = {"value": value, "constraints": constraints or {}, "actor": actor, "reason": reason}
        path = f"observations/{_quoted(observation)}/revisions"
        return codec.read(Revision, self._write(path, body, idempotency_key))

    def withdraw(
        self,
        fact: InForce | str,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Withdrawal:
        body = {"fact": _id(fact), "actor": actor, "reason": reason}
        return codec.read(Withdrawal, self._write("withdrawals", body, idempotency_key))

    def comment(
        self,
        fact: Fact | str,
        text: str,
        *,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Comment:
        body = {"fact": _id(fact), "text": text, "actor": actor}
        return codec.read(Comment, self._write("comments", body, idempotency_key))

    def archive(
        self,
        archived: bool = True,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Archival:
        body = {"archived": archived, "reason": reason, "actor": actor}
        return codec.read(Archival, self._write("archivals", body, idempotency_key))

    def amend(
        self,
        changes: AnySpace | Mapping[str, Parameter],
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Amendment:
        space = changes
        if isinstance(changes, Mapping):
            space = amended(self.problem.space, changes)
        body = {"space": space.to_dict(), "actor": actor, "reason": reason}  # type: ignore[union-attr]
        return codec.read(Amendment, self._write("amendments", body, idempotency_key))

    # ---- leases --------------------------------------------------------------------------------

    def hold(self, proposal: Proposal | str, *, actor: str, seconds: float = 600.0) -> Lease:
        path = self._path(f"proposals/{_quoted(proposal)}/lease")
        return codec.read(Lease, self._connection.put(path, {"actor": actor, "seconds": seconds}))

    def release(self, proposal: Proposal | str, *, actor: str) -> None:
        path = self._path(f"proposals/{_quoted(proposal)}/lease")
        self._connection.delete(path, {"actor": actor})

    @property
    def leases(self) -> tuple[Lease, ...]:
        return tuple(_all(Lease, self._get("leases")))

    # ---- what happened -------------------------------------------------------------------------

    @property
    def facts(self) -> tuple[Fact, ...]:
        found: list[Fact] = []
        after: int | None = 0
        while after is not None:
            page = self._get("facts", {"after": str(after), "limit": "1000"})
            found += [codec.read_fact(each) for each in page["facts"]]
            after = page["next"]
        return tuple(found)

    @property
    def observations(self) -> tuple[Observation, ...]:
        return tuple(_all(Observation, self._get("observations")))

    @property
    def failures(self) -> tuple[Failure, ...]:
        return tuple(_all(Failure, self._get("failures")))

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        return tuple(_all(Comparison, self._get("comparisons")))

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(_all(Claim, self._get("claims")))

    @property
    def comments(self) -> tuple[Comment, ...]:
        return tuple(_all(Comment, self._get("comments")))

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return tuple(_all(Decision, self._get("decisions")))

    @property
    def pending(self) -> tuple[Proposal, ...]:
        return tuple(_all(Proposal, self._get("proposals")))

    def proposal(self, proposal: Proposal | str) -> Proposal:
        return codec.read(Proposal, self._get(f"proposals/{_quoted(proposal)}"))

    def dataframe(self) -> "pd.DataFrame":
        return dataframe(StudyState(self._setup.problem, self.facts))

    def replay(self) -> Replay:
        return codec.read(Replay, self._compute("replay", {}))

    # ---- what is believed ----------------------------------------------------------------------

    @property
    def best(self) -> Best | None:
        found = self._get("best")
        return None if found is None else codec.read(Best, found)

    def predict(
        self,
        values: Mapping[str, Value],
        *,
        context: Mapping[str, Value] | None = None,
        noise: bool = False,
    ) -> Prediction | None:
        believed = self.predict_many([values], context=context, noise=noise)
        return None if believed is None else believed[0]

    def predict_many(
        self,
        many: Iterable[Mapping[str, Value]],
        *,
        context: Mapping[str, Value] | None = None,
        noise: bool = False,
    ) -> list[Prediction] | None:
        asked = {"points": list(many), "context": context, "noise": noise}
        found = self._compute("predictions", asked)
        return None if found is None else _all(Prediction, found)

    def chances(
        self, values: Mapping[str, Value], *, context: Mapping[str, Value] | None = None
    ) -> dict[str, float]:
        found: dict[str, float] = self._compute("chances", {"values": values, "context": context})
        return found

    def weights(
        self, many: Iterable[Mapping[str, Value]], *, context: Mapping[str, Value] | None = None
    ) -> list[float] | None:
        found: list[float] | None = self._compute(
            "weights", {"points": list(many), "context": context}
        )
        return found

    def front(self) -> Front:
        return codec.read(Front, self._get("front"))

    def outlook(
        self, *, worth: float | None = None, context: Mapping[str, Value] | None = None
    ) -> Outlook:
        return codec.read(Outlook, self._compute("outlook", {"worth": worth, "context": context}))

    def safe_set(self, *, context: Mapping[str, Value] | None = None) -> SafeSet:
        return codec.read(SafeSet, self._compute("safe-set", {"context": context}))

    def safe_sets(self) -> Array:
        return np.array(self._get("safe-sets"), dtype=np.float64).reshape(-1, 2)

    # ---- why -----------------------------------------------------------------------------------

    def explain(
        self,
        proposal: Point,
        *,
        context: Mapping[str, Value] | None = None,
        instead_of: Point | None = None,
        background: Sequence[Mapping[str, Value]] | None = None,
        tolerance: float = 0.01,
        until: Until = "tolerance",
        actor: str | None = None,
    ) -> Attribution:
        trial = _trial(proposal)
        body = {
            "values" if isinstance(trial, Mapping) else "proposal": trial,
            "context": context,
            "instead_of": None if instead_of is None else _trial(instead_of),
            "background": None if background is None else list(background),
            "tolerance": tolerance,
            "until": until,
            "actor": actor,
        }
        return codec.read(Attribution, self._compute("explanations", body))

    def what_if(
        self,
        values: Mapping[str, Value],
        *,
        context: Mapping[str, Value] | None = None,
        instead_of: Proposal | str | None = None,
    ) -> WhatIf:
        rival = None if instead_of is None else _id(instead_of)
        body = {"values": values, "context": context, "instead_of": rival}
        return codec.read(WhatIf, self._compute("what-if", body))

    @property
    def shown(self) -> tuple[Shown, ...]:
        return tuple(_all(Shown, self._get("explanations")))

    def advise(
        self,
        proposal: Proposal | str,
        mine: Mapping[str, Value] | None = None,
        *,
        actor: str = NOBODY,
    ) -> Advice:
        body = {"mine": mine, "actor": actor}
        return codec.read(Advice, self._compute(f"proposals/{_quoted(proposal)}/advice", body))

    def grounds(self, proposal: Proposal | str) -> Grounds:
        return codec.read(Grounds, self._get(f"proposals/{_quoted(proposal)}/grounds"))

    def alignment(self, proposal: Proposal | str, *, actor: str = NOBODY) -> Alignment | None:
        found = self._get(f"proposals/{_quoted(proposal)}/alignment", {"actor": actor})
        return None if found is None else codec.read(Alignment, found)

    def overriding(self) -> tuple[Overriding, ...]:
        return tuple(_all(Overriding, self._get("overriding")))

    # ---- inside --------------------------------------------------------------------------------

    def _path(self, path: str) -> str:
        return f"studies/{quote(self.name, safe='')}/{path}"

    def _get(self, path: str, query: Mapping[str, str] | None = None) -> Any:
        return self._connection.get(self._path(path), query)

    def _compute(self, path: str, body: Mapping[str, Any]) -> Any:
        return self._connection.compute(self._path(path), body)

    def _write(self, path: str, body: Mapping[str, Any], key: str | None) -> Any:
        return self._connection.write(self._path(path), body, key)

    def _repr_html_(self) -> str:
        return card(self).html()


def _all(of: type[T], found: Iterable[Any]) -> list[T]:
    return [codec.read(of, each) for each in found]


def _id(fact: Fact | str) -> str:
    return fact if isinstance(fact, str) else fact.id


def _quoted(fact: Fact | str) -> str:
    return quote(_id(fact), safe="")


def _trial(point: Point) -> str | Mapping[str, Value]:
    return point if isinstance(point, Mapping) else _id(point)
