"""The doors of a study, and one whole study to walk through each of them.

`CommandLine` is a study whose every verb is a command: it keeps the contract of `StudyLike`, so
what a study can do, the command line can.
"""

import inspect
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from typer.testing import CliRunner

import counsel as cs
from counsel.cli import app
from counsel.explain.attribution import Attribution, Shown, WhatIf
from counsel.explain.grounds import Grounds
from counsel.facts import codec
from counsel.facts.problem import Problem
from counsel.facts.records import (
    Amendment,
    Archival,
    Claim,
    Comment,
    Comparison,
    Decision,
    Fact,
    Failure,
    Lease,
    Observation,
    PastTrial,
    Prediction,
    Proposal,
    Revision,
    Scope,
    Value,
    Withdrawal,
)
from counsel.facts.safety import SafeSet
from counsel.facts.state import StudyState
from counsel.facts.summaries import Best, Front, Outlook, Replay, Setup
from counsel.study import NOBODY, StudyLike
from counsel.study.contract.points import Point, Until
from counsel.study.optimizing import RUNNER, Callback, Function
from counsel.study.protocol import members
from counsel.study.tables import dataframe
from counsel.teams.advice import Advice
from counsel.teams.alignment import Alignment
from counsel.teams.overriding import Overriding

VERBS = sorted(
    name
    for name, member in members().items()
    if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property))
)


class CommandLine(StudyLike):
    """A study behind `counsel ... --json`."""

    def __init__(self, name: str, storage: str, folder: Path) -> None:
        self._common = ["--study", name, "--storage", storage]
        self._folder = folder
        self.commands: set[str] = set()

    def _run(self, command: str, *words: object, **options: object) -> Any:
        """What a command answers; options that are None are left out, lists are repeated."""
        self.commands.add(command)
        line = [command]
        for name, option in options.items():
            flag = f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}"
            for each in option if isinstance(option, list) else [option]:
                if each is True:
                    line.append(flag)
                elif each is not None and each is not False:
                    line += [flag, str(each)]
        positional = [str(word) for word in words if word is not None]
        result = CliRunner().invoke(app, [*line, *self._common, "--json", "--", *positional])
        if result.exit_code == 3:
            raise cs.Conflict(result.stderr)
        if result.exit_code:
            raise cs.CounselError(result.output)
        return json.loads(result.stdout)

    @property
    def setup(self) -> Setup:
        return codec.read(Setup, self._run("setup"))

    @property
    def name(self) -> str:
        return self.setup.name

    @property
    def problem(self) -> Problem:
        return codec.read(Problem, self._run("problem"))

    @property
    def seed(self) -> int:
        return self.setup.seed

    def ask(  # type: ignore[override]
        self,
        n: int | None = None,
        *,
        context: Mapping[str, Value] | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        given = None if context is None else json.dumps(dict(context))
        found = self._run("ask", n=n, context=given, key=idempotency_key)
        proposals = [codec.read(Proposal, each) for each in found]
        return proposals[0] if n is None else proposals

    def accept(
        self,
        proposal: Proposal | str,
        *,
        actor: str = NOBODY,
        reason: str = "",
        replace: bool = False,
        idempotency_key: str | None = None,
    ) -> Decision:
        options = {"actor": actor, "reason": reason, "key": idempotency_key, "replace": replace}
        return codec.read(Decision, self._run("accept", name(proposal), **options))

    def override(
        self,
        proposal: Proposal | str,
        values: Mapping[str, Value],
        *,
        actor: str = NOBODY,
        reason: str = "",
        replace: bool = False,
        idempotency_key: str | None = None,
    ) -> Decision:
        words = [name(proposal), name(values)]
        options = {"actor": actor, "reason": reason, "key": idempotency_key, "replace": replace}
        return codec.read(Decision, self._run("override", *words, **options))

    def reject(
        self,
        proposal: Proposal | str,
        *,
        scope: Scope | None = None,
        radius: float | None = None,
        actor: str = NOBODY,
        reason: str = "",
        replace: bool = False,
        idempotency_key: str | None = None,
    ) -> Decision:
        options = {"actor": actor, "reason": reason, "key": idempotency_key, "replace": replace}
        found = self._run("reject", name(proposal), scope=scope, radius=radius, **options)
        return codec.read(Decision, found)

    def abandon(
        self,
        proposal: Proposal | str,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Decision:
        options = {"actor": actor, "reason": reason, "key": idempotency_key}
        return codec.read(Decision, self._run("abandon", name(proposal), **options))

    def fail(
        self,
        proposal: Point,
        *,
        context: Mapping[str, Value] | None = None,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Failure:
        given = None if context is None else json.dumps(dict(context))
        options = {"context": given, "actor": actor, "reason": reason, "key": idempotency_key}
        return codec.read(Failure, self._run("fail", name(proposal), **options))

    def amend(
        self,
        changes: Any,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Amendment:
        options = {"actor": actor, "reason": reason, "key": idempotency_key}
        found = self._run("amend", json.dumps(changes.to_dict()), **options)
        return codec.read(Amendment, found)

    def tell(
        self,
        proposal: Point,
        value: float | Mapping[str, float] | None = None,
        *,
        constraints: Mapping[str, float | str] | None = None,
        context: Mapping[str, Value] | None = None,
        sem: float | Mapping[str, float] | None = None,
        repeat: bool = False,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Observation:
        answers = [f"{each}={number!r}" for each, number in (constraints or {}).items()]
        given = None if context is None else json.dumps(dict(context))
        options: dict[str, Any] = {"context": given, "actor": actor, "key": idempotency_key}
        options["repeat"] = repeat
        if isinstance(sem, Mapping):
            options["sem"] = [f"{each}={number!r}" for each, number in sem.items()]
        elif sem is not None:
            options["sem"] = repr(sem)
        found = self._run("tell", name(proposal), value, constraint=answers, **options)
        return codec.read(Observation, found)

    def tell_many(
        self, trials: Iterable[PastTrial], *, idempotency_key: str | None = None
    ) -> list[Observation]:
        file = self._folder / "trials.json"
        file.write_text(codec.to_text(list(trials)))
        found = self._run("tell-many", file, key=idempotency_key)
        return [codec.read(Observation, each) for each in found]

    def compare(
        self,
        *,
        winner: Point,
        loser: Point,
        tie: bool = False,
        context: Mapping[str, Value] | None = None,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Comparison:
        given = None if context is None else json.dumps(dict(context))
        options = {"tie": tie, "context": given, "actor": actor, "key": idempotency_key}
        return codec.read(Comparison, self._run("compare", name(winner), name(loser), **options))

    def claim(
        self,
        *,
        better: Point,
        worse: Point,
        context: Mapping[str, Value] | None = None,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Claim:
        given = None if context is None else json.dumps(dict(context))
        options = {"context": given, "actor": actor, "key": idempotency_key}
        return codec.read(Claim, self._run("claim", name(better), name(worse), **options))

    def decide(
        self,
        proposal: Proposal | str,
        mine: Mapping[str, Value],
        *,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Decision:
        options = {"actor": actor, "key": idempotency_key}
        return codec.read(Decision, self._run("decide", name(proposal), name(mine), **options))

    def optimize(
        self,
        function: Function,
        trials: int,
        *,
        executor: Any = None,
        workers: int | None = None,
        context: Mapping[str, Value] | None = None,
        actor: str = RUNNER,
        most_failures: int = 10,
        callbacks: Sequence[Callback] = (),
        progress: bool | None = None,
    ) -> None:
        assert executor is None
        assert not callbacks
        self._run(
            "optimize",
            f"{inspect.getsourcefile(function)}:{function.__name__}",
            trials=trials,
            context=None if context is None else json.dumps(dict(context)),
            actor=actor,
            most_failures=most_failures,
        )

    def next_question(self, proposal: Proposal | str) -> str | None:
        found: str | None = self._run("question", name(proposal))["question"]
        return found

    def revise(
        self,
        observation: Observation | str,
        value: float | Mapping[str, float] | None = None,
        *,
        constraints: Mapping[str, float | str] | None = None,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Revision:
        answers = [f"{each}={number!r}" for each, number in (constraints or {}).items()]
        options = {"actor": actor, "reason": reason, "key": idempotency_key}
        found = self._run("revise", name(observation), value, constraint=answers, **options)
        return codec.read(Revision, found)

    def withdraw(
        self,
        fact: Any,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Withdrawal:
        return codec.read(
            Withdrawal,
            self._run("withdraw", name(fact), actor=actor, reason=reason, key=idempotency_key),
        )

    def comment(
        self, fact: Any, text: str, *, actor: str = NOBODY, idempotency_key: str | None = None
    ) -> Comment:
        options = {"actor": actor, "key": idempotency_key}
        return codec.read(Comment, self._run("comment", name(fact), text, **options))

    def archive(
        self,
        archived: bool = True,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Archival:
        options = {"actor": actor, "reason": reason, "key": idempotency_key}
        return codec.read(Archival, self._run("archive", back=not archived, **options))

    def hold(self, proposal: Proposal | str, *, actor: str, seconds: float = 600.0) -> Lease:
        return codec.read(Lease, self._run("hold", name(proposal), actor=actor, seconds=seconds))

    def release(self, proposal: Proposal | str, *, actor: str) -> None:
        assert self._run("release", name(proposal), actor=actor) is None

    @property
    def leases(self) -> tuple[Lease, ...]:
        return tuple(codec.read(Lease, each) for each in self._run("leases"))

    @property
    def facts(self) -> tuple[Fact, ...]:
        return tuple(codec.read_fact(each) for each in self._run("facts"))

    @property
    def observations(self) -> tuple[Observation, ...]:
        return tuple(codec.read(Observation, each) for each in self._run("observations"))

    @property
    def failures(self) -> tuple[Failure, ...]:
        return tuple(codec.read(Failure, each) for each in self._run("failures"))

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        return tuple(codec.read(Comparison, each) for each in self._run("comparisons"))

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(codec.read(Claim, each) for each in self._run("claims"))

    @property
    def comments(self) -> tuple[Comment, ...]:
        return tuple(codec.read(Comment, each) for each in self._run("comments"))

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return tuple(codec.read(Decision, each) for each in self._run("decisions"))

    @property
    def pending(self) -> tuple[Proposal, ...]:
        return tuple(codec.read(Proposal, each) for each in self._run("pending"))

    def proposal(self, proposal: Proposal | str) -> Proposal:
        return codec.read(Proposal, self._run("proposal", name(proposal)))

    def dataframe(self) -> pd.DataFrame:
        frame = dataframe(StudyState(self.setup.problem, self.facts))
        cells = frame.astype(object).where(frame.notna(), None)
        assert self._run("table") == cells.to_dict("records")
        return frame

    def replay(self) -> Replay:
        return codec.read(Replay, self._run("replay"))

    @property
    def best(self) -> Best | None:
        found = self._run("best")
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
        given = None if context is None else json.dumps(dict(context))
        found = self._run("predict", *(name(each) for each in many), context=given, noise=noise)
        return None if found is None else [codec.read(Prediction, each) for each in found]

    def chances(
        self, values: Mapping[str, Value], *, context: Mapping[str, Value] | None = None
    ) -> dict[str, float]:
        given = None if context is None else json.dumps(dict(context))
        found: dict[str, float] = self._run("chances", name(values), context=given)
        return found

    def weights(
        self, many: Iterable[Mapping[str, Value]], *, context: Mapping[str, Value] | None = None
    ) -> list[float] | None:
        given = None if context is None else json.dumps(dict(context))
        found: list[float] | None = self._run(
            "weights", *(name(each) for each in many), context=given
        )
        return found

    def front(self) -> Front:
        return codec.read(Front, self._run("front"))

    def outlook(
        self, *, worth: float | None = None, context: Mapping[str, Value] | None = None
    ) -> Outlook:
        given = None if context is None else json.dumps(dict(context))
        return codec.read(Outlook, self._run("outlook", worth=worth, context=given))

    def safe_set(self, *, context: Mapping[str, Value] | None = None) -> SafeSet:
        given = None if context is None else json.dumps(dict(context))
        return codec.read(SafeSet, self._run("safe-set", context=given))

    def safe_sets(self) -> Any:
        return np.array(self._run("safe-sets"))

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
        found = self._run(
            "explain",
            name(proposal),
            context=None if context is None else json.dumps(dict(context)),
            instead_of=None if instead_of is None else name(instead_of),
            background=[name(each) for each in background or []],
            tolerance=tolerance,
            until=until,
            actor=actor,
        )
        return codec.read(Attribution, found)

    def what_if(
        self,
        values: Mapping[str, Value],
        *,
        context: Mapping[str, Value] | None = None,
        instead_of: Proposal | str | None = None,
    ) -> WhatIf:
        given = None if context is None else json.dumps(dict(context))
        rival = None if instead_of is None else name(instead_of)
        found = self._run("what-if", name(values), context=given, instead_of=rival)
        return codec.read(WhatIf, found)

    @property
    def shown(self) -> tuple[Shown, ...]:
        return tuple(codec.read(Shown, each) for each in self._run("shown"))

    def advise(
        self,
        proposal: Proposal | str,
        mine: Mapping[str, Value] | None = None,
        *,
        actor: str = NOBODY,
    ) -> Advice:
        words = [name(proposal), None if mine is None else name(mine)]
        return codec.read(Advice, self._run("advise", *words, actor=actor))

    def grounds(self, proposal: Proposal | str) -> Grounds:
        return codec.read(Grounds, self._run("grounds", name(proposal)))

    def alignment(self, proposal: Proposal | str, *, actor: str = NOBODY) -> Alignment | None:
        found = self._run("alignment", name(proposal), actor=actor)
        return None if found is None else codec.read(Alignment, found)

    def overriding(self) -> tuple[Overriding, ...]:
        return tuple(codec.read(Overriding, each) for each in self._run("overriding"))


def progress_of(values: Mapping[str, Any]) -> dict[str, float]:
    """What the contract's study measures, as a function that `optimize` may try."""
    speed, gap = float(values["speed"]), float(values["gap"])
    outcomes = {"comfort": 0.9 - speed, "jerk": 4.0 * speed - 0.2}
    return {"progress": speed + 0.1 * gap, **outcomes}


def name(thing: Any) -> str:
    """A fact by its id, a point as JSON."""
    if isinstance(thing, Mapping):
        return json.dumps(dict(thing))
    return str(getattr(thing, "id", thing))


class Watched:
    """A study, and which of its verbs were used."""

    def __init__(self, study: StudyLike) -> None:
        self._study = study
        self.used: set[str] = set()

    def __getattr__(self, verb: str) -> Any:
        self.used.add(verb)
        return getattr(self._study, verb)


def without_times(data: Any) -> Any:
    if isinstance(data, dict):
        clocks = ("time", "created", "until")
        return {key: without_times(each) for key, each in data.items() if key not in clocks}
    if isinstance(data, list):
        return [without_times(each) for each in data]
    return data
