"""A study in a notebook: sliders, what is believed there and why, and the three decisions.

    from counsel.integrations.notebook import decide

    decide(study)

It works on the study itself, in this kernel: no server, no network.
"""

from pathlib import Path
from typing import Any

from counsel.errors import CounselError, InvalidInput, NothingToExplain, install
from counsel.explain.attribution import Attribution
from counsel.facts.records import Prediction, Proposal
from counsel.facts.terms import looks
from counsel.space import Arms, Categorical, Int
from counsel.study.protocol import StudyLike

try:
    import anywidget
    import traitlets
except ImportError:
    raise CounselError(f"The notebook's widget needs anywidget: {install('notebook')}.") from None

__all__ = ["Decide", "decide"]

_MOST_ARMS = 500  # a longer list is not chosen from


def decide(study: StudyLike, *, actor: str = "notebook") -> "Decide":
    """The proposal of the moment, or the next one, beside what you would try."""
    return Decide(study, actor=actor)


class Decide(anywidget.AnyWidget):
    """What the page *Decide* has, for a study of this kernel."""

    _esm = Path(__file__).with_name("decide.js")
    inputs = traitlets.List().tag(sync=True)
    point = traitlets.Dict().tag(sync=True)
    proposal = traitlets.Dict().tag(sync=True)
    belief = traitlets.Dict().tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)

    def __init__(self, study: StudyLike, *, actor: str) -> None:
        super().__init__()
        self._study = study
        self._actor = actor
        self._current: Proposal | None = None
        self.inputs = _inputs(study.problem.space)
        self.observe(self._believe, names="point")
        self.on_msg(self._act)
        self._next()

    def _next(self) -> None:
        """Show the first proposal that waits, or ask for one."""
        study = self._study
        waiting = study.pending
        self._current = waiting[0] if waiting else study.ask()
        decided = {each.proposal: each for each in study.decisions}.get(self._current.id)
        shown: dict[str, Any] = {
            "id": self._current.id,
            "values": dict(self._current.values),
            "prediction": _believed(self._current.prediction),
            "outcomes": list(study.problem.outcomes),
            "asks": list(self._current.asks),
            "decided": None if decided is None else f"{decided.kind} by {decided.actor}",
            "why": {},
        }
        try:
            shown["why"] = _why(study.explain(self._current, actor=self._actor))
        except NothingToExplain as error:
            shown["why"] = {"sentence": str(error), "bars": []}
        self.proposal = shown
        tried = self._current.values if decided is None else decided.values or self._current.values
        self.point = dict(tried)
        self._believe()

    def _believe(self, _: Any = None) -> None:
        """What is believed of the person's point, and what speaks for it."""
        try:
            found = self._study.what_if(self.point, instead_of=self._current)
            belief = {"prediction": _believed(found.prediction), **_why(found.attribution)}
            belief["sentence"] = found.sentence()
        except NothingToExplain:
            prediction = self._study.predict(self.point)
            belief = {"prediction": _believed(prediction), "sentence": "", "bars": []}
        except CounselError as error:
            belief = {"prediction": None, "sentence": str(error), "bars": []}
        self.belief = {**belief, "chances": self._chances()}

    def _chances(self) -> dict[str, float]:
        try:
            return self._study.chances(self.point)
        except CounselError:
            return {}  # the policy has no beliefs about constraints

    def _act(self, _: Any, request: dict[str, Any], __: Any) -> None:
        try:
            self.message = self._done(request)
            self._next()
        except CounselError as error:
            self.message = str(error)

    def _done(self, request: dict[str, Any]) -> str:
        """Do what a button says, and put it in a sentence."""
        study, proposal, actor = self._study, self._current, self._actor
        assert proposal is not None
        reason = str(request.get("reason", ""))
        match request.get("verb"):
            case "accept":
                study.accept(proposal, actor=actor, reason=reason)
                return f"{proposal.id} accepted."
            case "override":
                study.override(proposal, self.point, actor=actor, reason=reason)
                return f"{proposal.id} overridden."
            case "reject":
                study.reject(proposal, actor=actor, reason=reason)
                return f"{proposal.id} rejected."
            case "tell":
                study.tell(proposal, dict(request.get("outcomes", {})), actor=actor)
                return f"{proposal.id} told."
        raise InvalidInput("verb", request.get("verb"), "Use accept, override, reject or tell.")


def _inputs(space: Any) -> list[dict[str, Any]]:
    if isinstance(space, Arms):
        if len(space) > _MOST_ARMS:
            return []
        arms = [dict(space[i]) for i in range(len(space))]
        return [{"kind": "arms", "name": "candidate", "choices": arms}]
    found: list[dict[str, Any]] = []
    for name, parameter in space.parameters.items():
        if isinstance(parameter, Categorical):
            found.append({"kind": "choice", "name": name, "choices": list(parameter.choices)})
        elif hasattr(parameter, "low"):
            kind = "whole" if isinstance(parameter, Int) else "number"
            span = {"low": parameter.low, "high": parameter.high, "log": parameter.log}
            found.append({"kind": kind, "name": name, **span})
    return found


def _believed(prediction: Prediction | None) -> str | None:
    return None if prediction is None else f"{prediction.mean:.4g} ± {prediction.sd:.2g}"


def _why(attribution: Attribution) -> dict[str, Any]:
    """The sentence, and a bar for each parameter and term."""
    bars = []
    for row, look in enumerate(looks(attribution.terms)):
        for column, name in enumerate(attribution.parameters):
            bars.append(
                {
                    "parameter": name,
                    "term": look.label,
                    "colour": look.colour,
                    "value": float(attribution.values[row, column]),
                }
            )
    return {"sentence": attribution.sentence(), "bars": bars}
