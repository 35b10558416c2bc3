"""The commands of the service: the demonstration, serve, tokens."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from counsel.cli.options import DEFAULT, Address, Json
from counsel.cli.output import say, sentences, table

__all__ = ["register"]

Host = Annotated[str, typer.Option(help="The address to listen on.")]
Port = Annotated[int, typer.Option(help="The port; 0 takes a free one.")]
Browser = Annotated[
    bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
]

TokenId = Annotated[str, typer.Argument(metavar="ID", help="As `counsel token list` shows.")]

token = typer.Typer(help="Create, list, grant and revoke access tokens.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.command("demo", epilog="Example:  counsel demo --terminal --trials 40 --policy ei")(demo)
    app.command("serve", epilog="Example:  counsel serve --storage sqlite:///lab.db")(serve)
    app.add_typer(token, name="token")


def demo(
    terminal: Annotated[
        bool, typer.Option("--terminal", help="A small study in the terminal instead.")
    ] = False,
    port: Port = 8000,
    browser: Browser = True,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start the ready studies afresh.")] = False,
    storage: Annotated[
        str | None, typer.Option(help="Where the ready studies are kept; the cache, by default.")
    ] = None,
    trials: Annotated[int, typer.Option(help="With --terminal: how many proposals.")] = 25,
    policy: Annotated[
        str,
        typer.Option(help="With --terminal: the policy; one that learns from measurements alone."),
    ] = "v-ucb",
    seed: Annotated[int, typer.Option(help="The random seed.")] = 0,
    out: Annotated[
        Path, typer.Option(help="With --terminal: where the figures go, as HTML.")
    ] = Path("counsel-demo.html"),
) -> None:
    """Open ready studies in the browser; simulated worlds can answer for you."""
    with sentences():
        if terminal:
            from counsel.demo.terminal import run as play

            play(trials, policy, seed, out)
            return
        from counsel.service.runtime.starting import started

        _needed()
        with started() as process:
            from counsel.demo import demo_studies

            where = storage or demo_studies.default_storage()
            typer.echo("Preparing the ready studies.")
            worlds = demo_studies.prepare(where, seed=seed, fresh=fresh)
            computing = demo_studies.begin(where, process)
            # Only now: what takes the first visitor longest is computed meanwhile.
            from counsel.demo.extension import demonstration
            from counsel.service.serving import serve as run

            run(
                where,
                port=port,
                extension=demonstration(worlds),
                when_ready=_announce(browser),
                level="warning",
                computing=computing,
            )


def serve(
    storage: Address = DEFAULT,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    tokens: Annotated[
        bool, typer.Option("--tokens", help="Require tokens on loopback, too.")
    ] = False,
    pages: Annotated[
        bool, typer.Option("--pages/--no-pages", help="Serve web pages as well as REST.")
    ] = True,
    browser: Annotated[bool, typer.Option("--browser", help="Open the page in a browser.")] = False,
    level: Annotated[str, typer.Option(help="How much to log: info, warning, error.")] = "info",
    certificate: Annotated[
        str | None, typer.Option(help="A TLS certificate file, for https.")
    ] = None,
    certificate_key: Annotated[str | None, typer.Option(help="Its key file.")] = None,
    proxy: Annotated[
        str | None,
        typer.Option(
            help="Address or network of a proxy in front, whose X-Forwarded-For is trusted."
        ),
    ] = None,
) -> None:
    """Serve studies: pages for people, REST for programs.

    On loopback it is open; on any other address it needs tokens.
    """
    with sentences():
        _needed()
        from counsel.demo.extension import demonstration
        from counsel.errors import InvalidInput
        from counsel.service.serving import serve as run

        if level not in ("debug", "info", "warning", "error"):
            raise InvalidInput("level", level, "Use debug, info, warning or error.")
        run(
            storage,
            host=host,
            port=port,
            require_tokens=tokens or None,
            extension=demonstration() if pages else None,
            pages=pages,
            level=level,
            when_ready=_announce(browser),
            certificate=certificate,
            certificate_key=certificate_key,
            proxy=proxy,
        )


@token.command("create", epilog="Example:  counsel token create ann --role participant --days 30")
def create(
    name: Annotated[str, typer.Argument(help="Whose token: the name that facts will carry.")],
    role: Annotated[
        str | None,
        typer.Option(
            help="In every study: viewer (looks), participant (decides), owner (creates, deletes) "
            "or none. Default: participant, or none where --study is given."
        ),
    ] = None,
    study: Annotated[
        list[str] | None,
        typer.Option(metavar="STUDY=ROLE", help="Another role in one study; can be repeated."),
    ] = None,
    agent: Annotated[
        bool, typer.Option("--agent", help="For a program; the history says so.")
    ] = False,
    days: Annotated[float, typer.Option(help="How long it is valid.")] = 90.0,
    text_file: Annotated[
        Path | None,
        typer.Option(
            help="A file with the text that the token shall have, such as a container's secret: "
            "counsel_ID_SECRET. A token that has it already stays as it is."
        ),
    ] = None,
    storage: Address = DEFAULT,
    as_json: Json = False,
) -> None:
    """Create a token. Its text is shown once and not stored."""
    with sentences():
        from counsel.service.security.tokens import Tokens

        studies = dict(map(_study_and_role, study or []))
        general = role or ("none" if studies else "participant")
        chosen = None if text_file is None else _read(text_file)
        made, text = Tokens(storage).create(
            name, general, days, studies=studies, agent=agent, text=chosen
        )
        until = made.expires.date().isoformat() if made.expires else "for ever"
        roles = _roles(made.role, made.studies)
        who = f"{made.name}, {roles}, until {until}."
        shown = f"{text}\nKeep it: it is not shown again. {who}"
        found = {"id": made.id, "token": text, "name": made.name, "role": made.role}
        if chosen is not None:  # whoever has the file knows it, and logs are read by others
            shown = f"Token {made.id} has the text in {text_file}: {who}"
            del found["token"]
        say(as_json, {**found, "studies": dict(made.studies), "expires": until}, shown)


@token.command("list", epilog="Example:  counsel token list --storage sqlite:///lab.db")
def list_tokens(storage: Address = DEFAULT, as_json: Json = False) -> None:
    """List the tokens, without their text."""
    with sentences():
        from counsel.service.security.tokens import Tokens

        found = [
            {
                "id": each.id,
                "name": each.name,
                "role": each.role,
                "studies": dict(each.studies),
                "state": each.state,
                "expires": each.expires.date().isoformat() if each.expires else "never",
            }
            for each in Tokens(storage).all()
        ]
        columns = ("id", "name", "role", "state", "expires")
        rows = [
            [_roles(row["role"], row["studies"]) if c == "role" else row[c] for c in columns]
            for row in found
        ]
        say(as_json, found, table(columns, rows))


@token.command("grant", epilog="Example:  counsel token grant 1f2e3d4c5b6a exosuit owner")
def grant(
    token_id: TokenId,
    study: Annotated[str, typer.Argument(help="The study that the role is for.")],
    role: Annotated[
        str,
        typer.Argument(
            help="viewer, participant, owner; none shuts the token out of the study, and default "
            "gives it the role that it has elsewhere."
        ),
    ],
    storage: Address = DEFAULT,
    as_json: Json = False,
) -> None:
    """Give a token another role in one study; open pages follow within a second."""
    with sentences():
        from counsel.service.security.tokens import Tokens

        after = Tokens(storage).grant(token_id, study, None if role == "default" else role)
        text = f"Token {after.id} of {after.name}: {_roles(after.role, after.studies)}."
        say(as_json, {"id": after.id, "role": after.role, "studies": dict(after.studies)}, text)


@token.command("revoke", epilog="Example:  counsel token revoke 1f2e3d4c5b6a")
def revoke(token_id: TokenId, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Revoke a token."""
    with sentences():
        from counsel.service.security.tokens import Tokens

        ended = Tokens(storage).revoke(token_id)
        text = f"Token {ended.id} of {ended.name} is revoked."
        say(as_json, {"id": ended.id, "state": ended.state}, text)


def _read(file: Path) -> str:
    from counsel.errors import InvalidInput

    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        raise InvalidInput("text file", str(file), f"It cannot be read: {error}.") from None


def _study_and_role(given: str) -> tuple[str, str]:
    from counsel.errors import InvalidInput

    study, sign, role = given.rpartition("=")
    if not sign:
        raise InvalidInput("study", given, "Give STUDY=ROLE, as in --study exosuit=owner.")
    return study, role


def _roles(role: object, studies: object) -> str:
    assert isinstance(studies, Mapping)
    return "; ".join([str(role), *(f"{each} in {study}" for study, each in studies.items())])


def _needed() -> None:
    """Look for the service's libraries, or say how to install them."""
    from counsel.errors import CounselError, install

    if any(find_spec(each) is None for each in ("fastapi", "nicegui", "uvicorn")):
        raise CounselError(
            f"The service needs more libraries: {install('server')}. "
            "`counsel demo --terminal` works without."
        )


class _announce:
    """Print where the service is, and open a browser there if wanted and possible."""

    def __init__(self, browser: bool) -> None:
        self._browser = browser

    def __call__(self, url: str) -> None:
        typer.echo(f"Counsel is at {url}   (Ctrl-C ends it)")
        if self._browser:
            import threading
            import webbrowser

            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
