"""A study on another machine, with the verbs of `Study`.

    client = counsel.Client("http://127.0.0.1:8000", token="counsel_...")
    study = client.load_study("exosuit")
    proposal = study.ask()
    study.tell(proposal, 1.8)

What the service refuses is raised as `Study` would raise it. A request that changes something has
an idempotency key, given or made here: sent again after a broken connection, it counts once.
Needs the extra `server`.
"""

import math
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, overload
from urllib.parse import quote

import httpx
import numpy as np
from numpy.typing import NDArray

from counsel.errors import (
    Conflict,
    CounselError,
    InvalidInput,
    NotFound,
    NothingToExplain,
    NothingToPropose,
    StorageError,
)
from counsel.exchange.document import fact_from_dict, setup_from_dict
from counsel.explain.attribution import Attribution, WhatIf
from counsel.facts.records import (
    Best,
    Comparison,
    Constraint,
    Decision,
    Difference,
    Direction,
    Fact,
    Frozen,
    Lease,
    Objective,
    Observation,
    Prediction,
    Problem,
    Proposal,
    Replay,
    Revision,
    Summary,
    Value,
    Withdrawal,
)
from counsel.facts.state import StudyState
from counsel.space import AnySpace, space_from_dict

if TYPE_CHECKING:
    from counsel.teams.alignment import Alignment
    from counsel.teams.overriding import Overriding

__all__ = ["Client", "RemoteStudy"]

_LONGEST_WAIT = 10.0
_ATTEMPTS = 3
_RAISED: dict[str, type[CounselError]] = {
    "not-found": NotFound,
    "nothing-to-propose": NothingToPropose,
    "nothing-to-explain": NothingToExplain,
    "storage": StorageError,
}


class Client:
    """A service that `counsel serve` runs. Close it, or use it in a `with`."""

    def __init__(self, url: str, *, token: str | None = None, timeout: float = 60.0) -> None:
        if not isinstance(url, str) or not url.startswith(("http://", "https://")):
            raise InvalidInput("url", url, "Give the service's address, as http://127.0.0.1:8000.")
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self.url = url.rstrip("/")
        self._http = httpx.Client(base_url=f"{self.url}/api/v1/", headers=headers, timeout=timeout)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def create_study(
        self,
        space: AnySpace,
        *,
        name: str = "study",
        direction: Direction = "maximize",
        objective: str = "objective",
        constraints: Sequence[Constraint] = (),
        policy: str | None = None,
        seed: int = 0,
        load_if_exists: bool = False,
    ) -> "RemoteStudy":
        """Start a study of `space` there; the policy is given by its name."""
        bounds = [
            {"name": c.name, "at_least": c.at_least, "at_most": c.at_most} for c in constraints
        ]
        described = {each: part for each, part in space.to_dict().items() if each != "type"}
        if "arms" in described:
            names = described.pop("names", None)
            rows = described["arms"]
            if names is not None:
                described["arms"] = [dict(zip(names, row, strict=True)) for row in rows]
        made = self.send(
            "POST",
            "studies",
            {
                "name": name,
                **described,
                "objective": objective,
                "direction": direction,
                "constraints": bounds,
                "policy": policy,
                "seed": seed,
            },
            key=uuid.uuid4().hex if load_if_exists else None,
            again=load_if_exists,
        )
        return RemoteStudy(self, made)

    def load_study(self, name: str) -> "RemoteStudy":
        return RemoteStudy(self, self.send("GET", f"studies/{quote(name, safe='')}"))

    def list_studies(self) -> list[Summary]:
        """The studies that are there, oldest first."""
        found = self.send("GET", "studies")
        return [Summary(**{**s, "created": datetime.fromisoformat(s["created"])}) for s in found]

    def delete_study(self, name: str) -> None:
        """Remove a study with all its facts, for good."""
        self.send("DELETE", f"studies/{quote(name, safe='')}")

    def send(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        key: str | None = None,
        again: bool = True,
        query: Mapping[str, str] | None = None,
    ) -> Any:
        """What the service answers. Raises what a study would raise."""
        headers = {} if key is None else {"Idempotency-Key": key}
        for attempt in range(1, _ATTEMPTS + 1):
            last = attempt == _ATTEMPTS
            try:
                answer = self._http.request(method, path, json=body, headers=headers, params=query)
            except httpx.TransportError as error:
                if last or not again:
                    raise CounselError(f"No answer from {self.url}: {error}.") from error
                time.sleep(0.2 * attempt)
                continue
            if answer.status_code != httpx.codes.TOO_MANY_REQUESTS or last:
                break
            # Nothing was done: wait as long as the service says.
            time.sleep(min(float(answer.headers.get("Retry-After", 1)), _LONGEST_WAIT))
        if answer.is_success:
            return answer.json() if answer.content else None
        raise _error(answer)


class RemoteStudy:
    """One study of a service. Make it with `Client.create_study` or `Client.load_study`."""

    def __init__(self, client: Client, shown: Mapping[str, Any]) -> None:
        self._client = client
        self.name: str = shown["name"]
        self.seed: int = shown["seed"]
        self.policy: str = shown["policy"]
        self.problem = Problem(
            space_from_dict(shown["space"]),
            Objective(shown["objective"], shown["direction"]),
            tuple(Constraint(**each) for each in shown["constraints"]),
        )

    # ---- the loop ------------------------------------------------------------------------------

    @overload
    def ask(
        self,
        n: None = None,
        *,
        context: Mapping[str, Value] | None = None,
        idempotency_key: str | None = None,
    ) -> Proposal: ...
    @overload
    def ask(
        self,
        n: int,
        *,
        context: Mapping[str, Value] | None = None,
        idempotency_key: str | None = None,
    ) -> list[Proposal]: ...
    def ask(
        self,
        n: int | None = None,
        *,
        context: Mapping[str, Value] | None = None,
        idempotency_key: str | None = None,
    ) -> Proposal | list[Proposal]:
        """Propose what to try next; `ask(3)` proposes three trials that go well together."""
        found = self._write("proposals", {"n": n, "context": context}, idempotency_key)
        proposals: list[Any] = [_fact(each) for each in found]
        return proposals[0] if n is None else proposals

    def accept(self, proposal: Proposal | str, **options: Any) -> Decision:
        """Try what was proposed. Options: actor, reason, idempotency_key."""
        return self._decide(proposal, "accept", None, **options)

    def override(
        self, proposal: Proposal | str, values: Mapping[str, Value], **options: Any
    ) -> Decision:
        """Try `values` instead. Options: actor, reason, idempotency_key."""
        return self._decide(proposal, "override", dict(values), **options)

    def reject(self, proposal: Proposal | str, **options: Any) -> Decision:
        """Do not try this. Options: actor, reason, idempotency_key."""
        return self._decide(proposal, "reject", None, **options)

    def tell(
        self,
        proposal: Proposal | str | Mapping[str, Value],
        value: float | None = None,
        *,
        constraints: Mapping[str, float] | None = None,
        context: Mapping[str, Value] | None = None,
        actor: str | None = None,
        idempotency_key: str | None = None,
    ) -> Observation:
        """Record what was measured: of a proposal, or of a point that nobody proposed."""
        body: dict[str, Any] = {"value": value, "constraints": constraints or {}, "actor": actor}
        if isinstance(proposal, Mapping):
            body |= {"values": dict(proposal), "context": context}
            return _fact(self._write("observations", body, idempotency_key))
        path = f"proposals/{_id(proposal)}/observation"
        return _fact(self._write(path, body, idempotency_key))

    def compare(
        self,
        *,
        winner: Proposal | str | Mapping[str, Value],
        loser: Proposal | str | Mapping[str, Value],
        tie: bool = False,
        context: Mapping[str, Value] | None = None,
        actor: str | None = None,
        idempotency_key: str | None = None,
    ) -> Comparison:
        """Record that a person prefers one trial to another; with `tie`, neither."""
        sides = {
            name: dict(side) if isinstance(side, Mapping) else getattr(side, "id", side)
            for name, side in (("winner", winner), ("loser", loser))
        }
        body = {**sides, "tie": tie, "context": context, "actor": actor}
        return _fact(self._write("comparisons", body, idempotency_key))

    def next_question(self, proposal: Proposal | str) -> str | None:
        """The constraint to ask about next where a proposal is tried; None when that is enough."""
        found: str | None = self._send("GET", f"proposals/{_id(proposal)}/question")["question"]
        return found

    def revise(
        self,
        observation: Observation | str,
        value: float | None = None,
        *,
        constraints: Mapping[str, float] | None = None,
        actor: str | None = None,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Revision:
        """Correct what was measured; the history keeps both."""
        body = {"value": value, "constraints": constraints or {}, "actor": actor, "reason": reason}
        path = f"observations/{_id(observation)}/revisions"
        return _fact(self._write(path, body, idempotency_key))

    def withdraw(
        self,
        fact: Fact | str,
        *,
        actor: str | None = None,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Withdrawal:
        """Take back a decision, observation, comparison or revision."""
        body = {"fact": _id(fact), "actor": actor, "reason": reason}
        return _fact(self._write("withdrawals", body, idempotency_key))

    def hold(
        self, proposal: Proposal | str, *, actor: str | None = None, seconds: float = 600.0
    ) -> Lease:
        """Keep a proposal for one person; holding it again renews the lease."""
        body = {"actor": actor, "seconds": seconds}
        return _lease(self._send("PUT", f"proposals/{_id(proposal)}/lease", body))

    def release(self, proposal: Proposal | str, *, actor: str | None = None) -> None:
        """Give a proposal back before the lease lapses."""
        query = None if actor is None else {"actor": actor}
        self._send("DELETE", f"proposals/{_id(proposal)}/lease", query=query)

    # ---- what is known -------------------------------------------------------------------------

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Everything that happened, in order."""
        found: list[Fact] = []
        after: int | None = 0
        while after is not None:
            query = {"after": str(after), "limit": "1000"}
            page = self._send("GET", "facts", query=query)
            found += [_fact(each) for each in page["facts"]]
            after = page["next"]
        return tuple(found)

    @property
    def observations(self) -> tuple[Observation, ...]:
        """The observations in force."""
        return tuple(_fact(each) for each in self._send("GET", "observations"))

    @property
    def pending(self) -> tuple[Proposal, ...]:
        """Proposals that wait for a decision or an observation."""
        return tuple(_fact(each) for each in self._send("GET", "proposals"))

    @property
    def leases(self) -> tuple[Lease, ...]:
        return tuple(_lease(each) for each in self._send("GET", "leases"))

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions in force."""
        return tuple(StudyState(self.problem, self.facts).decisions.values())

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The comparisons in force."""
        return tuple(StudyState(self.problem, self.facts).comparisons.values())

    def proposal(self, proposal: Proposal | str) -> Proposal:
        """The proposal of this id."""
        found: Proposal = _fact(self._send("GET", f"proposals/{_id(proposal)}"))
        return found

    @property
    def best(self) -> Best | None:
        """The best trial so far, or None."""
        found = self._send("GET", "best")
        if found is None:
            return None
        measured = [o for o in self.observations if o.id == found["observation"]]
        source = None if found["proposal"] is None else self.proposal(found["proposal"])
        values, value = Frozen(found["values"]), found["value"]
        return Best(values, value, measured[0] if measured else None, source)

    def replay(self) -> Replay:
        """Derive every proposal anew from the facts before it, and compare bit for bit."""
        found = self._send("POST", "replay")
        return Replay(found["proposals"], tuple(Difference(**d) for d in found["differences"]))

    def predict(
        self, values: Mapping[str, Value], *, context: Mapping[str, Value] | None = None
    ) -> Prediction | None:
        """What is believed of the objective at a point; None before any observation."""
        believed = self.predict_many([values], context=context)
        return None if believed is None else believed[0]

    def predict_many(
        self, many: Iterable[Mapping[str, Value]], *, context: Mapping[str, Value] | None = None
    ) -> list[Prediction] | None:
        """What is believed at several points, from one posterior."""
        body = {"points": [dict(each) for each in many], "context": context}
        found = self._send("POST", "predictions", body)
        return None if found is None else [Prediction(**each) for each in found]

    def explain(
        self,
        proposal: Proposal | str | Mapping[str, Value],
        *,
        context: Mapping[str, Value] | None = None,
        instead_of: Proposal | str | None = None,
    ) -> Attribution:
        """Why this proposal, or why one would try these values."""
        if isinstance(proposal, Mapping):
            body = _point(proposal, context, instead_of)
            return _attribution(self._send("POST", "explanations", body))
        return _attribution(self._send("GET", f"proposals/{_id(proposal)}/explanation"))

    def chances(
        self, values: Mapping[str, Value], *, context: Mapping[str, Value] | None = None
    ) -> dict[str, float]:
        """How likely each constraint holds at a point; empty while nothing is believed of them."""
        body = {"values": dict(values), "context": context}
        found: dict[str, float] = self._send("POST", "chances", body)
        return found

    def safe_sets(self) -> NDArray[np.float64]:
        """After each trial (n, 2): the share of points known to be safe, and that may be."""
        return np.array(self._send("GET", "safe-sets"))

    def alignment(
        self, proposal: Proposal | str, *, actor: str | None = None
    ) -> "Alignment | None":
        """How far the machine's reasons for a proposal are from this person's past ones."""
        query = None if actor is None else {"actor": actor}
        found = self._send("GET", f"proposals/{_id(proposal)}/alignment", query=query)
        return None if found is None else _alignment(found)

    def overriding(self) -> "tuple[Overriding, ...]":
        """What overriding cost or gained, person by person, as far as is believed today."""
        return tuple(_overriding(each) for each in self._send("GET", "overriding"))

    def what_if(
        self,
        values: Mapping[str, Value],
        *,
        context: Mapping[str, Value] | None = None,
        instead_of: Proposal | str | None = None,
    ) -> WhatIf:
        """What is believed of a point that nobody proposed, and what speaks for trying it."""
        found = self._send("POST", "what-if", _point(values, context, instead_of))
        return WhatIf(Prediction(**found["prediction"]), _attribution(found["attribution"]))

    # ---- inside --------------------------------------------------------------------------------

    def _decide(
        self,
        proposal: Proposal | str,
        decision: str,
        values: dict[str, Value] | None,
        *,
        actor: str | None = None,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Decision:
        body = {"decision": decision, "values": values, "actor": actor, "reason": reason}
        path = f"proposals/{_id(proposal)}/decision"
        return _fact(self._write(path, body, idempotency_key))

    def _write(self, path: str, body: Mapping[str, Any], key: str | None) -> Any:
        return self._send("POST", path, body, key=key or uuid.uuid4().hex)

    def _send(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, **options: Any
    ) -> Any:
        whole = f"studies/{quote(self.name, safe='')}/{path}"
        return self._client.send(method, whole, body, **options)


def _point(
    values: Mapping[str, Value],
    context: Mapping[str, Value] | None,
    instead_of: Proposal | str | None,
) -> dict[str, Any]:
    rival = getattr(instead_of, "id", instead_of)
    return {"values": dict(values), "context": context, "instead_of": rival}


def _id(fact: Any) -> str:
    return quote(str(getattr(fact, "id", fact)), safe="")


def _fact(shown: Mapping[str, Any]) -> Any:
    """A fact as the service shows it, as a record."""
    fields = dict(shown)
    if fields["kind"] == "proposal":
        believed = fields["prediction"]
        fields["prediction"] = None if believed is None else [believed["mean"], believed["sd"]]
        if "chances" not in Proposal.__dataclass_fields__:
            fields.pop("chances", None)
    return fact_from_dict(fields)


def _lease(shown: Mapping[str, Any]) -> Lease:
    return Lease(shown["proposal"], shown["actor"], datetime.fromisoformat(shown["until"]))


def _attribution(shown: Mapping[str, Any]) -> Attribution:
    fields = {name: each for name, each in shown.items() if name not in ("exact", "sentence")}
    for name in ("values", "base", "total", "error"):
        fields[name] = np.array(fields[name], dtype=np.float64)
    for name in ("terms", "parameters", "methods"):
        fields[name] = tuple(fields[name])
    return Attribution(**fields)


def _alignment(shown: Mapping[str, Any]) -> "Alignment":
    from counsel.teams.alignment import Alignment

    fields = {name: each for name, each in shown.items() if name != "sentence"}
    for name in ("parameters", "machine", "person"):
        fields[name] = tuple(fields[name])
    fields["factor"] = math.inf if fields["factor"] is None else fields["factor"]
    return Alignment(**fields)


def _overriding(shown: Mapping[str, Any]) -> "Overriding":
    from counsel.teams.overriding import Overriding

    each = tuple((e["proposal"], e["gain"], e["sd"]) for e in shown["each"])
    return Overriding(shown["actor"], shown["gain"], shown["sd"], each)


def _error(answer: httpx.Response) -> CounselError:
    try:
        problem = answer.json()
        kind = str(problem["type"]).removeprefix("urn:counsel:")
        detail = str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        return CounselError(f"The service answered {answer.status_code}: {answer.text[:200]}.")
    if kind == "invalid-input":
        return InvalidInput(problem["field"], problem.get("value"), problem["remedy"])
    if kind == "conflict":
        return Conflict(detail, _winner(problem.get("fact")))
    return _RAISED.get(kind, CounselError)(detail)


def _winner(shown: Mapping[str, Any] | None) -> object:
    if shown is None:
        return None
    fields = dict(shown)
    if fields["kind"] == "lease":
        return _lease(fields)
    if fields["kind"] == "study":
        return setup_from_dict(fields)
    return _fact(fields)
