"""Studies for agents: a server of the Model Context Protocol, over the verbs of `StudyLike`.

An agent acts under one name of its own. It cannot undo what a person has decided: a proposal that
somebody rejected is refused with the decision, and the history says who did what.
"""

import functools
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from counsel import __version__
from counsel.errors import CounselError, InvalidInput, NothingToExplain, install
from counsel.facts import codec
from counsel.facts.checks import check_name
from counsel.facts.records import Value
from counsel.study.protocol import StudyLike

try:
    from mcp.server.mcpserver import Image, MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.types import ToolAnnotations
except ImportError:
    raise CounselError(f"The server for agents needs the MCP SDK: {install('mcp')}.") from None

__all__ = ["Studies", "create_server"]

Values = dict[str, Value]
Answer = dict[str, Any]
F = TypeVar("F", bound=Callable[..., Any])

_LONGEST_WAIT = 300.0
_PLOTS = ("progress", "landscape", "contributions", "waterfall")
_INSTRUCTIONS = """\
Counsel proposes what to try next in an expensive experiment, says why, and learns from what is
measured. You take part in its studies beside people, as {actor}.

A round: `ask` for a proposal; `explain` it if in doubt; then `accept`, `override` (with values of
your own and a reason) or `reject` it; make the trial, or have it made; `tell` what was measured.
Where a proposal lists `asks`, these constraints are worth measuring;
`next_question` names them one at a time. Where the objective is a preference, `compare` two trials.

People see the same study on a web page and may decide first. Then your decision is refused with
theirs: keep to it. `proposal` says what became of one, and can wait for a person's decision.
"""


class Studies(Protocol):
    """Where studies are: a service (`counsel.Client`), or a storage."""

    def list_studies(self) -> Sequence[Any]: ...
    def load_study(self, name: str) -> StudyLike: ...


def create_server(studies: Studies, *, actor: str) -> MCPServer[Any]:
    """A server whose tools act on `studies` as `actor`; `.run()` serves it on stdin and stdout."""
    check_name("actor", actor)
    server: MCPServer[Any] = MCPServer(
        "counsel",
        title="Counsel",
        instructions=_INSTRUCTIONS.format(actor=actor),
        version=__version__,
        log_level="WARNING",
    )
    tools = Tools(studies, actor)
    for tool, reads in _TOOLS:
        server.tool(
            annotations=ToolAnnotations(
                read_only_hint=reads, destructive_hint=False, open_world_hint=False
            )
        )(_in_sentences(getattr(tools, tool)))
    return server


def _in_sentences(function: F) -> F:
    """What Counsel refuses reaches the agent as the sentence that people get."""

    @functools.wraps(function)
    def run(*args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except CounselError as error:
            raise ToolError(str(error)) from error

    return run  # type: ignore[return-value]


class Tools:
    """The tools. Their docstrings and arguments are what an agent reads."""

    def __init__(self, studies: Studies, actor: str) -> None:
        self._studies = studies
        self._actor = actor
        self._opened: dict[str, StudyLike] = {}

    def _study(self, name: str) -> StudyLike:
        if name not in self._opened:
            self._opened[name] = self._studies.load_study(name)
        return self._opened[name]

    # ---- the loop ------------------------------------------------------------------------------

    def list_studies(self) -> list[Answer]:
        """List the studies there are, with objective, policy and number of facts."""
        return [codec.write(each) for each in self._studies.list_studies()]

    def describe_study(self, study: str) -> Answer:
        """Show a study's parameters and their ranges, its objective, constraints and policy."""
        found: Answer = codec.write(self._study(study).setup)
        return found

    def ask(self, study: str, n: int = 1, context: Values | None = None) -> list[Answer]:
        """Get the optimizer's next proposal, or `n` that go well together.

        Each has an id, values, a prediction (mean and sd), the terms that were maximised, and the
        constraints worth asking about.
        """
        return [codec.write(each) for each in self._study(study).ask(n, context=context)]

    def accept(self, study: str, proposal: str, reason: str = "") -> Answer:
        """Decide to try a proposal as it is."""
        return _fact(self._study(study).accept(proposal, actor=self._actor, reason=reason))

    def override(self, study: str, proposal: str, values: Values, reason: str) -> Answer:
        """Decide to try other values instead of a proposal's, and say why."""
        chosen = self._study(study)
        return _fact(chosen.override(proposal, values, actor=self._actor, reason=reason))

    def reject(self, study: str, proposal: str, reason: str) -> Answer:
        """Decide not to try a proposal; it is not proposed again."""
        return _fact(self._study(study).reject(proposal, actor=self._actor, reason=reason))

    def tell(
        self,
        study: str,
        proposal: str | None = None,
        value: float | dict[str, float] | None = None,
        constraints: dict[str, float] | None = None,
        values: Values | None = None,
        context: Values | None = None,
    ) -> Answer:
        """Record what was measured: of a proposal by its id, or at `values` that nobody proposed.

        `value` is the objective's, or several objectives by name; `constraints` holds what was
        measured of constraints, by name.
        """
        return _fact(
            self._study(study).tell(
                _trial(proposal, values),
                value,
                constraints=constraints,
                context=context,
                actor=self._actor,
            )
        )

    def fail(self, study: str, proposal: str, reason: str) -> Answer:
        """Record that a trial was made and nothing could be measured; it is learned from."""
        return _fact(self._study(study).fail(proposal, actor=self._actor, reason=reason))

    def abandon(self, study: str, proposal: str, reason: str) -> Answer:
        """Give a proposal up, for a reason that says nothing about the point."""
        return _fact(self._study(study).abandon(proposal, actor=self._actor, reason=reason))

    def outlook(self, study: str) -> Answer:
        """Say how much is still to be gained, how likely, and whether the model predicts."""
        return {"outlook": codec.write(self._study(study).outlook())}

    def safe_set(self, study: str) -> Answer:
        """List what is certified to keep all constraints, with bounds."""
        return {"safe_set": codec.write(self._study(study).safe_set())}

    def compare(self, study: str, winner: str, loser: str, tie: bool = False) -> Answer:
        """Record which of two proposals is preferred; with `tie`, neither."""
        chosen = self._study(study)
        return _fact(chosen.compare(winner=winner, loser=loser, tie=tie, actor=self._actor))

    def next_question(self, study: str, proposal: str) -> Answer:
        """Name the constraint to ask about next where a proposal was tried; null for none."""
        return {"question": self._study(study).next_question(proposal)}

    def revise(
        self,
        study: str,
        observation: str,
        reason: str,
        value: float | dict[str, float] | None = None,
        constraints: dict[str, float] | None = None,
    ) -> Answer:
        """Correct what was measured; the history keeps both."""
        return _fact(
            self._study(study).revise(
                observation, value, constraints=constraints, actor=self._actor, reason=reason
            )
        )

    def withdraw(self, study: str, fact: str, reason: str) -> Answer:
        """Take back one of your own decisions, observations, comparisons or revisions."""
        chosen = self._study(study)
        for each in chosen.facts:
            owner = getattr(each, "actor", None)
            if each.id == fact and owner is not None and owner != self._actor:
                raise InvalidInput("fact", fact, f"It is {owner}'s: only they take it back.")
        return _fact(chosen.withdraw(fact, actor=self._actor, reason=reason))

    # ---- what is known -------------------------------------------------------------------------

    def pending(self, study: str) -> list[Answer]:
        """List proposals that wait for a decision or a measurement."""
        return [codec.write(each) for each in self._study(study).pending]

    def proposal(self, study: str, proposal: str, wait_seconds: float = 0.0) -> Answer:
        """Say what became of a proposal: who decided what, and what was measured.

        With `wait_seconds` (at most 300) it waits that long for somebody to decide or measure.
        """
        chosen = self._study(study)
        until = time.monotonic() + min(max(wait_seconds, 0.0), _LONGEST_WAIT)
        while True:
            decided = [each for each in chosen.decisions if each.proposal == proposal]
            told = [each for each in chosen.observations if each.proposal == proposal]
            if decided or told or time.monotonic() >= until:
                break
            time.sleep(0.25)
        return {
            "proposal": codec.write(chosen.proposal(proposal)),
            "decision": _fact(decided[0]) if decided else None,
            "observations": [codec.write(each) for each in told],
        }

    def history(self, study: str, after: int = 0, limit: int = 50) -> Answer:
        """List everything that happened, in order, from the fact after offset `after`."""
        facts = self._study(study).facts
        page = facts[max(after, 0) :][: max(limit, 1)]
        return {"total": len(facts), "facts": [_fact(each) for each in page]}

    def best(self, study: str) -> Answer:
        """Show the best trial so far, or null."""
        return {"best": codec.write(self._study(study).best)}

    def predict(self, study: str, values: Values, context: Values | None = None) -> Answer:
        """Say what is believed at a point: the objective, and how likely each constraint holds."""
        chosen = self._study(study)
        return {
            "prediction": codec.write(chosen.predict(values, context=context)),
            "chances": chosen.chances(values, context=context),
        }

    # ---- why -----------------------------------------------------------------------------------

    def explain(self, study: str, proposal: str) -> Answer:
        """Say why something was proposed: what each parameter adds to each reason, and a sentence.

        It is written down that you have seen it.
        """
        found: Answer = codec.write(self._study(study).explain(proposal, actor=self._actor))
        return found

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
        chosen = self._study(study)
        found: Answer = codec.write(chosen.what_if(values, context=context, instead_of=instead_of))
        return found

    def advise(self, study: str, proposal: str, mine: Values | None = None) -> Answer:
        """Say whether to step in: go ahead, your call, or step in, and one sentence why.

        `mine` is what you would try instead: how likely it is better, and by how much. What your
        past choices turned out to be worth counts as well.
        """
        chosen = self._study(study)
        found: Answer = codec.write(chosen.advise(proposal, mine, actor=self._actor))
        return found

    def plot(self, study: str, kind: str = "progress", proposal: str | None = None) -> Image:
        """Draw a study as an image: progress or landscape; of a proposal, contributions or
        waterfall."""
        return Image(data=_picture(self._study(study), kind, proposal), format="png")


def _picture(study: StudyLike, kind: str, proposal: str | None) -> bytes:
    from counsel import plots

    if kind not in _PLOTS:
        raise InvalidInput("kind", kind, f"Choose one of {', '.join(_PLOTS)}.")
    if kind in ("contributions", "waterfall"):
        if proposal is None:
            raise NothingToExplain(f"The plot {kind!r} explains a proposal: give its id.")
        figure = getattr(plots, kind)(study.explain(proposal))
    else:
        figure = getattr(plots, kind)(study)
    try:
        image: bytes = figure.to_image(format="png", scale=1)
    except (ImportError, RuntimeError, ValueError) as error:
        raise CounselError(
            f"No picture could be drawn: {error}. It takes kaleido and a Chromium or Chrome; "
            "name yours in the environment variable BROWSER_PATH."
        ) from error
    return image


def _trial(proposal: str | None, values: Values | None) -> str | Values:
    if (proposal is None) == (values is None):
        raise InvalidInput("proposal", proposal, "Give either a proposal's id or values.")
    return proposal if proposal is not None else values  # type: ignore[return-value]


def _fact(fact: Any) -> Answer:
    found: Answer = codec.write(fact)
    return found


# Each tool, and whether it only reads.
_TOOLS = (
    ("list_studies", True),
    ("describe_study", True),
    ("ask", False),
    ("accept", False),
    ("override", False),
    ("reject", False),
    ("tell", False),
    ("fail", False),
    ("abandon", False),
    ("compare", False),
    ("next_question", True),
    ("revise", False),
    ("withdraw", False),
    ("pending", True),
    ("proposal", True),
    ("history", True),
    ("best", True),
    ("safe_set", True),
    ("outlook", True),
    ("predict", True),
    ("explain", False),
    ("what_if", True),
    ("advise", True),
    ("plot", True),
)
