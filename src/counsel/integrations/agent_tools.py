"""What an agent can do in a study: one method for each verb of `StudyLike` that it may use.

Docstrings and arguments are what an agent reads.
"""

import time
from collections.abc import Sequence
from typing import Any, Protocol

from mcp.server.mcpserver import Image

from counsel.errors import CounselError, InvalidInput, NothingToExplain, install
from counsel.facts import codec
from counsel.facts.records import Scope, Value
from counsel.study.protocol import StudyLike

__all__ = ["READING", "WRITING", "Studies", "Tools"]

Values = dict[str, Value]
Answer = dict[str, Any]
Trial = str | Values  # a proposal's id, or values

_LONGEST_WAIT = 300.0
_OF_A_STUDY = ("progress", "landscape", "front", "importances", "validation")
_OF_A_PROPOSAL = ("contributions", "waterfall")

# Tools that write something down, and tools that only read.
WRITING = (
    "ask",
    "accept",
    "override",
    "reject",
    "decide",
    "tell",
    "tell_many",
    "fail",
    "abandon",
    "compare",
    "claim",
    "revise",
    "withdraw",
    "comment",
    "hold",
    "release",
    "explain",
)
READING = (
    "list_studies",
    "describe_study",
    "next_question",
    "pending",
    "leases",
    "proposal",
    "history",
    "best",
    "front",
    "safe_set",
    "outlook",
    "predict",
    "what_if",
    "advise",
    "grounds",
    "alignment",
    "overriding",
    "replay",
    "plot",
)


class Studies(Protocol):
    """Where studies are: a service (`counsel.Client`), or a storage."""

    def list_studies(self) -> Sequence[Any]: ...
    def load_study(self, name: str) -> StudyLike: ...


class Tools:
    """The tools, acting on `studies` under the name `actor`."""

    def __init__(self, studies: Studies, actor: str) -> None:
        self._studies = studies
        self._actor = actor
        self._names = {actor}  # and the token's name, which a service puts in its place
        self._opened: dict[str, StudyLike] = {}

    def open(self, name: str) -> StudyLike:
        if name not in self._opened:
            self._opened[name] = self._studies.load_study(name)
        return self._opened[name]

    def _own(self, record: Any) -> Answer:
        """A fact that was just written: whoever it names is this agent."""
        self._names.add(record.actor)
        return _written(record)

    def _check_own(self, field: str, given: str, owner: str | None) -> None:
        """What people said or decided is theirs to change."""
        if owner is not None and owner not in self._names:
            raise InvalidInput(field, given, f"It is {owner}'s: only they can take it back.")

    # ---- the loop ------------------------------------------------------------------------------

    def list_studies(self) -> list[Answer]:
        """List the studies there are, with objective, policy and number of facts."""
        return [codec.write(each) for each in self._studies.list_studies()]

    def describe_study(self, study: str) -> Answer:
        """Show a study's parameters and their ranges, its objective, constraints and policy.

        The problem is today's: ranges may have been widened since the study was created.
        """
        chosen = self.open(study)
        return {**_written(chosen.setup), "problem": _written(chosen.problem)}

    def ask(self, study: str, n: int = 1, context: Values | None = None) -> list[Answer]:
        """Get the optimizer's next proposal, or `n` that go well together.

        Each has an id, values, a prediction (mean and sd), the terms that were maximised, and the
        constraints worth asking about.
        """
        return [codec.write(each) for each in self.open(study).ask(n, context=context)]

    def accept(self, study: str, proposal: str, reason: str = "") -> Answer:
        """Decide to try a proposal as it is."""
        return self._own(self.open(study).accept(proposal, actor=self._actor, reason=reason))

    def override(self, study: str, proposal: str, values: Values, reason: str) -> Answer:
        """Decide to try other values instead of a proposal's, and say why."""
        chosen = self.open(study)
        return self._own(chosen.override(proposal, values, actor=self._actor, reason=reason))

    def reject(
        self,
        study: str,
        proposal: str,
        reason: str,
        scope: Scope | None = None,
        radius: float | None = None,
    ) -> Answer:
        """Decide not to try a proposal; it is not proposed again.

        Neither is its neighbourhood, with scope "region" (the default in a box): everything within
        `radius` of it, as a share of each range. With scope "point" it is the point alone.
        """
        return self._own(
            self.open(study).reject(
                proposal, scope=scope, radius=radius, actor=self._actor, reason=reason
            )
        )

    def decide(self, study: str, proposal: str, mine: Values) -> Answer:
        """Let the team's rule decide between a proposal and what you would try instead.

        Only in a study with a team. What you would try is recorded, whoever is followed.
        """
        return self._own(self.open(study).decide(proposal, mine, actor=self._actor))

    def tell(
        self,
        study: str,
        proposal: str | None = None,
        value: float | dict[str, float | str] | None = None,
        constraints: dict[str, float | str] | None = None,
        values: Values | None = None,
        context: Values | None = None,
        sem: float | dict[str, float] | None = None,
        repeat: bool = False,
    ) -> Answer:
        """Record what was measured: of a proposal by its id, or at `values` that nobody proposed.

        `value` is the objective's, or several objectives by name; `constraints` holds what was
        measured of constraints, by name. `sem` is the standard error, where it is known. With
        `repeat`, something is measured once more, and both count.
        """
        return self._own(
            self.open(study).tell(
                _trial(proposal, values),
                value,
                constraints=constraints,
                context=context,
                sem=sem,
                repeat=repeat,
                actor=self._actor,
            )
        )

    def tell_many(self, study: str, rows: list[dict[str, Any]]) -> list[Answer]:
        """Record past trials that nobody proposed: all of them or none.

        Each row has parameters and outcomes by name, and the context where there is one.
        """
        told = [{**row, "actor": self._actor} for row in rows]
        return [self._own(each) for each in self.open(study).tell_many(told)]

    def fail(
        self, study: str, proposal: Trial, reason: str, context: Values | None = None
    ) -> Answer:
        """Record that a trial was made and nothing could be measured; it is learned from.

        `proposal` is its id, or values that nobody proposed.
        """
        chosen = self.open(study)
        return self._own(chosen.fail(proposal, context=context, actor=self._actor, reason=reason))

    def abandon(self, study: str, proposal: str, reason: str) -> Answer:
        """Give a proposal up, for a reason that says nothing about the point.

        Not one that somebody else has decided about.
        """
        chosen = self.open(study)
        for each in chosen.decisions:
            if each.proposal == proposal and each.kind != "abandon":
                self._check_own("proposal", proposal, each.actor)
        return self._own(chosen.abandon(proposal, actor=self._actor, reason=reason))

    def compare(
        self,
        study: str,
        winner: Trial,
        loser: Trial,
        tie: bool = False,
        context: Values | None = None,
    ) -> Answer:
        """Record which of two trials is preferred; with `tie`, neither.

        Each is a proposal's id, or values.
        """
        return self._own(
            self.open(study).compare(
                winner=winner, loser=loser, tie=tie, context=context, actor=self._actor
            )
        )

    def claim(
        self, study: str, better: Trial, worse: Trial, context: Values | None = None
    ) -> Answer:
        """Record which of two trials you expect to be better, before that is known.

        What came of it tells how far to follow you; nothing else is concluded.
        """
        return self._own(
            self.open(study).claim(better=better, worse=worse, context=context, actor=self._actor)
        )

    def next_question(self, study: str, proposal: str) -> Answer:
        """Name the constraint to ask about next where a proposal was tried; null for none."""
        return {"question": self.open(study).next_question(proposal)}

    def revise(
        self,
        study: str,
        observation: str,
        reason: str,
        value: float | dict[str, float | str] | None = None,
        constraints: dict[str, float | str] | None = None,
    ) -> Answer:
        """Correct one of your own observations; the history keeps both."""
        chosen = self.open(study)
        for each in chosen.observations:
            if each.id == observation:
                self._check_own("observation", observation, each.actor)
        return self._own(
            chosen.revise(
                observation, value, constraints=constraints, actor=self._actor, reason=reason
            )
        )

    def withdraw(self, study: str, fact: str, reason: str) -> Answer:
        """Take back one of your own decisions, observations, comparisons or revisions."""
        chosen = self.open(study)
        for each in chosen.facts:
            if each.id == fact:
                self._check_own("fact", fact, getattr(each, "actor", None))
        return self._own(chosen.withdraw(fact, actor=self._actor, reason=reason))

    def comment(self, study: str, fact: str, text: str) -> Answer:
        """Say something about a proposal, a trial or any other fact, for people to read."""
        return self._own(self.open(study).comment(fact, text, actor=self._actor))

    def hold(self, study: str, proposal: str, seconds: float = 600.0) -> Answer:
        """Reserve a proposal: meanwhile nobody else can decide or tell it. Hold again to renew."""
        return self._own(self.open(study).hold(proposal, actor=self._actor, seconds=seconds))

    def release(self, study: str, proposal: str) -> Answer:
        """Give up a proposal that you hold."""
        self.open(study).release(proposal, actor=self._actor)
        return {"released": proposal}

    # ---- what is known -------------------------------------------------------------------------

    def pending(self, study: str) -> list[Answer]:
        """List proposals that wait for a decision or a measurement."""
        return [codec.write(each) for each in self.open(study).pending]

    def leases(self, study: str) -> list[Answer]:
        """List who holds which proposal, and until when."""
        return [_written(each) for each in self.open(study).leases]

    def proposal(self, study: str, proposal: str, wait_seconds: float = 0.0) -> Answer:
        """Say what became of a proposal: who decided what, and what was measured.

        With `wait_seconds` (at most 300) it waits that long for somebody to decide or measure.
        """
        chosen = self.open(study)
        until = time.monotonic() + min(max(wait_seconds, 0.0), _LONGEST_WAIT)
        while True:
            decided = [each for each in chosen.decisions if each.proposal == proposal]
            told = [each for each in chosen.observations if each.proposal == proposal]
            if decided or told or time.monotonic() >= until:
                break
            time.sleep(0.25)
        return {
            "proposal": codec.write(chosen.proposal(proposal)),
            "decision": _written(decided[0]) if decided else None,
            "observations": [codec.write(each) for each in told],
        }

    def history(self, study: str, after: int = 0, limit: int = 50) -> Answer:
        """List everything that happened, in order, from the fact after offset `after`."""
        facts = self.open(study).facts
        page = facts[max(after, 0) :][: max(limit, 1)]
        return {"total": len(facts), "facts": [_written(each) for each in page]}

    def best(self, study: str) -> Answer:
        """Show the best trial so far, or null."""
        return {"best": codec.write(self.open(study).best)}

    def front(self, study: str) -> Answer:
        """List the trials that no other one beats in every objective, and what each is worth.

        Where weights are learned, `compare` has the two trials to compare next.
        """
        return _written(self.open(study).front())

    def safe_set(self, study: str, context: Values | None = None) -> Answer:
        """List what is certified to keep all constraints, with bounds."""
        return {"safe_set": codec.write(self.open(study).safe_set(context=context))}

    def outlook(
        self, study: str, worth: float | None = None, context: Values | None = None
    ) -> Answer:
        """Say how much is still to be gained, how likely, and whether the model predicts.

        `worth` is the gain that another trial would be worth.
        """
        found = self.open(study).outlook(worth=worth, context=context)
        return {"outlook": codec.write(found)}

    def overriding(self, study: str) -> list[Answer]:
        """Say what overriding cost or gained each person, as believed today."""
        return [_written(each) for each in self.open(study).overriding()]

    def replay(self, study: str) -> Answer:
        """Derive every proposal again from the facts before it, and say whether all are equal."""
        return _written(self.open(study).replay())

    def predict(self, study: str, values: Values, context: Values | None = None) -> Answer:
        """Say what is believed at a point: the objective, and how likely each constraint holds."""
        chosen = self.open(study)
        return {
            "prediction": codec.write(chosen.predict(values, context=context)),
            "chances": chosen.chances(values, context=context),
        }

    # ---- why -----------------------------------------------------------------------------------

    def explain(
        self,
        study: str,
        proposal: Trial,
        instead_of: Trial | None = None,
        context: Values | None = None,
    ) -> Answer:
        """Say why something was proposed: what each parameter adds to each reason, and a sentence.

        `proposal` is its id, or values of your own. With `instead_of` another one: why this and not
        that. It is written down that you have seen it.
        """
        return _written(
            self.open(study).explain(
                proposal, instead_of=instead_of, context=context, actor=self._actor
            )
        )

    def what_if(
        self,
        study: str,
        values: Values,
        context: Values | None = None,
        instead_of: str | None = None,
    ) -> Answer:
        """Say what is expected of values of your own, and what speaks for trying them.

        `instead_of` a proposal, both are judged by what that proposal maximised.
        """
        chosen = self.open(study)
        return _written(chosen.what_if(values, context=context, instead_of=instead_of))

    def advise(self, study: str, proposal: str, mine: Values | None = None) -> Answer:
        """Say whether to step in: go ahead, your call, or step in, and one sentence why.

        `mine` is what you would try instead: how likely it is better, and by how much. What your
        past choices turned out to be worth counts as well.
        """
        chosen = self.open(study)
        return _written(chosen.advise(proposal, mine, actor=self._actor))

    def grounds(self, study: str, proposal: str) -> Answer:
        """Say what the reasons for a proposal rest on. It takes a moment.

        Whether the main reason survives under other plausible fits, and how much each trial and
        each person's trials speak for the proposal.
        """
        return _written(self.open(study).grounds(proposal))

    def alignment(self, study: str, proposal: str, actor: str | None = None) -> Answer:
        """Say how far the reasons for a proposal are from somebody's past reasons; yours if no
        actor is named.

        Null while they have overridden nothing.
        """
        found = self.open(study).alignment(proposal, actor=actor or self._actor)
        return {"alignment": codec.write(found)}

    def plot(self, study: str, kind: str = "progress", proposal: str | None = None) -> Image:
        """Draw a study as an image.

        The study's progress, landscape, front, importances or validation; of a proposal, its
        contributions or waterfall.
        """
        return Image(data=_picture(self.open(study), kind, proposal), format="png")


def _picture(study: StudyLike, kind: str, proposal: str | None) -> bytes:
    from counsel import plots

    if kind not in (*_OF_A_STUDY, *_OF_A_PROPOSAL):
        allowed = ", ".join((*_OF_A_STUDY, *_OF_A_PROPOSAL))
        raise InvalidInput("kind", kind, f"Choose one of {allowed}.")
    if kind in _OF_A_PROPOSAL:
        if proposal is None:
            raise NothingToExplain(f"The plot {kind!r} explains a proposal: give its id.")
        figure = getattr(plots, kind)(study.explain(proposal))
    else:
        figure = getattr(plots, kind)(study)
    try:
        image: bytes = figure.to_image(format="png", scale=1)
    except (ImportError, RuntimeError, ValueError) as error:
        raise CounselError(
            f"No picture could be drawn: {error}. It takes kaleido ({install('mcp')}) and a "
            "Chromium or Chrome; name yours in the environment variable BROWSER_PATH."
        ) from error
    return image


def _trial(proposal: str | None, values: Values | None) -> str | Values:
    if (proposal is None) == (values is None):
        raise InvalidInput("proposal", proposal, "Give either a proposal's id or values.")
    return proposal if proposal is not None else values  # type: ignore[return-value]


def _written(record: Any) -> Answer:
    found: Answer = codec.write(record)
    return found
