"""The server for agents, on standard input and output."""

from typing import TYPE_CHECKING, Annotated

import typer

from counsel.cli.options import DEFAULT, Address

if TYPE_CHECKING:
    from counsel.facts.summaries import Summary
    from counsel.study import StudyLike

__all__ = ["COMMANDS"]


def mcp(
    storage: Address = DEFAULT,
    url: Annotated[
        str | None,
        typer.Option(help="A service to act through, instead of a storage: http://127.0.0.1:8000"),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(envvar="COUNSEL_TOKEN", help="A token of that service, made for the agent."),
    ] = None,
    actor: Annotated[
        str, typer.Option(help="The name that the agent's facts carry; with a token, its name.")
    ] = "agent",
) -> None:
    """Serve studies to an agent over the Model Context Protocol (stdin and stdout).

    People keep the veto: what they decide on the page, an agent cannot change.
    """
    from counsel.integrations.mcp import create_server

    if url is None:
        create_server(_Storage(storage), actor=actor).run()
        return
    from counsel.client import Client

    with Client(url, token=token) as client:
        client.list_studies()  # a wrong address or token is reported before the agent starts
        create_server(client, actor=actor).run()


class _Storage:
    """The studies of a storage."""

    def __init__(self, address: str) -> None:
        from counsel.storage import open_storage

        self._storage = open_storage(address, create=False)

    def list_studies(self) -> "list[Summary]":
        return list(self._storage.summaries())

    def load_study(self, name: str) -> "StudyLike":
        from counsel.study import load_study

        return load_study(name, self._storage)


COMMANDS = [
    (mcp, "mcp", "COUNSEL_TOKEN=... counsel mcp --url http://127.0.0.1:8000 --actor agent-7")
]
