"""Studies for agents: a server of the Model Context Protocol, over the verbs of `StudyLike`.

An agent acts under one name of its own. It cannot undo what a person has decided: a proposal that
somebody rejected is refused with the decision, and the history says who did what.
"""

import functools
import json
from collections.abc import Callable
from typing import Any, TypeVar

from counsel import __version__
from counsel.errors import CounselError, install
from counsel.facts.checks import check_name

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.types import ToolAnnotations
except ImportError:
    raise CounselError(f"The server for agents needs the MCP SDK: {install('mcp')}.") from None

from counsel.integrations.agent_tools import READING, WRITING, Studies, Tools

__all__ = ["Studies", "create_server"]

F = TypeVar("F", bound=Callable[..., Any])

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
    for names, reads in ((WRITING, False), (READING, True)):
        hints = ToolAnnotations(read_only_hint=reads, destructive_hint=False, open_world_hint=False)
        for name in names:
            server.tool(annotations=hints)(_in_sentences(getattr(tools, name)))

    def all_studies() -> str:
        """The studies there are."""
        return json.dumps(tools.list_studies())

    def trials_of(study: str) -> str:
        """A study's trials as a table, one row each."""
        table: str = tools.open(study).dataframe().to_csv(index=False)
        return table

    server.resource("counsel://studies", title="Studies", mime_type="application/json")(all_studies)
    server.resource("counsel://studies/{study}/trials", title="Trials", mime_type="text/csv")(
        trials_of
    )
    server.prompt("round", title="One round", description="Play one round of a study.")(_round)
    server.prompt("review", title="Where it stands", description="Say how a study stands.")(_review)
    return server


def _round(study: str) -> str:
    return (
        f"Play one round of the study {study!r}. Ask for a proposal and explain it. If you know "
        "better, ask what_if of your own values and advise, and override with the reason; "
        "otherwise accept. Then say in plain words what is to be tried, and ask for the result. "
        "Tell it when you have it. Do not make results up."
    )


def _review(study: str) -> str:
    return (
        f"Say how the study {study!r} stands, in plain words and for somebody who was away: what "
        "is sought (describe_study), the best so far, what came of the last trials (history), who "
        "overrode what and whether it helped (overriding), and whether more trials are worth "
        "their cost (outlook). Name numbers with their units and their uncertainty."
    )


def _in_sentences(function: F) -> F:
    """What Counsel refuses reaches the agent as the sentence that people get."""

    @functools.wraps(function)
    def run(*args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except CounselError as error:
            raise ToolError(str(error)) from error

    return run  # type: ignore[return-value]
