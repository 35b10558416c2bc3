"""Serves an application on an address until it is told to stop."""

import ipaddress
import logging
import os
import socket
import sys
import threading
from collections.abc import Callable
from types import FrameType

import uvicorn

from counsel.errors import CounselError, InvalidInput
from counsel.service.app import create_app
from counsel.service.extension import Extension
from counsel.service.runtime.compute import ComputeProcess
from counsel.service.runtime.log_lines import log_lines
from counsel.service.runtime.study_pool import StudyPool
from counsel.service.security.connections import LimitedProtocol
from counsel.service.security.tokens import Tokens

__all__ = ["is_loopback", "serve"]

log = logging.getLogger("counsel.service")

_GRACE = 10  # seconds for pending requests to finish
_LONGEST_END = 25.0  # seconds after which the service stops whatever is pending
_MESSAGE = 2**20  # bytes of a page's message; larger ones are not accepted by the pages either
# After compiled work or a database call a thread waits up to this long for the interpreter, several
# times a request: with Python's 5 ms that is most of a busy service's time.
_SWITCH_SECONDS = 0.0002


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(
    storage: str,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    require_tokens: bool | None = None,
    extension: Extension | None = None,
    pages: bool = True,
    level: str = "info",
    when_ready: Callable[[str], None] = lambda url: None,
    certificate: str | None = None,
    certificate_key: str | None = None,
    proxy: str | None = None,
    computing: ComputeProcess | None = None,
) -> None:
    """Serve the studies of a storage.

    On loopback it is open, unless `require_tokens`; on any other address it needs tokens, and
    refuses to start while there is no valid one. `proxy` is the address (or the network) of a proxy
    in front of it, which is trusted to say where a request comes from; nobody else is. `computing`
    is the process that computes proposals, if there is one already.
    """
    if not 0 <= port <= 65535:
        raise InvalidInput("port", port, "Give a number from 0 to 65535.")
    _check_proxy(proxy)
    tokens = None
    if require_tokens or (require_tokens is None and not is_loopback(host)):
        tokens = Tokens(storage)
        if not any(token.state == "valid" for token in tokens.all()):
            create = "Create one with `counsel token create NAME --role owner`, or"
            if is_loopback(host):
                raise CounselError(f"There is no valid token yet. {create} leave out --tokens.")
            raise CounselError(
                f"On {host} everybody could reach the studies, and there is no valid token yet. "
                f"{create} use --host 127.0.0.1."
            )
    elif not is_loopback(host):
        raise InvalidInput("require_tokens", False, f"{host} is not loopback: it needs tokens.")
    _refuse_if_taken(host, port)
    log_lines(level)
    # Packed into one file, there is no Python to start a process with.
    apart = computing or not getattr(sys, "frozen", False)
    app = create_app(storage, tokens=tokens, pages=pages, extension=extension, apart=apart)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
        http=LimitedProtocol,
        ssl_certfile=certificate,
        ssl_keyfile=certificate_key,
        proxy_headers=proxy is not None,
        forwarded_allow_ips=[] if proxy is None else [proxy],
        ws_max_size=_MESSAGE,
    )
    sys.setswitchinterval(_SWITCH_SECONDS)
    _Server(config, when_ready, app.state.pool).run()


def _check_proxy(proxy: str | None) -> None:
    if proxy is None:
        return
    try:
        ipaddress.ip_network(proxy)
    except ValueError:
        remedy = "Give its address, such as 127.0.0.1, or its network, such as 172.18.0.0/16."
        raise InvalidInput("proxy", proxy, remedy) from None


def _refuse_if_taken(host: str, port: int) -> None:
    """Check first, with a message: the server would only log the error."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        remedy = f"Cannot listen there on {host}: {error.strerror}. Give another --port or --host."
        raise InvalidInput("port", port, remedy) from None


class _Server(uvicorn.Server):
    def __init__(
        self, config: uvicorn.Config, when_ready: Callable[[str], None], pool: StudyPool
    ) -> None:
        super().__init__(config)
        self._when_ready, self._pool = when_ready, pool

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, by force if needed: threads waiting for a database would delay the end."""
        if not self.should_exit:
            end = threading.Timer(_LONGEST_END, _end_by_force, [self._pool])
            end.daemon = True
            end.start()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        await super().startup(sockets=sockets)  # type: ignore[arg-type]
        if self.started:
            port = self.servers[0].sockets[0].getsockname()[1]
            scheme = "https" if self.config.is_ssl else "http"
            host = f"[{self.config.host}]" if ":" in self.config.host else self.config.host
            self._when_ready(f"{scheme}://{host}:{port}")


def _end_by_force(pool: StudyPool) -> None:
    log.error("stopped by force", extra={"data": {"after_seconds": _LONGEST_END}})
    if pool.proposer is not None:
        pool.proposer.kill()
    os._exit(1)
